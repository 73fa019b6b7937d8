//! Summaries of stored runs and experiments.

use super::{completed, describe_end, describe_ends, figure};
use crate::model::experiment::Experiment;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::model::{Missing, Name, Reading};
use serde::Serialize;

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
mod tests {
    use super::*;
    use crate::model::run::Run;

    #[test]
    fn a_word_says_how_all_of_them_ended() {
        let text = include_str!("../../../tests/results/kept/1-before.json");
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
