//! Replaces configuration files as a whole.

use super::label;
use super::open::without_links;
use super::rewrite::WriteError;
use crate::ffi;
use crate::model::Name;
use crate::model::text::text_to_bytes;
use crate::root::Root;
use nix::errno::Errno;
use nix::fcntl::{OFlag, openat, renameat};
use nix::sys::signal::kill;
use nix::sys::stat::{Mode, fchmod, fstat};
use nix::unistd::{Pid, UnlinkatFlags, fsync, geteuid, unlinkat};
use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, fchown};
use std::path::Path;

/// Suffix of the backup of a file; programs that read whole folders skip it.
pub const BACKUP: &str = ".swapadm-old";
/// Suffix of the new file before it is renamed.
const NEW: &str = ".swapadm-new";
/// Mode of a newly created file.
const MODE: Mode = Mode::from_bits_truncate(0o644);

/// Who may read a file that is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewFileReaders {
    /// Everybody, whatever the umask: for files of the system, and for services.
    Everybody,
    /// Everybody whom the umask does not exclude: for files of a person.
    Umask,
}

/// Source of the owner, mode, ACL and labels of a file that is written.
#[derive(Clone, Copy)]
enum FileModel<'f> {
    /// The file that it replaces.
    Like(&'f File),
    /// A file that did not exist, and who may read it.
    None(NewFileReaders),
}

impl<'f> FileModel<'f> {
    fn new(old: Option<&'f File>, readers: NewFileReaders) -> Self {
        old.map_or(Self::None(readers), Self::Like)
    }
}

/// `FS_IMMUTABLE_FL` and `FS_APPEND_FL`.
const IMMUTABLE: nix::libc::c_uint = 0x10;
const APPEND_ONLY: nix::libc::c_uint = 0x20;

/// Replaces the expected text with the new one; `None` means that the file does not exist. Readers
/// see either the old or the new content. A backup stays beside it.
pub(super) fn save(file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), WriteError> {
    let path = file.as_path();
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Errno::EINVAL.into());
    };
    if from.is_none() && to.is_some() {
        let made = DirBuilder::new().recursive(true).mode(0o755).create(above);
        made.map_err(|error| Errno::from_raw(error.raw_os_error().unwrap_or(0)))?;
    }
    let folder = SaveFolder(without_links(above, OFlag::O_DIRECTORY, Mode::empty())?);
    let name = Path::new(name);
    let old = folder.open(name)?;
    if old.as_ref().map(text).transpose()? != from.map(text_to_bytes) {
        return Err(WriteError::Changed);
    }
    let new = sibling_name(name, NEW);
    let model = FileModel::new(old.as_ref(), NewFileReaders::Everybody);
    if let Some(from) = from {
        let backup = sibling_name(name, BACKUP);
        folder.replace(Path::new(&backup), &new, &text_to_bytes(from), model)?;
    }
    match to {
        Some(to) => folder.replace(name, &new, &text_to_bytes(to), model)?,
        None => unlinkat(&folder.0, name, UnlinkatFlags::NoRemoveDir)?,
    }
    fsync(&folder.0)?;
    Ok(())
}

/// Removes the new file that a process left beside this one if it was killed before it could rename it.
pub fn remove_unfinished(file: &Name) {
    let path = file.as_path();
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return };
    if let Ok(folder) = without_links(above, OFlag::O_DIRECTORY, Mode::empty()) {
        let new = sibling_name(Path::new(name), NEW);
        // It does no harm: no program reads it, and the next change replaces it.
        let _ = unlinkat(&folder, Path::new(&new), UnlinkatFlags::NoRemoveDir);
    }
}

/// Writes a file as a whole: readers see either the old or the new content. A file that is replaced
/// keeps its mode, owner and labels. No link in the path is followed, and none is replaced.
pub fn publish(path: &Path, bytes: &[u8], readers: NewFileReaders) -> io::Result<()> {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Errno::EISDIR.into());
    };
    let folder = SaveFolder(without_links(above, OFlag::O_DIRECTORY, Mode::empty())?);
    let name = Path::new(name);
    let old = folder.open(name)?;
    if let Some(old) = &old
        && !old.metadata()?.is_file()
    {
        return Err(io::Error::other("not a regular file"));
    }
    // Another program of this kind may be writing its own.
    let own_prefix = sibling_name(name, &format!("{NEW}-"));
    let mut new = own_prefix.clone();
    new.push(std::process::id().to_string());
    folder.replace(name, &new, bytes, FileModel::new(old.as_ref(), readers))?;
    for stale in files_of_dead_processes(above, own_prefix.as_bytes()) {
        // The file that was asked for is complete.
        let _ = unlinkat(&folder.0, stale.as_path(), UnlinkatFlags::NoRemoveDir);
    }
    Ok(fsync(&folder.0)?)
}

/// The files of this prefix and the number of a process that has ended: it was killed before it could rename
/// its file.
fn files_of_dead_processes(folder: &Path, prefix: &[u8]) -> Vec<Name> {
    let names = Root::at(folder).map(|root| root.names("").into_result().unwrap_or_default());
    let is_stale = |name: &Name| {
        let number = name.as_bytes().strip_prefix(prefix);
        let number = number.and_then(|it| std::str::from_utf8(it).ok()?.parse().ok());
        number.is_some_and(|pid| kill(Pid::from_raw(pid), None) == Err(Errno::ESRCH))
    };
    names.unwrap_or_default().into_iter().map(Name::new).filter(is_stale).collect()
}

/// Why a file cannot be replaced although its folder is writable: an attribute of chattr(1). File
/// systems without such attributes have no obstacle.
pub fn protection(file: &Path) -> Option<&'static str> {
    let flags = OFlag::O_RDONLY;
    let own = without_links(file, flags, Mode::empty()).ok()?;
    let above = without_links(file.parent()?, flags | OFlag::O_DIRECTORY, Mode::empty()).ok()?;
    let attributes = |it| ffi::attributes(&File::from(it)).unwrap_or(0);
    let (own, above) = (attributes(own), attributes(above));
    if own & IMMUTABLE != 0 {
        Some("is immutable (chattr -i)")
    } else if own & APPEND_ONLY != 0 {
        Some("is append-only (chattr -a)")
    } else if above & (IMMUTABLE | APPEND_ONLY) != 0 {
        Some("is in an immutable or append-only directory (chattr -ia)")
    } else {
        None
    }
}

fn sibling_name(name: &Path, ending: &str) -> OsString {
    let mut beside = name.as_os_str().to_owned();
    beside.push(ending);
    beside
}

/// An open folder, independent of later changes to its path.
struct SaveFolder(OwnedFd);

impl SaveFolder {
    /// Opens a file in it; `None` if it does not exist.
    fn open(&self, name: &Path) -> Result<Option<File>, Errno> {
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        match openat(&self.0, name, flags, Mode::empty()) {
            Ok(file) => Ok(Some(File::from(file))),
            Err(Errno::ENOENT) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces a file by a new one, which is written under another name.
    fn replace(
        &self,
        name: &Path,
        new: &OsString,
        bytes: &[u8],
        model: FileModel<'_>,
    ) -> Result<(), Errno> {
        self.write_file(new, bytes, model)?;
        let new = Path::new(new);
        renameat(&self.0, new, &self.0, name).inspect_err(|_| {
            // The earlier error is the one to report.
            let _ = unlinkat(&self.0, new, UnlinkatFlags::NoRemoveDir);
        })
    }

    /// Writes a new file, and syncs it. Nobody who may not read it can open it before it is complete.
    fn write_file(&self, name: &OsString, bytes: &[u8], model: FileModel<'_>) -> Result<(), Errno> {
        let name = Path::new(name.as_os_str());
        match unlinkat(&self.0, name, UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => {}
            Err(error) => return Err(error),
        }
        let flags =
            OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let mode = match model {
            FileModel::None(NewFileReaders::Umask) => MODE,
            FileModel::None(NewFileReaders::Everybody) | FileModel::Like(_) => {
                Mode::S_IRUSR | Mode::S_IWUSR
            }
        };
        let mut file = File::from(openat(&self.0, name, flags, mode)?);
        let written = file.write_all(bytes).map_err(errno);
        let written = written.and_then(|()| {
            match model {
                FileModel::Like(like) => {
                    copy_owner(like, &file)?;
                    fchmod(&file, Mode::from_bits_truncate(fstat(like)?.st_mode))?;
                }
                FileModel::None(NewFileReaders::Everybody) => fchmod(&file, MODE)?,
                FileModel::None(NewFileReaders::Umask) => {}
            }
            fsync(&file)
        });
        if written.is_err() {
            // The earlier error is the one to report.
            let _ = unlinkat(&self.0, name, UnlinkatFlags::NoRemoveDir);
        }
        written
    }
}

/// Copies owner, ACL and labels. Only root can set all of them; what others cannot set stays as the
/// file system gave it.
fn copy_owner(from: &File, to: &File) -> Result<(), Errno> {
    let facts = fstat(from)?;
    let given = fchown(to, Some(facts.st_uid), Some(facts.st_gid)).map_err(errno);
    match given.and_then(|()| label::copy(from, to)) {
        Err(Errno::EPERM) if !geteuid().is_root() => Ok(()),
        other => other,
    }
}

/// The content of a file.
fn text(mut file: &File) -> Result<Vec<u8>, Errno> {
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(errno)?;
    Ok(text)
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn errno(error: io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(0))
}

#[expect(clippy::disallowed_methods, reason = "the test looks by itself")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text::bytes_to_text;
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    fn name(path: &Path) -> Name {
        Name::new(path.as_os_str().as_bytes())
    }

    #[test]
    fn file_is_replaced_atomically_with_a_backup() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/fstab");
        save(&name(&path), None, Some("one\n")).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o644);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        save(&name(&path), Some("one\n"), Some("two\n")).unwrap();
        let old = dir.path().join("a/fstab.swapadm-old");
        let texts = [&path, &old].map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(texts, ["two\n", "one\n"]);
        let modes = [&path, &old].map(|path| fs::metadata(path).unwrap().mode() & 0o777);
        assert_eq!(modes, [0o640, 0o640]);
        save(&name(&path), Some("two\n"), None).unwrap();
        let mut left: Vec<_> =
            fs::read_dir(dir.path().join("a")).unwrap().map(|it| it.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["fstab.swapadm-old"]);
    }

    /// An ACL in binary form, with this mask: tag, permissions and ID of each entry.
    fn list(mask: u16) -> Vec<u8> {
        let none = u32::MAX;
        let entries =
            [(1, 6, none), (2, 4, 1000), (4, 4, none), (0x10, mask, none), (0x20, 0, none)];
        let mut list = 2_u32.to_le_bytes().to_vec();
        for (who, what, user) in entries {
            list.extend(u16::to_le_bytes(who));
            list.extend(u16::to_le_bytes(what));
            list.extend(u32::to_le_bytes(user));
        }
        list
    }

    #[test]
    fn file_keeps_acl_and_labels() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("fstab");
        fs::write(&path, "one\n").unwrap();
        let file = File::open(&path).unwrap();
        let mut wanted = vec![
            (c"user.note", b"mine".to_vec()),
            (c"system.posix_acl_access", list(4)),
            // Only root may set it.
            (c"security.selinux", b"system_u:object_r:etc_t:s0\0".to_vec()),
        ];
        wanted.retain(|(name, value)| ffi::set_label(&file, name, value).is_ok());
        let mode = file.metadata().unwrap().mode() & 0o777;
        save(&name(&path), Some("one\n"), Some("two\n")).unwrap();
        for path in [&path, &dir.path().join("fstab.swapadm-old")] {
            let file = File::open(path).unwrap();
            assert_eq!(file.metadata().unwrap().mode() & 0o777, mode);
            for (name, value) in &wanted {
                assert_eq!(ffi::label(&file, name).as_ref(), Ok(value), "{path:?} {name:?}");
            }
        }
    }

    #[test]
    fn default_acl_is_not_applied_to_existing_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("fstab");
        fs::write(&path, "one\n").unwrap();
        let folder = File::open(dir.path()).unwrap();
        if ffi::set_label(&folder, c"system.posix_acl_default", &list(6)).is_err() {
            return;
        }
        save(&name(&path), Some("one\n"), Some("two\n")).unwrap();
        let file = File::open(&path).unwrap();
        assert_eq!(ffi::label(&file, c"system.posix_acl_access"), Err(Errno::ENODATA));
        assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o644);
    }

    #[test]
    fn changes_by_others_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("fstab");
        fs::write(&path, "theirs").unwrap();
        let wishes = [(Some("mine"), Some("new")), (None, Some("new")), (Some("mine"), None)];
        for (from, to) in wishes {
            assert_eq!(save(&name(&path), from, to), Err(WriteError::Changed));
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn files_of_killed_writers_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("swap.prom");
        let beside = |name: &str| dir.path().join(format!("swap.prom{name}"));
        // No process has the highest number, and one has the first.
        let (dead, others) = (".swapadm-new-2147483647", [".swapadm-new-1", ".swapadm-new-x"]);
        for name in others.iter().chain([&dead]) {
            fs::write(beside(name), "half").unwrap();
        }
        publish(&path, b"whole\n", NewFileReaders::Umask).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole\n");
        assert!(!beside(dead).exists());
        assert!(others.iter().all(|name| beside(name).exists()), "not files of dead processes");
    }

    #[test]
    fn non_utf8_bytes_are_preserved() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("fstab");
        fs::write(&path, b"# gr\xfcn\n").unwrap();
        let from = bytes_to_text(b"# gr\xfcn\n");
        save(&name(&path), Some(&from), Some(&format!("{from}more\n"))).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"# gr\xfcn\nmore\n");
        assert_eq!(fs::read(dir.path().join("fstab.swapadm-old")).unwrap(), b"# gr\xfcn\n");
    }

    #[test]
    fn protected_file_is_detected_without_leftovers() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("fstab");
        fs::write(&path, "one\n").unwrap();
        assert_eq!(protection(&path), None);
        let file = File::open(&path).unwrap();
        let cases = [(IMMUTABLE, "is immutable"), (APPEND_ONLY, "is append-only")];
        for (attribute, words) in cases {
            // Needs root, and a file system with attributes.
            let Ok(was) = ffi::attributes(&file) else { return };
            if ffi::set_attributes(&file, was | attribute).is_err() {
                return;
            }
            let (why, saved) = (protection(&path), save(&name(&path), Some("one\n"), Some("x")));
            ffi::set_attributes(&file, was).unwrap();
            assert!(why.is_some_and(|why| why.starts_with(words)), "{why:?}");
            assert_eq!(saved, Err(WriteError::Kernel(Errno::EPERM)));
            assert!(!dir.path().join("fstab.swapadm-new").exists());
        }
    }

    #[test]
    fn symlinks_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("target");
        fs::write(&target, "x").unwrap();
        let link = dir.path().join("link");
        symlink(&target, &link).unwrap();
        let refused = save(&name(&link), Some("x"), Some("y"));
        assert_eq!(refused, Err(WriteError::Kernel(Errno::ELOOP)));
        let folder = dir.path().join("folder");
        fs::create_dir(&folder).unwrap();
        symlink(&folder, dir.path().join("way")).unwrap();
        let through = dir.path().join("way/file");
        assert_eq!(save(&name(&through), None, Some("y")), Err(WriteError::Kernel(Errno::ENOTDIR)));
        assert_eq!(fs::read_to_string(&target).unwrap(), "x");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }
}
