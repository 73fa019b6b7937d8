//! Ctrl-C and its relatives, as an end in order rather than a sudden one.

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use std::os::fd::AsFd as _;
use std::time::Duration;

/// Watches for the signals that ask a program to end.
#[derive(Debug)]
pub struct Interrupt {
    signals: Option<SignalFd>,
}

impl Interrupt {
    /// Begin to watch, if wanted. Where that cannot be done, and where it is not wanted, a signal
    /// ends the program at once, as ever.
    #[must_use]
    pub fn watch(wanted: bool) -> Self {
        let mut set = SigSet::empty();
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
            set.add(signal);
        }
        let watched = || {
            let signals = SignalFd::with_flags(&set, SfdFlags::SFD_CLOEXEC).ok()?;
            set.thread_block().ok()?;
            Some(signals)
        };
        Self { signals: if wanted { watched() } else { None } }
    }

    /// Wait for this long; true when a signal came meanwhile.
    #[must_use]
    pub fn within(&self, time: Duration) -> bool {
        let Some(signals) = &self.signals else {
            crate::clock::Clock::Real.sleep(time);
            return false;
        };
        // Poll counts milliseconds: round up, so that a sample never comes early.
        let millis = i32::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
        let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
        let mut fds = [PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
        matches!(poll(&mut fds, timeout), Ok(1..))
    }
}
