//! Pages of text that lie above a screen: lines with names, and the rows that they are broken into.

use super::lab::LabResult;
use super::theme::Role;
use crate::columns::text;
use ratatui::layout::{Rect, Size};

/// Text to read.
#[derive(Clone, Debug)]
pub struct TextPage {
    /// Its title.
    pub title: String,
    /// Its lines; long ones are broken where the page ends.
    pub lines: Vec<PageLine>,
    /// The first of its rows that is shown.
    pub top: usize,
    /// What `y` copies.
    pub copy: Option<String>,
    /// The page that a key turns to.
    pub next: Option<LinkedPage>,
    /// The result that it shows, to lay it out anew for another width.
    pub result: Option<Box<LabResult>>,
}

/// A page behind another one.
#[derive(Clone, Debug)]
pub struct LinkedPage {
    /// The key that turns to it.
    pub key: char,
    /// What it holds, in a few words.
    pub words: &'static str,
    /// What the page before it holds, where the key leads back there too.
    pub back: Option<&'static str>,
    /// The page.
    pub page: Box<TextPage>,
}

/// A line of a page: a name in a column of its own, and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLine {
    /// The name; empty where the text takes the whole line.
    pub name: String,
    /// The text.
    pub text: String,
    /// What it means: a command that is off matters less, and a check that refuses more.
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

    /// The same with another meaning.
    pub fn as_role(self, role: Role) -> Self {
        Self { role, ..self }
    }
}

impl TextPage {
    /// A page of these lines.
    pub fn new(title: impl Into<String>, lines: Vec<PageLine>) -> Self {
        Self { title: title.into(), lines, top: 0, copy: None, next: None, result: None }
    }

    /// With a page behind it that a key turns to.
    pub fn turns_to(self, key: char, words: &'static str, page: Self) -> Self {
        Self { next: Some(LinkedPage { key, words, back: None, page: Box::new(page) }), ..self }
    }

    /// The page behind it. Where one can come back, the first new line that has the word of the key is
    /// on top.
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

    /// Its lines, broken into rows where a terminal of this size makes it end.
    pub fn rows(&self, size: Size) -> Vec<PageRow<'_>> {
        let names = self.lines.iter().map(|line| text::width(&line.name)).max().unwrap_or(0);
        let cells = usize::from(inside(size, 0).width);
        self.lines.iter().flat_map(|line| line.rows(names.min(MAX_NAME), cells)).collect()
    }

    /// The first row of the last screenful.
    pub fn last_top(&self, size: Size) -> usize {
        let rows = self.rows(size).len();
        rows.saturating_sub(usize::from(inside(size, rows).height))
    }

    /// How many rows are seen at once.
    pub fn height(&self, size: Size) -> usize {
        usize::from(inside(size, self.rows(size).len()).height)
    }
}

/// A row of a page as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRow<'p> {
    /// The name with its column, blank in the rows that go on; empty where there is none.
    pub name: String,
    /// The words.
    pub words: String,
    /// The line it belongs to.
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
/// Cells of the longest name.
const MAX_NAME: usize = 22;
/// Cells of the widest page, with its frame.
const MAX_WIDTH: u16 = 110;
/// Cells of a text that can still be read.
const MIN_TEXT_WIDTH: usize = 8;

/// Lines from which on the first one stays in sight: it says whether anything can be changed.
const ROOMY: u16 = 10;

/// The place of something above the screen, frame included: over all but the first and last line.
pub fn place(size: Size, lines: usize) -> Rect {
    let head = u16::from(size.height >= ROOMY);
    let body = size.height.saturating_sub(1 + head);
    let width = size.width.saturating_sub(2 * margin(size)).min(MAX_WIDTH);
    let wanted = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2);
    let height = wanted.min(body).max(3.min(body));
    Rect { x: (size.width - width) / 2, y: head + (body - height) / 2, width, height }
}

/// The inside of that.
pub fn inside(size: Size, lines: usize) -> Rect {
    let place = place(size, lines);
    let (width, height) = (place.width.saturating_sub(4), place.height.saturating_sub(2));
    Rect { x: place.x + 2, y: place.y + 1, width, height }
}

/// Cells that stay free on either side.
fn margin(size: Size) -> u16 {
    if size.width >= 70 { 3 } else { 0 }
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
