//! `swapadm off`.

use super::{Before, Change, find};
use crate::actions::persist::Goal;
use crate::actions::plan;
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
    let areas = before.areas()?;
    let names: Vec<Name> = if args.all {
        areas.iter().map(|area| area.path.clone()).collect()
    } else {
        let named = args.areas.iter().map(|area| find::active(&before, area));
        named.map(|area| area.map(|area| area.path.clone())).collect::<Result<_, _>>()?
    };
    let plan = plan::off(areas, before.machine.discards()?, &names)
        .map_err(|refusal| Failure::Usage(refusal.to_string()))?;
    let goals = goals(&names);
    Change::of(&before, plan, &args.change, environment).lasting(&goals)?.run()
}

/// What is so at every start when areas shall stay off.
pub(super) fn goals(names: &[Name]) -> Vec<Goal> {
    names.iter().cloned().map(Goal::Off).collect()
}
