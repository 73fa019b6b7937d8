//! `advise` for people: what was found, by how bad it is, each with its figures and its command.

use crate::advice::{Advice, Finding, Rule, Severity};
use crate::columns::tables::findings;
use crate::columns::text;
use crate::derive::View;
use crate::model::Missing;
use crate::model::name::safe_text;
use std::collections::BTreeMap;

/// How far words stand behind what is found.
const INDENT: usize = 4;
/// Narrower than this words are not wrapped.
const LEAST: usize = 40;

/// Everything, line by line.
#[must_use]
pub fn lines(view: &View<'_>, advice: &Advice, width: Option<usize>) -> Vec<String> {
    let width = width.unwrap_or(80).max(LEAST);
    let mut lines = Vec::new();
    for (severity, title) in GROUPS {
        let group = advice.findings.iter().filter(|finding| finding.severity == severity);
        let mut group = group.peekable();
        if group.peek().is_some() {
            lines.push(title.to_owned());
        }
        for finding in group {
            lines.extend(told(view, finding, width));
            lines.push(String::new());
        }
    }
    if advice.findings.is_empty() {
        let all = advice.unjudged.is_empty();
        let end = if all { "" } else { " with what could be judged" };
        lines.push(format!("nothing is wrong{end}"));
        lines.push(String::new());
    }
    lines.extend(unjudged(&advice.unjudged, width));
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The words above findings of one kind.
const GROUPS: [(Severity, &str); 3] =
    [(Severity::Crit, "CRITICAL"), (Severity::Warn, "WARNINGS"), (Severity::Note, "NOTES")];

fn told(view: &View<'_>, finding: &Finding, width: usize) -> Vec<String> {
    let mut lines = vec![format!("  {} ({})", safe_text(&finding.summary), finding.rule)];
    lines.extend(indented(&safe_text(&finding.sentence), width));
    let sure = format!("{}: ", finding.certainty.word());
    lines.extend(indented(&(sure + &figures(view, finding)), width));
    lines.extend(finding.fix.iter().map(|fix| format!("{}fix: {fix}", " ".repeat(INDENT))));
    lines
}

/// The figures that show it; those of one column stand behind its name.
fn figures(view: &View<'_>, finding: &Finding) -> String {
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for figure in finding.evidence.iter().filter_map(|it| findings::figure(view, it)) {
        let name = figure.name();
        let value = figure.of_row();
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

/// What could not be judged, reason by reason.
fn unjudged(unjudged: &[(&'static str, Missing)], width: usize) -> Vec<String> {
    let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (rule, missing) in unjudged {
        reasons.entry(safe_text(&missing.to_string())).or_default().push(rule);
    }
    let mut lines = Vec::new();
    for (reason, rules) in reasons {
        lines.push("NOT JUDGED".to_owned());
        lines.extend(indented(&format!("{}: {reason}", rules.join(", ")), width));
        lines.push(String::new());
    }
    lines.dedup_by(|later, first| later == first && later == "NOT JUDGED");
    lines
}

/// All about one rule, and what came of it.
#[must_use]
pub fn explained(
    view: &View<'_>,
    (rule, advice): (&Rule, &Advice),
    thresholds: &[(String, String)],
    width: Option<usize>,
) -> Vec<String> {
    let width = width.unwrap_or(80).max(LEAST);
    let mut lines = vec![format!("{}: {}", rule.id, rule.title), String::new()];
    lines.extend(indented(rule.about, width));
    lines.push(String::new());
    lines.extend(thresholds.iter().map(|(name, value)| format!("    {name} = {value}")));
    let found = advice.findings.iter().filter(|finding| finding.rule == rule.id);
    let found: Vec<String> = found.flat_map(|finding| told(view, finding, width)).collect();
    let missing = advice.unjudged.iter().find(|(id, _)| *id == rule.id);
    lines.push(match (found.is_empty(), missing) {
        (_, Some((_, missing))) => format!("not judged here: {}", safe_text(&missing.to_string())),
        (true, None) => "it finds nothing here".to_owned(),
        (false, None) => "here it finds:".to_owned(),
    });
    lines.extend(found);
    lines
}
