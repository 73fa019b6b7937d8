//! All runs of an experiment, one after the other. The command and the interface differ in who
//! looks on, and in nothing else.

use super::super::exit_of;
use super::onlooker::Way;
use super::ready::{Case, Ready};
use crate::actions::check::Verdict;
use crate::actions::journal::End;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::Plan as Lent;
use crate::actions::run::{Outcome, Progress};
use crate::actions::told;
use crate::change::{self, Machine};
use crate::cli::exit::Exit;
use crate::clock::Clock;
use crate::derive::lab::Ended;
use crate::lab::run_with_setup::{RunContext, RunOutcome, run_with_setup};
use crate::lab::runs::Onlooker;
use crate::model::experiment::{self, Experiment, SCHEMA};
use crate::model::run::{Ending, Measured};

/// What came of it.
#[derive(Debug)]
pub(super) struct Made {
    /// What was measured.
    pub(super) experiment: Experiment,
    /// What became of what was lent last: a run that was lent nothing changes nothing of that.
    pub(super) lent: Option<End>,
    /// How it ended where something ended it, beside what its runs say.
    pub(super) early: Option<Ended>,
}

impl Made {
    /// How it ended, in a word; none where nothing ran.
    pub(super) fn end(&self) -> Option<Ended> {
        let measured: Vec<&Measured> = self.experiment.measured().collect();
        let end = Ended::of(&measured, self.experiment.wanted())?;
        Some(self.early.map_or(end, |early| end.max(early)))
    }

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
pub(super) type Work<'w> = &'w mut dyn FnMut(
    &mut dyn Monitor<Progress>,
    &mut dyn Onlooker,
) -> Result<RunOutcome, change::Failure>;

/// Whoever looks on at all runs, and may end them.
pub(super) trait Audience {
    /// Why no other run is to begin, if that is so.
    fn stops(&mut self) -> Option<StopReason>;

    /// Look on at a run.
    ///
    /// # Errors
    /// Those of the run.
    fn attend(&mut self, next: &Next<'_>, work: Work<'_>) -> Result<RunOutcome, change::Failure>;
}

/// On the way through all runs.
pub(super) struct Course<'a> {
    place: RunContext<'a>,
    ready: &'a Ready,
    made: Made,
}

impl<'a> Course<'a> {
    pub(super) fn new(place: RunContext<'a>, ready: &'a Ready) -> Self {
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
        Self { place, ready, made: Made { experiment, lent: None, early: None } }
    }

    /// Run all of it, as far as it goes.
    pub(super) fn run(mut self, audience: &mut dyn Audience) -> Made {
        let order = self.made.experiment.order.clone();
        let mut way = Way::of(&order);
        for place in order {
            way.next();
            // Whoever asks for an end while the last run gives back gets the end that comes.
            let broken = match audience.stops() {
                Some(reason) => Some((Ended::Stopped, reason.to_string())),
                None => self.go_on(place, &mut way, audience),
            };
            if let Some((end, why)) = broken {
                (self.made.early, self.made.experiment.why) = (Some(end), Some(why));
                break;
            }
        }
        self.made
    }

    /// Run a case once more. It goes on after that only where everything is as it was before: else
    /// how it ends, and why.
    fn go_on(
        &mut self,
        place: usize,
        way: &mut Way,
        audience: &mut dyn Audience,
    ) -> Option<(Ended, String)> {
        let came = match self.one(self.ready.cases.get(place)?, way, audience) {
            Ok(came) => came,
            Err(why) => return Some((Ended::Failed, why)),
        };
        way.over(came.is_done());
        let outcome = self.add(place, came)?;
        let end = early(outcome.end, audience.stops().is_some())?;
        Some((end, told::outcome(&outcome)))
    }

    /// One run, on the machine as it is now.
    fn one(
        &self,
        case: &Case,
        way: &Way,
        audience: &mut dyn Audience,
    ) -> Result<RunOutcome, String> {
        let machine = Machine::of(self.place.root);
        let lent = case.lent(&machine)?;
        let checks = case.checks(&lent, &machine, &self.ready.taken);
        if let Some(why) = checks.iter().find(|check| check.verdict == Verdict::Refuse) {
            return Err(format!("not any more: {}", why.text));
        }
        let mut work = |monitor: &mut dyn Monitor<Progress>, onlooker: &mut dyn Onlooker| {
            run_with_setup((&case.wish, &lent), self.place, monitor, onlooker)
        };
        let made = audience.attend(&Next { way, case, lent: &lent }, &mut work);
        made.map_err(|failure| failure.to_string())
    }

    /// Take what was measured; says what became of what was lent.
    fn add(&mut self, place: usize, came: RunOutcome) -> Option<Outcome> {
        self.made.lent = came.end().or(self.made.lent);
        if let (Some(case), Some(mut run)) = (self.made.experiment.cases.get_mut(place), came.run) {
            // Each of them is a run by itself, of a case that was to be run so often.
            run.repetitions = Some(self.ready.repetitions);
            case.add(run);
        }
        came.lent
    }
}

/// How an experiment ends after this became of what a run was lent, if it does. What could not be
/// lent because somebody asked for an end was stopped.
const fn early(lent: End, is_asked: bool) -> Option<Ended> {
    match lent {
        End::Returned => None,
        End::Undone if is_asked => Some(Ended::Stopped),
        End::Done | End::Recovered | End::Dismissed | End::Undone | End::Partial => {
            Some(Ended::Failed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_only_where_all_was_given_back() {
        assert_eq!([false, true].map(|is_asked| early(End::Returned, is_asked)), [None; 2]);
        assert_eq!(early(End::Undone, true), Some(Ended::Stopped));
        assert_eq!(early(End::Undone, false), Some(Ended::Failed), "it could not be lent");
        assert_eq!(early(End::Partial, true), Some(Ended::Failed), "something stands");
    }
}
