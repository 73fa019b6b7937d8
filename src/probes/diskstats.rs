//! Stub.

use super::{Probe, Tier};
use crate::model::block::DiskStats;
use crate::model::{Part, Reading};
use crate::root::Root;
use std::collections::BTreeMap;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Diskstats,
    id: "diskstats",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root) -> Reading<BTreeMap<String, DiskStats>> {
    Reading::absent("stub")
}
