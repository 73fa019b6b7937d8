//! The figures of runs of the stress lab: what developers of the kernel report of theirs.
//!
//! A figure is one number for each repetition. Repetitions that did not come to their end have
//! none: they did something else than the others. What was not measured stays missing.

mod areas;
mod comparison;
mod entry;
mod figure;
mod fixed;
mod folios;
mod latency;

use super::statistics::Summary;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
pub use areas::{AreaUse, areas};
pub use comparison::{ResultPair, FigureComparison, CasePair, check_comparable, compare_runs, compare_cases, pair_cases};
pub use entry::{RunStatus, ResultEntry, RUN, ResultSummary, why_not_done};
use figure::per_repetition;
pub use figure::{Better, RunFigure, Measure, why_incomplete, completed, or_absent};
pub use fixed::PATTERNS;
pub use folios::{FolioUse, Rates, fail_rates_over_time, folios};
pub use latency::{TouchLatency, sampled, touch_latencies};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// All figures of a run.
pub fn figures(run: &Run) -> Vec<RunFigure> {
    let mut all = fixed::figures(|get| per_repetition(run, get));
    all.extend(latency::figures(run));
    all.extend(folios::figures(run));
    all.extend(areas::figures(run));
    all
}

/// The figure with this name.
pub fn figure(run: &Run, id: &str) -> Option<RunFigure> {
    figures(run).into_iter().find(|figure| figure.id == id)
}

/// What one repetition shows by itself, however it ended: the figures that every run has, each
/// with a single number.
pub fn measured_figures(measured: &RepetitionResult) -> Vec<RunFigure> {
    fixed::figures(|get| vec![get(measured)])
}

/// A run as it is shown by itself: where no repetition came to its end, with what those had shown
/// until then that were stopped. Nothing is compared with that: others did something else.
pub fn with_stopped_runs(run: &Run) -> Cow<'_, Run> {
    if completed(run).next().is_some() {
        return Cow::Borrowed(run);
    }
    let mut run = run.clone();
    for measured in &mut run.measured {
        if matches!(measured.end, RepetitionEnd::Stopped { .. }) {
            measured.end = RepetitionEnd::Done;
        }
    }
    Cow::Owned(run)
}

/// Is what is shown of a run what it had shown until it was stopped?
pub fn is_cut_short(run: &Run) -> bool {
    completed(run).next().is_none() && completed(&with_stopped_runs(run)).next().is_some()
}

/// How the whole run ended, in words.
pub fn describe_end(run: &Run) -> String {
    let measured: Vec<&RepetitionResult> = run.measured.iter().collect();
    // What older versions kept does not say how many were asked for.
    let wanted = run.repetitions.map_or(measured.len(), |wanted| wanted as usize);
    describe_ends(&measured, wanted)
}

/// How repetitions ended of which so many were wanted, in words.
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

/// Processes that lie no further apart than this do the same, more or less.
const MAX_RATE_RATIO: f64 = 10.0;

/// How many times as fast as the process in the middle of its group the fastest one touched its
/// memory, where they lie far apart: of all repetitions that came to their end the most.
pub fn rate_ratio(run: &Run) -> Option<f64> {
    let most = completed(run).flat_map(group_rate_ratios).max_by(f64::total_cmp)?;
    (most > MAX_RATE_RATIO).then_some(most)
}

/// The same of each group: others do other things.
fn group_rate_ratios(measured: &RepetitionResult) -> Vec<f64> {
    let groups: BTreeSet<u32> = measured.tasks.iter().map(|task| task.work).collect();
    let of_group = |group: u32| {
        let tasks = measured.tasks.iter().filter(|task| task.work == group);
        let rates = Summary::from_values(&tasks.filter_map(fixed::rate).collect::<Vec<_>>())?;
        (rates.median > 0.0).then(|| rates.most / rates.median)
    };
    groups.into_iter().filter_map(of_group).collect()
}

#[cfg(test)]
mod tests;
