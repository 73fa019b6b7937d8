//! Sessions of the lab on the command line: shown, confirmed, followed, and told.

mod engine;
mod monitor;
pub(super) mod show;

use super::consent::{self, ToRun};
use super::{Before, Limits, ended, exit_of};
use crate::change;
use crate::change::Ledger;
use crate::cli::args::ChangeArgs;
use crate::cli::commands::results;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::Environment;
use crate::cli::out::{self, Out};
use crate::lab::LabError;
use crate::lab::session::{
    GuardSpec, Lab, Prepared, RunOptions, SessionOutcome, SessionSpec, Storage,
};
use crate::root::Root;
use monitor::Terminal;
use std::time::Duration;

/// A session as it was typed.
pub(super) struct Typed<'a> {
    pub(super) spec: SessionSpec,
    pub(super) change: &'a ChangeArgs,
    /// How long to wait for the lock.
    pub(super) wait: Duration,
    /// Whether the lines of usemem take the place of tables.
    pub(super) usemem_lines: bool,
    /// Whether to show what others have published of an experiment.
    pub(super) published: bool,
}

/// The limits that stop a run and the time to wait for the lock, as they were typed.
pub(super) fn limits(change: &ChangeArgs) -> Result<(GuardSpec, Duration), Failure> {
    super::empties_nothing(change)?;
    if change.persist {
        let why = "--persist: what a run is lent is taken back after it";
        return Err(Failure::Usage(why.to_owned()));
    }
    let Limits { kept, wait } = Limits::of_run(change)?;
    let at_most = kept.timeout.map(|time| time.as_secs_f64());
    Ok((GuardSpec { max_psi: kept.max_psi, at_most, ..GuardSpec::default() }, wait))
}

impl Typed<'_> {
    /// Shows what would be run, and runs it if that is wanted and nothing stands against it.
    pub(super) fn run(&self, root: &Root, environment: &Environment) -> Result<Exit, Failure> {
        let before = Before::of(root);
        let journal = Ledger::of_machine(root, environment.journal.as_deref()).journal;
        let files = environment.user_files();
        let store = environment.store().map_err(|failure| failure.to_string());
        let lab = Lab { root, journal: &journal, files: &files, store: &store };
        let prepared = lab.prepare_on(&self.spec, &before.machine)?;
        self.has_published(&prepared)?;
        let mut out = Out::new();
        if !self.change.json {
            out.lines(show::plan(&prepared, show::listed_width(environment.width)))?;
        }
        match consent::to_run(self.change, environment, &before, &prepared.checks)? {
            ToRun::Yes => {}
            ToRun::Shown(exit) => return ended(exit, self.document(out, &prepared, None)),
            ToRun::No => return Ok(Exit::Refused),
        }
        let mut terminal = Terminal::new(&before.interrupt, environment);
        let options = RunOptions { wait: self.wait, is_exact: !self.change.yes };
        let outcome = lab.run((&self.spec, &prepared.confirmed()), options, &mut terminal);
        terminal.clear();
        let outcome = outcome.map_err(failed)?;
        tell_storage(&outcome);
        ended(exit(&outcome), self.tell(out, &outcome, environment))
    }

    /// Checks that what others have published can be shown, where that is wanted.
    fn has_published(&self, prepared: &Prepared) -> Result<(), Failure> {
        let plan = prepared.session.experiment.as_ref().filter(|_| self.published);
        match plan.filter(|plan| plan.published.is_none()) {
            None => Ok(()),
            Some(plan) => Err(Failure::Usage(format!(
                "--published: {} has no published figures: a file has them in [published], as swapadm experiment show balance prints it",
                plan.name
            ))),
        }
    }

    /// Tells what came of it.
    fn tell(
        &self,
        mut out: Out,
        outcome: &SessionOutcome,
        environment: &Environment,
    ) -> Result<(), Failure> {
        if self.change.json {
            return self.document(out, &outcome.prepared, Some(outcome));
        }
        if let Some(plan) = &outcome.prepared.session.experiment {
            let published = plan.published.as_ref().filter(|_| self.published);
            return out.lines(show::finished(&outcome.experiment, published, environment.width));
        }
        if let Some(run) = outcome.run() {
            if self.usemem_lines {
                out.lines(show::usemem(run))?;
            } else {
                // It prints by itself.
                drop(out);
                results::print(run, environment)?;
            }
        }
        Out::new().lines(show::ended(outcome))
    }

    /// Tells it to programs, if they are to read it.
    fn document(
        &self,
        mut out: Out,
        prepared: &Prepared,
        outcome: Option<&SessionOutcome>,
    ) -> Result<(), Failure> {
        if !self.change.json {
            return Ok(());
        }
        match prepared.session.experiment {
            None => out.json(&show::LoadDocument::of(prepared, outcome), true),
            Some(_) => out.json(&show::ExperimentDocument::of(prepared, outcome), true),
        }
    }
}

/// Says how to wait for somebody else.
fn failed(error: LabError) -> Failure {
    if let LabError::Change(held @ change::Failure::Held(_)) = error {
        return Failure::Busy(format!("{held}; wait for it with --wait 60"));
    }
    error.into()
}

/// Tells of a result that is not stored. That takes nothing from whoever is here to read it.
fn tell_storage(outcome: &SessionOutcome) {
    let is_load = outcome.prepared.session.experiment.is_none();
    match &outcome.storage {
        Storage::Skipped | Storage::Stored(_) => {}
        Storage::Empty => out::remark(show::NOTHING),
        Storage::Failed(why) if is_load => out::complain(why),
        Storage::Failed(why) => out::complain(&format!("not all results are kept: {why}")),
    }
}

/// How the program ends.
fn exit(outcome: &SessionOutcome) -> Exit {
    match outcome.setup_end().map(exit_of) {
        Some(exit) if exit != Exit::Done => exit,
        _ if outcome.is_done() => Exit::Done,
        _ => Exit::Undone,
    }
}
