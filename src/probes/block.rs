//! `/sys/block`: the devices that carry swap, and the size of the device or file of an area.
//!
//! Kernel: `block/genhd.c`, `block/blk-sysfs.c`, `block/partitions/core.c`, all versions; readable by
//! everyone. A partition has no queue of its own: those facts come from its disk. The device of an area is
//! found by the number of its node, since a node may have any name (`/zram3`); a captured tree has no
//! nodes, so there the name is used. Every path goes through `/sys/block`, so that a capture, which keeps
//! no links between folders, reads the same.
//!
//! The disks below device mapper and RAID are named by the links in `slaves`.
//!
//! Not done here: reading those disks, following loop devices to their files, or finding the disks of a
//! btrfs or overlay file: such file systems have device numbers without a device.

use super::mounts::{self, Mount};
use super::{Probe, ReadInterval, scan};
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Missing, Name, Part, Reading};
use crate::root::{Root, parsed, unexpected};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Block,
    id: "block",
    tier: ReadInterval::Medium,
    files: &[
        "sys/dev/block/*",
        "sys/class/block/*",
        "sys/block/*/size",
        "sys/block/*/*/size",
        "sys/block/*/queue/rotational",
        "sys/block/*/queue/discard_max_bytes",
        "sys/block/*/queue/scheduler",
        "sys/block/*/device/numa_node",
        "sys/block/*/device/device/numa_node",
        "sys/block/*/device/model",
        "sys/block/*/loop/backing_file",
        "sys/block/*/dm/name",
        "sys/block/*/slaves/*",
    ],
    about: "The devices behind swap areas: kind, size, queue, NUMA node",
    remedy: "mount sysfs on /sys",
};

/// Sectors in `/sys/block` have 512 bytes, whatever sector size the device reports.
const SECTOR: u64 = 512;

/// The folder of a device in `/sys/block`.
#[derive(Debug)]
pub(crate) struct SysfsDevice {
    name: String,
    /// The disk of a partition.
    parent: Option<String>,
}

impl SysfsDevice {
    /// The folder of the device or partition.
    pub(crate) fn folder(&self) -> String {
        match &self.parent {
            Some(parent) => format!("sys/block/{parent}/{}", self.name),
            None => format!("sys/block/{}", self.name),
        }
    }

    /// The whole disk, which has the queue.
    fn whole_disk(&self) -> &str {
        self.parent.as_ref().unwrap_or(&self.name)
    }

    /// The folder of the whole disk.
    fn disk_folder(&self) -> String {
        format!("sys/block/{}", self.whole_disk())
    }
}

/// Reads the facts of the device that an area is on.
pub fn read(root: &Root, area: &SwapArea) -> Reading<BlockDevice> {
    sysfs_device(root, area).map(|place| describe(root, &place)).into()
}

/// Reads the facts of the device at a path, such as the one that a file system is on.
pub fn at(root: &Root, path: &Name) -> Reading<BlockDevice> {
    let real = root.real(path.as_path()).known().map(|real| Name::new(real.as_os_str().as_bytes()));
    let area = SwapArea {
        path: real.unwrap_or_else(|| path.clone()),
        deleted: false,
        kind: AreaKind::Partition,
        size: Bytes(0),
        used: Reading::not_sampled(),
        priority: 0,
        wraps: 0,
        file: None,
    };
    read(root, &area)
}

/// Reads the facts of the device with the file system that holds a path, or would hold it.
pub fn holding(root: &Root, path: &Name) -> Reading<BlockDevice> {
    let mounts = mounts::read(root);
    mounts.as_ref().and_then(|it| mounts::above(it, path)).and_then(|mount| mounted(root, mount))
}

/// Reads the facts of the device that a file system is on.
pub(crate) fn mounted(root: &Root, mount: &Mount) -> Reading<BlockDevice> {
    let named = at(root, &mount.what);
    if named.known().is_some() || !root.is_live() {
        return named;
    }
    // A kernel that mounts its root by itself names it /dev/root, which has no node.
    let number = root.facts(mount.point.as_path()).map(|facts| facts.on_device);
    let device = number.into_result().and_then(|number| numbered(root, number));
    device.map_or(named, |device| Reading::Known(describe(root, &device)))
}

/// The backing file of the loop device of an area if autoclear is set, as `losetup -d` does on a busy
/// device: the kernel then detaches the file as soon as the device is unused.
pub fn autoclear(root: &Root, area: &SwapArea) -> Option<Reading<Name>> {
    if area.kind == AreaKind::File {
        // A mounted file system keeps its loop device in use.
        return None;
    }
    let disk = sysfs_device(root, area).ok()?.disk_folder();
    let is_set = *root.switch(format!("{disk}/loop/autoclear")).known()?;
    is_set.then(|| backing_file(root, &disk, BlockKind::Loop))
}

/// The backing file of a loop device.
pub fn loop_file(root: &Root, device: &Name) -> Reading<Name> {
    backing_file(root, &format!("sys/block/{}", device.base().safe()), BlockKind::Loop)
}

/// Size of the device or file of an area.
pub(crate) fn area_size(root: &Root, area: &SwapArea) -> Reading<Bytes> {
    match area.kind {
        AreaKind::Partition => {
            Reading::from(sysfs_device(root, area)).and_then(|place| device_size(root, &place))
        }
        AreaKind::File if !root.is_live() => Reading::absent(format!(
            "the size of {} is not part of a captured tree",
            area.path.safe()
        )),
        AreaKind::File => root.facts(node(area)).and_then(|facts| {
            if facts.regular {
                Reading::Known(Bytes(facts.size))
            } else {
                Reading::absent(format!("{} is not a file on this machine", area.path.safe()))
            }
        }),
    }
}

/// Finds the device of an area: by the number of its node, or else by its name.
pub(crate) fn sysfs_device(root: &Root, area: &SwapArea) -> Result<SysfsDevice, Missing> {
    if root.is_live() {
        match (by_number(root, area), area.kind) {
            (Ok(place), _) => return Ok(place),
            (Err(why), AreaKind::File) => return Err(why),
            // A node in another mount namespace, or a deleted one: try its name.
            (Err(_), AreaKind::Partition) => {}
        }
    }
    if area.kind == AreaKind::File {
        return Err(Missing::absent(format!(
            "the device of {} is not part of a captured tree",
            area.path.safe()
        )));
    }
    by_name(root, area)
}

/// The path of an area for system calls. The `(deleted)` suffix stays only where a file of that name
/// exists.
pub(crate) fn node(area: &SwapArea) -> PathBuf {
    let mut path = OsString::from(area.path.as_path());
    if area.deleted {
        path.push(" (deleted)");
    }
    path.into()
}

fn by_number(root: &Root, area: &SwapArea) -> Result<SysfsDevice, Missing> {
    let facts = root.facts(node(area)).into_result()?;
    let number = match area.kind {
        AreaKind::Partition => facts.block_device,
        AreaKind::File => Some(facts.on_device).filter(|_| facts.regular),
    };
    let path = area.path.safe();
    let Some((major, minor)) = number else {
        return Err(Missing::absent(format!(
            "{path} is another file or device than in /proc/swaps"
        )));
    };
    if major == 0 {
        return Err(Missing::absent(format!(
            "{path} is on a file system without a block device of its own ({major}:{minor}), \
             such as btrfs, overlay or a network file system"
        )));
    }
    numbered(root, (major, minor))
}

/// Finds the device with these major and minor numbers.
fn numbered(root: &Root, (major, minor): (u32, u32)) -> Result<SysfsDevice, Missing> {
    let link = format!("sys/dev/block/{major}:{minor}");
    let target = root.link(&link).into_result()?;
    let name = target.file_name().and_then(|name| valid(name.as_bytes()));
    let name =
        name.ok_or_else(|| Missing::failed(format!("/{link} does not point to a device")))?;
    in_sysfs(root, name)
}

/// A node usually has the name of its device; a deleted node counts only in `/dev`.
fn by_name(root: &Root, area: &SwapArea) -> Result<SysfsDevice, Missing> {
    let path = area.path.as_bytes();
    let below_dev = path.strip_prefix(b"/dev/");
    if area.deleted && below_dev.is_none() {
        return Err(Missing::absent(format!(
            "the node {} was deleted, and its name does not identify the device",
            area.path.safe()
        )));
    }
    // sysfs writes an exclamation mark for a slash: /dev/cciss/c0d0 is cciss!c0d0.
    let bang: Vec<u8> = below_dev
        .unwrap_or_default()
        .iter()
        .map(|byte| if *byte == b'/' { b'!' } else { *byte })
        .collect();
    let names = [area.path.base().as_bytes().to_vec(), bang];
    let mut names = names.iter().filter_map(|name| valid(name));
    names.find_map(|name| in_sysfs(root, name).ok()).ok_or_else(|| {
        match root.facts("sys/block").missing() {
            Some(why) => why.clone(),
            None => {
                Missing::absent(format!("/sys/block has no device named like {}", area.path.safe()))
            }
        }
    })
}

/// A device name as in sysfs; rejects names that could lead to another folder.
fn valid(name: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(name).ok()?;
    let sound = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\0']);
    sound.then_some(name)
}

fn in_sysfs(root: &Root, name: &str) -> Result<SysfsDevice, Missing> {
    if root.exists(format!("sys/block/{name}")) {
        return Ok(SysfsDevice { name: name.to_owned(), parent: None });
    }
    let parent = parent(root, name)
        .ok_or_else(|| Missing::absent(format!("/sys/block has no device or partition {name}")))?;
    Ok(SysfsDevice { name: name.to_owned(), parent: Some(parent) })
}

/// The disk of a partition: from its link, or from the folder that contains it.
pub(super) fn parent(root: &Root, name: &str) -> Option<String> {
    let holds = |disk: &&str| root.exists(format!("sys/block/{disk}/{name}/size"));
    let link = root.link(format!("sys/class/block/{name}"));
    let linked = link.known().and_then(|target| disk_of(target));
    if let Some(disk) = linked.filter(holds) {
        return Some(disk.to_owned());
    }
    let disks = root.names("sys/block").into_result().ok()?;
    let found = disks.iter().filter_map(|disk| valid(disk)).find(|disk| holds(disk));
    found.map(str::to_owned)
}

fn disk_of(target: &Path) -> Option<&str> {
    valid(target.parent()?.file_name()?.as_bytes())
}

fn describe(root: &Root, place: &SysfsDevice) -> BlockDevice {
    let disk = place.disk_folder();
    let kind = kind(&place.name);
    let parent = match &place.parent {
        Some(parent) => Reading::Known(parent.clone()),
        None => Reading::absent(format!("{} is a whole device and has no parent disk", place.name)),
    };
    BlockDevice {
        name: place.name.clone(),
        kind,
        parent,
        disks: disks(root, place).into(),
        size: device_size(root, place),
        rotational: root.switch(format!("{disk}/queue/rotational")),
        discard_max: root.number(format!("{disk}/queue/discard_max_bytes")).map(Bytes),
        numa_node: numa_node(root, &disk, kind),
        scheduler: scheduler(root, &format!("{disk}/queue/scheduler")),
        model: model(root, &disk, kind),
        backing_file: backing_file(root, &disk, kind),
        dm_name: dm_name(root, &disk, kind),
    }
}

/// Limit of stacked devices; a forged tree may contain cycles.
const MOST: usize = 256;

/// The whole disks at the bottom of the stack.
fn disks(root: &Root, place: &SysfsDevice) -> Result<Vec<String>, Missing> {
    let mut above = vec![place.whole_disk().to_owned()];
    let mut disks = BTreeSet::new();
    for _ in 0..MOST {
        let Some(name) = above.pop() else { return Ok(disks.into_iter().collect()) };
        let below = parts(root, &name)?;
        if below.is_empty() {
            disks.insert(name);
        }
        above.extend(below);
    }
    Err(Missing::failed(format!("{} is stacked on more than {MOST} devices", place.name)))
}

/// The whole devices that a device consists of; empty for a disk.
fn parts(root: &Root, name: &str) -> Result<Vec<String>, Missing> {
    if !matches!(kind(name), BlockKind::Dm | BlockKind::Md) {
        return Ok(Vec::new());
    }
    let folder = format!("sys/block/{name}/slaves");
    let names = root.names(&folder).into_result()?;
    let whole = |name: &str| {
        let link = format!("{folder}/{name}");
        let target = root.link(&link).into_result()?;
        let whole = whole_of(&target).map(str::to_owned);
        whole.ok_or_else(|| Missing::failed(format!("/{link} does not point to a device")))
    };
    names.iter().filter_map(|name| valid(name)).map(whole).collect()
}

/// The device that a link leads to, or the disk of a partition: the name of a partition begins with the
/// name of its folder.
fn whole_of(target: &Path) -> Option<&str> {
    let name = valid(target.file_name()?.as_bytes())?;
    Some(disk_of(target).filter(|disk| name.starts_with(disk)).unwrap_or(name))
}

fn device_size(root: &Root, place: &SysfsDevice) -> Reading<Bytes> {
    let sectors = root.number(format!("{}/size", place.folder()));
    sectors.map(|sectors| Bytes(sectors.saturating_mul(SECTOR)))
}

/// The kind of a device, from the naming scheme of its driver.
fn kind(name: &str) -> BlockKind {
    let kinds = [
        ("zram", BlockKind::Zram),
        ("loop", BlockKind::Loop),
        ("dm-", BlockKind::Dm),
        ("md", BlockKind::Md),
        ("ram", BlockKind::Ram),
    ];
    let numbered = |prefix: &str| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    // An array may have a name instead of a number.
    if name.starts_with("md_") {
        return BlockKind::Md;
    }
    let found = kinds.into_iter().find(|(prefix, _)| numbered(prefix));
    found.map_or(BlockKind::Disk, |(_, kind)| kind)
}

/// Virtual devices have no hardware, and therefore no NUMA node and no model.
fn is_virtual(kind: BlockKind) -> bool {
    kind != BlockKind::Disk
}

fn numa_node(root: &Root, disk: &str, kind: BlockKind) -> Reading<i32> {
    if is_virtual(kind) {
        return Reading::absent("a virtual device belongs to no NUMA node");
    }
    let near = format!("{disk}/device/numa_node");
    let far = format!("{disk}/device/device/numa_node");
    let nearest = node_number(root, &near);
    if !nearest.is_absent() {
        return nearest;
    }
    node_number(root, &far)
}

fn node_number(root: &Root, path: &str) -> Reading<i32> {
    let text = scan::explain(root.line(path), "the driver does not report a NUMA node");
    text.and_then(|text| match text.parse() {
        Ok(node) if node >= 0 => Reading::Known(node),
        Ok(-1) => Reading::absent("the device belongs to no NUMA node"),
        Ok(_) | Err(_) => unexpected(path, "a node number", text.as_bytes()),
    })
}

/// The word in brackets; a device without a choice prints a single word.
fn scheduler(root: &Root, path: &str) -> Reading<String> {
    let line = scan::explain(root.line(path), "the device has no I/O scheduler");
    line.and_then(|text| {
        parsed(path, "a scheduler name", text.as_bytes(), |bytes| {
            let choice = scan::parse_choice(bytes).map(|choice| choice.current);
            choice.or_else(|| Some(text.clone()).filter(|text| is_word(text)))
        })
    })
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn model(root: &Root, disk: &str, kind: BlockKind) -> Reading<String> {
    if is_virtual(kind) {
        return Reading::absent("a virtual device has no model");
    }
    let path = format!("{disk}/device/model");
    root.line(path).and_then(|model| {
        if model.is_empty() {
            return Reading::absent("the device reports an empty model");
        }
        Reading::Known(model)
    })
}

fn backing_file(root: &Root, disk: &str, kind: BlockKind) -> Reading<Name> {
    if kind != BlockKind::Loop {
        return Reading::absent("not a loop device");
    }
    let path = format!("{disk}/loop/backing_file");
    let bytes = root.read(path);
    let name = bytes.map(|bytes| Name::new(bytes.strip_suffix(b"\n").unwrap_or(&bytes)));
    scan::explain(name, "the loop device has no backing file")
}

fn dm_name(root: &Root, disk: &str, kind: BlockKind) -> Reading<String> {
    if kind != BlockKind::Dm {
        return Reading::absent("not a device-mapper device");
    }
    root.line(format!("{disk}/dm/name"))
}

#[cfg(test)]
mod tests;
