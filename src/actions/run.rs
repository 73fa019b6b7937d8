//! Carrying a plan out. What is on the machine decides, never what a helper or the journal said.

mod answers;
mod drain;
mod lend;
mod order;
mod outcome;
mod reserve;
mod zram;

use super::estimate::Kind;
use super::journal::{End, Event, Journal, Stood};
use super::limits::{Limits, Rest};
use super::monitor::{Monitor, StopReason};
use super::plan::{self, Plan};
use super::step::{chosen, seen};
use super::{Look, State, Step};
use crate::clock::Clock;
use crate::model::format::FileForm;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Part, Stamp};
use crate::sys::{Rewrite, Sys, Work};
use answers::{ON, not_made, not_on, not_saved, not_set, not_written, words};
use nix::errno::Errno;
pub use outcome::Outcome;
use outcome::Reasons;
use std::ops::ControlFlow;
use std::time::Duration;

/// How often it is told how far a step came.
const PACE: Duration = Duration::from_millis(100);

/// Why a plan stops that somebody else has overtaken.
const CHANGED: &str = "swap was changed by somebody else meanwhile";

/// What became of a helper that did not tell.
const KILLED: &str = "the helper was killed, by somebody else or for want of memory";

/// The same of one thing.
fn changed(step: &Step) -> String {
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
    pub rest: Option<Rest>,
}

/// Carries plans out.
#[expect(missing_debug_implementations, reason = "it holds what cannot be shown")]
pub struct Runner<'a> {
    /// What makes the changes.
    pub sys: &'a dyn Sys,
    /// What shows the machine as it is.
    pub look: &'a dyn Look,
    /// Where all is written down.
    pub journal: &'a mut Journal,
    /// Time.
    pub clock: &'a Clock,
    /// When it stops or rests by itself.
    pub limits: Limits,
    /// When it began: limits on its time count from then on.
    pub begun: Stamp,
    /// Told of each step that is about to begin, is under way, or is being taken back.
    pub monitor: &'a mut dyn Monitor<Progress>,
}

/// Why a step was not made, or why nothing is made after it.
enum Trouble {
    /// The monitor or a limit wanted that.
    Stopped(StopReason),
    /// Somebody else was faster: it was not even tried.
    Overtaken(String),
    /// Somebody else was faster while it rested.
    Late(String),
    /// Memory came to its end.
    Short(String),
    /// It failed.
    Failed(String),
    /// It ended early, and what was done of it cannot be taken back.
    Halfway(String),
}

impl Runner<'_> {
    /// Carry out a plan. When a step fails, when somebody else changes swap meanwhile, or when the
    /// monitor or a limit stops it, what was done is taken back; the steps of a plan that stand for themselves
    /// are each tried, and stay.
    pub fn run(&mut self, plan: &Plan, undoes: Option<u64>) -> Outcome {
        if let Err(why) = self.begin(plan, undoes, false) {
            return Outcome::of(self.journal.plan(), End::Undone, Some(why));
        }
        let mut stands = plan.relies_on.clone();
        let (mut made, mut whys, mut halfway) = (Vec::new(), Reasons::default(), false);
        for (number, step) in plan.steps.iter().enumerate() {
            let (is_made, trouble) = match self.unchanged(&stands) {
                Ok(()) => self.make(number, step, false),
                Err(why) => (false, Some(Trouble::Overtaken(why))),
            };
            if is_made {
                plan::after(step, &mut stands);
                made.push(number);
            }
            match trouble {
                None => {}
                Some(
                    trouble @ (Trouble::Failed(_)
                    | Trouble::Short(_)
                    | Trouble::Overtaken(_)
                    | Trouble::Late(_)),
                ) if plan.apart => whys.add(&trouble),
                Some(Trouble::Overtaken(why)) if made.is_empty() => {
                    return self.overtaken(why, "Nothing was done.");
                }
                Some(Trouble::Late(why)) if made.is_empty() => {
                    let remark = "No step was completed; what was moved by then stays where it is.";
                    return self.overtaken(why, remark);
                }
                Some(trouble) => {
                    halfway = matches!(trouble, Trouble::Halfway(_));
                    whys.add(&trouble);
                    break;
                }
            }
        }
        let mut end = self.result(plan, &made, &mut whys);
        if halfway && end == End::Undone {
            end = End::Partial;
        }
        let mut made = made.iter().filter_map(|number| plan.steps.get(*number));
        let undoable = made.find_map(Step::inverse).is_some();
        let outcome = Outcome { undoable, ..self.end(end, &whys) };
        if plan.steps.iter().any(Step::lasts) {
            // Whoever recovers after a restart must see that it came to its end.
            let _ = self.journal.sync();
        }
        outcome
    }

    /// What came of it, when what has to be taken back has been.
    fn result(&mut self, plan: &Plan, made: &[usize], whys: &mut Reasons) -> End {
        if !whys.is_empty() && !plan.apart {
            return self.take_back(plan, made, whys);
        }
        // Steps that leave no mark are known from having been made only.
        if made.len() == plan.steps.len() && self.all(plan, State::After) {
            return End::Done;
        }
        if whys.is_empty() {
            whys.say(CHANGED.to_owned());
        }
        if made.is_empty() && self.all(plan, State::Before) { End::Undone } else { End::Partial }
    }

    fn begin(&mut self, plan: &Plan, undoes: Option<u64>, lent: bool) -> Result<(), String> {
        // What only goes on brings nothing out of order.
        let off: Vec<&Name> =
            plan.steps.iter().filter_map(Step::taken_off).map(|area| &area.path).collect();
        let areas = if off.is_empty() { Vec::new() } else { self.areas().unwrap_or_default() };
        let areas = Stood::all(&areas, |area| {
            let is_off = off.contains(&&area.path);
            is_off.then(|| Kind::of(area, &self.look.device(area))).flatten()
        });
        let (title, steps, purpose) = (plan.title.clone(), plan.steps.clone(), plan.purpose);
        self.tell(Event::Begin { title, purpose, steps, undoes, areas, lent })
    }

    fn end(&mut self, end: End, whys: &Reasons) -> Outcome {
        let why = whys.sentence();
        self.note(Event::End { end, why: why.clone() });
        Outcome { short: whys.is_shortage(), ..Outcome::of(self.journal.plan(), end, why) }
    }

    /// What is now is as somebody else wants it.
    fn overtaken(&mut self, why: String, remark: &str) -> Outcome {
        let mut whys = Reasons::default();
        whys.say(why);
        Outcome { remark: Some(remark.to_owned()), ..self.end(End::Undone, &whys) }
    }

    fn tell(&mut self, event: Event) -> Result<(), String> {
        let told = self.journal.tell(self.clock.now(), event);
        told.map_err(|error| format!("the journal cannot be written: {error}"))
    }

    /// What outlasts the boot is written down where that does as well.
    fn keep(&self, step: &Step) -> Result<(), String> {
        if !step.lasts() {
            return Ok(());
        }
        self.journal.sync().map_err(|error| format!("the journal cannot be written: {error}"))
    }

    /// Tell what has happened. A journal that takes no more, as on a full disk, undoes nothing.
    fn note(&mut self, event: Event) {
        let _ = self.tell(event);
    }

    /// Take back what was made, last first. Where an area does not come off, others still go on:
    /// that needs no memory, and makes room.
    fn take_back(&mut self, plan: &Plan, made: &[usize], whys: &mut Reasons) -> End {
        let mut stuck: Vec<Step> = Vec::new();
        for number in made.iter().rev() {
            let Some(step) = plan.steps.get(*number).and_then(Step::inverse) else { continue };
            if !stuck.is_empty() && !self.goes_on(&step, &stuck) {
                stuck.push(step);
                continue;
            }
            let (is_made, trouble) = self.make(*number, &step, true);
            if let (false, Some(trouble)) = (is_made, trouble) {
                whys.add_back(&trouble);
                let failed = matches!(trouble, Trouble::Failed(_) | Trouble::Short(_));
                if !failed || step.taken_off().is_none() {
                    return End::Partial;
                }
                stuck.push(step);
            }
        }
        if !stuck.is_empty() {
            return End::Partial;
        }
        // A step that failed leaves its area as it was; but that is to be seen, not believed.
        if self.all(plan, State::Before) { End::Undone } else { End::Partial }
    }

    /// Does a step put an area on that is off, and as it was?
    fn goes_on(&self, step: &Step, stuck: &[Step]) -> bool {
        let is_as_it_was = stuck.iter().all(|other| other.subject() != step.subject());
        let is_on = matches!(step, Step::On { .. });
        is_on && is_as_it_was && self.state(step) == Some(State::Before)
    }

    /// Does all stand so to the steps, as far as that leaves a mark?
    fn all(&self, plan: &Plan, state: State) -> bool {
        let is = |step: &Step| match step.state(self.look) {
            Ok(State::Before) => state == State::Before || !step.leaves_a_mark(),
            other => other == Ok(state),
        };
        // Of the steps that change the same thing, the first knows how it was, the last how it
        // shall be.
        let decides = if state == State::Before { plan::is_first } else { plan::is_last };
        let steps = plan.steps.iter().enumerate();
        steps.filter(|(place, _)| decides(&plan.steps, *place)).all(|(_, step)| is(step))
    }

    /// Are all areas as they should be?
    fn unchanged(&self, stands: &[plan::Stands]) -> Result<(), String> {
        let areas = self.areas()?;
        if plan::standing(&areas) == stands {
            return Ok(());
        }
        Err(CHANGED.to_owned())
    }

    fn areas(&self) -> Result<Vec<SwapArea>, String> {
        seen(self.look.areas())
    }

    /// Make one step, whole, or leave the area as it was. Says whether it was made, which it may
    /// have been although it was to be stopped.
    fn make(&mut self, number: usize, step: &Step, back: bool) -> (bool, Option<Trouble>) {
        let moved = match self.ready(step) {
            Ok(moved) => moved,
            Err(why) => return (false, Some(Trouble::Overtaken(why))),
        };
        let since = self.clock.now();
        let mut progress =
            Progress { step: number, back, of: moved, left: moved, since, rest: None };
        if let ControlFlow::Break(reason) = self.report(progress) {
            return (false, Some(Trouble::Stopped(reason)));
        }
        // Nothing is changed that is not written down, unless it is to put things right.
        if let Err(why) =
            self.tell(Event::Try { step: number, back }).and_then(|()| self.keep(step))
            && !back
        {
            return (false, Some(Trouble::Failed(why)));
        }
        let told = self.perform(step, &mut progress);
        let seconds = self.clock.now().seconds_since(progress.since);
        if let Err(Trouble::Late(why)) = &told {
            // What is now is as somebody else wants it.
            self.note(Event::Failed { step: number, why: why.clone() });
            return (false, told.err());
        }
        if self.is_made(step, told.is_ok()) {
            self.note(Event::Made { step: number, back, moved: moved.0, seconds });
            return (true, told.err());
        }
        let told = told.err().unwrap_or_else(|| Trouble::Failed(self.made_of_it(step)));
        let trouble = match self.rescue(step) {
            Ok(()) => told,
            Err(worse) => told.with(&worse),
        };
        self.note(Event::Failed { step: number, why: trouble.words() });
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
        let passed = self.limits.passed(seconds, || self.pressure());
        passed.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// In which percentage of the last 10 seconds all tasks waited for memory.
    fn pressure(&self) -> Option<f64> {
        let now = self.look.parts(&[Part::Psi]);
        Some(now.psi.reading.known()?.get("memory")?.known()?.full.known()?.avg10)
    }

    /// What has to be moved for a step, if all is still as it was before it.
    fn ready(&self, step: &Step) -> Result<Bytes, String> {
        if step.state(self.look)? != State::Before {
            return Err(changed(step));
        }
        if step.taken_off().is_none() {
            return Ok(Bytes(0));
        }
        Ok(step.moves(&self.areas()?))
    }

    /// The machine tells whether a step was made; where it cannot, whoever made it.
    fn is_made(&self, step: &Step, told: bool) -> bool {
        match self.state(step) {
            Some(State::After) => true,
            Some(State::Before) => told && !step.leaves_a_mark(),
            Some(State::Missing | State::Other) => false,
            None => told,
        }
    }

    /// The change itself, with the kernel's answer in words.
    fn perform(&mut self, step: &Step, progress: &mut Progress) -> Result<(), Trouble> {
        match step {
            Step::On { area } => {
                let on = self.sys.swap_on(area);
                on.map_err(|error| Trouble::Failed(not_on(area, error)))
            }
            Step::Off { area } => self.drain(&Work::Off(area.path.clone()), progress),
            Step::Renew { to, .. } => self.drain(&Work::Renew(to.clone()), progress),
            Step::Set { file, to, .. } => {
                let written = self.sys.write(file, to);
                written.map_err(|error| Trouble::Failed(not_set(file, to, error)))
            }
            Step::Save { path, from, to } => {
                let saved = self.sys.save(path, from.as_deref(), to.as_deref());
                saved.map_err(|why| Trouble::Failed(not_saved(path, why)))
            }
            Step::Zram { number, from, to, .. } => {
                let made = self.set_up(*number, from.as_ref(), to.as_ref());
                made.map_err(Trouble::Failed)
            }
            Step::Order { file, word, .. } => {
                self.order(&Work::Order { file: file.clone(), word: word.clone() }, *progress)
            }
            Step::Header { path, size, .. } => {
                let rewrites = step.rewrites();
                let places = rewrites.from.iter().zip(&rewrites.to).collect();
                let written = self.sys.rewrite(&Rewrite { path, size: *size, places });
                written.map_err(|why| Trouble::Failed(not_written(path, why)))
            }
            Step::File { path, to: Some(form), .. } => self.make_file(path, form, *progress),
            Step::File { path, from: Some(form), to: None } => {
                let removed = self.sys.remove_file(path, form);
                removed.map_err(|why| Trouble::Failed(not_written(path, why)))
            }
            Step::File { from: None, to: None, .. } => Ok(()),
        }
    }

    /// Make a file, which takes long where zeros have to be written, and look on.
    fn make_file(
        &mut self,
        path: &Name,
        form: &FileForm,
        mut progress: Progress,
    ) -> Result<(), Trouble> {
        progress.of = form.size;
        let sys = self.sys;
        let mut stopped = None;
        let made = sys.make_file(path, form, &mut |done| {
            progress.left = form.size.saturating_sub(done);
            stopped = self.report(progress).break_value();
            stopped.is_none()
        });
        match (stopped, made) {
            (Some(reason), Err(_)) => Err(Trouble::Stopped(reason)),
            (_, made) => made.map_err(|why| Trouble::Failed(not_made(path, why))),
        }
    }

    /// How the area stands to a step; a second look where the first fails.
    fn state(&self, step: &Step) -> Option<State> {
        let look = self.look;
        step.state(look).or_else(|_| step.state(look)).ok()
    }

    /// What came of a step that was made in vain, though nothing complained.
    fn made_of_it(&self, step: &Step) -> String {
        match step {
            Step::Set { what, file, to, .. } => {
                match seen(self.look.setting(file)).map(|it| chosen(&it)) {
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
            | Step::File { .. } => changed(step),
        }
    }

    /// Put right what a step that failed has left.
    fn rescue(&self, step: &Step) -> Result<(), String> {
        match step {
            Step::Set { file, from, .. } if self.state(step) == Some(State::Other) => {
                self.sys.write(file, from).map_err(|error| not_set(file, from, error))
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
        if state.is_some_and(|state| state != State::Missing) {
            return Ok(());
        }
        match self.sys.swap_on(area) {
            Ok(()) => Ok(()),
            Err(Errno::EBUSY) if state.is_none() => Ok(()),
            Err(error) => {
                let (name, why) = (area.path.safe(), words(&ON, error));
                Err(format!("and {name} IS OFF: swapadm recover tries again ({why})"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
