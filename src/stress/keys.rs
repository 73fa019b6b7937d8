//! The keys of a load's file. What reads the file, what is said of errors in it, and the manual
//! are all made from this list.

mod form;

pub(super) use form::size_text;
pub use form::{Form, MOST_BYTES, Words, unitless};

use crate::model::Bytes;
use crate::model::load::{
    Advice, After, Amount, Contents, Free, Memory, Order, Touch, Work, Workload,
};
use std::collections::BTreeMap;

/// Where in the file a key stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Above all works: it is said of the whole load.
    Top,
    /// In a `[[work]]`: it is said of the processes of that.
    Work,
}

/// What holds where a key is not said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// This value.
    Is(&'static str),
    /// Something that is no value, in words.
    Means(&'static str),
    /// Nothing: it has to be said.
    Refused,
}

/// How a value comes to where it belongs, or what is said of one that cannot.
#[derive(Clone, Copy)]
pub(super) enum Set {
    /// Into the load.
    Top(fn(&mut Workload, Form, &str) -> Result<(), String>),
    /// Into one of its works.
    Work(fn(&mut Draft, Form, &str) -> Result<(), String>),
}

/// One key.
#[derive(Clone, Copy)]
pub struct Key {
    /// Its name in the file.
    pub name: &'static str,
    /// What it can be.
    pub form: Form,
    /// What holds where it is not said.
    pub without: Without,
    /// What it does.
    pub help: &'static str,
    /// The pattern that alone has it, if it is not for all.
    pub pattern: Option<&'static str>,
    pub(super) set: Set,
}

impl Key {
    const fn new(
        name: &'static str,
        form: Form,
        without: Without,
        help: &'static str,
        set: Set,
    ) -> Self {
        Self { name, form, without, help, pattern: None, set }
    }

    /// The same, for this pattern alone.
    const fn of(self, pattern: &'static str) -> Self {
        Self { pattern: Some(pattern), ..self }
    }

    /// Where it stands.
    pub const fn section(&self) -> Section {
        match self.set {
            Set::Top(_) => Section::Top,
            Set::Work(_) => Section::Work,
        }
    }

    /// The key with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }
}

/// The least that a cage can hold.
pub const LEAST_LIMIT: Bytes = Bytes(8 << 20);
/// What is said of a key that cannot be left out.
pub const NEEDED: &str = "none: it has to be said";

/// What the manual says of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it stands, in words.
    pub heading: &'static str,
    /// Its name.
    pub key: String,
    /// What it takes.
    pub takes: String,
    /// What holds where it is not said.
    pub default: String,
    /// What it does.
    pub help: String,
}

/// What the manual says of the keys, in its order.
pub fn lines() -> impl Iterator<Item = Line> {
    KEYS.iter().map(|key| Line {
        heading: match key.section() {
            Section::Top => "Of the whole load",
            Section::Work => "Of the processes of each [[work]]",
        },
        key: key.name.to_owned(),
        takes: key.form.takes(),
        default: match key.without {
            Without::Is("") => "empty",
            Without::Is(text) | Without::Means(text) => text,
            Without::Refused => NEEDED,
        }
        .to_owned(),
        help: match key.pattern {
            None => key.help.to_owned(),
            Some(pattern) => format!("{}; for the pattern {pattern} only", key.help),
        },
    })
}

/// A work while it is read: what belongs to a pattern stands apart until the pattern is known.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) work: Work,
    pub(super) pattern: &'static str,
    pub(super) stride: Bytes,
    skew: f64,
    hot: f64,
    hits: f64,
    length: f64,
}

impl Draft {
    /// One of which nothing is said yet: each value here is replaced by what the list says.
    pub(super) const fn blank() -> Self {
        let work = Work {
            processes: 0,
            rounds: 0,
            size: Amount::Bytes(Bytes(0)),
            vary: 0.0,
            memory: Memory::Anonymous,
            order: Order::Sequential,
            touch: Touch::Page,
            writes: 0.0,
            prefault: false,
            passes: None,
            seconds: None,
            pace: None,
            contents: Contents::Zero,
            advice: Advice::None,
            free: Free::Unmap,
            allocates: false,
            cpus: None,
            node: None,
        };
        Self { work, pattern: "", stride: Bytes(0), skew: 0.0, hot: 0.0, hits: 0.0, length: 0.0 }
    }

    /// The work, with its pattern put together.
    pub(super) fn finished(self) -> Work {
        let order = match self.pattern {
            "strided" => Order::Strided { stride: self.stride.0 },
            "random" => Order::Random,
            "zipf" => Order::Zipf { skew: self.skew },
            "phases" => Order::Phases { hot: self.hot, hits: self.hits, length: self.length },
            "churn" => Order::Churn,
            _ => Order::Sequential,
        };
        let once = self.work.passes.is_none() && self.work.seconds.is_none();
        let passes = if once { Some(1.0) } else { self.work.passes };
        Work { order, passes, ..self.work }
    }
}

/// A load of which nothing is said yet: each value here is replaced by what the list says. Where
/// what was said of its time is wrong, no work is too long as well.
pub(super) fn blank(name: &str) -> Workload {
    Workload {
        name: name.to_owned(),
        about: String::new(),
        limit: Amount::Bytes(Bytes(0)),
        start_together: false,
        free_together: false,
        after: After::Nothing,
        mthp: BTreeMap::new(),
        at_most: f64::INFINITY,
        works: Vec::new(),
    }
}

/// A value of the load, by how its form is understood.
macro_rules! top {
    ($field:ident, $understand:ident) => {
        Set::Top(|load, form, text| form.$understand(text).map(|value| load.$field = value))
    };
    ($field:ident: $words:expr) => {
        Set::Top(|load, form, text| form.word(text, &$words).map(|value| load.$field = value))
    };
}

/// A value of a work, by how its form is understood.
macro_rules! work {
    ($field:ident, $understand:ident) => {
        Set::Work(|it, form, text| form.$understand(text).map(|value| it.work.$field = value))
    };
    (maybe $field:ident, $understand:ident) => {
        Set::Work(|it, form, text| form.$understand(text).map(|value| it.work.$field = Some(value)))
    };
    ($field:ident: $words:expr) => {
        Set::Work(|it, form, text| form.word(text, &$words).map(|value| it.work.$field = value))
    };
}

/// What belongs to a pattern.
macro_rules! part {
    ($field:ident, $understand:ident) => {
        Set::Work(|it, form, text| form.$understand(text).map(|value| it.$field = value))
    };
}

/// The words of a list that says what each stands for.
macro_rules! words {
    ($list:expr) => {
        Form::Word(|| $list.map(|(word, _)| word).to_vec())
    };
}

const LIMIT: Form = Form::Amount(LEAST_LIMIT.0, 100.0, "the memory that is available");
const SIZE: Form = Form::Amount(64 << 10, 1000.0, "the limit");
const STRIDE: Form = Form::Size(4 << 10, 1 << 40);
const PACE: Form = Form::Size(4 << 10, 1 << 40);
const TIME: Form = Form::Seconds(0.001, 86400.0);
const AT_MOST: Form = Form::Seconds(1.0, 86400.0);

/// All keys, in the order of the manual.
pub static KEYS: &[Key] = &[
    Key::new(
        "about",
        Form::Text(400),
        Without::Is(""),
        "What the load is for, in a sentence",
        top!(about, text),
    ),
    Key::new(
        "limit",
        LIMIT,
        Without::Is("25%"),
        "The memory that all processes together may take, no less than 8M beside 512K for each; what is more has to go to swap",
        top!(limit, amount),
    ),
    Key::new(
        "together",
        Form::Any(|| vec!["start", "free"]),
        Without::Is("start,free"),
        "Whether all begin to touch at the same moment, and whether all wait for the last before they give memory back",
        Set::Top(|load, form, text| {
            let words = form.any(text)?;
            load.start_together = words.contains(&"start");
            load.free_together = words.contains(&"free");
            Ok(())
        }),
    ),
    Key::new(
        "after",
        words!(After::WORDS),
        Without::Is("nothing"),
        "What is done when all have touched what they shall, before memory is given back: swapoff takes the areas of the run off and times it",
        top!(after: After::WORDS),
    ),
    Key::new(
        "mthp",
        Form::Sizes(|| vec!["always", "madvise", "inherit", "never"]),
        Without::Means("as the machine has it"),
        "Which sizes of large folios the kernel may use for the time of the run, as { \"64K\" = \"always\", others = \"never\" }, on the command line 64K=always,others=never; others are all sizes that are not named",
        top!(mthp, folios),
    ),
    Key::new(
        "at_most",
        AT_MOST,
        Without::Is("600"),
        "The run is ended after this time, whatever it does",
        top!(at_most, seconds),
    ),
    Key::new(
        "processes",
        Form::Count(1, 1024),
        Without::Is("1"),
        "How many processes do this at the same time",
        work!(processes, count),
    ),
    Key::new(
        "rounds",
        Form::Count(1, 1_000_000),
        Without::Is("1"),
        "How many processes run one after another in the place of each",
        work!(rounds, count),
    ),
    Key::new(
        "size",
        SIZE,
        Without::Refused,
        "The memory of each process; a share is of the limit, for each process and not for all together",
        work!(size, amount),
    ),
    Key::new(
        "vary",
        Form::Share(0.0, 90.0),
        Without::Is("0%"),
        "How far the memory of each process may be above or below its size, by chance",
        work!(vary, share),
    ),
    Key::new(
        "memory",
        words!(Memory::WORDS),
        Without::Is("anonymous"),
        "What kind of memory: private, shared, of a file without a name, or private memory that a child copies where it writes",
        work!(memory: Memory::WORDS),
    ),
    Key::new(
        "pattern",
        Form::Word(|| Order::WORDS.to_vec()),
        Without::Is("sequential"),
        "Which page is touched next; churn gives blocks of different sizes back and takes others",
        Set::Work(|it, form, text| {
            let words = Order::WORDS.map(|word| (word, word));
            form.word(text, &words).map(|value| it.pattern = value)
        }),
    ),
    Key::new(
        "stride",
        STRIDE,
        Without::Is("64K"),
        "How far the next page is from the last, a multiple of 4K",
        part!(stride, size),
    )
    .of("strided"),
    Key::new(
        "skew",
        Form::Number(0.01, 10.0),
        Without::Is("1"),
        "How much more often popular pages are touched: the n-th with a chance of 1/n^skew",
        part!(skew, number),
    )
    .of("zipf"),
    Key::new(
        "hot",
        Form::Share(0.1, 100.0),
        Without::Is("10%"),
        "The share of pages that is hot",
        part!(hot, share),
    )
    .of("phases"),
    Key::new(
        "hits",
        Form::Share(0.0, 100.0),
        Without::Is("90%"),
        "The share of touches that goes to hot pages",
        part!(hits, share),
    )
    .of("phases"),
    Key::new(
        "length",
        Form::Number(0.01, 1_000_000.0),
        Without::Is("1"),
        "After how many touches other pages become hot: as many as there are pages, times this",
        part!(length, number),
    )
    .of("phases"),
    Key::new(
        "touch",
        words!(Touch::WORDS),
        Without::Is("page"),
        "How much of a page is touched: one word of eight bytes, the page at once, or each word of it by itself, which takes a program some microseconds; throughput counts the bytes that are touched, which are 8 of a word",
        work!(touch: Touch::WORDS),
    ),
    Key::new(
        "writes",
        Form::Share(0.0, 100.0),
        Without::Is("100%"),
        "The share of touches that write; the others read",
        work!(writes, share),
    ),
    Key::new(
        "prefault",
        Form::Flag,
        Without::Is("true"),
        "Whether all memory is filled before the start, so that what is touched was there before",
        work!(prefault, flag),
    ),
    Key::new(
        "passes",
        Form::Number(0.001, 1_000_000.0),
        Without::Means("1, where seconds is not said"),
        "How often as many pages as there are are touched",
        work!(maybe passes, number),
    ),
    Key::new(
        "seconds",
        TIME,
        Without::Means("until all passes are done"),
        "How long pages are touched, in place of passes",
        work!(maybe seconds, seconds),
    ),
    Key::new(
        "pace",
        PACE,
        Without::Means("as fast as it can"),
        "How much each process touches in a second at most",
        work!(maybe pace, size),
    ),
    Key::new(
        "contents",
        Form::Contents,
        Without::Is("words"),
        "What pages hold: it decides how well they compress",
        work!(contents, contents),
    ),
    Key::new(
        "advice",
        words!(Advice::WORDS),
        Without::Is("none"),
        "What the kernel is told of large folios: nothing, that they are wanted, or that they are not",
        work!(advice: Advice::WORDS),
    ),
    Key::new(
        "free",
        words!(Free::WORDS),
        Without::Is("munmap"),
        "How memory is given back: by munmap(2), or by the end of the process",
        work!(free: Free::WORDS),
    ),
    Key::new(
        "allocates",
        Form::Flag,
        Without::Is("false"),
        "Whether a page is mapped and given back ten times a second, as programs do that allocate: since Linux 6.13 the kernel forgets only then on which processors one was before, and interrupts those for each page of it that goes out",
        work!(allocates, flag),
    ),
    Key::new(
        "cpus",
        Form::Cpus,
        Without::Means("any"),
        "The processors that processes are bound to, in turn",
        work!(maybe cpus, cpus),
    ),
    Key::new(
        "node",
        Form::Count(0, 1023),
        Without::Means("any"),
        "The NUMA node that memory comes from",
        work!(maybe node, count),
    ),
];

#[cfg(test)]
mod tests;
