//! What came of a plan.

use crate::actions::estimate::{Emptied, Forecast};
use crate::actions::journal::End;

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Why, unless all was done.
    pub why: Option<String>,
    /// Can what was made be taken back?
    pub undoable: bool,
    /// What became of the order of default priorities, which no step of the plan speaks of.
    pub remark: Option<String>,
    /// What emptying areas took, where some held anything.
    pub emptied: Option<Emptied>,
}

impl Outcome {
    /// An end of which nothing more is known.
    pub fn of(end: End, why: Option<String>) -> Self {
        Self { end, why, undoable: false, remark: None, emptied: None }
    }

    /// With what had been expected.
    pub fn beside(self, forecasts: &[Forecast]) -> Self {
        let expected = Forecast::sum(forecasts).time.seconds();
        Self { emptied: self.emptied.map(|it| it.beside(expected)), ..self }
    }
}
