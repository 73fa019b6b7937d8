//! Opens the files that a plan names, without following links placed there since; and kernel
//! settings.

use crate::model::Name;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, open, openat2};
use nix::sys::stat::Mode;
use nix::unistd::{read as read_from, write as write_to};
use std::os::fd::OwnedFd;
use std::path::Path;

/// Opens a path that had no links when the plan was made.
pub(super) fn without_links(path: &Path, flags: OFlag, mode: Mode) -> Result<OwnedFd, Errno> {
    let flags = flags | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
    let how = OpenHow::new().flags(flags).mode(mode).resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    match openat2(AT_FDCWD, path, how) {
        // A sandbox may not know the call: then only the last part is protected against links.
        Err(Errno::ENOSYS | Errno::EPERM) => open(path, flags, mode),
        other => other,
    }
}

/// Refuses a path that links have been placed in since the plan was made, for calls that would follow them.
pub(super) fn refuse_links(path: &Path) -> Result<(), Errno> {
    let how = OpenHow::new()
        .flags(OFlag::O_PATH | OFlag::O_CLOEXEC)
        .resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    match openat2(AT_FDCWD, path, how) {
        Err(Errno::ELOOP) => Err(Errno::ELOOP),
        // Anything else is for the call itself to report.
        _ => Ok(()),
    }
}

/// Writes a value with one call, as kernel files require.
pub(super) fn write_setting(file: &Name, text: &str) -> Result<(), Errno> {
    // Nothing is created on a kernel without the setting.
    let flags = OFlag::O_WRONLY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW;
    let opened = open(file.as_path(), flags, Mode::empty())?;
    let written = write_to(&opened, text.as_bytes())?;
    if written == text.len() { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Reads a kernel file exactly once, because each reading has an effect.
pub(super) fn take_setting(file: &Name) -> Result<String, Errno> {
    let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW;
    let opened = open(file.as_path(), flags, Mode::empty())?;
    let mut answer = [0; 64];
    let length = read_from(&opened, &mut answer)?;
    Ok(String::from_utf8_lossy(answer.get(..length).unwrap_or_default()).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_anywhere_in_a_path_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        symlink(at("."), at("folder")).unwrap();
        symlink(at("missing"), at("file")).unwrap();
        let paths = ["folder/x", "file", "missing", "."];
        let refused = paths.map(|path| refuse_links(&at(path)).is_err());
        assert_eq!(refused, [true, true, false, false]);
    }
}
