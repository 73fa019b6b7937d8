//! Common parts of the lab tables, whose rows come from stored results.

use crate::columns::spec::Spec;
use crate::columns::{Query, Request, Rows, Table};
use crate::model::Reading;

/// A table with its rows.
pub type FilledTable = (&'static Spec, Rows);

/// Applies a request to a table with these rows.
pub(super) fn fill_table<T: Table>(
    spec: &'static Spec,
    request: &Request,
    rows: &[T::Row<'_>],
) -> Result<FilledTable, String> {
    Ok((spec, Query::new(spec, request)?.rows_from::<T>(rows)))
}

/// Rows of a snapshot: always missing.
pub(super) fn not_in_snapshots<T>() -> Reading<T> {
    Reading::absent("snapshots do not contain lab results: use swapadm results")
}

/// Source of all columns.
pub(super) const KEPT: &str = "stored results";
