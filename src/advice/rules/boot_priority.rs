//! An area has another priority after the next start.

use crate::advice::places::verdict;
use crate::advice::{Evidence, Finding, Rule, Verdict};
use crate::derive::View;
use crate::model::config::{ConfigEntry, ConfigKind};
use crate::model::shell::quoted;
use crate::model::swaparea::{AreaHeader, SwapArea};
use crate::model::{Missing, Name, Part, PartSet, Policy, Reading};

const ID: &str = "boot-priority";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "an area will have another priority after the next start",
    about: "Speaks when fstab, a unit of systemd or zram-generator sets up an active area with another priority than it has now. What was arranged by hand is gone after the next start. Areas that nothing sets up are told by swapadm persist check.",
    needs: PartSet::of(&[Part::Swaps, Part::Headers, Part::Config]),
    thresholds: &[],
    check,
};

/// The units that systemd makes of lines that stand elsewhere as well.
const GENERATED: &[u8] = b"/run/systemd/generator";
/// What zram-generator asks for when nobody says anything.
const GENERATORS: i32 = 100;

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let areas = view.now.swaps.reading.get()?;
    let set_up = areas_set_up(view)?;
    let other = areas.iter().enumerate().map(|(at, area)| {
        let is_other = |entry: &&ConfigEntry| !entry.leaves_off() && !is_met(entry, area.priority);
        let entries: Vec<_> = of_area(&set_up, at).filter(is_other).collect();
        Ok((!entries.is_empty()).then(|| found(area, &entries)))
    });
    verdict(other.chain(unknown(&set_up)))
}

fn asked(entry: &ConfigEntry) -> Option<i32> {
    entry.area.known().and_then(|area| area.priority.known().copied())
}

/// Does an entry give the priority that there is? Without one it takes what the kernel gives, which
/// is below zero.
fn is_met(entry: &ConfigEntry, priority: i32) -> bool {
    match asked(entry) {
        Some(asked) => asked == priority || (asked < 0 && priority < 0),
        None if entry.kind == ConfigKind::ZramGenerator => priority == GENERATORS,
        None => priority < 0,
    }
}

fn found(area: &SwapArea, entries: &[&ConfigEntry]) -> Finding {
    let name = area.path.safe();
    let sentence = "What was arranged by hand is gone after the next start. Write it down, or give the area the priority that stands in the file.";
    let now = if area.priority < 0 { "default".to_owned() } else { area.priority.to_string() };
    let summary = format!("{name} will have another priority after the next start");
    let says = entries.iter().flat_map(|entry| {
        let priority = asked(entry).map(|_| cell(entry, "priority"));
        priority.into_iter().chain([cell(entry, "what")])
    });
    Finding::warn(ID, summary, sentence)
        .about(name)
        .shown_by([Evidence::at("devices", area.path.exact(), "priority")])
        .shown_by(says)
        .fixed_by(format!("swapadm priority {}={now} --persist", quoted(&area.path)))
}

/// A cell of an entry.
pub(super) fn cell(entry: &ConfigEntry, column: &'static str) -> Evidence {
    Evidence::at("config", entry.place().exact(), column)
}

/// An entry, and the place of the area that it means: none where that is not active, or not known
/// by name.
pub(super) type SetUp<'v> = (&'v ConfigEntry, Result<Option<usize>, Missing>);

/// What sets up areas at boot. What cannot be read hides no other.
pub(super) fn areas_set_up<'v>(view: &View<'v>) -> Result<Vec<SetUp<'v>>, Missing> {
    let areas = view.now.swaps.reading.get()?;
    let headers = view.now.headers.reading.get()?;
    let entries = view.now.config.reading.get()?;
    let own = entries.iter().filter(|entry| !entry.file.as_bytes().starts_with(GENERATED));
    Ok(own.map(|entry| (entry, place_of(entry, areas, headers))).collect())
}

fn place_of(
    entry: &ConfigEntry,
    areas: &[SwapArea],
    headers: &[Reading<AreaHeader>],
) -> Result<Option<usize>, Missing> {
    let what = &entry.area.get()?.what;
    let path = entry.leads_to.known().cloned().or_else(|| path_of(entry.kind, what));
    match path {
        Some(path) => Ok(areas.iter().position(|area| area.path == path)),
        None => by_header(what.as_bytes(), headers),
    }
}

/// The entries that set up the area at this place.
pub(super) fn of_area<'s, 'v>(
    set_up: &'s [SetUp<'v>],
    at: usize,
) -> impl Iterator<Item = &'v ConfigEntry> + use<'s, 'v> {
    set_up.iter().filter(move |(_, place)| *place == Ok(Some(at))).map(|(entry, _)| *entry)
}

/// Of the entries whose area is not known, why.
pub(super) fn unknown(
    set_up: &[SetUp<'_>],
) -> impl Iterator<Item = Result<Option<Finding>, Missing>> {
    set_up.iter().filter_map(|(_, place)| place.clone().err().map(Err))
}

/// The area that a tag names; these rights may hide the header in which it stands.
fn by_header(what: &[u8], headers: &[Reading<AreaHeader>]) -> Result<Option<usize>, Missing> {
    let is_it = |header: &Reading<AreaHeader>| header.known().is_some_and(|it| is_meant(what, it));
    let hidden = |header: &Reading<AreaHeader>| match header.missing() {
        Some(missing @ Missing::Denied(_)) => Some(missing.clone()),
        _ => None,
    };
    match headers.iter().position(is_it) {
        None => headers.iter().find_map(hidden).map_or(Ok(None), Err),
        place => Ok(place),
    }
}

/// The path that an entry names, unless it names what stands in a header, or what may be a link:
/// below a folder of `/dev` nearly all are.
pub(super) fn path_of(kind: ConfigKind, what: &Name) -> Option<Name> {
    if kind == ConfigKind::ZramGenerator {
        return Some(Name::new([b"/dev/", what.as_bytes()].concat()));
    }
    let below = what.as_bytes().strip_prefix(b"/dev/");
    let is_link = below.is_some_and(|below| below.contains(&b'/'));
    (what.as_bytes().starts_with(b"/") && !is_link).then(|| what.clone())
}

/// Does a tag, or the link that udev makes for it, name the area with this header?
fn is_meant(what: &[u8], header: &AreaHeader) -> bool {
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

/// Does an entry ask for this option, alone or with a value?
pub(super) fn is_asked(entry: &ConfigEntry, option: &str) -> bool {
    let options = entry.area.known().map_or(&[][..], |area| &area.options);
    let is_it = |said: &String| {
        let rest = said.strip_prefix(option);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    options.iter().any(is_it)
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;
    use crate::model::Missing;

    #[test]
    fn a_priority_that_no_file_has_is_gone_after_the_next_start() {
        let disk = |priority| Machine::default().disk("sda", priority, (1000, 0));
        let wrong = disk(10).fstab("/dev/sda", Some(5), &[]);
        assert_eq!(wrong.fixes(ID), ["swapadm priority /dev/sda=10 --persist"]);
        assert_eq!(disk(10).fstab("/dev/sda", None, &[]).severities(ID), ["warn"]);
        assert_eq!(disk(10).fstab("/dev/sda", Some(10), &[]).severities(ID), [""; 0]);
        assert_eq!(disk(-2).fstab("/dev/sda", None, &[]).severities(ID), [""; 0]);
        assert_eq!(disk(10).severities(ID), [""; 0], "nothing sets it up");
        assert_eq!(disk(10).fstab("/dev/sda", None, &["noauto"]).severities(ID), [""; 0]);
    }

    #[test]
    fn an_area_that_stands_in_two_lines_is_told_once() {
        let disk = Machine::default().disk("sda", 10, (1000, 0));
        let twice = disk.fstab("/dev/sda", Some(5), &[]).fstab("/dev/sda", Some(7), &["discard"]);
        assert_eq!(twice.severities(ID), ["warn"]);
        assert_eq!(twice.shown(ID), ["10", "5", "/dev/sda", "7", "/dev/sda"]);
    }

    #[test]
    fn an_entry_that_cannot_be_read_hides_no_other() {
        let mut machine = Machine::default().disk("sda", 10, (1000, 0)).disk("sdb", 10, (1000, 0));
        machine.headers[1] = Missing::Denied("/dev/sdb".into()).into();
        let machine = machine.fstab("UUID=gone", None, &[]).fstab("/dev/sda", Some(5), &[]);
        assert_eq!(machine.severities(ID), ["warn"]);
    }

    #[test]
    fn an_area_is_known_by_what_stands_in_its_header() {
        let disk = || Machine::default().disk("sda", 10, (1000, 0));
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
    fn a_header_that_these_rights_hide_is_told() {
        let hidden = |what| {
            let mut machine = Machine::default().disk("sda", 10, (1000, 0)).fstab(what, None, &[]);
            machine.headers[0] = Missing::Denied("/dev/sda".into()).into();
            machine.advice().unjudged
        };
        assert!(hidden("UUID=uuid-of-sda").iter().any(|(id, _)| *id == ID));
        assert!(hidden("/dev/sda").is_empty());
    }
}
