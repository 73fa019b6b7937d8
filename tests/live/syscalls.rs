//! The system calls that no safe crate offers: swapon, swapoff and the control of loop devices.

#![allow(unsafe_code, reason = "the only place; each call has its reason")]

use nix::libc;
use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// From `include/linux/swap.h`: the low bits hold a priority.
const SWAP_FLAG_PREFER: libc::c_int = 0x8000;
/// From `include/uapi/linux/loop.h`.
const LOOP_SET_FD: libc::c_ulong = 0x4C00;
const LOOP_CLR_FD: libc::c_ulong = 0x4C01;
const LOOP_CTL_GET_FREE: libc::c_ulong = 0x4C82;

/// Use an area at this priority.
pub(crate) fn swapon(area: &Path, priority: u16) -> io::Result<()> {
    let path = text(area)?;
    let flags = SWAP_FLAG_PREFER | libc::c_int::from(priority & 0x7fff);
    // SAFETY: the path is a C string that outlives the call; the kernel keeps neither.
    check(unsafe { libc::swapon(path.as_ptr(), flags) }).map(|_| ())
}

/// Stop using an area.
pub(crate) fn swapoff(area: &Path) -> io::Result<()> {
    let path = text(area)?;
    // SAFETY: as for swapon.
    check(unsafe { libc::swapoff(path.as_ptr()) }).map(|_| ())
}

/// Attach a file to a free loop device, and name the device.
pub(crate) fn attach_loop(file: &File) -> io::Result<PathBuf> {
    let control = open("/dev/loop-control".as_ref())?;
    loop {
        // SAFETY: this request takes no argument.
        let number = check(unsafe { libc::ioctl(control.as_raw_fd(), LOOP_CTL_GET_FREE as _) })?;
        let path = PathBuf::from(format!("/dev/loop{number}"));
        let device = open(&path)?;
        // SAFETY: this request takes the number of a file that is open during the call.
        let set = unsafe { libc::ioctl(device.as_raw_fd(), LOOP_SET_FD as _, file.as_raw_fd()) };
        match check(set) {
            Ok(_) => return Ok(path),
            // Somebody else took it in between.
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Take the file away from a loop device.
pub(crate) fn detach_loop(device: &Path) -> io::Result<()> {
    let device = open(device)?;
    // SAFETY: this request takes no argument.
    check(unsafe { libc::ioctl(device.as_raw_fd(), LOOP_CLR_FD as _) }).map(|_| ())
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

fn text(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

fn check(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
