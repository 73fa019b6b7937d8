//! Carrying out what was proposed: under the lock, on the machine as it is then.

use super::propose::{Proposal, planned};
use super::{ExecutionContext, Eyes, Failure, Intent, Machine, boot, carry_out, order};
use crate::actions::journal::{self, End, Event, Journal, Record};
use crate::actions::monitor::Monitor;
use crate::actions::plan;
use crate::actions::run::{Outcome, Progress};
use crate::clock::Clock;
use crate::root::Root;
use std::path::Path;

/// Whether a plan that differs since the machine has changed is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfChanged {
    /// It is not: a person has confirmed the plan as it was.
    Refuse,
    /// It is: the change was asked for, and not the plan.
    PlanAnew,
}

/// Carries out what was proposed.
///
/// # Errors
/// When it is not even begun: the machine has changed, or a check refuses it now.
pub fn execute(
    context: ExecutionContext<'_>,
    proposal: &Proposal,
    monitor: &mut dyn Monitor<Progress>,
) -> Result<Outcome, Failure> {
    let again = plan_again(context, proposal, IfChanged::Refuse)?;
    perform(context, &again, monitor)
}

/// Plans anew on the machine as it is now that the lock is held: what was checked may have changed. The
/// costs stand where the plan does.
///
/// # Errors
/// When the plan is another one and must not be, or a check refuses it now.
pub fn plan_again(
    context: ExecutionContext<'_>,
    proposal: &Proposal,
    if_changed: IfChanged,
) -> Result<Proposal, Failure> {
    let machine = Machine::seen(context.root, proposal.parts);
    let (intent, options) = (proposal.intent.clone(), proposal.options.clone());
    let again = planned(&machine, context.journal, intent, options)?;
    let is_like = again.plan.is_like(&proposal.plan);
    if !is_like && if_changed == IfChanged::Refuse {
        return Err(Failure::Busy(
            "swap was changed since the plan was made, and nothing was done: ask for it again to see the plan as it is now".to_owned(),
        ));
    }
    if let Some(check) = again.refusal() {
        return Err(Failure::Busy(format!("not any more: {}", check.text)));
    }
    let costs = if is_like {
        proposal.costs.clone()
    } else {
        super::propose::costs(&machine, &again.plan, context.journal)
    };
    Ok(Proposal { costs, ..again })
}

/// Carries out a plan that was made under the lock, and closes what it recovers.
///
/// # Errors
/// When it cannot even be begun.
pub fn perform(
    context: ExecutionContext<'_>,
    proposal: &Proposal,
    monitor: &mut dyn Monitor<Progress>,
) -> Result<Outcome, Failure> {
    if proposal.intent == Intent::Recover {
        return recover(context, proposal, monitor);
    }
    let outcome = carry_out((&proposal.plan, proposal.undoes), context, monitor)?;
    Ok(outcome.beside(&proposal.costs))
}

/// Repairs interrupted changes, puts the order of default priorities back, and closes the plans in
/// the journal.
fn recover(
    context: ExecutionContext<'_>,
    proposal: &Proposal,
    monitor: &mut dyn Monitor<Progress>,
) -> Result<Outcome, Failure> {
    let open = open(context.root, context.journal)?;
    let outcome = if proposal.plan.steps.is_empty() {
        let last = open.last().map_or(0, |record| record.plan);
        let ordered = order::put_back_after_cut(context, last);
        ordered.unwrap_or_else(|| Outcome::of(last, End::Recovered, None))
    } else {
        let outcome = carry_out((&proposal.plan, None), context, monitor)?;
        outcome.beside(&proposal.costs)
    };
    if !matches!(outcome.end, End::Done | End::Recovered) {
        return Ok(outcome);
    }
    Ok(match close(context, &open) {
        Ok(()) => outcome,
        Err(failure) => {
            let why = format!("all is repaired, but the journal does not know: {failure}");
            Outcome { end: End::Partial, why: Some(why), ..outcome }
        }
    })
}

/// The plans that were interrupted, or left in part, and can be recovered.
fn open(root: &Root, journal: &Path) -> Result<Vec<Record>, Failure> {
    let boot = boot(root)?;
    let records = journal::read(journal).map_err(|error| failed(journal, error))?;
    Ok(records.into_iter().filter(|record| record.is_open(&boot)).collect())
}

fn failed(journal: &Path, error: std::io::Error) -> Failure {
    Failure::File { path: journal.to_owned(), error }
}

/// Records that these plans need nothing more, and before that which of their steps stand.
fn close(context: ExecutionContext<'_>, open: &[Record]) -> Result<(), Failure> {
    if open.is_empty() {
        return Ok(());
    }
    let ExecutionContext { root, journal: path, .. } = context;
    let look = Eyes::of(root);
    let mut journal = Journal::open(path, &boot(root)?).map_err(|error| failed(path, error))?;
    for record in open {
        let end = Event::End { end: End::Recovered, why: None };
        for event in plan::settle(record, &look).into_iter().chain([end]) {
            let told = journal.tell_of(record.plan, Clock::Real.now(), event);
            told.map_err(|error| failed(path, error))?;
        }
    }
    Ok(())
}
