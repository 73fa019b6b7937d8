//! Recommended sizes of new swap, from the size of memory.

use crate::model::Bytes;

/// The largest recommended size: larger machines that need more swap need it for a known purpose.
const LARGEST: Bytes = Bytes(8 << 30);
/// Sizes below this are rounded to MiB, others to GiB.
const LARGE: u64 = 2 << 30;

/// A size, and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecommendedSize {
    /// The size.
    pub size: Bytes,
    /// The reason.
    pub reason: &'static str,
}

/// The size of swap on zram: its pages stay in memory, so that much more than half would only
/// compress what is in use.
pub fn zram(memory: Bytes) -> RecommendedSize {
    bounded(Bytes(memory.0 / 2), "half of memory", "at most half of memory, and 8G")
}

/// The size of a swap file.
pub fn file(memory: Bytes) -> RecommendedSize {
    bounded(memory, "as large as memory", "at most as large as memory, and 8G")
}

fn bounded(size: Bytes, reason: &'static str, bound: &'static str) -> RecommendedSize {
    if size > LARGEST {
        return RecommendedSize { size: LARGEST, reason: bound };
    }
    let unit: u64 = if size.0 < LARGE { 1 << 20 } else { 1 << 30 };
    RecommendedSize { size: Bytes((size.0 / unit * unit).max(1 << 20)), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_round_and_bounded() {
        let gib = |count: u64| Bytes(count << 30);
        assert_eq!(zram(gib(4)), RecommendedSize { size: gib(2), reason: "half of memory" });
        assert_eq!(zram(gib(64)).size, gib(8));
        assert!(zram(gib(64)).reason.contains("8G"));
        assert_eq!(zram(Bytes((960 << 20) + 4096)).size, Bytes(480 << 20));
        assert_eq!(file(Bytes((31 << 30) / 8)).size, gib(3));
        assert_eq!(file(gib(31)).size, gib(8));
        assert_eq!(zram(Bytes(4096)).size, Bytes(1 << 20));
    }
}
