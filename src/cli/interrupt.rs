//! Ctrl-C and other signals that ask the program to end, so that it can clean up first.

use crate::actions::monitor::StopReason;
use crate::root::{CancelToken, Root};
use crate::waiting::{self, Signals, Timer, Watched};
use nix::poll::PollFlags;
use nix::sys::signal::Signal;
use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Runtime;

/// Watches for signals that ask the program to end.
#[derive(Debug)]
pub struct Interrupt {
    ear: Option<Arc<SignalWatch>>,
    asked: Cell<Option<Signal>>,
}

/// The signals, also checked by reads that take long.
#[derive(Debug)]
struct SignalWatch {
    runtime: Runtime,
    timer: Timer,
    signals: Signals,
    /// Whether a read ended early because of a signal.
    ended: AtomicBool,
}

impl SignalWatch {
    /// Runs a task until it ends; none if a signal arrived instead.
    fn run<T>(&self, task: impl Future<Output = T>) -> Option<T> {
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = self.signals.pending() => None,
                ended = task => Some(ended),
            }
        })
    }
}

impl CancelToken for SignalWatch {
    fn is_cancelled(&self) -> bool {
        let hears = self.signals.is_pending();
        self.ended.fetch_or(hears, Ordering::Relaxed);
        hears
    }
}

impl Interrupt {
    /// Begins to watch, if wanted. Otherwise, and if watching fails, a signal ends the program at once.
    pub fn watch(wanted: bool) -> Self {
        if !wanted {
            return Self { ear: None, asked: Cell::default() };
        }
        Self::watch_for(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP])
    }

    /// Watches for all signals that must not end a change in the middle. SIGTSTP (Ctrl-Z) is included:
    /// it would stop this process, but not the helper that makes the change.
    pub fn guard() -> Self {
        let signals =
            [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT, Signal::SIGTSTP];
        Self::watch_for(&signals)
    }

    /// Watches for these signals, except those that the program was started to ignore, as by nohup.
    fn watch_for(signals: &[Signal]) -> Self {
        let ignored = ignored();
        let is_ignored = |signal: Signal| ignored & (1 << (signal as u32 - 1)) != 0;
        let heard = signals.iter().copied().filter(|signal| !is_ignored(*signal));
        let ear = || {
            let runtime = waiting::runtime().ok()?;
            let entered = runtime.enter();
            let (timer, signals) = (Timer::new().ok()?, Signals::watch(heard).ok()?);
            drop(entered);
            Some(Arc::new(SignalWatch { runtime, timer, signals, ended: AtomicBool::new(false) }))
        };
        Self { ear: ear(), asked: Cell::default() }
    }

    /// Takes the pending signals; SIGTSTP is taken and dropped.
    pub fn take_signals(&self) -> Vec<Signal> {
        let Some(ear) = &self.ear else { return Vec::new() };
        let came: Vec<Signal> =
            ear.signals.drain().filter(|signal| *signal != Signal::SIGTSTP).collect();
        self.asked.set(self.asked.get().or(came.first().copied()));
        came
    }

    /// The first signal that was ever taken with [`Self::take_signals`].
    pub fn first_signal(&self) -> Option<Signal> {
        self.asked.get()
    }

    /// Stops work for the signals since the last call. Undoing is stopped by a second Ctrl-C only; the first may
    /// have come before the undoing began.
    pub fn stop_work(&self, is_undo: bool) -> ControlFlow<StopReason> {
        let was_asked = self.first_signal().is_some();
        let came = self.take_signals();
        if !is_undo {
            return stop(came.first().copied());
        }
        let again = was_asked && came.contains(&Signal::SIGINT);
        if again { ControlFlow::Break(StopReason::Again) } else { ControlFlow::Continue(()) }
    }

    /// Waits for input; false if a signal arrived instead.
    pub fn wait_for_input(&self) -> bool {
        let Some(ear) = &self.ear else { return true };
        loop {
            if ear.run(ready(io::stdin(), PollFlags::POLLIN)).is_some() {
                return true;
            }
            if !self.take_signals().is_empty() {
                return false;
            }
        }
    }

    /// Waits until standard output takes more; false if a signal arrived instead.
    pub fn wait_for_output(&self) -> bool {
        let Some(ear) = &self.ear else { return true };
        ear.runtime.block_on(async {
            tokio::select! {
                biased;
                () = ready(io::stdout(), PollFlags::POLLOUT) => true,
                () = ear.signals.pending() => false,
            }
        })
    }

    /// Waits for this long; true if a signal arrived meanwhile.
    pub fn wait(&self, time: Duration) -> bool {
        let Some(ear) = &self.ear else {
            crate::clock::Clock::Real.sleep(time);
            return false;
        };
        ear.run(ear.timer.sleep(time)).is_none()
    }

    /// Waits for this long, or until a signal arrives; true if it is one that ends the program.
    pub fn ends_within(&self, time: Duration) -> bool {
        self.wait(time) && !self.take_signals().is_empty()
    }

    /// Runs a task until it ends or a signal arrives.
    ///
    /// # Errors
    /// The task failed, or signals cannot be watched.
    pub fn run_until_signal(&self, task: impl Future<Output = io::Result<()>>) -> io::Result<()> {
        let ear = self.ear.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        ear.run(task).unwrap_or(Ok(()))
    }

    /// The root, with long reads that end early once a signal has arrived.
    pub fn cancellable(&self, root: &Root) -> Root {
        self.ear.as_ref().map_or_else(|| root.clone(), |ear| root.with_cancel(Arc::clone(ear)))
    }

    /// Whether a read ended early.
    pub fn has_cut_short(&self) -> bool {
        self.ear.as_ref().is_some_and(|ear| ear.ended.load(Ordering::Relaxed))
    }
}

/// Stops work for this signal.
pub fn stop(signal: Option<Signal>) -> ControlFlow<StopReason> {
    match signal {
        Some(signal) => ControlFlow::Break(StopReason::Signal(signal)),
        None => ControlFlow::Continue(()),
    }
}

/// Waits until a standard stream has input or takes output.
async fn ready(stream: impl AsFd, event: PollFlags) {
    // epoll refuses regular files, which are always ready.
    let Ok(stream) = Watched::new(stream, event) else { return };
    // The runtime learns of a new descriptor only after the other branches were tried.
    if stream.reported().is_empty() {
        stream.ready().await;
    }
}

/// The signals that the program was started to ignore, as the bit mask of the kernel.
fn ignored() -> u64 {
    let status = Root::live().record("proc/self/status");
    let mask = |status: &Vec<u8>| {
        let text = String::from_utf8_lossy(status);
        let line = text.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    };
    status.known().and_then(mask).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_by_the_terminal_does_not_end_a_wait() {
        let interrupt = Interrupt::guard();
        assert!(interrupt.ear.is_some(), "otherwise the signal stops this process");
        nix::sys::signal::raise(Signal::SIGTSTP).unwrap();
        assert!(!interrupt.ends_within(Duration::from_millis(200)));
        assert_eq!(interrupt.first_signal(), None);
    }
}
