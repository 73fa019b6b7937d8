//! What can be set. The file, the environment, the flags, the screen of settings and the manual
//! are all made from these two lists.

use super::choice::{ColorChoice, GlyphChoice};
use super::form::{Form, NONE};
use super::{SCREENS, Settings};
use crate::columns::{Spec, select};
use std::collections::BTreeMap;

/// One thing that can be set.
pub struct Setting {
    /// Its name in the file; a dot stands between the table there and the key in it.
    pub key: &'static str,
    /// What it does.
    pub help: &'static str,
    /// What it can be.
    pub form: Form,
    /// The variable of the environment that sets it.
    pub env: Option<&'static str>,
    /// The flag that sets it.
    pub flag: Option<&'static str>,
    /// Its value, as it would be typed.
    pub get: fn(&Settings) -> String,
    /// Set it to what was typed, or say what it could have been.
    pub set: fn(&mut Settings, &str) -> Result<(), String>,
}

const INTERVAL: Form = Form::Seconds(0.1, 3600.0);
const SCREEN: Form = Form::Word(SCREENS);
const HIDDEN: Form = Form::Any(SCREENS);
const RATIO: Form = Form::Number(0.0, 100.0);
const LONG: Form = Form::Number(0.0, 86_400.0);
const MANY: Form = Form::Number(0.0, 1_000_000.0);

/// A threshold: the field of the policy is its key.
macro_rules! threshold {
    ($field:ident, $form:expr, $help:literal) => {
        Setting {
            key: concat!("thresholds.", stringify!($field)),
            help: $help,
            form: $form,
            env: None,
            flag: None,
            get: |settings| $form.typed(settings.policy.$field),
            set: |settings, text| $form.number(text).map(|number| settings.policy.$field = number),
        }
    };
}

/// What is set once, in the order of the manual.
pub static SETTINGS: &[Setting] = &[
    Setting {
        key: "interval",
        help: "Time between two samples",
        form: INTERVAL,
        env: Some("SWAPADM_INTERVAL"),
        flag: Some("--interval"),
        get: |settings| settings.interval.as_secs_f64().to_string(),
        set: |settings, text| INTERVAL.time(text).map(|time| settings.interval = time),
    },
    Setting {
        key: "color",
        help: "How many colours to use",
        form: Form::Word(ColorChoice::WORDS),
        env: Some("SWAPADM_COLOR"),
        flag: Some("--color"),
        get: |settings| settings.color.word().to_owned(),
        set: |settings, text| ColorChoice::parse(text).map(|choice| settings.color = choice),
    },
    Setting {
        key: "glyphs",
        help: "Which signs to draw with",
        form: Form::Word(GlyphChoice::WORDS),
        env: Some("SWAPADM_GLYPHS"),
        flag: Some("--glyphs"),
        get: |settings| settings.glyphs.word().to_owned(),
        set: |settings, text| GlyphChoice::parse(text).map(|choice| settings.glyphs = choice),
    },
    Setting {
        key: "mouse",
        help: "Whether the mouse selects and scrolls, rather than marking text to copy",
        form: Form::Flag,
        env: None,
        flag: Some("--no-mouse"),
        get: |settings| settings.mouse.to_string(),
        set: |settings, text| Form::Flag.flag(text).map(|mouse| settings.mouse = mouse),
    },
    Setting {
        key: "screen",
        help: "The screen to begin with",
        form: SCREEN,
        env: None,
        flag: Some("--screen"),
        get: |settings| settings.screen.clone(),
        set: |settings, text| SCREEN.word(text).map(|screen| settings.screen = screen),
    },
    Setting {
        key: "hidden",
        help: "Screens that are not shown",
        form: HIDDEN,
        env: None,
        flag: None,
        get: |settings| match settings.hidden.as_slice() {
            [] => NONE.to_owned(),
            hidden => hidden.join(","),
        },
        set: |settings, text| HIDDEN.any(text).map(|hidden| settings.hidden = hidden),
    },
    threshold!(use_warn, Form::Share, "An area, or all swap, is filling up from here on"),
    threshold!(use_crit, Form::Share, "An area, or all swap, is full from here on"),
    threshold!(
        pressure_some,
        Form::Share,
        "Share of the time in which a task waited for memory that is marked"
    ),
    threshold!(
        pressure_full,
        Form::Share,
        "Share of the time in which no task could go on for want of memory that is marked as bad; half of it is marked"
    ),
    threshold!(
        skew_warn,
        Form::Share,
        "Share of what areas of one priority hold that would have to move for them to be even"
    ),
    threshold!(
        readahead_low,
        Form::Share,
        "Reading ahead is marked when a smaller share of its pages was used"
    ),
    threshold!(
        ahead_least,
        Form::Share,
        "Share of all pages read from swap below which reading ahead hardly costs"
    ),
    threshold!(folios_least, MANY, "Large folios of a size that say something of how they go out"),
    threshold!(
        fallback_warn,
        Form::Share,
        "Share of large folios split on their way out that is marked"
    ),
    threshold!(
        fallback_crit,
        Form::Share,
        "Share of large folios split on their way out that is marked as bad"
    ),
    threshold!(
        zswap_fill_warn,
        Form::Share,
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
        Form::Share,
        "Share of the memory of a zram device lost between its data that is compacted"
    ),
    threshold!(huge_warn, Form::Share, "Share of what zram holds that does not compress"),
    threshold!(limit_warn, Form::Share, "Share of its limit that a zram device may take"),
    threshold!(
        limit_most,
        Form::Share,
        "Share of all memory up to which a higher limit is advised for a zram device"
    ),
    threshold!(full_soon, LONG, "Swap that is full in fewer seconds is about to be full"),
    threshold!(memory_low, Form::Share, "Memory is short when less than this share is available"),
    threshold!(idle_use, Form::Share, "Use of swap that is worth a word where nothing moves"),
    threshold!(area_small, Form::Share, "An area below this share of memory hardly matters"),
    threshold!(extent_small, RATIO, "MiB in a piece of a swap file, on average, that are too few"),
    threshold!(
        metadata_warn,
        Form::Share,
        "Share of memory that the kernel may take to remember what is on an area"
    ),
    threshold!(often, MANY, "Pages in a second from which on something is done often"),
];

/// One thing that can be set for each table.
pub struct TableSetting {
    /// The table in the file whose keys are the names of tables.
    pub group: &'static str,
    /// What it does.
    pub help: &'static str,
    /// What it can be.
    pub form: Form,
    /// What is set, by table.
    pub get: fn(&Settings) -> &BTreeMap<String, String>,
    /// The same, to change it.
    pub get_mut: fn(&mut Settings) -> &mut BTreeMap<String, String>,
    /// Does this fit the table? If not, what there is.
    pub check: fn(&Spec, &str) -> Result<(), String>,
}

/// What is set for each table.
pub static PER_TABLE: &[TableSetting] = &[
    TableSetting {
        group: "columns",
        help: "Columns of a table",
        form: Form::Columns,
        get: |settings| &settings.columns,
        get_mut: |settings| &mut settings.columns,
        check: |spec, text| select::columns(spec, Some(text), true).map(|_| ()),
    },
    TableSetting {
        group: "sort",
        help: "The order of the rows of a table",
        form: Form::Order,
        get: |settings| &settings.sort,
        get_mut: |settings| &mut settings.sort,
        check: |spec, text| select::sort_keys(spec, Some(text), &[]).map(|_| ()),
    },
];
