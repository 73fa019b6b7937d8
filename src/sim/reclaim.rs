//! Folios in memory, and the order in which they are reclaimed: an inactive and an active list.

use super::dense::{Dense, NONE};

/// Flag of a folio: accessed since it was last looked at.
const REFERENCED: u8 = 1;
/// Flag of a folio: changed since it was written to its slot.
const DIRTY: u8 = 2;
/// Flag of a folio: read ahead, and not accessed yet.
const READAHEAD: u8 = 4;
/// Flag of a folio: on the active list.
const ACTIVE: u8 = 8;
/// Flag of a folio: in memory.
const PRESENT: u8 = 16;

/// Pages per GiB.
const GIB_PAGES: u32 = 1 << 18;

/// A folio in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folio {
    /// Its first page.
    pub(super) first: u32,
    /// Its first slot, if it is in the swap cache.
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
}

impl FolioLists {
    pub(super) fn empty() -> Self {
        let list = FolioList { head: NONE, tail: NONE, pages: 0 };
        let (folios, unused) = (Dense::empty(), Vec::new());
        Self { folios, unused, inactive: list, active: list }
    }

    /// Pages in memory.
    pub(super) fn pages(&self) -> u32 {
        self.inactive.pages + self.active.pages
    }

    /// Pages on the active and on the inactive list.
    pub(super) fn lengths(&self) -> (u32, u32) {
        (self.active.pages, self.inactive.pages)
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
        self.folios[number].flags = 0;
        self.unused.push(number);
        folio
    }

    /// Notes an access. Returns whether it is the first one to a page that was read ahead.
    pub(super) fn touch(&mut self, number: u32, writes: bool) -> bool {
        let folio = &mut self.folios[number];
        let is_hit = folio.is_readahead();
        folio.flags |= REFERENCED | if writes { DIRTY } else { 0 };
        folio.flags &= !READAHEAD;
        is_hit
    }

    /// Marks a folio as just read from this slot.
    pub(super) fn set_read(&mut self, number: u32, slot: u32, is_readahead: bool) {
        let folio = &mut self.folios[number];
        folio.slot = slot;
        folio.flags &= !DIRTY;
        folio.flags |= if is_readahead { READAHEAD } else { 0 };
    }

    /// Takes a folio out of the swap cache: memory holds the only copy.
    pub(super) fn forget_slot(&mut self, number: u32) {
        let folio = &mut self.folios[number];
        folio.slot = NONE;
        folio.flags |= DIRTY;
    }

    /// The folio to reclaim next. A folio that was accessed becomes active instead, as its second chance.
    pub(super) fn next_victim(&mut self) -> Option<u32> {
        // Ends: each round clears a mark of access, and none is set meanwhile.
        loop {
            self.deactivate_some();
            let tail = self.inactive.tail;
            if tail == NONE {
                return None;
            }
            let folio = &mut self.folios[tail];
            if folio.flags & REFERENCED == 0 {
                return Some(tail);
            }
            folio.flags &= !REFERENCED;
            self.unlink(tail);
            self.folios[tail].flags |= ACTIVE;
            self.link(tail, true);
        }
    }

    /// Moves a folio that cannot be reclaimed to the other end of its list.
    pub(super) fn make_newest(&mut self, number: u32) {
        self.unlink(number);
        self.link(number, true);
    }

    /// Moves the oldest active folios to the inactive list while that is too short for this much memory: the
    /// ratio of the kernel's `inactive_is_low`, sqrt(10 * GiB).
    fn deactivate_some(&mut self) {
        let ratio = (10 * (self.pages() / GIB_PAGES)).isqrt().max(1);
        while self.inactive.pages.saturating_mul(ratio) < self.active.pages {
            let tail = self.active.tail;
            self.unlink(tail);
            self.folios[tail].flags &= !(ACTIVE | REFERENCED);
            self.link(tail, true);
        }
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
    pub(super) fn present(&self) -> impl Iterator<Item = (u32, &Folio)> {
        (0..).zip(self.folios.entries()).filter(|(_, folio)| folio.flags & PRESENT != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_folio_is_reclaimed_unless_it_was_accessed() {
        let mut lists = FolioLists::empty();
        let folios: Vec<u32> = (0..4).map(|page| lists.add(page * 4, 2, true)).collect();
        assert_eq!(lists.pages(), 16);
        lists.touch(folios[0], false);
        assert_eq!(lists.next_victim(), Some(folios[1]));
        assert_eq!(lists.remove(folios[1]).first, 4);
        assert_eq!(lists.next_victim(), Some(folios[2]));
        // All were accessed: the one whose second chance began first goes.
        for number in [0, 2, 3] {
            lists.touch(folios[number], true);
        }
        assert_eq!(lists.next_victim(), Some(folios[0]));
        assert_eq!(lists.pages(), 12);
        let oldest = lists.add(99, 0, false);
        assert_eq!(lists.next_victim(), Some(oldest));
    }

    #[test]
    fn the_first_access_to_a_page_read_ahead_is_a_hit() {
        let mut lists = FolioLists::empty();
        let folio = lists.add(1, 0, true);
        lists.set_read(folio, 77, true);
        assert!(!lists.folio(folio).is_dirty());
        assert!(lists.touch(folio, false));
        assert!(!lists.touch(folio, true));
        assert!(lists.folio(folio).is_dirty());
    }
}
