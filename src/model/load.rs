//! Loads of the stress lab: what shall run, with which memory and in which order it is touched.
//!
//! This is data only. `stress` reads it from files and carries it out; how each word is spelled
//! stands here, once, for files, results and the manual.

mod words;

use super::Bytes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
pub use words::{FolioAdvice, AfterTouching, PageContents, FreeMethod, MemoryKind, AccessPattern, TouchUnit};

/// All sizes of large folios that are not named.
pub const OTHER_SIZES: &str = "others";

/// A load: groups of processes that run at the same time, in one cage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workload {
    /// What it is called.
    pub name: String,
    /// What it is for, in a sentence.
    pub about: String,
    /// The memory that all of it together may take.
    pub limit: MemoryAmount,
    /// Do all processes begin to touch at the same moment?
    pub start_together: bool,
    /// Do all wait for the last before they give their memory back?
    pub free_together: bool,
    /// What is done when all have touched what they shall, before memory is given back.
    pub after: AfterTouching,
    /// Settings of large folios for the time of the run: a size, or [`OTHERS`], and what is written
    /// for it.
    pub mthp: BTreeMap<String, String>,
    /// It is ended after so many seconds, whatever it does.
    pub at_most: f64,
    /// What runs.
    pub works: Vec<WorkerGroup>,
}

/// Processes that all do the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerGroup {
    /// How many, at the same time.
    pub processes: u32,
    /// How many one after another in the place of each: a new process every time.
    pub rounds: u32,
    /// The memory of each.
    pub size: MemoryAmount,
    /// By how large a share the memory of each differs from that, up and down, by chance.
    pub vary: f64,
    /// What kind of memory.
    pub memory: MemoryKind,
    /// Which page comes next.
    pub order: AccessPattern,
    /// How much of a page is touched.
    pub touch: TouchUnit,
    /// The share of touches that write.
    pub writes: f64,
    /// Is all memory filled before the start?
    pub prefault: bool,
    /// How often as many pages as there are are touched; none where `seconds` counts.
    pub passes: Option<f64>,
    /// How long they are touched.
    pub seconds: Option<f64>,
    /// Not more bytes in a second than these.
    pub pace: Option<Bytes>,
    /// What pages hold.
    pub contents: PageContents,
    /// What the kernel is told of large folios.
    pub advice: FolioAdvice,
    /// How memory is given back.
    pub free: FreeMethod,
    /// Is a page mapped and given back now and then?
    #[serde(default)]
    pub allocates: bool,
    /// The processors they are bound to; in turn, where there are more processes.
    pub cpus: Option<Vec<u32>>,
    /// The NUMA node that their memory comes from.
    pub node: Option<u32>,
}

/// What one process is told to do: a line of JSON on its input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Which of all it is, from 0 on.
    pub number: u32,
    /// The seed of the whole run; each process makes its own of it.
    pub seed: u64,
    /// Its memory.
    pub size: Bytes,
    /// The size of a page.
    pub page_size: u64,
    /// What it is to do.
    pub work: WorkerGroup,
    /// When the run began, by the clock that counts from boot, in nanoseconds.
    pub begun_ns: u64,
}

/// What a process is told while it runs: a letter on its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskCommand {
    /// Begin to touch.
    Touch,
    /// Give your memory back.
    Free,
}

/// What a process tells: a line of JSON on its output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "told", rename_all = "snake_case")]
pub enum TaskMessage {
    /// It is so far: with filling its memory before it is ready, with touching it after that. Not
    /// told by one that is done with either in no time.
    Far {
        /// How much of that is done, from 0 to 1.
        share: f64,
    },
    /// Its memory is there, and filled if it was to be.
    Ready,
    /// It has touched what it should.
    Touched(Box<super::run::TouchStats>),
    /// It has given its memory back; the next that ends the process is its exit.
    Freed {
        /// How long that took, in nanoseconds; none where the process ends to do it.
        free_ns: Option<u64>,
    },
    /// It could not go on.
    Failed {
        /// What it could not do, and why.
        why: String,
    },
}

/// How much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryAmount {
    /// So many bytes.
    Bytes(Bytes),
    /// A share: of the memory limit for the memory of processes, of the memory that is available
    /// for the limit itself.
    Share(f64),
}

impl MemoryAmount {
    /// In bytes, where a whole is so large.
    pub fn resolve(self, whole: Bytes) -> Bytes {
        match self {
            Self::Bytes(bytes) => bytes,
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a share is no less than nothing, and too much becomes the most"
            )]
            Self::Share(share) => Bytes((whole.0 as f64 * share) as u64),
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
