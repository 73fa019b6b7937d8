//! How fast what carries an area is: its class, by what the kernel believes of the device, since the
//! kernel allocates by that. A virtio disk that says it rotates counts as rotating.

use crate::model::Reading;
use crate::model::block::{BlockDevice, BlockKind};
use serde::{Deserialize, Serialize};

/// File systems whose files lie at the other end of a network.
pub const REMOTE: [&str; 7] = ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "afs"];
/// How the devices are called whose disks do.
const REMOTE_DISKS: [&str; 3] = ["nbd", "rbd", "etherd!e"];

/// A class of speed, fastest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Compressed RAM.
    Zram,
    /// What does not rotate.
    Solid,
    /// What does, as far as the kernel knows.
    Rotational,
    /// What lies behind a network.
    Remote,
}

impl Speed {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Zram => "zram",
            Self::Solid => "solid state",
            Self::Rotational => "rotational",
            Self::Remote => "network",
        }
    }
}

/// The class of an area on this device. A file takes that of the disk below its file system; a
/// device of the loop driver has the kernel's belief of what is behind it, but for a network, which
/// only the kind of file system tells: of the file, or of the one behind the device.
pub fn speed_class(block: &Reading<BlockDevice>, filesystem: Option<&str>) -> Reading<Speed> {
    if filesystem.is_some_and(|kind| REMOTE.contains(&kind)) {
        return Reading::Known(Speed::Remote);
    }
    block.as_ref().and_then(|block| {
        let disk = block.parent.known().unwrap_or(&block.name);
        if block.kind == BlockKind::Zram {
            return Reading::Known(Speed::Zram);
        }
        if REMOTE_DISKS.iter().any(|driver| is_numbered(disk, driver)) {
            return Reading::Known(Speed::Remote);
        }
        let class = |rotates| if rotates { Speed::Rotational } else { Speed::Solid };
        block.rotational.clone().map(class)
    })
}

/// Is it all on virtio disks? Such a disk always says that it rotates: its host has no way to say
/// otherwise, and hardly any does.
pub fn is_virtio(block: &BlockDevice) -> bool {
    let is_one = |disk: &String| {
        let letters = disk.strip_prefix("vd");
        letters.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let disks = block.disks.known();
    disks.is_some_and(|disks| !disks.is_empty() && disks.iter().all(is_one))
}

/// Does it have to seek, as far as that is known: does it rotate, and not only say so?
pub fn seeks(block: &BlockDevice) -> bool {
    block.rotational.known() == Some(&true) && !is_virtio(block)
}

/// The file by which the kernel is told whether it rotates: that of the whole device.
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

    /// A whole device without anything special.
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
            assert_eq!(speed_class(&block, filesystem), Reading::Known(wanted), "{name} {filesystem:?}");
        }
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
        assert!(seeks(&unknown), "nothing says that it only says so");
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
