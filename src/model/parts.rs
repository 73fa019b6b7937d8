//! The parts of a snapshot: what a report can ask for, each read by one probe.

use serde::{Deserialize, Serialize};

/// One part of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Part {
    /// Release, name of the machine, time since boot.
    Kernel,
    /// Our rights, and which views into the kernel are open.
    Access,
    /// `/proc/swaps`.
    Swaps,
    /// Label and UUID from the header of each area.
    Headers,
    /// How swap files lie on their disks.
    Layouts,
    /// What the machine resumes from.
    Hibernation,
    /// `/proc/meminfo`.
    Meminfo,
    /// `/proc/vmstat`.
    Vmstat,
    /// `/proc/pressure`.
    Psi,
    /// `/proc/diskstats`.
    Diskstats,
    /// Queue facts of the devices that carry swap.
    Block,
    /// zram devices: what they hold, and in how much memory.
    Zram,
    /// zram devices: all their other files.
    ZramDetail,
    /// zswap parameters and counters.
    Zswap,
    /// Transparent huge pages, and each mTHP size.
    Thp,
    /// Settings that steer swapping.
    Knobs,
    /// NUMA nodes.
    Numa,
    /// Files that set up swap at boot.
    Config,
    /// Processes: what `/proc/PID/status` says.
    Processes,
    /// Processes: command line, cgroup and faults of those that have swap.
    ProcessDetail,
    /// Processes: `SwapPss`, which walks page tables.
    ProcessPss,
    /// Processes: the detail of all of them, not only of those with swap.
    ProcessAll,
    /// cgroups, version 1 or 2.
    Cgroups,
    /// tmpfs and System V shared memory.
    Shm,
    /// What there is to read, and what came of it.
    Sources,
    /// How the kernel chooses the area of the next page.
    Allocator,
    /// Clusters of each area, from the kernel's own memory.
    KernelClusters,
    /// Clusters of zram areas, from what their devices have stored.
    StoredClusters,
    /// Clusters of each area, from the page tables of processes.
    MappedClusters,
}

impl Part {
    /// All of them, in the order in which they are read.
    pub const ALL: [Part; 29] = [
        Part::Kernel,
        Part::Access,
        Part::Swaps,
        Part::Headers,
        Part::Layouts,
        Part::Hibernation,
        Part::Meminfo,
        Part::Vmstat,
        Part::Psi,
        Part::Diskstats,
        Part::Block,
        Part::Zram,
        Part::ZramDetail,
        Part::Zswap,
        Part::Thp,
        Part::Knobs,
        Part::Numa,
        Part::Config,
        Part::Processes,
        Part::ProcessDetail,
        Part::ProcessPss,
        Part::ProcessAll,
        Part::Cgroups,
        Part::Shm,
        Part::Sources,
        Part::Allocator,
        Part::KernelClusters,
        Part::StoredClusters,
        Part::MappedClusters,
    ];
}

/// A set of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartSet(u32);

impl PartSet {
    /// No part.
    pub const NONE: PartSet = PartSet(0);

    /// The views of clusters: each can take long.
    pub const CLUSTERS: PartSet =
        PartSet::from_parts(&[Part::KernelClusters, Part::StoredClusters, Part::MappedClusters]);

    /// Everything but what walks page tables, details of processes without swap, and clusters.
    pub const WHOLE: PartSet = PartSet::from_parts(&Part::ALL)
        .without(PartSet::from_parts(&[Part::ProcessPss, Part::ProcessAll]))
        .without(PartSet::CLUSTERS);

    /// These parts.
    pub const fn from_parts(parts: &[Part]) -> Self {
        let mut bits = 0;
        let mut rest = parts;
        while let [first, tail @ ..] = rest {
            bits |= 1 << *first as u32;
            rest = tail;
        }
        Self(bits)
    }

    /// Is this part in the set?
    pub const fn has(self, part: Part) -> bool {
        self.0 & (1 << part as u32) != 0
    }

    /// The parts of both.
    pub const fn with(self, other: PartSet) -> Self {
        Self(self.0 | other.0)
    }

    /// The parts of this set that are in the other too.
    pub const fn only(self, other: PartSet) -> Self {
        Self(self.0 & other.0)
    }

    /// The parts of this set that are not in the other.
    pub const fn without(self, other: PartSet) -> Self {
        Self(self.0 & !other.0)
    }

    /// The parts of this set, in reading order.
    pub fn iter(self) -> impl Iterator<Item = Part> {
        Part::ALL.into_iter().filter(move |part| self.has(*part))
    }
}

impl FromIterator<Part> for PartSet {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        parts.into_iter().fold(Self::NONE, |set, part| set.with(Self::from_parts(&[part])))
    }
}

/// A probe, as far as a report speaks of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFacts {
    /// Its name.
    pub id: String,
    /// The part that it fills.
    pub part: Part,
    /// What it tells.
    pub about: String,
    /// The files it reads, as absolute patterns.
    pub files: Vec<String>,
    /// What to do when it is missing or denied.
    pub remedy: String,
}
