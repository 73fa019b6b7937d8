//! The figures of runs of the stress lab: what developers of the kernel report of theirs.
//!
//! A figure is one number for each repetition. Repetitions that did not come to their end have
//! none: they did something else than the others. What was not measured stays missing.

mod areas;
mod compared;
mod entry;
mod figure;
mod fixed;
mod folios;
mod latency;

use super::statistics::Summary;
use crate::model::run::{Ending, Measured, Run};
pub use areas::{AreaUse, areas};
pub use compared::{Both, Compared, Pair, comparable, compared, compared_cases, pairs};
pub use entry::{Ended, Entry, RUN, Short, why_not_done};
use figure::each;
pub use figure::{Better, Figure, Measure, cut_short, done, or_absent};
pub use fixed::PATTERNS;
pub use folios::{FolioUse, Rates, fail_rates_over_time, folios};
pub use latency::{Touches, sampled, touches};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// All figures of a run.
pub fn figures(run: &Run) -> Vec<Figure> {
    let mut all = fixed::figures(|get| each(run, get));
    all.extend(latency::figures(run));
    all.extend(folios::figures(run));
    all.extend(areas::figures(run));
    all
}

/// The figure with this name.
pub fn figure(run: &Run, id: &str) -> Option<Figure> {
    figures(run).into_iter().find(|figure| figure.id == id)
}

/// What one repetition shows by itself, however it ended: the figures that every run has, each
/// with a single number.
pub fn figures_of(measured: &Measured) -> Vec<Figure> {
    fixed::figures(|get| vec![get(measured)])
}

/// A run as it is shown by itself: where no repetition came to its end, with what those had shown
/// until then that were stopped. Nothing is compared with that: others did something else.
pub fn as_far_as(run: &Run) -> Cow<'_, Run> {
    if done(run).next().is_some() {
        return Cow::Borrowed(run);
    }
    let mut run = run.clone();
    for measured in &mut run.measured {
        if matches!(measured.end, Ending::Stopped { .. }) {
            measured.end = Ending::Done;
        }
    }
    Cow::Owned(run)
}

/// Is what is shown of a run what it had shown until it was stopped?
pub fn is_cut_short(run: &Run) -> bool {
    done(run).next().is_none() && done(&as_far_as(run)).next().is_some()
}

/// How the whole run ended, in words.
pub fn ending(run: &Run) -> String {
    let measured: Vec<&Measured> = run.measured.iter().collect();
    // What older versions kept does not say how many were asked for.
    let wanted = run.repetitions.map_or(measured.len(), |wanted| wanted as usize);
    ending_of(&measured, wanted)
}

/// How repetitions ended of which so many were wanted, in words.
fn ending_of(measured: &[&Measured], wanted: usize) -> String {
    let all = measured.len();
    let count = |is: fn(&Ending) -> bool| measured.iter().filter(|it| is(&it.end)).count();
    let stopped = count(|end| matches!(end, Ending::Stopped { .. }));
    let failed = count(|end| matches!(end, Ending::Failed { .. }));
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
const FAR: f64 = 10.0;

/// How many times as fast as the process in the middle of its group the fastest one touched its
/// memory, where they lie far apart: of all repetitions that came to their end the most.
pub fn apart(run: &Run) -> Option<f64> {
    let most = done(run).flat_map(of_groups).max_by(f64::total_cmp)?;
    (most > FAR).then_some(most)
}

/// The same of each group: others do other things.
fn of_groups(measured: &Measured) -> Vec<f64> {
    let groups: BTreeSet<u32> = measured.tasks.iter().map(|task| task.work).collect();
    let of_group = |group: u32| {
        let tasks = measured.tasks.iter().filter(|task| task.work == group);
        let rates = Summary::of(&tasks.filter_map(fixed::rate).collect::<Vec<_>>())?;
        (rates.median > 0.0).then(|| rates.most / rates.median)
    };
    groups.into_iter().filter_map(of_group).collect()
}

#[cfg(test)]
mod tests;
