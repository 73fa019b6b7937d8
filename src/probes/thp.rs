//! Stub.

use super::{Probe, Tier};
use crate::model::thp::Thp;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Thp,
    id: "thp",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root) -> Reading<Thp> {
    Reading::absent("stub")
}
