//! Work that several benchmarks measure, and its median cost.

use swapadm::clock::Clock;
use swapadm::derive::SampleView;
use swapadm::model::Policy;
use swapadm::probes;
use swapadm::report::metrics::{MetricFormat, MetricSelection};
use swapadm::root::Root;

/// The median CPU time of an odd number of rounds, in microseconds.
pub(crate) fn median(rounds: usize, mut round: impl FnMut()) -> u64 {
    round();
    let mut costs: Vec<u64> = (0..rounds)
        .map(|_| {
            let before = Clock::Real.cpu_us();
            round();
            Clock::Real.cpu_us() - before
        })
        .collect();
    costs.sort_unstable();
    costs.get(rounds / 2).copied().unwrap_or_default()
}

/// Reads a machine for metrics, and writes them.
pub(crate) fn scrape(root: &Root) {
    let metrics = MetricSelection::default();
    let now = probes::sample(root, &Clock::Real, metrics.needs());
    let view = SampleView::single(&now);
    std::hint::black_box(metrics.text(&view, &Policy::DEFAULT, MetricFormat::OpenMetrics));
}
