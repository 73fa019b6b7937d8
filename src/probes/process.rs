//! Stub.

use super::{Probe, Tier};
use crate::model::PartSet;
use crate::model::process::ProcessTable;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Processes,
    id: "process",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root, _parts: PartSet) -> Reading<ProcessTable> {
    Reading::absent("stub")
}
