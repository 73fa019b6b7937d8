//! `config`: what sets up swap at boot.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea};
use crate::model::{Part, PartSet, Reading};

/// The table.
pub struct Config;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "config",
    title: "Set up at boot",
    about: "Entries of fstab, systemd and zram-generator that set up swap",
    style: Style::Rows,
    default: &["kind", "what", "priority", "options", "file", "line"],
    with_two: &[],
    key: "entry",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Config]),
    infos: spec::infos::<Config>,
    cells: spec::cells::<Config>,
};

impl Table for Config {
    type Row<'v> = &'v ConfigEntry;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<&'v ConfigEntry>> {
        view.now.config.reading.as_ref().map(|entries| entries.iter().collect())
    }
}

fn area<T: Clone>(entry: &ConfigEntry, fact: impl Fn(&ConfiguredArea) -> Reading<T>) -> Reading<T> {
    entry.area.as_ref().and_then(fact)
}

const FILES: &str = "/etc/fstab, *.swap units, zram-generator.conf";

static COLUMNS: &[Column<Config>] = &[
    Column {
        info: Info::new("kind", "KIND", Unit::Text)
            .says("fstab, systemd or zram-generator.", FILES),
        get: |entry| match entry.kind {
            ConfigKind::Fstab => "fstab".into(),
            ConfigKind::SystemdSwap => "systemd".into(),
            ConfigKind::ZramGenerator => "zram-generator".into(),
        },
    },
    Column {
        info: Info::new("what", "WHAT", Unit::Text)
            .says("The device, file or tag, as written.", FILES),
        get: |entry| area(entry, |area| Reading::Known(area.what.clone())).into(),
    },
    Column {
        info: Info::new("priority", "PRIO", Unit::Integer).says("The priority asked for.", FILES),
        get: |entry| area(entry, |area| area.priority.clone()).into(),
    },
    Column {
        info: Info::new("options", "OPTIONS", Unit::List)
            .says("All options as written; of a unit that is kept off, what keeps it off.", FILES),
        get: |entry| area(entry, |area| Reading::Known(area.options.clone())).into(),
    },
    Column {
        info: Info::new("file", "FILE", Unit::Text).says("Where it stands.", FILES),
        get: |entry| entry.file.clone().into(),
    },
    Column {
        info: Info::new("line", "LINE", Unit::Count)
            .says("On which line it begins; 0 when the file could not be read.", FILES),
        get: |entry| entry.line.into(),
    },
    Column {
        info: Info::new("entry", "ENTRY", Unit::Text)
            .says("The file and the line: no other entry has the same.", FILES),
        get: |entry| entry.place().into(),
    },
];
