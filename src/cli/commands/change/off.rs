//! `swapadm off`.

use super::{Before, carry_out, find};
use crate::change::Intent;
use crate::cli::args::OffArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::model::Name;

/// Switch areas off.
///
/// # Errors
/// When an area is not active, or the plan cannot be carried out.
pub fn run(
    args: &OffArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let before = Before::of(source.root()?);
    let names: Vec<Name> = if args.all {
        before.areas()?.iter().map(|area| area.path.clone()).collect()
    } else {
        let named = args.areas.iter().map(|area| find::active(&before, area));
        named.map(|area| area.map(|area| area.path.clone())).collect::<Result<_, _>>()?
    };
    carry_out(&before, Intent::Off(names), &args.change, environment)
}
