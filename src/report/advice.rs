//! `advise` for people: findings by severity, with their figures and fixes.

use crate::advice::{AdviceReport, Finding, Rule, Severity};
use crate::columns::tables::findings::FigureSource;
use crate::columns::text;
use crate::derive::SampleView;
use crate::model::Missing;
use crate::model::name::safe_text;
use std::collections::BTreeMap;

/// Indentation of the text below a finding.
const INDENT: usize = 4;
/// Smallest width for wrapping.
const MIN_WIDTH: usize = 40;

/// The lines of the page.
pub fn lines(view: &SampleView<'_>, advice: &AdviceReport, width: Option<usize>) -> Vec<String> {
    let width = width.unwrap_or(80).max(MIN_WIDTH);
    let source = FigureSource::new(*view);
    let mut lines = Vec::new();
    for (severity, title) in GROUPS {
        let group = advice.findings.iter().filter(|finding| finding.severity == severity);
        let group: Vec<&Finding> = group.collect();
        lines.extend((!group.is_empty()).then(|| title.to_owned()));
        for alike in group.chunk_by(|one, other| is_alike(one, other)) {
            lines.extend(finding_lines(&source, alike, width));
            lines.push(String::new());
        }
    }
    if advice.findings.is_empty() {
        lines.push(match advice.unjudged.len() {
            0 => "no problems found".to_owned(),
            1 => "no problems found, but 1 rule could not be evaluated".to_owned(),
            count => format!("no problems found, but {count} rules could not be evaluated"),
        });
        lines.push(String::new());
    }
    lines.extend(unjudged(&advice.unjudged, width));
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Headings of the severities.
const GROUPS: [(Severity, &str); 3] =
    [(Severity::Crit, "CRITICAL"), (Severity::Warn, "WARNINGS"), (Severity::Note, "NOTES")];

/// Whether two findings share their explanation.
fn is_alike(one: &Finding, other: &Finding) -> bool {
    (one.rule, &one.sentence) == (other.rule, &other.sentence)
}

/// The lines of findings with the same explanation, which is printed once.
fn finding_lines(source: &FigureSource<'_>, alike: &[&Finding], width: usize) -> Vec<String> {
    let head = |finding: &&Finding| {
        let summary = format!("{} ({})", safe_text(&finding.summary), finding.rule);
        let wrapped = text::wrap(&summary, width - INDENT);
        let leads = std::iter::once("  ").chain(std::iter::repeat("    "));
        leads.zip(wrapped).map(|(lead, line)| format!("{lead}{line}")).collect::<Vec<_>>()
    };
    let mut lines: Vec<String> = alike.iter().flat_map(head).collect();
    let sentence = alike.first().map(|finding| safe_text(&finding.sentence));
    lines.extend(sentence.into_iter().flat_map(|sentence| indented(&sentence, width)));
    for finding in alike {
        let sure = format!("certainty: {}; figures: ", finding.certainty.word());
        lines.extend(indented(&(sure + &figures(source, finding)), width));
        lines.extend(finding.fix.iter().map(|fix| format!("{}fix: {fix}", " ".repeat(INDENT))));
    }
    lines
}

/// The figures behind a finding, grouped by column.
fn figures(source: &FigureSource<'_>, finding: &Finding) -> String {
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for figure in finding.evidence.iter().filter_map(|it| source.figure(it)) {
        let name = figure.name();
        let value = figure.value_with_row();
        match told.iter_mut().find(|(other, _)| *other == name) {
            Some((_, values)) => values.push(value),
            None => told.push((name, vec![value])),
        }
    }
    let parts = told.into_iter().map(|(name, values)| format!("{name} {}", values.join(", ")));
    parts.collect::<Vec<_>>().join("; ")
}

fn indented(words: &str, width: usize) -> Vec<String> {
    let lines = text::wrap(words, width - INDENT).into_iter();
    lines.map(|line| format!("{}{line}", " ".repeat(INDENT))).collect()
}

/// The rules that could not be evaluated, by reason.
fn unjudged(unjudged: &[(&'static str, Missing)], width: usize) -> Vec<String> {
    let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (rule, missing) in unjudged {
        let reason = match missing {
            Missing::OneSample => {
                "two samples are needed: of the machine itself, or of a recording".to_owned()
            }
            Missing::Absent(_)
            | Missing::Denied(_)
            | Missing::Failed(_)
            | Missing::NotSampled
            | Missing::FewSamples(_) => missing.why(),
        };
        reasons.entry(safe_text(&reason)).or_default().push(rule);
    }
    let mut lines: Vec<String> =
        (!reasons.is_empty()).then(|| "NOT EVALUATED".to_owned()).into_iter().collect();
    for (reason, rules) in reasons {
        lines.extend(indented(&format!("{}: {reason}", rules.join(", ")), width));
        lines.push(String::new());
    }
    lines
}

/// A threshold of a rule.
#[derive(Debug)]
pub struct RuleThreshold {
    /// The name of its setting.
    pub name: String,
    /// The present value.
    pub value: String,
    /// The description of the setting, with the unit.
    pub help: &'static str,
}

/// Adds the value to each threshold in the explanation of a rule: `80% (use_warn)` for `{use_warn}`.
pub fn with_values(about: &str, thresholds: &[RuleThreshold]) -> String {
    thresholds.iter().fold(about.to_owned(), |about, it| {
        let name = it.name.rsplit('.').next().unwrap_or_default();
        about.replace(&format!("{{{name}}}"), &format!("{} ({name})", it.value))
    })
}

/// The explanation of one rule, and its findings.
pub fn explained(
    view: &SampleView<'_>,
    (rule, advice): (&Rule, &AdviceReport),
    thresholds: &[RuleThreshold],
    width: Option<usize>,
) -> Vec<String> {
    let width = width.unwrap_or(80).max(MIN_WIDTH);
    let mut lines = vec![format!("{}: {}", rule.id, rule.title), String::new()];
    lines.extend(indented(&with_values(rule.about, thresholds), width));
    lines.push(String::new());
    for RuleThreshold { name, value, help } in thresholds {
        lines.extend(indented(&format!("{name} = {value}: {help}"), width));
    }
    let found = advice.findings.iter().filter(|finding| finding.rule == rule.id);
    let found: Vec<&Finding> = found.collect();
    let found = found.chunk_by(|one, other| is_alike(one, other));
    let source = FigureSource::new(*view);
    let found: Vec<String> = found.flat_map(|alike| finding_lines(&source, alike, width)).collect();
    let missing = advice.unjudged.iter().find(|(id, _)| *id == rule.id);
    lines.push(match (found.is_empty(), missing) {
        (_, Some((_, missing))) => format!("not evaluated here: {}", missing.why()),
        (true, None) => advice.inapplicable.iter().find(|(id, _)| *id == rule.id).map_or_else(
            || "checked on this machine: nothing to report".to_owned(),
            |(_, missing)| format!("does not apply here: {}", missing.why()),
        ),
        (false, None) => "findings on this machine:".to_owned(),
    });
    lines.extend(found);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Snapshot, Stamp};

    fn lines_for(findings: Vec<Finding>) -> Vec<String> {
        let snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let advice = AdviceReport { findings, ..AdviceReport::default() };
        lines(&SampleView::single(&snapshot), &advice, None)
    }

    #[test]
    fn shared_sentences_are_printed_once() {
        let found = |name: &str, sentence: &'static str| {
            let finding = Finding::warn("poor", format!("{name} is poor"), sentence);
            finding.fixed_by(format!("swapadm mend {name}"))
        };
        let told = lines_for(vec![found("a", "So it is."), found("b", "So it is.")]);
        let wanted = [
            "WARNINGS",
            "  a is poor (poor)",
            "  b is poor (poor)",
            "    So it is.",
            "    certainty: certain; figures: ",
            "    fix: swapadm mend a",
            "    certainty: certain; figures: ",
            "    fix: swapadm mend b",
        ];
        assert_eq!(told, wanted);
        let told = lines_for(vec![found("a", "So it is."), found("b", "Or else.")]);
        assert_eq!(
            told.iter().filter(|line| line.starts_with("    certainty: certain")).count(),
            2
        );
        assert!(told.contains(&"    Or else.".to_owned()), "{told:?}");
    }
}
