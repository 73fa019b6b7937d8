//! systemd `.swap` units and their drop-ins.

use super::reader::{
    self, ConfigReader, UnitItem, lacks, option_priority, options, priority, text_of,
};
use crate::model::config::{ConfigKind, ConfiguredArea, NEVER_STARTED};
use crate::model::{Name, Reading};
use crate::root::Root;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Folder of units that are gone after a reboot.
const RUNTIME: &str = "run/systemd/system";
/// Folders of units; the first has the highest precedence.
const FOLDERS: [&str; 5] = [
    "etc/systemd/system",
    RUNTIME,
    "run/systemd/generator",
    "usr/local/lib/systemd/system",
    "usr/lib/systemd/system",
];
/// Units for what nothing else sets up, such as a swap partition that systemd-gpt-auto-generator discovers.
const LATE: &str = "run/systemd/generator.late";

const KIND: ConfigKind = ConfigKind::SystemdSwap;
const ENDING: &[u8] = b".swap";

/// Settings of the unit and its drop-ins read so far.
#[derive(Default)]
struct Unit {
    line: u32,
    what: Vec<u8>,
    priority: Vec<u8>,
    options: Vec<u8>,
    /// Whether a condition prevents every start.
    never: bool,
}

pub(super) fn read(reader: &mut ConfigReader<'_>) {
    let folders = folders(reader.root);
    for (name, path) in reader.layers(&folders, ENDING, KIND) {
        let path = path_at_boot(reader.root, &folders, path);
        let Some(bytes) = reader.file(&path, KIND) else {
            continue;
        };
        // An empty unit, or a link to /dev/null, is a masked unit.
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

/// Checks whether a unit of this name is masked, or disabled by drop-ins, whatever creates the unit.
pub(super) fn is_disabled(reader: &mut ConfigReader<'_>, name: &Name) -> bool {
    let folders = folders(reader.root);
    let mut said = Unit::default();
    drop_ins(reader, &folders, name.as_bytes(), &mut said);
    said.never || is_masked(reader.root, name)
}

/// Checks whether a unit is masked at boot, when runtime masks are gone.
pub(in crate::probes) fn is_masked(root: &Root, name: &Name) -> bool {
    is_empty(root, &Path::new(FOLDERS[0]).join(name.as_path()))
}

/// The unit file that counts at boot: below a runtime mask, the next one of its name.
fn path_at_boot(root: &Root, folders: &[PathBuf], path: PathBuf) -> PathBuf {
    let (Some(name), true) = (path.file_name(), path.starts_with(RUNTIME) && is_empty(root, &path))
    else {
        return path;
    };
    let below = folders.iter().filter(|folder| *folder != Path::new(RUNTIME));
    let mut below = below.map(|folder| folder.join(name));
    below.find(|unit| root.exists(unit)).unwrap_or(path)
}

fn is_empty(root: &Root, unit: &Path) -> bool {
    root.read(unit).known().is_some_and(Vec::is_empty)
}

/// Folders of links to the units that each unit starts.
pub(super) fn folders_of_links(root: &Root) -> Vec<PathBuf> {
    let starts = |name: &Vec<u8>| name.ends_with(b".wants") || name.ends_with(b".requires");
    let folders = folders(root).into_iter().flat_map(|units| {
        let names = root.names(&units).into_result().unwrap_or_default().into_iter();
        names.filter(starts).map(move |name| units.join(OsStr::from_bytes(&name)))
    });
    folders.collect()
}

/// Folders of units on this machine.
pub(in crate::probes) fn folders(root: &Root) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(PathBuf::from).collect();
    // Where /lib is a link, it is the same folder again.
    if root.link("lib").known().is_none() {
        folders.push("lib/systemd/system".into());
    }
    folders.push(LATE.into());
    folders
}

/// Drop-in folders of a unit: its own, those of each prefix of its name up to a dash, each followed by that
/// of its template, and that of all units of the type. Of drop-ins with equal names, the one in the first
/// folder applies.
pub fn drop_in_folders(unit: &Name) -> Vec<Name> {
    let (stem, kind) = split(unit.as_bytes(), b'.', true);
    let (stem, instance) = split(stem, b'@', false);
    let dashes = (1..stem.len()).rev().filter(|end| stem.get(end - 1) == Some(&b'-'));
    let begins = dashes.filter_map(|end| stem.get(..end));
    let tails = if instance.len() > 1 { vec![instance, b"@"] } else { vec![instance] };
    let own = std::iter::once(stem).chain(begins);
    let own = own.flat_map(|stem| tails.iter().map(move |tail| [stem, tail, kind, b".d"].concat()));
    let of_all = kind.strip_prefix(b".").map(|kind| [kind, b".d"].concat());
    own.chain(of_all).map(Name::new).collect()
}

/// Splits before the first or the last of these bytes.
fn split(name: &[u8], at: u8, last: bool) -> (&[u8], &[u8]) {
    let is = |byte: &u8| *byte == at;
    let place = if last { name.iter().rposition(is) } else { name.iter().position(is) };
    name.split_at(place.unwrap_or(name.len()))
}

/// Applies drop-ins in the order of their names.
fn drop_ins(reader: &mut ConfigReader<'_>, folders: &[PathBuf], name: &[u8], unit: &mut Unit) {
    let mut own = drop_in_folders(&Name::new(name));
    // The folder for all units of a type comes after the others, wherever it is.
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
        let mut section = Vec::new();
        for (number, item) in reader::items(bytes) {
            match item {
                UnitItem::Section(name) => {
                    if name == b"Swap" && main && self.line == 0 {
                        self.line = number;
                    }
                    section = name;
                }
                UnitItem::Setting(key, value) => match section.as_slice() {
                    b"Swap" => self.swap(&key, value),
                    b"Unit" => self.unit(&key, &value),
                    _ => {}
                },
            }
        }
    }

    fn swap(&mut self, key: &[u8], value: Vec<u8>) {
        match key {
            b"What" => self.what = value,
            b"Priority" => self.priority = value,
            b"Options" => self.options = value,
            _ => {}
        }
    }

    /// All conditions must be met; an empty one resets earlier conditions of all kinds.
    fn unit(&mut self, key: &[u8], value: &[u8]) {
        if key.starts_with(b"Condition") && value.is_empty() {
            self.never = false;
        }
        self.never |= [key, b"=", value].concat() == NEVER_STARTED.as_bytes();
    }

    fn area(&self, path: &Path) -> Reading<ConfiguredArea> {
        if self.what.is_empty() {
            return lacks(path, "What= in a [Swap] section").into();
        }
        let mut options = options(&self.options);
        options.extend(self.never.then(|| NEVER_STARTED.to_owned()));
        let asks = options.iter().any(|option| option.starts_with("pri="));
        Reading::Known(ConfiguredArea {
            what: Name::new(self.what.as_slice()),
            // An explicit pri= option wins over Priority=.
            priority: match self.priority.as_slice() {
                number if !number.is_empty() && !asks => priority(&text_of(number)),
                _ => option_priority(&options),
            },
            options,
        })
    }
}
