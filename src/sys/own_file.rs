//! Files that the program keeps for a user: made for their eyes only, and replaced whole.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Creates a file that only its owner can read, and holds it by a lock as long as it is open.
/// Returns nothing if somebody else created it first, or takes it for one that was left behind.
#[expect(clippy::disallowed_methods, reason = "this is a place that makes files")]
pub fn lock_file(path: &Path) -> io::Result<Option<File>> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(file) => {
            let is_lost = matches!(file.try_lock(), Err(TryLockError::WouldBlock))
                || file.metadata()?.nlink() == 0;
            Ok((!is_lost).then_some(file))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes a claimed file whose owner was killed. A failure does not matter: whoever claims the
/// next file takes another name.
#[expect(clippy::disallowed_methods, reason = "nothing is read of it")]
pub fn remove_leftover(path: &Path) {
    // Somebody may have put something there that blocks whoever opens it.
    let flags = nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK;
    let Ok(file) = OpenOptions::new().read(true).custom_flags(flags).open(path) else { return };
    if file.try_lock().is_err() {
        return;
    }
    // By now the name may belong to another file, which is held by somebody else.
    let same = |(open, there): (fs::Metadata, fs::Metadata)| {
        open.is_file() && (open.dev(), open.ino()) == (there.dev(), there.ino())
    };
    if file.metadata().ok().zip(fs::symlink_metadata(path).ok()).is_some_and(same) {
        let _ = fs::remove_file(path);
    }
}

/// Gives a file that was written its name, durably.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder(to);
    Ok(())
}

/// Creates a folder and those above it where they are missing, for the owner only.
pub fn create_folders(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Links that may lead from one to the next, as in the kernel.
const MOST_LINKS: usize = 40;

/// Resolves all links of a path, also one to a file that is not there yet. Fails if its folder
/// cannot be examined, or if links form a circle.
#[expect(clippy::disallowed_methods, reason = "the file is looked for on this machine only")]
pub fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = std::path::absolute(path)?;
    for _ in 0..MOST_LINKS {
        // What `..` means depends on the links before it.
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name())
            && folder.exists()
        {
            path = fs::canonicalize(folder)?.join(name);
        }
        match (fs::read_link(&path), path.parent()) {
            (Ok(target), Some(folder)) => path = folder.join(target),
            _ => return Ok(path),
        }
    }
    Err(io::Error::from_raw_os_error(nix::libc::ELOOP))
}

/// Makes a new name durable. Where a folder cannot be synced, the file system does it later.
#[expect(clippy::disallowed_methods, reason = "this is a place that makes files")]
pub fn sync_folder(path: &Path) {
    if let Some(Ok(folder)) = path.parent().map(File::open) {
        let _ = folder.sync_all();
    }
}
