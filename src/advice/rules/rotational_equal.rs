//! Slow and fast disks share a priority.

use crate::advice::places::{Place, classed, listed, shared};
use crate::advice::{Finding, Rule, Verdict};
use crate::derive::View;
use crate::derive::defaults;
use crate::derive::speed::Speed;
use crate::model::{Part, PartSet, Policy};

const ID: &str = "rotational-equal";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "disks of different speed share a priority",
    about: "Speaks when areas of one priority are on disks of different classes: solid state, rotational, or behind a network, as far as the kernel believes; zram beside disks has a rule of its own. Kernels up to 6.18 give all of them the same part, so that the slowest sets the pace. On 7.x a rotational one gets about one page where the others get 512, and hardly counts. A virtio disk says that it rotates unless the host says otherwise.",
    needs: PartSet::of(&[Part::Swaps, Part::Block, Part::Kernel]),
    thresholds: &[],
    check,
};

/// From this release on what rotates gets one page at a time.
const ONE_PAGE: (u32, u32) = (7, 0);

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let groups = shared(&classed(view)?);
    let is_mixed = |members: &&Vec<(Place<'_>, Speed)>| {
        let mut speeds: Vec<Speed> = members.iter().map(|(_, speed)| *speed).collect();
        speeds.sort_unstable();
        speeds.dedup();
        speeds.len() > 1 && !speeds.contains(&Speed::Zram)
    };
    let is_new = defaults::release(view.now).known().is_some_and(|release| *release >= ONE_PAGE);
    Ok(groups.iter().filter(is_mixed).map(|members| found(members, is_new)).collect())
}

fn found(members: &[(Place<'_>, Speed)], is_new: bool) -> Finding {
    let names: Vec<String> = members.iter().map(|(place, _)| place.name()).collect();
    let rotates = members.iter().any(|(_, speed)| *speed == Speed::Rotational);
    let sentence = if is_new && rotates {
        "On this kernel what rotates gets about one page where the others get 512, and hardly counts. Give it a lower priority: it then takes what does not fit on the others."
    } else {
        "They take turns, so that the slowest sets the pace. Give it a lower priority: it then takes what does not fit on the others."
    };
    let first = members.first().map(|(place, _)| place.area.priority);
    Finding::warn(ID, format!("{} differ in speed and share a priority", listed(&names)), sentence)
        .about(first.map(|priority| priority.to_string()).unwrap_or_default())
        .shown_by(members.iter().map(|(place, _)| place.cell("rotational")))
        .shown_by(members.iter().map(|(place, _)| place.cell("used")))
        .fixed_by("swapadm rebalance")
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
            let mut found = machine.rotating("sdb", 5, (1000, 0)).advice().findings;
            found.retain(|finding| finding.rule == ID);
            found.remove(0).sentence
        };
        assert!(sentence("6.18.1").contains("the slowest sets the pace"));
        assert!(sentence("7.2.0").contains("one page"));
    }
}
