//! An area cannot be switched off: what is on it fits nowhere else, or promises need it.

use crate::advice::places::{ROOM, leaving, listed, setting};
use crate::advice::{Certainty, Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::drain::{self, Drain};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Policy};

const ID: &str = "swapoff-fit";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "an area cannot be switched off",
    about: "Speaks when what is on an area fits neither into memory nor on the other areas, or not into the control groups to which it comes back. A swapoff of it would fail, or push the machine to where the kernel kills processes; so would a shutdown that empties swap. With overcommit_memory 2 it speaks as well when processes were promised so much that the kernel does not let the area go. swapadm off AREA --dry-run has the sum.",
    needs: ROOM,
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let promised = needed_by_promises(view)?;
    let areas = view.now.swaps.reading.get()?.iter();
    let areas = areas.filter(|area| area.used.known() != Some(&Bytes(0)));
    let (mut stuck, mut bound, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for area in areas.filter(|area| !promised.contains(area)) {
        let Some(drain) = leaving(view, area)? else { continue };
        if !drain.fits() {
            stuck.push(area);
        } else if !drain::fits(view.now, drain).into_result()? {
            bound.push(area);
            groups.extend(over(view, drain));
        }
    }
    let refused = "overcommit_memory is 2, and what processes were promised needs it: the kernel does not let it go. Raise overcommit_ratio (or overcommit_kbytes), or add swap first, or end what asked for so much.";
    let room = "What is on it fits neither into memory nor on the other areas: a swapoff would fail, or push the machine to where processes are killed. Add an area before one of these is taken off.";
    let refused = found(&promised, "promises", refused).map(|found| {
        found.shown_by([setting("overcommit_memory"), Evidence::of("headroom", "commit_left")])
    });
    let room = found(&stuck, "room", room).map(|found| {
        let figures = ["mem_available", "swap_free"].map(|it| Evidence::of("headroom", it));
        // What memory can be had is an estimate of the kernel.
        found.shown_by(figures).sure(Certainty::Likely)
    });
    let limits = "What is on it fits into memory, but control groups would get more of it back than their limits let them keep, and other areas cannot take the rest: the kernel may kill processes in them. Raise their limits, or add an area, before one of these is taken off.";
    let limits = found(&bound, "groups", limits).map(|found| {
        groups.sort_unstable();
        groups.dedup();
        let cells =
            |path: &String| ["swap", "memory_max"].map(|it| Evidence::at("cgroups", path, it));
        // How much of it is theirs, nobody tells.
        found.shown_by(groups.iter().take(MOST).flat_map(cells)).sure(Certainty::Likely)
    });
    Ok(refused.into_iter().chain(room).chain(limits).collect())
}

/// More groups than these are not named.
const MOST: usize = 3;

/// The groups that get more back than their limits let them keep.
fn over(view: &View<'_>, drain: Drain) -> Vec<String> {
    let over = drain::over_limits(view.now, &[drain], drain.moves);
    over.known().map_or_else(Vec::new, |over| {
        over.groups.iter().map(|(group, _)| group.path.exact()).collect()
    })
}

/// What stands against it that these areas are switched off; nothing where there are none.
fn found(areas: &[&SwapArea], about: &str, sentence: &str) -> Option<Finding> {
    let names: Vec<String> = areas.iter().map(|area| area.path.safe()).collect();
    let cells = ["used", "size"].map(|column| {
        areas.iter().map(move |area| Evidence::at("devices", area.path.exact(), column))
    });
    let summary = format!("{} cannot be switched off", listed(&names));
    let found = Finding::warn(ID, summary, sentence).about(about).severe(Severity::Note);
    (!areas.is_empty()).then(|| found.shown_by(cells.into_iter().flatten()))
}

/// The areas without which less could be promised than is.
fn needed_by_promises<'v>(view: &View<'v>) -> Result<Vec<&'v SwapArea>, Missing> {
    let areas = view.now.swaps.reading.get()?;
    let promises = drain::promises(view.now);
    let is_needed = |area: &&SwapArea| promises.is_some_and(|it| it.needs(area.size));
    Ok(areas.iter().filter(is_needed).collect())
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

    #[test]
    fn an_area_whose_groups_are_at_their_limits_is_told() {
        let bound = |limit| Machine::default().disk("sda", 5, (4000, 200)).caged(100, 150, limit);
        assert_eq!(bound(249).severities(ID), ["note"], "it gets 150 MiB back");
        assert!(bound(249).sentence(ID).contains("Raise their limits"));
        assert_eq!(bound(250).severities(ID), [""; 0]);
        let beside = bound(249).disk("sdb", 4, (200, 0));
        assert_eq!(beside.severities(ID), [""; 0], "the rest goes there");
        let hidden = bound(249).without(crate::model::Part::Cgroups).severities(ID);
        assert_eq!(hidden, [""; 0], "without groups there are no limits");
    }

    #[test]
    fn where_promises_are_kept_an_area_that_they_need_is_told() {
        let promised = |mode, promised| {
            let machine = Machine::default().disk("sda", 5, (400, 100));
            let machine = machine.memory("CommitLimit", 2000).memory("Committed_AS", promised);
            machine.knob("overcommit_memory", mode).severities(ID)
        };
        assert_eq!(promised("2", 1600), ["note"]);
        assert_eq!(promised("2", 1599), [""; 0]);
        assert_eq!(promised("0", 1600), [""; 0]);
    }
}
