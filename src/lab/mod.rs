//! The stress lab: runs loads in a cage, looks after the machine meanwhile, and measures.
//!
//! A load is data (`model::load`), read from a file ([`load`]) and carried out by processes
//! ([`worker`]). Here it meets the machine: areas and settings that it is lent by a plan, the cage,
//! the guard that ends it before the machine suffers, and what the kernel's counters say about it.

mod error;
pub mod eta;
pub mod experiment;
pub mod fits;
pub mod guard;
pub mod library;
pub mod load;
mod loss;
pub mod measure;
pub mod run_spec;
pub mod run_with_setup;
pub mod runs;
pub mod session;
pub mod store;
pub mod worker;
pub mod workers;

pub use error::LabError;
