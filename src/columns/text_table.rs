//! A table of texts whose columns are known only at run time.

use super::text;
use crate::model::name::safe_text;

/// Space between two columns.
const GAP: &str = "  ";
/// Width of a heading, which may have several lines.
const HEAD: usize = 12;

/// A table of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    /// The headings.
    pub heads: Vec<String>,
    /// Number of leading columns that name a row.
    pub names: usize,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Additional rows in the same columns.
    pub under: Option<ExtraRows>,
}

/// Additional rows below all others, such as published figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraRows {
    /// Title above the additional rows.
    pub title: String,
    /// The rows, in the columns of the table.
    pub rows: Vec<Vec<String>>,
}

/// Text of an empty cell.
pub const EMPTY_CELL: &str = "-";

impl TextTable {
    /// The lines. If not all columns fit, the others follow below, with the row names repeated.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let (heads, widths) = self.measured();
        let mut lines = Vec::new();
        for (place, block) in self.blocks(&widths, width).iter().enumerate() {
            if place > 0 {
                lines.push(String::new());
            }
            let tall = block.iter().filter_map(|place| heads.get(*place)).map(Vec::len).max();
            let tall = tall.unwrap_or(0);
            // Headings are bottom-aligned.
            let at = |head: &Vec<String>, level: usize| {
                let part = (level + head.len()).checked_sub(tall).and_then(|part| head.get(part));
                part.cloned().unwrap_or_default()
            };
            for level in 0..tall {
                let parts: Vec<String> = heads.iter().map(|head| at(head, level)).collect();
                lines.push(self.line(block, &widths, &parts));
            }
            lines.extend(self.rows.iter().map(|row| self.line(block, &widths, row)));
            lines.extend(self.under_lines(block, &widths));
        }
        lines
    }

    /// The additional rows that have a value in these columns.
    fn under_lines(&self, block: &[usize], widths: &[usize]) -> Vec<String> {
        let Some(under) = &self.under else { return Vec::new() };
        let has_any = |row: &&Vec<String>| {
            let figures = block.iter().filter(|place| **place >= self.names);
            figures.filter_map(|place| row.get(*place)).any(|cell| cell != EMPTY_CELL)
        };
        let rows = under.rows.iter().filter(has_any).map(|row| self.line(block, widths, row));
        let rows: Vec<String> = rows.collect();
        let title = (!rows.is_empty()).then(|| format!("-- {} --", under.title));
        title.into_iter().chain(rows).collect()
    }

    /// Whether all columns fit side by side.
    pub fn fits(&self, width: usize) -> bool {
        self.blocks(&self.measured().1, width).len() <= 1
    }

    /// The lines of each heading, and the width of each column.
    fn measured(&self) -> (Vec<Vec<String>>, Vec<usize>) {
        let heads: Vec<Vec<String>> =
            self.heads.iter().map(|head| text::wrap(head, HEAD)).collect();
        let widths = heads.iter().enumerate().map(|it| self.width(it)).collect();
        (heads, widths)
    }

    /// All rows, including the additional ones.
    fn all(&self) -> impl Iterator<Item = &Vec<String>> {
        self.rows.iter().chain(self.under.iter().flat_map(|under| &under.rows))
    }

    fn width(&self, (place, head): (usize, &Vec<String>)) -> usize {
        let cells = self.all().filter_map(|row| row.get(place));
        head.iter().chain(cells).map(|cell| text::width(cell)).max().unwrap_or(0)
    }

    /// The columns of each block of columns that fit side by side.
    fn blocks(&self, widths: &[usize], most: usize) -> Vec<Vec<usize>> {
        let wide = |place: usize| widths.get(place).copied().unwrap_or(0) + GAP.len();
        let names: Vec<usize> = (0..self.names.min(widths.len())).collect();
        let start: usize = names.iter().map(|place| wide(*place)).sum();
        let mut blocks = vec![names.clone()];
        let mut room = start;
        for place in self.names..widths.len() {
            let is_first = blocks.last().is_some_and(|block| block.len() == names.len());
            if room + wide(place) > most + GAP.len() && !is_first {
                blocks.push(names.clone());
                room = start;
            }
            room += wide(place);
            if let Some(block) = blocks.last_mut() {
                block.push(place);
            }
        }
        blocks
    }

    fn line(&self, block: &[usize], widths: &[usize], cells: &[String]) -> String {
        let cell = |place: &usize| {
            let cell = cells.get(*place).map_or("", String::as_str);
            text::pad(cell, widths.get(*place).copied().unwrap_or(0), *place >= self.names)
        };
        let line = block.iter().map(cell).collect::<Vec<_>>().join(GAP);
        line.trim_end().to_owned()
    }
}

/// A section of a report: paragraphs and a table below them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextSection {
    /// The paragraphs.
    pub words: Vec<String>,
    /// The table.
    pub sheet: Option<TextTable>,
}

impl TextSection {
    /// A section without a table.
    pub fn words(words: Vec<String>) -> Self {
        Self { words, sheet: None }
    }

    /// The section with control characters escaped: names in it may come from a foreign file.
    pub fn safe(self) -> Self {
        let all = |texts: Vec<String>| texts.iter().map(|text| safe_text(text)).collect();
        let sheet = self.sheet.map(|sheet| TextTable {
            heads: all(sheet.heads),
            rows: sheet.rows.into_iter().map(all).collect(),
            under: sheet.under.map(|under| ExtraRows {
                title: safe_text(&under.title),
                rows: under.rows.into_iter().map(all).collect(),
            }),
            ..sheet
        });
        Self { words: all(self.words), sheet }
    }

    /// The lines of the section.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let words = self.words.iter().flat_map(|words| text::wrap(words, width));
        let sheet = self.sheet.iter().flat_map(|sheet| sheet.lines(width));
        words.chain(sheet).collect()
    }
}
