//! Swap files, created completely or not at all.
//!
//! A file is created without a name (`O_TMPFILE`), allocated, given its header and permissions,
//! synced, and only then linked to its name, which fails if the name exists. If the process is
//! killed before, nothing is left: the kernel frees unnamed files.
//!
//! A file gets another size in place: others may have it open, and would keep the blocks of one that is
//! removed. At every moment its header describes no more than its blocks, so that it remains a swap file of
//! the old or of the new size.

use super::label;
use super::open::without_links;
use super::rewrite::{WriteError, errno};
use crate::ffi;
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

/// Access for root only.
const MODE: Mode = Mode::from_bits_truncate(0o600);
/// Bytes allocated at once, between two checks whether to continue.
const STEP: u64 = 1 << 30;
/// Bytes of zeros written at once, where allocation is not supported.
const ZEROS: usize = 4 << 20;
/// Bytes of zeros after which to wait for the disk.
const SYNCED: u64 = 64 << 20;
/// `FS_COMPR_FL`, `FS_ENCRYPT_FL`, `FS_NOCOW_FL`.
const COMPRESSED: u32 = 0x4;
const ENCRYPTED: u32 = 0x800;
const NOCOW: u32 = 0x80_0000;
/// `FIEMAP_EXTENT_LAST`, and the flags of extents that swap cannot use: unknown, delayed, encoded,
/// encrypted, unaligned, inline, tail or shared.
const LAST: u32 = 0x1;
const UNFIT: u32 = 0x2 | 0x4 | 0x8 | 0x80 | 0x100 | 0x200 | 0x400 | 0x2000;

/// Why a file could not be created or resized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateFileError {
    /// The kernel's error.
    Kernel(Errno),
    /// The existing file has neither the old nor the new form.
    Changed,
    /// The caller stopped it.
    Stopped,
    /// The file cannot hold swap, with the reason.
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
    // The umask may have removed more bits.
    fchmod(&file, MODE)?;
    prepare(&file, form)?;
    label::label_as_swap(&file);
    allocate(&file, (0, form.size.0), go_on)?;
    file.write_all_at(&form.format.page(), 0).map_err(|error| errno(&error))?;
    fsync(&file)?;
    check_extents(&file, form.size.0)?;
    give_name(&file, &folder, name)?;
    // btrfs does not log unnamed files: data synced earlier would be lost after a crash.
    fsync(&file)?;
    Ok(fsync(&folder)?)
}

/// The folder of a path without links, and the file name in it.
fn folder(path: &Name) -> Result<(OwnedFd, &OsStr), Errno> {
    let whole = path.as_path();
    let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
        return Err(Errno::EISDIR);
    };
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY;
    Ok((without_links(folder, flags, Mode::empty())?, name))
}

/// Sets the attributes that must precede the first byte.
fn prepare(file: &File, form: &SwapFileSpec) -> Result<(), CreateFileError> {
    let is_btrfs = fstatfs(file)?.filesystem_type() == BTRFS_SUPER_MAGIC;
    let flags = match ffi::attributes(file) {
        Ok(flags) => flags,
        Err(Errno::ENOTTY | Errno::EOPNOTSUPP) => 0,
        Err(error) => return Err(error.into()),
    };
    if flags & ENCRYPTED != 0 {
        return Err(CreateFileError::Unsound(
            "files in this directory are encrypted, which swap does not support",
        ));
    }
    if form.nocow || is_btrfs {
        ffi::set_attributes(file, (flags & !COMPRESSED) | NOCOW)?;
    }
    Ok(())
}

/// Allocates the rest of a file, of which `old` bytes exist.
fn allocate(
    file: &File,
    (old, size): (u64, u64),
    go_on: &mut dyn FnMut(Bytes) -> bool,
) -> Result<(), CreateFileError> {
    let mut done = old;
    while done < size {
        let step = STEP.min(size - done);
        let number = |number: u64| i64::try_from(number).map_err(|_| Errno::EFBIG);
        match fallocate(file, FallocateFlags::empty(), number(done)?, number(step)?) {
            Ok(()) => done += step,
            Err(Errno::EINTR) => {}
            Err(Errno::EOPNOTSUPP | Errno::ENOSYS) => return fill(file, (old, size), go_on),
            Err(error) => return Err(error.into()),
        }
        if !go_on(Bytes(done)) {
            return Err(CreateFileError::Stopped);
        }
    }
    Ok(())
}

/// Fills the rest of the file with zeros, where the file system cannot allocate.
fn fill(
    file: &File,
    (old, size): (u64, u64),
    go_on: &mut dyn FnMut(Bytes) -> bool,
) -> Result<(), CreateFileError> {
    let zeros = vec![0; ZEROS];
    let mut done = old;
    while done < size {
        let rest = usize::try_from(size - done).unwrap_or(ZEROS);
        let part = zeros.get(..rest).unwrap_or(&zeros);
        file.write_all_at(part, done).map_err(|error| errno(&error))?;
        done += part.len() as u64;
        // Pending writes could not be stopped later.
        if (done - old) % SYNCED == 0 {
            file.sync_data().map_err(|error| errno(&error))?;
        }
        if !go_on(Bytes(done)) {
            return Err(CreateFileError::Stopped);
        }
    }
    Ok(())
}

/// Checks that every byte has a block of its own on disk.
fn check_extents(file: &File, size: u64) -> Result<(), CreateFileError> {
    let mut known = 0;
    while known < size {
        let found = match extents(file, known, true) {
            Ok(extents) => extents,
            // swapon will report it then.
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

const HOLES: &str = "the file system left holes in the file";
const SHARED: &str = "the file system shares, compresses or moves its blocks";

/// The byte up to which these extents continue without a hole.
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

fn give_name(file: &File, folder: &OwnedFd, name: &OsStr) -> Result<(), Errno> {
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    match linkat(file, "", folder, name, AtFlags::AT_EMPTY_PATH) {
        // Without CAP_DAC_READ_SEARCH, link through /proc.
        Err(Errno::ENOENT) => {
            linkat(AT_FDCWD, own.as_str(), folder, name, AtFlags::AT_SYMLINK_FOLLOW)
        }
        other => other,
    }
}

/// Gives a swap file another size. A file that an earlier attempt left between the two forms has the header of
/// either, and a size in between.
pub(super) fn resize(
    path: &Name,
    from: &SwapFileSpec,
    to: &SwapFileSpec,
    go_on: &mut dyn FnMut(Bytes) -> bool,
) -> Result<(), CreateFileError> {
    let file = File::from(without_links(path.as_path(), OFlag::O_RDWR, Mode::empty())?);
    let old = file.metadata().map_err(|error| errno(&error))?.len();
    let (least, most) = (from.size.min(to.size).0, from.size.max(to.size).0);
    let mut page = from.format.page();
    file.read_exact_at(&mut page, 0).map_err(|error| errno(&error))?;
    let is_of_either = [from, to].iter().any(|form| form.format.matches_page(&page));
    if !is_regular(&fstat(&file)?) || !is_of_either || !(least..=most).contains(&old) {
        return Err(CreateFileError::Changed);
    }
    let result = if from.size < to.size {
        grow(&file, (old, to), go_on)
    } else {
        write_header(&file, to).and_then(|()| Ok(set_length(&file, to.size)?))
    };
    // The file is as before, or a swap file that is larger than its header says. A file that was cut off already cannot get
    // its old header back.
    if result.is_err() && file.metadata().is_ok_and(|facts| facts.len() >= old) {
        let restored = file.write_all_at(&page, 0).map_err(|error| errno(&error));
        let _ = restored.and_then(|()| fsync(&file)).and_then(|()| set_length(&file, Bytes(old)));
    }
    result
}

fn grow(
    file: &File,
    (old, to): (u64, &SwapFileSpec),
    go_on: &mut dyn FnMut(Bytes) -> bool,
) -> Result<(), CreateFileError> {
    allocate(file, (old, to.size.0), go_on)?;
    // The header must not reach the disk before the blocks that it describes.
    fsync(file)?;
    check_extents(file, to.size.0)?;
    write_header(file, to)
}

fn write_header(file: &File, form: &SwapFileSpec) -> Result<(), CreateFileError> {
    file.write_all_at(&form.format.page(), 0).map_err(|error| errno(&error))?;
    Ok(fsync(file)?)
}

fn set_length(file: &File, size: Bytes) -> Result<(), Errno> {
    file.set_len(size.0).map_err(|error| errno(&error))?;
    fsync(file)
}

fn is_regular(facts: &FileStat) -> bool {
    SFlag::from_bits_truncate(facts.st_mode) & SFlag::S_IFMT == SFlag::S_IFREG
}

pub(super) fn remove(path: &Name, form: &SwapFileSpec) -> Result<(), WriteError> {
    let (folder, name) = folder(path)?;
    let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let file = File::from(openat(&folder, name, flags, Mode::empty())?);
    let own = fstat(&file)?;
    if !is_regular(&own) {
        return Err(WriteError::Changed);
    }
    let size = Bytes(u64::try_from(own.st_size).unwrap_or(0));
    if size != form.size {
        return Err(WriteError::Size(size));
    }
    let mut page = form.format.page();
    file.read_exact_at(&mut page, 0).map_err(|error| errno(&error))?;
    let identity = |stat: &FileStat| (stat.st_dev, stat.st_ino);
    let named = fstatat(&folder, name, AtFlags::AT_SYMLINK_NOFOLLOW)?;
    if !form.format.matches_page(&page) || identity(&named) != identity(&own) {
        return Err(WriteError::Changed);
    }
    unlinkat(&folder, name, UnlinkatFlags::NoRemoveDir)?;
    Ok(fsync(&folder)?)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests look at their own files")]
mod tests {
    use super::*;
    use crate::model::format::{Format, Uuid};
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::path::{Path, PathBuf};

    const SIZE: u64 = 3 << 20;

    fn form(label: &str) -> SwapFileSpec {
        form_of_size(label, SIZE)
    }

    fn form_of_size(label: &str, size: u64) -> SwapFileSpec {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(size), 4096, uuid, Some(label.into())).unwrap();
        SwapFileSpec { size: Bytes(size), format, nocow: false }
    }

    fn name(path: &Path) -> Name {
        Name::new(path.as_os_str().as_encoded_bytes())
    }

    /// An empty folder, and a path in it.
    fn scratch() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap().join("swap file");
        (dir, path)
    }

    fn entries(dir: &tempfile::TempDir) -> usize {
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
        assert_eq!(remove(&name(&path), &form("b")), Err(WriteError::Changed));
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
        fill(&file, (0, SIZE * 2), &mut |done| {
            told.push(done.0);
            true
        })
        .unwrap();
        assert_eq!((told, file.metadata().unwrap().len()), (vec![4 << 20, 6 << 20], 6 << 20));
    }

    /// The label and the size in the header of a file, and its own size.
    fn shown(path: &Path) -> (u32, u64) {
        let bytes = std::fs::read(path).unwrap();
        let last = u32::from_ne_bytes(bytes[1028..1032].try_into().unwrap());
        (last + 1, bytes.len() as u64)
    }

    #[test]
    fn file_that_others_have_open_gets_another_size_in_place() {
        let (dir, path) = scratch();
        let [small, large] = [SIZE, 2 * SIZE].map(|size| form_of_size("a", size));
        make(&name(&path), &small, &mut |_| true).unwrap();
        let reader = File::open(&path).unwrap();
        let number = || path.metadata().unwrap().ino();
        let before = number();
        resize(&name(&path), &small, &large, &mut |_| true).unwrap();
        assert_eq!(shown(&path), (1536, 2 * SIZE));
        assert!(path.metadata().unwrap().blocks() * 512 >= 2 * SIZE);
        resize(&name(&path), &large, &small, &mut |_| true).unwrap();
        assert_eq!((shown(&path), number(), entries(&dir)), ((768, SIZE), before, 1));
        drop(reader);
        let stopped = resize(&name(&path), &small, &large, &mut |_| false);
        assert_eq!((stopped, shown(&path)), (Err(CreateFileError::Stopped), (768, SIZE)));
        let huge = form_of_size("a", 8 << 40);
        assert!(resize(&name(&path), &small, &huge, &mut |_| true).is_err());
        assert_eq!(shown(&path), (768, SIZE), "a full file system leaves it as it was");
    }

    /// A process that is killed leaves the header of one form, and a size between the two.
    #[test]
    fn half_resized_file_is_brought_to_either_size() {
        let (_dir, path) = scratch();
        let [small, large] = [SIZE, 2 * SIZE].map(|size| form_of_size("a", size));
        for (header, size) in [(&small, SIZE + 4096), (&small, 2 * SIZE), (&large, 2 * SIZE)] {
            for (from, to) in [(&small, &large), (&large, &small)] {
                std::fs::write(&path, header.format.page()).unwrap();
                let half = File::options().write(true).open(&path).unwrap();
                half.set_len(size).unwrap();
                let length = size.try_into().unwrap();
                fallocate(&half, FallocateFlags::empty(), 0, length).unwrap();
                resize(&name(&path), from, to, &mut |_| true).unwrap();
                assert_eq!(shown(&path), (to.format.pages, to.size.0));
            }
        }
        let other = form_of_size("b", SIZE);
        let changed = resize(&name(&path), &other, &form_of_size("b", 3 * SIZE), &mut |_| true);
        assert_eq!(changed, Err(CreateFileError::Changed));
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
        assert_eq!(removed, Err(WriteError::Kernel(Errno::ELOOP)));
        assert!(outside.exists());
    }

    #[test]
    fn extents_cover_the_file_or_fail() {
        let extent = |at, length, flags| FileExtent { at, length, flags, ..FileExtent::default() };
        let unwritten = 0x800;
        assert_eq!(covered_until(&[extent(0, 5, 0), extent(5, 5, unwritten)], 0), Ok(10));
        assert_eq!(
            covered_until(&[extent(0, 5, 0), extent(6, 5, 0)], 0),
            Err(CreateFileError::Unsound(HOLES))
        );
        assert_eq!(covered_until(&[], 3), Err(CreateFileError::Unsound(HOLES)));
        for flag in [0x2, 0x4, 0x8, 0x200, 0x2000] {
            assert_eq!(
                covered_until(&[extent(0, 5, flag)], 0),
                Err(CreateFileError::Unsound(SHARED))
            );
        }
    }
}
