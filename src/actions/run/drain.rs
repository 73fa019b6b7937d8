//! Areas are emptied by a helper, which may be stopped, finds no memory for a moment, or works in
//! bursts with rests in between.

use super::error_texts::{ON, explain_swapoff, errno_text};
use super::reserve::CgroupWatch;
use super::reserve::DrainRoom;
use super::{HELPER_KILLED, PACE, Progress, DrainPause, Runner, StopReason, StepFailure};
use crate::actions::plan::{self, AreaState};
use crate::columns::units;
use crate::model::Bytes;
use crate::sys::{HelperReport, RunningHelper, HelperTask};
use nix::errno::Errno;
use std::ops::ControlFlow;

/// How often an area is taken off for which there is no memory, as long as that moves something. A
/// busy control group at its limit finds none for a moment, however much the machine has.
const DRAINS: u32 = 5;

/// How often in a row less may not come to be on an area after a burst. While it rests it is in
/// use, and may be given as much as was taken from it.
const IN_VAIN: u32 = 5;

/// Why a helper was told to stop.
enum StopCause {
    /// The monitor or a limit stops it.
    Stop(StopReason),
    /// Memory comes to its end.
    Short(String),
    /// It shall go on later.
    Rest,
}

/// What is looked at while a helper works.
struct DrainWatch<'w> {
    outlook: DrainRoom,
    cgroups: &'w mut CgroupWatch,
}

impl Runner<'_> {
    /// Let a helper work, look on, and stop it where the monitor or a limit
    /// wants that. What it reports
    /// explains a failure; whether it is one, the machine tells.
    pub(super) fn drain(&mut self, work: &HelperTask, progress: &mut Progress) -> Result<(), StepFailure> {
        let stands = plan::current_areas(&self.areas().map_err(StepFailure::Failed)?);
        self.pause_while_needed(work, progress, &stands)?;
        let (mut drains, mut in_vain, mut least) = (1, 0, progress.left);
        let mut cgroups = self.watch_cgroups(work.path(), progress.back);
        let report = loop {
            let outlook = self.drain_room(work.path(), progress.left);
            if let DrainRoom::Short(why) = outlook {
                return Err(StepFailure::MemoryShort(why));
            }
            let begun = self.sys.begin(work);
            let running = begun.map_err(|error| StepFailure::Failed(format!("no helper: {error}")))?;
            let watch = DrainWatch { outlook, cgroups: &mut cgroups };
            let (report, told) = self.watch_helper(work, running, watch, progress);
            match told {
                Some(StopCause::Stop(reason)) => return Err(StepFailure::Stopped(reason)),
                // What was moved all the same did fit.
                Some(StopCause::Short(why)) if report != HelperReport::Done => {
                    return Err(StepFailure::MemoryShort(why));
                }
                Some(StopCause::Short(_) | StopCause::Rest) | None => {}
            }
            // Where it is off, there is nothing to go on with.
            let Some(left) = self.bytes_left(work, progress.left) else { break report };
            let less = left < least;
            match report {
                HelperReport::OffFailed(Errno::ENOMEM) if less && drains < DRAINS => {
                    drains += 1;
                    self.clock.sleep(PACE);
                    self.report_or_stop(*progress)?;
                }
                // It may have been told so before it was able to hear.
                HelperReport::OffFailed(Errno::EINTR) | HelperReport::Stopped if told.is_some() => {
                    in_vain = if less { 0 } else { in_vain + 1 };
                    if in_vain == IN_VAIN {
                        return Err(StepFailure::Failed(no_progress_text(work, least)));
                    }
                }
                HelperReport::Done
                | HelperReport::OffFailed(_)
                | HelperReport::OnFailed(_)
                | HelperReport::Failed(_)
                | HelperReport::Stopped
                | HelperReport::Killed => break report,
            }
            progress.left = left;
            least = least.min(left);
            self.pause_while_needed(work, progress, &stands)?;
        };
        let name = work.path().safe();
        match report {
            HelperReport::Done => Ok(()),
            HelperReport::OffFailed(error) => Err(explain_swapoff(&name, error)),
            HelperReport::OnFailed(error) => {
                Err(format!("putting {name} on again: {}", errno_text(&ON, error)))
            }
            HelperReport::Failed(error) => Err(format!("{name}: {}", error.desc())),
            HelperReport::Stopped | HelperReport::Killed => Err(HELPER_KILLED.to_owned()),
        }
        .map_err(StepFailure::Failed)
    }

    /// Rest while pressure is above the pace, unless it is to stop. Somebody else may change
    /// swap meanwhile. Rests are no part of the time that it takes.
    fn pause_while_needed(
        &mut self,
        work: &HelperTask,
        progress: &mut Progress,
        stands: &[AreaState],
    ) -> Result<(), StepFailure> {
        while let Some(rest) = self.pause_reason(progress) {
            let begun = self.clock.now();
            progress.rest = Some(rest);
            progress.left = self.bytes_left(work, progress.left).unwrap_or(progress.left);
            self.report_or_stop(*progress)?;
            self.clock.sleep(PACE);
            progress.since = progress.since.delayed(begun, self.clock.now());
            self.check_unchanged(stands).map_err(StepFailure::OvertakenWhilePaused)?;
        }
        progress.rest = None;
        Ok(())
    }

    fn pause_reason(&self, progress: &Progress) -> Option<DrainPause> {
        // The way back is not put off.
        if progress.back { None } else { self.limits.pause_reason(|| self.pressure()) }
    }

    fn report_or_stop(&mut self, progress: Progress) -> Result<(), StepFailure> {
        match self.report(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(StepFailure::Stopped(reason)),
        }
    }

    /// Look on until a helper has ended; says why it was told to stop, if it was.
    fn watch_helper(
        &mut self,
        work: &HelperTask,
        mut running: Box<dyn RunningHelper>,
        watch: DrainWatch<'_>,
        progress: &mut Progress,
    ) -> (HelperReport, Option<StopCause>) {
        let DrainWatch { mut outlook, cgroups } = watch;
        let mut told = None;
        loop {
            let left = match self.wait(work, &mut *running, &mut outlook, progress.left) {
                ControlFlow::Break(report) => return (report, told),
                ControlFlow::Continue(left) => left,
            };
            progress.left = left.unwrap_or(Bytes(0));
            if let (None | Some(StopCause::Rest), DrainRoom::Short(why)) = (&told, &outlook) {
                told = Some(StopCause::Short(why.clone()));
            }
            if let (None | Some(StopCause::Rest), Some(_)) = (&told, left)
                && let Some(why) = self.newly_at_risk(work.path(), cgroups)
            {
                told = Some(StopCause::Short(why));
            }
            // One that is off is about to come back: no time for a rest.
            if told.is_none() && left.is_some() {
                progress.rest = self.pause_reason(progress);
                told = progress.rest.map(|_| StopCause::Rest);
            }
            if !matches!(told, Some(StopCause::Stop(_) | StopCause::Short(_)))
                && let ControlFlow::Break(reason) = self.report(*progress)
            {
                told = Some(StopCause::Stop(reason));
            }
            // Again and again: it listens only between processes.
            if told.is_some() {
                running.stop();
            }
        }
    }

    /// What is left on the area that a helper takes off, if it is on; what was known last where
    /// nobody can see it.
    pub(super) fn bytes_left(&self, work: &HelperTask, last: Bytes) -> Option<Bytes> {
        let Ok(areas) = self.areas() else { return Some(last) };
        let area = areas.iter().find(|area| area.path == *work.path())?;
        Some(area.used.known().copied().unwrap_or(last))
    }
}

fn no_progress_text(work: &HelperTask, least: Bytes) -> String {
    format!(
        "{}: none of {IN_VAIN} bursts in a row left less than {} on it: while it rests it is in use, and pages go to it again; free memory first, or let it rest less with a higher --pace",
        work.path().safe(),
        units::size(least)
    )
}
