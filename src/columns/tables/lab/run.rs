//! `run`: a run, the machine it ran on, and what it did there.

use super::common::{KEPT, NEEDS, fill_table, not_in_snapshots};
use super::setup_differences::carrier;
use crate::columns::spec::{self, Spec, Table};
use crate::columns::{Info, Request, Rows, Value, units};
use crate::derive::SampleView;
use crate::derive::lab::{self, or_absent};
use crate::model::experiment::Experiment;
use crate::model::load::{FolioAdvice, MemoryAmount, FreeMethod, MemoryKind, TouchUnit, WorkerGroup};
use crate::model::name::safe_text;
use crate::model::run::{RunArea, Run};
use crate::model::{Reading, text};

/// The table.
pub struct RunTable;

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<RunTable>("run", "Run", "id")
    .about("What ran, on which machine, and with which settings")
    .shows(&[
        "title",
        "about",
        "when",
        "repetitions",
        "end",
        "kernel",
        "policy",
        "memory",
        "cpus",
        "page_size",
        "limit",
        "processes",
        "works",
        "settings",
        "seed",
    ])
    .record()
    .needs(NEEDS);

impl Table for RunTable {
    type Row<'v> = &'v Run;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<&'v Run>> {
        not_in_snapshots(view)
    }
}

/// Settings as they are set, those of large folios by their sizes.
pub(super) fn settings(run: &Run) -> Vec<String> {
    let mut settings: Vec<_> = run.settings.iter().collect();
    settings.sort_by_cached_key(|(path, _)| text::natural_order(path));
    settings.iter().map(|(path, value)| format!("{path}={value}")).collect()
}

/// What one group of processes does, in a line.
fn work(work: &WorkerGroup) -> String {
    let mut said = vec![
        format!("{} x {}", work.processes, amount_of_limit(work.size)),
        word(&MemoryKind::WORDS, work.memory).to_owned(),
        work.order.word().to_owned(),
        format!("{} touched", word(&TouchUnit::WORDS, work.touch)),
        format!("{} writes", units::percent(work.writes)),
        format!("contents {}", work.contents),
        format!("given back by {}", word(&FreeMethod::WORDS, work.free)),
    ];
    if work.rounds > 1 {
        said.push(format!("{} rounds", work.rounds));
    }
    if work.prefault {
        said.push("filled before".to_owned());
    }
    said.extend(work.passes.map(|passes| format!("passes {passes}")));
    said.extend(work.seconds.map(|seconds| format!("for {}", units::seconds(seconds))));
    said.extend(work.pace.map(|pace| format!("at most {}/s", units::size(pace))));
    if work.advice != FolioAdvice::None {
        said.push(format!("{} folios", word(&FolioAdvice::WORDS, work.advice)));
    }
    said.join(", ")
}

/// An area, as settings are told: in a word.
fn area(area: &RunArea) -> String {
    // The kernel keeps the first page of an area for itself: sizes are not round.
    let size = units::bytes(area.size.0 as f64);
    format!("{}={}:{size}:{}", area.path.exact(), carrier(area), area.priority)
}

fn ended(run: &Run) -> String {
    let end = lab::describe_end(run);
    if lab::is_cut_short(run) { format!("{end}: figures are those until then") } else { end }
}

fn amount_of_limit(amount: MemoryAmount) -> String {
    match amount {
        MemoryAmount::Bytes(_) => self::amount(amount),
        MemoryAmount::Share(_) => format!("{} of the limit", self::amount(amount)),
    }
}

/// An amount as a load's file says it.
fn amount(amount: MemoryAmount) -> String {
    match amount {
        MemoryAmount::Bytes(bytes) => units::size(bytes),
        MemoryAmount::Share(share) => units::percent(share),
    }
}

pub(super) fn word<T: PartialEq + Copy>(words: &[(&'static str, T)], of: T) -> &'static str {
    words.iter().find(|(_, it)| *it == of).map_or("", |(word, _)| word)
}

type Column = spec::Column<RunTable>;

static COLUMNS: &[Column] = &[
    Column::count("id", "Number", |run| run.id.into())
        .says("The number under which it is kept; 0 while it is not.", KEPT),
    Column::text("title", "Title", |run| run.title.clone().into()).says("What it is called.", KEPT),
    Column::text("about", "About", |run| run.workload.about.clone().into())
        .says("What its load is for.", KEPT),
    Column::text("when", "Began", |run| text::format_date(run.at_ms).into())
        .says("When it began, UTC.", KEPT),
    Column::count("repetitions", "Repetitions", |run| (run.measured.len() as u64).into())
        .says("How often it was repeated.", KEPT),
    Column::text("end", "Ended", |run| ended(run).into()).says("How it ended.", KEPT),
    Column::text("kernel", "Kernel", |run| {
        or_absent(run.machine.kernel.clone(), "the release was not read").into()
    })
    .says("The release of the kernel.", KEPT),
    Column::text("policy", "Next area", |run| {
        or_absent(run.machine.policy.clone(), "how this kernel chooses is not known").into()
    })
    .says("How the kernel chooses the next of areas with the same priority.", KEPT),
    Column::bytes("memory", "Memory", |run| {
        or_absent(run.machine.memory, "the memory of the machine was not read").into()
    })
    .says("Memory of the machine.", KEPT),
    Column::count("cpus", "Processors", |run| {
        or_absent(run.machine.cpus, "they were not counted").into()
    })
    .says("Processors of the machine.", KEPT),
    Column::bytes("page_size", "Page", |run| {
        or_absent(run.machine.page_size.map(crate::model::Bytes), "it was not read").into()
    })
    .says("The size of a page.", KEPT),
    Column::bytes("limit", "Memory limit", |run| or_absent(run.limit, "the whole machine was put under pressure").into())
        .says("What the load could take at most.", KEPT),
    Column::count("processes", "Processes", |run| {
        run.workload.works.iter().map(|work| u64::from(work.processes)).sum::<u64>().into()
    })
    .says("How many run at the same time.", KEPT),
    Column::list("works", "Load", |run| {
        run.workload.works.iter().map(work).collect::<Vec<_>>().into()
    })
    .says("What each group of processes does: how many and how large, kind of memory, order, contents.", KEPT),
    Column::text("load", "Load name", |run| run.workload.name.clone().into())
        .says("What the load is called.", KEPT),
    Column::list("settings", "Settings", |run| settings(run).into())
        .says("Settings of the kernel: path and what it said.", KEPT),
    Column::list("areas", "Areas", |run| {
        run.machine.areas.iter().map(area).collect::<Vec<_>>().into()
    })
    .says("The areas: path, what carries it, and how zram compresses, size and priority.", KEPT),
    Column::count("seed", "Seed", |run| run.seed.into()).says("What chance began with.", KEPT),
    Column::text("version", "Written by", |run| run.version.clone().into())
        .says("The version of swapadm that wrote it.", KEPT),
];

/// The columns of what a run ran with.
const SETUP_COLUMNS: &str = "kernel,policy,memory,cpus,limit,areas,settings";

/// What a run ran with, in a row.
///
/// # Errors
/// Never: the columns are there.
pub fn setup(run: &Run) -> Result<Rows, String> {
    let request = Request { columns: Some(SETUP_COLUMNS.to_owned()), ..Request::default() };
    fill_table::<RunTable>(&SPEC, &request, &[run]).map(|(_, rows)| rows)
}

/// What all cases ran with, each in a line; where they differ, the values of all of them.
pub fn setup_lines(experiment: &Experiment) -> Vec<String> {
    let rows: Vec<Rows> = experiment.runs().filter_map(|run| setup(run).ok()).collect();
    let Some(first) = rows.first() else { return Vec::new() };
    let cells = |place: usize| -> Vec<&Value> {
        rows.iter().filter_map(|rows| rows.cells.first()?.get(place)).collect()
    };
    let line = |(place, info): (usize, &&'static Info)| {
        format!("{}: {}", info.head, in_words(&cells(place), info))
    };
    first.infos.iter().enumerate().map(line).collect()
}

/// What is the same in all cases, and then what is not.
fn in_words(values: &[&Value], info: &Info) -> String {
    let items: Vec<Vec<String>> = values.iter().map(|value| items(value, info)).collect();
    let mut alike: Vec<&str> = Vec::new();
    let mut by_case: Vec<&str> = Vec::new();
    for item in items.iter().flatten() {
        let is_alike = items.iter().all(|of_case| of_case.contains(item));
        let known = if is_alike { &mut alike } else { &mut by_case };
        if !known.contains(&item.as_str()) {
            known.push(item);
        }
    }
    let by_case = (!by_case.is_empty()).then(|| format!("by case {}", by_case.join(", ")));
    let alike = (!alike.is_empty()).then(|| alike.join(", "));
    alike.into_iter().chain(by_case).collect::<Vec<_>>().join("; ")
}

fn items(value: &Value, info: &Info) -> Vec<String> {
    if let Value::List(items) = value
        && !items.is_empty()
    {
        return items.clone();
    }
    vec![value.human(info.unit, false)]
}

/// In which of these runs one process stayed in memory, each with its name where there are several.
pub fn resident_process_note<'r>(runs: impl IntoIterator<Item = (Option<String>, &'r Run)>) -> Option<String> {
    let told: Vec<String> = runs.into_iter().filter_map(|(name, run)| times(name, run)).collect();
    (!told.is_empty()).then(|| {
        format!(
            "One process stayed in memory and touched far more often than the others ({}): the sum of throughput tells mostly of it; look at the pages swapped in.",
            told.join("; ")
        )
    })
}

fn times(name: Option<String>, run: &Run) -> Option<String> {
    let times = lab::rate_ratio(run)?;
    let name = name.map_or_else(String::new, |name| format!(" in {}", safe_text(&name)));
    Some(format!("{times:.0} times{name}"))
}
