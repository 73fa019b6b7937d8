//! Discard is asked for where there is none.

use crate::advice::rules::boot_priority::{areas_set_up, is_asked};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
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
    let asked = areas_set_up(view)?;
    let asked = asked.iter().filter(|(entry, _)| is_asked(entry, "discard"));
    let cannot = asked.filter_map(|(entry, place)| {
        let place = (*place)?;
        let block = blocks.get(place)?.known()?;
        (block.discard_max.known() == Some(&Bytes(0))).then_some((entry, areas.get(place)?))
    });
    let sentence = "The kernel leaves discard out without a word, since the device cannot do it. Take the option away, so that nobody relies on it.";
    let found = cannot.map(|(entry, area)| {
        let name = area.path.safe();
        let what = entry.area.known().map(|area| area.what.exact()).unwrap_or_default();
        Finding::warn(ID, format!("{name} shall discard, and cannot"), sentence)
            .about(name)
            .severe(Severity::Note)
            .shown_by([Evidence::at("devices", area.path.exact(), "discard_max")])
            .shown_by(
                ["options", "file"].map(|column| Evidence::at("config", what.clone(), column)),
            )
    });
    Ok(found.collect())
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
