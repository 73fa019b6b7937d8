//! `swapadm recover --dismiss`: closes an interrupted plan in the journal without repairing it.

use super::show;
use crate::actions::journal::{End, Event, Journal, Record};
use crate::actions::plan::{self, Plan};
use crate::actions::run::Outcome;
use crate::actions::{Step, told};
use crate::change::{Eyes, boot};
use crate::cli::exit::{Exit, Failure};
use crate::cli::out::Out;
use crate::clock::Clock;
use crate::root::Root;
use std::path::Path;
use std::slice;

/// Dismisses a plan of the journal, or only shows that where no journal is to be written.
pub(super) fn run(
    record: &Record,
    (root, journal): (&Root, Option<&Path>),
    json: bool,
) -> Result<Exit, Failure> {
    let boot = boot(root)?;
    let number = record.plan;
    if !record.is_open(&boot) {
        let end = told::end(record.end());
        return Err(Failure::Usage(format!(
            "plan {number} ({end}) has nothing left to repair, so it need not be dismissed: swapadm journal lists all plans"
        )));
    }
    let why = match unrepaired(record, root, &boot).as_slice() {
        [] => "nothing was left to repair".to_owned(),
        steps => format!("not repaired: {}", steps.join("; ")),
    };
    let mut out = Out::new();
    let title = format!("dismiss plan {number}: {}", record.title);
    let plan = Plan::none(title);
    let Some(path) = journal else {
        return shown(&mut out, &plan, &why, json);
    };
    let failed = |error| Failure::file(path, error);
    let end = Event::End { end: End::Dismissed, why: Some(why.clone()) };
    let mut journal = Journal::open(path, &boot).map_err(failed)?;
    journal.tell_of(number, Clock::Real.now(), end).map_err(failed)?;
    let outcome = Outcome::of(number, End::Dismissed, Some(why));
    if json {
        out.json(&show::document(&plan, &[], &[], Some(&outcome)), true)?;
    } else {
        out.lines([told::outcome(&outcome)])?;
    }
    Ok(Exit::Done)
}

fn shown(out: &mut Out, plan: &Plan, why: &str, json: bool) -> Result<Exit, Failure> {
    if json {
        out.json(&show::document(plan, &[], &[], None), true)?;
    } else {
        out.lines([format!("Would {}", plan.title), format!("  {why}")])?;
    }
    Ok(Exit::Done)
}

/// The steps that would repair a plan, in words; why they cannot be told, where that is so.
fn unrepaired(record: &Record, root: &Root, boot: &str) -> Vec<String> {
    match plan::recover(slice::from_ref(record), &Eyes::of(root), boot) {
        Ok(plan) => plan.steps.iter().map(Step::words).collect(),
        Err(refusal) => vec![refusal.to_string()],
    }
}

/// Names the command that closes the plans which recovery has failed to repair.
pub(super) fn hint(open: &[&Record], root: &Root, boot: &str) -> Option<String> {
    let left = open.iter().filter(|record| !unrepaired(record, root, boot).is_empty());
    let commands: Vec<String> =
        left.map(|record| format!("swapadm recover --dismiss {}", record.plan)).collect();
    (!commands.is_empty()).then(|| {
        format!(
            "What is gone for good cannot be repaired: {} closes the plan as it is.",
            commands.join(", ")
        )
    })
}
