//! Waits for signals, descriptors and time in the thread that asks, with a runtime of tokio's.

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

/// A runtime of the current thread: it starts no other.
///
/// # Errors
/// When the system gives no descriptor.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_io().build()
}

/// An open file, and what it is waited for.
#[derive(Debug)]
pub(crate) struct Watched {
    fd: AsyncFd<OwnedFd>,
    events: PollFlags,
}

impl Watched {
    /// Have the runtime watch for these events, and for the other end to go, by a descriptor of our
    /// own. To be called inside of the runtime.
    ///
    /// # Errors
    /// When the system gives no descriptor, and for what epoll does not take, as regular files.
    pub(crate) fn new(file: impl AsFd, events: PollFlags) -> io::Result<Self> {
        let fd = file.as_fd().try_clone_to_owned()?;
        let written = events.contains(PollFlags::POLLOUT);
        // Whoever reads at the other end wakes those who wait for room with all that is taken.
        let interest = if written { Interest::WRITABLE } else { Interest::READABLE };
        #[allow(deprecated, reason = "an owned descriptor needs none of what is unsafe instead")]
        let fd = AsyncFd::with_interest(fd, interest)?;
        Ok(Self { fd, events })
    }

    /// Wait until poll(2) reports something, and return what. The runtime hears of changes only
    /// (epoll's edges): waiting for those alone, what was not read to its end would be forgotten.
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

    /// What poll(2) reports at once.
    fn reported(&self) -> PollFlags {
        let mut fds = [PollFd::new(self.fd.get_ref().as_fd(), self.events)];
        // An answer that was cut off would be taken for none.
        while poll(&mut fds, PollTimeout::ZERO) == Err(Errno::EINTR) {}
        let [fd] = &fds;
        fd.revents().unwrap_or(PollFlags::empty())
    }
}

/// A timer, which wakes whoever waits once. Those of the runtime wake twice for most times: once to
/// sort them among those that are near.
#[derive(Debug)]
pub(crate) struct Timer {
    fd: TimerFd,
    watched: Watched,
}

impl Timer {
    /// A timer that is waited for by one at a time. To be made inside of the runtime.
    ///
    /// # Errors
    /// When the system gives no descriptor.
    pub(crate) fn new() -> io::Result<Self> {
        let flags = TimerFlags::TFD_CLOEXEC | TimerFlags::TFD_NONBLOCK;
        let fd = TimerFd::new(ClockId::CLOCK_BOOTTIME, flags)?;
        let watched = Watched::new(&fd, PollFlags::POLLIN)?;
        Ok(Self { fd, watched })
    }

    /// Wait for this long.
    pub(crate) async fn sleep(&self, time: Duration) {
        // No time at all stops a timer, and more than it can count is an error.
        let longest = Duration::from_secs(u32::MAX.into());
        let time = TimeSpec::from(time.clamp(Duration::from_nanos(1), longest));
        let _ = self.fd.set(Expiration::OneShot(time), TimerSetTimeFlags::empty());
        self.watched.ready().await;
    }
}

/// Signals, as something to read rather than something that interrupts.
#[derive(Debug)]
pub(crate) struct Signals {
    fd: SignalFd,
    watched: Watched,
}

impl Signals {
    /// Watch for these from now on, in this thread and in those that it starts. To be called inside
    /// of the runtime; where it fails, signals do what they did.
    ///
    /// # Errors
    /// When the system gives no descriptor.
    pub(crate) fn watch(signals: impl IntoIterator<Item = Signal>) -> io::Result<Self> {
        let signals: SigSet = signals.into_iter().collect();
        let fd = SignalFd::with_flags(&signals, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
        let watched = Watched::new(&fd, PollFlags::POLLIN)?;
        signals.thread_block()?;
        Ok(Self { fd, watched })
    }

    /// Take the next signal that came.
    fn take(&self) -> Option<Signal> {
        let info = self.fd.read_signal().ok()??;
        Signal::try_from(i32::try_from(info.ssi_signo).ok()?).ok()
    }

    /// Take all that came.
    pub(crate) fn drain(&self) -> impl Iterator<Item = Signal> {
        std::iter::from_fn(|| self.take())
    }

    /// Wait for the next, and take it.
    pub(crate) async fn next(&self) -> Signal {
        loop {
            self.pending().await;
            if let Some(signal) = self.take() {
                return signal;
            }
        }
    }

    /// Did one come that nobody has taken?
    pub(crate) fn is_pending(&self) -> bool {
        !self.watched.reported().is_empty()
    }

    /// Wait until one came that nobody has taken.
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

    /// What comes of this within a moment.
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
