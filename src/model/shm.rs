//! Shared memory that no process owns: tmpfs and System V segments.

use super::name::Name;
use super::reading::Reading;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

/// A mounted tmpfs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tmpfs {
    /// Where it is mounted.
    pub mount: Name,
    /// Space its files take, in RAM or in swap.
    pub used: Reading<Bytes>,
    /// Its size limit.
    pub size: Reading<Bytes>,
}

/// A System V segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SysvSegment {
    /// Its identifier.
    pub id: u32,
    /// Its owner.
    pub uid: u32,
    /// Its size.
    pub size: Bytes,
    /// What of it is in RAM.
    pub resident: Bytes,
    /// What of it is in swap.
    pub swapped: Bytes,
}

/// Shared memory that no process owns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedMemory {
    /// Mounted tmpfs, each file system once.
    pub tmpfs: Reading<Vec<Tmpfs>>,
    /// System V segments.
    pub sysv: Reading<Vec<SysvSegment>>,
    /// What of all shared memory was in RAM when these were read: it is read more often than they
    /// are, and a later figure would not be theirs. Older recordings do not have it.
    #[serde(default = "Reading::not_sampled")]
    pub shmem: Reading<Bytes>,
}
