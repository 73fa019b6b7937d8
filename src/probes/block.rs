//! Stub.

use super::{Probe, Tier};
use crate::model::Bytes;
use crate::model::block::BlockDevice;
use crate::model::swaparea::SwapArea;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Block,
    id: "block",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root, _area: &SwapArea) -> Reading<BlockDevice> {
    Reading::absent("stub")
}

/// Size of the device or file behind an area.
pub(crate) fn area_size(_root: &Root, _area: &SwapArea) -> Reading<Bytes> {
    Reading::absent("stub")
}
