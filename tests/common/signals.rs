//! Signal handling of child processes, as in an interactive terminal.

#![allow(unsafe_code, reason = "the only place; the call has its reason")]

use nix::sys::signal::{SigHandler, Signal, signal};
use std::sync::Once;

/// Resets all signals, so that child processes receive them, even if this process was started in the
/// background or by nohup, where ignored signals are inherited.
pub(crate) fn heard() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for number in [Signal::SIGINT, Signal::SIGQUIT, Signal::SIGHUP, Signal::SIGTERM] {
            // SAFETY: no handler of ours runs; each signal has its default action.
            unsafe { signal(number, SigHandler::SigDfl) }.expect("a signal has a default");
        }
    });
}
