//! The layer in front of the areas: zswap, or virtual swap.

use super::access::PAGE_BYTES;
use super::dense::{Dense, NONE};
use super::policy::ZswapPolicy;
use crate::model::whole;
use std::collections::VecDeque;

/// Bytes of the descriptor of a virtual slot.
const DESCRIPTOR_BYTES: u64 = 24;
/// Bytes for each slot of an area that a virtual slot uses: the way back to the virtual slot.
const REVERSE_BYTES: u64 = 8;

/// The layer in front of the areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerPolicy {
    /// Each page that is swapped out takes a slot of an area, also if it is in zswap.
    Plain,
    /// Virtual slots: a slot of an area is taken only for a page that is written.
    VirtualSwap,
}

/// Settings of zswap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZswapSetup {
    /// Largest share of memory for the pool.
    pub max_pool: f64,
    /// Share of the largest pool below which pages are accepted again.
    pub accept: f64,
}

impl ZswapSetup {
    /// The defaults of the kernel.
    pub const DEFAULT: Self = Self { max_pool: 0.2, accept: 0.9 };
}

/// A page in zswap, in the order in which pages are written back.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolEntry {
    /// The slot.
    pub(super) id: u32,
    /// Whether writeback passes over it once.
    pub(super) has_chance: bool,
}

/// The compressed pool of zswap. The oldest pages are written back when it is full.
#[derive(Clone, Debug)]
pub struct ZswapPool {
    /// Whether zswap stores further pages. Disabling it keeps those that are stored.
    pub is_enabled: bool,
    limit: u64,
    accept_below: u64,
    bytes: u64,
    stored: u32,
    was_full: bool,
    oldest: VecDeque<PoolEntry>,
    policy: ZswapPolicy,
}

impl ZswapPool {
    /// An empty pool on a machine with this memory.
    pub fn new(setup: ZswapSetup, memory_pages: u32, policy: ZswapPolicy) -> Self {
        let limit = f64::from(memory_pages) * PAGE_BYTES as f64 * setup.max_pool;
        Self {
            is_enabled: true,
            limit: whole(limit),
            accept_below: whole(limit * setup.accept),
            bytes: 0,
            stored: 0,
            was_full: false,
            oldest: VecDeque::new(),
            policy,
        }
    }

    /// Changes its limits; it shrinks to them with the next pages.
    pub(super) fn set_limits(&mut self, setup: ZswapSetup, memory_pages: u32) {
        let Self { limit, accept_below, .. } = Self::new(setup, memory_pages, self.policy);
        (self.limit, self.accept_below) = (limit, accept_below);
    }

    /// Compressed size of all pages.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Stored pages.
    pub fn stored(&self) -> u32 {
        self.stored
    }

    /// Stores a page of this compressed size, which is part of a large folio or not. False if the pool is full or
    /// does not store such pages.
    pub(super) fn store(&mut self, id: u32, bytes: u64, is_large: bool) -> bool {
        if !self.is_enabled
            || (is_large && !self.policy.stores_large)
            || (bytes >= PAGE_BYTES && !self.policy.stores_incompressible)
            || (self.was_full && self.bytes > self.accept_below)
        {
            return false;
        }
        self.was_full = self.bytes + bytes > self.limit;
        if !self.was_full {
            self.keep(id, bytes);
        }
        !self.was_full
    }

    /// Stores a page whatever the limit: no area has room for it.
    pub(super) fn keep(&mut self, id: u32, bytes: u64) {
        self.bytes += bytes;
        self.stored += 1;
        self.oldest.push_back(PoolEntry { id, has_chance: self.policy.second_chance });
    }

    /// Notes that the oldest page could not be written.
    pub(super) fn put_back(&mut self, oldest: PoolEntry) {
        self.oldest.push_front(oldest);
    }

    /// Makes a page the newest one, which is written when it is the oldest again.
    pub(super) fn pass_over(&mut self, oldest: PoolEntry) {
        self.oldest.push_back(PoolEntry { has_chance: false, ..oldest });
    }

    /// Forgets a stored page of this size.
    pub(super) fn remove(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_sub(bytes);
        self.stored = self.stored.saturating_sub(1);
    }

    /// The page that was stored first, if the pool has to shrink. It may have been removed since.
    pub(super) fn oldest_to_write(&mut self) -> Option<PoolEntry> {
        if !self.was_full || self.bytes <= self.accept_below {
            return None;
        }
        self.oldest.pop_front()
    }

    /// Forgets removed pages once they are more than the stored ones.
    pub(super) fn tidy(&mut self, is_stored: impl Fn(u32) -> bool) {
        if self.oldest.len() > 64 + 2 * self.stored as usize {
            self.oldest.retain(|entry| is_stored(entry.id));
        }
    }
}

/// Where the page of a virtual slot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VirtualUse {
    /// The virtual slot is free.
    Free,
    /// The page is zero-filled.
    Zero,
    /// The page is in zswap.
    Zswap,
    /// The page is in this slot of an area.
    Slot(u32),
}

/// Virtual slots, made on demand.
#[derive(Clone, Debug)]
pub struct VirtualSlots {
    uses: Dense<VirtualUse>,
    /// Pages by virtual slot.
    pages: Dense<u32>,
    unused: Vec<u32>,
    in_use: u32,
    physical: u32,
}

impl VirtualSlots {
    /// No virtual slots.
    pub fn empty() -> Self {
        let (uses, pages, unused) = (Dense::empty(), Dense::empty(), Vec::new());
        Self { uses, pages, unused, in_use: 0, physical: 0 }
    }

    /// Virtual slots that hold a page.
    pub fn in_use(&self) -> u32 {
        self.in_use
    }

    /// Slots of areas that virtual slots use.
    pub fn physical(&self) -> u32 {
        self.physical
    }

    /// Bytes of descriptors, and of the way back from slots of areas.
    pub fn metadata_bytes(&self) -> u64 {
        u64::from(self.in_use) * DESCRIPTOR_BYTES + u64::from(self.physical) * REVERSE_BYTES
    }

    /// Where the page of a virtual slot is.
    pub fn place(&self, id: u32) -> VirtualUse {
        self.uses.entry(id).copied().unwrap_or(VirtualUse::Free)
    }

    /// The page of a virtual slot.
    pub(super) fn page(&self, id: u32) -> u32 {
        self.pages.entry(id).copied().unwrap_or(NONE)
    }

    /// Makes a run of virtual slots. Single ones are used again; runs are made at the end.
    pub(super) fn create(&mut self, first_page: u32, count: u32) -> u32 {
        self.in_use += count;
        if count == 1
            && let Some(id) = self.unused.pop()
        {
            (self.uses[id], self.pages[id]) = (VirtualUse::Zero, first_page);
            return id;
        }
        let first = self.uses.len();
        for page in first_page..first_page + count {
            self.uses.push(VirtualUse::Zero);
            self.pages.push(page);
        }
        first
    }

    pub(super) fn set_place(&mut self, id: u32, place: VirtualUse) {
        let is_slot = |place| matches!(place, VirtualUse::Slot(_));
        self.physical -= u32::from(is_slot(self.uses[id]));
        self.physical += u32::from(is_slot(place));
        self.uses[id] = place;
    }

    pub(super) fn free(&mut self, id: u32) {
        self.set_place(id, VirtualUse::Free);
        self.unused.push(id);
        self.in_use -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::policy::KernelPolicy;
    use super::*;

    #[test]
    fn a_full_pool_accepts_pages_again_below_the_threshold() {
        let policy = KernelPolicy::parse("6.1").unwrap().zswap;
        let mut pool = ZswapPool::new(ZswapSetup { max_pool: 0.5, accept: 0.5 }, 8, policy);
        let stored = (0..9).take_while(|id| pool.store(*id, 2048, false)).count();
        assert_eq!((stored, pool.bytes()), (8, 16384));
        let mut written = Vec::new();
        while let Some(oldest) = pool.oldest_to_write() {
            assert!(!pool.store(100, 2048, false), "still above the threshold");
            pool.remove(2048);
            written.push(oldest.id);
        }
        assert_eq!(written, [0, 1, 2, 3]);
        assert!(pool.store(100, 2048, false));
    }

    #[test]
    fn kernels_store_other_pages_in_zswap() {
        for (kernel, incompressible, large) in
            [("6.1", false, false), ("6.12", false, false), ("6.18", true, true)]
        {
            let policy = KernelPolicy::parse(kernel).unwrap().zswap;
            let mut pool = ZswapPool::new(ZswapSetup::DEFAULT, 800, policy);
            assert!(pool.store(0, 2048, false), "{kernel}");
            assert_eq!(pool.store(1, PAGE_BYTES, false), incompressible, "{kernel}");
            assert_eq!(pool.store(2, 2048, true), large, "{kernel}");
        }
    }

    /// Published: redirection takes 3 to 4 times the memory of the plain table of 8 to 10 bytes a slot.
    #[test]
    fn a_virtual_slot_takes_three_to_four_times_the_plain_table() {
        let mut slots = VirtualSlots::empty();
        for page in 0..1000 {
            let id = slots.create(page, 1);
            slots.set_place(id, VirtualUse::Slot(page));
        }
        let (least, most) = (8 * 1000, 10 * 1000);
        assert!(slots.metadata_bytes() >= 3 * most && slots.metadata_bytes() <= 4 * least);
        slots.free(7);
        assert_eq!((slots.in_use(), slots.physical()), (999, 999));
        assert_eq!(slots.create(5, 1), 7);
        assert_eq!(slots.place(7), VirtualUse::Zero);
    }
}
