//! Pseudo-terminals for programs under test.

#![allow(unsafe_code, reason = "no safe crate in use offers these; each call has its reason")]
#![allow(clippy::disallowed_methods, reason = "the devices of terminals are opened here")]

use nix::fcntl::OFlag;
use nix::libc;
use nix::pty::{PtyMaster, grantpt, posix_openpt, ptsname_r, unlockpt};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Both ends of a new terminal: ours, and that of the programs on it.
///
/// Neither may be inherited by children of other tests: a terminal is closed only when its last descriptor
/// is.
pub(crate) fn pair() -> io::Result<(PtyMaster, File)> {
    let master = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let flags = OFlag::O_NOCTTY.bits();
    let device = ptsname_r(&master)?;
    let slave = OpenOptions::new().read(true).write(true).custom_flags(flags).open(device)?;
    Ok((master, slave))
}

/// Sets the columns and rows of a terminal.
pub(crate) fn set_size(terminal: &PtyMaster, (columns, rows): (u16, u16)) -> io::Result<()> {
    let size = libc::winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the kernel reads the structure of this request, which lives during the call.
    check(unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCSWINSZ, &raw const size) })
}

/// Makes a program the leader of a new session on the terminal of its input, as a login does.
pub(crate) fn lead_session(command: &mut Command) {
    // SAFETY: between fork and exec it makes two system calls without pointers, and no more.
    unsafe { command.pre_exec(take_terminal) };
}

fn take_terminal() -> io::Result<()> {
    nix::unistd::setsid()?;
    // SAFETY: this request takes a number.
    check(unsafe { libc::ioctl(libc::STDIN_FILENO, libc::TIOCSCTTY, 0) })
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
