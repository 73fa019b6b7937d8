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

/// The columns of tables, by the names of the tables.
pub mod ids {
    pub use crate::columns::tables::attribution::id as attribution;
    pub use crate::columns::tables::cgroups::id as cgroups;
    pub use crate::columns::tables::clusters::id as clusters;
    pub use crate::columns::tables::cost::id as cost;
    pub use crate::columns::tables::devices::id as devices;
    pub use crate::columns::tables::findings::id as findings;
    pub use crate::columns::tables::groups::id as groups;
    pub use crate::columns::tables::headroom::id as headroom;
    pub use crate::columns::tables::kernel::id as kernel;
    pub use crate::columns::tables::knobs::id as knobs;
    pub use crate::columns::tables::mappings::id as mappings;
    pub use crate::columns::tables::mthp::id as mthp;
    pub use crate::columns::tables::paging::id as paging;
    pub use crate::columns::tables::processes::id as processes;
    pub use crate::columns::tables::readahead::id as readahead;
    pub use crate::columns::tables::selection::id as selection;
    pub use crate::columns::tables::shm::id as shm;
    pub use crate::columns::tables::status::id as status;
    pub use crate::columns::tables::thp::id as thp;
    pub use crate::columns::tables::users::id as users;
    pub use crate::columns::tables::zram::id as zram;
    pub use crate::columns::tables::zswap::id as zswap;
}
