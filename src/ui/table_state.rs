//! A table in a pane: what was asked of it, where the cursor stands, and what fits.

use super::content::Origin;
use super::history::{self, HistoryEntry};
use super::screen::PaneTable;
use super::settings::Settings;
use crate::columns::select::LineWidth;
use crate::columns::{Info, Query, Request, Rows, Unit, Value, select, tables, text};
use crate::model::{Missing, Reading};
use std::collections::BTreeSet;

/// Cells between two columns.
pub const GAP: usize = 2;
/// Cells before the first column, for the sign of the selected row.
pub const MARGIN: usize = 2;

/// A table with what was asked of it.
#[derive(Debug)]
pub struct TableState {
    /// What it is whatever was asked.
    pub info: &'static PaneTable,
    /// What was asked.
    pub request: Request,
    /// The same, fit to the table.
    pub query: Query,
    /// Everything about all rows, for the details of the selected one.
    pub whole: Query,
    /// The same of other tables that tell more of such a row.
    pub more: Vec<Query>,
    /// The row that keys act on.
    pub row: usize,
    /// Its name: it stays selected when others come and go.
    pub row_name: Option<String>,
    /// Is that row meant, rather than its place?
    follows: bool,
    /// The column that somebody chose for keys to act on, among those that are shown.
    pub chosen: Option<usize>,
    /// The first row that is shown.
    pub top: usize,
    /// Marked rows, by name.
    pub tagged: BTreeSet<String>,
    /// The word that was looked for last.
    pub searched: Option<String>,
    /// What it shows.
    pub shown: Option<Reading<Rows>>,
    /// The columns that fit, by their place among those asked for, and how wide each is.
    pub columns: Vec<(usize, usize)>,
    /// How wide each column is that was asked for.
    widths: Vec<usize>,
    /// How many rows are in sight.
    pub height: usize,
    /// The number of the moment that it shows.
    read_of: Option<u64>,
}

impl TableState {
    /// A table in which nothing was done yet; none if it lost a column, which a test guards
    /// against.
    pub fn new(info: &'static PaneTable, settings: &Settings) -> Option<Self> {
        let spec = tables::find(info.table)?;
        let own = Request {
            columns: info.columns.map(str::to_owned),
            sort: info.sort.map(str::to_owned),
            two: true,
            ..Request::default()
        };
        let mut request = own.clone();
        if let Some(columns) = settings.columns.get(info.table) {
            request.columns = Some(columns.clone());
        }
        if let Some(sort) = settings.sort.get(info.table) {
            request.sort = Some(sort.clone());
        }
        // What a file says was checked when it was read.
        let query = Query::new(spec, &request).or_else(|_| Query::new(spec, &own)).ok()?;
        Some(Self {
            info,
            request,
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
            widths: Vec::new(),
            height: 0,
            read_of: None,
        })
    }

    /// Ask otherwise; nothing changes if that makes no sense.
    ///
    /// # Errors
    /// A sentence that says what does not fit.
    pub fn ask(&mut self, request: Request) -> Result<(), String> {
        self.query = Query::new(self.query.spec, &request)?;
        if self.request.columns != request.columns || self.request.tree != request.tree {
            self.widths.clear();
        }
        self.request = request;
        self.read_of = None;
        Ok(())
    }

    /// The rows, if they could be read.
    pub fn rows(&self) -> Option<&Rows> {
        self.shown.as_ref()?.known()
    }

    /// The name of a row.
    pub fn name_of(&self, row: usize) -> Option<String> {
        let key = self.rows()?.keys.get(row)?;
        Some(history::row_name(self.query.spec, key))
    }

    /// Where the selected row stands in the table as it is by itself.
    pub fn origin_row(&self) -> Option<usize> {
        self.rows()?.origins.get(self.row).copied()
    }

    /// Ask the table about a moment, and find the selected row again.
    /// What it shows of this moment already stays.
    pub fn read(&mut self, moment: &HistoryEntry, number: u64) {
        if self.read_of == Some(number) {
            return;
        }
        self.read_of = Some(number);
        self.shown = Some(self.query.rows(&moment.view()));
        let count = self.rows().map_or(0, |rows| rows.cells.len());
        // Names can stand twice, as those of mounts: the nearest is meant.
        let same = |row: &usize| self.row_name.is_some() && self.name_of(*row) == self.row_name;
        let found = (0..count).filter(same).min_by_key(|row| row.abs_diff(self.row));
        // At the top one watches whoever is first; elsewhere one follows a row.
        let row = found.filter(|_| self.follows).unwrap_or(self.row);
        self.place_at(row);
    }

    /// Let keys act on this row, or on the last one before it.
    pub fn select(&mut self, row: usize) {
        self.place_at(row);
        self.follows = self.row > 0;
    }

    fn place_at(&mut self, row: usize) {
        let count = self.rows().map_or(0, |rows| rows.cells.len());
        self.row = row.min(count.saturating_sub(1));
        // A table that is out of sight is not fitted until it is seen again.
        self.top = self.top.min(self.row);
        self.row_name = self.name_of(self.row);
    }

    /// Choose the columns that fit, and keep the selected row in sight.
    pub fn fit(&mut self, height: usize, width: usize) {
        self.height = height;
        self.top = self.top.min(self.row);
        // A pane without room for a row shows none, but stands at one.
        let rows = height.max(1);
        if self.row >= self.top + rows {
            self.top = (self.row + 1).saturating_sub(rows);
        }
        let Some(rows) = self.rows() else {
            self.columns = Vec::new();
            return;
        };
        let count = rows.cells.len();
        let widths = self.steady_widths(rows);
        let room = LineWidth { cells: Some(width.saturating_sub(MARGIN)), gap: GAP };
        let is_own = self.request.columns.as_deref() == self.info.columns;
        let is_named = |place: &usize| !is_own && rows.named.get(*place) == Some(&true);
        let shown = |place: &usize| is_named(place) || !is_absent(rows, *place);
        let all = (0..rows.infos.len()).filter(shown).collect();
        // What the screen asks for can go like any other; what a person asked for besides stays.
        let own: Vec<&str> = self.info.columns.unwrap_or_default().split(',').collect();
        let added = |(named, info): (&bool, &&Info)| *named && !own.contains(&info.id);
        let added: Vec<bool> = rows.named.iter().zip(&rows.infos).map(added).collect();
        let mut kept = select::fitting(all, &rows.infos, &added, &widths, room);
        // None is squeezed until it says nothing: the last ones stay out of sight instead.
        let least = |kept: &[usize]| select::minimum_width(kept, &rows.infos, &widths, room.gap);
        while kept.len() > 1 && room.cells < Some(least(&kept)) {
            kept.pop();
        }
        let width = |place: usize| (place, widths.get(place).copied().unwrap_or(0));
        self.columns = kept.into_iter().map(width).collect();
        self.widths = widths;
        self.top = self.top.min(count.saturating_sub(height));
    }

    /// How wide each column is. One of numbers stays as wide as it once had to be: it shall not
    /// push the others about whenever it gets a digit more.
    fn steady_widths(&self, rows: &Rows) -> Vec<usize> {
        let steady = |(place, width): (usize, usize)| {
            let is_number = rows.infos.get(place).is_some_and(|info| info.unit.is_number());
            let before = self.widths.get(place).copied().filter(|_| is_number);
            width.max(before.unwrap_or(0))
        };
        widths(rows).into_iter().enumerate().map(steady).collect()
    }

    /// The names of the columns that were asked for, also while the rows still show others.
    pub fn ids(&self) -> Vec<&'static str> {
        let (spec, request) = (self.query.spec, &self.request);
        let infos = (spec.infos)();
        let chosen = select::columns(spec, request.columns.as_deref(), request.two);
        let places = chosen.map_or_else(|_| vec![], |chosen| chosen.places);
        places.iter().filter_map(|place| Some(infos.get(*place)?.id)).collect()
    }

    /// The name of the column that rows are sorted by, if it is shown.
    pub fn sort_id(&self) -> Option<&'static str> {
        let rows = self.rows()?;
        rows.infos.get(rows.sorted?.0).map(|info| info.id)
    }

    /// The column that keys act on, among those that are shown. Until somebody chooses it is the
    /// sorted one; where that is a mere yes or no, or none, the first that tells about the name.
    pub fn column(&self) -> usize {
        let is_flag =
            |column: &usize| self.info_of(*column).is_some_and(|info| info.unit == Unit::Flag);
        let sorted = || self.sorted_column().filter(|column| !is_flag(column));
        let column = self.chosen.or_else(sorted).unwrap_or_else(|| self.first_value());
        column.min(self.columns.len().saturating_sub(1))
    }

    /// The first column, among those that are shown, that is not the name of the row.
    fn first_value(&self) -> usize {
        let is_name = |info: &Info| info.id == self.query.spec.key;
        let shown = (0..self.columns.len()).filter_map(|column| self.info_of(column));
        shown.take_while(|info| is_name(info)).count()
    }

    fn info_of(&self, column: usize) -> Option<&'static Info> {
        let (place, _) = self.columns.get(column)?;
        self.rows()?.infos.get(*place).copied()
    }

    /// Where that column stands among those that fit.
    pub fn sorted_column(&self) -> Option<usize> {
        let (sorted, _) = self.rows()?.sorted?;
        self.columns.iter().position(|(place, _)| *place == sorted)
    }

    /// Where everything that one of these questions tells of the selected row comes from.
    pub fn whole_row(&self, whole: &Query, moment: &HistoryEntry) -> Vec<Origin> {
        let Ok(rows) = whole.rows(&moment.view()).into_result() else { return vec![] };
        let named = |key: &Value| Some(history::row_name(whole.spec, key)) == self.row_name;
        let places: Vec<usize> = rows
            .keys
            .iter()
            .enumerate()
            .filter(|(_, key)| named(key))
            .map(|(row, _)| row)
            .collect();
        // Names can stand twice, as those of areas that each node has in an order of its own.
        let alike = places.iter().find(|row| self.looks_like(&rows, **row));
        let row = alike.or(places.first());
        row.map_or_else(Vec::new, |row| self.origins(whole, &rows, *row))
    }

    /// Has a row in the same cells what the selected one shows?
    fn looks_like(&self, rows: &Rows, row: usize) -> bool {
        let shown = self.rows();
        let cells = shown.and_then(|shown| Some((&shown.infos, shown.cells.get(self.row)?)));
        cells.is_some_and(|(infos, cells)| {
            infos.iter().zip(cells).all(|(info, cell)| rows.value(row, info.id) == Some(cell))
        })
    }

    fn origins(&self, query: &Query, rows: &Rows, row: usize) -> Vec<Origin> {
        let origin = |(value, info): (&Value, &&'static Info)| Origin {
            table: query.spec.name,
            row: self.row_name.clone().unwrap_or_default(),
            info,
            value: value.clone(),
            span: None,
        };
        let cells = rows.cells.get(row).into_iter().flatten();
        cells.zip(&rows.infos).map(origin).collect()
    }

    /// Where the selected cell comes from.
    pub fn origin(&self) -> Option<Origin> {
        let (place, _) = self.columns.get(self.column())?;
        self.origins(&self.query, self.rows()?, self.row).into_iter().nth(*place)
    }
}

/// Does this machine have nothing to show in any row? A rate may have nothing for a moment, and
/// what is denied is worth knowing of.
fn is_absent(rows: &Rows, place: usize) -> bool {
    let absent = |row: &Vec<Value>| {
        let missing = row.get(place).and_then(Value::missing);
        matches!(missing, Some(Missing::Absent(_)))
    };
    let rate = rows.infos.get(place).is_none_or(|info| info.two);
    !rate && !rows.cells.is_empty() && rows.cells.iter().all(absent)
}

/// Tables that tell more of the rows of another, which have the same names.
const MORE: [(&str, &[&str]); 2] = [("devices", &["selection", "cost"]), ("selection", &["cost"])];

/// The questions about these.
fn more(table: &str) -> Vec<Query> {
    let more = MORE.iter().filter(|(of, _)| *of == table).flat_map(|(_, more)| *more);
    more.filter_map(|table| Query::new(tables::find(table)?, &whole()).ok()).collect()
}

/// A question about all columns of all rows.
fn whole() -> Request {
    Request { columns: Some("all".to_owned()), all: true, two: true, ..Request::default() }
}

/// How wide each column is: its heading or its widest cell.
fn widths(rows: &Rows) -> Vec<usize> {
    let cell = |row: &Vec<Value>, place: usize| {
        let value = row.get(place).zip(rows.infos.get(place));
        value.map_or(0, |(value, info)| text::width(&value.human(info.unit, false)))
    };
    let column = |place: usize| rows.cells.iter().map(|row| cell(row, place)).max().unwrap_or(0);
    let head = |place: usize| rows.infos.get(place).map_or(0, |info| text::width(info.head));
    (0..rows.infos.len()).map(|place| column(place).max(head(place))).collect()
}
