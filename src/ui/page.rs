//! Pages of text above a screen: lines with names, wrapped into rows.

use super::history::HistoryEntry;
use super::lab::LabResult;
use super::row_page::RowPage;
use super::theme::Role;
use super::what_if::WhatIfPage;
use crate::columns::text;
use ratatui::layout::{Rect, Size};

/// A page of text.
#[derive(Clone, Debug)]
pub struct TextPage {
    /// The title.
    pub title: String,
    /// The lines, which are wrapped at the width of the page.
    pub lines: Vec<PageLine>,
    /// The first visible row.
    pub top: usize,
    /// The text that `y` copies.
    pub copy: Option<String>,
    /// The place that Enter leads to.
    pub enter: Option<PageTarget>,
    /// The row whose actions `a` lists.
    pub subject: Option<TableRow>,
    /// The page that a key opens.
    pub next: Option<LinkedPage>,
    /// The content, if it is laid out again for another width or follows the samples.
    pub content: Option<Box<PageContent>>,
}

/// The place that Enter leads to from a page.
#[derive(Clone, Debug)]
pub enum PageTarget {
    /// The plan of this command.
    Plan(String),
    /// This row of a table.
    Row(TableRow),
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The table.
    pub table: &'static str,
    /// The row, by the value of the table's key.
    pub row: String,
}

/// The content of a page that is laid out for its width, or follows the samples.
#[derive(Clone, Debug)]
pub enum PageContent {
    /// The result of a workload or an experiment.
    Result(LabResult),
    /// An answer of the model.
    WhatIf(WhatIfPage),
    /// A row of a table.
    Row(RowPage),
}

/// A page behind another one.
#[derive(Clone, Debug)]
pub struct LinkedPage {
    /// The key that opens it.
    pub key: char,
    /// The hint for that key.
    pub words: &'static str,
    /// The hint on that page for the way back, if the same key leads back.
    pub back: Option<&'static str>,
    /// The page.
    pub page: Box<TextPage>,
}

/// A line of a page: a name in its own column, and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLine {
    /// The name; empty if the text takes the whole line.
    pub name: String,
    /// The text.
    pub text: String,
    /// The role: unavailable commands are faint, refusals critical.
    pub role: Role,
}

impl PageLine {
    /// A text that takes the whole line.
    pub fn text(text: impl Into<String>) -> Self {
        Self { name: String::new(), text: text.into(), role: Role::Text }
    }

    /// A name and a text.
    pub fn named(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), role: Role::Text }
    }

    /// The line with another role.
    pub fn as_role(self, role: Role) -> Self {
        Self { role, ..self }
    }
}

impl TextPage {
    /// A page of these lines.
    pub fn new(title: impl Into<String>, lines: Vec<PageLine>) -> Self {
        Self {
            title: title.into(),
            lines,
            top: 0,
            copy: None,
            enter: None,
            subject: None,
            next: None,
            content: None,
        }
    }

    /// The answer of the model that the page shows, if it does.
    pub fn answer(&self) -> Option<&WhatIfPage> {
        match self.content.as_deref() {
            Some(PageContent::WhatIf(answer)) => Some(answer),
            Some(PageContent::Result(_) | PageContent::Row(_)) | None => None,
        }
    }

    /// The row of a table that the page shows, if it does.
    pub fn row(&self) -> Option<&RowPage> {
        match self.content.as_deref() {
            Some(PageContent::Row(row)) => Some(row),
            Some(PageContent::Result(_) | PageContent::WhatIf(_)) | None => None,
        }
    }

    /// Shows the sample on screen, if the page follows the samples and shows another one.
    pub fn follow(&mut self, moment: &HistoryEntry, number: u64) {
        if let Some(PageContent::Row(row)) = self.content.as_deref_mut()
            && row.follow(moment, number)
        {
            self.lines = row.lines();
        }
    }

    /// The page with another one behind it that a key opens.
    pub fn turns_to(self, key: char, words: &'static str, page: Self) -> Self {
        Self { next: Some(LinkedPage { key, words, back: None, page: Box::new(page) }), ..self }
    }

    /// The page behind this one. If that page leads back, it begins at its first line about the key.
    pub fn turned(mut self, size: Size) -> Self {
        let Some(LinkedPage { key, words, back, page }) = self.next.take() else { return self };
        let Some(back) = back else { return *page };
        let before: Vec<&str> = self.lines.iter().map(|line| line.text.as_str()).collect();
        let rows = page.rows(size);
        let is_new = |row: &PageRow<'_>| {
            let text = row.line.text.as_str();
            !before.contains(&text) && text.to_lowercase().contains(words)
        };
        let top = rows.iter().position(is_new).unwrap_or(0).min(page.last_top(size));
        let next = Some(LinkedPage { key, words: back, back: Some(words), page: Box::new(self) });
        Self { top, next, ..*page }
    }

    /// The rows of the page on a terminal of this size.
    pub fn rows(&self, size: Size) -> Vec<PageRow<'_>> {
        let names = self.lines.iter().map(|line| text::width(&line.name)).max().unwrap_or(0);
        let cells = usize::from(inside(size, 0).width);
        self.lines.iter().flat_map(|line| line.rows(names.min(MAX_NAME), cells)).collect()
    }

    /// The first row of the last page.
    pub fn last_top(&self, size: Size) -> usize {
        let rows = self.rows(size).len();
        rows.saturating_sub(usize::from(inside(size, rows).height))
    }

    /// The number of visible rows.
    pub fn height(&self, size: Size) -> usize {
        usize::from(inside(size, self.rows(size).len()).height)
    }
}

/// A row of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRow<'p> {
    /// The name with its column, blank in continued rows; empty if the line has none.
    pub name: String,
    /// The text.
    pub words: String,
    /// The line of the row.
    pub line: &'p PageLine,
}

impl PageLine {
    /// The rows of a line.
    fn rows(&self, names: usize, cells: usize) -> impl Iterator<Item = PageRow<'_>> {
        let column = if self.name.is_empty() { 0 } else { names + GAP };
        let name = text::pad(&text::clip(&self.name, names), column, false);
        let name = if column == 0 { String::new() } else { name };
        let heads = std::iter::once(name).chain(std::iter::repeat(" ".repeat(column)));
        let wrapped = text::wrap(&self.text, cells.saturating_sub(column).max(MIN_TEXT_WIDTH));
        heads.zip(wrapped).map(|(name, words)| PageRow { name, words, line: self })
    }
}

/// Cells between a name and its text.
const GAP: usize = 2;
/// Maximum width of a name.
const MAX_NAME: usize = 22;
/// Maximum width of a page, frame included.
const MAX_WIDTH: u16 = 110;
/// Minimum width of a text.
const MIN_TEXT_WIDTH: usize = 8;

/// Height from which the first line of the screen stays visible, because it shows the mode.
const ROOMY: u16 = 10;

/// The rectangle of an overlay, frame included: everything but the first and last line.
pub fn place(size: Size, lines: usize) -> Rect {
    let head = u16::from(size.height >= ROOMY);
    let body = size.height.saturating_sub(1 + head);
    let margin = if size.width >= 70 { 3 } else { 0 };
    let width = size.width.saturating_sub(2 * margin).min(MAX_WIDTH);
    let wanted = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2);
    let height = wanted.min(body).max(3.min(body));
    Rect { x: (size.width - width) / 2, y: head + (body - height) / 2, width, height }
}

/// The inside of that rectangle.
pub fn inside(size: Size, lines: usize) -> Rect {
    let place = place(size, lines);
    let (width, height) = (place.width.saturating_sub(4), place.height.saturating_sub(2));
    Rect { x: place.x + 2, y: place.y + 1, width, height }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_scrolls_until_its_last_row_shows() {
        let size = Size::new(40, 10);
        let lines = (0..20).map(|_| PageLine::named("name", "some words to break".repeat(3)));
        let page = TextPage::new("", lines.collect());
        let rows = page.rows(size).len();
        assert!(rows >= 40, "{rows}");
        assert_eq!(page.last_top(size), rows - 6);
        assert_eq!(TextPage::new("", vec![PageLine::text("one")]).last_top(size), 0);
        assert_eq!(page.last_top(Size::new(1, 1)), page.rows(Size::new(1, 1)).len());
    }
}
