//! Slots for a folio inside one area.

use super::areas::{CLUSTER, NONE, ORDERS, SlotUse, SwapSpace};
use super::policy::{FragmentedScan, ListSearch};
use crate::model::clusters::List;

/// The order of a folio that fills a cluster.
const HUGE_ORDER: u8 = ORDERS - 1;
/// Steps after which the kernel takes a break from a rotational disk (`LATENCY_LIMIT`, and the step at which it
/// notices).
const STEPS_TO_BREAK: u32 = 257;

/// The outcome of an allocation: the first slot, and the slot at which the CPU goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) slot: u32,
    pub(super) next: u32,
}

/// A place where slots are searched, in the order of the kernel.
#[derive(Clone, Copy, Debug)]
enum Search {
    Free,
    Partial,
    ReclaimFull,
    Fragmented,
}

impl ListSearch {
    fn stages(self, discards: bool) -> [Search; 4] {
        use Search::{Fragmented, Free, Partial, ReclaimFull};
        match (self.partial_first, discards) {
            (false, _) => [Free, ReclaimFull, Partial, Fragmented],
            (true, false) => [Partial, Free, ReclaimFull, Fragmented],
            (true, true) => [Free, Partial, ReclaimFull, Fragmented],
        }
    }
}

impl SwapSpace {
    /// Allocates slots from the cluster lists. `hint` is where this CPU goes on; `swap_full` is whether more
    /// than half of all swap is used.
    pub(super) fn allocate_from_lists(
        &mut self,
        lists: ListSearch,
        order: u8,
        hint: u32,
        swap_full: bool,
    ) -> Option<Taken> {
        if let Some(taken) = self.take_at_hint(order, hint, swap_full) {
            return Some(taken);
        }
        let mut scanned = 0;
        for stage in lists.stages(self.setup.discards) {
            let taken = match stage {
                Search::Free => self.take_from_list(List::Free, (order, order), swap_full),
                Search::ReclaimFull => {
                    if swap_full {
                        self.reclaim_full_cluster();
                    }
                    None
                }
                Search::Partial | Search::Fragmented if order == HUGE_ORDER => None,
                Search::Partial => {
                    self.take_from_all(List::Nonfull, order, swap_full, &mut scanned)
                }
                Search::Fragmented => self.take_from_fragmented(lists, order, swap_full, scanned),
            };
            if taken.is_some() {
                return taken;
            }
        }
        if self.discard_clusters() > 0 {
            return self.take_from_list(List::Free, (order, order), swap_full);
        }
        if order > 0 { None } else { self.steal(swap_full) }
    }

    /// Goes on in the cluster where this CPU allocated last.
    pub(super) fn take_at_hint(&mut self, order: u8, hint: u32, swap_full: bool) -> Option<Taken> {
        if hint == NONE {
            return None;
        }
        let cluster = hint / CLUSTER;
        let entry = &self.clusters[cluster];
        let is_usable = match entry.list {
            List::Free => true,
            List::Nonfull | List::Frag => order == 0 || entry.order == order,
            List::None | List::Full | List::Discard => false,
        };
        if !is_usable {
            return None;
        }
        let from = if self.is_empty_cluster(cluster) { cluster * CLUSTER } else { hint };
        let was = self.clusters[cluster].list;
        if was == List::Free {
            self.move_to(cluster, List::None);
        }
        let taken = self.scan_cluster(from, order, swap_full);
        self.settle(cluster, was);
        taken
    }

    /// Tries the first cluster of a list; `orders` are that of the list and that of the folio.
    fn take_from_list(&mut self, list: List, orders: (u8, u8), swap_full: bool) -> Option<Taken> {
        let list_order = if list == List::Free { 0 } else { orders.0 };
        let cluster = self.list_head(list, list_order)?;
        self.lock_for_move();
        self.move_to(cluster, List::None);
        let taken = self.scan_cluster(cluster * CLUSTER, orders.1, swap_full);
        self.settle(cluster, list);
        taken
    }

    /// Tries all clusters of a list. Those that fail go to the fragmented list.
    fn take_from_all(
        &mut self,
        list: List,
        order: u8,
        swap_full: bool,
        scanned: &mut u32,
    ) -> Option<Taken> {
        while self.list_head(list, order).is_some() {
            *scanned += 1;
            let taken = self.take_from_list(list, (order, order), swap_full);
            if taken.is_some() {
                return taken;
            }
        }
        None
    }

    fn take_from_fragmented(
        &mut self,
        lists: ListSearch,
        order: u8,
        swap_full: bool,
        scanned: u32,
    ) -> Option<Taken> {
        let tries = match lists.fragmented {
            FragmentedScan::All => self.list_len(List::Frag, order).saturating_sub(scanned),
            FragmentedScan::One => 1,
        };
        (0..tries).find_map(|_| self.take_from_list(List::Frag, (order, order), swap_full))
    }

    /// Takes a single slot from clusters of larger folios.
    fn steal(&mut self, swap_full: bool) -> Option<Taken> {
        for order in 1..ORDERS {
            for list in [List::Frag, List::Nonfull] {
                let tries = self.list_len(list, order);
                let mut tries = 0..tries;
                let taken = tries.find_map(|_| self.take_from_list(list, (order, 0), swap_full));
                if taken.is_some() {
                    self.work.slots_stolen += 1;
                    return taken;
                }
            }
        }
        None
    }

    /// Frees the slots of the first full cluster that only the swap cache holds.
    fn reclaim_full_cluster(&mut self) {
        let Some(cluster) = self.list_head(List::Full, 0) else { return };
        self.lock_for_move();
        self.work.clusters_scanned += 1;
        self.move_to(cluster, List::Full);
        let end = self.cluster_end(cluster);
        self.work.slots_scanned += u64::from(end - cluster * CLUSTER);
        (cluster * CLUSTER..end).for_each(|slot| self.reclaim_slot(slot));
        if self.is_empty_cluster(cluster) {
            self.release_cluster(cluster);
        } else if u32::from(self.clusters[cluster].used) < CLUSTER {
            self.move_to(cluster, List::Nonfull);
        }
    }

    /// Searches a cluster, from this slot on, for a run of this order.
    fn scan_cluster(&mut self, from: u32, order: u8, swap_full: bool) -> Option<Taken> {
        let (cluster, count) = (from / CLUSTER, 1_u32 << order);
        let end = self.cluster_end(cluster);
        self.work.clusters_scanned += 1;
        if u32::from(self.clusters[cluster].used) + count > CLUSTER {
            return None;
        }
        let mut slot = from;
        while slot + count <= end {
            if self.make_free(slot, count, swap_full) {
                self.take(slot, order);
                let after = slot + count;
                let is_full = u32::from(self.clusters[cluster].used) == CLUSTER;
                let next = if is_full || after + count > end { NONE } else { after };
                return Some(Taken { slot, next });
            }
            slot += count;
        }
        None
    }

    /// Moves a cluster that was worked on to the list where it belongs; `was` is the list it came from.
    fn settle(&mut self, cluster: u32, was: List) {
        let relocates = self.lists.is_some_and(|lists| lists.relocates);
        let entry = &self.clusters[cluster];
        let list = match u32::from(entry.used) {
            0 => return self.release_cluster(cluster),
            CLUSTER => List::Full,
            // Before 6.13 a cluster stays where it is, and leaves the list of free ones for that of
            // partly used ones.
            _ if !relocates && was == List::Free => List::Nonfull,
            _ if !relocates && entry.list != List::None => entry.list,
            _ => List::Frag,
        };
        if entry.list != list {
            self.lock_for_move();
            self.move_to(cluster, list);
        }
    }

    /// Allocates a slot without cluster lists: from the CPU's cluster on a solid state device, else by a scan
    /// of the swap map.
    pub(super) fn allocate_from_map(&mut self, cpu: u32, swap_full: bool) -> Option<u32> {
        if self.is_full() {
            return None;
        }
        if self.setup.device.rotates() {
            self.map_scan.run = self.map_scan.run.saturating_sub(1);
            self.map_scan.before_break = self.map_scan.before_break.saturating_sub(1);
        } else if let Some(slot) = self.take_in_cpu_cluster(cpu) {
            return Some(slot);
        }
        let start = self.map_scan.next.clamp(1, self.setup.slots - 1);
        let slot = self
            .scan_map(start, self.setup.slots, swap_full)
            .or_else(|| self.scan_map(1, start, swap_full))?;
        self.take(slot, 0);
        self.map_scan.next = slot + 1;
        Some(slot)
    }

    /// Starts the turn of a rotational disk without cluster lists, which seeks a new run of free slots when the
    /// last one is used up. The kernel takes a break after so many steps. Steps of the search count too, so a turn
    /// that had to search gives few slots.
    pub(super) fn begin_turn(&mut self) {
        let steps = if self.map_scan.run > 0 { 0 } else { self.seek_free_run() };
        self.map_scan.before_break = STEPS_TO_BREAK - steps % STEPS_TO_BREAK;
    }

    /// Whether the kernel takes a break from a rotational disk without cluster lists.
    pub(super) fn takes_break(&self) -> bool {
        self.map_scan.before_break == 0
    }

    /// Moves a sequential scan to the first run of free slots as long as a cluster, if there is one. Returns
    /// the steps that the search took.
    fn seek_free_run(&mut self) -> u32 {
        self.map_scan.run = CLUSTER;
        if self.setup.slots - self.used() < CLUSTER {
            return 0;
        }
        self.map_scan.next = self.first_free();
        let (mut slot, mut run, mut steps) = (self.map_scan.next, 0, 0);
        while slot < self.setup.slots {
            self.work.slots_scanned += 1;
            run = if self.slot(slot) == SlotUse::Free { run + 1 } else { 0 };
            slot += 1;
            if run == CLUSTER {
                self.map_scan.next = slot - CLUSTER;
                break;
            }
            steps += 1;
        }
        steps
    }

    /// The first free slot; the kernel keeps its number. Full clusters are passed over.
    fn first_free(&self) -> u32 {
        let is_full = |cluster: &u32| u32::from(self.clusters[*cluster].used) == CLUSTER;
        let clusters = self.setup.slots.div_ceil(CLUSTER);
        let cluster = (0..clusters).find(|cluster| !is_full(cluster)).unwrap_or(clusters);
        (cluster * CLUSTER..self.setup.slots)
            .find(|slot| self.slot(*slot) == SlotUse::Free)
            .unwrap_or(self.setup.slots)
    }

    fn take_in_cpu_cluster(&mut self, cpu: u32) -> Option<u32> {
        let place = cpu * u32::from(ORDERS);
        loop {
            if self.next[place] == NONE {
                let cluster = match self.list_head(List::Free, 0) {
                    Some(cluster) => cluster,
                    None if self.discard_clusters() > 0 => self.list_head(List::Free, 0)?,
                    None => return None,
                };
                self.move_to(cluster, List::None);
                self.work.clusters_scanned += 1;
                self.next[place] = cluster * CLUSTER;
            }
            let first = self.next[place];
            let end = self.cluster_end(first / CLUSTER);
            let slot = (first..end).find(|slot| self.make_free(*slot, 1, false));
            self.next[place] = slot.map(|slot| slot + 1).filter(|next| *next < end).unwrap_or(NONE);
            if let Some(slot) = slot {
                self.leave_free_list(slot / CLUSTER);
                self.take(slot, 0);
                return Some(slot);
            }
        }
    }

    /// Finds a free slot in a part of the swap map. Full clusters are counted slot by slot, and skipped.
    fn scan_map(&mut self, from: u32, end: u32, swap_full: bool) -> Option<u32> {
        let mut slot = from;
        while slot < end {
            let next = (slot / CLUSTER + 1) * CLUSTER;
            let is_full = u32::from(self.clusters[slot / CLUSTER].used) == CLUSTER;
            if is_full && !swap_full {
                self.work.slots_scanned += u64::from(next - slot);
                slot = next;
                continue;
            }
            if self.make_free(slot, 1, swap_full) {
                self.leave_free_list(slot / CLUSTER);
                return Some(slot);
            }
            slot += 1;
        }
        None
    }

    /// Takes an empty cluster off the free list before one of its slots is used.
    fn leave_free_list(&mut self, cluster: u32) {
        if self.clusters[cluster].list != List::None {
            self.move_to(cluster, List::None);
        }
    }

    /// Allocates a whole free cluster without cluster lists, for a huge folio.
    pub(super) fn allocate_cluster(&mut self) -> Option<u32> {
        let cluster = self.list_head(List::Free, 0)?;
        self.work.clusters_scanned += 1;
        if self.cluster_end(cluster) - cluster * CLUSTER < CLUSTER {
            return None;
        }
        self.move_to(cluster, List::None);
        self.take(cluster * CLUSTER, HUGE_ORDER);
        Some(cluster * CLUSTER)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::SimDevice;
    use super::super::policy::{ClusterSearch, KernelPolicy};
    use super::super::testing::setup;
    use super::*;

    fn space(policy: &str, slots: u32) -> (SwapSpace, ListSearch) {
        let policy = KernelPolicy::parse(policy).unwrap();
        let ClusterSearch::Lists(lists) = policy.search else { panic!("no lists") };
        (SwapSpace::new(setup(SimDevice::Zram, slots), 0, &policy, (1, 0)), lists)
    }

    #[test]
    fn the_first_slots_are_those_of_the_kernel() {
        // Kernel 7.2 first uses the cluster of the header, because it is partly used.
        let (mut new, lists) = space("7.2", 4 * CLUSTER);
        let first = new.allocate_from_lists(lists, 0, NONE, false).unwrap();
        assert_eq!(first, Taken { slot: 1, next: 2 });
        let large = new.allocate_from_lists(lists, 4, NONE, false).unwrap();
        assert_eq!(large.slot, CLUSTER);
        // Kernel 6.12 first uses free clusters, in the interleaved order.
        let (mut old, lists) = space("6.12", 64 * CLUSTER);
        let slots: Vec<u32> = (0..3)
            .map(|_| old.allocate_from_lists(lists, 9, NONE, false).unwrap().slot / CLUSTER)
            .collect();
        assert_eq!(slots, [32, 1, 33]);
        new.check();
        old.check();
    }

    #[test]
    fn partly_used_clusters_come_first_where_the_area_does_not_discard() {
        for (policy, discards, expected) in [
            ("7.2", false, 1),
            ("7.2", true, 2),
            ("7.2+prefer-free", false, 2),
            ("6.12", false, 2),
            ("6.12+prefer-partial", false, 1),
        ] {
            let policy = KernelPolicy::parse(policy).unwrap();
            let ClusterSearch::Lists(lists) = policy.search else { panic!("no lists") };
            let setup = super::super::areas::AreaSetup {
                discards,
                ..setup(SimDevice::SolidState, 32 * CLUSTER)
            };
            let mut space = SwapSpace::new(setup, 0, &policy, (1, 1));
            let taken = space.allocate_from_lists(lists, 2, NONE, false).unwrap();
            space.allocate_from_lists(lists, 2, taken.next, false).unwrap();
            // Freeing the first folio makes the cluster partly used, and no CPU goes on there.
            (0..4).for_each(|slot| space.release(taken.slot + slot));
            let again = space.allocate_from_lists(lists, 2, NONE, false).unwrap();
            let place = if again.slot == taken.slot { 1 } else { 2 };
            assert_eq!(place, expected, "{} {discards}", policy.name);
            space.check();
        }
    }

    #[test]
    fn a_folio_that_finds_no_run_leaves_the_slots_alone() {
        for (policy, scanned) in [("6.12", 3), ("6.12+scan-one", 1)] {
            let (mut space, lists) = space(policy, 4 * CLUSTER);
            // All clusters are of order 2, and no run of four is free in any of them.
            let mut slots = Vec::new();
            while let Some(taken) = space.allocate_from_lists(lists, 2, NONE, false) {
                slots.push(taken.slot);
            }
            for slot in &slots {
                space.release(*slot);
            }
            let before = space.work.clusters_scanned;
            // They go from the list of partly used clusters to the fragmented one ...
            assert_eq!(space.allocate_from_lists(lists, 2, NONE, false), None, "{policy}");
            let first = space.work.clusters_scanned - before;
            // ... where each try scans all of them, or one.
            assert_eq!(space.allocate_from_lists(lists, 2, NONE, false), None);
            let second = space.work.clusters_scanned - before - first;
            assert_eq!(second, scanned, "{policy}");
            // A single page takes a slot of theirs once its own cluster is full.
            let mut singles = 0;
            while space.allocate_from_lists(lists, 0, NONE, false).is_some() {
                singles += 1;
            }
            assert!(singles >= slots.len() && space.work.slots_stolen > 0);
            assert!(space.is_full());
            space.check();
        }
    }

    #[test]
    fn slots_of_the_swap_cache_are_reclaimed_when_swap_is_more_than_half_full() {
        let (mut space, lists) = space("7.2", 2 * CLUSTER);
        for page in 0..space.pages() {
            let slot = space.allocate_from_lists(lists, 0, NONE, false).unwrap().slot;
            space.assign(slot, page);
            space.set_cache_only(slot, page % 2 == 0);
        }
        assert_eq!(space.allocate_from_lists(lists, 0, NONE, false), None);
        // The allocation that reclaims a full cluster fails; the next one finds its slots.
        assert_eq!(space.allocate_from_lists(lists, 0, NONE, true), None);
        assert!(space.allocate_from_lists(lists, 0, NONE, true).is_some());
        assert_eq!(u64::try_from(space.take_evicted().len()).unwrap(), space.work.slots_reclaimed);
        space.check();
    }

    /// A kernel that prefers free clusters reclaims a full one as soon as they are used up; one that prefers partly
    /// used clusters looks at those first.
    #[test]
    fn full_clusters_are_reclaimed_before_or_after_partly_used_ones_are_taken() {
        for (policy, reclaims) in [("6.18+prefer-free", true), ("6.18", false)] {
            let (mut space, lists) = space(policy, 2 * CLUSTER);
            for page in 0..space.pages() {
                let slot = space.allocate_from_lists(lists, 0, NONE, false).unwrap().slot;
                space.assign(slot, page);
                space.set_cache_only(slot, slot < CLUSTER);
            }
            space.release(CLUSTER + 7);
            let taken = space.allocate_from_lists(lists, 0, NONE, true).unwrap();
            assert_eq!((taken.slot, space.work.slots_reclaimed > 0), (CLUSTER + 7, reclaims));
            space.check();
        }
    }

    #[test]
    fn a_kernel_without_lists_uses_clusters_then_scans_the_map() {
        let policy = KernelPolicy::parse("6.1").unwrap();
        let mut space =
            SwapSpace::new(setup(SimDevice::SolidState, 64 * CLUSTER), 0, &policy, (2, 0));
        let first: Vec<u32> =
            [0, 0, 1].map(|cpu| space.allocate_from_map(cpu, false).unwrap()).into();
        assert_eq!(first, [32 * CLUSTER, 32 * CLUSTER + 1, CLUSTER]);
        while space.allocate_from_map(0, false).is_some() {}
        assert!(space.is_full());
        space.release(77);
        assert_eq!(space.allocate_from_map(1, false), Some(77));
        space.check();
        let mut disk =
            SwapSpace::new(setup(SimDevice::Rotational, 4 * CLUSTER), 0, &policy, (1, 0));
        let slots: Vec<u32> = (0..600).map(|_| disk.allocate_from_map(0, false).unwrap()).collect();
        assert!(slots.windows(2).all(|pair| pair[1] == pair[0] + 1), "{slots:?}");
        disk.check();
    }
}
