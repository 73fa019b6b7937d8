//! Settings that steer swapping: which there are, their range, their default.

use super::name::safe_text;
use super::paging::BracketedChoice;
use super::reading::Reading;
use super::users::CgroupVersion;
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
    /// A bit mask up to this one, printed as `0x0007`.
    Mask {
        /// All bits that have a meaning.
        all: u64,
    },
    /// One of the words that the file offers, with the chosen one in brackets.
    Choice,
    /// A name that the kernel knows, of which it tells no list.
    Word,
}

impl KnobKind {
    /// What it takes, in words; the text is that of its file.
    pub fn accepted_values(self, text: Option<&str>) -> String {
        match self {
            Self::Number { min, max: u64::MAX } => format!("{min} and up"),
            Self::Number { min, max } => format!("{min} to {max}"),
            Self::Switch => "true or false".to_owned(),
            Self::Mask { all } => format!("bit mask, 0 to {all:#06x}"),
            Self::Choice => match text.and_then(BracketedChoice::parse) {
                Some(choice) => choice.offered.join(", "),
                None => "one of the kernel's words".to_owned(),
            },
            Self::Word => "a name that the kernel knows".to_owned(),
        }
    }

    /// What its file shall say for this wish of a person, given what it says now.
    ///
    /// # Errors
    /// When it does not take that; the error says what it takes.
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
                "\"{}\" is not what it takes on this kernel: {}",
                safe_text(wish),
                self.accepted_values(Some(now))
            )
        })
    }

    /// What a file with this text is set to.
    pub fn current_value(self, text: &str) -> String {
        let choice = (self == Self::Choice).then(|| BracketedChoice::parse(text)).flatten();
        choice.map_or_else(|| text.to_owned(), |choice| choice.current)
    }
}

/// A number as people and the kernel write it.
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

/// On or off as the file spells it.
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

/// The first two numbers of a kernel release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(pub u32, pub u32);

impl Release {
    /// From a text such as `6.1.0-49-amd64`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??))
    }
}

impl Knob {
    /// What it takes on a kernel of this release; on an unknown one, what it takes today.
    pub fn kind_for_release(&self, release: Option<Release>) -> KnobKind {
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

/// A setting of each control group.
#[derive(Clone, Copy, Debug)]
pub struct CgroupKnob {
    /// The name of its file.
    pub id: &'static str,
    /// Which version has it.
    pub version: CgroupVersion,
    /// What it takes.
    pub kind: CgroupKind,
    /// What it does, in one sentence.
    pub help: &'static str,
}

/// What a setting of a control group takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CgroupKind {
    /// A size, or none; the kernel rounds it down to whole pages.
    Limit,
    /// The same as other settings.
    Plain(KnobKind),
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
        kind: KnobKind::Mask { all: 7 },
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
    Knob {
        id: "zswap.enabled",
        file: "sys/module/zswap/parameters/enabled",
        kind: KnobKind::Switch,
        before: None,
        default: None,
        help: "Whether pages on their way to swap are kept compressed in memory first; what is kept already stays when it is turned off.",
    },
    Knob {
        id: "zswap.compressor",
        file: "sys/module/zswap/parameters/compressor",
        kind: KnobKind::Word,
        before: None,
        default: None,
        help: "How zswap compresses; pages that are kept already stay as they are.",
    },
    Knob {
        id: "zswap.max_pool_percent",
        file: "sys/module/zswap/parameters/max_pool_percent",
        kind: number(0, 100),
        before: None,
        default: Some("20"),
        help: "How much memory zswap may take, in percent.",
    },
    Knob {
        id: "zswap.accept_threshold_percent",
        file: "sys/module/zswap/parameters/accept_threshold_percent",
        kind: number(0, 100),
        before: None,
        default: Some("90"),
        help: "A pool that was full takes pages again when it is down to this percentage of its limit.",
    },
    Knob {
        id: "zswap.shrinker_enabled",
        file: "sys/module/zswap/parameters/shrinker_enabled",
        kind: KnobKind::Switch,
        before: None,
        default: None,
        help: "Whether cold pages are written from zswap to the swap area before the pool is full; it came with kernel 6.8.",
    },
    Knob {
        id: "thp.enabled",
        file: "sys/kernel/mm/transparent_hugepage/enabled",
        kind: KnobKind::Choice,
        before: None,
        default: None,
        help: "Whether memory of processes comes in huge pages: always, where a process asks for it (madvise), or never.",
    },
    Knob {
        id: "thp.defrag",
        file: "sys/kernel/mm/transparent_hugepage/defrag",
        kind: KnobKind::Choice,
        before: None,
        default: Some("madvise"),
        help: "How hard the kernel tries to get a huge page when memory is in pieces.",
    },
    Knob {
        id: "thp.shmem_enabled",
        file: "sys/kernel/mm/transparent_hugepage/shmem_enabled",
        kind: KnobKind::Choice,
        before: None,
        default: None,
        help: "The same as thp.enabled for shared memory.",
    },
];

/// Settings of each control group, by the name of their file; those of version 2, then of version 1.
pub static CGROUP_KNOBS: &[CgroupKnob] = &[
    CgroupKnob {
        id: "memory.swap.max",
        version: CgroupVersion::V2,
        kind: CgroupKind::Limit,
        help: "Most swap that the group may use.",
    },
    CgroupKnob {
        id: "memory.swap.high",
        version: CgroupVersion::V2,
        kind: CgroupKind::Limit,
        help: "Above this much swap the group is slowed down.",
    },
    CgroupKnob {
        id: "memory.zswap.max",
        version: CgroupVersion::V2,
        kind: CgroupKind::Limit,
        help: "Most memory that zswap may use for the group.",
    },
    CgroupKnob {
        id: "memory.zswap.writeback",
        version: CgroupVersion::V2,
        kind: CgroupKind::Plain(KnobKind::Switch),
        help: "May zswap write the group's pages to a swap area?",
    },
    CgroupKnob {
        id: "memory.memsw.limit_in_bytes",
        version: CgroupVersion::V1,
        kind: CgroupKind::Limit,
        help: "Most memory and swap together that the group may use; not below its limit on memory.",
    },
    CgroupKnob {
        id: "memory.swappiness",
        version: CgroupVersion::V1,
        kind: CgroupKind::Plain(number(0, 200)),
        help: "The swappiness of the group.",
    },
];

/// The knob with this name.
pub fn find(id: &str) -> Option<&'static Knob> {
    KNOBS.iter().find(|knob| knob.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_goes_with_the_release() {
        let page_cluster = find("page-cluster").unwrap();
        let on = |text: &str| page_cluster.kind_for_release(Release::parse(text));
        assert_eq!(on("6.1.0-49-amd64"), number(0, u64::MAX));
        assert_eq!(on("6.12.107+deb13-amd64"), number(0, 31));
        assert_eq!(on("nonsense"), number(0, 31));
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
        assert_eq!(error, "\"x\" is not what it takes on this kernel: always, madvise, never");
    }
}
