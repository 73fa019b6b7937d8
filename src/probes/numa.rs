//! Stub.

use super::{Probe, Tier};
use crate::model::numa::NumaNode;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Numa,
    id: "numa",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root) -> Reading<Vec<NumaNode>> {
    Reading::absent("stub")
}
