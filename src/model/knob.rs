//! Settings that steer swapping: which there are, their range, their default.

use super::reading::Reading;
use serde::{Deserialize, Serialize};

/// How a knob's text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnobKind {
    /// A whole number in this range; `u64::MAX` means that the kernel sets no upper bound.
    Number {
        /// The smallest it takes.
        min: u64,
        /// The largest it takes.
        max: u64,
    },
    /// On or off, in any of the kernel's spellings.
    Switch,
    /// A bit mask, printed as `0x0007`.
    Mask,
}

/// The first two numbers of a kernel release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(pub u32, pub u32);

impl Release {
    /// From a text such as `6.1.0-49-amd64`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??))
    }
}

impl Knob {
    /// What it takes on a kernel of this release; on an unknown one, what it takes today.
    #[must_use]
    pub fn kind_on(&self, release: Option<Release>) -> KnobKind {
        match (self.before, release) {
            (Some((changed, before)), Some(release)) if release < changed => before,
            _ => self.kind,
        }
    }
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// The name used on the command line.
    pub id: &'static str,
    /// Its file, below the root.
    pub file: &'static str,
    /// What it takes.
    pub kind: KnobKind,
    /// What it took before some release, where that was something else.
    pub before: Option<(Release, KnobKind)>,
    /// What an untouched kernel has; `None` where that depends on the machine.
    pub default: Option<&'static str>,
    /// What it does, in one sentence.
    pub help: &'static str,
}

/// A knob as it stands: the text of its file, trimmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnobReading {
    /// Which knob: its [`Knob::id`].
    pub id: String,
    /// The text.
    pub value: Reading<String>,
}

const fn number(min: u64, max: u64) -> KnobKind {
    KnobKind::Number { min, max }
}

/// All knobs, in the order in which they are shown.
pub static KNOBS: &[Knob] = &[
    Knob {
        id: "swappiness",
        file: "proc/sys/vm/swappiness",
        kind: number(0, 200),
        before: None,
        default: Some("60"),
        help: "How readily anonymous pages are swapped rather than file pages dropped: 100 treats both as equally dear, 0 swaps only when there is no other way.",
    },
    Knob {
        id: "page-cluster",
        file: "proc/sys/vm/page-cluster",
        kind: number(0, 31),
        before: Some((Release(6, 2), number(0, u64::MAX))),
        default: Some("3"),
        help: "Largest swap readahead window, as a power of two of pages: 3 is 8 pages, 0 turns readahead off.",
    },
    Knob {
        id: "vma_ra_enabled",
        file: "sys/kernel/mm/swap/vma_ra_enabled",
        kind: KnobKind::Switch,
        before: None,
        default: Some("true"),
        help: "Read ahead along the process's addresses rather than along the device; the kernel ignores it while any rotating area is active.",
    },
    Knob {
        id: "watermark_scale_factor",
        file: "proc/sys/vm/watermark_scale_factor",
        kind: number(1, 3000),
        before: None,
        default: Some("10"),
        help: "How much memory kswapd keeps free, in ten-thousandths of a node: more wakes it earlier.",
    },
    Knob {
        id: "watermark_boost_factor",
        file: "proc/sys/vm/watermark_boost_factor",
        kind: number(0, u64::MAX),
        before: None,
        default: Some("15000"),
        help: "How much more is reclaimed after memory became fragmented, in ten-thousandths of the high watermark; 0 turns it off.",
    },
    Knob {
        id: "min_free_kbytes",
        file: "proc/sys/vm/min_free_kbytes",
        kind: number(0, u64::MAX),
        before: None,
        default: None,
        help: "Memory that only the most urgent requests may use, in KiB; the kernel sets it from the size of memory.",
    },
    Knob {
        id: "overcommit_memory",
        file: "proc/sys/vm/overcommit_memory",
        kind: number(0, 2),
        before: None,
        default: Some("0"),
        help: "Whether memory may be promised beyond what exists: 0 within reason, 1 always, 2 never, and then swapoff can be refused.",
    },
    Knob {
        id: "vfs_cache_pressure",
        file: "proc/sys/vm/vfs_cache_pressure",
        kind: number(0, u64::MAX),
        before: None,
        default: Some("100"),
        help: "How readily the caches of names and inodes are dropped, compared with pages, in percent.",
    },
    Knob {
        id: "lru_gen",
        file: "sys/kernel/mm/lru_gen/enabled",
        kind: KnobKind::Mask,
        before: None,
        default: None,
        help: "Multi-generational reclaim: 0x0000 is off, 0x0007 is all of it; swappiness then weighs differently.",
    },
    Knob {
        id: "lru_gen_min_ttl_ms",
        file: "sys/kernel/mm/lru_gen/min_ttl_ms",
        kind: number(0, u64::MAX),
        before: None,
        default: Some("0"),
        help: "Multi-generational reclaim protects pages used within this many milliseconds, and rather kills a process than swap them.",
    },
];

/// The knob with this name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Knob> {
    KNOBS.iter().find(|knob| knob.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_goes_with_the_release() {
        let page_cluster = find("page-cluster").unwrap();
        let on = |text: &str| page_cluster.kind_on(Release::parse(text));
        assert_eq!(on("6.1.0-49-amd64"), number(0, u64::MAX));
        assert_eq!(on("6.12.107+deb13-amd64"), number(0, 31));
        assert_eq!(on("nonsense"), number(0, 31));
    }
}
