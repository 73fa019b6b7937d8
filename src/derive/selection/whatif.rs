//! The machine as it would be if areas had other priorities.

use super::policy;
use crate::model::activation::Priority;
use crate::model::allocator::Order;
use crate::model::block::BlockDevice;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Reading, Sampled, Snapshot};

/// The highest number that kernels give by which default priorities are counted.
const FIRST_BY_NODE: i32 = -2;
/// The one that all others give.
const ALIKE: i32 = -1;

/// The same machine with these priorities, given one after the other. What is on the areas stays
/// where it is: a real change would move it first.
#[must_use]
pub fn with(snapshot: &Snapshot, order: Option<Order>, wishes: &[(Name, Priority)]) -> Snapshot {
    let mut then = snapshot.clone();
    if let Some(areas) = snapshot.swaps.reading.known() {
        let mut areas = areas.clone();
        for (path, priority) in wishes {
            give(&mut areas, order, path, *priority);
        }
        then.swaps = Sampled::new(snapshot.swaps.at, Reading::Known(areas));
    }
    then
}

/// An area and what carries it.
pub type Known = (SwapArea, Reading<BlockDevice>);

/// An area that is switched.
#[derive(Clone, Debug)]
pub enum Switched {
    /// It goes, and what is on it goes somewhere else.
    Off(Name),
    /// It comes, empty, with this priority.
    On(Box<Known>, Priority),
}

/// The same machine when areas were switched, one after the other.
#[must_use]
pub fn after(snapshot: &Snapshot, switched: &[Switched]) -> Snapshot {
    let Some(areas) = snapshot.swaps.reading.known() else { return snapshot.clone() };
    let order = policy::order(snapshot).known().map(|(order, _)| *order);
    let unread = || Reading::failed("it was not read");
    let block = |place: usize| {
        let blocks = snapshot.block.reading.known();
        blocks.and_then(|blocks| blocks.get(place).cloned()).unwrap_or_else(unread)
    };
    let mut all: Vec<Known> =
        areas.iter().enumerate().map(|(place, area)| (area.clone(), block(place))).collect();
    for one in switched {
        switch(&mut all, order, one);
    }
    let (areas, blocks) = all.into_iter().unzip();
    let mut then = snapshot.clone();
    then.swaps = Sampled::new(snapshot.swaps.at, Reading::Known(areas));
    then.block = Sampled::new(snapshot.block.at, Reading::Known(blocks));
    // What told the rules may be gone with an area.
    if let known @ Reading::Known(_) = policy::of(snapshot) {
        then.allocator = Sampled::new(snapshot.allocator.at, known);
    }
    then
}

fn switch(all: &mut Vec<Known>, order: Option<Order>, switched: &Switched) {
    match switched {
        Switched::Off(path) => {
            let Some(place) = all.iter().position(|(area, _)| area.path == *path) else { return };
            let (gone, _) = all.remove(place);
            move_up(all.iter_mut().map(|(area, _)| area), order, gone.priority);
        }
        Switched::On(known, priority) => {
            let (area, block) = &**known;
            let priority = number(all.iter().map(|(area, _)| area), order, *priority);
            let used = Reading::Known(Bytes(0));
            all.push((SwapArea { used, priority, ..area.clone() }, block.clone()));
        }
    }
}

/// Switch an area off and on again.
fn give(areas: &mut [SwapArea], order: Option<Order>, path: &Name, priority: Priority) {
    let Some(own) = areas.iter().find(|area| area.path == *path).map(|area| area.priority) else {
        return;
    };
    move_up(areas.iter_mut(), order, own);
    let others = areas.iter().filter(|area| area.path != *path);
    let given = number(others, order, priority);
    for area in areas.iter_mut().filter(|area| area.path == *path) {
        area.priority = given;
    }
}

/// Where default priorities are counted, those behind one that goes move up.
fn move_up<'a>(areas: impl Iterator<Item = &'a mut SwapArea>, order: Option<Order>, gone: i32) {
    let counted = order != Some(Order::Alike) && gone < 0;
    for area in areas.filter(|area| counted && area.priority < gone) {
        area.priority += 1;
    }
}

/// The number that the kernel gives one that comes beside others.
fn number<'a>(
    others: impl Iterator<Item = &'a SwapArea>,
    order: Option<Order>,
    priority: Priority,
) -> i32 {
    let behind = others.map(|area| area.priority).filter(|other| *other < 0).min();
    match priority {
        Priority::Set(number) => i32::from(number),
        Priority::Default if order == Some(Order::Alike) => ALIKE,
        Priority::Default => behind.map_or(FIRST_BY_NODE, |lowest| lowest - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::selection::testing::{machine, solid};
    use crate::model::Stamp;
    use crate::model::swaparea::testing::area;

    fn given(order: Order, now: &[(&str, i32)], wishes: &[(&str, Priority)]) -> Vec<i32> {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let areas = now.iter().map(|(path, priority)| area(path, *priority, 9, 0)).collect();
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let wishes: Vec<_> = wishes.iter().map(|(path, wish)| (Name::from(*path), *wish)).collect();
        let then = with(&snapshot, Some(order), &wishes);
        then.swaps.reading.known().unwrap().iter().map(|area| area.priority).collect()
    }

    #[test]
    fn numbers_are_given_and_the_others_stay() {
        let now = [("/a", 5), ("/b", 7), ("/c", -1)];
        assert_eq!(given(Order::Alike, &now, &[("/a", Priority::Set(9))]), [9, 7, -1]);
        assert_eq!(given(Order::Alike, &now, &[("/a", Priority::Default)]), [-1, 7, -1]);
        assert_eq!(given(Order::Alike, &now, &[("/x", Priority::Default)]), [5, 7, -1]);
    }

    #[test]
    fn default_ones_are_counted_anew_where_they_are_counted() {
        let now = [("/a", -2), ("/b", -3), ("/c", -4), ("/d", 5)];
        let of = |wishes: &[_]| given(Order::ByNode, &now, wishes);
        assert_eq!(of(&[("/a", Priority::Default)]), [-4, -2, -3, 5]);
        assert_eq!(of(&[("/a", Priority::Set(3))]), [3, -2, -3, 5]);
        assert_eq!(of(&[("/d", Priority::Default)]), [-2, -3, -4, -5]);
        assert_eq!(of(&[("/c", Priority::Default)]), now.map(|(_, number)| number));
        assert_eq!(of(&[("/a", Priority::Set(3)), ("/a", Priority::Default)]), [-4, -2, -3, 5]);
        let first = given(Order::ByNode, &[("/a", 5)], &[("/a", Priority::Default)]);
        assert_eq!(first, [-2]);
    }

    #[test]
    fn what_is_switched_goes_and_comes_back_empty() {
        let areas = [(-2, 9, 9, solid("a")), (-3, 9, 9, solid("b")), (5, 9, 9, solid("c"))];
        let snapshot = machine("6.12.1", &areas);
        let own = snapshot.swaps.reading.known().unwrap().clone();
        let on = |place: usize, priority| {
            Switched::On(Box::new((own[place].clone(), solid("new"))), priority)
        };
        let off = |place: usize| Switched::Off(own[place].path.clone());
        let then = |switched: &[Switched]| {
            let then = after(&snapshot, switched);
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
            [("/dev/1", -2, full), ("/dev/0", -3, Some(Bytes(0))), ("/dev/2", 7, Some(Bytes(0)))]
                .map(all)
        );
    }
}
