//! What there is to read: one entry for each probe.

use super::parts::Part;
use serde::{Deserialize, Serialize};

/// A probe, as far as a report speaks of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFacts {
    /// Its name.
    pub id: String,
    /// The part that it fills.
    pub part: Part,
    /// What it tells.
    pub about: String,
    /// The files it reads, as absolute patterns.
    pub files: Vec<String>,
    /// What to do when it is missing or denied.
    pub remedy: String,
}
