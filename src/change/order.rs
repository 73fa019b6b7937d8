//! Restores the order of default priorities after the kernel changed it: when a plan was stopped or
//! failed, or when disabled areas came back.

use super::execute::{ExecutionContext, run_counting_kills};
use super::{ChangeTarget, ObservedMachine};
use crate::actions::Step;
use crate::actions::check::{Check, CheckVerdict};
use crate::actions::journal::{self, JournalStore, PlanEnd, PlanPurpose, Record};
use crate::actions::limits::ChangeLimits;
use crate::actions::messages;
use crate::actions::monitor::Unattended;
use crate::actions::plan::{self, Plan};
use crate::actions::run::ChangeOutcome;
use crate::model::{Bytes, Name};
use crate::probes::psi;
use crate::root::Root;

/// Finds the plan that began with the wanted order, from the plans of the journal and the boot ID.
type FirstPlanFinder<'a> = dyn Fn(&[Record], &str) -> Option<u64> + 'a;

/// PSI "full" of memory, in percent, above which no area is disabled without a request, even an
/// empty one.
const CALM_PSI: f64 = 1.0;

/// Limits for restoring the order automatically.
const LIMITS: ChangeLimits = ChangeLimits {
    timeout: None,
    max_psi: Some(CALM_PSI),
    pace: None,
    loses_pages: false,
    may_kill: false,
};

/// Says that memory is short, if it is; a kernel without PSI says nothing.
fn memory_shortage(root: &Root) -> Option<String> {
    let memory = psi::pressure(root, "proc/pressure/memory");
    let full = || Some(memory.known()?.full.known()?.avg10);
    let reason = LIMITS.stop_reason(0.0, full)?;
    Some(format!("{reason}, above {CALM_PSI}%"))
}

/// The repair of the order of default priorities.
#[derive(Debug)]
pub struct OrderRepair {
    /// The areas with a valid path, in their proper order.
    wanted: Vec<Name>,
    /// The plan that restores the order; `None` if that is impossible.
    back: Option<Plan>,
    /// Bytes that the plan moves.
    moves: Bytes,
    /// Why the plan must not run automatically, although it moves nothing.
    why: Option<String>,
}

impl OrderRepair {
    /// The plan that is executed automatically.
    pub fn automatic_plan(&self) -> Option<&Plan> {
        self.back.as_ref().filter(|_| self.moves == Bytes(0) && self.why.is_none())
    }

    /// The text when the order is not restored after a plan that ended so.
    fn not_restored_text(&self, end: PlanEnd) -> String {
        let wanted = self.back.as_ref().map_or(&[][..], |_| &self.wanted);
        messages::order_not_restored(end, wanted, self.moves, self.why.as_deref())
    }

    /// Describes what `recover` would do about the order.
    pub fn pending_text(&self) -> String {
        match self.automatic_plan() {
            Some(_) => messages::order_pending(&self.wanted, self.moves),
            None => self.not_restored_text(PlanEnd::Recovered),
        }
    }
}

/// Restores the order where that moves nothing; otherwise the outcome says how to do it, because
/// whoever stopped the plan did not want to wait. If restoring fails, the result is the outcome of
/// the restoring plan.
pub(super) fn restore_order(
    (plan, undoes): (&Plan, Option<u64>),
    context: ExecutionContext<'_>,
    mut outcome: ChangeOutcome,
) -> ChangeOutcome {
    let number = outcome.plan;
    let since: &FirstPlanFinder<'_> = match outcome.end {
        PlanEnd::Undone | PlanEnd::Partial | PlanEnd::Restored => &|_, _| Some(number),
        PlanEnd::Done if plan.purpose == PlanPurpose::Recovery => &first_interrupted,
        PlanEnd::Done if undoes.is_some() => &|_, _| undoes,
        PlanEnd::Done | PlanEnd::Recovered | PlanEnd::Dismissed => return outcome,
    };
    let short = outcome.why.clone().filter(|_| outcome.short);
    match repair(since, (outcome.end, short), context) {
        Some(Ok(remark)) => {
            let first = outcome.remark.map(|first| format!("{first} ")).unwrap_or_default();
            outcome.remark = Some(first + &remark);
        }
        Some(Err(worse)) => return join_outcomes(&outcome, worse),
        None => {}
    }
    outcome
}

/// The outcome when restoring the order failed: that of the restoring plan, which needs recovery,
/// with the result of the first plan.
fn join_outcomes(outcome: &ChangeOutcome, worse: ChangeOutcome) -> ChangeOutcome {
    let was = match outcome.end {
        PlanEnd::Undone => "not done",
        PlanEnd::Restored => "undone",
        PlanEnd::Partial => "partly done",
        PlanEnd::Done | PlanEnd::Recovered | PlanEnd::Dismissed => "done",
    };
    let first_why = outcome.why.as_deref().map_or_else(String::new, |why| format!(" ({why})"));
    let then = worse.why.unwrap_or_default();
    let why = format!(
        "plan {} was {was}{first_why}; then restoring the order of default priorities failed: {then}",
        outcome.plan
    );
    let remark = outcome.remark.clone().or(worse.remark);
    let killed = [outcome.killed.clone(), worse.killed].concat();
    let failed_reads = [outcome.failed_reads.clone(), worse.failed_reads].concat();
    ChangeOutcome {
        why: Some(why),
        remark,
        emptied: outcome.emptied,
        killed,
        failed_reads,
        ..worse
    }
}

/// Restores the order after interrupted plans that left nothing else to repair, of which `last` is
/// the last; `None` if the order is correct.
pub(super) fn restore_after_interruption(
    context: ExecutionContext<'_>,
    last: u64,
) -> Option<ChangeOutcome> {
    Some(match repair(&first_interrupted, (PlanEnd::Done, None), context)? {
        Ok(remark) => ChangeOutcome {
            remark: Some(remark),
            ..ChangeOutcome::ended(last, PlanEnd::Done, None)
        },
        Err(worse) => worse,
    })
}

/// The repair after interrupted plans; `None` if the order is correct.
pub fn repair_after_interruption(root: &Root, journal: &JournalStore) -> Option<OrderRepair> {
    plan_repair((&first_interrupted, None), root.into(), journal)
}

/// The first interrupted plan whose journal entry has the areas before it.
fn first_interrupted(records: &[Record], boot: &str) -> Option<u64> {
    let is_first =
        |record: &&Record| record.is_open(boot) && record.boot == boot && !record.areas.is_empty();
    records.iter().find(is_first).map(|record| record.plan)
}

fn repair(
    since: &FirstPlanFinder<'_>,
    (end, short): (PlanEnd, Option<String>),
    context: ExecutionContext<'_>,
) -> Option<Result<String, ChangeOutcome>> {
    let mut disorder = plan_repair((since, short), context.target, context.journal)?;
    if let Some(back) = disorder.automatic_plan() {
        let context = ExecutionContext { limits: LIMITS, ..context };
        match run_counting_kills((back, None), context, &mut Unattended) {
            Ok(ChangeOutcome { end: PlanEnd::Done, plan, .. }) => {
                return Some(Ok(messages::order_restored(plan)));
            }
            Ok(worse @ ChangeOutcome { end: PlanEnd::Partial, .. }) => return Some(Err(worse)),
            Ok(ChangeOutcome { why, .. }) => disorder.why = why,
            Err(failure) => disorder.why = Some(failure.to_string()),
        }
    }
    Some(Ok(disorder.not_restored_text(end)))
}

/// Plans the repair of the order since some plan, which may have ended for lack of memory.
fn plan_repair(
    (since, short): (&FirstPlanFinder<'_>, Option<String>),
    target: ChangeTarget<'_>,
    journal: &JournalStore,
) -> Option<OrderRepair> {
    let now = target.view().areas();
    let now = now.known()?;
    if plan::order::default_order(now).is_empty() {
        return None;
    }
    // An unreadable journal counts as empty.
    let (records, boot) = (journal::read(journal).ok()?, target.boot().ok()?);
    let wanted = plan::order::reconstruct_order(&records, since(&records, &boot)?, &boot)?
        .order_to_restore(now)?;
    for_order(&wanted, short, &ObservedMachine::observe(target))
}

fn for_order(
    wanted: &[Name],
    memory: Option<String>,
    machine: &ObservedMachine<'_>,
) -> Option<OrderRepair> {
    let now = machine.areas().ok()?;
    let restored =
        |wanted: &[Name]| plan::order::restore_plan(wanted, now, machine.discards().ok()?);
    let all = restored(wanted)?;
    let is_deleted = |path: &Name| now.iter().any(|area| area.path == *path && area.deleted);
    let gone = all.steps.iter().map(Step::subject).find(|path| is_deleted(path)).cloned();
    // A deleted area could not be enabled again, and no command accepts its name.
    let wanted: Vec<Name> = wanted.iter().filter(|path| !is_deleted(path)).cloned().collect();
    let back = if gone.is_some() { restored(&wanted) } else { Some(all) };
    let steps = back.as_ref().map_or(&[][..], |back| &back.steps);
    let moves = Bytes(steps.iter().map(|step| step.moves(now).0).sum());
    let why = gone
        .as_ref()
        .map(|path| format!("{} was deleted and could not be enabled again", path.safe()))
        .or(memory)
        .or_else(|| memory_shortage(machine.root))
        .or_else(|| reason_against(back.as_ref()?, machine));
    Some(OrderRepair { wanted, back, moves, why })
}

/// Why restoring is not safe: a check that would refuse it, or attributes that areas would lose.
fn reason_against(back: &Plan, machine: &ObservedMachine<'_>) -> Option<String> {
    let lost = |check: &Check| check.id == "discard";
    let stands = |check: &Check| check.verdict == CheckVerdict::Refuse || lost(check);
    machine.checks(back, &[]).into_iter().find(stands).map(|check| check.text)
}

#[cfg(test)]
mod tests;
