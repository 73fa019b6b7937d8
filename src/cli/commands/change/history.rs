//! `swapadm journal`, `swapadm undo` and `swapadm recover`.

use super::{
    CommandChange, CommandContext, TypedLimits, carry_out, carry_out_proposal, exit_for, ledger,
    lock, propose_now, show,
};
use crate::actions::check::{self, Check, CheckVerdict};
use crate::actions::journal::{self, Event, Journal, JournalStore, PlanEnd, Record};
use crate::actions::plan::{self, Plan};
use crate::actions::run::ChangeOutcome;
use crate::actions::{Step, messages};
use crate::change::{
    self, Intent, Ledger, LiveMachine, ObservedMachine, OrderRepair, Proposal, boot,
};
use crate::cli::args::{JournalArgs, RecoverArgs, UndoArgs};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{Environment, Invocation, SourceOptions};
use crate::cli::out::{self, Out};
use crate::clock::Clock;
use crate::derive::selection::policy::{self, Defaults};
use crate::lab::session;
use crate::model::{PartSet, Reading, Snapshot};
use crate::root::Root;
use crate::sys::orphans;
use std::cell::Cell;
use std::slice;

/// Prints the journal: a line for each plan, or one plan with its events.
///
/// # Errors
/// The journal cannot be read, or the plan does not exist.
pub fn journal(args: &JournalArgs, invocation: &Invocation) -> CommandResult {
    refuse_simulated(&invocation.source)?;
    let root = invocation.source.root()?;
    let ledger = ledger(root, &invocation.environment);
    name_private(&ledger, &invocation.environment);
    let path = ledger.journal;
    let records =
        journal::read_unchecked(&path).map_err(|error| CommandError::file(path.path(), error))?;
    let is_damaged = name_damage(&path);
    let mut out = Out::new();
    let Some(number) = args.plan else {
        if args.json {
            out.json(&records, true)?;
        } else {
            out.lines(records.iter().map(messages::record_line))?;
            if records.is_empty() && !is_damaged {
                out::remark(if root.is_live() {
                    "no change was recorded yet"
                } else {
                    "there is no journal here: captures leave it out"
                });
            }
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

/// Refuses a simulated machine, whose journal is lost with its session.
fn refuse_simulated(source: &SourceOptions) -> CommandResult<()> {
    match source {
        SourceOptions::Machine(_) => Err(usage(
            "a simulated machine and its journal exist for one session, and each command is a session of its own: change it and undo the change in the interface, with swapadm --machine MACHINE watch",
        )),
        SourceOptions::Root(_) | SourceOptions::Recording { .. } => Ok(()),
    }
}

/// Prints a remark if lines of the journal cannot be read; returns whether there are any.
fn name_damage(store: &JournalStore) -> bool {
    let damage = journal::describe_unreadable_lines(store);
    if let Some(damage) = &damage {
        out::remark(damage);
    }
    damage.is_some()
}

/// Prints a remark if the journal is a user's own and not the machine's.
fn name_private(ledger: &Ledger, environment: &Environment) {
    if ledger.is_private && environment.journal.is_none() {
        let path = ledger.journal.path().display();
        out::remark(&format!(
            "this is your own journal ({path}); changes of the machine are in the journal of root"
        ));
    }
}

/// Undoes a plan.
///
/// # Errors
/// The plan does not exist, is not in effect, or cannot be undone.
pub fn undo(args: &UndoArgs, invocation: &Invocation) -> CommandResult {
    refuse_simulated(&invocation.source)?;
    let before = CommandContext::new(
        &invocation.environment,
        invocation.source.root()?,
        ObservedMachine::observe,
    );
    name_private(&ledger(before.root(), &invocation.environment), &invocation.environment);
    carry_out(&before, Intent::Undo(args.plan), &args.change)
}

/// Repairs interrupted plans.
///
/// # Errors
/// The repair is not possible.
pub fn recover(args: &RecoverArgs, invocation: &Invocation) -> CommandResult {
    refuse_simulated(&invocation.source)?;
    if args.change.persist {
        let why = "--persist: recover always restores the files that apply at boot too: leave --persist out";
        return Err(usage(why));
    }
    let before = CommandContext::new(&invocation.environment, invocation.source.root()?, |root| {
        // At first only the rights of this process are needed.
        ObservedMachine::observe_parts(root, PartSet::NONE)
    });
    let root = before.root();
    let limits = TypedLimits::from_args(&args.change, root)?;
    let ledger = ledger(root, &invocation.environment);
    let rights = check::rights(&before.machine.snapshot);
    if rights.verdict == CheckVerdict::Refuse && !is_left_to_repair(root, &ledger)? {
        return Err(CommandError::Refused(check::without_commands(rights).text));
    }
    name_private(&ledger, &invocation.environment);
    // A helper that was left behind holds the lock. Its changes are complete when it has ended, so
    // the lock is also taken for a dry run. A captured tree has no lock.
    let dry_run = args.change.dry_run;
    let is_needed = root.is_live() || !dry_run;
    let held = is_needed.then(|| lock(&before, &ledger, "recover", limits.wait)).transpose()?;
    let held = held.filter(|_| !dry_run);
    if ledger.is_private {
        // Stress runs belong to the machine, not to a user's own journal.
    } else if held.is_some() {
        session::remove_orphans(root, |message| out::remark(&message));
    } else {
        name_orphans(root);
    }
    let before = CommandContext { machine: ObservedMachine::observe(root), ..before };
    let (path, boot) = (ledger.journal, boot(root)?);
    let records = read(&path)?;
    name_damage(&path);
    if let Some(number) = args.dismiss {
        let journal = held.map(|_| &path);
        return dismiss(find(&records, number)?, root, journal, args.change.json);
    }
    let open: Vec<&Record> = records.iter().filter(|record| record.is_open(&boot)).collect();
    let proposal = propose_now(&before, Intent::Recover, &args.change)?;
    if proposal.plan.needs_memory() {
        // The lock is taken again after the question.
        drop(held);
        let exit = carry_out_proposal(&before, &proposal, &args.change)?;
        if !matches!(exit, Exit::Done | Exit::Refused)
            && let Some(hint) = dismiss_hint(&open, root, &boot)
        {
            out::remark(&hint);
        }
        return Ok(exit);
    }
    if let Some(check) = proposal.refusal() {
        return Err(CommandError::Refused(check.text.clone()));
    }
    // There is no question and no further check: what was there before has room.
    let left_out = proposal.left_out().cloned().collect();
    let proposal = proposal.with_checks(left_out);
    let change = CommandChange {
        before: &before,
        args: &args.change,
        rests: Cell::new(None),
        cost: Cell::new(None),
    };
    let mut out = Out::new();
    let Some(held) = held else { return print_dry_run(&mut out, &change, proposal, open.len()) };
    let is_empty = proposal.plan.steps.is_empty();
    if !is_empty {
        let _ = change.show(&mut out, &proposal);
    }
    let outcome = change.perform(Some(held), &path, &proposal)?;
    // As JSON, the outcome says that plans were closed.
    let has_outcome = args.change.json && !open.is_empty();
    if is_empty && outcome.end == PlanEnd::Recovered && !has_outcome {
        show::print_recovered(&mut out, &proposal.plan, open.len(), &[], args.change.json)?;
        return Ok(Exit::Done);
    }
    let exit = exit_for(outcome.end);
    let hint = if exit == Exit::Done { None } else { dismiss_hint(&open, root, &boot) };
    let remark = outcome.remark.into_iter().chain(hint).reduce(|one, more| one + " " + &more);
    change.tell(&mut out, &proposal, Some(&ChangeOutcome { remark, ..outcome }));
    Ok(exit)
}

/// Whether a user's own journal has an interrupted change. Only root can repair those of root.
fn is_left_to_repair(root: &Root, ledger: &Ledger) -> CommandResult<bool> {
    if !ledger.is_private {
        return Ok(false);
    }
    let boot = boot(root)?;
    Ok(read(&ledger.journal)?.iter().any(|record| record.is_open(&boot)))
}

/// Shows what recovery would do, also to the order of default priorities.
fn print_dry_run(
    out: &mut Out,
    change: &CommandChange<'_>,
    proposal: Proposal,
    open: usize,
) -> CommandResult {
    let root = change.before.root();
    if proposal.plan.steps.is_empty() && proposal.left_out().next().is_none() {
        let order = change::repair_after_interruption(
            root,
            &ledger(root, change.before.environment).journal,
        );
        let plan = order.as_ref().and_then(OrderRepair::automatic_plan).unwrap_or(&proposal.plan);
        let note: Vec<Check> =
            order.iter().map(|order| order_check(order.pending_text())).collect();
        show::print_recovered(out, plan, open, &note, change.args.json)?;
        return Ok(Exit::Done);
    }
    let snapshot = &change.before.machine.snapshot;
    let order = order_note(&proposal.plan, snapshot);
    let notes = proposal.checks.iter().cloned().chain(order).collect();
    let proposal = proposal.with_checks(notes);
    let _ = change.show(out, &proposal);
    change.finish(out, &proposal, None)?;
    Ok(Exit::Done)
}

/// The note on the order of default priorities, if the plan enables areas and the kernel orders them. Which
/// areas change places is known only afterwards.
fn order_note(plan: &Plan, snapshot: &Snapshot) -> Option<Check> {
    if policy::defaults(snapshot) == Reading::Known(Defaults::Alike) {
        return None;
    }
    plan.steps.iter().find_map(Step::enabled_area).map(|_| {
        order_check(
            "if areas with default priorities are then in another order than before, recover \
             restores the order if that moves no data, or else prints the command"
                .to_owned(),
        )
    })
}

fn order_check(text: String) -> Check {
    Check { id: "order", verdict: CheckVerdict::Note, text }
}

fn read(store: &JournalStore) -> CommandResult<Vec<Record>> {
    journal::read(store).map_err(|error| CommandError::file(store.path(), error))
}

fn find(records: &[Record], number: u64) -> CommandResult<&Record> {
    journal::find(records, number).map_err(CommandError::Usage)
}

/// Dismisses a plan of the journal, or only shows that if no journal is given.
fn dismiss(
    record: &Record,
    root: &Root,
    journal: Option<&JournalStore>,
    json: bool,
) -> CommandResult {
    let boot = boot(root)?;
    let number = record.plan;
    if !record.is_open(&boot) {
        let end = messages::end_word(record.end());
        return Err(usage(format!(
            "plan {number} ({end}) needs no repair, so it cannot be dismissed: swapadm journal lists all plans"
        )));
    }
    let why = match unrepaired_steps(record, root, &boot).as_slice() {
        [] => "nothing was left to repair".to_owned(),
        steps => format!("not repaired: {}", steps.join("; ")),
    };
    let mut out = Out::new();
    let title = format!("dismiss plan {number}: {}", record.title);
    let plan = Plan::without_steps(title);
    let Some(store) = journal else {
        return show_dismissal(&mut out, &plan, &why, json);
    };
    let failed = |error| CommandError::file(store.path(), error);
    let end = Event::End { end: PlanEnd::Dismissed, why: Some(why.clone()) };
    let mut journal = Journal::open(store, &boot).map_err(failed)?;
    journal.append_for(number, Clock::Real.now(), end).map_err(failed)?;
    let outcome = ChangeOutcome::ended(number, PlanEnd::Dismissed, Some(why));
    if json {
        out.json(&show::document(&plan, &[], &[], Some(&outcome)), true)?;
    } else {
        out.lines([messages::describe_outcome(&outcome)])?;
    }
    Ok(Exit::Done)
}

fn show_dismissal(out: &mut Out, plan: &Plan, why: &str, json: bool) -> CommandResult {
    if json {
        out.json(&show::document(plan, &[], &[], None), true)?;
    } else {
        out.lines([format!("Would {}", plan.title), format!("  {why}")])?;
    }
    Ok(Exit::Done)
}

/// The steps that would repair a plan, in words; or the reason why there are none.
fn unrepaired_steps(record: &Record, root: &Root, boot: &str) -> Vec<String> {
    match plan::plan_recovery(slice::from_ref(record), &LiveMachine::new(root), boot) {
        Ok(plan::Recovery { plan, unreadable }) => {
            let steps = plan.steps.iter().map(Step::describe);
            steps.chain(unreadable.into_iter().map(|it| it.why)).collect()
        }
        Err(refusal) => vec![refusal.to_string()],
    }
}

/// The hint with the commands that close plans which recovery could not repair.
fn dismiss_hint(open: &[&Record], root: &Root, boot: &str) -> Option<String> {
    let left = open.iter().filter(|record| !unrepaired_steps(record, root, boot).is_empty());
    describe_dismissal(left.map(|record| record.plan))
}

/// The commands that close these plans, in a sentence; none without plans.
fn describe_dismissal(plans: impl Iterator<Item = u64>) -> Option<String> {
    let commands: Vec<String> =
        plans.map(|plan| format!("swapadm recover --dismiss {plan}")).collect();
    (!commands.is_empty()).then(|| {
        format!("If an area is gone for good, close its plan as it is: {}", commands.join(", "))
    })
}

/// Names the cgroups of killed stress runs that would be removed.
fn name_orphans(root: &Root) {
    for orphan in orphans(root) {
        out::remark(&format!(
            "{}, left by a stress run that was killed, would be removed",
            orphan.path()
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_that_cannot_be_repaired_are_closed_by_command() {
        let begin =
            "If an area is gone for good, close its plan as it is: swapadm recover --dismiss";
        for (plans, said) in [
            (&[][..], None),
            (&[3], Some(format!("{begin} 3"))),
            (&[3, 5], Some(format!("{begin} 3, swapadm recover --dismiss 5"))),
        ] {
            assert_eq!(describe_dismissal(plans.iter().copied()), said);
        }
    }
}
