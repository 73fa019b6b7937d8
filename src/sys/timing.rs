//! Measures on this machine the times that a swapoff consists of.

use super::memory::Mapping;
use super::open::without_links;
use crate::clock::Clock;
use crate::ffi;
use crate::model::load::{FolioAdvice, MemoryKind};
use crate::model::{Bytes, Name};
use crate::root::{FileExtent, extents};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::stat::Mode;
use nix::unistd::{SysconfVar, sysconf};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

/// Number of pages allocated per measurement.
const PAGES: u64 = 512;
const ROUNDS: usize = 3;
/// Number of grace periods to measure.
const PASSES: usize = 3;
/// `FIEMAP_EXTENT_UNWRITTEN`: allocated blocks without data.
const UNWRITTEN: u32 = 0x800;
/// Number of pages to try where most may be empty.
const LOOKS: u64 = 512;

/// The time of one page fault that allocates memory, in nanoseconds: the minimum, because the first
/// faults meet cold caches.
pub fn fault_time() -> io::Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let size = Bytes(PAGES * super::memory::page_size()? as u64);
        let mut memory = Mapping::new(MemoryKind::Anonymous, size)?;
        // A kernel without large folios uses small ones anyway.
        let _ = memory.advise(FolioAdvice::Small);
        let begun = Clock::Real.nanos();
        for page in 0..PAGES {
            let _ = memory.add_to_word(page * memory.page_size(), 1);
        }
        best = best.min((Clock::Real.nanos() - begun) as f64 / PAGES as f64);
    }
    Ok(best)
}

/// The time until all CPUs have passed through the kernel once, in nanoseconds: the minimum,
/// because idle CPUs wake up first. Fails if the call is missing or denied.
pub fn grace_period() -> Result<u64, Errno> {
    if sysconf(SysconfVar::_NPROCESSORS_ONLN)?.is_none_or(|count| count < 2) {
        return Ok(0);
    }
    let mut best = u64::MAX;
    for _ in 0..PASSES {
        let begun = Clock::Real.nanos();
        ffi::wait_grace_period()?;
        best = best.min(Clock::Real.nanos() - begun);
    }
    Ok(best)
}

/// The mean time to read this many pages at once from an area, bypassing the page cache, in
/// nanoseconds: for a number of reads in its first bytes, or as many as fit before the deadline. A
/// swap file is read through the device below, because the file system does not know that it has
/// data.
pub fn page_read_time(
    device: &Name,
    swap_file: Option<&Name>,
    (count, pages): (u64, u64),
    (first, until): (Bytes, u64),
) -> io::Result<f64> {
    let open = |path: &Name, flags| without_links(path.as_path(), flags, Mode::empty());
    let mut places = match swap_file {
        Some(path) => Some(file_extents(&File::from(open(path, OFlag::O_RDONLY)?), first)?),
        None => None,
    };
    let past_the_cache = OFlag::O_RDONLY | OFlag::O_DIRECT;
    let device = match (open(device, past_the_cache), swap_file) {
        // As in a container. Data written through the file system can be read through it as well.
        (Err(_), Some(path)) if places.as_deref().is_some_and(are_all_written) => {
            places = None;
            open(path, past_the_cache)?
        }
        (opened, _) => opened?,
    };
    let device = File::from(device);
    let at = |at| match &places {
        Some(places) => device_offset(places, at).ok_or(Errno::ENXIO),
        None => Ok(at),
    };
    let times = measure_times(&device, (first, count, pages), at, until)?;
    mean(times.into_iter().map(|(time, _)| time)).ok_or_else(|| Errno::ETIMEDOUT.into())
}

/// The mean time to read pages from a device that keeps them in memory: only of pages with data,
/// anywhere on the device, minus the time of reading an empty page.
pub fn decompress_time(device: &Name, size: Bytes, until: u64) -> io::Result<f64> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECT;
    let device = File::from(without_links(device.as_path(), flags, Mode::empty())?);
    let pages = size.0 / super::memory::page_size()? as u64;
    let times = measure_times(&device, (size, pages.min(LOOKS), 1), Ok, until)?;
    let of = |what: bool| {
        median(times.iter().filter(|(_, holds)| *holds == what).map(|(time, _)| *time))
    };
    // Without any page with data, the time is unknown.
    let held = of(true).ok_or(Errno::ENODATA)?;
    Ok((held - of(false).unwrap_or(0.0)).max(0.0))
}

/// The time of each read of this many pages, spread over the first bytes to avoid readahead below,
/// and whether it met data.
fn measure_times(
    device: &File,
    (first, count, pages): (Bytes, u64, u64),
    place: impl Fn(u64) -> Result<u64, Errno>,
    until: u64,
) -> io::Result<Vec<(u64, bool)>> {
    let size = pages * super::memory::page_size()? as u64;
    let mut memory = Mapping::new(MemoryKind::Anonymous, Bytes(size))?;
    let places = (first.0 / size).max(1);
    // The golden section spreads the positions evenly.
    let apart = (places * 618 / 1000) | 1;
    let mut times = Vec::new();
    for at in (0..count.min(places)).map(|number| number * apart % places * size) {
        if Clock::Real.nanos() > until {
            break;
        }
        let at = place(at)?;
        let room = memory.all_bytes_mut();
        let before = Clock::Real.nanos();
        device.read_exact_at(room, at)?;
        let time = Clock::Real.nanos() - before;
        times.push((time, room.iter().any(|byte| *byte != 0)));
    }
    Ok(times)
}

/// The mean without the slowest twentieth, which few reads meet by chance; waiting reads count, as
/// in a swapoff.
fn mean(times: impl Iterator<Item = u64>) -> Option<f64> {
    let mut times: Vec<u64> = times.collect();
    times.sort_unstable();
    times.truncate(times.len() - times.len() / 20);
    let all: u64 = times.iter().sum();
    (!times.is_empty()).then(|| all as f64 / times.len() as f64)
}

fn median(times: impl Iterator<Item = u64>) -> Option<f64> {
    let mut times: Vec<u64> = times.collect();
    times.sort_unstable();
    times.get(times.len() / 2).map(|time| *time as f64)
}

/// Extents of the first bytes of a file.
fn file_extents(file: &File, first: Bytes) -> Result<Vec<FileExtent>, Errno> {
    let (mut all, mut known) = (Vec::new(), 0);
    while known < first.0 {
        let more = extents(file, known, true)?;
        let end = more.last().map(|last| last.at.saturating_add(last.length));
        let Some(end) = end.filter(|end| *end > known) else { break };
        known = end;
        all.extend(more);
    }
    Ok(all)
}

/// Are all extents written, as far as the file system knows? Unwritten ones read as zeros without
/// any I/O.
fn are_all_written(places: &[FileExtent]) -> bool {
    places.iter().all(|extent| extent.flags & UNWRITTEN == 0)
}

/// The device offset of a byte in a file; `None` if unknown.
fn device_offset(places: &[FileExtent], at: u64) -> Option<u64> {
    let of = |extent: &&FileExtent| extent.at <= at && at - extent.at < extent.length;
    places.iter().find(of).map(|extent| extent.place.saturating_add(at - extent.at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_time_is_plausible() {
        let nanos = fault_time().unwrap();
        assert!((50.0..1e6).contains(&nanos), "{nanos}");
    }

    #[test]
    fn file_offsets_map_to_device_offsets() {
        let extent = |at, place| FileExtent { at, place, length: 100, ..FileExtent::default() };
        let places = [extent(0, 5000), extent(100, 700)];
        let found = [0, 99, 100, 199, 200].map(|at| device_offset(&places, at));
        assert_eq!(found, [Some(5000), Some(5099), Some(700), Some(799), None]);
        assert!(are_all_written(&places));
        let hollow = FileExtent { flags: UNWRITTEN | 1, ..places[1] };
        assert!(!are_all_written(&[places[0], hollow]));
    }

    #[test]
    fn outliers_do_not_count() {
        let of = |slow: usize| {
            let times = (0..100).map(|number| if number < slow { 1_000_000 } else { 10 });
            mean(times).map(f64::round)
        };
        assert_eq!([of(0), of(5), of(25)], [10.0, 10.0, 210_534.0].map(Some));
        assert_eq!(mean(std::iter::empty()), None);
    }

    #[test]
    fn non_files_are_not_read() {
        let error = page_read_time(&"/nothing/there".into(), None, (1, 1), (Bytes(1), u64::MAX))
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
