//! Workloads of the lab: processes, their memory, and how they access it.
//!
//! Data only: the lab reads workloads from files and runs them. The spelling of each choice is defined here
//! for files, results and the manual.

use super::Bytes;
use crate::worded_enum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

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
    /// The memory is allocated, and filled if requested.
    Ready,
    /// All accesses are done.
    Touched(Box<super::run::TouchStats>),
    /// The memory is freed; the process exits next.
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

// The choices in a workload, with their spelling.

worded_enum! {
    /// Kind of memory.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MemoryKind {
        /// Private anonymous memory.
        Anonymous = "anonymous",
        /// Shared anonymous memory, which the kernel keeps in an internal tmpfs.
        Shared = "shared",
        /// A memfd: an unnamed tmpfs file.
        Memfd = "memfd",
        /// Private memory that a child process accesses: pages are copied on write.
        Forked = "forked",
    }
}

/// Access pattern.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessPattern {
    /// In order.
    Sequential,
    /// At a fixed distance, then the pages between.
    Strided {
        /// Distance in bytes.
        stride: u64,
    },
    /// Uniformly random.
    Random,
    /// Zipf distribution: the n-th most popular page with probability 1/n^skew.
    Zipf {
        /// The exponent.
        skew: f64,
    },
    /// Mostly in a hot set, which changes after a while.
    Phases {
        /// Share of the pages that are hot.
        hot: f64,
        /// Share of the accesses to hot pages.
        hits: f64,
        /// Length of a phase in passes: accesses / pages.
        length: f64,
    },
    /// Blocks of different sizes are unmapped and mapped again, which fragments an area.
    Churn,
}

impl AccessPattern {
    /// Name of the choice.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::Strided { .. } => "strided",
            Self::Random => "random",
            Self::Zipf { .. } => "zipf",
            Self::Phases { .. } => "phases",
            Self::Churn => "churn",
        }
    }

    /// All names.
    pub const WORDS: [&str; 6] = ["sequential", "strided", "random", "zipf", "phases", "churn"];
}

worded_enum! {
    /// Amount of each page that is accessed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TouchUnit {
        /// One word of eight bytes.
        Word = "word",
        /// The whole page, as fast as possible.
        Page = "page",
        /// Every word of the page, one by one.
        EachWord = "each-word",
    }
}

worded_enum! {
    /// Large folio advice for the kernel.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum FolioAdvice {
        /// No advice.
        None = "none",
        /// `MADV_HUGEPAGE`.
        Large = "large",
        /// `MADV_NOHUGEPAGE`.
        Small = "small",
    }
}

worded_enum! {
    /// How memory is freed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum FreeMethod {
        /// With munmap(2).
        Unmap = "munmap",
        /// By the exit of the process.
        Exit = "exit",
    }
}

worded_enum! {
    /// Action after all accesses, before memory is freed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AfterTouching {
        /// No action.
        Nothing = "nothing",
        /// swapoff of the temporary areas while the processes hold their memory.
        Swapoff = "swapoff",
    }
}

/// Contents of pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageContents {
    /// Zeros, which the kernel does not store.
    Zero,
    /// One repeated non-zero value, of which zram stores only the value.
    Same,
    /// Each word holds its own number, as in the usual benchmarks of kernel developers.
    Words,
    /// Data with this compression ratio.
    Ratio(f64),
    /// Incompressible data.
    Random,
    /// The contents of a file, repeated.
    File(String),
}

impl PageContents {
    /// Spelling of each choice.
    pub const FORMS: [&str; 6] = ["zero", "same", "words", "RATIO:1", "random", "file:PATH"];
}

impl fmt::Display for PageContents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str("zero"),
            Self::Same => f.write_str("same"),
            Self::Words => f.write_str("words"),
            Self::Ratio(ratio) => write!(f, "{ratio}:1"),
            Self::Random => f.write_str("random"),
            Self::File(path) => write!(f, "file:{path}"),
        }
    }
}

// Sizes of the blocks that `churn` allocates and frees, in the lab and in the simulated machine.

/// The sizes of folios; blocks use those from a page up to a share of the memory.
const SIZES: [u64; 8] =
    [4 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 2 << 20];
/// The largest block, as a fraction of the memory: one in this many.
const MAX_BLOCK_SHARE: u64 = 8;
/// The most blocks: each needs two mappings, its own and a gap to the next, and a process has at
/// most 65530 (`vm.max_map_count`).
pub const MAX_BLOCKS: u64 = 30_000;

/// The sizes of blocks in pages, of which all get the same share of the memory.
#[derive(Clone, Debug)]
pub struct BlockSizes(Vec<u64>);

impl BlockSizes {
    /// Sizes for this many pages, chosen so that there are not too many blocks.
    pub fn new(pages: u64, page_size: u64) -> Self {
        let most = (pages / MAX_BLOCK_SHARE).max(1);
        let mut sizes: Vec<u64> = SIZES.iter().map(|size| size / page_size.max(1)).collect();
        sizes.retain(|size| *size >= 1 && *size <= most);
        if sizes.is_empty() {
            sizes.push(1);
        }
        let mut sizes = Self(sizes);
        while pages / sizes.mean() > MAX_BLOCKS {
            if sizes.0.len() > 1 {
                sizes.0.remove(0);
            } else {
                sizes.0.iter_mut().for_each(|size| *size *= 2);
            }
        }
        sizes
    }

    /// Draws a size; `below` draws a number below its argument.
    pub fn draw(&self, below: impl FnOnce(u64) -> u64) -> u64 {
        let mut place = below(self.weights().sum::<u64>().max(1));
        for (size, weight) in self.0.iter().zip(self.weights()) {
            match place.checked_sub(weight) {
                Some(left) => place = left,
                None => return *size,
            }
        }
        1
    }

    /// The weight of each size: small blocks, which fragment an area, are not rare.
    fn weights(&self) -> impl Iterator<Item = u64> {
        let largest = self.0.last().copied().unwrap_or(1);
        self.0.iter().map(move |size| largest / size)
    }

    fn mean(&self) -> u64 {
        let largest = self.0.last().copied().unwrap_or(1);
        (largest * self.0.len() as u64 / self.weights().sum::<u64>().max(1)).max(1)
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

#[cfg(test)]
mod blocks_tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_folios_that_fit() {
        assert_eq!(BlockSizes::new(64 * 8, 4096).0, [1, 4, 8, 16, 32, 64]);
        assert_eq!(BlockSizes::new(3, 4096).0, [1]);
        assert_eq!(BlockSizes::new(1 << 16, 65536).0, [2, 4, 8, 32]);
    }

    #[test]
    fn all_sizes_have_the_same_share_of_the_memory() {
        let sizes = BlockSizes::new(64 * 8, 4096);
        let mut pages = std::collections::BTreeMap::new();
        // Every number that can be drawn, once.
        for place in 0..sizes.weights().sum() {
            let size = sizes.draw(|_| place);
            *pages.entry(size).or_insert(0) += size;
        }
        assert_eq!(
            pages.into_iter().collect::<Vec<_>>(),
            sizes.0.iter().map(|size| (*size, 64)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn there_are_never_too_many_blocks() {
        for power in 0..40 {
            let pages = 1 << power;
            let sizes = BlockSizes::new(pages, 4096);
            assert!(pages / sizes.mean() <= MAX_BLOCKS, "{pages}: {sizes:?}");
            assert!(sizes.0.iter().all(|size| size.is_power_of_two()));
        }
    }
}
