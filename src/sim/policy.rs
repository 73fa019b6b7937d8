//! Kernels as data: how each one selects areas, allocates slots, reads ahead, and what lies in front of the
//! areas. A preset names a kernel; `6.12+scan-one` is a preset with a single change.

use super::comparison::compared_figures;
use super::layer::LayerPolicy;
use super::readahead::ReadaheadPolicy;
use crate::model::kernel::Release;
use crate::model::text::did_you_mean;

/// How the area for a folio is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionPolicy {
    /// One list; default priorities descend from -1, so that areas fill one by one (before 4.14).
    OneByOne,
    /// A list for each node; default priorities descend from -2, and an area on the node of the CPU counts
    /// as -1 (4.14 to 6.18).
    PerNode,
    /// One list; all default priorities are -1, and rotate (since 6.19).
    RoundRobin,
}

/// How many slots a CPU takes from an area before the areas of a priority group rotate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuReserve {
    /// 64 slots, cached for each CPU (up to 6.12).
    SlotCache,
    /// The rest of a cluster for each CPU and folio order (since 6.15).
    Cluster,
}

/// Which folios can be swapped out whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LargeFolios {
    /// Only those of a page table (2 MiB), to solid state devices.
    HugeOnly,
    /// All sizes, to solid state devices (since 6.10).
    SolidState,
    /// All sizes, to all block devices (since 6.15).
    BlockDevices,
}

/// How many fragmented clusters are scanned before a large folio is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentedScan {
    /// All of them.
    All,
    /// The first one.
    One,
}

/// Which pages zswap stores, and which it writes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZswapPolicy {
    /// Whether incompressible pages are stored as they are (since 6.18). Otherwise they go to the area.
    pub stores_incompressible: bool,
    /// Whether pages of large folios are stored (since 6.13). Otherwise they go to the area.
    pub stores_large: bool,
    /// Whether writeback passes over each page once before it writes it (since 6.12).
    pub second_chance: bool,
}

/// How slots are found in an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterSearch {
    /// A list of free clusters, then a scan of the swap map; a sequential scan on rotational disks.
    SwapMap,
    /// Lists of clusters by state and folio order.
    Lists(ListSearch),
}

/// How cluster lists are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListSearch {
    /// Scans of fragmented clusters.
    pub fragmented: FragmentedScan,
    /// Whether partly used clusters are taken before free ones, unless the area discards.
    pub partial_first: bool,
    /// Whether a cluster goes to the fragmented list with the first allocation (since 6.13), and the
    /// clusters of rotational disks are on lists too.
    pub relocates: bool,
}

/// A kernel, as far as the simulator models it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelPolicy {
    /// Name: the preset and its changes.
    pub name: String,
    /// Selection of areas.
    pub selection: SelectionPolicy,
    /// Slots that a CPU takes at once.
    pub reserve: CpuReserve,
    /// Large folios.
    pub large: LargeFolios,
    /// Search for slots.
    pub search: ClusterSearch,
    /// Whether free clusters are used in an interleaved order (up to 6.12).
    pub interleaved: bool,
    /// Readahead.
    pub readahead: ReadaheadPolicy,
    /// Whether zero-filled pages are remembered instead of written (since 6.12).
    pub zero_map: bool,
    /// Whether large folios are read back whole from devices that need no waiting (since 6.12).
    pub large_reads: bool,
    /// zswap, where it is enabled.
    pub zswap: ZswapPolicy,
    /// Bytes of metadata, which depend on the layout of the swap map.
    pub metadata: MetadataLayout,
    /// The layer in front of the areas.
    pub layer: LayerPolicy,
}

/// Layout of the metadata of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataLayout {
    /// Arrays for all slots: swap map, cgroups, zero map.
    Arrays,
    /// Arrays, and a table for each cluster in use (6.18).
    ArraysAndTables,
    /// A table for each cluster in use (since 7.0).
    Tables,
    /// Only clusters: descriptors of virtual slots take the place of tables.
    ReverseMap,
}

/// Names of the presets, oldest first.
pub const PRESETS: [&str; 6] = ["4.13", "5.10", "6.1", "6.12", "6.18", "7.2"];

/// A single change of a preset.
#[derive(Clone, Copy, Debug)]
pub struct PolicyChange {
    /// Name.
    pub name: &'static str,
    /// Effect in one sentence.
    pub about: &'static str,
    apply: fn(&mut KernelPolicy),
}

/// All single changes.
pub const CHANGES: [PolicyChange; 13] = [
    PolicyChange {
        name: "one-by-one",
        about: "Default priorities descend from -1 in one list (before 4.14)",
        apply: |policy| policy.selection = SelectionPolicy::OneByOne,
    },
    PolicyChange {
        name: "per-node",
        about: "Each NUMA node has its own order of areas",
        apply: |policy| policy.selection = SelectionPolicy::PerNode,
    },
    PolicyChange {
        name: "round-robin",
        about: "All default priorities are -1",
        apply: |policy| policy.selection = SelectionPolicy::RoundRobin,
    },
    PolicyChange {
        name: "scan-all",
        about: "All fragmented clusters are scanned before a folio is split",
        apply: |policy| policy.set_search(|lists| lists.fragmented = FragmentedScan::All),
    },
    PolicyChange {
        name: "scan-one",
        about: "One fragmented cluster is scanned before a folio is split",
        apply: |policy| policy.set_search(|lists| lists.fragmented = FragmentedScan::One),
    },
    PolicyChange {
        name: "prefer-free",
        about: "Free clusters are used before partly used ones",
        apply: |policy| policy.set_search(|lists| lists.partial_first = false),
    },
    PolicyChange {
        name: "prefer-partial",
        about: "Partly used clusters are used before free ones, unless the area discards",
        apply: |policy| policy.set_search(|lists| lists.partial_first = true),
    },
    PolicyChange {
        name: "single-reads",
        about: "Large folios are read back page by page",
        apply: |policy| policy.large_reads = false,
    },
    PolicyChange {
        name: "no-readahead",
        about: "Only the page of a fault is read",
        apply: |policy| policy.readahead = ReadaheadPolicy::None,
    },
    PolicyChange {
        name: "fixed-readahead",
        about: "The window is always 2^page-cluster pages",
        apply: |policy| policy.readahead = ReadaheadPolicy::Fixed,
    },
    PolicyChange {
        name: "detector",
        about: "The window grows and shrinks with the hits in the last window, by slot (since 2014)",
        apply: |policy| policy.readahead = ReadaheadPolicy::BySlot,
    },
    PolicyChange {
        name: "by-address",
        about: "The window grows and shrinks with the hits in the last window, by address in the mapping",
        apply: |policy| policy.readahead = ReadaheadPolicy::ByAddress,
    },
    PolicyChange {
        name: "virtual-swap",
        about: "A layer of virtual slots in front of the areas",
        apply: |policy| {
            policy.layer = LayerPolicy::VirtualSwap;
            policy.metadata = MetadataLayout::ReverseMap;
        },
    },
];

/// Changes of the search of cluster lists.
const LIST_CHANGES: [&str; 4] = ["scan-all", "scan-one", "prefer-free", "prefer-partial"];

/// Changes of which a kernel has one at most.
const EXCLUSIVE: [&[&str]; 4] = [
    &["one-by-one", "per-node", "round-robin"],
    &["scan-all", "scan-one"],
    &["prefer-free", "prefer-partial"],
    &["no-readahead", "fixed-readahead", "detector", "by-address"],
];

impl KernelPolicy {
    /// Parses the name of a preset, with changes after plus signs.
    ///
    /// # Errors
    /// Says why a name was refused, and which names are valid.
    pub fn parse(name: &str) -> Result<Self, String> {
        let mut parts = name.split('+');
        let preset = parts.next().unwrap_or_default();
        let mut policy = Self::preset(preset).ok_or_else(|| unknown_kernel(preset))?;
        for part in parts {
            let change = CHANGES.iter().find(|change| change.name == part).ok_or_else(|| {
                let names = CHANGES.map(|change| change.name);
                unknown("change", part, &names)
            })?;
            let rivals = EXCLUSIVE.iter().find(|names| names.contains(&part)).copied();
            let is_rival =
                |other: &&str| *other != part && rivals.is_some_and(|names| names.contains(other));
            if let Some(other) = name.split('+').skip(1).find(is_rival) {
                return Err(format!("{part} and {other} exclude each other: use one of them"));
            }
            let before = policy.clone();
            (change.apply)(&mut policy);
            if policy == before && !policy.has_lists() && LIST_CHANGES.contains(&part) {
                return Err(format!(
                    "{part} does not apply to {preset}, which has no cluster lists: use it from 6.12 on"
                ));
            }
        }
        name.clone_into(&mut policy.name);
        Ok(policy)
    }

    /// The oldest preset.
    pub(super) fn oldest() -> Self {
        Self {
            name: "4.13".to_owned(),
            selection: SelectionPolicy::OneByOne,
            reserve: CpuReserve::SlotCache,
            large: LargeFolios::HugeOnly,
            search: ClusterSearch::SwapMap,
            interleaved: true,
            readahead: ReadaheadPolicy::BySlot,
            zero_map: false,
            large_reads: false,
            zswap: ZswapPolicy {
                stores_incompressible: false,
                stores_large: false,
                second_chance: false,
            },
            metadata: MetadataLayout::Arrays,
            layer: LayerPolicy::Plain,
        }
    }

    fn preset(name: &str) -> Option<Self> {
        let old = Self {
            selection: SelectionPolicy::PerNode,
            readahead: ReadaheadPolicy::ByAddress,
            ..Self::oldest()
        };
        let lists = |fragmented, partial_first, relocates| {
            ClusterSearch::Lists(ListSearch { fragmented, partial_first, relocates })
        };
        let second_chance = ZswapPolicy { second_chance: true, ..old.zswap };
        let new = Self {
            zswap: ZswapPolicy { stores_incompressible: true, stores_large: true, ..second_chance },
            reserve: CpuReserve::Cluster,
            large: LargeFolios::BlockDevices,
            search: lists(FragmentedScan::One, true, true),
            interleaved: false,
            zero_map: true,
            large_reads: true,
            ..old.clone()
        };
        Some(match name {
            "4.13" => Self::oldest(),
            "5.10" | "6.1" => old,
            "6.12" => Self {
                large: LargeFolios::SolidState,
                search: lists(FragmentedScan::All, false, false),
                zero_map: true,
                large_reads: true,
                zswap: second_chance,
                ..old
            },
            "6.18" => Self { metadata: MetadataLayout::ArraysAndTables, ..new },
            "7.2" => Self {
                selection: SelectionPolicy::RoundRobin,
                metadata: MetadataLayout::Tables,
                ..new
            },
            _ => return None,
        })
    }

    fn set_search(&mut self, change: fn(&mut ListSearch)) {
        if let ClusterSearch::Lists(lists) = &mut self.search {
            change(lists);
        }
    }

    /// The comparison with a running kernel, in a sentence without its end.
    pub fn describe_validation(&self) -> String {
        match compared_figures(&self.name).join(", ") {
            figures if figures.is_empty() => format!(
                "the model of kernel {} was compared with no running kernel: not validated",
                self.name
            ),
            figures => format!(
                "the model of kernel {} was compared with the running one: {figures}; the rest is not validated \
                 (docs/FIDELITY.md)",
                self.name
            ),
        }
    }

    /// The figures that were compared with a running kernel, in a few words.
    pub fn validation(&self) -> String {
        match compared_figures(&self.name).join(", ") {
            figures if figures.is_empty() => "not validated".to_owned(),
            figures => format!("compared with a real kernel: {figures}; the rest is not"),
        }
    }

    /// Whether the clusters of areas are on lists by folio order.
    pub fn has_lists(&self) -> bool {
        matches!(self.search, ClusterSearch::Lists(_))
    }
}

/// The last kernel with [`CpuReserve::SlotCache`].
pub(super) const LAST_WITH_SLOT_CACHE: &str = "6.12";
/// The first kernels with [`CpuReserve::Cluster`]: the two changes of the cluster scan came with 6.18.
pub(super) const FIRST_WITH_CLUSTER_RESERVE: &str = "6.18+scan-all+prefer-free";

/// Releases from which on a kernel of the simulator is the nearest one, oldest first.
const NEAREST: [(Release, &str); 8] = [
    (Release(0, 0), "4.13"),
    (Release(4, 14), "5.10"),
    (Release(6, 1), "6.1"),
    (Release(6, 12), LAST_WITH_SLOT_CACHE),
    (Release(6, 15), FIRST_WITH_CLUSTER_RESERVE),
    (Release(6, 18), "6.18"),
    (Release(6, 19), "6.18+round-robin"),
    (Release(7, 0), "7.2"),
];

/// The kernel of the simulator that is nearest to a release.
pub fn kernel_for(release: &str) -> Option<&'static str> {
    let release = Release::parse(release)?;
    let nearest = NEAREST.iter().rev().find(|(first, _)| *first <= release);
    nearest.map(|(_, name)| *name)
}

fn unknown_kernel(typed: &str) -> String {
    let meant =
        kernel_for(typed).map(|it| format!("; {typed} has the rules of {it}")).unwrap_or_default();
    format!("unknown kernel \"{typed}\": use {}{meant}", PRESETS.join(", "))
}

fn unknown(kind: &str, typed: &str, names: &[&str]) -> String {
    let meant = did_you_mean(typed, names.iter().copied());
    format!("unknown {kind} \"{typed}\": use {}{meant}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_and_changes_are_known_by_name() {
        for name in PRESETS {
            let policy = KernelPolicy::parse(name).unwrap();
            assert_eq!(policy.name, name);
        }
        let changed = KernelPolicy::parse("6.12+scan-one+prefer-partial").unwrap();
        let lists =
            ListSearch { fragmented: FragmentedScan::One, partial_first: true, relocates: false };
        assert_eq!(changed.search, ClusterSearch::Lists(lists));
        assert_eq!(changed.selection, SelectionPolicy::PerNode);
    }

    #[test]
    fn unknown_names_are_refused_with_the_valid_ones() {
        let error = |name| KernelPolicy::parse(name).unwrap_err();
        assert_eq!(
            error("6.13"),
            "unknown kernel \"6.13\": use 4.13, 5.10, 6.1, 6.12, 6.18, 7.2; 6.13 has the rules of 6.12"
        );
        assert!(error("7.2+scan-on").starts_with("unknown change \"scan-on\": use one-by-one, "));
        assert!(error("").starts_with("unknown kernel \"\""));
        assert_eq!(
            error("6.12+scan-one+scan-all"),
            "scan-one and scan-all exclude each other: use one of them"
        );
        assert!(error("5.10+scan-one").contains("no cluster lists"), "{}", error("5.10+scan-one"));
    }
}
