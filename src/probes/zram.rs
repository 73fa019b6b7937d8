//! Stub.

use super::{Probe, Tier};
use crate::model::zram::ZramDevice;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Zram,
    id: "zram",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root) -> Reading<Vec<ZramDevice>> {
    Reading::absent("stub")
}
