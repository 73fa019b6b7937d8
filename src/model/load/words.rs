//! The choices in a workload, with their spelling.

use crate::worded_enum;
use serde::{Deserialize, Serialize};
use std::fmt;

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
