//! The files of the kernel that hold its settings.

use crate::model::Name;
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;
use nix::unistd::{read as read_from, write as write_to};

/// Write a value as the kernel wants it: with one call.
pub(super) fn write(file: &Name, text: &str) -> Result<(), Errno> {
    // Nothing is created where a kernel lacks the setting.
    let flags = OFlag::O_WRONLY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW;
    let opened = open(file.as_path(), flags, Mode::empty())?;
    let written = write_to(&opened, text.as_bytes())?;
    if written == text.len() { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Read what the kernel answers, once: a second reading would do it again.
pub(super) fn take(file: &Name) -> Result<String, Errno> {
    let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW;
    let opened = open(file.as_path(), flags, Mode::empty())?;
    let mut answer = [0; 64];
    let length = read_from(&opened, &mut answer)?;
    Ok(String::from_utf8_lossy(answer.get(..length).unwrap_or_default()).trim().to_owned())
}
