//! The lock on changes: one process at a time.

use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

/// The lock, held while this value or a helper that inherited it lives.
#[derive(Debug)]
pub struct Lock {
    file: Flock<File>,
}

/// Why the lock could not be taken.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds it; with its PID and action.
    HeldBy(String),
    /// The lock file cannot be used.
    Failed(io::Error),
}

impl Lock {
    /// Takes the lock, and writes our PID and action into it.
    pub fn take(path: &Path, word: &str) -> Result<Self, LockError> {
        if let Some(folder) = path.parent() {
            let mut folders = fs::DirBuilder::new();
            folders.recursive(true).mode(0o755).create(folder).map_err(LockError::Failed)?;
        }
        let file = open(path).map_err(LockError::Failed)?;
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(mut file) => {
                if !is_same_file(&file, path) {
                    return Err(LockError::HeldBy(
                        "a process that has just replaced the lock file".to_owned(),
                    ));
                }
                write_owner(&mut file, word).map_err(LockError::Failed)?;
                Ok(Self { file })
            }
            Err((mut file, nix::errno::Errno::EAGAIN)) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                Err(LockError::HeldBy(text.trim().to_owned()))
            }
            Err((_, error)) => Err(LockError::Failed(error.into())),
        }
    }

    /// Another handle of the lock, for a helper.
    pub(super) fn duplicate(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

/// Opens the lock file for the owner only, without following links.
#[expect(clippy::disallowed_methods, reason = "the lock is a file of its own")]
fn open(path: &Path) -> io::Result<File> {
    let flags = nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK;
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .mode(0o600)
        .custom_flags(flags)
        .open(path)
}

/// Is this still the file at that path? A removed file locks nobody out.
fn is_same_file(file: &File, path: &Path) -> bool {
    let same = |other: fs::Metadata| {
        let own = file.metadata();
        own.is_ok_and(|own| (own.dev(), own.ino()) == (other.dev(), other.ino()))
    };
    fs::symlink_metadata(path).is_ok_and(same)
}

fn write_owner(file: &mut File, word: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(word.as_bytes())
}
