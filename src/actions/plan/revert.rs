//! Plans that undo a plan or repair interrupted ones.

use super::{Plan, PlanRefusal, is_last};
use crate::actions::journal::{Event, PlanEnd, PlanPurpose, RECOVERY, Record, StepDirection};
use crate::actions::{MachineView, Step, StepState, step, storage};
use crate::model::Name;
use crate::model::activation::Activation;

/// Plans to undo the steps of a plan that are still in effect, unless somebody changed the same
/// things since.
pub fn undo(record: &Record, look: &dyn MachineView, boot: &str) -> Result<Plan, PlanRefusal> {
    if record.end() == Some(PlanEnd::Dismissed) {
        return Err(PlanRefusal::Dismissed(record.plan));
    }
    let is_of_this_boot = record.boot == boot;
    let made = steps_still_in_effect(record, look, is_of_this_boot);
    let made = made.map_err(PlanRefusal::Unreadable)?;
    let made = made.iter().rev().filter_map(|number| record.steps.get(*number));
    let steps = steps_left_to_undo(record.plan, made.filter_map(Step::inverse), look)?;
    if steps.is_empty() {
        let (number, nothing) = (record.plan, PlanRefusal::Nothing);
        return Err(if is_of_this_boot { nothing(number) } else { PlanRefusal::OtherBoot(number) });
    }
    let title = format!("undo plan {}: {}", record.plan, record.title);
    let areas = step::known_or_reason(look.areas()).map_err(PlanRefusal::Unreadable)?;
    let steps = storage::with_areas_off(steps, &areas, look);
    Ok(Plan::on_areas(&areas, title, steps))
}

/// The steps of these that somebody has not made already. An area that somebody disabled stays disabled.
fn steps_left_to_undo(
    plan: u64,
    all: impl Iterator<Item = Step>,
    look: &dyn MachineView,
) -> Result<Vec<Step>, PlanRefusal> {
    let (mut steps, mut disabled): (Vec<Step>, Vec<Name>) = (Vec::new(), Vec::new());
    for step in all {
        let subject = step.subject();
        if matches!(step, Step::On { .. } | Step::Renew { .. }) && disabled.contains(subject) {
            continue;
        }
        // A later step finds what an earlier one leaves, so its own check would fail now. Disabling an area leaves its
        // file and header as they are.
        let is_later = steps.iter().any(|earlier| {
            earlier.subject() == subject && (step.is_of_areas() || !earlier.is_of_areas())
        });
        let state = if is_later { Ok(StepState::Before) } else { step.state(look) };
        match state.map_err(PlanRefusal::Unreadable)? {
            StepState::Before => steps.push(step),
            StepState::After => disabled.extend(step.disabled_area().map(|area| area.path.clone())),
            StepState::Missing if matches!(step, Step::Renew { .. }) => {
                disabled.push(subject.clone());
            }
            StepState::Missing | StepState::Other => {
                return Err(PlanRefusal::Changed { plan, subject: subject.clone() });
            }
        }
    }
    Ok(steps)
}

/// Whether a step can still be in effect: changes of a kernel end with its boot, changes on disk
/// remain.
fn can_be_in_effect(step: &Step, is_of_this_boot: bool) -> bool {
    is_of_this_boot || step.outlasts_boot()
}

/// The steps of a plan that are still in effect. For the step that was in progress when the plan
/// was interrupted, the machine decides, even if `recover` closed the plan without recording it.
fn steps_still_in_effect(
    record: &Record,
    look: &dyn MachineView,
    is_of_this_boot: bool,
) -> Result<Vec<usize>, String> {
    let step = |number: usize| {
        let is_left = |step: &&Step| can_be_in_effect(step, is_of_this_boot) && !step.is_gone(look);
        record.steps.get(number).filter(is_left)
    };
    let mut standing = record.steps_in_effect();
    standing.retain(|number| step(*number).is_some());
    let interrupted = record.interrupted_step().and_then(|number| Some((number, step(number)?)));
    let Some((number, step)) = interrupted else { return Ok(standing) };
    let state = step.state(look)?;
    if state == StepState::Before {
        standing.retain(|other| *other != number);
    } else if state == StepState::After && !standing.contains(&number) {
        standing.push(number);
    }
    Ok(standing)
}

/// Events that record what the machine shows of the steps of an interrupted plan, where its own
/// events differ: they are added before its end, so that it can be undone.
pub fn settle(record: &Record, look: &dyn MachineView) -> Vec<Event> {
    let standing = record.steps_in_effect();
    // Of the steps in effect on one device only the last one can be seen: an area that is on again does not show
    // that it was off. If that one is gone, the one before it can be seen.
    let mut covered = Vec::new();
    let mut events = Vec::new();
    for (number, step) in record.steps.iter().enumerate().rev() {
        let is_tried = record.last_direction(number).is_some();
        if !is_tried || !step.is_observable() || covered.contains(&step.device()) {
            continue;
        }
        if is_rolled_back(record, &step.device(), look) {
            let is_standing = standing.contains(&number);
            events.extend(is_standing.then_some(undone_event(number)));
            continue;
        }
        let back = match (standing.contains(&number), step.state(look)) {
            // Whoever made an undone change again meant it to stay.
            (false, Ok(StepState::After)) if !record.was_reverted(number) => false,
            (true, Ok(StepState::Before)) => true,
            (is_standing, _) => {
                covered.extend(is_standing.then(|| step.device()));
                continue;
            }
        };
        events.push(Event::Made { step: number, back, moved: 0, seconds: 0.0 });
    }
    events.reverse();
    events
}

fn undone_event(step: usize) -> Event {
    Event::Made { step, back: true, moved: 0, seconds: 0.0 }
}

/// Whether a plan disabled an area, changed its device, and both are as before. That the area is active does not show it:
/// it would be after the plan too.
fn is_rolled_back(record: &Record, device: &Name, look: &dyn MachineView) -> bool {
    let tried = || {
        let steps = record.steps.iter().enumerate().filter(|(_, step)| step.device() == *device);
        steps.filter(|(number, _)| record.last_direction(*number).is_some()).map(|(_, step)| step)
    };
    let is_before = |step: &Step| {
        step.state(look) == Ok(StepState::Before) && step.is_half_done(look) == Ok(false)
    };
    tried().any(|step| matches!(step, Step::Off { .. }) && is_before(step))
        && tried().any(|step| !step.is_of_areas() && is_before(step))
}

/// The repair of interrupted plans.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// The plan that repairs all plans but the unreadable ones.
    pub plan: Plan,
    /// The plans that cannot be examined, last first.
    pub unreadable: Vec<UnreadablePlan>,
}

/// An interrupted plan whose steps cannot be examined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadablePlan {
    /// Number of the plan.
    pub plan: u64,
    /// The reason.
    pub why: String,
}

impl UnreadablePlan {
    /// Says that recovery leaves the plan as it is, and why.
    pub fn describe(&self) -> String {
        format!("plan {} is not repaired: {}", self.plan, self.why)
    }
}

/// Plans to repair interrupted or partly undone plans; what an interrupted recovery was to repair
/// is examined again. An area left disabled is enabled as the last plan that touched it intended. A
/// plan that changed more than areas is rolled back, unless it was completed and meant to stay, or its
/// steps are independent. A plan whose steps cannot be examined is left, and the others are repaired.
pub fn plan_recovery(
    records: &[Record],
    look: &dyn MachineView,
    boot: &str,
) -> Result<Recovery, PlanRefusal> {
    let areas = step::known_or_reason(look.areas()).map_err(PlanRefusal::Unreadable)?;
    let mut decided: Vec<Name> = Vec::new();
    let (mut steps, mut unreadable) = (Vec::new(), Vec::new());
    for record in records.iter().rev() {
        let (open, is_of_this_boot) = (record.is_open(boot), record.boot == boot);
        let of_areas = !record.is_temporary && record.steps.iter().all(Step::is_of_areas);
        if (!open && !is_of_this_boot) || (open && record.purpose == PlanPurpose::Recovery) {
            continue;
        }
        let mut more = if open && !of_areas {
            let steps = rollback_steps(record, look, is_of_this_boot).unwrap_or_else(|why| {
                unreadable.push(UnreadablePlan { plan: record.plan, why });
                Vec::new()
            });
            if is_of_this_boot {
                storage::with_areas_off(steps, &areas, look)
            } else {
                storage::after_reboot(record, steps, &areas, look)
            }
        } else {
            let missing = |step: &Step| !areas.iter().any(|area| area.path == *step.subject());
            enabling_steps(record, &|step| open && missing(step))
        };
        more.retain(|step| !decided.contains(&step.device()));
        steps.extend(more);
        let standing = record.steps_in_effect();
        let deciding = deciding_steps(record)
            .filter(|(number, step, _)| step.is_of_areas() || standing.contains(number));
        decided.extend(deciding.map(|(_, step, _)| step.device()));
    }
    let plan = Plan::on_areas(&areas, RECOVERY.to_owned(), steps);
    let plan = Plan { purpose: PlanPurpose::Recovery, independent: true, ..plan };
    Ok(Recovery { plan, unreadable })
}

/// The steps of a plan that were tried, last first, with the direction they went. Areas that an
/// interrupted recovery did not enable are skipped.
fn deciding_steps(record: &Record) -> impl Iterator<Item = (usize, &Step, StepDirection)> {
    let standing = record.steps_in_effect();
    record.steps.iter().enumerate().rev().filter_map(move |(number, step)| {
        let is_disabled = matches!(step, Step::On { .. }) && !standing.contains(&number);
        record.last_direction(number).filter(|_| !is_disabled).map(|tried| (number, step, tried))
    })
}

/// Steps that enable the areas which a plan left disabled.
fn enabling_steps(record: &Record, is_left: &dyn Fn(&Step) -> bool) -> Vec<Step> {
    let left = deciding_steps(record).filter(|(_, step, _)| is_left(step));
    let wanted = left.filter_map(|(_, step, tried)| wanted_activation(step, tried));
    wanted.map(|area| Step::On { area: area.clone() }).collect()
}

/// Steps that roll back a plan of which some steps, but not all, are in effect. Independent steps stay;
/// only what one left half done is repaired. After a reboot only steps that outlast the boot count.
fn rollback_steps(
    record: &Record,
    look: &dyn MachineView,
    is_of_this_boot: bool,
) -> Result<Vec<Step>, String> {
    let mut stands = record.steps_in_effect();
    let is_cut = stands.len() < record.steps.len();
    let mut steps = Vec::new();
    let left = |step: &Step| can_be_in_effect(step, is_of_this_boot) && !step.is_gone(look);
    for (number, step) in record.steps.iter().enumerate().rev().filter(|(_, step)| left(step)) {
        // For a step that was in progress or failed, the machine shows how far it came: it may have
        // been completed unnoticed.
        let under_way = record.is_in_progress(number);
        // The journal may have had no room for the undo of a step, which follows one that failed.
        let is_undone = || {
            is_cut && {
                step.is_observable()
                    && is_last(&record.steps, number)
                    && step.state(look) == Ok(StepState::Before)
            }
        };
        let is_active_again = is_active_again(record, number, look);
        let is_standing =
            stands.contains(&number) && !under_way && !is_undone() && !is_active_again;
        if record.last_direction(number).is_none() || is_standing {
            continue;
        }
        stands.retain(|other| *other != number);
        if is_active_again {
            continue;
        }
        match step.state(look)? {
            StepState::After if !record.was_reverted(number) => stands.push(number),
            StepState::Missing if is_removed(record, number, look) => {}
            StepState::Missing => steps.extend(step.repair_step(look)?),
            // The kernel rounds some values, and the step did not come to notice it; a file may be half resized, also by an
            // interrupted recovery.
            StepState::Other | StepState::Before if under_way || step.is_resize() => {
                steps.extend(step.restoring_step(look)?);
            }
            StepState::Before | StepState::After | StepState::Other => {}
        }
    }
    stands.sort_unstable();
    let is_whole = record.is_independent || stands.len() == record.steps.len();
    if is_whole && !record.is_temporary {
        return Ok(steps);
    }
    let stands = stands.iter().rev().filter_map(|number| record.steps.get(*number));
    let stands = stands.filter(|step| left(step));
    for step in stands.filter_map(Step::inverse) {
        let goes_on = steps.iter().any(|before: &Step| before.device() == step.device());
        // An interrupted recovery may have undone it already, or somebody has changed it since.
        match step.state(look)? {
            _ if goes_on => steps.push(step),
            StepState::Before => steps.push(step),
            StepState::Missing => steps.extend(
                step.inverse().and_then(|made| made.repair_step(look).transpose()).transpose()?,
            ),
            StepState::After | StepState::Other => {}
        }
    }
    Ok(steps)
}

/// Whether the plan has disabled the area of this step's device, and the area is active as before: then all that the plan
/// did to the device is undone, since an active device is neither formatted nor set up. A file that is half resized can be
/// active.
fn is_active_again(record: &Record, number: usize, look: &dyn MachineView) -> bool {
    let Some(device) = record.steps.get(number).map(Step::device) else { return false };
    let is_off = |step: &Step| matches!(step, Step::Off { area } if area.path == device);
    let stays_off =
        record.steps.iter().position(is_off).is_some_and(|off| !record.was_reverted(off));
    let is_enabled = |(other, step): (usize, &Step)| {
        // One that failed may have had its effect, and so may its undo.
        step.enabled_area().is_some_and(|area| area.path == device)
            && (record.last_direction(other) == Some(StepDirection::Forward)
                || (stays_off && record.has_failed(other)))
    };
    let is_back = |step: &Step| is_off(step) && step.state(look) == Ok(StepState::Before);
    let is_half_done =
        |step: &Step| step.device() == device && step.is_half_done(look) != Ok(false);
    record.steps.iter().take(number + 1).any(is_back)
        && !record.steps.iter().enumerate().any(is_enabled)
        && !record.steps.iter().any(is_half_done)
}

/// Whether the plan made the file or device of this step, and it is gone again.
fn is_removed(record: &Record, number: usize, look: &dyn MachineView) -> bool {
    let path = record.steps.get(number).map(Step::device);
    record.steps.iter().take(number).any(|made| {
        let makes = matches!(made, Step::File { to: Some(_), .. } | Step::Zram { from: None, .. });
        makes && Some(made.device()) == path && made.state(look) == Ok(StepState::Before)
    })
}

/// How the area of a tried step should be active if its plan goes no further: with the new options
/// if their change was in progress, and otherwise as before the plan.
fn wanted_activation(step: &Step, tried: StepDirection) -> Option<&Activation> {
    let from = step.disabled_area()?;
    match tried {
        StepDirection::Forward => Some(step.enabled_area().unwrap_or(from)),
        StepDirection::Back => Some(from),
    }
}

#[cfg(test)]
mod tests;
