//! The stress lab: runs loads in a cage, looks after the machine meanwhile, and measures.
//!
//! What a load is stands in `model::load`, what its processes do in `stress`. Here it meets the
//! machine: areas and settings that it is lent by a plan, the cage, the guard that ends it before
//! the machine suffers, and what the kernel's counters say about it.

pub mod conduct;
pub mod crew;
pub mod experiment;
pub mod fits;
mod loss;
pub mod measure;
pub mod outlook;
mod pace;
mod phase;
pub mod rails;
pub mod runs;
mod times;
pub mod wish;
