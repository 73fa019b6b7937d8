//! Commands that change swap. What is wanted becomes a plan; all of them show it, check it, ask,
//! carry it out and tell what came of it in the same way.

mod bounds;
mod cages;
pub mod consent;
mod dismiss;
mod door;
pub mod experiment;
mod figures;
pub mod file;
pub(super) mod find;
pub mod form;
pub mod format;
pub mod history;
mod next;
pub mod off;
pub mod on;
pub mod priority;
pub mod rebalance;
mod rests;
mod session;
pub mod set;
mod show;
pub mod stress;
pub mod zram;

use crate::actions::check::{self, Check, Verdict};
use crate::actions::estimate::Forecast;
use crate::actions::journal::{self, End};
use crate::actions::limits;
use crate::actions::persist::Goal;
use crate::actions::plan::Plan;
use crate::actions::run::Outcome;
use crate::change::{self, ExecutionContext, Machine, Start, expect};
use crate::cli::args::ChangeArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Environment;
use crate::cli::out::{self, Out};
use crate::clock::Clock;
use crate::model::name::safe_text;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Part, PartSet};
use crate::probes;
use crate::root::Root;
use crate::sys::Lock;
use consent::Consent;
pub use door::Door;
use figures::Figures;
use rests::Rests;
use show::{Looker, Story};
use std::cell::{Cell, OnceCell};
use std::path::PathBuf;
use std::time::Duration;

/// A plan that was made longer ago is checked once more before it is carried out.
const OLD: f64 = 1.0;

/// What a command finds.
#[derive(Debug)]
struct Before<'a> {
    /// First of all: threads and helpers that begin later leave signals to it as well.
    interrupt: Interrupt,
    /// The machine as it is.
    machine: Machine<'a>,
}

impl<'a> Before<'a> {
    fn of(root: &'a Root) -> Self {
        Self { interrupt: Interrupt::guard(), machine: Machine::of(root) }
    }

    /// The same for what only goes on.
    fn going_on(root: &'a Root) -> Self {
        Self { interrupt: Interrupt::guard(), machine: Machine::going_on(root) }
    }

    /// The same for what moves nothing.
    fn at_rest(root: &'a Root) -> Self {
        Self { interrupt: Interrupt::guard(), machine: Machine::at_rest(root) }
    }

    fn root(&self) -> &'a Root {
        self.machine.root
    }

    /// The active areas.
    fn areas(&self) -> Result<&[SwapArea], Failure> {
        Ok(self.machine.areas()?)
    }
}

/// A plan on its way.
#[derive(Debug)]
struct Change<'a> {
    before: &'a Before<'a>,
    plan: Plan,
    /// The plan that it takes back.
    undoes: Option<u64>,
    /// What is to be said of that.
    past: Vec<Check>,
    /// Is there something in it that can be so at every start?
    can_last: bool,
    /// Why it is made.
    story: Option<Story<'a>>,
    /// The zram device whose figures tell what came of it.
    zram: Option<u64>,
    /// What it will cost, as far as that was known before it began.
    forecasts: OnceCell<Vec<Forecast>>,
    /// How it rested while it was carried out.
    rests: Cell<Option<Rests>>,
    args: &'a ChangeArgs,
    environment: &'a Environment,
}

impl<'a> Change<'a> {
    /// A plan that takes no other back.
    fn of(
        before: &'a Before<'a>,
        plan: Plan,
        args: &'a ChangeArgs,
        environment: &'a Environment,
    ) -> Self {
        Self {
            before,
            plan,
            undoes: None,
            past: Vec::new(),
            can_last: false,
            story: None,
            zram: None,
            forecasts: OnceCell::new(),
            rests: Cell::new(None),
            args,
            environment,
        }
    }

    /// With what shall be so at every start, if that is wanted.
    fn lasting(mut self, goals: &[Goal]) -> Result<Self, Failure> {
        self.can_last = true;
        if self.args.persist {
            last(&mut self.plan, &self.before.machine, goals)?;
        }
        Ok(self)
    }

    /// Show the plan, and carry it out if that is wanted and nothing stands against it.
    fn run(&self) -> Result<Exit, Failure> {
        let limits = Limits::of(self.args, self.before.root())?;
        if self.args.persist && !self.can_last {
            let why =
                "--persist: this command changes nothing that a file of the machine could say";
            return Err(Failure::Usage(why.to_owned()));
        }
        let mut out = Out::new();
        if self.plan.steps.is_empty() {
            show::nothing(&mut out, &self.plan, &self.past, self.args.json)?;
            return Ok(Exit::Done);
        }
        let machine = &self.before.machine;
        let mut checks = machine.checks(&self.plan, &self.args.force);
        checks.extend(self.past.iter().cloned());
        if let Err(failure) = self.show(&mut out, &checks)
            && !self.args.yes
        {
            // Nobody reads what is asked.
            return Err(Failure::Busy(format!("nothing was done: {failure}")));
        }
        if check::refuses(&checks) {
            self.tell(&mut out, &checks, None);
            return Ok(Exit::Refused);
        }
        match consent::ask(self.args, self.environment, &self.before.interrupt)? {
            Consent::Given => {}
            Consent::OnlyShown => {
                self.finish(&mut out, &checks, None)?;
                return Ok(Exit::Done);
            }
            Consent::Refused => {
                out::remark("nothing was done");
                return Ok(Exit::Refused);
            }
        }
        let held = lock(self.before, &self.plan.title, limits.wait)?;
        if Clock::Real.now().seconds_since(machine.snapshot.stamp) > OLD {
            checks = machine.checks_again(&self.plan, &self.args.force);
            checks.extend(self.past.iter().cloned());
            if let Some(why) = checks.iter().find(|check| check.verdict == Verdict::Refuse) {
                return Err(Failure::Busy(format!("not any more: {}", why.text)));
            }
        }
        let outcome = self.carry_out(&limits, &held)?;
        self.tell(&mut out, &checks, Some(&outcome));
        Ok(exit_of(outcome.end))
    }

    /// Show the plan to a person.
    fn show(&self, out: &mut Out, checks: &[Check]) -> Result<(), Failure> {
        let forecasts = self.forecasts();
        if self.args.json {
            return Ok(());
        }
        show::findings(out, self.story.map_or(&[], |story| story.findings))?;
        show::plan(out, (&self.plan, forecasts), checks)
    }

    /// What the steps will cost.
    fn forecasts(&self) -> &[Forecast] {
        let foretold = || foretold(&self.before.machine, &self.plan, self.environment);
        self.forecasts.get_or_init(foretold)
    }

    fn carry_out(&self, limits: &Limits, lock: &Lock) -> Result<Outcome, Failure> {
        let root = self.before.root();
        let mut looker = Looker::new(&self.plan, &self.before.interrupt, self.environment);
        let plan = (&self.plan, self.undoes);
        let journal = &place(root, self.environment);
        let context = ExecutionContext { root, lock, journal, limits: limits.kept };
        let outcome = change::carry_out(plan, context, &mut looker);
        looker.clear();
        self.rests.set(looker.rests.ended(Clock::Real.now()));
        Ok(outcome?.beside(self.forecasts()))
    }

    /// Tell what came of it. That nobody reads it changes nothing of that.
    fn tell(&self, out: &mut Out, checks: &[Check], outcome: Option<&Outcome>) {
        match self.finish(out, checks, outcome) {
            Ok(()) | Err(Failure::BrokenPipe) => {}
            Err(failure) => out::complain(&failure.to_string()),
        }
    }

    fn finish(
        &self,
        out: &mut Out,
        checks: &[Check],
        outcome: Option<&Outcome>,
    ) -> Result<(), Failure> {
        let figures = outcome.and_then(|_| Some(self.figures(self.zram?)));
        if self.args.json {
            let mut document = show::document(&self.plan, self.forecasts(), checks, outcome);
            document.story = self.story;
            document.zram = figures;
            document.rests = self.rests.get();
            return out.json(&document, true);
        }
        let Some(outcome) = outcome else { return Ok(()) };
        let areas = probes::swaps::read(self.before.root());
        let areas = areas.known().map_or(&[][..], Vec::as_slice);
        let before = self.before.machine.snapshot.swaps.reading.known();
        let before = before.map_or(&[][..], Vec::as_slice);
        show::outcome(out, &self.plan, outcome, (before, areas))?;
        out.lines(self.rests.get().iter().map(Rests::words))?;
        out.lines(figures.iter().flat_map(Figures::words))
    }

    /// What a zram device held before, and holds now.
    fn figures(&self, number: u64) -> Figures {
        let parts = PartSet::of(&[Part::Zram]);
        let now = probes::zram::read(self.before.root(), parts);
        Figures::of(number, &self.before.machine.snapshot.zram.reading, &now)
    }
}

/// Tell whoever reads JSON why there is no plan, or why nothing came of it.
pub fn told(failure: &Failure) {
    if !matches!(failure, Failure::Output(_) | Failure::BrokenPipe) {
        // Whether it can be read there changes nothing of it.
        let _ = Out::new().json(&show::Failed::of(&failure.to_string()), true);
    }
}

/// How the program ends after work whose end was told, or was not. That nobody reads it changes
/// nothing of what came of it.
fn ended(exit: Exit, told: Result<(), Failure>) -> Result<Exit, Failure> {
    match told {
        Ok(()) | Err(Failure::BrokenPipe) => Ok(exit),
        Err(failure) if exit == Exit::Done => Err(failure),
        Err(failure) => {
            out::complain(&failure.to_string());
            Ok(exit)
        }
    }
}

/// Refuse what is accepted of other commands: none of the checks of this one names a risk.
fn takes_no_risk(args: &ChangeArgs) -> Result<(), Failure> {
    let why = "--force: no check of this command names a risk that could be taken";
    args.force.is_empty().then_some(()).ok_or_else(|| Failure::Usage(why.to_owned()))
}

/// The same of what nothing is moved by.
fn empties_nothing(args: &ChangeArgs) -> Result<(), Failure> {
    let why = "--pace: this command empties no area, and there is nothing to rest from";
    args.pace.is_none().then_some(()).ok_or_else(|| Failure::Usage(why.to_owned()))
}

/// When it gives up.
#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    kept: limits::Limits,
    wait: Duration,
}

impl Limits {
    /// As they were typed, where this kernel can keep them.
    fn of(args: &ChangeArgs, root: &Root) -> Result<Self, Failure> {
        let limits = Self::typed(args)?;
        if let Some(why) = bounds::hindrance(limits.kept, root) {
            let option = if limits.kept.max_psi.is_some() { "max-psi" } else { "pace" };
            return Err(Failure::Usage(format!("--{option} {why}")));
        }
        Ok(limits)
    }

    /// The same for a run of a load, which ends when its time is over.
    fn of_run(args: &ChangeArgs) -> Result<Self, Failure> {
        let limits = Self::typed(args)?;
        if limits.kept.timeout == Some(Duration::ZERO) {
            let typed = safe_text(args.timeout.as_deref().unwrap_or_default());
            return Err(Failure::Usage(format!(
                "--timeout \"{typed}\": a run needs some time: use more than 0, such as 90, 500ms or 5m"
            )));
        }
        Ok(limits)
    }

    fn typed(args: &ChangeArgs) -> Result<Self, Failure> {
        let wrong = |option: &str, why: String| Failure::Usage(format!("--{option} {why}"));
        let time = |option: &str, text: &Option<String>| {
            let time = text.as_deref().map(limits::Limits::time).transpose();
            time.map_err(|why| wrong(option, why))
        };
        let max_psi = args.max_psi.as_deref().map(limits::Limits::waits).transpose();
        let max_psi = max_psi.map_err(|why| wrong("max-psi", why))?;
        let pace = args.pace.as_deref().map(limits::Limits::paced).transpose();
        let pace = pace.map_err(|why| wrong("pace", why))?;
        let kept = limits::Limits { timeout: time("timeout", &args.timeout)?, max_psi, pace };
        kept.agree().map_err(|why| Failure::Usage(format!("--pace and --max-psi: {why}")))?;
        Ok(Self { kept, wait: time("wait", &args.wait)?.unwrap_or_default() })
    }
}

/// How often it is asked whether the lock is free.
const ASK: Duration = Duration::from_millis(100);

/// Take the lock; wait this long for somebody else to give it back.
fn lock(before: &Before<'_>, title: &str, wait: Duration) -> Result<Lock, Failure> {
    let begun = Clock::Real.now();
    loop {
        let who = match change::lock(before.root(), title) {
            Err(change::Failure::Held(who)) => who,
            other => return Ok(other?),
        };
        if Clock::Real.now().seconds_since(begun) >= wait.as_secs_f64() {
            return Err(Failure::Busy(format!(
                "{}; wait for it with --wait 60",
                change::Failure::Held(who)
            )));
        }
        if before.interrupt.within(ASK) {
            return Err(Failure::Busy(format!("interrupted while waiting for {who}")));
        }
    }
}

/// What the steps of a plan will cost: earlier moves tell how long these take. What cannot be read
/// tells of nothing.
fn foretold(machine: &Machine<'_>, plan: &Plan, environment: &Environment) -> Vec<Forecast> {
    let areas = machine.snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let moves = plan.steps.iter().any(|step| step.moves(areas) > Bytes(0));
    let read = || journal::read(&place(machine.root, environment)).unwrap_or_default();
    let records = if moves { read() } else { Vec::new() };
    expect::forecasts(machine, plan, &records)
}

/// Have a plan also write what makes these last.
fn last(plan: &mut Plan, machine: &Machine<'_>, goals: &[Goal]) -> Result<(), Failure> {
    let steps = Start::of(machine).steps(machine, goals).map_err(Failure::Busy)?;
    if !steps.is_empty() {
        plan.title.push_str(", also at every start");
    }
    plan.steps.extend(steps);
    Ok(())
}

/// Where the journal is.
fn place(root: &Root, environment: &Environment) -> PathBuf {
    environment.journal.clone().unwrap_or_else(|| root.journal_file())
}

fn exit_of(end: End) -> Exit {
    match end {
        End::Done | End::Recovered | End::Returned | End::Dismissed => Exit::Done,
        End::Undone => Exit::Undone,
        End::Partial => Exit::Partial,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn what_came_of_it_is_the_end_also_where_nobody_reads() {
        let closed = || Err(Failure::BrokenPipe);
        let full = || Err(Failure::Output(io::Error::from_raw_os_error(28)));
        for exit in Exit::ALL.map(|(exit, _)| exit) {
            assert_eq!(ended(exit, Ok(())).unwrap(), exit);
            assert_eq!(ended(exit, closed()).unwrap(), exit);
        }
        assert_eq!(ended(Exit::Undone, full()).unwrap(), Exit::Undone);
        assert_eq!(ended(Exit::Done, full()).unwrap_err().exit(), Exit::Failed);
    }
}
