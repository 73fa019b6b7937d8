//! The order in which areas are used, by priority and speed.

use crate::advice::areas::{
    RuleGroup, ORDER, AreaWithDevice, ROOM, rotates_per_cluster, join_names, allocation_orders, rebalance_command, shared_groups,
};
use crate::advice::{Finding, Rule, RuleResult};
use crate::derive::SampleView;
use crate::derive::speed::{self, Speed};
use crate::model::Policy;

/// zram and disks share a priority.
pub(super) const MIXED_PRIORITY: Rule = Rule {
    id: "mixed-priority",
    title: "zram and a disk share a priority",
    about: "Speaks when an area on zram and one on something slower have the same priority. They take turns then: pages go to the disk while there is room on zram, and wait for the disk when they come back. Since about 6.15 a disk that rotates gets a single page at a turn, where zram gets a cluster. zram above the disk is filled first, and the disk takes what does not fit.",
    needs: ORDER.with(ROOM),
    thresholds: &[],
    check: mixed_priority,
};

fn mixed_priority(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let is_zram = |(_, speed): &&(AreaWithDevice<'_>, Speed)| *speed == Speed::Zram;
    let is_mixed = |group: &&RuleGroup<'_>| {
        let zram = group.members.iter().filter(is_zram).count();
        zram > 0 && zram < group.members.len()
    };
    let by_cluster = rotates_per_cluster(view);
    let groups = shared_groups(view)?;
    Ok(groups
        .iter()
        .filter(is_mixed)
        .map(|group| mixed_priority_finding(view, group, by_cluster))
        .collect())
}

fn mixed_priority_finding(view: &SampleView<'_>, group: &RuleGroup<'_>, by_cluster: bool) -> Finding {
    let members = &group.members;
    let names: Vec<String> = members.iter().map(|(place, _)| place.name()).collect();
    let gets_little = |(_, speed): &(_, Speed)| matches!(speed, Speed::Zram | Speed::Rotational);
    let sentence = if by_cluster && members.iter().all(gets_little) {
        "What rotates gets a single page at a turn on this kernel, where zram gets a cluster: it hardly counts, except that huge folios alternate where none of them is a file, and what goes there waits for the disk when it comes back. Give zram the higher priority: the disk then takes what does not fit."
    } else {
        "They take turns, so that pages go to the disk while there is room on zram, and wait for the disk when they come back. Give zram the higher priority: the disk then takes what does not fit."
    };
    Finding::warn(MIXED_PRIORITY.id, format!("{} share a priority", join_names(&names)), sentence)
        .about(group.about())
        .shown_by(group.cells())
        .shown_by(members.iter().map(|(place, _)| place.cell("used")))
        .with_fix(rebalance_command(view, members.iter().map(|(place, _)| place)))
}

/// zram waits until a disk is full.
pub(super) const ZRAM_BEHIND: Rule = Rule {
    id: "zram-behind",
    title: "zram waits until a disk is full",
    about: "Speaks when an area on zram comes after one on something slower, on some NUMA node at least. The kernel fills the higher priority first, and up to 6.18 each node those of its own areas that were given none before the others that were given none: zram, the fastest there is, then gets nothing until the disk is full.",
    needs: ORDER.with(ROOM),
    thresholds: &[],
    check: zram_behind,
};

fn zram_behind(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let (mut behind, mut above) = (Vec::new(), Vec::new());
    for order in allocation_orders(view)? {
        let slow = order.iter().position(|group| areas_of_kind(group, false).next().is_some());
        let zram = order.iter().rposition(|group| areas_of_kind(group, true).next().is_some());
        let (Some(slow), Some(zram)) = (slow, zram) else { continue };
        if slow < zram {
            add(
                &mut behind,
                order.iter().skip(slow + 1).flat_map(|group| areas_of_kind(group, true)),
            );
            add(
                &mut above,
                order.iter().take(zram).flat_map(|group| areas_of_kind(group, false)),
            );
        }
    }
    if behind.is_empty() {
        return Ok(vec![]);
    }
    let names = |places: &[AreaWithDevice<'_>]| join_names(&places.iter().map(AreaWithDevice::name).collect::<Vec<_>>());
    let (waiting, filled) = (names(&behind), names(&above));
    let verb = if behind.len() > 1 { "wait" } else { "waits" };
    let full = if above.len() > 1 { "are full" } else { "is full" };
    let sentence = if above.iter().any(is_preferred_by_node) {
        "A NUMA node fills its own areas that were given no priority before others that were given none, whatever default ones are shown; zram belongs to no node, so the fastest area is used last there. Give zram a priority of its own: the disk then takes what does not fit."
    } else {
        "The kernel fills the higher priority first, so the fastest area is used last. Give zram the higher priority: the disk then takes what does not fit."
    };
    let found =
        Finding::warn(ZRAM_BEHIND.id, format!("{waiting} {verb} until {filled} {full}"), sentence)
            .shown_by(behind.iter().chain(&above).map(|place| place.cell("priority")))
            .shown_by(
                above.iter().filter(|place| is_preferred_by_node(place)).map(|place| place.cell("node")),
            )
            .with_fix(rebalance_command(view, behind.iter().chain(&above)));
    Ok(vec![found])
}

/// The areas of a group that are on zram, or those that are not.
fn areas_of_kind<'v>(group: &RuleGroup<'v>, zram: bool) -> impl Iterator<Item = AreaWithDevice<'v>> {
    let is_meant = move |(_, speed): &&(AreaWithDevice<'v>, Speed)| (*speed == Speed::Zram) == zram;
    group.members.iter().filter(is_meant).map(|(place, _)| *place)
}

/// What is not among them yet: the order of another node may have said it.
fn add<'v>(places: &mut Vec<AreaWithDevice<'v>>, more: impl Iterator<Item = AreaWithDevice<'v>>) {
    for place in more {
        if places.iter().all(|other| other.area.path != place.area.path) {
            places.push(place);
        }
    }
}

/// Does a node prefer it, as it has no priority of its own?
fn is_preferred_by_node(place: &AreaWithDevice<'_>) -> bool {
    let has_node = place.block().is_some_and(|block| block.numa_node.known().is_some());
    has_node && place.area.priority < 0
}

/// Slow and fast disks share a priority.
pub(super) const ROTATIONAL_EQUAL: Rule = Rule {
    id: "rotational-equal",
    title: "disks of different speed share a priority",
    about: "Speaks when areas of one priority are on disks of different classes: solid state, rotational, or behind a network, as far as the kernel believes; zram beside disks has a rule of its own. Up to kernel 6.14 all of them get about the same part, so that the slowest sets the pace. Since about 6.15 a rotational one gets a single page at a turn, where the others get a cluster, and hardly counts, except that huge folios alternate where none of them is a file. Up to 6.18 areas without a priority that belong to one NUMA node share one there. A virtio disk always says that it rotates: up to 6.14, where that decides nothing, nothing is said of it.",
    needs: ORDER.with(ROOM),
    thresholds: &[],
    check: rotational_equal,
};

fn rotational_equal(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let by_cluster = rotates_per_cluster(view);
    let counts = |(place, _): &&(AreaWithDevice<'_>, Speed)| {
        by_cluster || !place.block().is_some_and(speed::is_virtio)
    };
    let is_mixed = |group: &&RuleGroup<'_>| {
        let members = group.members.iter().filter(counts);
        let mut speeds: Vec<Speed> = members.map(|(_, speed)| *speed).collect();
        speeds.sort_unstable();
        speeds.dedup();
        speeds.len() > 1 && !speeds.contains(&Speed::Zram)
    };
    let groups = shared_groups(view)?;
    Ok(groups
        .iter()
        .filter(is_mixed)
        .map(|group| rotational_equal_finding(view, group, by_cluster))
        .collect())
}

fn rotational_equal_finding(view: &SampleView<'_>, group: &RuleGroup<'_>, by_cluster: bool) -> Finding {
    let members = &group.members;
    let names: Vec<String> = members.iter().map(|(place, _)| place.name()).collect();
    let rotates = members.iter().any(|(_, speed)| *speed == Speed::Rotational);
    let sentence = if by_cluster && rotates {
        "On this kernel what rotates gets a single page at a turn, where the others get a cluster, and hardly counts, except that huge folios alternate where none of them is a file. Give it a lower priority: it then takes what does not fit on the others."
    } else {
        "They take turns, so that the slowest sets the pace. Give it a lower priority: it then takes what does not fit on the others."
    };
    Finding::warn(
        ROTATIONAL_EQUAL.id,
        format!("{} differ in speed and share a priority", join_names(&names)),
        sentence,
    )
    .about(group.about())
    .shown_by(members.iter().map(|(place, _)| place.cell("rotational")))
    .shown_by(group.cells())
    .shown_by(members.iter().map(|(place, _)| place.cell("used")))
    .with_fix(rebalance_command(view, members.iter().map(|(place, _)| place)))
}

#[cfg(test)]
mod tests {
    mod mixed_priority {
        use super::super::MIXED_PRIORITY;
        use crate::advice::testing::TestMachine;

        const ID: &str = MIXED_PRIORITY.id;

        #[test]
        fn zram_beside_a_disk_is_wrong_and_above_it_right() {
            let zram = || TestMachine::default().zram("zram0", 10, (1000, 0));
            assert_eq!(zram().disk("sda", 10, (1000, 0)).fixes(ID), ["swapadm rebalance"]);
            assert_eq!(zram().disk("sda", 9, (1000, 0)).severities(ID), [""; 0]);
            assert_eq!(zram().zram("zram1", 10, (1000, 0)).severities(ID), [""; 0]);
        }

        #[test]
        fn no_command_is_named_that_would_be_refused() {
            let zram = TestMachine::default().zram("zram0", 10, (1000, 1000));
            let full = zram.disk("sda", 10, (1000, 1000)).memory("MemAvailable", 0);
            assert!(full.has_no_command(ID), "neither can be emptied");
            let zram = TestMachine::default().zram("zram0", 10, (1000, 1000));
            let one = zram.disk("sda", 10, (500, 0)).memory("MemAvailable", 0);
            assert!(one.has_no_command(ID), "it may be zram that has to be emptied");
            let strict = TestMachine::default().zram("zram0", 10, (1000, 0)).disk("sda", 10, (1000, 0));
            let strict = strict.memory("CommitLimit", 2000).memory("Committed_AS", 1500);
            assert!(strict.knob("overcommit_memory", "2").has_no_command(ID));
        }

        #[test]
        fn the_sentence_fits_the_rotation_of_this_kernel() {
            let zram = |release| TestMachine::default().zram("zram0", 10, (1000, 0)).on(release);
            let rotating = |release| zram(release).rotating("sda", 10, (1000, 0)).sentence(ID);
            assert!(rotating("6.12.1").contains("They take turns"));
            assert!(rotating("6.18.1").contains("a single page"));
            assert!(rotating("6.18.1").contains("huge folios alternate"));
            let solid = zram("6.18.1").disk("sda", 10, (1000, 0));
            assert!(solid.sentence(ID).contains("They take turns"));
        }
    }

    mod zram_behind {
        use super::super::ZRAM_BEHIND;
        use crate::advice::testing::TestMachine;

        const ID: &str = ZRAM_BEHIND.id;

        #[test]
        fn zram_below_a_disk_is_wrong_and_above_it_right() {
            let zram = |priority| TestMachine::default().zram("zram0", priority, (1000, 0));
            let disk = |machine: TestMachine| machine.disk("sda", 10, (1000, 0));
            assert_eq!(disk(zram(9)).fixes(ID), ["swapadm rebalance"]);
            assert_eq!(disk(zram(10)).severities(ID), [""; 0], "another rule speaks of these");
            assert_eq!(disk(zram(11)).severities(ID), [""; 0]);
        }

        #[test]
        fn no_command_is_named_that_would_be_refused() {
            let disk = TestMachine::default().disk("sda", 10, (1000, 1000));
            let full = disk.zram("zram0", 9, (1000, 1000)).memory("MemAvailable", 0);
            assert!(full.has_no_command(ID), "neither can be emptied");
        }

        #[test]
        fn the_priority_that_counts_on_a_node_decides() {
            let zram = || TestMachine::default().zram("zram0", -2, (1000, 0));
            let disk = |machine: TestMachine| machine.disk("sda", -3, (1000, 0));
            assert_eq!(disk(zram()).severities(ID), [""; 0]);
            assert_eq!(
                disk(zram()).on_node(1).severities(ID),
                ["warn"],
                "there the disk comes first"
            );
            let told = disk(zram()).on_node(1).sentence(ID);
            assert!(!told.contains("higher priority"), "zram has the higher one: {told}");
            let given = TestMachine::default().zram("zram0", 5, (1000, 0));
            assert_eq!(disk(given).on_node(1).severities(ID), [""; 0]);
        }
    }

    mod rotational_equal {
        use super::super::ROTATIONAL_EQUAL;
        use crate::advice::testing::TestMachine;

        const ID: &str = ROTATIONAL_EQUAL.id;

        #[test]
        fn a_rotating_disk_among_others_is_wrong_and_below_them_right() {
            let solid = || TestMachine::default().disk("sda", 5, (1000, 0));
            assert_eq!(solid().rotating("sdb", 5, (1000, 0)).fixes(ID), ["swapadm rebalance"]);
            assert_eq!(solid().rotating("sdb", 4, (1000, 0)).severities(ID), [""; 0]);
            assert_eq!(solid().disk("sdb", 5, (1000, 0)).severities(ID), [""; 0]);
            let mixed = solid().rotating("sdb", 5, (1000, 0)).zram("zram0", 5, (1000, 0));
            assert_eq!(mixed.severities(ID), [""; 0], "another rule speaks of these");
        }

        #[test]
        fn the_sentence_fits_the_rotation_of_this_kernel() {
            let sentence = |release| {
                let machine = TestMachine::default().disk("sda", 5, (1000, 0)).on(release);
                machine.rotating("sdb", 5, (1000, 0)).sentence(ID)
            };
            assert!(sentence("6.12.1").contains("the slowest sets the pace"));
            assert!(sentence("6.18.1").contains("a single page"));
            assert!(sentence("6.18.1").contains("huge folios alternate"));
            assert!(sentence("7.2.0").contains("a single page"));
        }

        #[test]
        fn no_command_is_named_that_would_be_refused() {
            let solid = TestMachine::default().disk("sda", 5, (1000, 1000));
            let full = solid.rotating("sdb", 5, (1000, 1000)).memory("MemAvailable", 0);
            assert!(full.has_no_command(ID), "neither can be emptied");
        }

        #[test]
        fn a_virtio_disk_gets_little_where_the_kernel_believes_it() {
            let found = |release| {
                let machine = TestMachine::default().disk("sda", 5, (1000, 0)).on(release);
                machine.rotating("vda", 5, (1000, 0)).severities(ID)
            };
            assert_eq!(found("6.18.1"), ["warn"]);
            assert_eq!(found("6.12.1"), [""; 0], "it gets its part, and may be as fast");
            let virtio = TestMachine::default().rotating("vda", 5, (1000, 0));
            let beside = virtio.rotating("sdb", 5, (1000, 0));
            assert_eq!(beside.severities(ID), [""; 0], "the kernel takes both for the same");
        }

        #[test]
        fn default_areas_of_one_node_share_a_priority_there() {
            let solid = || TestMachine::default().disk("sda", -2, (1000, 0));
            let both = |solid: TestMachine| solid.rotating("sdb", -3, (1000, 0));
            assert_eq!(both(solid()).severities(ID), [""; 0]);
            assert_eq!(both(solid()).on_node(1).severities(ID), [""; 0], "only one belongs to it");
            let found = both(solid().on_node(1)).on_node(1).findings_of(ID);
            let names: Vec<&str> = found.iter().map(|(_, name, _)| name.as_str()).collect();
            assert_eq!(names, ["rotational-equal:-1 of node 1"]);
        }
    }
}
