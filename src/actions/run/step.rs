//! One step: made completely, or its subject left as it was.

use super::error_texts::{
    ON, SAVED, WRITTEN, errno_text, explain_make, explain_set, explain_swapon, explain_write,
};
use super::{FailureKind, Progress, Runner, StepFailure, StepResult, changed_by_others};
use crate::actions::journal::Event;
use crate::actions::monitor::StopReason;
use crate::actions::step::{current_choice, known_or_reason};
use crate::actions::{Step, StepState};
use crate::model::format::SwapFileSpec;
use crate::model::{Bytes, Name, Part};
use crate::sys::{HelperTask, Rewrite};
use nix::errno::Errno;
use std::ops::ControlFlow;
use std::time::Duration;

impl Runner<'_> {
    /// Executes one step completely, or leaves the area as it was. It can be done even if it was
    /// asked to stop.
    pub(super) fn make(&mut self, number: usize, step: &Step, is_undo: bool) -> StepResult {
        let moved = match self.bytes_to_move(step) {
            Ok(moved) => moved,
            Err(why) => return StepResult::left_alone(FailureKind::NotTried.because(why)),
        };
        let mut progress = Progress {
            step: number,
            is_undo,
            total: moved,
            left: moved,
            since: self.clock.monotonic(),
            elapsed: Duration::ZERO,
            pause: None,
        };
        if let ControlFlow::Break(reason) = self.report(progress) {
            return StepResult::left_alone(reason.into());
        }
        // A change that cannot be recorded first is not made, unless it undoes a step.
        if let Err(why) = self
            .append(Event::Try { step: number, back: is_undo })
            .and_then(|()| self.sync_if_lasting(step))
            && !is_undo
        {
            return StepResult::left_alone(why.into());
        }
        let result = self.perform(step, &mut progress);
        let seconds = self.time_since(progress.since).as_secs_f64();
        let left = self.areas().map_or(progress.left, |areas| step.moves(&areas));
        let so_far = moved.saturating_sub(left);
        if let Err(StepFailure { kind: FailureKind::OvertakenWhilePaused, why }) = &result {
            // Keep the present state: somebody else set it.
            self.append_or_ignore(Event::Failed { step: number, why: why.clone() });
            return StepResult { is_made: false, moved: so_far, failure: result.err() };
        }
        if self.is_made(step, result.is_ok()) {
            let back = is_undo;
            self.append_or_ignore(Event::Made { step: number, back, moved: moved.0, seconds });
            return StepResult { is_made: true, moved, failure: result.err() };
        }
        let mut failure = result.err().unwrap_or_else(|| self.describe_state(step).into());
        if let Err(worse) = self.rescue(step) {
            failure.why = format!("{}; {worse}", failure.why);
        }
        // A setting with neither its old nor its new value stays in progress, so that recovery restores it.
        if self.state(step) != Ok(StepState::Other) || !matches!(step, Step::Set { .. }) {
            self.append_or_ignore(Event::Failed { step: number, why: failure.why.clone() });
        }
        StepResult { is_made: false, moved: so_far, failure: Some(failure) }
    }

    /// Reports progress, and says why to stop, if so. Undoing is stopped only by the monitor, not
    /// by limits.
    pub(super) fn report(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        let elapsed = self.time_since(progress.since);
        self.monitor.event(Progress { elapsed, ..progress })?;
        if progress.is_undo {
            return ControlFlow::Continue(());
        }
        let seconds = self.time_since(self.begun).as_secs_f64();
        let passed = self.limits.stop_reason(seconds, || self.pressure());
        passed.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// The time since an earlier time of the monotonic clock.
    pub(super) fn time_since(&self, earlier: Duration) -> Duration {
        self.clock.monotonic().saturating_sub(earlier)
    }

    /// PSI "full" of memory over the last 10 seconds, in percent.
    pub(super) fn pressure(&self) -> Option<f64> {
        let now = self.look.parts(&[Part::Psi]);
        Some(now.psi.reading.known()?.get("memory")?.known()?.full.known()?.avg10)
    }

    /// Bytes that a step has to move, if its subject is unchanged.
    fn bytes_to_move(&self, step: &Step) -> Result<Bytes, String> {
        if self.state(step)? != StepState::Before {
            return Err(changed_by_others(step));
        }
        if step.disabled_area().is_none() {
            return Ok(Bytes(0));
        }
        Ok(step.moves(&self.areas()?))
    }

    /// Whether the step was done: the machine decides, or the reported result where the machine cannot.
    fn is_made(&self, step: &Step, is_reported: bool) -> bool {
        match self.state(step) {
            Ok(StepState::After) => true,
            Ok(StepState::Before) => is_reported && !step.is_observable(),
            Ok(StepState::Missing | StepState::Other) => false,
            Err(_) => is_reported,
        }
    }

    /// Makes the change; the error explains the error number of the kernel.
    fn perform(&mut self, step: &Step, progress: &mut Progress) -> Result<(), StepFailure> {
        match step {
            Step::On { area } => {
                self.sys.swap_on(area).map_err(|error| explain_swapon(area, error))?;
            }
            Step::Off { area } => self.drain(&HelperTask::Off(area.path.clone()), progress)?,
            Step::Renew { to, .. } => self.drain(&HelperTask::Renew(to.clone()), progress)?,
            Step::Set { file, to, .. } => {
                self.sys.write(file, to).map_err(|error| explain_set(file, to, error))?;
            }
            Step::Save { path, from, to } => {
                let saved = self.sys.save(path, from.as_deref(), to.as_deref());
                saved.map_err(|why| explain_write(path, &SAVED, why))?;
            }
            Step::Zram { number, from, to, .. } => {
                if from.is_none() && to.is_some() {
                    self.create(*number)?;
                }
                self.set_up(*number, from.as_ref(), to.as_ref())?;
            }
            Step::Order { file, word, .. } => {
                let order = HelperTask::Order { file: file.clone(), word: word.clone() };
                self.order(&order, *progress)?;
            }
            Step::Header { path, size, .. } => {
                let rewrites = step.rewrites();
                let places = rewrites.from.iter().zip(&rewrites.to).collect();
                let written = self.sys.rewrite(&Rewrite { path, size: *size, places });
                written.map_err(|why| explain_write(path, &WRITTEN, why))?;
            }
            Step::File { path, from, to: Some(to) } => {
                self.make_file(path, (from.as_ref(), to), *progress)?;
            }
            Step::File { path, from: Some(form), to: None } => {
                let removed = self.sys.remove_file(path, form);
                removed.map_err(|why| explain_write(path, &WRITTEN, why))?;
            }
            Step::File { from: None, to: None, .. } => {}
        }
        Ok(())
    }

    /// Creates or resizes a file and reports progress, because writing zeros takes long.
    fn make_file(
        &mut self,
        path: &Name,
        (from, to): (Option<&SwapFileSpec>, &SwapFileSpec),
        mut progress: Progress,
    ) -> Result<(), StepFailure> {
        progress.total = to.size;
        let sys = self.sys;
        let mut stopped = None;
        let made = sys.make_file(path, (from, to), &mut |done| {
            progress.left = to.size.saturating_sub(done);
            stopped = self.report(progress).break_value();
            stopped.is_none()
        });
        match (stopped, made) {
            (Some(reason), Err(_)) => Err(reason.into()),
            (_, made) => Ok(made.map_err(|why| explain_make(path, from.is_some(), why))?),
        }
    }

    /// The state of a step; read twice if the first reading fails.
    pub(super) fn state(&self, step: &Step) -> Result<StepState, String> {
        step.state(self.look).or_else(|_| step.state(self.look))
    }

    /// Describes the state after a step that had no effect without an error.
    fn describe_state(&self, step: &Step) -> String {
        if let Step::Set { what, file, to, .. } = step {
            return match known_or_reason(self.look.setting(file)).map(|it| current_choice(&it)) {
                Ok(is) => format!("the kernel changed \"{to}\" to \"{is}\" for {what}"),
                Err(why) => why,
            };
        }
        if matches!(step, Step::Zram { .. }) {
            return format!("{} was set up differently than requested", step.subject().safe());
        }
        changed_by_others(step)
    }

    /// Repairs what a failed step has left: writes a setting back, or enables an area again that was
    /// left disabled. Where the state of an area cannot be read, it is tried anyway: for an active
    /// area the kernel answers EBUSY. A zram step has cleaned up after itself, as only it knows what
    /// it did.
    fn rescue(&self, step: &Step) -> Result<(), String> {
        if let Step::Set { file, from, .. } = step
            && self.state(step) == Ok(StepState::Other)
        {
            return self.sys.write(file, from).map_err(|error| explain_set(file, from, error));
        }
        let Some(area) = step.rescue() else { return Ok(()) };
        let state = self.state(step);
        if state.as_ref().is_ok_and(|state| *state != StepState::Missing) {
            return Ok(());
        }
        match self.sys.swap_on(area) {
            Ok(()) => Ok(()),
            Err(Errno::EBUSY) if state.is_err() => Ok(()),
            Err(error) => {
                let (name, why) = (area.path.safe(), errno_text(&ON, error));
                Err(format!("and {name} IS DISABLED ({why}): run swapadm recover to try again"))
            }
        }
    }
}
