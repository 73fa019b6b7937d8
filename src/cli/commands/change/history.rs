//! `swapadm journal`, `swapadm undo` and `swapadm recover`.

use super::{Before, Change, Limits, cages, dismiss, exit_of, lock, place, show, takes_no_risk};
use crate::actions::check::{self, Check, Verdict};
use crate::actions::journal::{self, End, Event, Journal, Record};
use crate::actions::plan::{self, Plan};
use crate::actions::run::Outcome;
use crate::actions::told;
use crate::actions::{Look, Step};
use crate::change::{self, Disorder, ExecutionContext, Eyes, Machine, boot};
use crate::cli::args::{JournalArgs, RecoverArgs, UndoArgs};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::{self, Out};
use crate::clock::Clock;
use std::path::Path;

/// Print what was changed: all plans in short, or one with what happened.
///
/// # Errors
/// When the journal cannot be read, or has no such plan.
pub fn journal(
    args: &JournalArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let path = place(source.root()?, environment);
    let records = journal::read_any(&path).map_err(|error| Failure::file(&path, error))?;
    let mut out = Out::new();
    let Some(number) = args.plan else {
        if args.json {
            out.json(&records, true)?;
        } else {
            out.lines(records.iter().map(told::record_line))?;
        }
        return Ok(Exit::Done);
    };
    let record = find(&records, number)?;
    if args.json {
        out.json(record, true)?;
    } else {
        out.lines(told::record(record))?;
    }
    Ok(Exit::Done)
}

/// Take a plan back.
///
/// # Errors
/// When there is no such plan, nothing of it stands, or it cannot be taken back.
pub fn undo(
    args: &UndoArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let before = Before::of(source.root()?);
    let root = before.root();
    let records = read(&place(root, environment))?;
    let record = find(&records, args.plan)?;
    let plan = plan::undo(record, &Eyes::of(root), &boot(root)?)
        .map_err(|refusal| Failure::Usage(refusal.to_string()))?;
    let past = check::past(&plan, record, (&records, &boot(root)?), &args.change.force);
    let change = Change::of(&before, plan, &args.change, environment);
    Change { undoes: Some(record.plan), past, ..change }.run()
}

/// Put right what a crash cut off.
///
/// # Errors
/// When that cannot be done.
pub fn recover(
    args: &RecoverArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    takes_no_risk(&args.change)?;
    if args.change.persist {
        let why = "--persist: recover only goes back to what was, at every start too";
        return Err(Failure::Usage(why.to_owned()));
    }
    let before = Before::of(source.root()?);
    let root = before.root();
    let limits = Limits::of(&args.change, root)?;
    let rights = check::rights(&before.machine.snapshot);
    if rights.verdict == Verdict::Refuse {
        return Err(Failure::Refused(rights.text));
    }
    // A helper that was left behind holds the lock: what it does is seen when it has ended, also
    // where only the plan is shown. A captured tree has none.
    let dry_run = args.change.dry_run;
    let is_needed = root.is_live() || !dry_run;
    let held = is_needed.then(|| lock(&before, "recover", limits.wait)).transpose()?;
    let held = held.filter(|_| !dry_run);
    if held.is_some() {
        cages::remove_orphans(root);
    } else {
        cages::name_orphans(root);
    }
    let before = Before { machine: Machine::of(root), ..before };
    let (path, boot) = (place(root, environment), boot(root)?);
    let records = read(&path)?;
    if let Some(number) = args.dismiss {
        let journal = held.map(|_| path.as_path());
        return dismiss::run(find(&records, number)?, (root, journal), args.change.json);
    }
    let open: Vec<&Record> = records.iter().filter(|record| record.is_open(&boot)).collect();
    let plan = plan::recover(&records, &Eyes::of(root), &boot)
        .map_err(|refusal| Failure::Nothing(refusal.to_string()))?;
    let change = Change::of(&before, plan, &args.change, environment);
    let mut out = Out::new();
    if change.plan.steps.is_empty() {
        let (Some(last), Some(held)) = (open.last(), &held) else {
            let order = change::after_cut(root, &path);
            let plan = order.as_ref().and_then(Disorder::unasked).unwrap_or(&change.plan);
            let note: Vec<Check> = order.iter().map(|order| noted(order.foretold())).collect();
            show::recovered(&mut out, plan, (open.len(), &note), args.change.json)?;
            return Ok(Exit::Done);
        };
        let (journal, limits) = (path.as_path(), limits.kept);
        let context = |lock| ExecutionContext { root, lock, journal, limits };
        let ordered = change::put_back_after_cut(context(held), last.plan);
        let exit = ordered.as_ref().map_or(Exit::Done, |outcome| exit_of(outcome.end));
        if exit == Exit::Done {
            close(&path, &boot, &open, &Eyes::of(root))?;
        }
        match &ordered {
            Some(_) => change.tell(&mut out, &[], ordered.as_ref()),
            None => show::recovered(&mut out, &change.plan, (open.len(), &[]), args.change.json)?,
        }
        return Ok(exit);
    }
    // Nobody is asked, and nothing stands against it: it only goes back to what was.
    let notes: Vec<Check> = to_be_ordered(&change.plan).into_iter().collect();
    let _ = change.show(&mut out, if dry_run { &notes } else { &[] });
    let Some(held) = held else {
        change.finish(&mut out, &notes, None)?;
        return Ok(Exit::Done);
    };
    let outcome = change.carry_out(&limits, &held)?;
    let exit = exit_of(outcome.end);
    let hint = if exit == Exit::Done { None } else { dismiss::hint(&open, root, &boot) };
    let remark = outcome.remark.into_iter().chain(hint).reduce(|one, more| one + " " + &more);
    let outcome = Outcome { remark, ..outcome };
    let closed =
        if exit == Exit::Done { close(&path, &boot, &open, &Eyes::of(root)) } else { Ok(()) };
    // What was done is told whether or not the journal takes it.
    change.tell(&mut out, &[], Some(&outcome));
    Ok(closed.map_or_else(
        |failure| {
            out::complain(&failure.to_string());
            failure.exit()
        },
        |()| exit,
    ))
}

/// What comes after a plan that puts areas on: who leaves its place then shows when they are on.
fn to_be_ordered(plan: &Plan) -> Option<Check> {
    plan.steps.iter().find_map(Step::put_on).map(|_| {
        noted(
            "where the kernel then takes areas with default priorities in another order than \
             before, recover puts that right if it moves nothing, and else tells the command"
                .to_owned(),
        )
    })
}

fn noted(text: String) -> Check {
    Check { id: "order", verdict: Verdict::Note, text }
}

/// Records that these plans need nothing more, and before that which of their steps stand.
pub(super) fn close(
    path: &Path,
    boot: &str,
    open: &[&Record],
    look: &dyn Look,
) -> Result<(), Failure> {
    let failed = |error| Failure::file(path, error);
    if open.is_empty() {
        return Ok(());
    }
    let mut journal = Journal::open(path, boot).map_err(failed)?;
    for record in open {
        let end = Event::End { end: End::Recovered, why: None };
        for event in plan::settle(record, look).into_iter().chain([end]) {
            journal.tell_of(record.plan, Clock::Real.now(), event).map_err(failed)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    journal::read(path).map_err(|error| Failure::file(path, error))
}

pub(super) fn find(records: &[Record], number: u64) -> Result<&Record, Failure> {
    records.iter().find(|record| record.plan == number).ok_or_else(|| {
        Failure::Usage(format!("the journal has no plan {number}: swapadm journal lists them"))
    })
}
