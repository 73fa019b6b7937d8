//! How far a run is, and how long it and the runs after it still take.
//!
//! The rest of a run follows from the phase that its processes are in (`Phase`), from what comes
//! after that (`Times`), and from how long other runs took (`Outlook`).

use super::workers::{Stage, Workers};
use crate::clock::Clock;
use crate::columns::units::{seconds, size};
use crate::model::load::{AfterTouching, WorkerGroup, Workload};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Stamp};
use std::collections::BTreeSet;
use std::time::Duration;

/// How far a load is.
#[derive(Clone, Debug, PartialEq)]
pub struct RunProgress {
    /// Which repetition, from 1 on.
    pub repetition: u32,
    /// Of how many.
    pub of: u32,
    /// For how long the repetition has run, in seconds.
    pub elapsed: f64,
    /// For how long all of it has run, those before this one too, in seconds.
    pub taken: f64,
    /// What is done, in a word or two.
    pub phase: &'static str,
    /// How much of that is done, from 0 to 1; none where nobody knows.
    pub share: Option<f64>,
    /// How long all of it takes yet, those after this one too, in seconds; none where nobody knows.
    pub left: Option<f64>,
    /// How many processes have done all of it.
    pub through: usize,
    /// How many there are.
    pub processes: usize,
}

/// What a number may lack of the one that it stands for.
const ROUNDING: f64 = 1e-9;

impl RunProgress {
    /// How much is done: of the work, where that is known, and of the processes elsewhere.
    pub fn share_done(&self) -> String {
        match self.share {
            // What is not yet done is not all of it; but 0.29 is a little less than 29 of 100.
            Some(share) => format!("{:.0}%", (share * 100.0 + ROUNDING).floor()),
            None => format!("{}/{}", self.through, self.processes),
        }
    }

    /// All of it on one line, with what is used of areas and the memory of the cage.
    pub fn summary_line(&self, areas: &[SwapArea], memory: Option<Bytes>) -> String {
        self.parts(areas, memory).join("  ")
    }

    /// The pieces of that line: what matters most comes first.
    pub fn parts(&self, areas: &[SwapArea], memory: Option<Bytes>) -> Vec<String> {
        let mut words = Vec::new();
        if self.of > 1 {
            words.push(format!("{}/{}", self.repetition, self.of));
        }
        words.push(format!("{} {}", self.phase, self.share_done()));
        let left = self.left.map(|left| format!(", about {} left", seconds(left.ceil())));
        words.push(seconds(self.taken.floor()) + &left.unwrap_or_default());
        let used = areas.iter().filter_map(|area| area.used.known().copied()).sum();
        words.push(format!("swap {}", size(used)));
        words.extend(memory.map(|memory| format!("cage {}", size(memory))));
        words
    }
}

/// Runs one after the other, of which some are over.
#[derive(Clone, Debug)]
pub struct SequenceEta {
    /// Which case each run is of.
    order: Vec<usize>,
    /// Those that are over, in that order.
    over: Vec<RunDuration>,
}

/// A run that is over.
#[derive(Clone, Copy, Debug)]
pub struct RunDuration {
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Did it come to its end? What was stopped says nothing of how long others take.
    pub is_done: bool,
}

impl SequenceEta {
    /// Before the first run of these cases.
    pub const fn for_cases(order: Vec<usize>) -> Self {
        Self { order, over: Vec::new() }
    }

    /// Another one is over.
    pub fn add(&mut self, took: RunDuration) {
        self.over.push(took);
    }

    /// How long those took that are over, in seconds.
    pub fn elapsed_total(&self) -> f64 {
        self.over.iter().map(|took| took.seconds).sum()
    }

    /// How long all of them take yet, in seconds. The one that runs has taken so many and takes so
    /// many more, where that is known. None as long as nothing says so.
    pub fn seconds_left(&self, elapsed: f64, rest: Option<f64>) -> Option<f64> {
        let (now, later) = self.order.get(self.over.len()..)?.split_first()?;
        if !self.is_predictable() {
            return None;
        }
        // What should be over and is not takes nobody knows how long.
        let usual = |case| self.usual(case).map(|all| all - elapsed).filter(|left| *left >= 0.0);
        let rest = rest.or_else(|| usual(*now))?;
        let each = |case: &usize| self.usual(*case).unwrap_or(elapsed + rest);
        Some(rest + later.iter().map(each).sum::<f64>())
    }

    /// Were half of the cases begun? Cases may take unlike times: the first ones say nothing of the
    /// others.
    fn is_predictable(&self) -> bool {
        let cases = |order: &[usize]| order.iter().copied().collect::<BTreeSet<_>>().len();
        let begun = self.order.get(..=self.over.len()).map_or(0, cases);
        2 * begun >= cases(&self.order)
    }

    /// How long a run of a case takes, by those of the same case, or else by all that came to their
    /// end.
    fn usual(&self, case: usize) -> Option<f64> {
        let done = self.order.iter().zip(&self.over).filter(|(_, took)| took.is_done);
        let alike = done.clone().filter(|(of, _)| **of == case);
        mean(alike.map(|(_, took)| took.seconds))
            .or_else(|| mean(done.map(|(_, took)| took.seconds)))
    }
}

fn mean(seconds: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = seconds.clone().count();
    (count > 0).then(|| seconds.sum::<f64>() / count as f64)
}

/// The times of all runs of a session, with what their setups take.
#[derive(Clone, Debug)]
pub struct SessionClock {
    /// Which run, from 1 on.
    number: usize,
    /// When its setup began.
    begun: Stamp,
    ahead: SequenceEta,
}

impl SessionClock {
    /// Before the first run of these cases.
    pub fn for_cases(order: &[usize]) -> Self {
        Self { number: 0, begun: Clock::Real.now(), ahead: SequenceEta::for_cases(order.to_vec()) }
    }

    /// Another run begins.
    pub fn begin_run(&mut self) {
        self.number += 1;
        self.begun = Clock::Real.now();
    }

    /// It is over, and its setup is taken back.
    pub fn end_run(&mut self, is_done: bool) {
        let seconds = Clock::Real.now().seconds_since(self.begun);
        self.ahead.add(RunDuration { seconds, is_done });
    }

    /// Which run it is, from 1 on.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// How far a run is, with the times of all runs.
    pub fn progress(&self, progress: &RunProgress, now: Stamp) -> RunProgress {
        let elapsed = now.seconds_since(self.begun);
        let taken = self.ahead.elapsed_total() + elapsed;
        RunProgress { taken, left: self.ahead.seconds_left(elapsed, progress.left), ..progress.clone() }
    }
}

/// How long a repetition takes, and all of them, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunTimes {
    /// For how long this one has run.
    pub(super) elapsed: f64,
    /// For how long all of it has run, those before this one too.
    pub(super) taken: f64,
    /// How long all of it takes yet, those after this one too; none where nobody knows.
    pub(super) left: Option<f64>,
}

/// What a repetition takes yet, in seconds; none where nobody knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemainingTime {
    /// What it is at.
    pub(super) phase: Option<f64>,
    /// What comes after that.
    pub(super) after: Option<f64>,
}

impl RunTimes {
    /// Those of a repetition that has taken so many seconds: one that takes longer than it may is
    /// ended by then.
    pub(super) fn until_limit(elapsed: f64, rest: RemainingTime, (ahead, at_most): (&SequenceEta, f64)) -> Self {
        let rest = rest.phase.zip(rest.after).map(|(phase, after)| phase + after);
        let rest = rest.map(|rest| rest.min((at_most - elapsed).max(0.0)));
        Self { elapsed, taken: ahead.elapsed_total() + elapsed, left: ahead.seconds_left(elapsed, rest) }
    }
}

/// How long that takes which comes after all processes have come to this stage.
pub(super) fn seconds_after(load: &Workload, stage: Stage) -> Option<f64> {
    match (stage, load.after) {
        (Stage::Ended, _) => Some(0.0),
        // Nobody knows that before it is begun.
        (_, AfterTouching::Swapoff) => None,
        (Stage::Ready, AfterTouching::Nothing) => touching_seconds(load),
        // Giving memory back is short.
        (_, AfterTouching::Nothing) => Some(0.0),
    }
}

/// How long touching takes, where the load says so.
fn touching_seconds(load: &Workload) -> Option<f64> {
    let each = |work: &WorkerGroup| work.seconds.filter(|_| work.rounds == 1);
    let all: Option<Vec<f64>> = load.works.iter().map(each).collect();
    all?.into_iter().reduce(f64::max)
}

/// Of what was done, nobody can tell by less than this share of all how long the rest takes.
const MIN_SHARE: f64 = 0.05;
/// Nor can they by what was done in less than so many seconds.
const MIN_SECONDS: f64 = 2.0;
/// What has told nothing for longer than so many seconds has slowed down: those that work tell how
/// far they are twice a second.
const MAX_SILENCE: f64 = 1.5;

/// How far something was, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ShareAt {
    share: f64,
    at: Stamp,
}

/// What is done, and how far that is.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhaseProgress {
    name: &'static str,
    pub(super) begun: Stamp,
    through: usize,
    /// How much all have done on average.
    share: Option<f64>,
    /// How much whoever is farthest behind had done when that was first known: some begin before
    /// others, so that is not always the begin.
    from: Option<ShareAt>,
    /// How much that is now, and when it was new.
    latest: Option<ShareAt>,
}

impl PhaseProgress {
    /// One that begins.
    pub(super) const fn begin(name: &'static str, begun: Stamp) -> Self {
        Self { name, begun, through: 0, share: None, from: None, latest: None }
    }

    /// What these are at until they come to a stage is so far now.
    pub(super) fn observe_workers(&mut self, workers: &Workers, stage: Stage, now: Stamp) {
        let through = workers.count() - workers.count_before(stage);
        self.observe(through, (workers.share(stage), workers.min_share(stage)), now);
    }

    /// So many are through, and so much is done now: on average, and by whoever is farthest behind.
    /// It is over when that one is through.
    pub(super) fn observe(
        &mut self,
        through: usize,
        (share, least): (Option<f64>, Option<f64>),
        now: Stamp,
    ) {
        (self.through, self.share) = (through, share);
        let is_old = self.latest.map(|told| told.share) == least;
        if !is_old {
            self.latest = least.map(|share| ShareAt { share, at: now });
        }
        self.from = self.from.or(self.latest);
    }

    /// How far it is, in one of so many repetitions.
    pub(super) fn progress(
        &self,
        (repetition, of): (u32, u32),
        RunTimes { elapsed, taken, left }: RunTimes,
        processes: usize,
    ) -> RunProgress {
        RunProgress {
            repetition,
            of,
            elapsed,
            taken,
            phase: self.name,
            share: self.share,
            left,
            through: self.through,
            processes,
        }
    }

    /// How long the rest takes, in seconds; none as long as nothing says so.
    pub(super) fn seconds_left(&self, now: Stamp) -> Option<f64> {
        let (from, told) = (self.from?, self.latest?);
        let silent = now.seconds_since(told.at).min(MAX_SILENCE);
        let time = now.seconds_since(from.at) - silent;
        let done = told.share - from.share;
        let left = (1.0 - told.share) * time / done - silent;
        // What should be over and is not takes nobody knows how long.
        let is_known = done >= MIN_SHARE && time >= MIN_SECONDS && (left > 0.0 || told.share >= 1.0);
        is_known.then(|| left.max(0.0))
    }
}

// A run is looked at often at first, so that one of less than a second is seen too, and ever less
// often until a quarter of a second lies between two looks. Those looks read the areas alone, which
// are a few files, and for few seconds: a long run costs no more than a short one.

/// How often what processes tell is taken, and the onlooker is asked, once the run is under way.
pub(super) const TICK: Duration = Duration::from_millis(50);
/// How often the whole machine is looked at, in seconds.
pub(super) const SAMPLE_PERIOD: f64 = 0.25;
/// No look comes sooner after another, in seconds.
const MIN_SAMPLE_GAP: f64 = 0.02;
/// As many looks as this lie in a time that is as long as the run was until then.
const SAMPLES_PER_ELAPSED: f64 = 20.0;

/// How many seconds lie between two looks at the areas, that long after the begin.
pub(super) fn sample_gap(since_begin: f64) -> f64 {
    (since_begin / SAMPLES_PER_ELAPSED).clamp(MIN_SAMPLE_GAP, SAMPLE_PERIOD)
}

/// How long what processes tell is waited for, that long after the begin.
pub(super) fn poll_time(since_begin: f64) -> Duration {
    Duration::from_secs_f64(sample_gap(since_begin)).min(TICK)
}

#[cfg(test)]
mod tests;
