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
//! | [`running`] | the machine in time: a snapshot for each simulated second |
//! | [`what_if`] | a machine as it is, and with changes: order of filling, shares, fallbacks |
//! | [`describe`] | machine files |
//! | [`cost`] | counted work, and the cost file that turns it into time |
//!
//! # Known differences
//!
//! No preset has been compared with a running kernel yet, except for the fill order and the rotation of equal
//! areas, whose measured figures are in the tests of [`swap`].
//!
//! Published experiments that the model does not reproduce (`cargo test --release --lib sim` prints them):
//!
//! - Sequential reads with page-cluster 0 take 1.3 times as long as with 3 on a rotational disk, and 3.1 times
//!   on solid state; published are 1.6 and 2.8. The order of all rows is as published.
//! - A build with folios of 64 KiB only splits at most 1.4 % of them, where up to 10 % are published. Read back
//!   page by page (`+single-reads`), half and half with single pages, 5 % are split with 10 GiB and 52 % with
//!   8 GiB. Scanning one fragmented cluster then saves a third to two thirds of the scanned slots and four
//!   fifths or more of the waits for locks, but halves the scanned clusters only where all folios are large.
//!   Preferring partly used clusters mends fallbacks of all sizes if folios are read back whole, and not if
//!   they are read page by page with 8 GiB.
//!
//! Not independent of the published figures: the nodes of the machine `four-zram` are inferred from the
//! shares of the kernel with nodes, and the jobs of the build are of a size that nearly fills 8 GiB.
//!
//! Simplifications: all reclaim is direct, there is no kswapd; a page is on one list of the machine or of a
//! single cgroup; a new folio counts as not accessed; slots have one owner, and forked memory is private
//! memory; a page that zswap loads frees its slot; a killed process frees its memory at once; a workload
//! with a duration makes four passes, because the model has no time.

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
pub mod running;
pub mod select;
pub mod snapshot;
pub mod swap;
pub mod what_if;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
