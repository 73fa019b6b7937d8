//! Commands that change swap. What is wanted becomes a plan; all of them show it, check it, ask,
//! carry it out and tell what came of it in the same way.

pub mod areas;
pub mod consent;
mod engine;
pub mod experiment;
mod figures;
pub mod file;
pub(super) mod find;
pub mod schemas;
pub mod history;
mod next_area;
pub mod rebalance;
mod session;
pub mod set;
mod show;
pub mod stress;
pub mod zram;

use crate::actions::journal::PlanEnd;
use crate::actions::limits;
use crate::actions::run::ChangeOutcome;
use crate::change::{
    self, ExecutionContext, ExecutionOptions, IfChanged, Intent, Ledger, ObservedMachine, Proposal,
};
use crate::cli::args::ChangeArgs;
use crate::cli::exit::{Exit, CommandError};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Environment;
use crate::cli::out::{self, Out};
use crate::clock::Clock;
use crate::model::kernel::Access;
use crate::model::name::safe_text;
use crate::model::swaparea::SwapArea;
use crate::model::{Part, PartSet};
use crate::probes;
use crate::root::Root;
use crate::sys::Lock;
use consent::Consent;
pub use engine::MachineEngine;
use figures::{ZramFigures, Rests};
use show::PlanMonitor;
use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

/// What a command finds.
#[derive(Debug)]
struct CommandContext<'a> {
    /// First of all: threads and helpers that begin later leave signals to it as well.
    interrupt: Interrupt,
    /// The machine as it is.
    machine: ObservedMachine<'a>,
}

impl<'a> CommandContext<'a> {
    fn new(root: &'a Root) -> Self {
        Self { interrupt: Interrupt::guard(), machine: ObservedMachine::observe(root) }
    }

    /// The same for what only goes on.
    fn for_enabling(root: &'a Root) -> Self {
        Self { interrupt: Interrupt::guard(), machine: ObservedMachine::observe_for_enable(root) }
    }

    /// The same for what moves nothing.
    fn for_settings(root: &'a Root) -> Self {
        Self { interrupt: Interrupt::guard(), machine: ObservedMachine::observe_for_settings(root) }
    }

    /// Reads our rights only, and nothing else of the machine.
    fn rights_only(root: &'a Root) -> Self {
        Self { interrupt: Interrupt::guard(), machine: ObservedMachine::observe_parts(root, PartSet::NONE) }
    }

    fn root(&self) -> &'a Root {
        self.machine.root
    }

    /// The active areas.
    fn areas(&self) -> Result<&[SwapArea], CommandError> {
        Ok(self.machine.areas()?)
    }
}

/// Propose a plan for an intent, carried out as the arguments of a command say.
fn propose(
    before: &CommandContext<'_>,
    intent: Intent,
    args: &ChangeArgs,
    environment: &Environment,
) -> Result<Proposal, CommandError> {
    let options = options(before, args)?;
    let journal = ledger(before.root(), environment).journal;
    Ok(change::propose(&before.machine, &journal, intent, options)?)
}

/// How a change is carried out, as the arguments of a command say.
fn options(before: &CommandContext<'_>, args: &ChangeArgs) -> Result<ExecutionOptions, CommandError> {
    let limits = TypedLimits::from_args(args, before.root())?.kept;
    Ok(ExecutionOptions { taken: args.force.clone(), persist: args.persist, limits })
}

/// Show what would be done for an intent, and do it if that is wanted and nothing stands against it.
fn carry_out(
    before: &CommandContext<'_>,
    intent: Intent,
    args: &ChangeArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    carry_out_proposal(before, &propose(before, intent, args, environment)?, args, environment)
}

/// Show a proposal, and carry it out if that is wanted and nothing stands against it.
fn carry_out_proposal(
    before: &CommandContext<'_>,
    proposal: &Proposal,
    args: &ChangeArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let mut out = Out::new();
    if proposal.plan.steps.is_empty() {
        show::print_nothing_to_do(&mut out, &proposal.plan, &proposal.notes, args.json)?;
        return Ok(Exit::Done);
    }
    let change = CommandChange { before, args, environment, rests: Cell::new(None) };
    if let Err(failure) = change.show(&mut out, proposal)
        && !args.yes
    {
        // Nobody reads what is asked.
        return Err(CommandError::Busy(format!("nothing was done: {failure}")));
    }
    if proposal.refusal().is_some() {
        change.tell(&mut out, proposal, None);
        return Ok(Exit::Refused);
    }
    match consent::ask(args, environment, &before.interrupt)? {
        Consent::Given => change.carry_out_confirmed(&mut out, proposal),
        Consent::OnlyShown => {
            change.finish(&mut out, proposal, None)?;
            Ok(Exit::Done)
        }
        Consent::Refused => {
            out::remark("nothing was done");
            Ok(Exit::Refused)
        }
    }
}

/// A change on its way, as a command was told to make it.
#[derive(Debug)]
struct CommandChange<'a> {
    before: &'a CommandContext<'a>,
    args: &'a ChangeArgs,
    environment: &'a Environment,
    /// How it rested while it was carried out.
    rests: Cell<Option<Rests>>,
}

impl CommandChange<'_> {
    /// Show the plan to a person.
    fn show(&self, out: &mut Out, proposal: &Proposal) -> Result<(), CommandError> {
        if self.args.json {
            return Ok(());
        }
        show::print_findings(out, &proposal.findings)?;
        show::print_plan(out, proposal)
    }

    /// Take the lock, and do what was confirmed. Who said so without a look at the plan gets what is
    /// wanted on the machine as it is then, also after it was waited for another change.
    fn carry_out_confirmed(&self, out: &mut Out, proposal: &Proposal) -> Result<Exit, CommandError> {
        let wait = TypedLimits::parse(self.args)?.wait;
        let ledger = ledger(self.before.root(), self.environment);
        let held = lock(self.before, &ledger, &proposal.plan.title, wait)?;
        let context = self.context(&held, &ledger.journal, proposal);
        let if_changed = if self.args.yes { IfChanged::PlanAnew } else { IfChanged::Refuse };
        let again = change::plan_again(context, proposal, if_changed)?;
        if again.plan.steps.is_empty() {
            show::print_nothing_to_do(out, &again.plan, &again.notes, self.args.json)?;
            return Ok(Exit::Done);
        }
        if !again.plan.is_like(&proposal.plan) {
            out::remark("swap was changed since the plan was made: this is the plan now");
            // It is carried out whether or not anybody reads it.
            let _ = self.show(out, &again);
        }
        let outcome = self.perform(context, &again)?;
        self.tell(out, &again, Some(&outcome));
        Ok(exit_for(outcome.end))
    }

    fn context<'c>(
        &'c self,
        lock: &'c Lock,
        journal: &'c Path,
        proposal: &Proposal,
    ) -> ExecutionContext<'c> {
        let limits = proposal.options.limits;
        ExecutionContext { root: self.before.root(), lock, journal, limits }
    }

    /// Carry out a plan that was made under the lock, with a line that says how far it is.
    fn perform(
        &self,
        context: ExecutionContext<'_>,
        proposal: &Proposal,
    ) -> Result<ChangeOutcome, CommandError> {
        let mut looker = PlanMonitor::new(&proposal.plan, &self.before.interrupt, self.environment);
        let outcome = change::perform(context, proposal, &mut looker);
        looker.clear();
        self.rests.set(looker.rests.finish(Clock::Real.now()));
        Ok(outcome?)
    }

    /// Tell what came of it. That nobody reads it changes nothing of that.
    fn tell(&self, out: &mut Out, proposal: &Proposal, outcome: Option<&ChangeOutcome>) {
        match self.finish(out, proposal, outcome) {
            Ok(()) | Err(CommandError::BrokenPipe) => {}
            Err(failure) => out::complain(&failure.to_string()),
        }
    }

    fn finish(
        &self,
        out: &mut Out,
        proposal: &Proposal,
        outcome: Option<&ChangeOutcome>,
    ) -> Result<(), CommandError> {
        let figures = outcome.and_then(|_| Some(self.figures(proposal.zram?)));
        if self.args.json {
            let mut document = show::proposal_document(proposal, outcome);
            document.zram = figures;
            document.rests = self.rests.get();
            return out.json(&document, true);
        }
        let Some(outcome) = outcome else { return Ok(()) };
        let areas = probes::swaps::read(self.before.root());
        let areas = areas.known().map_or(&[][..], Vec::as_slice);
        let before = self.before.machine.snapshot.swaps.reading.known();
        let before = before.map_or(&[][..], Vec::as_slice);
        show::print_outcome(out, &proposal.plan, outcome, before, areas)?;
        out.lines(self.rests.get().iter().map(Rests::words))?;
        out.lines(figures.iter().flat_map(ZramFigures::words))
    }

    /// What a zram device held before, and holds now.
    fn figures(&self, number: u64) -> ZramFigures {
        let parts = PartSet::from_parts(&[Part::Zram]);
        let now = probes::zram::read(self.before.root(), parts);
        ZramFigures::for_device(number, &self.before.machine.snapshot.zram.reading, &now)
    }
}

/// Tell whoever reads JSON why there is no plan, or why nothing came of it.
pub fn print_failure_json(failure: &CommandError) {
    if !matches!(failure, CommandError::Output(_) | CommandError::BrokenPipe) {
        // Whether it can be read there changes nothing of it.
        let _ = Out::new().json(&show::FailedDocument::new(&failure.to_string()), true);
    }
}

/// How the program ends after work whose end was told, or was not. That nobody reads it changes
/// nothing of what came of it.
fn exit_after_output(exit: Exit, told: Result<(), CommandError>) -> Result<Exit, CommandError> {
    match told {
        Ok(()) | Err(CommandError::BrokenPipe) => Ok(exit),
        Err(failure) if exit == Exit::Done => Err(failure),
        Err(failure) => {
            out::complain(&failure.to_string());
            Ok(exit)
        }
    }
}

/// Refuse what is accepted of other commands: none of the checks of this one names a risk.
fn refuse_force(args: &ChangeArgs) -> Result<(), CommandError> {
    let why = "--force: no check of this command names a risk that could be taken";
    args.force.is_empty().then_some(()).ok_or_else(|| CommandError::Usage(why.to_owned()))
}

/// The same of what nothing is moved by.
fn refuse_pace(args: &ChangeArgs) -> Result<(), CommandError> {
    let why = "--pace: this command empties no area, and there is nothing to rest from";
    args.pace.is_none().then_some(()).ok_or_else(|| CommandError::Usage(why.to_owned()))
}

/// When it gives up.
#[derive(Clone, Copy, Debug, Default)]
struct TypedLimits {
    kept: limits::ChangeLimits,
    wait: Duration,
}

impl TypedLimits {
    /// As they were typed, where this kernel can keep them.
    fn from_args(args: &ChangeArgs, root: &Root) -> Result<Self, CommandError> {
        let limits = Self::parse(args)?;
        if let Some(why) = change::propose::hindrance(limits.kept, root) {
            let option = if limits.kept.max_psi.is_some() { "max-psi" } else { "pace" };
            return Err(CommandError::Usage(format!("--{option} {why}")));
        }
        Ok(limits)
    }

    /// The same for a run of a load, which ends when its time is over.
    fn for_run(args: &ChangeArgs) -> Result<Self, CommandError> {
        let limits = Self::parse(args)?;
        if limits.kept.timeout == Some(Duration::ZERO) {
            let typed = safe_text(args.timeout.as_deref().unwrap_or_default());
            return Err(CommandError::Usage(format!(
                "--timeout \"{typed}\": a run needs some time: use more than 0, such as 90, 500ms or 5m"
            )));
        }
        Ok(limits)
    }

    fn parse(args: &ChangeArgs) -> Result<Self, CommandError> {
        let wrong = |option: &str, why: String| CommandError::Usage(format!("--{option} {why}"));
        let time = |option: &str, text: &Option<String>| {
            let time = text.as_deref().map(limits::ChangeLimits::parse_time).transpose();
            time.map_err(|why| wrong(option, why))
        };
        let max_psi = args.max_psi.as_deref().map(limits::ChangeLimits::parse_max_psi).transpose();
        let max_psi = max_psi.map_err(|why| wrong("max-psi", why))?;
        let pace = args.pace.as_deref().map(limits::ChangeLimits::parse_pace).transpose();
        let pace = pace.map_err(|why| wrong("pace", why))?;
        let kept = limits::ChangeLimits { timeout: time("timeout", &args.timeout)?, max_psi, pace };
        kept.check().map_err(|why| CommandError::Usage(format!("--pace and --max-psi: {why}")))?;
        Ok(Self { kept, wait: time("wait", &args.wait)?.unwrap_or_default() })
    }
}

/// How often it is asked whether the lock is free.
const LOCK_POLL: Duration = Duration::from_millis(100);

/// Take the lock; wait this long for somebody else to give it back.
fn lock(
    before: &CommandContext<'_>,
    ledger: &Ledger,
    title: &str,
    wait: Duration,
) -> Result<Lock, CommandError> {
    if !ledger.is_private
        && probes::access::rights(before.root()).known().is_some_and(Access::is_unprivileged_user)
    {
        let why = "there is no folder for your own journal: set HOME or XDG_STATE_HOME";
        return Err(CommandError::Refused(why.to_owned()));
    }
    let begun = Clock::Real.now();
    loop {
        let who = match ledger.lock(before.root(), title) {
            Err(change::ChangeError::Held(who)) => who,
            other => return Ok(other?),
        };
        if Clock::Real.now().seconds_since(begun) >= wait.as_secs_f64() {
            return Err(CommandError::Busy(format!(
                "{}; wait for it with --wait 60",
                change::ChangeError::Held(who)
            )));
        }
        if before.interrupt.wait(LOCK_POLL) {
            return Err(CommandError::Busy(format!("interrupted while waiting for {who}")));
        }
    }
}

/// The ledger of whoever runs the command.
fn ledger(root: &Root, environment: &Environment) -> Ledger {
    Ledger::choose(root, environment.journal.as_deref(), environment.state.as_deref())
}

fn exit_for(end: PlanEnd) -> Exit {
    match end {
        PlanEnd::Done | PlanEnd::Recovered | PlanEnd::Returned | PlanEnd::Dismissed => Exit::Done,
        PlanEnd::Undone => Exit::Undone,
        PlanEnd::Partial => Exit::Partial,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn exit_status_survives_closed_output() {
        let closed = || Err(CommandError::BrokenPipe);
        let full = || Err(CommandError::Output(io::Error::from_raw_os_error(28)));
        for exit in Exit::ALL.map(|(exit, _)| exit) {
            assert_eq!(exit_after_output(exit, Ok(())).unwrap(), exit);
            assert_eq!(exit_after_output(exit, closed()).unwrap(), exit);
        }
        assert_eq!(exit_after_output(Exit::Undone, full()).unwrap(), Exit::Undone);
        assert_eq!(exit_after_output(Exit::Done, full()).unwrap_err().exit(), Exit::Failed);
    }
}
