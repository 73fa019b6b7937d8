//! Compressed swap: zswap, zram or none; the size of zram, and the algorithm.

use super::{Compression, DEFAULT, DiskChoice, NONE, Rules, ValueList};
use crate::change::setup::choice::{SetupChoice, SetupKey};
use crate::change::setup::facts::{AreaFacts, SetupFacts};
use crate::change::setup::profile::MachineProfile;
use crate::columns::units::{exact, parse_size, size};
use crate::derive::cost::zram_table_range;
use crate::derive::programs;
use crate::derive::speed::Speed;
use crate::model::Bytes;

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// Data on a disk behind zram from which the order of pages matters.
const INVERTED: Bytes = Bytes(64 * MIB);
/// CPUs from which the slower algorithm is no burden.
const MANY_CPUS: u64 = 4;
/// Largest share of memory that a full zram device may take at the expected ratio, as a divisor.
const MOST_MEMORY: u64 = 2;
/// Swap slots that have to be there for each one in use, so that some are free.
const RESERVE: f64 = 1.25;

const ZSWAP_REASON: &str = "it keeps recently swapped pages compressed in memory, and moves the least recently used ones to the disk";
const ZRAM_REASON: &str =
    "swap that is compressed in memory: nothing waits for a disk or wears it out";
const ZRAM_ABOVE_DISK: &str = "it fills before the disk and keeps what came first; later pages go to the disk even if they are used more (LRU inversion)";
const NONE_REASON: &str =
    "no memory and no CPU time goes into compression, but each swapped page waits for the disk";

const NO_SWAP_REASON: &str = "without any swap, memory that programs hardly use stays occupied until the kernel kills a process";
const SHRINKER: &str = "its shrinker is disabled and will be enabled, so that cold pages go to the disk before the pool is full";

/// Why a flash card is no place for swap.
pub(super) const CARD: &str = "the disk is a flash card, which swap wears out";

/// A kind of compression with the reason for it.
type Recommended = (Compression, String);

impl Rules<'_> {
    pub(super) fn compression(&self) -> Result<SetupChoice, String> {
        let facts = self.facts;
        let now = match (facts.zram_areas().next(), facts.is_zswap_on()) {
            (Some(_), _) => Compression::Zram,
            (None, true) if facts.disks().next().is_some() => Compression::Zswap,
            (None, _) => Compression::None,
        };
        let has_disk =
            !self.without_disk() && (facts.disks().next().is_some() || facts.place.is_ok());
        let (kind, reason) = self.recommended(now);
        let zram =
            if has_disk && kind != Compression::Zram { ZRAM_ABOVE_DISK } else { ZRAM_REASON };
        let zram = match facts.zram.missing() {
            Some(_) if now != Compression::Zram => format!("{zram}; load the zram module first"),
            Some(_) | None => zram.to_owned(),
        };
        let no_saving = facts.ratio.no_saving().map(|why| format!("; {why}")).unwrap_or_default();
        let saving = if kind == Compression::Zram { no_saving.as_str() } else { "" };
        let list = ValueList::new(SetupKey::Compression, Some(now.word().to_owned()))
            .with(kind.word(), reason + saving)
            .with_if(facts.zswap.is_some() && has_disk, Compression::Zswap.word(), ZSWAP_REASON)
            .with(Compression::Zram.word(), zram + &no_saving)
            .with(Compression::None.word(), if has_disk { NONE_REASON } else { NO_SWAP_REASON });
        let parse = list.refuse_others();
        let choice = list.choose(self.request, parse)?;
        let is_zswap = choice.chosen.value == Compression::Zswap.word();
        let is_shrinker_off = is_zswap && facts.is_shrinker_off();
        Ok(SetupChoice {
            changes: choice.changes || is_shrinker_off,
            file: match Compression::from_word(&choice.chosen.value) {
                Some(Compression::Zram) => zram_file(facts),
                Some(Compression::Zswap) if facts.has_tmpfiles => Some("tmpfiles.d"),
                _ => None,
            },
            ..choice
        })
    }

    /// Is no disk swap to be there, as requested?
    fn without_disk(&self) -> bool {
        self.request.value(SetupKey::Disk) == Some(NONE)
    }

    /// The kind that suits, given the present one.
    fn recommended(&self, now: Compression) -> Recommended {
        let facts = self.facts;
        if let Some(program) = facts.kubelet.filter(|_| facts.areas.is_empty()) {
            return (Compression::None, programs::explain_kubelet(program));
        }
        match now {
            Compression::Zram => self.keep_zram(),
            Compression::Zswap if !self.without_disk() => {
                let why = "it is enabled, and suits the disk swap behind it";
                let more = facts.is_shrinker_off().then(|| format!("; {SHRINKER}"));
                (now, why.to_owned() + &more.unwrap_or_default())
            }
            Compression::Zswap | Compression::None => self.new_compression(),
        }
    }

    fn new_compression(&self) -> Recommended {
        let facts = self.facts;
        let can_zram = facts.zram.known().is_some();
        let has_disk = !self.without_disk() && facts.disks().next().is_some();
        let in_memory =
            matches!(facts.profile, MachineProfile::Desktop | MachineProfile::SmallBoard);
        let why_no_disk = match (&facts.place, has_disk) {
            _ if self.without_disk() => Some("no disk swap: none is requested".to_owned()),
            (_, true) if facts.is_only_on_cards() => {
                Some("it fills before the flash card, which swap wears out".to_owned())
            }
            (Ok(place), false) if place.is_card => Some(format!("no disk swap: {CARD}")),
            (_, true) | (Ok(_), false) => None,
            (Err(why), false) => Some(format!("no disk swap: {why}")),
        };
        let is_disk_fit = why_no_disk.is_none();
        if facts.profile == MachineProfile::Database && is_disk_fit {
            let why = "the memory belongs to the database, whose pages compress badly; swap is only for what it does not need";
            return (Compression::None, why.to_owned());
        }
        let wants_zram = !is_disk_fit || in_memory && !has_disk && facts.resume.is_none();
        if let Some(why) = facts.ratio.no_saving().filter(|_| wants_zram && can_zram) {
            return (Compression::None, why);
        }
        if wants_zram && can_zram {
            let why = why_no_disk
                .map_or_else(|| ZRAM_REASON.to_owned(), |why| format!("{ZRAM_REASON}; {why}"));
            return (Compression::Zram, why);
        }
        if is_disk_fit && facts.zswap.is_some() {
            return (Compression::Zswap, ZSWAP_REASON.to_owned());
        }
        match (is_disk_fit, facts.zram.missing()) {
            (true, _) => (Compression::None, "this kernel has no zswap".to_owned()),
            (false, Some(why)) => {
                (Compression::None, format!("zram is not available: {}", why.why()))
            }
            (false, None) => (Compression::Zram, ZRAM_REASON.to_owned()),
        }
    }

    /// Whether zram stays: not if it is full, a slower disk behind it is in use, and zswap with the disk swap that there
    /// is or can be holds the contents of both.
    fn keep_zram(&self) -> Recommended {
        let facts = self.facts;
        let lowest = facts.zram_areas().map(|area| area.priority).min();
        let behind: Bytes = facts
            .disks()
            .filter(|area| area.speed != Some(Speed::Remote) && Some(area.priority) < lowest)
            .filter_map(|area| area.used.known().copied())
            .sum();
        let is_full = |area: &AreaFacts| {
            let full = FULL * area.size.0 as f64;
            area.used.known().is_some_and(|used| used.0 as f64 >= full)
        };
        let is_behind =
            !self.without_disk() && behind >= INVERTED && facts.zram_areas().all(is_full);
        if is_behind && facts.zswap.is_some() {
            let (needed, there) = (slots_without_zram(facts), self.disk_for_zswap());
            let why = format!(
                "zram is full of what came first, and {} that came later are on slower areas (possible LRU inversion)",
                size(behind)
            );
            return if there >= needed {
                let better = "zswap moves the least recently used pages to the disk instead";
                (Compression::Zswap, format!("{why}; {better}"))
            } else {
                let first = format!(
                    "add disk swap: zswap in place of zram needs {} of it, and at most {} are possible now",
                    size(needed),
                    size(there)
                );
                (Compression::Zram, format!("{why}; {first}"))
            };
        }
        let (now, fit) = (facts.zram_size().unwrap_or_default(), zram_size(facts).0);
        let suits = if is_far_below(now, fit) {
            format!("but holds only {} of the {} that suit this machine", size(now), size(fit))
        } else {
            "and suits this machine".to_owned()
        };
        (Compression::Zram, format!("zram is in use, {suits}"))
    }

    /// The disk swap of a setup with zswap.
    fn disk_for_zswap(&self) -> Bytes {
        let file = match self.request.value(SetupKey::Disk) {
            Some(text) => parse_size(text),
            None => self.file_for_zswap(),
        };
        self.facts.disk_size().saturating_add(file.unwrap_or_default())
    }

    /// The size of zram, new or present.
    pub(super) fn size(&self) -> Result<(SetupChoice, Bytes), String> {
        let facts = self.facts;
        let now = facts.zram_size();
        let (fit, why) = zram_size(facts);
        let list = ValueList::new(SetupKey::Size, now.map(exact));
        let count = facts.zram_areas().count();
        let list = match now {
            Some(now) if is_far_below(now, fit) && count == 1 => {
                list.with(exact(fit), why).with(exact(now), "the size it has now")
            }
            Some(now) if is_far_below(now, fit) => {
                let each = Bytes(fit.0 / u64::try_from(count).unwrap_or(1).max(1));
                let several = format!(
                    "the size of all devices now; {} suit this machine, but setup changes the size of a single one: resize each to {} with swapadm zram resize",
                    size(fit),
                    size(each)
                );
                list.with(exact(now), several).with(exact(fit), why)
            }
            Some(now) => list.with(exact(now), "the size it has now").with(exact(fit), why),
            None => list.with(exact(fit), why),
        };
        let half = rounded(Bytes(fit.0 / 2));
        let list = list
            .with(exact(half), "takes less memory, and holds less")
            .with(exact(Bytes(fit.0 * 2)), "holds more, if memory compresses as well as expected");
        let choice = list.choose(self.request, |_| Ok(()))?;
        let bytes = parse_size(&choice.chosen.value).unwrap_or(fit);
        let cost = zram_cost(facts, bytes);
        Ok((SetupChoice { cost: Some(cost), file: zram_file(facts), ..choice }, bytes))
    }

    /// The algorithm of zram or zswap.
    pub(super) fn algorithm(&self, kind: Compression) -> Result<Option<SetupChoice>, String> {
        match kind {
            Compression::None => Ok(None),
            Compression::Zswap => self.zswap_algorithm().map(Some),
            Compression::Zram => self.zram_algorithm().map(Some),
        }
    }

    fn zswap_algorithm(&self) -> Result<SetupChoice, String> {
        let zswap = self.facts.zswap.as_ref();
        let now = zswap.and_then(|zswap| zswap.compressor.known().cloned());
        let why = match (&now, self.facts.is_zswap_on()) {
            (Some(_), true) => "the present one",
            (Some(_), false) => "what zswap is set to now, while it is disabled",
            (None, _) => "the kernel's default",
        };
        let list = ValueList::new(SetupKey::Algorithm, now.clone())
            .with(now.unwrap_or_else(|| DEFAULT.to_owned()), why)
            .with("zstd", "compresses best, and takes more CPU time")
            .with("lz4", "takes least CPU time, and compresses less");
        let choice = list.choose(self.request, |_| Ok(()))?;
        let is_kept = choice.changes && self.facts.has_tmpfiles;
        Ok(SetupChoice { file: is_kept.then_some("tmpfiles.d"), ..choice })
    }

    fn zram_algorithm(&self) -> Result<SetupChoice, String> {
        let facts = self.facts;
        let offers = |name: &str| facts.algorithms.iter().any(|offered| offered == name);
        let is_strong = facts.cpus.is_some_and(|cpus| cpus >= MANY_CPUS);
        let fit = if is_strong { "zstd" } else { "lz4" };
        // The algorithm of a device in use may be unknown.
        let unknown = facts.zram_areas().next().map(|_| DEFAULT.to_owned());
        let now = facts.zram_algorithm.clone().or(unknown);
        let mut list = ValueList::new(SetupKey::Algorithm, now);
        if let Some(now) = &facts.zram_algorithm {
            list = list.with(now.clone(), "that of the first zram area");
        }
        let cpus = facts.cpus.map_or_else(String::new, |cpus| format!(" for {cpus} CPUs"));
        if offers(fit) {
            let why = if is_strong {
                "compresses best, and takes little time"
            } else {
                "takes least time"
            };
            list = list.with(fit, format!("{why}{cpus}"));
        }
        list = list
            .with_if(offers("zstd"), "zstd", "compresses best, and takes more CPU time")
            .with_if(offers("lz4"), "lz4", "takes least CPU time, and compresses less");
        if facts.zram_algorithm.is_none() {
            let why = if facts.algorithms.is_empty() {
                "the kernel lists its algorithms only with a device, so it chooses"
            } else {
                "the kernel chooses"
            };
            list = list.with(DEFAULT, why);
        }
        list.choose(self.request, |_| Ok(()))
            .map(|choice| SetupChoice { file: zram_file(facts), ..choice })
    }
}

/// Where zram is configured for the next boot, if anything reads it.
fn zram_file(facts: &SetupFacts) -> Option<&'static str> {
    facts.has_zram_generator.then_some("zram-generator.conf.d")
}

/// The used share from which zram passes pages on to the next area.
const FULL: f64 = 0.9;

/// The disk swap that the machine needs in place of zram: zswap has no slots of its own. None without zram.
pub(super) fn slots_without_zram(facts: &SetupFacts) -> Bytes {
    let used = |area: &AreaFacts| area.used.known().copied().unwrap_or(area.size);
    let all: Bytes = facts.areas.iter().map(used).sum();
    facts.zram_size().map_or(Bytes(0), |_| all.times(RESERVE))
}

/// The size of zram that suits, with the reason.
fn zram_size(facts: &SetupFacts) -> (Bytes, String) {
    let (divisor, most) = match facts.profile {
        MachineProfile::Desktop => (1, 8 * GIB),
        MachineProfile::SmallBoard => (1, 4 * GIB),
        MachineProfile::Server | MachineProfile::ContainerHost => (2, 16 * GIB),
        MachineProfile::Database => (8, 4 * GIB),
    };
    let bearable = facts.ratio.data_for(Bytes(facts.memory.0 / MOST_MEMORY)).0;
    let wanted = (facts.memory.0 / divisor).min(most);
    let share = match divisor {
        1 => "as much as memory".to_owned(),
        2 => "half of memory".to_owned(),
        _ => "an eighth of memory".to_owned(),
    };
    let why = if bearable < wanted {
        "so much that it takes at most half of memory when full".to_owned()
    } else if wanted == most {
        format!("{share}, but at most {}", size(Bytes(most)))
    } else {
        share
    };
    (rounded(Bytes(wanted.min(bearable))), why)
}

/// Whether a size is so far below the one that suits that it hardly helps.
pub(super) fn is_far_below(now: Bytes, fit: Bytes) -> bool {
    now.times(4.0) < fit
}

/// A size in round numbers.
pub(super) fn rounded(size: Bytes) -> Bytes {
    let unit = match size.0 {
        bytes if bytes >= 4 * GIB => GIB,
        bytes if bytes >= GIB => 256 * MIB,
        _ => 16 * MIB,
    };
    Bytes((size.0 / unit).max(1) * unit)
}

fn zram_cost(facts: &SetupFacts, disk: Bytes) -> String {
    let [least, most] = zram_table_range(disk, facts.page_size).map(size);
    format!(
        "{least} to {most} for its table at once; when full {} at a ratio of {:.1}:1, and {} if nothing compresses",
        size(facts.ratio.memory_for(disk)),
        facts.ratio.ratio,
        size(disk)
    )
}

/// The memory that zswap takes. Each page in it keeps its slot on the disk, so it holds at most what fits there.
pub(super) fn zswap_cost(facts: &SetupFacts, disk: DiskChoice) -> String {
    let behind = disk_behind(facts, disk);
    let full = facts.ratio.memory_for(behind);
    let percent = facts.zswap.as_ref().and_then(|zswap| zswap.max_pool_percent.known().copied());
    let pool = percent.map(|percent| Bytes(facts.memory.0 / 100 * percent));
    match (pool, percent) {
        (Some(pool), Some(percent)) if pool <= full => {
            let holds = size(facts.ratio.data_for(pool));
            format!("up to {} ({percent}% of memory), which holds about {holds}", size(pool))
        }
        (Some(_), _) => format!(
            "up to about {} that holds {}, because each page in zswap keeps its place in the {} of disk swap",
            size(full),
            size(behind),
            size(behind)
        ),
        (None, _) => "up to its limit, zswap.max_pool_percent".to_owned(),
    }
}

/// The size of the disk swap of a setup.
fn disk_behind(facts: &SetupFacts, disk: DiskChoice) -> Bytes {
    match disk {
        DiskChoice::Keep => facts.disk_size(),
        DiskChoice::None => Bytes(0),
        DiskChoice::File(size) => facts.disk_size().saturating_add(size),
    }
}
