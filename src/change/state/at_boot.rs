//! The state after a boot, as the configuration of the machine has it.

use super::present::size_settings;
use super::{StateArea, StateZram, SwapStateFile};
use crate::actions::{MachineView as _, settings};
use crate::change::fstab::requested_discard;
use crate::change::{BootConfig, ChangeAttempt, LiveMachine, ObservedMachine, Setting};
use crate::columns::units::parse_size;
use crate::model::activation::Priority;
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea};
use crate::model::knob::KNOBS;
use crate::model::{Bytes, Name, zram};
use crate::probes::candidate;

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
