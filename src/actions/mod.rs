//! Changing swap: what is wanted becomes a plan, the plan is checked and carried out step by step,
//! and every step stands in the journal before it is made.
//!
//! Planning and checking are pure: they see snapshots, and change nothing. [`run`] alone gets hold
//! of [`crate::sys::Sys`].

pub mod check;
pub mod estimate;
pub mod journal;
pub mod limits;
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
pub mod messages;

pub use step::{StepState, Step, shell_quoted};

use crate::model::activation::Discard;
use crate::model::block::BlockDevice;
use crate::model::swaparea::SwapArea;
use crate::model::zram::ZramSettings;
use crate::model::{Name, Part, Reading, Snapshot};

/// Whoever can see the machine.
pub trait MachineView {
    /// The active areas.
    fn areas(&self) -> Reading<Vec<SwapArea>>;

    /// How an active area discards, as far as that is known.
    fn discard(&self, area: &SwapArea) -> Reading<Discard>;

    /// The machine, as far as these parts of it show it; what does not answer at once is missing.
    fn parts(&self, parts: &[Part]) -> Snapshot;

    /// The device behind an area.
    fn device(&self, area: &SwapArea) -> Reading<BlockDevice>;

    /// The text of a setting of the kernel.
    fn setting(&self, file: &Name) -> Reading<String>;

    /// The text of a file that sets the machine up; nothing if there is no such file.
    fn text(&self, file: &Name) -> Reading<Option<String>>;

    /// How the zram device with this number is set up; none where there is no such device.
    fn disk(&self, number: u64) -> Reading<Option<ZramSettings>>;

    /// Does the node of a zram device lead to it? The kernel or udev makes it a moment after the
    /// device.
    fn has_node(&self, number: u64) -> bool;

    /// So many bytes of a device or file, from this place on; fewer where it ends before.
    fn content(&self, path: &Name, at: u64, length: usize) -> Reading<Vec<u8>>;
}
