//! Sections of zram-generator.

use crate::actions::persist::edit::{is_bare, with_setting, without_section};
use crate::actions::persist::files::{
    BESIDE, BootArea, BootFiles, FileEdits, PersistResult, check_is_last, entries,
};
use crate::actions::step::known_or_reason;
use crate::model::activation::{Activation, Priority};
use crate::model::config::{ConfigEntry, ConfigKind};
use crate::model::zram::{self, ZramSettings};
use crate::model::{Bytes, Name};

const SIZE: &str = "zram-size";
const LIMIT: &str = "zram-resident-limit";
const PRIORITY: &str = "swap-priority";

/// Our drop-in, which sorts after others. Only one main file is read: a new one in `/etc` would
/// hide that of the distribution.
fn own_file() -> Name {
    Name::new([b"/etc/systemd/zram-generator.conf.d/", BESIDE].concat())
}

impl FileEdits<'_> {
    pub(super) fn write_section(
        &mut self,
        area: &BootArea,
        entry: &ConfigEntry,
    ) -> PersistResult<()> {
        check_is_swap(&area.path, self.files)?;
        if entry.disables_itself() {
            self.enable_section(&area.path, entry)?;
        }
        self.check_not_disabled(&area.path)?;
        let Some(priority) = area.priority else { return Ok(()) };
        let (device, priority) = (area.path.base().safe(), number_of(&area.path, priority)?);
        check_is_last(&own_file(), &device, &[PRIORITY], self.files)?;
        self.edit(&own_file(), |text| with_setting(text, &device, PRIORITY, Some(&priority)))
    }

    /// Restores the size of a section disabled by us. If the section had a size from us, it gets the
    /// present size of the device; otherwise other files give the size.
    fn enable_section(&mut self, path: &Name, entry: &ConfigEntry) -> PersistResult<()> {
        let files = self.files;
        let device = path.base().safe();
        let only_ours = is_only_ours(&device, entry, files)?;
        check_is_last(&own_file(), &device, &[SIZE], files)?;
        self.try_edit(&own_file(), |text| {
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

    /// Adds a section for a device that nothing configures, as it is now.
    pub(super) fn add_section(&mut self, area: &BootArea) -> PersistResult<()> {
        let files = self.files;
        is_here(&area.path, files)?;
        let disk = running_disk(&area.path, files)?;
        let priority = area.priority.map(|priority| number_of(&area.path, priority)).transpose()?;
        self.section((&area.path, &disk), priority.as_deref())
    }

    /// Disables a device at boot: without a section, or with one of size 0 if other files have one.
    pub(super) fn disable_section(
        &mut self,
        path: &Name,
        entry: &ConfigEntry,
    ) -> PersistResult<()> {
        self.mark_disabled(path, entry, str::to_owned)
    }

    /// Disables a device at boot, and removes all our settings of it.
    pub(super) fn remove_section(&mut self, path: &Name, entry: &ConfigEntry) -> PersistResult<()> {
        self.mark_disabled(path, entry, |text| without_section(text, &path.base().safe()))
    }

    fn mark_disabled(
        &mut self,
        path: &Name,
        entry: &ConfigEntry,
        first: impl FnOnce(&str) -> String,
    ) -> PersistResult<()> {
        let files = self.files;
        let device = path.base().safe();
        if is_only_ours(&device, entry, files)? {
            return self.edit(&own_file(), |text| without_section(text, &device));
        }
        if entry.disables_itself() {
            return Ok(());
        }
        has_no_old_size(path, files)?;
        check_is_last(&own_file(), &device, &[SIZE], files)?;
        self.edit(&own_file(), |text| with_setting(&first(text), &device, SIZE, Some("0")))
    }

    /// Writes a section of zram-generator, which alone creates zram devices at boot.
    pub(in super::super) fn write_zram(
        &mut self,
        (path, disk): (&Name, &ZramSettings),
        area: Option<&Activation>,
    ) -> PersistResult<()> {
        is_here(path, self.files)?;
        let Some(area) = area.filter(|_| disk.size > Bytes(0)) else {
            return Err(format!(
                "{}: zram-generator creates only swap devices: create this device from a boot script",
                path.base().safe()
            ));
        };
        let priority = number_of(&area.path, area.priority)?;
        self.section((path, disk), Some(&priority))
    }

    /// Writes the section; without a priority zram-generator uses its own.
    fn section(
        &mut self,
        (path, disk): (&Name, &ZramSettings),
        priority: Option<&str>,
    ) -> PersistResult<()> {
        let files = self.files;
        let device = path.base().safe();
        if !disk.recompression.is_empty() || disk.backing.is_some() {
            return Err(format!(
                "{device}: swapadm cannot persist a second algorithm or a backing device: add recompression or writeback-device to its zram-generator section by hand"
            ));
        }
        has_no_old_size(path, files)?;
        check_is_swap(path, files)?;
        self.check_not_disabled(path)?;
        let (size, limit) = (mib(disk.size), mib(disk.limit));
        let settings = [
            (SIZE, Some(size.as_str())),
            ("compression-algorithm", disk.algorithm.as_deref()),
            // Without it, a limit of another file would apply.
            (LIMIT, Some(limit.as_str())),
            (PRIORITY, priority),
        ];
        check_is_last(&own_file(), &device, &settings.map(|(key, _)| key), files)?;
        self.edit(&own_file(), |text| {
            settings.iter().fold(text.to_owned(), |text, (key, value)| {
                with_setting(&text, &device, key, *value)
            })
        })
    }
}

/// Does no other file have a section for this device?
fn is_only_ours(device: &str, entry: &ConfigEntry, files: &BootFiles<'_>) -> PersistResult<bool> {
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
fn running_disk(path: &Name, files: &BootFiles<'_>) -> PersistResult<ZramSettings> {
    let disk = zram::device_number(path).map(|number| files.look.disk(number));
    let disk = disk.map(known_or_reason).transpose()?.flatten().filter(|disk| disk.size > Bytes(0));
    disk.ok_or_else(|| {
        format!("{} has no size to apply at boot: use swapadm zram swap --persist", path.safe())
    })
}

/// Refuses sections with an old size option, which would override ours.
fn has_no_old_size(path: &Name, files: &BootFiles<'_>) -> PersistResult<()> {
    let old = entries(path, files).find_map(|entry| Some((entry.legacy_size_key()?, &entry.file)));
    old.map_or(Ok(()), |(key, file)| {
        Err(format!(
            "{}: its section has {key}, which overrides {SIZE}: remove it first, in {} or a drop-in",
            path.safe(),
            file.safe()
        ))
    })
}

/// Refuses sections that create a file system: a setting of swap has no effect in them.
fn check_is_swap(path: &Name, files: &BootFiles<'_>) -> PersistResult<()> {
    let other =
        entries(path, files).find_map(|entry| Some((entry.file_system_key()?, &entry.file)));
    other.map_or(Ok(()), |(key, file)| {
        Err(format!(
            "{}: its section has {key}, so zram-generator creates a file system on it: remove that setting first, in {} or a drop-in",
            path.safe(),
            file.safe()
        ))
    })
}

fn number_of(path: &Name, priority: Priority) -> PersistResult<String> {
    match priority {
        Priority::Set(number) => Ok(number.to_string()),
        Priority::Default => {
            Err(format!("{}: zram-generator always sets a priority: give a number", path.safe()))
        }
    }
}

/// Checks that zram-generator is installed.
fn is_here(path: &Name, files: &BootFiles<'_>) -> PersistResult<()> {
    let is_set_up = entries(path, files).any(|entry| entry.kind == ConfigKind::ZramGenerator);
    if is_set_up || files.lasting.zram_generator {
        return Ok(());
    }
    Err(format!(
        "{}: only zram-generator can create it at boot, and it is not installed: install it, or let the change last only until the next boot (omit --persist; for setup, choose --with boot=no)",
        path.base().safe()
    ))
}

/// A size in MiB for zram-generator.
pub(in crate::actions::persist) fn mib(size: Bytes) -> String {
    size.0.div_ceil(1 << 20).to_string()
}
