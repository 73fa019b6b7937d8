//! `/proc/vmstat`: what the memory manager has done since boot.
//!
//! Kernel: `mm/vmstat.c`, needs `CONFIG_VM_EVENT_COUNTERS`; readable by everyone. Which names
//! there are differs by kernel, so all are kept and asked for by name. Pages unless said otherwise;
//! never reset; no counter is per device.

use super::{Probe, ReadInterval, scan};
use crate::model::paging::Counters;
use crate::model::{Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Vmstat,
    id: "vmstat",
    tier: ReadInterval::Fast,
    files: &["proc/vmstat"],
    about: "Pages swapped in and out, readahead, reclaim, huge page fallbacks",
    remedy: "mount proc on /proc; the kernel needs CONFIG_VM_EVENT_COUNTERS",
};

/// Read it.
pub fn read(root: &Root) -> Reading<Counters> {
    scan::counters(root, "proc/vmstat")
}
