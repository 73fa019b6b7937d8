//! Finds the device or file that a person or a configuration file names.

use super::ObservedMachine;
use crate::model::candidate::{Signature, SwapHeader};
use crate::model::config::udev_encode;
use crate::model::format::Uuid;
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Name, Reading, name};
use crate::probes::{candidate, partition};
use crate::root::{FileFacts, Root};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// The hint for a name that matches nothing.
const LISTED: &str = "to list devices with labels and UUIDs: lsblk -f";
/// The hint for a partition name that matches nothing.
const PARTITIONS: &str = "to list partitions: lsblk -o NAME,PARTUUID,PARTLABEL";

/// Finds the device or file with this name, active or not, with all links followed. Fails on no
/// match or several.
pub fn find_storage(root: &Root, what: &OsStr) -> Result<Name, String> {
    let shown = name::safe_text(&what.to_string_lossy());
    if shown.is_empty() || shown.ends_with('=') {
        return Err(format!("\"{shown}\" names no device; {LISTED}"));
    }
    let path = match devices_with_tag(root, what.as_bytes()) {
        None => path_of(root, what).map_err(|error| format!("{shown}: {error}"))?,
        Some(found) => match found.as_slice() {
            [path] => path.clone(),
            [] if shown.starts_with("PART") => {
                return Err(format!("no partition has {shown}; {PARTITIONS}"));
            }
            [] => return Err(format!("no device with a swap header has {shown}; {LISTED}")),
            several => {
                let names: Vec<_> = several.iter().map(|path| path.display().to_string()).collect();
                return Err(format!(
                    "{shown} matches several devices: {}. Name one by its path, and give the others a new UUID",
                    names.join(", ")
                ));
            }
        },
    };
    match root.real(&path).get() {
        Ok(real) => Ok(Name::new(real.as_os_str().as_bytes())),
        Err(Missing::Absent(_)) if !root.is_live() => {
            Err(format!("{} is not in the captured tree", name::safe_text(&path.to_string_lossy())))
        }
        Err(missing) => Err(format!("{}; {LISTED}", missing.why())),
    }
}

impl ObservedMachine<'_> {
    /// Finds a device or file like [`find_storage`]. An active area gets the path that the kernel lists: a hard link,
    /// a mount or another node may lead to it too.
    pub fn find_storage(&self, what: &OsStr) -> Result<Name, String> {
        Ok(self.listed_path(find_storage(self.root, what)?))
    }

    /// The path by which the kernel lists the area with this path, if it is active, and otherwise the path.
    pub(super) fn listed_path(&self, path: Name) -> Name {
        let areas = self.snapshot.areas();
        if areas.iter().any(|area| area.path == path) {
            return path;
        }
        let identity =
            |path: &Name| self.root.facts(path.as_path()).known().map(FileFacts::identity);
        let own = identity(&path);
        let is_same = |area: &&SwapArea| own.is_some() && identity(&area.path) == own;
        areas.iter().find(is_same).map_or(path, |area| area.path.clone())
    }
}

/// The path for a name: in the current folder, or else among the devices.
fn path_of(root: &Root, what: &OsStr) -> io::Result<PathBuf> {
    // The current folder is one of this machine, not of a captured one.
    let path = if root.is_live() { std::path::absolute(what)? } else { Path::new("/").join(what) };
    let device = Name::new([b"/dev/", what.as_bytes()].concat());
    let is_bare = !what.as_bytes().contains(&b'/');
    let is_device = is_bare && !root.exists(&path) && root.exists(device.as_path());
    Ok(if is_device { device.as_path().to_owned() } else { path })
}

/// The devices with a tag such as `UUID=`; `None` if the name is not a tag.
fn devices_with_tag(root: &Root, what: &[u8]) -> Option<Vec<PathBuf>> {
    let (tag, value) = what.split_at_checked(what.iter().position(|byte| *byte == b'=')?)?;
    let value = value.get(1..)?;
    // fstab may quote the value.
    let bare = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    let value = bare.unwrap_or(value);
    let is = |header: &SwapHeader| match tag {
        b"UUID" => {
            header.uuid.is_some_and(|own| own.to_string().as_bytes().eq_ignore_ascii_case(value))
        }
        _ => header.label.as_ref().is_some_and(|own| own.as_bytes() == value),
    };
    match tag {
        b"UUID" | b"LABEL" => Some(scan(root, is)),
        b"PARTUUID" => Some(partitions(root, "by-partuuid", value, |named| {
            named.uuid.as_bytes().eq_ignore_ascii_case(value)
        })),
        b"PARTLABEL" => Some(partitions(root, "by-partlabel", value, |named| {
            named.label.as_ref().is_some_and(|own| own.as_bytes() == value)
        })),
        _ => None,
    }
}

/// All partitions with this name in the partition table of their disk: a udev link leads to only
/// one of several. The link counts where no table can be read, as for users other than root.
fn partitions(
    root: &Root,
    links: &str,
    value: &[u8],
    is: impl Fn(&partition::PartitionName) -> bool,
) -> Vec<PathBuf> {
    let link = udev_link_target(root, links, value);
    let names = root.names("sys/class/block");
    let Some(names) = names.known() else { return link.into_iter().collect() };
    let mut found = Vec::new();
    for name in names {
        let node = node(name);
        let is_meant = match table_of(root, name) {
            PartitionLookup::Silent => link.as_ref() == Some(&node),
            PartitionLookup::Read(entry) => entry.as_ref().is_some_and(&is),
        };
        if is_meant {
            found.push(node);
        }
    }
    found
}

/// The information of a partition table about a device.
enum PartitionLookup {
    /// The table cannot be read or is of unknown type.
    Silent,
    /// The partition's entry in the table, if any.
    Read(Option<partition::PartitionName>),
}

fn table_of(root: &Root, name: &[u8]) -> PartitionLookup {
    let none = PartitionLookup::Read(None);
    let Ok(text) = std::str::from_utf8(name) else { return none };
    // kpartx makes partitions as device-mapper devices, which only a link of udev names.
    let mapped = Path::new("sys/class/block").join(text).join("dm");
    match partition::disk(root, text) {
        None if root.exists(mapped) => PartitionLookup::Silent,
        // A disk reached by two paths is used through the multipath device.
        Some(disk) if is_last(root, disk.as_bytes()) => partition::read(root, &disk, text)
            .into_result()
            .map_or(PartitionLookup::Silent, PartitionLookup::Read),
        Some(_) | None => none,
    }
}

/// The target of the udev link for this name.
fn udev_link_target(root: &Root, links: &str, value: &[u8]) -> Option<PathBuf> {
    let name = Some(udev_encode(value)).filter(|name| !["", ".", ".."].contains(&name.as_str()))?;
    root.real(Path::new("dev/disk").join(links).join(name)).into_result().ok()
}

/// The node of a device: `/sys` writes a slash in its name as an exclamation mark.
fn node(name: &[u8]) -> PathBuf {
    let name: Vec<u8> = name.iter().map(|byte| if *byte == b'!' { b'/' } else { *byte }).collect();
    Path::new("/").join("dev").join(OsStr::from_bytes(&name))
}

/// Another device with this UUID.
pub fn other_with(root: &Root, uuid: Uuid, own: &Name) -> Option<PathBuf> {
    let found = scan(root, |header| header.uuid == Some(uuid));
    found.into_iter().find(|path| path != own.as_path())
}

/// All devices whose swap header matches: a udev link leads to only one of several.
fn scan(root: &Root, is: impl Fn(&SwapHeader) -> bool) -> Vec<PathBuf> {
    let names = root.names("sys/class/block");
    let path = |name: &Vec<u8>| Name::new(node(name).as_os_str().as_bytes());
    let last = names.known_items().iter().filter(|name| is_last(root, name));
    let candidates = last.map(path).map(|path| candidate::read(root, &path));
    let found = candidates.filter(|it| match it.signature.known() {
        Some(Signature::Swap(header)) => is(header),
        _ => false,
    });
    found.map(|it| it.path.as_path().to_owned()).collect()
}

/// Is this a device with content that no other device is built on? A disk of a mirror shows the
/// same header as the mirror.
fn is_last(root: &Root, name: &[u8]) -> bool {
    let folder = Path::new("sys/class/block").join(OsStr::from_bytes(name));
    let size = root.number(folder.join("size"));
    let holders = root.names(folder.join("holders"));
    size != Reading::Known(0) && holders.known().is_none_or(Vec::is_empty)
}
