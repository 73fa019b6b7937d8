//! `swapadm experiment`: a load in several cases, and what makes a difference.

mod course;
pub(super) mod door;
mod onlooker;
mod ready;
mod show;
mod terminal;

use super::stress::show::{keys as told_keys, listed_width};
use super::{Before, Limits, consent, ended, lock, place};
use crate::actions::check::Check;
use crate::change;
use crate::cli::args::experiment::{ExperimentArgs, ExperimentCommand};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::{self, Out};
use crate::lab::experiment::keys;
use crate::lab::library::UserFiles;
use crate::lab::run_with_setup::RunContext;
use crate::lab::store::Carried;
use crate::model::experiment::Experiment;
use crate::root::Root;
use crate::sys::Lock;
use consent::ToRun;
use course::{Course, Made};
use ready::Ready;
use terminal::Person;

/// Do what was typed.
///
/// # Errors
/// When it makes no sense, or cannot be done here.
pub fn run(
    command: &ExperimentCommand,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let own = environment.user_files();
    match command {
        ExperimentCommand::Run(args) => {
            Wanted::prepare(args, source.root()?, &own)?.run(environment)
        }
        ExperimentCommand::List { json } => list(*json, &own, environment),
        ExperimentCommand::Show { experiment } => {
            Out::new().raw(&own.experiments.known(experiment)?.text)?;
            Ok(Exit::Done)
        }
        ExperimentCommand::Keys => {
            Out::new().lines(told_keys(keys::lines(), listed_width(environment.width)))?;
            Ok(Exit::Done)
        }
    }
}

fn list(json: bool, own: &UserFiles, environment: &Environment) -> Result<Exit, Failure> {
    let (all, others) = show::listed(own);
    for other in others {
        out::remark(&other);
    }
    let mut out = Out::new();
    if json {
        out.json(&all, true)?;
    } else {
        let width = listed_width(environment.width);
        out.lines(all.iter().flat_map(|it| show::line(it, width)))?;
    }
    Ok(Exit::Done)
}

/// An experiment that is wanted.
struct Wanted<'a> {
    args: &'a ExperimentArgs,
    before: Before<'a>,
    ready: Ready,
    limits: Limits,
}

impl<'a> Wanted<'a> {
    fn prepare(args: &'a ExperimentArgs, root: &'a Root, own: &UserFiles) -> Result<Self, Failure> {
        super::empties_nothing(&args.change)?;
        let before = Before::of(root);
        let limits = Limits::of_run(&args.change)?;
        let ready = Ready::of(args, &before.machine, limits, own)?;
        Ok(Self { args, before, ready, limits })
    }

    fn run(&self, environment: &Environment) -> Result<Exit, Failure> {
        let mut out = Out::new();
        let mut checks = self.ready.checks(&self.before.machine)?;
        if self.ready.is_lent_anything(&self.before.machine) {
            let root = self.before.root();
            checks.extend(change::left_lent(root, &place(root, environment)));
        }
        if !self.args.change.json {
            let width = listed_width(environment.width);
            out.lines(show::plan(&self.ready, &checks, width))?;
        }
        let change = &self.args.change;
        match consent::to_run(change, environment, &self.before, &checks)? {
            ToRun::Yes => {}
            ToRun::Shown(exit) => return ended(exit, self.told(&mut out, &checks, None)),
            ToRun::No => return Ok(Exit::Refused),
        }
        let mut made = self.carry_out(environment)?;
        if !self.args.no_keep
            && let Err(failure) = kept(&mut made.experiment, &self.ready, environment)
        {
            out::complain(&format!("not all results are kept: {failure}"));
        }
        let told = self.told(&mut out, &checks, Some(&made)).and_then(|()| {
            if self.args.change.json {
                return Ok(());
            }
            let published = self.ready.plan.published.as_ref().filter(|_| self.args.published);
            out.lines(show::finished(&made, published, environment.width))
        });
        ended(made.exit(), told)
    }

    /// Run all cases; the lock is held until the last one has given back what it was lent.
    fn carry_out(&self, environment: &Environment) -> Result<Made, Failure> {
        super::cages::remove_orphans(self.before.root());
        let held = self.lock(environment)?;
        let (root, journal) = (self.before.root(), place(self.before.root(), environment));
        let place = RunContext { root, lock: held.as_ref(), journal: &journal };
        let mut person = Person { before: &self.before, environment };
        Ok(Course::new(place, &self.ready).run(&mut person))
    }

    fn lock(&self, environment: &Environment) -> Result<Option<Lock>, Failure> {
        if !self.ready.is_lent_anything(&self.before.machine) {
            return Ok(None);
        }
        let title = format!("run the experiment {}", self.ready.plan.name);
        let held = lock(&self.before, &title, self.limits.wait)?;
        let journal = place(self.before.root(), environment);
        change::nothing_lent(self.before.root(), &journal).map_err(Failure::Busy)?;
        Ok(Some(held))
    }

    fn told(&self, out: &mut Out, checks: &[Check], made: Option<&Made>) -> Result<(), Failure> {
        if !self.args.change.json {
            return Ok(());
        }
        out.json(&show::Document::of(&self.ready, checks, made), true)
    }
}

/// Keep what was measured: the run of each case as a result of its own, and the experiment with
/// all of them and with what others have published of it; nothing where nothing was measured.
fn kept(
    experiment: &mut Experiment,
    ready: &Ready,
    environment: &Environment,
) -> Result<(), Failure> {
    if experiment.runs().next().is_none() {
        return Ok(());
    }
    let store = environment.store()?;
    for run in experiment.cases.iter_mut().filter_map(|case| case.run.as_mut()) {
        store.keep(run)?;
    }
    let published = ready.plan.published.as_ref();
    store.keep(&mut Carried { experiment, published })?;
    Ok(())
}
