//! Areas are emptied by a helper, which may be stopped, and find no memory for a moment.

use super::answers::{ON, not_off, words};
use super::{Go, KILLED, PACE, Progress, Runner, Trouble};
use crate::model::Bytes;
use crate::sys::{Report, Running, Work};
use nix::errno::Errno;

/// How often an area is taken off for which there is no memory, as long as that moves something. A
/// busy control group at its limit finds none for a moment, however much the machine has.
const DRAINS: u32 = 5;

impl Runner<'_> {
    /// Let a helper work, look on, and stop it where the watcher wants that. What it reports
    /// explains a failure; whether it is one, the machine tells.
    pub(super) fn drain(&mut self, work: &Work, progress: Progress) -> Result<(), Trouble> {
        let mut drains = 1;
        let mut progress = progress;
        let (report, stopped) = loop {
            let begun = self.sys.begin(work);
            let running = begun.map_err(|error| Trouble::Failed(format!("no helper: {error}")))?;
            let (report, stopped) = self.look_on(work, running, progress);
            let again = report == Report::OffFailed(Errno::ENOMEM) && stopped.is_none();
            let left = self.left_on(work).filter(|left| *left < progress.left);
            let (true, Some(left), true) = (again, left, drains < DRAINS) else {
                break (report, stopped);
            };
            drains += 1;
            progress.left = left;
            self.clock.sleep(PACE);
            if let Go::Stop(why) = self.watcher.see(progress) {
                break (report, Some(why));
            }
        };
        let name = work.path().safe();
        let failed = match report {
            Report::Done => None,
            Report::OffFailed(error) => Some(not_off(&name, error)),
            Report::OnFailed(error) => {
                Some(format!("putting {name} on again: {}", words(&ON, error)))
            }
            Report::Failed(error) => Some(format!("{name}: {}", error.desc())),
            Report::Stopped => Some(KILLED.to_owned()),
        };
        match (stopped, failed) {
            (Some(why), _) => Err(Trouble::Stopped(why)),
            (None, Some(why)) => Err(Trouble::Failed(why)),
            (None, None) => Ok(()),
        }
    }

    /// Look on until a helper has ended; says why it was told to stop, if it was.
    fn look_on(
        &mut self,
        work: &Work,
        mut running: Box<dyn Running>,
        mut progress: Progress,
    ) -> (Report, Option<String>) {
        let mut stopped = None;
        loop {
            if let Some(report) = running.wait(PACE) {
                return (report, stopped);
            }
            progress.left = self.left_on(work).unwrap_or(Bytes(0));
            if stopped.is_none()
                && let Go::Stop(why) = self.watcher.see(progress)
            {
                stopped = Some(why);
            }
            // Again and again: it listens only between processes.
            if stopped.is_some() {
                running.stop();
            }
        }
    }

    /// What is left on the area that a helper takes off.
    fn left_on(&self, work: &Work) -> Option<Bytes> {
        let areas = self.areas().ok()?;
        areas.iter().find(|area| area.path == *work.path())?.used.known().copied()
    }
}
