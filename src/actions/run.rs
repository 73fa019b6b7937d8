//! Executes a plan. The state of the machine decides, not what a helper or the journal reported.

mod drain;
mod error_texts;
mod order;
mod outcome;
mod reserve;
mod temporary;
mod zram;

use super::estimate::DeviceKind;
use super::journal::{Event, Journal, PlanEnd, RecordedArea};
use super::limits::{ChangeLimits, DrainPause};
use super::monitor::{Monitor, StopReason};
use super::plan::{self, Plan};
use super::step::{current_choice, known_or_reason};
use super::{MachineView, Step, StepState};
use crate::clock::Clock;
use crate::model::format::SwapFileSpec;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Part};
use crate::sys::{HelperTask, Rewrite, Sys};
use error_texts::{
    ON, errno_text, explain_create, explain_rewrite, explain_save, explain_set, explain_swapon,
};
use nix::errno::Errno;
pub use outcome::ChangeOutcome;
use outcome::Reasons;
use std::ops::ControlFlow;
use std::time::Duration;

/// Interval between progress reports.
const PACE: Duration = Duration::from_millis(100);

/// The reason when somebody else changed swap during a plan.
const CHANGED: &str = "swap was changed by someone else during the plan";

/// The reason when a helper ended without a report.
const HELPER_KILLED: &str = "the helper process was killed, by someone else or for lack of memory";

/// The reason when somebody else changed the subject of a step.
fn changed_by_others(step: &Step) -> String {
    format!("{} was changed by someone else during the plan", step.subject().safe())
}

/// Progress of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Number of the step, from 0.
    pub step: usize,
    /// Whether the step is being undone.
    pub is_undo: bool,
    /// Bytes on the area when the step began.
    pub total: Bytes,
    /// Bytes left on the area.
    pub left: Bytes,
    /// Start of the step on the monotonic clock, moved forward by the time of its pauses.
    pub since: Duration,
    /// Time that the step has taken, without pauses and suspend.
    pub elapsed: Duration,
    /// Why the drain pauses, if it does.
    pub pause: Option<DrainPause>,
}

/// Executes plans.
#[expect(missing_debug_implementations, reason = "it holds what cannot be shown")]
pub struct Runner<'a> {
    /// Makes the changes.
    pub sys: &'a dyn Sys,
    /// Shows the machine as it is.
    pub look: &'a dyn MachineView,
    /// Records all events.
    pub journal: &'a mut Journal,
    /// Time.
    pub clock: &'a Clock,
    /// Limits at which the plan stops or pauses.
    pub limits: ChangeLimits,
    /// Start of the plan on the monotonic clock, for its time limit.
    pub begun: Duration,
    /// Follows each step that begins, runs or is being undone.
    pub monitor: &'a mut dyn Monitor<Progress>,
}

/// Why a step failed, or why the plan ends after it.
enum StepFailure {
    /// Stopped by the monitor or a limit.
    Stopped(StopReason),
    /// Somebody else changed the subject before the step was tried.
    Overtaken(String),
    /// Somebody else changed swap during a pause.
    OvertakenWhilePaused(String),
    /// Memory ran short.
    MemoryShort(String),
    /// The step failed.
    Failed(String),
    /// The step ended early, and what it did cannot be undone.
    HalfDone(String),
}

impl Runner<'_> {
    /// Executes a plan. When a step fails, somebody else changes swap, or the monitor or a limit
    /// stops it, completed steps are undone. Independent steps are each tried, and stay.
    pub fn run(&mut self, plan: &Plan, undoes: Option<u64>) -> ChangeOutcome {
        if let Err(why) = self.begin(plan, undoes, false) {
            return ChangeOutcome::ended(self.journal.plan(), PlanEnd::Undone, Some(why));
        }
        let mut expected_areas = plan.relies_on.clone();
        let (mut made, mut reasons, mut is_half_done) = (Vec::new(), Reasons::default(), false);
        for (number, step) in plan.steps.iter().enumerate() {
            let (is_made, trouble) = match self.check_unchanged(&expected_areas) {
                Ok(()) => self.make(number, step, false),
                Err(why) => (false, Some(StepFailure::Overtaken(why))),
            };
            if is_made {
                plan::apply_step(step, &mut expected_areas);
                made.push(number);
            }
            match trouble {
                None => {}
                Some(
                    trouble @ (StepFailure::Failed(_)
                    | StepFailure::MemoryShort(_)
                    | StepFailure::Overtaken(_)
                    | StepFailure::OvertakenWhilePaused(_)),
                ) if plan.independent => reasons.push(&trouble),
                Some(StepFailure::Overtaken(why)) if made.is_empty() => {
                    return self.end_overtaken(why, "Nothing was changed.");
                }
                Some(StepFailure::OvertakenWhilePaused(why)) if made.is_empty() => {
                    let remark = "No step was completed; data moved so far stays where it is.";
                    return self.end_overtaken(why, remark);
                }
                Some(trouble) => {
                    is_half_done = matches!(trouble, StepFailure::HalfDone(_));
                    reasons.push(&trouble);
                    break;
                }
            }
        }
        let mut end = self.result(plan, &made, &mut reasons);
        if is_half_done && end == PlanEnd::Undone {
            end = PlanEnd::Partial;
        }
        let mut made = made.iter().filter_map(|number| plan.steps.get(*number));
        let undoable = made.find_map(Step::inverse).is_some();
        let outcome = ChangeOutcome { undoable, ..self.end(end, &reasons) };
        if plan.steps.iter().any(Step::outlasts_boot) {
            // Recovery after a reboot must see that the plan has ended.
            let _ = self.journal.sync();
        }
        outcome
    }

    /// The end of the plan, after undoing what has to be undone.
    fn result(&mut self, plan: &Plan, made: &[usize], whys: &mut Reasons) -> PlanEnd {
        if !whys.is_empty() && !plan.independent {
            return self.undo_steps(plan, made, whys);
        }
        // Steps that leave no trace are known only from the list of completed steps.
        if made.len() == plan.steps.len() && self.all(plan, StepState::After) {
            return PlanEnd::Done;
        }
        if whys.is_empty() {
            whys.push_text(CHANGED.to_owned());
        }
        if made.is_empty() && self.all(plan, StepState::Before) {
            PlanEnd::Undone
        } else {
            PlanEnd::Partial
        }
    }

    fn begin(
        &mut self,
        plan: &Plan,
        undoes: Option<u64>,
        is_temporary: bool,
    ) -> Result<(), String> {
        // Enabling areas does not change the order of others.
        let off: Vec<&Name> =
            plan.steps.iter().filter_map(Step::disabled_area).map(|area| &area.path).collect();
        let areas = if off.is_empty() { Vec::new() } else { self.areas().unwrap_or_default() };
        let areas = RecordedArea::from_areas(&areas, |area| {
            let is_off = off.contains(&&area.path);
            is_off.then(|| DeviceKind::from_device(area, &self.look.device(area))).flatten()
        });
        let (title, steps, purpose) = (plan.title.clone(), plan.steps.clone(), plan.purpose);
        self.append(Event::Begin { title, purpose, steps, undoes, areas, is_temporary })
    }

    fn end(&mut self, end: PlanEnd, whys: &Reasons) -> ChangeOutcome {
        let why = whys.sentence();
        self.append_or_ignore(Event::End { end, why: why.clone() });
        ChangeOutcome {
            short: whys.is_shortage(),
            ..ChangeOutcome::ended(self.journal.plan(), end, why)
        }
    }

    /// Ends a plan that somebody else has overtaken: their state stays.
    fn end_overtaken(&mut self, why: String, remark: &str) -> ChangeOutcome {
        let mut whys = Reasons::default();
        whys.push_text(why);
        ChangeOutcome { remark: Some(remark.to_owned()), ..self.end(PlanEnd::Undone, &whys) }
    }

    fn append(&mut self, event: Event) -> Result<(), String> {
        let told = self.journal.append(self.clock.now(), event);
        told.map_err(|error| self.journal.explain(&error))
    }

    /// Syncs the journal before a step that outlasts the boot.
    fn sync_if_lasting(&self, step: &Step) -> Result<(), String> {
        if !step.outlasts_boot() {
            return Ok(());
        }
        self.journal.sync().map_err(|error| self.journal.explain(&error))
    }

    /// Records an event. A failing journal, as on a full disk, does not undo anything.
    fn append_or_ignore(&mut self, event: Event) {
        let _ = self.append(event);
    }

    /// Undoes completed steps, last first. If an area cannot be disabled, others are still enabled:
    /// this needs no memory and makes room.
    fn undo_steps(&mut self, plan: &Plan, made: &[usize], whys: &mut Reasons) -> PlanEnd {
        let mut stuck: Vec<Step> = Vec::new();
        for number in made.iter().rev() {
            let Some(step) = plan.steps.get(*number).and_then(Step::inverse) else { continue };
            if !stuck.is_empty() && !self.can_enable(&step, &stuck) {
                stuck.push(step);
                continue;
            }
            let (is_made, trouble) = self.make(*number, &step, true);
            if let (false, Some(trouble)) = (is_made, trouble) {
                whys.push_undo(&trouble);
                let failed =
                    matches!(trouble, StepFailure::Failed(_) | StepFailure::MemoryShort(_));
                if !failed || step.disabled_area().is_none() {
                    return PlanEnd::Partial;
                }
                stuck.push(step);
            }
        }
        if !stuck.is_empty() {
            return PlanEnd::Partial;
        }
        // A failed step leaves its area as it was; the state of the machine decides.
        if self.all(plan, StepState::Before) { PlanEnd::Undone } else { PlanEnd::Partial }
    }

    /// Whether a step enables an area that is disabled and unchanged.
    fn can_enable(&self, step: &Step, stuck: &[Step]) -> bool {
        let is_as_it_was = stuck.iter().all(|other| other.subject() != step.subject());
        let is_on = matches!(step, Step::On { .. });
        is_on && is_as_it_was && self.state(step) == Some(StepState::Before)
    }

    /// Whether all steps are in this state, as far as they leave a trace.
    fn all(&self, plan: &Plan, state: StepState) -> bool {
        let is = |step: &Step| match step.state(self.look) {
            Ok(StepState::Before) => state == StepState::Before || !step.is_observable(),
            other => other == Ok(state),
        };
        // Of the steps that change the same thing, the first knows the old state, the last the new
        // one.
        let decides = if state == StepState::Before { plan::is_first } else { plan::is_last };
        let steps = plan.steps.iter().enumerate();
        steps.filter(|(place, _)| decides(&plan.steps, *place)).all(|(_, step)| is(step))
    }

    /// Checks that all areas are as the plan expects.
    fn check_unchanged(&self, stands: &[plan::AreaState]) -> Result<(), String> {
        let areas = self.areas()?;
        if plan::current_areas(&areas) == stands {
            return Ok(());
        }
        Err(CHANGED.to_owned())
    }

    fn areas(&self) -> Result<Vec<SwapArea>, String> {
        known_or_reason(self.look.areas())
    }

    /// Executes one step completely, or leaves the area as it was. The result says whether it was
    /// done, which is possible even if it was asked to stop.
    fn make(&mut self, number: usize, step: &Step, back: bool) -> (bool, Option<StepFailure>) {
        let moved = match self.bytes_to_move(step) {
            Ok(moved) => moved,
            Err(why) => return (false, Some(StepFailure::Overtaken(why))),
        };
        let mut progress = Progress {
            step: number,
            is_undo: back,
            total: moved,
            left: moved,
            since: self.clock.monotonic(),
            elapsed: Duration::ZERO,
            pause: None,
        };
        if let ControlFlow::Break(reason) = self.report(progress) {
            return (false, Some(StepFailure::Stopped(reason)));
        }
        // A change that cannot be recorded first is not made, unless it undoes a step.
        if let Err(why) =
            self.append(Event::Try { step: number, back }).and_then(|()| self.sync_if_lasting(step))
            && !back
        {
            return (false, Some(StepFailure::Failed(why)));
        }
        let told = self.perform(step, &mut progress);
        let seconds = self.time_since(progress.since).as_secs_f64();
        if let Err(StepFailure::OvertakenWhilePaused(why)) = &told {
            // The present state is what somebody else wanted.
            self.append_or_ignore(Event::Failed { step: number, why: why.clone() });
            return (false, told.err());
        }
        if self.is_made(step, told.is_ok()) {
            self.append_or_ignore(Event::Made { step: number, back, moved: moved.0, seconds });
            return (true, told.err());
        }
        let told = told.err().unwrap_or_else(|| StepFailure::Failed(self.describe_state(step)));
        let trouble = match self.rescue(step) {
            Ok(()) => told,
            Err(worse) => told.with_worse(&worse),
        };
        // A setting that is left with a third value stays in progress, so that recovery restores it.
        if self.state(step) != Some(StepState::Other) || !matches!(step, Step::Set { .. }) {
            self.append_or_ignore(Event::Failed { step: number, why: trouble.text() });
        }
        (false, Some(trouble))
    }

    /// Reports progress, and says why to stop, if so. Undoing is stopped only by the monitor, not
    /// by limits.
    fn report(&mut self, progress: Progress) -> ControlFlow<StopReason> {
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
    fn time_since(&self, earlier: Duration) -> Duration {
        self.clock.monotonic().saturating_sub(earlier)
    }

    /// PSI "full" of memory over the last 10 seconds, in percent.
    fn pressure(&self) -> Option<f64> {
        let now = self.look.parts(&[Part::Psi]);
        Some(now.psi.reading.known()?.get("memory")?.known()?.full.known()?.avg10)
    }

    /// Bytes that a step has to move, if its subject is unchanged.
    fn bytes_to_move(&self, step: &Step) -> Result<Bytes, String> {
        if step.state(self.look)? != StepState::Before {
            return Err(changed_by_others(step));
        }
        if step.disabled_area().is_none() {
            return Ok(Bytes(0));
        }
        Ok(step.moves(&self.areas()?))
    }

    /// Whether the step was done: the machine decides, or the reported result where the machine cannot.
    fn is_made(&self, step: &Step, told: bool) -> bool {
        match self.state(step) {
            Some(StepState::After) => true,
            Some(StepState::Before) => told && !step.is_observable(),
            Some(StepState::Missing | StepState::Other) => false,
            None => told,
        }
    }

    /// Makes the change; the error explains the error number of the kernel.
    fn perform(&mut self, step: &Step, progress: &mut Progress) -> Result<(), StepFailure> {
        match step {
            Step::On { area } => {
                let on = self.sys.swap_on(area);
                on.map_err(|error| StepFailure::Failed(explain_swapon(area, error)))
            }
            Step::Off { area } => self.drain(&HelperTask::Off(area.path.clone()), progress),
            Step::Renew { to, .. } => self.drain(&HelperTask::Renew(to.clone()), progress),
            Step::Set { file, to, .. } => {
                let written = self.sys.write(file, to);
                written.map_err(|error| StepFailure::Failed(explain_set(file, to, error)))
            }
            Step::Save { path, from, to } => {
                let saved = self.sys.save(path, from.as_deref(), to.as_deref());
                saved.map_err(|why| StepFailure::Failed(explain_save(path, why)))
            }
            Step::Zram { number, from, to, .. } => {
                let made = self.set_up(*number, from.as_ref(), to.as_ref());
                made.map_err(StepFailure::Failed)
            }
            Step::Order { file, word, .. } => {
                self.order(&HelperTask::Order { file: file.clone(), word: word.clone() }, *progress)
            }
            Step::Header { path, size, .. } => {
                let rewrites = step.rewrites();
                let places = rewrites.from.iter().zip(&rewrites.to).collect();
                let written = self.sys.rewrite(&Rewrite { path, size: *size, places });
                written.map_err(|why| StepFailure::Failed(explain_rewrite(path, why)))
            }
            Step::File { path, to: Some(form), .. } => self.make_file(path, form, *progress),
            Step::File { path, from: Some(form), to: None } => {
                let removed = self.sys.remove_file(path, form);
                removed.map_err(|why| StepFailure::Failed(explain_rewrite(path, why)))
            }
            Step::File { from: None, to: None, .. } => Ok(()),
        }
    }

    /// Creates a file and reports progress, because writing zeros takes long.
    fn make_file(
        &mut self,
        path: &Name,
        form: &SwapFileSpec,
        mut progress: Progress,
    ) -> Result<(), StepFailure> {
        progress.total = form.size;
        let sys = self.sys;
        let mut stopped = None;
        let made = sys.make_file(path, form, &mut |done| {
            progress.left = form.size.saturating_sub(done);
            stopped = self.report(progress).break_value();
            stopped.is_none()
        });
        match (stopped, made) {
            (Some(reason), Err(_)) => Err(StepFailure::Stopped(reason)),
            (_, made) => made.map_err(|why| StepFailure::Failed(explain_create(path, why))),
        }
    }

    /// The state of a step; read twice if the first reading fails.
    fn state(&self, step: &Step) -> Option<StepState> {
        let look = self.look;
        step.state(look).or_else(|_| step.state(look)).ok()
    }

    /// Describes the state after a step that had no effect without an error.
    fn describe_state(&self, step: &Step) -> String {
        match step {
            Step::Set { what, file, to, .. } => {
                match known_or_reason(self.look.setting(file)).map(|it| current_choice(&it)) {
                    Ok(is) => format!("the kernel changed \"{to}\" to \"{is}\" for {what}"),
                    Err(why) => why,
                }
            }
            Step::Zram { .. } => {
                format!("{} was set up differently than requested", step.subject().safe())
            }
            Step::On { .. }
            | Step::Off { .. }
            | Step::Renew { .. }
            | Step::Order { .. }
            | Step::Save { .. }
            | Step::Header { .. }
            | Step::File { .. } => changed_by_others(step),
        }
    }

    /// Repairs what a failed step has left.
    fn rescue(&self, step: &Step) -> Result<(), String> {
        match step {
            Step::Set { file, from, .. } if self.state(step) == Some(StepState::Other) => {
                self.sys.write(file, from).map_err(|error| explain_set(file, from, error))
            }
            // A zram step has cleaned up after itself, as only it knows what it did.
            Step::Zram { .. } => Ok(()),
            Step::On { .. }
            | Step::Off { .. }
            | Step::Renew { .. }
            | Step::Set { .. }
            | Step::Order { .. }
            | Step::Save { .. }
            | Step::Header { .. }
            | Step::File { .. } => self.rescue_area(step),
        }
    }

    /// Enables an area again that was left disabled. Where its state cannot be read, it is tried
    /// anyway: for an active area the kernel answers EBUSY.
    fn rescue_area(&self, step: &Step) -> Result<(), String> {
        let Some(area) = step.rescue() else { return Ok(()) };
        let state = self.state(step);
        if state.is_some_and(|state| state != StepState::Missing) {
            return Ok(());
        }
        match self.sys.swap_on(area) {
            Ok(()) => Ok(()),
            Err(Errno::EBUSY) if state.is_none() => Ok(()),
            Err(error) => {
                let (name, why) = (area.path.safe(), errno_text(&ON, error));
                Err(format!("and {name} IS DISABLED ({why}): run swapadm recover to try again"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
