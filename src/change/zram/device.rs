//! Which zram device is meant, and what this kernel can do with it.

use super::usage_error;
use crate::actions::plan::zram::SwapOnZram;
use crate::actions::{MachineView as _, check};
use crate::change::{LiveMachine, ChangeError, ObservedMachine, find};
use crate::model::activation::{Activation, Priority};
use crate::model::candidate::Signature;
use crate::model::format::{Format, Uuid};
use crate::model::name::safe_text;
use crate::model::zram::{ZramSettings, ZramDevice};
use crate::model::{Bytes, Missing, Name, Reading, zram};
use crate::probes::candidate;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// A device that is there.
#[derive(Debug)]
pub struct ZramTarget {
    /// Its number.
    pub number: u64,
    /// How it is set up.
    pub(super) disk: ZramSettings,
}

fn devices<'m>(machine: &'m ObservedMachine<'_>) -> Result<&'m [ZramDevice], ChangeError> {
    machine.snapshot.zram.reading.get().map(Vec::as_slice).map_err(ChangeError::Missing)
}

impl ZramTarget {
    /// The one with this name, path, label or UUID.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(machine: &ObservedMachine<'_>, what: &OsStr) -> Result<Self, ChangeError> {
        let devices = devices(machine)?;
        let is = |device: &&ZramDevice| device.name.as_bytes() == what.as_bytes();
        let path = match devices.iter().find(is) {
            Some(device) => Name::new([b"/dev/", device.name.as_bytes()].concat()),
            None => {
                find::find_storage(machine.root, what).unwrap_or_else(|_| Name::new(what.as_bytes()))
            }
        };
        let number = zram::device_number(&path).ok_or_else(|| unknown(what, devices))?;
        Self::from_number(machine, number)
    }

    /// The one with this number.
    pub(super) fn from_number(machine: &ObservedMachine<'_>, number: u64) -> Result<Self, ChangeError> {
        match LiveMachine::new(machine.root).disk(number).into_result() {
            Ok(Some(disk)) => Ok(Self { number, disk }),
            Ok(None) => Err(unknown(OsStr::new(&format!("zram{number}")), devices(machine)?)),
            Err(missing) => Err(ChangeError::Missing(missing)),
        }
    }

    /// Its number, if it has a size.
    pub(super) fn in_use(&self) -> Result<u64, ChangeError> {
        if self.disk.size > Bytes(0) {
            return Ok(self.number);
        }
        let number = self.number;
        Err(usage_error(&format!(
            "zram{number} is not set up, and holds nothing: swapadm zram resize zram{number} SIZE sets it up"
        )))
    }

    /// The swap on it, with the header that it gets when it has this size.
    pub(super) fn swap(&self, machine: &ObservedMachine<'_>, size: Bytes) -> Result<Option<SwapOnZram>, ChangeError> {
        let path = zram::device_path(self.number);
        let areas = machine.areas()?;
        let area = areas.iter().find(|area| area.path == path);
        let candidate = candidate::read(machine.root, &path);
        let header = match &candidate.signature {
            Reading::Known(Signature::Swap(header)) => header,
            // Those who may not read it may not change it either: they are shown the plan.
            Reading::Missing { missing: Missing::Denied(_) } if area.is_some() => {
                let page = *machine.snapshot.page_size.get().map_err(ChangeError::Missing)?;
                let of = |size: Bytes| Format {
                    page_size: page,
                    pages: u32::try_from(size.0 / page).unwrap_or(u32::MAX),
                    uuid: None,
                    label: None,
                };
                let (was, format) = (of(self.disk.size), of(size));
                return Ok(Some(SwapOnZram { on: self.activation(machine)?, was, format }));
            }
            _ if area.is_none() => return Ok(None),
            Reading::Missing { .. } | Reading::Known(_) => {
                return Err(usage_error(&format!(
                    "{}: its swap header cannot be read, and could not be written again: switch it off, and format it afterwards",
                    path.safe()
                )));
            }
        };
        let uuid = header.uuid;
        let was = Format {
            page_size: header.page_size,
            pages: header.last_page.saturating_add(1),
            uuid,
            label: header.label.clone(),
        };
        let page = was.page();
        let shown = LiveMachine::new(machine.root).content(&path, 0, page.len());
        if shown.known() != Some(&page) {
            return Err(usage_error(&format!(
                "{}: its first page holds more than a swap header, which would be lost: switch it off, and set it up by swapadm zram remove and zram swap",
                path.safe()
            )));
        }
        // Of the size only: what the old header has for a name is good for the new one.
        let any = Uuid::from_bytes(&[1; 16]).ok_or_else(|| usage_error("no UUID"))?;
        let sized = Format::new(size, was.page_size, any, None).map_err(ChangeError::Usage)?;
        let format = Format { pages: sized.pages, ..was.clone() };
        Ok(Some(SwapOnZram { on: self.activation(machine)?, was, format }))
    }

    /// How it is on, if it is.
    fn activation(&self, machine: &ObservedMachine<'_>) -> Result<Option<Activation>, ChangeError> {
        let path = zram::device_path(self.number);
        let discards = machine.discards()?;
        let area = machine.areas()?.iter().find(|area| area.path == path);
        Ok(area.map(|area| Activation {
            path: path.clone(),
            priority: Priority::from_shown(area.priority),
            discard: discards(area),
        }))
    }
}

fn unknown(what: &OsStr, devices: &[ZramDevice]) -> ChangeError {
    let shown = safe_text(&what.to_string_lossy());
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    let there = match names.as_slice() {
        [] => "there is none: swapadm zram add makes one".to_owned(),
        names => format!("there are: {}", names.join(", ")),
    };
    usage_error(&format!("\"{shown}\" is no zram device; {there}"))
}

/// The number that the next device gets.
pub(super) fn next(machine: &ObservedMachine<'_>) -> Result<u64, ChangeError> {
    let mut numbers = machine.new_zram().map_err(ChangeError::Refused)?;
    // There are more numbers than devices.
    Ok(numbers.next().unwrap_or(0))
}

/// Does the kernel offer this algorithm? Where nothing says what it offers, it is asked.
pub(super) fn check_offered(
    machine: &ObservedMachine<'_>,
    number: Option<u64>,
    name: &str,
) -> Result<(), ChangeError> {
    let own = |device: &&ZramDevice| number.is_none_or(|it| device.name == format!("zram{it}"));
    let Some(choice) = devices(machine)?.iter().find(own).and_then(|it| it.algorithm.known())
    else {
        return Ok(());
    };
    check::zram::check_algorithm(choice, name).map_err(|why| usage_error(&why))
}

/// What a kernel must have been built with for a device to have this file.
const NEEDS: [(&str, &str); 4] = [
    ("backing_dev", "CONFIG_ZRAM_WRITEBACK"),
    ("writeback", "CONFIG_ZRAM_WRITEBACK"),
    ("recomp_algorithm", "CONFIG_ZRAM_MULTI_COMP, from 6.2 on"),
    ("recompress", "CONFIG_ZRAM_MULTI_COMP, from 6.2 on"),
];

/// Refuse what this kernel lacks; as long as there is no device, it is asked.
pub(super) fn check_has_file(machine: &ObservedMachine<'_>, file: &str, what: &str) -> Result<(), ChangeError> {
    let Some(device) = devices(machine)?.first() else { return Ok(()) };
    if machine.root.exists(format!("sys/block/{}/{file}", device.name)) {
        return Ok(());
    }
    let option = NEEDS.iter().find(|(known, _)| *known == file).map_or("more", |(_, it)| it);
    Err(ChangeError::Refused(format!("zram has {what} only on kernels that were built with {option}")))
}
