//! zram-generator: one main file, and drop-ins that change or add sections.

use super::reader::{self, ConfigReader, UnitItem, priority, text_of};
use crate::model::config::{ConfigKind, ConfiguredArea};
use crate::model::{Name, Reading};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders of its files; the first has the highest precedence.
pub(super) const FOLDERS: [&str; 4] =
    ["run/systemd", "etc/systemd", "usr/local/lib/systemd", "usr/lib/systemd"];
const MAIN: &str = "zram-generator.conf";
const DROP_INS: &str = "zram-generator.conf.d";
const KIND: ConfigKind = ConfigKind::ZramGenerator;

/// Devices by name.
type Devices = BTreeMap<Vec<u8>, Device>;

/// One device, and where it is first named.
struct Device {
    /// The number of devices that were named before.
    order: usize,
    file: PathBuf,
    line: u32,
    /// Values by key, each with the number of keys before.
    settings: BTreeMap<Vec<u8>, (usize, Vec<u8>)>,
}

pub(super) fn read(reader: &mut ConfigReader<'_>) {
    let mut devices = Devices::new();
    let folders: Vec<PathBuf> = FOLDERS.iter().map(PathBuf::from).collect();
    // Only one of the main files applies, and all drop-ins come after it.
    let is_there = |path: &PathBuf| !reader.root.facts(path).is_absent();
    let main = folders.iter().map(|folder| folder.join(MAIN)).find(is_there);
    let below: Vec<PathBuf> = folders.iter().map(|f| f.join(DROP_INS)).collect();
    let drop_ins = reader.layers(&below, b".conf", KIND).into_values();
    for path in main.into_iter().chain(drop_ins) {
        if let Some(bytes) = reader.file(&path, KIND) {
            merge(&mut devices, &path, &bytes);
        }
    }
    let mut devices: Vec<_> = devices.into_iter().collect();
    devices.sort_by_key(|(_, device)| device.order);
    for (name, Device { file, line, settings, .. }) in devices {
        reader.add(&file, line, KIND, Reading::Known(area(&name, settings)));
    }
}

fn merge(devices: &mut Devices, file: &Path, bytes: &[u8]) {
    let mut current: Option<&mut Device> = None;
    for (line, item) in reader::items(bytes) {
        match item {
            UnitItem::Section(name) if is_zram(&name) => {
                let (order, file) = (devices.len(), file.to_owned());
                let new = || Device { order, file, line, settings: BTreeMap::new() };
                current = Some(devices.entry(name).or_insert_with(new));
            }
            UnitItem::Section(_) => current = None,
            UnitItem::Setting(key, value) => {
                if let Some(Device { settings, .. }) = &mut current {
                    let order = settings.len();
                    settings.entry(key).or_insert((order, Vec::new())).1 = value;
                }
            }
        }
    }
}

fn is_zram(name: &[u8]) -> bool {
    let number = name.strip_prefix(b"zram").unwrap_or_default();
    !number.is_empty() && number.iter().all(u8::is_ascii_digit)
}

fn area(name: &[u8], mut settings: BTreeMap<Vec<u8>, (usize, Vec<u8>)>) -> ConfiguredArea {
    let found = settings.remove(b"swap-priority".as_slice());
    let mut others: Vec<_> = settings.into_iter().collect();
    others.sort_by_key(|(_, (order, _))| *order);
    ConfiguredArea {
        what: Name::new(name),
        priority: match found {
            Some((_, number)) => priority(&text_of(&number)),
            None => Reading::absent("no swap-priority given: zram-generator uses 100"),
        },
        options: others
            .iter()
            .map(|(key, (_, value))| format!("{} = {}", text_of(key), text_of(value)))
            .collect(),
    }
}
