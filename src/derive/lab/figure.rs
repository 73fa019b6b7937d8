//! A figure of a run: a number for each repetition, what it counts, and which direction is better.

use crate::derive::statistics::Summary;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::model::{Missing, Reading};

/// What the numbers of a figure count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Seconds.
    Seconds,
    /// Millionths of a second.
    Micros,
    /// Billionths of a second.
    Nanos,
    /// 2^20 bytes in a second.
    MegabytesPerSecond,
    /// 2^20 bytes.
    Megabytes,
    /// Base pages.
    Pages,
    /// Base pages in a second.
    PagesPerSecond,
    /// Things.
    Count,
    /// Parts in a hundred.
    Percent,
    /// So many to one.
    Ratio,
}

impl Measure {
    /// As it is written beside a number.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Micros => "us",
            Self::Nanos => "ns",
            Self::MegabytesPerSecond => "MB/s",
            Self::Megabytes => "MB",
            Self::Pages => "pages",
            Self::PagesPerSecond => "pages/s",
            Self::Count => "count",
            Self::Percent => "%",
            Self::Ratio => "to 1",
        }
    }

    /// Each of them, with what it means.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::Seconds, "Seconds."),
        (Self::Micros, "Millionths of a second."),
        (Self::Nanos, "Billionths of a second."),
        (Self::MegabytesPerSecond, "MB in a second: MB are 2^20 bytes."),
        (Self::Megabytes, "MB are 2^20 bytes."),
        (Self::Pages, "Base pages."),
        (Self::PagesPerSecond, "Base pages in a second."),
        (Self::Count, "Things."),
        (Self::Percent, "Parts in a hundred."),
        (Self::Ratio, "So many to one."),
    ];
}

/// Which direction people wish for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
    /// It tells what happened, and is neither good nor bad by itself.
    Neither,
}

/// A figure of a run, repetition by repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFigure {
    /// Its name for programs.
    pub id: String,
    /// What it is called.
    pub head: String,
    /// What its numbers count.
    pub measure: Measure,
    /// Which direction is wished for.
    pub better: Better,
    /// Does it stand in a table of its own as well, of areas, folios or latency?
    pub is_detail: bool,
    /// Its numbers, as many as repetitions.
    pub values: Vec<Reading<f64>>,
}

impl RunFigure {
    /// What its numbers come to.
    pub fn summary(&self) -> Reading<Summary> {
        let known: Vec<f64> = self.values.iter().filter_map(Reading::known).copied().collect();
        match Summary::from_values(&known) {
            Some(summary) => Reading::Known(summary),
            None => self.why(),
        }
    }

    /// Why there is nothing to sum up: what is said of most repetitions, which is said of the first.
    fn why<T>(&self) -> Reading<T> {
        let first = self.values.iter().find_map(Reading::missing).cloned();
        first.unwrap_or_else(|| Missing::absent("the run has no repetition")).into()
    }
}

/// A number for each repetition that came to its end.
pub(super) fn per_repetition(run: &Run, get: impl Fn(&RepetitionResult) -> Reading<f64>) -> Vec<Reading<f64>> {
    let value = |measured: &RepetitionResult| match why_incomplete(measured) {
        Some(why) => why.into(),
        None => get(measured),
    };
    run.measured.iter().map(value).collect()
}

/// Why what a repetition has shown is no result, where it did not come to its end.
pub fn why_incomplete(measured: &RepetitionResult) -> Option<Missing> {
    match &measured.end {
        RepetitionEnd::Done => None,
        RepetitionEnd::Stopped { why } => {
            Some(Missing::absent(format!("the repetition was stopped: {why}")))
        }
        RepetitionEnd::Failed { why } => Some(Missing::absent(format!("the repetition failed: {why}"))),
    }
}

/// The repetitions that came to their end.
pub fn completed(run: &Run) -> impl Iterator<Item = &RepetitionResult> {
    run.measured.iter().filter(|measured| measured.end == RepetitionEnd::Done)
}

/// The mean of what each gives; none where there is nothing.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    Summary::from_values(&values.collect::<Vec<_>>()).map(|summary| summary.mean)
}

/// What there is, or why there is not.
pub fn or_absent<T>(value: Option<T>, why: &'static str) -> Reading<T> {
    value.map_or_else(|| Reading::absent(why), Reading::Known)
}
