//! Stub.

use super::{Probe, Tier};
use crate::model::zswap::Zswap;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Zswap,
    id: "zswap",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root) -> Reading<Zswap> {
    Reading::absent("stub")
}
