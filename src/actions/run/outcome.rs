//! What came of a plan.

use super::Trouble;
use crate::actions::estimate::{Emptied, Forecast};
use crate::actions::journal::End;
use crate::actions::monitor::StopReason;
use crate::model::users::Killed;

/// The outcome of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The number of the plan in the journal.
    pub plan: u64,
    /// How it ended.
    pub end: End,
    /// Why, unless all was done.
    pub why: Option<String>,
    /// Was it given up because memory was short?
    pub short: bool,
    /// Can what was made be taken back?
    pub undoable: bool,
    /// What became of the order of default priorities, which no step of the plan speaks of.
    pub remark: Option<String>,
    /// What emptying areas took, where some held anything.
    pub emptied: Option<Emptied>,
    /// The processes that the kernel killed for want of memory while areas were emptied.
    pub killed: Vec<Killed>,
}

impl Outcome {
    /// An end of which nothing more is known.
    pub fn of(plan: u64, end: End, why: Option<String>) -> Self {
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
    pub fn beside(self, forecasts: &[Forecast]) -> Self {
        let expected = Forecast::sum(forecasts).time.seconds();
        Self { emptied: self.emptied.map(|it| it.beside(expected)), ..self }
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
    pub(super) fn say(&mut self, why: String) {
        self.words.push(why);
    }

    /// Adds what went wrong with a step.
    pub(super) fn add(&mut self, trouble: &Trouble) {
        self.short |= trouble.is_shortage();
        self.words.push(trouble.words());
    }

    /// Adds what went wrong when a step was taken back.
    pub(super) fn add_back(&mut self, trouble: &Trouble) {
        self.short |= trouble.is_shortage();
        self.words.push(format!("taking back: {}", trouble.words()));
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

impl Trouble {
    pub(super) fn words(&self) -> String {
        match self {
            Self::Stopped(reason) => reason.to_string(),
            Self::Overtaken(why)
            | Self::Late(why)
            | Self::Short(why)
            | Self::Failed(why)
            | Self::Halfway(why) => why.clone(),
        }
    }

    /// Was memory short?
    fn is_shortage(&self) -> bool {
        matches!(self, Self::Short(_) | Self::Stopped(StopReason::Pressure(_)))
    }

    /// Joins what came after it, which is worse.
    pub(super) fn with(self, worse: &str) -> Self {
        let words = format!("{}; {worse}", self.words());
        if self.is_shortage() { Self::Short(words) } else { Self::Failed(words) }
    }
}
