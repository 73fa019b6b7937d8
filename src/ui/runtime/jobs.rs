//! What is written aside, and what of it is still being written when the person leaves.

use std::io;
use std::sync::mpsc::{Sender, channel};
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

/// Something to be done.
type Work = Box<dyn FnOnce() + Send>;

/// Does one thing after the other in a thread of its own, so that what was asked for last is what
/// stays. The thread begins with the first of them: most people never keep anything.
#[derive(Debug, Default)]
pub(super) struct Queue(Option<Sender<Work>>);

impl Queue {
    /// Do this after what was put here before.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn put(&mut self, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let queue = match self.0.take() {
            Some(queue) => queue,
            None => begin()?,
        };
        let put = queue.send(Box::new(work));
        self.0 = Some(queue);
        put.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

fn begin() -> io::Result<Sender<Work>> {
    let (queue, waiting) = channel::<Work>();
    let thread = std::thread::Builder::new().name("files".to_owned());
    thread.spawn(move || waiting.into_iter().for_each(|work| work()))?;
    Ok(queue)
}

impl Drop for Job {
    fn drop(&mut self) {
        self.0.change(|running| running.saturating_sub(1));
    }
}
