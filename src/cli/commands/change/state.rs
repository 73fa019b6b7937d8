//! `swapadm save` and `swapadm apply`.

pub mod file;

use super::rebalance::read_named;
use super::{CommandContext, TypedLimits, carry_out_proposal, propose, show};
use crate::actions::Step;
use crate::actions::check::{BOOT, CheckVerdict, NEXT};
use crate::actions::plan::Plan;
use crate::change::state::{AT_BOOT, StateDifference, StateIntent, SwapStateFile};
use crate::change::zram::upkeep::UpkeepPolicy;
use crate::change::{ChangeError, Intent, ObservedMachine, Proposal};
use crate::cli::args::{ApplyArgs, ChangeArgs, SaveArgs};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{Invocation, SourceOptions};
use crate::cli::out::Out;
use crate::config::decode_up_to;
use crate::model::Missing;
use crate::model::name::safe_text;
use crate::root::Root;
use std::path::Path;

/// The wanted state of a machine. Programs that manage many hosts write JSON.
const WANTED: [&str; 2] = ["/etc/swapadm/wanted.toml", "/etc/swapadm/wanted.json"];
const FILE_HINT: &str = "name a file that swapadm save has written, or - for stdin";

/// Prints the present state as a file.
///
/// # Errors
/// The state cannot be read, or the output cannot be written.
pub fn save(args: &SaveArgs, source: &SourceOptions) -> CommandResult {
    let machine = ObservedMachine::observe(source.root()?);
    let state = if args.boot {
        SwapStateFile::at_boot(&machine)
    } else {
        SwapStateFile::present(&machine, args.cgroups)
    };
    // Nothing is changed, so nothing is refused.
    let state = state.map_err(|failure| {
        if let ChangeError::Missing(missing) = failure {
            return CommandError::NoData(missing.why());
        }
        failure.into()
    })?;
    Out::new().text(&file::text(&state))?;
    Ok(Exit::Done)
}

/// Makes the state in a file or the wanted state of the machine, or compares it with the present one.
///
/// # Errors
/// There is no file or it is wrong, or the plan cannot be carried out.
pub fn apply(args: &ApplyArgs, invocation: &Invocation) -> CommandResult {
    let root = invocation.source.root()?;
    TypedLimits::from_args(&args.change, root)?;
    let Some((wanted, _)) = read_wanted(args.file.as_deref(), root)? else {
        let [toml, json] = WANTED;
        return Err(usage(format!(
            "neither {toml} nor {json} exists: make one with swapadm save > {toml}, or name a file"
        )));
    };
    let persist = args.change.persist || wanted.boot;
    let change = ChangeArgs { persist, ..args.change.clone() };
    let before = CommandContext::new(&invocation.environment, root, ObservedMachine::observe);
    let intent = Intent::State(Box::new(StateIntent::new(wanted)?));
    let proposal = propose(&before, intent, &change)?;
    if args.check || args.diff {
        return compare(args, &proposal);
    }
    if proposal.plan.steps.is_empty() && !change.json {
        let restart = proposal.state.iter().flat_map(|state| &state.restart);
        let differs = restart.clone().next().is_some();
        let nothing =
            if differs { "Nothing can be done now" } else { "Nothing to do: nothing differs" };
        let nothing = nothing.to_owned();
        // What the next boot changes is of interest also where nothing is to be done now.
        let boot = proposal.checks.iter().filter(|check| [BOOT, NEXT].contains(&check.id));
        let boot = boot.map(|check| format!("Note: {}", check.text));
        Out::new().lines(restart.cloned().chain([nothing]).chain(boot))?;
        return Ok(Exit::Done);
    }
    carry_out_proposal(&before, &proposal, &change)
}

/// The policy of upkeep in a file or in the wanted state of the machine, with the name of the file.
///
/// # Errors
/// The file cannot be read, or is wrong.
pub fn upkeep_policy(
    file: Option<&Path>,
    root: &Root,
) -> CommandResult<(UpkeepPolicy, Option<String>)> {
    let (wanted, name) = read_wanted(file, root)?.unzip();
    let policy = wanted.and_then(|wanted| wanted.upkeep).unwrap_or_default();
    Ok((policy, name.map(|name| safe_text(&name))))
}

/// Reads the named file, or else that of the machine, and returns it with its name; `None` if the machine has
/// no such file.
fn read_wanted(file: Option<&Path>, root: &Root) -> CommandResult<Option<(SwapStateFile, String)>> {
    let named = match file {
        Some(file) => {
            Some((file.to_string_lossy(), read_named(file, file::MOST_BYTES, FILE_HINT)?))
        }
        None => read_of_machine(root)?.map(|(path, bytes)| (path.into(), bytes)),
    };
    named.map(|(name, bytes)| Ok((parse(&name, &bytes)?, name.into_owned()))).transpose()
}

/// Reads the wanted state of the machine, with its path.
fn read_of_machine(root: &Root) -> CommandResult<Option<(&'static str, Vec<u8>)>> {
    let read = |path| match root.read(path).into_result() {
        Ok(bytes) => Ok(Some((path, bytes))),
        Err(Missing::Absent(_)) => Ok(None),
        Err(missing) => Err(CommandError::NoData(missing.why())),
    };
    let [toml, json] = WANTED;
    match (read(toml)?, read(json)?) {
        (Some(_), Some(_)) => {
            Err(usage(format!("{toml} and {json} both exist: remove one of them, or name a file")))
        }
        (toml, json) => Ok(toml.or(json)),
    }
}

/// Parses a file.
fn parse(name: &str, bytes: &[u8]) -> CommandResult<SwapStateFile> {
    let text = decode_up_to(name, bytes, file::MOST_BYTES).map_err(|problem| vec![problem]);
    text.and_then(|text| file::read(name, text)).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        usage(lines.join("\n"))
    })
}

/// Prints what differs.
fn compare(args: &ApplyArgs, proposal: &Proposal) -> CommandResult {
    let state = proposal.state.as_deref();
    let steps = proposal.plan.steps.len();
    // What cannot be set up at boot stays different, whatever `apply` does.
    let warnings = proposal.checks.iter().filter(|check| check.verdict == CheckVerdict::Warn);
    let impossible: Vec<String> =
        warnings.filter(|check| check.id == BOOT).map(|check| check.text.clone()).collect();
    let is_same = steps == 0 && state.is_none_or(|state| state.restart.is_empty());
    let differs = !is_same || !impossible.is_empty();
    let mut out = Out::new();
    if args.change.json {
        out.json(&show::proposal_document(proposal, None), true)?;
    } else if args.diff {
        let differences = state.iter().flat_map(|state| &state.differences);
        let differences = differences.filter(|difference| difference.key != AT_BOOT);
        out.lines(differences.flat_map(lines).chain(boot_lines(&proposal.plan)).chain(impossible))?;
    } else if steps == 0 {
        out.lines(state.into_iter().flat_map(|state| state.restart.clone()).chain(impossible))?;
    } else {
        let steps = if steps == 1 { "1 step" } else { &format!("{steps} steps") };
        out.lines([format!("The machine differs: apply needs {steps}; --diff shows the values")])?;
    }
    Ok(if differs { Exit::Wrong } else { Exit::Done })
}

/// The changed lines of files that are read at boot.
fn boot_lines(plan: &Plan) -> impl Iterator<Item = String> {
    let saves = plan.steps.iter().filter(|step| matches!(step, Step::Save { .. }));
    saves.flat_map(|step| {
        std::iter::once(format!("@ {}", step.subject().safe())).chain(step.lines())
    })
}

/// The lines of a difference, as in diff(1).
fn lines(difference: &StateDifference) -> Vec<String> {
    let line = |sign: char, value: &Option<String>| {
        let value = safe_text(value.as_deref()?);
        let (subject, key) = (safe_text(&difference.subject), safe_text(&difference.key));
        Some(format!("{sign} {subject} {key} = {value}"))
    };
    line('-', &difference.from).into_iter().chain(line('+', &difference.to)).collect()
}
