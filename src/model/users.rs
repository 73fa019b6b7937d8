//! Users of memory and swap: processes, cgroups and shared memory; and OOM kills.

use super::name::Name;
use super::paging::{Counters, Pressure};
use super::reading::Reading;
use super::shared::Shared;
use super::units::Bytes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Process ID.
    pub pid: u32,
    /// Process ID of the parent.
    pub ppid: u32,
    /// Effective user ID.
    pub uid: u32,
    /// Short name in the kernel.
    pub comm: Name,
    /// Private pages in swap; absent for kernel threads.
    pub swap: Reading<Bytes>,
    /// Pages in RAM.
    pub rss: Reading<Bytes>,
    /// Resident shared memory and tmpfs.
    pub shmem: Reading<Bytes>,
    /// Major faults since the process started.
    pub major_faults: Reading<u64>,
    /// Cgroup (of the memory controller on version 1).
    pub cgroup: Reading<Name>,
    /// Command line, with arguments separated by spaces.
    pub command: Reading<Name>,
    /// Proportional share of swap, from page tables.
    pub swap_pss: Reading<Bytes>,
    /// Swap of all mappings, including shared memory, from page tables.
    pub swap_mapped: Reading<Bytes>,
    /// Thread whose files show the memory, if the main thread has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
}

impl Process {
    /// Folder whose files show the memory, relative to the root.
    pub fn memory_folder(&self) -> String {
        match self.thread {
            Some(thread) => format!("proc/{}/task/{thread}", self.pid),
            None => format!("proc/{}", self.pid),
        }
    }
}

/// The mappings of a process that have one name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedMapping {
    /// The file, or the kernel's name for other memory.
    pub name: Name,
    /// The number of mappings.
    pub count: u64,
    /// Address space.
    pub size: Reading<Bytes>,
    /// Pages in RAM.
    pub rss: Reading<Bytes>,
    /// Proportional share of those pages.
    pub pss: Reading<Bytes>,
    /// Pages in swap, including shared memory.
    pub swap: Reading<Bytes>,
    /// Proportional share of the pages in swap.
    pub swap_pss: Reading<Bytes>,
}

/// All processes and the names of their users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessTable {
    /// Sorted by process ID. Boxed to release spare capacity.
    pub processes: Box<[Shared<Process>]>,
    /// Processes that are hidden or could not be read, except those that ended meanwhile.
    pub unreadable: u64,
    /// Names of users that own a process, by user ID, from `/etc/passwd`.
    pub users: Reading<Vec<(u32, Name)>>,
    /// Used swap when the processes were read; meminfo is read more often and would not match them. Missing
    /// in older recordings.
    #[serde(default = "Reading::not_sampled")]
    pub swap_used: Reading<Bytes>,
    /// Swap cache when the processes were read.
    #[serde(default = "Reading::not_sampled")]
    pub swap_cached: Reading<Bytes>,
}

/// Version of the hierarchy with the memory controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CgroupVersion {
    /// Memory and swap are charged together; swap alone is in `memory.stat`.
    V1,
    /// Swap has files of its own.
    V2,
}

/// A limit, which may be unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Unlimited.
    Unlimited,
    /// A limit in bytes.
    Bytes(Bytes),
}

/// One cgroup.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cgroup {
    /// Path below the mount, beginning with a slash; the root is `/`.
    pub path: Name,
    /// Memory usage.
    pub memory_current: Reading<Bytes>,
    /// Highest memory usage (version 1, and version 2 since 6.1).
    pub memory_peak: Reading<Bytes>,
    /// Memory limit.
    pub memory_max: Reading<Limit>,
    /// Memory usage above which the kernel throttles and reclaims (version 2).
    pub memory_high: Reading<Limit>,
    /// Memory that is never reclaimed while the whole machine is short (version 2).
    #[serde(default = "Reading::not_sampled")]
    pub memory_min: Reading<Limit>,
    /// Memory that is reclaimed only if nothing else is left (version 2).
    #[serde(default = "Reading::not_sampled")]
    pub memory_low: Reading<Limit>,
    /// Whether the OOM killer kills all its processes together (version 2).
    #[serde(default = "Reading::not_sampled")]
    pub oom_group: Reading<bool>,
    /// Swap usage: `memory.swap.current`, or `total_swap` of `memory.stat` on version 1.
    pub swap_current: Reading<Bytes>,
    /// Swap limit (version 2).
    pub swap_max: Reading<Limit>,
    /// Swap usage above which the cgroup is throttled (version 2).
    pub swap_high: Reading<Limit>,
    /// Highest swap usage (version 2, kernel 6.5 and later).
    pub swap_peak: Reading<Bytes>,
    /// `memory.swap.events`: `high`, `max`, `fail` (version 2).
    pub swap_events: Reading<Counters>,
    /// `memory.events`, or `memory.oom_control` on version 1: `oom_kill` counts killed processes. Missing in
    /// older recordings.
    #[serde(default = "Reading::not_sampled")]
    pub events: Reading<Counters>,
    /// Memory plus swap usage (version 1).
    pub memsw_current: Reading<Bytes>,
    /// Highest memory plus swap usage (version 1).
    pub memsw_peak: Reading<Bytes>,
    /// Limit on memory plus swap (version 1).
    pub memsw_max: Reading<Limit>,
    /// Number of times that limit was hit (version 1).
    pub memsw_failcnt: Reading<u64>,
    /// Memory of compressed pages in zswap (version 2).
    pub zswap_current: Reading<Bytes>,
    /// Limit on zswap memory (version 2).
    pub zswap_max: Reading<Limit>,
    /// Whether zswap may write pages back to a device (version 2).
    pub zswap_writeback: Reading<bool>,
    /// Swappiness (version 1).
    pub swappiness: Reading<u64>,
    /// Swap tiers that `memory.swap.tiers.max` allows, apart from limits of its ancestors (version 2, kernels
    /// with swap tiers).
    #[serde(default = "Reading::not_sampled")]
    pub swap_tiers: Reading<Vec<String>>,
    /// All of `memory.stat`.
    pub stat: Reading<Counters>,
    /// `memory.pressure` (version 2).
    pub pressure: Reading<Pressure>,
}

/// All cgroups of the memory controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CgroupTree {
    /// Version of the hierarchy.
    pub version: CgroupVersion,
    /// Mount point.
    pub mount: Name,
    /// Cgroups by path, parents before children.
    pub groups: Box<[Shared<Cgroup>]>,
    /// Number of cgroups that were not read because there are too many.
    pub left_out: u64,
    /// OOM kills of the machine, read together with those of cgroups.
    #[serde(default = "Reading::not_sampled")]
    pub oom_kills: Reading<u64>,
}

impl CgroupTree {
    /// The cgroup with this path.
    pub fn group(&self, path: &Name) -> Option<&Cgroup> {
        let sorted = self.groups.binary_search_by(|group| group.path.cmp(path)).ok();
        let place = sorted.or_else(|| self.groups.iter().position(|group| group.path == *path));
        self.groups.get(place?).map(|group| &**group)
    }
}

/// A mounted tmpfs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tmpfs {
    /// Mount point.
    pub mount: Name,
    /// Size of its files, in RAM or in swap.
    pub used: Reading<Bytes>,
    /// Size limit.
    pub size: Reading<Bytes>,
}

/// A System V segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SysvSegment {
    /// Identifier.
    pub id: u32,
    /// User ID of the owner.
    pub uid: u32,
    /// Size.
    pub size: Bytes,
    /// Part in RAM.
    pub resident: Bytes,
    /// Part in swap.
    pub swapped: Bytes,
}

/// tmpfs mounts and System V shared memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedMemory {
    /// Mounted tmpfs, each file system once.
    pub tmpfs: Reading<Vec<Tmpfs>>,
    /// System V segments.
    pub sysv: Reading<Vec<SysvSegment>>,
    /// All shared memory in RAM when these were read; meminfo is read more often and would not match them.
    /// Missing in older recordings.
    #[serde(default = "Reading::not_sampled")]
    pub shmem: Reading<Bytes>,
}

/// The counter of OOM kills, in `/proc/vmstat` and in the files of cgroups.
pub const OOM_KILL: &str = "oom_kill";

/// Counts of OOM kills at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct OomKills {
    /// OOM kills on the machine since boot: `oom_kill` of `/proc/vmstat`.
    pub machine: Reading<u64>,
    /// OOM kills of each cgroup.
    pub cgroups: Reading<CgroupKills>,
}

/// OOM kills of cgroups, by path.
#[derive(Clone, Debug, PartialEq)]
pub struct CgroupKills {
    /// Cgroup version: version 2 also counts the kills of child cgroups, version 1 does not.
    pub version: CgroupVersion,
    /// Counts, without cgroups that do not provide them.
    pub counts: BTreeMap<Name, u64>,
}

/// OOM kills in one cgroup during a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OomKilled {
    /// Cgroup; null if unknown.
    pub cgroup: Option<Name>,
    /// Number of killed processes.
    pub processes: u64,
}

/// Values for tests, also of other packages.
#[cfg(any(test, feature = "testing"))]
pub mod testing;
