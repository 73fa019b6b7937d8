//! What a column and a table are.

use super::rows::Footnotes;
use super::tree::TreeColumns;
use super::value::{Unit, Value};
use crate::derive::SampleView;
use crate::model::text::did_you_mean;
use crate::model::{PartSet, Policy, Reading};

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

    /// Its meaning, and the kernel files behind it.
    pub const fn says(self, help: &'static str, source: &'static str) -> Self {
        Self { help, source, ..self }
    }

    /// How soon it goes when the terminal is narrow.
    pub const fn drop(self, drop: u8) -> Self {
        Self { drop, ..self }
    }

    /// What it says, and since which kernel.
    pub fn meaning(&self) -> String {
        match self.since {
            "" => self.help.to_owned(),
            since => format!("{} Since Linux {since}.", self.help),
        }
    }
}

/// The value of a column in a row of the table `T`.
pub type Getter<T> = for<'r, 'v> fn(&'r <T as Table>::Row<'v>) -> Value;

/// A column of the table `T`.
pub struct Column<T: Table + ?Sized> {
    /// What is known of it without a row.
    pub info: Info,
    /// The value in a row.
    pub get: Getter<T>,
}

impl<T: Table + ?Sized> Column<T> {
    /// A column that every terminal shows, of one snapshot, from the table's own parts.
    pub const fn new(id: &'static str, head: &'static str, unit: Unit, get: Getter<T>) -> Self {
        Self { info: Info::new(id, head, unit), get }
    }

    /// A column of bytes.
    pub const fn bytes(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Bytes, get)
    }

    /// A column of bytes in a second.
    pub const fn bytes_per_second(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::BytesPerSecond, get)
    }

    /// A column of things that are counted.
    pub const fn count(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Count, get)
    }

    /// A column of things in a second.
    pub const fn per_second(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::PerSecond, get)
    }

    /// A column of whole numbers with a sign.
    pub const fn integer(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Integer, get)
    }

    /// A column of parts of a whole.
    pub const fn share(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Share, get)
    }

    /// A column of so many to one.
    pub const fn ratio(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Ratio, get)
    }

    /// A column of seconds.
    pub const fn seconds(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Seconds, get)
    }

    /// A column of numbers whose unit the heading tells.
    pub const fn number(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Number, get)
    }

    /// A column of texts.
    pub const fn text(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Text, get)
    }

    /// A column of yes and no.
    pub const fn flag(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Flag, get)
    }

    /// A column of lists of texts.
    pub const fn list(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::List, get)
    }

    /// A column of dates with times.
    pub const fn moment(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Moment, get)
    }

    /// What it says, and the kernel files behind it.
    pub const fn says(mut self, help: &'static str, source: &'static str) -> Self {
        self.info = self.info.says(help, source);
        self
    }

    /// How soon it goes when the terminal is narrow.
    pub const fn drop(mut self, drop: u8) -> Self {
        self.info = self.info.drop(drop);
        self
    }

    /// Parts it needs beyond those of its table.
    pub const fn needs(mut self, needs: PartSet) -> Self {
        self.info.needs = needs;
        self
    }

    /// It compares two snapshots.
    pub const fn two(mut self) -> Self {
        self.info.two = true;
        self
    }

    /// The kernel release that brought it.
    pub const fn since(mut self, since: &'static str) -> Self {
        self.info.since = since;
        self
    }
}

/// Rows and the columns that can be shown of them.
pub trait Table: 'static {
    /// One row, borrowing from the snapshots it was made of.
    type Row<'v>;
    /// All columns, in the order of `-o +all`.
    const COLUMNS: &'static [Column<Self>];

    /// All rows of this view.
    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Self::Row<'v>>>;

    /// All rows where these thresholds hold: what is found wrong goes by them.
    fn rows_with_policy<'v>(view: &SampleView<'v>, _policy: &Policy) -> Reading<Vec<Self::Row<'v>>> {
        Self::rows(view)
    }
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
pub struct DefaultFilter {
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
    pub only: Option<DefaultFilter>,
    /// How rows belong to each other, if they do.
    pub tree: Option<TreeColumns>,
    /// What stands below it.
    pub footnotes: Footnotes,
    /// What to say where it has no row at all, instead of that there is nothing to show.
    pub empty: Option<&'static str>,
    /// Is it too long for a report of all tables to people?
    pub long: bool,
    /// The command that shows it, where that is called otherwise.
    pub command: Option<&'static str>,
    /// The parts every column needs.
    pub needs: PartSet,
    /// All columns.
    pub infos: fn() -> Vec<&'static Info>,
    /// The cells of these columns, by their place in `infos`.
    pub cells: fn(&SampleView<'_>, &Policy, &[usize]) -> Cells,
}

/// Rows of cells, or why there are none.
pub type Cells = Reading<Vec<Vec<Value>>>;

impl Spec {
    /// A table of rows in the order in which they come, with the name, the title and the column
    /// that names a row.
    pub const fn for_table<T: Table>(name: &'static str, title: &'static str, key: &'static str) -> Self {
        Self {
            name,
            title,
            about: "",
            style: Style::Rows,
            default: &[],
            with_two: &[],
            key,
            sort: None,
            only: None,
            tree: None,
            footnotes: Footnotes::NONE,
            empty: None,
            long: false,
            command: None,
            needs: PartSet::NONE,
            infos: infos::<T>,
            cells: cells::<T>,
        }
    }

    /// What it answers, in one sentence.
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// The columns shown when nobody chooses.
    pub const fn shows(self, default: &'static [&'static str]) -> Self {
        Self { default, ..self }
    }

    /// Columns added to those when two samples are taken anyway.
    pub const fn with_two(self, with_two: &'static [&'static str]) -> Self {
        Self { with_two, ..self }
    }

    /// One row, printed downwards.
    pub const fn record(self) -> Self {
        Self { style: Style::Record, ..self }
    }

    /// How rows are sorted when nobody says.
    pub const fn sort(self, sort: &'static str) -> Self {
        Self { sort: Some(sort), ..self }
    }

    /// The rows worth showing: those that pass the filter, and what the others are.
    pub const fn only(self, filter: &'static str, others: &'static str) -> Self {
        Self { only: Some(DefaultFilter { filter, others }), ..self }
    }

    /// How rows belong to each other.
    pub const fn tree(self, tree: TreeColumns) -> Self {
        Self { tree: Some(tree), ..self }
    }

    /// The parts every column needs.
    pub const fn needs(self, needs: PartSet) -> Self {
        Self { needs, ..self }
    }

    /// What stands below it.
    pub const fn footnotes(self, footnotes: Footnotes) -> Self {
        Self { footnotes, ..self }
    }

    /// A table with a row for each area, or more.
    pub const fn per_area(self) -> Self {
        Self { empty: Some("no swap area is active"), ..self }
    }

    /// A table that is too long for a report of all tables to people.
    pub const fn long(self) -> Self {
        Self { long: true, ..self }
    }

    /// A table that a command of another name shows.
    pub const fn shown_by(self, command: &'static str) -> Self {
        Self { command: Some(command), ..self }
    }

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
            let meant = did_you_mean(id, ids.iter().copied());
            format!("{} has no column \"{id}\"; it has {}{meant}", self.name, ids.join(", "))
        })
    }
}

/// The columns of a table, for [`Spec::infos`].
pub fn infos<T: Table>() -> Vec<&'static Info> {
    T::COLUMNS.iter().map(|column| &column.info).collect()
}

/// The cells of a table, for [`Spec::cells`].
pub fn cells<T: Table>(view: &SampleView<'_>, policy: &Policy, chosen: &[usize]) -> Cells {
    T::rows_with_policy(view, policy).map(|rows| cells_from_rows::<T>(&rows, chosen))
}

/// The cells of these rows, also of rows that come from elsewhere than a snapshot.
pub fn cells_from_rows<T: Table>(rows: &[T::Row<'_>], chosen: &[usize]) -> Vec<Vec<Value>> {
    let columns: Vec<_> = chosen.iter().filter_map(|place| T::COLUMNS.get(*place)).collect();
    let row_cells = |row: &T::Row<'_>| columns.iter().map(|column| (column.get)(row)).collect();
    rows.iter().map(row_cells).collect()
}

/// A column that its table has: made while the program is compiled, which fails where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnId {
    /// The table.
    pub table: &'static str,
    /// The stable name of the column.
    pub id: &'static str,
}

impl ColumnId {
    /// Finds the column of a table by its name in capitals.
    ///
    /// # Panics
    /// Where the table has no such column, which ends the compilation.
    #[expect(clippy::panic, reason = "it is evaluated while the program is compiled")]
    pub const fn of<T: Table>(spec: &Spec, name: &str) -> Self {
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

/// Makes a module of constants: the columns of a table that code asks for, by their names in capitals.
macro_rules! column_ids {
    ($module:ident: $table:ident, $spec:ident; $($name:ident)*) => {
        /// The columns of this table that code asks for.
        pub mod $module {
            use $crate::columns::ColumnId;
            $(
                #[doc = concat!("`", stringify!($name), "`, in small letters.")]
                pub const $name: ColumnId =
                    ColumnId::of::<super::$table>(&super::$spec, stringify!($name));
            )*
        }
    };
}
