//! The words that a load is made of.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Private and anonymous.
    Anonymous,
    /// Anonymous, and shared with nobody but children: the kernel keeps it in a tmpfs.
    Shared,
    /// A file of a tmpfs without a name.
    Memfd,
    /// Private memory of a process whose child touches it: pages are copied where it writes.
    Forked,
}

impl MemoryKind {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 4] = [
        (Self::Anonymous.word(), Self::Anonymous),
        (Self::Shared.word(), Self::Shared),
        (Self::Memfd.word(), Self::Memfd),
        (Self::Forked.word(), Self::Forked),
    ];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::Shared => "shared",
            Self::Memfd => "memfd",
            Self::Forked => "forked",
        }
    }
}

/// Which page comes next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessPattern {
    /// One after the other.
    Sequential,
    /// Each so many bytes after the last, then those between.
    Strided {
        /// So many.
        stride: u64,
    },
    /// Any, with the same chance.
    Random,
    /// Some much more often than others: the n-th most popular with a chance of 1/n^skew.
    Zipf {
        /// The exponent.
        skew: f64,
    },
    /// Mostly in a hot set, which is another one after a while.
    Phases {
        /// The share of pages that is hot.
        hot: f64,
        /// The share of touches that goes there.
        hits: f64,
        /// A set is hot for as many touches as there are pages, times this.
        length: f64,
    },
    /// Blocks of different sizes are given back and taken anew, each a mapping of its own: what
    /// fragments an area.
    Churn,
}

impl AccessPattern {
    /// Its word.
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

    /// All words.
    pub const WORDS: [&str; 6] = ["sequential", "strided", "random", "zipf", "phases", "churn"];
}

/// How much of a page is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TouchUnit {
    /// One word of eight bytes.
    Word,
    /// Every word of it, as fast as it can be.
    Page,
    /// Every word of it, each by itself.
    EachWord,
}

impl TouchUnit {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 3] =
        [("word", Self::Word), ("page", Self::Page), ("each-word", Self::EachWord)];
}

/// What the kernel is told of large folios.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FolioAdvice {
    /// Nothing.
    None,
    /// That they are wanted: `MADV_HUGEPAGE`.
    Large,
    /// That they are not: `MADV_NOHUGEPAGE`.
    Small,
}

impl FolioAdvice {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 3] =
        [("none", Self::None), ("large", Self::Large), ("small", Self::Small)];
}

/// How memory is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreeMethod {
    /// By munmap(2).
    Unmap,
    /// By the end of the process.
    Exit,
}

impl FreeMethod {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 2] = [("munmap", Self::Unmap), ("exit", Self::Exit)];
}

/// What is done when all have touched what they shall, before memory is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterTouching {
    /// Nothing.
    Nothing,
    /// The areas that the run was given are switched off, while processes hold their memory.
    Swapoff,
}

impl AfterTouching {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 2] = [("nothing", Self::Nothing), ("swapoff", Self::Swapoff)];
}

/// What pages hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageContents {
    /// Zeroes: the kernel keeps no page for those.
    Zero,
    /// One value throughout, which is not zero: zram keeps only that.
    Same,
    /// Each word holds its own number, as the usual load of kernel developers has it.
    Words,
    /// What compresses to one part in so many.
    Ratio(f64),
    /// What does not compress.
    Random,
    /// What a file holds, again and again.
    File(String),
}

impl PageContents {
    /// How each is written.
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
