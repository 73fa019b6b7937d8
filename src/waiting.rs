//! Waits for signals, descriptors and time in the thread that asks, with a runtime of tokio's.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::runtime::{Builder, Runtime};

/// A runtime of the current thread: it starts no other.
///
/// # Errors
/// When the system gives no descriptor.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// An open file that can be waited for.
#[derive(Debug)]
pub struct Watched(AsyncFd<OwnedFd>);

impl Watched {
    /// Have the runtime watch it by a descriptor of our own. To be called inside of the runtime.
    ///
    /// # Errors
    /// When the system gives no descriptor, and for what epoll does not take, as regular files.
    pub fn new(file: impl AsFd) -> io::Result<Self> {
        let fd = file.as_fd().try_clone_to_owned()?;
        #[allow(deprecated, reason = "an owned descriptor needs none of what is unsafe instead")]
        AsyncFd::new(fd).map(Self)
    }

    /// Wait until poll(2) reports one of these events, or that the other end is gone, and return
    /// what it reports. The runtime hears of changes only (epoll's edges): waiting for those alone,
    /// what was not read to its end would be forgotten.
    pub async fn ready(&self, events: PollFlags) -> PollFlags {
        // A hang-up changes what can be read.
        let mut interest = Interest::READABLE;
        if events.contains(PollFlags::POLLOUT) {
            interest |= Interest::WRITABLE;
        }
        loop {
            let Ok(mut changed) = self.0.ready(interest).await else { return PollFlags::POLLERR };
            let reported = self.reported(events);
            if !reported.is_empty() {
                return reported;
            }
            changed.clear_ready();
        }
    }

    /// What poll(2) reports at once.
    fn reported(&self, events: PollFlags) -> PollFlags {
        let mut fds = [PollFd::new(self.0.get_ref().as_fd(), events)];
        // An answer that was cut off would be taken for none.
        while poll(&mut fds, PollTimeout::ZERO) == Err(Errno::EINTR) {}
        let [fd] = &fds;
        fd.revents().unwrap_or(PollFlags::empty())
    }
}

/// Signals, as something to read rather than something that interrupts.
#[derive(Debug)]
pub struct Signals {
    fd: SignalFd,
    watched: Watched,
}

impl Signals {
    /// Watch for these from now on, in this thread and in those that it starts. To be called inside
    /// of the runtime; where it fails, signals do what they did.
    ///
    /// # Errors
    /// When the system gives no descriptor.
    pub fn watch(signals: &SigSet) -> io::Result<Self> {
        let fd = SignalFd::with_flags(signals, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
        let watched = Watched::new(&fd)?;
        signals.thread_block()?;
        Ok(Self { fd, watched })
    }

    /// Take the next signal that came.
    pub fn next(&self) -> Option<Signal> {
        let info = self.fd.read_signal().ok()??;
        Signal::try_from(i32::try_from(info.ssi_signo).ok()?).ok()
    }

    /// Did one come that nobody has taken?
    pub fn is_pending(&self) -> bool {
        !self.watched.reported(PollFlags::POLLIN).is_empty()
    }

    /// Wait until one came that nobody has taken.
    pub async fn pending(&self) {
        self.watched.ready(PollFlags::POLLIN).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::unistd;
    use std::time::Duration;
    use tokio::time::timeout;

    /// What is reported within a moment.
    async fn reports(file: &Watched, events: PollFlags) -> Option<PollFlags> {
        timeout(Duration::from_millis(50), file.ready(events)).await.ok()
    }

    #[test]
    fn what_was_not_read_is_reported_again_and_the_end_at_once() {
        runtime().unwrap().block_on(async {
            let (input, output) = unistd::pipe().unwrap();
            let watched = Watched::new(&input).unwrap();
            assert_eq!(reports(&watched, PollFlags::POLLIN).await, None);
            unistd::write(&output, b"ab").unwrap();
            for _ in 0..2 {
                assert_eq!(reports(&watched, PollFlags::POLLIN).await, Some(PollFlags::POLLIN));
                unistd::read(&input, &mut [0]).unwrap();
            }
            assert_eq!(reports(&watched, PollFlags::POLLIN).await, None);
            drop(output);
            assert_eq!(reports(&watched, PollFlags::empty()).await, Some(PollFlags::POLLHUP));
        });
    }

    #[test]
    fn room_to_write_is_reported_only_to_those_who_wait_for_it() {
        runtime().unwrap().block_on(async {
            let (_input, output) = unistd::pipe().unwrap();
            let watched = Watched::new(&output).unwrap();
            assert_eq!(reports(&watched, PollFlags::empty()).await, None);
            assert_eq!(reports(&watched, PollFlags::POLLOUT).await, Some(PollFlags::POLLOUT));
        });
    }

    #[test]
    fn what_epoll_does_not_take_is_an_error() {
        let file = tempfile::tempfile().unwrap();
        runtime().unwrap().block_on(async { assert!(Watched::new(&file).is_err()) });
    }

    #[test]
    fn signals_wait_until_they_are_taken() {
        runtime().unwrap().block_on(async {
            let signals = Signals::watch(&SigSet::from(Signal::SIGUSR1)).unwrap();
            assert!(!signals.is_pending() && signals.next().is_none());
            nix::sys::signal::raise(Signal::SIGUSR1).unwrap();
            for _ in 0..2 {
                signals.pending().await;
                assert!(signals.is_pending());
            }
            assert_eq!(signals.next(), Some(Signal::SIGUSR1));
            let more = timeout(Duration::from_millis(50), signals.pending()).await;
            assert!(more.is_err() && !signals.is_pending());
        });
    }
}
