//! Settings that last: what can be set, and the file that keeps it.
//!
//! What holds is the default, then the file, then the environment, then what was typed. Everything
//! that can be set stands once, in [`SETTINGS`] and [`PER_TABLE`].

mod table;

pub use table::{KEYS, PER_TABLE, SETTINGS};

use crate::config::{self, Edit, Problem, Problems};
use crate::model::Policy;
use std::collections::BTreeMap;
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

/// How many colours to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// As many as the terminal seems to have.
    #[default]
    Auto,
    /// 24 bits.
    True,
    /// The palette of 256.
    Palette256,
    /// The 16 that every colour terminal has.
    Ansi16,
    /// None: bold, underlined and reversed only.
    Never,
}

impl ColorChoice {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 5] = [
        ("auto", Self::Auto),
        ("true", Self::True),
        ("256", Self::Palette256),
        ("16", Self::Ansi16),
        ("never", Self::Never),
    ];
}

/// Which signs to draw with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GlyphChoice {
    /// Those that the terminal seems to have.
    #[default]
    Auto,
    /// Rounded lines, braille, eighth blocks.
    Full,
    /// Square lines and eighth blocks, for fonts with bad braille.
    Blocks,
    /// What the console of the kernel has.
    Vt,
    /// What every terminal has.
    Ascii,
}

impl GlyphChoice {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 5] = [
        ("auto", Self::Auto),
        ("full", Self::Full),
        ("blocks", Self::Blocks),
        ("vt", Self::Vt),
        ("ascii", Self::Ascii),
    ];
}

/// Reads the text of a file over the defaults. A key whose value is not valid keeps its default.
pub fn read(file: &str, text: &str) -> (Settings, Vec<Problem>) {
    let (mut settings, mut problems) = (Settings::default(), Problems::of(file));
    let Some(section) = KEYS.read(text, &mut problems) else {
        let mut problems = problems.list();
        let add = |problem: &mut Problem| problem.text.push_str("; nothing in the file applies");
        problems.iter_mut().for_each(add);
        return (settings, problems);
    };
    KEYS.fill(&section, &mut settings, &mut problems);
    (settings, problems.list())
}

/// Changes the text of a file where two settings differ, and nothing of what else they hold: that
/// can come from the environment or from options, which are for one run only.
pub fn carry(old: &str, from: &Settings, to: &Settings) -> Result<String, Problem> {
    let (said, _) = read("", old);
    let mut edits = Vec::new();
    for path in KEYS.keys("").flat_map(config::Key::paths) {
        let Some((key, name)) = KEYS.find("", &path) else { continue };
        let Some(get) = key.get else { continue };
        let text = get(to, name);
        if text != get(from, name) && text != get(&said, name) {
            edits.push(Edit { path, takes: key.takes, text });
        }
    }
    config::edit("", old, &edits)
}

#[cfg(test)]
mod tests;
