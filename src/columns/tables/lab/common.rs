//! What all tables of the stress lab have in common: their rows come from results that are kept.

use crate::columns::spec::{self, Spec};
use crate::columns::{Query, Request, Rows};
use crate::derive::SampleView;
use crate::model::{PartSet, Reading};

/// A table and its rows.
pub type FilledTable = (&'static Spec, Rows);

/// Asks a table for rows that are at hand.
pub(super) fn fill_table<T: spec::Table>(
    spec: &'static Spec,
    request: &Request,
    rows: &[T::Row<'_>],
) -> Result<FilledTable, String> {
    let query = Query::new(spec, request)?;
    Ok((spec, query.rows_from_cells(|places| spec::cells_from_rows::<T>(rows, places))))
}

/// These tables need no part of a snapshot.
pub(super) const NEEDS: PartSet = PartSet::NONE;

/// What a snapshot has of them.
pub(super) fn not_in_snapshots<T>(_: &SampleView<'_>) -> Reading<T> {
    Reading::absent("a snapshot holds no results: swapadm results reads those that are kept")
}

/// Where all of it comes from.
pub(super) const KEPT: &str = "results that are kept";
