//! Facts about a path that is to be enabled, formatted or created as a swap file.

use super::format::{Format, Patch, SwapFileSpec, Uuid};
use super::name::Name;
use super::reading::Reading;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

/// Kind of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathKind {
    /// A block device, with its number.
    Device {
        /// Major number.
        major: u32,
        /// Minor number.
        minor: u32,
    },
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Anything else: a character device, a socket, a FIFO.
    Other,
}

/// Signature in the first page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signature {
    /// A swap header.
    Swap(SwapHeader),
    /// A hibernation image, with its marker.
    Image(String),
    /// The old swap format (version 0), which current kernels reject.
    Old,
    /// No known signature.
    None,
}

/// A swap header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapHeader {
    /// Page size of the machine that wrote it.
    pub page_size: u64,
    /// Version; the kernel accepts only 1.
    pub version: u32,
    /// Number of the last page.
    pub last_page: u32,
    /// Number of bad pages.
    pub bad_pages: u32,
    /// The label.
    pub label: Option<Name>,
    /// The UUID.
    pub uuid: Option<Uuid>,
    /// Whether it was written with the other byte order.
    #[serde(default)]
    pub turned: bool,
}

/// Facts about a device or file before it is enabled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The given path, made absolute.
    pub path: Name,
    /// Where the path leads, if there are symbolic links in it.
    #[serde(default)]
    pub leads_to: Option<Name>,
    /// Kind of path.
    pub thing: Reading<PathKind>,
    /// Size.
    pub size: Reading<Bytes>,
    /// Allocated size; of a device, its size.
    pub allocated: Reading<Bytes>,
    /// Permissions.
    pub mode: Reading<u32>,
    /// User ID of the owner.
    pub owner: Reading<u32>,
    /// Signature in the first page.
    pub signature: Reading<Signature>,
    /// Type of the file system of a file.
    pub filesystem: Reading<String>,
    /// Mount point of a device, if it is mounted.
    pub mounted: Option<Name>,
    /// Loop device that uses the file, if any.
    pub behind: Option<Name>,
    /// Devices built on top of a device.
    pub holders: Vec<Name>,
    /// Whether the device is read-only.
    pub read_only: bool,
}

impl Candidate {
    /// The swap file at the path, if it is a file with a header that the kernel accepts.
    pub fn swap_file_spec(&self) -> Option<SwapFileSpec> {
        let (Reading::Known(PathKind::File), Reading::Known(Signature::Swap(header))) =
            (&self.thing, &self.signature)
        else {
            return None;
        };
        let SwapHeader { page_size, version: 1, last_page, uuid, label, .. } = header else {
            return None;
        };
        let pages = last_page.saturating_add(1);
        let (page_size, uuid, label) = (*page_size, *uuid, label.clone());
        let nocow = self.filesystem.known().is_some_and(|kind| kind == "btrfs");
        let format = Format { page_size, pages, uuid, label };
        Some(SwapFileSpec { size: *self.size.known()?, format, nocow })
    }

    /// The size of the area that the header describes, which its first page is no part of.
    pub fn header_size(&self) -> Option<Bytes> {
        let Reading::Known(Signature::Swap(header)) = &self.signature else { return None };
        let pages = u64::from(header.last_page).saturating_sub(u64::from(header.bad_pages));
        Some(Bytes(pages.saturating_mul(header.page_size)))
    }

    /// Whether this is a swap header alone, as captures have it: no area is as small as its header.
    pub fn is_header_copy(&self) -> bool {
        let Reading::Known(Signature::Swap(header)) = &self.signature else { return false };
        self.size.known() == Some(&Bytes(header.page_size))
    }
}

/// Content that was detected by its magic bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectedContent {
    /// Description, such as "an ext4 file system".
    pub what: String,
    /// The label.
    pub label: Option<Name>,
    /// Offsets and lengths of the magic bytes to wipe so that it is no longer detected.
    pub marks: Vec<(u64, usize)>,
}

/// Facts about a device or file that is to be formatted.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatTarget {
    /// The general facts.
    pub candidate: Candidate,
    /// Detected contents.
    pub found: Reading<Vec<DetectedContent>>,
    /// Distance of the pages that were read between its first and last MiB, if all these are zeros.
    pub zero_pages: Reading<Option<Bytes>>,
    /// The bytes that are overwritten: the first page and the magic bytes.
    pub was: Reading<Vec<Patch>>,
    /// Path of the active area, if it is one.
    pub active: Option<Name>,
    /// The partitions.
    pub partitions: Vec<Name>,
}

/// A parent folder of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParentFolder {
    /// The path.
    pub path: Name,
    /// Permissions.
    pub mode: u32,
    /// User ID of the owner.
    pub owner: u32,
}

/// Facts about the path of a swap file that is to be created or to grow.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFileTarget {
    /// The path, with links resolved except in the last part.
    pub path: Name,
    /// Size of the file.
    pub size: Bytes,
    /// Space that it has already, if it only grows.
    pub has: Bytes,
    /// Description of an existing path.
    pub taken_by: Option<String>,
    /// Parent folders, from the innermost to the root.
    pub folders: Reading<Vec<ParentFolder>>,
    /// Type of the file system.
    pub filesystem: Reading<String>,
    /// Whether the file system is read-only.
    pub read_only: bool,
    /// Size of the file system.
    pub whole: Reading<Bytes>,
    /// Free space for ordinary users.
    pub free: Reading<Bytes>,
    /// Why this btrfs cannot hold swap files, for example several devices.
    pub spread: Option<String>,
}
