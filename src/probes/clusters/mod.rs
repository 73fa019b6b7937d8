//! Clusters of swap areas, by the views into the kernel that tell of them.

mod copy;
mod kcore;
pub mod kernel;
mod layout;
mod memory;
mod next;
mod owners;
mod symbols;
#[cfg(test)]
mod testing;
