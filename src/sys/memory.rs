//! Memory of workloads, mapped so that large folios are possible.

use crate::ffi::memory::{MappingSource, RawMapping};
use crate::model::Bytes;
use crate::model::load::{FolioAdvice, MemoryKind};
use nix::errno::Errno;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::resource::{Resource, getrlimit};
use nix::unistd::{SysconfVar, ftruncate, sysconf};
use std::io;
use std::num::NonZeroUsize;
use std::os::fd::AsFd as _;

/// Alignment of large mappings: the size of the largest folio with a page table entry of its own,
/// on machines with small pages.
const LARGE: usize = 2 << 20;
/// The size of a word.
const WORD: usize = size_of::<u64>();

/// A mapping of whole pages, with guard pages on both sides.
#[derive(Debug)]
pub struct Mapping {
    area: RawMapping,
    page: usize,
}

impl Mapping {
    /// Maps memory, rounded up to pages. Mappings of 2 MiB or more are aligned to 2 MiB. The error
    /// says which limit may be the reason.
    pub fn new(kind: MemoryKind, size: Bytes) -> io::Result<Self> {
        let align = if size.0 >= LARGE as u64 { LARGE } else { 1 };
        Self::map(kind, size, align).map_err(|error| map_error(size, error))
    }

    /// Maps a block whose size is a power of two, aligned to its size.
    pub fn block(kind: MemoryKind, size: Bytes) -> io::Result<Self> {
        let align = usize::try_from(size.0).unwrap_or(usize::MAX);
        Self::map(kind, size, align).map_err(|error| map_error(size, error))
    }

    fn map(kind: MemoryKind, size: Bytes, align: usize) -> Result<Self, Errno> {
        let page = page_size()?;
        let bytes = usize::try_from(size.0)
            .ok()
            .and_then(|size| NonZeroUsize::new(size.max(1).checked_next_multiple_of(page)?));
        let bytes = bytes.ok_or(Errno::ENOMEM)?;
        let align = NonZeroUsize::new(align.max(page)).ok_or(Errno::EINVAL)?;
        let area = match kind {
            MemoryKind::Anonymous | MemoryKind::Forked => {
                RawMapping::map(bytes, align, page, MappingSource::Private)
            }
            MemoryKind::Shared => RawMapping::map(bytes, align, page, MappingSource::Shared),
            MemoryKind::Memfd => {
                let file = memfd_create(c"load", MFdFlags::MFD_CLOEXEC)?;
                let length = i64::try_from(bytes.get()).map_err(|_| Errno::ENOMEM)?;
                ftruncate(&file, length)?;
                RawMapping::map(bytes, align, page, MappingSource::File(file.as_fd()))
            }
        }?;
        Ok(Self { area, page })
    }

    /// Advises the kernel whether large folios are wanted. Fails on kernels without them.
    pub fn advise(&self, advice: FolioAdvice) -> io::Result<()> {
        let (large, name) = match advice {
            FolioAdvice::None => return Ok(()),
            FolioAdvice::Large => (true, "MADV_HUGEPAGE"),
            FolioAdvice::Small => (false, "MADV_NOHUGEPAGE"),
        };
        self.area.advise(large).map_err(|error| {
            io::Error::other(if error == Errno::EINVAL {
                format!(
                    "madvise({name}): this kernel has no large folios; give the workload the advice \
                     \"none\""
                )
            } else {
                format!("madvise({name}): {}", error.desc())
            })
        })
    }

    /// The size of a page.
    pub fn page_size(&self) -> u64 {
        self.page as u64
    }

    /// Number of pages.
    pub fn pages(&self) -> u64 {
        (self.area.len() / self.words_of_page()) as u64
    }

    #[inline]
    fn words_of_page(&self) -> usize {
        self.page / WORD
    }

    /// Index of the first word of a page.
    #[inline]
    fn first(&self, page: u64) -> Option<usize> {
        usize::try_from(page).ok()?.checked_mul(self.words_of_page())
    }

    /// Reads the word at this byte offset with a real access; `None` beyond the end.
    #[inline]
    pub fn read_word(&self, offset: u64) -> Option<u64> {
        self.area.read(usize::try_from(offset).ok()? / WORD)
    }

    /// Adds to the word at this byte offset with one access: a read followed by a write would fault
    /// twice on a page in swap. `None` beyond the end.
    #[inline]
    pub fn add_to_word(&mut self, offset: u64, more: u64) -> Option<()> {
        self.area.add(usize::try_from(offset).ok()? / WORD, more)
    }

    /// The words of a page; `None` beyond the end.
    #[inline]
    pub fn page(&self, page: u64) -> Option<&[u64]> {
        self.area.words(self.first(page)?, self.words_of_page())
    }

    /// The mutable words of a page.
    #[inline]
    pub fn page_mut(&mut self, page: u64) -> Option<&mut [u64]> {
        self.area.words_mut(self.first(page)?, self.words_of_page())
    }

    /// The mutable bytes of a page.
    #[inline]
    pub fn bytes_mut(&mut self, page: u64) -> Option<&mut [u8]> {
        self.area.bytes_mut(self.first(page)?, self.words_of_page())
    }

    /// The mutable bytes of all pages.
    pub fn all_bytes_mut(&mut self) -> &mut [u8] {
        self.area.bytes_mut(0, self.area.len()).unwrap_or_default()
    }

    /// Unmaps it now instead of at drop.
    pub fn unmap(self) {
        drop(self);
    }
}

/// The page size of this machine.
pub fn page_size() -> Result<usize, Errno> {
    let size = sysconf(SysconfVar::PAGE_SIZE)?.and_then(|size| usize::try_from(size).ok());
    size.filter(|size| size.is_power_of_two()).ok_or(Errno::EINVAL)
}

/// Explains why the kernel may have refused a mapping, and what to do.
fn map_error(size: Bytes, error: Errno) -> io::Error {
    let bytes = size.0;
    if error != Errno::ENOMEM {
        return io::Error::other(format!("cannot map {bytes} bytes of memory: {}", error.desc()));
    }
    let limit = getrlimit(Resource::RLIMIT_AS).ok().map(|(soft, _)| soft);
    io::Error::other(match limit.filter(|limit| *limit < bytes.saturating_add(LARGE as u64)) {
        Some(limit) => format!(
            "cannot map {bytes} bytes of memory: the address space limit is {limit} bytes; raise it \
             with ulimit -v, or make the load smaller"
        ),
        None => format!(
            "cannot map {bytes} bytes of memory: the kernel refuses, as it is more than memory \
             and swap (vm.overcommit_memory), or too many mappings (vm.max_map_count); make the \
             load smaller"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [MemoryKind; 4] =
        [MemoryKind::Anonymous, MemoryKind::Shared, MemoryKind::Memfd, MemoryKind::Forked];

    fn page() -> u64 {
        page_size().unwrap() as u64
    }

    #[test]
    fn every_mapping_starts_zeroed_and_keeps_writes() {
        for kind in KINDS {
            let mut memory = Mapping::new(kind, Bytes(3 * page() - 5)).unwrap();
            assert_eq!((memory.pages(), memory.page_size()), (3, page()));
            assert!(memory.page(2).unwrap().iter().all(|word| *word == 0));
            let last = 3 * page() - 8;
            assert_eq!(memory.add_to_word(last, 7), Some(()));
            memory.page_mut(0).unwrap().fill(3);
            memory.bytes_mut(1).unwrap().fill(1);
            assert_eq!(memory.read_word(last), Some(7));
            assert_eq!(memory.read_word(page() - 8), Some(3));
            assert_eq!(memory.read_word(page()), Some(0x0101_0101_0101_0101));
            for beyond in [3 * page(), u64::MAX] {
                assert_eq!(memory.read_word(beyond), None);
                assert_eq!(memory.add_to_word(beyond, 1), None);
                assert!(memory.page(beyond).is_none() && memory.bytes_mut(beyond).is_none());
            }
            assert!(memory.page(3).is_none() && memory.page_mut(3).is_none());
            memory.unmap();
        }
    }

    #[test]
    fn large_mapping_is_aligned_for_large_folios() {
        for kind in KINDS {
            let large = Mapping::new(kind, Bytes(LARGE as u64 + 1)).unwrap();
            let small = Mapping::new(kind, Bytes(LARGE as u64 - 1)).unwrap();
            let address = |memory: &Mapping| memory.page(0).unwrap().as_ptr() as usize;
            assert_eq!(address(&large) % LARGE, 0);
            assert_eq!(address(&small) % page_size().unwrap(), 0);
        }
    }

    #[test]
    fn adding_to_a_word_costs_one_fault() {
        use crate::sys::process::faults;
        let mut memory = Mapping::block(MemoryKind::Anonymous, Bytes(64 * page())).unwrap();
        let before = faults().unwrap();
        for number in 0..64 {
            memory.add_to_word(number * page(), 1).unwrap();
        }
        let met = faults().unwrap().minor - before.minor;
        assert!((1..100).contains(&met), "{met}");
    }

    /// Each block is a separate mapping of exactly its size, as listed by the kernel.
    #[test]
    fn adjacent_blocks_are_not_merged() {
        let size = 16 * page();
        let blocks: Vec<Mapping> =
            (0..50).map(|_| Mapping::block(MemoryKind::Anonymous, Bytes(size)).unwrap()).collect();
        let maps = crate::root::Root::live().text("proc/self/maps").known().unwrap().clone();
        for block in &blocks {
            let start = block.page(0).unwrap().as_ptr() as u64;
            assert_eq!(start % size, 0);
            let line = format!("{start:x}-{:x} rw-p", start + size);
            assert!(maps.lines().any(|known| known.starts_with(&line)), "{line} is not in {maps}");
        }
    }

    #[test]
    fn unmapped_memory_is_returned() {
        let memory = Mapping::block(MemoryKind::Anonymous, Bytes(64 * page())).unwrap();
        let start = memory.page(0).unwrap().as_ptr() as u64;
        let line = format!("{start:x}-{:x} rw-p", start + 64 * page());
        let listed = || {
            let maps = crate::root::Root::live().text("proc/self/maps").known().unwrap().clone();
            maps.lines().any(|known| known.starts_with(&line))
        };
        assert!(listed());
        memory.unmap();
        assert!(!listed());
    }

    #[test]
    fn map_error_says_what_to_do() {
        for size in [1 << 60, u64::MAX] {
            for kind in KINDS {
                let error = Mapping::new(kind, Bytes(size)).unwrap_err().to_string();
                assert!(error.contains(&format!("cannot map {size} bytes")), "{error}");
            }
        }
        let error = Mapping::new(MemoryKind::Anonymous, Bytes(1 << 60)).unwrap_err().to_string();
        assert!(error.ends_with("make the load smaller"), "{error}");
    }
}
