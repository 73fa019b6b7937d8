//! Rules about areas that the configuration sets up at boot.

use crate::advice::areas::combine;
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, RuleResult};
use crate::derive::SampleView;
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea};
use crate::model::name::shell_quoted;
use crate::model::swaparea::{AreaHeader, SwapArea};
use crate::model::{Bytes, Missing, Name, Policy, Reading, part_set};

/// Reports an area whose configured priority differs from the current one.
pub(super) const BOOT_PRIORITY: Rule = Rule::new(
    "boot-priority",
    "an area will have another priority after the next boot",
    boot_priority,
)
.about("Reported if fstab, a systemd unit or zram-generator sets up an active area with a priority that differs from the current one: the current priority is lost at the next boot. swapadm persist check lists areas that nothing sets up at boot.")
.needs(part_set![Swaps, Headers, Config]);

fn boot_priority(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let areas = view.now.swaps.reading.get()?;
    let set_up = configured_entries(view)?;
    let other = areas.iter().enumerate().map(|(at, area)| {
        let is_other = |entry: &&ConfigEntry| {
            !entry.leaves_area_disabled() && !matches_priority(entry, area.priority)
        };
        let entries: Vec<_> = entries_for(&set_up, at).filter(is_other).collect();
        Ok((!entries.is_empty()).then(|| boot_priority_finding(area, &entries)))
    });
    combine(other.chain(unresolved(&set_up)))
}

fn configured_priority(entry: &ConfigEntry) -> Option<i32> {
    entry.area.known().and_then(|area| area.priority.known().copied())
}

/// Returns whether an entry sets the current priority. Without a priority the kernel assigns one below
/// zero.
fn matches_priority(entry: &ConfigEntry, priority: i32) -> bool {
    let asked = entry.area.known().and_then(ConfiguredArea::requested_priority);
    asked.unwrap_or(entry.kind.default_priority()).matches_shown(priority)
}

fn boot_priority_finding(area: &SwapArea, entries: &[&ConfigEntry]) -> Finding {
    let name = area.path.safe();
    let sentence = "The current priority is lost at the next boot. Write it to the configuration, or set the area to the configured priority.";
    let now = if area.priority < 0 { "default".to_owned() } else { area.priority.to_string() };
    let summary = format!("{name} will have another priority after the next boot");
    let says = entries.iter().flat_map(|entry| {
        let priority = configured_priority(entry).map(|_| cell(entry, "priority"));
        priority.into_iter().chain([cell(entry, "what")])
    });
    Finding::warn(BOOT_PRIORITY.id, summary, sentence)
        .with_subject(name)
        .shown_by([EvidenceCell::for_area(area, "priority")])
        .shown_by(says)
        .fixed_by(format!("swapadm priority {}={now} --persist", shell_quoted(&area.path)))
}

/// Returns the evidence cell of an entry.
fn cell(entry: &ConfigEntry, column: &'static str) -> EvidenceCell {
    EvidenceCell::for_row("config", entry.location().exact(), column)
}

/// A configuration entry with the index of its area: `None` if that area is not active or not known by
/// name.
type ConfiguredEntry<'v> = (&'v ConfigEntry, Result<Option<usize>, Missing>);

/// Collects what sets up areas at boot. An unreadable entry does not hide the others.
fn configured_entries<'v>(view: &SampleView<'v>) -> Result<Vec<ConfiguredEntry<'v>>, Missing> {
    let areas = view.now.swaps.reading.get()?;
    let headers = view.now.headers.reading.get()?;
    let entries = view.now.config.reading.get()?;
    let own = entries.iter().filter(|entry| !entry.is_generated());
    Ok(own.map(|entry| (entry, area_index(entry, areas, headers))).collect())
}

fn area_index(
    entry: &ConfigEntry,
    areas: &[SwapArea],
    headers: &[Reading<AreaHeader>],
) -> Result<Option<usize>, Missing> {
    let what = &entry.area.get()?.what;
    let path = entry.leads_to.known().cloned().or_else(|| path_of(entry.kind, what));
    match path {
        Some(path) => Ok(areas.iter().position(|area| area.path == path)),
        None => index_by_header(what.as_bytes(), headers),
    }
}

/// Returns the entries that set up the area at this index.
fn entries_for<'s, 'v>(
    set_up: &'s [ConfiguredEntry<'v>],
    at: usize,
) -> impl Iterator<Item = &'v ConfigEntry> + use<'s, 'v> {
    set_up.iter().filter(move |(_, place)| *place == Ok(Some(at))).map(|(entry, _)| *entry)
}

/// Returns the reasons of the entries whose area is unknown.
fn unresolved(
    set_up: &[ConfiguredEntry<'_>],
) -> impl Iterator<Item = Result<Option<Finding>, Missing>> {
    set_up.iter().filter_map(|(_, place)| place.clone().err().map(Err))
}

/// Finds the area that a tag names. Missing rights may hide the header with the tag.
fn index_by_header(what: &[u8], headers: &[Reading<AreaHeader>]) -> Result<Option<usize>, Missing> {
    let is_it =
        |header: &Reading<AreaHeader>| header.known().is_some_and(|it| names_header(what, it));
    let hidden = |header: &Reading<AreaHeader>| match header.missing() {
        Some(missing @ Missing::Denied(_)) => Some(missing.clone()),
        _ => None,
    };
    match headers.iter().position(is_it) {
        None => headers.iter().find_map(hidden).map_or(Ok(None), Err),
        place => Ok(place),
    }
}

/// Returns the path that an entry names, unless it is a tag or may be a link: nearly all paths below a
/// subdirectory of `/dev` are links.
fn path_of(kind: ConfigKind, what: &Name) -> Option<Name> {
    if kind == ConfigKind::ZramGenerator {
        return Some(Name::new([b"/dev/", what.as_bytes()].concat()));
    }
    let below = what.as_bytes().strip_prefix(b"/dev/");
    let is_link = below.is_some_and(|below| below.contains(&b'/'));
    (what.as_bytes().starts_with(b"/") && !is_link).then(|| what.clone())
}

/// Returns whether an entry names a swap file.
fn is_file(what: &Name) -> bool {
    what.as_bytes().starts_with(b"/") && !what.as_bytes().starts_with(b"/dev/")
}

/// Returns whether a tag, or the udev link for it, names the area with this header.
fn names_header(what: &[u8], header: &AreaHeader) -> bool {
    let after = |tag: &[u8], folder: &[u8]| {
        let value = what.strip_prefix(tag).or_else(|| what.strip_prefix(folder))?;
        let inner = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\""));
        Some(inner.unwrap_or(value).to_vec())
    };
    let uuid = after(b"UUID=", b"/dev/disk/by-uuid/");
    let label = after(b"LABEL=", b"/dev/disk/by-label/");
    let is_uuid = |value: Vec<u8>| {
        header.uuid.known().is_some_and(|uuid| uuid.as_bytes().eq_ignore_ascii_case(&value))
    };
    let is_label =
        |value: Vec<u8>| header.label.known().is_some_and(|label| label.as_bytes() == value);
    uuid.is_some_and(is_uuid) || label.is_some_and(is_label)
}

/// Returns whether an entry sets this option, with or without a value.
fn has_option(entry: &ConfigEntry, option: &str) -> bool {
    let options = entry.area.known().map_or(&[][..], |area| &area.options);
    let is_it = |said: &String| {
        let rest = said.strip_prefix(option);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    options.iter().any(is_it)
}

/// Reports an entry whose area is not active.
pub(super) const BOOT_STALE: Rule =
    Rule::new("boot-stale", "an area that is set up at boot is not active", boot_stale)
        .about("Reported if fstab, a systemd unit or zram-generator sets up an area that is not active. Either it was disabled since boot, or the entry is stale: the device or file is gone, or got a new UUID when it was formatted. A stale entry for a device makes every boot wait for it. Paths such as /dev/mapper/NAME are links: while one is missing, it is unknown which area it meant, and the entry is not reported.")
        .needs(part_set![Swaps, Headers, Config]);

fn boot_stale(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let headers = view.now.headers.reading.get()?;
    let set_up = configured_entries(view)?;
    let is_off = |(entry, place): &&ConfiguredEntry<'_>| {
        *place == Ok(None) && !entry.leaves_area_disabled() && is_judged(entry, headers)
    };
    let mut seen = Vec::new();
    let mut off = Vec::new();
    for (entry, _) in set_up.iter().filter(is_off) {
        let meant = target(entry);
        if !seen.contains(&meant) {
            off.push(Ok(Some(boot_stale_finding(entry))));
            seen.push(meant);
        }
    }
    combine(off.into_iter().chain(unresolved(&set_up)))
}

/// Returns what an entry sets up: several entries can name the same area.
fn target(entry: &ConfigEntry) -> Option<&Name> {
    entry.leads_to.known().or_else(|| Some(&entry.area.known()?.what))
}

/// Returns whether it would be known if this area were active.
fn is_judged(entry: &ConfigEntry, headers: &[Reading<AreaHeader>]) -> bool {
    let Some(area) = entry.area.known() else { return false };
    let what = area.what.as_bytes();
    let by_header = [&b"UUID="[..], b"LABEL=", b"/dev/disk/by-uuid/", b"/dev/disk/by-label/"];
    let by_header = by_header.iter().any(|tag| what.starts_with(tag));
    let are_known = headers.iter().all(|header| header.known().is_some());
    let is_path = entry.leads_to.known().is_some() || path_of(entry.kind, &area.what).is_some();
    is_path || (by_header && are_known)
}

fn boot_stale_finding(entry: &ConfigEntry) -> Finding {
    let what = entry.area.known().map_or_else(|| "".into(), |area| area.what.clone());
    let name = what.safe();
    let is_there = entry.leads_to.known().is_some();
    let sentence = match entry.leads_to.missing() {
        None => "The device or file exists but is not enabled. Enable it, or remove the entry.",
        Some(Missing::Absent(_))
            if !what.as_bytes().starts_with(b"/") && entry.kind == ConfigKind::Fstab =>
        {
            "No device with this name exists: it is gone, it was formatted again, or nothing here creates links to devices as udev does. Correct or remove the entry: a stale entry for a device makes every boot wait."
        }
        Some(Missing::Absent(_)) if is_file(&what) => {
            "The entry is stale: the file does not exist. Correct or remove it: enabling it fails at every boot."
        }
        Some(Missing::Absent(_)) if entry.kind != ConfigKind::ZramGenerator => {
            "The entry is stale: the device does not exist, or got a new UUID when it was formatted. Correct or remove it: a stale entry for a device makes every boot wait."
        }
        Some(_) => {
            "The area was disabled since boot, or the entry is stale. Enable the area, or remove the entry."
        }
    };
    let found =
        Finding::note(BOOT_STALE.id, format!("{name} is set up at boot but not active"), sentence)
            .with_subject(name)
            .with_certainty(Certainty::Likely)
            .shown_by([cell(entry, "what")]);
    // zram-generator sets up a device before it enables it.
    let can = is_there && entry.kind != ConfigKind::ZramGenerator;
    found.with_fix(can.then(|| format!("swapadm on {}", shell_quoted(&what))))
}

/// Reports discard on a device without support for it.
pub(super) const DISCARD: Rule =
    Rule::new("discard", "discard is configured for a device that cannot discard", discard)
        .about("Reported if the boot configuration of an active area asks for discard, but its device does not support it. The kernel ignores the option silently: the device does not learn which space is free.")
        .needs(part_set![Swaps, Block, Headers, Config]);

fn discard(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let blocks = view.now.block.reading.get()?;
    let areas = view.now.swaps.reading.get()?;
    let set_up = configured_entries(view)?;
    let shall = areas.iter().enumerate().map(|(at, area)| {
        let entries = entries_for(&set_up, at).filter(|entry| has_option(entry, "discard"));
        let entries: Vec<_> = entries.collect();
        let block = blocks.get(at).and_then(|block| block.known());
        let cannot = block.is_some_and(|block| block.discard_max.known() == Some(&Bytes(0)));
        Ok((cannot && !entries.is_empty()).then(|| discard_finding(area, &entries)))
    });
    combine(shall.chain(unresolved(&set_up)))
}

fn discard_finding(area: &SwapArea, entries: &[&ConfigEntry]) -> Finding {
    let sentence = "The kernel ignores discard silently, because the device does not support it. Remove the option.";
    let name = area.path.safe();
    Finding::note(
        DISCARD.id,
        format!("{name} is configured to discard, but its device cannot"),
        sentence,
    )
    .with_subject(name)
    .shown_by([EvidenceCell::for_area(area, "discard_max")])
    .shown_by(entries.iter().map(|entry| cell(entry, "options")))
}

#[cfg(test)]
mod tests {
    mod boot_priority {
        use super::super::BOOT_PRIORITY;
        use crate::advice::testing::TestMachine;
        use crate::model::Missing;

        const ID: &str = BOOT_PRIORITY.id;

        #[test]
        fn a_priority_that_no_file_has_is_gone_after_the_next_start() {
            let disk = |priority| TestMachine::default().disk("sda", priority, (1000, 0));
            let wrong = disk(10).fstab("/dev/sda", Some(5), &[]);
            assert_eq!(wrong.fixes(ID), ["swapadm priority /dev/sda=10 --persist"]);
            assert_eq!(disk(10).fstab("/dev/sda", None, &[]).severities(ID), ["warn"]);
            assert_eq!(disk(10).fstab("/dev/sda", Some(10), &[]).severities(ID), [""; 0]);
            assert_eq!(disk(-2).fstab("/dev/sda", None, &[]).severities(ID), [""; 0]);
            assert_eq!(disk(10).severities(ID), [""; 0], "nothing sets it up");
            assert_eq!(disk(10).fstab("/dev/sda", None, &["noauto"]).severities(ID), [""; 0]);
        }

        #[test]
        fn an_area_with_two_entries_is_reported_once() {
            let disk = TestMachine::default().disk("sda", 10, (1000, 0));
            let twice =
                disk.fstab("/dev/sda", Some(5), &[]).fstab("/dev/sda", Some(7), &["discard"]);
            assert_eq!(twice.severities(ID), ["warn"]);
            assert_eq!(twice.evidence_values(ID), ["10", "5", "/dev/sda", "7", "/dev/sda"]);
        }

        #[test]
        fn an_entry_that_cannot_be_read_hides_no_other() {
            let mut machine =
                TestMachine::default().disk("sda", 10, (1000, 0)).disk("sdb", 10, (1000, 0));
            machine.headers[1] = Missing::Denied("/dev/sdb".into()).into();
            let machine = machine.fstab("UUID=gone", None, &[]).fstab("/dev/sda", Some(5), &[]);
            assert_eq!(machine.severities(ID), ["warn"]);
        }

        #[test]
        fn an_area_is_found_by_uuid_or_label_in_its_header() {
            let disk = || TestMachine::default().disk("sda", 10, (1000, 0));
            assert_eq!(disk().fstab("UUID=uuid-of-sda", None, &[]).severities(ID), ["warn"]);
            let link = disk().fstab("/dev/disk/by-uuid/UUID-OF-SDA", None, &[]);
            assert_eq!(link.severities(ID), ["warn"]);
            assert_eq!(disk().fstab("UUID=uuid-of-sdb", None, &[]).severities(ID), [""; 0]);
            for link in ["/dev/vg0/swap", "/dev/mapper/vg0-swap", "PARTUUID=x", "/swap"] {
                let linked = |priority| disk().linked(link, "/dev/sda", Some(priority));
                assert_eq!(linked(5).severities(ID), ["warn"], "{link}");
                assert_eq!(linked(10).severities(ID), [""; 0], "{link}");
            }
        }

        #[test]
        fn an_unreadable_header_is_reported() {
            let hidden = |what| {
                let mut machine =
                    TestMachine::default().disk("sda", 10, (1000, 0)).fstab(what, None, &[]);
                machine.headers[0] = Missing::Denied("/dev/sda".into()).into();
                machine.advice().unjudged
            };
            assert!(hidden("UUID=uuid-of-sda").iter().any(|(id, _)| *id == ID));
            assert!(hidden("/dev/sda").is_empty());
        }
    }

    mod boot_stale {
        use super::super::BOOT_STALE;
        use crate::advice::testing::TestMachine;

        const ID: &str = BOOT_STALE.id;

        #[test]
        fn an_entry_without_an_active_area_is_reported() {
            let disk = || TestMachine::default().disk("sda", -2, (1000, 0));
            assert_eq!(disk().fstab("/dev/sdb", None, &[]).severities(ID), ["note"]);
            assert_eq!(disk().fstab("/dev/sda", None, &[]).severities(ID), [""; 0]);
            assert_eq!(disk().fstab("/dev/sdb", None, &["noauto"]).severities(ID), [""; 0]);
            assert_eq!(disk().fstab("UUID=uuid-of-sda", None, &[]).severities(ID), [""; 0]);
            assert_eq!(disk().fstab("UUID=gone", None, &[]).severities(ID), ["note"]);
            let gone = |what| disk().fstab(what, None, &[]).sentence(ID);
            assert!(gone("UUID=gone").contains("as udev does"), "{}", gone("UUID=gone"));
            assert!(gone("/dev/sdb").contains("does not exist"), "{}", gone("/dev/sdb"));
            assert!(
                gone("/swapfile").contains("the file does not exist. Correct or remove it: enab")
            );
            let link = disk().fstab("PARTUUID=gone", None, &[]);
            assert_eq!(link.severities(ID), [""; 0], "its device is unknown");
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
        fn no_swapon_is_advised_for_a_missing_device() {
            let gone = TestMachine::default().fstab("/dev/sdb", None, &[]);
            assert!(gone.fixes(ID).is_empty() && gone.sentence(ID).contains("The entry is stale"));
            let off = TestMachine::default().linked("/dev/sdb", "/dev/sdb", None);
            assert_eq!(off.fixes(ID), ["swapadm on /dev/sdb"]);
            assert!(!off.sentence(ID).contains("stale"));
        }
    }

    mod discard {
        use super::super::DISCARD;
        use crate::advice::testing::TestMachine;

        const ID: &str = DISCARD.id;

        #[test]
        fn discard_on_a_device_without_it_is_reported() {
            let disk = || TestMachine::default().disk("sda", 5, (1000, 0));
            let asked = |options| disk().fstab("/dev/sda", Some(5), options);
            assert_eq!(asked(&["pri=5", "discard=once"]).severities(ID), ["note"]);
            assert_eq!(asked(&["pri=5", "nodiscard"]).severities(ID), [""; 0]);
            let other = disk().fstab("/dev/sdb", Some(5), &["discard"]);
            assert_eq!(other.severities(ID), [""; 0], "that one is not active");
        }
    }
}
