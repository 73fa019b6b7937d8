//! The lock on changes: one process at a time.

use crate::root::whole_file_lock;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

/// The lock, held until this value is dropped. If the process is killed, the helper that inherited it holds it until it ends.
#[derive(Debug)]
pub struct Lock {
    file: File,
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
    pub fn take(path: &Path, title: &str) -> Result<Self, LockError> {
        if let Some(folder) = path.parent() {
            let mut folders = fs::DirBuilder::new();
            folders.recursive(true).mode(0o755).create(folder).map_err(LockError::Failed)?;
        }
        let mut file = open(path).map_err(LockError::Failed)?;
        match fcntl(&file, FcntlArg::F_OFD_SETLK(&whole_file_lock(libc::F_WRLCK))) {
            Ok(_) => {
                if !is_same_file(&file, path) {
                    return Err(LockError::HeldBy(
                        "a process that has just replaced the lock file".to_owned(),
                    ));
                }
                let text = format!("pid {}: {title}", std::process::id());
                write_owner(&file, &text).map_err(LockError::Failed)?;
                Ok(Self { file })
            }
            Err(Errno::EAGAIN) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                Err(LockError::HeldBy(describe_owner(text.trim(), is_running)))
            }
            Err(error) => Err(LockError::Failed(error.into())),
        }
    }

    /// Another handle of the lock, for a helper.
    pub(super) fn duplicate(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

impl Drop for Lock {
    /// Releases the lock at once: a child that another thread is just starting has the file until it runs its program,
    /// and would hold the lock as long.
    fn drop(&mut self) {
        let _ = fcntl(&self.file, FcntlArg::F_OFD_SETLK(&whole_file_lock(libc::F_UNLCK)));
    }
}

/// Opens the lock file for the owner only, without following links.
#[expect(clippy::disallowed_methods, reason = "the lock is a file of its own")]
fn open(path: &Path) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
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

/// Writes the text over the old one, which is never missing meanwhile: others read it without the lock.
fn write_owner(mut file: &File, text: &str) -> io::Result<()> {
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)
}

/// Adds our PID to the lock, which we have inherited as a helper: we may outlive the process that took it.
pub(super) fn add_helper(mut lock: &File) -> io::Result<()> {
    let mut text = String::new();
    lock.rewind()?;
    lock.read_to_string(&mut text)?;
    let parts = text.strip_prefix("pid ").and_then(|rest| rest.split_once(": "));
    let Some((pids, title)) = parts else { return Ok(()) };
    let pid = pids.split(", ").next().unwrap_or_default();
    write_owner(lock, &format!("pid {pid}, helper {}: {title}", std::process::id()))
}

/// Names the process that still runs: a helper goes on when the program that started it was killed.
fn describe_owner(text: &str, is_running: impl Fn(i32) -> bool) -> String {
    match parse_owner(text) {
        Some((pid, helper, title)) if !is_running(pid) && is_running(helper) => {
            format!("pid {helper}, which finishes the work of {pid}, which was killed: {title}")
        }
        _ => text.to_owned(),
    }
}

/// The PIDs of a process and its helper, and the action.
fn parse_owner(text: &str) -> Option<(i32, i32, &str)> {
    let (pids, title) = text.strip_prefix("pid ")?.split_once(": ")?;
    let (pid, helper) = pids.split_once(", helper ")?;
    Some((pid.parse().ok()?, helper.parse().ok()?, title))
}

fn is_running(pid: i32) -> bool {
    kill(Pid::from_raw(pid), None) != Err(Errno::ESRCH)
}

#[cfg(test)]
mod tests {
    use super::describe_owner;

    #[test]
    fn the_process_that_still_runs_is_named() {
        let of = |text: &str, running: &[i32]| describe_owner(text, |pid| running.contains(&pid));
        let both = "pid 17, helper 19: off /dev/sda2";
        assert_eq!(of(both, &[17, 19]), both);
        let left = "pid 19, which finishes the work of 17, which was killed: off /dev/sda2";
        assert_eq!(of(both, &[19]), left);
        for text in ["pid 17: off /dev/sda2", "", "pid x, helper : y"] {
            assert_eq!(of(text, &[]), text);
        }
    }
}
