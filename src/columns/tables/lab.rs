//! Tables of the stress lab: stored results, the figures of one run, and the comparison of two.
//!
//! The rows come from stored results instead of snapshots; columns, filters and output formats work as in
//! the other tables.

mod cases;
mod common;
pub mod comparison;
pub mod figures;
mod load;
pub mod published;
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
pub use run::{run_notes, setup, setup_lines};
pub use setup_differences::{difference_lines, why_not_comparable};

/// All lab tables; those of one run in the order in which they are shown.
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
    &published::SPEC,
];

/// A request for every column and row.
pub fn all_columns_and_rows() -> Request {
    Request { columns: Some("all".to_owned()), all: true, ..Request::default() }
}

/// Fills the tables of one run. Fails if the request does not fit one of them.
pub fn run_tables(run: &Run, request: &Request) -> Result<Vec<FilledTable>, String> {
    let seen = lab::with_stopped_runs(run);
    let areas = lab::areas(&seen);
    let repetitions = repetitions::rows(run);
    let figures = figures::rows(&seen);
    Ok(vec![
        fill_table::<run::RunTable>(&run::SPEC, request, &[run])?,
        with_note(
            fill_table::<figures::FiguresTable>(&figures::SPEC, request, &figures)?,
            run_notes([(None, &*seen)]),
        ),
        fill_table::<repetitions::RepetitionsTable>(&repetitions::SPEC, request, &repetitions)?,
        fill_table::<figures::AreasTable>(&figures::AREAS, request, &areas)?,
        fill_table::<figures::FoliosTable>(&figures::FOLIOS, request, &lab::folios(&seen))?,
        with_note(
            fill_table::<figures::LatencyTable>(
                &figures::LATENCY,
                request,
                &lab::touch_latencies(&seen),
            )?,
            figures::sampled(&seen),
        ),
    ])
}

/// Fills the table of stored results. Fails if the request does not fit it.
pub fn results_table(
    entries: &[lab::ResultEntry],
    request: &Request,
) -> Result<FilledTable, String> {
    fill_table::<results::ResultsTable>(&results::SPEC, request, entries)
}

/// The comparison of two results, for people.
#[derive(Clone, Debug)]
pub struct ComparisonReport {
    /// Differences in setup, line by line.
    pub lines: Vec<String>,
    /// Why a table has no rows, if nothing was measured for it.
    pub nothing: Vec<String>,
    /// Comparison of the figures: one table, or one for each case that both experiments have, with the
    /// case as its title.
    pub tables: Vec<FilledTable>,
    /// Notes below all tables.
    pub below: Option<String>,
}

/// Compares two results for people. Fails if the request does not fit the table.
pub fn compare_results(
    both: &ResultPair<'_>,
    request: &Request,
) -> Result<ComparisonReport, String> {
    match *both {
        ResultPair::Runs(first, second) => {
            let table = compare_runs(first, second, request)?;
            let nothing = why_not_comparable(first, second).filter(|_| table.1.cells.is_empty());
            let nothing = nothing.into_iter().collect();
            let below = run_notes([("A", first), ("B", second)].map(named));
            Ok(ComparisonReport {
                lines: difference_lines(first, second),
                nothing,
                tables: vec![table],
                below,
            })
        }
        ResultPair::Experiments(first, second) => {
            cases::compare_experiments(first, second, request)
        }
    }
}

fn named<'r>((name, run): (&str, &'r Run)) -> (Option<String>, &'r Run) {
    (Some(name.to_owned()), run)
}

/// Compares two results in one table, for programs. Fails if the request does not fit the table.
pub fn compare_in_one_table(
    both: &ResultPair<'_>,
    request: &Request,
) -> Result<FilledTable, String> {
    let rows = match *both {
        ResultPair::Runs(first, second) => lab::compare_runs(first, second),
        ResultPair::Experiments(first, second) => cases::compared(first, second),
    };
    comparison_table(rows, request)
}

/// Compares two runs figure by figure. Fails if the request does not fit the table.
pub fn compare_runs(first: &Run, second: &Run, request: &Request) -> Result<FilledTable, String> {
    comparison_table(lab::compare_runs(first, second), request)
}

/// The comparison table. Figures that neither result has are left out, even if they pass the filter.
fn comparison_table(
    mut rows: Vec<lab::FigureComparison>,
    request: &Request,
) -> Result<FilledTable, String> {
    let all = rows.len();
    rows.retain(|row| request.all || !row.is_empty());
    let empty = if request.filter.is_none() { all - rows.len() } else { 0 };
    let (spec, rows) =
        fill_table::<comparison::ComparisonTable>(&comparison::SPEC, request, &rows)?;
    let rows = Rows { hidden: rows.hidden + empty, ..rows };
    Ok(with_note((spec, rows), Some(comparison::legend())))
}

/// Differences in the setup of two results, as a table.
pub fn differences_table(both: &ResultPair<'_>) -> Result<FilledTable, String> {
    let rows = match *both {
        ResultPair::Runs(first, second) => setup_differences::rows(first, second),
        ResultPair::Experiments(first, second) => cases::experiment_differences(first, second),
    };
    fill_table::<setup_differences::SetupDifferencesTable>(
        &setup_differences::SPEC,
        &all_columns_and_rows(),
        &rows,
    )
}

/// Adds a note below a table that has rows.
fn with_note((spec, rows): FilledTable, below: Option<String>) -> FilledTable {
    let below = below.filter(|_| !rows.cells.is_empty());
    (spec, Rows { below, ..rows })
}

#[cfg(test)]
mod tests;
