//! Tables of the stress lab: kept runs, what one shows, and how two differ.
//!
//! Their rows come from documents that are kept and not from snapshots; columns, filters and all
//! forms of output are those of the other tables.

pub mod areas;
pub mod comparison;
pub mod figures;
pub mod folios;
pub mod latency;
mod load;
pub mod repetitions;
pub mod results;
pub mod run;
pub mod unlike;

use crate::columns::spec::{self, Spec, Table};
use crate::columns::{Query, Request, Rows};
use crate::derive::View;
use crate::derive::lab;
use crate::model::run::Run;
use crate::model::{PartSet, Reading};
pub use load::keys_of;
pub use unlike::{nothing_in_both, unlike};

/// All of them: those of one run are in the order in which it is shown.
pub static LAB_TABLES: &[&Spec] = &[
    &results::SPEC,
    &run::SPEC,
    &figures::SPEC,
    &repetitions::SPEC,
    &areas::SPEC,
    &folios::SPEC,
    &latency::SPEC,
    &comparison::SPEC,
    &unlike::SPEC,
];

/// Every column and row.
#[must_use]
pub fn whole() -> Request {
    Request { columns: Some("all".to_owned()), all: true, ..Request::default() }
}

/// The tables of one run.
///
/// # Errors
/// When the request does not fit one of them.
pub fn of_run(run: &Run, request: &Request) -> Result<Vec<(&'static Spec, Rows)>, String> {
    let seen = lab::as_far_as(run);
    let areas = lab::areas(&seen);
    let repetitions = repetitions::rows(run);
    let figures = figures::rows(&seen);
    Ok(vec![
        ask::<run::RunTable>(&run::SPEC, request, &[run])?,
        ask::<figures::Figures>(&figures::SPEC, request, &figures)?,
        ask::<repetitions::Repetitions>(&repetitions::SPEC, request, &repetitions)?,
        ask::<areas::Areas>(&areas::SPEC, request, &areas)?,
        ask::<folios::Folios>(&folios::SPEC, request, &lab::folios(&seen))?,
        with_words(
            ask::<latency::Latency>(&latency::SPEC, request, &lab::touches(&seen))?,
            latency::sampled(&seen),
        ),
    ])
}

/// Kept runs.
///
/// # Errors
/// When the request does not fit the table.
pub fn of_entries(
    entries: &[lab::Entry],
    request: &Request,
) -> Result<(&'static Spec, Rows), String> {
    ask::<results::Results>(&results::SPEC, request, entries)
}

/// How two runs differ, figure by figure. What neither of them has is left out, also of what passes
/// a filter.
///
/// # Errors
/// When the request does not fit the table.
pub fn of_two(
    first: &Run,
    second: &Run,
    request: &Request,
) -> Result<(&'static Spec, Rows), String> {
    let mut rows = lab::compared(first, second);
    let all = rows.len();
    rows.retain(|row| request.all || !row.is_empty());
    let empty = if request.filter.is_none() { all - rows.len() } else { 0 };
    let (spec, rows) = ask::<comparison::Comparison>(&comparison::SPEC, request, &rows)?;
    let rows = Rows { hidden: rows.hidden + empty, ..rows };
    Ok(with_words((spec, rows), Some(comparison::legend())))
}

/// In what else two runs differ.
///
/// # Errors
/// Never: all of it is asked for.
pub fn beside(first: &Run, second: &Run) -> Result<(&'static Spec, Rows), String> {
    ask::<unlike::Differences>(&unlike::SPEC, &whole(), &unlike::rows(first, second))
}

/// With what is said below it, where there is something above that.
fn with_words((spec, rows): (&'static Spec, Rows), below: Option<String>) -> (&'static Spec, Rows) {
    let below = below.filter(|_| !rows.cells.is_empty());
    (spec, Rows { below, ..rows })
}

fn ask<T: Table>(
    spec: &'static Spec,
    request: &Request,
    rows: &[T::Row<'_>],
) -> Result<(&'static Spec, Rows), String> {
    let query = Query::new(spec, request)?;
    Ok((spec, query.rows_of(|places| spec::cells_of::<T>(rows, places))))
}

/// These tables need no part of a snapshot.
const NEEDS: PartSet = PartSet::NONE;

/// What a snapshot has of them.
fn none_of<T>(_: &View<'_>) -> Reading<T> {
    Reading::absent("a snapshot holds no results: swapadm results reads those that are kept")
}

/// Where all of it comes from.
const KEPT: &str = "results that are kept";

#[cfg(test)]
mod tests;
