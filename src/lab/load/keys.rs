//! The keys of a load's file.

use crate::config::value::{parse_bytes, either};
use crate::config::{self, KeyDefault as D, KeyGroup, KeyInput, KeyNames, Schema, ValueType as T, setter};
use crate::model::Bytes;
use crate::model::load::{
    FolioAdvice, AfterTouching, MemoryAmount, PageContents, FreeMethod, MemoryKind, OTHER_SIZES, AccessPattern, TouchUnit, WorkerGroup, Workload,
};
use crate::model::text::did_you_mean;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

type Key = config::KeySpec<LoadDraft>;

/// The table of processes.
pub const WORK: &str = "work";
/// The least that a cage can hold.
pub const MIN_LIMIT: Bytes = Bytes(8 << 20);
/// Tables of processes that a file may have.
const MAX_WORKS: usize = 64;
/// The ratios that contents can be made for.
const RATIOS: RangeInclusive<f64> = 1.1..=20.0;
/// The sizes that a large folio can have.
const FOLIOS: RangeInclusive<u64> = 8 << 10..=16 << 30;
/// The words that can be written for a size of folios.
const FOLIO_WORDS: [&str; 4] = ["always", "madvise", "inherit", "never"];

/// A load while it is read, with one of its works: the parts of a pattern stand apart until the
/// pattern is known.
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
    /// Begins with values that all are replaced, by what the file says or by defaults. Where the
    /// time of the load is not valid, no work is too long.
    pub(super) fn new(name: &str) -> Self {
        let load = Workload {
            name: name.to_owned(),
            about: String::new(),
            limit: MemoryAmount::Bytes(Bytes(0)),
            start_together: false,
            free_together: false,
            after: AfterTouching::Nothing,
            mthp: BTreeMap::new(),
            at_most: f64::INFINITY,
            works: Vec::new(),
        };
        let work = WorkerGroup {
            processes: 0,
            rounds: 0,
            size: MemoryAmount::Bytes(Bytes(0)),
            vary: 0.0,
            memory: MemoryKind::Anonymous,
            order: AccessPattern::Sequential,
            touch: TouchUnit::Page,
            writes: 0.0,
            prefault: false,
            passes: None,
            seconds: None,
            pace: None,
            contents: PageContents::Zero,
            advice: FolioAdvice::None,
            free: FreeMethod::Unmap,
            allocates: false,
            cpus: None,
            node: None,
        };
        let (stride, skew, hot, hits, length) = (Bytes(0), 0.0, 0.0, 0.0, 0.0);
        Self { load, work, pattern: "", stride, skew, hot, hits, length }
    }

    /// Puts the pattern of the work together.
    pub(super) fn into_work(self) -> WorkerGroup {
        let order = match self.pattern {
            "strided" => AccessPattern::Strided { stride: self.stride.0 },
            "random" => AccessPattern::Random,
            "zipf" => AccessPattern::Zipf { skew: self.skew },
            "phases" => AccessPattern::Phases { hot: self.hot, hits: self.hits, length: self.length },
            "churn" => AccessPattern::Churn,
            _ => AccessPattern::Sequential,
        };
        let once = self.work.passes.is_none() && self.work.seconds.is_none();
        let passes = if once { Some(1.0) } else { self.work.passes };
        WorkerGroup { order, passes, ..self.work }
    }
}

/// Makes a type from the words of a list that says what each stands for.
macro_rules! words {
    ($list:expr) => {
        T::Word(|| $list.map(|(word, _)| word).to_vec())
    };
}

/// Describes what pages can hold.
fn contents() -> String {
    format!(
        "{}, where RATIO is from {} to {} and PATH begins with /",
        either(&PageContents::FORMS),
        RATIOS.start(),
        RATIOS.end()
    )
}

/// Describes how sizes of folios are set.
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

/// Sets sizes of folios: one by its name, or several as `64K=always,others=never`.
fn set_folios(to: &mut LoadDraft, it: &KeyInput<'_>) -> Result<(), String> {
    if !it.name.is_empty() {
        return set_folio(to, it, (it.name, it.text));
    }
    let pairs = it.text.split(',').map(|one| one.split_once('='));
    let pairs = pairs.collect::<Option<Vec<_>>>().ok_or_else(|| it.refuse())?;
    pairs.into_iter().try_for_each(|pair| set_folio(to, it, pair))
}

fn set_folio(to: &mut LoadDraft, it: &KeyInput<'_>, (size, word): (&str, &str)) -> Result<(), String> {
    let (size, word) = (size.trim(), word.trim());
    let bytes = parse_bytes(size).filter(|it| it.is_power_of_two() && FOLIOS.contains(it));
    let known =
        if size == OTHER_SIZES { Some(OTHER_SIZES.to_owned()) } else { bytes.map(|it| Bytes(it).exact()) };
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

const LIMIT: T = T::Amount(MIN_LIMIT.0, 100.0, "the memory that is available");
const SIZE: T = T::Amount(64 << 10, 1000.0, "the limit");
const PAGES: T = T::Size(4 << 10, 1 << 40);
const WORKS: fn() -> String = || format!("tables [[{WORK}]], one to {MAX_WORKS}");

/// All keys, in the order of the manual.
pub static KEYS: Schema<LoadDraft> = Schema {
    groups: &[
        KeyGroup { sections: &[""], heading: "Of the whole load", keys: LOAD_KEYS },
        KeyGroup { sections: &[WORK], heading: "Of the processes of each [[work]]", keys: WORK_KEYS },
    ],
    bare: true,
};

static LOAD_KEYS: &[Key] = &[
    Key::new(
        "about",
        T::Line(400),
        D::Is(""),
        "What the load is for, in a sentence",
        setter!(load.about = text),
    ),
    Key::new(
        "limit",
        LIMIT,
        D::Is("25%"),
        "The memory that all processes together may take, no less than 8M beside 512K for each; what is more has to go to swap",
        setter!(load.limit = amount),
    ),
    Key::new(
        "together",
        T::Words(|| vec!["start", "free"]),
        D::Is("start,free"),
        "Whether all begin to touch at the same moment, and whether all wait for the last before they give memory back",
        set_together,
    ),
    Key::new(
        "after",
        words!(AfterTouching::WORDS),
        D::Is("nothing"),
        "What is done when all have touched what they shall, before memory is given back: swapoff takes the areas of the run off and times it",
        setter!(load.after in AfterTouching::WORDS),
    ),
    Key::new(
        "mthp",
        T::Other(folios),
        D::InWords("as the machine has it"),
        "Which sizes of large folios the kernel may use for the time of the run, as { \"64K\" = \"always\", others = \"never\" }, on the command line 64K=always,others=never; others are all sizes that are not named",
        set_folios,
    )
    .names(KeyNames::AnyOrAll),
    Key::new(
        "at_most",
        T::Seconds(1.0, 86400.0),
        D::Is("600"),
        "The run is ended after this time, whatever it does",
        setter!(load.at_most = number),
    ),
    Key::table(
        WORK,
        T::Tables(MAX_WORKS, WORKS),
        D::Required,
        "Groups of processes that all do the same, each with its size",
    ),
];

static WORK_KEYS: &[Key] = &[
    Key::new(
        "processes",
        T::Count(1, 1024),
        D::Is("1"),
        "How many processes do this at the same time",
        setter!(work.processes = count),
    ),
    Key::new(
        "rounds",
        T::Count(1, 1_000_000),
        D::Is("1"),
        "How many processes run one after another in the place of each",
        setter!(work.rounds = count),
    ),
    Key::new(
        "size",
        SIZE,
        D::Required,
        "The memory of each process; a share is of the limit, for each process and not for all together",
        setter!(work.size = amount),
    ),
    Key::new(
        "vary",
        T::Percent(0.0, 90.0),
        D::Is("0%"),
        "How far the memory of each process may be above or below its size, by chance",
        setter!(work.vary = number),
    ),
    Key::new(
        "memory",
        words!(MemoryKind::WORDS),
        D::Is("anonymous"),
        "What kind of memory: private, shared, of a file without a name, or private memory that a child copies where it writes",
        setter!(work.memory in MemoryKind::WORDS),
    ),
    Key::new(
        "pattern",
        T::Word(|| AccessPattern::WORDS.to_vec()),
        D::Is("sequential"),
        "Which page is touched next; churn gives blocks of different sizes back and takes others",
        set_pattern,
    ),
    Key::new(
        "stride",
        PAGES,
        D::Is("64K"),
        "How far the next page is from the last, a multiple of 4K",
        setter!(stride = size),
    )
    .only_with("pattern", "strided"),
    Key::new(
        "skew",
        T::Number(0.01, 10.0),
        D::Is("1"),
        "How much more often popular pages are touched: the n-th with a chance of 1/n^skew",
        setter!(skew = number),
    )
    .only_with("pattern", "zipf"),
    Key::new(
        "hot",
        T::Percent(0.1, 100.0),
        D::Is("10%"),
        "The share of pages that is hot",
        setter!(hot = number),
    )
    .only_with("pattern", "phases"),
    Key::new(
        "hits",
        T::Percent(0.0, 100.0),
        D::Is("90%"),
        "The share of touches that goes to hot pages",
        setter!(hits = number),
    )
    .only_with("pattern", "phases"),
    Key::new(
        "length",
        T::Number(0.01, 1_000_000.0),
        D::Is("1"),
        "After how many touches other pages become hot: as many as there are pages, times this",
        setter!(length = number),
    )
    .only_with("pattern", "phases"),
    Key::new(
        "touch",
        words!(TouchUnit::WORDS),
        D::Is("page"),
        "How much of a page is touched: one word of eight bytes, the page at once, or each word of it by itself, which takes a program some microseconds; throughput counts the bytes that are touched, which are 8 of a word",
        setter!(work.touch in TouchUnit::WORDS),
    ),
    Key::new(
        "writes",
        T::Percent(0.0, 100.0),
        D::Is("100%"),
        "The share of touches that write; the others read",
        setter!(work.writes = number),
    ),
    Key::new(
        "prefault",
        T::Flag,
        D::Is("true"),
        "Whether all memory is filled before the start, so that what is touched was there before",
        setter!(work.prefault = flag),
    ),
    Key::new(
        "passes",
        T::Number(0.001, 1_000_000.0),
        D::InWords("1, where seconds is not said"),
        "How often as many pages as there are are touched",
        setter!(work.passes = Some(number)),
    ),
    Key::new(
        "seconds",
        T::Seconds(0.001, 86400.0),
        D::InWords("until all passes are done"),
        "How long pages are touched, in place of passes",
        setter!(work.seconds = Some(number)),
    ),
    Key::new(
        "pace",
        PAGES,
        D::InWords("as fast as it can"),
        "How much each process touches in a second at most",
        setter!(work.pace = Some(size)),
    ),
    Key::new(
        "contents",
        T::Other(contents),
        D::Is("words"),
        "What pages hold: it decides how well they compress",
        set_contents,
    ),
    Key::new(
        "advice",
        words!(FolioAdvice::WORDS),
        D::Is("none"),
        "What the kernel is told of large folios: nothing, that they are wanted, or that they are not",
        setter!(work.advice in FolioAdvice::WORDS),
    ),
    Key::new(
        "free",
        words!(FreeMethod::WORDS),
        D::Is("munmap"),
        "How memory is given back: by munmap(2), or by the end of the process",
        setter!(work.free in FreeMethod::WORDS),
    ),
    Key::new(
        "allocates",
        T::Flag,
        D::Is("false"),
        "Whether a page is mapped and given back ten times a second, as programs do that allocate: since Linux 6.13 the kernel forgets only then on which processors one was before, and interrupts those for each page of it that goes out",
        setter!(work.allocates = flag),
    ),
    Key::new(
        "cpus",
        T::Cpus,
        D::InWords("any"),
        "The processors that processes are bound to, in turn",
        setter!(work.cpus = Some(cpus)),
    ),
    Key::new(
        "node",
        T::Count(0, 1023),
        D::InWords("any"),
        "The NUMA node that memory comes from",
        setter!(work.node = Some(count)),
    ),
];

#[cfg(test)]
mod tests;
