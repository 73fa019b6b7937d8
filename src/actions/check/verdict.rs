//! What a check says.

use serde::Serialize;

/// What a check says of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// It stands in nothing's way.
    Ok,
    /// Something to know.
    Note,
    /// Something that may hurt.
    Warn,
    /// It must not be done.
    Refuse,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name, with which `--force` overrules it.
    pub id: &'static str,
    /// What it says.
    pub verdict: CheckVerdict,
    /// Why, and what to do next where it refuses.
    pub text: String,
}

impl Check {
    /// What a look at this has shown.
    pub fn new(id: &'static str, verdict: CheckVerdict, text: impl Into<String>) -> Self {
        Self { id, verdict, text: text.into() }
    }

    /// A risk that is taken by name refuses nothing any more.
    pub(super) fn accept(&mut self, taken: &[String]) {
        if self.verdict == CheckVerdict::Refuse && taken.iter().any(|risk| risk == self.id) {
            self.verdict = CheckVerdict::Warn;
            self.text.push_str(" (taken)");
        }
    }
}

/// A check that refuses.
pub(super) fn refuse(id: &'static str, text: String) -> Check {
    Check::new(id, CheckVerdict::Refuse, text)
}
