//! The parts of a snapshot that a report can request, each read by one probe.

use crate::part_set;
use serde::{Deserialize, Serialize};

/// Defines the parts, and the list of all of them.
macro_rules! parts {
    (
        $(#[$of_type:meta])*
        pub enum $name:ident { $($(#[$of_part:meta])* $part:ident,)* }
    ) => {
        $(#[$of_type])*
        pub enum $name {
            $($(#[$of_part])* $part,)*
        }

        impl $name {
            /// All parts, in reading order.
            pub const ALL: [Self; [$(stringify!($part)),*].len()] = [$(Self::$part),*];
        }
    };
}

parts! {
    /// One part of a snapshot.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[repr(u8)]
    pub enum Part {
        /// Release, host name, time since boot.
        Kernel,
        /// Rights of this process, and accessible kernel interfaces.
        Access,
        /// `/proc/swaps`.
        Swaps,
        /// Label and UUID from the header of each area.
        Headers,
        /// Layout of swap files on their disks.
        Layouts,
        /// Hibernation settings.
        Hibernation,
        /// `/proc/meminfo`.
        Meminfo,
        /// `/proc/vmstat`.
        Vmstat,
        /// `/proc/pressure`.
        Psi,
        /// `/proc/diskstats`.
        Diskstats,
        /// Block devices of swap areas.
        Block,
        /// zram devices: data and memory.
        Zram,
        /// zram devices: all other files.
        ZramDetail,
        /// zswap parameters and counters.
        Zswap,
        /// Transparent huge pages, and each mTHP size.
        Thp,
        /// Kernel settings that control swapping.
        Knobs,
        /// NUMA nodes.
        Numa,
        /// Files that configure swap at boot.
        Config,
        /// Changes by this program that were interrupted.
        Interrupted,
        /// Processes: `/proc/PID/status`.
        Processes,
        /// Processes: command line, cgroup and faults of those with swap.
        ProcessDetail,
        /// Processes: `SwapPss`, which walks page tables.
        ProcessPss,
        /// Processes: details of all of them, not only of those with swap.
        ProcessAll,
        /// cgroups, version 1 or 2.
        Cgroups,
        /// tmpfs and System V shared memory.
        Shm,
        /// Data sources and their outcomes.
        Sources,
        /// How the kernel selects the area for the next page.
        Allocator,
        /// Clusters of each area, from kernel memory.
        KernelClusters,
        /// Clusters of zram areas, from the pages that the devices store.
        StoredClusters,
        /// Clusters of each area, from the page tables of processes.
        MappedClusters,
        /// One process or one cgroup in detail, which the reader of the snapshot names.
        Subject,
    }
}

/// A set of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartSet(u32);

impl PartSet {
    /// No part.
    pub const NONE: PartSet = PartSet(0);

    /// The cluster views, each of which can take long.
    pub const CLUSTERS: PartSet =
        PartSet::from_parts(&[Part::KernelClusters, Part::StoredClusters, Part::MappedClusters]);

    /// All parts except page table walks, details of processes without swap, clusters, and one subject in detail.
    pub const WHOLE: PartSet = PartSet::from_parts(&Part::ALL)
        .without(PartSet::from_parts(&[Part::ProcessPss, Part::ProcessAll, Part::Subject]))
        .without(PartSet::CLUSTERS);

    /// Parts that rarely change, which a live view reads once.
    pub const STEADY: PartSet =
        part_set![Kernel, Access, Headers, Layouts, Hibernation, Config, Sources, Allocator];

    /// The set of these parts.
    pub const fn from_parts(parts: &[Part]) -> Self {
        let mut bits = 0;
        let mut rest = parts;
        while let [first, tail @ ..] = rest {
            bits |= 1 << *first as u32;
            rest = tail;
        }
        Self(bits)
    }

    /// Whether a part is in the set.
    pub const fn has(self, part: Part) -> bool {
        self.0 & (1 << part as u32) != 0
    }

    /// The union of two sets.
    pub const fn with(self, other: PartSet) -> Self {
        Self(self.0 | other.0)
    }

    /// The intersection with another set.
    pub const fn only(self, other: PartSet) -> Self {
        Self(self.0 & other.0)
    }

    /// The difference to another set.
    pub const fn without(self, other: PartSet) -> Self {
        Self(self.0 & !other.0)
    }

    /// The parts of this set, in reading order.
    pub fn iter(self) -> impl Iterator<Item = Part> {
        Part::ALL.into_iter().filter(move |part| self.has(*part))
    }
}

/// A set of these parts: `part_set![Swaps, Vmstat]`.
#[macro_export]
macro_rules! part_set {
    ($($part:ident),+ $(,)?) => {
        $crate::PartSet::from_parts(&[$($crate::Part::$part),+])
    };
}

impl FromIterator<Part> for PartSet {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        parts.into_iter().fold(Self::NONE, |set, part| set.with(Self::from_parts(&[part])))
    }
}

/// Description of a probe for reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFacts {
    /// Name.
    pub id: String,
    /// Part of the snapshot.
    pub part: Part,
    /// Content.
    pub about: String,
    /// Files that it reads, as absolute patterns.
    pub files: Vec<String>,
    /// How to make it readable.
    pub remedy: String,
}

impl SourceFacts {
    /// The facts in a copy of a machine that this command makes. A copy cannot be made readable: it is made again.
    pub fn in_copy(self, command: &str) -> Self {
        // The subject is missing because none was named.
        if self.part == Part::Subject {
            return self;
        }
        let on_machine = format!("on the machine itself: {}", self.remedy);
        // No capture has it: how full file systems are is no file.
        let is_map = PartSet::CLUSTERS.has(self.part) || self.part == Part::Shm;
        let again = format!("as root, run {command} again; if that is not enough, {on_machine}");
        Self { remedy: if is_map { on_machine } else { again }, ..self }
    }
}
