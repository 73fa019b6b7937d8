//! Messages between a worker and its parent, and regular checks during the work: whether the parent
//! still exists, and reports of progress.

use crate::model::load::{TaskCommand, TaskMessage, WorkerGroup};
use crate::sys::process::{self, Port, Worker};
use std::fmt;

/// Why a worker stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WorkerStop {
    /// The parent is gone.
    ParentGone,
    /// An error.
    Failed(String),
}

impl WorkerStop {
    pub(super) fn failed(error: impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Sends a message. Fails if the parent is gone.
pub(super) fn send(port: &mut Port, told: &TaskMessage) -> Result<(), WorkerStop> {
    let line = serde_json::to_string(told).map_err(WorkerStop::failed)?;
    port.send_line(&line).map_err(|_| WorkerStop::ParentGone)
}

/// Sends a message that may be dropped.
pub(super) fn send_progress(port: &Port, told: &TaskMessage) -> Result<(), WorkerStop> {
    let line = serde_json::to_string(told).map_err(WorkerStop::failed)?;
    port.try_send_line(&line).map_err(|_| WorkerStop::ParentGone)
}

/// Reports that memory is ready, and waits for the start.
///
/// The process waits on its CPU: if it woke on another one, the kernel would interrupt the old CPU
/// for up to a second for each page that is swapped out.
pub(super) fn await_start(port: &mut Port, work: &WorkerGroup) -> Result<(), WorkerStop> {
    if work.cpus.is_none() {
        process::disable_migration().map_err(WorkerStop::failed)?;
    }
    send(port, &TaskMessage::Ready)?;
    await_go(port, TaskCommand::Touch)?;
    if work.cpus.is_none() {
        process::allow_migration().map_err(WorkerStop::failed)
    } else {
        Ok(())
    }
}

/// Waits for the signal to continue.
pub(super) fn await_go(port: &mut Port, go: TaskCommand) -> Result<(), WorkerStop> {
    if port.await_go(go).map_err(WorkerStop::failed)? {
        Ok(())
    } else {
        Err(WorkerStop::ParentGone)
    }
}

/// Receives the next message of a child while checking that the parent still exists. Progress is
/// passed on.
pub(super) fn receive(
    child: &mut Worker,
    port: &Port,
    far: &mut dyn FnMut(f64) -> Result<(), WorkerStop>,
) -> Result<TaskMessage, WorkerStop> {
    loop {
        match child.read_answer().map_err(WorkerStop::failed)? {
            process::WorkerAnswer::Line(line) => {
                match serde_json::from_str(&line).map_err(WorkerStop::failed)? {
                    TaskMessage::Far { share } => far(share)?,
                    TaskMessage::Failed { why } => return Err(WorkerStop::Failed(why)),
                    told @ (TaskMessage::Ready
                    | TaskMessage::Touched(_)
                    | TaskMessage::Freed { .. }) => {
                        return Ok(told);
                    }
                }
            }
            process::WorkerAnswer::Closed => {
                let ended = child.end().map_err(WorkerStop::failed)?;
                return Err(WorkerStop::Failed(format!(
                    "a child process {} before it was done",
                    ended.how
                )));
            }
            process::WorkerAnswer::Nothing => {
                if child.wait_with_port(port).map_err(WorkerStop::failed)? {
                    return Err(WorkerStop::ParentGone);
                }
            }
        }
    }
}

/// The error for an unexpected message of a child.
pub(super) fn unexpected_message(told: &TaskMessage) -> WorkerStop {
    WorkerStop::Failed(format!("a child process sent {told:?} at the wrong time: this is a bug"))
}

/// Nanoseconds between two checks of the parent.
pub(super) const CHECK_PERIOD: u64 = 100_000_000;
/// Nanoseconds between two reports of progress. A line has about 45 bytes, and a pipe holds 64K:
/// that is 12 minutes without a reader.
const PROGRESS_PERIOD: u64 = 500_000_000;

/// Checks the parent and reports progress during the work.
#[derive(Debug)]
pub(super) struct ProgressReporter<'a> {
    /// The connection to the parent, if it is to be checked.
    port: Option<&'a Port>,
    /// The time of the next check.
    look: u64,
    /// The time of the next report.
    tell: u64,
}

impl<'a> ProgressReporter<'a> {
    /// Starts now. Short work is not reported.
    pub(super) fn begin(now: u64, port: Option<&'a Port>) -> Self {
        let look = if port.is_some() { 0 } else { u64::MAX };
        Self { port, look, tell: now.saturating_add(PROGRESS_PERIOD) }
    }

    /// The time of the next check.
    pub(super) fn next_check(&self) -> u64 {
        self.look
    }

    /// Checks the parent and reports progress, if that is due. Returns whether it was.
    pub(super) fn report(
        &mut self,
        now: u64,
        share: impl FnOnce() -> Option<f64>,
    ) -> Result<bool, WorkerStop> {
        let Some(port) = self.port.filter(|_| now >= self.look) else { return Ok(false) };
        if port.is_orphaned() {
            return Err(WorkerStop::ParentGone);
        }
        self.look = now.saturating_add(CHECK_PERIOD);
        if now >= self.tell
            && let Some(share) = share()
        {
            self.tell = now.saturating_add(PROGRESS_PERIOD);
            send_progress(port, &TaskMessage::Far { share: share.clamp(0.0, 1.0) })?;
        }
        Ok(true)
    }
}

/// The share of a total; none if the total is 0.
pub(super) fn share(done: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| done as f64 / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::worker::touch::testing::port;
    use std::fs::File;
    use std::io::{BufRead as _, BufReader};

    fn lines(hearer: File) -> Vec<String> {
        BufReader::new(hearer).lines().map(Result::unwrap).collect()
    }

    #[test]
    fn progress_is_sent_twice_a_second() {
        let (port, (teller, hearer)) = port();
        let mut watch = ProgressReporter::begin(0, Some(&port));
        for tenth in 0..20 {
            let share = || share(tenth, 20);
            assert!(watch.report(tenth * CHECK_PERIOD, share).unwrap());
            assert!(
                !watch.report(tenth * CHECK_PERIOD + CHECK_PERIOD / 2, share).unwrap(),
                "not due"
            );
        }
        drop((port, teller));
        let told = [0.25, 0.5, 0.75].map(|share| format!("{{\"told\":\"far\",\"share\":{share}}}"));
        assert_eq!(lines(hearer), told);
    }

    #[test]
    fn unknown_progress_is_not_sent() {
        let (port, (teller, hearer)) = port();
        let mut watch = ProgressReporter::begin(0, Some(&port));
        assert!(watch.report(10 * PROGRESS_PERIOD, || None).unwrap());
        assert!(
            !ProgressReporter::begin(0, None).report(10 * PROGRESS_PERIOD, || Some(0.5)).unwrap()
        );
        drop(teller);
        assert_eq!(
            watch.report(20 * PROGRESS_PERIOD, || None).unwrap_err(),
            WorkerStop::ParentGone
        );
        drop(port);
        assert!(lines(hearer).is_empty());
    }
}
