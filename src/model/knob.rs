//! Knobs: kernel settings that control swapping, with range and default.

use super::kernel::Release;
use super::name::safe_text;
use super::paging::BracketedChoice;
use super::reading::Reading;
use super::users::CgroupVersion;
use serde::{Deserialize, Serialize};

/// Kind of value of a knob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnobKind {
    /// A whole number in this range.
    Number {
        /// Minimum.
        min: u64,
        /// Maximum.
        max: u64,
    },
    /// On or off, in any spelling of the kernel.
    Switch,
    /// A bit mask, printed as `0x0007`.
    Mask {
        /// All defined bits.
        all: u64,
    },
    /// One of the words in the file, with the current one in brackets.
    Choice,
    /// A name known to the kernel, which provides no list.
    Word,
}

impl KnobKind {
    /// Describes the accepted values; `text` is the content of the file.
    pub fn accepted_values(self, text: Option<&str>) -> String {
        match self {
            Self::Number { min, max } => format!("{min} to {max}"),
            Self::Switch => "on or off".to_owned(),
            Self::Mask { all } => format!("bit mask, 0 to {all:#06x}"),
            Self::Choice => match text.and_then(BracketedChoice::parse) {
                Some(choice) => choice.offered.join(", "),
                None => "one of the words in the file".to_owned(),
            },
            Self::Word => "a name known to the kernel".to_owned(),
        }
    }

    /// Converts a typed value to the text to write, given the current text. The error lists the accepted
    /// values.
    pub fn parse_value(self, wish: &str, now: &str) -> Result<String, String> {
        let understood = match self {
            Self::Number { min, max } => {
                let number = parse_number(wish).filter(|number| (min..=max).contains(number));
                number.map(|number| number.to_string())
            }
            Self::Mask { all } => {
                let mask = match parse_switch(wish) {
                    Some(on) if parse_number(wish).is_none() => Some(if on { all } else { 0 }),
                    _ => parse_number(wish).filter(|mask| mask & !all == 0),
                };
                mask.map(|mask| format!("{mask:#06x}"))
            }
            Self::Switch => parse_switch(wish).map(|on| spelled_like(now, on).to_owned()),
            Self::Choice => {
                let offered = BracketedChoice::parse(now).map(|choice| choice.offered);
                let is_offered = offered.is_some_and(|words| words.iter().any(|it| it == wish));
                is_offered.then(|| wish.to_owned())
            }
            Self::Word => {
                let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
                (!wish.is_empty() && wish.chars().all(plain)).then(|| wish.to_owned())
            }
        };
        understood.ok_or_else(|| {
            format!(
                "\"{}\" is not valid on this kernel: use {}",
                safe_text(wish),
                self.accepted_values(Some(now))
            )
        })
    }

    /// The current value in the text of a file.
    pub fn current_value(self, text: &str) -> String {
        let choice = (self == Self::Choice).then(|| BracketedChoice::parse(text)).flatten();
        choice.map_or_else(|| text.to_owned(), |choice| choice.current)
    }

    /// The current value for people: switches are on or off, however their files spell it.
    pub fn shown_value(self, text: &str) -> String {
        match parse_switch(text).filter(|_| self == Self::Switch) {
            Some(true) => "on".to_owned(),
            Some(false) => "off".to_owned(),
            None => self.current_value(text),
        }
    }
}

/// Parses a decimal or hexadecimal number.
fn parse_number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn parse_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "y" | "yes" | "on" | "true" => Some(true),
        "0" | "n" | "no" | "off" | "false" => Some(false),
        _ => None,
    }
}

/// On or off in the spelling of the file.
fn spelled_like(now: &str, on: bool) -> &'static str {
    match (now, on) {
        ("Y" | "N", true) => "Y",
        ("Y" | "N", false) => "N",
        ("1" | "0", true) => "1",
        ("1" | "0", false) => "0",
        (_, true) => "true",
        (_, false) => "false",
    }
}

impl Knob {
    /// Kind of value on a kernel of this release with pages of this size; for an unknown release, that of the
    /// newest kernels.
    pub fn kind_for(&self, release: Option<Release>, page_size: Option<u64>) -> KnobKind {
        match (self.before, release, self.kind, page_size) {
            (Some((changed, before)), Some(release), ..) if release < changed => before,
            (_, _, KnobKind::Number { min, max: OF_HUGE_PAGE }, Some(page_size)) => {
                // A page table has one page, with 8 bytes for each page of a huge page.
                KnobKind::Number { min, max: (page_size / 8).saturating_sub(1) }
            }
            (_, _, kind, _) => kind,
        }
    }
}

/// The most pages of a huge page below the whole, with pages of 64K; with smaller pages the kernel takes fewer.
const OF_HUGE_PAGE: u64 = 8191;

/// A kernel setting.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// Name on the command line.
    pub id: &'static str,
    /// File, relative to the root.
    pub file: &'static str,
    /// Kind of value.
    pub kind: KnobKind,
    /// Kind of value before some release, if it was different.
    pub before: Option<(Release, KnobKind)>,
    /// Kernel default; `None` if it depends on the machine.
    pub default: Option<&'static str>,
    /// Effect in one sentence.
    pub help: &'static str,
}

/// A setting of each cgroup.
#[derive(Clone, Copy, Debug)]
pub struct CgroupKnob {
    /// File name.
    pub id: &'static str,
    /// Cgroup version that has it.
    pub version: CgroupVersion,
    /// Kind of value.
    pub kind: CgroupKind,
    /// Effect in one sentence.
    pub help: &'static str,
}

/// Kind of value of a cgroup setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CgroupKind {
    /// A size, or unlimited; the kernel rounds it down to whole pages.
    Limit,
    /// A kind of value of other settings.
    Plain(KnobKind),
}

/// The current text of a knob, trimmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnobReading {
    /// The [`Knob::id`].
    pub id: String,
    /// The text.
    pub value: Reading<String>,
}

/// The largest number of the kernel type int.
const INT: u64 = i32::MAX as u64;

const fn number(min: u64, max: u64) -> KnobKind {
    KnobKind::Number { min, max }
}

/// All knobs, in display order.
pub static KNOBS: &[Knob] = &[
    Knob {
        id: "swappiness",
        file: "proc/sys/vm/swappiness",
        kind: number(0, 200),
        before: None,
        default: Some("60"),
        help: "Balance of reclaim between anonymous and file pages: 100 treats both equally, lower values swap less, 0 swaps only as a last resort.",
    },
    Knob {
        id: "page-cluster",
        file: "proc/sys/vm/page-cluster",
        kind: number(0, 31),
        before: Some((Release(6, 2), number(0, INT))),
        default: Some("3"),
        help: "Largest swap readahead window as a power of two of pages: 3 means 8 pages, 0 disables readahead.",
    },
    Knob {
        id: "vma_ra_enabled",
        file: "sys/kernel/mm/swap/vma_ra_enabled",
        kind: KnobKind::Switch,
        before: None,
        default: Some("true"),
        help: "VMA readahead (along process addresses) instead of cluster readahead (along the device); ignored while any rotational area is active.",
    },
    Knob {
        id: "watermark_scale_factor",
        file: "proc/sys/vm/watermark_scale_factor",
        kind: number(1, 3000),
        before: Some((Release(5, 17), number(1, 1000))),
        default: Some("10"),
        help: "Distance between the watermarks of kswapd in ten-thousandths of a node's memory: higher values wake kswapd earlier.",
    },
    Knob {
        id: "watermark_boost_factor",
        file: "proc/sys/vm/watermark_boost_factor",
        kind: number(0, INT),
        before: None,
        default: Some("15000"),
        help: "Extra reclaim after memory fragmentation, in ten-thousandths of the high watermark; 0 disables it.",
    },
    Knob {
        id: "min_free_kbytes",
        file: "proc/sys/vm/min_free_kbytes",
        kind: number(0, INT),
        before: None,
        default: None,
        help: "Memory reserved for urgent allocations, in KiB; by default derived from the memory size.",
    },
    Knob {
        id: "overcommit_memory",
        file: "proc/sys/vm/overcommit_memory",
        kind: number(0, 2),
        before: None,
        default: Some("0"),
        help: "Memory overcommit: 0 heuristic, 1 always, 2 never (swapoff can then be refused).",
    },
    Knob {
        id: "vfs_cache_pressure",
        file: "proc/sys/vm/vfs_cache_pressure",
        kind: number(0, INT),
        before: None,
        default: Some("100"),
        help: "Reclaim of dentry and inode caches relative to page cache, in percent.",
    },
    Knob {
        id: "lru_gen",
        file: "sys/kernel/mm/lru_gen/enabled",
        kind: KnobKind::Mask { all: 7 },
        before: None,
        default: None,
        help: "Multi-generational LRU: 0x0000 off, 0x0007 fully on; it weighs swappiness differently.",
    },
    Knob {
        id: "lru_gen_min_ttl_ms",
        file: "sys/kernel/mm/lru_gen/min_ttl_ms",
        kind: number(0, u32::MAX as u64),
        before: None,
        default: Some("0"),
        help: "Multi-generational LRU: pages used within this many milliseconds are protected; the OOM killer runs before they are swapped.",
    },
    Knob {
        id: "zswap.enabled",
        file: "sys/module/zswap/parameters/enabled",
        kind: KnobKind::Switch,
        before: None,
        default: None,
        help: "Whether zswap stores pages compressed in memory before swap; stored pages remain when it is disabled.",
    },
    Knob {
        id: "zswap.compressor",
        file: "sys/module/zswap/parameters/compressor",
        kind: KnobKind::Word,
        before: None,
        default: None,
        help: "Compression algorithm of zswap; stored pages stay as they are.",
    },
    Knob {
        id: "zswap.max_pool_percent",
        file: "sys/module/zswap/parameters/max_pool_percent",
        kind: number(0, 100),
        before: None,
        default: Some("20"),
        help: "Largest zswap pool in percent of memory.",
    },
    Knob {
        id: "zswap.accept_threshold_percent",
        file: "sys/module/zswap/parameters/accept_threshold_percent",
        kind: number(0, 100),
        before: None,
        default: Some("90"),
        help: "A full zswap pool accepts pages again below this percentage of its limit.",
    },
    Knob {
        id: "zswap.shrinker_enabled",
        file: "sys/module/zswap/parameters/shrinker_enabled",
        kind: KnobKind::Switch,
        before: None,
        default: None,
        help: "Whether zswap writes cold pages back to the swap area before the pool is full (kernel 6.8 and later).",
    },
    Knob {
        id: "thp.enabled",
        file: "sys/kernel/mm/transparent_hugepage/enabled",
        kind: KnobKind::Choice,
        before: None,
        default: None,
        help: "Transparent huge pages for anonymous memory: always, madvise (if the process requests it) or never.",
    },
    Knob {
        id: "thp.defrag",
        file: "sys/kernel/mm/transparent_hugepage/defrag",
        kind: KnobKind::Choice,
        before: None,
        default: Some("madvise"),
        help: "How hard the kernel tries to allocate a huge page when memory is fragmented.",
    },
    Knob {
        id: "thp.shmem_enabled",
        file: "sys/kernel/mm/transparent_hugepage/shmem_enabled",
        kind: KnobKind::Choice,
        before: None,
        default: None,
        help: "Transparent huge pages for shared memory and tmpfs.",
    },
    Knob {
        id: "thp.shrink_underused",
        file: "sys/kernel/mm/transparent_hugepage/shrink_underused",
        kind: KnobKind::Switch,
        before: None,
        default: Some("1"),
        help: "Whether reclaim splits huge pages that are mostly zero-filled, so that only their used pages take memory (kernel 6.12 and later).",
    },
    Knob {
        id: "khugepaged.max_ptes_swap",
        file: "sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_swap",
        kind: number(0, OF_HUGE_PAGE),
        before: None,
        default: None,
        help: "Number of swapped pages that khugepaged swaps in to collapse a range into a huge page, at most 511 with pages of 4K; 0 swaps nothing in.",
    },
    Knob {
        id: "numa.demotion_enabled",
        file: "sys/kernel/mm/numa/demotion_enabled",
        kind: KnobKind::Switch,
        before: None,
        default: Some("false"),
        help: "Whether reclaim moves pages to a slower NUMA node, if there is one, instead of swapping them out.",
    },
];

/// Settings of each cgroup, by file name: version 2 first, then version 1.
pub static CGROUP_KNOBS: &[CgroupKnob] = &[
    CgroupKnob {
        id: "memory.max",
        version: CgroupVersion::V2,
        kind: CgroupKind::Limit,
        help: "Memory limit of the cgroup: above it, its memory is reclaimed, and at last a process is killed.",
    },
    CgroupKnob {
        id: "memory.swap.max",
        version: CgroupVersion::V2,
        kind: CgroupKind::Limit,
        help: "Swap limit of the cgroup.",
    },
    CgroupKnob {
        id: "memory.swap.high",
        version: CgroupVersion::V2,
        kind: CgroupKind::Limit,
        help: "Swap usage above which the cgroup is throttled.",
    },
    CgroupKnob {
        id: "memory.zswap.max",
        version: CgroupVersion::V2,
        kind: CgroupKind::Limit,
        help: "Limit on zswap memory of the cgroup.",
    },
    CgroupKnob {
        id: "memory.zswap.writeback",
        version: CgroupVersion::V2,
        kind: CgroupKind::Plain(KnobKind::Switch),
        help: "Whether zswap may write pages of the cgroup back to a swap area.",
    },
    CgroupKnob {
        id: "memory.limit_in_bytes",
        version: CgroupVersion::V1,
        kind: CgroupKind::Limit,
        help: "Memory limit of the cgroup; at most its limit on memory plus swap.",
    },
    CgroupKnob {
        id: "memory.memsw.limit_in_bytes",
        version: CgroupVersion::V1,
        kind: CgroupKind::Limit,
        help: "Limit on memory plus swap of the cgroup; at least its memory limit.",
    },
    CgroupKnob {
        id: "memory.swappiness",
        version: CgroupVersion::V1,
        kind: CgroupKind::Plain(number(0, 200)),
        help: "Swappiness of the cgroup.",
    },
];

/// Finds a knob by its name.
pub fn find(id: &str) -> Option<&'static Knob> {
    KNOBS.iter().find(|knob| knob.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_goes_with_the_release() {
        let page_cluster = find("page-cluster").unwrap();
        let on = |text: &str| page_cluster.kind_for(Release::parse(text), None);
        assert_eq!(on("6.1.0-49-amd64"), number(0, INT));
        assert_eq!(on("6.12.107+deb13-amd64"), number(0, 31));
        assert_eq!(on("nonsense"), number(0, 31));
        let scale = find("watermark_scale_factor").unwrap();
        let on = |text: &str| scale.kind_for(Release::parse(text), Some(4096));
        assert_eq!((on("5.15.0"), on("5.17.0")), (number(1, 1000), number(1, 3000)));
        // The kernel refuses a number of pages above that of a huge page.
        let swapped = find("khugepaged.max_ptes_swap").unwrap();
        for (page_size, most) in [(4096, 511), (16384, 2047), (65536, 8191)] {
            assert_eq!(swapped.kind_for(None, Some(page_size)), number(0, most));
        }
        assert!(swapped.kind_for(None, None).parse_value("8192", "64").is_err());
    }

    #[test]
    fn typed_values_become_the_file_text() {
        let number = KnobKind::Number { min: 0, max: 200 };
        let mask = KnobKind::Mask { all: 7 };
        let choice = "always [madvise] never";
        let cases = [
            (number, "60", "010", Some("10")),
            (number, "60", "0x10", Some("16")),
            (number, "60", "201", None),
            (number, "60", "-1", None),
            (number, "60", "", None),
            (KnobKind::Switch, "true", "off", Some("false")),
            (KnobKind::Switch, "N", "1", Some("Y")),
            (KnobKind::Switch, "0", "Yes", Some("1")),
            (KnobKind::Switch, "Y", "2", None),
            (mask, "0x0007", "5", Some("0x0005")),
            (mask, "0x0007", "n", Some("0x0000")),
            (mask, "0x0000", "y", Some("0x0007")),
            (mask, "0x0000", "1", Some("0x0001")),
            (mask, "0x0000", "8", None),
            (KnobKind::Choice, choice, "never", Some("never")),
            (KnobKind::Choice, choice, "[madvise]", None),
            (KnobKind::Choice, choice, "inherit", None),
            (KnobKind::Word, "lzo", "zstd", Some("zstd")),
            (KnobKind::Word, "lzo", "zstd\n", None),
        ];
        for (kind, now, wish, then) in cases {
            let understood = kind.parse_value(wish, now);
            assert_eq!(understood.ok().as_deref(), then, "{kind:?} {wish:?}");
        }
        let error = KnobKind::Choice.parse_value("x", choice).unwrap_err();
        assert_eq!(error, "\"x\" is not valid on this kernel: use always, madvise, never");
    }
}
