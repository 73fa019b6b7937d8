//! A swap area: its slots, its clusters, and the lists that the clusters are on.

use super::access::PAGE_BYTES;
use super::cost::{AllocationWork, DeviceTraffic, SimDevice};
use super::dense::Dense;
pub use super::dense::NONE;
use super::policy::{ClusterSearch, KernelPolicy, ListSearch};
use crate::model::clusters::{Cluster, List};

/// Slots per cluster.
pub const CLUSTER: u32 = 512;
/// Folio orders: from one page to a cluster.
pub const ORDERS: u8 = 10;
/// Clusters in a column of the interleaved order of free clusters.
const COLUMNS: u32 = 32;

/// Content of a free slot.
const FREE: u32 = 0;
/// Content of a slot that can never be used.
const BAD: u32 = 1;
/// Content of a slot that a CPU holds for later, or has not yet returned.
const RESERVED: u32 = 2;
/// Bits of a slot's content below the number of its page.
const FLAG_BITS: u32 = 4;
/// Flag: only the swap cache holds the slot, because its page is in memory.
const CACHE_ONLY: u32 = 1;
/// Flag: the page is not on the device: it is zero-filled, or in zswap.
const NOT_ON_DEVICE: u32 = 2;
/// The most pages that slots can name.
pub const MAX_PAGES: u32 = (1 << (32 - FLAG_BITS)) - 2;

/// A swap area as described by a machine file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AreaSetup {
    /// Path of the device or file.
    pub path: String,
    /// Kind of device.
    pub device: SimDevice,
    /// Slots, including that of the header.
    pub slots: u32,
    /// Explicit priority.
    pub priority: Option<i32>,
    /// NUMA node of the device.
    pub node: Option<u32>,
    /// Whether freed clusters are discarded.
    pub discards: bool,
}

/// The state of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotUse {
    /// Free.
    Free,
    /// Unusable: the header.
    Bad,
    /// Held by a CPU.
    Reserved,
    /// Holds a page.
    Page {
        /// The page.
        page: u32,
        /// Whether only the swap cache holds it.
        cache_only: bool,
        /// Whether the content is on the device.
        on_device: bool,
    },
}

/// A cluster: its place on a list, and what is in it.
#[derive(Clone, Debug)]
pub(super) struct ClusterEntry {
    prev: u32,
    next: u32,
    pub(super) used: u16,
    pub(super) order: u8,
    pub(super) list: List,
}

/// The ends and the length of a list.
#[derive(Clone, Debug)]
struct ListEnds {
    head: u32,
    tail: u32,
    len: u32,
}

/// The position of a scan of the swap map.
#[derive(Clone, Debug)]
pub(super) struct MapScan {
    pub(super) next: u32,
    /// Slots left in the run of free ones that a rotational disk is filled in.
    pub(super) run: u32,
    /// Slots that a rotational disk may give before the kernel takes a break.
    pub(super) before_break: u32,
}

/// An active swap area.
#[derive(Clone, Debug)]
pub struct SwapSpace {
    /// The description.
    pub setup: AreaSetup,
    /// Number of its first slot among the slots of all areas.
    pub base: u32,
    /// Whether it is enabled; false from the start of a swapoff on.
    pub is_enabled: bool,
    /// Priority as shown.
    pub priority: i32,
    /// Work of allocation and freeing.
    pub work: AllocationWork,
    /// Reads and writes of the device.
    pub traffic: DeviceTraffic,
    /// Pages that it stores, if it is on zram.
    pub(super) zram: ZramStore,
    pub(super) lists: Option<ListSearch>,
    pub(super) clusters: Dense<ClusterEntry>,
    pub(super) map_scan: MapScan,
    /// Next slot of each CPU by folio order (up to 6.12), and of all of them on a rotational disk.
    pub(super) next: Dense<u32>,
    slots: Dense<u32>,
    ends: Dense<ListEnds>,
    used: u32,
    /// CPUs that took the lock earlier in this round.
    takers: u32,
    /// Whether the CPU that acts now took it.
    is_taken: bool,
    evicted: Vec<u32>,
}

/// Number of the list for clusters in this state.
fn list_number(list: List, order: u8) -> u32 {
    match list {
        List::None => NONE,
        List::Free => 0,
        List::Full => 1,
        List::Discard => 2,
        List::Nonfull => 3 + u32::from(order),
        List::Frag => 3 + u32::from(ORDERS) + u32::from(order),
    }
}

impl SwapSpace {
    /// An empty area. `start` is the first column of the interleaved order of free clusters.
    pub fn new(
        setup: AreaSetup,
        base: u32,
        policy: &KernelPolicy,
        (cpus, start): (u32, u32),
    ) -> Self {
        let count = setup.slots.div_ceil(CLUSTER);
        let entry = ClusterEntry { prev: NONE, next: NONE, used: 0, order: 0, list: List::None };
        let rotational = setup.device.rotates();
        let lists = match policy.search {
            ClusterSearch::Lists(lists) if lists.relocates || !rotational => Some(lists),
            ClusterSearch::Lists(_) | ClusterSearch::SwapMap => None,
        };
        let mut space = Self {
            base,
            is_enabled: true,
            priority: setup.priority.unwrap_or(-1),
            work: AllocationWork::default(),
            traffic: DeviceTraffic::default(),
            zram: ZramStore::default(),
            lists,
            clusters: Dense::filled(entry, count),
            map_scan: MapScan { next: 1, run: 0, before_break: 0 },
            next: Dense::filled(NONE, (cpus + 1) * u32::from(ORDERS)),
            slots: Dense::filled(FREE, setup.slots),
            ends: Dense::filled(
                ListEnds { head: NONE, tail: NONE, len: 0 },
                3 + 2 * u32::from(ORDERS),
            ),
            used: 0,
            takers: 0,
            is_taken: false,
            evicted: Vec::new(),
            setup,
        };
        space.reserve_unusable();
        let has_free_list = space.lists.is_some() || !rotational;
        if has_free_list {
            space.fill_free_list(policy.interleaved.then_some(start));
        }
        space.work = AllocationWork::default();
        space
    }

    /// Marks the header, and counts the slots that the last cluster lacks as used.
    fn reserve_unusable(&mut self) {
        self.slots[0] = BAD;
        self.clusters[0].used += 1;
        let last = self.clusters.len() - 1;
        let lacking = (self.clusters.len() * CLUSTER - self.setup.slots).min(CLUSTER - 1);
        self.clusters[last].used += u16::try_from(lacking).unwrap_or(0);
    }

    fn fill_free_list(&mut self, interleaved: Option<u32>) {
        let count = self.clusters.len();
        let order: Vec<u32> = match interleaved {
            None => (0..count).collect(),
            Some(start) => (0..COLUMNS)
                .flat_map(|column| {
                    let first = (start + column) % COLUMNS;
                    (first..count).step_by(COLUMNS as usize)
                })
                .collect(),
        };
        for cluster in order {
            if self.clusters[cluster].used == 0 {
                self.move_to(cluster, List::Free);
            } else if self.lists.is_some() {
                self.move_to(cluster, List::Nonfull);
            }
        }
    }

    /// Usable slots.
    pub fn pages(&self) -> u32 {
        self.setup.slots - 1
    }

    /// Used slots, as shown by the kernel.
    pub fn used(&self) -> u32 {
        self.used
    }

    /// Whether no slot is free.
    pub fn is_full(&self) -> bool {
        self.used == self.pages()
    }

    /// Whether reading a page needs no waiting.
    pub fn is_synchronous(&self) -> bool {
        self.setup.device == SimDevice::Zram
    }

    /// The state of a slot.
    pub fn slot(&self, slot: u32) -> SlotUse {
        match self.slots.entry(slot).copied().unwrap_or(BAD) {
            FREE => SlotUse::Free,
            BAD => SlotUse::Bad,
            RESERVED => SlotUse::Reserved,
            word => SlotUse::Page {
                page: (word >> FLAG_BITS) - 1,
                cache_only: word & CACHE_ONLY != 0,
                on_device: word & NOT_ON_DEVICE == 0,
            },
        }
    }

    /// Gives a reserved slot to a page, whose content is not on the device yet.
    pub fn assign(&mut self, slot: u32, page: u32) {
        self.slots[slot] = (page + 1) << FLAG_BITS | NOT_ON_DEVICE;
    }

    /// Marks whether only the swap cache holds a slot.
    pub fn set_cache_only(&mut self, slot: u32, is_cache_only: bool) {
        self.set_flag(slot, CACHE_ONLY, is_cache_only);
    }

    /// Marks whether the content of a slot is on the device.
    pub fn set_on_device(&mut self, slot: u32, is_on_device: bool) {
        self.set_flag(slot, NOT_ON_DEVICE, !is_on_device);
    }

    fn set_flag(&mut self, slot: u32, flag: u32, is_set: bool) {
        let word = self.slots[slot];
        self.slots[slot] = if is_set { word | flag } else { word & !flag };
    }

    /// Marks a slot that its page no longer needs as held by a CPU that returns it later.
    pub(super) fn park(&mut self, slot: u32) {
        self.slots[slot] = RESERVED;
    }

    /// Pages whose slots were reclaimed from the swap cache since the last call.
    pub(super) fn take_evicted(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.evicted)
    }

    pub(super) fn has_evicted(&self) -> bool {
        !self.evicted.is_empty()
    }

    /// Number of clusters on each list: free, nonfull and fragmented of all orders, full, discard.
    pub fn list_lengths(&self) -> [u32; 5] {
        let sum = |list: List| {
            (0..ORDERS).map(|order| self.ends[list_number(list, order)].len).sum::<u32>()
        };
        let one = |list: List| self.ends[list_number(list, 0)].len;
        [one(List::Free), sum(List::Nonfull), sum(List::Frag), one(List::Full), one(List::Discard)]
    }

    /// All clusters as a view into the kernel shows them.
    pub fn cluster_states(&self) -> impl Iterator<Item = Cluster> {
        let has_lists = self.lists.is_some();
        self.clusters.entries().map(move |entry| Cluster {
            taken: entry.used,
            list: has_lists.then_some(entry.list),
            order: has_lists.then_some(entry.order),
        })
    }

    pub(super) fn list_len(&self, list: List, order: u8) -> u32 {
        self.ends[list_number(list, order)].len
    }

    pub(super) fn list_head(&self, list: List, order: u8) -> Option<u32> {
        let head = self.ends[list_number(list, order)].head;
        (head != NONE).then_some(head)
    }

    /// Whether a cluster holds no slot.
    pub(super) fn is_empty_cluster(&self, cluster: u32) -> bool {
        self.clusters[cluster].used == 0
    }

    /// One past the last slot of a cluster.
    pub(super) fn cluster_end(&self, cluster: u32) -> u32 {
        (cluster * CLUSTER + CLUSTER).min(self.setup.slots)
    }

    /// Starts a round, in which all CPUs act at once.
    pub(super) fn begin_round(&mut self) {
        (self.takers, self.is_taken) = (0, false);
    }

    /// Lets the next CPU of the round act.
    pub(super) fn next_cpu(&mut self) {
        self.takers += u32::from(std::mem::take(&mut self.is_taken));
    }

    /// Counts the lock of the area as taken, and the other CPUs that took it before in this round.
    pub(super) fn take_lock(&mut self) {
        self.work.lock_takes += 1;
        self.work.lock_waits += u64::from(self.takers);
        self.is_taken = true;
    }

    fn unlink(&mut self, cluster: u32) {
        let ClusterEntry { prev, next, list, order, .. } = self.clusters[cluster].clone();
        let number = list_number(list, order);
        if number == NONE {
            return;
        }
        match prev {
            NONE => self.ends[number].head = next,
            prev => self.clusters[prev].next = next,
        }
        match next {
            NONE => self.ends[number].tail = prev,
            next => self.clusters[next].prev = prev,
        }
        self.ends[number].len -= 1;
        self.clusters[cluster].list = List::None;
    }

    /// Moves a cluster to the tail of a list.
    pub(super) fn move_to(&mut self, cluster: u32, list: List) {
        self.unlink(cluster);
        self.work.list_moves += 1;
        let number = list_number(list, self.clusters[cluster].order);
        let tail = if number == NONE { NONE } else { self.ends[number].tail };
        let entry = &mut self.clusters[cluster];
        (entry.prev, entry.next, entry.list) = (tail, NONE, list);
        if number == NONE {
            return;
        }
        match tail {
            NONE => self.ends[number].head = cluster,
            tail => self.clusters[tail].next = cluster,
        }
        self.ends[number].tail = cluster;
        self.ends[number].len += 1;
    }

    /// Takes the lock if this kernel does not hold it anyway during an allocation.
    pub(super) fn lock_for_move(&mut self) {
        if self.lists.is_some_and(|lists| lists.relocates) {
            self.take_lock();
        }
    }

    /// Whether a run of slots is free, after slots that only the swap cache holds were reclaimed if
    /// `reclaims`.
    pub(super) fn make_free(&mut self, first: u32, count: u32, reclaims: bool) -> bool {
        let mut is_free = true;
        for slot in first..first + count {
            self.work.slots_scanned += 1;
            match self.slots[slot] {
                FREE => {}
                word if reclaims && word > RESERVED && word & CACHE_ONLY != 0 => is_free = false,
                _ => return false,
            }
        }
        if !is_free {
            (first..first + count).for_each(|slot| self.reclaim_slot(slot));
        }
        true
    }

    /// Frees a slot that only the swap cache holds.
    pub(super) fn reclaim_slot(&mut self, slot: u32) {
        if let SlotUse::Page { page, cache_only: true, .. } = self.slot(slot) {
            self.work.slots_reclaimed += 1;
            self.evicted.push(page);
            self.clear(slot);
        }
    }

    /// Reserves a run of free slots, which gives an empty cluster its order.
    pub(super) fn take(&mut self, first: u32, order: u8) {
        let cluster = first / CLUSTER;
        let count = 1_u32 << order;
        if self.is_empty_cluster(cluster) && self.clusters[cluster].list == List::None {
            self.clusters[cluster].order = order;
        }
        self.slots.fill_range(first, count, &RESERVED);
        self.clusters[cluster].used += 1_u16 << order;
        self.used += count;
        self.work.allocations += 1;
    }

    /// Empties a slot without moving its cluster.
    fn clear(&mut self, slot: u32) {
        self.slots[slot] = FREE;
        self.used -= 1;
        self.clusters[slot / CLUSTER].used -= 1;
    }

    /// Frees a slot, and moves its cluster to the list where it belongs.
    pub(super) fn release(&mut self, slot: u32) {
        self.clear(slot);
        self.work.frees += 1;
        let cluster = slot / CLUSTER;
        let list = self.clusters[cluster].list;
        if self.is_empty_cluster(cluster) {
            self.release_cluster(cluster);
        } else if self.lists.is_some() && !matches!(list, List::Nonfull | List::None) {
            self.lock_for_move();
            self.move_to(cluster, List::Nonfull);
        }
    }

    /// Moves an empty cluster to the free list, or lets it wait for a discard.
    pub(super) fn release_cluster(&mut self, cluster: u32) {
        if self.lists.is_none() && self.setup.device.rotates() {
            return;
        }
        self.lock_for_move();
        let list = if self.setup.discards { List::Discard } else { List::Free };
        self.unlink(cluster);
        self.clusters[cluster].order = 0;
        self.move_to(cluster, list);
    }

    /// Discards the clusters that wait for it. Returns how many there were.
    pub fn discard_clusters(&mut self) -> u32 {
        let waiting = self.list_len(List::Discard, 0);
        while let Some(cluster) = self.list_head(List::Discard, 0) {
            self.work.discards += 1;
            self.move_to(cluster, List::Free);
        }
        waiting
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    fn check_list(cluster: u32, entry: &ClusterEntry) {
        let fits = match entry.list {
            List::Free | List::Discard => entry.used == 0,
            List::Full => u32::from(entry.used) == CLUSTER,
            List::Nonfull | List::Frag => entry.used > 0 && u32::from(entry.used) < CLUSTER,
            List::None => false,
        };
        assert!(fits, "cluster {cluster}: {entry:?}");
    }

    /// The slots of a cluster that was checked, and how many of them are not free.
    #[derive(Clone, Default)]
    pub(crate) struct CheckedCluster {
        slots: Vec<u32>,
        used: usize,
    }

    impl SwapSpace {
        /// Panics unless each slot and cluster is counted where it is.
        pub(crate) fn check(&self) {
            self.check_changes(&mut Vec::new());
        }

        /// [`Self::check`], which counts only the slots of clusters that changed since the last check.
        pub(crate) fn check_changes(&self, checked: &mut Vec<CheckedCluster>) {
            checked.resize_with(self.clusters.len() as usize, CheckedCluster::default);
            // The header is counted in its cluster, but not as used.
            let mut taken = 0;
            let clusters = (0..).zip(self.clusters.entries()).zip(checked);
            for (((cluster, entry), checked), slots) in clusters.zip(self.slots.chunks(CLUSTER)) {
                if checked.slots != slots {
                    checked.slots = slots.to_vec();
                    checked.used = slots.iter().filter(|word| **word != FREE).count();
                }
                taken += checked.used;
                let lacking = CLUSTER as usize - slots.len();
                assert_eq!(usize::from(entry.used), checked.used + lacking, "cluster {cluster}");
                if self.lists.is_some() {
                    check_list(cluster, entry);
                }
            }
            assert_eq!(taken, self.used as usize + 1, "sum of used slots");
            self.check_links();
        }

        fn check_links(&self) {
            let mut linked = 0;
            for ends in self.ends.entries() {
                let (mut at, mut before, mut len) = (ends.head, NONE, 0);
                while at != NONE {
                    assert_eq!(self.clusters[at].prev, before);
                    (before, at, len) = (at, self.clusters[at].next, len + 1);
                }
                assert_eq!((ends.tail, ends.len), (before, len));
                linked += len;
            }
            let on_lists = self.clusters.entries().filter(|entry| entry.list != List::None).count();
            assert_eq!(linked, u32::try_from(on_lists).unwrap());
        }
    }
}

// The pages that zram devices store, and the memory that they take.

/// Compressed pages above this size are stored as they are, in a whole page: zsmalloc would use one for them anyway.
/// On 6.18, pages that compress to 3614 bytes are stored compressed.
const LARGEST_COMPRESSED: u64 = 3632;

/// The pages that a zram device stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ZramStore {
    /// Stored pages, including same-filled ones.
    pub(super) pages: u32,
    /// Pages of one repeated value, which take no memory.
    pub(super) same: u32,
    /// Pages that are stored as they are.
    pub(super) huge: u32,
    /// Memory for all pages. zsmalloc takes a few percent more, as it has objects of fixed sizes.
    pub(super) bytes: u64,
    /// Most memory so far.
    pub(super) peak: u64,
}

/// Memory for a page of this compressed size.
pub(super) fn stored_bytes(compressed: u64) -> u64 {
    if compressed > LARGEST_COMPRESSED { PAGE_BYTES } else { compressed }
}

impl ZramStore {
    /// Stores a page of this compressed size; 0 for a same-filled one.
    pub(super) fn add(&mut self, compressed: u64) {
        self.pages += 1;
        self.same += u32::from(compressed == 0);
        self.huge += u32::from(compressed > LARGEST_COMPRESSED);
        self.bytes += stored_bytes(compressed);
        self.peak = self.peak.max(self.bytes);
    }

    /// Frees a stored page of this compressed size.
    pub(super) fn remove(&mut self, compressed: u64) {
        self.pages -= 1;
        self.same -= u32::from(compressed == 0);
        self.huge -= u32::from(compressed > LARGEST_COMPRESSED);
        self.bytes -= stored_bytes(compressed);
    }
}
