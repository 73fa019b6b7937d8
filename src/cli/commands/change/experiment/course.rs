//! All runs of an experiment, one after the other.

use super::super::show::Looker;
use super::super::{Before, exit_of, place};
use super::onlooker::{Eyes, Way};
use super::ready::{Case, Ready};
use crate::actions::check::Verdict;
use crate::actions::journal::End;
use crate::actions::limits::Limits;
use crate::actions::told;
use crate::change::Machine;
use crate::cli::exit::Exit;
use crate::cli::interrupt;
use crate::cli::options::Environment;
use crate::clock::Clock;
use crate::lab::conduct::{Came, Place, conduct};
use crate::model::experiment::{self, Experiment, SCHEMA};
use crate::model::run::Ending;
use crate::sys::Lock;
use std::path::PathBuf;

/// What came of it.
#[derive(Debug)]
pub(super) struct Made {
    /// What was measured.
    pub(super) experiment: Experiment,
    /// What became of what the last run was lent, where that is not as it was.
    pub(super) left: Option<End>,
}

impl Made {
    /// How the program ends.
    pub(super) fn exit(&self) -> Exit {
        if let Some(end) = self.left {
            return exit_of(end);
        }
        let is_done = self.experiment.measured().all(|measured| measured.end == Ending::Done);
        if is_done && self.experiment.why.is_none() { Exit::Done } else { Exit::Undone }
    }
}

/// On the way through all runs.
pub(super) struct Course<'a> {
    before: &'a Before<'a>,
    ready: &'a Ready,
    environment: &'a Environment,
    journal: PathBuf,
    made: Made,
}

impl<'a> Course<'a> {
    pub(super) fn new(
        before: &'a Before<'a>,
        ready: &'a Ready,
        environment: &'a Environment,
    ) -> Self {
        let of = |case: &Case| experiment::Case {
            name: case.values.name.clone(),
            factors: case.values.levels.clone(),
            run: None,
        };
        let experiment = Experiment {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            id: 0,
            at_ms: Clock::Real.now().wall_ms,
            title: ready.plan.name.clone(),
            question: ready.plan.question.clone(),
            seed: ready.seed,
            repetitions: ready.repetitions,
            order: ready.order(),
            columns: ready.plan.columns.clone(),
            across: ready.plan.across.clone(),
            notes: ready.notes.clone(),
            cases: ready.cases.iter().map(of).collect(),
            why: None,
        };
        let made = Made { experiment, left: None };
        let journal = place(before.root(), environment);
        Self { before, ready, environment, journal, made }
    }

    /// Run all of it, as far as it goes.
    pub(super) fn run(mut self, lock: Option<&Lock>) -> Made {
        let order = self.made.experiment.order.clone();
        let mut way = Way::of(order.len());
        for (place, number) in order.iter().copied().enumerate() {
            way.next();
            let Some(case) = self.ready.cases.get(number) else { continue };
            match self.one(case, lock, &way) {
                Ok(made) => self.add(number, made),
                Err(why) => self.made.experiment.why = Some(why),
            }
            let _ = self.before.interrupt.came();
            // Whoever asks for an end while the last run gives back gets the end that comes.
            let rest = order.len() - place - 1;
            if let (Some(signal), true) = (self.before.interrupt.asked(), rest > 0) {
                self.made.experiment.why.get_or_insert_with(|| interrupt::why(signal));
            }
            if self.made.experiment.why.is_some() {
                break;
            }
        }
        self.made
    }

    /// One run, on the machine as it is now.
    fn one(&self, case: &Case, lock: Option<&Lock>, way: &Way) -> Result<Came, String> {
        let root = self.before.root();
        let machine = Machine::of(root);
        let lent = case.lent(&machine)?;
        let checks = case.checks(&lent, &machine, &self.ready.taken);
        if let Some(why) = checks.iter().find(|check| check.verdict == Verdict::Refuse) {
            return Err(format!("not any more: {}", why.text));
        }
        let around = (root, &self.before.interrupt);
        let mut looker = Looker::new(&lent, around, Limits::default(), self.environment);
        let told = self.environment.interactive;
        let mut eyes = Eyes::new(&self.before.interrupt, told, (way, &case.values.name));
        let ground = Place { root, lock, journal: &self.journal };
        let result = conduct((&case.wish, &lent), ground, &mut looker, &mut eyes);
        eyes.clear();
        looker.clear();
        result.map_err(|failure| failure.to_string())
    }

    /// Take what was measured; it goes on only where everything is as it was before.
    fn add(&mut self, place: usize, came: Came) {
        if let (Some(case), Some(run)) = (self.made.experiment.cases.get_mut(place), came.run) {
            case.add(run);
        }
        if let Some((number, outcome)) = came.lent.filter(|(_, it)| it.end != End::Returned) {
            self.made.left = Some(outcome.end).filter(|end| *end != End::Undone);
            self.made.experiment.why = Some(told::outcome(number, &outcome));
        }
    }
}
