//! What a path leads to that somebody wants to enable, to format, or to make into a swap file.

use super::format::{SwapFileSpec, Format, Patch, Uuid};
use super::name::Name;
use super::reading::Reading;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

/// What kind of thing it is.
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

/// What stands in its first page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signature {
    /// A swap header.
    Swap(SwapHeader),
    /// The image of a machine that sleeps, as the word that marks it.
    Image(String),
    /// Swap of a form that no kernel takes any more.
    Old,
    /// None that is known.
    None,
}

/// A swap header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapHeader {
    /// The size of a page where it was made.
    pub page_size: u64,
    /// Its version: the kernel takes 1 only.
    pub version: u32,
    /// The last page that it speaks of.
    pub last_page: u32,
    /// How many pages it names as bad.
    pub bad_pages: u32,
    /// Its label.
    pub label: Option<Name>,
    /// Its UUID.
    pub uuid: Option<Uuid>,
    /// Was it written by a machine of the other byte order?
    #[serde(default)]
    pub turned: bool,
}

/// All that is to be known of it beforehand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The path as it was given, made absolute.
    pub path: Name,
    /// What it is.
    pub thing: Reading<PathKind>,
    /// How large it is.
    pub size: Reading<Bytes>,
    /// How much of that has a place on the disk; the same as the size on a device.
    pub allocated: Reading<Bytes>,
    /// Who may do what: the permissions.
    pub mode: Reading<u32>,
    /// Whose it is.
    pub owner: Reading<u32>,
    /// What stands in its first page.
    pub signature: Reading<Signature>,
    /// The kind of file system that it lies on, of a file.
    pub filesystem: Reading<String>,
    /// Where the device is mounted, if it is.
    pub mounted: Option<Name>,
    /// The loop device that a file is behind, if it is.
    pub behind: Option<Name>,
    /// Devices that are made of it, of a device.
    pub holders: Vec<Name>,
    /// Can the device only be read?
    pub read_only: bool,
}

impl Candidate {
    /// The swap file that it is; none if it is no file, or has no header that the kernel takes.
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
}

/// A mark by which a kind of content is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectedContent {
    /// What it is, such as "an ext4 file system".
    pub what: String,
    /// Its label.
    pub label: Option<Name>,
    /// Where its marks stand that have to go for it not to be found any more, with their lengths.
    pub marks: Vec<(u64, usize)>,
}

/// What must be zero for something to be empty, if nothing on it is known.
pub const CHECKED_PLACES: &str = "its first and last MiB and 64 places between";

/// A device or file that is to be formatted.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatTarget {
    /// What is known of every area.
    pub candidate: Candidate,
    /// What it holds.
    pub found: Reading<Vec<DetectedContent>>,
    /// Are all places zero that [`LOOKED_AT`] names?
    pub is_clear: Reading<bool>,
    /// The bytes that are overwritten: the first page, and the marks.
    pub was: Reading<Vec<Patch>>,
    /// The active area that it is.
    pub active: Option<Name>,
    /// Its partitions.
    pub partitions: Vec<Name>,
}

/// A folder on the way to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParentFolder {
    /// Its path.
    pub path: Name,
    /// Who may do what in it.
    pub mode: u32,
    /// Whose it is.
    pub owner: u32,
}

/// A path at which a swap file is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFileTarget {
    /// The path, without links but perhaps for the last part.
    pub path: Name,
    /// How large the file is to be.
    pub size: Bytes,
    /// How much room the one gives back that goes first.
    pub frees: Bytes,
    /// How much of it a snapshot or a copy keeps.
    pub kept: Bytes,
    /// What is there already, in words.
    pub taken_by: Option<String>,
    /// The folders above it, from the last to the root.
    pub folders: Reading<Vec<ParentFolder>>,
    /// The kind of file system.
    pub filesystem: Reading<String>,
    /// Can that only be read?
    pub read_only: bool,
    /// How large that is.
    pub whole: Reading<Bytes>,
    /// How much of it is free for anybody.
    pub free: Reading<Bytes>,
    /// Why btrfs cannot hold swap there, whatever the file.
    pub spread: Option<String>,
}
