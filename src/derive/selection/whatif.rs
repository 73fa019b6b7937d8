//! The machine as it would be if areas had other priorities.

use super::{self as selection, NodeOrder, policy};
use crate::model::activation::Priority;
use crate::model::block::BlockDevice;
use crate::model::kernel::{AllocationOrder, SwapTier};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Name, Reading, Sampled, Snapshot, whole};

/// The first default priority on kernels that assign descending ones.
const FIRST_BY_NODE: i32 = -2;
/// The default priority on all other kernels.
const ALIKE: i32 = -1;

/// Returns the machine with these priorities, set one after the other. The contents of the areas stay in
/// place: a real change would move them first.
pub fn with_priorities(
    snapshot: &Snapshot,
    order: Option<AllocationOrder>,
    wishes: &[(Name, Priority)],
) -> Snapshot {
    let mut then = with_fixed_rules(snapshot);
    if let Some(areas) = snapshot.swaps.reading.known() {
        let mut areas = areas.clone();
        for (path, priority) in wishes {
            set_priority(&mut areas, order, path, *priority);
        }
        then.swaps = Sampled::new(snapshot.swaps.at, Reading::Known(areas));
    }
    then
}

/// Returns the machine with these swap tiers alone, without the areas in others: what a cgroup may use.
pub fn in_tiers(snapshot: &Snapshot, tiers: &[String]) -> Snapshot {
    let is_allowed = |(area, _): &KnownArea| {
        let tier = selection::tier(snapshot, area.priority);
        tier.known().is_none_or(|tier| tiers.contains(&tier.name))
    };
    let mut then = with_fixed_rules(snapshot);
    let allowed: Vec<KnownArea> = known_areas(snapshot).into_iter().filter(is_allowed).collect();
    set_areas(&mut then, &allowed);
    if let Reading::Known(kernel) = &*snapshot.kernel.reading {
        let is_named = |tier: &SwapTier| tiers.contains(&tier.name);
        let mut kernel = kernel.clone();
        kernel.swap_tiers = kernel.swap_tiers.map(|all| all.into_iter().filter(is_named).collect());
        then.kernel = Sampled::new(snapshot.kernel.at, Reading::Known(kernel));
    }
    then
}

/// Reason why it is unknown which areas are full.
const DOES_NOT_FIT: &str = "the contents to move do not fit on the other areas";

/// An area and its device.
pub type KnownArea = (SwapArea, Reading<BlockDevice>);

/// An area that is disabled or enabled.
#[derive(Clone, Debug)]
pub enum AreaChange {
    /// Disabled: its contents move to the others.
    Off(Name),
    /// Enabled: empty, with this priority.
    On(Box<KnownArea>, Priority),
}

/// Returns the machine after these changes, applied in order.
pub fn after_changes(snapshot: &Snapshot, switched: &[AreaChange]) -> Snapshot {
    if snapshot.swaps.reading.known().is_none() {
        return snapshot.clone();
    }
    let order = policy::order(snapshot).known().map(|(order, _)| *order);
    let mut all = known_areas(snapshot);
    let mut then = with_fixed_rules(snapshot);
    for one in switched {
        let moves = apply(&mut all, order, one);
        set_areas(&mut then, &all);
        if let Some(moves) = moves {
            distribute(&then, &mut all, &moves);
            set_areas(&mut then, &all);
        }
    }
    then
}

/// Returns the areas with their devices.
fn known_areas(snapshot: &Snapshot) -> Vec<KnownArea> {
    let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let unread = || Reading::failed("the device was not read");
    let block = |place: usize| {
        let blocks = snapshot.block.reading.known();
        blocks.and_then(|blocks| blocks.get(place).cloned()).unwrap_or_else(unread)
    };
    areas.iter().enumerate().map(|(place, area)| (area.clone(), block(place))).collect()
}

/// Returns the machine with fixed allocation rules: their evidence may vanish with an area or a priority.
fn with_fixed_rules(snapshot: &Snapshot) -> Snapshot {
    let mut then = snapshot.clone();
    if let known @ Reading::Known(_) = policy::allocator(snapshot) {
        then.allocator = Sampled::new(snapshot.allocator.at, known);
    }
    then
}

/// Replaces the areas of a machine.
fn set_areas(then: &mut Snapshot, all: &[KnownArea]) {
    let (areas, blocks) = all.iter().cloned().unzip();
    then.swaps = Sampled::new(then.swaps.at, Reading::Known(areas));
    then.block = Sampled::new(then.block.at, Reading::Known(blocks));
}

/// Applies a change to the list of areas; returns the contents to move.
fn apply(
    all: &mut Vec<KnownArea>,
    order: Option<AllocationOrder>,
    switched: &AreaChange,
) -> Option<Reading<Bytes>> {
    match switched {
        AreaChange::Off(path) => {
            let place = all.iter().position(|(area, _)| area.path == *path)?;
            let (gone, _) = all.remove(place);
            move_up(all.iter_mut().map(|(area, _)| area), order, gone.priority);
            Some(gone.used)
        }
        AreaChange::On(known, priority) => {
            let (area, block) = &**known;
            let priority = assigned_priority(all.iter().map(|(area, _)| area), order, *priority);
            let used = Reading::Known(Bytes(0));
            all.push((SwapArea { used, priority, ..area.clone() }, block.clone()));
            None
        }
    }
}

/// Distributes moved contents over the areas. Some of it may stay in memory: the result is an upper bound.
fn distribute(then: &Snapshot, all: &mut [KnownArea], moves: &Reading<Bytes>) {
    let Reading::Known(found) = selection::for_pages(then) else { return };
    let page_size = then.page_size.clone();
    let pages = moves.clone().map2(page_size, |moves, page| moves.0.div_ceil(page.max(1)));
    for (at, (area, _)) in all.iter_mut().enumerate() {
        let left =
            found.lines.iter().filter_map(|line| room_left(line, at, &pages)).reduce(least_free);
        if let Some(left) = left {
            let left = left.and_then(|left| selection::bytes(then, left));
            area.used = left.map(|left| area.size.saturating_sub(left));
        }
    }
}

/// Returns the free pages of an area after this many moved in the order of a node.
fn room_left(line: &NodeOrder, area: usize, moves: &Reading<u64>) -> Option<Reading<u64>> {
    let place = line.places.iter().position(|place| place.area == area)?;
    let free = line.places.get(place)?.free.clone();
    if free == Reading::Known(0) {
        return Some(free);
    }
    Some(moves.clone().and_then(|moves| {
        let mut rest = moves;
        let mut taken = 0.0;
        for phase in &line.phases {
            let part = rest.min(phase.pages);
            taken += phase.share(place) * part as f64;
            rest -= part;
        }
        if rest > 0 {
            return line.unknown.clone().unwrap_or_else(|| Missing::failed(DOES_NOT_FIT)).into();
        }
        free.map(|free| room(free, taken))
    }))
}

/// Returns the rest of the free pages; less than one page is a rounding error.
fn room(free: u64, taken: f64) -> u64 {
    whole(free as f64 - taken + 1e-6)
}

/// Combines the results of two nodes, as pages may move in the order of either: the least free pages, unless
/// the area is full in one order only.
fn least_free(one: Reading<u64>, other: Reading<u64>) -> Reading<u64> {
    one.and_then2(other, |one, other| {
        if (one == 0) == (other == 0) {
            return Reading::Known(one.min(other));
        }
        Reading::failed("whether the area is full depends on the node that swaps out")
    })
}

/// Disables an area and enables it again with this priority.
fn set_priority(
    areas: &mut [SwapArea],
    order: Option<AllocationOrder>,
    path: &Name,
    priority: Priority,
) {
    let Some(own) = areas.iter().find(|area| area.path == *path).map(|area| area.priority) else {
        return;
    };
    move_up(areas.iter_mut(), order, own);
    let others = areas.iter().filter(|area| area.path != *path);
    let given = assigned_priority(others, order, priority);
    for area in areas.iter_mut().filter(|area| area.path == *path) {
        area.priority = given;
    }
}

/// Moves later areas up when one is disabled, if the kernel assigns descending default priorities.
fn move_up<'a>(
    areas: impl Iterator<Item = &'a mut SwapArea>,
    order: Option<AllocationOrder>,
    gone: i32,
) {
    let counted = order != Some(AllocationOrder::Alike) && gone < 0;
    for area in areas.filter(|area| counted && area.priority < gone) {
        area.priority += 1;
    }
}

/// Returns the priority that the kernel assigns to an area that is enabled beside others.
fn assigned_priority<'a>(
    others: impl Iterator<Item = &'a SwapArea>,
    order: Option<AllocationOrder>,
    priority: Priority,
) -> i32 {
    let behind = others.map(|area| area.priority).filter(|other| *other < 0).min();
    match priority {
        Priority::Set(number) => i32::from(number),
        Priority::Default if order == Some(AllocationOrder::Alike) => ALIKE,
        Priority::Default => behind.map_or(FIRST_BY_NODE, |lowest| lowest.saturating_sub(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::selection::testing::{disk, machine, solid};
    use crate::model::Stamp;
    use crate::model::swaparea::testing::area;

    fn given(order: AllocationOrder, now: &[(&str, i32)], wishes: &[(&str, Priority)]) -> Vec<i32> {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let areas = now.iter().map(|(path, priority)| area(path, *priority, 9, 0)).collect();
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let wishes: Vec<_> = wishes.iter().map(|(path, wish)| (Name::from(*path), *wish)).collect();
        let then = with_priorities(&snapshot, Some(order), &wishes);
        then.swaps.reading.known().unwrap().iter().map(|area| area.priority).collect()
    }

    #[test]
    fn numbers_are_given_and_the_others_stay() {
        let now = [("/a", 5), ("/b", 7), ("/c", -1)];
        assert_eq!(given(AllocationOrder::Alike, &now, &[("/a", Priority::Set(9))]), [9, 7, -1]);
        assert_eq!(given(AllocationOrder::Alike, &now, &[("/a", Priority::Default)]), [-1, 7, -1]);
        assert_eq!(given(AllocationOrder::Alike, &now, &[("/x", Priority::Default)]), [5, 7, -1]);
    }

    #[test]
    fn default_ones_are_counted_anew_where_they_are_counted() {
        let now = [("/a", -2), ("/b", -3), ("/c", -4), ("/d", 5)];
        let of = |wishes: &[_]| given(AllocationOrder::ByNode, &now, wishes);
        assert_eq!(of(&[("/a", Priority::Default)]), [-4, -2, -3, 5]);
        assert_eq!(of(&[("/a", Priority::Set(3))]), [3, -2, -3, 5]);
        assert_eq!(of(&[("/d", Priority::Default)]), [-2, -3, -4, -5]);
        assert_eq!(of(&[("/c", Priority::Default)]), now.map(|(_, number)| number));
        assert_eq!(of(&[("/a", Priority::Set(3)), ("/a", Priority::Default)]), [-4, -2, -3, 5]);
        let first = given(AllocationOrder::ByNode, &[("/a", 5)], &[("/a", Priority::Default)]);
        assert_eq!(first, [-2]);
        let last = [("/a", 5), ("/b", i32::MIN)];
        assert_eq!(
            given(AllocationOrder::ByNode, &last, &[("/a", Priority::Default)]),
            [i32::MIN; 2]
        );
    }

    #[test]
    fn rules_known_from_priorities_stay_when_priorities_change() {
        let now = machine("6.12.1", &[(-1, 9, 0, solid("a")), (10, 9, 0, solid("b"))]);
        let order = |snapshot: &Snapshot| policy::order(snapshot).known().map(|(order, _)| *order);
        assert_eq!(order(&now), Some(AllocationOrder::Alike), "no other kernel shows -1");
        let wish = (Name::from("/dev/0"), Priority::Set(5));
        assert_eq!(
            order(&with_priorities(&now, Some(AllocationOrder::Alike), &[wish])),
            Some(AllocationOrder::Alike)
        );
    }

    #[test]
    fn an_area_that_is_disabled_comes_back_empty() {
        let areas = [(-2, 9, 9, solid("a")), (-3, 9, 9, solid("b")), (5, 9, 9, solid("c"))];
        let snapshot = machine("6.12.1", &areas);
        let own = snapshot.swaps.reading.known().unwrap().clone();
        let on = |place: usize, priority| {
            AreaChange::On(Box::new((own[place].clone(), solid("new"))), priority)
        };
        let off = |place: usize| AreaChange::Off(own[place].path.clone());
        let then = |switched: &[AreaChange]| {
            let then = after_changes(&snapshot, switched);
            let areas = then.swaps.reading.known().unwrap().clone();
            assert_eq!(then.block.reading.known().unwrap().len(), areas.len());
            let told =
                |area: &SwapArea| (area.path.safe(), area.priority, area.used.known().copied());
            areas.iter().map(told).collect::<Vec<_>>()
        };
        let full = Some(Bytes(9 * 4096));
        let all = |a: (&str, i32, Option<Bytes>)| (a.0.to_owned(), a.1, a.2);
        assert_eq!(then(&[off(0)]), [("/dev/1", -2, full), ("/dev/2", 5, full)].map(all));
        assert_eq!(
            then(&[off(0), on(0, Priority::Default), off(2), on(2, Priority::Set(7))]),
            [("/dev/1", -2, full), ("/dev/0", -3, full), ("/dev/2", 7, Some(Bytes(0)))].map(all)
        );
    }

    /// Used pages of the remaining areas after these were disabled and, if given, enabled again with a
    /// priority.
    fn used(now: &Snapshot, switched: &[(usize, Option<u8>)]) -> Vec<(String, Reading<u64>)> {
        let own = now.swaps.reading.known().unwrap();
        let of_one = |(place, back): &(usize, Option<u8>)| {
            let on = |priority: u8| {
                let priority = Priority::Set(priority.into());
                AreaChange::On(Box::new((own[*place].clone(), solid("new"))), priority)
            };
            [Some(AreaChange::Off(own[*place].path.clone())), back.map(on)].into_iter().flatten()
        };
        let then = after_changes(now, &switched.iter().flat_map(of_one).collect::<Vec<_>>());
        let pages = |area: &SwapArea| area.used.clone().map(|used| used.0 / 4096);
        let areas = then.swaps.reading.known().unwrap();
        areas.iter().map(|area| (area.path.base().safe(), pages(area))).collect()
    }

    fn known(pages: &[(&str, u64)]) -> Vec<(String, Reading<u64>)> {
        pages.iter().map(|(name, pages)| ((*name).to_owned(), Reading::Known(*pages))).collect()
    }

    #[test]
    fn what_was_on_an_area_moves_to_the_others_in_their_order() {
        let areas = [
            (1, 100, 0, solid("a")),
            (5, 10, 8, solid("b")),
            (3, 50, 7, solid("c")),
            (3, 50, 49, solid("d")),
        ];
        let now = machine("6.12.1", &areas);
        assert_eq!(used(&now, &[(2, None)]), known(&[("0", 4), ("1", 10), ("3", 50)]));
        assert_eq!(used(&now, &[(1, None)]), known(&[("0", 0), ("2", 14), ("3", 50)]));
        let back = used(&now, &[(2, Some(9)), (1, Some(8))]);
        assert_eq!(back, known(&[("0", 4), ("3", 50), ("2", 10), ("1", 0)]));
    }

    #[test]
    fn without_enough_room_the_full_areas_are_unknown() {
        let areas = [(5, 10, 8, solid("a")), (3, 50, 13, solid("b")), (1, 9, 9, solid("c"))];
        let now = machine("6.12.1", &areas);
        let then = used(&now, &[(1, Some(2))]);
        assert_eq!(then[0].1.missing().unwrap().why(), DOES_NOT_FIT);
        assert_eq!(then[1..], known(&[("2", 9), ("1", 0)]));
        // Nothing moves without room, or from an empty area.
        let full = machine("6.12.1", &[(5, 9, 9, solid("a")), (3, 50, 13, solid("b"))]);
        assert_eq!(used(&full, &[(1, Some(2))]), known(&[("0", 9), ("1", 0)]));
        let empty = machine(
            "strange",
            &[(5, 9, 8, solid("a")), (5, 9, 8, solid("b")), (3, 9, 0, solid("c"))],
        );
        assert_eq!(used(&empty, &[(2, None)]), known(&[("0", 8), ("1", 8)]));
    }

    #[test]
    fn with_unknown_rules_nothing_is_predicted() {
        let areas = [(5, 9, 8, solid("a")), (5, 9, 8, solid("b")), (3, 9, 1, solid("c"))];
        let then = used(&machine("strange", &areas), &[(2, Some(7))]);
        assert!(then[..2].iter().all(|(_, used)| used.missing().is_some()), "{then:?}");
        assert_eq!(then[2..], known(&[("2", 0)]));
    }

    #[test]
    fn moves_by_node_are_known_as_far_as_the_nodes_agree() {
        let own = |name: &str, node| disk(name, false, Some(node));
        let of = |moved| {
            let (a, b) = (own("a", 0), own("b", 1));
            let areas = [(-2, 20, 0, a), (-3, 50, 0, b), (9, 90, moved, solid("c"))];
            used(&machine("6.12.1", &areas), &[(2, None)])
        };
        assert_eq!(of(5), known(&[("0", 5), ("1", 5)]), "at most");
        let some = of(20);
        assert!(some[0].1.missing().unwrap().why().contains("node"), "{some:?}");
        assert_eq!(some[1..], known(&[("1", 20)]));
        assert_eq!(of(70), known(&[("0", 20), ("1", 50)]));
    }
}
