//! Clusters of swap areas, by the views into the kernel that tell of them.

mod copy;
mod grid;
mod kcore;
pub mod kernel;
mod layout;
pub mod mapped;
mod memory;
mod next;
mod owners;
pub mod stored;
mod symbols;
#[cfg(test)]
mod testing;
