//! The areas present during a walk of page tables, and their capacities.
//!
//! `/proc/swaps` is read before and after. If areas were only removed or only added, each had a type of its
//! own. If some were removed and others added, a new area may have reused a type: then only areas that were
//! present throughout, in the same order, are reported, and slots of a type that may have been reused
//! belong to none of them.

use super::area_types::AreaCapacity;
use crate::model::Missing;
use crate::model::swaparea::SwapArea;
use crate::probes::clusters::grid::Sizes;

/// The areas whose slots can be distinguished.
#[derive(Debug)]
pub(super) struct StableAreas {
    /// The areas.
    pub(super) areas: Vec<SwapArea>,
    /// The capacities of all areas that existed, in the order of types.
    pub(super) rooms: Vec<AreaCapacity>,
    /// The index of the capacity of each area.
    pub(super) places: Vec<usize>,
}

/// The areas before and after.
type Both<'a> = (&'a [SwapArea], &'a [SwapArea]);

impl StableAreas {
    /// The areas before, after, or present throughout; fails if no area was present throughout.
    pub(super) fn during((before, after): Both<'_>, sizes: &Sizes) -> Result<Self, Missing> {
        if holds(before, after) {
            return Self::each(before, (before, after), sizes);
        }
        if holds(after, before) {
            return Self::each(after, (before, after), sizes);
        }
        let standing = present_throughout(before, after);
        if standing.is_empty() {
            let why = "areas were enabled and disabled meanwhile, and page tables do not distinguish them: try again";
            return Err(Missing::failed(why));
        }
        Self::among_others(&standing, (before, after), sizes)
    }

    fn each(rows: &[SwapArea], (before, after): Both<'_>, sizes: &Sizes) -> Result<Self, Missing> {
        let places =
            SwapArea::indices_in(rows, before).into_iter().zip(SwapArea::indices_in(rows, after));
        let room = |(least, (row, (then, now))): (usize, (&SwapArea, (Option<_>, Option<_>)))| {
            let at = |all: &'_ [SwapArea], place: Option<usize>| all.get(place?).map(used);
            let most = at(before, then).max(at(after, now)).unwrap_or_else(|| used(row));
            Ok(AreaCapacity { used: sizes.pages(most), slots: sizes.grid(row)?.slots, least })
        };
        let rooms = (0..).zip(rows.iter().zip(places)).map(room).collect::<Result<_, Missing>>()?;
        Ok(Self { areas: rows.to_vec(), rooms, places: (0..rows.len()).collect() })
    }

    /// The areas present throughout, with capacities between them for removed and added ones.
    fn among_others(
        standing: &[(usize, usize)],
        (before, after): Both<'_>,
        sizes: &Sizes,
    ) -> Result<Self, Missing> {
        let mut found = Self { areas: Vec::new(), rooms: Vec::new(), places: Vec::new() };
        let (mut from, mut least) = ((0, 0), 0);
        for &(then, now) in standing.iter().chain(&[(before.len(), after.len())]) {
            let gone = before.get(from.0..then).unwrap_or_default();
            let came = after.get(from.1..now).unwrap_or_default();
            found.rooms.extend(changed_between(gone.iter().chain(came), least, sizes)?);
            if let (Some(area), Some(later)) = (before.get(then), after.get(now)) {
                least = then.max(now);
                let used = sizes.pages(used(area).max(used(later)));
                found.places.push(found.rooms.len());
                found.rooms.push(AreaCapacity { used, slots: sizes.grid(area)?.slots, least });
                found.areas.push(later.clone());
            }
            (from, least) = ((then + 1, now + 1), least + 1);
        }
        Ok(found)
    }
}

/// As many capacities as there may have been types. What these areas contained one after the other is
/// unknown: each gets all slots of the largest.
fn changed_between<'a>(
    areas: impl Iterator<Item = &'a SwapArea>,
    least: usize,
    sizes: &Sizes,
) -> Result<Vec<AreaCapacity>, Missing> {
    let slots = areas.map(|area| Ok(sizes.grid(area)?.slots));
    let slots = slots.collect::<Result<Vec<u64>, Missing>>()?;
    let most = slots.iter().copied().max().unwrap_or(0);
    Ok(vec![AreaCapacity { used: most, slots: most, least }; slots.len()])
}

/// The indexes before and after of areas that kept their order; any other area was disabled and enabled
/// again.
fn present_throughout(before: &[SwapArea], after: &[SwapArea]) -> Vec<(usize, usize)> {
    let places = (0..).zip(SwapArea::indices_in(before, after));
    let common: Vec<(usize, usize)> = places.filter_map(|(then, now)| Some((then, now?))).collect();
    let is_in_order = |(then, now): &(usize, usize)| {
        common.iter().all(|(other, later)| then.cmp(other) == now.cmp(later))
    };
    common.iter().copied().filter(is_in_order).collect()
}

/// Whether one list contains the other, in the same order.
fn holds(all: &[SwapArea], some: &[SwapArea]) -> bool {
    let places = SwapArea::indices_in(some, all);
    places.iter().all(Option::is_some) && places.is_sorted()
}

fn used(area: &SwapArea) -> u64 {
    area.used.known().map_or(area.size, |used| *used).0
}
