//! Slow and fast disks share a priority.

use crate::advice::places::{Group, ORDER, Place, ROOM, is_by_cluster, listed, reordered, shared};
use crate::advice::{Finding, Rule, Verdict};
use crate::derive::View;
use crate::derive::speed::{self, Speed};
use crate::model::Policy;

const ID: &str = "rotational-equal";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "disks of different speed share a priority",
    about: "Speaks when areas of one priority are on disks of different classes: solid state, rotational, or behind a network, as far as the kernel believes; zram beside disks has a rule of its own. Up to kernel 6.14 all of them get about the same part, so that the slowest sets the pace. Since about 6.15 a rotational one gets a single page at a turn, where the others get a cluster, and hardly counts, except that huge folios alternate where none of them is a file. Up to 6.18 areas without a priority that belong to one NUMA node share one there. A virtio disk always says that it rotates: up to 6.14, where that decides nothing, nothing is said of it.",
    needs: ORDER.with(ROOM),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let by_cluster = is_by_cluster(view);
    let counts = |(place, _): &&(Place<'_>, Speed)| {
        by_cluster || !place.block().is_some_and(speed::is_virtio)
    };
    let is_mixed = |group: &&Group<'_>| {
        let members = group.members.iter().filter(counts);
        let mut speeds: Vec<Speed> = members.map(|(_, speed)| *speed).collect();
        speeds.sort_unstable();
        speeds.dedup();
        speeds.len() > 1 && !speeds.contains(&Speed::Zram)
    };
    let groups = shared(view)?;
    Ok(groups.iter().filter(is_mixed).map(|group| found(view, group, by_cluster)).collect())
}

fn found(view: &View<'_>, group: &Group<'_>, by_cluster: bool) -> Finding {
    let members = &group.members;
    let names: Vec<String> = members.iter().map(|(place, _)| place.name()).collect();
    let rotates = members.iter().any(|(_, speed)| *speed == Speed::Rotational);
    let sentence = if by_cluster && rotates {
        "On this kernel what rotates gets a single page at a turn, where the others get a cluster, and hardly counts, except that huge folios alternate where none of them is a file. Give it a lower priority: it then takes what does not fit on the others."
    } else {
        "They take turns, so that the slowest sets the pace. Give it a lower priority: it then takes what does not fit on the others."
    };
    Finding::warn(ID, format!("{} differ in speed and share a priority", listed(&names)), sentence)
        .about(group.about())
        .shown_by(members.iter().map(|(place, _)| place.cell("rotational")))
        .shown_by(group.cells())
        .shown_by(members.iter().map(|(place, _)| place.cell("used")))
        .put_right(reordered(view, members.iter().map(|(place, _)| place)))
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn a_rotating_disk_among_others_is_wrong_and_below_them_right() {
        let solid = || Machine::default().disk("sda", 5, (1000, 0));
        assert_eq!(solid().rotating("sdb", 5, (1000, 0)).fixes(ID), ["swapadm rebalance"]);
        assert_eq!(solid().rotating("sdb", 4, (1000, 0)).severities(ID), [""; 0]);
        assert_eq!(solid().disk("sdb", 5, (1000, 0)).severities(ID), [""; 0]);
        let mixed = solid().rotating("sdb", 5, (1000, 0)).zram("zram0", 5, (1000, 0));
        assert_eq!(mixed.severities(ID), [""; 0], "another rule speaks of these");
    }

    #[test]
    fn what_comes_of_it_is_told_as_this_kernel_does_it() {
        let sentence = |release| {
            let machine = Machine::default().disk("sda", 5, (1000, 0)).on(release);
            machine.rotating("sdb", 5, (1000, 0)).sentence(ID)
        };
        assert!(sentence("6.12.1").contains("the slowest sets the pace"));
        assert!(sentence("6.18.1").contains("a single page"));
        assert!(sentence("6.18.1").contains("huge folios alternate"));
        assert!(sentence("7.2.0").contains("a single page"));
    }

    #[test]
    fn no_command_is_named_that_would_be_refused() {
        let solid = Machine::default().disk("sda", 5, (1000, 1000));
        let full = solid.rotating("sdb", 5, (1000, 1000)).memory("MemAvailable", 0);
        assert!(full.has_no_command(ID), "neither can be emptied");
    }

    #[test]
    fn a_virtio_disk_gets_little_where_the_kernel_believes_it() {
        let found = |release| {
            let machine = Machine::default().disk("sda", 5, (1000, 0)).on(release);
            machine.rotating("vda", 5, (1000, 0)).severities(ID)
        };
        assert_eq!(found("6.18.1"), ["warn"]);
        assert_eq!(found("6.12.1"), [""; 0], "it gets its part, and may be as fast");
        let virtio = Machine::default().rotating("vda", 5, (1000, 0));
        let beside = virtio.rotating("sdb", 5, (1000, 0));
        assert_eq!(beside.severities(ID), [""; 0], "the kernel takes both for the same");
    }

    #[test]
    fn areas_of_one_node_take_turns_there_without_a_priority() {
        let solid = || Machine::default().disk("sda", -2, (1000, 0));
        let both = |solid: Machine| solid.rotating("sdb", -3, (1000, 0));
        assert_eq!(both(solid()).severities(ID), [""; 0]);
        assert_eq!(both(solid()).of_node(1).severities(ID), [""; 0], "only one belongs to it");
        let found = both(solid().of_node(1)).of_node(1).found(ID);
        let names: Vec<&str> = found.iter().map(|(_, name, _)| name.as_str()).collect();
        assert_eq!(names, ["rotational-equal:-1 of node 1"]);
    }
}
