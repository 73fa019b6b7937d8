//! Settings that last: what can be set, the file it is kept in, and how that is read and written.
//!
//! What holds is the default, then the file, then the environment, then what was typed. Everything
//! that can be set stands once, in [`SETTINGS`] and [`PER_TABLE`].

mod choice;
mod entry;
mod file;
mod form;
mod nearest;
mod table;

pub use choice::{ColorChoice, GlyphChoice};
pub use entry::Entry;
pub use file::{LARGEST, carry, read, text, write};
pub use form::Form;
pub use table::{PER_TABLE, SETTINGS, Setting, TableSetting};

use crate::model::Policy;
use crate::model::name::safe_text;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// The screens, by the names that can be typed, in their order.
pub const SCREENS: &[&str] =
    &["overview", "devices", "compression", "mthp", "paging", "processes", "lab", "map"];

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Time between two samples.
    pub interval: Duration,
    /// How many colours.
    pub color: ColorChoice,
    /// Which signs to draw with.
    pub glyphs: GlyphChoice,
    /// Does the mouse do something?
    pub mouse: bool,
    /// The screen to begin with: one of [`SCREENS`].
    pub screen: String,
    /// Screens that are not shown; never all of them.
    pub hidden: Vec<String>,
    /// Columns by table, as for `--output`.
    pub columns: BTreeMap<String, String>,
    /// The order of rows by table, as for `--sort`.
    pub sort: BTreeMap<String, String>,
    /// From which value on a figure is marked.
    pub policy: Policy,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            interval: Duration::from_secs(1),
            color: ColorChoice::Auto,
            glyphs: GlyphChoice::Auto,
            mouse: true,
            screen: "overview".to_owned(),
            hidden: Vec::new(),
            columns: BTreeMap::new(),
            sort: BTreeMap::new(),
            policy: Policy::DEFAULT,
        }
    }
}

/// Something said in a file or a variable that could not be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line of the file, from 1 on, where there is one.
    pub line: Option<usize>,
    /// What is wrong and what it could have been, safe for a terminal.
    pub what: String,
}

/// Characters of a sentence about a problem: what it quotes can be as long as the file.
const LONGEST: usize = 1000;

impl Problem {
    /// Something wrong that is on no line.
    pub fn new(what: &str) -> Self {
        Self::at(None, what)
    }

    /// Something wrong on this line.
    pub fn at(line: Option<usize>, what: &str) -> Self {
        let mut what = safe_text(what);
        if let Some((end, _)) = what.char_indices().nth(LONGEST) {
            what.truncate(end);
            what.push_str("...");
        }
        Self { line, what }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.what)
    }
}

#[cfg(test)]
mod tests;
