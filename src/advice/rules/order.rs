//! Rules about the allocation order of areas, by priority and speed.

use crate::advice::areas::{
    AreaWithDevice, ORDER, ROOM, RuleGroup, allocation_orders, is_doubted_virtio,
    is_preferred_by_node, rebalance_command, rotates_per_cluster, shared_groups, short_names,
};
use crate::advice::{EvidenceCell, Finding, Rule, RuleResult};
use crate::derive::SampleView;
use crate::derive::speed::{self, Speed};
use crate::model::{Name, Policy};
use std::collections::BTreeSet;

/// Reports zram and disks in one priority group.
pub(super) const MIXED_PRIORITY: Rule =
    Rule::new("mixed-priority", "zram and a disk share a priority", mixed_priority)
        .about("Reported if an area on zram and a slower one have the same priority. The kernel fills them round robin: pages go to the disk while zram has room, and wait for the disk when they are swapped in. Since about 6.15 a rotational disk gets a single page per turn where zram gets a cluster. With a higher priority zram fills first, and the disk takes the rest.")
        .needs(ORDER.with(ROOM));

fn mixed_priority(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let is_zram = |(_, speed): &&(AreaWithDevice<'_>, Speed)| *speed == Speed::Zram;
    let is_mixed = |group: &RuleGroup<'_>| {
        let zram = group.members.iter().filter(is_zram).count();
        zram > 0 && zram < group.members.len()
    };
    let by_cluster = rotates_per_cluster(view);
    let groups = shared_groups(view)?.into_iter().filter(is_mixed);
    Ok(groups.map(|group| mixed_priority_finding(view, &group, by_cluster)).collect())
}

fn mixed_priority_finding(
    view: &SampleView<'_>,
    group: &RuleGroup<'_>,
    by_cluster: bool,
) -> Finding {
    let members = &group.members;
    let names = short_names(members.iter().map(|(place, _)| place.name()));
    let gets_little = |(_, speed): &(_, Speed)| matches!(speed, Speed::Zram | Speed::Rotational);
    let (share, sentence) = if by_cluster && members.iter().all(gets_little) {
        (
            "share a priority",
            "On this kernel a rotational area gets a single page per turn where zram gets a cluster, so it is hardly used. Pages on it wait for the disk when they are swapped in. Give zram the higher priority: disks then take the rest. Folios as large as a cluster are an exception: if no area of the group is a file, all get equally many of them.",
        )
    } else {
        (
            "share a priority: disks fill as fast as zram",
            "The kernel spreads pages evenly over all of them: some go to disks although zram has room, and wait for the disk when they are swapped in. Give zram the higher priority: disks then take the rest.",
        )
    };
    let summary = format!("{names} {share}");
    shared_priority_finding(MIXED_PRIORITY.id, summary, sentence, (view, group), &[])
}

/// The finding that areas which share a priority should not.
fn shared_priority_finding(
    rule: &'static str,
    summary: String,
    sentence: &str,
    (view, group): (&SampleView<'_>, &RuleGroup<'_>),
    evidence: &[EvidenceCell],
) -> Finding {
    let places = || group.members.iter().map(|(place, _)| place);
    Finding::warn(rule, summary, group.explain(sentence))
        .with_subject(group.about())
        .shown_by(evidence.iter().cloned())
        .shown_by(group.cells())
        .shown_by(places().map(|place| place.cell("used")))
        .with_fix(rebalance_command(view, places()))
}

/// Reports an area behind a slower one in the allocation order.
pub(super) const FASTER_BEHIND: Rule =
    Rule::new("faster-behind", "a faster area is used only after a slower one is full", faster_behind)
        .about("Reported if an area comes after one of a slower speed class in the allocation order of at least one NUMA node. The speed classes are, from fast to slow: zram, solid state, rotational and network. The kernel fills the higher priority first; up to 6.18 each node also fills its own areas with default priority before others with default priority. If a faster area comes later for that reason alone, it is reported only if it is zram. The faster area then gets nothing until the slower one is full. A virtio disk beside another disk is not compared with it, because virtio disks are always flagged as rotational.")
        .needs(ORDER.with(ROOM));

fn faster_behind(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let (mut behind, mut above) = (Vec::new(), Vec::new());
    for order in allocation_orders(view)? {
        let mut earlier: Vec<(AreaWithDevice<'_>, Speed)> = Vec::new();
        for group in &order {
            for fast in &group.members {
                let slow = earlier.iter().filter(|slow| is_wrong_order(view, slow, fast));
                let slow: Vec<_> = slow.map(|(place, _)| *place).collect();
                add(&mut behind, slow.first().map(|_| fast.0).into_iter());
                add(&mut above, slow.into_iter());
            }
            earlier.extend(&group.members);
        }
    }
    if behind.is_empty() {
        return Ok(vec![]);
    }
    let names =
        |places: &[AreaWithDevice<'_>]| short_names(places.iter().map(AreaWithDevice::name));
    let (waiting, filled) = (names(&behind), names(&above));
    let verb = if behind.len() > 1 { "are used only" } else { "is used only" };
    let by_node = above.iter().any(is_preferred_by_node);
    let full = match (by_node, above.len()) {
        (true, 1) => "is full on its node",
        (true, _) => "are full, each on its node",
        (false, 1) => "is full",
        (false, _) => "are full",
    };
    let sentence = if by_node {
        "Each NUMA node fills its own areas with default priority before other areas with default priority, whatever numbers are shown. zram belongs to no node, so it comes after the disks of each node. Give zram an explicit priority: the disks are then used after it."
    } else {
        "The kernel fills the higher priority first, so the faster area is used last. Give it the higher priority: slower ones then take the rest."
    };
    let found = Finding::warn(
        FASTER_BEHIND.id,
        format!("{waiting} {verb} after {filled} {full}"),
        sentence,
    )
    .shown_by(behind.iter().chain(&above).map(|place| place.cell("priority")))
    .shown_by(
        above.iter().filter(|place| is_preferred_by_node(place)).map(|place| place.cell("node")),
    )
    .with_fix(rebalance_command(view, behind.iter().chain(&above)));
    Ok(vec![found])
}

/// Returns whether the first of two areas is slower than the second. Nodes prefer their own disks on purpose.
fn is_wrong_order(
    view: &SampleView<'_>,
    (slow, slow_speed): &(AreaWithDevice<'_>, Speed),
    (fast, fast_speed): &(AreaWithDevice<'_>, Speed),
) -> bool {
    let pair = [slow, fast];
    let is_by_node = pair.iter().all(|place| place.area.priority < 0)
        && pair.iter().any(|place| is_preferred_by_node(place));
    let is_judged = *fast_speed == Speed::Zram
        || !is_by_node && !pair.iter().any(|place| is_doubted_virtio(view, place));
    slow_speed > fast_speed && is_judged
}

/// Adds areas that are not in the list yet: the order of another node may contain them too.
fn add<'v>(places: &mut Vec<AreaWithDevice<'v>>, more: impl Iterator<Item = AreaWithDevice<'v>>) {
    let mut known: BTreeSet<&Name> = places.iter().map(|place| &place.area.path).collect();
    places.extend(more.filter(|place| known.insert(&place.area.path)));
}

/// Reports slow and fast disks in one priority group.
pub(super) const ROTATIONAL_EQUAL: Rule =
    Rule::new("rotational-equal", "disks of different speed share a priority", rotational_equal)
        .about("Reported if the areas in a priority group are on disks of different speed classes: solid state, rotational or network, as far as the kernel knows; zram beside disks has its own rule. Up to kernel 6.14 all of them get about equal shares, so the slowest sets the pace. Since about 6.15 a rotational area gets a single page per turn where the others get a cluster, so it is hardly used. Folios as large as a cluster are an exception: if no area of the group is a file, all get equally many of them. Up to 6.18 the areas with default priority on one NUMA node share a priority there, and are judged as such a group. Virtio disks are always flagged as rotational: up to 6.14, where that has no effect, they are not reported.")
        .needs(ORDER.with(ROOM));

fn rotational_equal(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let by_cluster = rotates_per_cluster(view);
    let counts = |(place, _): &&(AreaWithDevice<'_>, Speed)| {
        by_cluster || !place.block().is_some_and(speed::is_virtio)
    };
    let is_mixed = |group: &RuleGroup<'_>| {
        let members = group.members.iter().filter(counts);
        let mut speeds: Vec<Speed> = members.map(|(_, speed)| *speed).collect();
        speeds.sort_unstable();
        speeds.dedup();
        speeds.len() > 1 && !speeds.contains(&Speed::Zram)
    };
    let groups = shared_groups(view)?.into_iter().filter(is_mixed);
    Ok(groups.map(|group| rotational_equal_finding(view, &group, by_cluster)).collect())
}

fn rotational_equal_finding(
    view: &SampleView<'_>,
    group: &RuleGroup<'_>,
    by_cluster: bool,
) -> Finding {
    let members = &group.members;
    let names = short_names(members.iter().map(|(place, _)| place.name()));
    let rotates = members.iter().any(|(_, speed)| *speed == Speed::Rotational);
    let sentence = if by_cluster && rotates {
        "On this kernel a rotational area gets a single page per turn where the others get a cluster, so it is hardly used. Give it a lower priority: it then takes what does not fit on the others. Folios as large as a cluster are an exception: if no area of the group is a file, all get equally many of them."
    } else {
        "The kernel fills them round robin, so the slowest sets the pace. Give the slowest a lower priority: it then takes what does not fit on the others."
    };
    let summary = format!("{names} differ in speed and share a priority");
    let rotational: Vec<_> = members.iter().map(|(place, _)| place.cell("rotational")).collect();
    shared_priority_finding(ROTATIONAL_EQUAL.id, summary, sentence, (view, group), &rotational)
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
            assert!(full.has_no_command(ID), "neither can be drained");
            let zram = TestMachine::default().zram("zram0", 10, (1000, 1000));
            let one = zram.disk("sda", 10, (500, 0)).memory("MemAvailable", 0);
            assert!(one.has_no_command(ID), "zram may have to be drained");
            let strict =
                TestMachine::default().zram("zram0", 10, (1000, 0)).disk("sda", 10, (1000, 0));
            let strict = strict.memory("CommitLimit", 2000).memory("Committed_AS", 1500);
            assert!(strict.knob("overcommit_memory", "2").has_no_command(ID));
        }

        #[test]
        fn the_sentence_fits_the_rotation_of_this_kernel() {
            let zram = |release| TestMachine::default().zram("zram0", 10, (1000, 0)).on(release);
            let rotating = |release| zram(release).rotating("sda", 10, (1000, 0)).sentence(ID);
            assert!(rotating("6.12.1").contains("evenly over all of them"));
            assert!(rotating("6.18.1").contains("a single page"));
            assert!(rotating("6.18.1").contains("all get equally many of them"));
            let solid = zram("6.18.1").disk("sda", 10, (1000, 0));
            assert!(solid.sentence(ID).contains("evenly over all of them"));
        }
    }

    mod faster_behind {
        use super::super::FASTER_BEHIND;
        use crate::advice::testing::TestMachine;

        const ID: &str = FASTER_BEHIND.id;

        #[test]
        fn zram_below_a_disk_is_wrong_and_above_it_right() {
            let zram = |priority| TestMachine::default().zram("zram0", priority, (1000, 0));
            let disk = |machine: TestMachine| machine.disk("sda", 10, (1000, 0));
            assert_eq!(disk(zram(9)).fixes(ID), ["swapadm rebalance"]);
            assert_eq!(disk(zram(10)).severities(ID), [""; 0], "another rule covers these");
            assert_eq!(disk(zram(11)).severities(ID), [""; 0]);
        }

        #[test]
        fn no_command_is_named_that_would_be_refused() {
            let disk = TestMachine::default().disk("sda", 10, (1000, 1000));
            let full = disk.zram("zram0", 9, (1000, 1000)).memory("MemAvailable", 0);
            assert!(full.has_no_command(ID), "neither can be drained");
        }

        #[test]
        fn a_fast_disk_below_a_slow_one_is_wrong_and_above_it_right() {
            let slow = |priority| TestMachine::default().rotating("sda", priority, (1000, 0));
            let fast = |machine: TestMachine| machine.disk("sdb", 10, (1000, 0));
            assert_eq!(fast(slow(11)).fixes(ID), ["swapadm rebalance"]);
            assert_eq!(fast(slow(9)).severities(ID), [""; 0]);
            let default = slow(-2).disk("sdb", -3, (1000, 0));
            assert_eq!(default.severities(ID), ["warn"]);
            assert_eq!(default.on_node(0).severities(ID), [""; 0], "a node prefers one of them");
            let virtio = TestMachine::default().rotating("vda", 11, (1000, 0));
            assert_eq!(fast(virtio).severities(ID), [""; 0], "its speed is unknown");
            let network = TestMachine::default().disk("nbd0", 11, (1000, 0));
            assert_eq!(fast(network).severities(ID), ["warn"]);
        }

        #[test]
        fn the_priority_that_counts_on_a_node_decides() {
            let zram = || TestMachine::default().zram("zram0", -2, (1000, 0));
            let disk = |machine: TestMachine| machine.disk("sda", -3, (1000, 0));
            assert_eq!(disk(zram()).severities(ID), [""; 0]);
            assert_eq!(
                disk(zram()).on_node(1).severities(ID),
                ["warn"],
                "on node 1 the disk comes first"
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
            assert_eq!(mixed.severities(ID), [""; 0], "another rule covers these");
        }

        #[test]
        fn the_sentence_fits_the_rotation_of_this_kernel() {
            let sentence = |release| {
                let machine = TestMachine::default().disk("sda", 5, (1000, 0)).on(release);
                machine.rotating("sdb", 5, (1000, 0)).sentence(ID)
            };
            assert!(sentence("6.12.1").contains("the slowest sets the pace"));
            assert!(sentence("6.18.1").contains("a single page"));
            assert!(sentence("6.18.1").contains("all get equally many of them"));
            assert!(sentence("7.2.0").contains("a single page"));
        }

        #[test]
        fn no_command_is_named_that_would_be_refused() {
            let solid = TestMachine::default().disk("sda", 5, (1000, 1000));
            let full = solid.rotating("sdb", 5, (1000, 1000)).memory("MemAvailable", 0);
            assert!(full.has_no_command(ID), "neither can be drained");
        }

        #[test]
        fn a_virtio_disk_gets_little_where_the_kernel_believes_it() {
            let found = |release| {
                let machine = TestMachine::default().disk("sda", 5, (1000, 0)).on(release);
                machine.rotating("vda", 5, (1000, 0)).severities(ID)
            };
            assert_eq!(found("6.18.1"), ["warn"]);
            assert_eq!(found("6.12.1"), [""; 0], "it gets an equal share, and may be as fast");
            let virtio = TestMachine::default().rotating("vda", 5, (1000, 0));
            let beside = virtio.rotating("sdb", 5, (1000, 0));
            assert_eq!(beside.severities(ID), [""; 0], "the kernel treats both alike");
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
            let only = || {
                let mut machine = both(solid().on_node(0)).on_node(0);
                machine.nodes.truncate(1);
                machine
            };
            assert!(only().sentence(ID).starts_with("Their default priorities differ"));
            let shown = ["0", "1", "-2", "-3", "0", "0", "0", "0"];
            assert_eq!(only().evidence_values(ID), shown, "rotational, priority, node, used");
        }
    }
}
