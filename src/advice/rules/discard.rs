//! Discard is asked for where there is none.

use crate::advice::places::verdict;
use crate::advice::rules::boot_priority::{areas_set_up, cell, is_asked, of_area, unknown};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::model::config::ConfigEntry;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Part, PartSet, Policy};

const ID: &str = "discard";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "discard is asked for where there is none",
    about: "Speaks when what sets up an active area at boot asks for discard, and the device below it cannot discard. The kernel leaves it out without a word: free space is never told to the device, whatever the file says.",
    needs: PartSet::of(&[Part::Swaps, Part::Block, Part::Headers, Part::Config]),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let blocks = view.now.block.reading.get()?;
    let areas = view.now.swaps.reading.get()?;
    let set_up = areas_set_up(view)?;
    let shall = areas.iter().enumerate().map(|(at, area)| {
        let entries = of_area(&set_up, at).filter(|entry| is_asked(entry, "discard"));
        let entries: Vec<_> = entries.collect();
        let block = blocks.get(at).and_then(|block| block.known());
        let cannot = block.is_some_and(|block| block.discard_max.known() == Some(&Bytes(0)));
        Ok((cannot && !entries.is_empty()).then(|| found(area, &entries)))
    });
    verdict(shall.chain(unknown(&set_up)))
}

fn found(area: &SwapArea, entries: &[&ConfigEntry]) -> Finding {
    let sentence = "The kernel leaves discard out without a word, since the device cannot do it. Take the option away, so that nobody relies on it.";
    let name = area.path.safe();
    Finding::warn(ID, format!("{name} shall discard, and cannot"), sentence)
        .about(name)
        .severe(Severity::Note)
        .shown_by([Evidence::at("devices", area.path.exact(), "discard_max")])
        .shown_by(entries.iter().map(|entry| cell(entry, "options")))
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn discard_on_a_device_without_it_is_told() {
        let disk = || Machine::default().disk("sda", 5, (1000, 0));
        let asked = |options| disk().fstab("/dev/sda", Some(5), options);
        assert_eq!(asked(&["pri=5", "discard=once"]).severities(ID), ["note"]);
        assert_eq!(asked(&["pri=5", "nodiscard"]).severities(ID), [""; 0]);
        let other = disk().fstab("/dev/sdb", Some(5), &["discard"]);
        assert_eq!(other.severities(ID), [""; 0], "that one is not active");
    }
}
