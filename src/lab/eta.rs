//! Progress of a run, and the estimated time left (ETA) for it and the runs after it.
//!
//! The ETA of a run follows from the current phase of its processes (`PhaseProgress`), from what
//! comes after that phase (`RemainingTime`), and from the duration of earlier runs (`SequenceEta`).

use super::workers::{Stage, Workers};
use crate::clock::Clock;
use crate::columns::units::{seconds, size};
use crate::model::load::{AfterTouching, WorkerGroup, Workload};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Stamp};
use std::collections::BTreeSet;
use std::time::Duration;

/// The progress of a workload.
#[derive(Clone, Debug, PartialEq)]
pub struct RunProgress {
    /// The current repetition, from 1 on.
    pub repetition: u32,
    /// The number of repetitions.
    pub of: u32,
    /// Seconds since this repetition began.
    pub elapsed: f64,
    /// Seconds since the first repetition began.
    pub taken: f64,
    /// The current phase, in a word or two.
    pub phase: &'static str,
    /// The share of the phase that is done, from 0 to 1, if known.
    pub share: Option<f64>,
    /// Estimated seconds left for this and all later repetitions, if known.
    pub left: Option<f64>,
    /// The number of processes that have finished the phase.
    pub through: usize,
    /// The number of processes.
    pub processes: usize,
}

/// Allowance for floating-point error.
const ROUNDING: f64 = 1e-9;

impl RunProgress {
    /// The share done in percent, or the number of finished processes if the share is unknown.
    pub fn share_done(&self) -> String {
        match self.share {
            // Rounds down, so that 100% means finished; 0.29 is a little less than 29/100 in
            // floating point.
            Some(share) => format!("{:.0}%", (share * 100.0 + ROUNDING).floor()),
            None => format!("{}/{}", self.through, self.processes),
        }
    }

    /// The progress on one line, with the swap used and the memory of the cgroup.
    pub fn summary_line(&self, areas: &[SwapArea], memory: Option<Bytes>) -> String {
        self.parts(areas, memory).join("  ")
    }

    /// The parts of the progress line, most important first.
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
        words.extend(memory.map(|memory| format!("cgroup {}", size(memory))));
        words
    }
}

/// A sequence of runs, some of which have ended.
#[derive(Clone, Debug)]
pub struct SequenceEta {
    /// The case of each run.
    order: Vec<usize>,
    /// The runs that have ended, in order.
    over: Vec<RunDuration>,
}

/// A run that has ended.
#[derive(Clone, Copy, Debug)]
pub struct RunDuration {
    /// The duration in seconds.
    pub seconds: f64,
    /// Whether it ended normally. A stopped run says nothing about the duration of others.
    pub is_done: bool,
}

impl SequenceEta {
    /// Starts before the first run of these cases.
    pub const fn for_cases(order: Vec<usize>) -> Self {
        Self { order, over: Vec::new() }
    }

    /// Adds a run that has ended.
    pub fn add(&mut self, took: RunDuration) {
        self.over.push(took);
    }

    /// The total duration of the runs that have ended, in seconds.
    pub fn elapsed_total(&self) -> f64 {
        self.over.iter().map(|took| took.seconds).sum()
    }

    /// Estimates the seconds left for all runs. The current run has taken `elapsed` seconds and
    /// needs `rest` more, if that is known.
    pub fn seconds_left(&self, elapsed: f64, rest: Option<f64>) -> Option<f64> {
        let (now, later) = self.order.get(self.over.len()..)?.split_first()?;
        if !self.is_predictable() {
            return None;
        }
        // An overdue run has no estimate.
        let usual = |case| self.usual(case).map(|all| all - elapsed).filter(|left| *left >= 0.0);
        let rest = rest.or_else(|| usual(*now))?;
        let each = |case: &usize| self.usual(*case).unwrap_or(elapsed + rest);
        Some(rest + later.iter().map(each).sum::<f64>())
    }

    /// Whether at least half of the cases have begun. Cases may take different times, so the first
    /// ones alone say little about the others.
    fn is_predictable(&self) -> bool {
        let cases = |order: &[usize]| order.iter().copied().collect::<BTreeSet<_>>().len();
        let begun = self.order.get(..=self.over.len()).map_or(0, cases);
        2 * begun >= cases(&self.order)
    }

    /// The usual duration of a case: the mean of its own runs, or of all runs that ended normally.
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

/// Times of all runs of a session, including their setups.
#[derive(Clone, Debug)]
pub struct SessionClock {
    /// The number of the current run, from 1 on.
    number: usize,
    /// When its setup began.
    begun: Stamp,
    ahead: SequenceEta,
}

impl SessionClock {
    /// Starts before the first run of these cases.
    pub fn for_cases(order: &[usize]) -> Self {
        Self { number: 0, begun: Clock::Real.now(), ahead: SequenceEta::for_cases(order.to_vec()) }
    }

    /// Begins the next run.
    pub fn begin_run(&mut self) {
        self.number += 1;
        self.begun = Clock::Real.now();
    }

    /// Ends the current run, after its setup was removed.
    pub fn end_run(&mut self, is_done: bool) {
        let seconds = Clock::Real.now().seconds_since(self.begun);
        self.ahead.add(RunDuration { seconds, is_done });
    }

    /// The number of the current run, from 1 on.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Replaces the times of one run with those of all runs.
    pub fn progress(&self, progress: &RunProgress, now: Stamp) -> RunProgress {
        let elapsed = now.seconds_since(self.begun);
        let taken = self.ahead.elapsed_total() + elapsed;
        RunProgress {
            taken,
            left: self.ahead.seconds_left(elapsed, progress.left),
            ..progress.clone()
        }
    }
}

/// Times of one repetition and of all repetitions, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunTimes {
    /// Time since this repetition began.
    pub(super) elapsed: f64,
    /// Time since the first repetition began.
    pub(super) taken: f64,
    /// Estimated time left for all repetitions, if known.
    pub(super) left: Option<f64>,
}

impl RunTimes {
    /// Combines the time used with the estimate. The guard's time limit caps the rest of this
    /// repetition.
    pub(super) fn until_limit(
        elapsed: f64,
        (phase, after): (Option<f64>, Option<f64>),
        (ahead, at_most): (&SequenceEta, f64),
    ) -> Self {
        let rest = phase.zip(after).map(|(phase, after)| phase + after);
        let rest = rest.map(|rest| rest.min((at_most - elapsed).max(0.0)));
        Self {
            elapsed,
            taken: ahead.elapsed_total() + elapsed,
            left: ahead.seconds_left(elapsed, rest),
        }
    }
}

/// Estimates the seconds of the phases that follow once all processes have reached this stage.
pub(super) fn seconds_after(load: &Workload, stage: Stage) -> Option<f64> {
    match (stage, load.after) {
        (Stage::Ended, _) => Some(0.0),
        // The duration of swapoff is unknown before it has begun.
        (_, AfterTouching::Swapoff) => None,
        (Stage::Ready, AfterTouching::Nothing) => touching_seconds(load),
        // Freeing memory is short.
        (_, AfterTouching::Nothing) => Some(0.0),
    }
}

/// The seconds of the touching phase, if the workload file sets them.
fn touching_seconds(load: &Workload) -> Option<f64> {
    let each = |work: &WorkerGroup| work.seconds.filter(|_| work.rounds == 1);
    let all: Option<Vec<f64>> = load.works.iter().map(each).collect();
    all?.into_iter().reduce(f64::max)
}

/// The least share that must be done before an estimate is made.
const MIN_SHARE: f64 = 0.05;
/// The least seconds that must have passed before an estimate is made.
const MIN_SECONDS: f64 = 2.0;
/// The longest pause between two reports, in seconds; a longer one means that the work has slowed
/// down. Working processes report twice a second.
const MAX_SILENCE: f64 = 1.5;

/// A share that was done at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ShareAt {
    share: f64,
    at: Stamp,
}

/// Progress of the current phase.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhaseProgress {
    name: &'static str,
    through: usize,
    /// The mean share done by all processes.
    share: Option<f64>,
    /// The first known share of the slowest process. Processes start at different times, so this
    /// can be later than the start of the phase.
    from: Option<ShareAt>,
    /// The latest share of the slowest process, and when it was first reported.
    latest: Option<ShareAt>,
}

impl PhaseProgress {
    /// Begins a phase.
    pub(super) const fn begin(name: &'static str) -> Self {
        Self { name, through: 0, share: None, from: None, latest: None }
    }

    /// Updates the progress from the workers that are on their way to a stage.
    pub(super) fn observe_workers(&mut self, workers: &Workers, stage: Stage, now: Stamp) {
        let through = workers.count() - workers.count_before(stage);
        self.observe(through, (workers.share(stage), workers.min_share(stage)), now);
    }

    /// Updates the number of finished processes, the mean share and the share of the slowest
    /// process, which decides when the phase ends.
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

    /// The progress within one of several repetitions.
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

    /// Estimates the seconds left in this phase, if enough is done.
    pub(super) fn seconds_left(&self, now: Stamp) -> Option<f64> {
        let (from, told) = (self.from?, self.latest?);
        let silent = now.seconds_since(told.at).min(MAX_SILENCE);
        let time = now.seconds_since(from.at) - silent;
        let done = told.share - from.share;
        let left = (1.0 - told.share) * time / done - silent;
        // An overdue phase has no estimate.
        let is_known =
            done >= MIN_SHARE && time >= MIN_SECONDS && (left > 0.0 || told.share >= 1.0);
        is_known.then(|| left.max(0.0))
    }
}

// Sampling is frequent at first, so that a run of less than a second is seen too, then slows down
// to one sample every quarter of a second. The frequent samples read only the areas, a few files,
// and last for a few seconds: a long run costs no more than a short one.

/// How often reports of processes are read and the monitor is called, once the run is under way.
pub(super) const TICK: Duration = Duration::from_millis(50);
/// Seconds between two samples of the whole machine.
pub(super) const SAMPLE_PERIOD: f64 = 0.25;
/// The least seconds between two samples.
const MIN_SAMPLE_GAP: f64 = 0.02;
/// Samples taken in a time as long as the run has lasted so far.
const SAMPLES_PER_ELAPSED: f64 = 20.0;

/// Seconds between two samples of the areas, this long after the start.
pub(super) fn sample_gap(since_begin: f64) -> f64 {
    (since_begin / SAMPLES_PER_ELAPSED).clamp(MIN_SAMPLE_GAP, SAMPLE_PERIOD)
}

/// How long to wait for reports of processes, this long after the start.
pub(super) fn poll_time(since_begin: f64) -> Duration {
    Duration::from_secs_f64(sample_gap(since_begin)).min(TICK)
}

#[cfg(test)]
mod tests;
