//! Outcomes of plans.

use super::StepFailure;
use crate::actions::estimate::{DrainTime, Forecast};
use crate::actions::journal::PlanEnd;
use crate::actions::monitor::StopReason;
use crate::model::swaparea::FailedReads;
use crate::model::users::OomKilled;

/// The outcome of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeOutcome {
    /// The number of the plan in the journal.
    pub plan: u64,
    /// How it ended.
    pub end: PlanEnd,
    /// The reason, unless everything was done.
    pub why: Option<String>,
    /// Was the plan stopped because memory was short?
    pub short: bool,
    /// Can the completed steps be undone?
    pub undoable: bool,
    /// A remark about the order of default priorities, which no step of the plan covers, or the memory and
    /// swap before and after pages were moved by hand.
    pub remark: Option<String>,
    /// The drain time, if areas held data.
    pub emptied: Option<DrainTime>,
    /// The processes that the kernel killed for lack of memory during drains.
    pub killed: Vec<OomKilled>,
    /// The areas with pages that could not be read during drains.
    pub failed_reads: Vec<FailedReads>,
}

impl ChangeOutcome {
    /// An outcome without further details.
    pub fn ended(plan: u64, end: PlanEnd, why: Option<String>) -> Self {
        Self {
            plan,
            end,
            why,
            short: false,
            undoable: false,
            remark: None,
            emptied: None,
            killed: Vec::new(),
            failed_reads: Vec::new(),
        }
    }

    /// Adds the estimate.
    pub fn with_expected(self, forecasts: &[Forecast]) -> Self {
        let expected = Forecast::sum(forecasts).time.seconds();
        Self { emptied: self.emptied.map(|it| it.with_expected(expected)), ..self }
    }
}

/// Reasons why a plan was not fully done.
#[derive(Debug, Default)]
pub(super) struct Reasons {
    words: Vec<String>,
    /// Was memory short?
    short: bool,
}

impl Reasons {
    /// Adds a reason as text.
    pub(super) fn push_text(&mut self, why: String) {
        self.words.push(why);
    }

    /// Adds the failure of a step.
    pub(super) fn push(&mut self, trouble: &StepFailure) {
        self.short |= trouble.is_shortage();
        self.words.push(trouble.text());
    }

    /// Adds the failure of undoing a step.
    pub(super) fn push_undo(&mut self, trouble: &StepFailure) {
        self.short |= trouble.is_shortage();
        self.words.push(format!("undo: {}", trouble.text()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// All reasons in one sentence; `None` without any.
    pub(super) fn sentence(&self) -> Option<String> {
        (!self.words.is_empty()).then(|| self.words.join("; "))
    }

    pub(super) fn is_shortage(&self) -> bool {
        self.short
    }
}

impl StepFailure {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Stopped(reason) => reason.to_string(),
            Self::Overtaken(why)
            | Self::OvertakenWhilePaused(why)
            | Self::MemoryShort(why)
            | Self::Failed(why)
            | Self::HalfDone(why) => why.clone(),
        }
    }

    /// Was memory short?
    fn is_shortage(&self) -> bool {
        matches!(self, Self::MemoryShort(_) | Self::Stopped(StopReason::Pressure(_)))
    }

    /// Appends a later, worse failure.
    pub(super) fn with_worse(self, worse: &str) -> Self {
        let words = format!("{}; {worse}", self.text());
        if self.is_shortage() { Self::MemoryShort(words) } else { Self::Failed(words) }
    }
}
