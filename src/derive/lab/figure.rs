//! A figure of a run: a number for each repetition, its unit, and which direction is better.

use crate::derive::statistics::Summary;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::model::{Missing, Reading, worded_enum};

worded_enum! {
    /// The unit of a figure.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Measure {
        /// Seconds.
        Seconds = "s",
        /// Microseconds.
        Micros = "us",
        /// Nanoseconds.
        Nanos = "ns",
        /// 2^20 bytes per second.
        MebibytesPerSecond = "MiB/s",
        /// 2^20 bytes.
        Mebibytes = "MiB",
        /// Base pages.
        Pages = "pages",
        /// Base pages per second.
        PagesPerSecond = "pages/s",
        /// A count.
        Count = "count",
        /// Percent.
        Percent = "%",
        /// A ratio to 1.
        Ratio = "to 1",
    }
}

/// A unit in which numbers are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownUnit {
    /// As written after a number.
    pub word: &'static str,
    /// How much of the unit of the figure it is.
    pub size: f64,
}

impl Measure {
    /// The unit in which numbers up to this one are shown: short times in parts of a second.
    pub fn shown(self, largest: f64) -> ShownUnit {
        let (word, size) = match (self, largest) {
            (Self::Seconds, it) if it <= 0.0 || it >= 0.1 => ("s", 1.0),
            (Self::Seconds, it) if it >= 1e-4 => ("ms", 1e-3),
            (Self::Seconds, it) if it >= 1e-7 => ("us", 1e-6),
            (Self::Seconds, _) => ("ns", 1e-9),
            (other, _) => (other.word(), 1.0),
        };
        ShownUnit { word, size }
    }

    /// Each unit with its description.
    pub const MEANINGS: [(Self, &'static str); 10] = [
        (Self::Seconds, "Seconds."),
        (Self::Micros, "Microseconds."),
        (Self::Nanos, "Nanoseconds."),
        (Self::MebibytesPerSecond, "Mebibytes, of 2^20 bytes, per second."),
        (Self::Mebibytes, "Mebibytes, of 2^20 bytes."),
        (Self::Pages, "Base pages."),
        (Self::PagesPerSecond, "Base pages per second."),
        (Self::Count, "A count."),
        (Self::Percent, "Percent."),
        (Self::Ratio, "A ratio to 1."),
    ];
}

worded_enum! {
    /// The subject of a figure: more than the workload where the kernel counts nothing for it alone.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FigureScope {
        /// The processes of the workload, or their cgroup.
        Workload = "workload",
        /// The areas, with the pages of all programs on them.
        Areas = "areas",
        /// The whole machine, with all programs that ran meanwhile.
        Machine = "machine",
    }
}

/// Which direction is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Higher is better.
    Higher,
    /// Lower is better.
    Lower,
    /// Neither: the figure describes what happened.
    Neither,
}

/// A figure of a run, with a number for each repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFigure {
    /// The name for programs.
    pub id: String,
    /// The name for people.
    pub head: String,
    /// The unit.
    pub measure: Measure,
    /// Which direction is better.
    pub better: Better,
    /// The subject.
    pub scope: FigureScope,
    /// Whether it is also part of a detail table: areas, folios or latency.
    pub is_detail: bool,
    /// Share of a number by which it can be off.
    pub accuracy: f64,
    /// The numbers, one for each repetition.
    pub values: Vec<Reading<f64>>,
}

impl RunFigure {
    /// Summarizes the numbers.
    pub fn summary(&self) -> Reading<Summary> {
        let known: Vec<f64> = self.values.iter().filter_map(Reading::known).copied().collect();
        match Summary::from_values(&known) {
            Some(summary) => Reading::Known(Summary { accuracy: self.accuracy, ..summary }),
            None => self.why(),
        }
    }

    /// The reason why there is no number, taken from the first repetition without one.
    fn why<T>(&self) -> Reading<T> {
        let first = self.values.iter().find_map(Reading::missing).cloned();
        first.unwrap_or_else(|| Missing::absent("the run has no repetitions")).into()
    }
}

/// The numbers of the finished repetitions.
pub(super) fn per_repetition(
    run: &Run,
    get: impl Fn(&RepetitionResult) -> Reading<f64>,
) -> Vec<Reading<f64>> {
    let value = |measured: &RepetitionResult| match why_incomplete(measured) {
        Some(why) => why.into(),
        None => get(measured),
    };
    run.measured.iter().map(value).collect()
}

/// The reason why a repetition has no figures, if it did not finish.
pub fn why_incomplete(measured: &RepetitionResult) -> Option<Missing> {
    match &measured.end {
        RepetitionEnd::Done => None,
        RepetitionEnd::Stopped { why } => {
            Some(Missing::absent(format!("the repetition was stopped: {why}")))
        }
        RepetitionEnd::Failed { why } => {
            Some(Missing::absent(format!("the repetition failed: {why}")))
        }
    }
}

/// The finished repetitions.
pub fn completed(run: &Run) -> impl Iterator<Item = &RepetitionResult> {
    run.measured.iter().filter(|measured| measured.end == RepetitionEnd::Done)
}

/// The mean of numbers; none without any.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    Summary::from_values(&values.collect::<Vec<_>>()).map(|summary| summary.mean)
}
