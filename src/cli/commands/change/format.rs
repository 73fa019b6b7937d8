//! `swapadm format`.

use super::{Before, carry_out, find};
use crate::change::Intent;
use crate::change::format::FormatIntent;
use crate::cli::args::{FormatArgs, TitleArgs};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::columns::units;
use crate::model::format::{PAGES, Uuid};
use crate::model::name::safe_text;
use crate::model::{Bytes, Name};
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
    let format = wanted(&before, &path, &args.title)?;
    carry_out(&before, Intent::Format(path, format), &args.change, environment)
}

/// The header that is wanted.
pub(super) fn wanted(
    before: &Before<'_>,
    path: &Name,
    title: &TitleArgs,
) -> Result<FormatIntent, Failure> {
    let label = title.label.as_ref().map(|label| Name::new(label.as_bytes()));
    let page_size = title.page_size.as_deref().map(page_size).transpose()?;
    let format = FormatIntent { page_size, label, ..FormatIntent::new()? };
    Ok(match &title.uuid {
        Some(text) => {
            let uuid = Uuid::parse(text).map_err(Failure::Usage)?;
            format.chosen(&before.machine, path, uuid)?
        }
        None => format,
    })
}

/// The page size of the machine for which it is.
fn page_size(text: &str) -> Result<u64, Failure> {
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
