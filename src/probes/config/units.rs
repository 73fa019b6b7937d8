//! systemd `.swap` units and their drop-ins.

use super::{Reader, ini, lacks, option_priority, options, priority, text_of};
use crate::model::config::{ConfigKind, ConfiguredArea};
use crate::model::{Name, Reading};
use std::path::{Path, PathBuf};

/// Folders of units; the first counts most.
const FOLDERS: [&str; 4] =
    ["etc/systemd/system", "run/systemd/system", "run/systemd/generator", "usr/lib/systemd/system"];

const KIND: ConfigKind = ConfigKind::SystemdSwap;

/// What the unit and its drop-ins say so far.
#[derive(Default)]
struct Unit {
    line: u32,
    what: Vec<u8>,
    priority: Vec<u8>,
    options: Vec<u8>,
}

pub(super) fn read(reader: &mut Reader<'_>) {
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(PathBuf::from).collect();
    // Where /lib is a link, it is the same folder once more.
    if reader.root.link("lib").known().is_none() {
        folders.push("lib/systemd/system".into());
    }
    for (name, path) in reader.layers(&folders, b".swap", KIND) {
        let Some(bytes) = reader.file(&path, KIND) else {
            continue;
        };
        // An empty unit, or a link to /dev/null, is one that was switched off.
        if bytes.is_empty() {
            continue;
        }
        let mut unit = Unit::default();
        unit.apply(&bytes, true);
        drop_ins(reader, &folders, &name, &mut unit);
        let area = unit.area(&path);
        reader.add(&path, unit.line, KIND, area);
    }
}

/// Files in `NAME.swap.d` change single settings, in the order of their names.
fn drop_ins(reader: &mut Reader<'_>, folders: &[PathBuf], name: &[u8], unit: &mut Unit) {
    let below = Name::new([name, b".d"].concat());
    let below: Vec<PathBuf> = folders.iter().map(|f| f.join(below.as_path())).collect();
    for path in reader.layers(&below, b".conf", KIND).values() {
        if let Some(bytes) = reader.file(path, KIND) {
            unit.apply(&bytes, false);
        }
    }
}

impl Unit {
    fn apply(&mut self, bytes: &[u8], main: bool) {
        let mut inside = false;
        for (number, item) in ini::parse(bytes) {
            match item {
                ini::Item::Section(name) => {
                    inside = name == b"Swap";
                    if inside && main && self.line == 0 {
                        self.line = number;
                    }
                }
                ini::Item::Setting(key, value) if inside => match key.as_slice() {
                    b"What" => self.what = value,
                    b"Priority" => self.priority = value,
                    b"Options" => self.options = value,
                    _ => {}
                },
                ini::Item::Setting(..) => {}
            }
        }
    }

    fn area(&self, path: &Path) -> Reading<ConfiguredArea> {
        if self.what.is_empty() {
            return lacks(path, "What= in a [Swap] section").into();
        }
        let options = options(&self.options);
        Reading::Known(ConfiguredArea {
            what: Name::new(self.what.as_slice()),
            priority: match self.priority.as_slice() {
                [] => option_priority(&options),
                number => priority(&text_of(number)),
            },
            options,
        })
    }
}
