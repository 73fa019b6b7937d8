//! Private memory mappings with bounds-checked access.

use nix::errno::Errno;
use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::os::fd::BorrowedFd;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// The size of a word.
const WORD: usize = size_of::<u64>();

/// The backing of a mapping.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MappingSource<'a> {
    /// Private anonymous memory.
    Private,
    /// Shared anonymous memory.
    Shared,
    /// A file of the same size.
    File(BorrowedFd<'a>),
}

/// Words mapped for reading and writing, between two inaccessible guard pages, so that the kernel
/// cannot merge it with a neighbour.
#[derive(Debug)]
pub(crate) struct RawMapping {
    start: NonNull<u64>,
    words: usize,
    /// Size of each guard.
    guard: usize,
}

impl RawMapping {
    /// Maps this many bytes, a whole number of pages, at a multiple of `align`.
    pub(crate) fn map(
        bytes: NonZeroUsize,
        align: NonZeroUsize,
        page: usize,
        source: MappingSource<'_>,
    ) -> Result<Self, Errno> {
        let room = |more| bytes.checked_add(more);
        let reserved = room(align.get()).and_then(|all| all.checked_add(page.checked_mul(2)?));
        let reserved = reserved.ok_or(Errno::ENOMEM)?;
        let flags = MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE;
        // SAFETY: the kernel chooses a place where nothing is.
        let base = unsafe { mmap_anonymous(None, reserved, ProtFlags::PROT_NONE, flags) }?;
        let placed = reserve(base, bytes, align, page);
        let mapped = placed.and_then(|at| map_over(at, bytes, source)).inspect_err(|_| {
            // SAFETY: the range was reserved above, and nothing refers to it yet.
            let _ = unsafe { munmap(base, reserved.get()) };
        });
        let start = mapped?;
        // After an error the rest stays reserved: of what was cut off, another thread may have mapped a part.
        cut(base, reserved.get(), start, bytes.get() + page, page)?;
        Ok(Self { start: start.cast(), words: bytes.get() / WORD, guard: page })
    }

    /// Number of words.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.words
    }

    /// Advises the kernel on large folios, without changing the contents.
    pub(crate) fn advise(&self, large: bool) -> Result<(), Errno> {
        let advice = if large { MmapAdvise::MADV_HUGEPAGE } else { MmapAdvise::MADV_NOHUGEPAGE };
        // SAFETY: the range is our own mapping, and neither advice changes its contents.
        unsafe { madvise(self.start.cast(), self.words * WORD, advice) }
    }

    /// Reads one word with a real access; `None` beyond the end.
    #[inline]
    pub(crate) fn read(&self, word: usize) -> Option<u64> {
        if word >= self.words {
            return None;
        }
        // SAFETY: it is within the mapping, which lives as long as we do, and all values are
        // numbers.
        Some(unsafe { self.start.add(word).read_volatile() })
    }

    /// Adds to one word with a single writing access; `None` beyond the end.
    #[inline]
    pub(crate) fn add(&mut self, word: usize, more: u64) -> Option<()> {
        if word >= self.words {
            return None;
        }
        // SAFETY: as above, it is aligned, and nobody else has it while we are borrowed for
        // writing.
        let word = unsafe { AtomicU64::from_ptr(self.start.add(word).as_ptr()) };
        word.fetch_add(more, Ordering::Relaxed);
        Some(())
    }

    /// A range of words; `None` if part of it is beyond the end.
    #[inline]
    pub(crate) fn words(&self, first: usize, count: usize) -> Option<&[u64]> {
        if first.checked_add(count)? > self.words {
            return None;
        }
        // SAFETY: they are within the mapping, which was zero at first; they cannot be written
        // while we are borrowed. Children that were forked share no memory that they write: they
        // make their own, or have private memory, which is copied for them.
        Some(unsafe { std::slice::from_raw_parts(self.start.add(first).as_ptr(), count) })
    }

    /// A mutable range of words; `None` if part of it is beyond the end.
    #[inline]
    pub(crate) fn words_mut(&mut self, first: usize, count: usize) -> Option<&mut [u64]> {
        if first.checked_add(count)? > self.words {
            return None;
        }
        // SAFETY: as above, and we are borrowed for writing.
        Some(unsafe { std::slice::from_raw_parts_mut(self.start.add(first).as_ptr(), count) })
    }

    /// A mutable range of words, as bytes.
    #[inline]
    pub(crate) fn bytes_mut(&mut self, first: usize, count: usize) -> Option<&mut [u8]> {
        let words = self.words_mut(first, count)?;
        // SAFETY: the same memory, which is as long, and any bytes make a word.
        Some(unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), count * WORD) })
    }
}

impl Drop for RawMapping {
    fn drop(&mut self) {
        let bytes = self.words * WORD + 2 * self.guard;
        // SAFETY: the guards belong to the mapping, and nobody has borrowed from it any more. The
        // kernel refuses only what would split a mapping, and this one is whole.
        let _ = unsafe { munmap(self.start.byte_sub(self.guard).cast(), bytes) };
    }
}

/// The first aligned position in the reserved range with a guard before it.
fn reserve(
    base: NonNull<c_void>,
    bytes: NonZeroUsize,
    align: NonZeroUsize,
    page: usize,
) -> Result<NonZeroUsize, Errno> {
    let at = base
        .addr()
        .checked_add(page)
        .and_then(|first| NonZeroUsize::new(first.get().checked_next_multiple_of(align.get())?));
    // The kernel has reserved more, so this cannot overflow.
    at.filter(|at| at.checked_add(bytes.get()).is_some()).ok_or(Errno::ENOMEM)
}

/// Maps memory over a reserved range.
fn map_over(
    at: NonZeroUsize,
    bytes: NonZeroUsize,
    source: MappingSource<'_>,
) -> Result<NonNull<c_void>, Errno> {
    let rights = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
    // Workloads may map more than exists: the cgroup limits them, and the guard stops them.
    let fixed = MapFlags::MAP_FIXED | MapFlags::MAP_NORESERVE;
    match source {
        // SAFETY: the range lies within what was reserved for it, and nobody uses that.
        MappingSource::Private => unsafe {
            mmap_anonymous(Some(at), bytes, rights, fixed | MapFlags::MAP_PRIVATE)
        },
        // SAFETY: as above.
        MappingSource::Shared => unsafe {
            mmap_anonymous(Some(at), bytes, rights, fixed | MapFlags::MAP_SHARED)
        },
        // SAFETY: as above; the file has no name, so that nobody else makes it shorter.
        MappingSource::File(file) => unsafe {
            mmap(Some(at), bytes, rights, fixed | MapFlags::MAP_SHARED, file, 0)
        },
    }
}

/// Unmaps the reserved range before the front guard, and everything `kept` bytes after the start.
fn cut(
    base: NonNull<c_void>,
    reserved: usize,
    start: NonNull<c_void>,
    kept: usize,
    guard: usize,
) -> Result<(), Errno> {
    let before = start.addr().get() - base.addr().get() - guard;
    let after = reserved - before - guard - kept;
    if before > 0 {
        // SAFETY: it is reserved by us, and nobody uses it.
        unsafe { munmap(base, before) }?;
    }
    if after > 0 {
        // SAFETY: as above; it begins within what is reserved.
        unsafe { munmap(start.byte_add(kept), after) }?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::ManuallyDrop;

    /// Words of the heap that are never unmapped: Miri, which checks each access, knows no mapping without access,
    /// such as the guards.
    fn on_heap(words: &mut Vec<u64>) -> ManuallyDrop<RawMapping> {
        let start = NonNull::new(words.as_mut_ptr()).expect("words are somewhere");
        ManuallyDrop::new(RawMapping { start, words: words.len(), guard: 0 })
    }

    #[test]
    fn each_access_stays_within_the_words() {
        let mut heap = vec![1, 2, 3, 4];
        let mut words = on_heap(&mut heap);
        assert_eq!((words.len(), words.read(3), words.read(4)), (4, Some(4), None));
        assert_eq!((words.add(0, 9), words.add(4, 9)), (Some(()), None));
        assert_eq!(words.words(0, 4), Some(&[10, 2, 3, 4][..]));
        assert_eq!((words.words(4, 0), words.words(4, 1)), (Some(&[][..]), None));
        assert_eq!(words.words(usize::MAX, 1), None, "the end overflows");
        words.words_mut(1, 2).expect("they are there").fill(7);
        let bytes = words.bytes_mut(3, 1).expect("it is there");
        bytes.fill(0xff);
        assert_eq!(words.words(0, 4), Some(&[10, 7, 7, u64::MAX][..]));
        assert_eq!(words.words_mut(2, 3), None);
    }
}
