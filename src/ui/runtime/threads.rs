//! Threads of the interface that write files and recordings and send messages. A disk can be as slow as
//! swap, and neither the screen nor sampling should wait for it.

use crate::change::SimulatedTarget;
use crate::columns::export::{TableExport, TableFormat};
use crate::model::Snapshot;
use crate::sampler::recording::RecordingWriter;
use crate::ui::change::ChangeEngine;
use crate::ui::msg::Msg;
use crate::ui::settings::Settings;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;

/// The inbox for messages of other threads. It does not fill up: messages are taken however slow the
/// terminal is.
#[derive(Clone, Debug)]
pub(super) struct Inbox(pub(super) UnboundedSender<Msg>);

impl Inbox {
    pub(super) fn put(&self, message: Msg) {
        // After the interface has ended, nobody receives it.
        let _ = self.0.send(message);
    }
}

/// The services of the program around the interface.
pub trait Host: fmt::Debug + Send + Sync {
    /// Why settings cannot be saved, if so.
    fn save_problem(&self) -> Option<&'static str>;

    /// Saves these settings; returns what was saved where, or the error.
    fn save(&self, settings: &Settings) -> Result<String, String>;

    /// Saves progress in lessons, as text.
    fn save_progress(&self, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// The engine that changes the machine of a lesson.
    fn lesson_engine(&self, machine: &SimulatedTarget) -> Arc<dyn ChangeEngine>;

    /// Creates a file for a recording, and returns its name, or the error.
    fn create_recording(&self) -> Result<(File, String), String>;

    /// Writes these samples to a new recording, and returns its name, or the error.
    fn write_recording(&self, snapshots: &[Snapshot]) -> Result<String, String>;

    /// The text of a table in a format.
    fn format_table(&self, table: &TableExport, format: TableFormat) -> Result<String, String>;

    /// Writes a table to a new file, and returns its name, or the error.
    fn save_table(&self, table: &TableExport, format: TableFormat) -> Result<String, String>;
}

/// A file being written.
pub type File = Box<dyn Write + Send>;

/// The running background jobs: `closed` returns once each [`BackgroundJob`] was dropped.
pub(super) type BackgroundJobs = watch::Sender<()>;

/// Held by a running job: dropping it tells that the job has ended.
pub(super) type BackgroundJob = watch::Receiver<()>;

/// A piece of work.
type Work = Box<dyn FnOnce() + Send>;

/// Runs work in order in its own thread, so that the last save wins. The thread starts with the first
/// work, because most people never save anything.
#[derive(Debug, Default)]
pub(super) struct Queue(Option<Sender<Work>>);

impl Queue {
    /// Adds work to the queue.
    pub(super) fn put(&mut self, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let queue = match self.0.take() {
            Some(queue) => queue,
            None => file_thread()?,
        };
        let put = queue.send(Box::new(work));
        self.0 = Some(queue);
        put.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

fn file_thread() -> io::Result<Sender<Work>> {
    let (queue, waiting) = channel::<Work>();
    let thread = std::thread::Builder::new().name("files".to_owned());
    thread.spawn(move || waiting.into_iter().for_each(|work| work()))?;
    Ok(queue)
}

/// Writes a recording until it is dropped.
#[derive(Debug)]
pub(super) struct Recorder {
    snapshots: SyncSender<Snapshot>,
}

/// Maximum number of samples that wait for the disk.
const BACKLOG: usize = 64;

impl Recorder {
    /// Starts the thread.
    pub(super) fn start(host: Arc<dyn Host>, inbox: Inbox, job: BackgroundJob) -> io::Result<Self> {
        let (snapshots, waiting) = sync_channel(BACKLOG);
        let thread = std::thread::Builder::new().name("recorder".to_owned());
        thread.spawn(move || {
            write(host.as_ref(), &inbox, &waiting);
            drop(job);
        })?;
        Ok(Self { snapshots })
    }

    /// Adds a sample, or returns why the recording cannot continue; none if that was reported already.
    pub(super) fn add(&self, snapshot: Snapshot) -> Result<(), Option<&'static str>> {
        self.snapshots.try_send(snapshot).map_err(|error| match error {
            TrySendError::Full(_) => Some("the disk is too slow"),
            TrySendError::Disconnected(_) => None,
        })
    }
}

fn write(host: &dyn Host, inbox: &Inbox, waiting: &Receiver<Snapshot>) {
    let begun = host.create_recording().and_then(|(file, name)| {
        RecordingWriter::new(file)
            .map(|writer| (writer, name.clone()))
            .map_err(|error| format!("{name}: {error}"))
    });
    let (mut writer, name): (RecordingWriter<File>, String) = match begun {
        Ok(begun) => begun,
        Err(why) => return inbox.put(Msg::RecordingBegun(Err(why))),
    };
    inbox.put(Msg::RecordingBegun(Ok(name.clone())));
    for snapshot in waiting {
        if let Err(error) = writer.add(&snapshot) {
            return inbox.put(Msg::RecordingFailed(format!("{name}: {error}")));
        }
    }
}
