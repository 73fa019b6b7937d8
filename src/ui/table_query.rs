//! The queries of screens: tables and their columns.

use crate::columns::{ColumnId, Query, Request, tables};

/// A table and the columns that a screen queries.
#[derive(Clone, Copy, Debug)]
pub struct TableQuery {
    columns: &'static [ColumnId],
    /// Is the query about one row, which may be hidden by default?
    on_process_page: bool,
}

impl TableQuery {
    /// A query for these columns of one table.
    pub const fn new(columns: &'static [ColumnId]) -> Self {
        Self { columns, on_process_page: false }
    }

    /// A query for these columns of one row, which is looked up by its name.
    pub const fn one(columns: &'static [ColumnId]) -> Self {
        Self { columns, on_process_page: true }
    }

    /// The name of the table.
    pub fn table(&self) -> &'static str {
        self.columns.first().map_or("", |column| column.table)
    }

    /// Is this column of this table queried?
    pub fn has(&self, table: &str, column: &str) -> bool {
        self.columns.iter().any(|own| own.table == table && own.id == column)
    }

    /// The query for these columns; `None` if there are none.
    pub fn query(&self) -> Option<Query> {
        let names: Vec<&str> = self.columns.iter().map(|column| column.id).collect();
        let (columns, on_process_page) = (Some(names.join(",")), self.on_process_page);
        let request = Request {
            columns,
            two_samples: true,
            on_process_page,
            all: on_process_page,
            ..Request::default()
        };
        Query::new(tables::find(self.table())?, &request).ok()
    }
}

/// Makes a query from the module of a table's column constants and their names.
macro_rules! ask {
    (one $table:ident: $($column:ident)+) => {
        $crate::ui::table_query::TableQuery::one(&[$($table::$column),+])
    };
    ($table:ident: $($column:ident)+) => {
        $crate::ui::table_query::TableQuery::new(&[$($table::$column),+])
    };
}
pub(crate) use ask;
