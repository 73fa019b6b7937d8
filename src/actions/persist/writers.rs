//! Writes goals into the configuration files of the machine.

pub(super) mod generator;
mod units;

use super::edit::{
    fstab_field, is_swap, options_off, options_on, with_argument, with_line_added, with_options,
    with_value, without_line,
};
use super::files::{BootArea, FileEdits, PersistRefusal, PersistResult, entries, own_drop_in};
use crate::actions::Step;
use crate::actions::step::is_boot_config;
use crate::model::config::{
    Assignment, ConfigEntry, ConfigKind, NEVER_STARTED, sysctl_name, unit_name_for,
};
use crate::model::{Name, zram};
use std::cmp::Reverse;

const FSTAB: &str = "/etc/fstab";
/// Names of our own drop-ins; the first that sorts late enough is used.
const OURS: [&str; 3] = ["90-swapadm.conf", "99-zz-swapadm.conf", "zzz-swapadm.conf"];
const TMPFILES: [&str; 2] = ["swapadm.conf", "00-swapadm.conf"];

impl FileEdits<'_> {
    /// Edits all lines of an area alike, because programs differ in which one they use.
    pub(super) fn write_area(&mut self, area: &BootArea) -> PersistResult<()> {
        let files = self.files;
        if entries(&area.path, files).next().is_none() {
            return match zram::device_number(&area.path) {
                Some(_) => self.add_section(area),
                None => self.add_fstab_line(area),
            };
        }
        for entry in entries(&area.path, files) {
            match entry.kind {
                ConfigKind::Fstab => self.edit_entry(area, entry),
                ConfigKind::SystemdSwap => self.write_priority(area, entry),
                ConfigKind::ZramGenerator => self.write_section(area, entry),
            }?;
        }
        Ok(())
    }

    fn edit_entry(&mut self, area: &BootArea, entry: &ConfigEntry) -> PersistResult<()> {
        if let Some(wanted) = entry.area.known().filter(|_| entry.is_never_started()) {
            self.enable_unit(&unit_name_for(&wanted.what))?;
        }
        self.edit_fstab_line(entry, |text| {
            with_options(text, entry.line, |options| options_on(area, options))
        })
    }

    /// Edits the line of an entry, if it is unchanged since it was read.
    fn edit_fstab_line(
        &mut self,
        entry: &ConfigEntry,
        change: impl FnOnce(&str) -> String,
    ) -> PersistResult<()> {
        self.try_edit(&entry.file, |text| {
        let what = entry.area.known().map(|area| &area.what);
        if what.is_some_and(|what| is_swap(text, entry.line, what)) {
            return Ok(change(text));
        }
        Err(format!(
            "line {} of {} no longer sets up {}: the file was changed by someone else; try again",
            entry.line,
            entry.file.safe(),
            what.map(Name::safe).unwrap_or_default()
        ))
    })
    }

    /// Adds a line to fstab, with a stable device name.
    fn add_fstab_line(&mut self, area: &BootArea) -> PersistResult<()> {
        let name = area.path.safe();
        let path = std::str::from_utf8(area.path.as_bytes())
            .map_err(|_| format!("{name} is not valid UTF-8: write its line in {FSTAB} by hand"))?;
        let title = (self.files.title)(&area.path);
        let named = title.iter().map(|title| Name::from(title.as_str()));
        for what in named.chain([area.path.clone()]) {
            self.check_not_disabled(&what)?;
        }
        let what = title.unwrap_or_else(|| fstab_field(path));
        let options = options_on(area, vec!["sw".to_owned()]).join(",");
        self.edit(&FSTAB.into(), |text| {
            with_line_added(text, &format!("{what} none swap {options} 0 0"))
        })
    }

    /// Removes all entries of removed areas. The last lines of fstab go first: the numbers of the others stay.
    pub(super) fn remove_areas<'p>(
        &mut self,
        paths: impl Iterator<Item = &'p Name>,
    ) -> PersistResult<()> {
        let files = self.files;
        let mut lines = Vec::new();
        for path in paths {
            for entry in entries(path, files) {
                match entry.kind {
                    ConfigKind::Fstab => lines.push(entry),
                    ConfigKind::SystemdSwap => self.disable_unit(entry)?,
                    ConfigKind::ZramGenerator => self.remove_section(path, entry)?,
                }
            }
        }
        lines.sort_by_key(|entry| Reverse(entry.line));
        lines.dedup_by_key(|entry| entry.line);
        for entry in lines {
            self.edit_fstab_line(entry, |text| without_line(text, entry.line))?;
        }
        Ok(())
    }

    pub(super) fn disable_area(&mut self, path: &Name) -> PersistResult<()> {
        let files = self.files;
        if entries(path, files).next().is_none() {
            let name = path.safe();
            return Err(match files.services.iter().find(|service| service.may_enable(path)) {
                Some(service) => format!("{}, and omit --persist", service.explain(path)),
                None => format!(
                    "{name}: no known configuration enables it at boot, so --persist has nothing to do: omit it"
                ),
            });
        }
        for entry in entries(path, files) {
            match entry.kind {
                ConfigKind::Fstab => {
                    self.edit_fstab_line(entry, |text| {
                        with_options(text, entry.line, options_off)
                    })?;
                }
                ConfigKind::SystemdSwap => self.disable_unit(entry)?,
                ConfigKind::ZramGenerator => self.disable_section(path, entry)?,
            }
        }
        Ok(())
    }

    pub(super) fn write_setting(&mut self, file: &Name, value: &str) -> PersistResult<()> {
        let files = self.files;
        let path = file.safe();
        if let Some(key) = sysctl_name(&path) {
            return self.write_sysctl(&key, value);
        }
        if units::is_cgroup_file(&path, files) {
            return self.write_limit(&path, value);
        }
        let Some(lines) = &files.lasting.tmpfiles else {
            return Err(format!(
                "{path}: only systemd-tmpfiles can write it at boot, and it is not installed: install it, or write it from a boot script"
            ));
        };
        // The first of several lines counts.
        match lines.iter().find(|it| it.key == path) {
            Some(counts) if is_boot_config(counts.file.as_path()) => {
                self.edit(&counts.file, |text| with_argument(text, counts.line, value))
            }
            counts => {
                let early = |ours: &&str| {
                    counts.is_none_or(|first| ours.as_bytes() < first.name.as_bytes())
                };
                let ours = TMPFILES
                    .into_iter()
                    .find(early)
                    .ok_or_else(|| overruled_refusal(&path, counts))?;
                let file = Name::new(format!("/etc/tmpfiles.d/{ours}").into_bytes());
                self.edit(&file, |text| with_line_added(text, &format!("w {path} - - - - {value}")))
            }
        }
    }

    fn write_sysctl(&mut self, key: &str, value: &str) -> PersistResult<()> {
        let counts = self.files.lasting.sysctl(key);
        if let Some(counts) = counts.filter(|it| is_boot_config(it.file.as_path())) {
            return self.edit(&counts.file, |text| with_value(text, counts.line, '=', value));
        }
        // Must sort after the file that sets it now.
        let late = |ours: &&str| counts.is_none_or(|last| ours.as_bytes() > last.name.as_bytes());
        let ours = OURS.into_iter().find(late).ok_or_else(|| overruled_refusal(key, counts))?;
        let file = Name::new(format!("/etc/sysctl.d/{ours}").into_bytes());
        self.edit(&file, |text| with_line_added(text, &format!("{key} = {value}")))
    }
}

/// Returns whether this step disables an entry at boot.
pub fn disables_unit(step: &Step, entry: &ConfigEntry) -> bool {
    let Step::Save { path, to: Some(to), .. } = step else { return false };
    let is_unit = entry.kind == ConfigKind::SystemdSwap && *path == own_drop_in(&entry.file.base());
    is_unit && to.lines().any(|line| line == NEVER_STARTED)
}

/// Refuses a setting that another file sets with higher precedence.
fn overruled_refusal(key: &str, by: Option<&Assignment>) -> PersistRefusal {
    let file = by.map_or_else(|| "another file".to_owned(), |by| by.file.safe());
    format!("{file} sets {key} and overrides our file: change it there")
}
