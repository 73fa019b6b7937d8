//! The files of one cgroup.

use super::CgroupFolder;
use crate::model::knob::UNLIMITED;
use crate::model::paging::Counters;
use crate::model::users::{Cgroup, CgroupVersion, Limit};
use crate::model::{Bytes, Missing, Name, Reading};
use crate::probes::{kernel, psi, scan};
use crate::root::{Root, parse_u64, parsed};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Reason for files that version 1 has in no cgroup.
pub(super) const NOT_V1: &str = "cgroup version 1 has no such value";
/// Reason for files that version 2 has in no cgroup.
const NOT_V2: &str = "cgroup version 2 has no such value";

/// File with the OOM kills of a cgroup on version 1.
pub(super) const EVENTS_V1: &str = "memory.oom_control";
/// File with the OOM kills of a cgroup and its children on version 2.
pub(super) const EVENTS_V2: &str = "memory.events";

/// One cgroup, and the context for reading its files.
struct GroupFiles<'a> {
    root: &'a Root,
    folder: PathBuf,
    /// The existing files, sorted.
    files: &'a [Vec<u8>],
    /// Why no file can be read.
    blocked: Option<&'a Missing>,
    top: bool,
}

/// Reads one cgroup.
pub(super) fn read(
    root: &Root,
    version: CgroupVersion,
    mount: &Path,
    found: &CgroupFolder,
) -> Cgroup {
    let source = GroupFiles {
        root,
        folder: mount.join(&found.path),
        files: found.files.known_items(),
        blocked: found.files.missing(),
        top: found.path.as_os_str().is_empty(),
    };
    let path = [b"/", found.path.as_os_str().as_bytes()].concat();
    match version {
        CgroupVersion::V1 => version_1(&source, Name::new(path)),
        CgroupVersion::V2 => version_2(&source, Name::new(path)),
    }
}

fn version_1(from: &GroupFiles<'_>, path: Name) -> Cgroup {
    let stat = from.counters("memory.stat");
    Cgroup {
        path,
        memory_current: from.bytes("memory.usage_in_bytes"),
        memory_peak: from.bytes("memory.max_usage_in_bytes"),
        memory_max: from.limit("memory.limit_in_bytes"),
        memory_high: Reading::absent(NOT_V1),
        memory_min: Reading::absent(NOT_V1),
        memory_low: Reading::absent(NOT_V1),
        oom_group: Reading::absent(NOT_V1),
        swap_current: swap_of(&stat),
        swap_max: Reading::absent(NOT_V1),
        swap_high: Reading::absent(NOT_V1),
        swap_peak: Reading::absent(NOT_V1),
        swap_events: Reading::absent(NOT_V1),
        events: from.counters(EVENTS_V1),
        memsw_current: from.bytes("memory.memsw.usage_in_bytes"),
        memsw_peak: from.bytes("memory.memsw.max_usage_in_bytes"),
        memsw_max: from.limit("memory.memsw.limit_in_bytes"),
        memsw_failcnt: from.number("memory.memsw.failcnt"),
        zswap_current: Reading::absent(NOT_V1),
        zswap_max: Reading::absent(NOT_V1),
        zswap_writeback: Reading::absent(NOT_V1),
        swappiness: from.number("memory.swappiness"),
        swap_tiers: Reading::absent(NOT_V1),
        stat,
        pressure: Reading::absent(NOT_V1),
    }
}

/// Swap of a cgroup and its descendants; without hierarchy, of the cgroup alone.
fn swap_of(stat: &Reading<Counters>) -> Reading<Bytes> {
    let stat = stat.as_ref();
    stat.and_then(|stat| match stat.get("total_swap") {
        Reading::Known(bytes) => Reading::Known(Bytes(bytes)),
        Reading::Missing { .. } => stat.get("swap").map(Bytes),
    })
}

fn version_2(from: &GroupFiles<'_>, path: Name) -> Cgroup {
    Cgroup {
        path,
        memory_current: from.bytes("memory.current"),
        memory_peak: from.bytes("memory.peak"),
        memory_max: from.limit("memory.max"),
        memory_high: from.limit("memory.high"),
        memory_min: from.limit("memory.min"),
        memory_low: from.limit("memory.low"),
        oom_group: from.with("memory.oom.group", |path| from.root.switch(path)),
        swap_current: from.bytes("memory.swap.current"),
        swap_max: from.limit("memory.swap.max"),
        swap_high: from.limit("memory.swap.high"),
        swap_peak: from.bytes("memory.swap.peak"),
        swap_events: from.counters("memory.swap.events"),
        events: from.counters(EVENTS_V2),
        memsw_current: Reading::absent(NOT_V2),
        memsw_peak: Reading::absent(NOT_V2),
        memsw_max: Reading::absent(NOT_V2),
        memsw_failcnt: Reading::absent(NOT_V2),
        zswap_current: from.bytes("memory.zswap.current"),
        zswap_max: from.limit("memory.zswap.max"),
        zswap_writeback: from.with("memory.zswap.writeback", |path| from.root.switch(path)),
        swappiness: Reading::absent(NOT_V2),
        swap_tiers: from
            .with("memory.swap.tiers.max", |path| kernel::allowed_tiers(from.root, path)),
        stat: from.counters("memory.stat"),
        pressure: from.with("memory.pressure", |path| psi::pressure(from.root, path)),
    }
}

impl GroupFiles<'_> {
    /// Reads a file if the folder has it.
    fn with<T>(&self, file: &str, read: impl FnOnce(&Path) -> Reading<T>) -> Reading<T> {
        let is_there = |name: &Vec<u8>| name.as_slice().cmp(file.as_bytes());
        if self.files.binary_search_by(is_there).is_ok() {
            return read(&self.folder.join(file));
        }
        if let Some(blocked) = self.blocked {
            return blocked.clone().into();
        }
        Reading::absent(if self.top {
            ["the root cgroup has no ", file].concat()
        } else if self.files.is_empty() {
            ["no ", file, ": the memory controller is disabled for this cgroup"].concat()
        } else {
            ["this kernel or hierarchy has no ", file].concat()
        })
    }

    fn number(&self, file: &str) -> Reading<u64> {
        self.with(file, |path| self.root.number(path))
    }

    fn bytes(&self, file: &str) -> Reading<Bytes> {
        self.number(file).map(Bytes)
    }

    fn limit(&self, file: &str) -> Reading<Limit> {
        self.with(file, |path| {
            let limit = |bytes: &[u8]| parse_limit(bytes.trim_ascii());
            let bytes = self.root.read(path);
            bytes.and_then(|bytes| parsed(path, "a number of bytes or \"max\"", &bytes, limit))
        })
    }

    fn counters(&self, file: &str) -> Reading<Counters> {
        self.with(file, |path| scan::counters(self.root, path))
    }
}

/// Parses `max` or a number; version 1 shows no limit as an impossibly large number.
pub(super) fn parse_limit(text: &[u8]) -> Option<Limit> {
    if text == b"max" {
        return Some(Limit::Unlimited);
    }
    Some(match parse_u64(text)? {
        bytes if bytes >= UNLIMITED => Limit::Unlimited,
        bytes => Limit::Bytes(Bytes(bytes)),
    })
}
