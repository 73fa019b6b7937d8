//! An area is too small to matter.

use crate::advice::places::{Place, listed, places, share};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::model::{Part, PartSet, Policy};

const ID: &str = "area-small";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "an area is too small to matter",
    about: "Speaks when an area is smaller than area_small of memory, and shares its priority with no other: several small ones that take turns are as good as a large one. A small area above others is full in a moment, and then holds what went out first, which is not what is wanted least.",
    needs: PartSet::of(&[Part::Swaps, Part::Block, Part::Meminfo]),
    thresholds: &["area_small"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let all = places(view)?;
    let memory = view.now.memory("MemTotal").into_result()?;
    let of_priority = |priority| all.iter().filter(|it| it.area.priority == priority).count();
    let is_small = |place: &&Place<'_>| {
        let is_alone = of_priority(place.area.priority) == 1;
        is_alone && share(place.area.size, memory) < policy.area_small
    };
    let small: Vec<_> = all.iter().filter(is_small).collect();
    if small.is_empty() {
        return Ok(vec![]);
    }
    let names: Vec<String> = small.iter().map(|place| place.name()).collect();
    let verb = if names.len() > 1 { "are" } else { "is" };
    let sentence = "So little makes no difference, and what went there first stays there. Make it larger, or do without it.";
    let found =
        Finding::warn(ID, format!("{} {verb} too small to matter", listed(&names)), sentence)
            .severe(Severity::Note)
            .shown_by(small.iter().map(|place| place.cell("size")))
            .shown_by([Evidence::of("headroom", "mem_total")]);
    Ok(vec![found])
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn an_area_that_memory_dwarfs_is_told_unless_it_is_one_of_several() {
        let small = || Machine::default().disk("sda", 5, (81, 0));
        assert_eq!(small().severities(ID), ["note"]);
        assert_eq!(Machine::default().disk("sda", 5, (82, 0)).severities(ID), [""; 0]);
        assert_eq!(small().disk("sdb", 5, (81, 0)).severities(ID), [""; 0]);
    }
    #[test]
    fn several_small_ones_are_told_as_one() {
        let two = Machine::default().disk("sda", 5, (81, 0)).disk("sdb", 4, (81, 0));
        assert_eq!(two.severities(ID), ["note"]);
        assert_eq!(two.shown(ID).len(), 3);
    }
}
