//! Which areas there were while page tables were gone through, and what fits into each.
//!
//! `/proc/swaps` is read before and after. Where areas only went, or only came, each had a type of its own.
//! Where some went and others came, those may have had the type of these, one after the other: then only
//! areas are told that stood all the time, in the same order, and whatever a type held that can have been
//! another's is none of theirs.

use super::area_types::AreaCapacity;
use crate::model::Missing;
use crate::model::swaparea::SwapArea;
use crate::probes::clusters::grid::Sizes;

/// The areas whose slots can be told apart.
#[derive(Debug)]
pub(super) struct StableAreas {
    /// Those areas.
    pub(super) areas: Vec<SwapArea>,
    /// What fits into each that there was, in the order of types.
    pub(super) rooms: Vec<AreaCapacity>,
    /// Which of the rooms are those of the areas.
    pub(super) places: Vec<usize>,
}

/// What stood before and after.
type Both<'a> = (&'a [SwapArea], &'a [SwapArea]);

impl StableAreas {
    /// What there was before, after, or meanwhile.
    ///
    /// # Errors
    /// When nothing stood all the time.
    pub(super) fn during((before, after): Both<'_>, sizes: &Sizes) -> Result<Self, Missing> {
        if holds(before, after) {
            return Self::each(before, (before, after), sizes);
        }
        if holds(after, before) {
            return Self::each(after, (before, after), sizes);
        }
        let standing = present_throughout(before, after);
        if standing.is_empty() {
            let why = "areas were switched on and off meanwhile, which page tables do not tell apart: ask again";
            return Err(Missing::failed(why));
        }
        Self::among_others(&standing, (before, after), sizes)
    }

    fn each(rows: &[SwapArea], (before, after): Both<'_>, sizes: &Sizes) -> Result<Self, Missing> {
        let places = SwapArea::indices_in(rows, before).into_iter().zip(SwapArea::indices_in(rows, after));
        let room = |(least, (row, (then, now))): (usize, (&SwapArea, (Option<_>, Option<_>)))| {
            let at = |all: &'_ [SwapArea], place: Option<usize>| all.get(place?).map(used);
            let most = at(before, then).max(at(after, now)).unwrap_or_else(|| used(row));
            Ok(AreaCapacity { used: sizes.pages(most), slots: sizes.grid(row)?.slots, least })
        };
        let rooms = (0..).zip(rows.iter().zip(places)).map(room).collect::<Result<_, Missing>>()?;
        Ok(Self { areas: rows.to_vec(), rooms, places: (0..rows.len()).collect() })
    }

    /// Those that stood, with room between them for whatever went and came there.
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

/// As many rooms as there can have been types. Nobody knows what these areas held meanwhile, one after the
/// other: whatever the largest has slots for is taken for theirs.
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

/// The places before and after of those that are in the same order to all others that are in both: one that is
/// not was switched off and on again.
fn present_throughout(before: &[SwapArea], after: &[SwapArea]) -> Vec<(usize, usize)> {
    let places = (0..).zip(SwapArea::indices_in(before, after));
    let common: Vec<(usize, usize)> = places.filter_map(|(then, now)| Some((then, now?))).collect();
    let is_in_order = |(then, now): &(usize, usize)| {
        common.iter().all(|(other, later)| then.cmp(other) == now.cmp(later))
    };
    common.iter().copied().filter(is_in_order).collect()
}

/// Are these all among those, in the same order?
fn holds(all: &[SwapArea], some: &[SwapArea]) -> bool {
    let places = SwapArea::indices_in(some, all);
    places.iter().all(Option::is_some) && places.is_sorted()
}

fn used(area: &SwapArea) -> u64 {
    area.used.known().map_or(area.size, |used| *used).0
}
