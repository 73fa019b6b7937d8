//! `/proc/meminfo`: use of memory and swap, in KiB.
//!
//! Kernel: `fs/proc/meminfo.c`, all versions; readable by everyone. Inside a container it may be
//! the host's, or one simulated by lxcfs.

use super::{Probe, ReadInterval, scan};
use crate::model::paging::Counters;
use crate::model::{Bytes, Part, Reading};
use crate::root::Root;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Meminfo,
    id: "meminfo",
    tier: ReadInterval::Fast,
    files: &["proc/meminfo"],
    about: "Memory and swap in use, swap cache, zswap pool",
    remedy: "mount proc on /proc",
};

/// Reads all fields.
pub fn read(root: &Root) -> Reading<Counters> {
    scan::counters(root, "proc/meminfo")
}

/// One field, for parts that record it at the time of their own sample.
pub(super) fn field(meminfo: &Reading<Counters>, name: &str) -> Reading<Bytes> {
    meminfo.as_ref().and_then(|meminfo| meminfo.get(name)).map(Bytes::from_kib)
}
