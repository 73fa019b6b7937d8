//! Overlays above a screen: pages of text, lists, lines to type in, and dialogs.

use super::change::ChangeRequest;
use super::command::UiCommand;
use super::confirm::Confirm;
use super::content::Origin;
use super::input::{PromptKind, TextInput, ValueInput};
use super::page::{PageLine, TextPage};
use super::setup::SetupPage;

/// Something above the screen; keys go to the topmost overlay.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// A page of text.
    Page(TextPage),
    /// A list to choose from.
    Menu(Menu),
    /// A filter being typed, shown in the footer.
    Filter(FilterInput),
    /// A value being typed.
    Value(ValueInput),
    /// A change to be confirmed.
    Confirm(Box<Confirm>),
    /// A question with a few answers.
    Question(Question),
    /// The progress of a change.
    Job,
    /// The page that sets up swap.
    Setup(Box<SetupPage>),
}

/// A question with a few answers; the first answer changes nothing.
#[derive(Clone, Debug)]
pub struct Question {
    /// The title.
    pub title: &'static str,
    /// The explanation.
    pub lines: Vec<PageLine>,
    /// The answers.
    pub answers: Vec<(&'static str, DialogAnswer)>,
    /// The focused answer.
    pub selected: usize,
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogAnswer {
    /// Change nothing.
    Nothing,
    /// Enable write mode.
    EnableWriting,
    /// Exit when the change has finished.
    LeaveAfter,
    /// Stop the change, then exit.
    StopAndLeave,
}

/// A list to choose from.
#[derive(Clone, Debug)]
pub struct Menu {
    /// The purpose of the list.
    pub purpose: MenuPurpose,
    /// The subject, for the title.
    pub about: String,
    /// All items.
    pub items: Vec<MenuItem>,
    /// The search text; none if the list cannot be searched.
    pub typed: Option<TextInput>,
    /// The selected item among the matching ones.
    pub selected: usize,
    /// The error of the last choice.
    pub error: Option<String>,
}

/// The purpose of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuPurpose {
    /// Run a command.
    Palette,
    /// Show or hide a column.
    Columns,
    /// Sort by a column.
    Sort,
    /// Change a setting.
    Settings,
    /// Change the machine.
    Actions,
    /// Show the journal.
    Journal,
}

/// An item of a list.
#[derive(Clone, Debug)]
pub struct MenuItem {
    /// The name.
    pub name: String,
    /// The description.
    pub help: String,
    /// The current value, or the key.
    pub note: String,
    /// Is it on? None if the item is not a switch.
    pub on: Option<bool>,
    /// Why the item is unavailable.
    pub off: Option<String>,
    /// The effect of choosing the item.
    pub choice: MenuChoice,
}

/// The effect of choosing an item.
#[derive(Clone, Debug, PartialEq)]
pub enum MenuChoice {
    /// Run this command.
    Command(UiCommand),
    /// Toggle or sort by this column.
    Column(&'static str),
    /// Explain this column.
    Explain(Box<Origin>),
    /// Change this setting, by its key in the file.
    Setting(&'static str),
    /// Save all settings.
    Save,
    /// Plan this change.
    Plan(ChangeRequest),
    /// Ask for a value first.
    Type(PromptKind),
    /// Show this plan of the journal.
    Record(u64),
}

/// A filter being typed.
#[derive(Clone, Debug, Default)]
pub struct FilterInput {
    /// The text.
    pub input: TextInput,
    /// The previous filter, restored by Esc.
    pub before: Option<String>,
    /// The error in the text, if any.
    pub error: Option<String>,
    /// A valid example for the table.
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

    /// A list of these items that can be searched.
    pub fn searched(purpose: MenuPurpose, items: Vec<MenuItem>) -> Self {
        Self { typed: Some(TextInput::default()), ..Self::new(purpose, items) }
    }

    /// Is a search text typed?
    pub fn is_searched(&self) -> bool {
        self.typed.as_ref().is_some_and(|input| !input.text.is_empty())
    }

    /// The items that match the search text, best first.
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

/// How well an item matches a search text: 0 is best; none if it does not match.
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

/// Does a text contain all characters of a word, in order?
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
