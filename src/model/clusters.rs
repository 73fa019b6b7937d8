//! What is on the slots of a swap area, cluster by cluster, as one view into the kernel tells it.
//!
//! A slot is a page of an area. The kernel hands slots out by clusters: 512 of them on most machines,
//! as many as make a huge page.

use super::name::Name;
use super::reading::Reading;
use super::units::Bytes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The view that it comes from. Each misses something, and says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClusterView {
    /// The kernel's own memory, by its type information: complete.
    Kernel,
    /// What a zram device has stored.
    Stored,
    /// What the page tables of processes point to.
    Mapped,
}

/// The list that a cluster is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum List {
    /// None, for a moment: somebody works on it.
    None,
    /// Nothing is on it.
    Free,
    /// There is room, and it was not tried since.
    Nonfull,
    /// It was tried, or is in use. It does not mean that it is fragmented.
    Frag,
    /// No room.
    Full,
    /// Its device is being told that nothing is on it.
    Discard,
}

/// One cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// Slots that are taken, those included that can never be used.
    pub taken: u16,
    /// The list that it is on; views from outside the kernel do not tell.
    pub list: Option<List>,
    /// The order of the folios it is for, as a power of two of pages; likewise.
    pub order: Option<u8>,
}

/// What a zram device tells of a cluster beside its slots.
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
    /// Seconds since boot of the latest access to a slot of it; none where nothing is stored.
    pub touched_s: Option<u64>,
}

/// Bounds of classes of age, in seconds: each class has what is younger than its bound and in none before.
pub const AGES_S: [u64; 5] = [60, 600, 3600, 6 * 3600, 24 * 3600];

/// How long ago the slots that a zram device has stored were accessed, when it was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ages {
    /// Slots of each class of [`AGES_S`], and at the end of those that are older.
    pub slots: [u64; AGES_S.len() + 1],
    /// Seconds since the latest access to any of them; none where nothing is stored.
    pub youngest_s: Option<u64>,
    /// Seconds since the access to the one that was not accessed for longest.
    pub oldest_s: Option<u64>,
}

impl Ages {
    /// Count one more slot of this age.
    pub fn add(&mut self, age_s: u64) {
        let class = AGES_S.iter().take_while(|bound| age_s >= **bound).count();
        if let Some(slots) = self.slots.get_mut(class) {
            *slots += 1;
        }
        self.youngest_s = Some(self.youngest_s.map_or(age_s, |age| age.min(age_s)));
        self.oldest_s = self.oldest_s.max(Some(age_s));
    }
}

/// The clusters of an area.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterMap {
    /// Where it comes from.
    pub view: ClusterView,
    /// Slots of a cluster.
    pub cluster_slots: u32,
    /// Slots of the area, that of its header included.
    pub slots: u64,
    /// What `/proc/swaps` counted as used when it was looked at; none where that is not known.
    #[serde(default)]
    pub counted: Option<Bytes>,
    /// Slots counted as taken that can never be used: the header, bad pages, what lies behind the end.
    pub reserved: u64,
    /// Each cluster, in order.
    pub clusters: Vec<Cluster>,
    /// What zram tells of each, in the same order; empty in other views.
    pub stored: Vec<ZramStored>,
    /// How old what zram has stored is; none in other views.
    #[serde(default)]
    pub ages: Option<Ages>,
    /// Slots that each cgroup owns, by the kernel's number for it; where the kernel keeps that.
    pub owners: Reading<BTreeMap<u16, u64>>,
    /// Those of them whose names were found.
    #[serde(default)]
    pub names: BTreeMap<u16, SlotOwner>,
    /// Where each processor takes the next slot, by order; none where no processor is at this area.
    pub next: Reading<Vec<NextSlot>>,
    /// Why it is not whole; none when it is.
    pub partial: Option<String>,
    /// Processor time that reading it took, in microseconds.
    pub cost_us: u64,
}

/// A cgroup that owns slots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotOwner {
    /// Its path, from the topmost one of its hierarchy on.
    pub path: Name,
    /// It was removed, and lives on in the kernel for what is charged to it.
    pub removed: bool,
}

/// Where the next slot is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextSlot {
    /// Which processor; none for all of them.
    pub cpu: Option<u32>,
    /// The order of the folios.
    pub order: u8,
    /// The slot.
    pub slot: u64,
}

/// What is known of a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlotState {
    /// Nothing is on it, or nothing that this view sees.
    #[default]
    Free,
    /// Something is on it.
    Used,
    /// It is taken, and the page is in memory as well.
    Cached,
    /// It cannot be used: the header, or a bad page.
    Bad,
    /// Something stands there that no kernel had when this was written.
    Unknown,
}

/// How often a slot is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotCount {
    /// So often.
    Exactly(u8),
    /// More often: the slot has no room for it, and the rest is counted where nobody looks.
    MoreThan(u8),
}

/// One slot, as far as a view tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// What is on it.
    pub state: SlotState,
    /// How often it is used; none where the view does not tell.
    pub count: Option<SlotCount>,
    /// Is it known to be a page of zeroes, which is on no device?
    pub zero: Option<bool>,
    /// The kernel's number for the cgroup that owns it.
    pub owner: Option<u16>,
    /// What zram tells of it.
    pub stored: Option<ZramStored>,
}

/// The slots of one cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterSlots {
    /// Where it comes from.
    pub view: ClusterView,
    /// The first of them.
    pub first: u64,
    /// Each of them, in order; the last cluster of an area can have fewer than others.
    pub slots: Vec<Slot>,
    /// The owners whose names were found.
    pub names: BTreeMap<u16, SlotOwner>,
    /// Why some that hold something may look free; none where none can.
    pub partial: Option<String>,
}

impl ClusterMap {
    /// Slots that hold something, by this view.
    pub fn used(&self) -> u64 {
        let taken: u64 = self.clusters.iter().map(|cluster| u64::from(cluster.taken)).sum();
        taken.saturating_sub(self.reserved)
    }

    /// Does it tell of all clusters? What is partial in the kernel's own view beside that, such as who
    /// owns slots, takes nothing from what it tells of them.
    pub fn is_whole(&self) -> bool {
        let told = (self.clusters.len() as u64).saturating_mul(u64::from(self.cluster_slots));
        told >= self.slots && (self.view == ClusterView::Kernel || self.partial.is_none())
    }

    /// The size of a cluster on a machine with pages of this size.
    pub fn cluster_bytes(&self, page: u64) -> Bytes {
        Bytes(u64::from(self.cluster_slots).saturating_mul(page))
    }
}

/// Slots in one chunk, and the words that they take.
const CHUNK: u64 = 512;
const WORDS: usize = 8;

/// A set of slots of an area of any size. Only the parts of it that have any take memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotSet {
    chunks: BTreeMap<u64, [u64; WORDS]>,
    len: u64,
}

impl SlotSet {
    /// Put a slot in. Was it not in yet?
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

    /// Is a slot in it?
    pub fn has(&self, slot: u64) -> bool {
        let words = self.chunks.get(&(slot / CHUNK));
        let word = words.and_then(|words| words.get(usize::try_from(slot % CHUNK / 64).ok()?));
        word.is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// How many are in it.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Is none in it?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The last one; none in an empty set.
    pub fn last(&self) -> Option<u64> {
        let (chunk, words) = self.chunks.last_key_value()?;
        let (word, bits) = (0_u32..8).zip(words).rev().find(|(_, word)| **word != 0)?;
        Some(chunk * CHUNK + u64::from(word * 64 + bits.ilog2()))
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.chunks.iter().flat_map(|(chunk, words)| {
            let first = chunk * CHUNK;
            let in_chunk = (0..CHUNK)
                .zip(words.iter().flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 1)));
            in_chunk.filter_map(move |(slot, is_in)| is_in.then_some(first + slot))
        })
    }

    /// An estimate of the memory that it takes.
    pub fn bytes(&self) -> usize {
        // Nodes of the tree are about two thirds full.
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
