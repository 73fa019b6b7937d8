//! Replaces bytes of a device or file.

use super::open::without_links;
use crate::model::format::Patch;
use crate::model::{Bytes, Name};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::stat::{Mode, SFlag, fstat};
use nix::unistd::{Whence, fsync, lseek};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

/// The bytes to replace.
#[derive(Debug)]
pub struct Rewrite<'a> {
    /// Path of the device or file.
    pub path: &'a Name,
    /// Size that it must have.
    pub size: Bytes,
    /// Expected and new bytes of each place, written in this order.
    pub places: Vec<(&'a Patch, &'a Patch)>,
}

/// Why a file or device was not written, or not all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// The kernel's error.
    Kernel(Errno),
    /// The size is this one instead of the expected one.
    Size(Bytes),
    /// The content differs from the expected one.
    Changed,
}

impl From<Errno> for WriteError {
    fn from(error: Errno) -> Self {
        Self::Kernel(error)
    }
}

pub(super) fn rewrite(rewrite: &Rewrite<'_>) -> Result<(), WriteError> {
    // With O_EXCL no other program has a block device mounted or in use as swap while we hold it;
    // for a file it has no effect.
    let flags = OFlag::O_RDWR | OFlag::O_EXCL;
    let file = File::from(without_links(rewrite.path.as_path(), flags, Mode::empty())?);
    let kind = SFlag::from_bits_truncate(fstat(&file)?.st_mode) & SFlag::S_IFMT;
    if kind != SFlag::S_IFREG && kind != SFlag::S_IFBLK {
        return Err(WriteError::Kernel(Errno::ENOTBLK));
    }
    let size = lseek(&file, 0, Whence::SeekEnd)?;
    let size = Bytes(u64::try_from(size).unwrap_or(0));
    if size != rewrite.size {
        return Err(WriteError::Size(size));
    }
    for (from, to) in &rewrite.places {
        let is = read_at(&file, from)?;
        // Bytes that an interrupted attempt has already written are accepted.
        if is != from.bytes && is != to.bytes {
            return Err(WriteError::Changed);
        }
    }
    let written = write(&file, rewrite.places.iter().map(|(_, to)| *to));
    if written.is_err() {
        // Half of the places, or of one, would be neither old nor new. The earlier error is the one
        // to report.
        let _ = write(&file, rewrite.places.iter().map(|(from, _)| *from));
    }
    Ok(written?)
}

/// Writes bytes, and waits for the disk.
fn write<'a>(file: &File, patches: impl Iterator<Item = &'a Patch>) -> Result<(), Errno> {
    for patch in patches {
        file.write_all_at(&patch.bytes, patch.at).map_err(|error| errno(&error))?;
    }
    fsync(file)
}

/// Reads as many bytes as the patch has, at its offset.
fn read_at(file: &File, patch: &Patch) -> Result<Vec<u8>, Errno> {
    let mut bytes = vec![0; patch.bytes.len()];
    file.read_exact_at(&mut bytes, patch.at).map_err(|error| errno(&error))?;
    Ok(bytes)
}

/// The errno of an error; without one, the end was reached.
pub(super) fn errno(error: &io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::EIO, Errno::from_raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn patch(at: u64, bytes: &[u8]) -> Patch {
        Patch { at, bytes: bytes.to_vec() }
    }

    fn try_rewrite(path: &Path, size: u64, places: &[(Patch, Patch)]) -> Result<(), WriteError> {
        let path = Name::new(path.as_os_str().as_encoded_bytes());
        let places = places.iter().map(|(from, to)| (from, to)).collect();
        rewrite(&Rewrite { path: &path, size: Bytes(size), places })
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test looks at its own file")]
    fn only_expected_content_is_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap().join("x");
        std::fs::write(&path, b"abcdef").unwrap();
        let places = [(patch(0, b"ab"), patch(0, b"AB")), (patch(4, b"e"), patch(4, b"E"))];
        assert_eq!(try_rewrite(&path, 7, &places), Err(WriteError::Size(Bytes(6))));
        let other = [places[0].clone(), (patch(4, b"x"), patch(4, b"E"))];
        assert_eq!(try_rewrite(&path, 6, &other), Err(WriteError::Changed));
        assert_eq!(std::fs::read(&path).unwrap(), b"abcdef");
        assert_eq!(try_rewrite(&path, 6, &places), Ok(()));
        assert_eq!(std::fs::read(&path).unwrap(), b"ABcdEf");
        assert_eq!(try_rewrite(&path, 6, &places), Ok(()), "an interrupted attempt is completed");
    }

    #[test]
    fn symlinks_and_non_storage_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().canonicalize().unwrap();
        std::fs::create_dir(folder.join("d")).unwrap();
        std::fs::File::create_new(folder.join("d/x")).unwrap();
        std::os::unix::fs::symlink("d/x", folder.join("link")).unwrap();
        std::os::unix::fs::symlink("d", folder.join("e")).unwrap();
        for path in ["link", "e/x"] {
            let tried = try_rewrite(&folder.join(path), 0, &[]);
            assert_eq!(tried, Err(WriteError::Kernel(Errno::ELOOP)), "{path}");
        }
        let null = try_rewrite(Path::new("/dev/null"), 0, &[]);
        assert!(
            matches!(null, Err(WriteError::Kernel(Errno::ENOTBLK | Errno::EACCES))),
            "{null:?}"
        );
    }
}
