//! The thread that writes a recording: a disk can be as slow as swap, and neither the screen nor
//! the samples shall wait for it.

use super::Inbox;
use super::jobs::Job;
use crate::model::Snapshot;
use crate::sampler::recording::Writer;
use crate::ui::host::{File, Host};
use crate::ui::msg::Msg;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

/// Writes a recording until it is dropped.
#[derive(Debug)]
pub(super) struct Recorder {
    snapshots: SyncSender<Snapshot>,
}

/// Snapshots that may wait for the disk.
const BACKLOG: usize = 64;

impl Recorder {
    /// Begin.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start(host: Arc<dyn Host>, inbox: Inbox, job: Job) -> io::Result<Self> {
        let (snapshots, waiting) = sync_channel(BACKLOG);
        let thread = std::thread::Builder::new().name("recorder".to_owned());
        thread.spawn(move || {
            write(host.as_ref(), &inbox, &waiting);
            drop(job);
        })?;
        Ok(Self { snapshots })
    }

    /// Add a snapshot.
    ///
    /// # Errors
    /// A sentence where that cannot go on; none where it was told already.
    pub(super) fn add(&self, snapshot: Snapshot) -> Result<(), Option<&'static str>> {
        self.snapshots.try_send(snapshot).map_err(|error| match error {
            TrySendError::Full(_) => Some("the disk does not keep up"),
            TrySendError::Disconnected(_) => None,
        })
    }
}

fn write(host: &dyn Host, inbox: &Inbox, waiting: &Receiver<Snapshot>) {
    let begun = host.create().and_then(|(file, name)| {
        Writer::new(file)
            .map(|writer| (writer, name.clone()))
            .map_err(|error| format!("{name}: {error}"))
    });
    let (mut writer, name): (Writer<File>, String) = match begun {
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
