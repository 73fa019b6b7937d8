//! What carries an area, as far as that says how fast it can be emptied.

use crate::derive::speed::{self, Speed};
use crate::model::block::BlockDevice;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Name, Reading, zram};
use serde::{Deserialize, Serialize};

/// Areas of one kind take about as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// How fast the device is.
    speed: Speed,
    /// Is there a file system between?
    file: bool,
}

impl Kind {
    /// That of an area on this device, where that is known.
    pub fn of(area: &SwapArea, device: &Reading<BlockDevice>) -> Option<Self> {
        let file = area.kind == AreaKind::File;
        let speed = speed::of(device, None).known().copied();
        speed.map(|speed| Self { speed, file }).or_else(|| Self::named(&area.path))
    }

    /// What the name alone says.
    pub(super) fn named(path: &Name) -> Option<Self> {
        zram::number_of(path).map(|_| Self { speed: Speed::Zram, file: false })
    }

    /// How others of it are called.
    pub(super) fn others(self) -> &'static str {
        match (self.speed, self.file) {
            (Speed::Zram, false) => "other zram devices",
            (Speed::Solid, false) => "other solid state devices",
            (Speed::Rotational, false) => "other rotational devices",
            (Speed::Remote, false) => "other network devices",
            (Speed::Zram, true) => "other files on zram devices",
            (Speed::Solid, true) => "other files on solid state devices",
            (Speed::Rotational, true) => "other files on rotational devices",
            (Speed::Remote, true) => "other files on network devices",
        }
    }
}
