//! Messages from other threads, and a descriptor that wakes the loop when there are some.

use crate::actions::run::Progress;
use crate::model::Snapshot;
use crate::ui::lab::RunView;
use crate::ui::msg::Msg;
use nix::sys::eventfd::{EfdFlags, EventFd};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Where other threads leave messages.
#[derive(Clone, Debug)]
pub(super) struct Inbox {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    messages: Mutex<Vec<Msg>>,
    emptied: Condvar,
    wake: EventFd,
}

impl Inbox {
    /// An empty one.
    ///
    /// # Errors
    /// When the system gives no descriptor.
    pub(super) fn new() -> nix::Result<Self> {
        let wake = EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)?;
        let shared = Shared { messages: Mutex::default(), emptied: Condvar::new(), wake };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Leave a message.
    pub(super) fn put(&self, message: Msg) {
        self.messages().push(message);
        self.wake();
    }

    /// Leave the newest snapshot of a machine. One that nobody has taken yet goes: whoever is slow
    /// sees the newest, and no queue builds up.
    pub(super) fn put_newest(&self, snapshot: Snapshot) {
        let mut messages = self.messages();
        messages.retain(|message| !matches!(message, Msg::Snapshots(_)));
        messages.push(Msg::Snapshots(vec![snapshot]));
        drop(messages);
        self.wake();
    }

    /// Leave word how far a change is; what nobody has heard yet is no news any more.
    pub(super) fn put_progress(&self, progress: Progress) {
        let mut messages = self.messages();
        messages.retain(|message| !matches!(message, Msg::Progress(_)));
        messages.push(Msg::Progress(progress));
        drop(messages);
        self.wake();
    }

    /// The same of a load.
    pub(super) fn put_glance(&self, glance: RunView) {
        let mut messages = self.messages();
        messages.retain(|message| !matches!(message, Msg::Glance(_)));
        messages.push(Msg::Glance(glance));
        drop(messages);
        self.wake();
    }

    /// Leave snapshots none of which may be lost, and wait until they are taken.
    pub(super) fn put_all(&self, snapshots: Vec<Snapshot>) {
        self.put(Msg::Snapshots(snapshots));
        let messages = self.messages();
        let taken = self.shared.emptied.wait_while(messages, |messages| !messages.is_empty());
        drop(taken.unwrap_or_else(PoisonError::into_inner));
    }

    /// Take all messages.
    pub(super) fn take(&self) -> Vec<Msg> {
        // Nothing to read is what a reader that came twice finds.
        let _ = self.shared.wake.read();
        let messages = std::mem::take(&mut *self.messages());
        self.shared.emptied.notify_all();
        messages
    }

    fn messages(&self) -> MutexGuard<'_, Vec<Msg>> {
        self.shared.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        // The counter is full only if it was never read, and then the loop is awake.
        let _ = self.shared.wake.write(1);
    }
}

impl AsFd for Inbox {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.shared.wake.as_fd()
    }
}
