//! The file of a setup of swap: TOML, one description of each key for reader, errors and manual.

use crate::change::state::{SetupArea, SetupZram, SwapSetup};
use crate::config::{
    KeyDefault as D, KeyGroup, KeyHelp, KeyInput, KeyNames, KeySpec, Problem, Problems, Schema,
    Section, ValueType as T, setter,
};
use crate::model::Name;
use crate::model::activation::{Discard, MAX_PRIORITY, Priority};
use std::fmt::Write as _;

const MOST_TABLES: usize = 256;
const LARGEST: u64 = 64 << 40;
const AREAS: fn() -> String = || "tables [[area]]".to_owned();
const DEVICES: fn() -> String = || "tables [[zram]]".to_owned();
const PRIORITY: fn() -> String = || format!("0 to {MAX_PRIORITY}, or default");
const DISCARDS: fn() -> Vec<&'static str> = || Discard::WORDS.map(|(word, _)| word).to_vec();
const UNCHANGED: D = D::InWords("the present value");

/// A setup while its file is read, with the current table of each kind.
#[derive(Clone, Debug, Default)]
struct SetupDraft {
    only: bool,
    area: SetupArea,
    zram: SetupZram,
    knobs: Vec<(String, String)>,
}

type Key = KeySpec<SetupDraft>;

static KEYS: Schema<SetupDraft> = Schema {
    groups: &[
        KeyGroup { sections: &[""], heading: "Whole file", keys: FILE_KEYS },
        KeyGroup { sections: &["area"], heading: "Each [[area]]", keys: AREA_KEYS },
        KeyGroup { sections: &["zram"], heading: "Each [[zram]]", keys: ZRAM_KEYS },
    ],
    bare: false,
};

static FILE_KEYS: &[Key] = &[
    Key::new(
        "only",
        T::Flag,
        D::Is("false"),
        "Whether active areas that the file does not name are disabled",
        setter!(only = flag),
    ),
    Key::table(
        "area",
        T::Tables(MOST_TABLES, AREAS),
        D::InWords("none"),
        "Areas that are active, in the order in which they are filled where priorities are equal defaults",
    ),
    Key::table("zram", T::Tables(MOST_TABLES, DEVICES), D::InWords("none"), "Swap on zram devices"),
    Key::new(
        "set",
        T::Text,
        D::InWords("the present value"),
        "Kernel setting, named as in swapadm-knobs(8)",
        |to, it| {
            to.knobs.push((it.name.to_owned(), it.text.to_owned()));
            Ok(())
        },
    )
    .names(KeyNames::Any),
];

static AREA_KEYS: &[Key] = &[
    Key::new(
        "name",
        T::Text,
        D::Required,
        "Path of the device or file, or LABEL=, UUID=, PARTLABEL= or PARTUUID= with its value",
        |to, it| {
            to.area.name = Name::from_exact(it.text).map_err(|_| it.refuse())?;
            Ok(())
        },
    ),
    Key::new("priority", T::Other(PRIORITY), UNCHANGED, "Priority", |to, it| {
        priority(it).map(|priority| to.area.priority = Some(priority))
    }),
    Key::new(
        "discard",
        T::Word(DISCARDS),
        UNCHANGED,
        "Discard policy; cannot be changed while the area is active",
        |to, it| {
            it.takes.word(it.text, &Discard::WORDS).map(|discard| to.area.discard = Some(discard))
        },
    ),
];

static ZRAM_KEYS: &[Key] = &[
    Key::new("device", T::Text, D::Required, "Name of the device, such as zram0", |to, it| {
        let number = it.text.strip_prefix("zram").and_then(|number| number.parse().ok());
        to.zram.number = number.ok_or_else(|| it.refuse())?;
        Ok(())
    }),
    Key::new("size", T::Size(4096, LARGEST), D::Required, "Size of the device", |to, it| {
        it.takes.size(it.text).map(|size| to.zram.size = size)
    }),
    Key::new(
        "algorithm",
        T::Text,
        UNCHANGED,
        "Compression algorithm",
        setter!(zram.algorithm = Some(text)),
    ),
    Key::new(
        "limit",
        T::Size(0, LARGEST),
        UNCHANGED,
        "Limit on the memory of the device; 0 means no limit",
        |to, it| it.takes.size(it.text).map(|limit| to.zram.limit = Some(limit)),
    ),
    Key::new(
        "priority",
        T::Other(PRIORITY),
        UNCHANGED,
        "Priority; 100 for a new device",
        |to, it| priority(it).map(|priority| to.zram.priority = Some(priority)),
    ),
];

fn priority(it: &KeyInput<'_>) -> Result<Priority, String> {
    Priority::parse(it.text)
}

/// The keys, for the manual.
pub fn lines() -> impl Iterator<Item = KeyHelp> {
    KEYS.lines()
}

/// Reads a file.
pub fn read(name: &str, text: &str) -> Result<SwapSetup, Vec<Problem>> {
    let mut problems = Problems::in_file(name);
    let Some(top) = KEYS.read(text, &mut problems) else { return Err(problems.into_list()) };
    let mut draft = |section: &Section| {
        let mut draft = SetupDraft::default();
        KEYS.fill(section, &mut draft, &mut problems);
        draft
    };
    let SetupDraft { only, knobs, .. } = draft(&top);
    let areas = top.tables("area").map(|section| draft(section).area).collect();
    let zram = top.tables("zram").map(|section| draft(section).zram).collect();
    problems.into_result(SwapSetup { only, areas, zram, knobs })
}

/// Writes a file.
pub fn text(setup: &SwapSetup) -> String {
    let mut text = "# Setup of swap: swapadm apply FILE\n".to_owned();
    for area in &setup.areas {
        let name = [("name", area.name.exact())];
        table(&mut text, "[[area]]", name.into_iter().chain(area.keys()));
    }
    for device in &setup.zram {
        let name = [("device", format!("zram{}", device.number))];
        table(&mut text, "[[zram]]", name.into_iter().chain(device.keys()));
    }
    if !setup.knobs.is_empty() {
        text.push_str("\n[set]\n");
    }
    for (knob, value) in &setup.knobs {
        let _ = writeln!(text, "{} = {}", quoted(knob), quoted(value));
    }
    text
}

fn table<'k>(text: &mut String, head: &str, keys: impl Iterator<Item = (&'k str, String)>) {
    let _ = writeln!(text, "\n{head}");
    for (key, value) in keys {
        let _ = writeln!(text, "{key} = {}", quoted(&value));
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Bytes;

    #[test]
    fn a_written_file_is_read_as_the_same_setup() {
        let area = |name: &[u8], priority, discard| SetupArea {
            name: Name::new(name.to_vec()),
            priority,
            discard,
        };
        let setup = SwapSetup {
            only: false,
            areas: vec![
                area(b"UUID=5a9c0f3e-7b1d-4e62-8f40-00000000c0de", Some(Priority::Set(5)), None),
                area(b"/a \"b\"\\\n\xff", Some(Priority::Default), Some(Discard::Once)),
            ],
            zram: vec![SetupZram {
                number: 3,
                size: Bytes(2304 << 20),
                algorithm: Some("zstd".to_owned()),
                limit: Some(Bytes(0)),
                priority: Some(Priority::Set(100)),
            }],
            knobs: vec![
                ("page-cluster".to_owned(), "0".to_owned()),
                ("zswap.enabled".to_owned(), "N".to_owned()),
            ],
        };
        let text = text(&setup);
        assert_eq!(read("x", &text).unwrap(), setup, "{text}");
    }

    #[test]
    fn errors_name_line_and_key() {
        let said = |text: &str| read("f", text).unwrap_err()[0].to_string();
        assert!(said("[[area]]\nname = \"/x\"\npriority = 40000\n").starts_with("f:3: "));
        assert!(said("[[area]]\npriority = 1\n").contains("name"));
        assert!(said("[[zram]]\ndevice = \"sda\"\nsize = \"1G\"\n").starts_with("f:2: "));
        assert!(said("[[zram]]\ndevice = \"zram0\"\nsize = \"1\"\n").starts_with("f:3: "));
        assert!(said("onyl = true\n").contains("only"));
    }
}
