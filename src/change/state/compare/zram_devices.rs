//! Compares zram devices with the wanted ones.

use super::{Comparer, PlanPart, check_once};
use crate::actions::MachineView as _;
use crate::change::state::StateZram;
use crate::change::zram::{ZramChange, ZramIntent, ZramParameters};
use crate::change::{ChangeAttempt, ChangeError, Intent, LiveMachine, SwaponOptions};
use crate::model::activation::Priority;
use crate::model::candidate::Signature;
use crate::model::zram::ZramSettings;
use crate::model::{Bytes, Name, zram};
use crate::probes::candidate;

/// Priority of a new zram device, as in `setup`.
const ZRAM_PRIORITY: Priority = Priority::Set(100);

impl Comparer<'_, '_> {
    pub(super) fn compare_zram(&mut self) -> ChangeAttempt<()> {
        let live = LiveMachine::new(self.machine.root);
        let mut free = None;
        // The kernel gives new devices the lowest free number.
        let mut devices: Vec<_> = self.intent.wanted.zram.iter().collect();
        devices.sort_by_key(|wanted| wanted.number);
        check_once(devices.iter().map(|wanted| device_name(wanted.number)))?;
        for wanted in devices {
            let disk = live.disk(wanted.number).into_result()?;
            match disk {
                None => {
                    let free = match &mut free {
                        Some(free) => free,
                        empty => empty.insert(
                            self.machine.free_zram_numbers().map_err(ChangeError::Refused)?,
                        ),
                    };
                    check_number(wanted.number, free.next().unwrap_or(0))?;
                    self.add_zram(wanted, self.wanted_settings(wanted, &ZramSettings::default())?);
                }
                Some(disk) => {
                    let to = self.wanted_settings(wanted, &disk)?;
                    self.compare_device(wanted, &disk, to)?;
                }
            }
        }
        Ok(())
    }

    /// Compares a device that exists.
    fn compare_device(
        &mut self,
        wanted: &StateZram,
        disk: &ZramSettings,
        to: ZramSettings,
    ) -> ChangeAttempt<()> {
        let (number, path) = (wanted.number, zram::device_path(wanted.number));
        let Some(area) = self.machine.areas()?.iter().find(|area| area.path == path) else {
            let candidate = candidate::read(self.machine.root, &path);
            let is_swap = matches!(candidate.signature.known(), Some(Signature::Swap(_)));
            if to.matches_shown(&ZramSettings { limit: to.limit, ..disk.clone() }) {
                self.differ_in_all(&device_name(number), zram_keys(&to, wanted.priority));
                if to.limit != disk.limit {
                    // Another limit needs no reset, so the contents stay.
                    let change = ZramIntent::Device(number, ZramChange::Limit(to.limit));
                    self.phases.added.push(PlanPart::Intent(Intent::Zram(change)));
                }
                if !is_swap {
                    let format = Intent::Format(path.clone(), self.new_format());
                    self.phases.added.push(PlanPart::Intent(format));
                }
                let priority = Some(wanted.priority.unwrap_or(ZRAM_PRIORITY));
                let options = SwaponOptions { priority, discard: None };
                self.phases.added.push(PlanPart::Intent(Intent::On(vec![path], options)));
            } else {
                self.add_zram(wanted, to);
            }
            return Ok(());
        };
        let shown = Priority::from_shown(area.priority);
        let keys = zram_keys(&to, Some(wanted.priority.unwrap_or(shown)));
        for ((key, to), (_, from)) in keys.into_iter().zip(zram_keys(disk, Some(shown))) {
            self.differ(&device_name(number), key, Some(from), Some(to));
        }
        let change = ZramChange::SetUp(to, wanted.priority);
        let part = PlanPart::Intent(Intent::Zram(ZramIntent::Device(number, change)));
        self.phases.changed.push((area.used_at_most(), part));
        Ok(())
    }

    /// Adds a device that does not exist, or is not active.
    fn add_zram(&mut self, wanted: &StateZram, to: ZramSettings) {
        let priority = Some(wanted.priority.unwrap_or(ZRAM_PRIORITY));
        self.differ_in_all(&device_name(wanted.number), zram_keys(&to, priority));
        let parameters = ZramParameters {
            size: Some(to.size),
            algorithm: to.algorithm,
            second_algorithm: to.recompression.into_iter().next().map(|(_, name)| name),
            limit: Some(to.limit).filter(|limit| *limit > Bytes(0)),
            backing: to.backing,
        };
        let options = SwaponOptions { priority, discard: None };
        let format = self.new_format();
        let intent = ZramIntent::Swap(Some(wanted.number), parameters, format, options);
        self.phases.added.push(PlanPart::Intent(Intent::Zram(intent)));
    }

    /// The wanted settings of a device that has these now.
    fn wanted_settings(
        &self,
        wanted: &StateZram,
        now: &ZramSettings,
    ) -> ChangeAttempt<ZramSettings> {
        let limit = wanted.limit.map(|limit| self.machine.whole_pages(limit)).transpose()?;
        let limit = limit.unwrap_or(now.limit);
        // A device can have more than one further algorithm: the first counts.
        let first = now.recompression.first().map(|(_, name)| name);
        let second = wanted.second_algorithm.clone().filter(|name| Some(name) != first);
        let backing = wanted.backing.as_ref().filter(|name| now.backing.as_ref() != Some(*name));
        let backing = backing.map(|name| self.find(name)).transpose()?;
        Ok(ZramSettings {
            size: self.machine.whole_pages(wanted.size)?,
            algorithm: wanted.algorithm.clone().or_else(|| now.algorithm.clone()),
            recompression: second.map_or_else(|| now.recompression.clone(), |name| vec![(1, name)]),
            limit,
            backing: backing.or_else(|| now.backing.clone()),
        })
    }
}

/// The values of a device, by key.
fn zram_keys(disk: &ZramSettings, priority: Option<Priority>) -> Vec<(&'static str, String)> {
    let unset = || "none".to_owned();
    let second = disk.recompression.first().map_or_else(unset, |(_, name)| name.clone());
    vec![
        ("size", disk.size.exact()),
        ("algorithm", disk.algorithm.clone().unwrap_or_else(|| "default".to_owned())),
        ("second-algorithm", second),
        ("limit", disk.limit.exact()),
        ("backing", disk.backing.as_ref().map_or_else(unset, Name::safe)),
        ("priority", priority.unwrap_or(ZRAM_PRIORITY).to_string()),
    ]
}

pub(super) fn device_name(number: u64) -> String {
    format!("zram{number}")
}

fn check_number(wanted: u64, next: u64) -> ChangeAttempt<()> {
    if next == wanted {
        return Ok(());
    }
    Err(ChangeError::Refused(format!(
        "zram{wanted} cannot be created: the kernel gives the next device the number {next}"
    )))
}
