//! What came of a plan.

use super::StepFailure;
use crate::actions::estimate::{DrainTime, Forecast};
use crate::actions::journal::PlanEnd;
use crate::actions::monitor::StopReason;
use crate::model::users::OomKilled;

/// The outcome of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeOutcome {
    /// The number of the plan in the journal.
    pub plan: u64,
    /// How it ended.
    pub end: PlanEnd,
    /// Why, unless all was done.
    pub why: Option<String>,
    /// Was it given up because memory was short?
    pub short: bool,
    /// Can what was made be taken back?
    pub undoable: bool,
    /// What became of the order of default priorities, which no step of the plan speaks of.
    pub remark: Option<String>,
    /// What emptying areas took, where some held anything.
    pub emptied: Option<DrainTime>,
    /// The processes that the kernel killed for want of memory while areas were emptied.
    pub killed: Vec<OomKilled>,
}

impl ChangeOutcome {
    /// An end of which nothing more is known.
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
        }
    }

    /// With what had been expected.
    pub fn with_expected(self, forecasts: &[Forecast]) -> Self {
        let expected = Forecast::sum(forecasts).time.seconds();
        Self { emptied: self.emptied.map(|it| it.with_expected(expected)), ..self }
    }
}

/// Why not all of a plan was done.
#[derive(Debug, Default)]
pub(super) struct Reasons {
    words: Vec<String>,
    /// Was memory short?
    short: bool,
}

impl Reasons {
    /// Adds one in words.
    pub(super) fn push_text(&mut self, why: String) {
        self.words.push(why);
    }

    /// Adds what went wrong with a step.
    pub(super) fn push(&mut self, trouble: &StepFailure) {
        self.short |= trouble.is_shortage();
        self.words.push(trouble.text());
    }

    /// Adds what went wrong when a step was taken back.
    pub(super) fn push_undo(&mut self, trouble: &StepFailure) {
        self.short |= trouble.is_shortage();
        self.words.push(format!("taking back: {}", trouble.text()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// All of them in one sentence; none where there are none.
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

    /// Joins what came after it, which is worse.
    pub(super) fn with_worse(self, worse: &str) -> Self {
        let words = format!("{}; {worse}", self.text());
        if self.is_shortage() { Self::MemoryShort(words) } else { Self::Failed(words) }
    }
}
