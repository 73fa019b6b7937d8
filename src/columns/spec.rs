//! Definitions of tables.

use super::column::{Getter, Info, Table};
use super::rows::Footnotes;
use super::tree::TreeColumns;
use super::value::Value;
use crate::derive::SampleView;
use crate::model::text::meant_or_all;
use crate::model::{PartSet, Policy, Reading};

/// Default layout of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Rows below headings.
    Rows,
    /// One row printed vertically: heading and value on each line.
    Record,
}

/// Default filter of a table.
#[derive(Clone, Copy, Debug)]
pub struct DefaultFilter {
    /// The filter.
    pub filter: &'static str,
    /// Description of the other rows: "without swap".
    pub others: &'static str,
}

/// Definition of a table without its row type, so that all tables fit into one list.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Name: of the command, and key in `report --json`.
    pub name: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// Content of the table in one sentence.
    pub about: &'static str,
    /// Default layout.
    pub style: Style,
    /// Default columns, as in `-o`.
    pub default: &'static str,
    /// Additional default columns if two samples are taken anyway, as in `-o`.
    pub with_two: &'static str,
    /// Column that names a row.
    pub key: &'static str,
    /// Default sort columns, with `-` for descending order.
    pub sort: Option<&'static str>,
    /// Default filter; `--all` or a filter in the request replaces it.
    pub only: Option<DefaultFilter>,
    /// Columns of the tree, if the table can be shown as one.
    pub tree: Option<TreeColumns>,
    /// Notes below the table.
    pub footnotes: Footnotes,
    /// Message for an empty table, instead of the general one.
    pub empty: Option<&'static str>,
    /// Whether it is too long for a report of all tables to people.
    pub long: bool,
    /// Whether rows exist for a named subject alone, so that no snapshot has them.
    pub single_subject: bool,
    /// Command that shows it, if its name differs.
    pub command: Option<&'static str>,
    /// Parts that every column needs.
    pub needs: PartSet,
    /// All columns.
    pub infos: fn() -> Vec<&'static Info>,
    /// Cells of the columns with these indices in `infos`, in the rows that pass the test.
    pub cells: fn(&SampleView<'_>, &Policy, &[usize], &RowTest<'_>) -> Reading<TestedRows>,
    /// Cells of all rows, with the counter behind each rate in place of the rate.
    pub totals: fn(&SampleView<'_>, &Policy, &[usize]) -> Cells,
}

/// Rows of cells, or the reason why they are missing.
pub type Cells = Reading<Vec<Vec<Value>>>;

impl Spec {
    /// A table with this name, title and key column, and unsorted rows.
    pub const fn for_table<T: Table>(
        name: &'static str,
        title: &'static str,
        key: &'static str,
    ) -> Self {
        Self {
            name,
            title,
            about: "",
            style: Style::Rows,
            default: "",
            with_two: "",
            key,
            sort: None,
            only: None,
            tree: None,
            footnotes: Footnotes::NONE,
            empty: None,
            long: false,
            single_subject: false,
            command: None,
            needs: PartSet::NONE,
            infos: infos::<T>,
            cells: cells::<T>,
            totals: totals::<T>,
        }
    }

    /// Sets its content in one sentence.
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Sets the default columns.
    pub const fn shows(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// Sets the additional default columns for two samples.
    pub const fn with_two(self, with_two: &'static str) -> Self {
        Self { with_two, ..self }
    }

    /// Prints the only row vertically.
    pub const fn record(self) -> Self {
        Self { style: Style::Record, ..self }
    }

    /// Sets the default sort columns.
    pub const fn sort(self, sort: &'static str) -> Self {
        Self { sort: Some(sort), ..self }
    }

    /// Sets the default filter, and the description of the other rows.
    pub const fn only(self, filter: &'static str, others: &'static str) -> Self {
        Self { only: Some(DefaultFilter { filter, others }), ..self }
    }

    /// Sets the columns of the tree.
    pub const fn tree(self, tree: TreeColumns) -> Self {
        Self { tree: Some(tree), ..self }
    }

    /// Sets the parts that every column needs.
    pub const fn needs(self, needs: PartSet) -> Self {
        Self { needs, ..self }
    }

    /// Sets the notes below the table.
    pub const fn footnotes(self, footnotes: Footnotes) -> Self {
        Self { footnotes, ..self }
    }

    /// Marks a table with rows per swap area, which is empty without swap.
    pub const fn per_area(self) -> Self {
        Self { empty: Some("no swap area is active"), ..self }
    }

    /// Marks a table as too long for a report of all tables to people.
    pub const fn long(self) -> Self {
        Self { long: true, ..self }
    }

    /// Marks a table that has rows for a named subject alone.
    pub const fn single_subject(self) -> Self {
        Self { single_subject: true, ..self }
    }

    /// Sets the command that shows the table.
    pub const fn shown_by(self, command: &'static str) -> Self {
        Self { command: Some(command), ..self }
    }

    /// Message for this number of rows hidden by the default filter.
    pub fn left_out(&self, hidden: usize) -> Option<String> {
        let only = self.only.filter(|_| hidden > 0)?;
        Some(format!("{hidden} more {}", only.others))
    }

    /// Finds a column by its name or heading with these columns shown. The name or heading of a shown column
    /// has precedence over the name of another one. The error lists all columns.
    pub fn find_shown(&self, id: &str, shown: &[usize]) -> Result<usize, String> {
        let infos = (self.infos)();
        let named = |by: fn(&Info) -> &str| {
            let is_it = |info: &&Info| by(info).eq_ignore_ascii_case(id);
            shown
                .iter()
                .copied()
                .find(|place| infos.get(*place).copied().is_some_and(|it| is_it(&it)))
        };
        let seen = named(|info| info.id).or_else(|| named(|info| info.head));
        seen.map_or_else(|| self.find(id), Ok)
    }

    /// Finds a column by its name or heading. The error lists all columns.
    pub fn find(&self, id: &str) -> Result<usize, String> {
        let infos = (self.infos)();
        let named = infos.iter().position(|info| info.id.eq_ignore_ascii_case(id));
        // People also type headings, and leave out units.
        let headed = |is_it: &dyn Fn(&str) -> bool| {
            let mut found = infos.iter().enumerate().filter(|(_, info)| is_it(info.head));
            found.next().filter(|_| found.next().is_none()).map(|(place, _)| place)
        };
        let without_unit = |head: &str| {
            let units = ["/s", "%"].into_iter();
            let mut short = units.filter_map(|unit| head.strip_suffix(unit));
            short.any(|name| name.trim_end().eq_ignore_ascii_case(id))
        };
        let found = named
            .or_else(|| headed(&|head| head.eq_ignore_ascii_case(id)))
            .or_else(|| headed(&without_unit));
        found.ok_or_else(|| {
            let ids: Vec<_> = infos.iter().map(|info| info.id).collect();
            format!("{} has no column \"{id}\"{}", self.name, meant_or_all(id, "columns", &ids))
        })
    }
}

/// Columns of a table, for [`Spec::infos`].
pub fn infos<T: Table>() -> Vec<&'static Info> {
    T::COLUMNS.iter().map(|column| &column.info).collect()
}

/// A test of rows, before all their cells are made: those of hundreds of processes cost more than a screen.
pub struct RowTest<'q> {
    /// Indices of the columns whose cells are tested.
    pub columns: &'q [usize],
    /// Whether a row passes, by its place in the table and these cells.
    pub passes: &'q dyn Fn(usize, &[Value]) -> bool,
}

impl RowTest<'_> {
    /// A test that all rows pass.
    pub const ALL: RowTest<'static> = RowTest { columns: &[], passes: &|_, _| true };
}

/// The rows that passed a test.
#[derive(Clone, Debug, Default)]
pub struct TestedRows {
    /// The cells.
    pub cells: Vec<Vec<Value>>,
    /// The places in the table.
    pub origins: Vec<usize>,
    /// The number of rows that did not pass.
    pub left_out: usize,
}

impl TestedRows {
    /// Rows that all passed.
    pub fn all(cells: Vec<Vec<Value>>) -> Self {
        Self { origins: (0..cells.len()).collect(), cells, left_out: 0 }
    }
}

#[cfg(test)]
impl Spec {
    /// Cells of all rows, with the default thresholds.
    pub fn all_cells(&self, view: &SampleView<'_>, places: &[usize]) -> Cells {
        (self.cells)(view, &Policy::DEFAULT, places, &RowTest::ALL).map(|rows| rows.cells)
    }
}

/// Cells of a table, for [`Spec::cells`].
pub fn cells<T: Table>(
    view: &SampleView<'_>,
    policy: &Policy,
    chosen: &[usize],
    test: &RowTest<'_>,
) -> Reading<TestedRows> {
    let (shown, tested) = (getters::<T>(chosen), getters::<T>(test.columns));
    T::rows(view, policy).map(|rows| {
        let mut passed = TestedRows::default();
        for (place, row) in rows.iter().enumerate() {
            if (test.passes)(place, &row_cells::<T>(row, &tested)) {
                passed.cells.push(row_cells::<T>(row, &shown));
                passed.origins.push(place);
            } else {
                passed.left_out += 1;
            }
        }
        passed
    })
}

fn getters<T: Table>(chosen: &[usize]) -> Vec<Getter<T>> {
    chosen.iter().filter_map(|place| T::COLUMNS.get(*place)).map(|column| column.get).collect()
}

fn row_cells<T: Table>(row: &T::Row<'_>, getters: &[Getter<T>]) -> Vec<Value> {
    getters.iter().map(|get| get(row)).collect()
}

/// Cells with counters in place of rates, for [`Spec::totals`].
pub fn totals<T: Table>(view: &SampleView<'_>, policy: &Policy, chosen: &[usize]) -> Cells {
    let columns = chosen.iter().filter_map(|place| T::COLUMNS.get(*place));
    let totals: Vec<Getter<T>> = columns.map(|column| column.total.unwrap_or(column.get)).collect();
    T::rows(view, policy).map(|rows| rows.iter().map(|row| row_cells::<T>(row, &totals)).collect())
}

/// Cells of these rows, which need not come from a snapshot.
pub(super) fn cells_from_rows<T: Table>(rows: &[T::Row<'_>], chosen: &[usize]) -> Vec<Vec<Value>> {
    let getters = getters::<T>(chosen);
    rows.iter().map(|row| row_cells::<T>(row, &getters)).collect()
}

/// A column of a table, checked at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnId {
    /// The table.
    pub table: &'static str,
    /// Stable name of the column.
    pub id: &'static str,
}

impl ColumnId {
    /// Finds the column of a table by its name in capitals.
    ///
    /// # Panics
    /// If the table has no such column, which fails the compilation.
    #[expect(clippy::panic, reason = "it is evaluated at compile time")]
    pub const fn named<T: Table>(spec: &Spec, name: &str) -> Self {
        let mut columns = T::COLUMNS;
        while let [column, others @ ..] = columns {
            if column.info.id.eq_ignore_ascii_case(name) {
                return Self { table: spec.name, id: column.info.id };
            }
            columns = others;
        }
        panic!("the table has no column of this name")
    }
}

impl AsRef<str> for ColumnId {
    fn as_ref(&self) -> &str {
        self.id
    }
}

/// Creates a module of constants for the columns that code uses, by their names in capitals.
macro_rules! column_ids {
    ($module:ident: $table:ident, $spec:ident; $($name:ident)*) => {
        /// The columns of this table that code uses.
        pub mod $module {
            use $crate::columns::ColumnId;
            $(
                #[doc = concat!("`", stringify!($name), "`, in lower case.")]
                pub const $name: ColumnId =
                    ColumnId::named::<super::$table>(&super::$spec, stringify!($name));
            )*
        }
    };
}
