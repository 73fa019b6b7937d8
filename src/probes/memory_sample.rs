//! A sample of process memory, to find out how well it compresses. Read for one proposal; no part of
//! snapshots, and never kept.
//!
//! Kernel: `/proc/PID/maps`, `/proc/PID/pagemap` and `/proc/PID/mem`, all versions; only with the rights to
//! trace the process. Only private anonymous pages that are in memory now are read, so that nothing is
//! swapped in. Reading takes the `mmap_lock` of the process, so it runs on side threads with a time limit.
//!
//! Not done here: files, shared memory, stacks, or more than a few pages of each process.

use super::{deadline, scan};
use crate::clock::Clock;
use crate::model::surroundings::MemorySample;
use crate::model::users::Process;
use crate::model::{Bytes, Missing, Reading};
use crate::root::{PageTable, Root};
use std::ops::Range;
use std::time::Duration;

/// Pages read in all.
const MOST_PAGES: usize = 768;
/// Pages read from one process.
const PAGES_OF_ONE: usize = 64;
/// Processes that are tried, those with the most memory first.
const MOST_PROCESSES: usize = 48;
/// Mappings of a process that are looked at, the largest first.
const MAPPINGS: usize = 8;
/// Places in each mapping, and neighboring pages at each.
const PLACES: u64 = 8;
const NEIGHBORS: u64 = 2;
/// Bytes of the list of mappings that are read.
const MAPS_BYTES: usize = 256 << 10;
/// Time limit of the reads of one process, and of all together.
const LIMIT: Duration = Duration::from_millis(50);
const BUDGET: f64 = 0.5;
/// Bits of an entry in the page table: in memory, swapped out, of a file or shared.
const PRESENT: u64 = 1 << 63;
const SWAPPED: u64 = 1 << 62;
const SHARED: u64 = 1 << 61;

/// Reads pages of these processes, as far as rights and time allow.
pub fn read(root: &Root, page_size: u64, processes: &[&Process]) -> Reading<MemorySample> {
    if !root.is_live() {
        return Reading::absent("a captured tree has no process memory");
    }
    let Ok(size) = usize::try_from(page_size) else { return Reading::absent("no page size") };
    let mut chosen: Vec<(Bytes, String)> = processes.iter().filter_map(|it| private(it)).collect();
    chosen.sort_unstable_by(|one, other| other.cmp(one));
    chosen.truncate(MOST_PROCESSES);
    let own = root.clone();
    let mut folders = chosen.into_iter().map(|(_, folder)| folder);
    let next = move || folders.next().map(|folder| pages(&own, &folder, size));
    let (begun, mut refusal) = (Clock::Real.now(), None);
    let mut sample = MemorySample { page_size: size, processes: 0, bytes: Vec::new() };
    let wants = |found: Result<Vec<u8>, Missing>| {
        match found {
            Ok(bytes) => {
                sample.processes += u64::from(!bytes.is_empty());
                sample.bytes.extend(bytes);
            }
            Err(why) => refusal = refusal.take().or(Some(why)),
        }
        let is_late = Clock::Real.now().seconds_since(begun) > BUDGET;
        sample.bytes.len() < MOST_PAGES * size && !is_late
    };
    let read = deadline::read_steps("proc/PID/mem", LIMIT, next, wants);
    match (sample.bytes.is_empty(), read, refusal) {
        (false, ..) => Reading::Known(sample),
        (true, Err(why), _) | (true, Ok(()), Some(why)) => why.into(),
        (true, Ok(()), None) => Reading::absent("no process has private memory that can be read"),
    }
}

/// The private memory of another process, and its folder.
fn private(process: &Process) -> Option<(Bytes, String)> {
    let rss = *process.rss.known()?;
    let shared = process.shmem.known().copied().unwrap_or(Bytes(0));
    (process.pid != std::process::id())
        .then(|| (rss.saturating_sub(shared), process.memory_folder()))
}

/// Pages of one process.
fn pages(root: &Root, folder: &str, size: usize) -> Result<Vec<u8>, Missing> {
    let memory = root.open_file(format!("{folder}/mem")).into_result()?;
    let table = root.page_table(folder)?;
    let maps = root.read_head(format!("{folder}/maps"), MAPS_BYTES).into_result()?;
    let mut ranges: Vec<Range<u64>> =
        maps.split(|byte| *byte == b'\n').filter_map(private_range).collect();
    ranges.sort_unstable_by_key(|range| std::cmp::Reverse(range.end - range.start));
    let mut bytes = Vec::new();
    let mut page = vec![0; size];
    for at in ranges.iter().take(MAPPINGS).flat_map(|range| places(range, size as u64)) {
        if bytes.len() >= PAGES_OF_ONE * size {
            break;
        }
        // A page may go to swap or away between the two reads, which is rare and harmless.
        let is_read = is_present(&table, at / size as u64) && memory.fill_at(at, &mut page).is_ok();
        bytes.extend_from_slice(if is_read { &page } else { &[] });
    }
    Ok(bytes)
}

/// The range of a line of `maps`, if it is private, writable and anonymous, and no stack.
fn private_range(line: &[u8]) -> Option<Range<u64>> {
    let mut fields = scan::fields(line);
    let range = scan::address_range(fields.next()?)?;
    let is_private = fields.next()? == b"rw-p";
    let inode = fields.nth(2)?;
    let name = fields.next().unwrap_or(b"[heap]");
    let is_meant =
        is_private && inode == b"0" && (name == b"[heap]" || name.starts_with(b"[anon:"));
    is_meant.then_some(range)
}

/// Addresses of pages, spread evenly over a range.
fn places(range: &Range<u64>, size: u64) -> impl Iterator<Item = u64> + use<> {
    let count = (range.end - range.start) / size;
    let (start, step) = (range.start, count.div_ceil(PLACES).max(NEIGHBORS));
    let all =
        (0..PLACES).flat_map(move |place| (0..NEIGHBORS).map(move |next| place * step + next));
    all.filter(move |page| *page < count).map(move |page| start + page * size)
}

/// Whether a page is in memory, and neither swapped out nor shared.
fn is_present(table: &PageTable, page: u64) -> bool {
    let mut entry = [0; 8];
    let is_read = table.entries(page, &mut entry) == Ok(entry.len());
    is_read && u64::from_ne_bytes(entry) & (PRESENT | SWAPPED | SHARED) == PRESENT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    #[test]
    fn only_private_anonymous_memory_is_read() {
        for (line, is_meant) in [
            ("1000-3000 rw-p 00000000 00:00 0", true),
            ("1000-3000 rw-p 00000000 00:00 0    [heap]", true),
            ("1000-3000 rw-p 00000000 00:00 0    [anon:malloc]", true),
            ("1000-3000 rw-p 00000000 00:00 0    [stack]", false),
            ("1000-3000 rw-s 00000000 00:00 0", false),
            ("1000-3000 r--p 00000000 00:00 0", false),
            ("1000-3000 rw-p 00000000 08:01 77   /bin/x", false),
            ("3000-1000 rw-p 00000000 00:00 0", false),
            ("x", false),
            ("", false),
        ] {
            let range = private_range(line.as_bytes());
            assert_eq!(range, is_meant.then_some(0x1000..0x3000), "{line}");
        }
    }

    #[test]
    fn places_are_spread_and_within_the_range() {
        let all: Vec<u64> = places(&(0..(1 << 20)), 4096).collect();
        assert_eq!((all.len(), all[0], all[1], all[2]), (16, 0, 4096, 32 * 4096));
        assert_eq!(places(&(8192..12288), 4096).collect::<Vec<_>>(), [8192]);
        assert_eq!(places(&(0..100), 4096).count(), 0);
    }

    #[test]
    fn pages_in_swap_are_left_alone_and_capture_has_no_memory() {
        let tree = TestTree::new();
        tree.write("proc/7/maps", "0-3000 rw-p 00000000 00:00 0\n");
        let entries = [PRESENT, SWAPPED, PRESENT | SHARED].map(u64::to_ne_bytes).concat();
        tree.write("proc/7/pagemap", entries);
        let memory: Vec<u8> = [1, 2, 3].iter().flat_map(|byte| [*byte; 4096]).collect();
        tree.write("proc/7/mem", memory);
        assert_eq!(pages(&tree.root(), "proc/7", 4096).unwrap(), vec![1; 4096]);
        let why = read(&tree.root(), 4096, &[]).missing().unwrap().why();
        assert!(why.contains("captured"), "{why}");
    }
}
