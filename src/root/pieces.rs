//! Files that are too long to be held, a piece at a time, and page tables of processes.
//!
//! What is read here is not kept for captures: it would be longer than all the rest.

use super::{Root, ffi, missing, open};
use crate::model::Missing;
use nix::errno::Errno;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// A file, read from its beginning on.
#[derive(Debug)]
pub struct Pieces {
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

/// Ranges of addresses, and where the kernel looked last: there may be more behind that.
pub type Swapped = (Vec<Range<u64>>, u64);

impl Root {
    /// Read a file in pieces of at most this many bytes.
    ///
    /// # Errors
    /// The reason why it cannot be opened.
    pub fn pieces(&self, path: impl AsRef<Path>, len: usize) -> Result<Pieces, Missing> {
        let path = path.as_ref().to_owned();
        let file = self.opened(&path)?;
        Ok(Pieces { file, path, buffer: vec![0; len] })
    }

    /// The page table of a process.
    ///
    /// # Errors
    /// The reason why it cannot be opened.
    pub fn page_table(&self, pid: u32) -> Result<PageTable, Missing> {
        let path = PathBuf::from(format!("proc/{pid}/pagemap"));
        Ok(PageTable { file: self.opened(&path)?, path })
    }

    fn opened(&self, path: &Path) -> Result<File, Missing> {
        self.inside(path).and_then(|full| open(&full)).map_err(|error| missing(path, &error))
    }
}

impl Pieces {
    /// The next piece; an empty one at the end.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn next_piece(&mut self) -> Result<&[u8], Missing> {
        let len = patiently(|| self.file.read(&mut self.buffer));
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
        patiently(read).map_err(|error| missing(&self.path, &error))
    }
}

/// Again when a signal came first.
fn patiently(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::Tree;

    #[test]
    fn a_file_comes_in_pieces_and_ends_with_an_empty_one() {
        let tree = Tree::with(&[("long", "abcdefgh")]);
        let mut pieces = tree.root().pieces("long", 3).unwrap();
        let mut got = Vec::new();
        while let piece @ [_, ..] = pieces.next_piece().unwrap() {
            got.push(piece.to_vec());
        }
        assert_eq!(got, [&b"abc"[..], b"def", b"gh"]);
        assert_eq!(tree.root().pieces("none", 3).unwrap_err().kind(), "absent");
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
        let tree = Tree::with(&[("proc/7/pagemap", [7_u8; 16])]);
        let table = tree.root().page_table(7).unwrap();
        assert_eq!(table.swapped(&(0..4096)), Ok(None));
        assert_eq!(table.entries(1, &mut [0; 80]), Ok(8));
    }
}
