//! What shall be active since the start is not.

use crate::advice::places::verdict;
use crate::advice::rules::boot_priority::{SetUp, areas_set_up, cell, path_of, unknown};
use crate::advice::{Certainty, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::model::config::{ConfigEntry, ConfigKind};
use crate::model::shell::quoted;
use crate::model::swaparea::AreaHeader;
use crate::model::{Missing, Name, Part, PartSet, Policy, Reading};

const ID: &str = "boot-stale";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "an area that is set up at boot is not active",
    about: "Speaks when fstab, a unit of systemd or zram-generator sets up an area that is not active. It was switched off since, or the entry is stale: the device or file is gone, or has a new UUID since it was formatted. A stale entry of fstab makes each start wait for the device. An entry that names something else below a folder of /dev is judged while that is there.",
    needs: PartSet::of(&[Part::Swaps, Part::Headers, Part::Config]),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let headers = view.now.headers.reading.get()?;
    let set_up = areas_set_up(view)?;
    let is_off = |(entry, place): &&SetUp<'_>| {
        *place == Ok(None) && !entry.leaves_off() && is_judged(entry, headers)
    };
    let mut seen = Vec::new();
    let mut off = Vec::new();
    for (entry, _) in set_up.iter().filter(is_off) {
        let meant = meant(entry);
        if !seen.contains(&meant) {
            off.push(Ok(Some(found(entry))));
            seen.push(meant);
        }
    }
    verdict(off.into_iter().chain(unknown(&set_up)))
}

/// What an entry means: several can mean the same.
fn meant(entry: &ConfigEntry) -> Option<&Name> {
    entry.leads_to.known().or_else(|| Some(&entry.area.known()?.what))
}

/// Would it be known if this one were active?
fn is_judged(entry: &ConfigEntry, headers: &[Reading<AreaHeader>]) -> bool {
    let Some(area) = entry.area.known() else { return false };
    let what = area.what.as_bytes();
    let by_header = [&b"UUID="[..], b"LABEL=", b"/dev/disk/by-uuid/", b"/dev/disk/by-label/"];
    let by_header = by_header.iter().any(|tag| what.starts_with(tag));
    let are_known = headers.iter().all(|header| header.known().is_some());
    let is_path = entry.leads_to.known().is_some() || path_of(entry.kind, &area.what).is_some();
    is_path || (by_header && are_known)
}

fn found(entry: &ConfigEntry) -> Finding {
    let what = entry.area.known().map_or_else(|| "".into(), |area| area.what.clone());
    let name = what.safe();
    let is_there = entry.leads_to.known().is_some();
    let sentence = match entry.leads_to.missing() {
        None => {
            "What it names is there, and was switched off since, or never on. Switch it on, or take the entry away."
        }
        Some(Missing::Absent(_))
            if !what.as_bytes().starts_with(b"/") && entry.kind == ConfigKind::Fstab =>
        {
            "Nothing leads to a device of that name. The entry is stale, since the device is gone or was formatted anew, or nobody keeps links to devices here, as udev does. Correct the entry, or take it away: a stale one of fstab makes each start wait."
        }
        Some(Missing::Absent(_)) if entry.kind != ConfigKind::ZramGenerator => {
            "The entry is stale: the device or file that it names is not there, or has a new UUID since it was formatted. Correct the entry, or take it away: a stale one of fstab makes each start wait."
        }
        Some(_) => {
            "It was switched off since, or the entry is stale. Switch it on, or take the entry away."
        }
    };
    let found = Finding::warn(ID, format!("{name} is set up at boot and not active"), sentence)
        .about(name)
        .severe(Severity::Note)
        .sure(Certainty::Likely)
        .shown_by([cell(entry, "what")]);
    // The generator sets a device up before it is switched on.
    let can = is_there && entry.kind != ConfigKind::ZramGenerator;
    found.put_right(can.then(|| format!("swapadm on {}", quoted(&what))))
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn an_entry_without_its_area_is_told() {
        let disk = || Machine::default().disk("sda", -2, (1000, 0));
        assert_eq!(disk().fstab("/dev/sdb", None, &[]).severities(ID), ["note"]);
        assert_eq!(disk().fstab("/dev/sda", None, &[]).severities(ID), [""; 0]);
        assert_eq!(disk().fstab("/dev/sdb", None, &["noauto"]).severities(ID), [""; 0]);
        assert_eq!(disk().fstab("UUID=uuid-of-sda", None, &[]).severities(ID), [""; 0]);
        assert_eq!(disk().fstab("UUID=gone", None, &[]).severities(ID), ["note"]);
        let gone = |what| disk().fstab(what, None, &[]).sentence(ID);
        assert!(gone("UUID=gone").contains("as udev does"), "{}", gone("UUID=gone"));
        assert!(gone("/dev/sdb").contains("is not there"), "{}", gone("/dev/sdb"));
        let link = disk().fstab("PARTUUID=gone", None, &[]);
        assert_eq!(link.severities(ID), [""; 0], "nobody knows what that names");
        for link in ["/dev/vg0/swap", "/dev/md/swap", "/dev/zvol/tank/swap"] {
            assert_eq!(disk().fstab(link, None, &[]).severities(ID), [""; 0], "{link}");
        }
        let linked = disk().linked("/dev/vg0/swap", "/dev/sda", None);
        assert_eq!(linked.severities(ID), [""; 0], "it is active");
        let linked = disk().linked("/dev/vg0/swap", "/dev/dm-1", None);
        assert_eq!(linked.fixes(ID), ["swapadm on /dev/vg0/swap"]);
        let twice = disk().fstab("/dev/sdb", None, &[]).fstab("/dev/sdb", Some(7), &[]);
        assert_eq!(twice.severities(ID), ["note"], "one area");
    }

    #[test]
    fn what_is_not_there_cannot_be_switched_on() {
        let gone = Machine::default().fstab("/dev/sdb", None, &[]);
        assert!(gone.fixes(ID).is_empty() && gone.sentence(ID).contains("The entry is stale"));
        let off = Machine::default().linked("/dev/sdb", "/dev/sdb", None);
        assert_eq!(off.fixes(ID), ["swapadm on /dev/sdb"]);
        assert!(!off.sentence(ID).contains("stale"));
    }
}
