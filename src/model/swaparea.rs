//! Active swap areas and the headers on them.

use super::name::Name;
use super::reading::{Missing, Reading};
use super::units::Bytes;
use crate::worded_enum;
use serde::{Deserialize, Serialize};

worded_enum! {
    /// Kind of a swap area, as shown by the kernel.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AreaKind {
        /// A block device: partition, whole disk, zram, loop.
        Partition = "partition",
        /// A regular file.
        File = "file",
    }
}

/// A row of `/proc/swaps`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapArea {
    /// Path as resolved by the kernel, unescaped, without ` (deleted)`.
    pub path: Name,
    /// Whether the row ends with ` (deleted)`: the node or file was removed (or its name ends so).
    pub deleted: bool,
    /// Block device or file.
    pub kind: AreaKind,
    /// Usable size. The kernel's figure wraps at 4 TiB and is corrected if the size of the device is known.
    pub size: Bytes,
    /// Used space; missing if the kernel's figure wrapped and could not be corrected.
    pub used: Reading<Bytes>,
    /// Priority as printed.
    pub priority: i32,
    /// Multiples of 4 TiB that were added to the printed size.
    pub wraps: u32,
    /// Identity of the file; `None` for a device or an inaccessible file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileIdentity>,
}

/// Reads of an area that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedReads {
    /// Path of the area.
    pub area: Name,
    /// Number of reads, or more: the kernel log does not list each of them.
    pub reads: u64,
}

/// Identity of a file, which distinguishes it from a recreated file of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIdentity {
    /// Device of its file system: major and minor number.
    pub device: (u32, u32),
    /// Inode number, which a recreated file often reuses.
    pub inode: u64,
    /// Size.
    pub size: u64,
    /// Change time (ctime) in seconds and nanoseconds, which swapping does not change.
    pub changed: (i64, i64),
}

impl SwapArea {
    /// The identity of the area: data read from it is valid as long as this stays the same.
    pub fn identity(&self) -> (&Name, bool, Bytes, Option<FileIdentity>) {
        (&self.path, self.deleted, self.size, self.file)
    }

    /// Used space; all of the area if that is unknown.
    pub fn used_at_most(&self) -> Bytes {
        self.used.known().copied().unwrap_or(self.size)
    }

    /// Used space; none if that is unknown.
    pub fn used_at_least(&self) -> Bytes {
        self.used.known().copied().unwrap_or(Bytes(0))
    }

    /// The index of the same area in another list.
    pub fn index_in(&self, areas: &[Self]) -> Option<usize> {
        areas.iter().position(|other| other.identity() == self.identity())
    }

    /// The index of each of these areas in another list. `None` if it is not there, or if there are several
    /// identical areas and their number changed.
    pub fn indices_in(areas: &[Self], others: &[Self]) -> Vec<Option<usize>> {
        let alike = |all: &[Self], area: &Self| -> Vec<usize> {
            (0..)
                .zip(all)
                .filter(|(_, it)| it.identity() == area.identity())
                .map(|it| it.0)
                .collect()
        };
        let place = |(own, area): (usize, &Self)| {
            let (here, there) = (alike(areas, area), alike(others, area));
            let nth = here.iter().position(|place| *place == own)?;
            there.get(nth).copied().filter(|_| here.len() == there.len())
        };
        (0..).zip(areas).map(place).collect()
    }

    /// The readings of areas at these indices; an area without an index has none, for this reason.
    pub fn pick<T: Clone>(
        readings: &[Reading<T>],
        places: &[Option<usize>],
        missing: &Missing,
    ) -> Vec<Reading<T>> {
        let at = |place: &Option<usize>| readings.get((*place)?).cloned();
        places.iter().map(|place| at(place).unwrap_or_else(|| missing.clone().into())).collect()
    }
}

/// Header of an active swap area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaHeader {
    /// Label; absent if it has none.
    pub label: Reading<Name>,
    /// UUID; absent if it has none.
    pub uuid: Reading<String>,
    /// Page size for which the header was written; absent if only label and UUID are known.
    pub page_size: Reading<u64>,
}

/// Layout of a swap file on its disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLayout {
    /// Number of extents; adjacent ones count as one.
    pub extents: u64,
    /// Offset of the first byte on its device; absent if the file system has no fixed place for it.
    pub first: Reading<Bytes>,
}

impl FileLayout {
    /// The first page on its device, as `resume_offset` counts them.
    pub fn first_page(&self, page_size: u64) -> Reading<u64> {
        self.first.clone().map(|first| first.0 / page_size.max(1))
    }
}

/// Values for tests, also of other packages.
#[cfg(any(test, feature = "testing"))]
pub mod testing;

// Changes by swapadm that were interrupted.

/// A plan of this boot that was interrupted, or left partly done, and not repaired since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterruptedPlan {
    /// Number of the plan in the journal.
    pub plan: u64,
    /// Title of the plan.
    pub title: String,
    /// The areas that were active when it began, if it disables areas.
    pub areas: Vec<Name>,
}
