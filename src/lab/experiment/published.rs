//! What others have published, in the columns of what was measured here.

use super::Published;
use crate::columns::sheet::NOTHING;
use crate::columns::{Part, Sheet, Under};

/// What stands between the rows of this machine and those of others.
const TITLE: &str = "published, on other machines";

/// Put published figures under those of the table that has most of their columns, and what they
/// are below it. Columns that it has not are added where all fit on a line; else what they hold
/// stands in a table of its own.
pub(super) fn add(parts: &mut Vec<Part>, published: &Published, width: Option<usize>) {
    let has = |sheet: &Sheet| {
        let columns = Columns::of(sheet, published);
        let figures =
            published.rows.iter().flat_map(|row| columns.figures().map(move |head| (row, head)));
        figures.filter(|(row, head)| columns.column(row, *head).is_some()).count()
    };
    let sheets = parts.iter_mut().filter_map(|part| part.sheet.as_mut());
    // Of two that have as many it is the last: values of a factor beside each other.
    let rest = match sheets.filter(|sheet| sheet.names > 0).max_by_key(|sheet| has(sheet)) {
        Some(sheet) => beside(sheet, published, width),
        None => Some(whole(published)),
    };
    parts.push(Part::words(vec![format!("Published: {}", published.machine)]));
    parts.extend(rest.map(|sheet| Part { words: Vec::new(), sheet: Some(sheet) }));
}

/// All of it, as it was published.
fn whole(published: &Published) -> Sheet {
    let Published { heads, names, rows, .. } = published.clone();
    Sheet { heads, names, rows, under: None }
}

/// Put it under what was measured; what has no column there is given back.
fn beside(sheet: &mut Sheet, published: &Published, width: Option<usize>) -> Option<Sheet> {
    let columns = Columns::of(sheet, published);
    let extra: Vec<usize> = columns.figures().filter(|head| !columns.has(*head)).collect();
    let wide = columns.under(&extra);
    if extra.is_empty() || width.is_none_or(|width| wide.fits(width)) {
        *sheet = wide;
        return None;
    }
    let rest = columns.rest(&extra);
    *sheet = columns.under(&[]);
    Some(rest)
}

/// Which column of a table each published figure belongs to.
struct Columns<'s> {
    sheet: &'s Sheet,
    published: &'s Published,
}

impl<'s> Columns<'s> {
    const fn of(sheet: &'s Sheet, published: &'s Published) -> Self {
        Self { sheet, published }
    }

    /// The places of headings that are figures.
    fn figures(&self) -> impl Iterator<Item = usize> {
        self.published.names..self.published.heads.len()
    }

    /// Has each figure below this heading a column?
    fn has(&self, head: usize) -> bool {
        self.published.rows.iter().all(|row| self.left(row, head) == NOTHING)
    }

    /// The figure, where it has no column.
    fn left<'r>(&self, row: &'r [String], head: usize) -> &'r str {
        let is_left = self.column(row, head).is_none();
        row.get(head).filter(|_| is_left).map_or(NOTHING, String::as_str)
    }

    /// The column with this heading; sizes of folios, which name rows there, stand in headings here.
    fn column(&self, row: &[String], head: usize) -> Option<usize> {
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

    /// The table with rows of others under it, and with these of their columns.
    fn under(&self, extra: &[usize]) -> Sheet {
        let Sheet { heads, names, rows, .. } = self.sheet;
        let others = extra.iter().filter_map(|head| self.published.heads.get(*head).cloned());
        let empty = extra.iter().map(|_| NOTHING.to_owned());
        let under = self.published.rows.iter().map(|row| self.row(row, extra));
        let under: Vec<Vec<String>> = under.filter(|row| has_figure(row, *names)).collect();
        Sheet {
            heads: heads.iter().cloned().chain(others).collect(),
            names: *names,
            rows: rows
                .iter()
                .map(|row| row.iter().cloned().chain(empty.clone()).collect())
                .collect(),
            under: (!under.is_empty()).then(|| Under { title: TITLE.to_owned(), rows: under }),
        }
    }

    /// A published row in the columns of the table.
    fn row(&self, row: &[String], extra: &[usize]) -> Vec<String> {
        let mut cells = self.names(row);
        cells.resize(self.sheet.heads.len(), NOTHING.to_owned());
        for head in self.figures() {
            let cell = self.column(row, head).and_then(|place| cells.get_mut(place));
            if let (Some(cell), Some(text)) = (cell, row.get(head)) {
                cell.clone_from(text);
            }
        }
        cells.extend(extra.iter().map(|head| self.left(row, *head).to_owned()));
        cells
    }

    /// What names a row: each name below its heading, where the table has that, or else in front.
    fn names(&self, row: &[String]) -> Vec<String> {
        let mut cells: Vec<Vec<&str>> = vec![Vec::new(); self.sheet.names];
        for (head, name) in self.published.heads.iter().zip(row).take(self.published.names) {
            let names = self.sheet.heads.iter().take(self.sheet.names);
            let place = names.into_iter().position(|ours| ours == head).unwrap_or(0);
            if let Some(cell) = cells.get_mut(place).filter(|_| name != NOTHING) {
                cell.push(name);
            }
        }
        cells.iter().map(|names| names.join(", ")).collect()
    }

    /// What has no column, with its own names.
    fn rest(&self, extra: &[usize]) -> Sheet {
        let Published { heads, names, rows, .. } = self.published;
        let left = |row: &Vec<String>| -> Vec<String> {
            let figures = extra.iter().map(|head| self.left(row, *head).to_owned());
            row.iter().take(*names).cloned().chain(figures).collect()
        };
        let rows = rows.iter().map(left);
        let more = extra.iter().filter_map(|head| heads.get(*head));
        Sheet {
            heads: heads.iter().take(*names).chain(more).cloned().collect(),
            names: *names,
            rows: rows.filter(|row| has_figure(row, *names)).collect(),
            under: None,
        }
    }
}

/// Has it anything beside its names?
fn has_figure(row: &[String], names: usize) -> bool {
    row.iter().skip(names).any(|cell| cell != NOTHING)
}
