//! Swap as a whole, as a file has it: the present setup of a machine, and the changes that lead from it to
//! a wanted one. What a wanted setup does not name is left alone.

use super::format::FormatIntent;
use super::intent::keep_options;
use super::zram::{ZramChange, ZramIntent, ZramParameters};
use super::{ChangeError, Intent, LiveMachine, ObservedMachine, Setting, SwaponOptions, find};
use crate::actions::MachineView as _;
use crate::model::activation::{Discard, Priority};
use crate::model::knob;
use crate::model::swaparea::SwapArea;
use crate::model::zram::ZramSettings;
use crate::model::{Bytes, Name, Reading, zram};
use std::cmp::Reverse;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// The setup of swap in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwapSetup {
    /// Whether areas that are not named are disabled.
    pub only: bool,
    /// Areas that are not on zram, in allocation order.
    pub areas: Vec<SetupArea>,
    /// Swap areas on zram.
    pub zram: Vec<SetupZram>,
    /// Kernel settings with their values.
    pub knobs: Vec<(String, String)>,
}

/// An area that is active.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupArea {
    /// The device or file: a path, or a tag such as `UUID=`.
    pub name: Name,
    /// Priority; the present one if none.
    pub priority: Option<Priority>,
    /// Discard policy; the present one if none.
    pub discard: Option<Discard>,
}

/// A zram device that is an active area.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetupZram {
    /// Number of the device.
    pub number: u64,
    /// Size of the device.
    pub size: Bytes,
    /// Algorithm; the present one if none, or the kernel's default on a new device.
    pub algorithm: Option<String>,
    /// Memory limit; zero means unlimited.
    pub limit: Option<Bytes>,
    /// Priority; the present one if none, or 100 on a new device.
    pub priority: Option<Priority>,
}

/// A difference between the present setup and the wanted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDifference {
    /// The area, device or setting.
    pub subject: String,
    /// Key of the value.
    pub key: &'static str,
    /// The present value; none if there is none.
    pub from: Option<String>,
    /// The wanted value; none if the area is not wanted.
    pub to: Option<String>,
}

/// Priority of a new zram device.
const ZRAM_PRIORITY: Priority = Priority::Set(100);

impl SwapSetup {
    /// The present setup of a machine.
    ///
    /// # Errors
    /// The areas cannot be read.
    pub fn present(machine: &ObservedMachine<'_>) -> Result<Self, ChangeError> {
        let mut areas: Vec<&SwapArea> = machine.areas()?.iter().collect();
        areas.sort_by_key(|area| Reverse(area.priority));
        let (on_zram, others): (Vec<_>, Vec<_>) =
            areas.into_iter().partition(|area| zram::device_number(&area.path).is_some());
        let zram = on_zram.into_iter().map(|area| present_zram(machine, area));
        let area = |area: &SwapArea| SetupArea {
            name: lasting_name(machine, area),
            priority: Some(Priority::from_shown(area.priority)),
            discard: machine.known_discard(area).filter(|discard| *discard != Discard::None),
        };
        Ok(Self {
            only: false,
            areas: others.into_iter().map(area).collect(),
            zram: zram.collect::<Result<_, _>>()?,
            knobs: present_knobs(machine),
        })
    }

    /// The changes that lead to this setup, in an order in which room comes before it is taken away.
    ///
    /// # Errors
    /// An area does not exist, or a part of the setup is not possible on this machine.
    pub fn intents(&self, machine: &ObservedMachine<'_>) -> Result<Vec<Intent>, ChangeError> {
        let mut all = Vec::new();
        let setting = |(knob, value): &(String, String)| {
            (Setting { knob: knob.clone(), group: None }, value.clone())
        };
        let knobs: Vec<_> = self.knobs.iter().map(setting).collect();
        all.extend((!knobs.is_empty()).then_some(Intent::Set(knobs)));
        let named = self.resolved(machine)?;
        let mut priorities = Vec::new();
        self.zram_intents(machine, &mut all, &mut priorities)?;
        for (path, area) in &named {
            let is_active = machine.areas()?.iter().any(|active| active.path == *path);
            if !is_active {
                let options = SwaponOptions { priority: area.priority, discard: area.discard };
                all.push(Intent::On(vec![path.clone()], options));
                continue;
            }
            let options = SwaponOptions { priority: None, discard: area.discard };
            keep_options(machine, std::slice::from_ref(path), options, false)?;
            priorities.extend(area.priority.map(|priority| (path.clone(), priority)));
        }
        all.extend((!priorities.is_empty()).then_some(Intent::Priorities(priorities)));
        let others = self.others(machine, &named)?;
        all.extend((!others.is_empty()).then_some(Intent::Off(others)));
        Ok(all)
    }

    /// The areas with the paths that their names lead to.
    fn resolved(
        &self,
        machine: &ObservedMachine<'_>,
    ) -> Result<Vec<(Name, &SetupArea)>, ChangeError> {
        let mut all: Vec<(Name, &SetupArea)> = Vec::new();
        for area in &self.areas {
            let path = path_of(machine, &area.name)?;
            if zram::device_number(&path).is_some() {
                let name = path.safe();
                return Err(usage(format!("{name} is on zram: describe it in a table [[zram]]")));
            }
            if all.iter().any(|(other, _)| *other == path) {
                return Err(usage(format!("{} is named twice", path.safe())));
            }
            all.push((path, area));
        }
        Ok(all)
    }

    /// The active areas that are not named and not wanted.
    fn others(
        &self,
        machine: &ObservedMachine<'_>,
        named: &[(Name, &SetupArea)],
    ) -> Result<Vec<Name>, ChangeError> {
        let is_named = |area: &&SwapArea| {
            let number = zram::device_number(&area.path);
            named.iter().any(|(path, _)| *path == area.path)
                || self.zram.iter().any(|device| Some(device.number) == number)
        };
        let others = machine.areas()?.iter().filter(|area| self.only && !is_named(area));
        Ok(others.map(|area| area.path.clone()).collect())
    }

    fn zram_intents(
        &self,
        machine: &ObservedMachine<'_>,
        all: &mut Vec<Intent>,
        priorities: &mut Vec<(Name, Priority)>,
    ) -> Result<(), ChangeError> {
        let mut free = None;
        for wanted in &self.zram {
            let path = zram::device_path(wanted.number);
            let is_active = machine.areas()?.iter().any(|area| area.path == path);
            let Some(disk) = disk(machine, wanted.number)? else {
                let free = match &mut free {
                    Some(free) => free,
                    empty => empty.insert(machine.new_zram().map_err(ChangeError::Refused)?),
                };
                let next = free.next().unwrap_or(0);
                if next != wanted.number {
                    return Err(ChangeError::Refused(format!(
                        "zram{} cannot be created: the kernel gives the next device the number {next}",
                        wanted.number
                    )));
                }
                all.push(wanted.new_device()?);
                continue;
            };
            if is_active {
                let to = wanted.settings(&disk);
                if to.matches_shown(&disk) {
                    priorities.extend(wanted.priority.map(|priority| (path, priority)));
                } else {
                    let change = ZramChange::SetUp(to, wanted.priority);
                    all.push(Intent::Zram(ZramIntent::Device(wanted.number, change)));
                }
            } else if disk.size == Bytes(0) {
                all.push(wanted.new_device()?);
            } else {
                let number = wanted.number;
                return Err(ChangeError::Refused(format!(
                    "zram{number} is set up and is no active swap area: enable it (swapadm on zram{number}) or remove it (swapadm zram remove zram{number}) first"
                )));
            }
        }
        Ok(())
    }

    /// The differences between the present setup and this one, where this one names something.
    ///
    /// # Errors
    /// As for [`Self::intents`].
    pub fn differences(
        &self,
        machine: &ObservedMachine<'_>,
    ) -> Result<Vec<StateDifference>, ChangeError> {
        let present = Self::present(machine)?;
        let named = self.resolved(machine)?;
        let mut all = Vec::new();
        for (path, wanted) in &named {
            let active = machine.areas()?.iter().find(|area| area.path == *path);
            let now = active.map(|area| {
                let priority = Some(Priority::from_shown(area.priority));
                let discard = machine.known_discard(area).or(wanted.discard);
                SetupArea { name: wanted.name.clone(), priority, discard }.keys()
            });
            all.extend(compared(&wanted.name.safe(), now.as_deref(), &wanted.keys()));
        }
        for wanted in &self.zram {
            let now = present.zram.iter().find(|device| device.number == wanted.number);
            let now = now.map(SetupZram::keys);
            all.extend(compared(&format!("zram{}", wanted.number), now.as_deref(), &wanted.keys()));
        }
        for (knob, value) in &self.knobs {
            let now = knob_value(machine, knob);
            let is_same = now.as_ref().is_some_and(|now| same_knob(machine, knob, now, value));
            let to = Some(value.clone());
            let difference = StateDifference { subject: knob.clone(), key: "value", from: now, to };
            all.extend((!is_same).then_some(difference));
        }
        let others = self.others(machine, &named)?.into_iter();
        all.extend(others.map(|path| StateDifference {
            subject: path.safe(),
            key: "active",
            from: Some("true".to_owned()),
            to: None,
        }));
        Ok(all)
    }
}

impl Default for SetupArea {
    fn default() -> Self {
        Self { name: Name::from(""), priority: None, discard: None }
    }
}

impl SetupArea {
    /// The values as a file has them.
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let priority = self.priority.map(|priority| ("priority", priority.to_string()));
        let discard = self.discard.map(|discard| ("discard", discard.word().to_owned()));
        priority.into_iter().chain(discard).collect()
    }
}

impl SetupZram {
    /// The values as a file has them.
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let size = [("size", self.size.exact())];
        let algorithm = self.algorithm.clone().map(|name| ("algorithm", name));
        let exact = |limit: Bytes| if limit.0 == 0 { "0".to_owned() } else { limit.exact() };
        let limit = self.limit.map(|limit| ("limit", exact(limit)));
        let priority = self.priority.map(|priority| ("priority", priority.to_string()));
        size.into_iter().chain(algorithm).chain(limit).chain(priority).collect()
    }

    /// The settings of the device, on one that has these settings.
    fn settings(&self, now: &ZramSettings) -> ZramSettings {
        ZramSettings {
            size: self.size,
            algorithm: self.algorithm.clone().or_else(|| now.algorithm.clone()),
            limit: self.limit.unwrap_or(now.limit),
            ..now.clone()
        }
    }

    fn new_device(&self) -> Result<Intent, ChangeError> {
        let parameters = ZramParameters {
            size: Some(self.size),
            algorithm: self.algorithm.clone(),
            limit: self.limit.filter(|limit| *limit > Bytes(0)),
            ..ZramParameters::default()
        };
        let priority = Some(self.priority.unwrap_or(ZRAM_PRIORITY));
        let options = SwaponOptions { priority, discard: None };
        let format = FormatIntent::new()?;
        Ok(Intent::Zram(ZramIntent::SwapOn(self.number, parameters, format, options)))
    }
}

/// The differences of the values of one subject that are wanted.
fn compared(
    subject: &str,
    now: Option<&[(&'static str, String)]>,
    wanted: &[(&'static str, String)],
) -> Vec<StateDifference> {
    let difference = |key, from, to| StateDifference { subject: subject.to_owned(), key, from, to };
    let begun = now.is_none().then(|| difference("active", None, Some("true".to_owned())));
    let now = now.unwrap_or_default();
    let value = |key: &str| now.iter().find(|(known, _)| *known == key).map(|(_, value)| value);
    let changed = wanted.iter().filter(|(key, to)| value(key) != Some(to));
    let changed = changed.map(|(key, to)| difference(key, value(key).cloned(), Some(to.clone())));
    begun.into_iter().chain(changed).collect()
}

fn usage(why: String) -> ChangeError {
    ChangeError::Usage(why)
}

fn path_of(machine: &ObservedMachine<'_>, name: &Name) -> Result<Name, ChangeError> {
    // An active area can have lost its name, as a deleted file has.
    if machine.areas()?.iter().any(|area| area.path == *name) {
        return Ok(name.clone());
    }
    find::find_storage(machine.root, OsStr::from_bytes(name.as_bytes())).map_err(usage)
}

/// A name that stays the same: the UUID of a device, if it leads back to it, or else the path.
fn lasting_name(machine: &ObservedMachine<'_>, area: &SwapArea) -> Name {
    let place = machine.areas().ok().and_then(|areas| areas.iter().position(|it| it == area));
    let headers = machine.snapshot.headers.reading.known();
    let header = place.and_then(|place| headers?.get(place)?.known());
    let uuid = header.and_then(|header| header.uuid.known());
    let tag = uuid.map(|uuid| Name::new(format!("UUID={uuid}").into_bytes()));
    let leads_back = |tag: &Name| {
        let found = find::find_storage(machine.root, OsStr::from_bytes(tag.as_bytes()));
        area.path.as_bytes().starts_with(b"/dev/") && found.as_ref() == Ok(&area.path)
    };
    tag.filter(leads_back).unwrap_or_else(|| area.path.clone())
}

/// The settings of a device; none if it does not exist.
fn disk(machine: &ObservedMachine<'_>, number: u64) -> Result<Option<ZramSettings>, ChangeError> {
    LiveMachine::new(machine.root).disk(number).into_result().map_err(ChangeError::Missing)
}

fn present_zram(machine: &ObservedMachine<'_>, area: &SwapArea) -> Result<SetupZram, ChangeError> {
    let number = zram::device_number(&area.path).unwrap_or(0);
    let Some(disk) = disk(machine, number)? else {
        return Err(ChangeError::Busy(format!("zram{number} disappeared while it was read")));
    };
    Ok(SetupZram {
        number,
        size: disk.size,
        algorithm: disk.algorithm,
        limit: Some(disk.limit),
        priority: Some(Priority::from_shown(area.priority)),
    })
}

/// The settings that have a default of the kernel, with their present values.
fn present_knobs(machine: &ObservedMachine<'_>) -> Vec<(String, String)> {
    let readings = machine.snapshot.knobs.reading.known().map_or(&[][..], Vec::as_slice);
    let with_default = |id: &str| knob::find(id).is_some_and(|knob| knob.default.is_some());
    let named = readings.iter().filter(|reading| with_default(&reading.id));
    named.filter_map(|it| Some((it.id.clone(), knob_value(machine, &it.id)?))).collect()
}

/// The present value of a setting, if it is known.
fn knob_value(machine: &ObservedMachine<'_>, id: &str) -> Option<String> {
    let readings = machine.snapshot.knobs.reading.known()?;
    let reading = readings.iter().find(|reading| reading.id == id)?;
    let Reading::Known(text) = &reading.value else { return None };
    Some(knob::find(id)?.kind.current_value(text))
}

/// Whether a value is written differently only, such as `on` for `Y`.
fn same_knob(machine: &ObservedMachine<'_>, id: &str, now: &str, wanted: &str) -> bool {
    let readings = machine.snapshot.knobs.reading.known();
    let text = readings.and_then(|all| all.iter().find(|it| it.id == id)?.value.known().cloned());
    let kind = knob::find(id).map(|knob| knob.kind);
    let parsed = kind.zip(text).and_then(|(kind, text)| kind.parse_value(wanted, &text).ok());
    parsed.map_or(now == wanted, |parsed| parsed == now)
}
