//! The answers of tables to the queries of a pane, for the sample on screen.

use super::chart::{Chart, ChartSeries, Scale};
use super::content::{Origin, PaneLine, Piece, wrapped};
use super::events::{EventKind, Events};
use super::history::{History, HistoryEntry, SeriesKey, row_name};
use super::job::Job;
use super::lab::LabState;
use super::learn::LearnState;
use super::map_state::MapState;
use super::theme::Role;
use super::thresholds;
use crate::columns::{ColumnId, Info, Query, Rows, Unit, Value, tables};
use crate::derive::SampleView;
use crate::model::policy::Policy;
use crate::model::{Missing, Reading, Snapshot};
use std::time::Duration;

/// The maximum span of a trend.
const TREND: Duration = Duration::from_secs(30);

/// The answers to the queries of a pane.
#[derive(Clone, Debug, Default)]
pub struct PaneData {
    tables: Vec<(&'static str, Reading<Rows>)>,
    /// The span of rates in seconds, if that is not the time between two samples.
    span: Option<f64>,
}

impl PaneData {
    /// One row of a table, by its place in the unsorted table; no row without a place.
    pub fn one_row(query: &Query, place: Option<usize>, moment: &HistoryEntry) -> Self {
        let row = query.row(&moment.view(), place.unwrap_or(usize::MAX));
        Self { tables: vec![(query.spec.name, row)], span: None }
    }

    /// The answers to queries, from a function that runs a query.
    pub fn collect<'a>(
        queries: impl IntoIterator<Item = &'a Query>,
        rows: impl Fn(&Query) -> Reading<Rows>,
    ) -> Self {
        let ask = |query: &Query| (query.spec.name, rows(query));
        Self { tables: queries.into_iter().map(ask).collect(), span: None }
    }

    /// The answers for the time before a sample, rather than for its last second.
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

    /// A value in the first row of a table.
    pub fn first(&self, column: ColumnId) -> Option<&Value> {
        self.rows(column.table)?.value(0, column)
    }

    /// The text of a value in the first row.
    pub fn first_words(&self, column: ColumnId) -> String {
        self.rows(column.table).map_or_else(|| "-".to_owned(), |rows| rows.text(0, column))
    }

    /// Why a table could not be read.
    pub fn failed(&self, table: &str) -> Option<String> {
        self.table(table)?.missing().map(ToString::to_string)
    }

    fn table(&self, name: &str) -> Option<&Reading<Rows>> {
        let found = self.tables.iter().find(|(table, _)| *table == name).map(|(_, rows)| rows);
        debug_assert!(found.is_some() || self.tables.is_empty(), "{name} was not queried");
        found
    }
}

/// The data from which the lines of a pane are made.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The answers to its queries.
    pub answers: &'a PaneData,
    /// The answers for the last half minute.
    pub trends: &'a PaneData,
    /// Past samples.
    pub history: &'a History,
    /// Past events.
    pub events: &'a Events,
    /// The number of the sample on screen.
    pub moment: u64,
    /// Time between two samples.
    pub interval: Duration,
    /// The thresholds.
    pub policy: &'a Policy,
    /// The row selected in the first table of the screen.
    pub selected: Option<&'a str>,
    /// The index of that row in the unsorted table.
    pub selected_from: Option<usize>,
    /// The name of that table.
    pub selected_in: Option<&'static str>,
    /// The width of a line.
    pub width: usize,
    /// The number of lines.
    pub height: usize,
    /// Is it the newest sample of a live machine?
    pub live: bool,
    /// Is the pane focused?
    pub focused: bool,
    /// Is it the only pane on screen?
    pub alone: bool,
    /// The state of the map.
    pub map: &'a MapState,
    /// The state of the lab.
    pub lab: &'a LabState,
    /// Lessons, and the one that is played.
    pub learn: &'a LearnState,
    /// The running change or workload, or the last one.
    pub job: Option<&'a Job>,
}

impl Facts<'_> {
    /// These facts for the last half minute.
    pub fn trend(&self) -> Self {
        Self { answers: self.trends, ..*self }
    }

    /// The sample on screen.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.history.get(self.moment).map(|moment| &moment.now)
    }

    /// The rows of a table; none if they could not be read.
    pub fn rows(&self, table: &str) -> Option<&Rows> {
        self.answers.rows(table)
    }

    /// The number of rows of a table.
    pub fn count(&self, table: &str) -> usize {
        self.rows(table).map_or(0, |rows| rows.cells.len())
    }

    /// The words instead of the rows of a table: why it is missing, or these if it has none.
    pub fn instead_of_rows(&self, table: &str, none: &str) -> Option<String> {
        let why = || self.answers.failed(table).unwrap_or_else(|| none.to_owned());
        (self.count(table) == 0).then(why)
    }

    /// A value of a row.
    pub fn value(&self, column: ColumnId, row: usize) -> Option<&Value> {
        self.rows(column.table)?.value(row, column.id)
    }

    /// The reason why a row lacks a value.
    pub fn missing(&self, column: ColumnId, row: usize) -> Option<&Missing> {
        self.value(column, row)?.missing()
    }

    /// True if a row has this value.
    pub fn is_known(&self, column: ColumnId, row: usize) -> bool {
        self.value(column, row).is_some_and(|value| value.missing().is_none())
    }

    /// A text in lines as wide as the pane.
    pub fn wrapped(&self, words: &str, role: Role) -> Vec<PaneLine> {
        wrapped(words, self.width, role)
    }

    /// A value as a number.
    pub fn number(&self, column: ColumnId, row: usize) -> Option<f64> {
        self.value(column, row)?.number()
    }

    /// The row with the largest number, and the number.
    pub fn largest(
        &self,
        column: ColumnId,
        rows: impl IntoIterator<Item = usize>,
    ) -> Option<(usize, f64)> {
        let numbers = rows.into_iter().filter_map(|row| Some((row, self.number(column, row)?)));
        numbers.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// A value as text.
    pub fn words(&self, column: ColumnId, row: usize) -> String {
        let rows = self.rows(column.table);
        rows.map_or_else(|| "-".to_owned(), |rows| rows.text(row, column.id))
    }

    /// A value as it is printed for programs.
    pub fn plain(&self, column: ColumnId, row: usize) -> Option<String> {
        Some(self.value(column, row)?.plain())
    }

    /// A figure of a row.
    pub fn figure(&self, column: ColumnId, row: usize) -> Piece {
        let table = column.table;
        let found = self.rows(table).and_then(|rows| {
            let value = rows.value(row, column)?.clone();
            let info = *rows.infos.get(rows.place(column.id)?)?;
            let span = self.answers.span.filter(|_| info.needs_two_samples);
            Some(Origin { table, row: self.row_name(table, row), info, value, span })
        });
        Piece::figure(found.unwrap_or_else(|| self.missing_origin(column)))
    }

    /// A figure with a mark, if a threshold is exceeded.
    pub fn judged(&self, column: ColumnId, row: usize) -> Piece {
        let figure = self.figure(column, row);
        let role = figure.origin().map_or(Role::Text, |origin| {
            let sample = self.history.get(self.moment);
            thresholds::role(column.table, origin.info, &origin.value, self.policy, sample)
        });
        figure.marked(thresholds::mark(role)).as_role(role)
    }

    /// The origin of a figure whose table could not be read or whose row does not exist.
    fn missing_origin(&self, column: ColumnId) -> Origin {
        let table = column.table;
        let infos = tables::find(table).map(|spec| (spec.infos)()).unwrap_or_default();
        let info = infos.into_iter().find(|info| info.id == column.id).unwrap_or(&UNKNOWN);
        let missing = self.answers.table(table).and_then(|rows| rows.missing().cloned());
        let value = missing.unwrap_or_else(|| Missing::absent("the row does not exist"));
        let value = Value::Missing(value);
        Origin { table, row: String::new(), info, value, span: None }
    }

    /// The name of a row.
    pub fn row_name(&self, table: &str, row: usize) -> String {
        let spec = tables::find(table);
        let key = self.rows(table).and_then(|rows| rows.keys.get(row));
        spec.zip(key).map(|(spec, key)| row_name(spec, key)).unwrap_or_default()
    }

    /// The index of the row with this name.
    pub fn find(&self, table: &str, name: &str) -> Option<usize> {
        (0..self.count(table)).find(|row| self.row_name(table, *row) == name)
    }

    /// A figure of the selected row.
    pub fn picked(&self, column: ColumnId) -> Piece {
        self.figure(column, self.picked_row().unwrap_or(usize::MAX))
    }

    /// A value of the selected row as text; empty if no row is selected.
    pub fn picked_words(&self, column: ColumnId) -> String {
        self.picked_row().map_or_else(String::new, |row| self.words(column, row))
    }

    /// The index of the selected row in the answers.
    pub fn picked_row(&self) -> Option<usize> {
        let (table, name) = (self.selected_in?, self.selected?);
        let origins = &self.rows(table)?.origins;
        // Names can occur twice, such as those of areas.
        let place = origins.iter().position(|origin| Some(*origin) == self.selected_from);
        let own = place.filter(|row| self.row_name(table, *row) == name);
        own.or_else(|| self.find(table, name))
    }

    /// The history of a figure with its scale, for the longest possible line.
    pub fn chart(&self, column: ColumnId, row: &str, scale: Scale, role: Role) -> Chart {
        let key = SeriesKey { table: column.table, row: row.to_owned(), column: column.id };
        let steps = self.width * 2;
        let values = self.history.track(&key, self.moment, self.interval, steps);
        let unit = self.unit(column);
        let chart = Chart::new(ChartSeries { values, role }, scale, unit, self.interval);
        let place = if row.is_empty() { Some(0) } else { self.find(column.table, row) };
        let missing = place.and_then(|place| self.value(column, place)?.missing());
        Chart { marks: self.marks(steps), missing: missing.map(Missing::why), ..chart }
    }

    /// Two figures of the same unit, the second stacked on the first.
    pub fn stacked(&self, first: (ColumnId, Role), second: (ColumnId, Role), row: &str) -> Chart {
        let mut chart = self.chart(first.0, row, Scale::Round, first.1);
        chart.series.extend(self.chart(second.0, row, Scale::Round, second.1).series);
        chart
    }

    /// A part of a figure over time, and on it what the whole has beyond the part.
    pub fn within(&self, part: (ColumnId, Role), whole: (ColumnId, Role)) -> Chart {
        let mut chart = self.chart(part.0, "", Scale::Round, part.1);
        let whole = self.chart(whole.0, "", Scale::Round, whole.1).series;
        let part = chart.series.first().map(|part| part.values.clone()).unwrap_or_default();
        chart.series.extend(whole.into_iter().map(|whole| whole.beyond(&part)));
        chart
    }

    /// The unit of a column that was queried.
    fn unit(&self, column: ColumnId) -> Unit {
        let rows = self.rows(column.table);
        let info = rows.and_then(|rows| rows.infos.get(rows.place(column.id)?).copied());
        let of_table = || {
            let spec = tables::find(column.table)?;
            (spec.infos)().into_iter().find(|info| info.id == column.id)
        };
        info.or_else(of_table).map_or(Unit::Number, |info| info.unit)
    }

    /// The events of the last steps before the sample on screen, each with its age in steps.
    fn marks(&self, steps: usize) -> Vec<(usize, EventKind)> {
        let Some(now) = self.snapshot().map(|snapshot| snapshot.stamp) else { return vec![] };
        self.events.marks(now, self.interval, steps)
    }
}

/// Placeholder for a column that a table does not have; tests find such a mistake.
static UNKNOWN: Info = Info::new("unknown", "?", Unit::Text);
