//! The page tables of one process, in steps.

use crate::model::Missing;
use crate::probes::scan::{self, LineSplitter};
use crate::root::{PageTable, Root};
use procfs_core::process::{PageInfo, SwapPageFlags};
use std::collections::VecDeque;
use std::ops::Range;

/// Pages whose entries are read at once.
const AT_ONCE: u64 = 64 << 10;
/// Addresses scanned by one call.
const SPAN: u64 = 4 << 30;
/// Gaps between two ranges up to this size are read too: that costs less than another read.
const NEAR_PAGES: u64 = 512;
/// Limit of mappings of a process.
const MOST_RANGES: usize = 4 << 20;
/// Bytes of the list of mappings read at once, and the longest line that matters.
const PIECE: usize = 64 << 10;
const LONGEST: usize = 64;
/// The upper half of all addresses belongs to the kernel.
const USER_END: u64 = 1 << 63;
/// The bits of an entry with the type of an area and the slot.
const LOCATION: SwapPageFlags = SwapPageFlags::SWAP_TYPE.union(SwapPageFlags::SWAP_OFFSET);

/// Locations of swapped pages, possibly none, or why they are unknown.
pub(super) type WalkStep = Result<Vec<u64>, Missing>;

/// The walk of one process, by the files in its folder.
#[derive(Debug)]
pub(super) struct PageTableWalk {
    root: Root,
    folder: String,
    page: u64,
    state: Option<TableWalkState>,
}

#[derive(Debug)]
struct TableWalkState {
    table: PageTable,
    /// Addresses still to be scanned.
    left: VecDeque<Range<u64>>,
    /// Addresses whose entries are to be read.
    found: VecDeque<Range<u64>>,
    /// Whether the kernel has `PAGEMAP_SCAN`.
    scans: bool,
    room: Vec<u8>,
}

impl PageTableWalk {
    /// The page size is needed to find the entry of an address.
    pub(super) fn new(root: &Root, folder: String, page: u64) -> Self {
        Self { root: root.clone(), folder, page, state: None }
    }

    /// The next step; none at the end.
    pub(super) fn step(&mut self) -> Option<WalkStep> {
        let Some(state) = &mut self.state else {
            return Some(self.open().map(|state| {
                self.state = Some(state);
                Vec::new()
            }));
        };
        if let Some(range) = state.found.pop_front() {
            return Some(state.read(range, self.page));
        }
        let range = state.left.pop_front()?;
        Some(state.look(range, self.page).map(|()| Vec::new()))
    }

    fn open(&self) -> Result<TableWalkState, Missing> {
        let table = self.root.page_table(&self.folder)?;
        let left = ranges(&self.root, &self.folder, self.page)?;
        let size = usize::try_from(AT_ONCE * 8).unwrap_or(0);
        Ok(TableWalkState { table, left, found: VecDeque::new(), scans: true, room: vec![0; size] })
    }
}

impl TableWalkState {
    /// Scans this range for swapped pages.
    fn look(&mut self, range: Range<u64>, page: u64) -> Result<(), Missing> {
        let (some, rest) = split(range, SPAN);
        self.push_left(rest);
        let swapped = if self.scans { self.table.swapped(&some)? } else { None };
        let Some((ranges, end)) = swapped else {
            self.scans = false;
            self.found.push_back(some);
            return Ok(());
        };
        for range in ranges {
            join(&mut self.found, range, page);
        }
        // More ranges than fit into the answer: such a range is faster read as a whole.
        let (read, rest) = split(end.max(some.start)..some.end, AT_ONCE * page);
        if !read.is_empty() {
            join(&mut self.found, read, page);
        }
        self.push_left(rest);
        Ok(())
    }

    fn push_left(&mut self, range: Range<u64>) {
        if !range.is_empty() {
            self.left.push_front(range);
        }
    }

    /// Reads the entries of this range, or of its first pages.
    fn read(&mut self, range: Range<u64>, page: u64) -> WalkStep {
        let (some, rest) = split(range, AT_ONCE * page);
        let pages = (some.end - some.start).div_ceil(page);
        let room = usize::try_from(pages * 8).unwrap_or(usize::MAX);
        let len = self.room.len();
        let room = self.room.get_mut(..room.min(len)).unwrap_or_default();
        let read = self.table.entries(some.start / page, room)?;
        // Reads nothing after the process has ended.
        if read > 0 && !rest.is_empty() {
            self.found.push_front(rest);
        }
        Ok(swap_locations(self.room.get(..read).unwrap_or_default()))
    }
}

/// The locations of swapped pages in page table entries, each of eight bytes.
pub(super) fn swap_locations(entries: &[u8]) -> Vec<u64> {
    let (entries, _) = entries.as_chunks();
    let entries = entries.iter().map(|entry| u64::from_ne_bytes(*entry));
    entries.filter_map(swap_location).collect()
}

/// The type and the slot of a page table entry, if its page is swapped out.
fn swap_location(entry: u64) -> Option<u64> {
    match PageInfo::parse_info(entry) {
        PageInfo::SwapPage(flags) if !flags.contains(SwapPageFlags::PRESENT) => {
            Some((flags & LOCATION).bits())
        }
        PageInfo::SwapPage(_) | PageInfo::MemoryPage(_) => None,
    }
}

/// Splits a range after at most this many bytes.
fn split(range: Range<u64>, most: u64) -> (Range<u64>, Range<u64>) {
    let middle = range.end.min(range.start.saturating_add(most));
    (range.start..middle, middle..range.end)
}

/// Adds a range, and joins it with the last one if they overlap or are near.
fn join(ranges: &mut VecDeque<Range<u64>>, range: Range<u64>, page: u64) {
    let near = NEAR_PAGES.saturating_mul(page);
    match ranges.back_mut() {
        Some(last) if range.start >= last.start && range.start <= last.end.saturating_add(near) => {
            last.end = last.end.max(range.end);
        }
        _ => ranges.push_back(range),
    }
}

/// The addresses of private mappings: only those can have swapped pages in the page table.
fn ranges(root: &Root, folder: &str, page: u64) -> Result<VecDeque<Range<u64>>, Missing> {
    let mut ranges = VecDeque::new();
    let mut pieces = root.chunks(format!("{folder}/maps"), PIECE)?;
    let mut lines = LineSplitter::new(LONGEST);
    let mut add = |line: &[u8]| {
        if let Some(range) = private(line) {
            join(&mut ranges, range, page);
        }
        ranges.len()
    };
    let mut many = 0;
    while let piece @ [_, ..] = pieces.next_chunk()? {
        lines.feed(piece, |line| many = add(line));
        if many > MOST_RANGES {
            return Err(Missing::failed(format!("/{folder}/maps has too many lines")));
        }
    }
    Ok(ranges)
}

/// Parses the addresses of a line such as `7f0c000-7f0d000 rw-p 00000000 00:00 0 [heap]`.
fn private(line: &[u8]) -> Option<Range<u64>> {
    let mut fields = scan::fields(line);
    let range = scan::address_range(fields.next()?)?;
    let is_private = fields.next()?.get(3) == Some(&b'p');
    (is_private && range.end <= USER_END).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_private_mappings_of_processes_count() {
        let good = b"7f0c1000-7f0d2000 rw-p 00000000 00:00 0      [heap]";
        assert_eq!(private(good), Some(0x7f0c_1000..0x7f0d_2000));
        for bad in [
            "7f0c1000-7f0d2000 rw-s 00000000 00:00 0",
            "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]",
            "7f0d2000-7f0c1000 rw-p 00000000 00:00 0",
            "7f0c1000 rw-p",
            "10000000000000000-20000000000000000 rw-p",
            "x-y rw-p",
            "",
        ] {
            assert_eq!(private(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn ranges_that_are_near_become_one() {
        let mut ranges = VecDeque::new();
        let near = 512 * 4096;
        for range in
            [0..1, 1..2, 2 + near..3 + near, near..1 + near, 4 + 2 * near..9 + 2 * near, 0..1]
        {
            join(&mut ranges, range, 4096);
        }
        assert_eq!(ranges, [0..3 + near, 4 + 2 * near..9 + 2 * near, 0..1]);
    }
}
