//! Swap headers that are to be written.

use super::intent::Draft;
use super::{Failure, Machine, find, new_uuid};
use crate::actions::storage;
use crate::model::candidate::Thing;
use crate::model::format::{Format, Uuid};
use crate::model::{Bytes, Name, Reading};
use crate::probes::target;

/// A swap header that is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatIntent {
    /// The page size of the machine that it is for; that of this machine if it is none.
    pub page_size: Option<u64>,
    /// Its UUID.
    pub uuid: Uuid,
    /// Its label.
    pub label: Option<Name>,
}

impl FormatIntent {
    /// A header for this machine, with a new UUID and without a label.
    ///
    /// # Errors
    /// When the kernel draws no UUID.
    pub fn new() -> Result<Self, Failure> {
        Ok(Self { page_size: None, uuid: new_uuid()?, label: None })
    }

    /// The UUID that somebody chose: what two areas share names neither.
    ///
    /// # Errors
    /// When another area has it.
    pub fn chosen(self, machine: &Machine<'_>, path: &Name, uuid: Uuid) -> Result<Self, Failure> {
        match find::other_with(machine.root, uuid, path) {
            None => Ok(Self { uuid, ..self }),
            Some(other) => Err(Failure::Usage(format!(
                "UUID {uuid} belongs to {} already: choose another, or leave --uuid out for a random one",
                other.display()
            ))),
        }
    }

    fn page_size(&self, machine: &Machine<'_>) -> Result<u64, Failure> {
        self.page_size.map_or_else(|| known(&machine.snapshot.page_size).copied(), Ok)
    }

    /// The header for something of this size.
    pub(super) fn sized(
        &self,
        machine: &Machine<'_>,
        path: &Name,
        size: Bytes,
    ) -> Result<Format, Failure> {
        let format = Format::new(size, self.page_size(machine)?, self.uuid, self.label.clone());
        format.map_err(|why| Failure::Usage(format!("{}: {why}", path.safe())))
    }
}

/// The plan that writes a header.
pub(super) fn format(
    machine: &Machine<'_>,
    path: &Name,
    wanted: &FormatIntent,
) -> Result<Draft, Failure> {
    let areas = machine.areas()?;
    let target = target::read(machine.root, path, areas, wanted.page_size(machine)?);
    let thing = target.candidate.thing.known();
    if !matches!(thing, Some(Thing::Device { .. } | Thing::File)) {
        let what = format!("{} is neither a device nor a file", path.safe());
        return Err(Failure::Usage(format!(
            "{what}: name one, or make a file with swapadm file create"
        )));
    }
    let size = *known(&target.candidate.size)?;
    let format = wanted.sized(machine, path, size)?;
    // Who may not read it still sees the plan, and that only root may carry it out.
    let was = target.was.known().cloned().unwrap_or_else(|| format.over_nothing());
    Ok(Draft::of(storage::format(areas, path, size, format, was)))
}

fn known<T>(reading: &Reading<T>) -> Result<&T, Failure> {
    reading.get().map_err(|missing| Failure::Missing(missing.clone()))
}
