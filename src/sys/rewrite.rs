//! Bytes of a device or file that are replaced by others.

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

/// What is replaced where.
#[derive(Debug)]
pub struct Rewrite<'a> {
    /// The device or file.
    pub path: &'a Name,
    /// How large it must be.
    pub size: Bytes,
    /// What must be in each place, and what shall be; they are written in this order.
    pub places: Vec<(&'a Patch, &'a Patch)>,
}

/// Why something was not written, or not all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewriteError {
    /// What the kernel answered.
    Kernel(Errno),
    /// It has another size.
    Size(Bytes),
    /// It holds something else than it should.
    Changed,
}

impl From<Errno> for RewriteError {
    fn from(error: Errno) -> Self {
        Self::Kernel(error)
    }
}

pub(super) fn rewrite(rewrite: &Rewrite<'_>) -> Result<(), RewriteError> {
    // With O_EXCL nobody has a block device mounted, or in use as swap, as long as we have it; to a
    // file it means nothing.
    let flags = OFlag::O_RDWR | OFlag::O_EXCL;
    let file = File::from(without_links(rewrite.path.as_path(), flags, Mode::empty())?);
    let kind = SFlag::from_bits_truncate(fstat(&file)?.st_mode) & SFlag::S_IFMT;
    if kind != SFlag::S_IFREG && kind != SFlag::S_IFBLK {
        return Err(RewriteError::Kernel(Errno::ENOTBLK));
    }
    let size = lseek(&file, 0, Whence::SeekEnd)?;
    let size = Bytes(u64::try_from(size).unwrap_or(0));
    if size != rewrite.size {
        return Err(RewriteError::Size(size));
    }
    for (from, to) in &rewrite.places {
        let is = read_at(&file, from)?;
        // What an attempt that was cut off wrote already is as good.
        if is != from.bytes && is != to.bytes {
            return Err(RewriteError::Changed);
        }
    }
    for (_, to) in &rewrite.places {
        file.write_all_at(&to.bytes, to.at).map_err(|error| errno(&error))?;
    }
    Ok(fsync(&file)?)
}

/// As much as the patch has, from its place.
fn read_at(file: &File, patch: &Patch) -> Result<Vec<u8>, Errno> {
    let mut bytes = vec![0; patch.bytes.len()];
    file.read_exact_at(&mut bytes, patch.at).map_err(|error| errno(&error))?;
    Ok(bytes)
}

/// What the kernel said; that it said nothing means that the end was met.
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

    fn try_rewrite(path: &Path, size: u64, places: &[(Patch, Patch)]) -> Result<(), RewriteError> {
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
        assert_eq!(try_rewrite(&path, 7, &places), Err(RewriteError::Size(Bytes(6))));
        let other = [places[0].clone(), (patch(4, b"x"), patch(4, b"E"))];
        assert_eq!(try_rewrite(&path, 6, &other), Err(RewriteError::Changed));
        assert_eq!(std::fs::read(&path).unwrap(), b"abcdef");
        assert_eq!(try_rewrite(&path, 6, &places), Ok(()));
        assert_eq!(std::fs::read(&path).unwrap(), b"ABcdEf");
        assert_eq!(try_rewrite(&path, 6, &places), Ok(()), "what was cut off is written to its end");
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
            assert_eq!(tried, Err(RewriteError::Kernel(Errno::ELOOP)), "{path}");
        }
        let null = try_rewrite(Path::new("/dev/null"), 0, &[]);
        assert!(
            matches!(null, Err(RewriteError::Kernel(Errno::ENOTBLK | Errno::EACCES))),
            "{null:?}"
        );
    }
}
