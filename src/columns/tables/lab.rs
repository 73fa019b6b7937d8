//! Tables of the stress lab: kept runs, what one shows, and how two differ.
//!
//! Their rows come from documents that are kept and not from snapshots; columns, filters and all
//! forms of output are those of the other tables.

mod cases;
pub mod comparison;
pub mod figures;
mod common;
mod load;
pub mod repetitions;
pub mod results;
pub mod run;
pub mod setup_differences;

use crate::columns::spec::Spec;
use crate::columns::{Request, Rows};
use crate::derive::lab::{self, ResultPair};
use crate::model::run::Run;
pub use common::FilledTable;
use common::fill_table;
pub use load::load_keys;
pub use run::{resident_process_note, setup, setup_lines};
pub use setup_differences::{why_not_comparable, difference_lines};

/// All of them: those of one run are in the order in which it is shown.
pub static LAB_TABLES: &[&Spec] = &[
    &results::SPEC,
    &run::SPEC,
    &figures::SPEC,
    &repetitions::SPEC,
    &figures::AREAS,
    &figures::FOLIOS,
    &figures::LATENCY,
    &comparison::SPEC,
    &setup_differences::SPEC,
];

/// Every column and row.
pub fn all_columns_and_rows() -> Request {
    Request { columns: Some("all".to_owned()), all: true, ..Request::default() }
}

/// The tables of one run.
///
/// # Errors
/// When the request does not fit one of them.
pub fn run_tables(run: &Run, request: &Request) -> Result<Vec<FilledTable>, String> {
    let seen = lab::with_stopped_runs(run);
    let areas = lab::areas(&seen);
    let repetitions = repetitions::rows(run);
    let figures = figures::rows(&seen);
    Ok(vec![
        fill_table::<run::RunTable>(&run::SPEC, request, &[run])?,
        with_note(
            fill_table::<figures::FiguresTable>(&figures::SPEC, request, &figures)?,
            resident_process_note([(None, &*seen)]),
        ),
        fill_table::<repetitions::RepetitionsTable>(&repetitions::SPEC, request, &repetitions)?,
        fill_table::<figures::AreasTable>(&figures::AREAS, request, &areas)?,
        fill_table::<figures::FoliosTable>(&figures::FOLIOS, request, &lab::folios(&seen))?,
        with_note(
            fill_table::<figures::LatencyTable>(&figures::LATENCY, request, &lab::touch_latencies(&seen))?,
            figures::sampled(&seen),
        ),
    ])
}

/// Kept runs.
///
/// # Errors
/// When the request does not fit the table.
pub fn results_table(entries: &[lab::ResultEntry], request: &Request) -> Result<FilledTable, String> {
    fill_table::<results::ResultsTable>(&results::SPEC, request, entries)
}

/// How two results differ, for people.
#[derive(Clone, Debug)]
pub struct ComparisonReport {
    /// In what else than their figures, line by line.
    pub lines: Vec<String>,
    /// Why a table has no rows, where nothing was measured for it.
    pub nothing: Vec<String>,
    /// Figure by figure: a table, or one for each case that both experiments have, which is its
    /// title.
    pub tables: Vec<FilledTable>,
    /// What is said below all of them: that one process did most of what is summed up.
    pub below: Option<String>,
}

/// How two results differ.
///
/// # Errors
/// When the request does not fit the table.
pub fn compare_results(both: &ResultPair<'_>, request: &Request) -> Result<ComparisonReport, String> {
    match *both {
        ResultPair::Runs(first, second) => {
            let table = compare_runs(first, second, request)?;
            let nothing = why_not_comparable(first, second).filter(|_| table.1.cells.is_empty());
            let nothing = nothing.into_iter().collect();
            let below = resident_process_note([("A", first), ("B", second)].map(named));
            Ok(ComparisonReport { lines: difference_lines(first, second), nothing, tables: vec![table], below })
        }
        ResultPair::Experiments(first, second) => cases::compare_experiments(first, second, request),
    }
}

fn named<'r>((name, run): (&str, &'r Run)) -> (Option<String>, &'r Run) {
    (Some(name.to_owned()), run)
}

/// The same in one table, for programs.
///
/// # Errors
/// When the request does not fit it.
pub fn compare_in_one_table(both: &ResultPair<'_>, request: &Request) -> Result<FilledTable, String> {
    let rows = match *both {
        ResultPair::Runs(first, second) => lab::compare_runs(first, second),
        ResultPair::Experiments(first, second) => cases::compared(first, second),
    };
    comparison_table(rows, request)
}

/// How two runs differ, figure by figure.
///
/// # Errors
/// When the request does not fit the table.
pub fn compare_runs(first: &Run, second: &Run, request: &Request) -> Result<FilledTable, String> {
    comparison_table(lab::compare_runs(first, second), request)
}

/// What neither of the two has is left out, also of what passes a filter.
fn comparison_table(mut rows: Vec<lab::FigureComparison>, request: &Request) -> Result<FilledTable, String> {
    let all = rows.len();
    rows.retain(|row| request.all || !row.is_empty());
    let empty = if request.filter.is_none() { all - rows.len() } else { 0 };
    let (spec, rows) = fill_table::<comparison::ComparisonTable>(&comparison::SPEC, request, &rows)?;
    let rows = Rows { hidden: rows.hidden + empty, ..rows };
    Ok(with_note((spec, rows), Some(comparison::legend())))
}

/// In what else two results differ, as a table.
///
/// # Errors
/// Never: all of it is asked for.
pub fn differences_table(both: &ResultPair<'_>) -> Result<FilledTable, String> {
    let rows = match *both {
        ResultPair::Runs(first, second) => setup_differences::rows(first, second),
        ResultPair::Experiments(first, second) => cases::experiment_differences(first, second),
    };
    fill_table::<setup_differences::SetupDifferencesTable>(&setup_differences::SPEC, &all_columns_and_rows(), &rows)
}

/// With what is said below it, where there is something above that.
fn with_note((spec, rows): FilledTable, below: Option<String>) -> FilledTable {
    let below = below.filter(|_| !rows.cells.is_empty());
    (spec, Rows { below, ..rows })
}

#[cfg(test)]
mod tests;
