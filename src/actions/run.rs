//! Executes a plan. The state of the machine decides, not what a helper or the journal reported.

mod drain;
mod error_texts;
mod order;
mod outcome;
mod reserve;
mod step;
mod zram;

use super::estimate::DeviceKind;
use super::journal::{Event, Journal, PlanEnd, PlanPurpose, RecordedArea};
use super::limits::{ChangeLimits, DrainPause};
use super::monitor::{Monitor, StopReason};
use super::plan::{self, Plan};
use super::step::known_or_reason;
use super::{MachineView, Step, StepState};
use crate::clock::Clock;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name};
use crate::sys::Sys;
pub use outcome::ChangeOutcome;
use outcome::{NO_PLAN, Reasons};
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

/// Whether a step has to wait for another one: both are about the same device, or disable an area,
/// which needs the memory that the other one lacked. Enabling areas makes room, and a file that was not resized is a
/// swap file all the same.
fn depends_on(step: &Step, other: &Step) -> bool {
    let is_off = |step: &Step| step.disabled_area().is_some();
    let is_on = matches!(step, Step::On { .. });
    (step.device() == other.device() && !(is_on && other.is_resize()))
        || (is_off(step) && is_off(other))
}

/// Whether a step makes no sense without another one before it, even in a plan of independent steps: a device or file
/// that could not be made as planned is neither formatted nor enabled.
fn needs(step: &Step, other: &Step) -> bool {
    let makes = matches!(other, Step::Zram { .. } | Step::Header { .. } | Step::File { .. });
    makes && !other.is_resize() && step.device() == other.device()
}

/// Whether somebody else has changed the text that a step, or its inverse, has replaced.
fn is_foreign(step: &Step, state: &Result<StepState, String>) -> bool {
    step.is_text() && *state == Ok(StepState::Other)
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

/// The result of trying a step.
struct StepResult {
    /// Was it done?
    is_made: bool,
    /// Bytes that it moved, even if it failed.
    moved: Bytes,
    failure: Option<StepFailure>,
}

impl StepResult {
    /// The step was left alone.
    fn left_alone(failure: StepFailure) -> Self {
        Self { is_made: false, moved: Bytes(0), failure: Some(failure) }
    }
}

/// Why a step failed, or why the plan ends after it.
struct StepFailure {
    kind: FailureKind,
    why: String,
}

/// The kind of a failure of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FailureKind {
    /// Stopped by the monitor or a limit.
    Stopped { is_shortage: bool },
    /// The step was not tried: somebody else changed its subject, or its state cannot be read.
    NotTried,
    /// Somebody else changed swap during a pause.
    OvertakenWhilePaused,
    /// Memory ran short.
    MemoryShort,
    /// The step failed.
    Failed,
    /// The step ended early, and what it did cannot be undone.
    HalfDone,
    /// The step was stopped, and the kernel still works on it.
    StillRunning,
}

impl Runner<'_> {
    /// Executes a plan. When a step fails, somebody else changes swap, or the monitor or a limit
    /// stops it, completed steps are undone. Independent steps are each tried, and stay.
    pub fn run(&mut self, plan: &Plan, undoes: Option<u64>) -> ChangeOutcome {
        if let Err(why) = self.begin(plan, undoes, false) {
            return ChangeOutcome::ended(NO_PLAN, PlanEnd::Undone, Some(why));
        }
        let mut expected_areas = plan.relies_on.clone();
        let (mut made, mut reasons, mut last_failure) = (Vec::new(), Reasons::default(), None);
        let mut failed: Vec<&Step> = Vec::new();
        for (number, step) in plan.steps.iter().enumerate() {
            if failed.iter().any(|other| needs(step, other)) {
                continue;
            }
            let result = self.try_step(plan, (number, step), &expected_areas);
            reasons.moved = reasons.moved.saturating_add(result.moved);
            if result.is_made {
                plan::apply_step(step, &mut expected_areas);
                made.push(number);
            }
            let Some(failure) = result.failure else { continue };
            reasons.push(&failure);
            failed.push(step);
            match failure.kind {
                FailureKind::NotTried | FailureKind::OvertakenWhilePaused if plan.independent => {}
                FailureKind::Failed | FailureKind::MemoryShort if plan.independent => {
                    if self.state(step) == Ok(StepState::Missing) {
                        expected_areas.retain(|area| area.path != *step.subject());
                    }
                }
                FailureKind::NotTried if made.is_empty() => {
                    return self.end_unchanged(plan, &reasons, "Nothing was changed.");
                }
                FailureKind::OvertakenWhilePaused if made.is_empty() => {
                    let remark = "No step was completed; data moved so far stays where it is.";
                    return self.end_unchanged(plan, &reasons, remark);
                }
                FailureKind::NotTried
                | FailureKind::OvertakenWhilePaused
                | FailureKind::MemoryShort
                | FailureKind::Failed
                | FailureKind::Stopped { .. }
                | FailureKind::HalfDone
                | FailureKind::StillRunning => {
                    last_failure = Some(failure.kind);
                    break;
                }
            }
        }
        let end = match last_failure {
            // The order in the kernel relies on the steps before it.
            Some(FailureKind::StillRunning) => PlanEnd::Partial,
            Some(FailureKind::HalfDone) => {
                self.finish_or_undo(plan, &made, &mut reasons);
                PlanEnd::Partial
            }
            Some(FailureKind::NotTried) => self.undo_steps(plan, &made, made.len(), &mut reasons),
            _ => self.finish_or_undo(plan, &made, &mut reasons),
        };
        let mut made = made.iter().filter_map(|number| plan.steps.get(*number));
        // Undoing a repair would bring back what was repaired.
        let is_repair = plan.purpose == PlanPurpose::Recovery;
        let undoable =
            end != PlanEnd::Undone && !is_repair && made.any(|step| step.inverse().is_some());
        ChangeOutcome { undoable, ..self.end(plan, end, &reasons) }
    }

    /// Undoes what has to be undone, and says how the plan ends.
    fn finish_or_undo(&mut self, plan: &Plan, made: &[usize], reasons: &mut Reasons) -> PlanEnd {
        if !reasons.words.is_empty() && !plan.independent {
            return self.undo_steps(plan, made, made.len() + 1, reasons);
        }
        // Steps that leave no trace are known only from the list of completed steps.
        if made.len() == plan.steps.len() {
            match self.are_all(&plan.steps, StepState::After) {
                Ok(true) => return PlanEnd::Done,
                Ok(false) => {}
                Err(why) => reasons.push_text(why),
            }
        }
        if reasons.words.is_empty() {
            reasons.push_text(CHANGED.to_owned());
        }
        if made.is_empty() && self.are_all(&plan.steps, StepState::Before) == Ok(true) {
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
        let areas = if off.is_empty() { Vec::new() } else { self.areas()? };
        let areas = RecordedArea::from_areas(&areas, |area| {
            let is_off = off.contains(&&area.path);
            is_off.then(|| DeviceKind::from_device(area, &self.look.device(area))).flatten()
        });
        let (title, steps, purpose) = (plan.title.clone(), plan.steps.clone(), plan.purpose);
        let is_independent = plan.independent;
        self.append(Event::Begin {
            title,
            purpose,
            steps,
            undoes,
            areas,
            is_temporary,
            is_independent,
        })
    }

    fn end(&mut self, plan: &Plan, end: PlanEnd, reasons: &Reasons) -> ChangeOutcome {
        let why = reasons.sentence();
        let unrecorded = self.append(Event::End { end, why: why.clone() }).err();
        if plan.steps.iter().any(Step::outlasts_boot) {
            // Recovery after a reboot must see that the plan has ended.
            let _ = self.journal.sync();
        }
        ChangeOutcome {
            short: reasons.short,
            only_orders: Step::are_orders(&plan.steps),
            remark: reasons.remark(end),
            unrecorded,
            ..ChangeOutcome::ended(self.journal.plan(), end, why)
        }
    }

    /// Ends a plan before its first step: the machine stays as it is.
    fn end_unchanged(&mut self, plan: &Plan, reasons: &Reasons, remark: &str) -> ChangeOutcome {
        let outcome = self.end(plan, PlanEnd::Undone, reasons);
        ChangeOutcome { remark: Some(remark.to_owned()), ..outcome }
    }

    fn append(&mut self, event: Event) -> Result<(), String> {
        let appended = self.journal.append(self.clock.now(), event);
        appended.map_err(|error| self.journal.explain(&error))
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

    /// Undoes completed steps, last first, as far as they do not depend on one that cannot be
    /// undone. What the steps after the first `tried` would change is as others have set it.
    fn undo_steps(
        &mut self,
        plan: &Plan,
        made: &[usize],
        tried: usize,
        reasons: &mut Reasons,
    ) -> PlanEnd {
        let mut stuck: Vec<Step> = Vec::new();
        for number in made.iter().rev() {
            let Some(step) = plan.steps.get(*number).and_then(Step::inverse) else { continue };
            if step.is_gone(self.look) {
                continue;
            }
            if stuck.iter().any(|other| depends_on(&step, other)) {
                stuck.push(step);
                continue;
            }
            let state = self.state(&step);
            // A run may have disabled its areas itself, and somebody else may have replaced what the step set.
            if is_foreign(&step, &state) || state == Ok(StepState::After) {
                let (step, back) = (*number, true);
                self.append_or_ignore(Event::Made { step, back, moved: 0, seconds: 0.0 });
                continue;
            }
            if let StepResult { is_made: false, failure: Some(failure), .. } =
                self.make(*number, &step, true)
            {
                reasons.push_undo(&failure);
                if matches!(failure.kind, FailureKind::Stopped { .. }) {
                    return PlanEnd::Partial;
                }
                stuck.push(step);
            }
        }
        let is_order = |number: &usize| matches!(plan.steps.get(*number), Some(Step::Order { .. }));
        // The effect of an order stays.
        if !stuck.is_empty() || made.iter().any(is_order) {
            return PlanEnd::Partial;
        }
        // A failed step leaves its area as it was; the state of the machine decides.
        let tried = plan.steps.iter().take(tried).enumerate();
        let (foreign, own): (Vec<_>, Vec<_>) = tried.partition(|(number, step)| {
            made.contains(number) && is_foreign(step, &self.state(step))
        });
        reasons.foreign.extend(foreign.into_iter().map(|(_, step)| step.subject().clone()));
        let own: Vec<Step> = own.into_iter().map(|(_, step)| step.clone()).collect();
        match self.are_all(&own, StepState::Before) {
            Ok(true) => PlanEnd::Undone,
            Ok(false) => {
                reasons.push_text(CHANGED.to_owned());
                PlanEnd::Partial
            }
            Err(why) => {
                reasons.push_text(why);
                PlanEnd::Partial
            }
        }
    }

    /// Whether all steps are in this state, as far as they leave a trace.
    fn are_all(&self, steps: &[Step], state: StepState) -> Result<bool, String> {
        // Of the steps that change the same thing, the first knows the old state, the last the new
        // one.
        let decides = if state == StepState::Before { plan::is_first } else { plan::is_last };
        for (place, step) in steps.iter().enumerate() {
            if !decides(steps, place) || step.is_gone(self.look) {
                continue;
            }
            let is = self.state(step)?;
            if state == StepState::Before && step.is_half_done(self.look)? {
                return Ok(false);
            }
            if is != state && (is != StepState::Before || step.is_observable()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Checks that the areas are as the plan expects.
    fn check_unchanged(&self, plan: &Plan, expected: &[plan::AreaState]) -> Result<(), String> {
        let now = plan::current_areas(&self.areas()?);
        if plan.expects(expected, &now) { Ok(()) } else { Err(CHANGED.to_owned()) }
    }

    /// The active areas; read twice if the first reading fails.
    fn areas(&self) -> Result<Vec<SwapArea>, String> {
        let read = || known_or_reason(self.look.areas());
        read().or_else(|_| read())
    }

    /// Executes the next step, if the areas are as expected.
    fn try_step(
        &mut self,
        plan: &Plan,
        (number, step): (usize, &Step),
        expected_areas: &[plan::AreaState],
    ) -> StepResult {
        match self.check_unchanged(plan, expected_areas) {
            Ok(()) => self.make(number, step, false),
            Err(why) => StepResult::left_alone(FailureKind::NotTried.because(why)),
        }
    }
}

impl Runner<'_> {
    /// Executes a plan, calls `during`, and undoes the plan. `during` is called only if the whole
    /// plan was applied.
    pub fn run_temporarily(&mut self, plan: &Plan, during: &mut dyn FnMut()) -> ChangeOutcome {
        if let Err(why) = self.begin(plan, None, true) {
            return ChangeOutcome::ended(NO_PLAN, PlanEnd::Undone, Some(why));
        }
        let mut reasons = Reasons::default();
        let (made, tried) = self.apply_until_failure(plan, &mut reasons);
        let is_whole = reasons.words.is_empty();
        if is_whole {
            during();
        }
        let mut end = self.undo_steps(plan, &made, tried, &mut reasons);
        if is_whole && end == PlanEnd::Undone {
            end = PlanEnd::Restored;
        }
        self.end(plan, end, &reasons)
    }

    /// Executes steps until one fails; returns the completed ones, and how many were tried.
    fn apply_until_failure(&mut self, plan: &Plan, reasons: &mut Reasons) -> (Vec<usize>, usize) {
        let mut expected_areas = plan.relies_on.clone();
        let mut made = Vec::new();
        for (number, step) in plan.steps.iter().enumerate() {
            let result = self.try_step(plan, (number, step), &expected_areas);
            if result.is_made {
                plan::apply_step(step, &mut expected_areas);
                made.push(number);
            }
            if let Some(failure) = result.failure {
                reasons.push(&failure);
                let is_tried = failure.kind != FailureKind::NotTried;
                return (made, number + usize::from(is_tried));
            }
        }
        (made, plan.steps.len())
    }
}

#[cfg(test)]
mod tests;
