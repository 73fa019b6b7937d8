//! Commands that change swap. Each turns its arguments into an intent; the plan is then shown, checked,
//! confirmed, carried out and reported in the same way for all.

pub mod areas;
pub mod consent;
mod engine;
pub mod experiment;
mod figures;
mod file;
pub(super) mod find;
pub mod history;
pub mod intents;
mod next_area;
pub mod rebalance;
mod session;
pub mod setup;
mod show;
pub mod state;
pub mod stress;
mod zram;

use crate::actions::journal::{JournalStore, PlanEnd};
use crate::actions::limits;
use crate::actions::run::ChangeOutcome;
use crate::change::{
    self, ChangeError, ChangeTarget, ExecutionContext, ExecutionOptions, IfChanged, Intent, Ledger,
    ObservedMachine, Proposal,
};
use crate::cli::args::ChangeArgs;
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Environment;
use crate::cli::out::{self, Out};
use crate::clock::Clock;
use crate::model::kernel::Access;
use crate::model::name::safe_text;
use crate::model::part_set;
use crate::probes;
use crate::root::Root;
use crate::sys::{Lock, process};
use consent::Consent;
pub use engine::{MachineEngine, run_simulated};
use figures::{ChangeCost, Rests, ZramFigures};
use serde::Serialize;
use show::PlanMonitor;
use std::cell::Cell;
use std::time::Duration;

/// The machine and the signal handling of a command.
#[derive(Debug)]
struct CommandContext<'a> {
    /// Must come first: threads and helpers started later inherit the blocked signals.
    interrupt: Interrupt,
    environment: &'a Environment,
    /// The machine before the change.
    machine: ObservedMachine<'a>,
}

impl<'a> CommandContext<'a> {
    /// The context of a command, which reads of the machine what `observe` does.
    fn new<T: Into<ChangeTarget<'a>>>(
        environment: &'a Environment,
        target: T,
        observe: fn(T) -> ObservedMachine<'a>,
    ) -> Self {
        Self { interrupt: Interrupt::guard(), environment, machine: observe(target) }
    }

    fn root(&self) -> &'a Root {
        self.machine.root
    }

    /// The journal of the machine, or of the session on a simulated one.
    fn journal(&self) -> JournalStore {
        match self.machine.target {
            ChangeTarget::Files(root) => ledger(root, self.environment).journal,
            ChangeTarget::Simulated(machine) => machine.journal.clone(),
        }
    }
}

/// Proposes a plan for an intent, with the options that were typed.
fn propose(
    before: &CommandContext<'_>,
    intent: Intent,
    args: &ChangeArgs,
) -> CommandResult<Proposal> {
    let proposal = propose_now(before, intent, args)?;
    if proposal.plan.steps.is_empty() && !args.dry_run {
        return propose_when_settled(before, proposal, args);
    }
    Ok(proposal)
}

/// Proposes a plan for the machine as it is now, for a caller that holds the lock too.
fn propose_now(
    before: &CommandContext<'_>,
    intent: Intent,
    args: &ChangeArgs,
) -> CommandResult<Proposal> {
    let options = options(before, args)?;
    Ok(change::propose(&before.machine, &before.journal(), intent, options)?)
}

/// The proposal, if no other swapadm is making a change. Otherwise there may be something to do after that
/// change, so it is awaited.
fn propose_when_settled(
    before: &CommandContext<'_>,
    proposal: Proposal,
    args: &ChangeArgs,
) -> CommandResult<Proposal> {
    let ChangeTarget::Files(root) = before.machine.target else { return Ok(proposal) };
    let ledger = ledger(root, before.environment);
    if !root.is_live() || !ledger.is_held(root) {
        return Ok(proposal);
    }
    let held = lock(before, &ledger, &proposal.plan.title, TypedLimits::parse(args)?.wait)?;
    let (target, limits) = (before.machine.target, proposal.options.limits);
    let context = ExecutionContext { target, lock: Some(&held), journal: &ledger.journal, limits };
    Ok(change::plan_again(context, &proposal, IfChanged::PlanAnew)?)
}

/// The execution options that were typed.
fn options(before: &CommandContext<'_>, args: &ChangeArgs) -> CommandResult<ExecutionOptions> {
    let limits = TypedLimits::from_args(args, before.root())?.kept;
    Ok(ExecutionOptions { accepted_risks: args.force.clone(), persist: args.persist, limits })
}

/// Shows the plan for an intent, and carries it out if it is confirmed and no check refuses it.
fn carry_out(before: &CommandContext<'_>, intent: Intent, args: &ChangeArgs) -> CommandResult {
    carry_out_proposal(before, &propose(before, intent, args)?, args)
}

/// Shows a proposal, and carries it out if it is confirmed and no check refuses it.
fn carry_out_proposal(
    before: &CommandContext<'_>,
    proposal: &Proposal,
    args: &ChangeArgs,
) -> CommandResult {
    let mut out = Out::new();
    if proposal.plan.steps.is_empty() {
        show::print_nothing_to_do(&mut out, proposal, args.json)?;
        return Ok(Exit::Done);
    }
    let change = CommandChange { before, args, rests: Cell::new(None), cost: Cell::new(None) };
    if let Err(failure) = change.show(&mut out, proposal)
        && !args.yes
    {
        // The plan could not be shown, so it cannot be confirmed.
        return Err(CommandError::Busy(format!("nothing was done: {failure}")));
    }
    if proposal.refusal().is_some() {
        change.tell(&mut out, proposal, None);
        return Ok(Exit::Refused);
    }
    let is_changeable = match before.machine.target {
        ChangeTarget::Files(root) => root.is_live(),
        ChangeTarget::Simulated(_) => true,
    };
    if !is_changeable && !args.dry_run {
        return Err(ChangeError::Captured.into());
    }
    match consent::ask(args, before)? {
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

/// A change with the options of its command.
#[derive(Debug)]
struct CommandChange<'a> {
    before: &'a CommandContext<'a>,
    args: &'a ChangeArgs,
    /// The pauses of swapoff.
    rests: Cell<Option<Rests>>,
    /// The time of the change.
    cost: Cell<Option<ChangeCost>>,
}

impl CommandChange<'_> {
    /// Prints the plan, unless JSON was requested.
    fn show(&self, out: &mut Out, proposal: &Proposal) -> CommandResult<()> {
        if self.args.json {
            return Ok(());
        }
        show::print_findings(out, &proposal.findings)?;
        show::print_plan(out, proposal)
    }

    /// Takes the lock, and carries out what was confirmed. With `--yes` the plan is made again if the
    /// machine has changed, as after waiting for another swapadm.
    fn carry_out_confirmed(&self, out: &mut Out, proposal: &Proposal) -> CommandResult {
        let wait = TypedLimits::parse(self.args)?.wait;
        let held = match self.before.machine.target {
            ChangeTarget::Files(root) => {
                let ledger = ledger(root, self.before.environment);
                Some(lock(self.before, &ledger, &proposal.plan.title, wait)?)
            }
            ChangeTarget::Simulated(_) => None,
        };
        let journal = self.before.journal();
        let context = self.context(held.as_ref(), &journal, proposal);
        let if_changed = if self.args.yes { IfChanged::PlanAnew } else { IfChanged::Refuse };
        let again = change::plan_again(context, proposal, if_changed)?;
        if again.plan.steps.is_empty() {
            show::print_nothing_to_do(out, &again, self.args.json)?;
            return Ok(Exit::Done);
        }
        if !again.plan.is_like(&proposal.plan) {
            out::remark("Swap changed since the plan was made. The new plan:");
            // The plan is carried out even if it cannot be printed.
            let _ = self.show(out, &again);
        }
        let outcome = self.perform(held, &journal, &again)?;
        self.tell(out, &again, Some(&outcome));
        Ok(exit_for(outcome.end))
    }

    fn context<'c>(
        &'c self,
        lock: Option<&'c Lock>,
        journal: &'c JournalStore,
        proposal: &Proposal,
    ) -> ExecutionContext<'c> {
        let limits = proposal.options.limits;
        ExecutionContext { target: self.before.machine.target, lock, journal, limits }
    }

    /// Carries out a plan that was made under the lock, with a progress line, and releases the lock.
    fn perform(
        &self,
        lock: Option<Lock>,
        journal: &JournalStore,
        proposal: &Proposal,
    ) -> CommandResult<ChangeOutcome> {
        let mut looker =
            PlanMonitor::new(&proposal.plan, &self.before.interrupt, self.before.environment);
        let (start, cpu) = (Clock::Real.monotonic(), process::children_cpu());
        let context = self.context(lock.as_ref(), journal, proposal);
        let outcome = change::execute_replanned(context, proposal, &mut looker);
        let end = Clock::Real.monotonic();
        self.cost.set(Some(ChangeCost::since(start, end, cpu)));
        self.rests.set(looker.rests.finish(end));
        // A terminal that takes no output must not keep others from changing swap.
        drop(lock);
        looker.clear();
        Ok(outcome?)
    }

    /// Prints the outcome, unless a signal ends the wait for a terminal that takes no output. A closed
    /// output does not change the outcome.
    fn tell(&self, out: &mut Out, proposal: &Proposal, outcome: Option<&ChangeOutcome>) {
        if !self.before.interrupt.wait_for_output() {
            return;
        }
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
    ) -> CommandResult<()> {
        let mut figures = outcome.map_or_else(Vec::new, |_| self.figures(&proposal.zram));
        let cost = self.cost.get().filter(|_| !figures.is_empty());
        if self.args.json {
            let mut document = show::proposal_document(proposal, outcome);
            document.zram = if figures.len() == 1 { figures.pop() } else { None };
            document.zram_devices = figures;
            document.rests = self.rests.get();
            document.cost = cost;
            return out.json(&document, true);
        }
        let Some(outcome) = outcome else { return Ok(()) };
        let areas = self.before.machine.target.view().areas();
        let areas = areas.known_items();
        let before = self.before.machine.snapshot.swaps.reading.known();
        let before = before.map_or(&[][..], Vec::as_slice);
        show::print_outcome(out, proposal, outcome, before, areas)?;
        out.lines(self.rests.get().iter().map(Rests::words))?;
        let figures = figures.iter().flat_map(ZramFigures::words);
        out.lines(figures.chain(cost.map(|cost| cost.words())))
    }

    /// The figures of zram devices before and after the change.
    fn figures(&self, numbers: &[u64]) -> Vec<ZramFigures> {
        if numbers.is_empty() {
            return Vec::new();
        }
        let parts = part_set![Zram];
        let now = probes::zram::read(self.before.root(), parts);
        let before = &self.before.machine.snapshot.zram.reading;
        numbers.iter().map(|number| ZramFigures::for_device(*number, before, &now)).collect()
    }
}

/// Prints a failure as JSON. Documents of the lab have a version of their own.
pub fn print_failure_json(failure: &CommandError, is_of_lab: bool) {
    let schema = if is_of_lab { session::show::SCHEMA } else { show::SCHEMA };
    print_failed(&show::FailedDocument { schema, error: &failure.to_string() }, failure);
}

/// Prints the document of a failed command, unless printing is what failed.
fn print_failed(document: &impl Serialize, failure: &CommandError) {
    if !matches!(failure, CommandError::Output(_) | CommandError::BrokenPipe) {
        // The failure is returned anyway, also if it cannot be printed.
        let _ = Out::new().json(document, true);
    }
}

/// The exit status of finished work, whether or not its outcome could be printed. Only for successful
/// work is a failed output an error.
fn exit_after_output(exit: Exit, told: CommandResult<()>) -> CommandResult {
    match told {
        Ok(()) | Err(CommandError::BrokenPipe) => Ok(exit),
        Err(failure) if exit == Exit::Done => Err(failure),
        Err(failure) => {
            out::complain(&failure.to_string());
            Ok(exit)
        }
    }
}

/// The limits of a change, and the time to wait for the lock.
#[derive(Clone, Copy, Debug, Default)]
struct TypedLimits {
    kept: limits::ChangeLimits,
    wait: Duration,
}

impl TypedLimits {
    /// The limits that were typed; an error if this kernel does not support them.
    fn from_args(args: &ChangeArgs, root: &Root) -> CommandResult<Self> {
        let limits = Self::parse(args)?;
        if let Some(why) = change::propose::why_limits_unsupported(limits.kept, root) {
            let option = if limits.kept.max_psi.is_some() { "max-psi" } else { "pace" };
            return Err(usage(format!("--{option} {why}")));
        }
        Ok(limits)
    }

    /// The limits of a stress run, whose timeout must be above 0.
    fn for_run(args: &ChangeArgs) -> CommandResult<Self> {
        let limits = Self::parse(args)?;
        if limits.kept.timeout == Some(Duration::ZERO) {
            let typed = safe_text(args.timeout.as_deref().unwrap_or_default());
            return Err(usage(format!(
                "--timeout \"{typed}\": a run needs a time above 0, such as 90, 500ms or 5m"
            )));
        }
        Ok(limits)
    }

    fn parse(args: &ChangeArgs) -> CommandResult<Self> {
        let wrong = |option: &str, why: String| usage(format!("--{option} {why}"));
        let time = |option: &str, text: &Option<String>| {
            let time = text.as_deref().map(limits::ChangeLimits::parse_time).transpose();
            time.map_err(|why| wrong(option, why))
        };
        let max_psi = args.max_psi.as_deref().map(limits::ChangeLimits::parse_max_psi).transpose();
        let max_psi = max_psi.map_err(|why| wrong("max-psi", why))?;
        let pace = args.pace.as_deref().map(limits::ChangeLimits::parse_pace).transpose();
        let pace = pace.map_err(|why| wrong("pace", why))?;
        let timeout = time("timeout", &args.timeout)?;
        let kept = limits::ChangeLimits { timeout, max_psi, pace, ..Default::default() };
        kept.check().map_err(|why| usage(format!("--pace and --max-psi: {why}")))?;
        Ok(Self { kept, wait: time("wait", &args.wait)?.unwrap_or_default() })
    }
}

/// The interval at which the lock is tried.
const LOCK_POLL: Duration = Duration::from_millis(100);

/// Takes the lock; waits this long for another swapadm to release it.
fn lock(
    before: &CommandContext<'_>,
    ledger: &Ledger,
    title: &str,
    wait: Duration,
) -> CommandResult<Lock> {
    if !ledger.is_private
        && probes::access::rights(before.root()).known().is_some_and(Access::is_unprivileged_user)
    {
        let why = "the directory of your own journal is not known: set HOME or XDG_STATE_HOME";
        return Err(CommandError::Refused(why.to_owned()));
    }
    let pause = || before.interrupt.ends_within(LOCK_POLL);
    ledger.lock_within((before.root(), title), wait, pause).map_err(with_wait_hint)
}

/// Adds a hint how to wait for the lock.
fn with_wait_hint(error: ChangeError) -> CommandError {
    if let held @ ChangeError::Held(_) = error {
        return CommandError::Busy(format!("{held}; use --wait 60 to wait for it"));
    }
    error.into()
}

/// The ledger of the user who runs the command.
pub(super) fn ledger(root: &Root, environment: &Environment) -> Ledger {
    Ledger::choose(root, environment.journal.as_deref(), environment.state.as_deref())
}

fn exit_for(end: PlanEnd) -> Exit {
    match end {
        PlanEnd::Done | PlanEnd::Recovered | PlanEnd::Restored | PlanEnd::Dismissed => Exit::Done,
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
