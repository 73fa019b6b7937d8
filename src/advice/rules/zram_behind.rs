//! zram waits until a disk is full.

use crate::advice::places::{Place, classed, listed};
use crate::advice::{Finding, Rule, Verdict};
use crate::derive::View;
use crate::derive::speed::Speed;
use crate::model::{Part, PartSet, Policy};

const ID: &str = "zram-behind";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "zram waits until a disk is full",
    about: "Speaks when an area on zram has a lower priority than one on something slower. The kernel fills the higher priority first: zram, the fastest there is, then gets nothing until the disk is full.",
    needs: PartSet::of(&[Part::Swaps, Part::Block]),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let all = classed(view)?;
    let (zram, slower): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(_, speed)| *speed == Speed::Zram);
    let is_below = |(place, _): &(Place<'_>, Speed)| {
        slower.iter().any(|(other, _)| other.area.priority > place.area.priority)
    };
    let behind: Vec<Place<'_>> = zram.into_iter().filter(is_below).map(|(it, _)| it).collect();
    let Some(lowest) = behind.iter().map(|place| place.area.priority).min() else {
        return Ok(vec![]);
    };
    let above = slower.iter().map(|(place, _)| place);
    let above: Vec<_> = above.filter(|place| place.area.priority > lowest).collect();
    let names = |places: &mut dyn Iterator<Item = String>| listed(&places.collect::<Vec<_>>());
    let waiting = names(&mut behind.iter().map(Place::name));
    let filled = names(&mut above.iter().map(|place| place.name()));
    let verb = if behind.len() > 1 { "wait" } else { "waits" };
    let full = if above.len() > 1 { "are full" } else { "is full" };
    let sentence = "The kernel fills the higher priority first, so the fastest area is used last. Give zram the higher priority: the disk then takes what does not fit.";
    let found = Finding::warn(ID, format!("{waiting} {verb} until {filled} {full}"), sentence)
        .shown_by(behind.iter().map(|place| place.cell("priority")))
        .shown_by(above.iter().map(|place| place.cell("priority")))
        .fixed_by("swapadm rebalance");
    Ok(vec![found])
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
}
