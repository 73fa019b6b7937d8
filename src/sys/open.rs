//! Opening what a plan names: the thing itself, never what a link leads to that somebody laid in
//! its way since.

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, open, openat2};
use nix::sys::stat::Mode;
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
