//! An area cannot be switched off, since what is on it fits nowhere else.

use crate::advice::places::listed;
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::drain::{self, Leaving};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Part, PartSet, Policy};

const ID: &str = "swapoff-fit";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "what is on an area fits nowhere else",
    about: "Speaks when what is on an area fits neither into memory nor on the other areas. A swapoff of it would fail, or push the machine to where the kernel kills processes; so would a shutdown that empties swap. swapadm off AREA --dry-run has the sum.",
    needs: PartSet::of(&[Part::Swaps, Part::Meminfo, Part::Zram]),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let areas = view.now.swaps.reading.get()?;
    let mut stuck = Vec::new();
    for area in areas.iter().filter(|area| area.used.known() != Some(&Bytes(0))) {
        if !fits(view, area)? {
            stuck.push(area);
        }
    }
    if stuck.is_empty() {
        return Ok(vec![]);
    }
    let names: Vec<String> = stuck.iter().map(|area| area.path.safe()).collect();
    let sentence = "What is on it fits neither into memory nor on the other areas: a swapoff would fail, or push the machine to where processes are killed. Add an area before one of these is taken off.";
    let cell = |area: &&SwapArea| Evidence::at("devices", area.path.exact(), "used");
    let found = Finding::warn(ID, format!("{} cannot be switched off", listed(&names)), sentence)
        .severe(Severity::Note)
        .shown_by(stuck.iter().map(cell))
        .shown_by(["mem_available", "swap_free"].map(|column| Evidence::of("headroom", column)));
    Ok(vec![found])
}

/// Does what is on it fit elsewhere?
pub(super) fn fits(view: &View<'_>, area: &SwapArea) -> Result<bool, Missing> {
    let leaving = Leaving { path: &area.path, comes_back: false };
    let drains = drain::drains(view.now, &[leaving]).into_result()?;
    Ok(drains.iter().all(drain::Drain::fits))
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn an_area_that_nothing_can_take_over_is_told() {
        let one = || Machine::default().disk("sda", 5, (4000, 3001));
        assert_eq!(one().severities(ID), ["note"], "3000 MiB are available");
        assert_eq!(one().memory("MemAvailable", 3001).severities(ID), [""; 0]);
        assert_eq!(one().disk("sdb", 4, (10, 0)).severities(ID), [""; 0]);
    }
}
