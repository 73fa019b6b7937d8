//! Transparent huge pages: the settings, and each mTHP size with its statistics.

use super::counters::Counters;
use super::reading::Reading;
use super::shared::Shared;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

/// A file that offers words and marks one: `always [madvise] never`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The one in brackets.
    pub current: String,
    /// All of them, in the file's order.
    pub offered: Shared<Vec<String>>,
}

impl Choice {
    /// Words with one in brackets.
    pub fn parse(text: &str) -> Option<Self> {
        let mut current = None;
        let mut offered = Vec::new();
        for word in text.split_ascii_whitespace() {
            let inner = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
            if let Some(inner) = inner {
                current = Some(inner.to_owned());
            }
            offered.push(inner.unwrap_or(word).to_owned());
        }
        Some(Self { current: current?, offered: offered.into() })
    }
}

/// One folio size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MthpSize {
    /// The size of the folio.
    pub size: Bytes,
    /// For anonymous memory: `always`, `inherit`, `madvise` or `never`.
    pub enabled: Reading<Choice>,
    /// For shared memory.
    pub shmem_enabled: Reading<Choice>,
    /// Every file of its `stats` folder, in folios of this size since boot.
    pub stats: Reading<Counters>,
}

/// All of `/sys/kernel/mm/transparent_hugepage`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thp {
    /// When huge pages are used.
    pub enabled: Reading<Choice>,
    /// How hard a fault tries to get one.
    pub defrag: Reading<Choice>,
    /// When shared memory uses them.
    pub shmem_enabled: Reading<Choice>,
    /// Size of the largest, the one that fills a page table.
    pub pmd_size: Reading<Bytes>,
    /// By size, smallest first; absent on kernels without per-size control (6.7 and older).
    pub sizes: Reading<Vec<MthpSize>>,
}
