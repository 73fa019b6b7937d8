//! The system call that no library wraps, of those that only look.

#![expect(unsafe_code, reason = "an ioctl has no safe form")]

use super::pieces::Swapped;
use nix::errno::Errno;
use nix::libc;
use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd as _;

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
