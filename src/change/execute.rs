//! Carrying out what was proposed: under the lock, on the machine as it is then.

use super::propose::{Proposal, planned};
use super::{LiveMachine, ChangeError, Intent, ObservedMachine, boot, order};
use crate::actions::estimate::DrainTime;
use crate::actions::journal::{self, PlanEnd, Event, Journal, Record};
use crate::actions::limits::ChangeLimits;
use crate::actions::monitor::Monitor;
use crate::actions::plan::{self, Plan};
use crate::actions::run::{ChangeOutcome, Progress, Runner};
use crate::clock::Clock;
use crate::derive::cgroups;
use crate::probes::cgroup;
use crate::root::Root;
use crate::sys::{Lock, LiveSys};
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
    pub limits: ChangeLimits,
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
) -> Result<ChangeOutcome, ChangeError> {
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
) -> Result<Proposal, ChangeError> {
    let machine = ObservedMachine::observe_parts(context.root, proposal.parts);
    let (intent, options) = (proposal.intent.clone(), proposal.options.clone());
    let again = planned(&machine, context.journal, intent, options)?;
    let is_like = again.plan.is_like(&proposal.plan);
    if !is_like && if_changed == IfChanged::Refuse {
        return Err(ChangeError::Busy(
            "swap was changed since the plan was made, and nothing was done: ask for it again to see the plan as it is now".to_owned(),
        ));
    }
    if let Some(check) = again.refusal() {
        return Err(ChangeError::Busy(format!("not any more: {}", check.text)));
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
) -> Result<ChangeOutcome, ChangeError> {
    if proposal.intent == Intent::Recover {
        return recover(context, proposal, monitor);
    }
    let outcome = carry_out((&proposal.plan, proposal.undoes), context, monitor)?;
    Ok(outcome.with_expected(&proposal.costs))
}

/// Repairs interrupted changes, puts the order of default priorities back, and closes the plans in
/// the journal.
fn recover(
    context: ExecutionContext<'_>,
    proposal: &Proposal,
    monitor: &mut dyn Monitor<Progress>,
) -> Result<ChangeOutcome, ChangeError> {
    let open = open(context.root, context.journal)?;
    let outcome = if proposal.plan.steps.is_empty() {
        let last = open.last().map_or(0, |record| record.plan);
        let ordered = order::restore_after_interruption(context, last);
        ordered.unwrap_or_else(|| ChangeOutcome::ended(last, PlanEnd::Recovered, None))
    } else {
        let outcome = carry_out((&proposal.plan, None), context, monitor)?;
        outcome.with_expected(&proposal.costs)
    };
    if !matches!(outcome.end, PlanEnd::Done | PlanEnd::Recovered) {
        return Ok(outcome);
    }
    Ok(match close_interrupted(context, &open) {
        Ok(()) => outcome,
        Err(failure) => {
            let why = format!("all is repaired, but the journal does not know: {failure}");
            ChangeOutcome { end: PlanEnd::Partial, why: Some(why), ..outcome }
        }
    })
}

/// The plans that were interrupted, or left in part, and can be recovered.
fn open(root: &Root, journal: &Path) -> Result<Vec<Record>, ChangeError> {
    let boot = boot(root)?;
    let records = journal::read(journal).map_err(|error| journal_error(journal, error))?;
    Ok(records.into_iter().filter(|record| record.is_open(&boot)).collect())
}

fn journal_error(journal: &Path, error: std::io::Error) -> ChangeError {
    ChangeError::File { path: journal.to_owned(), error }
}

/// Records that these plans need nothing more, and before that which of their steps stand.
fn close_interrupted(context: ExecutionContext<'_>, open: &[Record]) -> Result<(), ChangeError> {
    if open.is_empty() {
        return Ok(());
    }
    let ExecutionContext { root, journal: path, .. } = context;
    let look = LiveMachine::new(root);
    let mut journal = Journal::open(path, &boot(root)?).map_err(|error| journal_error(path, error))?;
    for record in open {
        let end = Event::End { end: PlanEnd::Recovered, why: None };
        for event in plan::settle(record, &look).into_iter().chain([end]) {
            let told = journal.append_for(record.plan, Clock::Real.now(), event);
            told.map_err(|error| journal_error(path, error))?;
        }
    }
    Ok(())
}

/// Carries a plan out, which may undo another.
fn carry_out(
    plan: (&Plan, Option<u64>),
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
) -> Result<ChangeOutcome, ChangeError> {
    let outcome = run(plan, context, monitor)?;
    Ok(order::restore_order(plan, context, outcome))
}

/// Carry a plan out for the time of something else, and take it back after that. Whoever is killed
/// meanwhile leaves a plan that is recovered.
///
/// # Errors
/// When it cannot even be begun.
pub fn execute_temporarily(
    plan: &Plan,
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
    during: &mut dyn FnMut(),
) -> Result<ChangeOutcome, ChangeError> {
    let outcome = with_runner(context, monitor, |runner| runner.run_temporarily(plan, during))?;
    Ok(order::restore_order((plan, None), context, outcome))
}

pub(super) fn run(
    (plan, undoes): (&Plan, Option<u64>),
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
) -> Result<ChangeOutcome, ChangeError> {
    let empties = plan.steps.iter().any(|step| step.disabled_area().is_some());
    let before = empties.then(|| cgroup::oom_kills(context.root));
    let mut outcome = with_runner(context, monitor, |runner| runner.run(plan, undoes))?;
    if let Some(before) = before {
        outcome.killed = cgroups::oom_kills_between(&before, &cgroup::oom_kills(context.root));
        record_kills(&outcome, context);
    }
    Ok(outcome)
}

/// Records in the journal which processes the kernel killed meanwhile. What came of the plan stands
/// there already, and whoever waits for it is told of them in any case.
fn record_kills(outcome: &ChangeOutcome, ExecutionContext { root, journal, .. }: ExecutionContext<'_>) {
    let opened = boot(root).ok().and_then(|boot| Journal::open(journal, &boot).ok());
    let Some(mut journal) = opened.filter(|_| !outcome.killed.is_empty()) else { return };
    for killed in &outcome.killed {
        let _ = journal.append_for(outcome.plan, Clock::Real.now(), Event::Killed(killed.clone()));
    }
}

fn with_runner(
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
    task: impl FnOnce(&mut Runner<'_>) -> ChangeOutcome,
) -> Result<ChangeOutcome, ChangeError> {
    let ExecutionContext { root, lock, journal, limits } = context;
    let sys = LiveSys::for_root(root, lock).ok_or(ChangeError::Captured)?;
    let opened = Journal::open(journal, &boot(root)?);
    let mut journal = opened.map_err(|error| ChangeError::File { path: journal.to_owned(), error })?;
    let mut runner = Runner {
        sys: &sys,
        look: &LiveMachine::new(root),
        journal: &mut journal,
        clock: &Clock::Real,
        limits,
        begun: Clock::Real.now(),
        monitor,
    };
    let outcome = task(&mut runner);
    Ok(ChangeOutcome { emptied: DrainTime::from_duration(journal.drain_time()), ..outcome })
}
