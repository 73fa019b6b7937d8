//! The columns of tables that screens ask for.

use crate::columns::{ColumnId, Query, Request, tables};
use crate::model::PartSet;

/// A table and the columns that a screen asks for.
#[derive(Clone, Copy, Debug)]
pub struct TableQuery {
    columns: &'static [ColumnId],
}

impl TableQuery {
    /// Asks for these columns, which are of one table.
    pub const fn new(columns: &'static [ColumnId]) -> Self {
        Self { columns }
    }

    /// The name of the table.
    pub fn table(&self) -> &'static str {
        self.columns.first().map_or("", |column| column.table)
    }

    /// The query for these columns; `None` if there are none.
    pub fn query(&self) -> Option<Query> {
        let names: Vec<&str> = self.columns.iter().map(|column| column.id).collect();
        let request = Request { columns: Some(names.join(",")), two: true, ..Request::default() };
        Query::new(tables::find(self.table())?, &request).ok()
    }
}

/// Asks for columns of a table, by the module of its constants and their names.
macro_rules! ask {
    ($table:ident: $($column:ident)+) => {
        $crate::ui::table_query::TableQuery::new(&[$($table::$column),+])
    };
}
pub(crate) use ask;

/// The parts that have to be sampled for these questions.
pub fn needs(queries: &[Query]) -> PartSet {
    queries.iter().fold(PartSet::NONE, |needs, query| needs.with(query.needs()))
}
