//! `swapadm journal`, `swapadm undo` and `swapadm recover`.

use super::{CommandContext, CommandChange, TypedLimits, carry_out, exit_for, ledger, lock, show, refuse_force};
use crate::actions::check::{self, Check, CheckVerdict};
use crate::actions::journal::{self, PlanEnd, Event, Journal, Record};
use crate::actions::plan::{self, Plan};
use crate::actions::run::ChangeOutcome;
use crate::actions::{Step, messages};
use crate::change::{
    self, OrderRepair, ExecutionOptions, LiveMachine, Intent, Ledger, ObservedMachine, Proposal, boot,
};
use crate::cli::args::{JournalArgs, RecoverArgs, UndoArgs};
use crate::cli::exit::{Exit, CommandError};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::{self, Out};
use crate::clock::Clock;
use crate::lab::session;
use crate::root::Root;
use crate::sys::orphans;
use std::cell::Cell;
use std::path::Path;
use std::slice;

/// Print what was changed: all plans in short, or one with what happened.
///
/// # Errors
/// When the journal cannot be read, or has no such plan.
pub fn journal(
    args: &JournalArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let ledger = ledger(source.root()?, environment);
    name_private(&ledger, environment);
    let path = ledger.journal;
    let records = journal::read_unchecked(&path).map_err(|error| CommandError::file(&path, error))?;
    let mut out = Out::new();
    let Some(number) = args.plan else {
        if args.json {
            out.json(&records, true)?;
        } else {
            out.lines(records.iter().map(messages::record_line))?;
        }
        return Ok(Exit::Done);
    };
    let record = find(&records, number)?;
    if args.json {
        out.json(record, true)?;
    } else {
        out.lines(messages::describe_record(record))?;
    }
    Ok(Exit::Done)
}

/// Prints a remark if the journal is a user's own and not the machine's.
fn name_private(ledger: &Ledger, environment: &Environment) {
    if ledger.is_private && environment.journal.is_none() {
        let path = ledger.journal.display();
        out::remark(&format!("changes of your own files ({path}); root sees those of the machine"));
    }
}

/// Take a plan back.
///
/// # Errors
/// When there is no such plan, nothing of it stands, or it cannot be taken back.
pub fn undo(
    args: &UndoArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let before = CommandContext::new(source.root()?);
    name_private(&ledger(before.root(), environment), environment);
    carry_out(&before, Intent::Undo(args.plan), &args.change, environment)
}

/// Put right what a crash cut off.
///
/// # Errors
/// When that cannot be done.
pub fn recover(
    args: &RecoverArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    refuse_force(&args.change)?;
    if args.change.persist {
        let why = "--persist: recover only goes back to what was, at every start too";
        return Err(CommandError::Usage(why.to_owned()));
    }
    let before = CommandContext::rights_only(source.root()?);
    let root = before.root();
    let limits = TypedLimits::from_args(&args.change, root)?;
    let ledger = ledger(root, environment);
    let rights = check::rights(&before.machine.snapshot);
    if rights.verdict == CheckVerdict::Refuse && !is_left_to_repair(root, &ledger)? {
        return Err(CommandError::Refused(check::without_commands(rights).text));
    }
    name_private(&ledger, environment);
    // A helper that was left behind holds the lock: what it does is seen when it has ended, also
    // where only the plan is shown. A captured tree has none.
    let dry_run = args.change.dry_run;
    let is_needed = root.is_live() || !dry_run;
    let held = is_needed.then(|| lock(&before, &ledger, "recover", limits.wait)).transpose()?;
    let held = held.filter(|_| !dry_run);
    if ledger.is_private {
        // Runs of loads belong to the machine.
    } else if held.is_some() {
        remove_orphans(root);
    } else {
        name_orphans(root);
    }
    let before = CommandContext { machine: ObservedMachine::observe(root), ..before };
    let (path, boot) = (ledger.journal, boot(root)?);
    let records = read(&path)?;
    if let Some(number) = args.dismiss {
        let journal = held.map(|_| path.as_path());
        return dismiss(find(&records, number)?, root, journal, args.change.json);
    }
    let open: Vec<&Record> = records.iter().filter(|record| record.is_open(&boot)).collect();
    let options = ExecutionOptions { limits: limits.kept, ..ExecutionOptions::default() };
    let proposal = change::propose(&before.machine, &path, Intent::Recover, options)?;
    if let Some(check) = proposal.refusal() {
        return Err(CommandError::Refused(check.text.clone()));
    }
    // Nobody is asked, and nothing else stands against it: it only goes back to what was.
    let proposal = proposal.with_checks(Vec::new());
    let change =
        CommandChange { before: &before, args: &args.change, environment, rests: Cell::new(None) };
    let mut out = Out::new();
    let Some(held) = held else { return print_dry_run(&mut out, &change, proposal, open.len()) };
    let is_empty = proposal.plan.steps.is_empty();
    if !is_empty {
        let _ = change.show(&mut out, &proposal);
    }
    let outcome = change.perform(change.context(&held, &path, &proposal), &proposal)?;
    if is_empty && outcome.end == PlanEnd::Recovered {
        show::print_recovered(&mut out, &proposal.plan, open.len(), &[], args.change.json)?;
        return Ok(Exit::Done);
    }
    let exit = exit_for(outcome.end);
    let hint = if exit == Exit::Done { None } else { dismiss_hint(&open, root, &boot) };
    let remark = outcome.remark.into_iter().chain(hint).reduce(|one, more| one + " " + &more);
    change.tell(&mut out, &proposal, Some(&ChangeOutcome { remark, ..outcome }));
    Ok(exit)
}

/// Does a user's own journal have an interrupted change? Interrupted changes of root are root's to
/// recover.
fn is_left_to_repair(root: &Root, ledger: &Ledger) -> Result<bool, CommandError> {
    if !ledger.is_private {
        return Ok(false);
    }
    let boot = boot(root)?;
    Ok(read(&ledger.journal)?.iter().any(|record| record.is_open(&boot)))
}

/// Show what recovery would do, with what would become of the order of default priorities.
fn print_dry_run(
    out: &mut Out,
    change: &CommandChange<'_>,
    proposal: Proposal,
    open: usize,
) -> Result<Exit, CommandError> {
    let root = change.before.root();
    if proposal.plan.steps.is_empty() {
        let order = change::repair_after_interruption(root, &ledger(root, change.environment).journal);
        let plan = order.as_ref().and_then(OrderRepair::automatic_plan).unwrap_or(&proposal.plan);
        let note: Vec<Check> = order.iter().map(|order| order_check(order.pending_text())).collect();
        show::print_recovered(out, plan, open, &note, change.args.json)?;
        return Ok(Exit::Done);
    }
    let notes = order_note(&proposal.plan).into_iter().collect();
    let proposal = proposal.with_checks(notes);
    let _ = change.show(out, &proposal);
    change.finish(out, &proposal, None)?;
    Ok(Exit::Done)
}

/// What comes after a plan that puts areas on: who leaves its place then shows when they are on.
fn order_note(plan: &Plan) -> Option<Check> {
    plan.steps.iter().find_map(Step::enabled_area).map(|_| {
        order_check(
            "where the kernel then takes areas with default priorities in another order than \
             before, recover puts that right if it moves nothing, and else tells the command"
                .to_owned(),
        )
    })
}

fn order_check(text: String) -> Check {
    Check { id: "order", verdict: CheckVerdict::Note, text }
}

fn read(path: &Path) -> Result<Vec<Record>, CommandError> {
    journal::read(path).map_err(|error| CommandError::file(path, error))
}

fn find(records: &[Record], number: u64) -> Result<&Record, CommandError> {
    journal::find(records, number).map_err(CommandError::Usage)
}

/// Dismisses a plan of the journal, or only shows that where no journal is to be written.
fn dismiss(
    record: &Record,
    root: &Root,
    journal: Option<&Path>,
    json: bool,
) -> Result<Exit, CommandError> {
    let boot = boot(root)?;
    let number = record.plan;
    if !record.is_open(&boot) {
        let end = messages::end_word(record.end());
        return Err(CommandError::Usage(format!(
            "plan {number} ({end}) has nothing left to repair, so it need not be dismissed: swapadm journal lists all plans"
        )));
    }
    let why = match unrepaired_steps(record, root, &boot).as_slice() {
        [] => "nothing was left to repair".to_owned(),
        steps => format!("not repaired: {}", steps.join("; ")),
    };
    let mut out = Out::new();
    let title = format!("dismiss plan {number}: {}", record.title);
    let plan = Plan::without_steps(title);
    let Some(path) = journal else {
        return show_dismissal(&mut out, &plan, &why, json);
    };
    let failed = |error| CommandError::file(path, error);
    let end = Event::End { end: PlanEnd::Dismissed, why: Some(why.clone()) };
    let mut journal = Journal::open(path, &boot).map_err(failed)?;
    journal.append_for(number, Clock::Real.now(), end).map_err(failed)?;
    let outcome = ChangeOutcome::ended(number, PlanEnd::Dismissed, Some(why));
    if json {
        out.json(&show::document(&plan, &[], &[], Some(&outcome)), true)?;
    } else {
        out.lines([messages::describe_outcome(&outcome)])?;
    }
    Ok(Exit::Done)
}

fn show_dismissal(out: &mut Out, plan: &Plan, why: &str, json: bool) -> Result<Exit, CommandError> {
    if json {
        out.json(&show::document(plan, &[], &[], None), true)?;
    } else {
        out.lines([format!("Would {}", plan.title), format!("  {why}")])?;
    }
    Ok(Exit::Done)
}

/// The steps that would repair a plan, in words; why they cannot be told, where that is so.
fn unrepaired_steps(record: &Record, root: &Root, boot: &str) -> Vec<String> {
    match plan::plan_recovery(slice::from_ref(record), &LiveMachine::new(root), boot) {
        Ok(plan) => plan.steps.iter().map(Step::describe).collect(),
        Err(refusal) => vec![refusal.to_string()],
    }
}

/// Names the command that closes the plans which recovery has failed to repair.
fn dismiss_hint(open: &[&Record], root: &Root, boot: &str) -> Option<String> {
    let left = open.iter().filter(|record| !unrepaired_steps(record, root, boot).is_empty());
    let commands: Vec<String> =
        left.map(|record| format!("swapadm recover --dismiss {}", record.plan)).collect();
    (!commands.is_empty()).then(|| {
        format!(
            "What is gone for good cannot be repaired: {} closes the plan as it is.",
            commands.join(", ")
        )
    })
}

/// Remove them, and say so.
fn remove_orphans(root: &Root) {
    session::remove_orphans(root, |message| out::remark(&message));
}

/// Say which would be removed.
fn name_orphans(root: &Root) {
    for orphan in orphans(root) {
        out::remark(&format!(
            "{}, which a run left that was killed, is to be removed",
            orphan.path()
        ));
    }
}
