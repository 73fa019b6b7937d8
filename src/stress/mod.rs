//! The stress lab: what a load touches, in which order, and what its pages hold.
//!
//! All chance comes from [`Random`] and a seed: the same seed gives the same run.

pub mod contents;
pub mod random;
pub mod walk;

pub use contents::Painter;
pub use random::Random;
pub use walk::Walk;
