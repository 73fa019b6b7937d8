//! Assigns types to areas.
//!
//! The kernel lists areas by type, lowest first, and page tables give the type of each slot. But an area
//! without mapped pages shows no type, and the type of a disabled area is free: the first row can have type
//! 3. So the types found are matched with the rows in order, wherever they fit; an ambiguous match is
//! unclear.

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
mod tests {
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
