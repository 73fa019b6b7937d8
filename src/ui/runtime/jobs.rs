//! What is written aside, and what of it is still being written when the person leaves.

use std::io;
use std::sync::mpsc::{Sender, channel};
use tokio::sync::watch;

/// The jobs that are running: none any more once this is closed.
pub(super) type Jobs = watch::Sender<()>;

/// A job, until it is dropped.
pub(super) type Job = watch::Receiver<()>;

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
