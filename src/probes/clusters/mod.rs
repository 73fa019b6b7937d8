//! Clusters of swap areas, from several views into the kernel.

mod cgroup_names;
mod copy;
mod grid;
mod kcore;
pub mod kernel;
mod layout;
pub mod mapped;
mod memory;
mod next_slots;
pub mod states;
pub mod stored;
mod symbol_tables;
pub(super) mod symbols;
#[cfg(test)]
mod testing;

use crate::model::clusters::ClusterMap;
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Reading};
use crate::probes::swaps;
use crate::root::Root;

/// Reason why an area is incomplete.
const OFF: &str = "the area was disabled during the read";
/// Number of attempts while areas are being enabled or disabled.
const TRIES: u32 = 3;

/// Reads data of areas that are identified by their order alone, with their rows, which must be equal
/// before and after.
fn read_unchanged<T>(
    root: &Root,
    read: impl Fn(&[SwapArea]) -> Reading<T>,
) -> Reading<(Vec<SwapArea>, T)> {
    let once = || {
        let before = swaps::read(root).into_result()?;
        let found = read(&before).into_result()?;
        let after = swaps::read(root).into_result()?;
        if before.iter().map(SwapArea::identity).eq(after.iter().map(SwapArea::identity)) {
            return Ok((after, found));
        }
        Err(Missing::failed("areas were enabled or disabled during the read: try again"))
    };
    let mut found = once();
    for _ in 1..TRIES {
        found = found.or_else(|_| once());
    }
    found.into()
}

/// The results by these rows, in the order of the requested areas.
fn for_areas<T: Clone>(
    areas: &[SwapArea],
    rows: &[SwapArea],
    found: &[Reading<T>],
) -> Vec<Reading<T>> {
    let why = Missing::failed("the area was enabled or disabled meanwhile: try again");
    SwapArea::pick(found, &SwapArea::indices_in(areas, rows), &why)
}

/// Adds the use in `/proc/swaps` right after the read to each map: an earlier number would belong to other
/// slots. Marks the maps of areas that were disabled meanwhile: part or all of their content is missing.
fn compare_with_swaps(
    root: &Root,
    areas: &[SwapArea],
    maps: Vec<Reading<ClusterMap>>,
) -> Vec<Reading<ClusterMap>> {
    let Ok(now) = swaps::read(root).into_result() else { return maps };
    let one = |(map, place): (Reading<ClusterMap>, Option<usize>)| match place {
        Some(place) => {
            let counted = now.get(place).and_then(|area| area.used.known().copied());
            map.map(|map| ClusterMap { counted, ..map })
        }
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
