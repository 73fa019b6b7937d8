//! The stress lab: what a load touches, and in which order.
//!
//! All chance comes from [`Random`] and a seed: the same seed gives the same run.

pub mod random;
pub mod walk;

pub use random::Random;
pub use walk::Walk;
