//! Ctrl-C and its relatives, as an end in order rather than a sudden one.

use crate::root::{GivenUp, Root};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use std::cell::Cell;
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Watches for the signals that ask a program to end.
#[derive(Debug)]
pub struct Interrupt {
    ear: Option<Arc<Ear>>,
    asked: Cell<Option<Signal>>,
}

/// Hears the signals, also for whoever reads for long.
#[derive(Debug)]
struct Ear {
    signals: SignalFd,
    /// Did a reader end early for it?
    ended: AtomicBool,
}

impl Ear {
    /// Did a signal come within this time that nobody has taken?
    fn hears(&self, time: PollTimeout) -> bool {
        let mut fds = [PollFd::new(self.signals.as_fd(), PollFlags::POLLIN)];
        matches!(poll(&mut fds, time), Ok(1..))
    }
}

impl GivenUp for Ear {
    fn is_given_up(&self) -> bool {
        let hears = self.hears(PollTimeout::ZERO);
        self.ended.fetch_or(hears, Ordering::Relaxed);
        hears
    }
}

/// Why something ends that a signal has ended.
pub fn why(signal: Signal) -> String {
    format!("it was interrupted ({signal})")
}

impl Interrupt {
    /// Begin to watch, if wanted. Where that cannot be done, and where it is not wanted, a signal
    /// ends the program at once, as ever.
    pub fn watch(wanted: bool) -> Self {
        if !wanted {
            return Self { ear: None, asked: Cell::default() };
        }
        Self::of([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect())
    }

    /// Watch for all that shall not end a change in the middle. What this program was started to
    /// ignore, as by nohup, is ignored; the wish to be stopped would stop only those who look on.
    pub fn guard() -> Self {
        let ignored = ignored();
        let heard = |signal: &Signal| ignored & (1 << (*signal as u32 - 1)) == 0;
        let signals =
            [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT, Signal::SIGTSTP];
        Self::of(signals.into_iter().filter(heard).collect())
    }

    fn of(set: SigSet) -> Self {
        let watched = || {
            let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
            let signals = SignalFd::with_flags(&set, flags).ok()?;
            set.thread_block().ok()?;
            Some(Arc::new(Ear { signals, ended: AtomicBool::new(false) }))
        };
        Self { ear: watched(), asked: Cell::default() }
    }

    /// The signals that came since it was last asked, but for the wish to be stopped.
    pub fn came(&self) -> Vec<Signal> {
        let Some(ear) = &self.ear else { return Vec::new() };
        let next = || {
            let info = ear.signals.read_signal().ok().flatten()?;
            i32::try_from(info.ssi_signo).ok().and_then(|number| Signal::try_from(number).ok())
        };
        let came: Vec<Signal> =
            std::iter::from_fn(next).filter(|signal| *signal != Signal::SIGTSTP).collect();
        self.asked.set(self.asked.get().or(came.first().copied()));
        came
    }

    /// The first signal that was ever taken with [`Self::came`].
    pub fn asked(&self) -> Option<Signal> {
        self.asked.get()
    }

    /// Wait until somebody types; false when a signal came instead.
    pub fn or_typed(&self) -> bool {
        let Some(ear) = &self.ear else { return true };
        let input = std::io::stdin();
        loop {
            let mut fds = [
                PollFd::new(input.as_fd(), PollFlags::POLLIN),
                PollFd::new(ear.signals.as_fd(), PollFlags::POLLIN),
            ];
            let polled = poll(&mut fds, PollTimeout::NONE).is_ok();
            let [typed, _] = &fds;
            if !self.came().is_empty() {
                return false;
            }
            if polled && typed.any().unwrap_or(true) {
                return true;
            }
        }
    }

    /// Wait for this long; true when a signal came meanwhile.
    pub fn within(&self, time: Duration) -> bool {
        let Some(ear) = &self.ear else {
            crate::clock::Clock::Real.sleep(time);
            return false;
        };
        // Poll counts milliseconds: round up, so that a sample never comes early.
        let millis = i32::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
        ear.hears(PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX))
    }

    /// The same root, of which nothing that takes long is read to its end once a signal came.
    pub fn ends(&self, root: &Root) -> Root {
        self.ear.as_ref().map_or_else(|| root.clone(), |ear| root.until(Arc::clone(ear)))
    }

    /// Was something not read to its end?
    pub fn has_ended(&self) -> bool {
        self.ear.as_ref().is_some_and(|ear| ear.ended.load(Ordering::Relaxed))
    }
}

/// The signals that this program was started to ignore, as the kernel's bit mask.
fn ignored() -> u64 {
    let status = Root::live().record("proc/self/status");
    let mask = |status: &Vec<u8>| {
        let text = String::from_utf8_lossy(status);
        let line = text.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    };
    status.known().and_then(mask).unwrap_or(0)
}
