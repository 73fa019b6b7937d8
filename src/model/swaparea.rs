//! Active swap areas and the headers on them.

use super::name::Name;
use super::reading::Reading;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

/// What the kernel swaps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AreaKind {
    /// A block device: partition, whole disk, zram, loop.
    Partition,
    /// A regular file.
    File,
}

/// A row of `/proc/swaps`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapArea {
    /// The path as the kernel resolved it, unescaped, without the mark of a deleted node.
    pub path: Name,
    /// The row carries ` (deleted)`: the node or file has no name any more (or ends so by design).
    pub deleted: bool,
    /// Block device or file.
    pub kind: AreaKind,
    /// Usable size. The kernel's figure wraps at 4 TiB; this one is repaired where the size of the
    /// device is known.
    pub size: Bytes,
    /// Space in use; missing when the kernel's figure wrapped and could not be repaired.
    pub used: Reading<Bytes>,
    /// The priority as printed.
    pub priority: i32,
    /// How many times 4 TiB were added to the printed size.
    pub wraps: u32,
    /// Which file it is; none of a device, and of a file that cannot be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileIdentity>,
}

/// What tells a file from one that is made anew under its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIdentity {
    /// The number of the device that it lies on, major and minor.
    pub device: (u32, u32),
    /// Its number there, which a file that is made anew often gets again.
    pub inode: u64,
    /// Its size.
    pub size: u64,
    /// When it was changed last, in seconds and nanoseconds: swapping changes nothing of it.
    pub changed: (i64, i64),
}

impl SwapArea {
    /// What is the same as long as it is the same area: what was read of it holds so long.
    pub fn identity(&self) -> (&Name, bool, Bytes, Option<FileIdentity>) {
        (&self.path, self.deleted, self.size, self.file)
    }

    /// The place of the same area among those of another moment.
    pub fn index_in(&self, areas: &[Self]) -> Option<usize> {
        areas.iter().position(|other| other.identity() == self.identity())
    }

    /// The place of each of these areas among those of another moment. None has one that is not there, or
    /// that cannot be told from others, since there are more or fewer of them than there were.
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
}

/// What a swap area says of itself in its first page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaHeader {
    /// The label; absent when there is none.
    pub label: Reading<Name>,
    /// The UUID in the usual form; absent when there is none.
    pub uuid: Reading<String>,
    /// The page size that the header was made for; absent when only the label and UUID are known.
    pub page_size: Reading<u64>,
}

/// How a swap file lies on its disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLayout {
    /// Pieces that do not go on where the last one ended.
    pub extents: u64,
    /// Where on its device the first byte is; absent where its file system has no such place.
    pub first: Reading<Bytes>,
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// An active device of this size, of which so much is used.
    pub(crate) fn area(path: &str, priority: i32, size: u64, used: u64) -> SwapArea {
        SwapArea {
            path: Name::from(path),
            deleted: false,
            kind: AreaKind::Partition,
            size: Bytes(size),
            used: Reading::Known(Bytes(used)),
            priority,
            wraps: 0,
            file: None,
        }
    }
}
