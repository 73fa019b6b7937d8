//! Shared parts of all file formats: files are read up to a limit, those of systemd and zram-generator as
//! sections of `key = value` lines; options and priorities look alike.

use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea, path_for};
use crate::model::{Missing, Name, Reading};
use crate::root::{Root, shown};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Limit of files that are read.
pub(super) const MOST_FILES: usize = 1000;
/// Limit of the size of a file: many times that of any file in use, and read at once.
pub(super) const LARGEST_FILE: usize = 256 << 10;

/// Reads files up to a limit and collects entries.
pub(super) struct ConfigReader<'a> {
    pub(super) root: &'a Root,
    pub(super) files_left: usize,
    pub(super) entries: Vec<ConfigEntry>,
}

impl ConfigReader<'_> {
    /// The bytes of a file; a file that exists but cannot be read becomes an entry with the reason.
    pub(super) fn file(&mut self, path: &Path, kind: ConfigKind) -> Option<Vec<u8>> {
        let Some(left) = self.files_left.checked_sub(1) else {
            let why = format!("more than {MOST_FILES} files set up swap: this one was not read");
            self.unreadable(path, kind, Missing::failed(why));
            return None;
        };
        self.files_left = left;
        match self.root.read(path).into_result() {
            Ok(bytes) if bytes.len() > LARGEST_FILE => {
                let path_shown = shown(path);
                let why = format!("{path_shown} is larger than {LARGEST_FILE} bytes: not read");
                self.unreadable(path, kind, Missing::failed(why));
                None
            }
            Ok(bytes) => Some(bytes),
            Err(missing) => {
                self.unreadable(path, kind, missing);
                None
            }
        }
    }

    /// Files with this ending, by name; of equal names, the one in the first folder.
    pub(super) fn layers(
        &mut self,
        folders: &[PathBuf],
        ending: &[u8],
        kind: ConfigKind,
    ) -> BTreeMap<Vec<u8>, PathBuf> {
        let root = self.root;
        layers(root, folders, ending, |folder, why| self.unreadable(folder, kind, why))
    }

    fn unreadable(&mut self, path: &Path, kind: ConfigKind, missing: Missing) {
        if !matches!(missing, Missing::Absent(_)) {
            self.add(path, 0, kind, missing.into());
        }
    }

    pub(super) fn add(
        &mut self,
        path: &Path,
        line: u32,
        kind: ConfigKind,
        area: Reading<ConfiguredArea>,
    ) {
        let file = Name::new([b"/", path.as_os_str().as_bytes()].concat());
        let leads_to = area.as_ref().and_then(|area| resolve_device(self.root, kind, &area.what));
        self.entries.push(ConfigEntry {
            file,
            line,
            kind,
            area,
            leads_to,
            no_effect: None,
            from_command_line: false,
        });
    }
}

/// Files with this ending, by name; of equal names, the one in the first folder.
pub(in crate::probes) fn layers(
    root: &Root,
    folders: &[PathBuf],
    ending: &[u8],
    mut unreadable: impl FnMut(&Path, Missing),
) -> BTreeMap<Vec<u8>, PathBuf> {
    let mut found = BTreeMap::new();
    for folder in folders {
        match root.names(folder).into_result() {
            Ok(names) => {
                for name in names.into_iter().filter(|name| name.ends_with(ending)) {
                    let path = folder.join(Name::new(name.as_slice()).as_path());
                    found.entry(name).or_insert(path);
                }
            }
            Err(missing) => unreadable(folder, missing),
        }
    }
    found
}

/// The device or file of an entry, with all links resolved.
fn resolve_device(root: &Root, kind: ConfigKind, what: &Name) -> Reading<Name> {
    let path = match kind {
        ConfigKind::ZramGenerator => Name::new([b"/dev/", what.as_bytes()].concat()),
        ConfigKind::Fstab | ConfigKind::SystemdSwap => path_for(what),
    };
    if !path.as_bytes().starts_with(b"/") {
        return Reading::absent("not a path");
    }
    let real = root.real(path.as_path());
    // The captured machine may have it: a capture has only areas whose header could be read.
    if real.is_absent() && kind != ConfigKind::ZramGenerator && !root.is_live() {
        return Reading::failed(format!("{} is not in the captured tree", what.safe()));
    }
    real.map(|real| Name::new(real.as_os_str().as_bytes()))
}

/// Options, separated by commas.
pub(super) fn options(text: &[u8]) -> Vec<String> {
    let words = text.split(|byte| *byte == b',');
    words.map(text_of).filter(|word| !word.is_empty()).collect()
}

/// The priority of `pri=`; the last one wins.
pub(super) fn option_priority(options: &[String]) -> Reading<i32> {
    match options.iter().rev().find_map(|word| word.strip_prefix("pri=")) {
        Some(number) => priority(number),
        None => Reading::absent("no priority given: the kernel chooses one"),
    }
}

pub(super) fn priority(number: &str) -> Reading<i32> {
    let why = || {
        let shown = crate::model::name::safe_text(number);
        Missing::failed(format!("the priority is not a number: \"{shown}\""))
    };
    number.trim().parse().map_err(|_| why()).into()
}

/// Text for people; bytes that are not UTF-8 are shown as replacement characters.
pub(super) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.trim_ascii()).into_owned()
}

/// The number of a line, from its index.
pub(super) fn line_number(index: usize) -> u32 {
    u32::try_from(index.saturating_add(1)).unwrap_or(u32::MAX)
}

/// The error for a section that lacks a required key.
pub(super) fn lacks(path: &Path, what: &str) -> Missing {
    Missing::failed(format!("{} has no {what}", shown(path)))
}

/// A section or a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UnitItem {
    /// `[name]`.
    Section(Vec<u8>),
    /// `key = value`.
    Setting(Vec<u8>, Vec<u8>),
}

/// The sections and settings, with their line numbers; a value continued after a backslash at the end of a
/// line is joined with a space.
pub(super) fn items(bytes: &[u8]) -> Vec<(u32, UnitItem)> {
    let mut items = Vec::new();
    let mut begun: Option<(u32, Vec<u8>)> = None;
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if matches!(line.first(), Some(b'#' | b';')) {
            continue;
        }
        let (number, mut whole) = begun.take().unwrap_or((line_number(index), Vec::new()));
        if let Some(part) = line.strip_suffix(b"\\") {
            whole.extend_from_slice(part);
            whole.push(b' ');
            begun = Some((number, whole));
            continue;
        }
        whole.extend_from_slice(line);
        items.extend(item(&whole).map(|item| (number, item)));
    }
    let rest = begun.and_then(|(number, whole)| Some((number, item(&whole)?)));
    items.extend(rest);
    items
}

fn item(line: &[u8]) -> Option<UnitItem> {
    let line = line.trim_ascii();
    if let Some(name) = line.strip_prefix(b"[").and_then(|l| l.strip_suffix(b"]")) {
        return Some(UnitItem::Section(name.to_vec()));
    }
    let mut halves = line.splitn(2, |byte| *byte == b'=');
    let (key, value) = (halves.next()?.trim_ascii(), halves.next()?.trim_ascii());
    (!key.is_empty()).then(|| UnitItem::Setting(key.to_vec(), value.to_vec()))
}
