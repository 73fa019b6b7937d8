//! Columns of an experiment's table: figures of runs, and what was used of each area.

use crate::columns::Unit;
use crate::derive::lab::{AreaUse, Figure, areas, figures, figures_of};
use crate::derive::statistics::Summary;
use crate::lab::runs;
use crate::model::Reading;
pub use crate::model::experiment::USED;
use crate::model::experiment::{Case, Experiment};
use crate::model::run::Run;

/// The beginnings of figures that only some runs have.
const SOME: [&str; 9] = [
    "uneven",
    "metadata",
    "latency_",
    "swpout_",
    "swpout_fallback_",
    "fail_rate_",
    "fail_early_",
    "fail_late_",
    "used_peak_",
];

/// Can a run have such a figure?
pub fn is_known(id: &str) -> bool {
    let always = figures_of(&runs::failed(String::new()));
    id == USED
        || always.iter().any(|figure| figure.id == id)
        || SOME.iter().any(|beginning| id.starts_with(beginning))
}

/// The first of these that is a figure: what is used of areas is none.
pub fn first(columns: &[String]) -> Option<&str> {
    columns.iter().map(String::as_str).find(|id| *id != USED)
}

/// A column and what each case has in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name for programs.
    pub id: String,
    /// The heading, with what the numbers count.
    pub head: String,
    /// What the numbers count, for programs; none where no run has such a figure.
    pub unit: Option<&'static str>,
    /// Case by case.
    pub cells: Vec<Cell>,
}

/// What a case has in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A figure.
    Figure(Reading<Summary>),
    /// What was used of an area, in bytes, and its priority.
    Used(Reading<f64>, i32),
}

/// All columns of what was measured.
pub fn columns(experiment: &Experiment) -> Vec<Column> {
    experiment
        .columns
        .iter()
        .flat_map(
            |id| {
                if id == USED { used(&experiment.cases) } else { vec![figure(id, experiment)] }
            },
        )
        .collect()
}

/// The column of a figure.
pub fn figure(id: &str, experiment: &Experiment) -> Column {
    let found: Vec<Option<Figure>> = experiment.cases.iter().map(|case| of(case, id)).collect();
    let known = found.iter().flatten().next();
    let head = known.map_or_else(
        || id.to_owned(),
        |figure| format!("{} {}", figure.head, figure.measure.word()),
    );
    let cell = |figure: &Option<Figure>| {
        let summary = figure.as_ref().map(Figure::summary);
        Cell::Figure(summary.unwrap_or_else(|| Reading::absent("it was not measured")))
    };
    let unit = known.map(|figure| figure.measure.word());
    Column { id: id.to_owned(), head, unit, cells: found.iter().map(cell).collect() }
}

fn of(case: &Case, id: &str) -> Option<Figure> {
    figures(case.run.as_ref()?).into_iter().find(|figure| figure.id == id)
}

/// One for each area of the case that has most; areas of other people count where none was made.
fn used(cases: &[Case]) -> Vec<Column> {
    let uses: Vec<Vec<AreaUse<'_>>> = cases.iter().map(|case| ours(case.run.as_ref())).collect();
    let most = uses.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |place: usize, uses: &Vec<AreaUse<'_>>| match uses.get(place) {
        Some(area) => Cell::Used(area.peak.clone(), area.area.priority),
        None => Cell::Figure(Reading::absent("the case has fewer areas")),
    };
    let column = |place: usize| Column {
        id: format!("{USED}{place}"),
        head: format!("{USED}{place} PRIO"),
        unit: Some(Unit::Bytes.word()),
        cells: uses.iter().map(|uses| cell(place, uses)).collect(),
    };
    (0..most).map(column).collect()
}

fn ours(run: Option<&Run>) -> Vec<AreaUse<'_>> {
    let Some(run) = run else { return Vec::new() };
    let has_own = run.machine.areas.iter().any(|area| area.ours);
    areas(run).into_iter().filter(|it| it.area.ours || !has_own).collect()
}
