//! zswap stands before zram.

use crate::advice::places::{ORDER, Place, classed, knob, listed, setting};
use crate::advice::{Finding, Rule, Verdict};
use crate::derive::View;
use crate::derive::selection;
use crate::derive::speed::Speed;
use crate::model::{Missing, Part, PartSet, Policy};

const ID: &str = "zswap-zram";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "zswap stands before zram",
    about: "Speaks when zswap is on and an area is on zram. Every page is then compressed for zswap first; what zswap gives up is decompressed, and compressed once more for zram. Both keep it in memory, so that the second gains nothing. zswap belongs before disks, zram in the place of zswap.",
    needs: ORDER.with(PartSet::of(&[Part::Knobs])),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let is_on = knob(view.now, "zswap.enabled")?.starts_with(['Y', 'y', '1']);
    let all = classed(view)?;
    let zram: Vec<_> = all.into_iter().filter(|(_, speed)| *speed == Speed::Zram).collect();
    if !is_on || zram.is_empty() {
        return Ok(vec![]);
    }
    let names: Vec<String> = zram.iter().map(|(place, _)| place.name()).collect();
    let sentence = if zram.len() == view.now.swaps.reading.get()?.len() {
        "Pages are compressed for zswap first, and once more for zram when zswap gives them up; both keep them in memory. What zswap holds now stays there until it is needed."
    } else {
        "Pages are compressed for zswap first, and once more for zram when zswap gives them up; both keep them in memory. With disks behind, either zswap or zram does this better alone: turn zswap off where zram has the higher priority, or else take zram off."
    };
    let found = Finding::warn(ID, format!("zswap stands before {}", listed(&names)), sentence)
        .shown_by([setting("zswap.enabled")])
        .shown_by(zram.iter().map(|(place, _)| place.cell("kind")));
    let found = if is_first(view, &zram) == Ok(true) { found.fixed_by(FIX) } else { found };
    Ok(vec![found])
}

const FIX: &str = "swapadm set zswap.enabled off --persist";

/// Is all zram used before anything else, on each node? Else a disk that is used first would lose its zswap.
fn is_first(view: &View<'_>, zram: &[(Place<'_>, Speed)]) -> Result<bool, Missing> {
    let areas = view.now.swaps.reading.get()?;
    let is_zram = |at: usize| {
        let path = areas.get(at).map(|area| &area.path);
        zram.iter().any(|(place, _)| Some(&place.area.path) == path)
    };
    let in_order = |line: &selection::Line| {
        let groups = |of_zram| {
            let own = line.places.iter().filter(move |place| is_zram(place.area) == of_zram);
            own.map(|place| place.group)
        };
        groups(false).min().is_none_or(|first| groups(true).max() < Some(first))
    };
    Ok(selection::of(view.now).into_result()?.lines.iter().all(in_order))
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn zswap_before_zram_is_wrong_and_before_a_disk_right() {
        let zswap = || Machine::default().knob("zswap.enabled", "Y");
        let zram = zswap().zram("zram0", 5, (1000, 0));
        assert_eq!(zram.fixes(ID), ["swapadm set zswap.enabled off --persist"]);
        assert_eq!(zswap().disk("sda", 5, (1000, 0)).severities(ID), [""; 0]);
        let off = Machine::default().zram("zram0", 5, (1000, 0));
        assert_eq!(off.severities(ID), [""; 0]);
        let first = zswap().zram("zram0", 5, (1000, 0)).disk("sda", 4, (1000, 0));
        assert_eq!(first.fixes(ID).len(), 1);
        let behind = zswap().zram("zram0", 5, (1000, 0)).disk("sda", 5, (1000, 0));
        assert_eq!(behind.severities(ID), ["warn"]);
        assert!(behind.fixes(ID).is_empty(), "the disk would lose it");
        let counted =
            |kernel| zswap().zram("zram0", -2, (1000, 0)).disk("sda", -3, (1000, 0)).on(kernel);
        assert_eq!(counted("6.12.1").fixes(ID).len(), 1);
        let own = counted("6.12.1").of_node(0);
        assert!(own.fixes(ID).is_empty(), "its node takes the disk first, whatever swaps show");
    }
}
