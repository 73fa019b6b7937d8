//! Kernel metadata of an area: memory for each slot from swapon on, and more for used slots.
//!
//! A slot holds a page; 512 slots make a cluster, and up to 6.17 every 16384 slots had an index of pages
//! that are also in memory. The page table of zram is not included.

use super::compression;
use crate::model::kernel::Release;
use crate::model::{Bytes, Reading};

/// Metadata format of slots on kernels with 4 KiB pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SlotFormat {
    /// First release with this format.
    since: Release,
    /// Bits per slot: reference count, cgroup, zero flag.
    slot_bits: u64,
    /// Bytes per cluster.
    cluster: u64,
    /// Bytes per 16384 slots.
    space: u64,
    /// Bytes per used slot, allocated for `at_once` slots at a time.
    used: u64,
    /// Number of slots for which `used` bytes are allocated at a time.
    at_once: u64,
}

/// Slots per cluster, and slots per swap address space.
const CLUSTER: u64 = 512;
const SPACE: u64 = 16384;

/// The only page size with these formats: other page sizes have other cluster sizes.
const PAGE: u64 = 4096;

/// The oldest known format.
const FIRST: SlotFormat = SlotFormat {
    since: Release(5, 9),
    slot_bits: 25,
    cluster: 8,
    space: 160,
    used: 9,
    at_once: 64,
};

/// The format since 6.18, which allocates for a whole cluster at a time.
const BY_CLUSTER: SlotFormat =
    SlotFormat { since: Release(6, 18), cluster: 32, space: 0, used: 8, at_once: CLUSTER, ..FIRST };

/// All formats, oldest first.
const SLOT_FORMATS: [SlotFormat; 6] = [
    FIRST,
    SlotFormat { since: Release(6, 1), space: 192, ..FIRST },
    // No frontswap bit any more, and no zero bit yet.
    SlotFormat { since: Release(6, 6), slot_bits: 24, space: 208, ..FIRST },
    SlotFormat { since: Release(6, 12), cluster: 24, space: 208, ..FIRST },
    BY_CLUSTER,
    // A table per cluster, with the cgroup numbers next to it.
    SlotFormat {
        since: Release(7, 2),
        slot_bits: 0,
        cluster: 48,
        space: 16,
        used: 10,
        ..BY_CLUSTER
    },
];
/// Ranges of releases, exclusive, whose formats are not verified.
const UNVERIFIED: [[Release; 2]; 2] =
    [[Release(6, 18), Release(7, 2)], [Release(7, 3), Release(u32::MAX, 0)]];

/// Kernel metadata of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Fixed size, from swapon on.
    pub fixed: Bytes,
    /// For used slots, as a lower bound: they may be scattered over more clusters.
    pub used: Bytes,
}

impl Metadata {
    /// Computes the metadata of an area of this size and use, by the kernel release.
    pub fn for_area(release: &str, page: u64, (size, used): (Bytes, Bytes)) -> Reading<Self> {
        if compression::names_virtual_swap(release) {
            return Reading::absent(
                "with virtual swap, most metadata belongs to virtual slots, and the kernel does not show them for an area",
            );
        }
        let form = Release::parse(release).and_then(format_of).filter(|_| page == PAGE);
        let Some(form) = form else {
            return Reading::absent("the metadata format of this kernel is unknown");
        };
        let (slots, full) = (size.0 / PAGE, used.0 / PAGE);
        let parts = |of: u64| slots.div_ceil(of);
        let fixed = slots.saturating_mul(form.slot_bits) / 8
            + parts(CLUSTER) * form.cluster
            + parts(SPACE) * form.space;
        let used = full.div_ceil(form.at_once).saturating_mul(form.at_once * form.used);
        Reading::Known(Self { fixed: Bytes(fixed), used: Bytes(used) })
    }

    /// Returns the total size.
    pub fn all(self) -> Bytes {
        self.fixed.saturating_add(self.used)
    }
}

fn format_of(release: Release) -> Option<SlotFormat> {
    let is_unseen = UNVERIFIED.iter().any(|[last, next]| release > *last && release < *next);
    let known = SLOT_FORMATS.into_iter().rfind(|form| form.since <= release);
    known.filter(|_| !is_unseen)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIB: Bytes = Bytes(1 << 40);

    fn metadata(release: &str, size: Bytes, used: Bytes) -> Option<Metadata> {
        Metadata::for_area(release, 4096, (size, used)).known().copied()
    }

    /// Metadata of an empty area of 1 TiB, in MiB.
    fn empty(release: &str) -> Option<u64> {
        metadata(release, TIB, Bytes(0)).map(|it| (it.fixed.0 + (1 << 19)) >> 20)
    }

    #[test]
    fn a_tebibyte_takes_what_each_kernel_needs_for_it() {
        assert_eq!(empty("5.10.0-30-amd64"), Some(807));
        assert_eq!(empty("6.12.107+deb13-amd64"), Some(815));
        assert_eq!(empty("6.18.44"), Some(816));
        assert_eq!(empty("7.2.13"), Some(24));
        assert_eq!(empty("7.3.4"), empty("7.2.13"));
        assert_eq!(empty("6.8.0-60-generic"), Some(775));
    }

    #[test]
    fn what_is_used_takes_more_by_whole_tables() {
        let used = |release, used| metadata(release, TIB, Bytes(used)).unwrap().used.0;
        assert_eq!(used("6.18.1", 0), 0);
        assert_eq!(used("6.18.1", 1), 0, "less than a page");
        assert_eq!(used("6.18.1", 4096), 4096, "one cluster");
        assert_eq!(used("6.18.1", 513 * 4096), 2 * 4096);
        assert_eq!(used("6.12.1", 65 * 4096), 2 * 576);
        assert_eq!(used("7.2.13", TIB.0), 2560 << 20);
        let all = metadata("7.2.13", TIB, TIB).unwrap();
        assert_eq!(all.all(), all.fixed.saturating_add(all.used));
    }

    #[test]
    fn kernels_that_nobody_has_looked_at_are_not_guessed() {
        for release in [
            "7.2+virtual-swap-SIMULATED",
            "6.19.0",
            "7.0.3",
            "7.1.9",
            "7.4.0",
            "8.0.1",
            "4.19.0",
            "",
            "six",
        ] {
            assert_eq!(metadata(release, TIB, TIB), None, "{release}");
        }
        for page in [0, 16384, 65536] {
            assert!(Metadata::for_area("6.18.1", page, (TIB, TIB)).known().is_none(), "{page}");
        }
    }

    #[test]
    fn sizes_beyond_reason_do_not_overflow() {
        for release in ["5.10", "7.3"] {
            assert!(metadata(release, Bytes(u64::MAX), Bytes(u64::MAX)).is_some());
        }
    }
}
