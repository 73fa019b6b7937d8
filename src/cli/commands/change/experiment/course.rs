//! All runs of an experiment, one after the other. The command and the interface differ in who
//! looks on, and in nothing else.

use super::super::exit_of;
use super::onlooker::Way;
use super::ready::{Case, Ready};
use crate::actions::check::Verdict;
use crate::actions::journal::End;
use crate::actions::plan::Plan as Lent;
use crate::actions::run::Watcher;
use crate::actions::told;
use crate::change::{self, Machine};
use crate::cli::exit::Exit;
use crate::clock::Clock;
use crate::lab::conduct::{Came, Place, conduct};
use crate::lab::runs::Onlooker;
use crate::model::experiment::{self, Experiment, SCHEMA};
use crate::model::run::Ending;

/// What came of it.
#[derive(Debug)]
pub(super) struct Made {
    /// What was measured.
    pub(super) experiment: Experiment,
    /// What became of what the last run was lent.
    pub(super) lent: Option<End>,
}

impl Made {
    /// How the program ends.
    pub(super) fn exit(&self) -> Exit {
        if let Some(exit) = self.lent.map(exit_of).filter(|exit| *exit != Exit::Done) {
            return exit;
        }
        let is_done = self.experiment.measured().all(|measured| measured.end == Ending::Done);
        if is_done && self.experiment.why.is_none() { Exit::Done } else { Exit::Undone }
    }
}

/// A run that begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next<'n> {
    /// Which one it is.
    pub(super) way: &'n Way,
    /// The case that is run.
    pub(super) case: &'n Case,
    /// What it is lent.
    pub(super) lent: &'n Lent,
}

/// A run with those who look on while it is lent what it needs, and while it runs.
pub(super) type Work<'w> =
    &'w mut dyn FnMut(&mut dyn Watcher, &mut dyn Onlooker) -> Result<Came, change::Failure>;

/// Whoever looks on at all runs, and may end them.
pub(super) trait Audience {
    /// Why no other run is to begin, if that is so.
    fn stops(&mut self) -> Option<String>;

    /// Look on at a run.
    ///
    /// # Errors
    /// Those of the run.
    fn attend(&mut self, next: &Next<'_>, work: Work<'_>) -> Result<Came, change::Failure>;
}

/// On the way through all runs.
pub(super) struct Course<'a> {
    place: Place<'a>,
    ready: &'a Ready,
    made: Made,
}

impl<'a> Course<'a> {
    pub(super) fn new(place: Place<'a>, ready: &'a Ready) -> Self {
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
        Self { place, ready, made: Made { experiment, lent: None } }
    }

    /// Run all of it, as far as it goes.
    pub(super) fn run(mut self, audience: &mut dyn Audience) -> Made {
        let order = self.made.experiment.order.clone();
        let mut way = Way::of(&order);
        for number in order {
            way.next();
            let Some(case) = self.ready.cases.get(number) else { continue };
            // Whoever asks for an end while the last run gives back gets the end that comes.
            self.made.experiment.why = audience.stops();
            if self.made.experiment.why.is_some() {
                break;
            }
            match self.one(case, &way, audience) {
                Ok(came) => {
                    way.over(came.is_done());
                    self.add(number, came);
                }
                Err(why) => self.made.experiment.why = Some(why),
            }
            if self.made.experiment.why.is_some() {
                break;
            }
        }
        self.made
    }

    /// One run, on the machine as it is now.
    fn one(&self, case: &Case, way: &Way, audience: &mut dyn Audience) -> Result<Came, String> {
        let machine = Machine::of(self.place.root);
        let lent = case.lent(&machine)?;
        let checks = case.checks(&lent, &machine, &self.ready.taken);
        if let Some(why) = checks.iter().find(|check| check.verdict == Verdict::Refuse) {
            return Err(format!("not any more: {}", why.text));
        }
        let mut work = |watcher: &mut dyn Watcher, onlooker: &mut dyn Onlooker| {
            conduct((&case.wish, &lent), self.place, watcher, onlooker)
        };
        let made = audience.attend(&Next { way, case, lent: &lent }, &mut work);
        made.map_err(|failure| failure.to_string())
    }

    /// Take what was measured; it goes on only where everything is as it was before.
    fn add(&mut self, place: usize, came: Came) {
        self.made.lent = came.end().or(self.made.lent);
        if let (Some(case), Some(mut run)) = (self.made.experiment.cases.get_mut(place), came.run) {
            // Each of them is a run by itself, of a case that was to be run so often.
            run.repetitions = Some(self.ready.repetitions);
            case.add(run);
        }
        if let Some((number, outcome)) = came.lent.filter(|(_, it)| it.end != End::Returned) {
            self.made.experiment.why = Some(told::outcome(number, &outcome));
        }
    }
}
