//! Tables of the stress lab: kept runs, what one shows, and how two differ.
//!
//! Their rows come from documents that are kept and not from snapshots; columns, filters and all
//! forms of output are those of the other tables.

mod cases;
pub mod comparison;
pub mod figures;
mod kept;
mod load;
pub mod repetitions;
pub mod results;
pub mod run;
pub mod unlike;

use crate::columns::spec::Spec;
use crate::columns::{Request, Rows};
use crate::derive::lab::{self, Both};
use crate::model::run::Run;
pub use kept::Table;
use kept::ask;
pub use load::keys_of;
pub use run::{apart, setup, setup_lines};
pub use unlike::{nothing_in_both, unlike};

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
    &unlike::SPEC,
];

/// Every column and row.
pub fn whole() -> Request {
    Request { columns: Some("all".to_owned()), all: true, ..Request::default() }
}

/// The tables of one run.
///
/// # Errors
/// When the request does not fit one of them.
pub fn of_run(run: &Run, request: &Request) -> Result<Vec<Table>, String> {
    let seen = lab::as_far_as(run);
    let areas = lab::areas(&seen);
    let repetitions = repetitions::rows(run);
    let figures = figures::rows(&seen);
    Ok(vec![
        ask::<run::RunTable>(&run::SPEC, request, &[run])?,
        with_words(
            ask::<figures::Figures>(&figures::SPEC, request, &figures)?,
            apart([(None, &*seen)]),
        ),
        ask::<repetitions::Repetitions>(&repetitions::SPEC, request, &repetitions)?,
        ask::<figures::Areas>(&figures::AREAS, request, &areas)?,
        ask::<figures::Folios>(&figures::FOLIOS, request, &lab::folios(&seen))?,
        with_words(
            ask::<figures::Latency>(&figures::LATENCY, request, &lab::touches(&seen))?,
            figures::sampled(&seen),
        ),
    ])
}

/// Kept runs.
///
/// # Errors
/// When the request does not fit the table.
pub fn of_entries(entries: &[lab::Entry], request: &Request) -> Result<Table, String> {
    ask::<results::Results>(&results::SPEC, request, entries)
}

/// How two results differ, for people.
#[derive(Clone, Debug)]
pub struct Told {
    /// In what else than their figures, line by line.
    pub lines: Vec<String>,
    /// Why a table has no rows, where nothing was measured for it.
    pub nothing: Vec<String>,
    /// Figure by figure: a table, or one for each case that both experiments have, which is its
    /// title.
    pub tables: Vec<Table>,
    /// What is said below all of them: that one process did most of what is summed up.
    pub below: Option<String>,
}

/// How two results differ.
///
/// # Errors
/// When the request does not fit the table.
pub fn of_both(both: &Both<'_>, request: &Request) -> Result<Told, String> {
    match *both {
        Both::Runs(first, second) => {
            let table = of_two(first, second, request)?;
            let nothing = nothing_in_both(first, second).filter(|_| table.1.cells.is_empty());
            let nothing = nothing.into_iter().collect();
            let below = apart([("A", first), ("B", second)].map(named));
            Ok(Told { lines: unlike(first, second), nothing, tables: vec![table], below })
        }
        Both::Experiments(first, second) => cases::told(first, second, request),
    }
}

fn named<'r>((name, run): (&str, &'r Run)) -> (Option<String>, &'r Run) {
    (Some(name.to_owned()), run)
}

/// The same in one table, for programs.
///
/// # Errors
/// When the request does not fit it.
pub fn in_one(both: &Both<'_>, request: &Request) -> Result<Table, String> {
    let rows = match *both {
        Both::Runs(first, second) => lab::compared(first, second),
        Both::Experiments(first, second) => cases::compared(first, second),
    };
    comparison_of(rows, request)
}

/// How two runs differ, figure by figure.
///
/// # Errors
/// When the request does not fit the table.
pub fn of_two(first: &Run, second: &Run, request: &Request) -> Result<Table, String> {
    comparison_of(lab::compared(first, second), request)
}

/// What neither of the two has is left out, also of what passes a filter.
fn comparison_of(mut rows: Vec<lab::Compared>, request: &Request) -> Result<Table, String> {
    let all = rows.len();
    rows.retain(|row| request.all || !row.is_empty());
    let empty = if request.filter.is_none() { all - rows.len() } else { 0 };
    let (spec, rows) = ask::<comparison::Comparison>(&comparison::SPEC, request, &rows)?;
    let rows = Rows { hidden: rows.hidden + empty, ..rows };
    Ok(with_words((spec, rows), Some(comparison::legend())))
}

/// In what else two results differ, as a table.
///
/// # Errors
/// Never: all of it is asked for.
pub fn beside(both: &Both<'_>) -> Result<Table, String> {
    let rows = match *both {
        Both::Runs(first, second) => unlike::rows(first, second),
        Both::Experiments(first, second) => cases::unlike_of(first, second),
    };
    ask::<unlike::Differences>(&unlike::SPEC, &whole(), &rows)
}

/// With what is said below it, where there is something above that.
fn with_words((spec, rows): Table, below: Option<String>) -> Table {
    let below = below.filter(|_| !rows.cells.is_empty());
    (spec, Rows { below, ..rows })
}

#[cfg(test)]
mod tests;
