//! Notices in the footer.

use super::App;
use crate::columns::Value;
use crate::columns::tables::kernel::id as kernel;
use crate::ui::command;
use crate::ui::pane_data::PaneData;
use ratatui::crossterm::event::KeyEvent;

/// A sentence in the footer, shown until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// The kind of notice.
    pub tone: Tone,
}

/// The kind of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A result, or a command that is unavailable.
    Plain,
    /// An error.
    Bad,
    /// A key without a meaning.
    Hint,
    /// Something is awaited; the notice disappears when it arrives.
    Awaiting,
}

impl App {
    /// Shows once that some values need root.
    pub fn notify_rights(&mut self) {
        let titles = PaneData::collect(&self.title_queries, |query| self.rows(query));
        let root = titles.first(kernel::UID).and_then(Value::number);
        let said = self.notice.is_some();
        if self.is_live() && !said && root.is_some_and(|uid| uid > 0.0) {
            self.notify("not root: values that need root are shown as ?; e explains why");
        }
    }

    /// Shows a notice in the footer until the next key.
    pub fn notify(&mut self, text: impl Into<String>) {
        self.set_notice(text.into(), Tone::Plain);
    }

    /// Shows a hint about a key without a meaning.
    pub fn hint(&mut self, text: impl Into<String>) {
        self.set_notice(text.into(), Tone::Hint);
    }

    /// Says that a key does nothing here, and names the keys that do.
    pub fn notify_unbound_key(&mut self, event: KeyEvent, rather: &str) {
        if let Some(text) = command::unbound_key_message(event, rather) {
            self.hint(text);
        }
    }

    /// Shows a notice until the awaited message arrives.
    pub fn notify_waiting(&mut self, text: impl Into<String>) {
        self.set_notice(text.into(), Tone::Awaiting);
    }

    /// Shows an error.
    pub fn notify_error(&mut self, text: impl Into<String>) {
        self.set_notice(text.into(), Tone::Bad);
    }

    fn set_notice(&mut self, text: String, tone: Tone) {
        self.notice = Some(Notice { text, tone });
    }
}
