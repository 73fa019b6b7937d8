//! What can be set. The file, the environment, the options, the screen of settings and the manual
//! are all made from these two lists.

use super::{ColorChoice, GlyphChoice, SCREENS, Settings};
use crate::columns::{Spec, TABLES, select};
use crate::config::value::NONE;
use crate::config::{self, Default as D, Group, Input, Names, Schema, ValueType as T, setter};
use std::collections::BTreeMap;

type Key = config::Key<Settings>;

/// Everything that can be set.
pub static KEYS: Schema<Settings> = Schema {
    groups: &[
        Group { sections: &[""], heading: "", keys: SETTINGS },
        Group { sections: &[""], heading: "", keys: PER_TABLE },
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
        Key::new($name, $takes, D::Kept, $help, $set).get($get)
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
    .outside(Some("SWAPADM_INTERVAL"), Some("--interval")),
    key!(
        "color",
        T::Word(|| ColorChoice::WORDS.map(|(word, _)| word).to_vec()),
        "How many colours to use",
        |settings, _| word(settings.color, &ColorChoice::WORDS),
        setter!(color in ColorChoice::WORDS)
    )
    .outside(Some("SWAPADM_COLOR"), Some("--color")),
    key!(
        "glyphs",
        T::Word(|| GlyphChoice::WORDS.map(|(word, _)| word).to_vec()),
        "Which signs to draw with",
        |settings, _| word(settings.glyphs, &GlyphChoice::WORDS),
        setter!(glyphs in GlyphChoice::WORDS)
    )
    .outside(Some("SWAPADM_GLYPHS"), Some("--glyphs")),
    key!(
        "mouse",
        T::Flag,
        "Whether the mouse selects and scrolls, rather than marking text to copy",
        |settings, _| settings.mouse.to_string(),
        setter!(mouse = flag)
    )
    .outside(None, Some("--no-mouse")),
    key!(
        "screen",
        T::Word(SCREEN),
        "The screen to begin with",
        |settings, _| settings.screen.clone(),
        set_screen
    )
    .outside(None, Some("--screen")),
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

fn set_screen(to: &mut Settings, it: &Input<'_>) -> Result<(), String> {
    let found = SCREENS.iter().find(|screen| **screen == it.text);
    found.copied().ok_or_else(|| it.refuse())?.clone_into(&mut to.screen);
    Ok(())
}

fn set_hidden(to: &mut Settings, it: &Input<'_>) -> Result<(), String> {
    to.hidden = it.takes.some(it.text)?.into_iter().map(str::to_owned).collect();
    Ok(())
}

/// Sets the choice of a table; an empty text leaves the table its own.
fn set_choice(
    choices: &mut BTreeMap<String, String>,
    it: &Input<'_>,
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

const NAMES: Names = Names::Of(|| TABLES.iter().map(|spec| spec.name).collect());
