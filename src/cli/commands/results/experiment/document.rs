//! The JSON and CSV of an experiment: the stored data, and tables derived from it.

use crate::columns::tables::lab::{self, comparison::deviation};
use crate::columns::{Info, Unit, Value};
use crate::derive::lab::{FigureComparison, FigureScope, Measure};
use crate::lab::builtin;
use crate::lab::experiment::Published;
use crate::lab::experiment::table::{
    Contrast, EXPORTED_ENDINGS, SETUP_PREFIX, TableCell, TableColumn, all_contrasts, columns,
};
use crate::model::experiment::{Case, Experiment, ExperimentExtras, FactorValue};
use crate::model::{Missing, Reading};
use crate::report::csv;
use crate::report::json::JsonRow;
use serde::Serialize;
use serde::ser::{SerializeSeq as _, Serializer};

/// The member `kind` of such a document, also shown by `results list`.
pub const KIND: &str = "experiment";

/// The exported document. It is read back as a stored experiment, so the derived members have names
/// that a stored experiment does not use.
#[derive(Debug, Serialize)]
pub(super) struct ExperimentExport<'e> {
    kind: &'static str,
    #[serde(flatten)]
    experiment: &'e Experiment,
    #[serde(flatten)]
    shown: DerivedTables,
    /// Published figures.
    published: Option<Published>,
}

impl<'e> ExperimentExport<'e> {
    pub(super) fn for_experiment(experiment: &'e Experiment, beside: &ExperimentExtras) -> Self {
        let (shown, published) =
            (DerivedTables::from_experiment(experiment), builtin::published(experiment, beside));
        Self { kind: KIND, experiment, shown, published }
    }
}

/// The tables derived from an experiment.
#[derive(Debug, Serialize)]
pub struct DerivedTables {
    table_columns: Vec<Head>,
    table: Option<Table>,
    changes: Vec<Change>,
}

impl DerivedTables {
    /// The tables of this experiment.
    pub fn from_experiment(experiment: &Experiment) -> Self {
        let FlatTable { heads, table } = FlatTable::from_experiment(experiment);
        Self { table_columns: heads, table: Some(table), changes: changes(experiment) }
    }

    /// The tables of an experiment that was not run.
    pub const fn empty() -> Self {
        Self { table_columns: Vec::new(), table: None, changes: Vec::new() }
    }
}

/// The table as comma-separated values.
pub(super) fn comma_separated(experiment: &Experiment) -> String {
    let FlatTable { table, .. } = FlatTable::from_experiment(experiment);
    // Names of factors come from users, so the headings are escaped like other fields.
    let names: Vec<Value> = table.ids.into_iter().map(Value::from).collect();
    std::iter::once(&names).chain(&table.rows).map(|row| csv::line(row) + "\n").collect()
}

/// A column of the table.
#[derive(Clone, Debug, Serialize)]
struct Head {
    id: String,
    /// The unit; null if no run has this figure.
    unit: Option<&'static str>,
    /// The subject of a figure; only with its mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
}

impl Head {
    fn new(id: String, unit: &'static str) -> Self {
        Self { id, unit: Some(unit), scope: None }
    }
}

/// The rows of the table, each value under the name of its column.
#[derive(Debug)]
struct Table {
    ids: Vec<String>,
    rows: Vec<Vec<Value>>,
}

/// The table of an experiment with each number in its own column.
struct FlatTable {
    heads: Vec<Head>,
    table: Table,
}

impl FlatTable {
    fn from_experiment(experiment: &Experiment) -> Self {
        let columns = columns(experiment);
        let factors = experiment.cases.first().map_or(&[][..], |case| case.factors.as_slice());
        let factors =
            factors.iter().map(|level| Head::new(level.factor.clone(), Unit::Text.word()));
        let setups = Setups::from_experiment(experiment);
        let figures = columns.iter().flat_map(heads);
        let heads: Vec<Head> = factors.chain(figures).chain(setups.heads()).collect();
        let row = |(place, case): (usize, &Case)| {
            let levels = case.factors.iter().map(|level| level.value.clone().into());
            let figures = columns.iter().flat_map(|column| values(column, place));
            levels.chain(figures).chain(setups.values(case)).collect()
        };
        let rows = experiment.cases.iter().enumerate().map(row).collect();
        Self { table: Table { ids: heads.iter().map(|it| it.id.clone()).collect(), rows }, heads }
    }
}

/// The columns of a run's setup: kernel, limit, areas and so on.
struct Setups(Vec<&'static Info>);

impl Setups {
    fn from_experiment(experiment: &Experiment) -> Self {
        let first = experiment.runs().next().and_then(|run| lab::setup(run).ok());
        Self(first.map_or_else(Vec::new, |rows| rows.infos))
    }

    /// The headings. Their prefix keeps them apart from factors, whose names come from users.
    fn heads(&self) -> impl Iterator<Item = Head> {
        self.0.iter().map(|info| Head::new(format!("{SETUP_PREFIX}{}", info.id), info.unit.word()))
    }

    fn values(&self, case: &Case) -> Vec<Value> {
        let rows = case.run.as_ref().and_then(|run| lab::setup(run).ok());
        let cells = rows.and_then(|rows| rows.cells.into_iter().next());
        cells.unwrap_or_else(|| self.0.iter().map(|_| not_measured()).collect())
    }
}

fn not_measured() -> Value {
    Value::Missing(Missing::absent("not measured"))
}

fn is_used(column: &TableColumn) -> bool {
    column.cells.iter().any(|cell| matches!(cell, TableCell::Used(..)))
}

/// The headings of the numbers of a column, with units.
fn heads(column: &TableColumn) -> Vec<Head> {
    let scope = column.scope.map(FigureScope::word);
    let mean = Head { id: column.id.clone(), unit: column.unit, scope };
    let named = |word| format!("{}_{word}", column.id);
    let [deviation, count, unit, priority] = EXPORTED_ENDINGS.map(named);
    if is_used(column) {
        return vec![mean, Head::new(priority, Unit::Integer.word())];
    }
    let deviation = Head { id: deviation, unit: column.unit, scope: None };
    vec![
        mean,
        deviation,
        Head::new(count, Measure::Count.word()),
        Head::new(unit, Unit::Text.word()),
    ]
}

/// The numbers of a case.
fn values(column: &TableColumn, place: usize) -> Vec<Value> {
    match column.cells.get(place) {
        Some(TableCell::Used(used, priority)) => vec![used.clone().into(), (*priority).into()],
        Some(TableCell::Figure(missing)) if is_used(column) => {
            let missing: Value = missing.clone().map(|summary| summary.mean).into();
            vec![missing.clone(), missing]
        }
        Some(TableCell::Figure(summary)) => vec![
            summary.clone().map(|it| it.mean).into(),
            deviation(summary).into(),
            summary.clone().map(|it| it.count as u64).into(),
            Reading::or_absent(column.unit.map(str::to_owned), "no run has such a figure").into(),
        ],
        None => heads(column).iter().map(|_| not_measured()).collect(),
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ids: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        let mut seq = serializer.serialize_seq(Some(self.rows.len()))?;
        for cells in &self.rows {
            seq.serialize_element(&JsonRow { ids: &ids, cells })?;
        }
        seq.end()
    }
}

/// The difference of a figure between two cases that differ in one factor.
#[derive(Debug, Serialize)]
struct Change {
    factor: String,
    value: String,
    against: String,
    others: Vec<FactorValue>,
    figure: String,
    unit: &'static str,
    #[serde(flatten)]
    numbers: Numbers,
}

/// The numbers of a difference, as in the table of `results compare`.
#[derive(Debug)]
struct Numbers(Vec<Value>);

/// The names of the numbers. The manual says which are in percent.
const NUMBERS: [&str; 7] =
    ["by", "by_low", "by_high", "change", "change_low", "change_high", "verdict"];

impl Numbers {
    fn new(contrast: &Contrast, row: &FigureComparison) -> Self {
        Self(vec![
            row.difference().map(|it| it.by).into(),
            row.bound(|it| it.interval, |it| it.low).into(),
            row.bound(|it| it.interval, |it| it.high).into(),
            row.change().map(|share| 100.0 * share).into(),
            row.bound(|it| it.share_interval, |it| 100.0 * it.low).into(),
            row.bound(|it| it.share_interval, |it| 100.0 * it.high).into(),
            row.difference().map(|it| contrast.verdict(&it).word().to_owned()).into(),
        ])
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        JsonRow { ids: &NUMBERS, cells: &self.0 }.serialize(serializer)
    }
}

/// The differences of all pairs of cases, also those that could not be calculated.
fn changes(experiment: &Experiment) -> Vec<Change> {
    let of = |contrast: &Contrast| -> Vec<Change> {
        let change = |row: &FigureComparison| Change {
            factor: contrast.factor.clone(),
            value: contrast.value.clone(),
            against: contrast.against.clone(),
            others: contrast.others.clone(),
            figure: row.id.clone(),
            unit: row.measure.word(),
            numbers: Numbers::new(contrast, row),
        };
        contrast.figures.iter().map(change).collect()
    };
    all_contrasts(experiment).iter().flat_map(of).collect()
}
