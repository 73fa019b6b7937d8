//! Changes by swapadm that were interrupted.

use super::name::Name;
use serde::{Deserialize, Serialize};

/// A plan of this boot that was interrupted, or left partly done, and not repaired since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterruptedPlan {
    /// Number of the plan in the journal.
    pub plan: u64,
    /// Title of the plan.
    pub title: String,
    /// The areas that were active when it began, if it disables areas.
    pub areas: Vec<Name>,
}
