//! zram and disks share a priority.

use crate::advice::places::{Place, classed, listed, shared};
use crate::advice::{Finding, Rule, Verdict};
use crate::derive::View;
use crate::derive::speed::Speed;
use crate::model::{Part, PartSet, Policy};

const ID: &str = "mixed-priority";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "zram and a disk share a priority",
    about: "Speaks when an area on zram and one on something slower have the same priority. They take turns then: every other page goes to the disk while there is room on zram, and waits for the disk when it comes back. zram above the disk is filled first, and the disk takes what does not fit.",
    needs: PartSet::of(&[Part::Swaps, Part::Block]),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let groups = shared(&classed(view)?);
    let is_mixed = |members: &&Vec<_>| {
        let zram = members.iter().filter(|(_, speed)| *speed == Speed::Zram).count();
        zram > 0 && zram < members.len()
    };
    Ok(groups.iter().filter(is_mixed).map(|members| found(members)).collect())
}

fn found(members: &[(Place<'_>, Speed)]) -> Finding {
    let names: Vec<String> = members.iter().map(|(place, _)| place.name()).collect();
    let sentence = "They take turns, so that pages go to the disk while there is room on zram, and wait for the disk when they come back. Give zram the higher priority: the disk then takes what does not fit.";
    let first = members.first().map(|(place, _)| place.area.priority);
    Finding::warn(ID, format!("{} share a priority", listed(&names)), sentence)
        .about(first.map(|priority| priority.to_string()).unwrap_or_default())
        .shown_by(members.iter().map(|(place, _)| place.cell("priority")))
        .shown_by(members.iter().map(|(place, _)| place.cell("used")))
        .fixed_by("swapadm rebalance")
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
}
