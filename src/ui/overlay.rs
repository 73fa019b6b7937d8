//! What lies above a screen: pages of text, lists to choose from, a line to type in.

use super::command::Command;
use super::content::Origin;

/// Something above the screen; keys go to the uppermost.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// Text to read.
    Page(Page),
    /// A list to choose from.
    Menu(Menu),
    /// A filter being typed, shown in the footer.
    Filter(Filter),
    /// The value of a setting being typed.
    Value(ValueInput),
}

/// The value of a setting being typed.
#[derive(Clone, Debug)]
pub struct ValueInput {
    /// The setting, by its key in the file.
    pub key: &'static str,
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
    /// The first line that is shown.
    pub top: usize,
    /// What `y` copies.
    pub copy: Option<String>,
    /// The page that the same key turns to.
    pub next: Option<Box<Page>>,
}

/// A line of a page: a name in a column of its own, and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLine {
    /// The name; empty where the text takes the whole line.
    pub name: String,
    /// The text.
    pub text: String,
    /// Does it matter less, as a command that is off does?
    pub faint: bool,
}

/// A list to choose from.
#[derive(Clone, Debug)]
pub struct Menu {
    /// What choosing does.
    pub purpose: Purpose,
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
}

/// A line to type in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// What was typed.
    pub text: String,
    /// Where the next character goes, in characters.
    pub cursor: usize,
}

/// A filter being typed.
#[derive(Clone, Debug)]
pub struct Filter {
    /// What was typed.
    pub input: Input,
    /// The filter before, for those who change their mind.
    pub before: Option<String>,
    /// What is wrong with it so far.
    pub error: Option<String>,
}

/// Longest text that can be typed.
const LONGEST: usize = 500;

impl Input {
    /// Something that was typed before, to go on with.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self { text: text.to_owned(), cursor: text.chars().count() }
    }

    /// Type a character.
    pub fn insert(&mut self, c: char) {
        if c.is_control() || self.text.chars().count() >= LONGEST {
            return;
        }
        let place = self.place(self.cursor);
        self.text.insert(place, c);
        self.cursor += 1;
    }

    /// Take the character before the cursor away.
    pub fn back(&mut self) {
        let Some(before) = self.cursor.checked_sub(1) else { return };
        self.text.remove(self.place(before));
        self.cursor = before;
    }

    /// Take the character under the cursor away.
    pub fn delete(&mut self) {
        if self.cursor < self.text.chars().count() {
            self.text.remove(self.place(self.cursor));
        }
    }

    /// Take the word before the cursor away.
    pub fn back_word(&mut self) {
        let ends_word = |input: &Self| input.before().is_none_or(char::is_whitespace);
        while self.cursor > 0 && ends_word(self) {
            self.back();
        }
        while !ends_word(self) {
            self.back();
        }
    }

    /// Move the cursor by so many characters.
    pub fn go(&mut self, by: isize) {
        let end = self.text.chars().count();
        self.cursor = self.cursor.saturating_add_signed(by).min(end);
    }

    fn before(&self) -> Option<char> {
        self.text.chars().nth(self.cursor.checked_sub(1)?)
    }

    /// Where a character begins, in bytes.
    fn place(&self, cursor: usize) -> usize {
        self.text.char_indices().nth(cursor).map_or(self.text.len(), |(place, _)| place)
    }
}

impl PageLine {
    /// A text that takes the whole line.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { name: String::new(), text: text.into(), faint: false }
    }

    /// A name and a text.
    #[must_use]
    pub fn named(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), faint: false }
    }
}

impl Page {
    /// A page of these lines.
    #[must_use]
    pub fn new(title: impl Into<String>, lines: Vec<PageLine>) -> Self {
        Self { title: title.into(), lines, top: 0, copy: None, next: None }
    }
}

impl Overlay {
    /// A page of plain sentences.
    #[must_use]
    pub fn page(title: &str, sentences: Vec<String>) -> Self {
        Self::Page(Page::new(title, sentences.into_iter().map(PageLine::text).collect()))
    }
}

impl Menu {
    /// The items that fit what was typed, best first.
    #[must_use]
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
    fn typing_keeps_to_characters() {
        let mut input = Input::of("größe");
        input.go(-1);
        input.back();
        input.insert('s');
        assert_eq!(input.text, "grös".to_owned() + "e");
        input.go(isize::MAX);
        input.insert(' ');
        input.insert('x');
        input.back_word();
        assert_eq!(input.text, "gröse ");
        input.back_word();
        assert_eq!((input.text.as_str(), input.cursor), ("", 0));
        input.back();
        input.delete();
        input.go(-5);
        assert_eq!(input.cursor, 0);
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
