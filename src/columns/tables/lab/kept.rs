//! What all tables of the stress lab have in common: their rows come from results that are kept.

use crate::columns::spec::{self, Spec};
use crate::columns::{Query, Request, Rows};
use crate::derive::View;
use crate::model::{PartSet, Reading};

/// A table and its rows.
pub type Table = (&'static Spec, Rows);

/// Asks a table for rows that are at hand.
pub(super) fn ask<T: spec::Table>(
    spec: &'static Spec,
    request: &Request,
    rows: &[T::Row<'_>],
) -> Result<Table, String> {
    let query = Query::new(spec, request)?;
    Ok((spec, query.rows_of(|places| spec::cells_of::<T>(rows, places))))
}

/// These tables need no part of a snapshot.
pub(super) const NEEDS: PartSet = PartSet::NONE;

/// What a snapshot has of them.
pub(super) fn none_of<T>(_: &View<'_>) -> Reading<T> {
    Reading::absent("a snapshot holds no results: swapadm results reads those that are kept")
}

/// Where all of it comes from.
pub(super) const KEPT: &str = "results that are kept";
