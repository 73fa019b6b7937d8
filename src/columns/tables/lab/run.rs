//! `run`: a run, the machine it ran on, and what it did there.

use super::unlike::carrier;
use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::units;
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::lab::{self, or_absent};
use crate::model::load::{Advice, Amount, Free, Memory, Touch, Work};
use crate::model::run::{Area, Run};
use crate::model::{Reading, civil, numbered};

/// The table.
pub struct RunTable;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "run",
    title: "Run",
    about: "What ran, on which machine, and with which settings",
    style: Style::Record,
    default: &[
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
    ],
    with_two: &[],
    key: "id",
    sort: None,
    only: None,
    tree: None,
    needs: NEEDS,
    infos: spec::infos::<RunTable>,
    cells: spec::cells::<RunTable>,
};

impl Table for RunTable {
    type Row<'v> = &'v Run;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<&'v Run>> {
        none_of(view)
    }
}

/// Settings as they are set, those of large folios by their sizes.
pub(super) fn settings(run: &Run) -> Vec<String> {
    let mut settings: Vec<_> = run.settings.iter().collect();
    settings.sort_by_cached_key(|(path, _)| numbered::key(path));
    settings.iter().map(|(path, value)| format!("{path}={value}")).collect()
}

/// What one group of processes does, in a line.
fn work(work: &Work) -> String {
    let mut said = vec![
        format!("{} x {}", work.processes, of_limit(work.size)),
        word(&Memory::WORDS, work.memory).to_owned(),
        work.order.word().to_owned(),
        format!("{} touched", word(&Touch::WORDS, work.touch)),
        format!("{} writes", units::percent(work.writes)),
        format!("contents {}", work.contents),
        format!("given back by {}", word(&Free::WORDS, work.free)),
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
    if work.advice != Advice::None {
        said.push(format!("{} folios", word(&Advice::WORDS, work.advice)));
    }
    said.join(", ")
}

/// An area, as settings are told: in a word.
fn area(area: &Area) -> String {
    // The kernel keeps the first page of an area for itself: sizes are not round.
    let size = units::bytes(area.size.0 as f64);
    format!("{}={}:{size}:{}", area.path.exact(), carrier(area), area.priority)
}

fn ended(run: &Run) -> String {
    let end = lab::ending(run);
    if lab::is_cut_short(run) { format!("{end}: figures are those until then") } else { end }
}

fn of_limit(amount: Amount) -> String {
    match amount {
        Amount::Bytes(_) => self::amount(amount),
        Amount::Share(_) => format!("{} of the limit", self::amount(amount)),
    }
}

/// An amount as a load's file says it.
fn amount(amount: Amount) -> String {
    match amount {
        Amount::Bytes(bytes) => units::size(bytes),
        Amount::Share(share) => units::percent(share),
    }
}

pub(super) fn word<T: PartialEq + Copy>(words: &[(&'static str, T)], of: T) -> &'static str {
    words.iter().find(|(_, it)| *it == of).map_or("", |(word, _)| word)
}

static COLUMNS: &[Column<RunTable>] = &[
    Column {
        info: Info::new("id", "Number", Unit::Count).says("The number under which it is kept; 0 while it is not.", KEPT),
        get: |run| run.id.into(),
    },
    Column {
        info: Info::new("title", "Title", Unit::Text).says("What it is called.", KEPT),
        get: |run| run.title.clone().into(),
    },
    Column {
        info: Info::new("about", "About", Unit::Text).says("What its load is for.", KEPT),
        get: |run| run.workload.about.clone().into(),
    },
    Column {
        info: Info::new("when", "Began", Unit::Text).says("When it began, UTC.", KEPT),
        get: |run| civil::text(run.at_ms).into(),
    },
    Column {
        info: Info::new("repetitions", "Repetitions", Unit::Count).says("How often it was repeated.", KEPT),
        get: |run| (run.measured.len() as u64).into(),
    },
    Column {
        info: Info::new("end", "Ended", Unit::Text).says("How it ended.", KEPT),
        get: |run| ended(run).into(),
    },
    Column {
        info: Info::new("kernel", "Kernel", Unit::Text).says("The release of the kernel.", KEPT),
        get: |run| or_absent(run.machine.kernel.clone(), "the release was not read").into(),
    },
    Column {
        info: Info::new("policy", "Next area", Unit::Text).says("How the kernel chooses the next of areas with the same priority.", KEPT),
        get: |run| or_absent(run.machine.policy.clone(), "how this kernel chooses is not known").into(),
    },
    Column {
        info: Info::new("memory", "Memory", Unit::Bytes).says("Memory of the machine.", KEPT),
        get: |run| or_absent(run.machine.memory, "the memory of the machine was not read").into(),
    },
    Column {
        info: Info::new("cpus", "Processors", Unit::Count).says("Processors of the machine.", KEPT),
        get: |run| or_absent(run.machine.cpus, "they were not counted").into(),
    },
    Column {
        info: Info::new("page_size", "Page", Unit::Bytes).says("The size of a page.", KEPT),
        get: |run| or_absent(run.machine.page_size.map(crate::model::Bytes), "it was not read").into(),
    },
    Column {
        info: Info::new("limit", "Memory limit", Unit::Bytes).says("What the load could take at most.", KEPT),
        get: |run| or_absent(run.limit, "the whole machine was put under pressure").into(),
    },
    Column {
        info: Info::new("processes", "Processes", Unit::Count).says("How many run at the same time.", KEPT),
        get: |run| run.workload.works.iter().map(|work| u64::from(work.processes)).sum::<u64>().into(),
    },
    Column {
        info: Info::new("works", "Load", Unit::List).says("What each group of processes does: how many and how large, kind of memory, order, contents.", KEPT),
        get: |run| run.workload.works.iter().map(work).collect::<Vec<_>>().into(),
    },
    Column {
        info: Info::new("load", "Load name", Unit::Text).says("What the load is called.", KEPT),
        get: |run| run.workload.name.clone().into(),
    },
    Column {
        info: Info::new("settings", "Settings", Unit::List).says("Settings of the kernel: path and what it said.", KEPT),
        get: |run| settings(run).into(),
    },
    Column {
        info: Info::new("areas", "Areas", Unit::List).says("The areas: path, what carries it, and how zram compresses, size and priority.", KEPT),
        get: |run| run.machine.areas.iter().map(area).collect::<Vec<_>>().into(),
    },
    Column {
        info: Info::new("seed", "Seed", Unit::Count).says("What chance began with.", KEPT),
        get: |run| run.seed.into(),
    },
    Column {
        info: Info::new("version", "Written by", Unit::Text).says("The version of swapadm that wrote it.", KEPT),
        get: |run| run.version.clone().into(),
    },
];
