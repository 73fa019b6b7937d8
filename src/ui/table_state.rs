//! The state of a table in a pane: its query, selection, and visible columns.

use super::content::Origin;
use super::history::{self, HistoryEntry};
use super::named_row::NamedRow;
use super::screen::PaneTable;
use super::settings::Settings;
use crate::columns::select::LineWidth;
use crate::columns::{Info, Query, Request, Rows, Unit, Value, select, tables, text};
use crate::model::{Missing, Reading};
use std::collections::BTreeSet;

/// Cells between two columns.
pub const GAP: usize = 2;
/// Cells before the first column, for the mark of the selected row.
pub const MARGIN: usize = 2;

/// Minimum width of a long name that is cut.
const LEAST_NAME: usize = 16;
/// Room for a value beside a long name.
const ONE_VALUE: usize = 8;

/// The state of a table in a pane.
#[derive(Debug)]
pub struct TableState {
    /// The description of the table.
    pub info: &'static PaneTable,
    /// The request.
    pub request: Request,
    /// The filter of a page, such as for the processes of one cgroup. It applies in addition to that of the request,
    /// which people change.
    within: Option<String>,
    /// The query made from the request.
    pub query: Query,
    /// The query for all columns of all rows, for the details of the selected row.
    pub whole: Query,
    /// Queries to other tables with more details of the same rows.
    pub more: Vec<Query>,
    /// The selected row.
    pub row: usize,
    /// The name of the selected row, which stays selected when rows come and go.
    pub row_name: Option<String>,
    /// Does the selection follow the row, rather than its position?
    follows: bool,
    /// The selected column among the visible ones, if one was chosen.
    pub chosen: Option<usize>,
    /// The first visible row.
    pub top: usize,
    /// Marked rows, by name.
    pub tagged: BTreeSet<String>,
    /// The last search.
    pub searched: Option<String>,
    /// The rows shown.
    pub shown: Option<Reading<Rows>>,
    /// The visible columns, by index among those requested, with their widths.
    pub columns: Vec<(usize, usize)>,
    /// All columns: those that fit, then the hidden ones.
    order: Vec<usize>,
    /// The number of columns after the name that are scrolled away.
    scrolled: usize,
    /// Width of the pane without its margin.
    room: usize,
    /// The widths of all requested columns.
    widths: Vec<usize>,
    /// The number of visible rows.
    pub height: usize,
    /// The number of the sample shown.
    read_of: Option<u64>,
    /// The number of the newest sample that was shown.
    newest: u64,
}

impl TableState {
    /// The initial state of a table; none if one of its columns no longer exists, which a test prevents.
    pub fn new(info: &'static PaneTable, settings: &Settings) -> Option<Self> {
        let spec = tables::find(info.table)?;
        let own = Request {
            columns: info.columns.map(str::to_owned),
            sort: info.sort.map(str::to_owned),
            two_samples: true,
            ..Request::default()
        };
        let mut request = own.clone();
        if let Some(columns) = settings.columns.get(info.table) {
            request.columns = Some(columns.clone());
        }
        if let Some(sort) = settings.sort.get(info.table) {
            request.sort = Some(sort.clone());
        }
        // The settings file was checked when it was read.
        let query = Query::new(spec, &request).or_else(|_| Query::new(spec, &own)).ok()?;
        Some(Self {
            info,
            request,
            within: None,
            query,
            whole: Query::new(spec, &whole()).ok()?,
            more: more(spec.name),
            row: 0,
            row_name: None,
            follows: false,
            chosen: None,
            top: 0,
            tagged: BTreeSet::new(),
            searched: None,
            shown: None,
            columns: Vec::new(),
            order: Vec::new(),
            scrolled: 0,
            room: 0,
            widths: Vec::new(),
            height: 0,
            read_of: None,
            newest: 0,
        })
    }

    /// Restricts the table to the rows that a page is about.
    pub fn keep_within(&mut self, filter: String) -> Result<(), String> {
        self.within = Some(filter);
        self.ask(self.request.clone())
    }

    /// Changes parts of the request, or returns why it is invalid; then nothing changes.
    pub fn change_request(&mut self, change: impl FnOnce(&mut Request)) -> Result<(), String> {
        let mut request = self.request.clone();
        change(&mut request);
        self.ask(request)
    }

    fn ask(&mut self, request: Request) -> Result<(), String> {
        let filter = match (&self.within, &request.filter) {
            (Some(within), Some(own)) => Some(format!("({within}) & ({own})")),
            (within, own) => within.clone().or_else(|| own.clone()),
        };
        self.query = Query::new(self.query.spec, &Request { filter, ..request.clone() })?;
        if self.request.columns != request.columns || self.request.tree != request.tree {
            self.widths.clear();
            (self.scrolled, self.chosen) = (0, None);
        }
        self.request = request;
        self.read_of = None;
        Ok(())
    }

    /// The rows, if they could be read.
    pub fn rows(&self) -> Option<&Rows> {
        self.shown.as_ref()?.known()
    }

    /// The rows with the columns of the screen, in their order. Columns that the screen is too narrow for
    /// are included, those without any value on this machine are not.
    pub fn shown_rows(&self) -> Option<Rows> {
        let mut places = self.order.clone();
        places.sort_unstable();
        Some(self.rows()?.with_columns(&places))
    }

    /// The name of a row.
    pub fn name_of(&self, row: usize) -> Option<String> {
        let key = self.rows()?.keys.get(row)?;
        Some(history::row_name(self.query.spec, key))
    }

    /// The index of the selected row in the unsorted table.
    pub fn origin_row(&self) -> Option<usize> {
        self.rows()?.origins.get(self.row).copied()
    }

    /// Reads the table for a sample and finds the selected row again; does nothing if it shows that sample
    /// already.
    pub fn read(&mut self, moment: &HistoryEntry, number: u64) {
        if self.read_of == Some(number) {
            return;
        }
        self.read_of = Some(number);
        self.shown = Some(self.query.rows(&moment.view()));
        if number > self.newest {
            self.newest = number;
            self.forget_gone(moment);
        }
        let count = self.rows().map_or(0, |rows| rows.cells.len());
        // Names can occur twice, such as those of mounts: the nearest row is chosen.
        let same = |row: &usize| self.row_name.is_some() && self.name_of(*row) == self.row_name;
        let found = (0..count).filter(same).min_by_key(|row| row.abs_diff(self.row));
        // At the top, the first row stays selected; elsewhere the selection follows its row.
        let row = found.filter(|_| self.follows).unwrap_or(self.row);
        self.place_at(row);
    }

    /// Removes the marks of rows that a newer sample lacks: a row of this name that comes later is another one.
    fn forget_gone(&mut self, moment: &HistoryEntry) {
        if self.tagged.is_empty() {
            return;
        }
        let spec = self.whole.spec;
        let columns = Some(spec.key.to_owned());
        let request = Request { columns, all: true, ..Request::default() };
        let Ok(query) = Query::new(spec, &request) else { return };
        let Ok(all) = query.rows(&moment.view()).into_result() else { return };
        let names: BTreeSet<String> =
            all.keys.iter().map(|key| history::row_name(spec, key)).collect();
        self.tagged.retain(|name| names.contains(name));
    }

    /// Selects a row, or the last one before it.
    pub fn select(&mut self, row: usize) {
        self.place_at(row);
        self.follows = self.row > 0;
    }

    /// Selects the row with this name; while the rows are unknown, it is selected when they are read.
    /// Returns false if no row has the name.
    pub fn select_named(&mut self, name: &str) -> bool {
        self.row_name = Some(name.to_owned());
        self.follows = true;
        let Some(count) = self.rows().map(|rows| rows.cells.len()) else { return true };
        let place = (0..count).find(|row| self.name_of(*row).as_deref() == Some(name));
        self.place_at(place.unwrap_or(self.row));
        self.follows = true;
        place.is_some()
    }

    fn place_at(&mut self, row: usize) {
        let count = self.rows().map_or(0, |rows| rows.cells.len());
        self.row = row.min(count.saturating_sub(1));
        // A hidden table is fitted when it is shown again.
        self.top = self.top.min(self.row);
        // The name is kept while the rows are unknown.
        if self.rows().is_some() {
            self.row_name = self.name_of(self.row);
        }
    }

    /// Chooses the columns that fit, and keeps the selected row visible.
    pub fn fit(&mut self, height: usize, width: usize) {
        self.height = height;
        self.top = self.top.min(self.row);
        // A pane without room for a row shows none, but keeps its selection.
        let rows = height.max(1);
        if self.row >= self.top + rows {
            self.top = (self.row + 1).saturating_sub(rows);
        }
        let Some(rows) = self.rows() else {
            self.columns = Vec::new();
            return;
        };
        let count = rows.cells.len();
        let widths = self.steady_widths(rows, width.saturating_sub(MARGIN));
        let room = LineWidth { cells: Some(width.saturating_sub(MARGIN)), gap: GAP };
        let is_own = self.request.columns.as_deref() == self.info.columns;
        let is_named = |place: &usize| !is_own && rows.named.get(*place) == Some(&true);
        let shown = |place: &usize| is_named(place) || !is_absent(rows, *place);
        let all: Vec<usize> = (0..rows.infos.len()).filter(shown).collect();
        // Default columns can be dropped; columns that a person added stay.
        let own: Vec<&str> = self.info.columns.unwrap_or_default().split(',').collect();
        let added = |(named, info): (&bool, &&Info)| *named && !own.contains(&info.id);
        let added: Vec<bool> = rows.named.iter().zip(&rows.infos).map(added).collect();
        let mut kept = select::fitting(all.clone(), &rows.infos, &added, &widths, room);
        // Columns are never squeezed: the last ones are hidden instead.
        let least = |kept: &[usize]| select::minimum_width(kept, &rows.infos, &widths, room.gap);
        let pop_hidden = |kept: &mut Vec<usize>| {
            while kept.len() > 1 && room.cells < Some(least(kept)) {
                kept.pop();
            }
        };
        pop_hidden(&mut kept);
        let hidden = all.iter().filter(|place| !kept.contains(place));
        let order: Vec<usize> = kept.iter().chain(hidden).copied().collect();
        let is_whole = order.len() == kept.len();
        let scrolled = if is_whole { 0 } else { self.scrolled.min(order.len().saturating_sub(2)) };
        if scrolled > 0 {
            // The name of the row stays.
            kept = order.iter().take(1).chain(order.iter().skip(1 + scrolled)).copied().collect();
            pop_hidden(&mut kept);
        }
        let width = |place: usize| (place, widths.get(place).copied().unwrap_or(0));
        self.columns = kept.into_iter().map(width).collect();
        (self.order, self.scrolled, self.widths) = (order, scrolled, widths);
        self.room = room.cells.unwrap_or(0);
        self.top = self.top.min(count.saturating_sub(height));
    }

    /// The number of columns that do not fit.
    pub fn hidden_columns(&self) -> usize {
        self.order.len().saturating_sub(self.columns.len())
    }

    /// Selects the next column to the left; at the name, the columns that were scrolled away return.
    pub fn go_left(&mut self) {
        let column = self.column();
        if column <= 1 && self.scrolled > 0 {
            self.scrolled -= 1;
            self.chosen = Some(1);
        } else {
            self.chosen = Some(column.saturating_sub(1));
        }
    }

    /// Selects the next column to the right; behind the last one, the hidden columns follow.
    pub fn go_right(&mut self) {
        let (column, last) = (self.column(), self.columns.len().saturating_sub(1));
        if column < last {
            self.chosen = Some(column + 1);
        } else if let Some(next) = self.order.get(self.scrolled + self.columns.len()) {
            // As many columns scroll away as the next one needs.
            let cells = |place: &usize| self.widths.get(*place).map_or(0, |width| width + GAP);
            let first = self.order.first().map_or(0, cells);
            let from = |scrolled: usize| {
                let shown = self.order.iter().skip(1 + scrolled);
                shown.take_while(|place| *place != next).chain([next])
            };
            let width = |scrolled: usize| first + from(scrolled).map(cells).sum::<usize>();
            let most = self.scrolled + last;
            let fits = |scrolled: &usize| width(*scrolled) <= self.room + GAP;
            self.scrolled = (self.scrolled + 1..most).find(fits).unwrap_or(most);
            self.chosen = Some(from(self.scrolled).count());
        }
    }

    /// The widths of the columns. A column of numbers never shrinks again, so that the others do not move
    /// whenever it gets a digit more.
    fn steady_widths(&self, rows: &Rows, room: usize) -> Vec<usize> {
        let steady = |(place, width): (usize, usize)| {
            let is_number = rows.infos.get(place).is_some_and(|info| info.unit.is_number());
            let before = self.widths.get(place).copied().filter(|_| is_number);
            width.max(before.unwrap_or(0))
        };
        // A long path must not push the figures out of the table: it is cut in its middle. Other names are
        // whole, if one value has room beside them.
        let bounded = |(place, width): (usize, usize)| {
            let is_name = rows.infos.get(place).is_some_and(|it| it.id == self.query.spec.key);
            let most =
                if has_paths(rows, place) { room / 2 } else { room.saturating_sub(ONE_VALUE) };
            (place, if is_name { width.min(most.max(LEAST_NAME)) } else { width })
        };
        widths(rows).into_iter().enumerate().map(bounded).map(steady).collect()
    }

    /// The names of the requested columns, even while older rows are shown.
    pub fn ids(&self) -> Vec<&'static str> {
        let (spec, request) = (self.query.spec, &self.request);
        let infos = (spec.infos)();
        let chosen = select::columns(spec, request.columns.as_deref(), request.two_samples);
        let places = chosen.map_or_else(|_| vec![], |chosen| chosen.places);
        places.iter().filter_map(|place| Some(infos.get(*place)?.id)).collect()
    }

    /// The name of the sorted column, if it is visible.
    pub fn sort_id(&self) -> Option<&'static str> {
        let rows = self.rows()?;
        rows.infos.get(rows.sorted?.0).map(|info| info.id)
    }

    /// The selected column among the visible ones: by default the sorted one, or, if that is a flag or
    /// hidden, the first one after the name.
    pub fn column(&self) -> usize {
        let is_flag =
            |column: &usize| self.info_of(*column).is_some_and(|info| info.unit == Unit::Flag);
        let sorted = || self.sorted_column().filter(|column| !is_flag(column));
        let column = self.chosen.or_else(sorted).unwrap_or_else(|| self.first_value());
        column.min(self.columns.len().saturating_sub(1))
    }

    /// The first visible column that is not the name of the row.
    fn first_value(&self) -> usize {
        let is_name = |info: &Info| info.id == self.query.spec.key;
        let shown = (0..self.columns.len()).filter_map(|column| self.info_of(column));
        shown.take_while(|info| is_name(info)).count()
    }

    fn info_of(&self, column: usize) -> Option<&'static Info> {
        let (place, _) = self.columns.get(column)?;
        self.rows()?.infos.get(*place).copied()
    }

    /// The position of the sorted column among the visible ones.
    pub fn sorted_column(&self) -> Option<usize> {
        let (sorted, _) = self.rows()?.sorted?;
        self.columns.iter().position(|(place, _)| *place == sorted)
    }

    /// The selected row, to be found in other samples too.
    pub fn named_row(&self, moment: &HistoryEntry) -> Option<NamedRow> {
        let name = self.row_name.clone()?;
        let rows = self.whole.rows(&moment.view()).into_result().ok()?;
        let own = self.origin_row()?;
        let is_named = |key: &Value| history::row_name(self.whole.spec, key) == name;
        let named = rows.keys.iter().zip(&rows.origins);
        let nth = named.filter(|(key, origin)| **origin < own && is_named(key)).count();
        Some(NamedRow { name, nth })
    }

    /// The origins of all columns of the selected row.
    pub fn whole_row(&self, moment: &HistoryEntry) -> Vec<Origin> {
        let row = self.named_row(moment);
        row.and_then(|row| row.read(&self.whole, moment).ok()).unwrap_or_default()
    }

    /// The origin of the selected cell.
    pub fn origin(&self) -> Option<Origin> {
        let (place, _) = self.columns.get(self.column())?;
        let name = self.row_name.as_deref().unwrap_or_default();
        Origin::of_row(self.query.spec, self.rows()?, self.row, name).into_iter().nth(*place)
    }
}

/// Does the machine have no value in this column? Rates can be missing for a sample, and denied values
/// are worth showing.
fn is_absent(rows: &Rows, place: usize) -> bool {
    let absent = |row: &Vec<Value>| {
        let missing = row.get(place).and_then(Value::missing);
        matches!(missing, Some(Missing::Absent(_)))
    };
    let rate = rows.infos.get(place).is_none_or(|info| info.needs_two_samples);
    !rate && !rows.cells.is_empty() && rows.cells.iter().all(absent)
}

/// Other tables with details of the same rows.
const MORE: [(&str, &[&str]); 2] = [("devices", &["selection", "cost"]), ("selection", &["cost"])];

/// The queries to those tables.
fn more(table: &str) -> Vec<Query> {
    let more = MORE.iter().filter(|(of, _)| *of == table).flat_map(|(_, more)| *more);
    more.filter_map(|table| Query::new(tables::find(table)?, &whole()).ok()).collect()
}

/// The request for all columns of all rows.
fn whole() -> Request {
    Request { columns: Some("all".to_owned()), all: true, two_samples: true, ..Request::default() }
}

/// Does a column hold paths?
fn has_paths(rows: &Rows, place: usize) -> bool {
    let is_path = |row: &Vec<Value>| matches!(row.get(place), Some(Value::Name(name)) if name.as_bytes().starts_with(b"/"));
    rows.cells.iter().any(is_path)
}

/// The width of each column: of its heading or its widest cell.
fn widths(rows: &Rows) -> Vec<usize> {
    let cell = |row: &Vec<Value>, place: usize| {
        let value = row.get(place).zip(rows.infos.get(place));
        value.map_or(0, |(value, info)| text::width(&value.human(info.unit, false)))
    };
    let column = |place: usize| rows.cells.iter().map(|row| cell(row, place)).max().unwrap_or(0);
    let head = |place: usize| rows.infos.get(place).map_or(0, |info| text::width(info.head));
    (0..rows.infos.len()).map(|place| column(place).max(head(place))).collect()
}
