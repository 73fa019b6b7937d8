//! Latencies of accesses.

use super::figure::{Better, FigureScope, Measure, RunFigure, completed, per_repetition};
use crate::model::Reading;
use crate::model::run::{Histogram, Latency, RepetitionResult, Run};

/// Selects one of the histograms.
type HistogramOf = fn(&Latency) -> &Histogram;

/// Kinds of accesses by the fault they met: name and histogram.
const KINDS: [(&str, HistogramOf); 4] = [
    ("all", |latency| &latency.all),
    ("none", |latency| &latency.none),
    ("minor", |latency| &latency.minor),
    ("major", |latency| &latency.major),
];

/// The quantiles that are shown, by name.
const SHARES: [(&str, f64); 4] = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)];

/// Latencies of accesses of one kind, over all finished repetitions.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchLatency {
    /// The kind of fault: all, none, minor or major.
    pub kind: &'static str,
    /// The histogram of times, in nanoseconds.
    pub took: Histogram,
}

impl TouchLatency {
    /// A quantile, in microseconds.
    pub fn quantile(&self, share: f64) -> Reading<f64> {
        Reading::or_absent(self.took.quantile(share).map(micros), NO_TOUCH)
    }

    /// The mean, in microseconds.
    pub fn mean(&self) -> Reading<f64> {
        Reading::or_absent(self.took.mean().map(|nanos| nanos / 1e3), NO_TOUCH)
    }
}

/// The latencies of all kinds; `all` is first.
pub fn touch_latencies(run: &Run) -> Vec<TouchLatency> {
    let of_kind = |(kind, of): &(&'static str, HistogramOf)| {
        let mut took = Histogram::default();
        completed(run).for_each(|measured| took.merge(&merged_histogram(measured, *of)));
        TouchLatency { kind, took }
    };
    KINDS.iter().map(of_kind).collect()
}

/// The sampling interval: every n-th access was classified. None if all or none were.
pub fn sampled(run: &Run) -> Option<u32> {
    let tasks = completed(run).flat_map(|measured| &measured.tasks);
    tasks.map(|task| task.touched.latency.sampled).find(|sampled| *sampled > 1)
}

/// A figure for each kind and quantile.
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
        let values = per_repetition(run, |it| {
            Reading::or_absent(merged_histogram(it, of).quantile(*share).map(micros), NO_TOUCH)
        });
        RunFigure {
            id: format!("{id}_{name}"),
            head: format!("{head} {name}"),
            measure: Measure::Micros,
            better: Better::Lower,
            scope: FigureScope::Workload,
            is_detail: true,
            // The maximum is exact.
            accuracy: if *share < 1.0 { Histogram::ACCURACY } else { 0.0 },
            values,
        }
    };
    SHARES.iter().map(figure).collect()
}

const NO_TOUCH: &str = "there was no such access";

fn micros(nanos: u64) -> f64 {
    nanos as f64 / 1e3
}

fn merged_histogram(measured: &RepetitionResult, of: HistogramOf) -> Histogram {
    let mut all = Histogram::default();
    measured.tasks.iter().for_each(|task| all.merge(of(&task.touched.latency)));
    all
}
