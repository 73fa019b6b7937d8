//! Overlays above a screen: pages of text, lists, lines to type in, and dialogs.

use super::change::ChangeRequest;
use super::chart_view::ChartView;
use super::command::UiCommand;
use super::confirm::Confirm;
use super::content::Origin;
use super::input::{PromptKind, TextInput, ValueInput};
use super::page::{PageLine, TableRow, TextPage};
use super::search::{self, MatchRank};
use super::setup::SetupPage;
use super::what_if::{LoadChoice, Simulation};
use crate::columns::export::TableFormat;
use crate::columns::tables::findings;
use crate::model::subject::DetailTarget;
use crate::model::{PartSet, part_set};

/// Something above the screen; keys go to the topmost overlay.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// A page of text.
    Page(TextPage),
    /// A list to choose from.
    Menu(Menu),
    /// A figure over time.
    Chart(Box<ChartView>),
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
    /// A question that the model is working on.
    Simulation(Simulation),
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
    /// Export the table.
    Export,
    /// Change a setting.
    Settings,
    /// Change the machine.
    Actions,
    /// Show the journal.
    Journal,
    /// Predict what a lesson shows.
    Prediction,
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
    /// Other names that the search finds.
    pub also: String,
    /// Is it on? None if the item is not a switch.
    pub on: Option<bool>,
    /// Why the item is unavailable.
    pub off: Option<String>,
    /// Why its plan can be shown, but not carried out.
    pub plan_only: Option<String>,
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
    /// Ask the model what the machine does as it is under this load.
    WhatIf(LoadChoice),
    /// Plan the command that is typed in the search.
    PlanTyped,
    /// Show this row of a table.
    Row(TableRow),
    /// Begin the lesson with this index.
    Lesson(usize),
    /// Predict the answer with this index.
    Predict(usize),
    /// Open the page of this process or cgroup.
    Subject(DetailTarget),
    /// Copy this text.
    Copy(String),
    /// Write the table on screen to a file.
    SaveTable(TableFormat),
    /// Copy the table on screen.
    CopyTable,
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

    /// The parts to sample while the list is open.
    pub fn needs(&self) -> PartSet {
        match self.purpose {
            MenuPurpose::Palette => LISTED.with(findings::SPEC.needs),
            _ => PartSet::NONE,
        }
    }

    /// Is a search text typed?
    pub fn is_searched(&self) -> bool {
        self.typed.as_ref().is_some_and(|input| !input.text.is_empty())
    }

    /// The items that match the search text, best first.
    pub fn matching_items(&self) -> Vec<&MenuItem> {
        let typed = self.typed_text();
        let mut found: Vec<(MatchRank, &MenuItem)> =
            self.items.iter().filter_map(|item| Some((item.rank(typed)?, item))).collect();
        found.sort_by_key(|(rank, _)| *rank);
        if found.first().is_some_and(|(best, _)| *best < MatchRank::Scattered) {
            found.retain(|(rank, _)| *rank < MatchRank::Scattered);
        }
        found.into_iter().map(|(_, item)| item).collect()
    }

    /// The search text.
    pub fn typed_text(&self) -> &str {
        self.typed.as_ref().map_or("", |input| input.text.as_str())
    }

    /// The effect of choosing an item, in one line.
    pub fn preview(&self, item: &MenuItem) -> String {
        let (name, help) = (&item.name, &item.help);
        match (&item.choice, search::value_behind(name, self.typed_text())) {
            (MenuChoice::PlanTyped, _) => {
                format!("Enter shows the plan of: swapadm {}", self.typed_text().trim())
            }
            (MenuChoice::Type(kind), Some((_, value))) if kind.asks_what_if() => {
                format!("{help} Enter asks for {value}.")
            }
            (MenuChoice::Type(kind), Some((_, value))) => {
                let now = match (item.note.as_str(), kind) {
                    ("", PromptKind::Kernel(_)) => "unknown",
                    ("", _) => "new",
                    (note, _) => note,
                };
                format!("{name}: {now} -> {value}. Enter shows the plan.")
            }
            (MenuChoice::Setting(_), Some((_, value))) => {
                format!("{name}: {} -> {value}. Takes effect at once.", item.note)
            }
            (MenuChoice::Type(_), None) => format!("{help} Enter asks for the value."),
            (MenuChoice::Plan(_), _) => format!("{help} Enter shows the plan."),
            _ => help.clone(),
        }
    }
}

/// The parts of which the palette lists rows.
const LISTED: PartSet = part_set![Swaps, Zram, ZramDetail, Knobs, Processes, Cgroups];

/// The words of commands that change the machine.
const CHANGES: [&str; 10] =
    ["off", "on", "priority", "rebalance", "set", "reset", "zram", "file", "format", "undo"];

impl MenuItem {
    /// An item with a name and a description.
    pub fn new(name: impl Into<String>, help: impl Into<String>, choice: MenuChoice) -> Self {
        Self {
            name: name.into(),
            help: help.into(),
            note: String::new(),
            also: String::new(),
            on: None,
            off: None,
            plan_only: None,
            choice,
        }
    }

    /// The item with its current value or key.
    pub fn noted(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// The item with other names that the search finds.
    pub fn also(self, also: impl Into<String>) -> Self {
        Self { also: also.into(), ..self }
    }

    /// The item with the reason why it is unavailable, if so.
    pub fn unavailable(self, off: Option<String>) -> Self {
        Self { off, ..self }
    }

    /// Can a value be typed behind its name?
    pub fn takes_value(&self) -> bool {
        matches!(self.choice, MenuChoice::Type(_) | MenuChoice::Setting(_))
    }

    /// Does it ask the model, which changes nothing?
    pub fn asks_what_if(&self) -> bool {
        match &self.choice {
            MenuChoice::WhatIf(_) => true,
            MenuChoice::Type(kind) => kind.asks_what_if(),
            _ => false,
        }
    }

    /// How well the item matches a search text; none if it does not.
    fn rank(&self, typed: &str) -> Option<MatchRank> {
        if self.choice == MenuChoice::PlanTyped {
            let mut words = typed.split_whitespace();
            let is_command = words.next().is_some_and(|first| CHANGES.contains(&first));
            return (is_command && words.next().is_some()).then_some(MatchRank::Help);
        }
        if typed.trim().is_empty() { Some(MatchRank::Start) } else { search::rank(self, typed) }
    }
}
