//! `config`: boot configuration that sets up swap.

use crate::columns::spec::Spec;
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea};
use crate::model::{Reading, part_set};

table!(pub struct ConfigTable: &'v ConfigEntry, Column, COLUMNS, |view, _| {
    view.now.config.reading.as_ref().map(|entries| entries.iter().collect())
});

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ConfigTable>("config", "Set up at boot", "entry")
    .about("Entries of fstab, systemd and zram-generator that set up swap at boot")
    .shows("kind,what,priority,options,file,line")
    .needs(part_set![Config]);

fn area<T: Clone>(entry: &ConfigEntry, fact: impl Fn(&ConfiguredArea) -> Reading<T>) -> Reading<T> {
    entry.area.as_ref().and_then(fact)
}

const FILES: &str = "/etc/fstab, *.swap units, zram-generator.conf";

static COLUMNS: &[Column] = &[
    Column::text("kind", "KIND", |entry| match entry.kind {
        ConfigKind::Fstab => "fstab".into(),
        ConfigKind::SystemdSwap => "systemd".into(),
        ConfigKind::ZramGenerator => "zram-generator".into(),
    })
    .says("Kind of configuration: fstab, systemd or zram-generator.", FILES),
    Column::text("what", "WHAT", |entry| {
        area(entry, |area| Reading::Known(area.what.clone())).into()
    })
    .says("Device, file or tag, as written in the file.", FILES),
    Column::integer("priority", "PRIO", |entry| area(entry, |area| area.priority.clone()).into())
        .says("Configured priority.", FILES),
    Column::list("options", "OPTIONS", |entry| {
        area(entry, |area| Reading::Known(area.options.clone())).into()
    })
    .says("Options as written; for a disabled unit, the condition that disables it.", FILES),
    Column::text("file", "FILE", |entry| entry.file.clone().into())
        .says("Configuration file.", FILES),
    Column::count("line", "LINE", |entry| entry.line.into())
        .says("First line of the entry; 0 if the file could not be read.", FILES),
    Column::text("entry", "ENTRY", |entry| entry.location().into())
        .says("FILE:LINE, which identifies the entry.", FILES),
];
