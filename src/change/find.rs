//! Which device or file a person means, or a file that sets the machine up.

use crate::model::candidate::{SwapHeader, Signature};
use crate::model::format::Uuid;
use crate::model::{Name, Reading, name};
use crate::probes::{candidate, partition};
use crate::root::Root;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// What helps whoever named nothing that there is.
const LISTED: &str = "lsblk -f lists devices with their labels and UUIDs";
/// The same for partitions.
const PARTITIONS: &str = "lsblk -o NAME,PARTUUID,PARTLABEL lists partitions";

/// The device or file that is meant, whether it is active or not, with all links followed.
///
/// # Errors
/// When there is none, or more than one.
pub fn find_storage(root: &Root, what: &OsStr) -> Result<Name, String> {
    let shown = name::safe_text(&what.to_string_lossy());
    if shown.is_empty() || shown.ends_with('=') {
        return Err(format!("\"{shown}\" names nothing: {LISTED}"));
    }
    let path = match devices_with_tag(root, what.as_bytes()) {
        None => path_of(root, what).map_err(|error| format!("{shown}: {error}"))?,
        Some(found) => match found.as_slice() {
            [path] => path.clone(),
            [] if shown.starts_with("PART") => {
                return Err(format!("no partition has {shown}: {PARTITIONS}"));
            }
            [] => return Err(format!("no device with a swap header has {shown}: {LISTED}")),
            several => {
                let names: Vec<_> = several.iter().map(|path| path.display().to_string()).collect();
                return Err(format!(
                    "{shown} fits several devices: {}; give the path of the one that is meant, and another UUID to the other",
                    names.join(", ")
                ));
            }
        },
    };
    match root.real(&path).get() {
        Ok(real) => Ok(Name::new(real.as_os_str().as_bytes())),
        Err(missing) => Err(format!("{}: {LISTED}", missing.why())),
    }
}

/// The path of what has this name: in the folder we are in, or else among the devices.
fn path_of(root: &Root, what: &OsStr) -> io::Result<PathBuf> {
    let path = std::path::absolute(what)?;
    let device = Name::new([b"/dev/", what.as_bytes()].concat());
    let is_bare = !what.as_bytes().contains(&b'/');
    let is_device = is_bare && !root.exists(&path) && root.exists(device.as_path());
    Ok(if is_device { device.as_path().to_owned() } else { path })
}

/// The devices with a tag such as `UUID=`; none if it is not one.
fn devices_with_tag(root: &Root, what: &[u8]) -> Option<Vec<PathBuf>> {
    let (tag, value) = what.split_at_checked(what.iter().position(|byte| *byte == b'=')?)?;
    let value = value.get(1..)?;
    // As fstab may have it.
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

/// All partitions that are named so in the table of their disk: a link of udev names only one of
/// several. The link counts where no table says anything of what it leads to: others than root can
/// read none.
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

/// What a partition table says of a device.
enum PartitionLookup {
    /// It cannot be read, or we do not know its kind.
    Silent,
    /// The name that the device has there, if any.
    Read(Option<partition::PartitionName>),
}

fn table_of(root: &Root, name: &[u8]) -> PartitionLookup {
    let none = PartitionLookup::Read(None);
    let Ok(text) = std::str::from_utf8(name) else { return none };
    // Programs make devices of partitions where the kernel does not, and udev names those.
    let mapped = Path::new("sys/class/block").join(text).join("dm");
    match partition::disk(root, text) {
        None if root.exists(mapped) => PartitionLookup::Silent,
        // The path of a disk that is reached by two ways is the device that joins them.
        Some(disk) if is_last(root, disk.as_bytes()) => {
            partition::read(root, &disk, text).into_result().map_or(PartitionLookup::Silent, PartitionLookup::Read)
        }
        Some(_) | None => none,
    }
}

/// Where the link of udev for this name leads.
fn udev_link_target(root: &Root, links: &str, value: &[u8]) -> Option<PathBuf> {
    let name = Some(udev_encode(value)).filter(|name| !["", ".", ".."].contains(&name.as_str()))?;
    root.real(Path::new("dev/disk").join(links).join(name)).into_result().ok()
}

/// A name as udev writes it in a link: what has a meaning in paths or to a shell, as `\x2f`. So it
/// holds no slash.
fn udev_encode(value: &[u8]) -> String {
    let escape = |byte: &u8| format!("\\x{byte:02x}");
    let mut name = String::new();
    for chunk in value.utf8_chunks() {
        for letter in chunk.valid().chars() {
            let is_plain = letter.is_ascii_alphanumeric() || "#+-.:=@_".contains(letter);
            match u8::try_from(letter).ok().filter(u8::is_ascii) {
                Some(byte) if !is_plain => name.push_str(&escape(&byte)),
                Some(_) | None => name.push(letter),
            }
        }
        name.extend(chunk.invalid().iter().map(escape));
    }
    name
}

/// The node of a device of this name: a slash in it is an exclamation mark in `/sys`.
fn node(name: &[u8]) -> PathBuf {
    let name: Vec<u8> = name.iter().map(|byte| if *byte == b'!' { b'/' } else { *byte }).collect();
    Path::new("/").join("dev").join(OsStr::from_bytes(&name))
}

/// Another device than this one that has this UUID.
pub fn other_with(root: &Root, uuid: Uuid, own: &Name) -> Option<PathBuf> {
    let found = scan(root, |header| header.uuid == Some(uuid));
    found.into_iter().find(|path| path != own.as_path())
}

/// All devices of the machine whose swap header is such: a link of udev names only one of several.
fn scan(root: &Root, is: impl Fn(&SwapHeader) -> bool) -> Vec<PathBuf> {
    let names = root.names("sys/class/block");
    let names = names.known().map_or(&[][..], Vec::as_slice);
    let path = |name: &Vec<u8>| Name::new(node(name).as_os_str().as_bytes());
    let last = names.iter().filter(|name| is_last(root, name));
    let candidates = last.map(path).map(|path| candidate::read(root, &path));
    let found = candidates.filter(|it| match it.signature.known() {
        Some(Signature::Swap(header)) => is(header),
        _ => false,
    });
    found.map(|it| it.path.as_path().to_owned()).collect()
}

/// Is this a device that holds something, and that no other device is made of? A disk of a mirror
/// shows the same header as the mirror.
fn is_last(root: &Root, name: &[u8]) -> bool {
    let folder = Path::new("sys/class/block").join(OsStr::from_bytes(name));
    let size = root.number(folder.join("size"));
    let holders = root.names(folder.join("holders"));
    size != Reading::Known(0) && holders.known().is_none_or(Vec::is_empty)
}
