//! Files that set up swap at boot: `/etc/fstab`, systemd `.swap` units, zram-generator.
//!
//! No kernel interface: formats of util-linux, systemd and zram-generator; readable by everyone as
//! a rule. A file of the same name in a folder that counts more hides the others, and drop-ins are
//! merged, as the programs themselves do. A unit that systemd made from a line of `fstab` stands
//! here beside that line. It does not say whether a unit is enabled, follows no specifiers (`%`)
//! and knows no other tool that sets up swap, such as zramctl in a script.

mod fstab;
mod ini;
mod units;
mod zram_generator;

pub use units::beside;

use super::{Probe, Tier};
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea, path_of};
use crate::model::{Missing, Name, Part, Reading};
use crate::root::{Root, shown};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Config,
    id: "config",
    tier: Tier::OnDemand,
    files: &[
        "etc/fstab",
        "lib",
        "etc/systemd/system/*.swap",
        "etc/systemd/system/*.swap.d/*.conf",
        "run/systemd/system/*.swap",
        "run/systemd/system/*.swap.d/*.conf",
        "run/systemd/generator/*.swap",
        "run/systemd/generator/*.swap.d/*.conf",
        "usr/lib/systemd/system/*.swap",
        "usr/lib/systemd/system/*.swap.d/*.conf",
        "lib/systemd/system/*.swap",
        "lib/systemd/system/*.swap.d/*.conf",
        "etc/systemd/system/swap.d/*.conf",
        "run/systemd/system/swap.d/*.conf",
        "usr/lib/systemd/system/swap.d/*.conf",
        "etc/systemd/zram-generator.conf",
        "etc/systemd/zram-generator.conf.d/*.conf",
        "run/systemd/zram-generator.conf",
        "run/systemd/zram-generator.conf.d/*.conf",
        "usr/lib/systemd/zram-generator.conf",
        "usr/lib/systemd/zram-generator.conf.d/*.conf",
    ],
    about: "Swap that is set up at boot: fstab, systemd units, zram-generator",
    remedy: "run as root if the files are not readable by all",
};

/// Most files that are read.
const MOST_FILES: usize = 1000;

/// Read all of them. A file that does not exist yields nothing, one that cannot be read an entry
/// with the reason.
pub fn read(root: &Root) -> Vec<ConfigEntry> {
    let mut reader = Reader { root, files_left: MOST_FILES, entries: Vec::new() };
    fstab::read(&mut reader);
    units::read(&mut reader);
    zram_generator::read(&mut reader);
    reader.entries
}

/// Reads files within a bound and collects entries.
struct Reader<'a> {
    root: &'a Root,
    files_left: usize,
    entries: Vec<ConfigEntry>,
}

impl Reader<'_> {
    /// The bytes of a file; when it is there but cannot be read, that becomes an entry.
    fn file(&mut self, path: &Path, kind: ConfigKind) -> Option<Vec<u8>> {
        let Some(left) = self.files_left.checked_sub(1) else {
            let why = format!("more than {MOST_FILES} files set up swap: this one was not read");
            self.unreadable(path, kind, Missing::failed(why));
            return None;
        };
        self.files_left = left;
        match self.root.read(path).into_result() {
            Ok(bytes) => Some(bytes),
            Err(missing) => {
                self.unreadable(path, kind, missing);
                None
            }
        }
    }

    /// Files with this ending, by name; of equal names the one in the first folder counts.
    fn layers(
        &mut self,
        folders: &[PathBuf],
        ending: &[u8],
        kind: ConfigKind,
    ) -> BTreeMap<Vec<u8>, PathBuf> {
        let mut found = BTreeMap::new();
        for folder in folders {
            match self.root.names(folder).into_result() {
                Ok(names) => {
                    for name in names.into_iter().filter(|name| name.ends_with(ending)) {
                        let path = folder.join(Name::new(name.as_slice()).as_path());
                        found.entry(name).or_insert(path);
                    }
                }
                Err(missing) => self.unreadable(folder, kind, missing),
            }
        }
        found
    }

    fn unreadable(&mut self, path: &Path, kind: ConfigKind, missing: Missing) {
        if !matches!(missing, Missing::Absent(_)) {
            self.add(path, 0, kind, missing.into());
        }
    }

    fn add(&mut self, path: &Path, line: u32, kind: ConfigKind, area: Reading<ConfiguredArea>) {
        let file = Name::new([b"/", path.as_os_str().as_bytes()].concat());
        let leads_to = area.as_ref().and_then(|area| leads_to(self.root, kind, &area.what));
        self.entries.push(ConfigEntry { file, line, kind, area, leads_to });
    }
}

/// The device or file that an entry names, all links followed.
fn leads_to(root: &Root, kind: ConfigKind, what: &Name) -> Reading<Name> {
    let path = match kind {
        ConfigKind::ZramGenerator => Name::new([b"/dev/", what.as_bytes()].concat()),
        ConfigKind::Fstab | ConfigKind::SystemdSwap => path_of(what),
    };
    if !path.as_bytes().starts_with(b"/") {
        return Reading::absent("it is no path");
    }
    root.real(path.as_path()).map(|real| Name::new(real.as_os_str().as_bytes()))
}

/// Options separated by commas.
fn options(text: &[u8]) -> Vec<String> {
    let words = text.split(|byte| *byte == b',');
    words.map(text_of).filter(|word| !word.is_empty()).collect()
}

/// What `pri=` among the options asks for; the last one counts.
fn option_priority(options: &[String]) -> Reading<i32> {
    match options.iter().rev().find_map(|word| word.strip_prefix("pri=")) {
        Some(number) => priority(number),
        None => Reading::absent("it asks for no priority: the kernel chooses one"),
    }
}

fn priority(number: &str) -> Reading<i32> {
    let why = || {
        let shown = crate::model::name::safe_text(number);
        Missing::failed(format!("the priority is no number: \"{shown}\""))
    };
    number.trim().parse().map_err(|_| why()).into()
}

/// Bytes that are not UTF-8 are shown as such; these texts are for people.
fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.trim_ascii()).into_owned()
}

/// The number of a line, from its place.
fn line_number(index: usize) -> u32 {
    u32::try_from(index.saturating_add(1)).unwrap_or(u32::MAX)
}

/// That a file has a section but not what the section is for.
fn lacks(path: &Path, what: &str) -> Missing {
    Missing::failed(format!("{} has no {what}", shown(path)))
}

#[cfg(test)]
mod tests;
