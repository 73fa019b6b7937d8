//! Workloads of the lab: processes, their memory, and how they access it.
//!
//! Data only: the lab reads workloads from files and runs them. The spelling of each choice is defined here
//! for files, results and the manual.

mod blocks;
mod words;

use super::Bytes;
pub use blocks::{BlockSizes, MAX_BLOCKS};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
pub use words::{
    AccessPattern, AfterTouching, FolioAdvice, FreeMethod, MemoryKind, PageContents, TouchUnit,
};

/// Name for all large folio sizes that are not listed.
pub const OTHER_SIZES: &str = "others";

/// A workload: worker groups that run concurrently in one cgroup.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workload {
    /// Name.
    pub name: String,
    /// Purpose in one sentence.
    pub about: String,
    /// Memory limit of all processes together.
    pub limit: MemoryAmount,
    /// Whether all processes start accessing memory at the same time.
    pub start_together: bool,
    /// Whether all processes wait for the last one before they free their memory.
    pub free_together: bool,
    /// Action after all accesses, before memory is freed.
    pub after: AfterTouching,
    /// Temporary settings of large folios: a size, or [`OTHER_SIZES`], and its value.
    pub mthp: BTreeMap<String, String>,
    /// Time limit in seconds.
    pub at_most: f64,
    /// Worker groups.
    pub works: Vec<WorkerGroup>,
}

impl Workload {
    /// Worker groups whose processes start together, and free their memory together.
    pub fn together(name: &str, works: Vec<WorkerGroup>) -> Self {
        Self {
            name: name.to_owned(),
            about: String::new(),
            limit: MemoryAmount::Share(1.0),
            start_together: true,
            free_together: true,
            after: AfterTouching::Nothing,
            mthp: BTreeMap::new(),
            at_most: 600.0,
            works,
        }
    }
}

/// A worker group: processes that all do the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerGroup {
    /// Number of concurrent processes.
    pub processes: u32,
    /// Number of successive processes in the place of each one.
    pub rounds: u32,
    /// Memory per process.
    pub size: MemoryAmount,
    /// Largest random deviation from that size, as a share.
    pub vary: f64,
    /// Kind of memory.
    pub memory: MemoryKind,
    /// Access pattern.
    pub order: AccessPattern,
    /// Amount of each page that is accessed.
    pub touch: TouchUnit,
    /// Share of accesses that write.
    pub writes: f64,
    /// Whether all memory is filled before the start.
    pub prefault: bool,
    /// Number of passes over the memory; `None` if `seconds` applies.
    pub passes: Option<f64>,
    /// Duration of the accesses.
    pub seconds: Option<f64>,
    /// Rate limit in bytes per second.
    pub pace: Option<Bytes>,
    /// Contents of the pages.
    pub contents: PageContents,
    /// Large folio advice for the kernel.
    pub advice: FolioAdvice,
    /// How memory is freed.
    pub free: FreeMethod,
    /// Whether a page is mapped and unmapped now and then.
    #[serde(default)]
    pub allocates: bool,
    /// CPUs that the processes are bound to, assigned round robin.
    pub cpus: Option<Vec<u32>>,
    /// NUMA node of their memory.
    pub node: Option<u32>,
}

impl WorkerGroup {
    /// Processes that write their memory once, from the first page to the last.
    pub fn writing_once(processes: u32, size: Bytes) -> Self {
        Self {
            processes,
            rounds: 1,
            size: MemoryAmount::Bytes(size),
            vary: 0.0,
            memory: MemoryKind::Anonymous,
            order: AccessPattern::Sequential,
            touch: TouchUnit::Page,
            writes: 1.0,
            prefault: false,
            passes: Some(1.0),
            seconds: None,
            pace: None,
            contents: PageContents::Ratio(3.0),
            advice: FolioAdvice::None,
            free: FreeMethod::Exit,
            allocates: false,
            cpus: None,
            node: None,
        }
    }
}

/// The task of one process: a line of JSON on its standard input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Number of the process, from 0.
    pub number: u32,
    /// Seed of the whole run, from which each process derives its own.
    pub seed: u64,
    /// Memory of the process.
    pub size: Bytes,
    /// Page size.
    pub page_size: u64,
    /// Worker group of the process.
    pub work: WorkerGroup,
    /// Start of the run in nanoseconds since boot.
    pub begun_ns: u64,
}

/// A command to a running process: a letter on its standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskCommand {
    /// Start the accesses.
    Touch,
    /// Free the memory.
    Free,
}

/// A message of a process: a line of JSON on its standard output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "told", rename_all = "snake_case")]
pub enum TaskMessage {
    /// Progress: of filling its memory until it is ready, then of the accesses. Omitted if that takes no
    /// noticeable time.
    Far {
        /// Share that is done, from 0 to 1.
        share: f64,
    },
    /// Its memory is allocated, and filled if requested.
    Ready,
    /// All accesses are done.
    Touched(Box<super::run::TouchStats>),
    /// Its memory is freed; the process exits next.
    Freed {
        /// Time to free it in nanoseconds; `None` if the exit frees it.
        free_ns: Option<u64>,
    },
    /// The process failed.
    Failed {
        /// The failure and its cause.
        why: String,
    },
}

/// An amount of memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryAmount {
    /// A number of bytes.
    Bytes(Bytes),
    /// A share: of the memory limit for the memory of processes, of the available memory for the limit
    /// itself.
    Share(f64),
}

impl MemoryAmount {
    /// The amount in bytes, for this whole.
    pub fn resolve(self, whole: Bytes) -> Bytes {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Share(share) => whole.times(share),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_whole() {
        assert_eq!(MemoryAmount::Share(1.5).resolve(Bytes(1000)), Bytes(1500));
        assert_eq!(MemoryAmount::Bytes(Bytes(7)).resolve(Bytes(1000)), Bytes(7));
    }
}
