//! A query on a table: columns, rows and order.

use super::column::{Info, Table};
use super::filter::{self, Filter};
use super::rows::Rows;
use super::select::{self, ChosenColumns, SortKey};
use super::spec::{self, RowTest, Spec, TestedRows};
use super::tree::{self, Node};
use super::value::{Unit, Value};
use crate::derive::SampleView;
use crate::model::{Part, PartSet, Policy, Reading, part_set};

/// A query as typed by a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that is there or not")]
pub struct Request {
    /// `--output`.
    pub columns: Option<String>,
    /// `--filter`.
    pub filter: Option<String>,
    /// `--sort`.
    pub sort: Option<String>,
    /// Whether to include rows that the table hides by default.
    pub all: bool,
    /// Whether to show rows as a tree.
    pub tree: bool,
    /// Whether two samples are taken anyway.
    pub two_samples: bool,
    /// Whether the row is shown on the page of a process, which reads its PSS itself.
    pub on_process_page: bool,
}

/// A request that was checked against its table.
#[derive(Clone, Debug)]
pub struct Query {
    /// The table.
    pub spec: &'static Spec,
    /// The columns to show.
    shown: ChosenColumns,
    /// Index of the column that names a row.
    key: usize,
    filter: Option<Filter>,
    /// The default filter of the table, if the request has none.
    only: Option<Filter>,
    sort: Vec<SortKey>,
    tree: Option<TreePlaces>,
    on_process_page: bool,
}

/// The column indices of a [`tree::TreeColumns`].
#[derive(Clone, Copy, Debug)]
struct TreePlaces {
    key: usize,
    parent: usize,
    label: usize,
}

impl Query {
    /// Checks a request against a table. The error says what does not fit.
    pub fn new(spec: &'static Spec, request: &Request) -> Result<Self, String> {
        let shown = select::columns(spec, request.columns.as_deref(), request.two_samples)?;
        let parse = |text: &str| Filter::parse(spec, &shown.places, text);
        let own = spec.only.filter(|_| !request.all && request.filter.is_none());
        Ok(Self {
            spec,
            key: spec.find(spec.key)?,
            filter: request.filter.as_deref().map(parse).transpose()?,
            only: own.map(|only| Filter::parse(spec, &[], only.filter)).transpose()?,
            sort: select::sort_keys(spec, request.sort.as_deref(), &shown.places)?,
            shown,
            tree: if request.tree { Some(TreePlaces::from_spec(spec)?) } else { None },
            on_process_page: request.on_process_page,
        })
    }

    /// The parts to sample.
    pub fn needs(&self) -> PartSet {
        let needs =
            self.infos(self.places()).fold(self.spec.needs, |needs, info| needs.with(info.needs));
        if self.on_process_page {
            return needs.without(part_set![ProcessPss]);
        }
        // Processes without swap are shown too: without details they would look like kernel threads.
        if needs.has(Part::ProcessDetail) && (self.only.is_none() || self.tree.is_some()) {
            return needs.with(part_set![ProcessAll]);
        }
        needs
    }

    /// Whether any requested column compares two samples.
    pub fn needs_two_samples(&self) -> bool {
        self.infos(self.places()).any(|info| info.needs_two_samples)
    }

    /// The rows of a view, with the default thresholds.
    pub fn rows(&self, view: &SampleView<'_>) -> Reading<Rows> {
        self.rows_with_policy(view, &Policy::DEFAULT)
    }

    /// The rows of a view, with these thresholds for findings.
    pub fn rows_with_policy(&self, view: &SampleView<'_>, policy: &Policy) -> Reading<Rows> {
        let places = self.fetched();
        // The tree also shows rows above those that pass.
        let only = self.only.as_ref().filter(|_| self.tree.is_none());
        let columns = only.map_or_else(Vec::new, Filter::columns);
        let passes = |_: usize, cells: &[Value]| {
            let cell = |column| cell(&columns, cells, column);
            only.is_none_or(|only| only.accepts(&cell, &|_| false))
        };
        let test = RowTest { columns: &columns, passes: &passes };
        (self.spec.cells)(view, policy, &places, &test).map(|rows| self.arranged(&places, rows))
    }

    /// One row of a view, by its place in the unsorted table.
    pub fn row(&self, view: &SampleView<'_>, row: usize) -> Reading<Rows> {
        let places = self.fetched();
        let test = RowTest { columns: &[], passes: &|place, _| place == row };
        let rows = (self.spec.cells)(view, &Policy::DEFAULT, &places, &test);
        rows.map(|rows| self.arranged(&places, rows))
    }

    /// Rows that need not come from a snapshot.
    pub fn rows_from<T: Table>(&self, rows: &[T::Row<'_>]) -> Rows {
        self.rows_from_cells(|places| spec::cells_from_rows::<T>(rows, places))
    }

    /// The rows for cells that do not come from a snapshot.
    pub fn rows_from_cells(&self, cells: impl FnOnce(&[usize]) -> Vec<Vec<Value>>) -> Rows {
        let places = self.fetched();
        let rows = cells(&places);
        self.arranged(&places, TestedRows::all(rows))
    }

    fn arranged(&self, places: &[usize], tested: TestedRows) -> Rows {
        let TestedRows { cells, origins, left_out } = tested;
        let all = cells.len() + left_out;
        let mut rows: Vec<(usize, Vec<Value>)> = origins.into_iter().zip(cells).collect();
        rows.sort_by(|(_, a), (_, b)| {
            select::compare(&self.sort, |c| cell(places, a, c), |c| cell(places, b, c))
        });
        let rows = match self.tree {
            Some(tree) => self.branches(tree, places, rows),
            None => rows.into_iter().filter(|(_, row)| self.shows(places, row)).collect(),
        };
        let left_out = all.saturating_sub(rows.len());
        let (hidden, filtered) = if self.only.is_some() { (left_out, 0) } else { (0, left_out) };
        let (origins, mut cells): (Vec<usize>, Vec<Vec<Value>>) = rows.into_iter().unzip();
        let key = |row: &Vec<Value>| cell(places, row, self.key).cloned();
        let keys = cells.iter().filter_map(key).collect();
        for row in &mut cells {
            row.truncate(self.shown.places.len());
        }
        let infos = self.infos(self.shown.places.clone()).collect();
        let named = self.shown.named.clone();
        Rows {
            infos,
            cells,
            keys,
            origins,
            sorted: self.sorted(),
            hidden,
            filtered,
            named,
            below: None,
            title: None,
        }
    }

    /// The columns at these places.
    fn infos(&self, places: Vec<usize>) -> impl Iterator<Item = &'static Info> {
        let infos = (self.spec.infos)();
        places.into_iter().filter_map(move |place| infos.get(place).copied())
    }

    /// The shown rows and their ancestors, in tree order.
    fn branches(
        &self,
        at: TreePlaces,
        places: &[usize],
        mut rows: Vec<(usize, Vec<Value>)>,
    ) -> Vec<(usize, Vec<Value>)> {
        let number = |row: &[Value], column| match cell(places, row, column) {
            Some(Value::Whole(number)) => *number,
            _ => 0,
        };
        let node = |(_, row): &(usize, Vec<Value>)| Node {
            key: number(row, at.key),
            parent: number(row, at.parent),
            wanted: self.shows(places, row),
        };
        let nodes: Vec<Node> = rows.iter().map(node).collect();
        let label = places.iter().position(|place| *place == at.label);
        let arranged = tree::arrange(&nodes).into_iter().filter_map(|(place, depth)| {
            let (origin, mut row) = std::mem::take(rows.get_mut(place)?);
            if let Some(cell) = label.and_then(|label| row.get_mut(label)) {
                *cell = tree::label(cell.clone(), depth);
            }
            Some((origin, row))
        });
        arranged.collect()
    }

    fn shows(&self, places: &[usize], row: &[Value]) -> bool {
        let cell = |column: usize| cell(places, row, column);
        let shown = row.get(..self.shown.places.len()).unwrap_or(row);
        let infos = (self.spec.infos)();
        let unit = |place: &usize| infos.get(*place).map_or(Unit::Text, |info| info.unit);
        let texts = |word: &str| {
            let mut cells = shown.iter().zip(&self.shown.places);
            cells.any(|(value, place)| filter::shows_text(value, unit(place), word))
        };
        let mut filters = self.filter.iter().chain(&self.only);
        filters.all(|filter| filter.accepts(&cell, &texts))
    }

    /// Position of the first sort key among the shown columns.
    fn sorted(&self) -> Option<(usize, bool)> {
        let first = self.sort.first()?;
        let place = self.shown.places.iter().position(|place| *place == first.column)?;
        Some((place, first.descending))
    }

    /// The columns to fetch, including the key. The key alone is no reason to sample a part, so it is not
    /// part of [`Self::places`].
    fn fetched(&self) -> Vec<usize> {
        let mut places = self.places();
        if !places.contains(&self.key) {
            places.push(self.key);
        }
        places
    }

    /// The requested columns: first the shown ones, then those only for sorting, filtering or the tree.
    fn places(&self) -> Vec<usize> {
        let filters = self.filter.iter().chain(&self.only).flat_map(Filter::columns);
        let mut places = self.shown.places.clone();
        let branches = self.tree.into_iter().flat_map(|at| [at.key, at.parent, at.label]);
        let sorted = self.sort.iter().map(|key| key.column);
        for place in filters.chain(sorted).chain(branches) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }
}

/// The parts to sample for these queries.
pub fn needs(queries: &[Query]) -> PartSet {
    queries.iter().fold(PartSet::NONE, |needs, query| needs.with(query.needs()))
}

impl TreePlaces {
    fn from_spec(spec: &Spec) -> Result<Self, String> {
        let tree = spec.tree.ok_or_else(|| format!("{} cannot be shown as a tree", spec.name))?;
        Ok(Self {
            key: spec.find(tree.key)?,
            parent: spec.find(tree.parent)?,
            label: spec.find(tree.label)?,
        })
    }
}

fn cell<'r>(places: &[usize], row: &'r [Value], column: usize) -> Option<&'r Value> {
    row.get(places.iter().position(|place| *place == column)?)
}

#[cfg(test)]
mod tests;
