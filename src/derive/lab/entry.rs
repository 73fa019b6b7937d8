//! A kept run or experiment in a line.

use super::{ending, ending_of, figure, or_absent};
use crate::model::experiment::Experiment;
use crate::model::run::{Measured, Run};
use crate::model::{Missing, Name, Reading};

/// What a run is called in a word.
pub const RUN: &str = "run";

/// What is kept under a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The number.
    pub id: u64,
    /// The name of the file.
    pub file: Name,
    /// What it holds, or why that cannot be told.
    pub short: Reading<Short>,
}

/// A run or an experiment in short.
#[derive(Clone, Debug, PartialEq)]
pub struct Short {
    /// When it began, in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// What it is, in a word.
    pub kind: &'static str,
    /// What it is called.
    pub title: String,
    /// The release of the kernel.
    pub kernel: Reading<String>,
    /// How often it was repeated; of an experiment, all runs of its cases.
    pub repetitions: u64,
    /// How it ended, in words.
    pub end: String,
    /// Means, by the names of their figures.
    means: Vec<(&'static str, Reading<f64>)>,
}

/// The figures that a line shows.
const SHOWN: [&str; 4] = ["elapsed", "system", "throughput_sum", "free_mean"];

impl Short {
    /// Of this run.
    pub fn of(run: &Run) -> Self {
        let mean = |id: &'static str| {
            let summary = figure(run, id).map(|figure| figure.summary());
            (id, summary.unwrap_or_else(nothing).map(|summary| summary.mean))
        };
        Self {
            at_ms: run.at_ms,
            kind: RUN,
            title: run.title.clone(),
            kernel: or_absent(run.machine.kernel.clone(), "the release was not read"),
            repetitions: run.measured.len() as u64,
            end: ending(run),
            means: SHOWN.map(mean).into(),
        }
    }

    /// Of this experiment, whose figures are those of its cases.
    pub fn of_experiment(experiment: &Experiment) -> Self {
        let measured: Vec<&Measured> = experiment.measured().collect();
        let kernel = experiment.runs().next().and_then(|run| run.machine.kernel.clone());
        let (made, wanted) = (measured.len(), experiment.wanted());
        let early = (made < wanted).then(|| format!("not complete: {made} of {wanted} runs"));
        let each = || Reading::absent("it has one for each case: swapadm results show prints them");
        Self {
            at_ms: experiment.at_ms,
            kind: "experiment",
            title: experiment.title.clone(),
            kernel: or_absent(kernel, "the release was not read"),
            repetitions: made as u64,
            end: early.unwrap_or_else(|| ending_of(&measured, wanted)),
            means: SHOWN.map(|id| (id, each())).into(),
        }
    }

    /// The mean of a figure.
    pub fn mean(&self, id: &str) -> Reading<f64> {
        let found = self.means.iter().find(|(name, _)| *name == id);
        found.map_or_else(nothing, |(_, mean)| mean.clone())
    }
}

fn nothing<T>() -> Reading<T> {
    Missing::absent("the run has no such figure").into()
}
