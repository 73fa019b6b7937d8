//! A rule, and what it finds.

use crate::derive::SampleView;
use crate::model::{Missing, Part, PartSet, Policy, Snapshot};

/// How bad it is, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It hurts now, or soon.
    Crit,
    /// It costs speed or memory, or fails one day.
    Warn,
    /// Good to know, and no fault.
    Note,
}

impl Severity {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Crit => "crit",
            Self::Warn => "warn",
            Self::Note => "note",
        }
    }
}

/// How sure it is, surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The figures say so.
    Certain,
    /// The figures fit, and something else hardly would.
    Likely,
    /// It may be so: look.
    Hint,
}

impl Certainty {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Hint => "hint",
        }
    }
}

/// A figure that shows it: a cell of a table. Names are strings, as tables stand above advice
/// (docs/decisions/0028); `tests/advise.rs` looks each of them up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceCell {
    /// The table.
    pub table: &'static str,
    /// The row, by the value of the table's key; empty where there is only one.
    pub row: String,
    /// The column.
    pub column: &'static str,
}

impl EvidenceCell {
    /// A cell of a table with one row.
    pub fn for_column(table: &'static str, column: &'static str) -> Self {
        Self::for_row(table, "", column)
    }

    /// A cell of a row.
    pub fn for_row(table: &'static str, row: impl Into<String>, column: &'static str) -> Self {
        Self { table, row: row.into(), column }
    }
}

/// Something that is wrong, or good to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static str,
    /// What it is about, where the rule can find several: the name of an area, a priority.
    pub about: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// How sure it is.
    pub certainty: Certainty,
    /// What, in one line.
    pub summary: String,
    /// What that means, and what to do.
    pub sentence: String,
    /// The figures that show it, the most telling first.
    pub evidence: Vec<EvidenceCell>,
    /// The command of this program that puts it right, if one does.
    pub fix: Option<String>,
}

impl Finding {
    /// Something worth a look, which the figures say.
    pub fn warn(
        rule: &'static str,
        summary: impl Into<String>,
        sentence: impl Into<String>,
    ) -> Self {
        let (severity, certainty) = (Severity::Warn, Certainty::Certain);
        let (summary, sentence) = (summary.into(), sentence.into());
        let (about, evidence, fix) = (None, Vec::new(), None);
        Self { rule, about, severity, certainty, summary, sentence, evidence, fix }
    }

    /// The same, as bad as this.
    pub fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// The same, as sure as this.
    pub fn with_certainty(self, certainty: Certainty) -> Self {
        Self { certainty, ..self }
    }

    /// The same about one of several.
    pub fn about(self, about: impl Into<String>) -> Self {
        Self { about: Some(about.into()), ..self }
    }

    /// The same, shown by these figures.
    pub fn shown_by(mut self, evidence: impl IntoIterator<Item = EvidenceCell>) -> Self {
        self.evidence.extend(evidence);
        self
    }

    /// The same, put right by this command.
    pub fn fixed_by(self, command: impl Into<String>) -> Self {
        self.with_fix(Some(command.into()))
    }

    /// The same, put right by a command if there is one.
    pub fn with_fix(self, fix: Option<String>) -> Self {
        Self { fix, ..self }
    }

    /// The name that no other finding of the same look has.
    pub fn name(&self) -> String {
        match &self.about {
            Some(about) => format!("{}:{about}", self.rule),
            None => self.rule.to_owned(),
        }
    }
}

/// What a rule found; or why it could not look.
pub type RuleResult = Result<Vec<Finding>, Missing>;

/// What came of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleOutcome {
    /// It could look, and found so much.
    Judged(Vec<Finding>),
    /// This kernel or machine has nothing of the kind.
    NotApplicable(Missing),
    /// It could not look.
    Unjudged(Missing),
}

/// One thing that can be wrong.
pub struct Rule {
    /// Its name, for `--explain` and scripts.
    pub id: &'static str,
    /// What it looks for, in a few words.
    pub title: &'static str,
    /// When it speaks, why that matters, and what can be done.
    pub about: &'static str,
    /// The parts of a snapshot that it looks at.
    pub needs: PartSet,
    /// The thresholds that it goes by, as they are called in the settings.
    pub thresholds: &'static [&'static str],
    /// Look.
    pub check: fn(&SampleView<'_>, &Policy) -> RuleResult,
}

impl Rule {
    /// Look. What this kernel or machine does not have cannot be wrong; what it has and does not
    /// show can.
    pub fn outcome(&self, view: &SampleView<'_>, policy: &Policy) -> RuleOutcome {
        if let Some(missing) = self.missing_input(view.now) {
            return RuleOutcome::Unjudged(missing);
        }
        match (self.check)(view, policy) {
            Ok(found) => RuleOutcome::Judged(found),
            // A kernel that does not tell who waits has tasks that wait all the same.
            Err(missing @ Missing::Absent(_))
                if Some(&missing) != view.now.psi.reading.missing() =>
            {
                RuleOutcome::NotApplicable(missing)
            }
            Err(missing) => RuleOutcome::Unjudged(missing),
        }
    }

    /// Why a part is not there that it looks at, and that is there wherever swap is.
    fn missing_input(&self, now: &Snapshot) -> Option<Missing> {
        let everywhere = [
            (Part::Swaps, now.swaps.reading.missing()),
            (Part::Meminfo, now.meminfo.reading.missing()),
            (Part::Vmstat, now.vmstat.reading.missing()),
            (Part::Block, now.block.reading.missing()),
            (Part::Zram, now.zram.reading.missing()),
            (Part::Knobs, now.knobs.reading.missing()),
        ];
        let mut needed = everywhere.into_iter().filter(|(part, _)| self.needs.has(*part));
        let absent = |missing: &&Missing| matches!(missing, Missing::Absent(_));
        needed.find_map(|(_, missing)| missing.filter(absent).cloned())
    }
}
