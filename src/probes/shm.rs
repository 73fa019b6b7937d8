//! Stub.

use super::{Probe, Tier};
use crate::model::shm::SharedMemory;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Shm,
    id: "shm",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root) -> SharedMemory {
    SharedMemory {
        tmpfs: Reading::absent("stub"),
        sysv: Reading::absent("stub"),
    }
}
