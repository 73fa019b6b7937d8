//! `swapadm priority DEV=N...`.

use super::{Before, carry_out, find};
use crate::change::Intent;
use crate::cli::args::PriorityArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::model::activation::Priority;
use crate::model::swaparea::SwapArea;
use crate::model::{Name, name};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

/// Give areas other priorities.
///
/// # Errors
/// When an area or a priority makes no sense, or the plan cannot be carried out.
pub fn run(
    args: &PriorityArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let before = Before::of(source.root()?);
    let wishes = args.wishes.iter().map(|wish| parse(&before, wish));
    let wishes: Vec<(Name, Priority)> = wishes.collect::<Result<_, _>>()?;
    carry_out(&before, Intent::Priorities(wishes), &args.change, environment)
}

/// Understand `DEV=N`.
fn parse(before: &Before<'_>, wish: &OsString) -> Result<(Name, Priority), Failure> {
    parse_of(wish, |area| find::active(before, area))
}

/// The same with areas that are found in another way. A path may hold such a sign itself: the last
/// one counts.
pub(in crate::cli::commands) fn parse_of<'a>(
    wish: &OsStr,
    find: impl FnOnce(&OsStr) -> Result<&'a SwapArea, Failure>,
) -> Result<(Name, Priority), Failure> {
    let bytes = wish.as_bytes();
    let Some(place) = bytes.iter().rposition(|byte| *byte == b'=') else {
        let shown = name::safe_text(&wish.to_string_lossy());
        return Err(Failure::Usage(format!(
            "\"{shown}\" should be AREA=PRIORITY, such as /dev/zram0=100 or /swapfile=default"
        )));
    };
    let (area, rest) = bytes.split_at(place);
    let priority = String::from_utf8_lossy(rest.get(1..).unwrap_or_default());
    let priority = Priority::parse(&priority).map_err(|why| {
        let area = Name::new(area);
        Failure::Usage(format!("{}: {why}", area.safe()))
    })?;
    let area = find(OsStr::from_bytes(area))?;
    Ok((area.path.clone(), priority))
}
