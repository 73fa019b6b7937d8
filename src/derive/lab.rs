//! Figures of runs of the stress lab, as kernel developers report them.
//!
//! A figure is one number for each repetition. Repetitions that did not finish have no figures, because
//! they did other work than the others. Figures that were not measured stay missing.

mod areas;
mod comparison;
mod figure;
mod fixed;
mod folios;
mod latency;

use super::statistics::Summary;
use super::traffic::Direction;
use crate::model::experiment::Experiment;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::model::text::counted;
use crate::model::{Missing, Name, Reading};
pub use areas::{AreaUse, areas};
pub use comparison::{
    CasePair, FigureComparison, ResultPair, check_comparable, compare_cases, compare_runs,
    pair_cases,
};
use figure::per_repetition;
pub use figure::{Better, FigureScope, Measure, RunFigure, ShownUnit, completed, why_incomplete};
pub use fixed::figure_descriptions;
pub use folios::{FolioUse, Rates, fail_rates_over_time, folios};
pub use latency::{TouchLatency, sampled, touch_latencies};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// All figures of a run.
pub fn figures(run: &Run) -> Vec<RunFigure> {
    let mut all = fixed::figures(|get, zswap| {
        let mut values = per_repetition(run, get);
        if let Some(way) = zswap {
            fixed::remove_uncounted(run, way, &mut values);
        }
        values
    });
    all.extend(latency::figures(run));
    all.extend(folios::figures(run));
    all.extend(areas::figures(run));
    all
}

/// The figure with this id.
pub fn figure(run: &Run, id: &str) -> Option<RunFigure> {
    figures(run).into_iter().find(|figure| figure.id == id)
}

/// The figures that every run has, for one repetition, however it ended.
pub fn measured_figures(measured: &RepetitionResult) -> Vec<RunFigure> {
    fixed::figures(|get, _| vec![get(measured)])
}

/// A run as shown by itself: if no repetition finished, with the measurements of those that were
/// stopped. Such figures are not compared with those of other runs.
pub fn with_stopped_runs(run: &Run) -> Cow<'_, Run> {
    if completed(run).next().is_some() {
        return Cow::Borrowed(run);
    }
    let mut run = run.clone();
    for measured in &mut run.measured {
        if matches!(measured.end, RepetitionEnd::Stopped { .. }) {
            measured.end = RepetitionEnd::Done;
            // Processes that were stopped are not among them, so these would stand for all.
            measured.tasks.clear();
        }
    }
    Cow::Owned(run)
}

/// Whether the shown figures are those of a run that was stopped.
pub fn is_cut_short(run: &Run) -> bool {
    completed(run).next().is_none() && completed(&with_stopped_runs(run)).next().is_some()
}

/// The number of repetitions that were requested.
pub fn planned_repetitions(run: &Run) -> usize {
    // Results of older versions do not contain it.
    run.repetitions.map_or(run.measured.len(), |wanted| wanted as usize)
}

/// Describes how many repetitions completed; figures are means of these.
pub fn describe_repetitions(run: &Run) -> String {
    match (completed(run).count(), planned_repetitions(run)) {
        (done, wanted) if done == wanted => counted(done, "repetition"),
        (done, wanted) => format!("{done} of {}", counted(wanted, "repetition")),
    }
}

/// Describes how the whole run ended.
pub fn describe_end(run: &Run) -> String {
    let measured: Vec<&RepetitionResult> = run.measured.iter().collect();
    describe_ends(&measured, planned_repetitions(run))
}

/// Describes how repetitions ended, of which `wanted` were requested.
fn describe_ends(measured: &[&RepetitionResult], wanted: usize) -> String {
    let all = measured.len();
    let count = |is: fn(&RepetitionEnd) -> bool| measured.iter().filter(|it| is(&it.end)).count();
    let stopped = count(|end| matches!(end, RepetitionEnd::Stopped { .. }));
    let failed = count(|end| matches!(end, RepetitionEnd::Failed { .. }));
    if all == 0 {
        return "nothing was measured".to_owned();
    }
    if all < wanted {
        let early = [(stopped, "stopped"), (failed, "failed")].into_iter();
        let early = early.filter(|(count, _)| *count > 0);
        let all = [format!("{all} of {wanted} runs")].into_iter();
        let all: Vec<String> =
            all.chain(early.map(|(count, word)| format!("{count} {word}"))).collect();
        return all.join(", ");
    }
    match (stopped, failed) {
        (0, 0) => "done".to_owned(),
        (stopped, 0) => format!("{stopped} of {all} stopped"),
        (0, failed) => format!("{failed} of {all} failed"),
        (stopped, failed) => format!("{stopped} stopped, {failed} failed of {all}"),
    }
}

/// Share of the pages of the whole machine from which on those of other programs are mentioned.
const OTHERS_SHARE: f64 = 0.05;
/// Pages by which the counters of a cgroup can lag, for each CPU: the kernel adds them up in batches.
const COUNTER_BATCH: u64 = 64;

/// Bytes that programs outside of the cgroup of a run swapped meanwhile in this direction; none if that is little.
/// Where the kernel counts swap-ins for the machine only, refaults of anonymous pages stand for them.
pub fn bytes_of_others(run: &Run, way: Direction) -> Option<f64> {
    let both = |own: Reading<f64>, all: Reading<f64>| own.map2(all, |own, all| (own, all));
    let counted = |measured: &RepetitionResult| {
        let swapped = both(fixed::own_swapped(measured, way), fixed::swapped(measured, way));
        if swapped.known().is_some() || way == Direction::Out {
            return swapped.known().copied();
        }
        let refaults = "workingset_refault_anon";
        let refaults =
            both(fixed::own_counter(measured, refaults), fixed::counter(measured, refaults));
        refaults.known().copied()
    };
    let each = run.measured.iter().filter_map(counted);
    let (own, all) = each.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let others = all - own;
    let lag = COUNTER_BATCH * run.machine.cpus.unwrap_or(1) * run.measured.len() as u64;
    let is_much = others > lag as f64 && others > OTHERS_SHARE * all;
    run.machine.page_size.filter(|_| is_much).map(|size| others * size as f64)
}

/// The largest ratio of rates at which processes are considered equally fast.
const MAX_RATE_RATIO: f64 = 10.0;

/// The rate of the fastest process as a multiple of its group's median, if it is far above. The
/// maximum over all finished repetitions.
pub fn rate_ratio(run: &Run) -> Option<f64> {
    let most = completed(run).flat_map(group_rate_ratios).max_by(f64::total_cmp)?;
    (most > MAX_RATE_RATIO).then_some(most)
}

/// The ratio of each group, because groups do different work.
fn group_rate_ratios(measured: &RepetitionResult) -> Vec<f64> {
    let groups: BTreeSet<u32> = measured.tasks.iter().map(|task| task.work).collect();
    let of_group = |group: u32| {
        let tasks = measured.tasks.iter().filter(|task| task.work == group);
        let rates = Summary::from_values(&tasks.filter_map(fixed::rate).collect::<Vec<_>>())?;
        (rates.median > 0.0).then(|| rates.most / rates.median)
    };
    groups.into_iter().filter_map(of_group).collect()
}

// Summaries of stored runs and experiments.

/// The kind of a run, in a word.
pub const RUN: &str = "run";

/// An entry in the list of results.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultEntry {
    /// The number.
    pub id: u64,
    /// The name of the file.
    pub file: Name,
    /// The summary, or the reason why the file cannot be read.
    pub short: Reading<ResultSummary>,
}

/// A summary of a run or an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultSummary {
    /// When it began, in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// The kind, in a word.
    pub kind: &'static str,
    /// The title.
    pub title: String,
    /// The release of the kernel.
    pub kernel: Reading<String>,
    /// The number of completed repetitions; of an experiment, those of all cases.
    pub repetitions: u64,
    /// How it ended.
    pub end: String,
    /// Means of figures, by id.
    means: Vec<(&'static str, Reading<f64>)>,
}

/// The figures in a summary.
const SHOWN: [&str; 4] = ["elapsed", "system", "throughput_sum", "free_mean"];

impl ResultSummary {
    /// Summarizes a run.
    pub fn from_run(run: &Run) -> Self {
        let mean = |id: &'static str| {
            let summary = figure(run, id).map(|figure| figure.summary());
            (id, summary.unwrap_or_else(no_figure).map(|summary| summary.mean))
        };
        Self {
            at_ms: run.at_ms,
            kind: RUN,
            title: run.title.clone(),
            kernel: Reading::or_absent(run.machine.kernel.clone(), "the release was not read"),
            repetitions: completed(run).count() as u64,
            end: describe_end(run),
            means: SHOWN.map(mean).into(),
        }
    }

    /// Summarizes an experiment, whose figures are those of its cases.
    pub fn from_experiment(experiment: &Experiment) -> Self {
        let measured: Vec<&RepetitionResult> = experiment.measured().collect();
        let kernel = experiment.runs().next().and_then(|run| run.machine.kernel.clone());
        let (made, wanted) = (measured.len(), experiment.planned_runs());
        let early = (made < wanted).then(|| format!("incomplete: {made} of {wanted} runs"));
        let each = || Reading::absent("each case has its own: see swapadm results show");
        Self {
            at_ms: experiment.at_ms,
            kind: "experiment",
            title: experiment.title.clone(),
            kernel: Reading::or_absent(kernel, "the release was not read"),
            repetitions: experiment.runs().flat_map(completed).count() as u64,
            end: early.unwrap_or_else(|| describe_ends(&measured, wanted)),
            means: SHOWN.map(|id| (id, each())).into(),
        }
    }

    /// The mean of a figure.
    pub fn mean(&self, id: &str) -> Reading<f64> {
        let found = self.means.iter().find(|(name, _)| *name == id);
        found.map_or_else(no_figure, |(_, mean)| mean.clone())
    }
}

fn no_figure<T>() -> Reading<T> {
    Missing::absent("the run does not have this figure").into()
}

/// How repetitions ended, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// All requested repetitions finished.
    Done,
    /// A repetition was stopped, or repetitions are missing.
    Stopped,
    /// A repetition failed.
    Failed,
}

impl RunStatus {
    /// Combines the ends of repetitions, of which `wanted` were requested; none without any.
    pub fn from_repetitions(measured: &[&RepetitionResult], wanted: usize) -> Option<Self> {
        let is_any = |is: fn(&RepetitionEnd) -> bool| measured.iter().any(|it| is(&it.end));
        if measured.is_empty() {
            return None;
        }
        Some(if is_any(|end| matches!(end, RepetitionEnd::Failed { .. })) {
            Self::Failed
        } else if measured.len() < wanted
            || is_any(|end| matches!(end, RepetitionEnd::Stopped { .. }))
        {
            Self::Stopped
        } else {
            Self::Done
        })
    }
}

/// The reason of the first repetition that did not finish.
pub fn why_not_done<'m>(measured: &[&'m RepetitionResult]) -> Option<&'m str> {
    measured.iter().find_map(|measured| match &measured.end {
        RepetitionEnd::Done => None,
        RepetitionEnd::Stopped { why } | RepetitionEnd::Failed { why } => Some(why.as_str()),
    })
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod entry_tests {
    use super::*;
    use crate::model::run::Run;

    #[test]
    fn a_word_says_how_all_of_them_ended() {
        let text = include_str!("../../tests/results/kept/1-before.json");
        let run: Run = serde_json::from_str(text).unwrap();
        let with = |ends: &[RepetitionEnd]| -> Vec<RepetitionResult> {
            let one = |end: &RepetitionEnd| RepetitionResult {
                end: end.clone(),
                ..run.measured[0].clone()
            };
            ends.iter().map(one).collect()
        };
        let stopped = RepetitionEnd::Stopped { why: "it was interrupted (SIGINT)".to_owned() };
        let failed = RepetitionEnd::Failed { why: "a process was killed".to_owned() };
        let of = |ends: &[RepetitionEnd], wanted| {
            let measured = with(ends);
            let measured: Vec<&RepetitionResult> = measured.iter().collect();
            (
                RunStatus::from_repetitions(&measured, wanted),
                why_not_done(&measured).map(str::to_owned),
            )
        };
        assert_eq!(of(&[], 2), (None, None));
        assert_eq!(
            of(&[RepetitionEnd::Done, RepetitionEnd::Done], 2),
            (Some(RunStatus::Done), None)
        );
        assert_eq!(of(&[RepetitionEnd::Done], 2), (Some(RunStatus::Stopped), None));
        let (end, why) = of(&[RepetitionEnd::Done, stopped.clone()], 2);
        assert_eq!(
            (end, why.as_deref()),
            (Some(RunStatus::Stopped), Some("it was interrupted (SIGINT)"))
        );
        assert_eq!(of(&[stopped, failed], 2).0, Some(RunStatus::Failed));
    }
}
