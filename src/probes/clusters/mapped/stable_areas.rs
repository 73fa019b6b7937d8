//! The areas present during a walk of page tables, and their capacities.
//!
//! `/proc/swaps` is read before and after. If areas were only removed or only added, each had a type of its
//! own. If some were removed and others added, a new area may have reused a type: then only areas that were
//! present throughout, in the same order, are reported, and slots of a type that may have been reused
//! belong to none of them.

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

// Assigns types to areas.

/// A type found in page tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeenType {
    /// Number of the type.
    pub(super) kind: usize,
    /// Number of slots.
    pub(super) count: u64,
    /// The last slot.
    pub(super) last: u64,
}

/// The capacity of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AreaCapacity {
    /// Slots in use.
    pub(super) used: u64,
    /// All slots.
    pub(super) slots: u64,
    /// The lowest possible type: each row above has a lower type of its own.
    pub(super) least: usize,
}

/// The known type of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AreaType {
    /// The area has the type with this index.
    Seen(usize),
    /// No type that was found belongs to the area.
    Unseen,
    /// Some type that was found may belong to the area.
    Unclear,
}

impl AreaCapacity {
    /// A few more slots may be found than are in use at one time, since pages move during the walk.
    fn takes(&self, seen: &SeenType) -> bool {
        let fits = seen.count <= self.used.saturating_add(self.used / 8) && seen.last < self.slots;
        fits && seen.kind >= self.least
    }
}

/// Assigns the types found to areas; both in the order of types.
pub(super) fn assign_types(seen: &[SeenType], rooms: &[AreaCapacity]) -> Vec<AreaType> {
    if seen.len() == rooms.len() {
        return (0..rooms.len()).map(AreaType::Seen).collect();
    }
    let mirrored = |number: usize| rooms.len() - 1 - number;
    let first = first_fit(seen.iter(), rooms.iter());
    let last = first_fit(seen.iter().rev(), rooms.iter().rev());
    let (Some(first), Some(last)) = (first, last) else {
        return vec![AreaType::Unclear; rooms.len()];
    };
    let last = last.into_iter().rev().map(mirrored);
    let mut places = vec![AreaType::Unseen; rooms.len()];
    for (number, (extent, (first, last))) in
        seen.iter().zip(first.into_iter().zip(last)).enumerate()
    {
        let place = if first == last { AreaType::Seen(number) } else { AreaType::Unclear };
        let between = places.iter_mut().zip(rooms).take(last + 1).skip(first);
        for (known, _) in between.filter(|(_, room)| room.takes(extent)) {
            *known = place;
        }
    }
    places
}

/// Matches each type with the first area after the previous match that fits; none if a type is left over.
fn first_fit<'a>(
    mut seen: impl Iterator<Item = &'a SeenType>,
    rooms: impl Iterator<Item = &'a AreaCapacity>,
) -> Option<Vec<usize>> {
    let mut rooms = rooms.enumerate();
    let mut number = |extent: &SeenType| Some(rooms.find(|(_, room)| room.takes(extent))?.0);
    seen.try_fold(Vec::new(), |mut found, extent| {
        found.push(number(extent)?);
        Some(found)
    })
}

#[cfg(test)]
mod area_types_tests {
    use super::*;
    use AreaType::{Seen, Unclear, Unseen};

    fn places(seen: &[(u64, u64)], rooms: &[(u64, u64)]) -> Vec<AreaType> {
        // So high that each could be any.
        let seen = (20..).zip(seen).map(|(kind, &(count, last))| SeenType { kind, count, last });
        let rooms =
            (0..).zip(rooms).map(|(least, &(used, slots))| AreaCapacity { used, slots, least });
        let (seen, rooms): (Vec<_>, Vec<_>) = (seen.collect(), rooms.collect());
        assign_types(&seen, &rooms)
    }

    #[test]
    fn equal_numbers_of_types_and_areas_match_in_order() {
        assert_eq!(places(&[], &[]), []);
        // Matches whatever fits: the numbers of a busy machine are from different times.
        assert_eq!(places(&[(5, 9), (9, 9)], &[(1, 10), (1, 10)]), [Seen(0), Seen(1)]);
    }

    #[test]
    fn fewer_types_match_where_only_one_area_fits() {
        assert_eq!(places(&[], &[(9, 99), (0, 99)]), [Unseen, Unseen]);
        assert_eq!(places(&[(5, 9)], &[(0, 99), (7, 99), (4, 99)]), [Unseen, Seen(0), Unseen]);
        assert_eq!(places(&[(5, 50)], &[(9, 50), (9, 51)]), [Unseen, Seen(0)]);
        // The order decides what the numbers leave open.
        let rooms = [(9, 99), (9, 99), (5, 99), (3, 99)];
        assert_eq!(places(&[(8, 9), (8, 9), (3, 9)], &rooms[..3]), [Seen(0), Seen(1), Seen(2)]);
        assert_eq!(places(&[(8, 9), (8, 9), (4, 9)], &rooms), [Seen(0), Seen(1), Seen(2), Unseen]);
    }

    #[test]
    fn a_type_matches_no_row_with_more_rows_above_it() {
        let room = |least| AreaCapacity { used: 9, slots: 99, least };
        let of_kind =
            |kind| assign_types(&[SeenType { kind, count: 5, last: 9 }], &[room(0), room(1)]);
        assert_eq!(of_kind(0), [Seen(0), Unseen]);
        assert_eq!(of_kind(1), [Unclear, Unclear]);
    }

    #[test]
    fn an_ambiguous_type_is_unclear_only_where_it_fits() {
        let rooms = [(9, 99), (1, 99), (9, 99), (9, 10)];
        assert_eq!(places(&[(5, 20)], &rooms), [Unclear, Unseen, Unclear, Unseen]);
        assert_eq!(places(&[(5, 20), (5, 9)], &rooms), [Unclear, Unseen, Unclear, Unclear]);
        assert_eq!(places(&[(50, 9)], &rooms), [Unclear; 4]);
        // More types than areas: one type belongs to a removed area.
        assert_eq!(places(&[(1, 1), (1, 1)], &[(9, 99)]), [Unclear]);
    }
}
