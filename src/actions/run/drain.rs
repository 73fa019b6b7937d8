//! Drains areas with a helper process, which may be stopped, may lack memory for a moment, or may
//! work in bursts with pauses.

use super::error_texts::{ON, errno_text, explain_start, explain_swapoff};
use super::reserve::{CgroupWatch, DrainRoom};
use super::{
    CHANGED, DrainPause, FailureKind, HELPER_KILLED, PACE, Progress, Runner, StepFailure,
    StopReason,
};
use crate::actions::journal::Event;
use crate::actions::plan::{self, AreaState, PlanRefusal};
use crate::columns::units;
use crate::derive::drain;
use crate::model::swaparea::FailedReads;
use crate::model::{Bytes, Name, Part};
use crate::sys::{HelperReport, HelperTask, RunningHelper};
use nix::errno::Errno;
use std::ops::ControlFlow;
use std::time::Duration;

/// The most attempts of a drain that lacks memory, as long as each makes progress. A busy cgroup at its
/// limit lacks memory for moments, whatever the machine has.
const MAX_ATTEMPTS: u32 = 5;

/// Bursts in a row without progress at which the drain is given up. During a pause the area is in use and may
/// regain what was drained.
const MAX_IDLE_BURSTS: u32 = 5;

/// How much later than asked for a stop has to come to be worth mentioning.
const LATE: Duration = Duration::from_secs(1);

/// Why the helper was asked to stop.
enum StopCause {
    /// The monitor or a limit stops the plan.
    PlanStopped(StopReason),
    /// Memory is about to run out.
    Short(String),
    /// The device of the area cannot read some pages.
    Unreadable(String),
    /// To pause, and continue later.
    Pause,
}

/// Whether the helper ends for good: a pause can become a stop, but a stop is final.
fn is_final(cause: Option<&StopCause>) -> bool {
    !matches!(cause, None | Some(StopCause::Pause))
}

/// The state that is watched while a helper works.
struct DrainWatch<'w> {
    room: DrainRoom,
    cgroups: Option<&'w mut CgroupWatch>,
}

impl Runner<'_> {
    /// Drains an area, and records in the journal how many of its reads failed meanwhile.
    pub(super) fn drain(
        &mut self,
        work: &HelperTask,
        progress: &mut Progress,
    ) -> Result<(), StepFailure> {
        let before = self.look.failed_reads(work.path());
        let drained = self.drain_with_limits(work, progress);
        let reads = self.look.failed_reads(work.path()).saturating_sub(before);
        if reads > 0 {
            let area = work.path().clone();
            self.append_or_ignore(Event::FailedReads(FailedReads { area, reads }));
        }
        drained
    }

    /// Lets a helper work, watches it, and stops it when the monitor or a limit requires. Its
    /// report explains a failure; whether it failed, the machine decides.
    fn drain_with_limits(
        &mut self,
        work: &HelperTask,
        progress: &mut Progress,
    ) -> Result<(), StepFailure> {
        let expected_areas = plan::current_areas(&self.areas()?);
        self.pause_while_needed(work, progress, &expected_areas)?;
        let (mut attempts, mut idle_bursts, mut least) = (1, 0, progress.left);
        let mut has_waited = false;
        let mut cgroups = self.watch_cgroups(work.path(), progress)?;
        let report = loop {
            let room = self.drain_room(work.path(), progress.left);
            if let DrainRoom::Short(why) = room {
                return Err(FailureKind::MemoryShort.because(why));
            }
            let begun = self.sys.begin(work);
            let running = begun.map_err(|error| explain_start(&error))?;
            let watch = DrainWatch { room, cgroups: cgroups.as_mut() };
            let (report, stop_cause) = self.watch_helper(work, running, watch, progress);
            match stop_cause {
                Some(StopCause::PlanStopped(reason)) => return Err(self.stopped(reason)),
                // Everything was moved, so it did fit.
                Some(StopCause::Short(why)) if report != HelperReport::Done => {
                    return Err(FailureKind::MemoryShort.because(why));
                }
                Some(StopCause::Unreadable(why)) if report != HelperReport::Done => {
                    return Err(why.into());
                }
                Some(StopCause::Short(_) | StopCause::Unreadable(_) | StopCause::Pause) | None => {}
            }
            // A disabled area needs no further drain.
            let Some(left) = self.bytes_left(work, progress.left) else { break report };
            let less = left < least;
            match report {
                HelperReport::OffFailed(Errno::ENOMEM) if less && attempts < MAX_ATTEMPTS => {
                    attempts += 1;
                    self.clock.sleep(PACE);
                    self.report_or_stop(*progress)?;
                }
                // The stop request may have come before the helper could receive it.
                HelperReport::OffFailed(Errno::EINTR) | HelperReport::Stopped
                    if stop_cause.is_some() =>
                {
                    idle_bursts = if less { 0 } else { idle_bursts + 1 };
                    if idle_bursts == MAX_IDLE_BURSTS {
                        return Err(no_progress_text(work, left).into());
                    }
                }
                // Somebody else may be disabling it, and may give up.
                HelperReport::OffFailed(Errno::EINVAL) if !has_waited => {
                    has_waited = true;
                    if self.wait_for_others(work, *progress)? {
                        return Ok(());
                    }
                }
                HelperReport::Done
                | HelperReport::OffFailed(_)
                | HelperReport::OnFailed(_)
                | HelperReport::OrderFailed(_)
                | HelperReport::Stopped
                | HelperReport::Killed => break report,
            }
            progress.left = left;
            least = least.min(left);
            if self.pause_while_needed(work, progress, &expected_areas)? {
                // What was killed meanwhile was not killed by the drain.
                cgroups = self.watch_cgroups(work.path(), progress)?;
            }
        };
        let name = work.path().safe();
        match report {
            HelperReport::Done => Ok(()),
            // The kernel lists the area, and does not find it by its path.
            HelperReport::OffFailed(Errno::EINVAL)
                if self.bytes_left(work, progress.left).is_some() =>
            {
                Err(PlanRefusal::OtherNamespace(work.path().clone()).to_string().into())
            }
            HelperReport::OffFailed(error) => Err(explain_swapoff(&name, error).into()),
            HelperReport::OnFailed(error) => {
                Err(format!("cannot enable {name} again: {}", errno_text(&ON, error)).into())
            }
            HelperReport::OrderFailed(error) => Err(format!("{name}: {}", error.desc()).into()),
            HelperReport::Stopped | HelperReport::Killed => Err(HELPER_KILLED.to_owned().into()),
        }
    }

    /// The reason of a stop, with the real time where the kernel came to it much later than was asked for.
    fn stopped(&self, reason: StopReason) -> StepFailure {
        let took = self.time_since(self.begun);
        let StepFailure { kind, why } = StepFailure::from(reason);
        let is_late = matches!(reason, StopReason::Timeout(most) if took > most + LATE);
        if !is_late {
            return StepFailure { kind, why };
        }
        let took = units::seconds(took.as_secs_f64());
        kind.because(format!(
            "{why} (stopped after {took}: swapoff ends only between two processes)"
        ))
    }

    /// Waits while somebody else disables an area; returns whether one is gone that the kernel listed until then.
    fn wait_for_others(
        &mut self,
        work: &HelperTask,
        progress: Progress,
    ) -> Result<bool, StepFailure> {
        while let Some(left) = self.bytes_left(work, progress.left) {
            if !drain::is_disabling(&self.look.parts(&[Part::Swaps, Part::Meminfo])) {
                return Ok(false);
            }
            self.report_or_stop(Progress { left, ..progress })?;
            self.clock.sleep(PACE);
        }
        Ok(true)
    }

    /// Pauses while pressure is above the pace, unless the plan is to stop; returns whether it did. Somebody else may
    /// change swap meanwhile. Pauses do not count as drain time.
    fn pause_while_needed(
        &mut self,
        work: &HelperTask,
        progress: &mut Progress,
        expected_areas: &[AreaState],
    ) -> Result<bool, StepFailure> {
        let mut has_paused = false;
        while let Some(rest) = self.pause_reason(progress) {
            let begun = self.clock.monotonic();
            has_paused = true;
            progress.pause = Some(rest);
            progress.left = self.bytes_left(work, progress.left).unwrap_or(progress.left);
            self.report_or_stop(*progress)?;
            self.clock.sleep(PACE);
            progress.since += self.time_since(begun);
            let now = self.areas().map(|areas| plan::current_areas(&areas));
            let is_own = |path: &Name| path == work.path();
            match now {
                Ok(now) if plan::are_as_expected(is_own, true, expected_areas, &now) => {}
                Ok(_) => return Err(FailureKind::OvertakenWhilePaused.because(CHANGED.to_owned())),
                Err(why) => return Err(FailureKind::OvertakenWhilePaused.because(why)),
            }
        }
        progress.pause = None;
        Ok(has_paused)
    }

    fn pause_reason(&self, progress: &Progress) -> Option<DrainPause> {
        // Undoing is never paused.
        if progress.is_undo { None } else { self.limits.pause_reason(|| self.pressure()) }
    }

    fn report_or_stop(&mut self, progress: Progress) -> Result<(), StepFailure> {
        match self.report(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason.into()),
        }
    }

    /// Watches the helper until it ends; the result says why it was asked to stop, if it was.
    fn watch_helper(
        &mut self,
        work: &HelperTask,
        mut running: Box<dyn RunningHelper>,
        mut watch: DrainWatch<'_>,
        progress: &mut Progress,
    ) -> (HelperReport, Option<StopCause>) {
        let mut stop_cause = None;
        loop {
            let left = match self.wait(work, &mut *running, &mut watch.room, progress.left) {
                ControlFlow::Break(report) => return (report, stop_cause),
                ControlFlow::Continue(left) => left,
            };
            progress.left = left.unwrap_or(Bytes(0));
            if !is_final(stop_cause.as_ref()) {
                stop_cause =
                    self.harm_reason(work, left, &mut watch, progress.is_undo).or(stop_cause);
            }
            // A disabled area is about to be enabled again: no pause now.
            if stop_cause.is_none() && left.is_some() {
                progress.pause = self.pause_reason(progress);
                stop_cause = progress.pause.map(|_| StopCause::Pause);
            }
            if !is_final(stop_cause.as_ref())
                && let ControlFlow::Break(reason) = self.report(*progress)
            {
                stop_cause = Some(StopCause::PlanStopped(reason));
            }
            // Repeated, because the helper notices only between processes.
            if stop_cause.is_some() {
                running.stop();
            }
        }
    }

    /// Why the drain must stop before it does harm, if so.
    fn harm_reason(
        &self,
        work: &HelperTask,
        left: Option<Bytes>,
        watch: &mut DrainWatch<'_>,
        is_undo: bool,
    ) -> Option<StopCause> {
        if let DrainRoom::Short(why) = &watch.room {
            return Some(StopCause::Short(why.clone()));
        }
        // A disabled area is about to be enabled again.
        left?;
        let at_risk = |watch: &mut CgroupWatch| self.newly_at_risk(work.path(), watch);
        if let Some(why) = watch.cgroups.as_deref_mut().and_then(at_risk) {
            return Some(StopCause::Short(why));
        }
        if is_undo || self.limits.loses_pages {
            return None;
        }
        let has_failed = self.look.failed_reads(work.path()) > 0;
        has_failed.then(|| StopCause::Unreadable(unreadable_text(work.path())))
    }

    /// Bytes left on the area being drained, if it is active; the last known value if it cannot be
    /// read.
    pub(super) fn bytes_left(&self, work: &HelperTask, last: Bytes) -> Option<Bytes> {
        let Ok(areas) = self.areas() else { return Some(last) };
        let area = areas.iter().find(|area| area.path == *work.path())?;
        Some(area.used.known().copied().unwrap_or(last))
    }
}

/// Why a drain stops at failed reads. The outcome says how many there were.
fn unreadable_text(path: &Name) -> String {
    let name = path.safe();
    format!(
        "pages of {name}, or of another area on its disk, cannot be read. Stopped: the rest is still on {name}. Repair the device or its connection first, or run the command again with --force reads to move the pages that can be read"
    )
}

fn no_progress_text(work: &HelperTask, left: Bytes) -> String {
    format!(
        "{}: {MAX_IDLE_BURSTS} bursts in a row made no progress, with {} left: during pauses pages return to it. Free memory first, or pause less with a higher --pace",
        work.path().safe(),
        units::size(left)
    )
}
