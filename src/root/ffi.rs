//! The system calls that no library wraps, of those that only look.

#![expect(unsafe_code, reason = "an ioctl has no safe form")]

use nix::errno::Errno;
use nix::libc;
use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd as _;

/// Ranges of addresses, and where the kernel looked last: there may be more behind that.
pub type Swapped = (Vec<Range<u64>>, u64);

/// `PAGEMAP_SCAN`, the same on all machines that have it.
const PAGEMAP_SCAN: libc::c_ulong = 0xc060_6610;
/// `PAGE_IS_SWAPPED`.
const SWAPPED: u64 = 1 << 4;
/// How many ranges are asked for at once.
const RANGES: usize = 512;

/// `struct page_region`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Region {
    start: u64,
    end: u64,
    categories: u64,
}

/// `struct pm_scan_arg`.
#[repr(C)]
#[derive(Default)]
struct Scan {
    size: u64,
    flags: u64,
    start: u64,
    end: u64,
    walk_end: u64,
    vec: u64,
    vec_len: u64,
    max_pages: u64,
    inverted: u64,
    mask: u64,
    any_of: u64,
    returned: u64,
}

/// The first ranges of addresses, in this one, of which pages are swapped out. They can overlap.
pub(super) fn swapped(table: &File, within: &Range<u64>) -> Result<Swapped, Errno> {
    let mut regions = [Region::default(); RANGES];
    let mut scan = Scan {
        size: size_of::<Scan>() as u64,
        start: within.start,
        end: within.end,
        vec: regions.as_mut_ptr() as u64,
        vec_len: RANGES as u64,
        mask: SWAPPED,
        returned: SWAPPED,
        ..Scan::default()
    };
    // SAFETY: the kernel writes into both structures, which have the layout of its own and outlive
    // the call, and no more regions than `vec_len` says.
    let found =
        Errno::result(unsafe { libc::ioctl(table.as_raw_fd(), PAGEMAP_SCAN as _, &raw mut scan) })?;
    let found = regions.into_iter().take(usize::try_from(found).unwrap_or(0));
    Ok((found.map(|region| region.start..region.end).collect(), scan.walk_end))
}

/// `FS_IOC_FIEMAP`, the same on all machines.
const FIEMAP: libc::c_ulong = 0xc020_660b;
/// How many extents are asked for at once.
const EXTENTS: usize = 64;
const ROOM: u32 = 64;

/// Which bytes of a file have which place: `struct fiemap_extent`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FileExtent {
    /// Where in the file.
    pub(crate) at: u64,
    /// Where on the disk.
    pub(crate) place: u64,
    /// How long.
    pub(crate) length: u64,
    /// Of the kernel's.
    pub(crate) reserved: [u64; 2],
    /// What is special about it.
    pub(crate) flags: u32,
    /// The same.
    pub(crate) more_reserved: [u32; 3],
}

/// `struct fiemap` with room for extents.
#[repr(C)]
struct Fiemap {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    room: u32,
    reserved: u32,
    extents: [FileExtent; EXTENTS],
}

/// The first extents from this byte on. Unless it is written first, what was not written yet has no
/// place.
pub(crate) fn extents(file: &File, start: u64, write: bool) -> Result<Vec<FileExtent>, Errno> {
    let mut map = Fiemap {
        start,
        length: u64::MAX - start,
        flags: u32::from(write),
        mapped: 0,
        room: ROOM,
        reserved: 0,
        extents: [FileExtent::default(); EXTENTS],
    };
    // SAFETY: the kernel writes as many extents as `room` says, into this structure, which has the
    // layout of its own and outlives the call.
    Errno::result(unsafe { libc::ioctl(file.as_raw_fd(), FIEMAP as _, &raw mut map) })?;
    let mapped = usize::try_from(map.mapped).unwrap_or(0);
    Ok(map.extents.into_iter().take(mapped).collect())
}
