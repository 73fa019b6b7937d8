//! Units as types, so that pages and bytes cannot be added to each other.

use serde::{Deserialize, Serialize};

/// A number of bytes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

/// A number of base pages; how large a page is stands in [`super::Snapshot`].
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Pages(pub u64);

impl Bytes {
    /// From the kernel's `kB`, which are KiB; a value too large for 64 bits stays at the largest.
    pub fn from_kib(kib: u64) -> Self {
        Self(kib.saturating_mul(1024))
    }

    /// Without a fraction, so that two that differ never look alike: `2304M` rather than `2.2G`.
    pub fn exact(self) -> String {
        let suffixes = ["B", "K", "M", "G", "T", "P", "E"];
        let steps = if self.0 == 0 { 0 } else { (self.0.trailing_zeros() / 10).min(6) };
        let suffix = usize::try_from(steps).ok().and_then(|step| suffixes.get(step)).unwrap_or(&"");
        format!("{}{suffix}", self.0 >> (10 * steps))
    }

    /// Never below zero: counters that are read one after the other may disagree a little.
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Never above the largest number.
    pub fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Pages {
    /// In bytes, for a page of this size.
    pub fn bytes(self, page_size: u64) -> Bytes {
        Bytes(self.0.saturating_mul(page_size))
    }
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0), Self::saturating_add)
    }
}
