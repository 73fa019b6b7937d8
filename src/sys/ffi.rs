//! The system calls that no library wraps, or that a library cannot promise to be safe.

#![expect(unsafe_code, reason = "swapon, swapoff and handlers of signals have no safe form")]

use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use std::ffi::CStr;

/// Switch an area on; the flags are those of swapon(2).
pub(super) fn swapon(path: &CStr, flags: libc::c_int) -> Result<(), Errno> {
    // SAFETY: the kernel reads a string that ends in NUL and outlives the call, and keeps no
    // pointer to it.
    Errno::result(unsafe { libc::swapon(path.as_ptr(), flags) }).map(drop)
}

/// Switch an area off. It comes back when all pages are off it, or a signal is pending.
pub(super) fn swapoff(path: &CStr) -> Result<(), Errno> {
    // SAFETY: as above.
    Errno::result(unsafe { libc::swapoff(path.as_ptr()) }).map(drop)
}

/// Let these signals interrupt a system call that sleeps, and do nothing else, whatever this
/// process was started with.
pub(super) fn let_interrupt(signals: &[Signal]) -> Result<(), Errno> {
    let handler = SigHandler::Handler(nothing);
    // Without SA_RESTART the call ends.
    let action = SigAction::new(handler, SaFlags::empty(), SigSet::empty());
    for signal in signals {
        // SAFETY: the handler does nothing, which is safe at any moment.
        unsafe { sigaction(*signal, &action) }?;
    }
    signals.iter().copied().collect::<SigSet>().thread_unblock()
}

extern "C" fn nothing(_signal: libc::c_int) {}
