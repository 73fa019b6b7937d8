//! `/proc/vmstat`: counters of the memory manager since boot.
//!
//! Kernel: `mm/vmstat.c`, needs `CONFIG_VM_EVENT_COUNTERS`; readable by everyone. Names differ by kernel,
//! so all counters are kept by name. They count pages unless noted, are never reset, and none is per
//! device.

use super::{Probe, ReadInterval, scan};
use crate::model::paging::Counters;
use crate::model::{Part, Reading};
use crate::root::Root;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Vmstat,
    id: "vmstat",
    tier: ReadInterval::Fast,
    files: &["proc/vmstat"],
    about: "Pages swapped in and out, readahead, reclaim, huge page fallbacks",
    remedy: "mount proc on /proc; the kernel needs CONFIG_VM_EVENT_COUNTERS",
};

/// Reads all counters.
pub fn read(root: &Root) -> Reading<Counters> {
    scan::counters(root, "proc/vmstat")
}
