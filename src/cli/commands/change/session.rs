//! Lab sessions on the command line: shows the plan, asks for consent, follows the run, and prints
//! the outcome.

mod engine;
mod monitor;
pub(super) mod show;

use super::consent;
use super::{CommandContext, TypedLimits, exit_after_output, exit_for, with_wait_hint};
use crate::change::{Ledger, ObservedMachine};
use crate::cli::args::ChangeArgs;
use crate::cli::commands::{listing, results};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{Environment, Invocation};
use crate::cli::out::{self, Out};
use crate::cli::simulated::SimulatedMachine;
use crate::lab::session::{
    self, GuardSpec, LabContext, Prepared, RunOptions, Session, SessionOutcome, SessionSpec,
    Storage,
};
use crate::root::Root;
use monitor::SessionMonitor;
use std::ffi::{OsStr, OsString};
use std::time::Duration;

/// A session as typed.
pub(super) struct TypedSession<'a> {
    pub(super) spec: SessionSpec,
    /// The simulated machines to run on; none for this machine.
    pub(super) on: &'a [OsString],
    pub(super) change: &'a ChangeArgs,
    /// How long to wait for the lock.
    pub(super) wait: Duration,
    /// Whether to print the lines of usemem instead of tables.
    pub(super) usemem_lines: bool,
    /// Whether to print the published figures of an experiment.
    pub(super) published: bool,
}

/// The guard's limits and the time to wait for the lock, as typed.
pub(super) fn parse_limits(change: &ChangeArgs) -> CommandResult<(GuardSpec, Duration)> {
    if change.persist {
        let why = "--persist: a run removes its temporary setup afterwards, so nothing can persist";
        return Err(usage(why));
    }
    let TypedLimits { kept, wait } = TypedLimits::for_run(change)?;
    let at_most = kept.timeout.map(|time| time.as_secs_f64());
    Ok((GuardSpec { max_psi: kept.max_psi, at_most, ..GuardSpec::default() }, wait))
}

impl TypedSession<'_> {
    /// Runs the session on this machine, or on each of the simulated ones.
    pub(super) fn run(&self, invocation: &Invocation) -> CommandResult {
        let mut worst = Exit::Done;
        if self.on.is_empty() {
            return self.run_here(invocation.source.root()?, &invocation.environment);
        }
        if self.change.json && self.on.len() > 1 {
            let why = "--json: each machine has a document of its own: use --on with one machine";
            return Err(CommandError::Usage(why.to_owned()));
        }
        for named in self.on {
            let exit = self.simulate(named, &invocation.environment)?;
            worst = if exit == Exit::Done { worst } else { exit };
        }
        Ok(worst)
    }

    /// Runs the session on a simulated machine. Nothing is changed, so nothing has to be confirmed.
    fn simulate(&self, named: &OsStr, environment: &Environment) -> CommandResult {
        let files = environment.user_files();
        let machine = SimulatedMachine::read(named, &files)?;
        let session = session::prepare_simulated(&self.spec, &machine.setup, &files)?;
        let prepared = Prepared { session, setups: Vec::new(), checks: Vec::new() };
        self.check_published(&prepared.session)?;
        if self.change.dry_run && self.change.json {
            return exit_after_output(Exit::Done, self.print_json(Out::new(), &prepared, None));
        }
        let session = prepared.session;
        if self.change.dry_run {
            let cases = session.cases.iter().map(|case| format!("  {}", case.spec.title));
            let runs = session.cases.len() * session.repetitions as usize;
            let title = format!("{}: {runs} runs", session.title);
            Out::new().lines(std::iter::once(title).chain(cases))?;
            return Ok(Exit::Done);
        }
        let store = environment.store().map_err(|failure| failure.to_string());
        let store = self.spec.is_stored.then_some(&store);
        let interrupt = Interrupt::watch(true);
        let mut terminal = SessionMonitor::new(&interrupt, environment);
        let outcome = session::run_simulated(session, &machine.setup, store, &mut terminal);
        let is_shown = terminal.clear();
        let outcome = outcome?;
        if !is_shown {
            return Ok(exit(&outcome));
        }
        report_storage(&outcome);
        let session = &outcome.prepared.session;
        // Those of an experiment are below its table.
        if !self.change.json && session.experiment.is_none() {
            session.notes.iter().for_each(|note| out::remark(note));
        }
        exit_after_output(exit(&outcome), self.print_outcome(Out::new(), &outcome, environment))
    }

    /// Shows the plan, and runs it if requested, confirmed and possible.
    fn run_here(&self, root: &Root, environment: &Environment) -> CommandResult {
        let before = CommandContext::new(environment, root, ObservedMachine::observe);
        let journal = Ledger::for_machine(root, environment.journal.as_deref()).journal;
        let files = environment.user_files();
        let store = environment.store().map_err(|failure| failure.to_string());
        let lab = LabContext { root, journal: &journal, files: &files, store: &store };
        let prepared = lab.prepare_on(&self.spec, &before.machine)?;
        self.check_published(&prepared.session)?;
        let mut out = Out::new();
        if !self.change.json {
            out.lines(show::plan(&prepared, listing::listed_width(environment.width)))?;
        }
        if let Some(exit) = consent::decide_run(self.change, &before, &prepared.checks)? {
            return exit_after_output(exit, self.print_json(out, &prepared, None));
        }
        let mut terminal = SessionMonitor::new(&before.interrupt, environment);
        let options = RunOptions { wait: self.wait, must_match_confirmed: !self.change.yes };
        let outcome = lab.run((&self.spec, &prepared.confirmed()), options, &mut terminal);
        let is_shown = terminal.clear();
        let outcome = outcome.map_err(with_wait_hint)?;
        if !is_shown {
            return Ok(exit(&outcome));
        }
        report_storage(&outcome);
        exit_after_output(exit(&outcome), self.print_outcome(out, &outcome, environment))
    }

    /// Checks that published figures exist, if they are requested.
    fn check_published(&self, session: &Session) -> CommandResult<()> {
        let plan = session.experiment.as_ref().filter(|_| self.published);
        match plan.filter(|plan| plan.published.is_none()) {
            None => Ok(()),
            Some(plan) => Err(usage(format!(
                "--published: {} has no published figures: add a table [published] to its file; swapadm experiment show balance prints an example",
                plan.name
            ))),
        }
    }

    /// Prints the outcome.
    fn print_outcome(
        &self,
        mut out: Out,
        outcome: &SessionOutcome,
        environment: &Environment,
    ) -> CommandResult<()> {
        if self.change.json {
            return self.print_json(out, &outcome.prepared, Some(outcome));
        }
        if let Some(plan) = &outcome.prepared.session.experiment {
            let published = plan.published.as_ref().filter(|_| self.published);
            return out.lines(show::result_lines(
                &outcome.experiment,
                published,
                environment.width,
            ));
        }
        if let Some(run) = outcome.run() {
            if self.usemem_lines {
                out.lines(show::usemem(run))?;
            } else {
                // `results::print` opens standard output itself.
                drop(out);
                results::print(run, environment)?;
            }
        }
        Out::new().lines(show::ending_lines(outcome))
    }

    /// Prints the JSON document, if requested.
    fn print_json(
        &self,
        mut out: Out,
        prepared: &Prepared,
        outcome: Option<&SessionOutcome>,
    ) -> CommandResult<()> {
        if !self.change.json {
            return Ok(());
        }
        match prepared.session.experiment {
            None => out.json(&show::LoadDocument::new(prepared, outcome), true),
            Some(_) => out.json(&show::ExperimentDocument::new(prepared, outcome), true),
        }
    }
}

/// Reports a result that was not stored, without failing.
fn report_storage(outcome: &SessionOutcome) {
    let is_load = outcome.prepared.session.experiment.is_none();
    match &outcome.storage {
        Storage::Skipped | Storage::Stored(_) => {}
        Storage::Empty => out::remark(show::NOTHING_MEASURED),
        Storage::Failed(why) if is_load => out::complain(why),
        Storage::Failed(why) => out::complain(&format!("not all results could be stored: {why}")),
    }
}

/// The exit status of a session.
fn exit(outcome: &SessionOutcome) -> Exit {
    match outcome.setup_end().map(exit_for) {
        Some(exit) if exit != Exit::Done => exit,
        _ if !outcome.is_done() => Exit::Undone,
        _ if matches!(outcome.storage, Storage::Failed(_)) => Exit::Failed,
        _ => Exit::Done,
    }
}
