//! Files that are kept open to be read here and there, those that are too long to be held and are read a
//! piece at a time, page tables of processes, and the kernel's log; and where on its disk a file lies.
//!
//! What is read here is not kept for captures: it would be longer than all the rest.

use super::ffi::{self, FileExtent, Swapped};
use super::{Root, missing, open, shown};
use crate::model::{Missing, Reading};
use nix::errno::Errno;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// A file, read from its beginning on.
#[derive(Debug)]
pub struct ChunkReader {
    file: File,
    path: PathBuf,
    buffer: Vec<u8>,
}

/// Where the pages of a process are: `/proc/PID/pagemap`.
#[derive(Debug)]
pub struct PageTable {
    file: File,
    path: PathBuf,
}

impl Root {
    /// Read a file in pieces of at most this many bytes.
    ///
    /// # Errors
    /// The reason why it cannot be opened.
    pub fn chunks(&self, path: impl AsRef<Path>, len: usize) -> Result<ChunkReader, Missing> {
        let path = path.as_ref().to_owned();
        let file = self.open_path(&path)?;
        Ok(ChunkReader { file, path, buffer: vec![0; len] })
    }

    /// The page table of a process.
    ///
    /// # Errors
    /// The reason why it cannot be opened.
    pub fn page_table(&self, pid: u32) -> Result<PageTable, Missing> {
        let path = PathBuf::from(format!("proc/{pid}/pagemap"));
        Ok(PageTable { file: self.open_path(&path)?, path })
    }

    fn open_path(&self, path: &Path) -> Result<File, Missing> {
        self.resolve(path).and_then(|full| open(&full)).map_err(|error| missing(path, &error))
    }
}

impl ChunkReader {
    /// The next piece; an empty one at the end.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn next_chunk(&mut self) -> Result<&[u8], Missing> {
        let len = retry_interrupted(|| self.file.read(&mut self.buffer));
        let len = len.map_err(|error| missing(&self.path, &error))?;
        Ok(self.buffer.get(..len).unwrap_or_default())
    }
}

impl PageTable {
    /// The first ranges of addresses, in this one, of which pages are swapped out;
    /// none before 6.7, where it cannot be asked. Ranges can overlap.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn swapped(&self, within: &Range<u64>) -> Result<Option<Swapped>, Missing> {
        match ffi::swapped(&self.file, within) {
            Ok(found) => Ok(Some(found)),
            Err(Errno::ENOTTY) => Ok(None),
            Err(error) => Err(missing(&self.path, &error.into())),
        }
    }

    /// The entries of as many pages as there is room for, eight bytes for each, from this page on;
    /// how many bytes there were.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn entries(&self, page: u64, room: &mut [u8]) -> Result<usize, Missing> {
        let read = || self.file.read_at(room, page.saturating_mul(8));
        retry_interrupted(read).map_err(|error| missing(&self.path, &error))
    }
}

/// Again when a signal came first.
fn retry_interrupted(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// A regular file that was opened.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
}

impl Root {
    /// Open a regular file, to be read from any place on. What is read of it is in no capture.
    pub fn open_file(&self, path: impl AsRef<Path>) -> Reading<OpenFile> {
        let path = path.as_ref();
        let opened = self.resolve(path).and_then(|full| open(&full)).and_then(|file| {
            if file.metadata()?.is_file() {
                return Ok(OpenFile { file });
            }
            Err(io::Error::other("it is no regular file"))
        });
        opened.map_err(|error| missing(path, &error)).into()
    }
}

impl OpenFile {
    /// Read from there on; fewer bytes than there is room for where the file gives fewer.
    ///
    /// # Errors
    /// When the read failed.
    pub fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read_at(into, at) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    /// Fill all of it from there on.
    ///
    /// # Errors
    /// When the read failed, or the file ends before.
    pub fn fill_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(into, at)
    }
}

/// A record is no longer than this.
const RECORD: usize = 8192;
/// More records than any ring of the kernel holds.
const MOST_RECORDS: usize = 1 << 20;
const LOG: &str = "dev/kmsg";

impl Root {
    /// All records that the kernel still has, oldest first. Unlike a file it does not end: there
    /// is no more where reading would wait. Records that are overwritten while we read are left
    /// out.
    pub fn kernel_log(&self) -> Reading<Vec<Vec<u8>>> {
        if !self.is_live() {
            return Reading::absent("a captured tree has no kernel log");
        }
        let path = Path::new(LOG);
        let read = self.resolve(path).and_then(|full| open(&full)).and_then(|mut log| {
            let mut records = Vec::new();
            let mut buffer = vec![0; RECORD];
            while records.len() < MOST_RECORDS {
                match log.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(len) => records.push(buffer.get(..len).unwrap_or_default().to_owned()),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    Err(error) if error.raw_os_error() == Some(nix::libc::EPIPE) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(records)
        });
        read.map_err(|error| missing(path, &error)).into()
    }

    /// The file whose lock keeps others from changing swap while we do.
    pub fn lock_file(&self) -> PathBuf {
        self.full(Path::new("run/swapadm.lock"))
    }

    /// The file in which every change stands.
    pub fn journal_file(&self) -> PathBuf {
        self.full(Path::new("var/lib/swapadm/journal.jsonl"))
    }
}

/// `FIEMAP_EXTENT_LAST`.
const LAST: u32 = 0x1;
/// Pieces that are counted at most: more say nothing more.
const MOST: u64 = 1 << 16;

/// Answers that are asked for at most, however short each is.
const MOST_CALLS: u64 = 1 << 12;

/// How a file lies on its disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskLayout {
    /// Pieces that do not go on where the last one ended.
    pub extents: u64,
    /// Where on the disk the first byte is.
    pub first: u64,
}

impl Root {
    /// How a regular file lies on its disk; only a live machine knows.
    pub fn layout(&self, path: impl AsRef<Path>) -> Reading<DiskLayout> {
        let path = path.as_ref();
        if !self.live {
            let path = shown(path);
            return Reading::absent(format!("a captured tree does not say where {path} lies"));
        }
        let file = match self.resolve(path).and_then(|full| open(&full)) {
            Ok(file) => file,
            Err(error) => return missing(path, &error).into(),
        };
        if !file.metadata().is_ok_and(|facts| facts.is_file()) {
            return Reading::absent(format!("{} is no file here", shown(path)));
        }
        match count_extents(|from| ffi::extents(&file, from, false)) {
            Ok(Some(layout)) => Reading::Known(layout),
            Ok(None) => Reading::absent(format!("{} has no place on a disk", shown(path))),
            Err(Errno::EOPNOTSUPP | Errno::ENOTTY) => Reading::absent(format!(
                "the file system of {} does not tell where files lie",
                shown(path)
            )),
            Err(error) => missing(path, &error.into()).into(),
        }
    }
}

fn count_extents(extents: impl Fn(u64) -> Result<Vec<FileExtent>, Errno>) -> Result<Option<DiskLayout>, Errno> {
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
        let table = Root::live().page_table(std::process::id()).unwrap();
        let place = (&raw const table).addr() as u64;
        let size = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE).unwrap().unwrap();
        let page = place / u64::try_from(size).unwrap();
        let mut entry = [0; 8];
        assert_eq!(table.entries(page, &mut entry).unwrap(), 8);
        assert_eq!(u64::from_ne_bytes(entry) >> 63, 1, "it is in memory");
        let size = u64::try_from(size).unwrap();
        // None of it is swapped out, if the kernel can tell; it has looked at all.
        let within = page * size..(page + 1) * size;
        if let Some((ranges, end)) = table.swapped(&within).unwrap() {
            assert_eq!((ranges, end), (vec![], within.end));
        }
    }

    #[test]
    fn an_ordinary_file_cannot_be_scanned_but_read() {
        let tree = TestTree::with(&[("proc/7/pagemap", [7_u8; 16])]);
        let table = tree.root().page_table(7).unwrap();
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
        // The kernel gives a few at a time.
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
        assert_eq!(tree.root().layout("swap").missing().unwrap().kind(), "absent");
        assert_eq!(tree.live().layout("none").missing().unwrap().kind(), "absent");
    }
}
