//! `swapadm save` and `swapadm apply`.

pub mod file;

use super::rebalance::read_named;
use super::{CommandContext, TypedLimits, carry_out, propose, show};
use crate::change::state::{StateDifference, SwapSetup};
use crate::change::{Intent, ObservedMachine};
use crate::cli::args::ApplyArgs;
use crate::cli::exit::{CommandError, Exit};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::Out;
use crate::config::MAX_FILE_BYTES;
use crate::model::name::safe_text;
use crate::root::Root;

const FILE_HINT: &str = "name a file that swapadm save has written, or - for stdin";

/// Prints the present setup as a file.
///
/// # Errors
/// The setup cannot be read, or the output cannot be written.
pub fn save(source: &SourceOptions) -> Result<Exit, CommandError> {
    let machine = ObservedMachine::observe(source.root()?);
    Out::new().text(&file::text(&SwapSetup::present(&machine)?))?;
    Ok(Exit::Done)
}

/// Makes the setup in a file, or compares it with the present one.
///
/// # Errors
/// The file is wrong, or the plan cannot be carried out.
pub fn apply(
    args: &ApplyArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let (before, setup) = begin(source.root()?, args)?;
    let intent = Intent::Setup(setup.intents(&before.machine)?);
    if !args.check && !args.diff {
        return carry_out(&before, intent, &args.change, environment);
    }
    let proposal = propose(&before, intent, &args.change, environment)?;
    let differs = !proposal.plan.steps.is_empty();
    let mut out = Out::new();
    if args.change.json {
        out.json(&show::proposal_document(&proposal, None), true)?;
    } else if args.diff {
        out.lines(setup.differences(&before.machine)?.iter().flat_map(lines))?;
    } else if differs {
        let count = proposal.plan.steps.len();
        let steps = if count == 1 { "1 step" } else { &format!("{count} steps") };
        out.lines([format!("The machine differs: apply needs {steps}; --diff shows the values")])?;
    }
    Ok(if differs { Exit::Wrong } else { Exit::Done })
}

/// Reads the file and observes the machine.
fn begin<'a>(
    root: &'a Root,
    args: &ApplyArgs,
) -> Result<(CommandContext<'a>, SwapSetup), CommandError> {
    TypedLimits::from_args(&args.change, root)?;
    let bytes = read_named(&args.file, MAX_FILE_BYTES, FILE_HINT)?;
    let name = args.file.to_string_lossy();
    let read = crate::config::decode(&name, &bytes).map_err(|problem| vec![problem]);
    let setup = read.and_then(|text| file::read(&name, text)).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        CommandError::Usage(lines.join("\n"))
    })?;
    Ok((CommandContext::new(root), setup))
}

/// The lines of a difference, as in diff(1).
fn lines(difference: &StateDifference) -> Vec<String> {
    let line = |sign: char, value: &Option<String>| {
        let value = safe_text(value.as_deref()?);
        Some(format!("{sign} {} {} = {value}", safe_text(&difference.subject), difference.key))
    };
    line('-', &difference.from).into_iter().chain(line('+', &difference.to)).collect()
}
