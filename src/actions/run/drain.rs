//! Areas are emptied by a helper, which may be stopped, finds no memory for a moment, or works in
//! bursts with rests in between.

use super::answers::{ON, not_off, words};
use super::reserve::CgroupWatch;
use super::reserve::Outlook;
use super::{KILLED, PACE, Progress, Rest, Runner, StopReason, Trouble};
use crate::actions::plan::{self, Stands};
use crate::columns::units;
use crate::model::Bytes;
use crate::sys::{Report, Running, Work};
use nix::errno::Errno;
use std::ops::ControlFlow;

/// How often an area is taken off for which there is no memory, as long as that moves something. A
/// busy control group at its limit finds none for a moment, however much the machine has.
const DRAINS: u32 = 5;

/// How often in a row less may not come to be on an area after a burst. While it rests it is in
/// use, and may be given as much as was taken from it.
const IN_VAIN: u32 = 5;

/// Why a helper was told to stop.
enum Told {
    /// The monitor or a limit stops it.
    Stop(StopReason),
    /// Memory comes to its end.
    Short(String),
    /// It shall go on later.
    Rest,
}

/// What is looked at while a helper works.
struct Watch<'w> {
    outlook: Outlook,
    cgroups: &'w mut CgroupWatch,
}

impl Runner<'_> {
    /// Let a helper work, look on, and stop it where the monitor or a limit
    /// wants that. What it reports
    /// explains a failure; whether it is one, the machine tells.
    pub(super) fn drain(&mut self, work: &Work, progress: &mut Progress) -> Result<(), Trouble> {
        let stands = plan::standing(&self.areas().map_err(Trouble::Failed)?);
        self.rest(work, progress, &stands)?;
        let (mut drains, mut in_vain, mut least) = (1, 0, progress.left);
        let mut cgroups = self.watch_cgroups(work.path(), progress.back);
        let report = loop {
            let outlook = self.outlook(work.path(), progress.left);
            if let Outlook::Short(why) = outlook {
                return Err(Trouble::Short(why));
            }
            let begun = self.sys.begin(work);
            let running = begun.map_err(|error| Trouble::Failed(format!("no helper: {error}")))?;
            let watch = Watch { outlook, cgroups: &mut cgroups };
            let (report, told) = self.look_on(work, running, watch, progress);
            match told {
                Some(Told::Stop(reason)) => return Err(Trouble::Stopped(reason)),
                // What was moved all the same did fit.
                Some(Told::Short(why)) if report != Report::Done => {
                    return Err(Trouble::Short(why));
                }
                Some(Told::Short(_) | Told::Rest) | None => {}
            }
            // Where it is off, there is nothing to go on with.
            let Some(left) = self.left_on(work, progress.left) else { break report };
            let less = left < least;
            match report {
                Report::OffFailed(Errno::ENOMEM) if less && drains < DRAINS => {
                    drains += 1;
                    self.clock.sleep(PACE);
                    self.see(*progress)?;
                }
                // It may have been told so before it was able to hear.
                Report::OffFailed(Errno::EINTR) | Report::Stopped if told.is_some() => {
                    in_vain = if less { 0 } else { in_vain + 1 };
                    if in_vain == IN_VAIN {
                        return Err(Trouble::Failed(moved_nothing(work, least)));
                    }
                }
                Report::Done
                | Report::OffFailed(_)
                | Report::OnFailed(_)
                | Report::Failed(_)
                | Report::Stopped
                | Report::Killed => break report,
            }
            progress.left = left;
            least = least.min(left);
            self.rest(work, progress, &stands)?;
        };
        let name = work.path().safe();
        match report {
            Report::Done => Ok(()),
            Report::OffFailed(error) => Err(not_off(&name, error)),
            Report::OnFailed(error) => {
                Err(format!("putting {name} on again: {}", words(&ON, error)))
            }
            Report::Failed(error) => Err(format!("{name}: {}", error.desc())),
            Report::Stopped | Report::Killed => Err(KILLED.to_owned()),
        }
        .map_err(Trouble::Failed)
    }

    /// Rest while pressure is above the pace, unless it is to stop. Somebody else may change
    /// swap meanwhile. Rests are no part of the time that it takes.
    fn rest(
        &mut self,
        work: &Work,
        progress: &mut Progress,
        stands: &[Stands],
    ) -> Result<(), Trouble> {
        while let Some(rest) = self.wants_rest(progress) {
            let begun = self.clock.now();
            progress.rest = Some(rest);
            progress.left = self.left_on(work, progress.left).unwrap_or(progress.left);
            self.see(*progress)?;
            self.clock.sleep(PACE);
            progress.since = progress.since.delayed(begun, self.clock.now());
            self.unchanged(stands).map_err(Trouble::Late)?;
        }
        progress.rest = None;
        Ok(())
    }

    fn wants_rest(&self, progress: &Progress) -> Option<Rest> {
        // The way back is not put off.
        if progress.back { None } else { self.limits.rests(|| self.pressure()) }
    }

    fn see(&mut self, progress: Progress) -> Result<(), Trouble> {
        match self.report(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(Trouble::Stopped(reason)),
        }
    }

    /// Look on until a helper has ended; says why it was told to stop, if it was.
    fn look_on(
        &mut self,
        work: &Work,
        mut running: Box<dyn Running>,
        watch: Watch<'_>,
        progress: &mut Progress,
    ) -> (Report, Option<Told>) {
        let Watch { mut outlook, cgroups } = watch;
        let mut told = None;
        loop {
            let left = match self.wait(work, &mut *running, &mut outlook, progress.left) {
                ControlFlow::Break(report) => return (report, told),
                ControlFlow::Continue(left) => left,
            };
            progress.left = left.unwrap_or(Bytes(0));
            if let (None | Some(Told::Rest), Outlook::Short(why)) = (&told, &outlook) {
                told = Some(Told::Short(why.clone()));
            }
            if let (None | Some(Told::Rest), Some(_)) = (&told, left)
                && let Some(why) = self.newly_at_risk(work.path(), cgroups)
            {
                told = Some(Told::Short(why));
            }
            // One that is off is about to come back: no time for a rest.
            if told.is_none() && left.is_some() {
                progress.rest = self.wants_rest(progress);
                told = progress.rest.map(|_| Told::Rest);
            }
            if !matches!(told, Some(Told::Stop(_) | Told::Short(_)))
                && let ControlFlow::Break(reason) = self.report(*progress)
            {
                told = Some(Told::Stop(reason));
            }
            // Again and again: it listens only between processes.
            if told.is_some() {
                running.stop();
            }
        }
    }

    /// What is left on the area that a helper takes off, if it is on; what was known last where
    /// nobody can see it.
    pub(super) fn left_on(&self, work: &Work, last: Bytes) -> Option<Bytes> {
        let Ok(areas) = self.areas() else { return Some(last) };
        let area = areas.iter().find(|area| area.path == *work.path())?;
        Some(area.used.known().copied().unwrap_or(last))
    }
}

fn moved_nothing(work: &Work, least: Bytes) -> String {
    format!(
        "{}: none of {IN_VAIN} bursts in a row left less than {} on it: while it rests it is in use, and pages go to it again; free memory first, or let it rest less with a higher --pace",
        work.path().safe(),
        units::size(least)
    )
}
