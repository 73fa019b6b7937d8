//! Bounded reads of files, none of which waits for a FIFO.

use crate::model::paging::Counters;
use nix::fcntl::OFlag;
use nix::sys::resource::{Resource, getrlimit};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Maximum file size: enough for any statistics file, small enough for any machine.
pub(super) const READ_CAP: usize = 4 << 20;

/// A FIFO in a captured tree must not block the program.
pub(super) const OPEN_FLAGS: OFlag =
    OFlag::O_NONBLOCK.union(OFlag::O_NOCTTY).union(OFlag::O_CLOEXEC);

#[expect(clippy::disallowed_methods, reason = "all file access goes through here")]
pub(super) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(OPEN_FLAGS.bits()).open(path)
}

/// How the end of a file is recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// An empty read.
    EmptyRead,
    /// A read that does not fill the buffer.
    ShortRead,
}

/// Reads a file from where it stands to its end.
pub(super) fn fill(mut file: &File, end: End, bytes: &mut Vec<u8>) -> io::Result<()> {
    fill_with(|chunk, _| file.read(chunk), end, bytes)
}

/// Reads an open file again, from its beginning.
pub(super) fn fill_again(file: &File, end: End, bytes: &mut Vec<u8>) -> io::Result<()> {
    fill_with(|chunk, offset| file.read_at(chunk, offset as u64), end, bytes)
}

/// Fills the bytes with what `read` gives from an offset on.
fn fill_with(
    mut read: impl FnMut(&mut [u8], usize) -> io::Result<usize>,
    end: End,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    let mut chunk = [0_u8; 8192];
    loop {
        let read = match read(&mut chunk, bytes.len()) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.len() + read > READ_CAP {
            bytes.clear();
            return Err(io::Error::other(format!("it is larger than {READ_CAP} bytes")));
        }
        bytes.extend_from_slice(chunk.get(..read).unwrap_or_default());
        if end == End::ShortRead && read < chunk.len() {
            return Ok(());
        }
    }
}

// Statistics files stay open between samples, so that they are not looked up again for each sample. The names of their
// counters are kept too.

/// At most this many files stay open, of the 1024 that a process may have by default.
const MOST_KEPT: usize = 400;

/// Returns how many files may stay open: where the limit of the process is low, most of it is for others.
fn most_kept() -> usize {
    let limit = getrlimit(Resource::RLIMIT_NOFILE).map_or(0, |(now, _)| now / 4);
    usize::try_from(limit).unwrap_or(MOST_KEPT).min(MOST_KEPT)
}

/// The beginnings of their paths. Files of processes and cgroups are too many, and an open file would keep debugfs
/// from being unmounted.
const KEPT: [&str; 9] = [
    "proc/diskstats",
    "proc/meminfo",
    "proc/mounts",
    "proc/pressure/",
    "proc/swaps",
    "proc/vmstat",
    "sys/block/",
    "sys/kernel/mm/",
    "sys/module/zswap/",
];

/// The open files by their paths, and the counters of some when they were first read. The paths of open files, which are
/// looked up at each read, are kept as plain bytes: to compare them name by name would cost more than most reads.
#[derive(Debug, Default)]
pub(super) struct KeptFiles {
    files: Mutex<HashMap<OsString, File>>,
    counters: Mutex<HashMap<PathBuf, Counters>>,
}

impl KeptFiles {
    /// Reads a file again; none if it is not open or cannot be read any more, as after its device was removed.
    /// None as well while another thread has the files, since the kernel may be blocking its read: the caller then opens
    /// the file itself.
    pub(super) fn read(&self, path: &Path, end: End, bytes: &mut Vec<u8>) -> Option<()> {
        let mut files = self.files.try_lock().ok()?;
        let result = fill_again(files.get(path.as_os_str())?, end, bytes);
        if result.is_err() {
            files.remove(path.as_os_str());
            bytes.clear();
        }
        result.ok()
    }

    /// Keeps open a file that was just read, if it is one of those that are read at each sample.
    pub(super) fn keep(&self, path: &Path, file: File) {
        let Some(mut files) = self.files.try_lock().ok().filter(|_| is_kept(path)) else { return };
        // Devices that were removed leave files here.
        if files.len() >= most_kept() {
            files.clear();
        }
        files.insert(path.into(), file);
    }

    /// Returns the first counters of this file, whose names later ones share.
    pub(super) fn counters(&self, path: &Path) -> Option<Counters> {
        self.counters.try_lock().ok()?.get(path).cloned()
    }

    /// Keeps the counters of a file that is read at each sample.
    pub(super) fn keep_counters(&self, path: &Path, counters: &Counters) {
        let Some(mut all) = self.counters.try_lock().ok().filter(|_| is_kept(path)) else { return };
        all.insert(path.to_owned(), counters.clone());
    }
}

fn is_kept(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    KEPT.iter().any(|start| bytes.starts_with(start.as_bytes()))
}

#[cfg(test)]
mod kept_files_tests {
    use super::*;
    use crate::root::testing::TestTree;

    const FILE: &str = "proc/swaps";

    #[test]
    fn an_open_file_has_its_present_contents() {
        let tree = TestTree::with(&[(FILE, "one"), ("proc/7/status", "one")]);
        let root = tree.live().keeping_files();
        let read = || [FILE, "proc/7/status"].map(|file| root.read(file).known().cloned());
        assert_eq!(read(), [Some(b"one".to_vec()), Some(b"one".to_vec())]);
        tree.write(FILE, "a longer one");
        assert_eq!(read()[0], Some(b"a longer one".to_vec()));
        let kept = root.kept.as_ref().unwrap().files.lock().unwrap();
        assert_eq!(kept.keys().collect::<Vec<_>>(), [FILE]);
    }

    /// As after the removal of a device: another one of its name has files of its own.
    #[test]
    fn a_file_that_cannot_be_read_any_more_is_opened_again() {
        let tree = TestTree::with(&[(FILE, "here")]);
        let root = tree.live().keeping_files();
        let (pipe, _writer) = std::io::pipe().unwrap();
        root.kept
            .as_ref()
            .unwrap()
            .keep(Path::new(FILE), File::from(std::os::fd::OwnedFd::from(pipe)));
        assert_eq!(root.read(FILE).known().unwrap(), b"here");
    }

    #[test]
    fn the_number_of_open_files_is_bounded() {
        let kept = KeptFiles::default();
        for number in 0..=most_kept() {
            kept.keep(
                Path::new(&format!("sys/block/zram{number}/size")),
                crate::root::read::open(Path::new("/dev/null")).unwrap(),
            );
        }
        assert_eq!(kept.files.lock().unwrap().len(), 1);
    }
}
