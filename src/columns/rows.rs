//! The rows of a table as they were asked for, and what stands below them: what they come to, and what
//! their headings mean.

use super::spec::Info;
use super::value::Value;
use crate::derive::SampleView;
use crate::model::PartSet;

/// Rows as asked for.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The columns.
    pub infos: Vec<&'static Info>,
    /// The cells of each row, as many as columns.
    pub cells: Vec<Vec<Value>>,
    /// What names each row: its cell of the table's key column, shown or not.
    pub keys: Vec<Value>,
    /// Where each row stood before any was sorted or left out: it tells apart those of one name.
    pub origins: Vec<usize>,
    /// The column that rows are sorted by first, if it is shown: its place, and whether the largest
    /// come first.
    pub sorted: Option<(usize, bool)>,
    /// Rows that the table left out by itself.
    pub hidden: usize,
    /// Rows that did not pass the filter of the request.
    pub filtered: usize,
    /// Which columns were asked for by name: those are shown however narrow the terminal is.
    pub named: Vec<bool>,
    /// What people who read the table should know of its figures, to be said below it.
    pub below: Option<String>,
    /// What it is called, where it is one of several of its kind.
    pub title: Option<String>,
}

impl Rows {
    /// The place of a column.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.infos.iter().position(|info| info.id == id)
    }

    /// Of all rows of the table those that were not left out, as they stood before any was sorted.
    pub fn shown<'r, T>(&'r self, all: &'r [T]) -> impl Iterator<Item = &'r T> {
        let numbered = (0..).zip(all);
        numbered.filter(|(origin, _)| self.origins.contains(origin)).map(|(_, row)| row)
    }

    /// A cell.
    pub fn value(&self, row: usize, column: impl AsRef<str>) -> Option<&Value> {
        self.cells.get(row)?.get(self.place(column.as_ref())?)
    }

    /// A cell for people, with its unit; `-` where there is none.
    pub fn text(&self, row: usize, column: impl AsRef<str>) -> String {
        let id = column.as_ref();
        let unit = self.place(id).and_then(|place| self.infos.get(place)).map(|info| info.unit);
        match self.value(row, id).zip(unit) {
            Some((value, unit)) => value.human(unit, false),
            None => "-".to_owned(),
        }
    }
}

/// What people read below a table.
#[derive(Clone, Copy, Debug)]
pub struct Footnotes {
    /// The parts that this takes beside those of the columns.
    pub needs: PartSet,
    /// The parts that a second look is to take, where the first left open what a person asks for. It
    /// costs more, so a single report takes it and a stream does not.
    pub closer: fn(&SampleView<'_>) -> PartSet,
    /// What the rows that are shown come to.
    pub sentences: fn(&SampleView<'_>, &Rows) -> Vec<String>,
    /// What the headings mean that nobody guesses.
    pub legend: Option<&'static str>,
}

impl Footnotes {
    /// A table that speaks for itself.
    pub const NONE: Self = Self {
        needs: PartSet::NONE,
        closer: |_| PartSet::NONE,
        sentences: |_, _| Vec::new(),
        legend: None,
    };
}
