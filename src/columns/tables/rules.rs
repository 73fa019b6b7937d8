//! `rules`: what is looked for, and what came of it.

use super::findings;
use crate::advice::{Outcome, RULES, Rule};
use crate::columns::spec::{self, Cells, Column, Info, Spec, Style, Table};
use crate::columns::value::{Unit, Value};
use crate::derive::View;
use crate::model::{Missing, Policy, Reading};

/// The table.
pub struct Rules;

/// A rule, and what it found.
pub struct Row {
    rule: &'static Rule,
    outcome: Outcome,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "rules",
    title: "Rules",
    about: "What advice looks for, and what came of each",
    style: Style::Rows,
    default: &["rule", "state", "found", "title", "why"],
    with_two: &[],
    key: "rule",
    sort: None,
    only: None,
    tree: None,
    needs: findings::SPEC.needs,
    infos: spec::infos::<Rules>,
    cells: spec::cells::<Rules>,
};

impl Table for Rules {
    type Row<'v> = Row;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows(view: &View<'_>) -> Reading<Vec<Row>> {
        rows_by(view, &Policy::DEFAULT)
    }
}

/// The cells of what comes of these thresholds.
pub(in crate::columns) fn cells_by(view: &View<'_>, policy: &Policy, chosen: &[usize]) -> Cells {
    rows_by(view, policy).map(|rows| spec::cells_of::<Rules>(&rows, chosen))
}

fn rows_by(view: &View<'_>, policy: &Policy) -> Reading<Vec<Row>> {
    view.now.swaps.reading.as_ref().map(|_| {
        let row = |rule: &'static Rule| Row { rule, outcome: rule.outcome(view, policy) };
        RULES.iter().map(row).collect()
    })
}

/// In a word what came of a rule.
fn state(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Found(found) if found.is_empty() => "fine".into(),
        Outcome::Found(_) => "found".into(),
        Outcome::NotHere(_) => "not here".into(),
        Outcome::Unjudged(missing) => Value::Missing(missing.clone()),
    }
}

fn why(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Found(_) => Value::Missing(Missing::absent("it was judged")),
        Outcome::NotHere(missing) | Outcome::Unjudged(missing) => missing.to_string().into(),
    }
}

const ITSELF: &str = "the rule itself";
const FIGURES: &str = "the figures of the rule";

static COLUMNS: &[Column<Rules>] = &[
    Column {
        info: Info::new("rule", "RULE", Unit::Text).says("Its name.", ITSELF),
        get: |row| row.rule.id.into(),
    },
    Column {
        info: Info::new("state", "STATE", Unit::Text)
            .says("found: it found something; fine: it found nothing; not here: this kernel or machine has nothing of the kind. Missing where it could not be judged.", FIGURES)
            .two(),
        get: |row| state(&row.outcome),
    },
    Column {
        info: Info::new("found", "FOUND", Unit::Count)
            .says("How many findings there are of it.", FIGURES)
            .two(),
        get: |row| match &row.outcome {
            Outcome::Found(found) => (found.len() as u64).into(),
            Outcome::NotHere(missing) | Outcome::Unjudged(missing) => {
                Value::Missing(missing.clone())
            }
        },
    },
    Column {
        info: Info::new("title", "LOOKS FOR", Unit::Text).says("What it looks for.", ITSELF),
        get: |row| row.rule.title.into(),
    },
    Column {
        info: Info::new("why", "WHY", Unit::Text)
            .says("Why it could not be judged, or has nothing to judge.", FIGURES)
            .two()
            .drop(3),
        get: |row| why(&row.outcome),
    },
    Column {
        info: Info::new("thresholds", "THRESHOLDS", Unit::List)
            .says("The settings that it goes by.", ITSELF)
            .drop(5),
        get: |row| {
            let names = row.rule.thresholds.iter().map(|name| format!("thresholds.{name}"));
            names.collect::<Vec<String>>().into()
        },
    },
];
