//! The present state of a machine, and the state that its files set up at boot.

use super::{StateArea, StateZram, SwapStateFile};
use crate::actions::{MachineView as _, plan, settings};
use crate::change::boot_config::lasting_title;
use crate::change::fstab::requested_discard;
use crate::change::{
    BootConfig, ChangeAttempt, ChangeError, LiveMachine, ObservedMachine, Setting,
};
use crate::columns::units::parse_size;
use crate::model::activation::{Discard, Priority};
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea};
use crate::model::knob::{self, CGROUP_KNOBS, KNOBS};
use crate::model::paging::BracketedChoice;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::users::{Cgroup, CgroupTree, CgroupVersion, Limit};
use crate::model::{Bytes, Missing, Name, Reading, zram};
use crate::probes::candidate;
use std::cmp::Reverse;

/// The setting that the kernel computes from the size of memory: on another machine, another value is right.
const OF_MEMORY: &str = "min_free_kbytes";

impl SwapStateFile {
    /// The present state, on request with the limits of cgroups.
    ///
    /// # Errors
    /// The areas cannot be read.
    pub fn present(machine: &ObservedMachine<'_>, with_cgroups: bool) -> ChangeAttempt<Self> {
        let mut areas: Vec<&SwapArea> = machine.areas()?.iter().collect();
        areas.sort_by_key(|area| Reverse(area.priority));
        let mut state = Self::default();
        let ordered = plan::order::default_order(machine.areas()?);
        for area in areas {
            let name = if let Some(number) = zram::device_number(&area.path) {
                state.zram.push(present_zram(machine, number, area)?);
                Name::from(format!("zram{number}").as_str())
            } else {
                let saved = present_area(machine, area)?;
                let name = saved.name.clone();
                state.areas.push(saved);
                name
            };
            // The areas are sorted by priority.
            if ordered.len() > 1 && ordered.contains(&area.path) {
                state.order.push(name);
            }
        }
        state.add_settings(machine);
        if with_cgroups {
            match machine.snapshot.cgroups.reading.get() {
                Ok(tree) => state.settings.extend(limits(tree)),
                Err(missing) => {
                    state.not_saved.push(format!("limits of cgroups: {}", missing.why()));
                }
            }
        }
        Ok(state)
    }

    fn add_settings(&mut self, machine: &ObservedMachine<'_>) {
        for reading in machine.snapshot.knobs.reading.known_items() {
            let Some(knob) = knob::find(&reading.id) else {
                continue;
            };
            match &reading.value {
                Reading::Known(text) if knob.id == OF_MEMORY => {
                    let id = knob.id;
                    self.not_saved
                        .push(format!("{id} = {text}: it depends on the memory of the machine"));
                }
                Reading::Known(text) => {
                    let setting = Setting { knob: reading.id.clone(), group: None };
                    self.settings.push((setting, knob.kind.current_value(text)));
                }
                Reading::Missing { missing: Missing::Absent(_) } => {}
                Reading::Missing { missing } => {
                    self.not_saved.push(format!("{}: {}", reading.id, missing.why()));
                }
            }
        }
        for (id, choice) in size_settings(machine) {
            let value = choice.known().map(|choice| choice.current.clone());
            self.settings.extend(value.map(|value| (Setting { knob: id, group: None }, value)));
        }
    }
}

/// The settings for each size of huge pages.
fn size_settings<'m>(
    machine: &'m ObservedMachine<'_>,
) -> impl Iterator<Item = (String, &'m Reading<BracketedChoice>)> {
    let thp = machine.snapshot.thp.reading.known();
    let sizes = thp.map(|thp| thp.sizes.known_items()).unwrap_or_default();
    sizes.iter().flat_map(|size| {
        let id = |file| format!("thp.{}kB.{file}", size.size.0 >> 10);
        [(id("enabled"), &size.enabled), (id("shmem_enabled"), &size.shmem_enabled)]
    })
}

fn present_area(machine: &ObservedMachine<'_>, area: &SwapArea) -> ChangeAttempt<StateArea> {
    let is_file = area.kind == AreaKind::File;
    let size = is_file.then(|| machine.swap_file_size(area)).transpose()?;
    Ok(StateArea {
        name: lasting_name(machine, area),
        size,
        priority: Some(Priority::from_shown(area.priority)),
        discard: machine.known_discard(area).filter(|discard| *discard != Discard::None),
    })
}

/// A name that stays the same, or else the path.
fn lasting_name(machine: &ObservedMachine<'_>, area: &SwapArea) -> Name {
    let title = lasting_title(machine.root, &area.path);
    title.map_or_else(|| area.path.clone(), |title| Name::new(title.as_bytes()))
}

fn present_zram(
    machine: &ObservedMachine<'_>,
    number: u64,
    area: &SwapArea,
) -> ChangeAttempt<StateZram> {
    let disk = LiveMachine::new(machine.root).disk(number);
    let Some(disk) = disk.into_result()? else {
        let missing = Missing::absent(format!("/sys/block/zram{number} does not exist"));
        return Err(ChangeError::Missing(missing));
    };
    Ok(StateZram {
        number,
        size: disk.size,
        algorithm: disk.algorithm,
        second_algorithm: disk.recompression.into_iter().next().map(|(_, name)| name),
        limit: Some(disk.limit),
        backing: disk.backing,
        priority: Some(Priority::from_shown(area.priority)),
    })
}

/// The limits of all cgroups that have some, and the switch of zswap where it is off.
fn limits(tree: &CgroupTree) -> impl Iterator<Item = (Setting, String)> {
    let of_group = |group: &Cgroup| {
        let all = [
            ("memory.max", &group.memory_max),
            ("memory.swap.max", &group.swap_max),
            ("memory.swap.high", &group.swap_high),
            ("memory.zswap.max", &group.zswap_max),
            ("memory.limit_in_bytes", &group.memory_max),
            ("memory.memsw.limit_in_bytes", &group.memsw_max),
        ];
        let path = group.path.clone();
        let limit = |(id, limit): (&str, &Reading<Limit>)| {
            let Some(Limit::Bytes(bytes)) = limit.known() else { return None };
            has(tree.version, id).then(|| {
                (Setting { knob: id.to_owned(), group: Some(path.clone()) }, bytes.exact())
            })
        };
        let writeback = (group.zswap_writeback == Reading::Known(false)).then(|| {
            let knob = "memory.zswap.writeback".to_owned();
            (Setting { knob, group: Some(path.clone()) }, "0".to_owned())
        });
        all.into_iter().filter_map(limit).chain(writeback).collect::<Vec<_>>()
    };
    // The limit of the root cgroup cannot be changed.
    let groups = tree.groups.iter().map(|group| &**group);
    groups.filter(|group| group.path.as_bytes() != b"/").flat_map(of_group)
}

fn has(version: CgroupVersion, id: &str) -> bool {
    CGROUP_KNOBS.iter().any(|knob| knob.id == id && knob.version == version)
}

impl SwapStateFile {
    /// The state that the configuration leads to.
    ///
    /// # Errors
    /// The configuration cannot be read.
    pub fn at_boot(machine: &ObservedMachine<'_>) -> ChangeAttempt<Self> {
        machine.snapshot.config.reading.get()?;
        let config = BootConfig::read_config(machine);
        let mut state = Self::default();
        let mut named: Vec<&Name> = Vec::new();
        for (entry, means) in &config.entries {
            if entry.is_generated() || entry.leaves_area_disabled() {
                continue;
            }
            let area = match entry.area.get() {
                Ok(area) => area,
                Err(missing) => {
                    state.not_saved.push(format!("{}: {}", entry.file.safe(), missing.why()));
                    continue;
                }
            };
            if means.as_ref().is_some_and(|path| named.contains(&path)) {
                continue;
            }
            named.extend(means);
            state.add_entry(machine, entry, area, means.as_ref());
        }
        state.add_services(machine);
        let sizes = size_settings(machine).map(|(id, _)| id);
        for knob in KNOBS.iter().map(|knob| knob.id.to_owned()).chain(sizes) {
            let Ok(target) = settings::target(&knob, &machine.snapshot) else { continue };
            let counts = config.lasting.effective(&target.file.safe());
            let setting = Setting { knob, group: None };
            // A service starts after tmpfiles and sysctl, and its value stays.
            if state.settings.iter().any(|(set, _)| *set == setting) {
                continue;
            }
            state.settings.extend(counts.map(|counts| (setting, counts.value.clone())));
        }
        Ok(state)
    }

    fn add_entry(
        &mut self,
        machine: &ObservedMachine<'_>,
        entry: &ConfigEntry,
        area: &ConfiguredArea,
        means: Option<&Name>,
    ) {
        let number = means.and_then(zram::device_number);
        match (entry.kind, number) {
            (ConfigKind::ZramGenerator, Some(number)) => self.add_section(machine, area, number),
            (ConfigKind::Fstab | ConfigKind::SystemdSwap, None) => {
                let file = means.map(|path| candidate::read(machine.root, path));
                let spec = file.and_then(|file| file.swap_file_spec());
                self.areas.push(StateArea {
                    name: area.what.clone(),
                    size: spec.map(|spec| spec.format.size()),
                    priority: Some(area.requested_priority().unwrap_or(Priority::Default)),
                    discard: requested_discard(area),
                });
            }
            (ConfigKind::Fstab | ConfigKind::SystemdSwap, Some(_))
            | (ConfigKind::ZramGenerator, None) => {
                let (what, file) = (area.what.safe(), entry.file.safe());
                self.not_saved
                    .push(format!("{what} in {file}: its size is not known until it is created"));
            }
        }
    }

    /// Adds a section of zram-generator. Its size is that of the running device, if it is computed at boot.
    fn add_section(&mut self, machine: &ObservedMachine<'_>, area: &ConfiguredArea, number: u64) {
        let option = |key: &str| area.section_value(key).map(str::to_owned);
        // A number without a unit is in MiB.
        let mib = |text: &String| parse_size(&format!("{text}M"));
        let written = option("zram-size");
        let running = LiveMachine::new(machine.root).disk(number);
        let running = running.known().cloned().flatten().map(|disk| disk.size);
        let is_set = |size: &Bytes| *size > Bytes(0);
        let Some(size) = written.as_ref().and_then(mib).or(running).filter(is_set) else {
            let size = written.unwrap_or_else(|| "its default".to_owned());
            self.not_saved.push(format!("zram{number}: its size ({size}) is computed at boot"));
            return;
        };
        self.zram.push(StateZram {
            number,
            size,
            algorithm: option("compression-algorithm").filter(|name| !name.contains(' ')),
            limit: option("zram-resident-limit").as_ref().and_then(mib),
            backing: option("writeback-device").map(|name| Name::from(name.as_str())),
            priority: Some(
                area.requested_priority().unwrap_or(ConfigKind::ZramGenerator.default_priority()),
            ),
            ..StateZram::default()
        });
    }
}
