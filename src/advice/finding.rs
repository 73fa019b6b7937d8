//! Rules and their findings.

pub use crate::derive::fallback::Certainty;
use crate::derive::{SampleView, state};
use crate::model::paging::PsiLine;
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Part, PartSet, Policy, Snapshot, worded_enum};

worded_enum! {
    /// Severity of a finding, worst first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Severity {
        /// A problem now or soon.
        Crit = "crit",
        /// Costs speed or memory, or will fail one day.
        Warn = "warn",
        /// Good to know; not a fault.
        Note = "note",
    }
}

/// A table cell that proves a finding. Names are strings, because tables depend on advice and not the
/// other way round (docs/decisions/0028); `tests/advise.rs` checks that each of them exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceCell {
    /// Name of the table.
    pub table: &'static str,
    /// Key of the row; empty for a table with one row.
    pub row: String,
    /// Name of the column.
    pub column: &'static str,
}

impl EvidenceCell {
    /// Names a cell of a table with one row.
    pub fn for_column(table: &'static str, column: &'static str) -> Self {
        Self::for_row(table, "", column)
    }

    /// A cell of an area.
    pub fn for_area(area: &SwapArea, column: &'static str) -> Self {
        Self::for_row("devices", area.path.exact(), column)
    }

    /// Names a cell by the key of its row.
    pub fn for_row(table: &'static str, row: impl Into<String>, column: &'static str) -> Self {
        Self { table, row: row.into(), column }
    }
}

/// Names cells of a table with one row.
pub(super) fn cells<const N: usize>(
    table: &'static str,
    columns: [&'static str; N],
) -> [EvidenceCell; N] {
    columns.map(|column| EvidenceCell::for_column(table, column))
}

/// A problem, or a note, that a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Id of the rule.
    pub rule: &'static str,
    /// Subject, for rules with several findings: the name of an area, or a priority.
    pub subject: Option<String>,
    /// Severity.
    pub severity: Severity,
    /// Certainty.
    pub certainty: Certainty,
    /// The problem in one line.
    pub summary: String,
    /// The meaning of the problem, and what to do.
    pub sentence: String,
    /// The figures that prove it, the most important first.
    pub evidence: Vec<EvidenceCell>,
    /// The swapadm command that fixes it, if there is one.
    pub fix: Option<String>,
}

/// Most figures that a rule adds at once: more than two for each area that kernels allow, but captured trees
/// may have any number of areas.
const MOST_EVIDENCE: usize = 64;

impl Finding {
    /// Creates a finding with severity `Warn` and certainty `Certain`.
    pub fn warn(
        rule: &'static str,
        summary: impl Into<String>,
        sentence: impl Into<String>,
    ) -> Self {
        let (severity, certainty) = (Severity::Warn, Certainty::Certain);
        let (summary, sentence) = (summary.into(), sentence.into());
        let (subject, evidence, fix) = (None, Vec::new(), None);
        Self { rule, subject, severity, certainty, summary, sentence, evidence, fix }
    }

    /// Creates a finding with severity `Note` and certainty `Certain`.
    pub fn note(
        rule: &'static str,
        summary: impl Into<String>,
        sentence: impl Into<String>,
    ) -> Self {
        Self::warn(rule, summary, sentence).with_severity(Severity::Note)
    }

    /// Sets the severity.
    pub fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// Sets the certainty.
    pub fn with_certainty(self, certainty: Certainty) -> Self {
        Self { certainty, ..self }
    }

    /// Sets the subject.
    pub fn with_subject(self, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    /// Adds evidence: at most `MOST_EVIDENCE` figures at once.
    pub fn shown_by(mut self, evidence: impl IntoIterator<Item = EvidenceCell>) -> Self {
        self.evidence.extend(evidence.into_iter().take(MOST_EVIDENCE));
        self
    }

    /// Sets the command that fixes it.
    pub fn fixed_by(self, command: impl Into<String>) -> Self {
        self.with_fix(Some(command.into()))
    }

    /// Sets or removes the command that fixes it.
    pub fn with_fix(self, fix: Option<String>) -> Self {
        Self { fix, ..self }
    }

    /// Returns whether both are the same problem of the same subject, whatever their figures.
    pub fn has_same_name(&self, other: &Self) -> bool {
        (self.rule, &self.subject) == (other.rule, &other.subject)
    }

    /// Returns the name of the finding, unique within one [`AdviceReport`](super::AdviceReport).
    pub fn name(&self) -> String {
        match &self.subject {
            Some(subject) => format!("{}:{subject}", self.rule),
            None => self.rule.to_owned(),
        }
    }
}

/// The findings of a rule, or the reason why it could not be judged.
pub type RuleResult = Result<Vec<Finding>, Missing>;

/// The result of running a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleOutcome {
    /// The rule was judged, with these findings.
    Judged(Vec<Finding>),
    /// This kernel or machine does not have what the rule is about.
    NotApplicable(Missing),
    /// The rule could not be judged.
    Unjudged(Missing),
}

/// A check for one kind of problem.
pub struct Rule {
    /// Id, for `--explain` and scripts.
    pub id: &'static str,
    /// The problem in a few words.
    pub title: &'static str,
    /// When the rule reports a finding, why that matters, and what can be done.
    pub about: &'static str,
    /// The parts of a snapshot that the rule needs.
    pub needs: PartSet,
    /// The thresholds that the rule uses, by their names in the settings.
    pub thresholds: &'static [&'static str],
    /// Runs the check.
    pub check: fn(&SampleView<'_>, &Policy) -> RuleResult,
}

impl Rule {
    /// A rule that needs no part of a snapshot and uses no threshold.
    pub(super) const fn new(
        id: &'static str,
        title: &'static str,
        check: fn(&SampleView<'_>, &Policy) -> RuleResult,
    ) -> Self {
        Self { id, title, about: "", needs: PartSet::NONE, thresholds: &[], check }
    }

    /// Sets when it reports a finding, why that matters, and what can be done.
    pub(super) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Sets the parts of a snapshot that it needs.
    pub(super) const fn needs(self, needs: PartSet) -> Self {
        Self { needs, ..self }
    }

    /// Sets the thresholds that it uses.
    pub(super) const fn thresholds(self, thresholds: &'static [&'static str]) -> Self {
        Self { thresholds, ..self }
    }

    /// Runs the rule. A feature that is absent here makes it not applicable; one that exists but is not
    /// readable makes it unjudged.
    pub fn outcome(&self, view: &SampleView<'_>, policy: &Policy) -> RuleOutcome {
        if let Some(missing) = self.missing_input(view.now) {
            return RuleOutcome::Unjudged(missing);
        }
        match (self.check)(view, policy) {
            Ok(found) => RuleOutcome::Judged(found),
            // Without PSI tasks may wait all the same, so its absence makes a rule unjudged.
            Err(missing @ Missing::Absent(_))
                if Some(&missing) != state::stall(view, "memory", PsiLine::Some).missing() =>
            {
                RuleOutcome::NotApplicable(missing)
            }
            Err(missing) => RuleOutcome::Unjudged(missing),
        }
    }

    /// Returns why a needed part is missing that every machine with swap has.
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
