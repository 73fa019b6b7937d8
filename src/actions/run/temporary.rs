//! Temporary plans: applied for the time of something else, and undone afterwards.
//!
//! Meanwhile the plan stays open in the journal: if the process is killed, recovery undoes it.

use super::{ChangeOutcome, Reasons, Runner, StepFailure, StepState};
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
        let mut whys = Reasons::default();
        let made = self.apply_until_failure(plan, &mut whys);
        let is_whole = whys.is_empty();
        if is_whole {
            during();
        }
        let left = self.steps_to_undo(plan, made);
        let mut end = match self.undo_settings(plan, left, &mut whys) {
            Some(left) => self.undo_steps(plan, &left, &mut whys),
            None => PlanEnd::Partial,
        };
        if is_whole && end == PlanEnd::Undone {
            end = PlanEnd::Returned;
        }
        self.end(end, &whys)
    }

    /// Executes steps until one fails, and returns the completed ones.
    fn apply_until_failure(&mut self, plan: &Plan, whys: &mut Reasons) -> Vec<usize> {
        let mut stands = plan.relies_on.clone();
        let mut made = Vec::new();
        for (number, step) in plan.steps.iter().enumerate() {
            if let Err(why) = self.check_unchanged(&stands) {
                whys.push_text(why);
                break;
            }
            let (is_made, trouble) = self.make(number, step, false);
            if is_made {
                plan::apply_step(step, &mut stands);
                made.push(number);
            }
            if let Some(trouble) = trouble {
                whys.push(&trouble);
                break;
            }
        }
        made
    }

    /// Undoes settings, each independently: one that somebody else has changed does not block the
    /// others. Returns the other steps; `None` if undoing was stopped.
    fn undo_settings(
        &mut self,
        plan: &Plan,
        made: Vec<usize>,
        whys: &mut Reasons,
    ) -> Option<Vec<usize>> {
        let is_setting = |number: &usize| matches!(plan.steps.get(*number), Some(Step::Set { .. }));
        let (settings, others): (Vec<usize>, Vec<usize>) = made.into_iter().partition(is_setting);
        for number in settings.into_iter().rev() {
            let Some(step) = plan.steps.get(number).and_then(Step::inverse) else { continue };
            if let (false, Some(trouble)) = self.make(number, &step, true) {
                whys.push_undo(&trouble);
                if matches!(trouble, StepFailure::Stopped(_)) {
                    return None;
                }
            }
        }
        Some(others)
    }

    /// The steps still in effect: the work meanwhile may have disabled areas itself.
    fn steps_to_undo(&mut self, plan: &Plan, mut made: Vec<usize>) -> Vec<usize> {
        let is_back = |step: &Step| match step.inverse() {
            Some(back) => self.state(&back) == Some(StepState::After),
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
