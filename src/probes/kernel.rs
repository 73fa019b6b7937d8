//! Stub.

use super::{Probe, Tier};
use crate::model::kernel::Kernel;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Kernel,
    id: "kernel",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root) -> Reading<Kernel> {
    Reading::absent("stub")
}
