//! Loads: the keys of their files, the reader of these, and those that are built in.

pub mod builtin;
pub mod file;
pub mod keys;
