//! The signals that mean something to the interface, and stopping as a shell wants it.

use crate::waiting::Signals;
use nix::sys::signal::{self, SigSet, Signal};

/// The signals that mean something to us.
pub(super) const WATCHED: [Signal; 7] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
    Signal::SIGTSTP,
    Signal::SIGCONT,
    Signal::SIGWINCH,
];

/// Stop, as a program does that watches no signals; comes back when the shell says so. A signal
/// that asked for the end meanwhile is handed over.
pub(super) fn stop(signals: &Signals) -> Option<Signal> {
    let stop = SigSet::from(Signal::SIGTSTP);
    let _ = stop.thread_unblock();
    let _ = signal::raise(Signal::SIGTSTP);
    let _ = stop.thread_block();
    // That we go on, and perhaps in another size, is no news any more.
    let known = [Signal::SIGCONT, Signal::SIGTSTP, Signal::SIGWINCH];
    signals.came().filter(|signal| !known.contains(signal)).last()
}

/// End by this signal, so that whoever started us sees what ended us. Its action was never
/// changed, only held back; where it is to be ignored, as after `nohup`, this does nothing.
pub fn end_by(last: Signal) {
    if SigSet::from(last).thread_unblock().is_ok() {
        let _ = signal::raise(last);
    }
}
