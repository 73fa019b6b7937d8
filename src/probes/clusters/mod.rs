//! Clusters of swap areas, by the views into the kernel that tell of them.

mod copy;
mod grid;
mod groups;
mod hidden;
mod kcore;
pub mod kernel;
mod layout;
pub mod mapped;
mod memory;
mod next;
mod owners;
pub mod states;
pub mod stored;
pub(super) mod symbols;
#[cfg(test)]
mod testing;

use crate::model::clusters::ClusterMap;
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Reading, Snapshot};
use crate::probes::swaps;
use crate::root::Root;

/// What a view tells of each area, with what `/proc/swaps` told of it at the same time: later it may tell
/// another number, of which nobody has looked for the slots.
#[must_use]
pub fn held_against(
    snapshot: &Snapshot,
    maps: Reading<Vec<Reading<ClusterMap>>>,
) -> Reading<Vec<Reading<ClusterMap>>> {
    let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let used = |place: usize| areas.get(place).and_then(|area| area.used.known().copied());
    let held = |(place, map): (usize, Reading<ClusterMap>)| {
        map.map(|map| ClusterMap { counted: used(place), ..map })
    };
    maps.map(|maps| (0..).zip(maps).map(held).collect())
}

/// The areas as they are now, if they are still the same: what was read is told apart by their order.
fn still(root: &Root, before: &[SwapArea]) -> Result<Vec<SwapArea>, Missing> {
    let after = swaps::read(root).into_result()?;
    let paths = |areas: &[SwapArea]| areas.iter().map(|area| area.path.clone()).collect::<Vec<_>>();
    if paths(before) == paths(&after) {
        return Ok(after);
    }
    Err(Missing::failed("an area was switched on or off meanwhile: ask again"))
}
