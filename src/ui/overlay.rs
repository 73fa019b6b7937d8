//! What lies above a screen: a page of text, a list to choose from, a line to type in, a question.

use super::change::ChangeRequest;
use super::command::UiCommand;
use super::confirm::Confirm;
use super::content::Origin;
use super::input::{TextInput, PromptKind, ValueInput};
use super::page::{TextPage, PageLine};

/// Something above the screen; keys go to the uppermost.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// Text to read.
    Page(TextPage),
    /// A list to choose from.
    Menu(Menu),
    /// A filter being typed, shown in the footer.
    Filter(FilterInput),
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
    pub answers: Vec<(&'static str, DialogAnswer)>,
    /// The one that keys act on.
    pub selected: usize,
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogAnswer {
    /// Let everything be as it is.
    Nothing,
    /// Allow changes.
    EnableWriting,
    /// Leave when the change is through.
    LeaveAfter,
    /// Stop the change, and leave then.
    StopAndLeave,
}

/// A list to choose from.
#[derive(Clone, Debug)]
pub struct Menu {
    /// What choosing does.
    pub purpose: MenuPurpose,
    /// What it is about, beside what choosing does.
    pub about: String,
    /// All there is.
    pub items: Vec<MenuItem>,
    /// What was typed to find some of them; none where nothing can be typed.
    pub typed: Option<TextInput>,
    /// The item that keys act on, among those that were found.
    pub selected: usize,
    /// What was wrong with the last choice.
    pub error: Option<String>,
}

/// What choosing from a list does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuPurpose {
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
pub struct MenuItem {
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
    pub choice: MenuChoice,
}

/// What choosing an item does.
#[derive(Clone, Debug, PartialEq)]
pub enum MenuChoice {
    /// This command.
    Command(UiCommand),
    /// This column, by its name.
    Column(&'static str),
    /// Explain this column.
    Explain(Box<Origin>),
    /// This setting, by its key in the file.
    Setting(&'static str),
    /// Keep all settings.
    Save,
    /// Have this planned.
    Plan(ChangeRequest),
    /// Type what is needed first.
    Type(PromptKind),
    /// This plan of the journal.
    Record(u64),
}

/// A filter being typed.
#[derive(Clone, Debug, Default)]
pub struct FilterInput {
    /// What was typed.
    pub input: TextInput,
    /// The filter before, for those who change their mind.
    pub before: Option<String>,
    /// What is wrong with it so far.
    pub error: Option<String>,
    /// One that this table understands.
    pub example: String,
}

impl Overlay {
    /// A page of plain sentences.
    pub fn page(title: &str, sentences: Vec<String>) -> Self {
        Self::Page(TextPage::new(title, sentences.into_iter().map(PageLine::text).collect()))
    }
}

impl Menu {
    /// A list of these items.
    pub fn new(purpose: MenuPurpose, items: Vec<MenuItem>) -> Self {
        Self { purpose, about: String::new(), items, typed: None, selected: 0, error: None }
    }

    /// A list of these items, of which some are found by what is typed.
    pub fn searched(purpose: MenuPurpose, items: Vec<MenuItem>) -> Self {
        Self { typed: Some(TextInput::default()), ..Self::new(purpose, items) }
    }

    /// Was anything typed to find some of the items?
    pub fn is_searched(&self) -> bool {
        self.typed.as_ref().is_some_and(|input| !input.text.is_empty())
    }

    /// The items that fit what was typed, best first.
    pub fn matching_items(&self) -> Vec<&MenuItem> {
        let typed = self.typed.as_ref().map_or("", |input| input.text.as_str());
        let mut found: Vec<(usize, &MenuItem)> = self
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
    fn search_ranks_names_before_descriptions() {
        assert_eq!(rank("sort", "", "so"), Some(0));
        assert_eq!(rank("invert", "the order of rows", "rt"), Some(1));
        assert_eq!(rank("write moment", "", "wm"), Some(2));
        assert_eq!(rank("invert", "the order of rows", "rows"), Some(3));
        assert_eq!(rank("invert", "the order of rows", "xyz"), None);
    }
}
