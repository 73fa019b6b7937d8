//! Swap files: made whole or not at all.
//!
//! A file is made without a name (`O_TMPFILE`), gets its place on the disk, its header and its
//! rights, is written out, and only then appears under its name, which fails where there is
//! something. Whoever is killed before leaves nothing: the kernel takes back what has no name.

use super::open::without_links;
use super::rewrite::{RewriteError, errno};
use super::{ffi, label};
use crate::model::format::SwapFileSpec;
use crate::model::{Bytes, Name};
use crate::root::{FileExtent, extents};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, FallocateFlags, OFlag, fallocate, openat};
use nix::sys::stat::{FileStat, Mode, SFlag, fchmod, fstat, fstatat};
use nix::sys::statfs::{BTRFS_SUPER_MAGIC, fstatfs};
use nix::unistd::{UnlinkatFlags, fsync, linkat, unlinkat};
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::FileExt as _;

/// Only root reads and writes it.
const MODE: Mode = Mode::from_bits_truncate(0o600);
/// So much gets its place at once, between two looks at whether to go on.
const STEP: u64 = 1 << 30;
/// The same where zeros have to be written.
const ZEROS: usize = 4 << 20;
/// So many of those are waited for until the disk has them.
const SYNCED: u64 = 64 << 20;
/// `FS_COMPR_FL`, `FS_ENCRYPT_FL`, `FS_NOCOW_FL`.
const COMPRESSED: u32 = 0x4;
const ENCRYPTED: u32 = 0x800;
const NOCOW: u32 = 0x80_0000;
/// `FIEMAP_EXTENT_LAST`, and all that swap cannot lie on: a place that is unknown, not yet chosen,
/// encoded, encrypted, not aligned, inside of other data, at the end of it, or shared.
const LAST: u32 = 0x1;
const SHARED_PLACE: u32 = 0x2000;
const UNFIT: u32 = 0x2 | 0x4 | 0x8 | 0x80 | 0x100 | 0x200 | 0x400 | SHARED_PLACE;

/// Why a file was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateFileError {
    /// What the kernel answered.
    Kernel(Errno),
    /// Whoever looked on wanted that.
    Stopped,
    /// What came of it cannot carry swap; why not.
    Unsound(&'static str),
}

impl From<Errno> for CreateFileError {
    fn from(error: Errno) -> Self {
        Self::Kernel(error)
    }
}

pub(super) fn make(
    path: &Name,
    form: &SwapFileSpec,
    go_on: &mut dyn FnMut(Bytes) -> bool,
) -> Result<(), CreateFileError> {
    let (folder, name) = folder(path)?;
    let flags = OFlag::O_TMPFILE | OFlag::O_RDWR | OFlag::O_CLOEXEC;
    let file = File::from(openat(&folder, ".", flags, MODE)?);
    // The mask of whoever started us may have taken more.
    fchmod(&file, MODE)?;
    prepare(&file, form)?;
    label::label_as_swap(&file);
    allocate(&file, form.size.0, go_on)?;
    file.write_all_at(&form.format.page(), 0).map_err(|error| errno(&error))?;
    fsync(&file)?;
    check_extents(&file, form.size.0)?;
    give_name(&file, &folder, name)?;
    // btrfs logs no file that has no name: what was written out before would be lost with it.
    fsync(&file)?;
    Ok(fsync(&folder)?)
}

/// The folder of a path in which no link was left, and the name in it.
fn folder(path: &Name) -> Result<(OwnedFd, &OsStr), Errno> {
    let whole = path.as_path();
    let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
        return Err(Errno::EISDIR);
    };
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY;
    Ok((without_links(folder, flags, Mode::empty())?, name))
}

/// What has to be so before the first byte is in it.
fn prepare(file: &File, form: &SwapFileSpec) -> Result<(), CreateFileError> {
    let is_btrfs = fstatfs(file)?.filesystem_type() == BTRFS_SUPER_MAGIC;
    let flags = match ffi::attributes(file) {
        Ok(flags) => flags,
        Err(Errno::ENOTTY | Errno::EOPNOTSUPP) => 0,
        Err(error) => return Err(error.into()),
    };
    if flags & ENCRYPTED != 0 {
        return Err(CreateFileError::Unsound("files in this folder are encrypted, which swap cannot be"));
    }
    if form.nocow || is_btrfs {
        ffi::set_attributes(file, (flags & !COMPRESSED) | NOCOW)?;
    }
    Ok(())
}

/// Give the file all of its place.
fn allocate(file: &File, size: u64, go_on: &mut dyn FnMut(Bytes) -> bool) -> Result<(), CreateFileError> {
    let mut done = 0;
    while done < size {
        let step = STEP.min(size - done);
        let number = |number: u64| i64::try_from(number).map_err(|_| Errno::EFBIG);
        match fallocate(file, FallocateFlags::empty(), number(done)?, number(step)?) {
            Ok(()) => done += step,
            Err(Errno::EINTR) => {}
            Err(Errno::EOPNOTSUPP | Errno::ENOSYS) => return fill(file, size, go_on),
            Err(error) => return Err(error.into()),
        }
        if !go_on(Bytes(done)) {
            return Err(CreateFileError::Stopped);
        }
    }
    Ok(())
}

/// The same with zeros, where a file system has no other way.
fn fill(file: &File, size: u64, go_on: &mut dyn FnMut(Bytes) -> bool) -> Result<(), CreateFileError> {
    let zeros = vec![0; ZEROS];
    let mut done = 0;
    while done < size {
        let rest = usize::try_from(size - done).unwrap_or(ZEROS);
        let part = zeros.get(..rest).unwrap_or(&zeros);
        file.write_all_at(part, done).map_err(|error| errno(&error))?;
        done += part.len() as u64;
        // What waits to be written could not be stopped any more.
        if done % SYNCED == 0 {
            file.sync_data().map_err(|error| errno(&error))?;
        }
        if !go_on(Bytes(done)) {
            return Err(CreateFileError::Stopped);
        }
    }
    Ok(())
}

/// Has every byte a place of its own on the disk?
fn check_extents(file: &File, size: u64) -> Result<(), CreateFileError> {
    let mut known = 0;
    while known < size {
        let found = match extents(file, known, true) {
            Ok(extents) => extents,
            // Then swapon says it.
            Err(Errno::EOPNOTSUPP | Errno::ENOTTY) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        known = covered_until(&found, known)?;
        if found.iter().any(|extent| extent.flags & LAST != 0) {
            break;
        }
    }
    if known < size { Err(CreateFileError::Unsound(HOLES)) } else { Ok(()) }
}

const HOLES: &str = "the file system has left holes in it";
const SHARED: &str = "the file system shares, compresses or moves its places on the disk";

/// Up to which byte these go on without a hole.
fn covered_until(extents: &[FileExtent], from: u64) -> Result<u64, CreateFileError> {
    let mut known = from;
    for extent in extents {
        if extent.flags & UNFIT != 0 {
            return Err(CreateFileError::Unsound(SHARED));
        }
        if extent.at > known {
            return Err(CreateFileError::Unsound(HOLES));
        }
        known = known.max(extent.at.saturating_add(extent.length));
    }
    if known == from { Err(CreateFileError::Unsound(HOLES)) } else { Ok(known) }
}

/// How much of this file a snapshot or a copy shares: that stays taken when it goes. Of a file that
/// may not be opened it is not known, and neither may it be removed.
pub fn bytes_freed(path: &Name) -> Bytes {
    let file = without_links(path.as_path(), OFlag::O_RDONLY, Mode::empty()).map(File::from);
    file.map_or(Bytes(0), |file| Bytes(shared_bytes(|known| extents(&file, known, true).ok())))
}

fn shared_bytes(extents: impl Fn(u64) -> Option<Vec<FileExtent>>) -> u64 {
    let (mut known, mut shared) = (0, 0_u64);
    loop {
        // Where a file system has no such list, it shares nothing.
        let extents = extents(known).unwrap_or_default();
        let own = extents.iter().filter(|extent| extent.flags & SHARED_PLACE != 0);
        shared = shared.saturating_add(own.map(|extent| extent.length).sum());
        let Some(last) = extents.last() else { return shared };
        let end = last.at.saturating_add(last.length);
        if last.flags & LAST != 0 || end <= known {
            return shared;
        }
        known = end;
    }
}

fn give_name(file: &File, folder: &OwnedFd, name: &OsStr) -> Result<(), Errno> {
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    match linkat(file, "", folder, name, AtFlags::AT_EMPTY_PATH) {
        // Without the right to read everything (CAP_DAC_READ_SEARCH) it takes a detour.
        Err(Errno::ENOENT) => {
            linkat(AT_FDCWD, own.as_str(), folder, name, AtFlags::AT_SYMLINK_FOLLOW)
        }
        other => other,
    }
}

pub(super) fn remove(path: &Name, form: &SwapFileSpec) -> Result<(), RewriteError> {
    let (folder, name) = folder(path)?;
    let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let file = File::from(openat(&folder, name, flags, Mode::empty())?);
    let own = fstat(&file)?;
    if SFlag::from_bits_truncate(own.st_mode) & SFlag::S_IFMT != SFlag::S_IFREG {
        return Err(RewriteError::Changed);
    }
    let size = Bytes(u64::try_from(own.st_size).unwrap_or(0));
    if size != form.size {
        return Err(RewriteError::Size(size));
    }
    let mut page = form.format.page();
    file.read_exact_at(&mut page, 0).map_err(|error| errno(&error))?;
    let identity = |stat: &FileStat| (stat.st_dev, stat.st_ino);
    let named = fstatat(&folder, name, AtFlags::AT_SYMLINK_NOFOLLOW)?;
    if !form.format.matches_page(&page) || identity(&named) != identity(&own) {
        return Err(RewriteError::Changed);
    }
    unlinkat(&folder, name, UnlinkatFlags::NoRemoveDir)?;
    Ok(fsync(&folder)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::format::{Format, Uuid};
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::path::{Path, PathBuf};

    const SIZE: u64 = 3 << 20;

    fn form(label: &str) -> SwapFileSpec {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(SIZE), 4096, uuid, Some(label.into())).unwrap();
        SwapFileSpec { size: Bytes(SIZE), format, nocow: false }
    }

    fn name(path: &Path) -> Name {
        Name::new(path.as_os_str().as_encoded_bytes())
    }

    /// A folder in which nothing is, and a path in it.
    fn scratch() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap().join("swap file");
        (dir, path)
    }

    fn entries(dir: &tempfile::TempDir) -> usize {
        #[expect(clippy::disallowed_methods, reason = "the test looks at its own folder")]
        std::fs::read_dir(dir.path()).unwrap().count()
    }

    #[test]
    fn file_appears_complete_private_and_allocated() {
        let (_dir, path) = scratch();
        make(&name(&path), &form("a"), &mut |_| true).unwrap();
        let facts = path.symlink_metadata().unwrap();
        assert_eq!((facts.len(), facts.permissions().mode() & 0o7777), (SIZE, 0o600));
        assert!(facts.blocks() * 512 >= SIZE);
        let other = make(&name(&path), &form("b"), &mut |_| true);
        assert_eq!(other, Err(CreateFileError::Kernel(Errno::EEXIST)));
        assert_eq!(remove(&name(&path), &form("b")), Err(RewriteError::Changed));
        assert_eq!(remove(&name(&path), &form("a")), Ok(()));
        assert!(!path.exists());
    }

    #[test]
    fn stopped_creation_leaves_no_file() {
        let (dir, path) = scratch();
        let mut told = Vec::new();
        let stopped = make(&name(&path), &form("a"), &mut |done| {
            told.push(done);
            false
        });
        assert_eq!((stopped, told.len(), entries(&dir)), (Err(CreateFileError::Stopped), 1, 0));
        let mut told = Vec::new();
        let file = File::from(
            openat(&folder(&name(&path)).unwrap().0, ".", OFlag::O_TMPFILE | OFlag::O_RDWR, MODE)
                .unwrap(),
        );
        fill(&file, SIZE * 2, &mut |done| {
            told.push(done.0);
            true
        })
        .unwrap();
        assert_eq!((told, file.metadata().unwrap().len()), (vec![4 << 20, 6 << 20], 6 << 20));
    }

    #[test]
    fn symlinks_are_not_followed() {
        let (dir, path) = scratch();
        let outside = dir.path().canonicalize().unwrap().join("outside");
        std::os::unix::fs::symlink(&outside, &path).unwrap();
        let made = make(&name(&path), &form("a"), &mut |_| true);
        assert_eq!(made, Err(CreateFileError::Kernel(Errno::EEXIST)));
        assert!(!outside.exists());
        make(&name(&outside), &form("a"), &mut |_| true).unwrap();
        let removed = remove(&name(&path), &form("a"));
        assert_eq!(removed, Err(RewriteError::Kernel(Errno::ELOOP)));
        assert!(outside.exists());
    }

    #[test]
    fn shared_extents_are_counted() {
        let extent = |at, flags| FileExtent { at, length: 5, flags, ..FileExtent::default() };
        let all = [extent(0, 0), extent(5, SHARED_PLACE), extent(20, SHARED_PLACE | LAST)];
        // The kernel gives a few at a time.
        let from = |known| all.iter().copied().filter(|it| it.at >= known).take(2).collect();
        assert_eq!(shared_bytes(|known| Some(from(known))), 10);
        assert_eq!((shared_bytes(|_| None), shared_bytes(|_| Some(vec![extent(0, 0)]))), (0, 0));
    }

    #[test]
    fn extents_cover_the_file_or_fail() {
        let extent = |at, length, flags| FileExtent { at, length, flags, ..FileExtent::default() };
        let unwritten = 0x800;
        assert_eq!(covered_until(&[extent(0, 5, 0), extent(5, 5, unwritten)], 0), Ok(10));
        assert_eq!(covered_until(&[extent(0, 5, 0), extent(6, 5, 0)], 0), Err(CreateFileError::Unsound(HOLES)));
        assert_eq!(covered_until(&[], 3), Err(CreateFileError::Unsound(HOLES)));
        for flag in [0x2, 0x4, 0x8, 0x200, 0x2000] {
            assert_eq!(covered_until(&[extent(0, 5, flag)], 0), Err(CreateFileError::Unsound(SHARED)));
        }
    }
}
