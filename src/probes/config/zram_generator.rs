//! zram-generator: one main file, and drop-ins that change or add sections.

use super::reader::{self, ConfigReader, UnitItem, priority, text_of};
use crate::model::config::{ConfigKind, ConfiguredArea};
use crate::model::{Name, Reading};
use std::path::{Path, PathBuf};

/// Folders of its files; the first has the highest precedence.
pub(super) const FOLDERS: [&str; 4] =
    ["run/systemd", "etc/systemd", "usr/local/lib/systemd", "usr/lib/systemd"];
const MAIN: &str = "zram-generator.conf";
const DROP_INS: &str = "zram-generator.conf.d";
const KIND: ConfigKind = ConfigKind::ZramGenerator;

/// One device, and where it is first named.
struct Device {
    name: Vec<u8>,
    file: PathBuf,
    line: u32,
    settings: Vec<(Vec<u8>, Vec<u8>)>,
}

pub(super) fn read(reader: &mut ConfigReader<'_>) {
    let mut devices = Vec::new();
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
    for device in &devices {
        let area = Reading::Known(device.area());
        reader.add(&device.file, device.line, KIND, area);
    }
}

fn merge(devices: &mut Vec<Device>, file: &Path, bytes: &[u8]) {
    let mut current = None;
    for (line, item) in reader::items(bytes) {
        match item {
            UnitItem::Section(name) => {
                current = is_zram(&name).then_some(name.clone());
                if current.is_some() && !devices.iter().any(|device| device.name == name) {
                    devices.push(Device {
                        name,
                        file: file.to_owned(),
                        line,
                        settings: Vec::new(),
                    });
                }
            }
            UnitItem::Setting(key, value) => {
                let device =
                    devices.iter_mut().find(|device| Some(&device.name) == current.as_ref());
                if let Some(device) = device {
                    device.set(key, value);
                }
            }
        }
    }
}

fn is_zram(name: &[u8]) -> bool {
    let number = name.strip_prefix(b"zram").unwrap_or_default();
    !number.is_empty() && number.iter().all(u8::is_ascii_digit)
}

impl Device {
    fn set(&mut self, key: Vec<u8>, value: Vec<u8>) {
        match self.settings.iter_mut().find(|(known, _)| *known == key) {
            Some((_, old)) => *old = value,
            None => self.settings.push((key, value)),
        }
    }

    fn area(&self) -> ConfiguredArea {
        let is_priority = |key: &Vec<u8>| key == b"swap-priority";
        let found = self.settings.iter().find(|(key, _)| is_priority(key));
        let others = self.settings.iter().filter(|(key, _)| !is_priority(key));
        ConfiguredArea {
            what: Name::new(self.name.as_slice()),
            priority: match found {
                Some((_, number)) => priority(&text_of(number)),
                None => Reading::absent("no swap-priority given: zram-generator uses 100"),
            },
            options: others
                .map(|(key, value)| format!("{} = {}", text_of(key), text_of(value)))
                .collect(),
        }
    }
}
