//! Files that configure swap and kernel settings at boot.

use super::activation::{MAX_PRIORITY, Priority};
use super::name::Name;
use super::reading::Reading;
use serde::{Deserialize, Serialize};

/// Kind of configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigKind {
    /// A line of `/etc/fstab`.
    Fstab,
    /// A systemd `.swap` unit.
    SystemdSwap,
    /// A section of a zram-generator file.
    ZramGenerator,
}

impl ConfigKind {
    /// The priority of areas whose entry requests none.
    pub fn default_priority(self) -> Priority {
        match self {
            Self::Fstab | Self::SystemdSwap => Priority::Default,
            Self::ZramGenerator => Priority::Set(100),
        }
    }
}

/// A configured area, or a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigEntry {
    /// The file, as an absolute path.
    pub file: Name,
    /// First line of the entry; zero if the file could not be read.
    pub line: u32,
    /// Kind of file.
    pub kind: ConfigKind,
    /// Configured area; missing if the file could not be read.
    pub area: Reading<ConfiguredArea>,
    /// Device or file that it names, with links resolved; missing if it does not exist now.
    #[serde(default = "Reading::not_sampled")]
    pub leads_to: Reading<Name>,
    /// Why the entry has no effect at boot, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_effect: Option<NoEffect>,
    /// Whether systemd generated the unit from the kernel command line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_command_line: bool,
}

/// Reason outside of an entry why it has no effect at boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoEffect {
    /// No other unit wants or requires this unit.
    NothingStartsUnit,
    /// `swap.target`, which starts the units of areas, is masked.
    TargetMasked,
    /// `systemd.swap=0` on the kernel command line.
    SwapOption,
    /// `fstab=no` on the kernel command line.
    FstabOption,
    /// `systemd.zram=0` on the kernel command line.
    ZramOption,
    /// The generators of systemd do nothing in a container.
    Container,
    /// The machine has more memory than `host-memory-limit` of the zram-generator section.
    MemoryLimit,
    /// zram-generator is not installed.
    NoGenerator,
    /// The zram device of an fstab line is empty after a boot, and no known file sets it up.
    NoDevice,
}

impl NoEffect {
    /// The reason, as part of a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NothingStartsUnit => "nothing starts the unit",
            Self::TargetMasked => "swap.target is masked",
            Self::SwapOption => "the kernel command line has systemd.swap=0",
            Self::FstabOption => "the kernel command line has fstab=no",
            Self::ZramOption => "the kernel command line has systemd.zram=0",
            Self::Container => "systemd sets up no swap in a container",
            Self::MemoryLimit => "the machine has more memory than host-memory-limit",
            Self::NoGenerator => "zram-generator is not installed",
            Self::NoDevice => "no known file creates the zram device",
        }
    }
}

/// Condition in a unit that is never started: its area stays disabled without a failure.
pub const NEVER_STARTED: &str = "ConditionPathExists=!/";

impl ConfigEntry {
    /// `FILE:LINE`, which identifies the entry.
    pub fn location(&self) -> Name {
        Name::new([self.file.as_bytes(), format!(":{}", self.line).as_bytes()].concat())
    }

    /// Whether its area stays disabled at boot.
    pub fn leaves_area_disabled(&self) -> bool {
        self.disables_itself() || self.no_effect.is_some()
    }

    /// Whether the entry's own options keep its area disabled, such as `noauto`.
    pub fn disables_itself(&self) -> bool {
        let says = |word: &str| self.options().iter().any(|option| option == word);
        match self.kind {
            ConfigKind::Fstab => says("noauto") || self.is_never_started(),
            ConfigKind::SystemdSwap => self.is_never_started(),
            ConfigKind::ZramGenerator => {
                self.file_system_key().is_some()
                    || (self.legacy_size_key().is_none() && self.has_no_size())
            }
        }
    }

    /// Whether systemd generated the unit from an entry of another file, or from one that is gone now. Units in
    /// `generator.late` come from no entry.
    pub fn is_generated(&self) -> bool {
        self.file.as_bytes().starts_with(b"/run/systemd/generator/") && !self.from_command_line
    }

    /// Whether the unit of its area is never started.
    pub fn is_never_started(&self) -> bool {
        self.options().iter().any(|option| option == NEVER_STARTED)
    }

    fn has_no_size(&self) -> bool {
        let mut sizes =
            self.options().iter().filter_map(|option| option.strip_prefix("zram-size = "));
        sizes.any(|size| size.trim().parse::<f64>().is_ok_and(|size| size == 0.0))
    }

    fn options(&self) -> &[String] {
        self.area.known().map_or(&[], |area| &area.options)
    }

    /// The legacy size key of a zram-generator section, which overrides `zram-size`.
    pub fn legacy_size_key(&self) -> Option<&str> {
        self.find_key(|key, _| ["zram-fraction", "max-zram-size"].contains(&key))
    }

    /// The key of a zram-generator section that makes the device a file system instead of swap.
    pub fn file_system_key(&self) -> Option<&str> {
        self.find_key(|key, value| key == "mount-point" || (key == "fs-type" && value != "swap"))
    }

    fn find_key(&self, is_it: impl Fn(&str, &str) -> bool) -> Option<&str> {
        let mut settings = self.options().iter().filter_map(|option| option.split_once(" = "));
        settings.find(|(key, value)| is_it(key, value.trim())).map(|(key, _)| key)
    }
}

/// The area that an entry configures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfiguredArea {
    /// The device, file or tag, as written (`UUID=…`, `/swapfile`, `zram0`), unescaped.
    pub what: Name,
    /// Configured priority.
    pub priority: Reading<i32>,
    /// Options as written, in order (`pri=5`, `nofail`; `zram-size=ram / 2`), and the condition of a unit
    /// that is never started ([`NEVER_STARTED`]).
    pub options: Vec<String>,
}

impl ConfiguredArea {
    /// The priority that is requested. As in swapon, larger values mean the maximum, and negative ones that of
    /// the kernel.
    pub fn requested_priority(&self) -> Option<Priority> {
        let number = *self.priority.known()?;
        Some(Priority::from_shown(number.min(i32::from(MAX_PRIORITY))))
    }

    /// The value of a key in a section of zram-generator.
    pub fn section_value(&self, key: &str) -> Option<&str> {
        let mut options = self.options.iter().filter_map(|option| option.split_once(" = "));
        options.find(|(known, _)| *known == key).map(|(_, value)| value.trim())
    }
}

/// Tags, and the folders of the udev links that they stand for.
const TAGS: [(&[u8], &[u8]); 4] = [
    (b"UUID=", b"/dev/disk/by-uuid/"),
    (b"LABEL=", b"/dev/disk/by-label/"),
    (b"PARTUUID=", b"/dev/disk/by-partuuid/"),
    (b"PARTLABEL=", b"/dev/disk/by-partlabel/"),
];

/// The path of a device in `fstab`; for a tag, its udev link.
pub fn path_for(what: &Name) -> Name {
    let bytes = what.as_bytes();
    let tag = TAGS.iter().find_map(|(tag, folder)| Some((bytes.strip_prefix(*tag)?, folder)));
    match tag {
        Some((value, folder)) => {
            let value = value.trim_ascii();
            let quoted = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\""));
            let name = udev_encode(quoted.unwrap_or(value));
            Name::new([folder, name.as_bytes()].concat())
        }
        None => what.clone(),
    }
}

/// The name of the systemd swap unit for a device in `fstab`.
pub fn unit_name_for(what: &Name) -> Name {
    let path = path_for(what);
    let path = path.as_bytes();
    let parts = path.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".");
    let path = parts.collect::<Vec<_>>().join(&b'/');
    let mut unit = Vec::with_capacity(path.len());
    for (place, byte) in path.into_iter().enumerate() {
        match byte {
            b'/' => unit.push(b'-'),
            // A unit name must not begin with a dot.
            b'.' if place == 0 => unit.extend(hex_escape(byte).bytes()),
            b':' | b'_' | b'.' => unit.push(byte),
            byte if byte.is_ascii_alphanumeric() => unit.push(byte),
            byte => unit.extend(hex_escape(byte).bytes()),
        }
    }
    let stem = if unit.is_empty() { b"-".to_vec() } else { unit };
    Name::new([stem.as_slice(), b".swap"].concat())
}

/// Encodes a name as udev does in links: special characters as `\x2f`, so it has no slash.
pub fn udev_encode(value: &[u8]) -> String {
    let mut name = String::new();
    for chunk in value.utf8_chunks() {
        for letter in chunk.valid().chars() {
            let is_plain =
                !letter.is_ascii() || letter.is_ascii_alphanumeric() || "#+-.:=@_".contains(letter);
            if is_plain {
                name.push(letter);
            } else {
                name.push_str(&hex_escape(letter as u8));
            }
        }
        name.extend(chunk.invalid().iter().map(|byte| hex_escape(*byte)));
    }
    name
}

fn hex_escape(byte: u8) -> String {
    format!("\\x{byte:02x}")
}

/// A line that sets a kernel setting at boot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The name under which the file is read, which decides its place among the others.
    pub name: Name,
    /// The file, with links resolved.
    pub file: Name,
    /// Line number, from 1.
    pub line: u32,
    /// Key: a name such as `vm.swappiness`, or a kernel file.
    pub key: String,
    /// Value.
    pub value: String,
}

/// Kernel settings applied at boot, in order, and the boot tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersistentSettings {
    /// Lines of `sysctl.d`; the last line of a key wins.
    pub sysctl: Vec<Assignment>,
    /// Lines of `tmpfiles.d`; the first line of a key wins. `None` without systemd-tmpfiles.
    pub tmpfiles: Option<Vec<Assignment>>,
    /// Options of the kernel command line, by kernel file; the last one of a file wins.
    pub command_line: Vec<Assignment>,
    /// Whether zram-generator is installed.
    pub zram_generator: bool,
    /// Whether the machine runs systemd.
    pub systemd: bool,
    /// Release of systemd, if known.
    pub systemd_release: Option<u32>,
}

impl PersistentSettings {
    /// The effective line for a sysctl name.
    pub fn sysctl(&self, key: &str) -> Option<&Assignment> {
        self.sysctl.iter().rfind(|it| it.key == key)
    }

    /// The effective line for a kernel file. Files are applied after the kernel command line.
    pub fn effective(&self, file: &str) -> Option<&Assignment> {
        let of_files = match sysctl_name(file) {
            Some(key) => self.sysctl(&key),
            None => self.tmpfile(file),
        };
        of_files.or_else(|| self.command_line.iter().rfind(|it| it.key == file))
    }

    /// The effective line for a file in `/sys`.
    pub fn tmpfile(&self, file: &str) -> Option<&Assignment> {
        self.tmpfiles.iter().flatten().find(|it| it.key == file)
    }
}

/// The sysctl name of a file.
pub fn sysctl_name(file: &str) -> Option<String> {
    Some(file.strip_prefix("/proc/sys/")?.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_named_as_by_systemd_escape() {
        for (what, unit) in [
            ("/swapfile", "swapfile.swap"),
            ("/var//./swap-a b/", r"var-swap\x2da\x20b.swap"),
            ("/.swap/.x", r"\x2eswap-.x.swap"),
            ("/a\\é", r"a\x5c\xc3\xa9.swap"),
            ("UUID=1-2", r"dev-disk-by\x2duuid-1\x2d2.swap"),
            ("LABEL=\"a b\"", r"dev-disk-by\x2dlabel-a\x5cx20b.swap"),
            ("PARTLABEL=é", r"dev-disk-by\x2dpartlabel-\xc3\xa9.swap"),
            ("/", "-.swap"),
        ] {
            assert_eq!(unit_name_for(&what.into()), unit.into(), "{what}");
        }
    }

    #[test]
    fn a_tag_leads_to_the_link_that_udev_makes() {
        for (what, path) in [
            (&b"LABEL=a/b"[..], r"/dev/disk/by-label/a\x2fb"),
            (b"PARTLABEL=\xc3\xa9", "/dev/disk/by-partlabel/\u{e9}"),
            (b"LABEL=\xffx", r"/dev/disk/by-label/\xffx"),
        ] {
            assert_eq!(path_for(&Name::new(what)), path.into(), "{path}");
        }
    }
}
