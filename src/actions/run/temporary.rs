//! Temporary plans: applied for the time of something else, and undone afterwards.
//!
//! Meanwhile the plan stays open in the journal: if the process is killed, recovery undoes it.

use super::{ChangeOutcome, FailureKind, Reasons, Runner, StepState};
use crate::actions::Step;
use crate::actions::journal::{Event, PlanEnd};
use crate::actions::plan::{self, Plan};

impl Runner<'_> {
    /// Executes a plan, calls `during`, and undoes the plan. `during` is called only if the whole
    /// plan was applied.
    pub fn run_temporarily(&mut self, plan: &Plan, during: &mut dyn FnMut()) -> ChangeOutcome {
        if let Err(why) = self.begin(plan, None, true) {
            return ChangeOutcome::ended(self.journal.plan(), PlanEnd::Undone, Some(why));
        }
        let mut reasons = Reasons::default();
        let (made, tried) = self.apply_until_failure(plan, &mut reasons);
        let is_whole = reasons.is_empty();
        if is_whole {
            during();
        }
        let left = self.steps_to_undo(plan, made);
        let mut end = self.undo_steps(plan, &left, tried, &mut reasons);
        if is_whole && end == PlanEnd::Undone {
            end = PlanEnd::Returned;
        }
        self.end(plan, end, &reasons)
    }

    /// Executes steps until one fails; returns the completed ones, and how many were tried.
    fn apply_until_failure(&mut self, plan: &Plan, reasons: &mut Reasons) -> (Vec<usize>, usize) {
        let mut expected_areas = plan.relies_on.clone();
        let mut made = Vec::new();
        for (number, step) in plan.steps.iter().enumerate() {
            let result = self.try_step(plan, (number, step), &expected_areas);
            if result.is_made {
                plan::apply_step(step, &mut expected_areas);
                made.push(number);
            }
            if let Some(failure) = result.failure {
                reasons.push(&failure);
                let is_tried = failure.kind != FailureKind::NotTried;
                return (made, number + usize::from(is_tried));
            }
        }
        (made, plan.steps.len())
    }

    /// The steps still in effect: the work meanwhile may have disabled areas itself.
    fn steps_to_undo(&mut self, plan: &Plan, mut made: Vec<usize>) -> Vec<usize> {
        let is_back = |step: &Step| match step.inverse() {
            Some(back) => self.state(&back) == Ok(StepState::After),
            None => false,
        };
        let gone: Vec<usize> = made
            .iter()
            .copied()
            .filter(|number| plan.steps.get(*number).is_some_and(is_back))
            .collect();
        for step in &gone {
            self.append_or_ignore(Event::Made { step: *step, back: true, moved: 0, seconds: 0.0 });
        }
        made.retain(|number| !gone.contains(number));
        made
    }
}
