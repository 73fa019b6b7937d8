//! `swapadm stress`: loads in a cage, and what the kernel does with them.

pub(super) mod door;
mod onlooker;
pub(super) mod show;
pub(super) mod unusual;
pub(super) mod wishes;

use super::{Before, Limits, consent, ended, exit_of, lock, place};
use crate::actions::check::{self, Check, Verdict};
use crate::actions::plan::Plan;
use crate::change::{self, Machine};
use crate::cli::args::stress::{RunArgs, StressCommand};
use crate::cli::commands::results;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::{self, Out};
use crate::lab::fits;
use crate::lab::library::UserFiles;
use crate::lab::load::keys::KEYS;
use crate::lab::run_spec::RunSpec;
use crate::lab::run_with_setup::{RunContext, RunOutcome, run_with_setup};
use crate::root::Root;
use crate::sys::Lock;
use consent::ToRun;
use onlooker::Eyes;
use std::path::Path;

/// Do what was typed.
///
/// # Errors
/// When it makes no sense, or cannot be done here.
pub fn run(
    command: &StressCommand,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let own = environment.user_files();
    match command {
        StressCommand::Run(args) => Wanted::prepare(args, source.root()?, &own)?.run(environment),
        StressCommand::List { json } => list(*json, &own, environment),
        StressCommand::Show { load } => {
            Out::new().raw(&own.loads.known(load)?.text)?;
            Ok(Exit::Done)
        }
        StressCommand::Keys => {
            let width = show::listed_width(environment.width);
            Out::new().lines(show::keys(KEYS.lines(), width))?;
            Ok(Exit::Done)
        }
    }
}

fn list(json: bool, own: &UserFiles, environment: &Environment) -> Result<Exit, Failure> {
    let (loads, others) = show::loads(own);
    for other in others {
        out::remark(&other);
    }
    let mut out = Out::new();
    if json {
        out.json(&loads, true)?;
    } else {
        let width = show::listed_width(environment.width);
        out.lines(loads.iter().flat_map(|load| show::load(load, width)))?;
    }
    Ok(Exit::Done)
}

/// A run that is wanted.
struct Wanted<'a> {
    args: &'a RunArgs,
    before: Before<'a>,
    wish: RunSpec,
    plan: Plan,
    limits: Limits,
}

impl<'a> Wanted<'a> {
    fn prepare(args: &'a RunArgs, root: &'a Root, own: &UserFiles) -> Result<Self, Failure> {
        super::empties_nothing(&args.change)?;
        if args.change.persist {
            let why = "--persist: what a run is lent is taken back after it";
            return Err(Failure::Usage(why.to_owned()));
        }
        let before = Before::of(root);
        let wish = wishes::wish(args, own, &before.machine)?;
        let plan = wish.plan(&before.machine).map_err(Failure::Usage)?;
        let limits = Limits::of_run(&args.change)?;
        Ok(Self { args, before, wish, plan, limits })
    }

    fn run(&self, environment: &Environment) -> Result<Exit, Failure> {
        let mut out = Out::new();
        let mut checks = self.checks(&self.before.machine);
        if !self.plan.steps.is_empty() {
            let root = self.before.root();
            checks.extend(change::left_lent(root, &place(root, environment)));
        }
        if !self.args.change.json {
            let width = show::listed_width(environment.width);
            out.lines(show::plan(&self.wish, &self.plan, &checks, width))?;
        }
        let change = &self.args.change;
        match consent::to_run(change, environment, &self.before, &checks)? {
            ToRun::Yes => {}
            ToRun::Shown(exit) => return ended(exit, self.told(&mut out, &checks, None)),
            ToRun::No => return Ok(Exit::Refused),
        }
        let mut came = self.carry_out(environment)?;
        let kept = self.keep(&mut came, environment);
        ended(exit(&came), self.tell_all(out, &checks, (&came, kept), environment))
    }

    /// Tell what came of it, and under which number it is kept.
    fn tell_all(
        &self,
        mut out: Out,
        checks: &[Check],
        (came, kept): (&RunOutcome, Option<u64>),
        environment: &Environment,
    ) -> Result<(), Failure> {
        self.told(&mut out, checks, Some(came))?;
        if self.args.change.json {
            return Ok(());
        }
        drop(out);
        if let Some(run) = came.run.as_ref().filter(|_| !self.args.usemem_lines) {
            results::print(run, environment)?;
        }
        Out::new().lines(show::ended(came, kept))
    }

    /// Run it with what it is lent.
    fn carry_out(&self, environment: &Environment) -> Result<RunOutcome, Failure> {
        let root = self.before.root();
        super::cages::remove_orphans(root);
        let journal = place(root, environment);
        let held = if self.plan.steps.is_empty() { None } else { Some(self.lock(&journal)?) };
        let place = RunContext { root, lock: held.as_ref(), journal: &journal };
        let looker = super::show::Looker::new(&self.plan, &self.before.interrupt, environment);
        let mut looker = looker.lending(None);
        let mut eyes = Eyes::new(&self.before.interrupt, environment);
        let came = run_with_setup((&self.wish, &self.plan), place, &mut looker, &mut eyes);
        eyes.clear();
        looker.clear();
        Ok(came?)
    }

    fn checks(&self, machine: &Machine<'_>) -> Vec<Check> {
        checks(&self.wish, &self.plan, machine, &self.args.change.force)
    }

    /// Take the lock; nothing may stand against the run then either.
    fn lock(&self, journal: &Path) -> Result<Lock, Failure> {
        let held = lock(&self.before, &self.plan.title, self.limits.wait)?;
        change::nothing_lent(self.before.root(), journal).map_err(Failure::Busy)?;
        let again = self.checks(&Machine::of(self.before.root()));
        match again.iter().find(|check| check.verdict == Verdict::Refuse) {
            Some(why) => Err(Failure::Busy(format!("not any more: {}", why.text))),
            None => Ok(held),
        }
    }

    fn told(
        &self,
        out: &mut Out,
        checks: &[Check],
        came: Option<&RunOutcome>,
    ) -> Result<(), Failure> {
        if self.args.change.json {
            return out.json(&show::Document::of(&self.wish, &self.plan, checks, came), true);
        }
        let Some(came) = came else { return Ok(()) };
        if self.args.usemem_lines {
            out.lines(came.run.iter().flat_map(show::usemem))?;
        }
        Ok(())
    }

    /// Keep what was measured; says under which number. That it cannot be kept is told, and takes
    /// nothing from whoever is here to read it.
    fn keep(&self, came: &mut RunOutcome, environment: &Environment) -> Option<u64> {
        let run = came.run.as_mut().filter(|_| !self.args.no_keep)?;
        if run.is_empty() {
            out::remark(show::NOTHING);
            return None;
        }
        let kept = environment.store().and_then(|store| Ok(store.keep(run)?));
        kept.inspect_err(|failure| out::complain(&failure.to_string())).ok()
    }
}

/// What is to be said of a load, and of what it is lent, with risks that are taken by name.
pub(super) fn checks(
    wish: &RunSpec,
    plan: &Plan,
    machine: &Machine<'_>,
    taken: &[String],
) -> Vec<Check> {
    let mut checks = fits::checks(wish, &machine.snapshot);
    checks.extend(fits::cage(wish, machine.root));
    checks.extend(fits::contents(wish, machine.root));
    if !plan.steps.is_empty() {
        checks.extend(machine.checks(plan, taken).into_iter().map(check::without_commands));
    }
    checks
}

fn exit(came: &RunOutcome) -> Exit {
    let exit = came.end().map_or(Exit::Done, exit_of);
    if exit == Exit::Done && !came.is_done() { Exit::Undone } else { exit }
}
