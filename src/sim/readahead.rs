//! Swap readahead: how many pages around the one of a fault are read.

/// How the window is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadaheadPolicy {
    /// Only the page of the fault is read.
    None,
    /// Always 2^page-cluster pages (before 2014).
    Fixed,
    /// By the hits of the last window, around the slot.
    BySlot,
    /// By the hits of the last window, around the address, unless an area is on a rotational disk (since
    /// 4.14).
    ByAddress,
}

/// The largest window by address, as a power of two.
const MAX_BY_ADDRESS: u32 = 5;
/// Hits that a window starts with.
const FIRST_HITS: u32 = 4;

/// The pages of the next window: by hits since the last window, whether the last fault was next to
/// this one, the largest window, and the last one.
pub fn window_pages(hits: u32, is_adjacent: bool, max: u32, last: u32) -> u32 {
    let pages = match hits {
        0 => 1 + u32::from(is_adjacent),
        hits => (hits + 2).next_power_of_two().max(4),
    };
    pages.min(max).max(last / 2)
}

/// The readahead window and what it depends on: one for all areas by slot, or one for each mapping by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadaheadWindow {
    hits: u32,
    /// The last fault or hit by address; the last fault without hits by slot.
    previous: u32,
    last_window: u32,
}

impl ReadaheadWindow {
    /// The state at boot, or of a new mapping.
    pub fn at_boot() -> Self {
        Self { hits: FIRST_HITS, previous: 0, last_window: 0 }
    }

    /// Counts a page that was read ahead and is now used.
    pub fn count_hit(&mut self) {
        self.hits = self.hits.saturating_add(1);
    }

    /// Counts such a page of a mapping, which also says where the mapping was last accessed.
    pub fn count_hit_at(&mut self, page: u32) {
        self.count_hit();
        self.previous = page;
    }

    /// The slots to read around the one of a fault, up to the second one, which is not read: an aligned block.
    pub fn slots(&mut self, policy: ReadaheadPolicy, slot: u32, page_cluster: u32) -> (u32, u32) {
        let max = 1_u32 << page_cluster.min(31);
        let window = match policy {
            _ if max <= 1 => 1,
            ReadaheadPolicy::None => 1,
            ReadaheadPolicy::Fixed => max,
            ReadaheadPolicy::BySlot | ReadaheadPolicy::ByAddress => {
                let hits = std::mem::take(&mut self.hits);
                let is_adjacent = slot.abs_diff(self.previous) == 1;
                let window = window_pages(hits, is_adjacent, max, self.last_window);
                if hits == 0 {
                    self.previous = slot;
                }
                self.last_window = window;
                window
            }
        };
        let block = window.next_power_of_two();
        let first = slot - slot % block;
        // The header is not read.
        (first.max(1), first + block)
    }

    /// The pages to read around that of a fault, up to the second one, which is not read, within the mapping from
    /// `start` to `end`.
    pub fn pages(&mut self, page: u32, (start, end): (u32, u32), page_cluster: u32) -> (u32, u32) {
        let max = 1_u32 << page_cluster.min(MAX_BY_ADDRESS);
        if max == 1 {
            return (page, page + 1);
        }
        let hits = std::mem::take(&mut self.hits);
        let previous = std::mem::replace(&mut self.previous, page);
        let is_adjacent = page.abs_diff(previous) == 1;
        let window = window_pages(hits, is_adjacent, max, self.last_window);
        self.last_window = window;
        // A window reaches on in the direction of the faults, or to both sides of a jump.
        let (left, right) = if page == previous.wrapping_add(1) {
            (page, page.saturating_add(window))
        } else if previous == page.wrapping_add(1) {
            ((page + 1).saturating_sub(window), page + 1)
        } else {
            let left = (window - 1) / 2;
            (page.saturating_sub(left), page.saturating_add(window - left))
        };
        // Page tables hold 512 entries, and a window ends with its table.
        let table = page - page % 512;
        (left.max(start).max(table), right.min(end).min(table + 512))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the kernel's function: hits, then whether faults are adjacent.
    #[test]
    fn the_window_follows_the_hits() {
        let window = |hits, adjacent| window_pages(hits, adjacent, 64, 0);
        assert_eq!((window(0, false), window(0, true)), (1, 2));
        for (hits, pages) in [(1, 4), (2, 4), (3, 8), (6, 8), (7, 16), (14, 16), (15, 32)] {
            assert_eq!([window(hits, false), window(hits, true)], [pages, pages], "{hits} hits");
        }
        assert_eq!(window_pages(20, false, 8, 0), 8, "at most 2^page-cluster");
        // Without hits the window halves.
        let mut last = 8;
        let decay = [(); 4].map(|()| {
            last = window_pages(0, false, 8, last);
            last
        });
        assert_eq!(decay, [4, 2, 1, 1]);
    }

    #[test]
    fn windows_by_slot_are_aligned_and_leave_out_the_header() {
        let mut state = ReadaheadWindow::at_boot();
        let read =
            |state: &mut ReadaheadWindow, slot| state.slots(ReadaheadPolicy::BySlot, slot, 3);
        assert_eq!(read(&mut state, 13), (8, 16), "starts with four hits");
        assert_eq!(read(&mut state, 100), (100, 104));
        assert_eq!(read(&mut state, 200), (200, 202));
        assert_eq!(read(&mut state, 300), (300, 301));
        (0..3).for_each(|_| state.count_hit());
        assert_eq!(read(&mut state, 5), (1, 8));
        for page_cluster in [0, 3] {
            let fixed = ReadaheadWindow::at_boot().slots(ReadaheadPolicy::Fixed, 20, page_cluster);
            assert_eq!(fixed, if page_cluster == 0 { (20, 21) } else { (16, 24) });
        }
        assert_eq!(ReadaheadWindow::at_boot().slots(ReadaheadPolicy::None, 20, 5), (20, 21));
    }

    /// A hit counts as the last access: memory that is read in order is read ahead in one direction.
    #[test]
    fn windows_of_memory_that_is_read_in_order_do_not_overlap() {
        let mut state = ReadaheadWindow::at_boot();
        assert_eq!(state.pages(1000, (1000, 5000), 3), (1000, 1005));
        (1001..1005).for_each(|page| state.count_hit_at(page));
        for first in [1005, 1013, 1021] {
            let window = (first, if first == 1021 { 1024 } else { first + 8 });
            assert_eq!(state.pages(first, (1000, 5000), 3), window);
            (window.0 + 1..window.1).for_each(|page| state.count_hit_at(page));
        }
    }

    #[test]
    fn windows_by_address_follow_the_direction_and_end_with_the_table() {
        let mut forward = ReadaheadWindow::at_boot();
        assert_eq!(forward.pages(1000, (0, 5000), 3), (997, 1005));
        forward.count_hit();
        assert_eq!(forward.pages(1001, (0, 5000), 3), (1001, 1005));
        assert_eq!(forward.pages(1000, (0, 5000), 3), (999, 1001));
        assert_eq!(ReadaheadWindow::at_boot().pages(511, (0, 5000), 3), (508, 512));
        assert_eq!(ReadaheadWindow::at_boot().pages(3, (2, 5), 3), (2, 5));
        assert_eq!(ReadaheadWindow::at_boot().pages(3, (0, 5), 0), (3, 4));
        // What does not fit on the left is not added on the right.
        assert_eq!(ReadaheadWindow::at_boot().pages(0, (0, 5000), 3), (0, 5));
    }
}
