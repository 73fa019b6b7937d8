//! The stress lab: loads, what is touched in which order, and the processes that do it.

pub mod builtin;
pub mod file;
pub mod keys;
