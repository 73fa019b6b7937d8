//! Clusters of swap areas, by the views into the kernel that tell of them.

mod copy;
mod grid;
mod cgroup_names;
mod symbol_tables;
mod kcore;
pub mod kernel;
mod layout;
pub mod mapped;
mod memory;
mod next_slots;
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
pub fn with_counted_use(
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

/// Why there is no more of an area.
const OFF: &str = "it was swapped off while it was read";
/// How often areas are looked at that come and go meanwhile.
const TRIES: u32 = 3;

/// What is read of areas that are told apart by their order alone, and their rows, which are the same
/// before and after that.
fn read_unchanged<T>(root: &Root, read: impl Fn(&[SwapArea]) -> Reading<T>) -> Reading<(Vec<SwapArea>, T)> {
    let once = || {
        let before = swaps::read(root).into_result()?;
        let found = read(&before).into_result()?;
        let after = swaps::read(root).into_result()?;
        if before.iter().map(SwapArea::identity).eq(after.iter().map(SwapArea::identity)) {
            return Ok((after, found));
        }
        Err(Missing::failed("areas were switched on or off while they were read: ask again"))
    };
    let mut found = once();
    for _ in 1..TRIES {
        found = found.or_else(|_| once());
    }
    found.into()
}

/// What was read by these rows, for each of the areas that were asked for.
fn for_areas<T: Clone>(
    areas: &[SwapArea],
    rows: &[SwapArea],
    found: &[Reading<T>],
) -> Vec<Reading<T>> {
    let one = |place: Option<usize>| match place.and_then(|place| found.get(place)) {
        Some(found) => found.clone(),
        None => Reading::failed("the area was switched on or off meanwhile: ask again"),
    };
    SwapArea::indices_in(areas, rows).into_iter().map(one).collect()
}

/// The maps of these areas, of which those say so that are not there any more: of one that was swapped off
/// part of what was on it is missing, or all.
fn mark_disabled(
    root: &Root,
    areas: &[SwapArea],
    maps: Vec<Reading<ClusterMap>>,
) -> Vec<Reading<ClusterMap>> {
    let Ok(now) = swaps::read(root).into_result() else { return maps };
    let one = |(map, place): (Reading<ClusterMap>, Option<usize>)| match place {
        Some(_) => map,
        None => map.and_then(disabled),
    };
    maps.into_iter().zip(SwapArea::indices_in(areas, &now)).map(one).collect()
}

fn disabled(map: ClusterMap) -> Reading<ClusterMap> {
    if map.used() == 0 {
        return Reading::failed(OFF);
    }
    Reading::Known(ClusterMap { partial: map.partial.or_else(|| Some(OFF.to_owned())), ..map })
}

#[cfg(test)]
mod tests;
