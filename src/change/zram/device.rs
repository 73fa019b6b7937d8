//! The zram device that a request names, and what this kernel can do with it.

use super::usage_error;
use crate::actions::plan::zram::SwapOnZram;
use crate::actions::{MachineView as _, check};
use crate::change::{ChangeAttempt, ChangeError, LiveMachine, ObservedMachine, find};
use crate::model::candidate::Signature;
use crate::model::format::{Format, Uuid};
use crate::model::name::safe_text;
use crate::model::zram::{ZramDevice, ZramSettings};
use crate::model::{Bytes, Missing, Name, Reading, zram};
use crate::probes::candidate;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// An existing device.
#[derive(Debug)]
pub struct ZramTarget<'m> {
    pub(super) machine: &'m ObservedMachine<'m>,
    /// Number of the device.
    pub number: u64,
    /// The present setup.
    pub(super) disk: ZramSettings,
}

pub(super) fn devices<'m>(machine: &'m ObservedMachine<'_>) -> ChangeAttempt<&'m [ZramDevice]> {
    Ok(machine.snapshot.zram.reading.get()?)
}

impl<'m> ZramTarget<'m> {
    /// Finds the device with this name, path, label or UUID.
    pub fn find(machine: &'m ObservedMachine<'m>, what: &OsStr) -> ChangeAttempt<Self> {
        let devices = devices(machine)?;
        let is = |device: &&ZramDevice| device.name.as_bytes() == what.as_bytes();
        let path = match devices.iter().find(is) {
            Some(device) => Name::new([b"/dev/", device.name.as_bytes()].concat()),
            None => find::find_storage(machine.root, what)
                .unwrap_or_else(|_| Name::new(what.as_bytes())),
        };
        let number = zram::device_number(&path).ok_or_else(|| unknown(what, devices))?;
        Self::from_number(machine, number)
    }

    /// Finds the device with this number.
    pub(super) fn from_number(
        machine: &'m ObservedMachine<'m>,
        number: u64,
    ) -> ChangeAttempt<Self> {
        match LiveMachine::new(machine.root).disk(number).into_result() {
            Ok(Some(disk)) => Ok(Self { machine, number, disk }),
            Ok(None) => Err(unknown(OsStr::new(&format!("zram{number}")), devices(machine)?)),
            Err(missing) => Err(ChangeError::Missing(missing)),
        }
    }

    /// The number, if it has a size.
    pub(super) fn in_use(&self) -> ChangeAttempt<u64> {
        if self.disk.size > Bytes(0) {
            return Ok(self.number);
        }
        let number = self.number;
        Err(usage_error(&format!(
            "zram{number} is not set up and holds no data; to set it up: swapadm zram resize zram{number} SIZE"
        )))
    }

    /// The swap on it, with the header for this new size.
    pub(super) fn swap(&self, size: Bytes) -> ChangeAttempt<Option<SwapOnZram>> {
        let machine = self.machine;
        let path = zram::device_path(self.number);
        let areas = machine.areas()?;
        let area = areas.iter().find(|area| area.path == path);
        let candidate = candidate::read(machine.root, &path);
        let header = match &candidate.signature {
            Reading::Known(Signature::Swap(header)) => header,
            // Users who may not read it may not change it either, as nobody can change a captured tree: they
            // are shown the plan.
            Reading::Missing { missing }
                if area.is_some()
                    && (matches!(missing, Missing::Denied(_)) || !machine.root.is_live()) =>
            {
                let page = *machine.snapshot.page_size.get()?;
                let of = |size: Bytes| Format {
                    page_size: page,
                    pages: u32::try_from(size.0 / page).unwrap_or(u32::MAX),
                    uuid: None,
                    label: None,
                };
                let (was, format) = (of(self.disk.size), of(size));
                return Ok(Some(SwapOnZram { on: machine.activation(&path)?, was, format }));
            }
            _ if area.is_none() => return Ok(None),
            Reading::Missing { .. } | Reading::Known(_) => {
                return Err(usage_error(&format!(
                    "{}: its swap header cannot be read, so it could not be restored: disable the area, repeat this, then format it",
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
                "{}: its first page holds more than a swap header, which would be lost: disable the area, then use swapadm zram remove and swapadm zram swap",
                path.safe()
            )));
        }
        // Valid for any label, because only the size matters here.
        let any = Uuid::from_bytes(&[1; 16]).ok_or_else(|| usage_error("no UUID"))?;
        let sized = Format::new(size, was.page_size, any, None).map_err(ChangeError::Usage)?;
        let format = Format { pages: sized.pages, ..was.clone() };
        Ok(Some(SwapOnZram { on: machine.activation(&path)?, was, format }))
    }
}

fn unknown(what: &OsStr, devices: &[ZramDevice]) -> ChangeError {
    let shown = safe_text(&what.to_string_lossy());
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    let there = match names.as_slice() {
        [] => "none exists; to create one: swapadm zram add".to_owned(),
        names => format!("existing: {}", names.join(", ")),
    };
    usage_error(&format!("\"{shown}\" is not a zram device; {there}"))
}

/// The number that the next device gets.
pub(super) fn next(machine: &ObservedMachine<'_>) -> ChangeAttempt<u64> {
    let mut numbers = machine.free_zram_numbers().map_err(ChangeError::Refused)?;
    // There are more numbers than devices.
    Ok(numbers.next().unwrap_or(0))
}

/// Checks that the kernel offers this algorithm. Where no list exists, the kernel decides later.
pub(super) fn check_offered(
    machine: &ObservedMachine<'_>,
    number: Option<u64>,
    name: &str,
) -> ChangeAttempt<()> {
    let own = |device: &&ZramDevice| number.is_none_or(|it| device.name == format!("zram{it}"));
    let Some(choice) = devices(machine)?.iter().find(own).and_then(|it| it.algorithm.known())
    else {
        return Ok(());
    };
    check::zram::check_algorithm(choice, name).map_err(|why| usage_error(&why))
}

/// Kernel options that the attribute files of a device need.
const NEEDS: [(&str, &str); 2] = [
    ("backing_dev", "CONFIG_ZRAM_WRITEBACK"),
    ("recomp_algorithm", "CONFIG_ZRAM_MULTI_COMP, from 6.2 on"),
];

/// Whether a device has this attribute file. A captured tree has only files that can be read.
pub(super) fn has_file(machine: &ObservedMachine<'_>, number: u64, file: &str) -> bool {
    machine.root.exists(format!("sys/block/zram{number}/{file}"))
}

/// Refuses attributes that this kernel lacks; without any device this cannot be known yet.
pub(super) fn check_has_file(
    machine: &ObservedMachine<'_>,
    file: &str,
    what: &str,
) -> ChangeAttempt<()> {
    let Some(device) = devices(machine)?.first() else { return Ok(()) };
    if machine.root.exists(format!("sys/block/{}/{file}", device.name)) {
        return Ok(());
    }
    let option = NEEDS.iter().find(|(known, _)| *known == file).map_or("more", |(_, it)| it);
    Err(ChangeError::Refused(format!("{what} for zram needs a kernel built with {option}")))
}
