//! Division of an area into clusters, for views that see slots only.

use crate::model::clusters::{Cluster, ClusterMap, ClusterView, SlotSet, ZramStored};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Reading, Snapshot};
use crate::probes::probe::BootCache;
use crate::probes::{allocator, kernel_config};
use crate::root::Root;
use std::collections::BTreeMap;
use std::ops::Range;

/// The size of a huge page; where huge pages can be swapped, a cluster has this size.
pub(super) const HUGE_PAGE: &str = "sys/kernel/mm/transparent_hugepage/hpage_pmd_size";
/// The kernel counts the slots of an area in 32 bits.
const MOST_SLOTS: u64 = 1 << 32;

/// Limit of the clusters of all areas in one view: 16 TiB of swap on most machines.
pub(super) const MOST_CLUSTERS: u64 = 8 << 20;
/// Limit of the clusters of zram devices, which take four times as much memory: 4 TiB on most machines.
pub(super) const MOST_STORED: u64 = 2 << 20;

/// Reason for values that only kernel memory has.
const OUTSIDE: &str = "known from kernel memory only";

/// Page and cluster sizes of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Bytes of a page.
    pub(super) page: u64,
    /// Slots of a cluster.
    cluster: u32,
}

/// The clusters of one area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    cluster: u32,
    /// Slots, including the header.
    pub(super) slots: u64,
}

/// How many clusters a view may keep in memory: the files of a captured tree can name areas of any size.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterBudget {
    most: u64,
    left: u64,
}

impl ClusterBudget {
    pub(super) fn new(most: u64) -> Self {
        Self { most, left: most }
    }

    /// Takes the clusters of an area from the budget, or refuses the area.
    pub(super) fn take(&mut self, clusters: u64) -> Result<(), Missing> {
        let Self { most, left } = *self;
        let rest = left.checked_sub(clusters).ok_or_else(|| {
            Missing::failed(format!(
                "not read: the area has {clusters} clusters, but only {left} more fit into the limit of {most} for all areas"
            ))
        });
        self.left = rest?;
        Ok(())
    }
}

impl Sizes {
    /// The sizes of the machine of this snapshot.
    pub(super) fn from_snapshot(root: &Root, snapshot: &Snapshot) -> Result<Self, Missing> {
        let page = *snapshot.page_size.get()?;
        if page == 0 {
            return Err(Missing::failed("the page size is zero"));
        }
        let known = snapshot.allocator.reading.known().and_then(|known| known.cluster_slots);
        let known = known.filter(|slots| allocator::is_cluster(*slots));
        let cluster = known.unwrap_or_else(|| default_cluster_slots(root, page));
        Ok(Self { page, cluster })
    }

    /// Number of pages in this many bytes.
    pub(super) fn pages(&self, bytes: u64) -> u64 {
        bytes / self.page
    }

    /// The clusters of an area. Bad pages count as usable, since their position is unknown.
    pub(super) fn grid(&self, area: &SwapArea) -> Result<Grid, Missing> {
        let slots = self.pages(area.size.0).saturating_add(1);
        if slots > MOST_SLOTS {
            return Err(Missing::failed(format!("{slots} slots exceed the limit of an area")));
        }
        Ok(Grid { cluster: self.cluster.max(1), slots })
    }
}

/// Slots of a cluster, as long as no better source is available.
pub(super) fn default_cluster_slots(root: &Root, page: u64) -> u32 {
    if has_thp_swap(root) == Reading::Known(false) {
        return allocator::SMALL_CLUSTER;
    }
    let slots = root.number(HUGE_PAGE).known().and_then(|bytes| bytes.checked_div(page));
    let slots = slots.and_then(|slots| u32::try_from(slots).ok());
    slots.filter(|slots| allocator::is_cluster(*slots)).unwrap_or(allocator::SMALL_CLUSTER)
}

/// Whether the kernel swaps out huge pages whole; otherwise its clusters are small. Architectures got this
/// one after the other, arm64 in 6.0.
fn has_thp_swap(root: &Root) -> Reading<bool> {
    static OPTION: BootCache<bool> = BootCache::new();
    OPTION.get_or_read(root, (), || {
        kernel_config::option(root, "CONFIG_THP_SWAP").map(|value| value == "y")
    })
}

impl Grid {
    /// The cluster of a slot.
    pub(super) fn cluster_of(&self, slot: u64) -> usize {
        usize::try_from(slot / u64::from(self.cluster)).unwrap_or(usize::MAX)
    }

    /// The slots of a cluster; none if there is no such cluster.
    pub(super) fn slots_of(&self, cluster: u64) -> Option<Range<u64>> {
        let first = cluster.checked_mul(self.cluster.into()).filter(|first| *first < self.slots)?;
        Some(first..(first + u64::from(self.cluster)).min(self.slots))
    }

    /// Number of clusters.
    pub(super) fn len(&self) -> usize {
        self.cluster_of(self.slots - 1) + 1
    }

    /// Counts these slots by cluster.
    pub(super) fn count(&self, slots: &SlotSet) -> Vec<u16> {
        let mut counts = vec![0; self.len()];
        for slot in slots.iter() {
            if let Some(count) = counts.get_mut(self.cluster_of(slot)) {
                *count += 1;
            }
        }
        counts
    }

    /// The map of an area with this many used slots in each cluster. As in the kernel's own count, the
    /// header and slots past the end count as taken.
    pub(super) fn map(
        &self,
        view: ClusterView,
        mut taken: Vec<u16>,
        stored: Vec<ZramStored>,
    ) -> ClusterMap {
        let whole = taken.len() as u64 * u64::from(self.cluster);
        let behind = u16::try_from(whole.saturating_sub(self.slots)).unwrap_or(u16::MAX);
        if let Some(first) = taken.first_mut() {
            *first += 1;
        }
        if let Some(last) = taken.last_mut() {
            *last = last.saturating_add(behind);
        }
        let cluster = |taken| Cluster { taken, list: None, order: None };
        ClusterMap {
            view,
            cluster_slots: self.cluster,
            slots: self.slots,
            reserved: 1 + u64::from(behind),
            clusters: taken.into_iter().map(cluster).collect(),
            stored,
            ages: None,
            counted: None,
            owners: Reading::absent(OUTSIDE),
            names: BTreeMap::new(),
            next: Reading::absent(OUTSIDE),
            partial: None,
            cost_us: 0,
        }
    }
}

/// A machine for tests.
#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::model::Stamp;

    /// A snapshot of a machine with pages of 4 KiB and these areas.
    pub(in crate::probes::clusters) fn snapshot(areas: Vec<SwapArea>) -> Snapshot {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        snapshot.page_size = Reading::Known(4096);
        snapshot.swaps = crate::probes::sampled(snapshot.stamp, Reading::Known(areas));
        snapshot
    }
}

#[cfg(test)]
mod tests {
    use super::testing::snapshot;
    use super::*;
    use crate::model::kernel::{AllocationOrder, Allocator, AllocatorEvidence, RotationUnit};
    use crate::model::swaparea::testing::area;
    use crate::root::testing::TestTree;

    fn sizes(files: &[(&str, &str)]) -> Sizes {
        Sizes::from_snapshot(&TestTree::with(files).root(), &snapshot(vec![])).unwrap()
    }

    #[test]
    fn a_cluster_is_as_large_as_a_huge_page() {
        let huge = sizes(&[(HUGE_PAGE, "2097152\n")]);
        assert_eq!(huge, Sizes { page: 4096, cluster: 512 });
        for none in [&[][..], &[(HUGE_PAGE, "0\n")], &[(HUGE_PAGE, "1099511627776\n")]] {
            assert_eq!(sizes(none).cluster, 256, "{none:?}");
        }
    }

    #[test]
    fn a_kernel_that_splits_huge_pages_for_swap_has_small_clusters() {
        let of = |config| {
            let release = ("proc/sys/kernel/osrelease", "5.10.0\n");
            sizes(&[(HUGE_PAGE, "2097152\n"), release, ("boot/config-5.10.0", config)]).cluster
        };
        assert_eq!(of("# CONFIG_THP_SWAP is not set\n"), 256);
        assert_eq!(of("CONFIG_THP_SWAP=y\n"), 512);
    }

    #[test]
    fn an_impossible_cluster_size_is_ignored() {
        let mut snapshot = snapshot(vec![]);
        for (told, taken) in [(1024, 1024), (1 << 19, 256), (500, 256), (0, 256)] {
            let mut allocator = allocator();
            allocator.cluster_slots = Some(told);
            snapshot.allocator = crate::probes::sampled(snapshot.stamp, Reading::Known(allocator));
            let sizes = Sizes::from_snapshot(&TestTree::new().root(), &snapshot).unwrap();
            assert_eq!(sizes.cluster, taken, "{told}");
        }
    }

    fn allocator() -> Allocator {
        Allocator {
            order: AllocationOrder::Alike,
            rotation_unit: RotationUnit::Cluster,
            cluster_slots: None,
            evidence: AllocatorEvidence::Types,
        }
    }

    #[test]
    fn the_header_and_slots_past_the_end_are_reserved() {
        let sizes = Sizes { page: 4096, cluster: 512 };
        // 1023 usable pages and the header fill two clusters, one more begins a third.
        for (pages, clusters, reserved) in [(1023, 2, 1), (1024, 3, 512), (1, 1, 511)] {
            let grid = sizes.grid(&area("/dev/zram0", 0, pages * 4096, 0)).unwrap();
            assert_eq!(grid.len(), clusters, "{pages}");
            let mut slots = SlotSet::default();
            slots.insert(1);
            slots.insert(grid.slots - 1);
            slots.insert(grid.slots + 512);
            let map = grid.map(ClusterView::Mapped, grid.count(&slots), vec![]);
            assert_eq!((map.reserved, map.used()), (reserved, slots.len() - 1), "{pages}");
            assert!(map.clusters.iter().all(|cluster| cluster.taken <= 512), "{pages}");
        }
    }

    #[test]
    fn areas_beyond_the_limit_of_clusters_are_refused_and_smaller_ones_read() {
        let mut budget = ClusterBudget::new(100);
        assert_eq!(budget.take(93), Ok(()));
        let why = budget.take(8).unwrap_err().to_string();
        assert!(why.contains("has 8 clusters, but only 7 more fit into the limit of 100"), "{why}");
        assert_eq!(budget.take(7), Ok(()));
        assert!(budget.take(1).is_err());
    }

    #[test]
    fn an_area_larger_than_the_kernel_can_have_is_refused() {
        let sizes = Sizes { page: 4096, cluster: 512 };
        assert!(sizes.grid(&area("/dev/zram0", 0, u64::MAX, 0)).is_err());
        assert_eq!(
            sizes.grid(&area("/dev/zram0", 0, (16 << 40) - 4096, 0)).unwrap().len(),
            8 << 20
        );
    }
}
