//! `results`: runs that are kept, each in a line.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::lab::Entry;
use crate::model::{Reading, civil};

/// The table.
pub struct Results;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "results",
    title: "Results",
    about: "Runs and experiments of the stress lab that are kept, newest first",
    style: Style::Rows,
    default: &[
        "id",
        "when",
        "kind",
        "title",
        "kernel",
        "repetitions",
        "elapsed",
        "system",
        "throughput_sum",
        "free",
        "end",
    ],
    with_two: &[],
    key: "id",
    sort: None,
    only: None,
    tree: None,
    needs: NEEDS,
    infos: spec::infos::<Results>,
    cells: spec::cells::<Results>,
};

impl Table for Results {
    type Row<'v> = Entry;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows(view: &View<'_>) -> Reading<Vec<Entry>> {
        none_of(view)
    }
}

fn mean(entry: &Entry, id: &str) -> Reading<f64> {
    entry.short.as_ref().and_then(|short| short.mean(id))
}

fn end(entry: &Entry) -> String {
    match entry.short.get() {
        Ok(short) => short.end.clone(),
        Err(missing) => format!("unreadable: {}", missing.why()),
    }
}

static COLUMNS: &[Column<Results>] = &[
    Column {
        info: Info::new("id", "ID", Unit::Count).says("The number by which results show, compare, export and remove know it.", KEPT),
        get: |entry| entry.id.into(),
    },
    Column {
        info: Info::new("when", "WHEN", Unit::Moment).says("When it began, UTC; to the minute where it is shown to people.", KEPT).drop(2),
        get: |entry| entry.short.as_ref().map(|short| civil::text(short.at_ms)).into(),
    },
    Column {
        info: Info::new("kind", "KIND", Unit::Text).says("What it is: a run of a load, or an experiment with the runs of all its cases, which are kept as runs as well.", KEPT).drop(1),
        get: |entry| entry.short.as_ref().map(|short| short.kind.to_owned()).into(),
    },
    Column {
        info: Info::new("title", "TITLE", Unit::Text).says("What it is called.", KEPT),
        get: |entry| entry.short.as_ref().map(|short| short.title.clone()).into(),
    },
    Column {
        info: Info::new("kernel", "KERNEL", Unit::Text).says("The release of the kernel that it ran on.", KEPT).drop(7),
        get: |entry| entry.short.as_ref().and_then(|short| short.kernel.clone()).into(),
    },
    Column {
        info: Info::new("repetitions", "RUNS", Unit::Count).says("How often it was repeated; of an experiment, the runs of all its cases.", KEPT).drop(5),
        get: |entry| entry.short.as_ref().map(|short| short.repetitions).into(),
    },
    Column {
        info: Info::new("elapsed", "ELAPSED", Unit::Seconds).says("From the first process on until the last one was gone: the mean of the repetitions.", KEPT).drop(3),
        get: |entry| mean(entry, "elapsed").into(),
    },
    Column {
        info: Info::new("system", "SYSTEM", Unit::Seconds).says("Processor time of the load in the kernel: the mean of the repetitions.", KEPT).drop(4),
        get: |entry| mean(entry, "system").into(),
    },
    Column {
        info: Info::new("throughput_sum", "MB/s", Unit::Number).says("The throughputs of all processes, added up, in 2^20 bytes a second, of which a touch of a word counts 8: the mean of the repetitions.", KEPT).drop(3),
        get: |entry| mean(entry, "throughput_sum").into(),
    },
    Column {
        info: Info::new("free", "FREE", Unit::Seconds).says("How long a process took to give its memory back: the mean of all.", KEPT).drop(6),
        get: |entry| mean(entry, "free_mean").map(|micros| micros / 1e6).into(),
    },
    Column {
        info: Info::new("end", "END", Unit::Text).says("How it ended: done; how many repetitions were stopped or failed; how many of an experiment's runs were made before it ended early; or why the file cannot be read.", KEPT),
        get: |entry| end(entry).into(),
    },
    Column {
        info: Info::new("file", "FILE", Unit::Text).says("The name of its file.", KEPT).drop(9),
        get: |entry| entry.file.clone().into(),
    },
];
