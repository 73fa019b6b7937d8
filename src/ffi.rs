//! System calls that no library wraps safely: all unsafe code of the program.

#![expect(
    unsafe_code,
    reason = "swapon, swapoff, membarrier, ioctl, handlers of signals, extended attributes, mappings and \
              processes have no safe form"
)]

pub(crate) mod files;
pub(crate) mod memory;
pub(crate) mod process;

use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use std::ffi::CStr;
use std::fs::File;
use std::os::fd::AsRawFd as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// Enables an area, with the flags of swapon(2).
pub(crate) fn swapon(path: &CStr, flags: libc::c_int) -> Result<(), Errno> {
    // SAFETY: the kernel reads a string that ends in NUL and outlives the call, and keeps no
    // pointer to it.
    Errno::result(unsafe { libc::swapon(path.as_ptr(), flags) }).map(drop)
}

/// Disables an area. Returns when all pages are moved off, or a signal is pending.
pub(crate) fn swapoff(path: &CStr) -> Result<(), Errno> {
    // SAFETY: as above.
    Errno::result(unsafe { libc::swapoff(path.as_ptr()) }).map(drop)
}

/// Waits until all CPUs have passed through the kernel once: `MEMBARRIER_CMD_GLOBAL`.
pub(crate) fn wait_grace_period() -> Result<(), Errno> {
    // SAFETY: the call takes three numbers, and touches no memory of ours.
    let answer = unsafe { libc::syscall(libc::SYS_membarrier, libc::MEMBARRIER_CMD_GLOBAL, 0, 0) };
    Errno::result(answer).map(drop)
}

/// Lets these signals interrupt a sleeping system call, and be noted, without any other effect, whatever
/// disposition this process inherited.
pub(crate) fn interrupt_on(signals: &[Signal]) -> Result<(), Errno> {
    // Without SA_RESTART the call returns.
    handle(signals, SigHandler::Handler(note_signal))
}

/// Whether one of the signals of [`interrupt_on`] has come.
static IS_SIGNALLED: AtomicBool = AtomicBool::new(false);

extern "C" fn note_signal(_signal: libc::c_int) {
    IS_SIGNALLED.store(true, Ordering::Relaxed);
}

/// Returns whether one of the signals of [`interrupt_on`] has come.
pub(crate) fn is_signalled() -> bool {
    IS_SIGNALLED.load(Ordering::Relaxed)
}

/// Gives signals their default effect, whatever the parent did with them.
pub(crate) fn restore_default(signals: &[Signal]) -> Result<(), Errno> {
    handle(signals, SigHandler::SigDfl)
}

fn handle(signals: &[Signal], handler: SigHandler) -> Result<(), Errno> {
    let action = SigAction::new(handler, SaFlags::empty(), SigSet::empty());
    for signal in signals {
        // SAFETY: the handler only sets a flag, which is safe at any moment, or is the default.
        unsafe { sigaction(*signal, &action) }?;
    }
    signals.iter().copied().collect::<SigSet>().thread_unblock()
}

/// Ignores a signal: the call that causes it fails instead.
pub(crate) fn ignore(signal: Signal) -> Result<(), Errno> {
    let action = SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty());
    // SAFETY: no handler of ours runs.
    unsafe { sigaction(signal, &action) }.map(drop)
}

/// Whether this process was started without standard output.
static STARTED_WITHOUT_OUTPUT: AtomicBool = AtomicBool::new(false);

/// Runs before `main`, as Rust then opens /dev/null in place of a closed output.
// SAFETY: the section holds pointers to functions that the loader calls before `main`.
#[used]
#[unsafe(link_section = ".init_array")]
static NOTE_CLOSED_OUTPUT: extern "C" fn() = note_closed_output;

extern "C" fn note_closed_output() {
    // SAFETY: the call takes two numbers, and touches no memory of ours.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    STARTED_WITHOUT_OUTPUT.store(flags == -1, Ordering::Relaxed);
}

/// Returns whether this process was started without standard output.
pub(crate) fn started_without_output() -> bool {
    STARTED_WITHOUT_OUTPUT.load(Ordering::Relaxed)
}

/// The attributes of a file as shown by lsattr(1).
pub(crate) fn attributes(file: &File) -> Result<libc::c_uint, Errno> {
    let mut flags: libc::c_uint = 0;
    // SAFETY: the kernel writes an int, whatever the name of the request says, into one.
    let result =
        unsafe { libc::ioctl(file.as_raw_fd(), libc::FS_IOC_GETFLAGS as _, &raw mut flags) };
    Errno::result(result).map(|_| flags)
}

/// Sets the attributes of a file.
pub(crate) fn set_attributes(file: &File, flags: libc::c_uint) -> Result<(), Errno> {
    // SAFETY: the kernel reads an int from one that outlives the call.
    let result =
        unsafe { libc::ioctl(file.as_raw_fd(), libc::FS_IOC_SETFLAGS as _, &raw const flags) };
    Errno::result(result).map(drop)
}

/// The names of all extended attributes of a file, each terminated by NUL.
pub(crate) fn list_labels(file: &File) -> Result<Vec<u8>, Errno> {
    // SAFETY: the kernel writes at most as many bytes as there are, or none where there are none.
    read_all(|room, size| unsafe { libc::flistxattr(file.as_raw_fd(), room.cast(), size) })
}

/// The value of an extended attribute.
pub(crate) fn label(file: &File, name: &CStr) -> Result<Vec<u8>, Errno> {
    // SAFETY: as above; it reads a name that ends in NUL and outlives the call.
    read_all(|room, size| unsafe {
        libc::fgetxattr(file.as_raw_fd(), name.as_ptr(), room.cast(), size)
    })
}

/// Sets an extended attribute.
pub(crate) fn set_label(file: &File, name: &CStr, value: &[u8]) -> Result<(), Errno> {
    // SAFETY: the kernel reads a name that ends in NUL, and as many bytes as there are.
    let result = unsafe {
        libc::fsetxattr(file.as_raw_fd(), name.as_ptr(), value.as_ptr().cast(), value.len(), 0)
    };
    Errno::result(result).map(drop)
}

/// Removes an extended attribute.
pub(crate) fn remove_label(file: &File, name: &CStr) -> Result<(), Errno> {
    // SAFETY: the kernel reads a name that ends in NUL.
    Errno::result(unsafe { libc::fremovexattr(file.as_raw_fd(), name.as_ptr()) }).map(drop)
}

/// The complete result of a call that reports its length when given no room. Fails if the result
/// has grown in between.
fn read_all(call: impl Fn(*mut u8, usize) -> isize) -> Result<Vec<u8>, Errno> {
    let size = Errno::result(call(std::ptr::null_mut(), 0))?;
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(0)];
    if bytes.is_empty() {
        return Ok(bytes);
    }
    let size = Errno::result(call(bytes.as_mut_ptr(), bytes.len()))?;
    bytes.truncate(usize::try_from(size).unwrap_or(0));
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call whose result is shorter or longer at the second time, as when somebody changes it.
    fn read_with(bytes: &[u8], first: isize) -> Result<Vec<u8>, Errno> {
        read_all(|room, size| {
            if room.is_null() {
                return first;
            }
            // SAFETY: as the kernel does, it writes no more than there is room for.
            unsafe { room.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len().min(size)) };
            if bytes.len() > size { -1 } else { bytes.len().cast_signed() }
        })
    }

    #[test]
    fn all_of_a_result_is_read() {
        assert_eq!(read_with(b"abc", 3), Ok(b"abc".to_vec()));
        assert_eq!(read_with(b"ab", 3), Ok(b"ab".to_vec()));
        assert_eq!(read_with(b"abc", 0), Ok(Vec::new()));
        assert!(read_with(b"abcd", 3).is_err(), "it has grown");
    }
}
