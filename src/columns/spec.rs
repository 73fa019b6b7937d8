//! What a column and a table are.

use super::tree::Tree;
use super::value::{Unit, Value};
use crate::derive::View;
use crate::model::{PartSet, Reading};

/// What is known of a column without a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Info {
    /// The stable name for `-o`, JSON, CSV, filters and sorting.
    pub id: &'static str,
    /// The heading, for eyes.
    pub head: &'static str,
    /// What its numbers count.
    pub unit: Unit,
    /// How soon it goes when the terminal is narrow: highest first; 0 never goes.
    pub drop: u8,
    /// What it says, in one sentence, with the formula where there is one.
    pub help: &'static str,
    /// The kernel files behind it.
    pub source: &'static str,
    /// The parts of a snapshot it needs beyond those of its table.
    pub needs: PartSet,
    /// Does it compare two snapshots?
    pub two: bool,
    /// The kernel release that brought it, or the first one known to have it; empty where every
    /// kernel has it that is supported: 5.10 and later.
    pub since: &'static str,
}

impl Info {
    /// A column that every terminal shows, of one snapshot, from the table's own parts.
    pub const fn new(id: &'static str, head: &'static str, unit: Unit) -> Self {
        let (help, source, since) = ("", "", "");
        Self { id, head, unit, drop: 0, help, source, needs: PartSet::NONE, two: false, since }
    }

    /// What it says, and the kernel files behind it.
    pub const fn says(self, help: &'static str, source: &'static str) -> Self {
        Self { help, source, ..self }
    }

    /// How soon it goes when the terminal is narrow.
    pub const fn drop(self, drop: u8) -> Self {
        Self { drop, ..self }
    }

    /// Parts it needs beyond those of its table.
    pub const fn needs(self, needs: PartSet) -> Self {
        Self { needs, ..self }
    }

    /// It compares two snapshots.
    pub const fn two(self) -> Self {
        Self { two: true, ..self }
    }

    /// The kernel release that brought it.
    pub const fn since(self, since: &'static str) -> Self {
        Self { since, ..self }
    }

    /// What it says, and since which kernel.
    pub fn meaning(&self) -> String {
        match self.since {
            "" => self.help.to_owned(),
            since => format!("{} Since Linux {since}.", self.help),
        }
    }
}

/// A column of the table `T`.
pub struct Column<T: Table + ?Sized> {
    /// What is known of it without a row.
    pub info: Info,
    /// The value in a row.
    pub get: for<'r, 'v> fn(&'r T::Row<'v>) -> Value,
}

/// Rows and the columns that can be shown of them.
pub trait Table: 'static {
    /// One row, borrowing from the snapshots it was made of.
    type Row<'v>;

    /// All columns, in the order of `-o +all`.
    fn columns() -> &'static [Column<Self>];

    /// All rows of this view.
    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Self::Row<'v>>>;
}

/// How a table is printed when nobody says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Rows below headings.
    Rows,
    /// One row, printed downwards: heading and value on each line.
    Record,
}

/// Which rows are worth showing when nobody says.
#[derive(Clone, Copy, Debug)]
pub struct Only {
    /// A filter that they pass.
    pub filter: &'static str,
    /// What the others are: "without swap".
    pub others: &'static str,
}

/// A table without its row type, so that all tables fit in one list.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Its name: the command's, and the key in `report --json`.
    pub name: &'static str,
    /// What a row is, for headings.
    pub title: &'static str,
    /// What the table answers, in one sentence.
    pub about: &'static str,
    /// How it is printed.
    pub style: Style,
    /// The columns shown when nobody chooses.
    pub default: &'static [&'static str],
    /// Columns added to those when two samples are taken anyway.
    pub with_two: &'static [&'static str],
    /// The column that names a row.
    pub key: &'static str,
    /// How rows are sorted when nobody says: a column, `-` before it for largest first.
    pub sort: Option<&'static str>,
    /// The rows worth showing; `--all` or a filter of one's own shows the others.
    pub only: Option<Only>,
    /// How rows belong to each other, if they do.
    pub tree: Option<Tree>,
    /// The parts every column needs.
    pub needs: PartSet,
    /// All columns.
    pub infos: fn() -> Vec<&'static Info>,
    /// The cells of these columns, by their place in `infos`.
    pub cells: fn(&View<'_>, &[usize]) -> Cells,
}

/// Rows of cells, or why there are none.
pub type Cells = Reading<Vec<Vec<Value>>>;

impl Spec {
    /// What is said of so many rows that were left out because they are not worth showing.
    pub fn left_out(&self, hidden: usize) -> Option<String> {
        let only = self.only.filter(|_| hidden > 0)?;
        Some(format!("{hidden} more {}", only.others))
    }

    /// A column by its name, where these are shown: what heads one of them means what is seen
    /// there, also where another one has that for its name.
    ///
    /// # Errors
    /// A sentence that names all columns.
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

    /// A column by its name.
    ///
    /// # Errors
    /// A sentence that names all of them.
    pub fn find(&self, id: &str) -> Result<usize, String> {
        let infos = (self.infos)();
        let named = infos.iter().position(|info| info.id.eq_ignore_ascii_case(id));
        // People also type what they see.
        let found =
            named.or_else(|| infos.iter().position(|info| info.head.eq_ignore_ascii_case(id)));
        found.ok_or_else(|| {
            let ids: Vec<_> = infos.iter().map(|info| info.id).collect();
            format!("{} has no column \"{id}\"; it has {}", self.name, ids.join(", "))
        })
    }
}

/// The columns of a table, for [`Spec::infos`].
pub fn infos<T: Table>() -> Vec<&'static Info> {
    T::columns().iter().map(|column| &column.info).collect()
}

/// The cells of a table, for [`Spec::cells`].
pub fn cells<T: Table>(view: &View<'_>, chosen: &[usize]) -> Cells {
    let rows = match T::rows(view).into_result() {
        Ok(rows) => rows,
        Err(missing) => return missing.into(),
    };
    Reading::Known(cells_of::<T>(&rows, chosen))
}

/// The cells of these rows, also of rows that come from elsewhere than a snapshot.
pub fn cells_of<T: Table>(rows: &[T::Row<'_>], chosen: &[usize]) -> Vec<Vec<Value>> {
    let columns: Vec<_> = chosen.iter().filter_map(|place| T::columns().get(*place)).collect();
    let row_cells = |row: &T::Row<'_>| columns.iter().map(|column| (column.get)(row)).collect();
    rows.iter().map(row_cells).collect()
}
