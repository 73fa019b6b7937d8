//! Stub.

use super::{Probe, Tier};
use crate::model::Part;
use crate::model::config::ConfigEntry;
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Config,
    id: "config",
    tier: Tier::Fast,
    files: &[],
    about: "",
    remedy: "",
};

/// Read it.
pub fn read(_root: &Root) -> Vec<ConfigEntry> {
    Vec::new()
}
