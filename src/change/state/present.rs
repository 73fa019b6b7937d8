//! The present state of a machine.

use super::{StateArea, StateZram, SwapStateFile};
use crate::actions::{MachineView as _, plan};
use crate::change::boot_config::lasting_title;
use crate::change::{ChangeAttempt, ChangeError, LiveMachine, ObservedMachine, Setting};
use crate::model::activation::{Discard, Priority};
use crate::model::knob::{self, CGROUP_KNOBS};
use crate::model::paging::BracketedChoice;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::users::{Cgroup, CgroupTree, CgroupVersion, Limit};
use crate::model::{Missing, Name, Reading, zram};
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
pub(super) fn size_settings<'m>(
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
