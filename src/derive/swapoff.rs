//! Was swap being taken away between two samples, or is it now?
//!
//! A swapoff reads every page back, through the readahead code on most kernels: counters of
//! readahead then say nothing about the workload.

use super::View;
use crate::model::{Bytes, Missing, Reading, Snapshot};

/// Is an area being drained at this moment? Its row still stands, but `SwapTotal` counts only what
/// is left on it.
#[must_use]
pub fn under_way(snapshot: &Snapshot) -> Reading<bool> {
    let listed = snapshot.swaps.reading.as_ref();
    let listed = listed.map(|areas| areas.iter().map(|area| area.size).sum::<Bytes>());
    listed.map2(snapshot.memory("SwapTotal"), |listed, total| listed > total)
}

/// What a swapoff consists of, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Until all processors have gone through the kernel once.
    pub grace: f64,
    /// A fault that gets a page of memory.
    pub fault: f64,
    /// Reading a page from the area, or decompressing it.
    pub read: f64,
}

/// An area that holds nothing takes so many times as long to switch off as all processors take to
/// go through the kernel.
const GRACES: f64 = 2.5;
/// A page that comes back takes so many times as long as a fault, beside the reading: it is looked
/// for, gets memory, and is put in its place.
const FAULTS: f64 = 1.5;

/// How long it will take to switch an area off that holds so many pages, in seconds.
#[must_use]
pub fn expected(costs: Costs, pages: u64) -> f64 {
    let each = FAULTS * costs.fault + costs.read;
    (GRACES * costs.grace + pages as f64 * each) / 1e9
}

/// The part of what is on areas that read from devices which is in memory already, in the swap cache:
/// nobody tells of which area that is.
#[must_use]
pub fn cached(snapshot: &Snapshot, on_devices: Bytes) -> f64 {
    let cached = snapshot.memory("SwapCached").known().map_or(0, |cached| cached.0);
    if on_devices.0 == 0 { 0.0 } else { (cached as f64 / on_devices.0 as f64).min(1.0) }
}

/// Did one run, wholly or partly, between the two samples?
#[must_use]
pub fn in_window(view: &View<'_>) -> Reading<bool> {
    let Some(before) = view.before else {
        return Missing::OneSample.into();
    };
    let gone = before.swaps.reading.as_ref().map2(view.now.swaps.reading.as_ref(), |old, new| {
        old.iter().any(|area| !new.iter().any(|other| other.path == area.path))
    });
    let draining = under_way(before).map2(under_way(view.now), |a, b| a || b);
    gone.map2(draining, |gone, draining| gone || draining)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::snapshot::testing::with_memory;

    #[test]
    fn it_takes_a_while_for_nothing_and_more_for_each_page() {
        let costs = Costs { grace: 8e6, fault: 1200.0, read: 0.0 };
        let is_near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found}");
        is_near(expected(costs, 0), 0.020);
        is_near(expected(costs, 10_000), 0.020 + 0.018);
        is_near(expected(Costs { read: 50_000.0, ..costs }, 10_000), 0.020 + 0.518);
    }

    #[test]
    fn what_is_cached_is_not_read() {
        let percent = |kib, on| {
            let part = cached(&with_memory(&[("SwapCached", kib)]), Bytes::from_kib(on));
            format!("{:.0}", part * 100.0)
        };
        assert_eq!([percent(30, 60), percent(90, 60), percent(30, 0)], ["50", "100", "0"]);
    }
}
