//! Outcomes of plans.

use super::{FailureKind, StepFailure};
use crate::actions::estimate::{DrainTime, Forecast};
use crate::actions::journal::PlanEnd;
use crate::actions::monitor::StopReason;
use crate::columns::units::size;
use crate::model::swaparea::FailedReads;
use crate::model::users::OomKilled;
use crate::model::{Bytes, Name};

/// The number of a plan that is not in the journal; the first one is 1.
pub(super) const NO_PLAN: u64 = 0;

/// The outcome of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeOutcome {
    /// The number of the plan in the journal; 0 if it is not there.
    pub plan: u64,
    /// How it ended.
    pub end: PlanEnd,
    /// The reason, unless everything was done.
    pub why: Option<String>,
    /// Was the plan stopped because memory was short?
    pub short: bool,
    /// Can the completed steps be undone?
    pub undoable: bool,
    /// Were all steps orders, which leave nothing to repair?
    pub only_orders: bool,
    /// A remark about the order of default priorities, which no step of the plan covers, or the memory and
    /// swap before and after pages were moved by hand.
    pub remark: Option<String>,
    /// Why the journal could not record the end.
    pub unrecorded: Option<String>,
    /// The drain time, if areas held data.
    pub emptied: Option<DrainTime>,
    /// The processes that the kernel killed for lack of memory during drains.
    pub killed: Vec<OomKilled>,
    /// The areas with pages that could not be read during drains.
    pub failed_reads: Vec<FailedReads>,
}

impl ChangeOutcome {
    /// The number of the plan in the journal, if it is there.
    pub fn journal(&self) -> Option<u64> {
        (self.plan != NO_PLAN).then_some(self.plan)
    }

    /// An outcome without further details.
    pub fn ended(plan: u64, end: PlanEnd, why: Option<String>) -> Self {
        Self {
            plan,
            end,
            why,
            short: false,
            undoable: false,
            only_orders: false,
            remark: None,
            unrecorded: None,
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
    pub(super) words: Vec<String>,
    /// Was memory short?
    pub(super) short: bool,
    /// Bytes that the steps have moved, those that failed too.
    pub(super) moved: Bytes,
    /// Settings and files that somebody else changed during the plan, and that stay as they are when it is undone.
    pub(super) foreign: Vec<Name>,
}

impl Reasons {
    /// The remark on what undoing a plan does not bring back: pages that were moved, and what somebody else has changed.
    pub(super) fn remark(&self, end: PlanEnd) -> Option<String> {
        let moved = (self.moved > Bytes(0) && end == PlanEnd::Undone).then(|| {
            format!(
                "Areas and settings are as before, but {} were moved or freed meanwhile.",
                size(self.moved)
            )
        });
        let foreign = (!self.foreign.is_empty()).then(|| {
            let names: Vec<String> = self.foreign.iter().map(Name::safe).collect();
            format!(
                "Someone else changed {} meanwhile, which stays as it is now.",
                names.join(", ")
            )
        });
        moved.into_iter().chain(foreign).reduce(|first, then| format!("{first} {then}"))
    }

    /// Adds a reason as text, once.
    pub(super) fn push_text(&mut self, why: String) {
        if !self.words.contains(&why) {
            self.words.push(why);
        }
    }

    /// Adds the failure of a step.
    pub(super) fn push(&mut self, failure: &StepFailure) {
        self.short |= failure.is_shortage();
        self.push_text(failure.why.clone());
    }

    /// Adds the failure of undoing a step.
    pub(super) fn push_undo(&mut self, failure: &StepFailure) {
        self.short |= failure.is_shortage();
        self.push_text(format!("undo: {}", failure.why));
    }

    /// All reasons in one sentence; `None` without any.
    pub(super) fn sentence(&self) -> Option<String> {
        (!self.words.is_empty()).then(|| self.words.join("; "))
    }
}

impl From<StopReason> for StepFailure {
    fn from(reason: StopReason) -> Self {
        let is_shortage = matches!(reason, StopReason::Pressure(_));
        FailureKind::Stopped { is_shortage }.because(reason.to_string())
    }
}

impl From<String> for StepFailure {
    fn from(why: String) -> Self {
        FailureKind::Failed.because(why)
    }
}

impl FailureKind {
    /// A failure of this kind.
    pub(super) fn because(self, why: String) -> StepFailure {
        StepFailure { kind: self, why }
    }
}

impl StepFailure {
    /// Was memory short?
    fn is_shortage(&self) -> bool {
        matches!(self.kind, FailureKind::MemoryShort | FailureKind::Stopped { is_shortage: true })
    }
}
