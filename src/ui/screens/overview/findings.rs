//! What is wrong, worst first.

use super::short::answer;
use crate::columns::tables::findings::id as findings;
use crate::ui::content::Line;
use crate::ui::pane_data::Facts;
use crate::ui::theme::Role;

const TABLE: &str = "findings";

/// A line for each finding; none of them goes without a word.
pub(super) fn findings(facts: &Facts<'_>) -> Vec<Line> {
    (0..facts.count(TABLE)).map(|row| one(Line::new(), facts, row)).collect()
}

/// What the first line of the pane says already.
const SAID: &str = "thrashing";

/// The worst that is wrong, for where there is no room for all, and how many there are beside it.
/// Where there are notes only, those can wait.
pub(super) fn worst(facts: &Facts<'_>) -> Option<Line> {
    let is_wrong = |row: &usize| role(facts, *row) != Role::Label;
    let is_new = |row: &usize| facts.words(findings::RULE, *row) != SAID;
    let worst = (0..facts.count(TABLE)).filter(is_wrong).find(is_new)?;
    let line = one(answer("worst finding"), facts, worst);
    let more = facts.count(TABLE) - 1;
    Some(if more > 0 { line.label(format!("- {more} more")).drops(4) } else { line })
}

fn one(line: Line, facts: &Facts<'_>, row: usize) -> Line {
    let role = role(facts, row);
    let mark = match role {
        Role::Crit => "!!",
        Role::Warn => "!",
        _ => ".",
    };
    let line = line.cell(mark, role, 2);
    let line = line.figure(facts.figure(findings::SUMMARY, row).left().as_role(role));
    if facts.value(findings::FIX, row).is_none_or(|fix| fix.missing().is_some()) {
        return line;
    }
    line.fill().drops(5).figure(facts.figure(findings::FIX, row).as_role(Role::Label).drops(5))
}

fn role(facts: &Facts<'_>, row: usize) -> Role {
    match facts.words(findings::SEVERITY, row).as_str() {
        "crit" => Role::Crit,
        "warn" => Role::Warn,
        _ => Role::Label,
    }
}
