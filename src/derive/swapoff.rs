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
