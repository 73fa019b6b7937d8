//! A row of a table that is found in every sample.

use super::content::Origin;
use super::history::{HistoryEntry, row_name};
use crate::columns::{Query, Rows};
use crate::model::Missing;

/// A row that can be found in every sample.
#[derive(Clone, Debug)]
pub struct NamedRow {
    /// The name of the row in its table.
    pub name: String,
    /// The place among the rows of this name: the order of areas of each node has the same names.
    pub nth: usize,
}

impl NamedRow {
    /// The row in the answer of a query; none if it is not there.
    fn find(&self, query: &Query, rows: &Rows) -> Option<usize> {
        let is_named = |key| row_name(query.spec, key) == self.name;
        let named = rows.keys.iter().zip(&rows.origins).enumerate();
        let named = named.filter(|(_, (key, _))| is_named(*key));
        let mut places: Vec<(usize, usize)> =
            named.map(|(row, (_, origin))| (*origin, row)).collect();
        places.sort_unstable();
        places.get(self.nth).or(places.first()).map(|(_, row)| *row)
    }

    /// The origins of all columns of a query for the row; empty if it is not there.
    pub fn read(&self, query: &Query, moment: &HistoryEntry) -> Result<Vec<Origin>, Missing> {
        let rows = query.rows(&moment.view()).into_result()?;
        let row = self.find(query, &rows);
        Ok(row.map_or_else(Vec::new, |row| Origin::of_row(query.spec, &rows, row, &self.name)))
    }
}
