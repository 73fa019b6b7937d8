//! Checks and their verdicts.

use crate::model::worded_enum;
use serde::Serialize;

worded_enum! {
    /// The verdict of a check.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CheckVerdict {
        /// No objection.
        Ok = "ok",
        /// Information.
        Note = "note",
        /// A possible harm.
        Warn = "warning",
        /// The plan must not be executed.
        Refuse = "REFUSED",
    }
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Name of the check, by which `--force` accepts it.
    pub id: &'static str,
    /// Verdict of the check.
    pub verdict: CheckVerdict,
    /// Explanation, with what to do next if it refuses.
    pub text: String,
}

impl Check {
    /// Makes a check result.
    pub fn new(id: &'static str, verdict: CheckVerdict, text: impl Into<String>) -> Self {
        Self { id, verdict, text: text.into() }
    }

    /// Makes a check without objection.
    pub fn ok(id: &'static str, text: impl Into<String>) -> Self {
        Self::new(id, CheckVerdict::Ok, text)
    }

    /// Makes a check that only informs.
    pub fn note(id: &'static str, text: impl Into<String>) -> Self {
        Self::new(id, CheckVerdict::Note, text)
    }

    /// Makes a check that warns of a possible harm.
    pub fn warn(id: &'static str, text: impl Into<String>) -> Self {
        Self::new(id, CheckVerdict::Warn, text)
    }

    /// Makes a refusal.
    pub fn refuse(id: &'static str, text: impl Into<String>) -> Self {
        Self::new(id, CheckVerdict::Refuse, text)
    }

    /// Turns a refusal into a warning if its risk was accepted by name.
    pub fn accept(&mut self, taken: &[String]) {
        if self.verdict == CheckVerdict::Refuse && taken.iter().any(|risk| risk == self.id) {
            self.verdict = CheckVerdict::Warn;
            self.text.push_str(" (accepted)");
        }
    }
}
