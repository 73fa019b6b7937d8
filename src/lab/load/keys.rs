//! The keys of a workload's file.

use crate::config::value::{either, parse_bytes};
use crate::config::{
    self, KeyDefault as D, KeyGroup, KeyInput, KeyNames, MAX_FILE_BYTES, Schema, ValueType as T,
    setter,
};
use crate::model::Bytes;
use crate::model::load::{
    AccessPattern, AfterTouching, FolioAdvice, FreeMethod, MemoryKind, OTHER_SIZES, PageContents,
    TouchUnit, WorkerGroup, Workload,
};
use crate::model::text::did_you_mean;
use std::ops::RangeInclusive;

type Key = config::KeySpec<LoadDraft>;

/// The name of the table of processes.
pub const WORK: &str = "work";
/// The pattern of a work that sets none.
pub const DEFAULT_PATTERN: &str = "sequential";
/// The smallest memory limit of a cgroup.
pub const MIN_LIMIT: Bytes = Bytes(8 << 20);
/// The most tables of processes in a file.
const MAX_WORKS: usize = 64;
/// The valid compression ratios of contents.
const RATIOS: RangeInclusive<f64> = 1.1..=20.0;
/// The possible sizes of large folios.
const FOLIOS: RangeInclusive<u64> = 8 << 10..=16 << 30;
/// The modes of a folio size.
const FOLIO_WORDS: [&str; 4] = ["always", "madvise", "inherit", "never"];

/// A workload while its file is read, with its current work. The parameters of the pattern are
/// separate until the pattern is known.
#[derive(Clone, Debug)]
pub struct LoadDraft {
    pub(super) load: Workload,
    pub(super) work: WorkerGroup,
    pub(super) pattern: &'static str,
    pub(super) stride: Bytes,
    skew: f64,
    hot: f64,
    hits: f64,
    length: f64,
}

impl LoadDraft {
    /// Starts with placeholders that the file or the defaults replace. If the time limit is not
    /// valid, the duration of works is not checked.
    pub(super) fn new(name: &str) -> Self {
        let load = Workload { at_most: f64::INFINITY, ..Workload::together(name, Vec::new()) };
        let work = WorkerGroup { passes: None, ..WorkerGroup::writing_once(0, Bytes(0)) };
        let (stride, skew, hot, hits, length) = (Bytes(0), 0.0, 0.0, 0.0, 0.0);
        Self { load, work, pattern: "", stride, skew, hot, hits, length }
    }

    /// Finishes a work by combining the pattern with its parameters.
    pub(super) fn into_work(self) -> WorkerGroup {
        let order = match self.pattern {
            "strided" => AccessPattern::Strided { stride: self.stride.0 },
            "random" => AccessPattern::Random,
            "zipf" => AccessPattern::Zipf { skew: self.skew },
            "phases" => {
                AccessPattern::Phases { hot: self.hot, hits: self.hits, length: self.length }
            }
            "churn" => AccessPattern::Churn,
            // Also where no pattern is given.
            _ => AccessPattern::Sequential,
        };
        let once = self.work.passes.is_none() && self.work.seconds.is_none();
        let passes = if once { Some(1.0) } else { self.work.passes };
        WorkerGroup { order, passes, ..self.work }
    }
}

/// Creates a type from a list of words and their values.
macro_rules! words {
    ($list:expr) => {
        T::Word(|| $list.map(|(word, _)| word).to_vec())
    };
}

/// Describes the possible contents of pages.
fn contents() -> String {
    format!(
        "{}, where RATIO is from {} to {} and PATH begins with /",
        either(&PageContents::FORMS),
        RATIOS.start(),
        RATIOS.end()
    )
}

/// Describes the settings of folio sizes.
fn folios() -> String {
    format!("sizes of folios such as 64K, or {OTHER_SIZES}, each with {}", either(&FOLIO_WORDS))
}

fn set_together(to: &mut LoadDraft, it: &KeyInput<'_>) -> Result<(), String> {
    let words = it.takes.some_words(it.text)?;
    to.load.start_together = words.contains(&"start");
    to.load.free_together = words.contains(&"free");
    Ok(())
}

fn set_pattern(to: &mut LoadDraft, it: &KeyInput<'_>) -> Result<(), String> {
    to.pattern = it.takes.word(it.text, &AccessPattern::WORDS.map(|word| (word, word)))?;
    Ok(())
}

/// Sets folio sizes: one by its name, or several as `64K=always,others=never`.
fn set_folios(to: &mut LoadDraft, it: &KeyInput<'_>) -> Result<(), String> {
    if !it.name.is_empty() {
        return set_folio(to, it, (it.name, it.text));
    }
    let pairs = it.text.split(',').map(|one| one.split_once('='));
    let pairs = pairs.collect::<Option<Vec<_>>>().ok_or_else(|| it.refuse())?;
    pairs.into_iter().try_for_each(|pair| set_folio(to, it, pair))
}

fn set_folio(
    to: &mut LoadDraft,
    it: &KeyInput<'_>,
    (size, word): (&str, &str),
) -> Result<(), String> {
    let (size, word) = (size.trim(), word.trim());
    let bytes = parse_bytes(size).filter(|it| it.is_power_of_two() && FOLIOS.contains(it));
    let known = if size == OTHER_SIZES {
        Some(OTHER_SIZES.to_owned())
    } else {
        bytes.map(|it| Bytes(it).exact())
    };
    let Some(known) = known.filter(|_| FOLIO_WORDS.contains(&word)) else {
        let typed = format!("{size}={word}");
        return Err(it.takes.refuse(&typed) + &did_you_mean(word, FOLIO_WORDS));
    };
    if to.load.mthp.contains_key(&known) {
        return Err(format!("\"{}\" names the size {known} twice: name it once", it.text));
    }
    to.load.mthp.insert(known, word.to_owned());
    Ok(())
}

fn set_contents(to: &mut LoadDraft, it: &KeyInput<'_>) -> Result<(), String> {
    let ratio = || {
        let ratio = it.text.strip_suffix(":1")?.parse().ok()?;
        RATIOS.contains(&ratio).then_some(PageContents::Ratio(ratio))
    };
    let file = || {
        let path = it.text.strip_prefix("file:")?;
        (path.starts_with('/') && !path.chars().any(char::is_control))
            .then(|| PageContents::File(path.to_owned()))
    };
    let words = [
        ("zero", PageContents::Zero),
        ("same", PageContents::Same),
        ("words", PageContents::Words),
        ("random", PageContents::Random),
    ];
    let word = words.iter().find(|(word, _)| *word == it.text).map(|(_, meant)| meant.clone());
    let meant = || did_you_mean(it.text, words.iter().map(|(word, _)| *word));
    to.work.contents = word.or_else(ratio).or_else(file).ok_or_else(|| it.refuse() + &meant())?;
    Ok(())
}

const LIMIT: T = T::Amount(MIN_LIMIT.0, 100.0, "available memory");
const SIZE: T = T::Amount(64 << 10, 1000.0, "the limit");
const PAGES: T = T::Size(4 << 10, 1 << 40);
const WORKS: fn() -> String = || format!("one to {MAX_WORKS} tables [[{WORK}]]");

/// All keys, in the order of the manual.
pub static KEYS: Schema<LoadDraft> = Schema {
    groups: &[
        KeyGroup { sections: &[""], heading: "Whole workload", keys: LOAD_KEYS },
        KeyGroup { sections: &[WORK], heading: "Processes of each [[work]]", keys: WORK_KEYS },
    ],
    bare: true,
    max_bytes: MAX_FILE_BYTES,
};

static LOAD_KEYS: &[Key] = &[
    Key::new(
        "about",
        T::Line(400),
        D::Is(""),
        "Purpose of the workload, in one sentence",
        setter!(load.about = text),
    ),
    Key::new(
        "limit",
        LIMIT,
        D::Is("25%"),
        "Memory limit of all processes together, at least 8M plus 512K for each process; memory above it goes to swap",
        setter!(load.limit = amount),
    ),
    Key::new(
        "together",
        T::Words(|| vec!["start", "free"]),
        D::Is("start,free"),
        "start: all processes begin to access memory at the same moment; free: each process frees its memory only when the last one has finished",
        set_together,
    ),
    Key::new(
        "after",
        words!(AfterTouching::WORDS),
        D::Is("nothing"),
        "Action when all processes have finished their accesses, before they free memory; swapoff disables the temporary areas and measures how long that takes",
        setter!(load.after in AfterTouching::WORDS),
    ),
    Key::new(
        "mthp",
        T::Other(folios),
        D::InWords("the current settings"),
        "Sizes of large folios that the kernel may use during the run, as { \"64K\" = \"always\", others = \"never\" }, or 64K=always,others=never on the command line; others means all sizes that are not named",
        set_folios,
    )
    .names(KeyNames::AnyOrAll),
    Key::new(
        "at_most",
        T::Seconds(1.0, 86400.0),
        D::Is("600"),
        "Time limit: the guard stops the run after this time",
        setter!(load.at_most = number),
    ),
    Key::table(
        WORK,
        T::Tables(MAX_WORKS, WORKS),
        D::Required,
        "Groups of processes that do the same work, each with its size",
    ),
];

static WORK_KEYS: &[Key] = &[
    Key::new(
        "processes",
        T::Count(1, 1024),
        D::Is("1"),
        "Number of processes that do this work at the same time",
        setter!(work.processes = count),
    ),
    Key::new(
        "rounds",
        T::Count(1, 1_000_000),
        D::Is("1"),
        "Number of processes that run one after another in place of each process",
        setter!(work.rounds = count),
    ),
    Key::new(
        "size",
        SIZE,
        D::Required,
        "Memory of each process; a share of the limit applies to each process, not to all together",
        setter!(work.size = amount),
    ),
    Key::new(
        "vary",
        T::Percent(0.0, 90.0),
        D::Is("0%"),
        "Random variation of the memory of each process, above and below its size",
        setter!(work.vary = number),
    ),
    Key::new(
        "memory",
        words!(MemoryKind::WORDS),
        D::Is("anonymous"),
        "Kind of memory: private, shared, an unnamed file, or private memory of which a forked child copies the pages it writes",
        setter!(work.memory in MemoryKind::WORDS),
    ),
    Key::new(
        "pattern",
        T::Word(|| AccessPattern::WORDS.to_vec()),
        D::Is(DEFAULT_PATTERN),
        "Order in which pages are accessed; phases prefers hot pages, which change from time to time; churn frees blocks of different sizes and allocates others",
        set_pattern,
    ),
    Key::new(
        "stride",
        PAGES,
        D::Is("64K"),
        "Distance between accessed pages, a multiple of 4K",
        setter!(stride = size),
    )
    .only_with("pattern", "strided"),
    Key::new(
        "skew",
        T::Number(0.01, 10.0),
        D::Is("1"),
        "Skew: the n-th page is accessed with a probability proportional to 1/n^skew",
        setter!(skew = number),
    )
    .only_with("pattern", "zipf"),
    Key::new(
        "hot",
        T::Percent(0.1, 100.0),
        D::Is("10%"),
        "Share of pages that are hot",
        setter!(hot = number),
    )
    .only_with("pattern", "phases"),
    Key::new(
        "hits",
        T::Percent(0.0, 100.0),
        D::Is("90%"),
        "Share of accesses that go to hot pages",
        setter!(hits = number),
    )
    .only_with("pattern", "phases"),
    Key::new(
        "length",
        T::Number(0.01, 1_000_000.0),
        D::Is("1"),
        "Accesses after which other pages become hot, as a multiple of the number of pages",
        setter!(length = number),
    )
    .only_with("pattern", "phases"),
    Key::new(
        "touch",
        words!(TouchUnit::WORDS),
        D::Is("page"),
        "How much of a page is accessed: one word of eight bytes, the whole page at once, or each word by itself, which takes some microseconds; throughput counts the bytes accessed, 8 for a word",
        setter!(work.touch in TouchUnit::WORDS),
    ),
    Key::new(
        "writes",
        T::Percent(0.0, 100.0),
        D::Is("100%"),
        "Share of accesses that write; the others read",
        setter!(work.writes = number),
    ),
    Key::new(
        "prefault",
        T::Flag,
        D::Is("true"),
        "Whether to fill all memory before the start, so that pages exist before they are accessed",
        setter!(work.prefault = flag),
    ),
    Key::new(
        "passes",
        T::Number(0.001, 1_000_000.0),
        D::InWords("1, unless seconds is set"),
        "Number of accesses, as a multiple of the number of pages",
        setter!(work.passes = Some(number)),
    ),
    Key::new(
        "seconds",
        T::Seconds(0.001, 86400.0),
        D::InWords("until all passes are done"),
        "Time for which pages are accessed, instead of passes",
        setter!(work.seconds = Some(number)),
    ),
    Key::new(
        "pace",
        PAGES,
        D::InWords("no limit"),
        "Most memory that each process accesses per second",
        setter!(work.pace = Some(size)),
    ),
    Key::new(
        "contents",
        T::Other(contents),
        D::Is("words"),
        "Contents of pages, which decide how well they compress: zeros, one value per page, a different number in each word, data with this ratio, random data, or the contents of a file",
        set_contents,
    ),
    Key::new(
        "advice",
        words!(FolioAdvice::WORDS),
        D::Is("none"),
        "Advice to the kernel on large folios: none, use them, or avoid them",
        setter!(work.advice in FolioAdvice::WORDS),
    ),
    Key::new(
        "free",
        words!(FreeMethod::WORDS),
        D::Is("munmap"),
        "How memory is freed: by munmap(2), or by the end of the process",
        setter!(work.free in FreeMethod::WORDS),
    ),
    Key::new(
        "allocates",
        T::Flag,
        D::Is("false"),
        "Whether to map and unmap a page ten times a second, as programs that allocate memory do. For each page that it swaps out, the kernel interrupts all CPUs on which the process has run; since Linux 6.13 it removes CPUs from that list only when the process frees memory",
        setter!(work.allocates = flag),
    ),
    Key::new(
        "cpus",
        T::Cpus,
        D::InWords("any"),
        "CPUs to which processes are bound: the first process to the first CPU, and so on",
        setter!(work.cpus = Some(cpus)),
    ),
    Key::new(
        "node",
        T::Count(0, 1023),
        D::InWords("any"),
        "NUMA node on which memory is allocated",
        setter!(work.node = Some(count)),
    ),
];

#[cfg(test)]
mod tests;
