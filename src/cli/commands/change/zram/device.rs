//! Which zram device is meant, and what this kernel can do with it.

use super::amount::Amount;
use super::{Ground, find, usage};
use crate::actions::Look as _;
use crate::actions::check;
use crate::actions::plan::zram::Swap;
use crate::change::Eyes;
use crate::cli::exit::Failure;
use crate::model::activation::{Activation, Priority};
use crate::model::candidate::Signature;
use crate::model::disk::{self, Disk};
use crate::model::format::Format;
use crate::model::name::safe_text;
use crate::model::uuid::Uuid;
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Missing, Name, Reading};
use crate::probes::candidate;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// A device that is there.
#[derive(Debug)]
pub(super) struct Device {
    pub(super) number: u64,
    /// How it is set up.
    pub(super) disk: Disk,
}

fn nothing(missing: &Missing) -> Failure {
    Failure::Nothing(missing.why())
}

fn devices(ground: Ground<'_>) -> Result<&[ZramDevice], Failure> {
    let devices = ground.machine.snapshot.zram.reading.get();
    devices.map(Vec::as_slice).map_err(|missing| nothing(&missing))
}

impl Device {
    /// The one with this name, path, label or UUID.
    pub(super) fn find(ground: Ground<'_>, what: &OsStr) -> Result<Self, Failure> {
        let devices = devices(ground)?;
        let is = |device: &&ZramDevice| device.name.as_bytes() == what.as_bytes();
        let path = match devices.iter().find(is) {
            Some(device) => Name::new([b"/dev/", device.name.as_bytes()].concat()),
            None => {
                find::storage(ground.root(), what).unwrap_or_else(|_| Name::new(what.as_bytes()))
            }
        };
        let number = disk::number_of(&path);
        let found = number.map(|number| Eyes::of(ground.root()).disk(number));
        match found.map(Reading::into_result).transpose() {
            Ok(Some(Some(disk))) => Ok(Self { number: number.unwrap_or_default(), disk }),
            Ok(_) => Err(unknown(what, devices)),
            Err(missing) => Err(nothing(&missing)),
        }
    }

    /// Its number, if it has a size.
    pub(super) fn in_use(&self) -> Result<u64, Failure> {
        if self.disk.size > Bytes(0) {
            return Ok(self.number);
        }
        let number = self.number;
        Err(usage(&format!(
            "zram{number} is not set up, and holds nothing: swapadm zram resize zram{number} SIZE sets it up"
        )))
    }

    /// The swap on it, with the header that it gets when it has this size.
    pub(super) fn swap(&self, ground: Ground<'_>, size: Bytes) -> Result<Option<Swap>, Failure> {
        let path = disk::node(self.number);
        let areas = ground.areas()?;
        let area = areas.iter().find(|area| area.path == path);
        let candidate = candidate::read(ground.root(), &path);
        let header = match &candidate.signature {
            Reading::Known(Signature::Swap(header)) => header,
            // Those who may not read it may not change it either: they are shown the plan.
            Reading::Missing { missing: Missing::Denied(_) } if area.is_some() => {
                let page = Amount::of(ground)?.page;
                let of = |size: Bytes| Format {
                    page_size: page,
                    pages: u32::try_from(size.0 / page).unwrap_or(u32::MAX),
                    uuid: None,
                    label: None,
                };
                let (was, format) = (of(self.disk.size), of(size));
                return Ok(Some(Swap { on: self.activation(ground)?, was, format }));
            }
            _ if area.is_none() => return Ok(None),
            Reading::Missing { .. } | Reading::Known(_) => {
                return Err(usage(&format!(
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
        let shown = Eyes::of(ground.root()).content(&path, 0, page.len());
        if shown.known() != Some(&page) {
            return Err(usage(&format!(
                "{}: its first page holds more than a swap header, which would be lost: switch it off, and set it up by swapadm zram remove and zram swap",
                path.safe()
            )));
        }
        // Of the size only: what the old header has for a name is good for the new one.
        let any = Uuid::of(&[1; 16]).ok_or_else(|| usage("no UUID"))?;
        let sized = Format::new(size, was.page_size, any, None).map_err(Failure::Usage)?;
        let format = Format { pages: sized.pages, ..was.clone() };
        Ok(Some(Swap { on: self.activation(ground)?, was, format }))
    }

    /// How it is on, if it is.
    fn activation(&self, ground: Ground<'_>) -> Result<Option<Activation>, Failure> {
        let path = disk::node(self.number);
        let discards = ground.machine.discards()?;
        let area = ground.areas()?.iter().find(|area| area.path == path);
        Ok(area.map(|area| Activation {
            path: path.clone(),
            priority: Priority::of(area.priority),
            discard: discards(area),
        }))
    }
}

fn unknown(what: &OsStr, devices: &[ZramDevice]) -> Failure {
    let shown = safe_text(&what.to_string_lossy());
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    let there = match names.as_slice() {
        [] => "there is none: swapadm zram add makes one".to_owned(),
        names => format!("there are: {}", names.join(", ")),
    };
    usage(&format!("\"{shown}\" is no zram device; {there}"))
}

/// The number that the next device gets.
pub(super) fn next(ground: Ground<'_>) -> Result<u64, Failure> {
    let mut numbers = ground.machine.new_zram().map_err(Failure::Refused)?;
    // There are more numbers than devices.
    Ok(numbers.next().unwrap_or(0))
}

/// Does the kernel offer this algorithm? Where nothing says what it offers, it is asked.
pub(super) fn offered(ground: Ground<'_>, number: Option<u64>, name: &str) -> Result<(), Failure> {
    let own = |device: &&ZramDevice| number.is_none_or(|it| device.name == format!("zram{it}"));
    let Some(choice) = devices(ground)?.iter().find(own).and_then(|it| it.algorithm.known()) else {
        return Ok(());
    };
    check::zram::offered(choice, name).map_err(|why| usage(&why))
}

/// What a kernel must have been built with for a device to have this file.
const NEEDS: [(&str, &str); 4] = [
    ("backing_dev", "CONFIG_ZRAM_WRITEBACK"),
    ("writeback", "CONFIG_ZRAM_WRITEBACK"),
    ("recomp_algorithm", "CONFIG_ZRAM_MULTI_COMP, from 6.2 on"),
    ("recompress", "CONFIG_ZRAM_MULTI_COMP, from 6.2 on"),
];

/// Refuse what this kernel lacks; as long as there is no device, it is asked.
pub(super) fn needs(ground: Ground<'_>, file: &str, what: &str) -> Result<(), Failure> {
    let Some(device) = devices(ground)?.first() else { return Ok(()) };
    if ground.root().exists(format!("sys/block/{}/{file}", device.name)) {
        return Ok(());
    }
    let option = NEEDS.iter().find(|(known, _)| *known == file).map_or("more", |(_, it)| it);
    Err(Failure::Refused(format!("zram has {what} only on kernels that were built with {option}")))
}
