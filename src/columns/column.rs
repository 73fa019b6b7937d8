//! Columns: what each shows, and how a row of its table has the value.

use super::value::{Unit, Value};
use crate::derive::SampleView;
use crate::model::{PartSet, Policy, Reading};

/// The properties of a column that do not depend on the row type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Info {
    /// Stable name for `-o`, JSON, CSV, filters and sorting.
    pub id: &'static str,
    /// Heading for people.
    pub head: &'static str,
    /// Unit of the values.
    pub unit: Unit,
    /// Order in which columns are dropped on a narrow terminal: highest first, 0 never.
    pub drop: u8,
    /// Meaning, with the formula if there is one.
    pub help: &'static str,
    /// Kernel files of the values.
    pub source: &'static str,
    /// Parts of a snapshot that it needs beyond those of its table.
    pub needs: PartSet,
    /// Whether it compares two samples.
    pub needs_two_samples: bool,
    /// Whether it is a counter, or the rate of one. A counter only grows, until the machine boots or the device
    /// is reset.
    pub counter: bool,
    /// First kernel release known to have it; empty if all supported kernels (5.10 and later) have it.
    pub since: &'static str,
}

impl Info {
    /// A column of one sample that is never dropped and needs only the parts of its table.
    pub const fn new(id: &'static str, head: &'static str, unit: Unit) -> Self {
        let (help, source, since) = ("", "", "");
        Self {
            id,
            head,
            unit,
            drop: 0,
            help,
            source,
            needs: PartSet::NONE,
            needs_two_samples: false,
            counter: false,
            since,
        }
    }

    /// Sets the help text and the kernel files.
    pub const fn says(self, help: &'static str, source: &'static str) -> Self {
        Self { help, source, ..self }
    }

    /// Sets when it is dropped on a narrow terminal.
    pub const fn drop(self, drop: u8) -> Self {
        Self { drop, ..self }
    }

    /// The help text, with the first kernel release.
    pub fn meaning(&self) -> String {
        match self.since {
            "" => self.help.to_owned(),
            since => format!("{} Since Linux {since}.", self.help),
        }
    }
}

/// Function that gives the value of a column in a row of the table `T`.
pub type Getter<T> = for<'r, 'v> fn(&'r <T as Table>::Row<'v>) -> Value;

/// A column of the table `T`.
pub struct Column<T: Table + ?Sized> {
    /// The properties without a row.
    pub info: Info,
    /// Gives the value in a row.
    pub get: Getter<T>,
    /// Gives the counter behind a rate, in the unit of the rate without the time.
    pub total: Option<Getter<T>>,
}

impl<T: Table + ?Sized> Column<T> {
    /// A column of one sample that is never dropped and needs only the parts of its table.
    pub const fn new(id: &'static str, head: &'static str, unit: Unit, get: Getter<T>) -> Self {
        Self { info: Info::new(id, head, unit), get, total: None }
    }

    /// A column of bytes.
    pub const fn bytes(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Bytes, get)
    }

    /// A column of bytes per second, from two samples.
    pub const fn bytes_per_second(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::BytesPerSecond, get).two()
    }

    /// A column of counts.
    pub const fn count(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Count, get)
    }

    /// A column of a count that only grows.
    pub const fn counter(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::count(id, head, get).grows()
    }

    /// A column of events per second, from two samples.
    pub const fn per_second(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::PerSecond, get).two()
    }

    /// A column of signed integers.
    pub const fn integer(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Integer, get)
    }

    /// A column of shares, shown in percent.
    pub const fn share(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Share, get)
    }

    /// A column of ratios.
    pub const fn ratio(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Ratio, get)
    }

    /// A column of seconds.
    pub const fn seconds(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Seconds, get)
    }

    /// A column of numbers whose unit is in the heading.
    pub const fn number(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Number, get)
    }

    /// A column of texts.
    pub const fn text(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Text, get)
    }

    /// A column of flags (yes or no).
    pub const fn flag(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Flag, get)
    }

    /// A column of lists of texts.
    pub const fn list(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::List, get)
    }

    /// A column of dates with times of day.
    pub const fn moment(id: &'static str, head: &'static str, get: Getter<T>) -> Self {
        Self::new(id, head, Unit::Moment, get)
    }

    /// Sets the help text and the kernel files.
    pub const fn says(mut self, help: &'static str, source: &'static str) -> Self {
        self.info = self.info.says(help, source);
        self
    }

    /// Sets when it is dropped on a narrow terminal.
    pub const fn drop(mut self, drop: u8) -> Self {
        self.info = self.info.drop(drop);
        self
    }

    /// Sets the parts that it needs beyond those of its table.
    pub const fn needs(mut self, needs: PartSet) -> Self {
        self.info.needs = needs;
        self
    }

    /// Marks it as comparing two samples.
    pub const fn two(mut self) -> Self {
        self.info.needs_two_samples = true;
        self
    }

    /// Marks it as a counter.
    pub const fn grows(mut self) -> Self {
        self.info.counter = true;
        self
    }

    /// Sets the counter behind a rate.
    pub const fn total(mut self, total: Getter<T>) -> Self {
        self.total = Some(total);
        self.grows()
    }

    /// Sets the first kernel release that has it.
    pub const fn since(mut self, since: &'static str) -> Self {
        self.info.since = since;
        self
    }
}

/// A table: its row type and columns.
pub trait Table: 'static {
    /// Type of a row, which borrows from the snapshots.
    type Row<'v>;
    /// All columns, in the order of `-o +all`.
    const COLUMNS: &'static [Column<Self>];

    /// The rows of a view, with these thresholds for findings.
    fn rows<'v>(view: &SampleView<'v>, policy: &Policy) -> Reading<Vec<Self::Row<'v>>>;
}

/// Defines a table: its marker type, the type of a row, a short name for the type of its columns, all columns,
/// and its rows, from the view and the thresholds.
macro_rules! table {
    (
        $visibility:vis struct $table:ident: $row:ty, $column:ident, $columns:ident,
        |$view:pat_param, $policy:pat_param| $rows:expr
    ) => {
        /// Marker type of the table.
        $visibility struct $table;

        impl $crate::columns::column::Table for $table {
            type Row<'v> = $row;
            const COLUMNS: &'static [$column] = $columns;

            fn rows<'v>(
                $view: &$crate::derive::SampleView<'v>,
                $policy: &$crate::model::Policy,
            ) -> $crate::model::Reading<Vec<Self::Row<'v>>> {
                $rows
            }
        }

        type $column = $crate::columns::column::Column<$table>;
    };
}
