//! `swapadm format`.

use super::{Before, Change, find};
use crate::actions::storage;
use crate::change;
use crate::cli::args::{FormatArgs, TitleArgs};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::columns::units;
use crate::model::candidate::Thing;
use crate::model::format::{Format, PAGES};
use crate::model::name::safe_text;
use crate::model::uuid::Uuid;
use crate::model::{Bytes, Name, Reading};
use crate::probes::target;
use std::os::unix::ffi::OsStrExt as _;

/// Write a swap header.
///
/// # Errors
/// When there is nothing to format, or the plan cannot be carried out.
pub fn run(
    args: &FormatArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    super::empties_nothing(&args.change)?;
    let before = Before::of(source.root()?);
    let path = find::storage(before.root(), &args.area)?;
    let areas = before.areas()?;
    let target = target::read(before.root(), &path, areas, page_size(&before, &args.title)?);
    let thing = target.candidate.thing.known();
    if !matches!(thing, Some(Thing::Device { .. } | Thing::File)) {
        let what = format!("{} is neither a device nor a file", path.safe());
        return Err(Failure::Usage(format!(
            "{what}: name one, or make a file with swapadm file create"
        )));
    }
    let size = *known(&target.candidate.size)?;
    let format = new(&before, &path, size, &args.title)?;
    // Who may not read it still sees the plan, and that only root may carry it out.
    let was = target.was.known().cloned().unwrap_or_else(|| format.over_nothing());
    let plan = storage::format(areas, &path, size, format, was);
    Change::of(&before, plan, &args.change, environment).run()
}

/// The header that is wanted for something of this size.
pub(super) fn new(
    before: &Before<'_>,
    path: &Name,
    size: Bytes,
    title: &TitleArgs,
) -> Result<Format, Failure> {
    let uuid = match &title.uuid {
        Some(text) => unique(before, path, Uuid::parse(text).map_err(Failure::Usage)?)?,
        None => change::new_uuid()?,
    };
    let label = title.label.as_ref().map(|label| Name::new(label.as_bytes()));
    let format = Format::new(size, page_size(before, title)?, uuid, label);
    format.map_err(|why| Failure::Usage(format!("{}: {why}", path.safe())))
}

/// What two areas share names neither.
fn unique(before: &Before<'_>, path: &Name, uuid: Uuid) -> Result<Uuid, Failure> {
    let Some(other) = change::find::other_with(before.root(), uuid, path) else { return Ok(uuid) };
    Err(Failure::Usage(format!(
        "UUID {uuid} belongs to {} already: choose another, or leave --uuid out for a random one",
        other.display()
    )))
}

/// That of this machine, or that of the one for which it is.
fn page_size(before: &Before<'_>, title: &TitleArgs) -> Result<u64, Failure> {
    let Some(text) = &title.page_size else {
        return known(&before.machine.snapshot.page_size).copied();
    };
    let size = units::parse_size(text).map(|Bytes(size)| size);
    size.filter(|size| PAGES.iter().any(|known| *known as u64 == *size)).ok_or_else(|| {
        Failure::Usage(format!(
            "--page-size \"{}\" is none that a machine has: a power of two from {} to {}, such as 64K",
            safe_text(text),
            PAGES[0],
            PAGES[4]
        ))
    })
}

pub(super) fn known<T>(reading: &Reading<T>) -> Result<&T, Failure> {
    reading.get().map_err(|missing| Failure::Nothing(missing.why()))
}
