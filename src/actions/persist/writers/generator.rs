//! Sections of zram-generator.

use super::units;
use crate::actions::persist::edit::with_setting;
use crate::actions::persist::files::{BESIDE, FileEdits, BootFiles, PersistRefusal, BootArea, entries, check_is_last};
use crate::actions::persist::sections::{is_bare, without_section};
use crate::actions::step::known_or_reason;
use crate::model::activation::{Activation, Priority};
use crate::model::config::{ConfigEntry, ConfigKind};
use crate::model::zram::ZramSettings;
use crate::model::{Bytes, Name, zram};

const SIZE: &str = "zram-size";
const LIMIT: &str = "zram-resident-limit";
const PRIORITY: &str = "swap-priority";

/// A drop-in that comes after others. Of the main files only one is read: a new one in `/etc` would
/// take away what that of the distribution sets up.
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
    edits.edit(files.look, &own_file(), |text| with_setting(text, &device, PRIORITY, Some(&priority)))
}

/// Take back that a section has no size. Where the size was ours as well, it gets that which the
/// device has now; else that of the other files counts again.
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
        // We write a limit with each size.
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
fn is_only_ours(device: &str, entry: &ConfigEntry, files: &BootFiles<'_>) -> Result<bool, PersistRefusal> {
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

/// The device as it is now.
fn running_disk(path: &Name, files: &BootFiles<'_>) -> Result<ZramSettings, PersistRefusal> {
    let disk = zram::device_number(path).map(|number| files.look.disk(number));
    let disk = disk.map(known_or_reason).transpose()?.flatten().filter(|disk| disk.size > Bytes(0));
    disk.ok_or_else(|| {
        format!(
            "{} has no size now that could be had at every start: swapadm zram swap --persist makes one",
            path.safe()
        )
    })
}

/// A device that nothing sets up, as it is now.
pub(super) fn add_section(area: &BootArea, files: &BootFiles<'_>, edits: &mut FileEdits) -> Result<(), PersistRefusal> {
    is_here(&area.path, files)?;
    let disk = running_disk(&area.path, files)?;
    let priority = area.priority.map(|priority| number_of(&area.path, priority)).transpose()?;
    section((&area.path, &disk), priority.as_deref(), files, edits)
}

/// It is left off: without a section, or with one of no size where others have one, too.
pub(super) fn disable_section(
    path: &Name,
    entry: &ConfigEntry,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    mark_disabled(path, entry, files, edits, str::to_owned)
}

/// The same, and nothing of what we said of it stays.
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

/// What an old file says of the size would count more than what we say.
fn has_no_old_size(path: &Name, files: &BootFiles<'_>) -> Result<(), PersistRefusal> {
    let old = entries(path, files).find_map(|entry| Some((entry.legacy_size_key()?, &entry.file)));
    old.map_or(Ok(()), |(key, file)| {
        Err(format!(
            "{}: its section has {key}, which counts more than {SIZE}: take that out first, in {} or a drop-in of it",
            path.safe(),
            file.safe()
        ))
    })
}

fn number_of(path: &Name, priority: Priority) -> Result<String, PersistRefusal> {
    match priority {
        Priority::Set(number) => Ok(number.to_string()),
        Priority::Default => Err(format!(
            "{}: zram-generator always asks for a priority; give it a number",
            path.safe()
        )),
    }
}

/// Is there somebody who makes zram devices at the start?
fn is_here(path: &Name, files: &BootFiles<'_>) -> Result<(), PersistRefusal> {
    let is_set_up = entries(path, files).any(|entry| entry.kind == ConfigKind::ZramGenerator);
    if is_set_up || files.lasting.zram_generator {
        return Ok(());
    }
    Err(format!(
        "{} is made anew at each start only by zram-generator, which is not here: install it, or make the device from a script of the machine",
        path.base().safe()
    ))
}

/// A section of zram-generator; without it nobody makes zram devices at the start.
pub(in super::super) fn write_zram(
    (path, disk): (&Name, &ZramSettings),
    area: Option<&Activation>,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    is_here(path, files)?;
    let Some(area) = area.filter(|_| disk.size > Bytes(0)) else {
        return Err(format!(
            "{}: zram-generator makes swap of each device; one that is something else has to be made from a script of the machine",
            path.base().safe()
        ));
    };
    let priority = number_of(&area.path, area.priority)?;
    section((path, disk), Some(&priority), files, edits)
}

/// Without a priority zram-generator takes one of its own.
fn section(
    (path, disk): (&Name, &ZramSettings),
    priority: Option<&str>,
    files: &BootFiles<'_>,
    edits: &mut FileEdits,
) -> Result<(), PersistRefusal> {
    let device = path.base().safe();
    if !disk.recompression.is_empty() || disk.backing.is_some() {
        return Err(format!(
            "{device}: a second algorithm and a backing device are not written for zram-generator: add recompression or writeback-device to its section by hand"
        ));
    }
    has_no_old_size(path, files)?;
    units::check_not_disabled(path, files, edits)?;
    let (size, limit) = (mib(disk.size), mib(disk.limit));
    let settings = [
        (SIZE, Some(size.as_str())),
        ("compression-algorithm", disk.algorithm.as_deref()),
        // Left out, the limit of another file of the machine would count.
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

/// A size as zram-generator counts it.
fn mib(size: Bytes) -> String {
    size.0.div_ceil(1 << 20).to_string()
}
