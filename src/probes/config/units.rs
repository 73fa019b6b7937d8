//! systemd `.swap` units and their drop-ins.

use super::{Reader, ini, lacks, option_priority, options, priority, text_of};
use crate::model::config::{ConfigKind, ConfiguredArea};
use crate::model::{Name, Reading};
use std::path::{Path, PathBuf};

/// Folders of units; the first counts most.
const FOLDERS: [&str; 4] =
    ["etc/systemd/system", "run/systemd/system", "run/systemd/generator", "usr/lib/systemd/system"];

const KIND: ConfigKind = ConfigKind::SystemdSwap;
const ENDING: &[u8] = b".swap";
/// What changes settings of all units of the kind.
const OF_ALL: &str = "swap.d";

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
    for (name, path) in reader.layers(&folders, ENDING, KIND) {
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

/// The folders whose files change single settings of a unit: its own, those of all units whose
/// names begin as its does up to a dash, and that of all units of the kind. Of files of one name
/// that in the first folder counts.
#[must_use]
pub fn beside(unit: &Name) -> Vec<Name> {
    let stem = unit.as_bytes().strip_suffix(ENDING).unwrap_or(unit.as_bytes());
    let dashes = (1..stem.len()).rev().filter(|end| stem.get(end - 1) == Some(&b'-'));
    let begins = dashes.filter_map(|end| stem.get(..end));
    let own = std::iter::once(stem).chain(begins);
    let mut all: Vec<Name> = own.map(|stem| Name::new([stem, ENDING, b".d"].concat())).collect();
    all.push(OF_ALL.into());
    all
}

/// These files change single settings, in the order of their names.
fn drop_ins(reader: &mut Reader<'_>, folders: &[PathBuf], name: &[u8], unit: &mut Unit) {
    let mut own = beside(&Name::new(name));
    // That of all units comes after the others wherever it is.
    let of_all: Vec<Name> = own.pop().into_iter().collect();
    let within = |names: &[Name]| {
        let of_folder =
            |folder: &PathBuf| names.iter().map(|it| folder.join(it.as_path())).collect();
        folders.iter().flat_map::<Vec<PathBuf>, _>(of_folder).collect::<Vec<_>>()
    };
    let below = [within(&own), within(&of_all)].concat();
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
        let asks = options.iter().any(|option| option.starts_with("pri="));
        Reading::Known(ConfiguredArea {
            what: Name::new(self.what.as_slice()),
            // Where both say something the option counts.
            priority: match self.priority.as_slice() {
                number if !number.is_empty() && !asks => priority(&text_of(number)),
                _ => option_priority(&options),
            },
            options,
        })
    }
}
