//! The plan for an intent, before it is checked.

use super::rebalance::Diagnosis;
use super::state::StateComparison;
use super::{BootConfig, ObservedMachine};
use crate::actions::Step;
use crate::actions::check::Check;
use crate::actions::journal::JournalStore;
use crate::actions::persist::{BootArea, Goal};
use crate::actions::plan::Plan;
use crate::actions::rebalance::{Rebalance, RebalanceFinding};
use crate::model::Name;
use crate::model::activation::Priority;
use crate::model::swaparea::SwapArea;

/// The ID of the note that says why a plan has no steps where nothing is in effect either.
pub(super) const NOTHING_THERE: &str = "nothing-there";

/// The ID of the notes that say why a plan does not do some of the work.
pub(super) const LEFT_OUT: &str = "left-out";

/// The inputs of a draft: machine, journal and accepted risks.
#[derive(Clone, Copy, Debug)]
pub(super) struct DraftContext<'a> {
    pub(super) machine: &'a ObservedMachine<'a>,
    pub(super) journal: &'a JournalStore,
    pub(super) accepted_risks: &'a [String],
}

/// A plan with notes, and the part of it that can be applied at boot.
#[derive(Clone, Debug, Default)]
pub(super) struct PlanDraft {
    /// The plan.
    pub(super) plan: Plan,
    /// The plan that this one undoes, if any.
    pub(super) undoes: Option<u64>,
    /// The part that can be applied at boot; `None` if nothing can.
    pub(super) goals: Option<Vec<Goal>>,
    /// Checks about what the plan leaves out, and about events since the plan that it undoes.
    pub(super) notes: Vec<Check>,
    /// The findings that the plan corrects.
    pub(super) findings: Vec<RebalanceFinding>,
    /// Numbers of the zram devices concerned.
    pub(super) zram: Vec<u64>,
    /// The differences that the plan removes, if it leads to a wanted state.
    pub(super) state: Option<Box<StateComparison>>,
}

impl PlanDraft {
    /// A draft that cannot be applied at boot.
    pub(super) fn from_plan(plan: Plan) -> Self {
        Self { plan, ..Self::default() }
    }

    /// A draft with the goals that apply it at boot.
    pub(super) fn with_goals(plan: Plan, goals: Vec<Goal>) -> Self {
        Self { goals: Some(goals), ..Self::from_plan(plan) }
    }

    /// Adds the plan of a part, with its notes, goals and figures of zram. At boot an area has the options of the last
    /// part that enables it: of two lines of fstab for one area, the first would count.
    pub(super) fn add(&mut self, part: Self) {
        self.plan.steps.extend(part.plan.steps);
        self.notes.extend(part.notes);
        self.zram.extend(part.zram);
        let goals = self.goals.get_or_insert_default();
        for goal in part.goals.unwrap_or_default() {
            match goals.iter_mut().find_map(|earlier| same_area(earlier, &goal)) {
                Some((area, later)) => {
                    area.priority = later.priority.or(area.priority);
                    area.discard = later.discard.or(area.discard);
                }
                None => goals.push(goal),
            }
        }
    }

    /// The draft that corrects the findings of a strategy. At boot it also corrects the priorities that
    /// are right now and that a file gives otherwise.
    pub(super) fn from_diagnosis(diagnosis: &Diagnosis, machine: &ObservedMachine<'_>) -> Self {
        let Rebalance { plan, findings } = diagnosis.rebalance.clone();
        let put_on = plan.steps.iter().filter_map(Step::enabled_area);
        let put_on = put_on.map(|area| (area.path.clone(), area.priority));
        let config = BootConfig::read_config(machine);
        let entries = config.checked_entries(machine);
        let is_changed = |area: &SwapArea| plan.steps.iter().any(|it| *it.subject() == area.path);
        let differs = |area: &&SwapArea| {
            !is_changed(area) && entries.iter().any(|entry| entry.changes_priority(area))
        };
        let kept = diagnosis.areas(machine).filter(differs);
        let kept = kept.map(|area| (area.path.clone(), Priority::from_shown(area.priority)));
        let goals = priorities_at_boot(put_on.chain(kept));
        Self { findings, ..Self::with_goals(plan, goals) }
    }
}

/// The area that both goals enable, with the options of each.
fn same_area<'g>(
    earlier: &'g mut Goal,
    later: &'g Goal,
) -> Option<(&'g mut BootArea, &'g BootArea)> {
    let (Goal::On(area), Goal::On(later)) = (earlier, later) else { return None };
    (area.path == later.path).then_some((area, later))
}

/// The goals that give areas these priorities at boot.
pub(super) fn priorities_at_boot(wishes: impl Iterator<Item = (Name, Priority)>) -> Vec<Goal> {
    let goal =
        |(path, priority)| Goal::On(BootArea { path, priority: Some(priority), discard: None });
    wishes.map(goal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_priority_of_an_area_counts_at_boot() {
        let on = |path: &str, number| {
            let priority = Some(Priority::Set(number));
            Goal::On(BootArea { path: path.into(), priority, discard: None })
        };
        let draft = |goals| PlanDraft::with_goals(Plan::default(), goals);
        let mut all = draft(vec![on("/dev/sda", 100), on("/dev/sdb", 50)]);
        all.add(draft(vec![on("/dev/sda", 10)]));
        assert_eq!(all.goals, Some(vec![on("/dev/sda", 10), on("/dev/sdb", 50)]));
    }
}
