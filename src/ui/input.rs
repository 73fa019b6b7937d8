//! Lines to type in, and their purposes.

use super::change::Setting;
use super::lab::FormField;
use crate::change::setup::SetupKey;
use crate::columns::text;
use crate::model::Name;
use crate::model::name::safe_text;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A line of text being edited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextInput {
    /// The text.
    pub text: String,
    /// The position of the cursor, in characters.
    pub cursor: usize,
}

/// Maximum length of the text.
const LONGEST: usize = 500;

impl TextInput {
    /// A line with a text, and the cursor at its end.
    pub fn with_text(text: &str) -> Self {
        Self { text: text.to_owned(), cursor: text.chars().count() }
    }

    /// Inserts a character at the cursor.
    pub fn insert(&mut self, c: char) {
        // Characters that are not shown as typed are refused.
        let mut bytes = [0; 4];
        let typed = &*c.encode_utf8(&mut bytes);
        if safe_text(typed) != typed || self.text.chars().count() >= LONGEST {
            return;
        }
        let place = self.place(self.cursor);
        self.text.insert(place, c);
        self.cursor += 1;
    }

    /// Deletes the character before the cursor.
    pub fn back(&mut self) {
        let Some(before) = self.cursor.checked_sub(1) else { return };
        self.text.remove(self.place(before));
        self.cursor = before;
    }

    /// Deletes the character under the cursor.
    pub fn delete(&mut self) {
        if self.cursor < self.text.chars().count() {
            self.text.remove(self.place(self.cursor));
        }
    }

    /// Deletes the word before the cursor.
    pub fn back_word(&mut self) {
        let ends_word = |input: &Self| input.before().is_none_or(char::is_whitespace);
        while self.cursor > 0 && ends_word(self) {
            self.back();
        }
        while !ends_word(self) {
            self.back();
        }
    }

    /// Handles a key; true if it changed the text.
    pub fn key(&mut self, event: KeyEvent) -> bool {
        let held = event.modifiers.contains(KeyModifiers::CONTROL);
        let before = self.text.clone();
        match event.code {
            KeyCode::Char('w') if held => self.back_word(),
            KeyCode::Char('u') if held => *self = Self::default(),
            // Some terminals send this for Backspace.
            KeyCode::Char('h') if held => self.back(),
            KeyCode::Char('a') if held => self.cursor = 0,
            KeyCode::Char('e') if held => self.go(isize::MAX),
            KeyCode::Char(c) if !held && !event.modifiers.contains(KeyModifiers::ALT) => {
                self.insert(c);
            }
            KeyCode::Backspace => self.back(),
            KeyCode::Delete => self.delete(),
            KeyCode::Left => self.go(-1),
            KeyCode::Right => self.go(1),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.go(isize::MAX),
            _ => {}
        }
        self.text != before
    }

    /// Moves the cursor by a number of characters.
    pub fn go(&mut self, by: isize) {
        let end = self.text.chars().count();
        self.cursor = self.cursor.saturating_add_signed(by).min(end);
    }

    /// The visible part of the text in a number of cells: the text from its first visible character,
    /// and the cell of the cursor, which always stays visible.
    pub fn window(&self, cells: usize) -> (&str, usize) {
        let (before, _) = self.text.split_at(self.place(self.cursor));
        let starts = before.char_indices().map(|(start, _)| start).chain([before.len()]);
        let fits =
            |start: &usize| before.get(*start..).is_some_and(|from| text::width(from) < cells);
        let start = starts.into_iter().find(fits).unwrap_or(before.len());
        let cursor = before.get(start..).map_or(0, text::width);
        (self.text.get(start..).unwrap_or_default(), cursor)
    }

    fn before(&self) -> Option<char> {
        self.text.chars().nth(self.cursor.checked_sub(1)?)
    }

    /// The byte offset of a character.
    fn place(&self, cursor: usize) -> usize {
        self.text.char_indices().nth(cursor).map_or(self.text.len(), |(place, _)| place)
    }
}

/// A value of a zram device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZramValue {
    /// A size.
    Size,
    /// An algorithm.
    Algorithm,
    /// A memory limit.
    Limit,
    /// The pages to mark as idle: all, or those unused for a time.
    Idle,
    /// The pages to write to the backing device.
    Writeback,
}

impl ZramValue {
    /// The command that sets the value typed for a device.
    pub fn command(self, device: &str, typed: &str) -> String {
        let command = match self {
            Self::Size => "resize",
            Self::Algorithm => "algorithm",
            Self::Limit => "limit",
            Self::Idle if typed == "all" => return format!("zram idle {device}"),
            Self::Idle => return format!("zram idle {device} --age {typed}"),
            Self::Writeback => "writeback",
        };
        format!("zram {command} {device} {typed}")
    }
}

/// The purpose of a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// The value of a setting, by its key in the file.
    Setting(&'static str),
    /// The priority of these areas.
    Priority(Vec<Name>),
    /// An area to enable.
    Area,
    /// The value of a kernel setting.
    Kernel(Setting),
    /// The size of a new zram device for swap.
    ZramSwap,
    /// The size of a new swap file, or its path and size.
    SwapFile,
    /// A value for a zram device.
    Zram(String, ZramValue),
    /// The time limit of the change in the dialog below.
    Timeout,
    /// The memory pressure at which that change is stopped.
    MaxPsi,
    /// The memory pressure above which that change pauses.
    PausePsi,
    /// A field of the lab form.
    Lab(FormField),
    /// The size to reclaim of this cgroup.
    Reclaim(Name),
    /// A search in a list of the lab.
    Row(&'static str),
    /// A choice of the page that sets up swap.
    Setup(SetupKey),
    /// A priority of these areas, for the model.
    ModelPriority(Vec<Name>),
    /// An area to add to the model.
    ModelArea,
    /// The kernel to model.
    ModelKernel,
    /// The load that the model assumes.
    ModelLoad,
    /// The growth of used swap that the model assumes.
    ModelRate,
}

impl PromptKind {
    /// Does it ask the model, which changes nothing?
    pub fn asks_what_if(&self) -> bool {
        matches!(
            self,
            Self::ModelPriority(_)
                | Self::ModelArea
                | Self::ModelKernel
                | Self::ModelLoad
                | Self::ModelRate
        )
    }

    /// The label of the line.
    pub fn label(&self) -> &str {
        match self {
            Self::Setting(key) => key,
            Self::Priority(_) | Self::ModelPriority(_) => "priority",
            Self::ModelArea => "one more area",
            Self::ModelKernel => "kernel",
            Self::ModelLoad => "load",
            Self::ModelRate => "growth",
            Self::Area => "enable",
            Self::SwapFile => "swap file",
            Self::Kernel(setting) => &setting.knob,
            Self::ZramSwap | Self::Zram(_, ZramValue::Size) => "size",
            Self::Zram(_, ZramValue::Algorithm) => "algorithm",
            Self::Zram(_, ZramValue::Limit) => "memory limit",
            Self::Zram(_, ZramValue::Idle) => "mark as idle",
            Self::Zram(_, ZramValue::Writeback) => "write back",
            Self::Timeout => "time limit",
            Self::MaxPsi => "PSI limit",
            Self::PausePsi => "pause above",
            Self::Lab(field) => field.word(),
            Self::Reclaim(_) => "reclaim",
            Self::Row(_) => "find",
            Self::Setup(key) => key.title(),
        }
    }
}

/// A prompt for a value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueInput {
    /// The purpose of the value.
    pub typed: PromptKind,
    /// The accepted values.
    pub accepts: String,
    /// The value that an empty text stands for, if there is one.
    pub default: Option<String>,
    /// The text.
    pub input: TextInput,
    /// The error in the text, if any.
    pub error: Option<String>,
}

impl ValueInput {
    /// A prompt without a text.
    pub fn new(typed: PromptKind, accepts: String) -> Self {
        Self { typed, accepts, default: None, input: TextInput::default(), error: None }
    }

    /// The prompt with a text.
    pub fn with_text(self, text: &str) -> Self {
        Self { input: TextInput::with_text(text), ..self }
    }

    /// The value: the text, or what an empty text stands for.
    pub fn value(&self) -> &str {
        let text = self.input.text.trim();
        if text.is_empty() { self.default.as_deref().unwrap_or_default() } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editing_works_on_whole_characters() {
        let mut input = TextInput::with_text("größe");
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
    fn unprintable_characters_are_refused() {
        let mut input = TextInput::default();
        "a\u{202e}b\u{200b}\u{1b}\tc日".chars().for_each(|c| input.insert(c));
        assert_eq!((input.text.as_str(), input.cursor), ("abc日", 4));
    }

    #[test]
    fn the_visible_window_follows_the_cursor() {
        let mut input = TextInput::with_text("ab日本語");
        assert_eq!(input.window(20), ("ab日本語", 8));
        // A wide character that is only half visible is left out.
        assert_eq!(input.window(8), ("b日本語", 7));
        assert_eq!(input.window(7), ("日本語", 6));
        assert_eq!(input.window(6), ("本語", 4));
        assert_eq!(input.window(1), ("", 0));
        assert_eq!(input.window(0), ("", 0));
        input.go(-2);
        assert_eq!(input.window(4), ("b日本語", 3));
        assert_eq!(input.window(3), ("日本語", 2));
    }
}
