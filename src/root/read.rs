//! Bounded reads of files, none of which waits for a FIFO.

use nix::fcntl::OFlag;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

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

/// Reads a file that was read before from its beginning.
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
