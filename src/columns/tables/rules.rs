//! `rules`: the rules of `advise` and their results.

use super::findings;
use crate::advice::{RULES, Rule, RuleOutcome};
use crate::columns::spec::Spec;
use crate::columns::value::Value;
use crate::derive::SampleView;
use crate::model::{Missing, Policy, Reading};

table!(pub struct RulesTable: Row, Column, COLUMNS, |view, policy| rows(view, policy));

/// A rule and its outcome.
pub struct Row {
    rule: &'static Rule,
    outcome: RuleOutcome,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<RulesTable>("rules", "Rules", "rule")
    .long()
    .about("Rules of advise and their results")
    .shows("rule,state,findings,title,why")
    .needs(findings::SPEC.needs);

fn rows(view: &SampleView<'_>, policy: &Policy) -> Reading<Vec<Row>> {
    view.now.swaps.reading.as_ref().map(|_| {
        let row = |rule: &'static Rule| Row { rule, outcome: rule.outcome(view, policy) };
        RULES.iter().map(row).collect()
    })
}

/// The outcome of a rule in one word.
fn state(outcome: &RuleOutcome) -> Value {
    match outcome {
        RuleOutcome::Judged(found) if found.is_empty() => "fine".into(),
        RuleOutcome::Judged(_) => "found".into(),
        RuleOutcome::NotApplicable(_) => "not applicable".into(),
        RuleOutcome::Unjudged(missing) => Value::Missing(missing.clone()),
    }
}

fn why(outcome: &RuleOutcome) -> Value {
    match outcome {
        RuleOutcome::Judged(_) => Value::Missing(Missing::absent("the rule was evaluated")),
        RuleOutcome::NotApplicable(missing) | RuleOutcome::Unjudged(missing) => {
            missing.to_string().into()
        }
    }
}

const ITSELF: &str = "the rule itself";
const FIGURES: &str = "the figures of the rule";

static COLUMNS: &[Column] = &[
    Column::text("rule", "RULE", |row| row.rule.id.into()).says("Name of the rule.", ITSELF),
    Column::text("state", "STATE", |row| state(&row.outcome))
        .says("State: found (there are findings), fine (no findings), not applicable (this kernel or machine has nothing of the kind). Missing if it could not be evaluated.", FIGURES)
        .two(),
    Column::count("findings", "FINDINGS", |row| match &row.outcome {
        RuleOutcome::Judged(found) => (found.len() as u64).into(),
        RuleOutcome::NotApplicable(missing) | RuleOutcome::Unjudged(missing) => Value::Missing(missing.clone()),
    })
    .says("Number of findings.", FIGURES)
    .two(),
    Column::text("title", "CHECKS FOR", |row| row.rule.title.into())
        .says("What the rule checks for.", ITSELF),
    Column::text("why", "WHY", |row| why(&row.outcome))
        .says("Why the rule could not be evaluated or is not applicable.", FIGURES)
        .two()
        .drop(3),
    Column::list("thresholds", "THRESHOLDS", |row| {
        let names = row.rule.thresholds.iter().map(|name| format!("thresholds.{name}"));
        names.collect::<Vec<String>>().into()
    })
    .says("Settings with the thresholds of the rule.", ITSELF),
];
