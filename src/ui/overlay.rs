//! What lies above a screen: pages of text, lists to choose from, a line to type in.

mod input;

pub use input::Input;

use super::change::{self, Intent, ZramValue};
use super::command::Command;
use super::confirm::Confirm;
use super::content::Origin;
use super::lab::{Field, LabResult};
use super::theme::Role;
use crate::columns::text;
use crate::model::Name;
use ratatui::layout::{Rect, Size};

/// Something above the screen; keys go to the uppermost.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// Text to read.
    Page(Page),
    /// A list to choose from.
    Menu(Menu),
    /// A filter being typed, shown in the footer.
    Filter(Filter),
    /// A value being typed.
    Value(ValueInput),
    /// A change that is to be confirmed.
    Confirm(Box<Confirm>),
    /// A question with a few answers.
    Question(Question),
    /// How far a change is.
    Job,
}

/// A question with a few answers, the first of which changes nothing.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its title.
    pub title: &'static str,
    /// What there is to know.
    pub lines: Vec<PageLine>,
    /// The answers.
    pub answers: Vec<(&'static str, Answer)>,
    /// The one that keys act on.
    pub selected: usize,
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Let everything be as it is.
    Nothing,
    /// Allow changes.
    Arm,
    /// Leave when the change is through.
    LeaveAfter,
    /// Stop the change, and leave then.
    StopAndLeave,
}

/// What is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The value of a setting, by its key in the file.
    Setting(&'static str),
    /// A priority for these areas.
    Priority(Vec<Name>),
    /// An area that is to be switched on.
    Area,
    /// The value of a setting of the kernel.
    Kernel(change::Setting),
    /// The size of a new zram device with swap on it.
    ZramSwap,
    /// What this zram device is given.
    Zram(String, ZramValue),
    /// After which time the change of the dialog below is given up.
    Timeout,
    /// At which waits for memory it is.
    MaxPsi,
    /// Above which waits for memory it rests.
    Pace,
    /// How a load is run.
    Lab(Field),
    /// A word of a row in this list of the lab.
    Row(&'static str),
}

impl Typed {
    /// What it is called.
    pub fn label(&self) -> &str {
        match self {
            Self::Setting(key) => key,
            Self::Priority(_) => "priority",
            Self::Area => "switch on",
            Self::Kernel(setting) => &setting.knob,
            Self::ZramSwap | Self::Zram(_, ZramValue::Size) => "size",
            Self::Zram(_, ZramValue::Algorithm) => "algorithm",
            Self::Zram(_, ZramValue::Limit) => "memory limit",
            Self::Zram(_, ZramValue::Idle) => "mark as idle",
            Self::Zram(_, ZramValue::Writeback) => "write back",
            Self::Timeout => "give up after",
            Self::MaxPsi => "give up above",
            Self::Pace => "rest above",
            Self::Lab(field) => field.name(),
            Self::Row(_) => "find",
        }
    }
}

/// A value being typed.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueInput {
    /// What it is.
    pub typed: Typed,
    /// What it can be.
    pub accepts: String,
    /// What was typed.
    pub input: Input,
    /// What is wrong with it.
    pub error: Option<String>,
}

/// Text to read.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// Its lines; long ones are broken where the page ends.
    pub lines: Vec<PageLine>,
    /// The first of its rows that is shown.
    pub top: usize,
    /// What `y` copies.
    pub copy: Option<String>,
    /// The page that a key turns to.
    pub next: Option<Turn>,
    /// The result that it shows, to lay it out anew for another width.
    pub found: Option<Box<LabResult>>,
}

/// A page behind another one.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The key that turns to it.
    pub key: char,
    /// What it holds, in a few words.
    pub words: &'static str,
    /// What the page before it holds, where the key leads back there too.
    pub back: Option<&'static str>,
    /// The page.
    pub page: Box<Page>,
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

/// A list to choose from.
#[derive(Clone, Debug)]
pub struct Menu {
    /// What choosing does.
    pub purpose: Purpose,
    /// What it is about, beside what choosing does.
    pub about: String,
    /// All there is.
    pub items: Vec<Item>,
    /// What was typed to find some of them; none where nothing can be typed.
    pub typed: Option<Input>,
    /// The item that keys act on, among those that were found.
    pub selected: usize,
    /// What was wrong with the last choice.
    pub error: Option<String>,
}

/// What choosing from a list does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Do it.
    Palette,
    /// Show or hide a column.
    Columns,
    /// Sort by a column.
    Sort,
    /// Change a setting.
    Settings,
    /// Change the machine.
    Actions,
    /// See what was changed.
    Journal,
}

/// Something in a list.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub help: String,
    /// What it is set to, or its key.
    pub note: String,
    /// Is it on? None where it cannot be on or off.
    pub on: Option<bool>,
    /// Why it cannot be chosen.
    pub off: Option<String>,
    /// What choosing it does.
    pub choice: Choice,
}

/// What choosing an item does.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// This command.
    Command(Command),
    /// This column, by its name.
    Column(&'static str),
    /// Explain this column.
    Explain(Box<Origin>),
    /// This setting, by its key in the file.
    Setting(&'static str),
    /// Keep all settings.
    Save,
    /// Have this planned.
    Plan(Intent),
    /// Type what is needed first.
    Type(Typed),
    /// This plan of the journal.
    Record(u64),
}

/// A filter being typed.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// What was typed.
    pub input: Input,
    /// The filter before, for those who change their mind.
    pub before: Option<String>,
    /// What is wrong with it so far.
    pub error: Option<String>,
    /// One that this table understands.
    pub example: String,
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

impl Page {
    /// A page of these lines.
    pub fn new(title: impl Into<String>, lines: Vec<PageLine>) -> Self {
        Self { title: title.into(), lines, top: 0, copy: None, next: None, found: None }
    }

    /// With a page behind it that a key turns to.
    pub fn turns_to(self, key: char, words: &'static str, page: Self) -> Self {
        Self { next: Some(Turn { key, words, back: None, page: Box::new(page) }), ..self }
    }

    /// The page behind it. Where one can come back, the first new line that has the word of the key is
    /// on top.
    pub fn turned(mut self, size: Size) -> Self {
        let Some(Turn { key, words, back, page }) = self.next.take() else { return self };
        let Some(back) = back else { return *page };
        let before: Vec<&str> = self.lines.iter().map(|line| line.text.as_str()).collect();
        let rows = page.rows(size);
        let is_new = |row: &PageRow<'_>| {
            let text = row.line.text.as_str();
            !before.contains(&text) && text.to_lowercase().contains(words)
        };
        let top = rows.iter().position(is_new).unwrap_or(0).min(page.last_top(size));
        let next = Some(Turn { key, words: back, back: Some(words), page: Box::new(self) });
        Self { top, next, ..*page }
    }

    /// Its lines, broken into rows where a terminal of this size makes it end.
    pub fn rows(&self, size: Size) -> Vec<PageRow<'_>> {
        let names = self.lines.iter().map(|line| text::width(&line.name)).max().unwrap_or(0);
        let cells = usize::from(inside(size, 0).width);
        self.lines.iter().flat_map(|line| line.rows(names.min(MOST_NAME), cells)).collect()
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
        let wrapped = text::wrap(&self.text, cells.saturating_sub(column).max(LEAST_CELLS));
        heads.zip(wrapped).map(|(name, words)| PageRow { name, words, line: self })
    }
}

/// Cells between a name and its text.
const GAP: usize = 2;
/// Cells of the longest name.
const MOST_NAME: usize = 22;
/// Cells of the widest page, with its frame.
const MOST_CELLS: u16 = 110;
/// Cells of a text that can still be read.
const LEAST_CELLS: usize = 8;

/// Lines from which on the first one stays in sight: it says whether anything can be changed.
const ROOMY: u16 = 10;

/// The place of something above the screen, frame included: over all but the first and last line.
pub fn place(size: Size, lines: usize) -> Rect {
    let head = u16::from(size.height >= ROOMY);
    let body = size.height.saturating_sub(1 + head);
    let width = size.width.saturating_sub(2 * margin(size)).min(MOST_CELLS);
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

impl Overlay {
    /// A page of plain sentences.
    pub fn page(title: &str, sentences: Vec<String>) -> Self {
        Self::Page(Page::new(title, sentences.into_iter().map(PageLine::text).collect()))
    }
}

impl Menu {
    /// Was anything typed to find some of the items?
    pub fn is_searched(&self) -> bool {
        self.typed.as_ref().is_some_and(|input| !input.text.is_empty())
    }

    /// The items that fit what was typed, best first.
    pub fn found(&self) -> Vec<&Item> {
        let typed = self.typed.as_ref().map_or("", |input| input.text.as_str());
        let mut found: Vec<(usize, &Item)> = self
            .items
            .iter()
            .filter_map(|item| Some((rank(&item.name, &item.help, typed)?, item)))
            .collect();
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, item)| item).collect()
    }
}

/// How well an item fits what was typed: 0 is best; none if it does not.
fn rank(name: &str, help: &str, typed: &str) -> Option<usize> {
    let (name, typed) = (name.to_lowercase(), typed.trim().to_lowercase());
    if name.starts_with(&typed) {
        return Some(0);
    }
    if name.contains(&typed) {
        return Some(1);
    }
    if has_in_order(&name, &typed) {
        return Some(2);
    }
    help.to_lowercase().contains(&typed).then_some(3)
}

/// Are all characters of a word in a text, in their order?
fn has_in_order(text: &str, word: &str) -> bool {
    let mut rest = text.chars();
    word.chars().filter(|c| !c.is_whitespace()).all(|c| rest.any(|other| other == c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_ends_where_its_last_row_is_seen() {
        let size = Size::new(40, 10);
        let lines = (0..20).map(|_| PageLine::named("name", "some words to break".repeat(3)));
        let page = Page::new("", lines.collect());
        let rows = page.rows(size).len();
        assert!(rows >= 40, "{rows}");
        assert_eq!(page.last_top(size), rows - 6);
        assert_eq!(Page::new("", vec![PageLine::text("one")]).last_top(size), 0);
        assert_eq!(page.last_top(Size::new(1, 1)), page.rows(Size::new(1, 1)).len());
    }

    #[test]
    fn what_is_typed_finds_names_before_sentences() {
        assert_eq!(rank("sort", "", "so"), Some(0));
        assert_eq!(rank("invert", "the order of rows", "rt"), Some(1));
        assert_eq!(rank("write moment", "", "wm"), Some(2));
        assert_eq!(rank("invert", "the order of rows", "rows"), Some(3));
        assert_eq!(rank("invert", "the order of rows", "xyz"), None);
    }
}
