//! Settings that last: what can be set, and the file that keeps it.
//!
//! What holds is the default, then the file, then the environment, then what was typed. Everything
//! that can be set stands once, in [`SETTINGS`] and [`PER_TABLE`].

use crate::columns::{Spec, TABLES, select};
use crate::config::value::NONE;
use crate::config::{
    self, KeyDefault as D, Edit, KeyGroup, KeyInput, KeyNames, Problem, Problems, Schema, ValueType as T,
    setter,
};
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
    let (mut settings, mut problems) = (Settings::default(), Problems::in_file(file));
    let Some(section) = KEYS.read(text, &mut problems) else {
        let mut problems = problems.into_list();
        let add = |problem: &mut Problem| problem.text.push_str("; nothing in the file applies");
        problems.iter_mut().for_each(add);
        return (settings, problems);
    };
    KEYS.fill(&section, &mut settings, &mut problems);
    (settings, problems.into_list())
}

/// Changes the text of a file where two settings differ, and nothing of what else they hold: that
/// can come from the environment or from options, which are for one run only.
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

/// Everything that can be set.
pub static KEYS: Schema<Settings> = Schema {
    groups: &[
        KeyGroup { sections: &[""], heading: "", keys: SETTINGS },
        KeyGroup { sections: &[""], heading: "", keys: PER_TABLE },
    ],
    bare: false,
};

const SHARE: T = T::Fraction;
const RATIO: T = T::Number(0.0, 100.0);
const LONG: T = T::Number(0.0, 86_400.0);
const MANY: T = T::Number(0.0, 1_000_000.0);
const SCREEN: fn() -> Vec<&'static str> = || SCREENS.to_vec();

/// Makes a setting; its getter gives the value as it would be typed.
macro_rules! key {
    ($name:expr, $takes:expr, $help:literal, $get:expr, $set:expr) => {
        Key::new($name, $takes, D::Unchanged, $help, $set).get($get)
    };
}

/// Makes a threshold: its key is the field of the policy.
macro_rules! threshold {
    ($field:ident, $takes:expr, $help:literal) => {
        key!(
            concat!("thresholds.", stringify!($field)),
            $takes,
            $help,
            |settings, _| typed($takes, settings.policy.$field),
            setter!(policy.$field = number)
        )
    };
}

/// Spells a number as it would be typed.
fn typed(takes: T, number: f64) -> String {
    match takes {
        T::Fraction => format!("{}%", (number * 1e8).round() / 1e6),
        _ => number.to_string(),
    }
}

/// Finds the word of a choice.
fn word<C: Copy + PartialEq>(choice: C, words: &[(&'static str, C)]) -> String {
    let found = words.iter().find(|(_, other)| *other == choice);
    found.map_or_else(String::new, |(word, _)| (*word).to_owned())
}

/// Settings that are set once, in the order of the manual.
pub static SETTINGS: &[Key] = &[
    key!(
        "interval",
        T::Seconds(0.1, 3600.0),
        "Time between two samples",
        |settings, _| settings.interval.as_secs_f64().to_string(),
        setter!(interval = time)
    )
    .set_by(Some("SWAPADM_INTERVAL"), Some("--interval")),
    key!(
        "color",
        T::Word(|| ColorChoice::WORDS.map(|(word, _)| word).to_vec()),
        "How many colours to use",
        |settings, _| word(settings.color, &ColorChoice::WORDS),
        setter!(color in ColorChoice::WORDS)
    )
    .set_by(Some("SWAPADM_COLOR"), Some("--color")),
    key!(
        "glyphs",
        T::Word(|| GlyphChoice::WORDS.map(|(word, _)| word).to_vec()),
        "Which signs to draw with",
        |settings, _| word(settings.glyphs, &GlyphChoice::WORDS),
        setter!(glyphs in GlyphChoice::WORDS)
    )
    .set_by(Some("SWAPADM_GLYPHS"), Some("--glyphs")),
    key!(
        "mouse",
        T::Flag,
        "Whether the mouse selects and scrolls, rather than marking text to copy",
        |settings, _| settings.mouse.to_string(),
        setter!(mouse = flag)
    )
    .set_by(None, Some("--no-mouse")),
    key!(
        "screen",
        T::Word(SCREEN),
        "The screen to begin with",
        |settings, _| settings.screen.clone(),
        set_screen
    )
    .set_by(None, Some("--screen")),
    key!(
        "hidden",
        T::NotAll(SCREEN),
        "Screens that are not shown",
        |settings, _| match settings.hidden.as_slice() {
            [] => NONE.to_owned(),
            hidden => hidden.join(","),
        },
        set_hidden
    ),
    threshold!(use_warn, SHARE, "An area, or all swap, is filling up from here on"),
    threshold!(use_crit, SHARE, "An area, or all swap, is full from here on"),
    threshold!(
        pressure_some,
        SHARE,
        "Share of the time in which a task waited for memory that is marked"
    ),
    threshold!(
        pressure_full,
        SHARE,
        "Share of the time in which no task could go on for want of memory that is marked as bad; half of it is marked"
    ),
    threshold!(
        skew_warn,
        SHARE,
        "Share of what areas of one priority hold that would have to move for them to be even"
    ),
    threshold!(
        readahead_low,
        SHARE,
        "Reading ahead is marked when a smaller share of its pages was used"
    ),
    threshold!(
        ahead_least,
        SHARE,
        "Share of all pages read from swap below which reading ahead hardly costs"
    ),
    threshold!(folios_least, MANY, "Large folios of a size that say something of how they go out"),
    threshold!(fallback_warn, SHARE, "Share of large folios split on their way out that is marked"),
    threshold!(
        fallback_crit,
        SHARE,
        "Share of large folios split on their way out that is marked as bad"
    ),
    threshold!(
        zswap_fill_warn,
        SHARE,
        "Share of its limit from which on the pool of zswap is marked"
    ),
    threshold!(
        zram_ratio_low,
        RATIO,
        "A zram device whose memory ratio (MEMRATIO) is less than this is marked"
    ),
    threshold!(zram_least, MANY, "MiB on a zram device that say something of how it compresses"),
    threshold!(
        lost_warn,
        SHARE,
        "Share of the memory of a zram device lost between its data that is compacted"
    ),
    threshold!(huge_warn, SHARE, "Share of what zram holds that does not compress"),
    threshold!(limit_warn, SHARE, "Share of its limit that a zram device may take"),
    threshold!(
        limit_most,
        SHARE,
        "Share of all memory up to which a higher limit is advised for a zram device"
    ),
    threshold!(full_soon, LONG, "Swap that is full in fewer seconds is about to be full"),
    threshold!(memory_low, SHARE, "Memory is short when less than this share is available"),
    threshold!(idle_use, SHARE, "Use of swap that is worth a word where nothing moves"),
    threshold!(area_small, SHARE, "An area below this share of memory hardly matters"),
    threshold!(extent_small, RATIO, "MiB in a piece of a swap file, on average, that are too few"),
    threshold!(
        metadata_warn,
        SHARE,
        "Share of memory that the kernel may take to remember what is on an area"
    ),
    threshold!(often, MANY, "Pages in a second from which on something is done often"),
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

/// Sets the choice of a table; an empty text leaves the table its own.
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

/// Settings that each table has.
pub static PER_TABLE: &[Key] = &[
    key!(
        "columns",
        T::Other(|| "columns as for --output, such as +NAME,-NAME".to_owned()),
        "Columns of a table",
        |settings, table| settings.columns.get(table).cloned().unwrap_or_default(),
        |to, it| set_choice(&mut to.columns, it, |spec, text| {
            select::columns(spec, Some(text), true).map(|_| ())
        })
    )
    .names(NAMES),
    key!(
        "sort",
        T::Other(|| "columns as for --sort, such as NAME,-NAME".to_owned()),
        "The order of the rows of a table",
        |settings, table| settings.sort.get(table).cloned().unwrap_or_default(),
        |to, it| set_choice(&mut to.sort, it, |spec, text| {
            select::sort_keys(spec, Some(text), &[]).map(|_| ())
        })
    )
    .names(NAMES),
];

const NAMES: KeyNames = KeyNames::OneOf(|| TABLES.iter().map(|spec| spec.name).collect());

#[cfg(test)]
mod tests;
