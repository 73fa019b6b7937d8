//! Swappiness does not fit what swap lies on.

use crate::advice::places::{Place, classed, number, setting, share, whole};
use crate::advice::{Certainty, Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::speed::{self, Speed};
use crate::derive::view::Change;
use crate::model::{Part, PartSet, Policy};

const ID: &str = "swappiness";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "swappiness does not fit what swap lies on",
    about: "Speaks in two cases. All areas are on zram and filled to less than use_warn, swappiness is below 100, and often in a second a page of a file that was in use is read again soon after it was dropped: then taking from zram is cheaper than reading files, and 100 and more says so. Or all areas rotate or are behind a network, and swappiness is above 100, which calls swap cheaper than files.",
    needs: PartSet::of(&[Part::Swaps, Part::Block, Part::Knobs, Part::Vmstat]),
    thresholds: &["often", "use_warn"],
    check,
};

/// Swap and files count as equally dear.
const EQUAL: u64 = 100;

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let swappiness = number(view.now, "swappiness")?;
    let all = classed(view)?;
    let areas = view.now.swaps.reading.get()?.len();
    let are_all = |is: fn(&(Place<'_>, Speed)) -> bool| {
        areas > 0 && all.iter().filter(|it| is(it)).count() == areas
    };
    let found = if swappiness < EQUAL && are_all(|(_, speed)| *speed == Speed::Zram) {
        let restored = view.vmstat_change("workingset_restore_file").map(Change::per_second);
        let (used, size) = whole(view)?;
        if restored.into_result()? < policy.often || share(used, size) >= policy.use_warn {
            return Ok(vec![]);
        }
        let sentence = "The kernel drops pages of files that are in use, and are read again soon after, while there is room on zram, from which a page comes back faster than from a disk. A swappiness of 100 treats both alike, more prefers zram.";
        Finding::warn(ID, "files are read again and again while zram has room", sentence)
            .sure(Certainty::Likely)
            .shown_by([setting("swappiness"), Evidence::of("paging", "restores_file")])
    } else if swappiness > EQUAL && are_all(is_slow) {
        let sentence = "Above 100 the kernel takes reading from swap for cheaper than reading files. That is so on zram, and on a fast disk beside slow ones; here swap is slow.";
        Finding::warn(ID, "swappiness calls slow swap cheaper than files", sentence)
            .sure(Certainty::Likely)
            .shown_by([setting("swappiness")])
            .shown_by(all.iter().map(|(place, _)| place.cell("rotational")))
    } else {
        return Ok(vec![]);
    };
    let advised = if swappiness < EQUAL { "100" } else { "60" };
    let command = format!("swapadm set swappiness={advised} --persist");
    Ok(vec![found.severe(Severity::Note).fixed_by(command)])
}

/// Slower than files may be: a virtio disk only says that it rotates.
fn is_slow((place, speed): &(Place<'_>, Speed)) -> bool {
    *speed == Speed::Remote || place.block().is_some_and(speed::seeks)
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn with_room_on_zram_files_need_not_be_read_again() {
        let zram = |used| Machine::default().zram("zram0", 5, (1000, used));
        let busy = |used| zram(used).counted("workingset_restore_file", 100);
        assert_eq!(busy(100).fixes(ID), ["swapadm set swappiness=100 --persist"]);
        assert_eq!(busy(100).knob("swappiness", "100").severities(ID), [""; 0]);
        assert_eq!(busy(800).severities(ID), [""; 0], "no room");
        let seldom = zram(100).counted("workingset_restore_file", 99);
        assert_eq!(seldom.severities(ID), [""; 0]);
        let scan = seldom.counted("workingset_refault_file", 9999);
        assert_eq!(scan.severities(ID), [""; 0], "what is read once was not in use");
    }

    #[test]
    fn slow_swap_is_not_cheaper_than_files() {
        let slow = || Machine::default().rotating("sda", 5, (1000, 0));
        assert_eq!(
            slow().knob("swappiness", "101").fixes(ID),
            ["swapadm set swappiness=60 --persist"]
        );
        assert_eq!(slow().knob("swappiness", "100").severities(ID), [""; 0]);
        let virtio = Machine::default().rotating("vda", 5, (1000, 0)).knob("swappiness", "150");
        assert_eq!(virtio.severities(ID), [""; 0], "nobody knows what is behind it");
        let fast = Machine::default().disk("sda", 5, (1000, 0)).knob("swappiness", "150");
        assert_eq!(fast.severities(ID), [""; 0]);
    }
}
