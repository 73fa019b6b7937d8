//! Reads that can take seconds run in a thread of their own, one at a time, so that other figures do not wait.

use crate::clock::Clock;
use crate::model::Stamp;
use crate::root::Root;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A read in the background, and its last result.
#[derive(Debug)]
pub(super) struct Background<T>(Arc<Mutex<BackgroundState<T>>>);

#[derive(Debug)]
pub(super) struct BackgroundState<T> {
    pub(super) running: bool,
    /// Cancels the running read when its result is no longer shown.
    pub(super) cancel: Arc<AtomicBool>,
    /// Result of the last read.
    pub(super) found: Option<T>,
    /// End and duration of the last read.
    pub(super) ended: Option<(Stamp, Duration)>,
}

impl<T> Default for Background<T> {
    fn default() -> Self {
        let (cancel, found, ended) = (Arc::default(), None, None);
        Self(Arc::new(Mutex::new(BackgroundState { running: false, cancel, found, ended })))
    }
}

impl<T> Clone for Background<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Send + 'static> Background<T> {
    /// Returns whether no read has ended, or the pause after the last one is over; `pause` gets its duration.
    pub(super) fn is_due(&self, now: Stamp, pause: impl FnOnce(Duration) -> Duration) -> bool {
        let ended = self.state().ended;
        ended.is_none_or(|(ended, took)| now.seconds_since(ended) >= pause(took).as_secs_f64())
    }

    /// Starts a read in a thread of this name, unless one is running; `done` is called at its end.
    pub(super) fn start(
        &self,
        name: &str,
        root: &Root,
        read: impl FnOnce(&Root) -> T + Send + 'static,
        done: impl FnOnce() + Send + 'static,
    ) {
        let mut state = self.state();
        if state.running {
            return;
        }
        state.cancel = Arc::default();
        let (own, root) = (self.clone(), root.with_cancel(Arc::clone(&state.cancel)));
        let read = move || {
            let began = Clock::Real.now();
            own.finish(read(&root), began);
            done();
        };
        // If no thread can be started, the next sample tries again.
        state.running = std::thread::Builder::new().name(name.to_owned()).spawn(read).is_ok();
    }

    /// Keeps a result. That of a cancelled read is incomplete: the next request starts another read at once.
    pub(super) fn finish(&self, found: T, began: Stamp) {
        let now = Clock::Real.now();
        let mut state = self.state();
        state.running = false;
        if !state.cancel.load(Ordering::Relaxed) {
            state.ended = Some((now, Duration::from_secs_f64(now.seconds_since(began))));
            state.found = Some(found);
        }
    }

    /// Cancels the running read.
    pub(super) fn cancel(&self) {
        self.state().cancel.store(true, Ordering::Relaxed);
    }

    pub(super) fn state(&self) -> MutexGuard<'_, BackgroundState<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
