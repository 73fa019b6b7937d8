//! A kept run in a line.

use super::{ending, figure, or_absent};
use crate::model::run::Run;
use crate::model::{Missing, Name, Reading};

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

/// A run in short.
#[derive(Clone, Debug, PartialEq)]
pub struct Short {
    /// When it began, in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// What it is called.
    pub title: String,
    /// The release of the kernel.
    pub kernel: Reading<String>,
    /// How often it was repeated.
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
    #[must_use]
    pub fn of(run: &Run) -> Self {
        let mean = |id: &'static str| {
            let summary = figure(run, id).map(|figure| figure.summary());
            (id, summary.unwrap_or_else(nothing).map(|summary| summary.mean))
        };
        Self {
            at_ms: run.at_ms,
            title: run.title.clone(),
            kernel: or_absent(run.machine.kernel.clone(), "the release was not read"),
            repetitions: run.measured.len() as u64,
            end: ending(run),
            means: SHOWN.map(mean).into(),
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
