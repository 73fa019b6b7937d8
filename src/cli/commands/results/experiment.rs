//! Experiments that are kept, in each form: for people as their command told them.

use super::form;
use crate::cli::args::results::{ExportForm, FormArgs};
use crate::cli::exit::Failure;
use crate::cli::options::Environment;
use crate::cli::out::Out;
use crate::columns::tables::lab::comparison::deviation;
use crate::columns::{Value, units};
use crate::derive::lab::Compared;
use crate::lab::experiment::columns::{Cell, Column, columns};
use crate::lab::experiment::contrasts::{Contrast, contrasts};
use crate::lab::experiment::table;
use crate::model::Missing;
use crate::model::experiment::{Case, Experiment, Level};
use crate::model::name::safe_text;
use crate::report::json::Row;
use crate::report::{csv, html, markdown};
use serde::Serialize;
use serde::ser::{SerializeSeq as _, Serializer};

/// Cells of a line where there is no terminal.
const WIDTH: usize = 80;
/// The narrowest terminal that is written for.
const NARROW: usize = 40;

/// Cells of a line.
pub fn width(terminal: Option<usize>) -> usize {
    terminal.unwrap_or(WIDTH).max(NARROW)
}

/// The numbers of the runs of its cases.
pub fn numbers(experiment: &Experiment) -> String {
    let ids = experiment.runs().filter(|run| run.id > 0).map(|run| run.id.to_string());
    let ids: Vec<String> = ids.collect();
    if ids.is_empty() { "not kept".to_owned() } else { ids.join(", ") }
}

/// Print what it has shown.
pub(super) fn show(
    experiment: &Experiment,
    form: &FormArgs,
    environment: &Environment,
) -> Result<(), Failure> {
    let mut out = Out::new();
    if form.json {
        return out.json(&Document::of(experiment), true);
    }
    if form.csv || form.markdown {
        let form = if form.csv { ExportForm::Csv } else { ExportForm::Markdown };
        return out.raw(&exported(experiment, form)?);
    }
    let width = width(environment.width);
    form::head(&[experiment.title.clone(), experiment.question.clone()], false)?;
    out.lines(table::lines(experiment, width))?;
    let runs = format!("The runs of its cases as results: {}.", numbers(experiment));
    out.lines([String::new(), runs])
}

/// All of it, in a form for a file.
pub(super) fn exported(experiment: &Experiment, form: ExportForm) -> Result<String, Failure> {
    let parts = || table::parts(experiment);
    match form {
        ExportForm::Json => super::json(&Document::of(experiment)),
        ExportForm::Csv => Ok(comma_separated(experiment)),
        ExportForm::Markdown => {
            let head = format!("{}\n", markdown::item(&safe_text(&experiment.title)))
                + &format!("{}\n\n", markdown::item(&safe_text(&experiment.question)));
            Ok(head + &parts().iter().map(markdown::part).collect::<String>())
        }
        ExportForm::Html => html::experiment(experiment, &parts()).map_err(Failure::Nothing),
    }
}

fn comma_separated(experiment: &Experiment) -> String {
    let flat = Flat::of(experiment);
    let rows = flat.rows.iter().map(|row| csv::line(row));
    std::iter::once(flat.ids.join(",")).chain(rows).map(|line| line + "\n").collect()
}

/// The whole of it: as it is kept, with what follows from that. It is read again as it is kept.
#[derive(Debug, Serialize)]
struct Document<'e> {
    #[serde(flatten)]
    experiment: &'e Experiment,
    table: Flat,
    changes: Vec<Change>,
}

impl<'e> Document<'e> {
    fn of(experiment: &'e Experiment) -> Self {
        Self { experiment, table: Flat::of(experiment), changes: changes(experiment) }
    }
}

/// The table of an experiment for programs: each number in a column of its own.
#[derive(Debug)]
pub struct Flat {
    ids: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl Flat {
    /// Of what was measured.
    #[must_use]
    pub fn of(experiment: &Experiment) -> Self {
        let columns = columns(experiment);
        let factors = experiment.cases.first().map_or(&[][..], |case| case.factors.as_slice());
        let factors = factors.iter().map(|level| level.factor.clone());
        let ids = columns.iter().flat_map(ids);
        let row = |(place, case): (usize, &Case)| {
            let levels = case.factors.iter().map(|level| level.value.clone().into());
            levels.chain(columns.iter().flat_map(|column| values(column, place))).collect()
        };
        Self {
            ids: factors.chain(ids).collect(),
            rows: experiment.cases.iter().enumerate().map(row).collect(),
        }
    }
}

fn is_used(column: &Column) -> bool {
    column.cells.iter().any(|cell| matches!(cell, Cell::Used(..)))
}

/// What the numbers of a column are called.
fn ids(column: &Column) -> Vec<String> {
    let more: &[&str] = if is_used(column) { &["priority"] } else { &["deviation", "count"] };
    let more = more.iter().map(|word| format!("{}_{word}", column.id));
    std::iter::once(column.id.clone()).chain(more).collect()
}

/// The numbers of a case.
fn values(column: &Column, place: usize) -> Vec<Value> {
    match column.cells.get(place) {
        Some(Cell::Used(used, priority)) => vec![used.clone().into(), (*priority).into()],
        Some(Cell::Figure(missing)) if is_used(column) => {
            let missing: Value = missing.clone().map(|summary| summary.mean).into();
            vec![missing.clone(), missing]
        }
        Some(Cell::Figure(summary)) => vec![
            summary.clone().map(|it| it.mean).into(),
            deviation(summary).into(),
            summary.clone().map(|it| it.count as u64).into(),
        ],
        None => ids(column)
            .iter()
            .map(|_| Value::Missing(Missing::absent("it was not measured")))
            .collect(),
    }
}

impl Serialize for Flat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ids: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        let mut seq = serializer.serialize_seq(Some(self.rows.len()))?;
        for cells in &self.rows {
            seq.serialize_element(&Row { ids: &ids, cells })?;
        }
        seq.end()
    }
}

/// By how much a figure differs between two cases that differ in one factor.
#[derive(Debug, Serialize)]
pub struct Change {
    factor: String,
    value: String,
    against: String,
    others: Vec<Level>,
    figure: String,
    by: f64,
    /// Where that lies, 95 % certain.
    by_low: Option<f64>,
    by_high: Option<f64>,
    verdict: &'static str,
}

/// All of them that can be told.
pub fn changes(experiment: &Experiment) -> Vec<Change> {
    let of = |contrast: &Contrast| -> Vec<Change> {
        let change = |row: &Compared| {
            let difference = row.difference().into_result().ok()?;
            Some(Change {
                factor: contrast.factor.clone(),
                value: contrast.value.clone(),
                against: contrast.against.clone(),
                others: contrast.others.clone(),
                figure: row.id.clone(),
                by: units::rounded(difference.by),
                by_low: difference.interval.map(|it| units::rounded(it.low)),
                by_high: difference.interval.map(|it| units::rounded(it.high)),
                verdict: difference.verdict.words(),
            })
        };
        contrast.figures.iter().filter_map(change).collect()
    };
    contrasts(experiment).iter().flat_map(of).collect()
}
