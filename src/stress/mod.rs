//! Loads: what they are made of in a file, what is touched in which order, what pages hold, and the
//! processes that do it.
//!
//! All chance comes from [`Random`] and a seed: the same seed gives the same run.

pub mod builtin;
pub mod contents;
pub mod file;
pub mod keys;
pub mod random;
pub mod walk;

pub use contents::Painter;
pub use random::Random;
pub use walk::Walk;
