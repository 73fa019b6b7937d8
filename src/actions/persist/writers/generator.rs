//! Sections of zram-generator.

use super::units;
use crate::actions::persist::edit::with_setting;
use crate::actions::persist::files::{
    BESIDE, BootArea, BootFiles, FileEdits, PersistRefusal, check_is_last, entries,
};
use crate::actions::persist::sections::{is_bare, without_section};
use crate::actions::step::known_or_reason;
use crate::model::activation::{Activation, Priority};
use crate::model::config::{ConfigEntry, ConfigKind};
use crate::model::zram::ZramSettings;
use crate::model::{Bytes, Name, zram};

const SIZE: &str = "zram-size";
const LIMIT: &str = "zram-resident-limit";
const PRIORITY: &str = "swap-priority";

/// Our drop-in, which sorts after others. Only one main file is read: a new one in `/etc` would
/// hide that of the distribution.
fn own_file() -> Name {
    Name::new([b"/etc/systemd/zram-generator.conf.d/", BESIDE].concat())
}

pub(super) fn write_section(
    area: &BootArea,
    entry: &ConfigEntry,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    if entry.leaves_area_disabled() {
        enable_section(&area.path, entry, files, edits)?;
    }
    units::check_not_disabled(&area.path, files, edits)?;
    let Some(priority) = area.priority else { return Ok(()) };
    let (device, priority) = (area.path.base().safe(), number_of(&area.path, priority)?);
    check_is_last(&own_file(), &device, &[PRIORITY], files)?;
    edits.edit(files.look, &own_file(), |text| {
        with_setting(text, &device, PRIORITY, Some(&priority))
    })
}

/// Restores the size of a section disabled by us. If the section had a size from us, it gets the
/// present size of the device; otherwise other files give the size.
fn enable_section(
    path: &Name,
    entry: &ConfigEntry,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    let device = path.base().safe();
    let only_ours = is_only_ours(&device, entry, files)?;
    check_is_last(&own_file(), &device, &[SIZE], files)?;
    edits.try_edit(files.look, &own_file(), |text| {
        let without = with_setting(text, &device, SIZE, None);
        // A section with our limit was written by us as a whole.
        let is_whole = with_setting(text, &device, LIMIT, None) != text;
        if without == text || is_whole || only_ours {
            let size = mib(running_disk(path, files)?.size);
            return Ok(with_setting(text, &device, SIZE, Some(&size)));
        }
        let bare = is_bare(&without, &device);
        Ok(if bare { without_section(&without, &device) } else { without })
    })
}

/// Does no other file have a section for this device?
fn is_only_ours(
    device: &str,
    entry: &ConfigEntry,
    files: &BootFiles<'_>,
) -> Result<bool, PersistRefusal> {
    if entry.file != own_file() {
        return Ok(false);
    }
    for file in (files.later)(&own_file()) {
        let text = known_or_reason(files.look.text(&file))?.unwrap_or_default();
        if without_section(&text, device) != text {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The present setup of the device.
fn running_disk(path: &Name, files: &BootFiles<'_>) -> Result<ZramSettings, PersistRefusal> {
    let disk = zram::device_number(path).map(|number| files.look.disk(number));
    let disk = disk.map(known_or_reason).transpose()?.flatten().filter(|disk| disk.size > Bytes(0));
    disk.ok_or_else(|| {
        format!("{} has no size to apply at boot: use swapadm zram swap --persist", path.safe())
    })
}

/// Adds a section for a device that nothing configures, as it is now.
pub(super) fn add_section(
    area: &BootArea,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    is_here(&area.path, files)?;
    let disk = running_disk(&area.path, files)?;
    let priority = area.priority.map(|priority| number_of(&area.path, priority)).transpose()?;
    section((&area.path, &disk), priority.as_deref(), files, edits)
}

/// Disables a device at boot: without a section, or with one of size 0 if other files have one.
pub(super) fn disable_section(
    path: &Name,
    entry: &ConfigEntry,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    mark_disabled(path, entry, files, edits, str::to_owned)
}

/// Disables a device at boot, and removes all our settings of it.
pub(super) fn remove_section(
    path: &Name,
    entry: &ConfigEntry,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    mark_disabled(path, entry, files, edits, |text| without_section(text, &path.base().safe()))
}

fn mark_disabled(
    path: &Name,
    entry: &ConfigEntry,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
    first: impl FnOnce(&str) -> String,
) -> Result<(), PersistRefusal> {
    let device = path.base().safe();
    if is_only_ours(&device, entry, files)? {
        return edits.edit(files.look, &own_file(), |text| without_section(text, &device));
    }
    if entry.leaves_area_disabled() {
        return Ok(());
    }
    has_no_old_size(path, files)?;
    check_is_last(&own_file(), &device, &[SIZE], files)?;
    edits.edit(files.look, &own_file(), |text| with_setting(&first(text), &device, SIZE, Some("0")))
}

/// Refuses sections with an old size option, which would override ours.
fn has_no_old_size(path: &Name, files: &BootFiles<'_>) -> Result<(), PersistRefusal> {
    let old = entries(path, files).find_map(|entry| Some((entry.legacy_size_key()?, &entry.file)));
    old.map_or(Ok(()), |(key, file)| {
        Err(format!(
            "{}: its section has {key}, which overrides {SIZE}: remove it first, in {} or a drop-in",
            path.safe(),
            file.safe()
        ))
    })
}

fn number_of(path: &Name, priority: Priority) -> Result<String, PersistRefusal> {
    match priority {
        Priority::Set(number) => Ok(number.to_string()),
        Priority::Default => {
            Err(format!("{}: zram-generator always sets a priority: give a number", path.safe()))
        }
    }
}

/// Checks that zram-generator is installed.
fn is_here(path: &Name, files: &BootFiles<'_>) -> Result<(), PersistRefusal> {
    let is_set_up = entries(path, files).any(|entry| entry.kind == ConfigKind::ZramGenerator);
    if is_set_up || files.lasting.zram_generator {
        return Ok(());
    }
    Err(format!(
        "{}: only zram-generator can create it at boot, and it is not installed: install it, or omit --persist to make the change until the next boot",
        path.base().safe()
    ))
}

/// Writes a section of zram-generator, which alone creates zram devices at boot.
pub(in super::super) fn write_zram(
    (path, disk): (&Name, &ZramSettings),
    area: Option<&Activation>,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    is_here(path, files)?;
    let Some(area) = area.filter(|_| disk.size > Bytes(0)) else {
        return Err(format!(
            "{}: zram-generator creates only swap devices: create this device from a boot script",
            path.base().safe()
        ));
    };
    let priority = number_of(&area.path, area.priority)?;
    section((path, disk), Some(&priority), files, edits)
}

/// Writes the section; without a priority zram-generator uses its own.
fn section(
    (path, disk): (&Name, &ZramSettings),
    priority: Option<&str>,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    let device = path.base().safe();
    if !disk.recompression.is_empty() || disk.backing.is_some() {
        return Err(format!(
            "{device}: swapadm cannot persist a second algorithm or a backing device: add recompression or writeback-device to its zram-generator section by hand"
        ));
    }
    has_no_old_size(path, files)?;
    units::check_not_disabled(path, files, edits)?;
    let (size, limit) = (mib(disk.size), mib(disk.limit));
    let settings = [
        (SIZE, Some(size.as_str())),
        ("compression-algorithm", disk.algorithm.as_deref()),
        // Without it, a limit of another file would apply.
        (LIMIT, Some(limit.as_str())),
        (PRIORITY, priority),
    ];
    check_is_last(&own_file(), &device, &settings.map(|(key, _)| key), files)?;
    edits.edit(files.look, &own_file(), |text| {
        settings
            .iter()
            .fold(text.to_owned(), |text, (key, value)| with_setting(&text, &device, key, *value))
    })
}

/// A size in MiB for zram-generator.
fn mib(size: Bytes) -> String {
    size.0.div_ceil(1 << 20).to_string()
}
