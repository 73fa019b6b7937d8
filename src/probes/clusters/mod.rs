//! What is on the slots of swap areas: one file for each view into the kernel.

mod grid;
pub mod mapped;
pub mod stored;
