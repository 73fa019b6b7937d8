//! The rows of a query, and the notes below a table.

use super::column::Info;
use super::value::Value;
use crate::derive::SampleView;
use crate::model::PartSet;
use std::collections::BTreeSet;

/// The rows of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The columns.
    pub infos: Vec<&'static Info>,
    /// The cells of each row, as many as columns.
    pub cells: Vec<Vec<Value>>,
    /// Cell of the key column of each row, shown or not.
    pub keys: Vec<Value>,
    /// Index of each row before sorting and filtering; it distinguishes rows with the same key.
    pub origins: Vec<usize>,
    /// Position of the first sort column, if it is shown, and whether the order is descending.
    pub sorted: Option<(usize, bool)>,
    /// Number of rows hidden by the default filter of the table.
    pub hidden: usize,
    /// Number of rows that did not pass the filter of the request.
    pub filtered: usize,
    /// Which columns were requested by name; those are shown on every terminal width.
    pub named: Vec<bool>,
    /// Note below the table.
    pub below: Option<String>,
    /// Title, if there are several tables of the kind.
    pub title: Option<String>,
}

impl Rows {
    /// The rows with only this one.
    pub fn only(mut self, row: usize) -> Self {
        self.cells = self.cells.into_iter().skip(row).take(1).collect();
        self.keys = self.keys.into_iter().skip(row).take(1).collect();
        self.origins = self.origins.into_iter().skip(row).take(1).collect();
        self
    }

    /// The rows with only the columns at these positions.
    pub fn with_columns(&self, places: &[usize]) -> Self {
        let place_of = |column: usize| places.iter().position(|place| *place == column);
        let cells =
            |row: &Vec<Value>| places.iter().filter_map(|it| row.get(*it).cloned()).collect();
        Self {
            infos: places.iter().filter_map(|it| self.infos.get(*it).copied()).collect(),
            cells: self.cells.iter().map(cells).collect(),
            named: places.iter().filter_map(|it| self.named.get(*it).copied()).collect(),
            sorted: self.sorted.and_then(|(column, down)| Some((place_of(column)?, down))),
            ..self.clone()
        }
    }

    /// Position of a column.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.infos.iter().position(|info| info.id == id)
    }

    /// The shown ones of all rows of the table, in their original order.
    pub fn shown<'r, T>(&'r self, all: &'r [T]) -> impl Iterator<Item = &'r T> {
        let shown: BTreeSet<usize> = self.origins.iter().copied().collect();
        (0..).zip(all).filter(move |(origin, _)| shown.contains(origin)).map(|(_, row)| row)
    }

    /// A cell.
    pub fn value(&self, row: usize, column: impl AsRef<str>) -> Option<&Value> {
        self.cells.get(row)?.get(self.place(column.as_ref())?)
    }

    /// A cell for people, with its unit; `-` if it is missing.
    pub fn text(&self, row: usize, column: impl AsRef<str>) -> String {
        let id = column.as_ref();
        let unit = self.place(id).and_then(|place| self.infos.get(place)).map(|info| info.unit);
        match self.value(row, id).zip(unit) {
            Some((value, unit)) => value.human(unit, false),
            None => "-".to_owned(),
        }
    }
}

/// Notes below a table.
#[derive(Clone, Copy, Debug)]
pub struct Footnotes {
    /// Parts that the notes need beyond those of the columns.
    pub needs: PartSet,
    /// Parts for a second look, if the first leaves a question open. It is expensive, so only single reports
    /// take it, and streams do not.
    pub closer: fn(&SampleView<'_>) -> PartSet,
    /// Sentences on the shown rows.
    pub sentences: fn(&SampleView<'_>, &Rows) -> Vec<String>,
    /// Explanation of headings.
    pub legend: Option<&'static str>,
}

impl Footnotes {
    /// No notes.
    pub const NONE: Self = Self {
        needs: PartSet::NONE,
        closer: |_| PartSet::NONE,
        sentences: |_, _| Vec::new(),
        legend: None,
    };
}
