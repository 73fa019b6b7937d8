//! How many processes of each cgroup the kernel killed for want of memory.
//!
//! Kernel: `oom_kill` of `memory.events` (version 2, with those of cgroups below) and of
//! `memory.oom_control` (version 1, without those), both from 4.13 on. The root cgroup of version 2 has
//! no such file.

use super::{locate, walk};
use crate::model::users::{CgroupKills, CgroupVersion, OomKills};
use crate::model::{Name, Reading};
use crate::probes::{scan, vmstat};
use crate::root::Root;
use std::os::unix::ffi::OsStrExt as _;

const NAME: &str = "oom_kill";

/// Read the counts of the machine and of all cgroups.
pub fn oom_kills(root: &Root) -> OomKills {
    let machine = vmstat::read(root).and_then(|counters| counters.get(NAME));
    OomKills { machine, cgroups: in_cgroups(root) }
}

fn in_cgroups(root: &Root) -> Reading<CgroupKills> {
    locate(root).and_then(|(version, mount)| {
        let file = match version {
            CgroupVersion::V1 => "memory.oom_control",
            CgroupVersion::V2 => "memory.events",
        };
        let count = |folder: &walk::Folder| {
            let counters = scan::counters(root, mount.as_path().join(&folder.path).join(file));
            let count = counters.and_then(|counters| counters.get(NAME));
            let path = Name::new([b"/", folder.path.as_os_str().as_bytes()].concat());
            Some((path, *count.known()?))
        };
        walk::folders(root, mount.as_path(), walk::MOST).map(|found| CgroupKills {
            version,
            counts: found.folders.iter().filter_map(count).collect(),
        })
    })
}
