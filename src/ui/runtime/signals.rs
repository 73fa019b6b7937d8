//! Signals, as something to read rather than something that interrupts.

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{self, SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

/// The signals that mean something to us.
const WATCHED: [Signal; 7] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
    Signal::SIGTSTP,
    Signal::SIGCONT,
    Signal::SIGWINCH,
];

/// Signals that came.
#[derive(Debug)]
pub(super) struct Signals {
    fd: SignalFd,
}

impl Signals {
    /// Watch from now on, in this thread and in those that it starts.
    ///
    /// # Errors
    /// When the system gives no descriptor.
    pub(super) fn watch() -> nix::Result<Self> {
        let set = WATCHED.into_iter().fold(SigSet::empty(), |mut set, signal| {
            set.add(signal);
            set
        });
        set.thread_block()?;
        let fd = SignalFd::with_flags(&set, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
        Ok(Self { fd })
    }

    /// The next signal that came.
    pub(super) fn next(&self) -> Option<Signal> {
        let info = self.fd.read_signal().ok()??;
        Signal::try_from(i32::try_from(info.ssi_signo).ok()?).ok()
    }

    /// Wait until there is one, but no longer than this.
    pub(super) fn wait(&self, time: Duration) {
        let time = PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX);
        let _ = poll(&mut [PollFd::new(self.as_fd(), PollFlags::POLLIN)], time);
    }

    /// Stop, as a program does that watches no signals; comes back when the shell says so. A
    /// signal that asked for the end meanwhile is handed over.
    pub(super) fn stop(&self) -> Option<Signal> {
        let stop = only(Signal::SIGTSTP);
        let _ = stop.thread_unblock();
        let _ = signal::raise(Signal::SIGTSTP);
        let _ = stop.thread_block();
        // That we go on, and perhaps in another size, is no news any more.
        let known = [Signal::SIGCONT, Signal::SIGTSTP, Signal::SIGWINCH];
        std::iter::from_fn(|| self.next()).filter(|signal| !known.contains(signal)).last()
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// End by this signal, so that whoever started us sees what ended us. Its action was never
/// changed, only held back; where it is to be ignored, as after `nohup`, this does nothing.
pub fn end_by(last: Signal) {
    if only(last).thread_unblock().is_ok() {
        let _ = signal::raise(last);
    }
}

fn only(signal: Signal) -> SigSet {
    let mut set = SigSet::empty();
    set.add(signal);
    set
}
