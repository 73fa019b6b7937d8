//! What shall be active since the start is not.

use crate::advice::rules::boot_priority::{areas_set_up, path_of};
use crate::advice::{Certainty, Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::model::config::{ConfigEntry, ConfigKind};
use crate::model::shell::quoted;
use crate::model::swaparea::AreaHeader;
use crate::model::{Part, PartSet, Policy, Reading};

const ID: &str = "boot-stale";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "an area that is set up at boot is not active",
    about: "Speaks when fstab, a unit of systemd or zram-generator sets up an area that is not active. It was switched off since, or the entry is stale: the device or file is gone, or has a new UUID since it was formatted. A stale entry of fstab makes each start wait for the device. An entry that names a link of udev other than by UUID or label is not judged.",
    needs: PartSet::of(&[Part::Swaps, Part::Headers, Part::Config]),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let headers = view.now.headers.reading.get()?;
    let set_up = areas_set_up(view)?;
    let is_off = |(entry, place): &(&ConfigEntry, Option<usize>)| {
        place.is_none() && !entry.leaves_off() && is_judged(entry, headers)
    };
    Ok(set_up.into_iter().filter(is_off).map(|(entry, _)| found(entry)).collect())
}

/// Would it be known if this one were active?
fn is_judged(entry: &ConfigEntry, headers: &[Reading<AreaHeader>]) -> bool {
    let Some(area) = entry.area.known() else { return false };
    let what = area.what.as_bytes();
    let by_header = [&b"UUID="[..], b"LABEL=", b"/dev/disk/by-uuid/", b"/dev/disk/by-label/"];
    let by_header = by_header.iter().any(|tag| what.starts_with(tag));
    let are_known = headers.iter().all(|header| header.known().is_some());
    path_of(entry.kind, &area.what).is_some() || (by_header && are_known)
}

fn found(entry: &ConfigEntry) -> Finding {
    let what = entry.area.known().map_or_else(|| "".into(), |area| area.what.clone());
    let name = what.safe();
    let sentence = "It was switched off since, or the entry is stale: the device or file is gone, or has a new UUID since it was formatted. Switch it on, or take the entry away: a stale one of fstab makes each start wait.";
    let found = Finding::warn(ID, format!("{name} is set up at boot and not active"), sentence)
        .about(name)
        .severe(Severity::Note)
        .sure(Certainty::Likely)
        .shown_by(["file", "line"].map(|column| Evidence::at("config", what.exact(), column)));
    match entry.kind {
        // There is no device before the generator makes one.
        ConfigKind::ZramGenerator => found,
        ConfigKind::Fstab | ConfigKind::SystemdSwap => {
            found.fixed_by(format!("swapadm on {}", quoted(&what)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn an_entry_without_its_area_is_told() {
        let disk = || Machine::default().disk("sda", -2, (1000, 0));
        assert_eq!(disk().fstab("/dev/sdb", None, &[]).fixes(ID), ["swapadm on /dev/sdb"]);
        assert_eq!(disk().fstab("/dev/sda", None, &[]).severities(ID), [""; 0]);
        assert_eq!(disk().fstab("/dev/sdb", None, &["noauto"]).severities(ID), [""; 0]);
        assert_eq!(disk().fstab("UUID=uuid-of-sda", None, &[]).severities(ID), [""; 0]);
        assert_eq!(disk().fstab("UUID=gone", None, &[]).severities(ID), ["note"]);
        let link = disk().fstab("PARTUUID=gone", None, &[]);
        assert_eq!(link.severities(ID), [""; 0], "nobody knows what that names");
    }
}
