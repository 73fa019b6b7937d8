//! The simulated machine: a model of how kernels use swap, as code that runs anywhere.
//!
//! Pure, deterministic and seeded: the same machine file, workload and seed give the same bytes. It models
//! decisions (which area, which slots, which pages are read ahead) and counts the work of each one. Time is
//! an estimate made from the counts with an open [`cost`] file, and never a measurement.
//!
//! | file | contents |
//! |---|---|
//! | [`policy`] | kernels as data: presets and single changes |
//! | [`areas`] | slots, clusters and their lists |
//! | `allocate` | the slots for a folio inside an area |
//! | [`select`] | the area for a folio |
//! | [`swap`] | all areas with the state of each CPU: allocation and freeing of slots |
//! | [`readahead`] | the window of pages that are read ahead |
//! | [`layer`] | zswap and virtual swap |
//! | `reclaim` | folios in memory, and the order in which they are reclaimed |
//! | `access` | access patterns of workloads |
//! | [`machine`] | processes, faults, reclaim, swapoff; rounds and events |
//! | [`snapshot`] | the machine as an ordinary snapshot |
//! | [`describe`] | machine files |
//! | [`cost`] | counted work, and the cost file that turns it into time |

mod access;
mod allocate;
pub mod areas;
pub mod cost;
pub mod dense;
pub mod describe;
pub mod layer;
pub mod machine;
pub mod policy;
pub mod readahead;
mod reclaim;
pub mod select;
pub mod snapshot;
pub mod swap;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
