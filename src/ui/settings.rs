//! Settings, and the file in which they are saved.
//!
//! Defaults are overridden by the file, the file by the environment, and that by options. All
//! settings are listed once, in [`SETTINGS`] and [`PER_TABLE`].

use super::appearance::{Appearance, TerminalInfo};
use super::theme::Theme;
use crate::columns::{Spec, TABLES, select};
use crate::config::value::NONE;
use crate::config::{
    self, Edit, KeyDefault as D, KeyGroup, KeyInput, KeyNames, MAX_FILE_BYTES, Problem, Problems,
    Schema, ValueType as T, setter,
};
use crate::model::{Policy, worded_enum};
use std::collections::BTreeMap;
use std::time::Duration;

/// The names of the screens, in their order.
pub const SCREENS: &[&str] =
    &["overview", "devices", "compression", "mthp", "paging", "processes", "lab", "map", "learn"];

/// All settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Time between two samples.
    pub interval: Duration,
    /// The number of colors.
    pub color: ColorChoice,
    /// The colors.
    pub theme: Theme,
    /// The glyphs to draw with.
    pub glyphs: GlyphChoice,
    /// Is the mouse used?
    pub mouse: bool,
    /// The first screen: one of [`SCREENS`].
    pub screen: String,
    /// Hidden screens; never all of them.
    pub hidden: Vec<String>,
    /// Columns by table, as for `--output`.
    pub columns: BTreeMap<String, String>,
    /// The order of rows by table, as for `--sort`.
    pub sort: BTreeMap<String, String>,
    /// The thresholds from which figures are marked.
    pub policy: Policy,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            interval: Duration::from_secs(1),
            color: ColorChoice::Auto,
            theme: Theme::Dark,
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

impl Settings {
    /// The glyphs and colors on a terminal.
    pub fn look(&self, terminal: &TerminalInfo) -> Appearance {
        terminal.look(self.color, self.glyphs).in_theme(self.theme)
    }
}

worded_enum! {
    /// The number of colors to use.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ColorChoice {
        /// As many as the terminal appears to support.
        #[default]
        Auto = "auto",
        /// At least 16, whatever the terminal appears to support.
        Always = "always",
        /// 24 bits.
        True = "true",
        /// The palette of 256.
        Palette256 = "256",
        /// The 16 that every color terminal has.
        Ansi16 = "16",
        /// No colors: only bold, underlined and reversed.
        Never = "never",
    }
}

worded_enum! {
    /// The glyphs to draw with.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum GlyphChoice {
        /// The best that the terminal appears to support.
        #[default]
        Auto = "auto",
        /// Rounded lines, braille, eighth blocks.
        Full = "full",
        /// Square lines and eighth blocks, for fonts with bad braille.
        Blocks = "blocks",
        /// Glyphs of the kernel console.
        Vt = "vt",
        /// Plain ASCII.
        Ascii = "ascii",
    }
}

/// The end of a problem of a file that is not read at all.
pub const FILE_IGNORED: &str = "; the whole file is ignored";

/// Reads the text of a file over the defaults. A key whose value is not valid keeps its default.
pub fn read(file: &str, text: &str) -> (Settings, Vec<Problem>) {
    let (mut settings, mut problems) = (Settings::default(), Problems::in_file(file));
    let Some(section) = KEYS.read(text, &mut problems) else {
        let mut problems = problems.into_list();
        let add = |problem: &mut Problem| problem.text.push_str(FILE_IGNORED);
        problems.iter_mut().for_each(add);
        return (settings, problems);
    };
    KEYS.fill(&section, &mut settings, &mut problems);
    (settings, problems.into_list())
}

/// Edits the text of a file where two settings differ, and leaves everything else: other values
/// may come from the environment or from options, which apply to one run only.
pub fn carry(old: &str, from: &Settings, to: &Settings) -> Result<String, Problem> {
    let (said, _) = read("", old);
    let mut edits = Vec::new();
    for path in KEYS.keys("").flat_map(config::KeySpec::paths) {
        let Some((key, name)) = KEYS.find("", &path) else { continue };
        let Some(get) = key.get else { continue };
        let text = get(to, name);
        if text != get(from, name) && text != get(&said, name) {
            edits.push(Edit { path, takes: key.takes, text });
        }
    }
    config::edit("", old, &edits)
}

type Key = config::KeySpec<Settings>;

/// The schema of the settings file.
pub static KEYS: Schema<Settings> = Schema {
    groups: &[
        KeyGroup { sections: &[""], heading: "", keys: SETTINGS },
        KeyGroup { sections: &[""], heading: "", keys: PER_TABLE },
    ],
    bare: false,
    max_bytes: MAX_FILE_BYTES,
};

const SHARE: T = T::Fraction;
const RATIO: T = T::Number(0.0, 100.0);
const LONG: T = T::Number(0.0, 86_400.0);
const MANY: T = T::Number(0.0, 1_000_000.0);
const SCREEN: fn() -> Vec<&'static str> = || SCREENS.to_vec();

/// Makes a setting whose value is one of the words of an enum.
macro_rules! word {
    ($field:ident in $type:ident) => {
        Key::value(
            stringify!($field),
            T::Word(|| $type::WORDS.map(|(word, _)| word).to_vec()),
            D::Unchanged,
            setter!($field in $type::WORDS),
        )
        .get(|settings, _| settings.$field.word().to_owned())
    };
}

/// Makes a threshold: its key is the field of the policy.
macro_rules! threshold {
    ($field:ident, $takes:expr) => {
        Key::value(
            concat!("thresholds.", stringify!($field)),
            $takes,
            D::Unchanged,
            setter!(policy.$field = number),
        )
        .get(|settings, _| typed($takes, settings.policy.$field))
    };
}

/// The text of a number, as it is typed.
fn typed(takes: T, number: f64) -> String {
    match takes {
        T::Fraction => format!("{}%", (number * 1e8).round() / 1e6),
        _ => number.to_string(),
    }
}

/// Global settings, in the order of the manual.
pub static SETTINGS: &[Key] = &[
    Key::value("interval", T::Seconds(0.1, 3600.0), D::Unchanged, setter!(interval = time))
        .says("Time between two samples")
        .get(|settings, _| settings.interval.as_secs_f64().to_string())
        .set_by(Some("SWAPADM_INTERVAL"), Some("--interval")),
    word!(color in ColorChoice)
        .says("Number of colors")
        .set_by(Some("SWAPADM_COLOR"), Some("--color")),
    word!(theme in Theme)
        .says("Colors for a dark or light background, strong ones, or the 16 of the terminal itself")
        .set_by(Some("SWAPADM_THEME"), Some("--theme")),
    word!(glyphs in GlyphChoice)
        .says("Glyphs to draw with")
        .set_by(Some("SWAPADM_GLYPHS"), Some("--glyphs")),
    Key::value("mouse", T::Flag, D::Unchanged, setter!(mouse = flag))
        .says("Use the mouse to select and scroll; otherwise the terminal uses it to select text")
        .get(|settings, _| settings.mouse.to_string())
        .set_by(None, Some("--no-mouse")),
    Key::value("screen", T::Word(SCREEN), D::Unchanged, set_screen)
        .says("First screen")
        .get(|settings, _| settings.screen.clone())
        .set_by(None, Some("--screen")),
    Key::value("hidden", T::NotAll(SCREEN), D::Unchanged, set_hidden)
        .says("Hidden screens")
        .get(|settings, _| match settings.hidden.as_slice() {
            [] => NONE.to_owned(),
            hidden => hidden.join(","),
        }),
    threshold!(use_warn, SHARE)
        .says("Use of all swap from which there is a warning, or of one area where a rule says so"),
    threshold!(use_crit, SHARE)
        .says("Use of all swap from which it is full, and critical if memory is short too"),
    threshold!(pressure_some, SHARE).says("PSI memory some from which there is a warning"),
    threshold!(pressure_full, SHARE).says("PSI memory full from which it is critical"),
    threshold!(imbalance_warn, SHARE)
        .says("Imbalance of a priority group (share of its data that would have to move) from which there is a warning")
        .formerly("thresholds.skew_warn"),
    threshold!(readahead_low, SHARE).says("Readahead hit rate below which there is a warning"),
    threshold!(ahead_least, SHARE)
        .says("Share of swap-ins below which wasted readahead is ignored"),
    threshold!(folios_least, MANY)
        .says("Minimum number of folios of a size for a verdict on fallbacks"),
    threshold!(fallback_warn, SHARE)
        .says("Fallback rate of large folios from which there is a warning"),
    threshold!(fallback_crit, SHARE)
        .says("Fallback rate of large folios from which it is critical"),
    threshold!(zswap_fill_warn, SHARE)
        .says("Use of the zswap pool, as a share of its limit, from which there is a warning"),
    threshold!(zram_ratio_low, RATIO)
        .says("Memory ratio (MEMRATIO) of a zram device below which there is a warning"),
    threshold!(zram_least, MANY)
        .says("Minimum MiB on a zram device for a verdict on its compression"),
    threshold!(lost_warn, SHARE)
        .says("Fragmented share of a zram device's memory from which compaction is advised"),
    threshold!(huge_warn, SHARE)
        .says("Share of incompressible data on zram from which it is reported"),
    threshold!(limit_warn, SHARE)
        .says("Use of a zram device's memory limit from which it is reported"),
    threshold!(limit_most, SHARE)
        .says("Highest zram memory limit to advise, as a share of all memory"),
    threshold!(full_soon, LONG)
        .says("Time until swap is full, in seconds, below which it is reported"),
    threshold!(memory_low, SHARE)
        .says("Available share of memory below which memory counts as short"),
    threshold!(idle_use, SHARE).says("Use from which idle swap is reported"),
    threshold!(area_small, SHARE)
        .says("Size of an area, as a share of memory, below which it is reported as too small"),
    threshold!(extent_small, RATIO)
        .says("Average extent size of a swap file, in MiB, below which it is reported as fragmented"),
    threshold!(metadata_warn, SHARE)
        .says("Metadata of all areas, as a share of memory, from which it is reported"),
    threshold!(often, MANY).says("Pages per second from which activity counts as high"),
];

fn set_screen(to: &mut Settings, it: &KeyInput<'_>) -> Result<(), String> {
    let found = SCREENS.iter().find(|screen| **screen == it.text);
    found.copied().ok_or_else(|| it.refuse())?.clone_into(&mut to.screen);
    Ok(())
}

fn set_hidden(to: &mut Settings, it: &KeyInput<'_>) -> Result<(), String> {
    to.hidden = it.takes.some_words(it.text)?.into_iter().map(str::to_owned).collect();
    Ok(())
}

/// Sets the columns or order of a table; an empty text restores its default.
fn set_choice(
    choices: &mut BTreeMap<String, String>,
    it: &KeyInput<'_>,
    check: fn(&Spec, &str) -> Result<(), String>,
) -> Result<(), String> {
    if it.text.trim().is_empty() {
        choices.remove(it.name);
        return Ok(());
    }
    TABLES.iter().find(|spec| spec.name == it.name).map_or(Ok(()), |spec| check(spec, it.text))?;
    choices.insert(it.name.to_owned(), it.text.to_owned());
    Ok(())
}

/// Settings of each table.
pub static PER_TABLE: &[Key] = &[
    Key::value(
        "columns",
        T::Other(|| "columns as for --output, such as +NAME,-NAME".to_owned()),
        D::Unchanged,
        |to, it| {
            set_choice(&mut to.columns, it, |spec, text| {
                select::columns(spec, Some(text), true).map(|_| ())
            })
        },
    )
    .says("Columns of a table")
    .get(|settings, table| settings.columns.get(table).cloned().unwrap_or_default())
    .names(NAMES),
    Key::value(
        "sort",
        T::Other(|| "columns as for --sort, such as NAME,-NAME".to_owned()),
        D::Unchanged,
        |to, it| {
            set_choice(&mut to.sort, it, |spec, text| {
                select::sort_keys(spec, Some(text), &[]).map(|_| ())
            })
        },
    )
    .says("Sort order of a table")
    .get(|settings, table| settings.sort.get(table).cloned().unwrap_or_default())
    .names(NAMES),
];

const NAMES: KeyNames = KeyNames::OneOf(|| TABLES.iter().map(|spec| spec.name).collect());

#[cfg(test)]
mod tests;
