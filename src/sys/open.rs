//! Opening what a plan names: the thing itself, never what a link leads to that somebody laid in its way
//! since; and the files of the kernel that hold its settings.

use crate::model::Name;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, open, openat2};
use nix::sys::stat::Mode;
use nix::unistd::{read as read_from, write as write_to};
use std::os::fd::OwnedFd;
use std::path::Path;

/// Open a path in which no link was left when the plan was made.
pub(super) fn without_links(path: &Path, flags: OFlag, mode: Mode) -> Result<OwnedFd, Errno> {
    let flags = flags | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
    let how = OpenHow::new().flags(flags).mode(mode).resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    match openat2(AT_FDCWD, path, how) {
        // A sandbox that does not know the call: then only the last part is held against links.
        Err(Errno::ENOSYS | Errno::EPERM) => open(path, flags, mode),
        other => other,
    }
}

/// Write a value as the kernel wants it: with one call.
pub(super) fn write_setting(file: &Name, text: &str) -> Result<(), Errno> {
    // Nothing is created where a kernel lacks the setting.
    let flags = OFlag::O_WRONLY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW;
    let opened = open(file.as_path(), flags, Mode::empty())?;
    let written = write_to(&opened, text.as_bytes())?;
    if written == text.len() { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Read what the kernel answers, once: a second reading would do it again.
pub(super) fn take_setting(file: &Name) -> Result<String, Errno> {
    let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW;
    let opened = open(file.as_path(), flags, Mode::empty())?;
    let mut answer = [0; 64];
    let length = read_from(&opened, &mut answer)?;
    Ok(String::from_utf8_lossy(answer.get(..length).unwrap_or_default()).trim().to_owned())
}
