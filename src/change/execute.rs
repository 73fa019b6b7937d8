//! Carrying out what was proposed: under the lock, on the machine as it is then.

use super::propose::{Proposal, planned};
use super::{Eyes, Failure, Intent, Machine, boot, order};
use crate::actions::estimate::Emptied;
use crate::actions::journal::{self, End, Event, Journal, Record};
use crate::actions::limits::Limits;
use crate::actions::monitor::Monitor;
use crate::actions::plan::{self, Plan};
use crate::actions::run::{Outcome, Progress, Runner};
use crate::clock::Clock;
use crate::derive::cgroups;
use crate::probes::cgroup;
use crate::root::Root;
use crate::sys::{Lock, Real};
use std::path::Path;

/// Where a plan is carried out: the machine, the lock on it and the journal; and within which limits.
#[derive(Clone, Copy, Debug)]
pub struct ExecutionContext<'a> {
    /// The machine.
    pub root: &'a Root,
    /// The lock on its swap.
    pub lock: &'a Lock,
    /// The file of the journal.
    pub journal: &'a Path,
    /// When the change stops or rests by itself.
    pub limits: Limits,
}

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

/// Carries a plan out, which may undo another.
fn carry_out(
    plan: (&Plan, Option<u64>),
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
) -> Result<Outcome, Failure> {
    let outcome = run(plan, context, monitor)?;
    Ok(order::put_back(plan, context, outcome))
}

/// Carry a plan out for the time of something else, and take it back after that. Whoever is killed
/// meanwhile leaves a plan that is recovered.
///
/// # Errors
/// When it cannot even be begun.
pub fn lend(
    plan: &Plan,
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
    during: &mut dyn FnMut(),
) -> Result<Outcome, Failure> {
    let outcome = with_runner(context, monitor, |runner| runner.lend(plan, during))?;
    Ok(order::put_back((plan, None), context, outcome))
}

pub(super) fn run(
    (plan, undoes): (&Plan, Option<u64>),
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
) -> Result<Outcome, Failure> {
    let empties = plan.steps.iter().any(|step| step.taken_off().is_some());
    let before = empties.then(|| cgroup::oom_kills(context.root));
    let mut outcome = with_runner(context, monitor, |runner| runner.run(plan, undoes))?;
    if let Some(before) = before {
        outcome.killed = cgroups::killed(&before, &cgroup::oom_kills(context.root));
        record_kills(&outcome, context);
    }
    Ok(outcome)
}

/// Records in the journal which processes the kernel killed meanwhile. What came of the plan stands
/// there already, and whoever waits for it is told of them in any case.
fn record_kills(outcome: &Outcome, ExecutionContext { root, journal, .. }: ExecutionContext<'_>) {
    let opened = boot(root).ok().and_then(|boot| Journal::open(journal, &boot).ok());
    let Some(mut journal) = opened.filter(|_| !outcome.killed.is_empty()) else { return };
    for killed in &outcome.killed {
        let _ = journal.tell_of(outcome.plan, Clock::Real.now(), Event::Killed(killed.clone()));
    }
}

fn with_runner(
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
    task: impl FnOnce(&mut Runner<'_>) -> Outcome,
) -> Result<Outcome, Failure> {
    let ExecutionContext { root, lock, journal, limits } = context;
    let sys = Real::of(root, lock).ok_or(Failure::Captured)?;
    let opened = Journal::open(journal, &boot(root)?);
    let mut journal = opened.map_err(|error| Failure::File { path: journal.to_owned(), error })?;
    let mut runner = Runner {
        sys: &sys,
        look: &Eyes::of(root),
        journal: &mut journal,
        clock: &Clock::Real,
        limits,
        begun: Clock::Real.now(),
        monitor,
    };
    let outcome = task(&mut runner);
    Ok(Outcome { emptied: Emptied::after(journal.emptying()), ..outcome })
}
