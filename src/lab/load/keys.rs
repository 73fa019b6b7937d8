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

/// Creates a key whose value is one of the words of an enum.
macro_rules! word_key {
    ($name:literal, $default:literal, $($field:ident).+ in $type:ident) => {
        Key::value(
            $name,
            T::Word(|| $type::WORDS.map(|(word, _)| word).to_vec()),
            D::Is($default),
            setter!($($field).+ in $type::WORDS),
        )
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
    Key::value("about", T::Line(400), D::Is(""), setter!(load.about = text))
        .says("Purpose of the workload, in one sentence"),
    Key::value("limit", LIMIT, D::Is("25%"), setter!(load.limit = amount))
        .says("Memory limit of all processes together, at least 8M plus 512K for each process; memory above it goes to swap"),
    Key::value("together", T::Words(|| vec!["start", "free"]), D::Is("start,free"), set_together)
        .says("start: all processes begin to access memory at the same moment; free: each process frees its memory only when the last one has finished"),
    word_key!("after", "nothing", load.after in AfterTouching)
        .says("Action when all processes have finished their accesses, before they free memory; swapoff disables the temporary areas and measures how long that takes"),
    Key::value("mthp", T::Other(folios), D::InWords("the current settings"), set_folios)
        .says("Sizes of large folios that the kernel may use during the run, as { \"64K\" = \"always\", others = \"never\" }, or 64K=always,others=never on the command line; others means all sizes that are not named")
        .names(KeyNames::AnyOrAll),
    Key::value("at_most", T::Seconds(1.0, 86400.0), D::Is("600"), setter!(load.at_most = number))
        .says("Time limit: the guard stops the run after this time"),
    Key::table(
        WORK,
        T::Tables(MAX_WORKS, WORKS),
        D::Required,
        "Groups of processes that do the same work, each with its size",
    ),
];

static WORK_KEYS: &[Key] = &[
    Key::value("processes", T::Count(1, 1024), D::Is("1"), setter!(work.processes = count))
        .says("Number of processes that do this work at the same time"),
    Key::value("rounds", T::Count(1, 1_000_000), D::Is("1"), setter!(work.rounds = count))
        .says("Number of processes that run one after another in place of each process"),
    Key::value("size", SIZE, D::Required, setter!(work.size = amount))
        .says("Memory of each process; a share of the limit applies to each process, not to all together"),
    Key::value("vary", T::Percent(0.0, 90.0), D::Is("0%"), setter!(work.vary = number))
        .says("Random variation of the memory of each process, above and below its size"),
    word_key!("memory", "anonymous", work.memory in MemoryKind)
        .says("Kind of memory: private, shared, an unnamed file, or private memory of which a forked child copies the pages it writes"),
    Key::value(
        "pattern",
        T::Word(|| AccessPattern::WORDS.to_vec()),
        D::Is(DEFAULT_PATTERN),
        set_pattern,
    )
    .says("Order in which pages are accessed; phases prefers hot pages, which change from time to time; churn frees blocks of different sizes and allocates others"),
    Key::value("stride", PAGES, D::Is("64K"), setter!(stride = size))
        .says("Distance between accessed pages, a multiple of 4K")
        .only_with("pattern", "strided"),
    Key::value("skew", T::Number(0.01, 10.0), D::Is("1"), setter!(skew = number))
        .says("Skew: the n-th page is accessed with a probability proportional to 1/n^skew")
        .only_with("pattern", "zipf"),
    Key::value("hot", T::Percent(0.1, 100.0), D::Is("10%"), setter!(hot = number))
        .says("Share of pages that are hot")
        .only_with("pattern", "phases"),
    Key::value("hits", T::Percent(0.0, 100.0), D::Is("90%"), setter!(hits = number))
        .says("Share of accesses that go to hot pages")
        .only_with("pattern", "phases"),
    Key::value("length", T::Number(0.01, 1_000_000.0), D::Is("1"), setter!(length = number))
        .says("Accesses after which other pages become hot, as a multiple of the number of pages")
        .only_with("pattern", "phases"),
    word_key!("touch", "page", work.touch in TouchUnit)
        .says("How much of a page is accessed: one word of eight bytes, the whole page at once, or each word by itself, which takes some microseconds; throughput counts the bytes accessed, 8 for a word"),
    Key::value("writes", T::Percent(0.0, 100.0), D::Is("100%"), setter!(work.writes = number))
        .says("Share of accesses that write; the others read"),
    Key::value("prefault", T::Flag, D::Is("true"), setter!(work.prefault = flag))
        .says("Whether to fill all memory before the start, so that pages exist before they are accessed"),
    Key::value(
        "passes",
        T::Number(0.001, 1_000_000.0),
        D::InWords("1, unless seconds is set"),
        setter!(work.passes = Some(number)),
    )
    .says("Number of accesses, as a multiple of the number of pages"),
    Key::value(
        "seconds",
        T::Seconds(0.001, 86400.0),
        D::InWords("until all passes are done"),
        setter!(work.seconds = Some(number)),
    )
    .says("Time for which pages are accessed, instead of passes"),
    Key::value("pace", PAGES, D::InWords("no limit"), setter!(work.pace = Some(size)))
        .says("Most memory that each process accesses per second"),
    Key::value("contents", T::Other(contents), D::Is("words"), set_contents)
        .says("Contents of pages, which decide how well they compress: zeros, one value per page, a different number in each word, data with this ratio, random data, or the contents of a file"),
    word_key!("advice", "none", work.advice in FolioAdvice)
        .says("Advice to the kernel on large folios: none, use them, or avoid them"),
    word_key!("free", "munmap", work.free in FreeMethod)
        .says("How memory is freed: by munmap(2), or by the end of the process"),
    Key::value("allocates", T::Flag, D::Is("false"), setter!(work.allocates = flag))
        .says("Whether to map and unmap a page ten times a second, as programs that allocate memory do. For each page that it swaps out, the kernel interrupts all CPUs on which the process has run; since Linux 6.13 it removes CPUs from that list only when the process frees memory"),
    Key::value("cpus", T::Cpus, D::InWords("any"), setter!(work.cpus = Some(cpus)))
        .says("CPUs to which processes are bound: the first process to the first CPU, and so on"),
    Key::value("node", T::Count(0, 1023), D::InWords("any"), setter!(work.node = Some(count)))
        .says("NUMA node on which memory is allocated"),
];

#[cfg(test)]
mod tests;
