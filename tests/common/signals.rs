//! Signals as somebody at a terminal has them.

#![allow(unsafe_code, reason = "the only place; the call has its reason")]

use nix::sys::signal::{SigHandler, Signal, signal};
use std::sync::Once;

/// What this process starts hears all signals, although this one may have been started in the
/// background or by nohup, which ignore some: that is inherited.
pub(crate) fn heard() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for number in [Signal::SIGINT, Signal::SIGQUIT, Signal::SIGHUP, Signal::SIGTERM] {
            // SAFETY: no handler of ours runs; each signal does what it does by default.
            unsafe { signal(number, SigHandler::SigDfl) }.expect("a signal has a default");
        }
    });
}
