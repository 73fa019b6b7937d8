//! cgroups of the memory controller: memory, swap and limits of each.
//!
//! Kernel: `mm/memcontrol.c`, `mm/memcontrol-v1.c` (`CONFIG_MEMCG_V1` from 6.12 on); readable by
//! everyone. The controller is on one hierarchy at a time: version 1's mount with `memory` wins, otherwise
//! version 2's. Values include all descendants. Which cgroups are visible depends on our cgroup namespace.
//! Each folder is listed once, and only existing files are read. The process probe says which process is in
//! which cgroup.

mod detail;
mod group;

use super::{Probe, ReadInterval, mounts};
use crate::model::users::{Cgroup, CgroupKills, CgroupTree, CgroupVersion, OOM_KILL, OomKills};
use crate::model::{Missing, Name, Part, Reading, Shared, known};
use crate::probes::{meminfo, scan};
use crate::root::{FolderEntry, Root, shown};
pub(super) use detail::read_one;
use std::collections::VecDeque;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Cgroups,
    id: "cgroup",
    tier: ReadInterval::Medium,
    files: &[
        "proc/mounts",
        "proc/self/mounts",
        "proc/vmstat",
        "sys/fs/cgroup/**/cgroup.controllers",
        "sys/fs/cgroup/**/memory.*",
    ],
    about: "Memory, swap and limits of each cgroup",
    remedy: "mount cgroup2 on /sys/fs/cgroup; the kernel needs CONFIG_MEMCG",
};

/// Reads all cgroups.
pub fn read(root: &Root) -> Reading<CgroupTree> {
    locate(root).and_then(|(version, mount)| tree(root, version, &mount))
}

/// Finds the hierarchy with the memory controller, and its mount point.
fn locate(root: &Root) -> Reading<(CgroupVersion, Name)> {
    let mounts = known!(required(mounts::read(root)));
    if mounts.is_empty() {
        return Reading::failed("/proc/mounts lists no file system");
    }
    match find(&mounts) {
        Some((CgroupVersion::V1, mount)) => Reading::Known((CgroupVersion::V1, mount.clone())),
        Some((CgroupVersion::V2, mount)) => {
            version_2(root, mount).map(|()| (CgroupVersion::V2, mount.clone()))
        }
        None => Reading::absent("no cgroup file system with the memory controller is mounted"),
    }
}

/// A file or folder without which it is unknown whether there are cgroups: its absence is a failure.
fn required<T>(reading: Reading<T>) -> Reading<T> {
    match reading {
        Reading::Missing { missing: Missing::Absent(why) } => Reading::failed(why),
        other @ (Reading::Missing { .. } | Reading::Known(_)) => other,
    }
}

fn find(mounts: &[mounts::Mount]) -> Option<(CgroupVersion, &Name)> {
    let memory = |mount: &&mounts::Mount| mount.kind == b"cgroup" && mount.has_option(b"memory");
    let first = mounts.iter().find(memory);
    let second = || mounts.iter().find(|mount| mount.kind == b"cgroup2");
    first
        .map(|mount| (CgroupVersion::V1, &mount.point))
        .or_else(|| second().map(|mount| (CgroupVersion::V2, &mount.point)))
}

/// Version 2 may be mounted without this controller, when version 1 has it or nothing has.
fn version_2(root: &Root, mount: &Name) -> Reading<()> {
    let listed = required(root.read(mount.as_path().join("cgroup.controllers")));
    let has = |text: &Vec<u8>| text.split(u8::is_ascii_whitespace).any(|word| word == b"memory");
    if listed.known().is_some_and(has) || any_child_swaps(root, mount.as_path()) {
        return Reading::Known(());
    }
    listed.and_then(|_| {
        let mount = shown(mount.as_path());
        Reading::absent(format!("{mount}/cgroup.controllers does not list the memory controller"))
    })
}

fn any_child_swaps(root: &Root, mount: &Path) -> bool {
    let children = root.entries(mount).into_result().unwrap_or_default();
    let mut folders = children.iter().filter(|entry| entry.folder);
    folders.any(|entry| {
        let child = Name::new(entry.name.as_slice());
        root.exists(mount.join(child.as_path()).join("memory.swap.current"))
    })
}

fn tree(root: &Root, version: CgroupVersion, mount: &Name) -> Reading<CgroupTree> {
    let found = folders(root, mount.as_path(), MOST_FOLDERS);
    found.map(|found| CgroupTree {
        version,
        mount: mount.clone(),
        groups: found
            .folders
            .iter()
            .filter_map(|folder| read_group(root, version, mount.as_path(), folder))
            .map(Shared::new)
            .collect(),
        left_out: found.left_out,
        oom_kills: machine_kills(root),
    })
}

/// Reads one cgroup; none if it was removed after it was listed.
fn read_group(
    root: &Root,
    version: CgroupVersion,
    mount: &Path,
    folder: &CgroupFolder,
) -> Option<Cgroup> {
    let group = group::read(root, version, mount, folder);
    // Version 1 reads the statistics first, version 2 the limit.
    let is_read = group.stat.known().is_some() && group.memory_max.known().is_some();
    (is_read || root.exists(mount.join(&folder.path))).then_some(group)
}

/// Reads the OOM kill counters of the machine and of all cgroups.
pub fn oom_kills(root: &Root) -> OomKills {
    OomKills { machine: machine_kills(root), cgroups: in_cgroups(root) }
}

fn machine_kills(root: &Root) -> Reading<u64> {
    meminfo::read_vmstat(root).and_then(|counters| counters.get(OOM_KILL))
}

fn in_cgroups(root: &Root) -> Reading<CgroupKills> {
    locate(root).and_then(|(version, mount)| {
        let file = match version {
            CgroupVersion::V1 => group::EVENTS_V1,
            CgroupVersion::V2 => group::EVENTS_V2,
        };
        let count = |folder: &CgroupFolder| {
            let counters = scan::counters(root, mount.as_path().join(&folder.path).join(file));
            let count = counters.and_then(|counters| counters.get(OOM_KILL));
            let path = Name::new([b"/", folder.path.as_os_str().as_bytes()].concat());
            Some((path, *count.known()?))
        };
        folders(root, mount.as_path(), MOST_FOLDERS).map(|found| CgroupKills {
            version,
            counts: found.folders.iter().filter_map(count).collect(),
        })
    })
}

// Walks the folders of a hierarchy level by level, within limits.

/// Limit of cgroups that are read.
const MOST_FOLDERS: usize = 20_000;
/// Limit of the depth.
const DEEPEST: usize = 64;

/// The folder of a cgroup.
struct CgroupFolder {
    /// The path below the mount without a leading slash; empty for the root.
    path: PathBuf,
    /// The names of its `memory.*` files, sorted, or why they could not be listed.
    files: Reading<Vec<Vec<u8>>>,
}

/// The folders of a hierarchy.
struct CgroupFolders {
    /// Folders by path, parents before children.
    folders: Vec<CgroupFolder>,
    /// Number of folders beyond the limits.
    left_out: u64,
}

/// Walks at most this many folders below a mount; the result is missing only if the mount itself cannot be
/// listed.
fn folders(root: &Root, mount: &Path, most: usize) -> Reading<CgroupFolders> {
    required(root.entries(mount)).map(|entries| {
        let mut found = CgroupFolders { folders: Vec::new(), left_out: 0 };
        let mut waiting = VecDeque::new();
        found.add(PathBuf::new(), entries, 0, &mut waiting);
        while let Some((path, depth)) = waiting.pop_front() {
            if found.folders.len() >= most || depth > DEEPEST {
                found.left_out += 1;
                continue;
            }
            match root.entries(mount.join(&path)).into_result() {
                Ok(entries) => found.add(path, entries, depth, &mut waiting),
                // Removed during the walk.
                Err(Missing::Absent(_)) => {}
                Err(missing) => found.folders.push(CgroupFolder { path, files: missing.into() }),
            }
        }
        found.folders.sort_by(|a, b| a.path.cmp(&b.path));
        found
    })
}

impl CgroupFolders {
    fn add(
        &mut self,
        path: PathBuf,
        entries: Vec<FolderEntry>,
        depth: usize,
        waiting: &mut VecDeque<(PathBuf, usize)>,
    ) {
        let mut files = Vec::with_capacity(entries.len());
        for entry in entries {
            if entry.folder {
                let name = Name::new(entry.name);
                waiting.push_back((path.join(name.as_path()), depth + 1));
            } else if entry.name.starts_with(b"memory.") {
                files.push(entry.name);
            }
        }
        self.folders.push(CgroupFolder { path, files: Reading::Known(files) });
    }
}

#[cfg(test)]
mod tests;
