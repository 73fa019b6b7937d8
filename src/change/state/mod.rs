//! Swap as a whole, as a file describes it: the present state of a machine, the state after a boot, and the
//! plan that leads to a wanted one. A wanted state leaves alone what it does not name.

mod compare;
mod difference;
mod present;
mod service_areas;

use super::zram::upkeep::UpkeepPolicy;
use super::{ChangeAttempt, Setting, new_uuid};
use crate::model::activation::{Discard, Priority};
use crate::model::format::Uuid;
use crate::model::{Bytes, Name};
pub(super) use compare::draft;
pub use difference::{AT_BOOT, StateComparison, StateDifference};

/// The state of swap in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwapStateFile {
    /// Whether active areas that are not named are disabled.
    pub only: bool,
    /// Whether the state is also that of each boot.
    pub boot: bool,
    /// Areas that are not on zram.
    pub areas: Vec<StateArea>,
    /// Swap areas on zram.
    pub zram: Vec<StateZram>,
    /// Names of areas with default priority in the order in which the kernel uses them.
    pub order: Vec<Name>,
    /// Kernel settings and limits of cgroups, with their values.
    pub settings: Vec<(Setting, String)>,
    /// Policy of the upkeep of zram devices, which a round of it reads; nothing to apply.
    pub upkeep: Option<UpkeepPolicy>,
    /// Values that are not saved, with the reason.
    pub not_saved: Vec<String>,
}

/// An area that is active.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateArea {
    /// The device or file: a path, or a tag such as `UUID=`.
    pub name: Name,
    /// Size of a swap file, which is created or resized.
    pub size: Option<Bytes>,
    /// Priority; the present one if none.
    pub priority: Option<Priority>,
    /// Discard policy; the present one if none.
    pub discard: Option<Discard>,
}

/// A zram device that is an active area.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateZram {
    /// Number of the device.
    pub number: u64,
    /// Size of the device.
    pub size: Bytes,
    /// Algorithm; the present one if none, or the kernel's default on a new device.
    pub algorithm: Option<String>,
    /// Second algorithm, for recompression; the present one if none.
    pub second_algorithm: Option<String>,
    /// Memory limit, where zero means unlimited; the present one if none.
    pub limit: Option<Bytes>,
    /// Backing device for writeback; the present one if none.
    pub backing: Option<Name>,
    /// Priority; the present one if none, or 100 on a new device.
    pub priority: Option<Priority>,
}

/// A wanted state, with what is random in its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct StateIntent {
    /// The wanted state.
    pub wanted: SwapStateFile,
    /// UUID of the first new area, from which the others are derived.
    uuid: Uuid,
}

impl StateIntent {
    /// The intent to make a state.
    ///
    /// # Errors
    /// The kernel gives no UUID.
    pub fn new(wanted: SwapStateFile) -> ChangeAttempt<Self> {
        Ok(Self { wanted, uuid: new_uuid()? })
    }

    /// UUID of a new area, by its place among the new ones.
    fn uuid(&self, place: u8) -> Uuid {
        let mut bytes = *self.uuid.as_bytes();
        if let Some(last) = bytes.last_mut() {
            *last = last.wrapping_add(place);
        }
        Uuid::from_bytes(&bytes).unwrap_or(self.uuid)
    }
}

/// Subject of kernel settings of the whole machine.
const SETTINGS: &str = "settings";

#[cfg(test)]
mod tests;
