//! The clusters and slots of a swap area, as seen by one view into the kernel.
//!
//! A slot is a page of an area. The kernel allocates slots from clusters of 512 slots on most machines, the
//! size of a huge page.

use super::name::Name;
use super::reading::Reading;
use super::units::Bytes;
use crate::worded_enum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

worded_enum! {
    /// The view behind a cluster map. Each states what it cannot see.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ClusterView {
        /// Kernel memory, by its type information: complete.
        Kernel = "kernel",
        /// The pages that a zram device stores.
        Stored = "zram",
        /// The swap entries in page tables of processes.
        Mapped = "page tables",
    }
}

worded_enum! {
    /// The list that a cluster is on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum List {
        /// No list: the cluster is being worked on.
        None = "none",
        /// Empty.
        Free = "free",
        /// With free slots, and not tried since one became free.
        Nonfull = "nonfull",
        /// With free slots, and tried or in use; not necessarily fragmented.
        Frag = "frag",
        /// Without free slots.
        Full = "full",
        /// Waiting for a discard request.
        Discard = "discard",
    }
}

/// One cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// Used slots, including those that can never be used.
    pub taken: u16,
    /// The list; `None` in views from outside the kernel.
    pub list: Option<List>,
    /// Folio order of the cluster; `None` in views from outside the kernel.
    pub order: Option<u8>,
}

/// Facts from zram about the slots of a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZramStored {
    /// Slots that hold one word repeated.
    pub same: u16,
    /// Slots written to the backing device.
    pub written: u16,
    /// Slots that do not compress.
    pub huge: u16,
    /// Slots marked as idle.
    pub idle: u16,
    /// Time of the latest access to one of the slots, in seconds since boot; `None` without stored pages.
    pub touched_s: Option<u64>,
}

/// Upper bounds of the age classes, in seconds.
pub const AGES_S: [u64; 5] = [60, 600, 3600, 6 * 3600, 24 * 3600];

/// Ages of the stored pages of a zram device: time since the last access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ages {
    /// Slots in each class of [`AGES_S`]; the last entry has all older ones.
    pub slots: [u64; AGES_S.len() + 1],
    /// Seconds since the latest access to any page; `None` without stored pages.
    pub youngest_s: Option<u64>,
    /// Seconds since the access to the page that has been unused for longest.
    pub oldest_s: Option<u64>,
}

impl Ages {
    /// Counts a slot of this age.
    pub fn add(&mut self, age_s: u64) {
        let class = AGES_S.iter().take_while(|bound| age_s >= **bound).count();
        if let Some(slots) = self.slots.get_mut(class) {
            *slots += 1;
        }
        self.youngest_s = Some(self.youngest_s.map_or(age_s, |age| age.min(age_s)));
        self.oldest_s = self.oldest_s.max(Some(age_s));
    }
}

/// The clusters of an area, as seen by one view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterMap {
    /// The view.
    pub view: ClusterView,
    /// Slots per cluster.
    pub cluster_slots: u32,
    /// Slots of the area, including that of the header.
    pub slots: u64,
    /// Used space in `/proc/swaps` when the view was read; `None` if unknown.
    #[serde(default)]
    pub counted: Option<Bytes>,
    /// Slots counted as used that can never be used: header, bad pages, and slots beyond the end.
    pub reserved: u64,
    /// All clusters, in order.
    pub clusters: Vec<Cluster>,
    /// Facts from zram about each cluster; empty in other views.
    pub stored: Vec<ZramStored>,
    /// Ages of the pages stored by zram; `None` in other views.
    #[serde(default)]
    pub ages: Option<Ages>,
    /// Slots that each cgroup owns, by its ID in the kernel.
    pub owners: Reading<BTreeMap<u16, u64>>,
    /// The owners whose names were found.
    #[serde(default)]
    pub names: BTreeMap<u16, SlotOwner>,
    /// Next slot of each CPU by folio order; empty if no CPU uses this area.
    pub next: Reading<Vec<NextSlot>>,
    /// Why the map is incomplete; `None` if it is complete.
    pub partial: Option<String>,
    /// CPU time spent reading it, in microseconds.
    pub cost_us: u64,
}

/// A cgroup that owns slots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotOwner {
    /// Path below the root of its hierarchy.
    pub path: Name,
    /// Whether it was removed and remains in the kernel only for its charged pages.
    pub removed: bool,
}

/// Position from which the next slot is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextSlot {
    /// CPU; `None` for all of them.
    pub cpu: Option<u32>,
    /// Folio order.
    pub order: u8,
    /// The slot.
    pub slot: u64,
}

worded_enum! {
    /// State of a slot.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum SlotState {
        /// Free, or used in a way that this view does not see.
        #[default]
        Free = "free",
        /// Used.
        Used = "used",
        /// Used, and the page is also in memory (swap cache).
        Cached = "cached",
        /// Unusable: the header, or a bad page.
        Bad = "unusable",
        /// A state that no known kernel uses.
        Unknown = "unknown",
    }
}

/// Number of references to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotCount {
    /// Exactly this many.
    Exactly(u8),
    /// More than this: the kernel keeps the rest of the count elsewhere.
    MoreThan(u8),
}

/// One slot, as seen by a view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// The state.
    pub state: SlotState,
    /// Number of references; `None` if the view does not show it.
    pub count: Option<SlotCount>,
    /// Whether it is a zero-filled page, which is not stored on the device.
    pub zero: Option<bool>,
    /// ID in the kernel of the cgroup that owns it.
    pub owner: Option<u16>,
    /// Facts from zram.
    pub stored: Option<ZramStored>,
}

/// The slots of one cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterSlots {
    /// The view.
    pub view: ClusterView,
    /// Number of the first slot.
    pub first: u64,
    /// All slots, in order; the last cluster of an area can have fewer.
    pub slots: Vec<Slot>,
    /// The owners whose names were found.
    pub names: BTreeMap<u16, SlotOwner>,
    /// Why used slots may look free; `None` if that cannot happen.
    pub partial: Option<String>,
}

impl ClusterMap {
    /// Number of used slots, as seen by this view.
    pub fn used(&self) -> u64 {
        let taken: u64 = self.clusters.iter().map(|cluster| u64::from(cluster.taken)).sum();
        taken.saturating_sub(self.reserved)
    }

    /// Whether it covers all clusters. The kernel's view may be partial in other respects, such as the owners
    /// of slots, and still cover all clusters.
    pub fn is_whole(&self) -> bool {
        let told = (self.clusters.len() as u64).saturating_mul(u64::from(self.cluster_slots));
        told >= self.slots && (self.view == ClusterView::Kernel || self.partial.is_none())
    }

    /// The size of a cluster on a machine with pages of this size.
    pub fn cluster_bytes(&self, page: u64) -> Bytes {
        Bytes(u64::from(self.cluster_slots).saturating_mul(page))
    }
}

/// Slots per chunk, and the 64-bit words that they take.
const CHUNK: u64 = 512;
const WORDS: usize = 8;

/// A set of slots of an area of any size. Empty chunks take no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotSet {
    chunks: BTreeMap<u64, [u64; WORDS]>,
    len: u64,
}

impl SlotSet {
    /// Inserts a slot, and returns whether it is new.
    pub fn insert(&mut self, slot: u64) -> bool {
        let words = self.chunks.entry(slot / CHUNK).or_default();
        let Some(word) = words.get_mut(usize::try_from(slot % CHUNK / 64).unwrap_or(0)) else {
            return false;
        };
        let bit = 1 << (slot % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        self.len += u64::from(is_new);
        is_new
    }

    /// Whether a slot is in the set.
    pub fn has(&self, slot: u64) -> bool {
        let words = self.chunks.get(&(slot / CHUNK));
        let word = words.and_then(|words| words.get(usize::try_from(slot % CHUNK / 64).ok()?));
        word.is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// Number of slots in the set.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Highest slot; `None` in an empty set.
    pub fn last(&self) -> Option<u64> {
        let (chunk, words) = self.chunks.last_key_value()?;
        let (word, bits) = (0_u32..8).zip(words).rev().find(|(_, word)| **word != 0)?;
        Some(chunk * CHUNK + u64::from(word * 64 + bits.ilog2()))
    }

    /// All slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.chunks.iter().flat_map(|(chunk, words)| {
            let first = chunk * CHUNK;
            let in_chunk = (0..CHUNK)
                .zip(words.iter().flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 1)));
            in_chunk.filter_map(move |(slot, is_in)| is_in.then_some(first + slot))
        })
    }

    /// Estimated memory of the set.
    pub fn bytes(&self) -> usize {
        // Tree nodes are about two thirds full.
        self.chunks.len() * size_of::<(u64, [u64; WORDS])>() * 3 / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slot_is_in_it_once() {
        let mut set = SlotSet::default();
        let slots = [0, 63, 64, 511, 512, u64::from(u32::MAX)];
        assert!(set.is_empty() && slots.iter().all(|slot| !set.has(*slot)));
        assert!(slots.iter().rev().all(|slot| set.insert(*slot)));
        assert!(slots.iter().all(|slot| !set.insert(*slot) && set.has(*slot)));
        assert_eq!(set.iter().collect::<Vec<_>>(), slots);
        assert_eq!(set.len(), 6);
        assert_eq!(set.last(), slots.last().copied());
        assert_eq!(SlotSet::default().last(), None);
        assert!(!set.has(1) && !set.has(513) && !set.has(575));
    }

    #[test]
    fn a_huge_area_takes_memory_for_what_is_in_it_only() {
        let mut set = SlotSet::default();
        (0..1000).for_each(|slot| {
            set.insert(slot << 20);
        });
        assert_eq!(set.len(), 1000);
        assert!(set.bytes() < 200_000);
    }
}
