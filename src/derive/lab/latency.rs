//! How long touches took.

use super::figure::{Better, RunFigure, Measure, completed, per_repetition, or_absent};
use crate::model::Reading;
use crate::model::run::{Histogram, Latency, RepetitionResult, Run};

/// Which of the histograms.
type HistogramOf = fn(&Latency) -> &Histogram;

/// Touches, by what they met: their name, and which of the histograms holds them.
const KINDS: [(&str, HistogramOf); 4] = [
    ("all", |latency| &latency.all),
    ("none", |latency| &latency.none),
    ("minor", |latency| &latency.minor),
    ("major", |latency| &latency.major),
];

/// Which shares are shown, by their names.
const SHARES: [(&str, f64); 4] = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)];

/// Touches of one kind, in all repetitions that came to their end.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchLatency {
    /// What they met: all, none, minor or major.
    pub kind: &'static str,
    /// How long they took, in nanoseconds.
    pub took: Histogram,
}

impl TouchLatency {
    /// What this share of them does not exceed, in microseconds.
    pub fn quantile(&self, share: f64) -> Reading<f64> {
        or_absent(self.took.quantile(share).map(micros), NO_TOUCH)
    }

    /// Their mean, in microseconds.
    pub fn mean(&self) -> Reading<f64> {
        or_absent(self.took.mean().map(|nanos| nanos / 1e3), NO_TOUCH)
    }
}

/// All kinds, those first that hold all.
pub fn touch_latencies(run: &Run) -> Vec<TouchLatency> {
    let of_kind = |(kind, of): &(&'static str, HistogramOf)| {
        let mut took = Histogram::default();
        completed(run).for_each(|measured| took.merge(&merged_histogram(measured, *of)));
        TouchLatency { kind, took }
    };
    KINDS.iter().map(of_kind).collect()
}

/// In how many touches one was asked what it met; none where all were, or none was.
pub fn sampled(run: &Run) -> Option<u32> {
    let tasks = completed(run).flat_map(|measured| &measured.tasks);
    tasks.map(|task| task.touched.latency.sampled).find(|sampled| *sampled > 1)
}

/// One for each kind and share.
pub(super) fn figures(run: &Run) -> Vec<RunFigure> {
    KINDS.iter().flat_map(|(kind, of)| kind_figures(run, kind, *of)).collect()
}

fn kind_figures(run: &Run, kind: &str, of: HistogramOf) -> Vec<RunFigure> {
    let (id, head) = match kind {
        "all" => ("latency", "Latency"),
        "none" => ("latency_none", "No fault"),
        "minor" => ("latency_minor", "Minor fault"),
        _ => ("latency_major", "Major fault"),
    };
    let figure = |(name, share): &(&str, f64)| {
        let values = per_repetition(run, |it| or_absent(merged_histogram(it, of).quantile(*share).map(micros), NO_TOUCH));
        RunFigure {
            id: format!("{id}_{name}"),
            head: format!("{head} {name}"),
            measure: Measure::Micros,
            better: Better::Lower,
            is_detail: true,
            values,
        }
    };
    SHARES.iter().map(figure).collect()
}

const NO_TOUCH: &str = "no such touch was seen";

fn micros(nanos: u64) -> f64 {
    nanos as f64 / 1e3
}

fn merged_histogram(measured: &RepetitionResult, of: HistogramOf) -> Histogram {
    let mut all = Histogram::default();
    measured.tasks.iter().for_each(|task| all.merge(of(&task.touched.latency)));
    all
}
