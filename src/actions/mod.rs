//! Changes of swap: a request becomes a plan, the plan is checked and executed step by step, and
//! every step is written to the journal first.
//!
//! Planning and checking are pure: they read snapshots and change nothing. Only [`run`] uses
//! [`crate::sys::Sys`].

pub mod check;
pub mod estimate;
pub mod journal;
pub mod limits;
pub mod messages;
pub mod monitor;
pub mod persist;
pub mod plan;
pub mod rebalance;
pub mod run;
pub mod settings;
mod step;
pub mod storage;
#[cfg(test)]
pub(crate) mod testing;

pub use step::{FROM_ZSWAP, RECLAIM, Step, StepState, shell_quoted};

use crate::model::activation::Discard;
use crate::model::block::BlockDevice;
use crate::model::swaparea::SwapArea;
use crate::model::zram::ZramSettings;
use crate::model::{Name, Part, Reading, Snapshot};

/// A view of the machine.
pub trait MachineView {
    /// The active areas.
    fn areas(&self) -> Reading<Vec<SwapArea>>;

    /// How an active area discards, if known.
    fn discard(&self, area: &SwapArea) -> Reading<Discard>;

    /// A snapshot of these parts; parts that do not answer at once are missing.
    fn parts(&self, parts: &[Part]) -> Snapshot;

    /// The device behind an area.
    fn device(&self, area: &SwapArea) -> Reading<BlockDevice>;

    /// The number of failed reads of an area since it was enabled, as far as known.
    fn failed_reads(&self, path: &Name) -> u64;

    /// The text of a kernel setting.
    fn setting(&self, file: &Name) -> Reading<String>;

    /// The text of a configuration file; `None` if it does not exist.
    fn text(&self, file: &Name) -> Reading<Option<String>>;

    /// The setup of the zram device with this number; `None` if it does not exist.
    fn disk(&self, number: u64) -> Reading<Option<ZramSettings>>;

    /// Does the device node of a zram device refer to it? The kernel or udev creates the node a
    /// moment after the device.
    fn has_node(&self, number: u64) -> bool;

    /// Up to `length` bytes of a device or file from offset `at`.
    fn content(&self, path: &Name, at: u64, length: usize) -> Reading<Vec<u8>>;
}
