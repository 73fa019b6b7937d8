//! `/proc/meminfo`: how memory and swap are used, in KiB.
//!
//! Kernel: `fs/proc/meminfo.c`, all versions; readable by everyone. Inside a container it may be
//! the host's, or one that lxcfs made up.

use super::{Probe, ReadInterval, scan};
use crate::model::paging::Counters;
use crate::model::{Bytes, Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Meminfo,
    id: "meminfo",
    tier: ReadInterval::Fast,
    files: &["proc/meminfo"],
    about: "Memory and swap in use, swap cache, zswap pool",
    remedy: "mount proc on /proc",
};

/// Read it.
pub fn read(root: &Root) -> Reading<Counters> {
    scan::counters(root, "proc/meminfo")
}

/// One field, for a part that notes what it was at its own moment.
pub(super) fn field(meminfo: &Reading<Counters>, name: &str) -> Reading<Bytes> {
    meminfo.as_ref().and_then(|meminfo| meminfo.get(name)).map(Bytes::from_kib)
}
