//! Who uses memory and swap: processes, cgroups, and shared memory that no process owns; and which
//! processes the kernel killed for want of memory.

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
    /// Its number.
    pub pid: u32,
    /// Its parent's number.
    pub ppid: u32,
    /// Its effective owner.
    pub uid: u32,
    /// The short name that the kernel keeps.
    pub comm: Name,
    /// Private pages in swap; absent for kernel threads.
    pub swap: Reading<Bytes>,
    /// Pages in RAM.
    pub rss: Reading<Bytes>,
    /// What of that is shared memory and tmpfs.
    pub shmem: Reading<Bytes>,
    /// Major faults since it began: those that waited for a device.
    pub major_faults: Reading<u64>,
    /// Its cgroup (the memory controller's on version 1).
    pub cgroup: Reading<Name>,
    /// Its command line, arguments separated by spaces.
    pub command: Reading<Name>,
    /// Its share of the swap it uses together with others, from page tables.
    pub swap_pss: Reading<Bytes>,
    /// Swap of its mappings, shared memory included, from page tables.
    pub swap_mapped: Reading<Bytes>,
}

/// All processes, and the names of their owners.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessTable {
    /// By number. Boxed, since a list made in place of a larger one keeps its room.
    pub processes: Box<[Shared<Process>]>,
    /// Processes that are hidden from us or could not be read; those that ended while we looked
    /// do not count.
    pub unreadable: u64,
    /// User names by number, of the users that own a process, from `/etc/passwd`.
    pub users: Reading<Vec<(u32, Name)>>,
    /// Swap in use when the processes were read: it is read more often than they are, and a later
    /// figure would not be theirs. Older recordings do not have it.
    #[serde(default = "Reading::not_sampled")]
    pub swap_used: Reading<Bytes>,
    /// Pages in RAM that still own a slot, when the processes were read.
    #[serde(default = "Reading::not_sampled")]
    pub swap_cached: Reading<Bytes>,
}

/// Which hierarchy holds the memory controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CgroupVersion {
    /// Memory and swap are charged together; swap alone is in `memory.stat`.
    V1,
    /// Swap has files of its own.
    V2,
}

/// A limit, which may be none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Without limit.
    Unlimited,
    /// At most this.
    Bytes(Bytes),
}

/// One cgroup.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cgroup {
    /// Its path below the mount, beginning with a slash; the root is `/`.
    pub path: Name,
    /// Memory in RAM now.
    pub memory_current: Reading<Bytes>,
    /// Most memory ever (version 1, and version 2 from 6.1 on).
    pub memory_peak: Reading<Bytes>,
    /// Limit on memory.
    pub memory_max: Reading<Limit>,
    /// Where reclaim begins (version 2).
    pub memory_high: Reading<Limit>,
    /// Swap now: `memory.swap.current`, or `total_swap` of `memory.stat` on version 1.
    pub swap_current: Reading<Bytes>,
    /// Limit on swap (version 2).
    pub swap_max: Reading<Limit>,
    /// Where swapping is throttled (version 2).
    pub swap_high: Reading<Limit>,
    /// Most swap ever (version 2, kernel 6.5 and later).
    pub swap_peak: Reading<Bytes>,
    /// `memory.swap.events`: `high`, `max`, `fail` (version 2).
    pub swap_events: Reading<Counters>,
    /// Memory and swap together now (version 1).
    pub memsw_current: Reading<Bytes>,
    /// Most memory and swap together ever (version 1).
    pub memsw_peak: Reading<Bytes>,
    /// Limit on both together (version 1).
    pub memsw_max: Reading<Limit>,
    /// How often that limit was hit (version 1).
    pub memsw_failcnt: Reading<u64>,
    /// Compressed pages in zswap (version 2).
    pub zswap_current: Reading<Bytes>,
    /// Limit on that (version 2).
    pub zswap_max: Reading<Limit>,
    /// May zswap write pages of this cgroup to a device (version 2)?
    pub zswap_writeback: Reading<bool>,
    /// Its own swappiness (version 1).
    pub swappiness: Reading<u64>,
    /// All of `memory.stat`.
    pub stat: Reading<Counters>,
    /// `memory.pressure` (version 2).
    pub pressure: Reading<Pressure>,
}

/// All cgroups of the memory controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CgroupTree {
    /// Which hierarchy.
    pub version: CgroupVersion,
    /// Where it is mounted.
    pub mount: Name,
    /// By path, parents before children.
    pub groups: Box<[Shared<Cgroup>]>,
    /// cgroups beyond the bound on how many are read.
    pub left_out: u64,
}

/// A mounted tmpfs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tmpfs {
    /// Where it is mounted.
    pub mount: Name,
    /// Space its files take, in RAM or in swap.
    pub used: Reading<Bytes>,
    /// Its size limit.
    pub size: Reading<Bytes>,
}

/// A System V segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SysvSegment {
    /// Its identifier.
    pub id: u32,
    /// Its owner.
    pub uid: u32,
    /// Its size.
    pub size: Bytes,
    /// What of it is in RAM.
    pub resident: Bytes,
    /// What of it is in swap.
    pub swapped: Bytes,
}

/// Shared memory that no process owns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedMemory {
    /// Mounted tmpfs, each file system once.
    pub tmpfs: Reading<Vec<Tmpfs>>,
    /// System V segments.
    pub sysv: Reading<Vec<SysvSegment>>,
    /// What of all shared memory was in RAM when these were read: it is read more often than they
    /// are, and a later figure would not be theirs. Older recordings do not have it.
    #[serde(default = "Reading::not_sampled")]
    pub shmem: Reading<Bytes>,
}

/// The counts of OOM kills at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct OomKills {
    /// `oom_kill` of `/proc/vmstat`: all on the machine since boot.
    pub machine: Reading<u64>,
    /// Those of each cgroup.
    pub cgroups: Reading<CgroupKills>,
}

/// The OOM kills of cgroups, by their paths.
#[derive(Clone, Debug, PartialEq)]
pub struct CgroupKills {
    /// Version 2 counts those of a cgroup in all cgroups above it as well, version 1 does not.
    pub version: CgroupVersion,
    /// How many; cgroups that do not tell are left out.
    pub counts: BTreeMap<Name, u64>,
}

/// OOM kills in one cgroup within some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OomKilled {
    /// The cgroup; null where it is not known.
    pub cgroup: Option<Name>,
    /// How many processes.
    pub processes: u64,
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A process with so much in swap.
    pub(crate) fn process(pid: u32, swap: u64) -> Process {
        Process {
            pid,
            ppid: 1,
            uid: 0,
            comm: Name::from("worker"),
            swap: Reading::Known(Bytes(swap)),
            rss: Reading::Known(Bytes(0)),
            shmem: Reading::not_sampled(),
            major_faults: Reading::not_sampled(),
            cgroup: Reading::not_sampled(),
            command: Reading::not_sampled(),
            swap_pss: Reading::not_sampled(),
            swap_mapped: Reading::not_sampled(),
        }
    }

    /// Processes with so much in swap each, when so much of it was used.
    pub(crate) fn table(swapped: &[u64], used: u64) -> ProcessTable {
        let processes = (1..).zip(swapped).map(|(pid, swap)| Shared::new(process(pid, *swap)));
        ProcessTable {
            processes: processes.collect(),
            unreadable: 0,
            users: Reading::not_sampled(),
            swap_used: Reading::Known(Bytes(used)),
            swap_cached: Reading::not_sampled(),
        }
    }

    /// A group of which nothing is known but that it is there.
    pub(crate) fn unknown(path: &str) -> Cgroup {
        Cgroup {
            path: path.into(),
            memory_current: Reading::not_sampled(),
            memory_peak: Reading::not_sampled(),
            memory_max: Reading::not_sampled(),
            memory_high: Reading::not_sampled(),
            swap_current: Reading::not_sampled(),
            swap_max: Reading::not_sampled(),
            swap_high: Reading::not_sampled(),
            swap_peak: Reading::not_sampled(),
            swap_events: Reading::not_sampled(),
            memsw_current: Reading::not_sampled(),
            memsw_peak: Reading::not_sampled(),
            memsw_max: Reading::not_sampled(),
            memsw_failcnt: Reading::not_sampled(),
            zswap_current: Reading::not_sampled(),
            zswap_max: Reading::not_sampled(),
            zswap_writeback: Reading::not_sampled(),
            swappiness: Reading::not_sampled(),
            stat: Reading::not_sampled(),
            pressure: Reading::not_sampled(),
        }
    }
}
