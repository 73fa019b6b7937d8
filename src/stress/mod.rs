//! Loads: what they are made of in a file, what is touched in which order, what pages hold, and the
//! processes that do it.
//!
//! All chance comes from [`Random`] and a seed: the same seed gives the same run.

pub mod builtin;
mod churn;
pub mod contents;
pub mod file;
mod hand;
pub mod keys;
mod meter;
pub mod random;
mod rounds;
mod touch;
pub mod walk;
mod watch;
pub mod worker;

pub use contents::{Painter, usable};
pub use random::Random;
pub use walk::Walk;
