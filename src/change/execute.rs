//! Executes proposals under the lock, on the machine as it is then.

use super::move_pages::{Moved, MovedSubject};
use super::propose::{Proposal, planned};
use super::{ChangeAttempt, ChangeError, ChangeTarget, Intent, ObservedMachine, order};
use crate::actions::Step;
use crate::actions::check::{CGROUP, READS};
use crate::actions::estimate::DrainTime;
use crate::actions::journal::{self, Event, Journal, JournalStore, PlanEnd, Record};
use crate::actions::limits::ChangeLimits;
use crate::actions::monitor::Monitor;
use crate::actions::plan::{self, Plan, UnreadablePlan};
use crate::actions::run::{ChangeOutcome, Progress, Runner};
use crate::clock::Clock;
use crate::derive::cgroups;
use crate::model::users::OomKills;
use crate::probes::cgroup;
use crate::sys::{self, LiveSys, Lock, Sys};

/// The context of an execution: machine, lock, journal and limits.
#[derive(Clone, Copy, Debug)]
pub struct ExecutionContext<'a> {
    /// The machine.
    pub target: ChangeTarget<'a>,
    /// The lock on changes of its swap; a simulated machine needs none.
    pub lock: Option<&'a Lock>,
    /// The journal.
    pub journal: &'a JournalStore,
    /// Limits at which the change stops or pauses.
    pub limits: ChangeLimits,
}

/// The response to a plan that has changed since it was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfChanged {
    /// Refuse: a person has confirmed the old plan.
    Refuse,
    /// Use the new plan: the change was requested, not the plan.
    PlanAnew,
}

/// Executes a proposal. Fails before any change if the machine has changed or a check refuses it
/// now.
pub fn execute(
    context: ExecutionContext<'_>,
    proposal: &Proposal,
    monitor: &mut dyn Monitor<Progress>,
) -> ChangeAttempt<ChangeOutcome> {
    let again = plan_again(context, proposal, IfChanged::Refuse)?;
    execute_replanned(context, &again, monitor)
}

/// Plans again now that the lock is held, because the machine may have changed. The costs stay
/// valid if the plan is the same.
pub fn plan_again(
    context: ExecutionContext<'_>,
    proposal: &Proposal,
    if_changed: IfChanged,
) -> ChangeAttempt<Proposal> {
    let machine = ObservedMachine::observe_parts(context.target, proposal.parts);
    let (intent, options) = (proposal.intent.clone(), proposal.options.clone());
    let again = planned(&machine, context.journal, intent, options)?;
    let is_like = again.plan.is_like(&proposal.plan);
    if !is_like && if_changed == IfChanged::Refuse {
        return Err(ChangeError::Busy(
            "swap has changed since the plan was made: make the plan again".to_owned(),
        ));
    }
    if let Some(check) = again.refusal() {
        return Err(ChangeError::Busy(format!("no longer possible: {}", check.text)));
    }
    let costs = if is_like {
        proposal.costs.clone()
    } else {
        super::propose::costs(&machine, &again.plan, context.journal)
    };
    Ok(Proposal { costs, setup: proposal.setup.clone(), ..again })
}

/// Executes a plan made under the lock, and closes the plans it recovers.
pub fn execute_replanned(
    context: ExecutionContext<'_>,
    proposal: &Proposal,
    monitor: &mut dyn Monitor<Progress>,
) -> ChangeAttempt<ChangeOutcome> {
    // The check found no failed read, or they were accepted. Others may follow until an area is drained.
    let accepts = |name| proposal.options.accepted_risks.iter().any(|risk| risk == name);
    let limits =
        ChangeLimits { loses_pages: accepts(READS), may_kill: accepts(CGROUP), ..context.limits };
    let context = ExecutionContext { limits, ..context };
    if proposal.intent == Intent::Recover {
        return recover(context, proposal, monitor);
    }
    let subject = moved_subject(&proposal.intent);
    let moved = || subject.as_ref().and_then(|it| Moved::read(context.target.root(), it));
    let before = moved();
    let outcome = run_and_restore_order((&proposal.plan, proposal.undoes), context, monitor)?;
    let moved = before.zip(moved()).map(|(before, after)| before.to(&after));
    let outcome = outcome.with_expected(&proposal.costs);
    Ok(ChangeOutcome { remark: moved.or(outcome.remark), ..outcome })
}

/// Whose pages an intent moves by hand.
#[expect(clippy::wildcard_enum_match_arm, reason = "other intents move no pages by hand")]
fn moved_subject(intent: &Intent) -> Option<MovedSubject<'_>> {
    match intent {
        Intent::SwapIn(pid) => Some(MovedSubject::Process(*pid)),
        Intent::Reclaim(group, ..) => Some(MovedSubject::Cgroup(group)),
        _ => None,
    }
}

/// Repairs interrupted changes, restores the order of default priorities, and closes the plans in
/// the journal.
fn recover(
    context: ExecutionContext<'_>,
    proposal: &Proposal,
    monitor: &mut dyn Monitor<Progress>,
) -> ChangeAttempt<ChangeOutcome> {
    let (open, unreadable) = open_records(context)?;
    let why_left = unreadable.iter().map(UnreadablePlan::describe).reduce(|a, b| a + "; " + &b);
    if let (true, true, Some(why)) = (open.is_empty(), proposal.plan.steps.is_empty(), &why_left) {
        return Err(ChangeError::Unreadable(why.clone()));
    }
    let outcome = if proposal.plan.steps.is_empty() {
        let last = open.last().map_or(0, |record| record.plan);
        let ordered = order::restore_after_interruption(context, last);
        ordered.unwrap_or_else(|| ChangeOutcome::ended(last, PlanEnd::Recovered, None))
    } else {
        let outcome = run_and_restore_order((&proposal.plan, None), context, monitor)?;
        outcome.with_expected(&proposal.costs)
    };
    if !matches!(outcome.end, PlanEnd::Done | PlanEnd::Recovered) {
        return Ok(outcome);
    }
    let why = match close_interrupted(context, &open) {
        Ok(()) => why_left,
        Err(failure) => {
            Some(format!("everything is repaired, but the journal cannot record it: {failure}"))
        }
    };
    Ok(match why {
        Some(_) => ChangeOutcome { end: PlanEnd::Partial, why, ..outcome },
        None => outcome,
    })
}

/// Returns the interrupted or partly done plans that can be recovered, and those that cannot be examined.
fn open_records(
    context: ExecutionContext<'_>,
) -> ChangeAttempt<(Vec<Record>, Vec<UnreadablePlan>)> {
    let ExecutionContext { target, journal, .. } = context;
    let boot = target.boot()?;
    let mut records = journal::read(journal).map_err(|error| journal_error(journal, error))?;
    let recovery = plan::plan_recovery(&records, &*target.view(), &boot);
    let unreadable =
        recovery.map_err(|refusal| ChangeError::Unreadable(refusal.to_string()))?.unreadable;
    records.retain(|record| {
        record.is_open(&boot) && !unreadable.iter().any(|it| it.plan == record.plan)
    });
    Ok((records, unreadable))
}

fn journal_error(journal: &JournalStore, error: std::io::Error) -> ChangeError {
    ChangeError::file(journal.path(), error)
}

/// Records which steps of these plans are in effect, and closes the plans.
fn close_interrupted(context: ExecutionContext<'_>, open: &[Record]) -> ChangeAttempt<()> {
    if open.is_empty() {
        return Ok(());
    }
    let ExecutionContext { target, journal: store, .. } = context;
    let look = target.view();
    let mut journal =
        Journal::open(store, &target.boot()?).map_err(|error| journal_error(store, error))?;
    if target.root().is_live() {
        let saved = open.iter().flat_map(|record| &record.steps);
        saved
            .filter(|step| matches!(step, Step::Save { .. }))
            .for_each(|step| sys::remove_unfinished(step.subject()));
    }
    for record in open {
        let end = Event::End { end: PlanEnd::Recovered, why: None };
        for event in plan::settle(record, &*look).into_iter().chain([end]) {
            let appended = journal.append_for(record.plan, Clock::Real.now(), event);
            appended.map_err(|error| journal_error(store, error))?;
        }
    }
    Ok(())
}

/// Executes a plan, which may undo another one.
fn run_and_restore_order(
    plan: (&Plan, Option<u64>),
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
) -> ChangeAttempt<ChangeOutcome> {
    let outcome = run_counting_kills(plan, context, monitor)?;
    Ok(order::restore_order(plan, context, outcome))
}

/// Executes a temporary plan around `during`, and undoes it afterwards. If the process is killed
/// meanwhile, recovery undoes the plan.
pub fn execute_temporarily(
    plan: &Plan,
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
    during: &mut dyn FnMut(),
) -> ChangeAttempt<ChangeOutcome> {
    let mut before = None;
    let mut during = || {
        during();
        // Pages of others may be on the temporary areas. What the kernel kills earlier is told with the run.
        before = Some(cgroup::oom_kills(context.target.root()));
    };
    let mut outcome =
        with_runner(context, monitor, |runner| runner.run_temporarily(plan, &mut during))?;
    if let Some(before) = before {
        count_kills(&mut outcome, &before, context);
    }
    Ok(order::restore_order((plan, None), context, outcome))
}

pub(super) fn run_counting_kills(
    (plan, undoes): (&Plan, Option<u64>),
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
) -> ChangeAttempt<ChangeOutcome> {
    let drains_area = plan.steps.iter().any(|step| step.disabled_area().is_some());
    let before = drains_area.then(|| cgroup::oom_kills(context.target.root()));
    let mut outcome = with_runner(context, monitor, |runner| runner.run(plan, undoes))?;
    if let Some(before) = before {
        count_kills(&mut outcome, &before, context);
    }
    Ok(outcome)
}

/// Notes which processes the kernel killed since these counters were read, also in the journal. A failure to write that
/// is ignored, because the outcome reports them anyway.
fn count_kills(
    outcome: &mut ChangeOutcome,
    before: &OomKills,
    ExecutionContext { target, journal, .. }: ExecutionContext<'_>,
) {
    outcome.killed = cgroups::oom_kills_between(before, &cgroup::oom_kills(target.root()));
    let opened = target.boot().ok().and_then(|boot| Journal::open(journal, &boot).ok());
    let Some(mut journal) = opened.filter(|_| !outcome.killed.is_empty()) else { return };
    for killed in &outcome.killed {
        let _ = journal.append_for(outcome.plan, Clock::Real.now(), Event::Killed(killed.clone()));
    }
}

fn with_runner(
    context: ExecutionContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
    task: impl FnOnce(&mut Runner<'_>) -> ChangeOutcome,
) -> ChangeAttempt<ChangeOutcome> {
    let ExecutionContext { target, lock, journal: store, limits } = context;
    let live;
    let (sys, clock): (&dyn Sys, Clock) = match target {
        ChangeTarget::Simulated(machine) => (machine, machine.clock()),
        ChangeTarget::Files(root) => {
            let locked = lock.and_then(|lock| LiveSys::for_root(root, lock));
            live = locked.ok_or(ChangeError::Captured)?;
            (&live, Clock::Real)
        }
    };
    let opened = Journal::open(store, &target.boot()?);
    let mut journal = opened.map_err(|error| journal_error(store, error))?;
    let mut runner = Runner {
        sys,
        look: &*target.view(),
        journal: &mut journal,
        clock: &clock,
        limits,
        begun: clock.monotonic(),
        monitor,
    };
    let outcome = task(&mut runner);
    Ok(ChangeOutcome {
        emptied: DrainTime::from_duration(journal.emptying),
        failed_reads: journal.failed_reads,
        ..outcome
    })
}
