//! The simulated machine: a model of how kernels use swap, as code that runs anywhere.
//!
//! Pure, deterministic and seeded: the same machine file, workload and seed give the same bytes. It models
//! decisions (which area, which slots, which pages are read ahead) and counts the work of each one. Time is
//! an estimate made from the counts with an open [`cost`] file, and never a measurement.
//!
//! | file | contents |
//! |---|---|
//! | [`policy`] | kernels as data: presets and single changes |
//! | [`areas`] | slots, clusters and their lists; pages that zram devices store |
//! | `allocate` | the slots for a folio inside an area |
//! | [`select`] | the area for a folio |
//! | [`swap`] | all areas with the state of each CPU: allocation and freeing of slots |
//! | [`readahead`] | the window of pages that are read ahead |
//! | [`layer`] | zswap and virtual swap |
//! | `reclaim` | folios in memory, and the order in which they are reclaimed |
//! | `access` | access patterns of workloads |
//! | [`machine`] | processes, faults, reclaim, swapoff; rounds and events; a snapshot for each simulated second |
//! | [`snapshot`] | the machine as an ordinary snapshot |
//! | [`what_if`] | a machine as it is, and with changes: order of filling, shares, fallbacks |
//! | [`assumed`] | the load of such a prediction: one that fills swap, a workload, measured traffic |
//! | [`published`] | published experiments, and what the model gives for each figure |
//! | [`describe`] | machine files |
//! | [`comparison`] | what was compared with running kernels |
//! | [`cost`] | counted work, and the cost file that turns it into time |
//!
//! # Known differences
//!
//! docs/FIDELITY.md lists what was compared with running kernels and with published experiments, and each figure
//! that differs.
//!
//! Not independent of the published figures: the nodes of the machine `four-zram` are inferred from the
//! shares of the kernel with nodes, and the jobs of the build are of a size that nearly fills 8 GiB.
//!
//! Simplifications: zram takes the compressed size of pages, without tables and fragmentation, and no write to it
//! fails; `defrag` is at its default, so that a large folio is charged without reclaim unless its memory has advice;
//! all reclaim is direct, there is no kswapd; a page is on one list of the machine or of a single cgroup; slots have
//! one owner, and forked memory is private memory; a page that zswap loads frees its slot; a killed process frees its
//! memory at once; a workload with a duration makes four passes, because the model has no time.

use swapadm_config as config;
use swapadm_model as model;

mod access;
mod allocate;
pub mod areas;
pub mod assumed;
pub mod comparison;
pub mod cost;
pub mod dense;
pub mod describe;
pub mod layer;
pub mod machine;
pub mod policy;
pub mod published;
pub mod readahead;
mod reclaim;
pub mod select;
pub mod snapshot;
pub mod swap;
pub mod what_if;

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
