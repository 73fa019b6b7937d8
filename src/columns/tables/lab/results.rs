//! `results`: runs that are kept, each in a line.

use super::common::{KEPT, NEEDS, not_in_snapshots};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::lab::ResultEntry;
use crate::model::{Reading, text};

/// The table.
pub struct ResultsTable;

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ResultsTable>("results", "Results", "id")
    .about("Runs and experiments of the stress lab that are kept, newest first")
    .shows(&[
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
    ])
    .needs(NEEDS);

impl Table for ResultsTable {
    type Row<'v> = ResultEntry;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &SampleView<'_>) -> Reading<Vec<ResultEntry>> {
        not_in_snapshots(view)
    }
}

fn mean(entry: &ResultEntry, id: &str) -> Reading<f64> {
    entry.short.as_ref().and_then(|short| short.mean(id))
}

fn end(entry: &ResultEntry) -> String {
    match entry.short.get() {
        Ok(short) => short.end.clone(),
        Err(missing) => format!("unreadable: {}", missing.why()),
    }
}

type Column = spec::Column<ResultsTable>;

static COLUMNS: &[Column] = &[
    Column::count("id", "ID", |entry| entry.id.into())
        .says("The number by which results show, compare, export and remove know it.", KEPT),
    Column::moment("when", "WHEN", |entry| {
        entry.short.as_ref().map(|short| text::format_date(short.at_ms)).into()
    })
    .says("When it began, UTC; to the minute where it is shown to people.", KEPT)
    .drop(2),
    Column::text("kind", "KIND", |entry| {
        entry.short.as_ref().map(|short| short.kind.to_owned()).into()
    })
    .says("What it is: a run of a load, or an experiment with the runs of all its cases, which are kept as runs as well.", KEPT)
    .drop(1),
    Column::text("title", "TITLE", |entry| {
        entry.short.as_ref().map(|short| short.title.clone()).into()
    })
    .says("What it is called.", KEPT),
    Column::text("kernel", "KERNEL", |entry| {
        entry.short.as_ref().and_then(|short| short.kernel.clone()).into()
    })
    .says("The release of the kernel that it ran on.", KEPT)
    .drop(7),
    Column::count("repetitions", "RUNS", |entry| {
        entry.short.as_ref().map(|short| short.repetitions).into()
    })
    .says("How often it was repeated; of an experiment, the runs of all its cases.", KEPT)
    .drop(5),
    Column::seconds("elapsed", "ELAPSED", |entry| mean(entry, "elapsed").into())
        .says("From the first process on until the last one was gone: the mean of the repetitions.", KEPT)
        .drop(3),
    Column::seconds("system", "SYSTEM", |entry| mean(entry, "system").into())
        .says("Processor time of the load in the kernel: the mean of the repetitions.", KEPT)
        .drop(4),
    Column::number("throughput_sum", "MB/s", |entry| mean(entry, "throughput_sum").into())
        .says("The throughputs of all processes, added up, in 2^20 bytes a second, of which a touch of a word counts 8: the mean of the repetitions.", KEPT)
        .drop(3),
    Column::seconds("free", "FREE", |entry| {
        mean(entry, "free_mean").map(|micros| micros / 1e6).into()
    })
    .says("How long a process took to give its memory back: the mean of all.", KEPT)
    .drop(6),
    Column::text("end", "END", |entry| end(entry).into())
        .says("How it ended: done; how many repetitions were stopped or failed; how many of an experiment's runs were made before it ended early; or why the file cannot be read.", KEPT),
    Column::text("file", "FILE", |entry| entry.file.clone().into())
        .says("The name of its file.", KEPT)
        .drop(9),
];
