//! What happened to the clusters of an area between two looks.

use super::best;
use crate::derive::View;
use crate::model::clusters::ClusterMap;
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Reading, Snapshot};

/// Clusters of which something changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turned {
    /// Nothing was on them, and now something is.
    pub begun: u64,
    /// Something was on them, and now nothing is.
    pub emptied: u64,
    /// There was room on them, and now there is none.
    pub filled: u64,
    /// They have more or fewer slots taken than before.
    pub changed: u64,
}

/// The clusters in the sample before of the area in this place now, by the same view.
pub fn earlier<'v>(view: &View<'v>, place: usize, now: &ClusterMap) -> Reading<&'v ClusterMap> {
    let Some(before) = view.before else { return Missing::OneSample.into() };
    let Some(place) = place_in(before, view.now, place) else {
        return Reading::absent("it was not active in the sample before");
    };
    let form = |map: &ClusterMap| (map.view, map.slots, map.cluster_slots, map.clusters.len());
    best(before, place).and_then(|map| {
        if form(map) == form(now) {
            return Reading::Known(map);
        }
        Reading::absent("the sample before was of another view, or of another area of this name")
    })
}

/// Where another sample has the area in this place. Areas of one name stand in the same order there.
fn place_in(other: &Snapshot, now: &Snapshot, place: usize) -> Option<usize> {
    let areas = now.swaps.reading.known()?;
    let area = areas.get(place)?;
    let is_called = |other: &SwapArea| (&other.path, other.deleted) == (&area.path, area.deleted);
    let before = areas.iter().take(place).filter(|other| is_called(other)).count();
    let mut called = (0..).zip(other.swaps.reading.known()?).filter(|(_, other)| is_called(other));
    called.nth(before).map(|(place, _)| place)
}

/// How many clusters turned from one state to another. What went to and fro between the two looks is not
/// seen.
pub fn turned(before: &ClusterMap, now: &ClusterMap) -> Turned {
    let mut turned = Turned::default();
    let full = now.cluster_slots;
    for (before, now) in before.clusters.iter().zip(&now.clusters) {
        let (old, new) = (u32::from(before.taken), u32::from(now.taken));
        turned.begun += u64::from(old == 0 && new > 0);
        turned.emptied += u64::from(old > 0 && new == 0);
        turned.filled += u64::from(old < full && new >= full);
        turned.changed += u64::from(old != new);
    }
    turned
}

/// By how much a figure of the clusters is more than it was.
pub fn grown(before: u64, now: u64) -> i64 {
    i64::try_from(i128::from(now) - i128::from(before)).unwrap_or(i64::MAX)
}
