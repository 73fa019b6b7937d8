//! Reasons why entries have no effect at boot: units that nothing starts, a masked `swap.target`, options of
//! the kernel command line, a container, zram-generator that is missing or has a memory limit, and a zram device
//! that nothing creates.

use super::units;
use crate::model::config::{ConfigEntry, ConfigKind, NoEffect, unit_name_for};
use crate::model::{Bytes, Name, zram};
use crate::probes::{boot_settings, cmdline, meminfo, surroundings};
use crate::root::Root;
use std::cell::OnceCell;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// systemd writes the kind of container that it runs in.
pub(super) const CONTAINER: &str = "run/systemd/container";
const TARGET: &str = "swap.target";

/// Facts of the machine that decide about entries.
struct BootFacts<'r> {
    root: &'r Root,
    options: Vec<Vec<u8>>,
    is_target_masked: bool,
    is_container: bool,
    runs_init_scripts: bool,
    /// Folders of links that start units: read for the first unit.
    links: OnceCell<Vec<PathBuf>>,
}

/// Marks the entries that have no effect at boot, and the units that come from the kernel command line.
pub(super) fn mark(root: &Root, entries: &mut [ConfigEntry]) {
    if entries.is_empty() {
        return;
    }
    let facts = BootFacts::read(root);
    let sections = entries.iter().filter(|it| it.kind == ConfigKind::ZramGenerator);
    let sections = sections.filter_map(|it| Some(it.area.known()?.what.clone()));
    let sections: Vec<Name> = sections.collect();
    for entry in entries {
        entry.from_command_line = entry.is_generated() && facts.is_from_command_line(entry);
        entry.no_effect = facts.no_effect(entry).or_else(|| facts.no_device(entry, &sections));
    }
}

/// The kinds of entries that have no effect at boot on this machine, each with the reason.
pub fn kinds_without_effect(root: &Root) -> Vec<(ConfigKind, NoEffect)> {
    let facts = BootFacts::read(root);
    let kinds = [ConfigKind::Fstab, ConfigKind::ZramGenerator].into_iter();
    kinds.filter_map(|kind| Some((kind, facts.no_effect_of_kind(kind, true)?))).collect()
}

impl<'r> BootFacts<'r> {
    fn read(root: &'r Root) -> Self {
        Self {
            root,
            options: cmdline::read(root).into_result().unwrap_or_default(),
            is_target_masked: units::is_masked(root, &TARGET.into()),
            is_container: root.exists(CONTAINER),
            runs_init_scripts: surroundings::runs_init_scripts(root),
            links: OnceCell::new(),
        }
    }

    /// Checks whether `systemd.swap-extra=WHAT:OPTIONS` makes this unit.
    fn is_from_command_line(&self, entry: &ConfigEntry) -> bool {
        let unit = entry.file.base();
        let mut extra = cmdline::values(&self.options, "systemd.swap-extra");
        extra.any(|value| {
            let what = value.split(|byte| *byte == b':').next().unwrap_or_default();
            unit_name_for(&Name::new(what)) == unit
        })
    }

    fn no_effect(&self, entry: &ConfigEntry) -> Option<NoEffect> {
        let is_generated = entry.kind != ConfigKind::SystemdSwap || entry.from_command_line;
        self.no_effect_of_kind(entry.kind, is_generated).or_else(|| match entry.kind {
            ConfigKind::SystemdSwap => self.not_started(&entry.file.base()),
            // A capture lacks the program.
            ConfigKind::ZramGenerator
                if self.root.is_live() && !boot_settings::has_zram_generator(self.root) =>
            {
                Some(NoEffect::NoGenerator)
            }
            ConfigKind::ZramGenerator if self.exceeds_limit(entry) => Some(NoEffect::MemoryLimit),
            ConfigKind::Fstab | ConfigKind::ZramGenerator => None,
        })
    }

    /// Why a line of fstab for a zram device has no effect, if so. A udev rule can give the device a size, and systemd
    /// then a header; or the line names the unit that does both.
    fn no_device(&self, entry: &ConfigEntry, sections: &[Name]) -> Option<NoEffect> {
        // A capture lacks the links that enable services.
        let is_judged = entry.kind == ConfigKind::Fstab && self.root.is_live();
        let area = entry.area.known().filter(|_| is_judged)?;
        let path = entry.leads_to.known().unwrap_or(&area.what);
        zram::device_number(path)?;
        let names_creator = |option: &String| {
            ["x-systemd.makefs", "x-systemd.requires"].iter().any(|it| option.starts_with(it))
        };
        let is_created = sections.contains(&path.base())
            || area.options.iter().any(names_creator)
            || surroundings::swap_services(self.root).iter().any(|service| service.makes_zram)
            || may_create_zram(self.root);
        (!is_created).then_some(NoEffect::NoDevice)
    }

    /// Why no entry of this kind has an effect, if so. Generators of systemd make the units of generated ones.
    fn no_effect_of_kind(&self, kind: ConfigKind, is_generated: bool) -> Option<NoEffect> {
        let is_off = |option| cmdline::is_off(&self.options, option);
        let of_swap = kind != ConfigKind::ZramGenerator;
        match kind {
            // Init scripts run swapon --all.
            ConfigKind::Fstab if self.runs_init_scripts => None,
            _ if is_generated && self.is_container => Some(NoEffect::Container),
            _ if is_generated && of_swap && is_off("systemd.swap") => Some(NoEffect::SwapOption),
            ConfigKind::Fstab if is_off("fstab") => Some(NoEffect::FstabOption),
            ConfigKind::ZramGenerator if is_off("systemd.zram") => Some(NoEffect::ZramOption),
            ConfigKind::SystemdSwap => None,
            ConfigKind::Fstab | ConfigKind::ZramGenerator => {
                self.is_target_masked.then_some(NoEffect::TargetMasked)
            }
        }
    }

    /// Why systemd does not start this unit of an area, if so. A capture has no links: there, `swap.target` counts as
    /// starting it.
    fn not_started(&self, unit: &Name) -> Option<NoEffect> {
        let links = self.links.get_or_init(|| units::folders_of_links(self.root));
        let is_wanted =
            |folder: &&PathBuf| self.root.link(folder.join(unit.as_path())).known().is_some();
        let is_of_target =
            |folder: &&PathBuf| folder.file_stem().is_some_and(|unit| unit == TARGET);
        let is_capture = links.is_empty() && !self.root.is_live();
        let wanted: Vec<_> = links.iter().filter(is_wanted).collect();
        if wanted.is_empty() && !is_capture {
            return Some(NoEffect::NothingStartsUnit);
        }
        let is_off = self.is_target_masked && wanted.iter().all(is_of_target);
        is_off.then_some(NoEffect::TargetMasked)
    }

    /// Checks whether the machine has more memory than zram-generator sets this device up for, both in MiB.
    fn exceeds_limit(&self, entry: &ConfigEntry) -> bool {
        let limit = entry.area.known().and_then(|area| {
            let value = ["host-memory-limit", "memory-limit"].map(|key| area.section_value(key));
            value.into_iter().flatten().next()?.parse::<u64>().ok()
        });
        let Some(limit) = limit else { return false };
        let memory = meminfo::field(&meminfo::read(self.root), "MemTotal");
        memory.known().is_some_and(|Bytes(memory)| memory >> 20 > limit)
    }
}

/// Returns whether a file of the administrator may create a zram device: a udev rule that sets sizes, or a service that
/// names zram.
fn may_create_zram(root: &Root) -> bool {
    let has = |folder: &str, ending: &[u8], word: &str| {
        let names = root.names(folder);
        let files = names.known_items().iter().filter(|name| name.ends_with(ending));
        let text = |name: &Vec<u8>| root.read(Path::new(folder).join(OsStr::from_bytes(name)));
        files.map(text).any(|text| {
            text.known().is_some_and(|text| String::from_utf8_lossy(text).contains(word))
        })
    };
    has("etc/udev/rules.d", b".rules", "disksize") || has("etc/systemd/system", b".service", "zram")
}
