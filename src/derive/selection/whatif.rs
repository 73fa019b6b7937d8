//! The machine as it would be if areas had other priorities.

use crate::model::activation::Priority;
use crate::model::allocator::Order;
use crate::model::swaparea::SwapArea;
use crate::model::{Name, Sampled, Snapshot};

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
        then.swaps = Sampled::new(snapshot.swaps.at, crate::model::Reading::Known(areas));
    }
    then
}

/// Switch an area off and on again. Where default priorities are counted, those behind it move up.
fn give(areas: &mut [SwapArea], order: Option<Order>, path: &Name, priority: Priority) {
    let Some(own) = areas.iter().find(|area| area.path == *path).map(|area| area.priority) else {
        return;
    };
    let counted = order != Some(Order::Alike);
    for area in areas.iter_mut().filter(|area| counted && own < 0 && area.priority < own) {
        area.priority += 1;
    }
    let others = areas.iter().filter(|area| area.path != *path);
    let behind = others.map(|area| area.priority).filter(|other| *other < 0).min();
    let given = match priority {
        Priority::Set(number) => i32::from(number),
        Priority::Default if counted => behind.map_or(FIRST_BY_NODE, |lowest| lowest - 1),
        Priority::Default => ALIKE,
    };
    for area in areas.iter_mut().filter(|area| area.path == *path) {
        area.priority = given;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing::area;
    use crate::model::{Reading, Stamp};

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
}
