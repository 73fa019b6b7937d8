//! Waiting for signals, descriptors and time in the calling thread, with a tokio runtime.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::runtime::{Builder, Runtime};

/// A runtime of the current thread, which starts no other thread.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_io().build()
}

/// An open file, and the events to wait for.
#[derive(Debug)]
pub(crate) struct Watched {
    fd: AsyncFd<OwnedFd>,
    events: PollFlags,
}

impl Watched {
    /// Makes the runtime watch a copy of the descriptor for these events, and for the other end to be
    /// closed. Call it inside of the runtime. Regular files, which epoll refuses, are an error.
    pub(crate) fn new(file: impl AsFd, events: PollFlags) -> io::Result<Self> {
        let fd = file.as_fd().try_clone_to_owned()?;
        let written = events.contains(PollFlags::POLLOUT);
        // Each read at the other end wakes a waiting writer.
        let interest = if written { Interest::WRITABLE } else { Interest::READABLE };
        #[allow(deprecated, reason = "an owned descriptor needs none of what is unsafe instead")]
        let fd = AsyncFd::with_interest(fd, interest)?;
        Ok(Self { fd, events })
    }

    /// Waits until poll(2) reports an event, and returns it. The runtime only sees changes (epoll is
    /// edge-triggered), and would forget input that was not read completely.
    pub(crate) async fn ready(&self) -> PollFlags {
        loop {
            let changed = self.fd.ready(Interest::READABLE | Interest::WRITABLE).await;
            let Ok(mut changed) = changed else { return PollFlags::POLLERR };
            let reported = self.reported();
            if !reported.is_empty() {
                return reported;
            }
            changed.clear_ready();
        }
    }

    /// The events that poll(2) reports now.
    pub(crate) fn reported(&self) -> PollFlags {
        let mut fds = [PollFd::new(self.fd.get_ref().as_fd(), self.events)];
        // An interrupted poll would look like no event.
        while poll(&mut fds, PollTimeout::ZERO) == Err(Errno::EINTR) {}
        let [fd] = &fds;
        fd.revents().unwrap_or(PollFlags::empty())
    }
}

/// A timer that wakes its waiter once. Timers of the runtime wake it twice for most durations: once
/// only to sort them among the near ones.
#[derive(Debug)]
pub(crate) struct Timer {
    fd: TimerFd,
    watched: Watched,
}

impl Timer {
    /// A timer for one waiter at a time. Call it inside of the runtime.
    pub(crate) fn new() -> io::Result<Self> {
        let flags = TimerFlags::TFD_CLOEXEC | TimerFlags::TFD_NONBLOCK;
        let fd = TimerFd::new(ClockId::CLOCK_BOOTTIME, flags)?;
        let watched = Watched::new(&fd, PollFlags::POLLIN)?;
        Ok(Self { fd, watched })
    }

    /// Waits for this long.
    pub(crate) async fn sleep(&self, time: Duration) {
        // Zero would stop the timer, and a time beyond its range is an error.
        let longest = Duration::from_secs(u32::MAX.into());
        let time = TimeSpec::from(time.clamp(Duration::from_nanos(1), longest));
        let _ = self.fd.set(Expiration::OneShot(time), TimerSetTimeFlags::empty());
        self.watched.ready().await;
    }
}

/// Signals that are read from a descriptor instead of interrupting the program.
#[derive(Debug)]
pub(crate) struct Signals {
    fd: SignalFd,
    watched: Watched,
}

impl Signals {
    /// Watches for these signals from now on, in this thread and in those that it starts. Call it
    /// inside of the runtime. After an error, signals act as before.
    pub(crate) fn watch(signals: impl IntoIterator<Item = Signal>) -> io::Result<Self> {
        let signals: SigSet = signals.into_iter().collect();
        let fd = SignalFd::with_flags(&signals, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
        let watched = Watched::new(&fd, PollFlags::POLLIN)?;
        signals.thread_block()?;
        Ok(Self { fd, watched })
    }

    /// Takes the next pending signal.
    fn take(&self) -> Option<Signal> {
        let info = self.fd.read_signal().ok()??;
        Signal::try_from(i32::try_from(info.ssi_signo).ok()?).ok()
    }

    /// Takes all pending signals.
    pub(crate) fn drain(&self) -> impl Iterator<Item = Signal> {
        std::iter::from_fn(|| self.take())
    }

    /// Waits for the next signal, and takes it.
    pub(crate) async fn next(&self) -> Signal {
        loop {
            self.pending().await;
            if let Some(signal) = self.take() {
                return signal;
            }
        }
    }

    /// Whether a signal is pending.
    pub(crate) fn is_pending(&self) -> bool {
        !self.watched.reported().is_empty()
    }

    /// Waits until a signal is pending.
    pub(crate) async fn pending(&self) {
        self.watched.ready().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::unistd;

    /// The result of a future, if it ends within 50 ms.
    async fn within_50_ms<T>(what: impl Future<Output = T>) -> Option<T> {
        let timer = Timer::new().unwrap();
        tokio::select! {
            biased;
            come = what => Some(come),
            () = timer.sleep(Duration::from_millis(50)) => None,
        }
    }

    #[test]
    fn timer_uses_its_latest_duration() {
        runtime().unwrap().block_on(async {
            let timer = Timer::new().unwrap();
            assert_eq!(within_50_ms(timer.sleep(Duration::MAX)).await, None);
            let began = Clock::Real.now();
            assert_eq!(within_50_ms(timer.sleep(Duration::ZERO)).await, Some(()));
            for _ in 0..2 {
                timer.sleep(Duration::from_millis(20)).await;
            }
            let passed = Clock::Real.now().seconds_since(began);
            assert!((0.04..1.0).contains(&passed), "{passed} s");
        });
    }

    #[test]
    fn unread_input_and_hangup_are_reported() {
        runtime().unwrap().block_on(async {
            let (input, output) = unistd::pipe().unwrap();
            let watched = Watched::new(&input, PollFlags::POLLIN).unwrap();
            let other_end = Watched::new(&input, PollFlags::empty()).unwrap();
            assert_eq!(within_50_ms(watched.ready()).await, None);
            unistd::write(&output, b"ab").unwrap();
            for _ in 0..2 {
                assert_eq!(within_50_ms(watched.ready()).await, Some(PollFlags::POLLIN));
                unistd::read(&input, &mut [0]).unwrap();
            }
            assert_eq!(within_50_ms(watched.ready()).await, None);
            assert_eq!(within_50_ms(other_end.ready()).await, None);
            drop(output);
            assert_eq!(within_50_ms(watched.ready()).await, Some(PollFlags::POLLHUP));
            assert_eq!(within_50_ms(other_end.ready()).await, Some(PollFlags::POLLHUP));
        });
    }

    #[test]
    fn room_is_reported_after_a_read() {
        runtime().unwrap().block_on(async {
            let (input, output) = unistd::pipe().unwrap();
            let size = usize::try_from(fcntl(&output, FcntlArg::F_GETPIPE_SZ).unwrap()).unwrap();
            let mut bytes = vec![0; size];
            unistd::write(&output, &bytes).unwrap();
            let room = Watched::new(&output, PollFlags::POLLOUT).unwrap();
            assert_eq!(within_50_ms(room.ready()).await, None);
            unistd::read(&input, &mut bytes).unwrap();
            assert_eq!(within_50_ms(room.ready()).await, Some(PollFlags::POLLOUT));
        });
    }

    #[test]
    fn regular_files_are_refused() {
        let file = tempfile::tempfile().unwrap();
        let watch = async { Watched::new(&file, PollFlags::POLLIN) };
        assert!(runtime().unwrap().block_on(watch).is_err());
    }

    #[test]
    fn signals_wait_until_they_are_taken() {
        runtime().unwrap().block_on(async {
            let signals = Signals::watch([Signal::SIGUSR1]).unwrap();
            assert!(!signals.is_pending() && signals.drain().next().is_none());
            nix::sys::signal::raise(Signal::SIGUSR1).unwrap();
            for _ in 0..2 {
                signals.pending().await;
                assert!(signals.is_pending());
            }
            assert_eq!(signals.next().await, Signal::SIGUSR1);
            assert_eq!(within_50_ms(signals.pending()).await, None);
            assert!(!signals.is_pending());
        });
    }
}
