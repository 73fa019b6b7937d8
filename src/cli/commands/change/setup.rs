//! `swapadm setup`.

use super::{
    CommandContext, TypedLimits, carry_out_proposal, print_failed, print_failure_json, propose,
    show,
};
use crate::change::setup::{
    MachineProfile, SetupChoice, SetupProposal, SetupRequest, observe, propose_setup,
};
use crate::cli::args::{ChangeArgs, SetupArgs};
use crate::cli::exit::{CommandError, CommandResult, Exit};
use crate::cli::options::{Environment, Invocation};
use crate::cli::out::Out;
use crate::columns::text::{self, heading_and_text};
use crate::root::Root;

/// Width before the text of a choice, and of a line, in cells.
const LEAD: usize = 18;
const WIDTH: usize = 80;

/// Proposes swap for this machine, and sets it up if that is confirmed.
///
/// # Errors
/// A choice is not possible, or the plan cannot be carried out.
pub fn run(args: &SetupArgs, invocation: &Invocation) -> CommandResult {
    let json = args.change.json;
    let begun =
        invocation.source.root().and_then(|root| begin(root, &invocation.environment, args));
    let (before, setup) = begun.inspect_err(|failure| {
        if json {
            print_failure_json(failure, false);
        }
    })?;
    let mut out = Out::new();
    if !json {
        out.lines(lines(&setup))?;
    }
    let Some(intent) = setup.intent.clone() else {
        print_nothing_to_do(&mut out, &setup, json)?;
        return Ok(Exit::Done);
    };
    let change = ChangeArgs { persist: setup.persist, ..args.change.clone() };
    let planned = propose(&before, intent, &change);
    let done = planned.and_then(|proposal| {
        carry_out_proposal(&before, &proposal.with_setup(setup.clone()), &change)
    });
    done.inspect_err(|failure| report_failure(&setup, failure, json))
}

/// Observes the machine, and proposes a setup.
fn begin<'a>(
    root: &'a Root,
    environment: &'a Environment,
    args: &SetupArgs,
) -> CommandResult<(CommandContext<'a>, SetupProposal)> {
    TypedLimits::from_args(&args.change, root)?;
    if args.change.persist {
        let why = "--persist: setup has a choice for it: use --with boot=yes";
        return Err(CommandError::Usage(why.to_owned()));
    }
    let request = request(args)?;
    let before = CommandContext::new(environment, root, observe);
    let setup = propose_setup(&before.machine, &request)?;
    Ok((before, setup))
}

/// The request that was typed.
fn request(args: &SetupArgs) -> CommandResult<SetupRequest> {
    let profile = args.profile.as_deref().and_then(MachineProfile::from_word);
    let mut request = SetupRequest { profile, with: Vec::new(), sample: !args.no_sample };
    for choice in &args.with {
        request.choose(choice)?;
    }
    Ok(request)
}

/// The choices as text.
fn lines(setup: &SetupProposal) -> Vec<String> {
    let first = format!(
        "Proposal for this machine, as a {} ({}).",
        setup.profile.word().replace('-', " "),
        setup.profile_reason
    );
    let mut lines = text::wrap(&first, WIDTH);
    lines.extend(headed("machine", &setup.machine));
    lines.extend(headed("ratio", &setup.ratio.text));
    lines.push(String::new());
    lines.extend(setup.choices.iter().flat_map(choice_lines));
    lines.push(String::new());
    for note in &setup.notes {
        lines.extend(headed("note", &note.text));
    }
    lines.extend((!setup.notes.is_empty()).then(String::new));
    lines
}

fn choice_lines(choice: &SetupChoice) -> Vec<String> {
    let mut lines = headed(choice.key.title(), &choice.summary());
    for detail in choice.details() {
        lines.extend(headed("", &detail));
    }
    lines
}

/// A wrapped text with a heading before its first line.
fn headed(head: &str, words: &str) -> Vec<String> {
    heading_and_text(&format!("  {head}"), words, (LEAD, WIDTH))
}

fn print_nothing_to_do(out: &mut Out, setup: &SetupProposal, json: bool) -> CommandResult<()> {
    if json {
        return out.json(&show::setup_document(setup, None), true);
    }
    out.lines([setup.describe_nothing_to_do()])
}

/// Prints a failure as JSON, with the choices.
fn report_failure(setup: &SetupProposal, failure: &CommandError, json: bool) {
    if json {
        print_failed(&show::setup_document(setup, Some(failure.to_string())), failure);
    }
}
