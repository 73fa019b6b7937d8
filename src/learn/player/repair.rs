//! Steps that a person repairs by hand: commands change the machine until advise has no warning left.

use super::super::file::LessonStep;
use super::{LessonLine, LineKind, Player, StepPhase};
use crate::actions::journal;
use crate::advice::{AdviceReport, Finding, Severity};
use crate::change::SimulatedTarget;
use crate::model::text::counted;
use crate::model::{Policy, Snapshot};

impl Player {
    /// The machine that changes by hand are made on; none in steps without a repair.
    pub fn repaired_machine(&self) -> Option<&SimulatedTarget> {
        self.step().filter(|step| step.is_repair()).map(|_| &self.target)
    }

    /// Whether the step waits for a repair.
    pub fn is_repairing(&self) -> bool {
        self.phase == StepPhase::Before && self.repaired_machine().is_some()
    }

    /// Runs the machine for a second, and judges it by both samples.
    pub(super) fn judge_later(&mut self) -> Snapshot {
        let before = self.sample();
        let now = self.run_second();
        self.records.truncate(self.place + 2);
        self.add_record(Some(before));
        self.judge();
        now
    }

    /// Lists what is left to repair. The step is done when nothing is, and goes on if something is again.
    pub(super) fn judge(&mut self) {
        let record = self.records.last().filter(|_| self.repaired_machine().is_some());
        let advice = record.map(|record| AdviceReport::from_view(&record.view(), &Policy::DEFAULT));
        let mut left = advice.map(|advice| advice.findings).unwrap_or_default();
        left.retain(|finding| finding.severity != Severity::Note);
        if self.repaired_machine().is_some() && left.is_empty() {
            self.phase = StepPhase::Shown { given: None, right: None };
        } else if self.left.is_empty() {
            self.phase = StepPhase::Before;
        }
        self.left = left;
    }

    /// The titles of the changes that were made in this step.
    pub(super) fn changes(&self) -> Vec<String> {
        let records = journal::read_unchecked(&self.target.journal).unwrap_or_default();
        // The title begins with the name of the machine.
        let title = |title: String| title.split_once(": ").map(|(_, it)| it.to_owned());
        records.into_iter().filter_map(|record| title(record.title)).collect()
    }

    /// The findings that are left, below their number.
    pub fn findings(&self) -> Vec<LessonLine> {
        let problems = counted(self.left.len(), "problem");
        let heading = match (self.left.len(), self.changes().is_empty()) {
            (1, true) => format!("advise finds {problems}. Repair it:"),
            (_, true) => format!("advise finds {problems}. Repair them:"),
            (1, false) => format!("{problems} is left:"),
            (_, false) => format!("{problems} are left:"),
        };
        let finding = |finding: &Finding| {
            (LineKind::Finding, format!("{} ({})", finding.summary, finding.rule))
        };
        let findings = self.left.iter().map(finding);
        [(LineKind::Question, heading)].into_iter().chain(findings).collect()
    }

    /// The end of a repair: what was done, or how it is done and what is left once it has begun.
    pub(super) fn repair(&self, step: &LessonStep) -> Vec<LessonLine> {
        if self.left.is_empty() {
            let changes = self.changes();
            let number = counted(changes.len(), "change");
            let words = format!("Repaired with {number}: {}.", changes.join("; "));
            let silent = "advise has no warning left.".to_owned();
            return vec![(LineKind::Right, words), (LineKind::Text, silent)];
        }
        let commands = step.solution.iter().map(|it| (LineKind::Command, it.clone()));
        let heading = (LineKind::Text, "The solution:".to_owned());
        let left = (!self.changes().is_empty()).then(|| self.findings());
        [heading].into_iter().chain(commands).chain(left.into_iter().flatten()).collect()
    }
}
