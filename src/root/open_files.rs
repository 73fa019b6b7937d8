//! Open files: reads at any offset, long files in chunks, page tables of processes, the kernel log, and the
//! layout of a file on its disk.
//!
//! These reads are not recorded for captures: they would be larger than everything else.

use super::{Root, missing, shown};
use crate::ffi::files::{self, FileExtent, Swapped};
use crate::model::{Missing, Reading};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// Reads a file in chunks.
#[derive(Debug)]
pub struct ChunkReader {
    file: File,
    path: PathBuf,
    buffer: Vec<u8>,
}

/// The page table of a process: `/proc/PID/pagemap`.
#[derive(Debug)]
pub struct PageTable {
    file: File,
    path: PathBuf,
}

impl Root {
    /// Opens a file to read it in chunks of at most this many bytes.
    ///
    /// # Errors
    /// Fails with the reason if it cannot be opened.
    pub fn chunks(&self, path: impl AsRef<Path>, len: usize) -> Result<ChunkReader, Missing> {
        let path = path.as_ref().to_owned();
        let file = self.open_path(&path)?;
        Ok(ChunkReader { file, path, buffer: vec![0; len] })
    }

    /// Opens the page table in the folder of a process or a thread.
    ///
    /// # Errors
    /// Fails with the reason if it cannot be opened.
    pub fn page_table(&self, folder: &str) -> Result<PageTable, Missing> {
        let path = Path::new(folder).join("pagemap");
        Ok(PageTable { file: self.open_path(&path)?, path })
    }

    fn open_path(&self, path: &Path) -> Result<File, Missing> {
        self.open(path).map_err(|error| missing(path, &error))
    }
}

impl ChunkReader {
    /// Reads the next chunk; an empty one at the end.
    ///
    /// # Errors
    /// Fails with the reason if it cannot be read.
    pub fn next_chunk(&mut self) -> Result<&[u8], Missing> {
        let len = retry_interrupted(|| self.file.read(&mut self.buffer));
        let len = len.map_err(|error| missing(&self.path, &error))?;
        Ok(self.buffer.get(..len).unwrap_or_default())
    }
}

impl PageTable {
    /// Returns the first ranges of swapped-out pages within a range; `None` before 6.7, which has no such
    /// call. Ranges can overlap.
    ///
    /// # Errors
    /// Fails with the reason if it cannot be read.
    pub fn swapped(&self, within: &Range<u64>) -> Result<Option<Swapped>, Missing> {
        match files::swapped(&self.file, within) {
            Ok(found) => Ok(Some(found)),
            Err(Errno::ENOTTY) => Ok(None),
            Err(error) => Err(missing(&self.path, &error.into())),
        }
    }

    /// Reads the entries of as many pages as fit into the buffer, eight bytes each, from this page on;
    /// returns the number of bytes.
    ///
    /// # Errors
    /// Fails with the reason if it cannot be read.
    pub fn entries(&self, page: u64, room: &mut [u8]) -> Result<usize, Missing> {
        let read = || self.file.read_at(room, page.saturating_mul(8));
        retry_interrupted(read).map_err(|error| missing(&self.path, &error))
    }
}

/// Retries a read that was interrupted by a signal.
fn retry_interrupted(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// A lock on a whole file, of a kind such as `F_WRLCK`. As `F_OFD_SETLK` it belongs to the open file: the processes
/// that inherit the file hold it too, and others can ask for it without taking it.
#[expect(clippy::cast_possible_truncation, reason = "the constants of fcntl(2) are small")]
pub(crate) const fn whole_file_lock(kind: libc::c_int) -> libc::flock {
    libc::flock {
        l_type: kind as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: 0,
        l_len: 0,
        l_pid: 0,
    }
}

/// An open regular file.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
}

impl Root {
    /// Returns whether another open file has an exclusive lock, without taking it.
    pub fn is_locked(&self, path: impl AsRef<Path>) -> Reading<bool> {
        let path = path.as_ref();
        let asked = self.open(path).and_then(|file| {
            let mut lock = whole_file_lock(libc::F_WRLCK);
            fcntl(&file, FcntlArg::F_OFD_GETLK(&mut lock))?;
            Ok(i32::from(lock.l_type) != libc::F_UNLCK)
        });
        Reading::from(asked.map_err(|error| missing(path, &error))).default_if_absent()
    }

    /// Opens a regular file to read it at any offset. These reads are not recorded for captures.
    pub fn open_file(&self, path: impl AsRef<Path>) -> Reading<OpenFile> {
        let path = path.as_ref();
        let opened = self.open(path).and_then(|file| {
            if file.metadata()?.is_file() {
                return Ok(OpenFile { file });
            }
            Err(io::Error::other("it is not a regular file"))
        });
        opened.map_err(|error| missing(path, &error)).into()
    }
}

impl OpenFile {
    /// Reads from an offset; may return fewer bytes than the buffer has.
    ///
    /// # Errors
    /// Fails if the read fails.
    pub fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<usize> {
        retry_interrupted(|| self.file.read_at(into, at))
    }

    /// Fills the whole buffer from an offset.
    ///
    /// # Errors
    /// Fails if the read fails, or if the file ends before.
    pub fn fill_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(into, at)
    }
}

/// Maximum size of a record.
const RECORD: usize = 8192;
/// Maximum number of records, more than any ring buffer of the kernel has.
const MOST_RECORDS: usize = 1 << 20;
const LOG: &str = "dev/kmsg";

/// The kernel log, read up to some record.
#[derive(Debug)]
pub struct KernelLog(File);

impl KernelLog {
    /// Returns the records since the last reading, oldest first. The log has no end of file: it ends where a
    /// read would block. Records that are overwritten meanwhile are left out.
    pub fn new_records(&mut self) -> Reading<Vec<Vec<u8>>> {
        let mut records = Vec::new();
        let mut buffer = vec![0; RECORD];
        while records.len() < MOST_RECORDS {
            match self.0.read(&mut buffer) {
                Ok(0) => break,
                Ok(len) => records.push(buffer.get(..len).unwrap_or_default().to_owned()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.raw_os_error() == Some(nix::libc::EPIPE) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The records so far are not read again.
                Err(_) if !records.is_empty() => break,
                Err(error) => return missing(Path::new(LOG), &error).into(),
            }
        }
        Reading::Known(records)
    }
}

impl Root {
    /// Returns all records of the kernel log, oldest first.
    pub fn kernel_log(&self) -> Reading<Vec<Vec<u8>>> {
        self.open_kernel_log().and_then(|mut log| log.new_records())
    }

    /// Opens the kernel log at its oldest record, to follow it.
    pub fn open_kernel_log(&self) -> Reading<KernelLog> {
        if !self.is_live() {
            return Reading::failed("a captured tree has no kernel log");
        }
        let path = Path::new(LOG);
        self.open(path).map(KernelLog).map_err(|error| missing(path, &error)).into()
    }

    /// Returns the lock file that keeps others from changing swap at the same time.
    pub fn lock_file(&self) -> PathBuf {
        self.full(Path::new("run/swapadm.lock"))
    }

    /// Returns the journal file with all changes.
    pub fn journal_file(&self) -> PathBuf {
        self.full(self.journal())
    }
}

/// `FIEMAP_EXTENT_LAST`.
const LAST: u32 = 0x1;
/// Maximum number of extents counted.
const MOST: u64 = 1 << 16;

/// Maximum number of calls, however few extents each returns.
const MOST_CALLS: u64 = 1 << 12;

/// Layout of a file on its disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskLayout {
    /// Number of extents that are not adjacent to the one before.
    pub extents: u64,
    /// Offset of the first byte on the disk.
    pub first: u64,
}

impl Root {
    /// Returns the layout of a regular file on its disk; only for a live machine.
    pub fn layout(&self, path: impl AsRef<Path>) -> Reading<DiskLayout> {
        let path = path.as_ref();
        if !self.live {
            let path = shown(path);
            return Reading::failed(format!(
                "a captured tree does not contain the layout of {path}"
            ));
        }
        let file = match self.open(path) {
            Ok(file) => file,
            Err(error) => return missing(path, &error).into(),
        };
        if !file.metadata().is_ok_and(|facts| facts.is_file()) {
            return Reading::absent(format!("{} is not a regular file here", shown(path)));
        }
        match count_extents(|from| files::extents(&file, from, false)) {
            Ok(Some(layout)) => Reading::Known(layout),
            Ok(None) => Reading::absent(format!("{} has no blocks on a disk", shown(path))),
            Err(Errno::EOPNOTSUPP | Errno::ENOTTY) => Reading::absent(format!(
                "the file system of {} does not report the layout of files",
                shown(path)
            )),
            Err(error) => missing(path, &error.into()).into(),
        }
    }
}

fn count_extents(
    extents: impl Fn(u64) -> Result<Vec<FileExtent>, Errno>,
) -> Result<Option<DiskLayout>, Errno> {
    let mut layout: Option<DiskLayout> = None;
    let (mut known, mut next) = (0, None);
    for _ in 0..MOST_CALLS {
        let found = extents(known)?;
        for extent in &found {
            let layout = layout.get_or_insert(DiskLayout { extents: 0, first: extent.place });
            layout.extents += u64::from(next != Some((extent.at, extent.place)));
            let end = |from: u64| from.saturating_add(extent.length);
            next = Some((end(extent.at), end(extent.place)));
        }
        let end = next.map_or(0, |(end, _)| end);
        let is_last = found.last().is_none_or(|extent| extent.flags & LAST != 0);
        if is_last || end <= known || layout.is_some_and(|layout| layout.extents >= MOST) {
            return Ok(layout);
        }
        known = end;
    }
    Ok(layout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;
    use std::cell::Cell;

    #[test]
    fn a_file_comes_in_chunks_and_ends_with_an_empty_one() {
        let tree = TestTree::with(&[("long", "abcdefgh")]);
        let mut pieces = tree.root().chunks("long", 3).unwrap();
        let mut got = Vec::new();
        while let piece @ [_, ..] = pieces.next_chunk().unwrap() {
            got.push(piece.to_vec());
        }
        assert_eq!(got, [&b"abc"[..], b"def", b"gh"]);
        assert_eq!(tree.root().chunks("none", 3).unwrap_err().kind(), "absent");
    }

    #[test]
    fn our_own_page_table_is_read_and_scanned() {
        let table = Root::live().page_table("proc/self").unwrap();
        let place = (&raw const table).addr() as u64;
        let size = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE).unwrap().unwrap();
        let page = place / u64::try_from(size).unwrap();
        let mut entry = [0; 8];
        assert_eq!(table.entries(page, &mut entry).unwrap(), 8);
        assert_eq!(u64::from_ne_bytes(entry) >> 63, 1, "it is in memory");
        let size = u64::try_from(size).unwrap();
        // No page of it is swapped out, if the kernel has the call, and all of it was scanned.
        let within = page * size..(page + 1) * size;
        if let Some((ranges, end)) = table.swapped(&within).unwrap() {
            assert_eq!((ranges, end), (vec![], within.end));
        }
    }

    #[test]
    fn an_ordinary_file_cannot_be_scanned_but_read() {
        let tree = TestTree::with(&[("proc/7/pagemap", [7_u8; 16])]);
        let table = tree.root().page_table("proc/7").unwrap();
        assert_eq!(table.swapped(&(0..4096)), Ok(None));
        assert_eq!(table.entries(1, &mut [0; 80]), Ok(8));
    }

    fn extent(at: u64, place: u64, flags: u32) -> FileExtent {
        FileExtent { at, place, length: 5, flags, ..FileExtent::default() }
    }

    #[test]
    fn adjacent_extents_count_as_one() {
        let all = [
            extent(0, 100, 0),
            extent(5, 105, 0),
            extent(10, 200, 0),
            extent(20, 210, 0),
            extent(25, 215, LAST),
        ];
        // The kernel returns a few extents at a time.
        let from = |known| Ok(all.iter().copied().filter(|it| it.at >= known).take(2).collect());
        assert_eq!(count_extents(from), Ok(Some(DiskLayout { extents: 3, first: 100 })));
        assert_eq!(count_extents(|_| Ok(vec![])), Ok(None));
        assert_eq!(count_extents(|_| Err(Errno::ENOTTY)), Err(Errno::ENOTTY));
    }

    #[test]
    fn a_file_without_end_is_not_counted_to_its_end() {
        let calls = Cell::new(0);
        let without_end = |known| {
            calls.set(calls.get() + 1);
            Ok((0..64).map(|nth| extent(known + nth * 5, nth * 7, 0)).collect())
        };
        assert_eq!(count_extents(without_end).unwrap().unwrap().extents, MOST);
        assert_eq!(calls.get(), MOST / 64);
        calls.set(0);
        let in_order = |known| {
            calls.set(calls.get() + 1);
            Ok(vec![extent(known, known, 0)])
        };
        assert_eq!(count_extents(in_order).unwrap().unwrap().extents, 1);
        assert_eq!(calls.get(), MOST_CALLS);
        let stuck = |_| Ok(vec![extent(0, 0, 0)]);
        assert_eq!(count_extents(stuck), Ok(Some(DiskLayout { extents: 2, first: 0 })));
    }

    #[test]
    fn only_a_live_machine_knows_where_files_lie() {
        let tree = TestTree::with(&[("swap", [1_u8; 8192])]);
        assert_eq!(tree.root().layout("swap").missing().unwrap().kind(), "failed");
        assert_eq!(tree.live().layout("none").missing().unwrap().kind(), "absent");
    }
}
