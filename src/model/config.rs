//! Files that set up swap, and settings of the kernel, at boot.

use super::name::Name;
use super::reading::Reading;
use serde::{Deserialize, Serialize};

/// Which kind of file it is.
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

/// One area that a file sets up, or a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigEntry {
    /// The file, as an absolute path.
    pub file: Name,
    /// The line on which the entry begins; zero when the file could not be read.
    pub line: u32,
    /// Which kind of file.
    pub kind: ConfigKind,
    /// What it says; missing when it could not be read.
    pub area: Reading<ConfiguredArea>,
    /// The device or file that it names, all links followed; missing where there is none now.
    #[serde(default = "Reading::not_sampled")]
    pub leads_to: Reading<Name>,
}

/// What a unit says that shall never be started: its area stays off without a failure.
pub const NEVER_STARTED: &str = "ConditionPathExists=!/";

impl ConfigEntry {
    /// Where it stands: no other has the same.
    pub fn location(&self) -> Name {
        Name::new([self.file.as_bytes(), format!(":{}", self.line).as_bytes()].concat())
    }

    /// Does it set its area up, and leave it off?
    pub fn leaves_area_disabled(&self) -> bool {
        let says = |word: &str| self.options().iter().any(|option| option == word);
        match self.kind {
            ConfigKind::Fstab => says("noauto") || self.is_never_started(),
            ConfigKind::SystemdSwap => self.is_never_started(),
            ConfigKind::ZramGenerator => self.legacy_size_key().is_none() && self.has_no_size(),
        }
    }

    /// Is the unit of its area never started?
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

    /// What an old section of zram-generator says of the size: it counts more than `zram-size`.
    pub fn legacy_size_key(&self) -> Option<&str> {
        let mut keys = self.options().iter().filter_map(|option| Some(option.split_once(" = ")?.0));
        keys.find(|key| ["zram-fraction", "max-zram-size"].contains(key))
    }
}

/// What one entry asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfiguredArea {
    /// The device, file or tag, as written (`UUID=…`, `/swapfile`, `zram0`), unescaped.
    pub what: Name,
    /// Priority asked for.
    pub priority: Reading<i32>,
    /// All options as written, in order (`pri=5`, `nofail`; `zram-size=ram / 2`), and that the unit
    /// of it shall never be started ([`NEVER`]).
    pub options: Vec<String>,
}

/// Tags that stand for links which udev makes, and the folders of those links.
const TAGS: [(&[u8], &[u8]); 4] = [
    (b"UUID=", b"/dev/disk/by-uuid/"),
    (b"LABEL=", b"/dev/disk/by-label/"),
    (b"PARTUUID=", b"/dev/disk/by-partuuid/"),
    (b"PARTLABEL=", b"/dev/disk/by-partlabel/"),
];

/// The path of what `fstab` names: of a tag the link that udev makes for it.
pub fn path_for(what: &Name) -> Name {
    let bytes = what.as_bytes();
    let tag = TAGS.iter().find_map(|(tag, folder)| Some((bytes.strip_prefix(*tag)?, folder)));
    match tag {
        Some((value, folder)) => Name::new([folder, udev_escape(value.trim_ascii()).as_slice()].concat()),
        None => what.clone(),
    }
}

/// The unit that systemd makes for swap on this, as `fstab` names it.
pub fn unit_name_for(what: &Name) -> Name {
    let path = path_for(what);
    let path = path.as_bytes();
    let parts = path.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".");
    let path = parts.collect::<Vec<_>>().join(&b'/');
    let mut unit = Vec::with_capacity(path.len());
    for (place, byte) in path.into_iter().enumerate() {
        match byte {
            b'/' => unit.push(b'-'),
            // No unit is hidden.
            b'.' if place == 0 => unit.extend(hex_escape(byte)),
            b':' | b'_' | b'.' => unit.push(byte),
            byte if byte.is_ascii_alphanumeric() => unit.push(byte),
            byte => unit.extend(hex_escape(byte)),
        }
    }
    let stem = if unit.is_empty() { b"-".to_vec() } else { unit };
    Name::new([stem.as_slice(), b".swap"].concat())
}

/// How udev writes what stands behind a tag.
fn udev_escape(value: &[u8]) -> Vec<u8> {
    let quoted = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\""));
    let value = quoted.unwrap_or(value);
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || b"#+-.:=@_".contains(&byte);
    let of_byte =
        |byte: &u8| if stays(*byte) || !byte.is_ascii() { vec![*byte] } else { hex_escape(*byte) };
    value.iter().flat_map(of_byte).collect()
}

fn hex_escape(byte: u8) -> Vec<u8> {
    format!("\\x{byte:02x}").into_bytes()
}

/// What one line sets of a file that gives settings of the kernel their values at boot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The file, with all links followed.
    pub file: Name,
    /// The line, from 1 on.
    pub line: u32,
    /// What it sets: a name such as `vm.swappiness`, or a file of the kernel.
    pub key: String,
    /// To what.
    pub value: String,
}

/// All of them, in the order in which they are carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersistentSettings {
    /// Of `sysctl.d`: of those with one key the last counts.
    pub sysctl: Vec<Assignment>,
    /// Of `tmpfiles.d`: of those with one key the first counts; none where nothing carries it out.
    pub tmpfiles: Option<Vec<Assignment>>,
    /// Is there a zram-generator?
    pub zram_generator: bool,
    /// Does systemd run this machine?
    pub systemd: bool,
    /// Which release of it is here, if that is known.
    pub systemd_release: Option<u32>,
}

impl PersistentSettings {
    /// The line that counts for a setting of `/proc/sys`, by its name.
    pub fn sysctl(&self, key: &str) -> Option<&Assignment> {
        self.sysctl.iter().rfind(|it| it.key == key)
    }

    /// The line that counts for a file of `/sys`.
    pub fn tmpfile(&self, file: &str) -> Option<&Assignment> {
        self.tmpfiles.iter().flatten().find(|it| it.key == file)
    }
}

/// The name by which `sysctl` knows a file.
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
}
