//! Folios in memory, and the order in which they are reclaimed: an inactive and an active list.

use super::dense::{Dense, NONE};

/// Flag of a folio: accessed since the last scan.
const ACCESSED: u8 = 1;
/// Flag of a folio: changed since it was written to its slot.
const DIRTY: u8 = 2;
/// Flag of a folio: read ahead, and not accessed yet.
const READAHEAD: u8 = 4;
/// Flag of a folio: on the active list.
const ACTIVE: u8 = 8;
/// Flag of a folio: in memory.
const PRESENT: u8 = 16;
/// Flag of a folio: accessed before the last scan too (the kernel's `PG_referenced`).
const REFERENCED: u8 = 32;

/// Pages per GiB.
const GIB_PAGES: u32 = 1 << 18;

/// A folio in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folio {
    /// The first page.
    pub(super) first: u32,
    /// The first slot, if it is in the swap cache.
    pub(super) slot: u32,
    prev: u32,
    next: u32,
    pub(super) order: u8,
    flags: u8,
}

impl Folio {
    pub(super) fn pages(&self) -> u32 {
        1 << self.order
    }

    /// The pages, if they also have slots.
    fn cached_pages(&self) -> u32 {
        if self.slot == NONE { 0 } else { self.pages() }
    }

    pub(super) fn is_dirty(&self) -> bool {
        self.flags & DIRTY != 0
    }

    pub(super) fn is_readahead(&self) -> bool {
        self.flags & READAHEAD != 0
    }
}

/// A list of folios, from the newest to the oldest.
#[derive(Clone, Copy, Debug)]
struct FolioList {
    head: u32,
    tail: u32,
    pages: u32,
}

/// All folios in memory.
#[derive(Clone, Debug)]
pub(super) struct FolioLists {
    folios: Dense<Folio>,
    unused: Vec<u32>,
    inactive: FolioList,
    active: FolioList,
    /// Pages that also have a slot.
    cached: u32,
    /// Pages that left memory or became active (the kernel's `nonresident_age`).
    age: u32,
    has_refaulted: bool,
}

/// The value of `nonresident_age` when a page was evicted, as in the kernel's shadow entries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shadow(u32);

/// A folio that was scanned.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScannedFolio {
    /// The pages.
    pub(super) pages: u32,
    /// The number, if it is to be reclaimed.
    pub(super) victim: Option<u32>,
}

impl FolioLists {
    /// Empty lists.
    pub(super) fn new() -> Self {
        let list = FolioList { head: NONE, tail: NONE, pages: 0 };
        let (folios, unused) = (Dense::empty(), Vec::new());
        Self {
            folios,
            unused,
            inactive: list,
            active: list,
            cached: 0,
            age: 0,
            has_refaulted: false,
        }
    }

    /// Pages in memory.
    pub(super) fn pages(&self) -> u32 {
        self.inactive.pages + self.active.pages
    }

    pub(super) fn active_pages(&self) -> u32 {
        self.active.pages
    }

    pub(super) fn inactive_pages(&self) -> u32 {
        self.inactive.pages
    }

    pub(super) fn cached_pages(&self) -> u32 {
        self.cached
    }

    pub(super) fn folio(&self, number: u32) -> &Folio {
        &self.folios[number]
    }

    /// Adds a folio to the inactive list: as its newest, or as its oldest.
    pub(super) fn add(&mut self, first: u32, order: u8, is_newest: bool) -> u32 {
        let folio =
            Folio { first, slot: NONE, prev: NONE, next: NONE, order, flags: DIRTY | PRESENT };
        let number = match self.unused.pop() {
            Some(number) => {
                self.folios[number] = folio;
                number
            }
            None => self.folios.push(folio),
        };
        self.link(number, is_newest);
        number
    }

    /// Removes a folio from memory, and returns it.
    pub(super) fn remove(&mut self, number: u32) -> Folio {
        self.unlink(number);
        let folio = self.folios[number];
        self.cached -= folio.cached_pages();
        self.folios[number].flags = 0;
        self.unused.push(number);
        folio
    }

    /// Notes an access. Returns whether it is the first one to a page that was read ahead.
    pub(super) fn touch(&mut self, number: u32, writes: bool) -> bool {
        let folio = &mut self.folios[number];
        let is_hit = folio.is_readahead();
        folio.flags |= ACCESSED | if writes { DIRTY } else { 0 };
        folio.flags &= !READAHEAD;
        is_hit
    }

    /// Marks a folio as just read from this slot.
    pub(super) fn set_read(&mut self, number: u32, slot: u32, is_readahead: bool) {
        let folio = &mut self.folios[number];
        folio.slot = slot;
        self.cached += folio.pages();
        folio.flags &= !DIRTY;
        folio.flags |= if is_readahead { READAHEAD } else { 0 };
    }

    /// Takes a folio out of the swap cache: memory holds the only copy.
    pub(super) fn forget_slot(&mut self, number: u32) {
        let folio = &mut self.folios[number];
        self.cached -= folio.cached_pages();
        folio.slot = NONE;
        folio.flags |= DIRTY;
    }

    /// Scans the oldest inactive folio. One that was accessed is spared: it becomes the newest one, and active
    /// if it was accessed before the last scan too.
    pub(super) fn scan_oldest(&mut self) -> Option<ScannedFolio> {
        self.balance_lists();
        let tail = self.inactive.tail;
        if tail == NONE {
            return None;
        }
        let folio = &mut self.folios[tail];
        let (pages, flags) = (folio.pages(), folio.flags);
        if flags & ACCESSED == 0 {
            return Some(ScannedFolio { pages, victim: Some(tail) });
        }
        folio.flags = folio.flags & !ACCESSED | REFERENCED;
        if flags & REFERENCED == 0 {
            self.make_newest(tail);
        } else {
            self.activate(tail);
        }
        Some(ScannedFolio { pages, victim: None })
    }

    fn activate(&mut self, number: u32) {
        self.age = self.age.wrapping_add(self.folios[number].pages());
        self.unlink(number);
        self.folios[number].flags |= ACTIVE;
        self.link(number, true);
    }

    /// Removes a folio from memory, and returns it with the shadow entry of its pages.
    pub(super) fn evict(&mut self, number: u32) -> (Folio, Shadow) {
        let (folio, shadow) = (self.remove(number), Shadow(self.age));
        self.age = self.age.wrapping_add(folio.pages());
        (folio, shadow)
    }

    /// Activates a folio that was read back so soon that it would still be in memory without the active ones
    /// (`workingset_refault`).
    pub(super) fn refault(&mut self, number: u32, shadow: Shadow) {
        if self.age.wrapping_sub(shadow.0) <= self.active.pages {
            self.activate(number);
            self.has_refaulted = true;
        }
    }

    /// Whether folios became active by being read back soon since the last call. Then reclaim makes others
    /// inactive.
    pub(super) fn take_refaulted(&mut self) -> bool {
        std::mem::take(&mut self.has_refaulted)
    }

    /// Makes the oldest active folios inactive, so many pages of them.
    pub(super) fn deactivate(&mut self, pages: u32) {
        let mut left = pages;
        while left > 0 && self.active.tail != NONE {
            left = left.saturating_sub(self.folios[self.active.tail].pages());
            self.deactivate_oldest();
        }
    }

    /// Makes a folio the newest one of its list.
    pub(super) fn make_newest(&mut self, number: u32) {
        self.unlink(number);
        self.link(number, true);
    }

    /// Moves the oldest active folios to the inactive list while that is too short for this much memory: the
    /// ratio of the kernel's `inactive_is_low`, sqrt(10 * GiB).
    fn balance_lists(&mut self) {
        let ratio = (10 * (self.pages() / GIB_PAGES)).isqrt().max(1);
        while self.inactive.pages.saturating_mul(ratio) < self.active.pages {
            self.deactivate_oldest();
        }
    }

    fn deactivate_oldest(&mut self) {
        let tail = self.active.tail;
        self.unlink(tail);
        self.folios[tail].flags &= !(ACTIVE | ACCESSED);
        self.link(tail, true);
    }

    fn list_mut(&mut self, number: u32) -> &mut FolioList {
        if self.folios[number].flags & ACTIVE == 0 { &mut self.inactive } else { &mut self.active }
    }

    fn link(&mut self, number: u32, is_newest: bool) {
        let pages = self.folios[number].pages();
        let list = self.list_mut(number);
        list.pages += pages;
        let (head, tail) = (list.head, list.tail);
        let neighbor = if is_newest { head } else { tail };
        match (is_newest, neighbor) {
            (_, NONE) => (list.head, list.tail) = (number, number),
            (true, _) => list.head = number,
            (false, _) => list.tail = number,
        }
        let (prev, next) = if is_newest { (NONE, head) } else { (tail, NONE) };
        let folio = &mut self.folios[number];
        (folio.prev, folio.next) = (prev, next);
        if neighbor != NONE {
            let other = &mut self.folios[neighbor];
            if is_newest { other.prev = number } else { other.next = number }
        }
    }

    fn unlink(&mut self, number: u32) {
        let Folio { prev, next, .. } = self.folios[number];
        let pages = self.folios[number].pages();
        let list = self.list_mut(number);
        list.pages -= pages;
        if prev == NONE {
            list.head = next;
        }
        if next == NONE {
            list.tail = prev;
        }
        if prev != NONE {
            self.folios[prev].next = next;
        }
        if next != NONE {
            self.folios[next].prev = prev;
        }
    }

    /// Folios in memory.
    #[cfg(test)]
    pub(super) fn present(&self) -> impl Iterator<Item = (u32, &Folio)> {
        (0..).zip(self.folios.entries()).filter(|(_, folio)| folio.flags & PRESENT != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next_victim(lists: &mut FolioLists) -> Option<u32> {
        std::iter::from_fn(|| lists.scan_oldest()).find_map(|scanned| scanned.victim)
    }

    #[test]
    fn the_oldest_folio_is_reclaimed_unless_it_was_accessed() {
        let mut lists = FolioLists::new();
        let folios: Vec<u32> = (0..4).map(|page| lists.add(page * 4, 2, true)).collect();
        assert_eq!(lists.pages(), 16);
        lists.touch(folios[0], false);
        assert_eq!(next_victim(&mut lists), Some(folios[1]));
        assert_eq!(lists.remove(folios[1]).first, 4);
        assert_eq!(next_victim(&mut lists), Some(folios[2]));
        // All were accessed: the one whose second chance began first goes.
        for number in [0, 2, 3] {
            lists.touch(folios[number], true);
        }
        assert_eq!(next_victim(&mut lists), Some(folios[2]));
        assert_eq!(lists.pages(), 12);
        let oldest = lists.add(99, 0, false);
        assert_eq!(next_victim(&mut lists), Some(oldest));
    }

    #[test]
    fn a_folio_accessed_before_two_looks_becomes_active() {
        let mut lists = FolioLists::new();
        let folios: Vec<u32> = (0..4).map(|page| lists.add(page, 0, true)).collect();
        for active in [0, 1] {
            lists.touch(folios[0], false);
            assert_eq!(lists.scan_oldest().and_then(|scanned| scanned.victim), None);
            assert_eq!((lists.active_pages(), lists.inactive_pages()), (active, 4 - active));
            for other in &folios[1..] {
                lists.make_newest(*other);
            }
        }
    }

    #[test]
    fn a_folio_read_back_soon_becomes_active() {
        let mut lists = FolioLists::new();
        let read_back_after = |lists: &mut FolioLists, others: u32| {
            let folio = lists.add(0, 0, true);
            let (_, shadow) = lists.evict(folio);
            for _ in 0..others {
                let other = lists.add(1, 0, true);
                lists.evict(other);
            }
            let folio = lists.add(0, 0, true);
            lists.refault(folio, shadow);
            lists.take_refaulted()
        };
        // Nothing is active at first: no page could have stayed in its place.
        assert!(!read_back_after(&mut lists, 0));
        let actives: Vec<u32> = (2..12).map(|page| lists.add(page, 0, true)).collect();
        for folio in actives {
            lists.activate(folio);
        }
        assert!(read_back_after(&mut lists, 9));
        assert!(!read_back_after(&mut lists, 30));
        assert!(!read_back_after(&mut lists, u32::from(u16::MAX) + 1), "many times the memory");
    }

    #[test]
    fn the_first_access_to_a_page_read_ahead_is_a_hit() {
        let mut lists = FolioLists::new();
        let folio = lists.add(1, 0, true);
        lists.set_read(folio, 77, true);
        assert!(!lists.folio(folio).is_dirty());
        assert!(lists.touch(folio, false));
        assert!(!lists.touch(folio, true));
        assert!(lists.folio(folio).is_dirty());
    }
}
