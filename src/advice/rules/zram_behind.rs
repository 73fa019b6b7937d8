//! zram waits until a disk is full.

use crate::advice::places::{Group, ORDER, Place, ROOM, listed, orders, reordered};
use crate::advice::{Finding, Rule, Verdict};
use crate::derive::View;
use crate::derive::speed::Speed;
use crate::model::Policy;

const ID: &str = "zram-behind";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "zram waits until a disk is full",
    about: "Speaks when an area on zram comes after one on something slower, on some NUMA node at least. The kernel fills the higher priority first, and up to 6.18 each node those of its own areas that were given none before the others that were given none: zram, the fastest there is, then gets nothing until the disk is full.",
    needs: ORDER.with(ROOM),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let (mut behind, mut above) = (Vec::new(), Vec::new());
    for order in orders(view)? {
        let slow = order.iter().position(|group| of(group, false).next().is_some());
        let zram = order.iter().rposition(|group| of(group, true).next().is_some());
        let (Some(slow), Some(zram)) = (slow, zram) else { continue };
        if slow < zram {
            add(&mut behind, order.iter().skip(slow + 1).flat_map(|group| of(group, true)));
            add(&mut above, order.iter().take(zram).flat_map(|group| of(group, false)));
        }
    }
    if behind.is_empty() {
        return Ok(vec![]);
    }
    let names = |places: &[Place<'_>]| listed(&places.iter().map(Place::name).collect::<Vec<_>>());
    let (waiting, filled) = (names(&behind), names(&above));
    let verb = if behind.len() > 1 { "wait" } else { "waits" };
    let full = if above.len() > 1 { "are full" } else { "is full" };
    let sentence = if above.iter().any(is_of_node) {
        "A NUMA node fills its own areas that were given no priority before others that were given none, whatever default ones are shown; zram belongs to no node, so the fastest area is used last there. Give zram a priority of its own: the disk then takes what does not fit."
    } else {
        "The kernel fills the higher priority first, so the fastest area is used last. Give zram the higher priority: the disk then takes what does not fit."
    };
    let found = Finding::warn(ID, format!("{waiting} {verb} until {filled} {full}"), sentence)
        .shown_by(behind.iter().chain(&above).map(|place| place.cell("priority")))
        .shown_by(above.iter().filter(|place| is_of_node(place)).map(|place| place.cell("node")))
        .put_right(reordered(view, behind.iter().chain(&above)));
    Ok(vec![found])
}

/// The areas of a group that are on zram, or those that are not.
fn of<'v>(group: &Group<'v>, zram: bool) -> impl Iterator<Item = Place<'v>> {
    let is_meant = move |(_, speed): &&(Place<'v>, Speed)| (*speed == Speed::Zram) == zram;
    group.members.iter().filter(is_meant).map(|(place, _)| *place)
}

/// What is not among them yet: the order of another node may have said it.
fn add<'v>(places: &mut Vec<Place<'v>>, more: impl Iterator<Item = Place<'v>>) {
    for place in more {
        if places.iter().all(|other| other.area.path != place.area.path) {
            places.push(place);
        }
    }
}

/// Does a node prefer it, as it has no priority of its own?
fn is_of_node(place: &Place<'_>) -> bool {
    let has_node = place.block().is_some_and(|block| block.numa_node.known().is_some());
    has_node && place.area.priority < 0
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn zram_below_a_disk_is_wrong_and_above_it_right() {
        let zram = |priority| Machine::default().zram("zram0", priority, (1000, 0));
        let disk = |machine: Machine| machine.disk("sda", 10, (1000, 0));
        assert_eq!(disk(zram(9)).fixes(ID), ["swapadm rebalance"]);
        assert_eq!(disk(zram(10)).severities(ID), [""; 0], "another rule speaks of these");
        assert_eq!(disk(zram(11)).severities(ID), [""; 0]);
    }

    #[test]
    fn no_command_is_named_that_would_be_refused() {
        let disk = Machine::default().disk("sda", 10, (1000, 1000));
        let full = disk.zram("zram0", 9, (1000, 1000)).memory("MemAvailable", 0);
        assert!(full.has_no_command(ID), "neither can be emptied");
    }

    #[test]
    fn the_priority_that_counts_on_a_node_decides() {
        let zram = || Machine::default().zram("zram0", -2, (1000, 0));
        let disk = |machine: Machine| machine.disk("sda", -3, (1000, 0));
        assert_eq!(disk(zram()).severities(ID), [""; 0]);
        assert_eq!(disk(zram()).of_node(1).severities(ID), ["warn"], "there the disk comes first");
        let told = disk(zram()).of_node(1).sentence(ID);
        assert!(!told.contains("higher priority"), "zram has the higher one: {told}");
        let given = Machine::default().zram("zram0", 5, (1000, 0));
        assert_eq!(disk(given).of_node(1).severities(ID), [""; 0]);
    }
}
