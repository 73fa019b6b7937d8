//! What goes out to the terminal. Nobody waits for one that takes nothing, as at the far end of a
//! connection that hangs: what it did not take stays here, and no frame is drawn meanwhile.

use crate::clock::Clock;
use crate::waiting::Watched;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd;
use std::io::{self, Write};
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

/// What is on its way to the terminal.
#[derive(Debug)]
pub(super) struct Outbox {
    terminal: Arc<OwnedFd>,
    waiting: Vec<u8>,
}

impl Outbox {
    /// Nothing yet; the terminal should be open in a way that never waits.
    pub(super) fn new(terminal: Arc<OwnedFd>) -> Self {
        Self { terminal, waiting: Vec::new() }
    }

    /// Is there something that the terminal did not take yet?
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Wait until the terminal takes more.
    pub(super) async fn room(&self) {
        match Watched::new(&self.terminal, PollFlags::POLLOUT) {
            Ok(room) => _ = room.ready().await,
            // It is tried again with the next thing that happens.
            Err(_) => std::future::pending().await,
        }
    }

    /// Forget what it did not take.
    pub(super) fn forget(&mut self) {
        self.waiting.clear();
    }
}

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Send what the terminal takes now.
    fn flush(&mut self) -> io::Result<()> {
        let sent = send(&self.terminal, &self.waiting)?;
        self.waiting.drain(..sent);
        Ok(())
    }
}

/// Send as many of these bytes as the terminal takes at once.
fn send(terminal: &OwnedFd, bytes: &[u8]) -> io::Result<usize> {
    let mut sent = 0;
    while let Some(rest) = bytes.get(sent..).filter(|rest| !rest.is_empty()) {
        match unistd::write(terminal, rest) {
            Ok(0) | Err(Errno::EAGAIN) => break,
            Ok(count) => sent += count,
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(sent)
}

/// How long the last words wait for a terminal that takes little or nothing.
const PATIENCE: Duration = Duration::from_millis(200);

/// Send the last words, in parts as the terminal takes them; give up on one that takes none.
pub(super) fn send_last(terminal: &OwnedFd, mut bytes: &[u8]) {
    let began = Clock::Real.now();
    loop {
        let Ok(sent) = send(terminal, bytes) else { return };
        bytes = bytes.get(sent..).unwrap_or_default();
        let passed = Clock::Real.now().boot_ns.saturating_sub(began.boot_ns);
        let left = PATIENCE.saturating_sub(Duration::from_nanos(passed));
        if bytes.is_empty() || left.is_zero() {
            return;
        }
        let left = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
        let _ = poll(&mut [PollFd::new(terminal.as_fd(), PollFlags::POLLOUT)], left);
    }
}
