//! Published figures, in the columns of the measurements made here.

use super::Published;
use crate::columns::text_table::EMPTY_CELL;
use crate::columns::{ExtraRows, TextSection, TextTable};

/// The title between measured and published rows.
const TITLE: &str = "published, on other machines";

/// Adds published figures below the table that has most of their columns, and describes their
/// origin. Missing columns are added if they fit on a line; otherwise they become a table of their
/// own.
pub(super) fn add(parts: &mut Vec<TextSection>, published: &Published, width: Option<usize>) {
    let has = |sheet: &TextTable| {
        let columns = ColumnMap::new(sheet, published);
        let figures =
            published.rows.iter().flat_map(|row| columns.figures().map(move |head| (row, head)));
        figures.filter(|(row, head)| columns.find_column(row, *head).is_some()).count()
    };
    let sheets = parts.iter_mut().filter_map(|part| part.sheet.as_mut());
    // Of two tables with equally many columns the last is used, which compares the values of a
    // factor.
    let rest = match sheets.filter(|sheet| sheet.names > 0).max_by_key(|sheet| has(sheet)) {
        Some(sheet) => merge_into(sheet, published, width),
        None => Some(separate_sheet(published)),
    };
    parts.push(TextSection::words(vec![format!("Published: {}", published.machine)]));
    parts.extend(rest.map(|sheet| TextSection { words: Vec::new(), sheet: Some(sheet) }));
}

/// All published figures as a separate table.
fn separate_sheet(published: &Published) -> TextTable {
    let Published { heads, names, rows, .. } = published.clone();
    TextTable { heads, names, rows, under: None }
}

/// Merges published figures into a table, and returns those that have no column there.
fn merge_into(
    sheet: &mut TextTable,
    published: &Published,
    width: Option<usize>,
) -> Option<TextTable> {
    let columns = ColumnMap::new(sheet, published);
    let extra: Vec<usize> = columns.figures().filter(|head| !columns.has_column(*head)).collect();
    let wide = columns.with_published_rows(&extra);
    if extra.is_empty() || width.is_none_or(|width| wide.fits(width)) {
        *sheet = wide;
        return None;
    }
    let rest = columns.unmatched_sheet(&extra);
    *sheet = columns.with_published_rows(&[]);
    Some(rest)
}

/// Maps published figures to the columns of a table.
struct ColumnMap<'s> {
    sheet: &'s TextTable,
    published: &'s Published,
}

impl<'s> ColumnMap<'s> {
    const fn new(sheet: &'s TextTable, published: &'s Published) -> Self {
        Self { sheet, published }
    }

    /// The indexes of headings that are figures.
    fn figures(&self) -> impl Iterator<Item = usize> {
        self.published.names..self.published.heads.len()
    }

    /// Whether each figure under this heading has a column.
    fn has_column(&self, head: usize) -> bool {
        self.published.rows.iter().all(|row| self.unmatched(row, head) == EMPTY_CELL)
    }

    /// The figure, if it has no column.
    fn unmatched<'r>(&self, row: &'r [String], head: usize) -> &'r str {
        let is_left = self.find_column(row, head).is_none();
        row.get(head).filter(|_| is_left).map_or(EMPTY_CELL, String::as_str)
    }

    /// Finds the column with this heading. Published rows may be named by folio sizes, which are
    /// part of the headings here.
    fn find_column(&self, row: &[String], head: usize) -> Option<usize> {
        let head = self.published.heads.get(head)?;
        let words = row.iter().take(self.published.names);
        let words: Vec<&str> = words.filter_map(|name| name.split(' ').next()).collect();
        let is_it = |ours: &str| {
            let named =
                |word: &&str| ours.strip_prefix(word).is_some_and(|rest| rest.trim_start() == head);
            ours == head || words.iter().any(named)
        };
        let mut heads = self.sheet.heads.iter().enumerate().skip(self.sheet.names);
        heads.find(|(_, ours)| is_it(ours)).map(|(place, _)| place)
    }

    /// The table with the published rows, and with these additional columns.
    fn with_published_rows(&self, extra: &[usize]) -> TextTable {
        let TextTable { heads, names, rows, .. } = self.sheet;
        let others = extra.iter().filter_map(|head| self.published.heads.get(*head).cloned());
        let empty = extra.iter().map(|_| EMPTY_CELL.to_owned());
        let under = self.published.rows.iter().map(|row| self.row(row, extra));
        let under: Vec<Vec<String>> = under.filter(|row| has_figure(row, *names)).collect();
        TextTable {
            heads: heads.iter().cloned().chain(others).collect(),
            names: *names,
            rows: rows
                .iter()
                .map(|row| row.iter().cloned().chain(empty.clone()).collect())
                .collect(),
            under: (!under.is_empty()).then(|| ExtraRows { title: TITLE.to_owned(), rows: under }),
        }
    }

    /// A published row in the columns of the table.
    fn row(&self, row: &[String], extra: &[usize]) -> Vec<String> {
        let mut cells = self.names(row);
        cells.resize(self.sheet.heads.len(), EMPTY_CELL.to_owned());
        for head in self.figures() {
            let cell = self.find_column(row, head).and_then(|place| cells.get_mut(place));
            if let (Some(cell), Some(text)) = (cell, row.get(head)) {
                cell.clone_from(text);
            }
        }
        cells.extend(extra.iter().map(|head| self.unmatched(row, *head).to_owned()));
        cells
    }

    /// The names of a published row, each under its heading if the table has it, or else in the
    /// first column.
    fn names(&self, row: &[String]) -> Vec<String> {
        let mut cells: Vec<Vec<&str>> = vec![Vec::new(); self.sheet.names];
        for (head, name) in self.published.heads.iter().zip(row).take(self.published.names) {
            let names = self.sheet.heads.iter().take(self.sheet.names);
            let place = names.into_iter().position(|ours| ours == head).unwrap_or(0);
            if let Some(cell) = cells.get_mut(place).filter(|_| name != EMPTY_CELL) {
                cell.push(name);
            }
        }
        cells.iter().map(|names| names.join(", ")).collect()
    }

    /// The figures without a column, with their own names.
    fn unmatched_sheet(&self, extra: &[usize]) -> TextTable {
        let Published { heads, names, rows, .. } = self.published;
        let left = |row: &Vec<String>| -> Vec<String> {
            let figures = extra.iter().map(|head| self.unmatched(row, *head).to_owned());
            row.iter().take(*names).cloned().chain(figures).collect()
        };
        let rows = rows.iter().map(left);
        let more = extra.iter().filter_map(|head| heads.get(*head));
        TextTable {
            heads: heads.iter().take(*names).chain(more).cloned().collect(),
            names: *names,
            rows: rows.filter(|row| has_figure(row, *names)).collect(),
            under: None,
        }
    }
}

/// Whether the row has anything besides names.
fn has_figure(row: &[String], names: usize) -> bool {
    row.iter().skip(names).any(|cell| cell != EMPTY_CELL)
}
