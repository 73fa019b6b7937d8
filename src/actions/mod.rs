//! Changing swap: what is wanted becomes a plan, the plan is checked and carried out step by step,
//! and every step stands in the journal before it is made.
//!
//! Planning and checking are pure: they see snapshots, and change nothing. [`run`] alone gets hold
//! of [`crate::sys::Sys`].

pub mod check;
pub mod estimate;
pub mod journal;
pub mod limits;
mod look;
pub mod monitor;
pub mod persist;
pub mod plan;
pub mod rebalance;
pub mod run;
pub mod settings;
mod step;
pub mod storage;
#[cfg(test)]
pub(crate) mod testing;
pub mod told;

pub use look::Look;
pub use step::{State, Step, quoted};
