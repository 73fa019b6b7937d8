//! Default priorities that the kernel brought out of order: when a plan was stopped or failed, and
//! when areas came back that had been off.

use super::execute::{ExecutionContext, run};
use super::{ObservedMachine, boot};
use crate::actions::Step;
use crate::actions::check::{Check, CheckVerdict};
use crate::actions::journal::{self, PlanEnd, PlanPurpose, Record};
use crate::actions::limits::ChangeLimits;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::{self, Plan};
use crate::actions::run::{ChangeOutcome, Progress};
use crate::actions::messages;
use crate::model::{Bytes, Name};
use crate::probes::{psi, swaps};
use crate::root::Root;
use std::ops::ControlFlow;
use std::path::Path;

/// Which plan began with the order that is wanted, by the plans of the journal and this boot.
type FirstPlanFinder<'a> = dyn Fn(&[Record], &str) -> Option<u64> + 'a;

/// In a larger percentage of the last 10 seconds than this, all tasks waited for memory: then nothing
/// is taken off that nobody named, empty as it is.
const CALM_PSI: f64 = 1.0;

/// What stops it then.
const LIMITS: ChangeLimits = ChangeLimits { timeout: None, max_psi: Some(CALM_PSI), pace: None };

/// Nobody follows it: it takes no time, and leads back to how things were.
struct Unattended;

impl Monitor<Progress> for Unattended {
    fn event(&mut self, _: Progress) -> ControlFlow<StopReason> {
        ControlFlow::Continue(())
    }
}

/// That memory is short, if it is; a kernel that does not tell says nothing of it.
fn memory_shortage(root: &Root) -> Option<String> {
    let memory = psi::pressure(root, "proc/pressure/memory");
    let full = || Some(memory.known()?.full.known()?.avg10);
    let reason = LIMITS.stop_reason(0.0, full)?;
    Some(format!("{reason}, which is above {CALM_PSI}%"))
}

/// What the order needs.
#[derive(Debug)]
pub struct OrderRepair {
    /// The areas that have a path to them, as they belong.
    wanted: Vec<Name>,
    /// What puts those into their order; nothing where they are in it.
    back: Option<Plan>,
    /// How much that moves.
    moves: Bytes,
    /// Why it must not be done unasked, though it moves nothing.
    why: Option<String>,
}

impl OrderRepair {
    /// The plan that is carried out unasked.
    pub fn automatic_plan(&self) -> Option<&Plan> {
        self.back.as_ref().filter(|_| self.moves == Bytes(0) && self.why.is_none())
    }

    /// What is told when it is not carried out, of a plan that ended so.
    fn not_restored_text(&self, end: PlanEnd) -> String {
        let wanted = self.back.as_ref().map_or(&[][..], |_| &self.wanted);
        messages::order_not_restored(end, wanted, self.moves, self.why.as_deref())
    }

    /// What `recover` would do about it.
    pub fn pending_text(&self) -> String {
        match self.automatic_plan() {
            Some(_) => messages::order_pending(&self.wanted, self.moves),
            None => self.not_restored_text(PlanEnd::Recovered),
        }
    }
}

/// Put them back where that moves nothing; otherwise whoever stopped the plan did not want to wait,
/// and is told how. The outcome tells what was done, or is to be done; or it is that of putting back,
/// where that went wrong.
pub(super) fn restore_order(
    (plan, undoes): (&Plan, Option<u64>),
    context: ExecutionContext<'_>,
    mut outcome: ChangeOutcome,
) -> ChangeOutcome {
    let number = outcome.plan;
    let since: &FirstPlanFinder<'_> = match outcome.end {
        PlanEnd::Undone | PlanEnd::Partial | PlanEnd::Returned => &|_, _| Some(number),
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

/// What came of a plan whose order could not be put back: the plan that has to be recovered, with
/// what became of the first one.
fn join_outcomes(outcome: &ChangeOutcome, worse: ChangeOutcome) -> ChangeOutcome {
    let was = match outcome.end {
        PlanEnd::Undone => "not done",
        PlanEnd::Returned => "taken back",
        PlanEnd::Partial => "left in part",
        PlanEnd::Done | PlanEnd::Recovered | PlanEnd::Dismissed => "done",
    };
    let first_why = outcome.why.as_deref().map_or_else(String::new, |why| format!(" ({why})"));
    let then = worse.why.unwrap_or_default();
    let why = format!(
        "plan {} was {was}{first_why}; then the order of default priorities was to be put back: {then}",
        outcome.plan
    );
    let remark = outcome.remark.clone().or(worse.remark);
    let killed = [outcome.killed.clone(), worse.killed].concat();
    ChangeOutcome { why: Some(why), remark, emptied: outcome.emptied, killed, ..worse }
}

/// The same where plans were cut off, of which this is the last, that left nothing else to be put
/// right; nothing where the order is as it was.
pub(super) fn restore_after_interruption(context: ExecutionContext<'_>, last: u64) -> Option<ChangeOutcome> {
    Some(match repair(&first_interrupted, (PlanEnd::Done, None), context)? {
        Ok(remark) => ChangeOutcome { remark: Some(remark), ..ChangeOutcome::ended(last, PlanEnd::Done, None) },
        Err(worse) => worse,
    })
}

/// What the order needs then; nothing where it is as it was.
pub fn repair_after_interruption(root: &Root, journal: &Path) -> Option<OrderRepair> {
    plan_repair((&first_interrupted, None), root, journal)
}

/// The first plan that was cut off, and of which is known how areas stood before it.
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
    let mut disorder = plan_repair((since, short), context.root, context.journal)?;
    if let Some(back) = disorder.automatic_plan() {
        let context = ExecutionContext { limits: LIMITS, ..context };
        match run((back, None), context, &mut Unattended) {
            Ok(ChangeOutcome { end: PlanEnd::Done, plan, .. }) => {
                return Some(Ok(messages::order_restored(end, plan)));
            }
            Ok(worse @ ChangeOutcome { end: PlanEnd::Partial, .. }) => return Some(Err(worse)),
            Ok(ChangeOutcome { why, .. }) => disorder.why = why,
            Err(failure) => disorder.why = Some(failure.to_string()),
        }
    }
    Some(Ok(disorder.not_restored_text(end)))
}

/// What the order needs since some plan, of which the last one ended for this want of memory, if it did.
fn plan_repair(
    (since, short): (&FirstPlanFinder<'_>, Option<String>),
    root: &Root,
    journal: &Path,
) -> Option<OrderRepair> {
    let now = swaps::read(root);
    let now = now.known()?;
    if plan::order::default_order(now).is_empty() {
        return None;
    }
    // What cannot be read tells of nothing.
    let (records, boot) = (journal::read(journal).ok()?, boot(root).ok()?);
    let wanted = plan::order::reconstruct_order(&records, since(&records, &boot)?, &boot)?.order_to_restore(now)?;
    for_order(&wanted, short, &ObservedMachine::observe(root))
}

fn for_order(wanted: &[Name], memory: Option<String>, machine: &ObservedMachine<'_>) -> Option<OrderRepair> {
    let now = machine.areas().ok()?;
    let restored = |wanted: &[Name]| plan::order::restore_plan(wanted, now, machine.discards().ok()?);
    let all = restored(wanted)?;
    let is_deleted = |path: &Name| now.iter().any(|area| area.path == *path && area.deleted);
    let gone = all.steps.iter().map(Step::subject).find(|path| is_deleted(path)).cloned();
    // Such an area could not be put on again, and no command takes its name.
    let wanted: Vec<Name> = wanted.iter().filter(|path| !is_deleted(path)).cloned().collect();
    let back = if gone.is_some() { restored(&wanted) } else { Some(all) };
    let steps = back.as_ref().map_or(&[][..], |back| &back.steps);
    let moves = Bytes(steps.iter().map(|step| step.moves(now).0).sum());
    let why = gone
        .as_ref()
        .map(|path| format!("{} was deleted, and could not be put on again", path.safe()))
        .or(memory)
        .or_else(|| memory_shortage(machine.root))
        .or_else(|| reason_against(back.as_ref()?, machine));
    Some(OrderRepair { wanted, back, moves, why })
}

/// What stands against it: what would refuse the command, and what the areas would lose.
fn reason_against(back: &Plan, machine: &ObservedMachine<'_>) -> Option<String> {
    let lost = |check: &Check| check.id == "discard";
    let stands = |check: &Check| check.verdict == CheckVerdict::Refuse || lost(check);
    machine.checks(back, &[]).into_iter().find(stands).map(|check| check.text)
}

#[cfg(test)]
mod tests;
