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

impl Knob {
    /// A kernel setting whose default depends on the machine.
    const fn new(id: &'static str, file: &'static str, kind: KnobKind) -> Self {
        Self { id, file, kind, before: None, default: None, help: "" }
    }

    /// Sets the kind of value before a release.
    const fn before(self, release: Release, kind: KnobKind) -> Self {
        Self { before: Some((release, kind)), ..self }
    }

    /// Sets the kernel default.
    const fn default(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Sets the effect in one sentence.
    const fn says(self, help: &'static str) -> Self {
        Self { help, ..self }
    }
}

/// Version 1 shows "no limit" as the largest number of whole pages below 2^63; a page has at most 64 KiB.
pub const UNLIMITED: u64 = (1 << 63) - (64 << 10);

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

impl CgroupKnob {
    /// A file of cgroup version 2.
    const fn v2(id: &'static str, kind: CgroupKind) -> Self {
        Self { id, version: CgroupVersion::V2, kind, help: "" }
    }

    /// A file of cgroup version 1.
    const fn v1(id: &'static str, kind: CgroupKind) -> Self {
        Self { version: CgroupVersion::V1, ..Self::v2(id, kind) }
    }

    /// Sets the effect in one sentence.
    const fn says(self, help: &'static str) -> Self {
        Self { help, ..self }
    }
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
    Knob::new("swappiness", "proc/sys/vm/swappiness", number(0, 200))
        .default("60")
        .says("Balance of reclaim between anonymous and file pages: 100 treats both equally, lower values swap less, 0 swaps only as a last resort."),
    Knob::new("page-cluster", "proc/sys/vm/page-cluster", number(0, 31))
        .before(Release(6, 2), number(0, INT))
        .default("3")
        .says("Largest swap readahead window as a power of two of pages: 3 means 8 pages, 0 disables readahead."),
    Knob::new("vma_ra_enabled", "sys/kernel/mm/swap/vma_ra_enabled", KnobKind::Switch)
        .default("true")
        .says("VMA readahead (along process addresses) instead of cluster readahead (along the device); ignored while any rotational area is active."),
    Knob::new("watermark_scale_factor", "proc/sys/vm/watermark_scale_factor", number(1, 3000))
        .before(Release(5, 17), number(1, 1000))
        .default("10")
        .says("Distance between the watermarks of kswapd in ten-thousandths of a node's memory: higher values wake kswapd earlier."),
    Knob::new("watermark_boost_factor", "proc/sys/vm/watermark_boost_factor", number(0, INT))
        .default("15000")
        .says("Extra reclaim after memory fragmentation, in ten-thousandths of the high watermark; 0 disables it."),
    Knob::new("min_free_kbytes", "proc/sys/vm/min_free_kbytes", number(0, INT))
        .says("Memory reserved for urgent allocations, in KiB; by default derived from the memory size."),
    Knob::new("overcommit_memory", "proc/sys/vm/overcommit_memory", number(0, 2))
        .default("0")
        .says("Memory overcommit: 0 heuristic, 1 always, 2 never (swapoff can then be refused)."),
    Knob::new("vfs_cache_pressure", "proc/sys/vm/vfs_cache_pressure", number(0, INT))
        .default("100")
        .says("Reclaim of dentry and inode caches relative to page cache, in percent."),
    Knob::new("lru_gen", "sys/kernel/mm/lru_gen/enabled", KnobKind::Mask { all: 7 })
        .says("Multi-generational LRU: 0x0000 off, 0x0007 fully on; it weighs swappiness differently."),
    Knob::new("lru_gen_min_ttl_ms", "sys/kernel/mm/lru_gen/min_ttl_ms", number(0, u32::MAX as u64))
        .default("0")
        .says("Multi-generational LRU: pages used within this many milliseconds are protected; the OOM killer runs before they are swapped."),
    Knob::new("zswap.enabled", "sys/module/zswap/parameters/enabled", KnobKind::Switch)
        .says("Whether zswap stores pages compressed in memory before swap; stored pages remain when it is disabled."),
    Knob::new("zswap.compressor", "sys/module/zswap/parameters/compressor", KnobKind::Word)
        .says("Compression algorithm of zswap; stored pages stay as they are."),
    Knob::new(
        "zswap.max_pool_percent",
        "sys/module/zswap/parameters/max_pool_percent",
        number(0, 100),
    )
    .default("20")
    .says("Largest zswap pool in percent of memory."),
    Knob::new(
        "zswap.accept_threshold_percent",
        "sys/module/zswap/parameters/accept_threshold_percent",
        number(0, 100),
    )
    .default("90")
    .says("A full zswap pool accepts pages again below this percentage of its limit."),
    Knob::new(
        "zswap.shrinker_enabled",
        "sys/module/zswap/parameters/shrinker_enabled",
        KnobKind::Switch,
    )
    .says("Whether zswap writes cold pages back to the swap area before the pool is full (kernel 6.8 and later)."),
    Knob::new("thp.enabled", "sys/kernel/mm/transparent_hugepage/enabled", KnobKind::Choice)
        .says("Transparent huge pages for anonymous memory: always, madvise (if the process requests it) or never."),
    Knob::new("thp.defrag", "sys/kernel/mm/transparent_hugepage/defrag", KnobKind::Choice)
        .default("madvise")
        .says("How hard the kernel tries to allocate a huge page when memory is fragmented."),
    Knob::new(
        "thp.shmem_enabled",
        "sys/kernel/mm/transparent_hugepage/shmem_enabled",
        KnobKind::Choice,
    )
    .says("Transparent huge pages for shared memory and tmpfs."),
    Knob::new(
        "thp.shrink_underused",
        "sys/kernel/mm/transparent_hugepage/shrink_underused",
        KnobKind::Switch,
    )
    .default("1")
    .says("Whether reclaim splits huge pages that are mostly zero-filled, so that only their used pages take memory (kernel 6.12 and later)."),
    Knob::new(
        "khugepaged.max_ptes_swap",
        "sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_swap",
        number(0, OF_HUGE_PAGE),
    )
    .says("Number of swapped pages that khugepaged swaps in to collapse a range into a huge page, at most 511 with pages of 4K; 0 swaps nothing in."),
    Knob::new("numa.demotion_enabled", "sys/kernel/mm/numa/demotion_enabled", KnobKind::Switch)
        .default("false")
        .says("Whether reclaim moves pages to a slower NUMA node, if there is one, instead of swapping them out."),
];

/// Settings of each cgroup, by file name: version 2 first, then version 1.
pub static CGROUP_KNOBS: &[CgroupKnob] = &[
    CgroupKnob::v2("memory.max", CgroupKind::Limit)
        .says("Memory limit of the cgroup: above it, its memory is reclaimed, and at last a process is killed."),
    CgroupKnob::v2("memory.swap.max", CgroupKind::Limit)
        .says("Swap limit of the cgroup."),
    CgroupKnob::v2("memory.swap.high", CgroupKind::Limit)
        .says("Swap usage above which the cgroup is throttled."),
    CgroupKnob::v2("memory.zswap.max", CgroupKind::Limit)
        .says("Limit on zswap memory of the cgroup."),
    CgroupKnob::v2("memory.zswap.writeback", CgroupKind::Plain(KnobKind::Switch))
        .says("Whether zswap may write pages of the cgroup back to a swap area."),
    CgroupKnob::v1("memory.limit_in_bytes", CgroupKind::Limit)
        .says("Memory limit of the cgroup; at most its limit on memory plus swap."),
    CgroupKnob::v1("memory.memsw.limit_in_bytes", CgroupKind::Limit)
        .says("Limit on memory plus swap of the cgroup; at least its memory limit."),
    CgroupKnob::v1("memory.swappiness", CgroupKind::Plain(number(0, 200)))
        .says("Swappiness of the cgroup."),
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
