//! `rules`: what is looked for, and what came of it.

use super::findings;
use crate::advice::{RuleOutcome, RULES, Rule};
use crate::columns::spec::{self, Spec, Table};
use crate::columns::value::Value;
use crate::derive::SampleView;
use crate::model::{Missing, Policy, Reading};

/// The table.
pub struct RulesTable;

/// A rule, and what it found.
pub struct Row {
    rule: &'static Rule,
    outcome: RuleOutcome,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<RulesTable>("rules", "Rules", "rule")
    .long()
    .about("What advice looks for, and what came of each")
    .shows(&["rule", "state", "found", "title", "why"])
    .needs(findings::SPEC.needs);

impl Table for RulesTable {
    type Row<'v> = Row;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &SampleView<'_>) -> Reading<Vec<Row>> {
        Self::rows_with_policy(view, &Policy::DEFAULT)
    }

    fn rows_with_policy(view: &SampleView<'_>, policy: &Policy) -> Reading<Vec<Row>> {
        view.now.swaps.reading.as_ref().map(|_| {
            let row = |rule: &'static Rule| Row { rule, outcome: rule.outcome(view, policy) };
            RULES.iter().map(row).collect()
        })
    }
}

/// In a word what came of a rule.
fn state(outcome: &RuleOutcome) -> Value {
    match outcome {
        RuleOutcome::Judged(found) if found.is_empty() => "fine".into(),
        RuleOutcome::Judged(_) => "found".into(),
        RuleOutcome::NotApplicable(_) => "not here".into(),
        RuleOutcome::Unjudged(missing) => Value::Missing(missing.clone()),
    }
}

fn why(outcome: &RuleOutcome) -> Value {
    match outcome {
        RuleOutcome::Judged(_) => Value::Missing(Missing::absent("it was judged")),
        RuleOutcome::NotApplicable(missing) | RuleOutcome::Unjudged(missing) => missing.to_string().into(),
    }
}

const ITSELF: &str = "the rule itself";
const FIGURES: &str = "the figures of the rule";

type Column = spec::Column<RulesTable>;

static COLUMNS: &[Column] = &[
    Column::text("rule", "RULE", |row| row.rule.id.into()).says("Its name.", ITSELF),
    Column::text("state", "STATE", |row| state(&row.outcome))
        .says("found: it found something; fine: it found nothing; not here: this kernel or machine has nothing of the kind. Missing where it could not be judged.", FIGURES)
        .two(),
    Column::count("found", "FOUND", |row| match &row.outcome {
        RuleOutcome::Judged(found) => (found.len() as u64).into(),
        RuleOutcome::NotApplicable(missing) | RuleOutcome::Unjudged(missing) => Value::Missing(missing.clone()),
    })
    .says("How many findings there are of it.", FIGURES)
    .two(),
    Column::text("title", "LOOKS FOR", |row| row.rule.title.into())
        .says("What it looks for.", ITSELF),
    Column::text("why", "WHY", |row| why(&row.outcome))
        .says("Why it could not be judged, or has nothing to judge.", FIGURES)
        .two()
        .drop(3),
    Column::list("thresholds", "THRESHOLDS", |row| {
        let names = row.rule.thresholds.iter().map(|name| format!("thresholds.{name}"));
        names.collect::<Vec<String>>().into()
    })
    .says("The settings that it goes by.", ITSELF)
    .drop(5),
];
