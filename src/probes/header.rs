//! Stub.

use super::{Probe, Tier};
use crate::model::swaparea::{AreaHeader, SwapArea};
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Headers,
    id: "header",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root, _area: &SwapArea) -> Reading<AreaHeader> {
    Reading::absent("stub")
}
