//! zram and disks share a priority.

use crate::advice::places::{Group, ORDER, Place, ROOM, is_by_cluster, listed, reordered, shared};
use crate::advice::{Finding, Rule, Verdict};
use crate::derive::View;
use crate::derive::speed::Speed;
use crate::model::Policy;

const ID: &str = "mixed-priority";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "zram and a disk share a priority",
    about: "Speaks when an area on zram and one on something slower have the same priority. They take turns then: pages go to the disk while there is room on zram, and wait for the disk when they come back. Since about 6.15 a disk that rotates gets a single page at a turn, where zram gets a cluster. zram above the disk is filled first, and the disk takes what does not fit.",
    needs: ORDER.with(ROOM),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let is_zram = |(_, speed): &&(Place<'_>, Speed)| *speed == Speed::Zram;
    let is_mixed = |group: &&Group<'_>| {
        let zram = group.members.iter().filter(is_zram).count();
        zram > 0 && zram < group.members.len()
    };
    let by_cluster = is_by_cluster(view);
    let groups = shared(view)?;
    Ok(groups.iter().filter(is_mixed).map(|group| found(view, group, by_cluster)).collect())
}

fn found(view: &View<'_>, group: &Group<'_>, by_cluster: bool) -> Finding {
    let members = &group.members;
    let names: Vec<String> = members.iter().map(|(place, _)| place.name()).collect();
    let gets_little = |(_, speed): &(_, Speed)| matches!(speed, Speed::Zram | Speed::Rotational);
    let sentence = if by_cluster && members.iter().all(gets_little) {
        "What rotates gets a single page at a turn on this kernel, where zram gets a cluster: it hardly counts, except that huge folios alternate where none of them is a file, and what goes there waits for the disk when it comes back. Give zram the higher priority: the disk then takes what does not fit."
    } else {
        "They take turns, so that pages go to the disk while there is room on zram, and wait for the disk when they come back. Give zram the higher priority: the disk then takes what does not fit."
    };
    Finding::warn(ID, format!("{} share a priority", listed(&names)), sentence)
        .about(group.about())
        .shown_by(group.cells())
        .shown_by(members.iter().map(|(place, _)| place.cell("used")))
        .put_right(reordered(view, members.iter().map(|(place, _)| place)))
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn zram_beside_a_disk_is_wrong_and_above_it_right() {
        let zram = || Machine::default().zram("zram0", 10, (1000, 0));
        assert_eq!(zram().disk("sda", 10, (1000, 0)).fixes(ID), ["swapadm rebalance"]);
        assert_eq!(zram().disk("sda", 9, (1000, 0)).severities(ID), [""; 0]);
        assert_eq!(zram().zram("zram1", 10, (1000, 0)).severities(ID), [""; 0]);
    }

    #[test]
    fn no_command_is_named_that_would_be_refused() {
        let zram = Machine::default().zram("zram0", 10, (1000, 1000));
        let full = zram.disk("sda", 10, (1000, 1000)).memory("MemAvailable", 0);
        assert!(full.has_no_command(ID), "neither can be emptied");
        let zram = Machine::default().zram("zram0", 10, (1000, 1000));
        let one = zram.disk("sda", 10, (500, 0)).memory("MemAvailable", 0);
        assert!(one.has_no_command(ID), "it may be zram that has to be emptied");
        let strict = Machine::default().zram("zram0", 10, (1000, 0)).disk("sda", 10, (1000, 0));
        let strict = strict.memory("CommitLimit", 2000).memory("Committed_AS", 1500);
        assert!(strict.knob("overcommit_memory", "2").has_no_command(ID));
    }

    #[test]
    fn what_comes_of_it_is_told_as_this_kernel_does_it() {
        let zram = |release| Machine::default().zram("zram0", 10, (1000, 0)).on(release);
        let rotating = |release| zram(release).rotating("sda", 10, (1000, 0)).sentence(ID);
        assert!(rotating("6.12.1").contains("They take turns"));
        assert!(rotating("6.18.1").contains("a single page"));
        assert!(rotating("6.18.1").contains("huge folios alternate"));
        let solid = zram("6.18.1").disk("sda", 10, (1000, 0));
        assert!(solid.sentence(ID).contains("They take turns"));
    }
}
