//! Files that the program keeps for a user: made for their eyes only, and replaced whole.

use super::open::without_links;
use crate::model::name::safe_text;
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, geteuid, unlinkat};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Component, Path, PathBuf};

/// Creates a file. Fails if there is anything of this name, and at a link of another user in its
/// path, even if the link is made at this moment.
pub fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    let path = resolve_folder(path)?;
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL;
    Ok(File::from(without_links(&path, flags, Mode::from_bits_truncate(mode))?))
}

/// Creates a file that only its owner can read, and holds it by a lock as long as it is open.
/// Returns nothing if somebody else created it first, or takes it for one that was left behind.
pub fn lock_file(path: &Path) -> io::Result<Option<File>> {
    match create_new(path, 0o600) {
        Ok(file) => {
            let is_lost = matches!(file.try_lock(), Err(TryLockError::WouldBlock))
                || file.metadata()?.nlink() == 0;
            Ok((!is_lost).then_some(file))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes a file. Fails at a link of another user in its path, even if the link is made at this moment.
pub fn remove_file(path: &Path) -> io::Result<()> {
    let path = resolve_folder(path)?;
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Errno::EISDIR.into());
    };
    let folder = without_links(folder, OFlag::O_DIRECTORY, Mode::empty())?;
    Ok(unlinkat(&folder, name, UnlinkatFlags::NoRemoveDir)?)
}

/// Removes a claimed file whose owner was killed. A failure does not matter: whoever claims the
/// next file takes another name.
pub fn remove_leftover(path: &Path) {
    let Ok(path) = resolve_folder(path) else { return };
    // Somebody may have put something there that blocks whoever opens it.
    let Ok(file) = without_links(&path, OFlag::O_RDONLY, Mode::empty()).map(File::from) else {
        return;
    };
    if file.try_lock().is_err() {
        return;
    }
    // By now the name may belong to another file, which is held by somebody else.
    let same = |(open, there): (fs::Metadata, fs::Metadata)| {
        open.is_file() && (open.dev(), open.ino()) == (there.dev(), there.ino())
    };
    if file.metadata().ok().zip(fs::symlink_metadata(&path).ok()).is_some_and(same) {
        let _ = remove_file(&path);
    }
}

/// Gives a file that was written its name, durably. Fails at a link of another user in a path.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let to = resolve_folder(to)?;
    fs::rename(resolve_folder(from)?, &to)?;
    sync_folder(&to)
}

/// Creates a folder, for the owner only. Fails if there is anything of this name, and at a link of
/// another user in its path.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let path = resolve_folder(path)?;
    fs::DirBuilder::new().mode(0o700).create(path)
}

/// Creates a folder and those above it where they are missing, for the owner only. Fails at a link of
/// another user in the path.
pub fn create_folders(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() {
        return Ok(());
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(resolve_links(path)?)
}

/// Links that may lead from one to the next, as in the kernel.
const MOST_LINKS: usize = 40;

/// Resolves all links of a path, also one to a file that is not there yet. Fails if a folder cannot
/// be examined, if links form a circle, and at a link that another user made: it could lead root to
/// any file.
#[expect(clippy::disallowed_methods, reason = "the file is looked for on this machine only")]
pub fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mut rest: Vec<OsString> = names_backwards(&path);
    let (mut known, mut links) = (PathBuf::from("/"), 0);
    while let Some(name) = rest.pop() {
        if name == ".." {
            known.pop();
            continue;
        }
        let next = known.join(&name);
        let owner = match fs::symlink_metadata(&next) {
            Ok(facts) => facts.is_symlink().then_some(facts.uid()),
            // What is missing has no links.
            Err(error) if is_missing(&error) => None,
            Err(error) => return Err(error),
        };
        let Some(owner) = owner else {
            known = next;
            continue;
        };
        check_link_owner(&next, owner)?;
        links += 1;
        if links > MOST_LINKS {
            return Err(io::Error::from_raw_os_error(nix::libc::ELOOP));
        }
        let target = fs::read_link(&next)?;
        if target.is_absolute() {
            known = PathBuf::from("/");
        }
        rest.extend(names_backwards(&target));
    }
    Ok(known)
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Resolves the links of a path except the last name.
fn resolve_folder(path: &Path) -> io::Result<PathBuf> {
    let Some(name) = path.file_name() else { return Err(Errno::EEXIST.into()) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Ok(resolve_links(folder.unwrap_or(Path::new(".")))?.join(name))
}

/// The names in a path, last first.
fn names_backwards(path: &Path) -> Vec<OsString> {
    let is_name =
        |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    let names = path.components().filter(is_name).map(|part| part.as_os_str().to_owned());
    names.rev().collect()
}

/// Refuses a link of another user than root and the caller.
fn check_link_owner(link: &Path, owner: u32) -> io::Result<()> {
    if owner == 0 || owner == geteuid().as_raw() {
        return Ok(());
    }
    let link = safe_text(&link.to_string_lossy());
    Err(io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!("{link} is a symbolic link of user {owner}: name the file that it leads to"),
    ))
}

/// Makes a new name durable. A file system that cannot sync a folder does it later.
#[expect(clippy::disallowed_methods, reason = "this is a place that makes files")]
fn sync_folder(path: &Path) -> io::Result<()> {
    let Some(Ok(folder)) = path.parent().map(File::open) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
    }
}

#[expect(clippy::disallowed_methods, reason = "the test looks at its own files")]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, lchown, symlink};

    /// A folder like /tmp, with a link of another user to a folder and one to a file; none without root.
    fn shared_folder() -> Option<(tempfile::TempDir, PathBuf)> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o1777)).unwrap();
        fs::create_dir(path.join("private")).unwrap();
        fs::write(path.join("private/file"), "precious").unwrap();
        for (link, target) in [("folder", "private"), ("link", "private/file")] {
            symlink(target, path.join(link)).unwrap();
            lchown(path.join(link), Some(4711), None).ok()?;
        }
        Some((dir, path))
    }

    #[test]
    fn links_of_other_users_are_not_followed() {
        let Some((_dir, path)) = shared_folder() else { return };
        for link in ["link", "folder/file", "folder/../private/file"] {
            let said = resolve_links(&path.join(link)).unwrap_err().to_string();
            assert!(said.contains("a symbolic link of user 4711"), "{link}: {said}");
        }
        symlink("private", path.join("own")).unwrap();
        assert_eq!(resolve_links(&path.join("own/file")).unwrap(), path.join("private/file"));
        let said = create_new(&path.join("folder/new"), 0o600).unwrap_err().to_string();
        assert!(said.contains("a symbolic link of user 4711"), "{said}");
        let said = create_new(&path.join("link"), 0o600).unwrap_err();
        assert_eq!(said.kind(), io::ErrorKind::AlreadyExists);
        for refused in [
            create_folders(&path.join("folder/new/below")),
            remove_file(&path.join("folder/file")),
            rename(&path.join("folder/file"), &path.join("private/new")),
        ] {
            let said = refused.unwrap_err().to_string();
            assert!(said.contains("a symbolic link of user 4711"), "{said}");
        }
        remove_leftover(&path.join("folder/file"));
        assert_eq!(fs::read(path.join("private/file")).unwrap(), b"precious");
        assert_eq!(fs::read_dir(path.join("private")).unwrap().count(), 1);
        let made = create_new(&path.join("own/new"), 0o640).unwrap();
        assert_eq!(made.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }
}
