//! Read-only requests on files.

use nix::errno::Errno;
use nix::libc;
use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd as _;

/// Ranges of addresses, and the address where the scan stopped: there may be more after it.
pub type Swapped = (Vec<Range<u64>>, u64);

/// `PAGEMAP_SCAN`, equal on all architectures that have it.
const PAGEMAP_SCAN: libc::c_ulong = 0xc060_6610;
/// `PAGE_IS_SWAPPED`.
const SWAPPED: u64 = 1 << 4;
/// Number of ranges per call.
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

/// Returns the first ranges of swapped-out pages within a range. They can overlap.
pub(crate) fn swapped(table: &File, within: &Range<u64>) -> Result<Swapped, Errno> {
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
    // SAFETY: the kernel writes into both structures, which have its layout and outlive the call, and
    // writes at most `vec_len` regions.
    let found =
        Errno::result(unsafe { libc::ioctl(table.as_raw_fd(), PAGEMAP_SCAN as _, &raw mut scan) })?;
    let found = regions.into_iter().take(usize::try_from(found).unwrap_or(0));
    Ok((found.map(|region| region.start..region.end).collect(), scan.walk_end))
}

/// `FS_IOC_FIEMAP`, equal on all architectures.
const FIEMAP: libc::c_ulong = 0xc020_660b;
/// Number of extents per call.
const EXTENTS: usize = 64;
const ROOM: u32 = 64;

/// An extent of a file: `struct fiemap_extent`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FileExtent {
    /// Offset in the file.
    pub(crate) at: u64,
    /// Offset on the disk.
    pub(crate) place: u64,
    /// Length in bytes.
    pub(crate) length: u64,
    /// Reserved by the kernel.
    pub(crate) reserved: [u64; 2],
    /// Flags.
    pub(crate) flags: u32,
    /// Reserved by the kernel.
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

/// Returns the first extents from this byte on. Data that is not written to the disk yet has no extent,
/// unless `write` flushes it first.
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
    // SAFETY: the kernel writes at most `room` extents into this structure, which has its layout and
    // outlives the call.
    Errno::result(unsafe { libc::ioctl(file.as_raw_fd(), FIEMAP as _, &raw mut map) })?;
    let mapped = usize::try_from(map.mapped).unwrap_or(0);
    Ok(map.extents.into_iter().take(mapped).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    /// The numbers of the requests contain the sizes of the structures, as those of all ioctls.
    #[test]
    fn structures_have_the_layout_of_the_kernel() {
        let size_in = |request: libc::c_ulong| usize::try_from(request >> 16 & 0x3fff).ok();
        assert_eq!(size_in(PAGEMAP_SCAN), Some(size_of::<Scan>()));
        assert_eq!(size_in(FIEMAP), Some(offset_of!(Fiemap, extents)));
        assert_eq!((size_of::<Region>(), size_of::<FileExtent>()), (24, 56));
    }
}
