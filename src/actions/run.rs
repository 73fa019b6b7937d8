//! Carrying a plan out. What is on the machine decides, never what a helper or the journal said.

mod error_texts;
mod drain;
mod temporary;
mod order;
mod outcome;
mod reserve;
mod zram;

use super::estimate::DeviceKind;
use super::journal::{PlanEnd, Event, Journal, RecordedArea};
use super::limits::{ChangeLimits, DrainPause};
use super::monitor::{Monitor, StopReason};
use super::plan::{self, Plan};
use super::step::{current_choice, known_or_reason};
use super::{MachineView, StepState, Step};
use crate::clock::Clock;
use crate::model::format::SwapFileSpec;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Part, Stamp};
use crate::sys::{Rewrite, Sys, HelperTask};
use error_texts::{ON, explain_create, explain_swapon, explain_save, explain_set, explain_rewrite, errno_text};
use nix::errno::Errno;
pub use outcome::ChangeOutcome;
use outcome::Reasons;
use std::ops::ControlFlow;
use std::time::Duration;

/// How often it is told how far a step came.
const PACE: Duration = Duration::from_millis(100);

/// Why a plan stops that somebody else has overtaken.
const CHANGED: &str = "swap was changed by somebody else meanwhile";

/// What became of a helper that did not tell.
const HELPER_KILLED: &str = "the helper was killed, by somebody else or for want of memory";

/// The same of one thing.
fn changed_by_others(step: &Step) -> String {
    format!("{} was changed by somebody else meanwhile", step.subject().safe())
}

/// How far a step came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Which step, from 0 on.
    pub step: usize,
    /// Is it taken back?
    pub back: bool,
    /// What was on the area when it began.
    pub of: Bytes,
    /// What is left on it.
    pub left: Bytes,
    /// When it began; as much later as it rested.
    pub since: Stamp,
    /// Why it rests, if it does.
    pub rest: Option<DrainPause>,
}

/// Carries plans out.
#[expect(missing_debug_implementations, reason = "it holds what cannot be shown")]
pub struct Runner<'a> {
    /// What makes the changes.
    pub sys: &'a dyn Sys,
    /// What shows the machine as it is.
    pub look: &'a dyn MachineView,
    /// Where all is written down.
    pub journal: &'a mut Journal,
    /// Time.
    pub clock: &'a Clock,
    /// When it stops or rests by itself.
    pub limits: ChangeLimits,
    /// When it began: limits on its time count from then on.
    pub begun: Stamp,
    /// Told of each step that is about to begin, is under way, or is being taken back.
    pub monitor: &'a mut dyn Monitor<Progress>,
}

/// Why a step was not made, or why nothing is made after it.
enum StepFailure {
    /// The monitor or a limit wanted that.
    Stopped(StopReason),
    /// Somebody else was faster: it was not even tried.
    Overtaken(String),
    /// Somebody else was faster while it rested.
    OvertakenWhilePaused(String),
    /// Memory came to its end.
    MemoryShort(String),
    /// It failed.
    Failed(String),
    /// It ended early, and what was done of it cannot be taken back.
    HalfDone(String),
}

impl Runner<'_> {
    /// Carry out a plan. When a step fails, when somebody else changes swap meanwhile, or when the
    /// monitor or a limit stops it, what was done is taken back; the steps of a plan that stand for themselves
    /// are each tried, and stay.
    pub fn run(&mut self, plan: &Plan, undoes: Option<u64>) -> ChangeOutcome {
        if let Err(why) = self.begin(plan, undoes, false) {
            return ChangeOutcome::ended(self.journal.plan(), PlanEnd::Undone, Some(why));
        }
        let mut stands = plan.relies_on.clone();
        let (mut made, mut whys, mut halfway) = (Vec::new(), Reasons::default(), false);
        for (number, step) in plan.steps.iter().enumerate() {
            let (is_made, trouble) = match self.check_unchanged(&stands) {
                Ok(()) => self.make(number, step, false),
                Err(why) => (false, Some(StepFailure::Overtaken(why))),
            };
            if is_made {
                plan::apply_step(step, &mut stands);
                made.push(number);
            }
            match trouble {
                None => {}
                Some(
                    trouble @ (StepFailure::Failed(_)
                    | StepFailure::MemoryShort(_)
                    | StepFailure::Overtaken(_)
                    | StepFailure::OvertakenWhilePaused(_)),
                ) if plan.apart => whys.push(&trouble),
                Some(StepFailure::Overtaken(why)) if made.is_empty() => {
                    return self.end_overtaken(why, "Nothing was done.");
                }
                Some(StepFailure::OvertakenWhilePaused(why)) if made.is_empty() => {
                    let remark = "No step was completed; what was moved by then stays where it is.";
                    return self.end_overtaken(why, remark);
                }
                Some(trouble) => {
                    halfway = matches!(trouble, StepFailure::HalfDone(_));
                    whys.push(&trouble);
                    break;
                }
            }
        }
        let mut end = self.result(plan, &made, &mut whys);
        if halfway && end == PlanEnd::Undone {
            end = PlanEnd::Partial;
        }
        let mut made = made.iter().filter_map(|number| plan.steps.get(*number));
        let undoable = made.find_map(Step::inverse).is_some();
        let outcome = ChangeOutcome { undoable, ..self.end(end, &whys) };
        if plan.steps.iter().any(Step::outlasts_boot) {
            // Whoever recovers after a restart must see that it came to its end.
            let _ = self.journal.sync();
        }
        outcome
    }

    /// What came of it, when what has to be taken back has been.
    fn result(&mut self, plan: &Plan, made: &[usize], whys: &mut Reasons) -> PlanEnd {
        if !whys.is_empty() && !plan.apart {
            return self.undo_steps(plan, made, whys);
        }
        // Steps that leave no mark are known from having been made only.
        if made.len() == plan.steps.len() && self.all(plan, StepState::After) {
            return PlanEnd::Done;
        }
        if whys.is_empty() {
            whys.push_text(CHANGED.to_owned());
        }
        if made.is_empty() && self.all(plan, StepState::Before) { PlanEnd::Undone } else { PlanEnd::Partial }
    }

    fn begin(&mut self, plan: &Plan, undoes: Option<u64>, lent: bool) -> Result<(), String> {
        // What only goes on brings nothing out of order.
        let off: Vec<&Name> =
            plan.steps.iter().filter_map(Step::disabled_area).map(|area| &area.path).collect();
        let areas = if off.is_empty() { Vec::new() } else { self.areas().unwrap_or_default() };
        let areas = RecordedArea::from_areas(&areas, |area| {
            let is_off = off.contains(&&area.path);
            is_off.then(|| DeviceKind::from_device(area, &self.look.device(area))).flatten()
        });
        let (title, steps, purpose) = (plan.title.clone(), plan.steps.clone(), plan.purpose);
        self.append(Event::Begin { title, purpose, steps, undoes, areas, lent })
    }

    fn end(&mut self, end: PlanEnd, whys: &Reasons) -> ChangeOutcome {
        let why = whys.sentence();
        self.append_or_ignore(Event::End { end, why: why.clone() });
        ChangeOutcome { short: whys.is_shortage(), ..ChangeOutcome::ended(self.journal.plan(), end, why) }
    }

    /// What is now is as somebody else wants it.
    fn end_overtaken(&mut self, why: String, remark: &str) -> ChangeOutcome {
        let mut whys = Reasons::default();
        whys.push_text(why);
        ChangeOutcome { remark: Some(remark.to_owned()), ..self.end(PlanEnd::Undone, &whys) }
    }

    fn append(&mut self, event: Event) -> Result<(), String> {
        let told = self.journal.append(self.clock.now(), event);
        told.map_err(|error| format!("the journal cannot be written: {error}"))
    }

    /// What outlasts the boot is written down where that does as well.
    fn sync_if_lasting(&self, step: &Step) -> Result<(), String> {
        if !step.outlasts_boot() {
            return Ok(());
        }
        self.journal.sync().map_err(|error| format!("the journal cannot be written: {error}"))
    }

    /// Tell what has happened. A journal that takes no more, as on a full disk, undoes nothing.
    fn append_or_ignore(&mut self, event: Event) {
        let _ = self.append(event);
    }

    /// Take back what was made, last first. Where an area does not come off, others still go on:
    /// that needs no memory, and makes room.
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
                let failed = matches!(trouble, StepFailure::Failed(_) | StepFailure::MemoryShort(_));
                if !failed || step.disabled_area().is_none() {
                    return PlanEnd::Partial;
                }
                stuck.push(step);
            }
        }
        if !stuck.is_empty() {
            return PlanEnd::Partial;
        }
        // A step that failed leaves its area as it was; but that is to be seen, not believed.
        if self.all(plan, StepState::Before) { PlanEnd::Undone } else { PlanEnd::Partial }
    }

    /// Does a step put an area on that is off, and as it was?
    fn can_enable(&self, step: &Step, stuck: &[Step]) -> bool {
        let is_as_it_was = stuck.iter().all(|other| other.subject() != step.subject());
        let is_on = matches!(step, Step::On { .. });
        is_on && is_as_it_was && self.state(step) == Some(StepState::Before)
    }

    /// Does all stand so to the steps, as far as that leaves a mark?
    fn all(&self, plan: &Plan, state: StepState) -> bool {
        let is = |step: &Step| match step.state(self.look) {
            Ok(StepState::Before) => state == StepState::Before || !step.leaves_trace(),
            other => other == Ok(state),
        };
        // Of the steps that change the same thing, the first knows how it was, the last how it
        // shall be.
        let decides = if state == StepState::Before { plan::is_first } else { plan::is_last };
        let steps = plan.steps.iter().enumerate();
        steps.filter(|(place, _)| decides(&plan.steps, *place)).all(|(_, step)| is(step))
    }

    /// Are all areas as they should be?
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

    /// Make one step, whole, or leave the area as it was. Says whether it was made, which it may
    /// have been although it was to be stopped.
    fn make(&mut self, number: usize, step: &Step, back: bool) -> (bool, Option<StepFailure>) {
        let moved = match self.bytes_to_move(step) {
            Ok(moved) => moved,
            Err(why) => return (false, Some(StepFailure::Overtaken(why))),
        };
        let since = self.clock.now();
        let mut progress =
            Progress { step: number, back, of: moved, left: moved, since, rest: None };
        if let ControlFlow::Break(reason) = self.report(progress) {
            return (false, Some(StepFailure::Stopped(reason)));
        }
        // Nothing is changed that is not written down, unless it is to put things right.
        if let Err(why) =
            self.append(Event::Try { step: number, back }).and_then(|()| self.sync_if_lasting(step))
            && !back
        {
            return (false, Some(StepFailure::Failed(why)));
        }
        let told = self.perform(step, &mut progress);
        let seconds = self.clock.now().seconds_since(progress.since);
        if let Err(StepFailure::OvertakenWhilePaused(why)) = &told {
            // What is now is as somebody else wants it.
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
        self.append_or_ignore(Event::Failed { step: number, why: trouble.text() });
        (false, Some(trouble))
    }

    /// Reports how far it is; says why it has to stop, if it has. Going back is given up by the
    /// monitor only, and by no limit.
    fn report(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        self.monitor.event(progress)?;
        if progress.back {
            return ControlFlow::Continue(());
        }
        let seconds = self.clock.now().seconds_since(self.begun);
        let passed = self.limits.stop_reason(seconds, || self.pressure());
        passed.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// In which percentage of the last 10 seconds all tasks waited for memory.
    fn pressure(&self) -> Option<f64> {
        let now = self.look.parts(&[Part::Psi]);
        Some(now.psi.reading.known()?.get("memory")?.known()?.full.known()?.avg10)
    }

    /// What has to be moved for a step, if all is still as it was before it.
    fn bytes_to_move(&self, step: &Step) -> Result<Bytes, String> {
        if step.state(self.look)? != StepState::Before {
            return Err(changed_by_others(step));
        }
        if step.disabled_area().is_none() {
            return Ok(Bytes(0));
        }
        Ok(step.moves(&self.areas()?))
    }

    /// The machine tells whether a step was made; where it cannot, whoever made it.
    fn is_made(&self, step: &Step, told: bool) -> bool {
        match self.state(step) {
            Some(StepState::After) => true,
            Some(StepState::Before) => told && !step.leaves_trace(),
            Some(StepState::Missing | StepState::Other) => false,
            None => told,
        }
    }

    /// The change itself, with the kernel's answer in words.
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

    /// Make a file, which takes long where zeros have to be written, and look on.
    fn make_file(
        &mut self,
        path: &Name,
        form: &SwapFileSpec,
        mut progress: Progress,
    ) -> Result<(), StepFailure> {
        progress.of = form.size;
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

    /// How the area stands to a step; a second look where the first fails.
    fn state(&self, step: &Step) -> Option<StepState> {
        let look = self.look;
        step.state(look).or_else(|_| step.state(look)).ok()
    }

    /// What came of a step that was made in vain, though nothing complained.
    fn describe_state(&self, step: &Step) -> String {
        match step {
            Step::Set { what, file, to, .. } => {
                match known_or_reason(self.look.setting(file)).map(|it| current_choice(&it)) {
                    Ok(is) => format!("the kernel made \"{is}\" of \"{to}\" for {what}"),
                    Err(why) => why,
                }
            }
            Step::Zram { .. } => {
                format!("{} was set up otherwise than asked", step.subject().safe())
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

    /// Put right what a step that failed has left.
    fn rescue(&self, step: &Step) -> Result<(), String> {
        match step {
            Step::Set { file, from, .. } if self.state(step) == Some(StepState::Other) => {
                self.sys.write(file, from).map_err(|error| explain_set(file, from, error))
            }
            // It has put right what it left, as it alone knows whether it was itself.
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

    /// Put an area on again that is off and belongs on. Where nobody can see whether it is off, it
    /// is tried all the same: of one that is on, the kernel says that it is busy.
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
                Err(format!("and {name} IS OFF: swapadm recover tries again ({why})"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
