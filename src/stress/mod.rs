//! The stress lab: what a load touches, in which order, and what its pages hold.
//!
//! All chance comes from [`Random`] and a seed: the same seed gives the same run.

mod churn;
pub mod contents;
mod hand;
mod meter;
pub mod random;
mod rounds;
mod touch;
pub mod walk;
pub mod worker;

pub use contents::Painter;
pub use random::Random;
pub use walk::Walk;
