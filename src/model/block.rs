//! Block devices that carry swap, and their I/O counters.

use super::name::Name;
use super::reading::Reading;
use super::shared::Shared;
use super::units::Bytes;
use crate::worded_enum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Bytes in a sector of `/proc/diskstats`.
pub const SECTOR: u64 = 512;

/// The counters of one device, since boot, as in `/proc/diskstats`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskStats {
    /// Major number.
    pub major: u32,
    /// Minor number.
    pub minor: u32,
    /// Reads completed.
    pub reads: u64,
    /// Sectors of 512 bytes read.
    pub read_sectors: u64,
    /// Time that reads took, in milliseconds.
    pub read_ms: u64,
    /// Writes completed.
    pub writes: u64,
    /// Sectors of 512 bytes written.
    pub write_sectors: u64,
    /// Time that writes took, in milliseconds.
    pub write_ms: u64,
    /// Requests in flight now.
    pub in_flight: u64,
    /// Time with at least one request in flight, in milliseconds.
    pub busy_ms: u64,
}

/// A device with its counters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    /// The name that it has in `/sys/block`.
    pub name: String,
    /// The counters.
    pub stats: DiskStats,
}

/// The counters of all devices. Samples share those that do not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Disks(pub(super) Box<[Shared<Disk>]>);

impl Disks {
    /// The counters of a device.
    pub fn get(&self, name: &str) -> Option<&DiskStats> {
        let place = self.0.binary_search_by(|disk| disk.name.as_str().cmp(name)).ok()?;
        self.0.get(place).map(|disk| &disk.stats)
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|disk| disk.name.as_str())
    }
}

impl FromIterator<(String, DiskStats)> for Disks {
    fn from_iter<I: IntoIterator<Item = (String, DiskStats)>>(disks: I) -> Self {
        let sorted: BTreeMap<_, _> = disks.into_iter().collect();
        Self(sorted.into_iter().map(|(name, stats)| Disk { name, stats }.into()).collect())
    }
}

worded_enum! {
    /// Kind of a block device.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum BlockKind {
        /// Compressed RAM.
        Zram = "zram",
        /// A file presented as a disk.
        Loop = "loop",
        /// Device mapper: LVM, encryption.
        Dm = "dm",
        /// Software RAID.
        Md = "md",
        /// A RAM disk.
        Ram = "ram",
        /// Anything else: a disk.
        Disk = "disk",
    }
}

/// The block device behind a swap area; for a swap file, the one its file system is on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockDevice {
    /// The kernel's name, such as `sda2` or `zram0`.
    pub name: String,
    /// Kind of device.
    pub kind: BlockKind,
    /// Disk of a partition; absent for a whole disk.
    pub parent: Reading<String>,
    /// Physical disks: all disks below device mapper and RAID, otherwise its own disk.
    #[serde(default = "Reading::not_sampled")]
    pub disks: Reading<Vec<String>>,
    /// Size of the device.
    pub size: Reading<Bytes>,
    /// Whether the kernel treats it as rotational.
    pub rotational: Reading<bool>,
    /// Largest discard request; zero if it does not support discard.
    pub discard_max: Reading<Bytes>,
    /// NUMA node of its controller; absent if it has none.
    pub numa_node: Reading<i32>,
    /// Active I/O scheduler.
    pub scheduler: Reading<String>,
    /// Model of the device.
    pub model: Reading<String>,
    /// The file behind a loop device.
    pub backing_file: Reading<Name>,
    /// The device-mapper name.
    pub dm_name: Reading<String>,
}

/// The path of the loop device that a path of one, or of a partition on one, names.
pub fn loop_device(path: &Name) -> Option<Name> {
    let rest = path.as_bytes().strip_prefix(b"/dev/loop")?;
    let digits: Vec<u8> = rest.iter().copied().take_while(u8::is_ascii_digit).collect();
    (!digits.is_empty()).then(|| Name::new([b"/dev/loop", &*digits].concat()))
}

impl BlockDevice {
    /// Kind of the device in one word.
    pub fn word(&self) -> &'static str {
        if self.parent.known().is_some() { "partition" } else { self.kind.word() }
    }
}
