//! Brings pages of a process back from swap.
//!
//! One byte of each swapped page is read through `/proc/PID/mem`: the kernel then handles the fault as if
//! the process had touched the page, and maps it. `process_madvise(MADV_WILLNEED)` would read pages into the
//! swap cache only, where they still count as swapped. Shared memory is left out: its swapped pages are in no
//! page table.

use crate::model::Name;
use crate::root::{Root, parse_u64};
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::FileExt as _;

/// The word of the order.
pub const SWAP_IN: &str = "swap-in";

/// Entries of a page map that are read at once.
const ENTRIES: usize = 512;
/// Size of an entry.
const ENTRY: usize = size_of::<u64>();
/// Bits of an entry: the page is in memory, the page is in swap.
const PRESENT: u64 = 1 << 63;
const SWAPPED: u64 = 1 << 62;
/// Fraction of memory that stays available, up to a maximum in bytes.
const RESERVE_DIVISOR: u64 = 16;
const MAX_RESERVE: u64 = 512 << 20;

/// The folder of the process whose memory this file is, or of its thread: `/proc/PID`, `/proc/PID/task/TID`.
pub fn process_folder(file: &Name) -> Option<&str> {
    let folder = std::str::from_utf8(file.as_bytes()).ok()?.strip_suffix("/mem")?;
    let numbers = folder.strip_prefix("/proc/")?;
    let (pid, thread) = numbers.split_once("/task/").unwrap_or((numbers, numbers));
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    (is_number(pid) && is_number(thread)).then_some(folder)
}

/// Reads the swapped pages of a process. Stops with ENOMEM before memory runs out.
pub(super) fn swap_in(file: &Name) -> Result<(), Errno> {
    let folder = process_folder(file).ok_or(Errno::EINVAL)?;
    let root = Root::live();
    let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC;
    let memory = File::from(open(file.as_path(), flags, Mode::empty())?);
    let pagemap = File::from(open(format!("{folder}/pagemap").as_str(), flags, Mode::empty())?);
    let maps = File::from(open(format!("{folder}/maps").as_str(), flags, Mode::empty())?);
    let page = super::memory::page_size()? as u64;
    for line in BufReader::new(maps).split(b'\n') {
        let line =
            line.map_err(|error| Errno::from_raw(error.raw_os_error().unwrap_or_default()))?;
        if let Some((start, end)) = range(&line) {
            touch(&memory, &pagemap, (start / page, end / page), page, &root)?;
        }
    }
    Ok(())
}

/// The addresses of a line of `maps` that can be read.
fn range(line: &[u8]) -> Option<(u64, u64)> {
    let mut fields = line.split(|byte| *byte == b' ');
    let addresses = std::str::from_utf8(fields.next()?).ok()?;
    fields.next().filter(|rights| rights.starts_with(b"r"))?;
    let (start, end) = addresses.split_once('-')?;
    Some((u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?))
}

/// Touches the swapped ones of these pages.
fn touch(
    memory: &File,
    pagemap: &File,
    (mut first, end): (u64, u64),
    page: u64,
    root: &Root,
) -> Result<(), Errno> {
    let mut buffer = [0_u8; ENTRIES * ENTRY];
    while first < end {
        // Addresses beyond the page tables, such as vsyscall, have no entries.
        let read = pagemap.read_at(&mut buffer, first.saturating_mul(ENTRY as u64)).unwrap_or(0);
        let (entries, _) = buffer.get(..read).unwrap_or_default().as_chunks::<ENTRY>();
        if entries.is_empty() {
            return Ok(());
        }
        let is_swapped = |entry: &[u8; ENTRY]| {
            let entry = u64::from_ne_bytes(*entry);
            entry & PRESENT == 0 && entry & SWAPPED != 0
        };
        let places = (first..end).zip(entries).filter(|(_, entry)| is_swapped(entry));
        let mut swapped = places.map(|(place, _)| place).peekable();
        if swapped.peek().is_some() && is_short(root) {
            return Err(Errno::ENOMEM);
        }
        for place in swapped {
            // A page that is gone by now needs no reading.
            let _ = memory.read_at(&mut [0], place.saturating_mul(page));
        }
        first = first.saturating_add(entries.len() as u64);
    }
    Ok(())
}

/// Is so little memory available that the machine would swap other pages out?
fn is_short(root: &Root) -> bool {
    let text = root.read("proc/meminfo").into_result().unwrap_or_default();
    let field = |name: &[u8]| {
        let line = text.split(|byte| *byte == b'\n').find(|line| line.starts_with(name))?;
        let number = line.split(|byte| *byte == b' ').find_map(parse_u64)?;
        Some(number.saturating_mul(1024))
    };
    let (available, total) = (field(b"MemAvailable:"), field(b"MemTotal:"));
    let reserve = |total: u64| (total / RESERVE_DIVISOR).min(MAX_RESERVE);
    available.zip(total).is_none_or(|(available, total)| available < reserve(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_memory_of_a_process_is_read() {
        for folder in ["/proc/12", "/proc/12/task/13"] {
            assert_eq!(process_folder(&format!("{folder}/mem").as_str().into()), Some(folder));
        }
        let others = ["/proc/self/mem", "/proc/12/maps", "/proc/1/../2/mem", "/dev/mem"];
        for other in
            [&others[..], &["/proc/12/task/self/mem", "/proc/12/task/1/task/2/mem"]].concat()
        {
            assert_eq!(process_folder(&other.into()), None, "{other}");
        }
        assert_eq!(range(b"7f00-7f10 rw-p 00 00:00 0 [heap]"), Some((0x7f00, 0x7f10)));
        assert_eq!(range(b"7f00-7f10 ---p 00 00:00 0"), None);
        assert_eq!(range(b""), None);
    }
}
