//! The file of a state of swap: TOML or JSON, one description of each key for reader, errors and manual.

use crate::change::Setting;
use crate::change::state::{StateArea, StateZram, SwapStateFile};
use crate::change::zram::upkeep::UpkeepPolicy;
use crate::config::{
    KeyDefault as D, KeyGroup, KeyHelp, KeyInput, KeyNames, KeySpec, Problem, Problems, Schema,
    Section, ValueType as T, quoted, setter,
};
use crate::model::activation::{Discard, MAX_PRIORITY, Priority};
use crate::model::knob::{self, CGROUP_KNOBS, KNOBS, KnobKind};
use crate::model::text::did_you_mean;
use crate::model::{Bytes, Name};
use std::fmt::Write as _;

const MOST_TABLES: usize = 256;
/// As many cgroups as swapadm reads.
const MOST_GROUPS: usize = 20_000;
/// The largest file: it can have the limits of that many cgroups.
pub(super) const MOST_BYTES: usize = 8 << 20;
const SMALLEST: u64 = 40 << 10;
const LARGEST: u64 = 8 << 50;
const UNCHANGED: D = D::InWords("the present value");
const AREAS: fn() -> String = || "tables [[area]]".to_owned();
const DEVICES: fn() -> String = || "tables [[zram]]".to_owned();
const GROUPS: fn() -> String = || "tables [[cgroup]]".to_owned();
const PRIORITY: fn() -> String = || format!("0 to {MAX_PRIORITY}, or default");
const DISCARDS: fn() -> Vec<&'static str> = || Discard::WORDS.map(|(word, _)| word).to_vec();
const VALUE: fn() -> String = || "a value of the setting".to_owned();
const LIMIT: fn() -> String =
    || "a size such as 512M, max for no limit, or true or false".to_owned();
const SWITCH: fn() -> String = || KnobKind::Switch.accepted_values(None);
const PERCENT: fn() -> String = || KnobKind::Number { min: 0, max: 100 }.accepted_values(None);
const WORD: fn() -> String = || KnobKind::Word.accepted_values(None);

/// A state while its file is read, with the current table of each kind.
#[derive(Clone, Debug, Default)]
struct StateDraft {
    only: bool,
    boot: bool,
    area: Option<StateArea>,
    zram: StateZram,
    group: Option<Name>,
    upkeep: UpkeepPolicy,
    order: Vec<Name>,
    settings: Vec<(Setting, String)>,
}

impl StateDraft {
    /// Changes the current area, whose name comes first.
    fn change_area(&mut self, change: impl FnOnce(&mut StateArea)) {
        if let Some(area) = &mut self.area {
            change(area);
        }
    }
}

type Key = KeySpec<StateDraft>;

/// A flag of the whole file that is off unless set.
const fn flag(name: &'static str, set: Set) -> Key {
    Key::value(name, T::Flag, D::Is("false"), set)
}

/// A table of the file, or several, which may be absent.
const fn optional_table(name: &'static str, takes: T, help: &'static str) -> Key {
    Key::table(name, takes, D::InWords("none"), help)
}

type Set = fn(&mut StateDraft, &KeyInput<'_>) -> Result<(), String>;

static KEYS: Schema<StateDraft> = Schema {
    groups: &[
        KeyGroup { sections: &[""], heading: "Whole file", keys: FILE_KEYS },
        KeyGroup { sections: &["area"], heading: "Each [[area]]", keys: AREA_KEYS },
        KeyGroup { sections: &["zram"], heading: "Each [[zram]]", keys: ZRAM_KEYS },
        KeyGroup { sections: &["zswap"], heading: "[zswap]", keys: ZSWAP_KEYS },
        KeyGroup { sections: &["cgroup"], heading: "Each [[cgroup]]", keys: CGROUP_KEYS },
        KeyGroup { sections: &["upkeep"], heading: "[upkeep]", keys: UPKEEP_KEYS },
    ],
    bare: false,
    max_bytes: MOST_BYTES,
};

static FILE_KEYS: &[Key] = &[
    flag("only", setter!(only = flag))
        .says("Whether active areas that the file does not name are disabled; swap files and zram devices among them are removed"),
    flag("boot", setter!(boot = flag))
        .says("Whether the state is also applied at each boot, as with --persist"),
    Key::value(
        "default-order",
        T::List("a list of areas and zram devices of the file"),
        UNCHANGED,
        |to, it| {
            let names = it.list().into_iter();
            let names = names.map(|name| read_name(&name));
            names.collect::<Result<_, _>>().map(|order| to.order = order)
        },
    )
    .says("Order of areas with default priority, the first one used first; kernels up to 6.18 fill such areas one by one in the order in which they were enabled"),
    optional_table("area", T::Tables(MOST_TABLES, AREAS), "Swap on devices and in files"),
    optional_table("zram", T::Tables(MOST_TABLES, DEVICES), "Swap on zram devices"),
    optional_table("zswap", T::Table("a table [zswap]"), "Settings of zswap"),
    Key::value("settings", T::Other(VALUE), UNCHANGED, |to, it| {
        if knob::find(it.name).is_none() && !it.name.starts_with("thp.") {
            let near = did_you_mean(it.name, KNOBS.iter().map(|knob| knob.id));
            return Err(format!("unknown setting{near}; to list them: swapadm knobs"));
        }
        add_setting(to, it.name.to_owned(), it.text);
        Ok(())
    })
    .says("Kernel setting, named as in swapadm-knobs(8)")
    .names(KeyNames::Any),
    optional_table("cgroup", T::Tables(MOST_GROUPS, GROUPS), "Limits of cgroups"),
    optional_table("upkeep", T::Table("a table [upkeep]"), "Policy of swapadm-zram-upkeep(8)"),
];

/// Reads a name as `save` writes it.
fn read_name(text: &str) -> Result<Name, String> {
    Name::from_exact(text).map_err(|_| {
        format!("\"{text}\" is not valid: write each backslash twice, as swapadm save does")
    })
}

static AREA_KEYS: &[Key] = &[
    Key::value("name", T::Text, D::Required, |to, it| {
        let name = read_name(it.text)?;
        to.area = Some(StateArea { name, size: None, priority: None, discard: None });
        Ok(())
    })
    .says("Path of the device or file, or LABEL=, UUID=, PARTLABEL= or PARTUUID= with its value"),
    Key::value("size", T::Size(SMALLEST, LARGEST), D::InWords("the present size"), |to, it| {
        let size = it.takes.size(it.text)?;
        to.change_area(|area| area.size = Some(size));
        Ok(())
    })
    .says("Size of a swap file, which is created or resized; not for devices"),
    Key::value("priority", T::Other(PRIORITY), UNCHANGED, |to, it| {
        let priority = priority(it)?;
        to.change_area(|area| area.priority = Some(priority));
        Ok(())
    })
    .says("Priority"),
    Key::value("discard", T::Word(DISCARDS), UNCHANGED, |to, it| {
        let discard = it.takes.word(it.text, &Discard::WORDS)?;
        to.change_area(|area| area.discard = Some(discard));
        Ok(())
    })
    .says("Discard policy (TRIM)"),
];

static ZRAM_KEYS: &[Key] = &[
    Key::value("device", T::Text, D::Required, |to, it| {
        let number = it.text.strip_prefix("zram").and_then(|number| number.parse().ok());
        to.zram.number = number.ok_or_else(|| {
            format!("\"{}\" is not valid: use the name of a zram device, such as zram0", it.text)
        })?;
        Ok(())
    })
    .says("Name of the device, such as zram0"),
    Key::value("size", T::Size(SMALLEST, LARGEST), D::Required, setter!(zram.size = size))
        .says("Size of the device"),
    Key::value(
        "algorithm",
        T::Text,
        D::InWords("the present one, or the kernel's default"),
        setter!(zram.algorithm = Some(text)),
    )
    .says("Compression algorithm"),
    Key::value("second-algorithm", T::Text, UNCHANGED, setter!(zram.second_algorithm = Some(text)))
        .says("Second algorithm, for recompression"),
    Key::value("limit", T::Size(0, LARGEST), UNCHANGED, setter!(zram.limit = Some(size)))
        .says("Limit on the memory of the device; 0B means no limit"),
    Key::value("backing", T::Text, UNCHANGED, |to, it| {
        to.zram.backing = Some(read_name(it.text)?);
        Ok(())
    })
    .says("Backing device for writeback, named as an area"),
    Key::value("priority", T::Other(PRIORITY), D::InWords("the present one, or 100"), |to, it| {
        priority(it).map(|priority| to.zram.priority = Some(priority))
    })
    .says("Priority"),
];

/// A setting of zswap in its table.
macro_rules! zswap {
    ($name:literal, $takes:ident) => {
        Key::value($name, T::Other($takes), UNCHANGED, |to, it| {
            add_setting(to, concat!("zswap.", $name).to_owned(), it.text);
            Ok(())
        })
    };
}

static ZSWAP_KEYS: &[Key] = &[
    zswap!("enabled", SWITCH).says("Whether zswap is enabled"),
    zswap!("compressor", WORD).says("Compression algorithm"),
    zswap!("max_pool_percent", PERCENT).says("Largest pool in percent of memory"),
    zswap!("accept_threshold_percent", PERCENT)
        .says("Percentage of the limit below which a full pool accepts pages again"),
    zswap!("shrinker_enabled", SWITCH)
        .says("Whether cold pages are written back before the pool is full"),
];

static CGROUP_KEYS: &[Key] = &[
    Key::value("path", T::Text, D::Required, |to, it| {
        to.group = Some(read_name(it.text)?);
        Ok(())
    })
    .says("Path of the cgroup, such as /user.slice"),
    Key::value("memory", T::Other(LIMIT), UNCHANGED, |to, it| {
        let id = format!("memory.{}", it.name);
        if !CGROUP_KNOBS.iter().any(|knob| knob.id == id) {
            let known: Vec<&str> = CGROUP_KNOBS.iter().map(|knob| knob.id).collect();
            return Err(format!("unknown setting of a cgroup: use {}", known.join(", ")));
        }
        add_setting(to, id, it.text);
        Ok(())
    })
    .says("Setting of the cgroup, named as its file, such as memory.swap.max")
    .names(KeyNames::Any),
];

static UPKEEP_KEYS: &[Key] = &[
    Key::value(
        "age",
        T::Seconds(1.0, 31_536_000.0),
        D::Is("1h"),
        |to, it| it.takes.time(it.text).map(|age| to.upkeep.age = age.as_secs()),
    )
    .says("Time without use after which a page counts as idle"),
    Key::value("recompress", T::Flag, D::Is("true"), setter!(upkeep.recompress = flag))
        .says("Whether idle and incompressible pages are compressed again, if the device has a second algorithm"),
    Key::value(
        "budget",
        T::Size(4 << 10, LARGEST),
        D::InWords("nothing is written"),
        setter!(upkeep.budget = Some(size)),
    )
    .says("Size that is written to the backing device of a zram device in 24 hours at most"),
    Key::value(
        "compact-from",
        T::Percent(0.0, 100.0),
        D::Is("10%"),
        setter!(upkeep.compact_from = number),
    )
    .says("Share of a device's memory that must be fragmented for it to be compacted"),
];

fn add_setting(to: &mut StateDraft, knob: String, value: &str) {
    to.settings.push((Setting { knob, group: to.group.clone() }, value.to_owned()));
}

fn priority(it: &KeyInput<'_>) -> Result<Priority, String> {
    Priority::parse(it.text)
}

/// The keys, for the manual.
pub fn lines() -> impl Iterator<Item = KeyHelp> {
    KEYS.lines()
}

/// Reads a file.
pub fn read(name: &str, text: &str) -> Result<SwapStateFile, Vec<Problem>> {
    let mut problems = Problems::in_file(name);
    let Some(top) = KEYS.read(text, &mut problems) else { return Err(problems.into_list()) };
    let mut draft = |section: &Section| {
        let mut draft = StateDraft::default();
        KEYS.fill(section, &mut draft, &mut problems);
        draft
    };
    let StateDraft { only, boot, mut settings, order, .. } = draft(&top);
    let areas = top.tables("area").filter_map(|section| draft(section).area).collect();
    let zram = top.tables("zram").map(|section| draft(section).zram).collect();
    for section in top.tables("zswap").chain(top.tables("cgroup")) {
        settings.extend(draft(section).settings);
    }
    let upkeep = top.tables("upkeep").map(|section| draft(section).upkeep).next();
    let not_saved = Vec::new();
    problems.into_result(SwapStateFile {
        only,
        boot,
        areas,
        zram,
        order,
        settings,
        upkeep,
        not_saved,
    })
}

/// Writes a file.
pub fn text(state: &SwapStateFile) -> String {
    let mut text = "# State of swap, for swapadm apply\n".to_owned();
    for (key, value) in [("only", state.only), ("boot", state.boot)] {
        if value {
            let _ = writeln!(text, "{key} = true");
        }
    }
    if !state.order.is_empty() {
        let names: Vec<String> = state.order.iter().map(|name| literal(&name.exact())).collect();
        let _ = writeln!(text, "default-order = [{}]", names.join(", "));
    }
    for why in &state.not_saved {
        let _ = writeln!(text, "# not saved: {}", why.replace(char::is_control, " "));
    }
    for area in &state.areas {
        let name = [("name", area.name.exact())];
        table(&mut text, "[[area]]", name.into_iter().chain(area.keys()));
    }
    for device in &state.zram {
        table(&mut text, "[[zram]]", zram_values(device));
    }
    let own = state.settings.iter().filter(|(setting, _)| setting.group.is_none());
    let (zswap, plain): (Vec<_>, Vec<_>) =
        own.map(|(setting, value)| (setting.knob.as_str(), value)).partition(|(knob, _)| {
            let key = knob.strip_prefix("zswap.");
            key.is_some_and(|key| ZSWAP_KEYS.iter().any(|known| known.name == key))
        });
    let short = zswap.into_iter().map(|(knob, value)| (knob.trim_start_matches("zswap."), value));
    settings_table(&mut text, "[zswap]", short);
    settings_table(&mut text, "[settings]", plain.into_iter());
    for settings in state.settings.chunk_by(|(one, _), (other, _)| one.group == other.group) {
        let Some(group) = settings.first().and_then(|(it, _)| it.group.as_ref()) else { continue };
        let limits = settings.iter().map(|(it, value)| (it.knob.as_str(), value.clone()));
        let path = [("path", group.exact())];
        table(&mut text, "[[cgroup]]", path.into_iter().chain(limits));
    }
    if let Some(policy) = &state.upkeep {
        table(&mut text, "[upkeep]", upkeep_values(policy));
    }
    text
}

/// The values of a policy of upkeep, by key.
fn upkeep_values(policy: &UpkeepPolicy) -> impl Iterator<Item = (&'static str, String)> {
    let set = [
        ("age", policy.age.to_string()),
        ("recompress", policy.recompress.to_string()),
        ("compact-from", format!("{}%", (policy.compact_from * 1e8).round() / 1e6)),
    ];
    let budget = policy.budget.map(|budget| ("budget", budget.exact()));
    set.into_iter().chain(budget)
}

/// The values of a device, by key.
fn zram_values(device: &StateZram) -> impl Iterator<Item = (&'static str, String)> {
    let required = [("device", format!("zram{}", device.number)), ("size", device.size.exact())];
    let others = [
        ("algorithm", device.algorithm.clone()),
        ("second-algorithm", device.second_algorithm.clone()),
        ("limit", device.limit.map(Bytes::exact)),
        ("backing", device.backing.as_ref().map(Name::exact)),
        ("priority", device.priority.map(|priority| priority.to_string())),
    ];
    let others = others.into_iter().filter_map(|(key, value)| Some((key, value?)));
    required.into_iter().chain(others)
}

fn settings_table<'k>(
    text: &mut String,
    head: &str,
    all: impl Iterator<Item = (&'k str, &'k String)>,
) {
    let mut all = all.map(|(key, value)| (key, value.clone())).peekable();
    if all.peek().is_some() {
        table(text, head, all);
    }
}

fn table<'k>(text: &mut String, head: &str, keys: impl Iterator<Item = (&'k str, String)>) {
    let _ = writeln!(text, "\n{head}");
    for (key, value) in keys {
        let _ = writeln!(text, "{key} = {}", literal(&value));
    }
}

/// A number, or a basic string on one line.
fn literal(text: &str) -> String {
    // A number keeps its text only without a sign and leading zeros.
    if text.parse::<u32>().is_ok_and(|number| number.to_string() == text) {
        return text.to_owned();
    }
    quoted(text)
}

#[cfg(test)]
mod tests;
