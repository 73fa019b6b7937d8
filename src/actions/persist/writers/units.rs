//! Units of systemd: those that set up swap, and limits of control groups, which systemd sets where it
//! makes the group.

use crate::actions::persist::edit::{options_on, with_setting};
use crate::actions::persist::files::{FileEdits, BootFiles, PersistRefusal, BootArea, own_drop_in, check_is_last};
use crate::actions::persist::sections::{
    is_bare, with_never_condition, without_never_condition, resets_conditions, without_section,
};
use crate::actions::shell_quoted;
use crate::actions::step::known_or_reason;
use crate::model::Name;
use crate::model::activation::Priority;
use crate::model::config::{ConfigEntry, NEVER_STARTED, unit_name_for};

/// Files of the kernel, what systemd calls them, and the first release that does.
const SETTINGS: [(&str, &str, u32); 3] = [
    ("memory.swap.max", "MemorySwapMax", 232),
    ("memory.zswap.max", "MemoryZSwapMax", 253),
    ("memory.zswap.writeback", "MemoryZSwapWriteback", 256),
];
/// Kinds of units that have a group, and their sections.
const KINDS: [(&str, &str); 5] = [
    ("service", "Service"),
    ("slice", "Slice"),
    ("socket", "Socket"),
    ("mount", "Mount"),
    ("swap", "Swap"),
];

/// Units that no file of the machine makes.
const TRANSIENT: &str = "/run/systemd/transient/";
/// Where systemd has limits of control groups: only there does it set them.
const MOUNT: &str = "/sys/fs/cgroup";
const SCRIPT: &str = "write it where the group is made, or from a script of the machine";

/// What sets a limit.
struct UnitSetting<'p> {
    unit: &'p str,
    section: &'static str,
    key: &'static str,
    /// The first release of systemd that has such a setting.
    first: u32,
}

/// A file beside the unit that changes single settings, and comes after others that do. What the
/// unit says is not read again when it is changed: so its own lines are left alone.
pub(super) fn write_priority(
    area: &BootArea,
    entry: &ConfigEntry,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    let number = area.priority.map(|priority| match priority {
        Priority::Set(number) => number.to_string(),
        // An empty value takes back what the unit says.
        Priority::Default => String::new(),
    });
    let said = entry.area.known().map_or(&[][..], |area| &area.options);
    let said: Vec<String> = said.iter().filter(|option| *option != NEVER_STARTED).cloned().collect();
    let is_priority = |option: &String| option.starts_with("pri=");
    let mut options = options_on(area, said.clone());
    options.retain(|option| !is_priority(option));
    let changes = said.iter().any(is_priority) || area.discard.is_some();
    let beside = own_drop_in(&entry.file.base());
    if entry.leaves_area_disabled() {
        enable_unit(&entry.file, files, edits)?;
    }
    check_is_last(&beside, "Swap", &["Priority", "Options"], files)?;
    edits.edit(files.look, &beside, |text| {
        let mut text = text.to_owned();
        if number.is_some() {
            text = with_setting(&text, "Swap", "Priority", number.as_deref());
        }
        if changes && options != said {
            text = with_setting(&text, "Swap", "Options", Some(&options.join(",")));
        }
        text
    })
}

/// Take back that a unit is never started, where we said so.
pub(super) fn enable_unit(unit: &Name, files: &BootFiles<'_>, edits: &mut FileEdits) -> Result<(), PersistRefusal> {
    let beside = own_drop_in(&unit.base());
    // As it is on the disk: a line of fstab and a unit may have it taken out twice.
    let text = known_or_reason(files.look.text(&beside))?.unwrap_or_default();
    if without_never_condition(&text) == text {
        return Err(format!(
            "{} is never started, by {NEVER_STARTED} in it or in a file beside it that is not ours: take that line out there",
            unit.safe()
        ));
    }
    edits.edit(files.look, &beside, without_never_condition)
}

/// A unit that others make for this gets what stands beside its name: there we may once have kept
/// one off that is gone by now.
pub(super) fn check_not_disabled(
    what: &Name,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    edits.edit(files.look, &own_drop_in(&unit_name_for(what)), without_never_condition)
}

/// systemd passes over a unit of which a condition is not met: nothing fails that wants it. A unit
/// that stands in `/etc` could not be masked.
pub(super) fn disable_unit(
    entry: &ConfigEntry,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    if entry.leaves_area_disabled() {
        return Ok(());
    }
    let beside = own_drop_in(&entry.file.base());
    for file in (files.later)(&beside) {
        let text = known_or_reason(files.look.text(&file))?.unwrap_or_default();
        if resets_conditions(&text) {
            return Err(format!(
                "{} takes back the conditions of {}, which would keep the unit off: change it there, or give it a name that comes before",
                file.safe(),
                beside.safe()
            ));
        }
    }
    edits.edit(files.look, &beside, with_never_condition)
}

/// Is this a file of a control group?
pub(super) fn is_cgroup_file(path: &str, files: &BootFiles<'_>) -> bool {
    path_in_cgroup_mount(path, files).is_some()
}

fn path_in_cgroup_mount<'p>(path: &'p str, files: &BootFiles<'_>) -> Option<&'p str> {
    let mount = files.groups.map_or_else(|| MOUNT.to_owned(), Name::safe);
    path.strip_prefix(mount.as_str())?.strip_prefix('/')
}

/// Write a limit beside its unit.
pub(super) fn write_limit(
    path: &str,
    value: &str,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    if !files.lasting.systemd {
        return Err(format!(
            "{path} goes with its control group, and no systemd makes it: {SCRIPT}"
        ));
    }
    let place = unit_setting(path, files)?;
    is_set(path, &place, files)?;
    let beside = own_drop_in(&place.unit.into());
    check_is_last(&beside, place.section, &[place.key], files)?;
    let value = if value == "max" { "infinity" } else { value };
    edits
        .edit(files.look, &beside, |text| with_setting(text, place.section, place.key, Some(value)))
}

/// Take out what we wrote there; where there is no place for it, we wrote nothing.
pub(super) fn remove_limit(path: &str, files: &BootFiles<'_>, edits: &mut FileEdits) -> Result<(), PersistRefusal> {
    let Ok(UnitSetting { unit, section, key, .. }) = unit_setting(path, files) else { return Ok(()) };
    edits.edit(files.look, &own_drop_in(&unit.into()), |text| {
        let text = with_setting(text, section, key, None);
        if is_bare(&text, section) { without_section(&text, section) } else { text }
    })
}

fn unit_setting<'p>(path: &'p str, files: &BootFiles<'_>) -> Result<UnitSetting<'p>, PersistRefusal> {
    let Some((group, file)) = path_in_cgroup_mount(path, files).and_then(|below| below.rsplit_once('/')) else {
        return Err(format!("{path} is of the root of all control groups, which has no limits"));
    };
    let known = SETTINGS.into_iter().find(|(known, ..)| *known == file);
    let Some((_, key, first)) = known else {
        return Err(format!("{path}: systemd has no setting for it: {SCRIPT}"));
    };
    let (unit, section) = unit_name(path, group)?;
    Ok(UnitSetting { unit, section, key, first })
}

/// Does the systemd that is here set it, and from a file that lasts?
fn is_set(path: &str, place: &UnitSetting<'_>, files: &BootFiles<'_>) -> Result<(), PersistRefusal> {
    let first = place.first;
    if let Some(release) = files.lasting.systemd_release.filter(|release| *release < first) {
        return Err(format!(
            "{path}: systemd has a setting for it from release {first} on, and here is {release}: {SCRIPT}"
        ));
    }
    if let Some(mount) = files.groups.filter(|mount| **mount != MOUNT.into()) {
        return Err(format!(
            "{path}: systemd sets it only where version 2 of control groups is at {MOUNT}, and here it is at {}: {SCRIPT}",
            mount.safe()
        ));
    }
    let transient = Name::from(format!("{TRANSIENT}{}", place.unit).as_str());
    if known_or_reason(files.look.text(&transient))?.is_some() {
        return Err(format!(
            "{path}: {} was made for this start only, as by systemd-run: set it where the unit is made, or of a slice above it",
            place.unit
        ));
    }
    Ok(())
}

/// The unit of a group, and the section with its limits.
fn unit_name<'g>(path: &str, group: &'g str) -> Result<(&'g str, &'static str), PersistRefusal> {
    let (above, name) = group.rsplit_once('/').map_or((None, group), |(a, b)| (Some(a), b));
    let mut above = above.into_iter().flat_map(|above| above.split('/'));
    if let Some(owner) = above.find(|part| unit_suffix(part) != "slice") {
        let owner = shell_quoted(&Name::from(owner));
        return Err(format!(
            "{path}: what is below {owner} is made by that, and not by systemd for the whole machine: set it there, or of a slice above it"
        ));
    }
    let Some((_, section)) = KINDS.iter().find(|it| it.0 == unit_suffix(name)) else {
        let is_scope = unit_suffix(name) == "scope";
        let why = if is_scope { "a scope, which has no file" } else { "no unit of systemd" };
        return Err(format!(
            "{path}: the group is {why}: set it where the group is made, or of a slice above it"
        ));
    };
    // So systemd writes what the kernel could take for a file of its own.
    Ok((name.strip_prefix('_').unwrap_or(name), section))
}

/// Of a unit, by its name.
fn unit_suffix(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, kind)| kind)
}
