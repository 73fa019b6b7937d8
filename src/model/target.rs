//! What is to be formatted, and where a swap file is to lie.

use super::candidate::Candidate;
use super::name::Name;
use super::patch::Patch;
use super::reading::Reading;
use super::units::Bytes;

/// A mark by which a kind of content is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is, such as "an ext4 file system".
    pub what: String,
    /// Its label.
    pub label: Option<Name>,
    /// Where its marks stand that have to go for it not to be found any more, with their lengths.
    pub marks: Vec<(u64, usize)>,
}

/// What must be zero for something to be empty, if nothing on it is known.
pub const LOOKED_AT: &str = "its first and last MiB and 64 places between";

/// A device or file that is to be formatted.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// What is known of every area.
    pub candidate: Candidate,
    /// What it holds.
    pub found: Reading<Vec<Found>>,
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
pub struct Folder {
    /// Its path.
    pub path: Name,
    /// Who may do what in it.
    pub mode: u32,
    /// Whose it is.
    pub owner: u32,
}

/// A path at which a swap file is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
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
    pub folders: Reading<Vec<Folder>>,
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
