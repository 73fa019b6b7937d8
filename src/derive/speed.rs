//! Speed classes of devices. They follow the kernel's flags, because the kernel allocates by these: a virtio
//! disk that claims to rotate counts as rotating, unless classes are compared ([`compared_classes`]).

use crate::model::block::{BlockDevice, BlockKind};
use crate::model::{Name, Reading, worded_enum};
use serde::{Deserialize, Serialize};

/// Network file systems.
pub const REMOTE: [&str; 7] = ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "afs"];
/// Name prefixes of network block devices.
const REMOTE_DISKS: [&str; 3] = ["nbd", "rbd", "etherd!e"];

worded_enum! {
    /// Speed class, fastest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Speed {
        /// Compressed RAM.
        Zram = "zram",
        /// Solid state: does not rotate.
        Solid = "solid state",
        /// Rotates, as far as the kernel knows.
        Rotational = "rotational",
        /// Behind a network.
        Remote = "network",
    }
}

/// Returns the speed class of an area on this device. A file has the class of the disk below its file
/// system. A loop device has the kernel's flag of what is behind it, but a network is visible only from the
/// type of the file system: of the file, or of the one behind the device.
pub fn speed_class(block: &Reading<BlockDevice>, filesystem: Option<&str>) -> Reading<Speed> {
    if filesystem.is_some_and(|kind| REMOTE.contains(&kind)) {
        return Reading::Known(Speed::Remote);
    }
    block.as_ref().and_then(|block| {
        let disk = block.parent.known().unwrap_or(&block.name);
        if block.kind == BlockKind::Zram {
            return Reading::Known(Speed::Zram);
        }
        if is_network_disk(disk) {
            return Reading::Known(Speed::Remote);
        }
        let class = |rotates| if rotates { Speed::Rotational } else { Speed::Solid };
        block.rotational.clone().map(class)
    })
}

/// Returns whether the path is that of a network block device or of a partition on one.
pub fn is_network_device(path: &Name) -> bool {
    // The kernel writes a slash in the name of a device as an exclamation mark.
    let name = path.as_bytes().strip_prefix(b"/dev/").map(String::from_utf8_lossy);
    name.is_some_and(|name| is_network_disk(&name.replace('/', "!")))
}

/// Returns whether the kernel name is that of a network block device or of a partition on one.
fn is_network_disk(name: &str) -> bool {
    REMOTE_DISKS.iter().any(|driver| is_numbered(name, driver))
}

/// Returns whether the device is only on virtio disks. A virtio disk always claims to rotate: hosts rarely
/// have a way to say otherwise.
pub fn is_virtio(block: &BlockDevice) -> bool {
    let is_one = |disk: &String| {
        let letters = disk.strip_prefix("vd");
        letters.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let disks = block.disks.known();
    disks.is_some_and(|disks| !disks.is_empty() && disks.iter().all(is_one))
}

/// An area to compare with others: its speed class, and whether it is on virtio disks.
pub type ComparedSpeed = (Reading<Speed>, bool);

/// Returns the classes of this many areas, to compare them, in the order of their devices and file systems.
pub fn compared_classes(
    count: usize,
    blocks: &[Reading<BlockDevice>],
    filesystems: &[Option<String>],
) -> Vec<ComparedSpeed> {
    let unknown = Reading::not_sampled();
    let class = |place| {
        let block = blocks.get(place).unwrap_or(&unknown);
        let filesystem = filesystems.get(place).and_then(Option::as_deref);
        (speed_class(block, filesystem), block.known().is_some_and(is_virtio))
    };
    let mut areas: Vec<ComparedSpeed> = (0..count).map(class).collect();
    doubt_virtio(&mut areas);
    areas
}

/// Forgets the class of virtio disks beside another local disk: which of them is slower is unknown. Without such a
/// disk, virtio disks stay slower than zram and faster than a network, whatever they are.
fn doubt_virtio(areas: &mut [ComparedSpeed]) {
    let claims = |(speed, is_virtio): &ComparedSpeed| {
        *is_virtio && speed.known() == Some(&Speed::Rotational)
    };
    let is_disk = |(speed, _): &ComparedSpeed| {
        matches!(speed.known(), Some(Speed::Solid | Speed::Rotational))
    };
    if areas.iter().any(|area| is_disk(area) && !claims(area)) {
        for area in areas.iter_mut().filter(|area| claims(area)) {
            area.0 = Reading::absent("a virtio disk is always flagged as rotational");
        }
    }
}

/// A fault in the priorities of areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriorityFault {
    /// A slower class is filled before a faster one, or together with it.
    SlowerFirst,
    /// Default priorities fill the areas of a class one by one.
    OneByOne,
}

/// Returns the fault in the priorities by which the kernel allocates areas of these classes.
pub fn priority_fault(areas: &[(Speed, i32)]) -> Option<PriorityFault> {
    let is_inverted = |(class, priority): &(Speed, i32)| {
        areas.iter().any(|(slower, other)| class < slower && priority <= other)
    };
    let fill_one_by_one = |(class, _): &(Speed, i32)| {
        fill_one_by_one(areas.iter().filter(|(other, _)| other == class).map(|(_, it)| *it))
    };
    let inverted = areas.iter().any(is_inverted).then_some(PriorityFault::SlowerFirst);
    inverted.or_else(|| areas.iter().any(fill_one_by_one).then_some(PriorityFault::OneByOne))
}

/// Returns whether areas of one class fill one by one because of default priorities. A priority that somebody set is
/// right. So is -1: an area that its NUMA node prefers counts as -1, and after 6.18 all areas have it by default.
pub fn fill_one_by_one(priorities: impl Iterator<Item = i32>) -> bool {
    let mut defaults = priorities.filter(|priority| *priority < -1);
    defaults.next().is_some_and(|first| defaults.any(|other| other != first))
}

/// Returns whether the device has to seek: it rotates, and does not only claim to.
pub fn seeks(block: &BlockDevice) -> bool {
    block.rotational.known() == Some(&true) && !is_virtio(block)
}

/// Returns the file with the rotational flag, which belongs to the whole device.
pub fn rotational_file(block: &BlockDevice) -> String {
    format!("/sys/block/{}/queue/rotational", block.parent.known().unwrap_or(&block.name))
}

fn is_numbered(name: &str, driver: &str) -> bool {
    let number = name.strip_prefix(driver);
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::model::Bytes;

    /// A plain whole device.
    pub(crate) fn device(name: &str, kind: BlockKind, rotational: bool) -> BlockDevice {
        BlockDevice {
            name: name.to_owned(),
            kind,
            parent: Reading::absent("a whole device"),
            disks: Reading::Known(vec![name.to_owned()]),
            size: Reading::Known(Bytes(1 << 30)),
            rotational: Reading::Known(rotational),
            discard_max: Reading::not_sampled(),
            numa_node: Reading::absent("none"),
            scheduler: Reading::not_sampled(),
            model: Reading::not_sampled(),
            backing_file: Reading::not_sampled(),
            dm_name: Reading::not_sampled(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_what_the_kernel_believes() {
        use BlockKind::{Disk, Dm, Loop, Ram, Zram};
        for (name, kind, rotates, filesystem, wanted) in [
            ("zram0", Zram, false, None, Speed::Zram),
            ("nvme0n1", Disk, false, None, Speed::Solid),
            ("vda", Disk, true, None, Speed::Rotational),
            ("ram0", Ram, false, None, Speed::Solid),
            ("dm-0", Dm, true, None, Speed::Rotational),
            ("nbd0", Disk, false, None, Speed::Remote),
            ("nb0", Disk, false, None, Speed::Solid),
            ("rbd12", Disk, false, None, Speed::Remote),
            ("etherd!e1.0", Disk, false, None, Speed::Remote),
            ("loop0", Loop, false, Some("nfs4"), Speed::Remote),
            ("loop0", Loop, true, Some("ext4"), Speed::Rotational),
            ("zram1", Zram, false, Some("ext4"), Speed::Zram),
        ] {
            let block = Reading::Known(testing::device(name, kind, rotates));
            assert_eq!(
                speed_class(&block, filesystem),
                Reading::Known(wanted),
                "{name} {filesystem:?}"
            );
        }
    }

    #[test]
    fn network_devices_are_known_by_their_paths() {
        let is_remote = |path: &str| is_network_device(&path.into());
        let remote = ["/dev/nbd0", "/dev/nbd0p1", "/dev/rbd12", "/dev/etherd/e1.0"];
        assert_eq!(remote.map(is_remote), [true; 4]);
        let other = ["/dev/nb0", "/dev/sda", "/srv/nbd0", "nbd0", "/dev/mapper/nbd0"];
        assert_eq!(other.map(is_remote), [false; 5]);
    }

    #[test]
    fn a_virtio_disk_says_that_it_rotates_and_is_not_believed() {
        let on = |disks: &[&str]| {
            let disks = disks.iter().map(|disk| (*disk).to_owned()).collect();
            let device = testing::device("dm-0", BlockKind::Dm, true);
            BlockDevice { disks: Reading::Known(disks), ..device }
        };
        assert!(!seeks(&on(&["vda", "vdaa"])) && is_virtio(&on(&["vda"])));
        for disks in [&["vda", "sda"][..], &["vd0"], &["sda"], &[]] {
            assert!(seeks(&on(disks)), "{disks:?}");
        }
        assert!(!seeks(&testing::device("sda", BlockKind::Disk, false)));
        let unknown = BlockDevice { disks: Reading::failed("x"), ..on(&["vda"]) };
        assert!(seeks(&unknown), "unknown disks are believed");
    }

    #[test]
    fn the_flag_of_virtio_disks_does_not_count_beside_another_disk() {
        let classes = |others: &[(Speed, bool)]| {
            let mut areas = vec![(Reading::Known(Speed::Rotational), true)];
            areas.extend(others.iter().map(|(speed, virtio)| (Reading::Known(*speed), *virtio)));
            doubt_virtio(&mut areas);
            areas.iter().map(|(speed, _)| speed.known().copied()).collect::<Vec<_>>()
        };
        for disk in [Speed::Solid, Speed::Rotational] {
            assert_eq!(classes(&[(disk, false)]), [None, Some(disk)]);
        }
        for other in [(Speed::Zram, false), (Speed::Remote, false), (Speed::Rotational, true)] {
            assert_eq!(classes(&[other]), [Some(Speed::Rotational), Some(other.0)]);
        }
    }

    #[test]
    fn what_is_not_known_is_no_class_unless_the_file_system_tells() {
        let none = Reading::absent("btrfs");
        assert!(speed_class(&none, Some("btrfs")).missing().is_some());
        assert_eq!(speed_class(&none, Some("nfs")), Reading::Known(Speed::Remote));
        let mut disk = testing::device("sda", BlockKind::Disk, true);
        disk.rotational = Reading::failed("x");
        assert!(speed_class(&Reading::Known(disk.clone()), None).missing().is_some());
        disk.parent = Reading::Known("nbd3".to_owned());
        assert_eq!(speed_class(&Reading::Known(disk), None), Reading::Known(Speed::Remote));
    }
}
