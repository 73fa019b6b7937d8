//! What the tables say about the moment on screen, as far as a pane asked.

use super::content::{Origin, Piece};
use super::history::{History, SeriesKey, HistoryEntry, row_name};
use super::job::Job;
use super::lab::LabState;
use super::map_state::MapState;
use super::theme::Role;
use super::thresholds;
use crate::columns::ColumnId;
use crate::columns::{Info, Query, Rows, Unit, Value, tables};
use crate::derive::SampleView;
use crate::model::name::safe_text;
use crate::model::policy::Policy;
use crate::model::{Reading, Snapshot};
use std::time::Duration;

/// The time that a trend looks back, as far as it is known.
const TREND: Duration = Duration::from_secs(30);

/// The answers to the questions of one pane.
#[derive(Clone, Debug, Default)]
pub struct PaneData {
    tables: Vec<(&'static str, Reading<Rows>)>,
    /// The seconds that rates are of, where those are not the time between two samples.
    span: Option<f64>,
}

impl PaneData {
    /// Everything about every row of a table.
    pub fn whole(query: &Query, moment: &HistoryEntry) -> Self {
        Self { tables: vec![(query.spec.name, query.rows(&moment.view()))], span: None }
    }

    /// Asks somebody who knows the moment.
    pub fn collect<'a>(
        queries: impl IntoIterator<Item = &'a Query>,
        rows: impl Fn(&Query) -> Reading<Rows>,
    ) -> Self {
        let ask = |query: &Query| (query.spec.name, rows(query));
        Self { tables: queries.into_iter().map(ask).collect(), span: None }
    }

    /// Asks about the time that leads to a moment, rather than about its last second.
    pub fn trends(queries: &[Query], history: &History, moment: u64) -> Self {
        let Some(now) = history.get(moment) else { return Self::default() };
        let view = SampleView { now: &now.now, before: history.before(moment, TREND) };
        let ask = |query: &Query| (query.spec.name, query.rows(&view));
        let span = view.before.map(|before| view.now.stamp.seconds_since(before.stamp));
        Self { tables: queries.iter().map(ask).collect(), span }
    }

    /// The rows of a table, if they could be read.
    pub fn rows(&self, table: &str) -> Option<&Rows> {
        self.table(table)?.known()
    }

    /// A value of the first row of a table.
    pub fn first(&self, column: ColumnId) -> Option<&Value> {
        self.rows(column.table)?.value(0, column)
    }

    /// A value of the first row in words.
    pub fn first_words(&self, column: ColumnId) -> String {
        self.rows(column.table).map_or_else(|| "-".to_owned(), |rows| rows.text(0, column))
    }

    /// Why a table could not be read.
    pub fn failed(&self, table: &str) -> Option<String> {
        self.table(table)?.missing().map(|missing| safe_text(&missing.to_string()))
    }

    fn table(&self, name: &str) -> Option<&Reading<Rows>> {
        let found = self.tables.iter().find(|(table, _)| *table == name).map(|(_, rows)| rows);
        debug_assert!(found.is_some() || self.tables.is_empty(), "nobody asked {name}");
        found
    }
}

/// All that the lines of a pane are made of.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The answers to its questions.
    pub answers: &'a PaneData,
    /// The answers to those about the last half minute.
    pub trends: &'a PaneData,
    /// What was seen before.
    pub history: &'a History,
    /// The number of the moment on screen.
    pub moment: u64,
    /// Time between two samples.
    pub interval: Duration,
    /// What is worth a warning.
    pub policy: &'a Policy,
    /// The row that is selected in the first table of the screen.
    pub selected: Option<&'a str>,
    /// Where that stands in the table as it is by itself.
    pub selected_from: Option<usize>,
    /// That table.
    pub selected_in: Option<&'static str>,
    /// Cells in a line.
    pub width: usize,
    /// Lines in the pane.
    pub height: usize,
    /// Is it the newest moment of a machine that goes on?
    pub live: bool,
    /// Do keys go to this pane?
    pub focused: bool,
    /// How the map is looked at.
    pub map: &'a MapState,
    /// What the lab shows.
    pub lab: &'a LabState,
    /// The change or load that is under way, or was last.
    pub job: Option<&'a Job>,
}

impl Facts<'_> {
    /// The same about the last half minute.
    pub fn trend(&self) -> Self {
        Self { answers: self.trends, ..*self }
    }

    /// The seconds that those look back; none before a second sample.
    pub fn trend_seconds(&self) -> Option<f64> {
        self.trends.span
    }

    /// The snapshot on screen.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.history.get(self.moment).map(|moment| &moment.now)
    }

    /// The rows of a table; none if they could not be read.
    pub fn rows(&self, table: &str) -> Option<&Rows> {
        self.answers.rows(table)
    }

    /// How many rows a table has.
    pub fn count(&self, table: &str) -> usize {
        self.rows(table).map_or(0, |rows| rows.cells.len())
    }

    /// A value of a row.
    pub fn value(&self, column: ColumnId, row: usize) -> Option<&Value> {
        self.rows(column.table)?.value(row, column.id)
    }

    /// A value that is a number.
    pub fn number(&self, column: ColumnId, row: usize) -> Option<f64> {
        self.value(column, row)?.number()
    }

    /// A value in words.
    pub fn words(&self, column: ColumnId, row: usize) -> String {
        let rows = self.rows(column.table);
        rows.map_or_else(|| "-".to_owned(), |rows| rows.text(row, column.id))
    }

    /// A value as it is written for programs.
    pub fn plain(&self, column: ColumnId, row: usize) -> Option<String> {
        Some(self.value(column, row)?.plain())
    }

    /// A figure of a row, which can be explained.
    pub fn figure(&self, column: ColumnId, row: usize) -> Piece {
        let table = column.table;
        let found = self.rows(table).and_then(|rows| {
            let value = rows.value(row, column)?.clone();
            let info = *rows.infos.get(rows.place(column.id)?)?;
            let span = self.answers.span.filter(|_| info.two);
            Some(Origin { table, row: self.row_name(table, row), info, value, span })
        });
        Piece::figure(found.unwrap_or_else(|| self.missing_origin(column)))
    }

    /// The same with its mark, if it deserves one.
    pub fn judged(&self, column: ColumnId, row: usize) -> Piece {
        let figure = self.figure(column, row);
        let role = figure.origin().map_or(Role::Text, |origin| {
            thresholds::role(column.table, origin.info, &origin.value, self.policy)
        });
        figure.marked(thresholds::mark(role)).as_role(role)
    }

    /// A figure of a table that could not be read, or of a row that is not there.
    fn missing_origin(&self, column: ColumnId) -> Origin {
        let table = column.table;
        let infos = tables::find(table).map(|spec| (spec.infos)()).unwrap_or_default();
        let info = infos.into_iter().find(|info| info.id == column.id).unwrap_or(&UNKNOWN);
        let why = self.answers.failed(table).unwrap_or_else(|| "there is no such row".to_owned());
        let value = Value::Missing(crate::model::Missing::absent(why));
        Origin { table, row: String::new(), info, value, span: None }
    }

    /// The name of a row.
    pub fn row_name(&self, table: &str, row: usize) -> String {
        let spec = tables::find(table);
        let key = self.rows(table).and_then(|rows| rows.keys.get(row));
        spec.zip(key).map(|(spec, key)| row_name(spec, key)).unwrap_or_default()
    }

    /// The place of the row with this name.
    pub fn find(&self, table: &str, name: &str) -> Option<usize> {
        (0..self.count(table)).find(|row| self.row_name(table, *row) == name)
    }

    /// A figure of the selected row.
    pub fn picked(&self, column: ColumnId) -> Piece {
        self.figure(column, self.picked_row().unwrap_or(usize::MAX))
    }

    /// A value of the selected row in words; nothing where none is selected.
    pub fn picked_words(&self, column: ColumnId) -> String {
        self.picked_row().map_or_else(String::new, |row| self.words(column, row))
    }

    /// The place of the selected row among the answers.
    pub fn picked_row(&self) -> Option<usize> {
        let (table, name) = (self.selected_in?, self.selected?);
        let origins = &self.rows(table)?.origins;
        // Names can stand twice, as those of areas.
        let place = origins.iter().position(|origin| Some(*origin) == self.selected_from);
        let own = place.filter(|row| self.row_name(table, *row) == name);
        own.or_else(|| self.find(table, name))
    }

    /// The history of a figure, as long as a line can show at most.
    pub fn track(&self, column: ColumnId, row: &str) -> Vec<Option<f64>> {
        let key = SeriesKey { table: column.table, row: row.to_owned(), column: column.id };
        self.history.track(&key, self.moment, self.interval, self.width * 2)
    }
}

/// Stands in for a column that a table does not have; tests find such a mistake.
static UNKNOWN: Info = Info::new("unknown", "?", Unit::Text);
