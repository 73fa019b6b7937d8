//! `swapadm on`, `swapadm off` and `swapadm priority`.

use super::{CommandContext, carry_out, carry_out_proposal, find, propose, show};
use crate::actions::check::{self, CheckVerdict};
use crate::change::intent::refuse_other_options;
use crate::change::{Intent, ObservedMachine, Proposal, SwaponOptions};
use crate::cli::args::{OffArgs, OnArgs, PriorityArgs};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::Invocation;
use crate::cli::out::{self, Out};
use crate::model::activation::{Discard, Priority};
use crate::model::swaparea::SwapArea;
use crate::model::{Name, name};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// Enables areas.
///
/// # Errors
/// An area does not exist, or the plan cannot be carried out.
pub fn on(args: &OnArgs, invocation: &Invocation) -> CommandResult {
    let before = CommandContext::new(
        &invocation.environment,
        invocation.source.target()?,
        ObservedMachine::observe_for_enable,
    );
    let intent = on_intent(&before.machine, args, out::remark)?;
    if args.all {
        return enable_configured(&before, args, intent);
    }
    carry_out(&before, intent, &args.change)
}

/// Enables all areas of fstab. `--persist` is refused, as they are in that file already.
fn enable_configured(before: &CommandContext<'_>, args: &OnArgs, intent: Intent) -> CommandResult {
    if args.change.persist {
        return Err(usage("--persist: areas of on --all are in fstab already"));
    }
    let proposal = propose(before, intent, &args.change)?;
    for note in &proposal.notes {
        out::remark(&note.text);
    }
    let lacks = proposal.notes.iter().any(|note| note.verdict == CheckVerdict::Warn);
    let exit = if proposal.plan.steps.is_empty() {
        print_nothing_to_enable(before, &proposal, args.change.json)?
    } else {
        // The notes were printed above.
        let checks = proposal.checks.clone().into_iter();
        let checks = checks.filter(|check| args.change.json || !proposal.notes.contains(check));
        let proposal = proposal.clone().with_checks(checks.collect());
        carry_out_proposal(before, &proposal, &args.change)?
    };
    Ok(if exit == Exit::Done && lacks { Exit::Partial } else { exit })
}

/// Reports that there is nothing to enable. Without the right to read devices, that is not certain.
fn print_nothing_to_enable(
    before: &CommandContext<'_>,
    proposal: &Proposal,
    json: bool,
) -> CommandResult {
    let Proposal { plan, notes, .. } = proposal;
    let rights = check::rights(&before.machine.snapshot);
    if !notes.is_empty() && rights.verdict == CheckVerdict::Refuse {
        return Err(CommandError::Busy(rights.text));
    }
    let mut out = Out::new();
    let are_on_already = !plan.relies_on.is_empty();
    if json || are_on_already {
        show::print_nothing_to_do(&mut out, proposal, json)?;
    } else {
        out.lines([plan.title.clone()])?;
    }
    Ok(Exit::Done)
}

/// The intent of `on`. `say` receives remarks.
pub(super) fn on_intent(
    machine: &ObservedMachine<'_>,
    args: &OnArgs,
    say: fn(&str),
) -> CommandResult<Intent> {
    let options = swapon_options(args.priority.as_deref(), args.discard.as_deref())?;
    if args.all {
        return Ok(Intent::OnConfigured(options));
    }
    let names = resolve_areas(machine, args, options)?;
    refuse_other_options(machine, &names, options, args.change.persist)?
        .iter()
        .for_each(|it| say(it));
    Ok(Intent::On(names, options))
}

fn resolve_areas(
    machine: &ObservedMachine<'_>,
    args: &OnArgs,
    options: SwaponOptions,
) -> CommandResult<Vec<Name>> {
    let one = |area| {
        find::storage(machine, area)
            .map_err(|failure| word_as_area(area, options.discard).unwrap_or(failure))
    };
    args.areas.iter().map(|area| one(area)).collect()
}

/// The error if a discard policy was given where areas are expected.
fn word_as_area(area: &OsStr, discard: Option<Discard>) -> Option<CommandError> {
    let word = Discard::from_word(area.to_str()?)?.word();
    discard.map(|_| {
        usage(format!(
            "\"{word}\" is read as an area: for the discard policy, use --discard={word}"
        ))
    })
}

/// Parses the priority and the discard policy.
pub(super) fn swapon_options(
    priority: Option<&str>,
    discard: Option<&str>,
) -> CommandResult<SwaponOptions> {
    let priority = priority.map(Priority::parse).transpose().map_err(CommandError::Usage)?;
    Ok(SwaponOptions { priority, discard: discard.and_then(Discard::from_word) })
}

/// The intent of `off`.
pub(super) fn off_intent(machine: &ObservedMachine<'_>, args: &OffArgs) -> CommandResult<Intent> {
    if args.all {
        return Ok(Intent::Off(machine.areas()?.iter().map(|area| area.path.clone()).collect()));
    }
    let named = args.areas.iter().map(|area| Ok(find::active(machine, area)?.path.clone()));
    Ok(Intent::Off(named.collect::<CommandResult<_>>()?))
}

/// The intent of `priority`.
pub(super) fn priority_intent(
    machine: &ObservedMachine<'_>,
    args: &PriorityArgs,
) -> CommandResult<Intent> {
    let wishes = args.changes.iter();
    let wishes = wishes.map(|wish| parse_priority(wish, |area| find::active(machine, area)));
    Ok(Intent::Priorities(wishes.collect::<Result<_, _>>()?))
}

/// Parses `AREA=N` with an area that `find` looks up. The last `=` counts, since a path may contain one.
pub(in crate::cli::commands) fn parse_priority<'a>(
    wish: &OsStr,
    find: impl FnOnce(&OsStr) -> CommandResult<&'a SwapArea>,
) -> CommandResult<(Name, Priority)> {
    let bytes = wish.as_bytes();
    let Some(place) = bytes.iter().rposition(|byte| *byte == b'=') else {
        let shown = name::safe_text(&wish.to_string_lossy());
        return Err(usage(format!(
            "\"{shown}\" should be AREA=PRIORITY, such as /dev/zram0=100 or /swapfile=default"
        )));
    };
    let (area, rest) = bytes.split_at(place);
    let priority = String::from_utf8_lossy(rest.get(1..).unwrap_or_default());
    let priority = Priority::parse(&priority).map_err(|why| {
        let area = Name::new(area);
        usage(format!("{}: {why}", area.safe()))
    })?;
    let area = find(OsStr::from_bytes(area))?;
    Ok((area.path.clone(), priority))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discard_word_given_as_area_is_explained() {
        let said = |area: &str, discard| {
            word_as_area(OsStr::new(area), discard).map(|failure| failure.to_string())
        };
        let text = said("pages", Some(Discard::Both)).unwrap();
        assert!(text.ends_with("use --discard=pages"), "{text}");
        assert_eq!(said("pages", None), None);
        assert_eq!(said("/dev/sda1", Some(Discard::Both)), None);
    }
}
