//! Processes and what of them is in swap.

use super::name::Name;
use super::reading::Reading;
use super::shared::Shared;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

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
}
