//! Stub.

use super::{Probe, Tier};
use crate::model::cgroup::CgroupTree;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Cgroups,
    id: "cgroup",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root) -> Reading<CgroupTree> {
    Reading::absent("stub")
}
