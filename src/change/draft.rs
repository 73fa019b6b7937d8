//! The plan that an intent comes to on a machine, before it is checked.

use crate::actions::Step;
use crate::actions::check::Check;
use crate::actions::persist::{Goal, BootArea};
use crate::actions::plan::Plan;
use crate::actions::rebalance::{RebalanceFinding, Rebalance};
use crate::model::Name;
use crate::model::activation::Priority;

/// A plan with what is to be said of it, and what of it can be applied at boot.
#[derive(Clone, Debug)]
pub(super) struct PlanDraft {
    /// The steps.
    pub(super) plan: Plan,
    /// The plan that it undoes.
    pub(super) undoes: Option<u64>,
    /// The part of it that can be applied at boot; none where nothing of it can.
    pub(super) goals: Option<Vec<Goal>>,
    /// Checks of what it leaves out, and of what has happened since the plan that it undoes.
    pub(super) notes: Vec<Check>,
    /// The findings that it puts right.
    pub(super) findings: Vec<RebalanceFinding>,
    /// The zram device that it is about.
    pub(super) zram: Option<u64>,
}

impl PlanDraft {
    /// A plan that cannot be applied at boot.
    pub(super) fn from_plan(plan: Plan) -> Self {
        Self {
            plan,
            undoes: None,
            goals: None,
            notes: Vec::new(),
            findings: Vec::new(),
            zram: None,
        }
    }

    /// A plan with what makes it apply at boot.
    pub(super) fn with_goals(plan: Plan, goals: Vec<Goal>) -> Self {
        Self { goals: Some(goals), ..Self::from_plan(plan) }
    }

    /// The plan that corrects the findings of a strategy.
    pub(super) fn from_rebalance(found: Rebalance) -> Self {
        let put_on = found.plan.steps.iter().filter_map(Step::enabled_area);
        let goals = priorities_at_boot(put_on.map(|area| (area.path.clone(), area.priority)));
        Self { findings: found.findings, ..Self::with_goals(found.plan, goals) }
    }
}

/// The goals for the boot that give areas these priorities.
pub(super) fn priorities_at_boot(wishes: impl Iterator<Item = (Name, Priority)>) -> Vec<Goal> {
    let goal = |(path, priority)| Goal::On(BootArea { path, priority: Some(priority), discard: None });
    wishes.map(goal).collect()
}
