//! What is still being written when the person leaves.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Counts the jobs that are running.
#[derive(Clone, Debug, Default)]
pub(super) struct Jobs {
    running: Arc<(Mutex<usize>, Condvar)>,
}

/// A job, until it is dropped.
#[derive(Debug)]
pub(super) struct Job(Jobs);

impl Jobs {
    /// A job begins.
    pub(super) fn begin(&self) -> Job {
        self.change(|running| running + 1);
        Job(self.clone())
    }

    /// Wait until none is running, but no longer than this.
    pub(super) fn wait(&self, time: Duration) {
        let (running, changed) = &*self.running;
        let running = running.lock().unwrap_or_else(PoisonError::into_inner);
        // Whether time ran out makes no difference to somebody who leaves.
        let _ = changed.wait_timeout_while(running, time, |running| *running > 0);
    }

    fn change(&self, change: impl FnOnce(usize) -> usize) {
        let (running, changed) = &*self.running;
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        *running = change(*running);
        changed.notify_all();
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.0.change(|running| running.saturating_sub(1));
    }
}
