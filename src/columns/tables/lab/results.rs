//! `results`: the list of stored results.

use super::common::{KEPT, not_in_snapshots};
use crate::columns::spec::Spec;
use crate::derive::lab::ResultEntry;
use crate::model::{Reading, text};

table!(pub struct ResultsTable: ResultEntry, Column, COLUMNS, |_, _| not_in_snapshots());

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ResultsTable>("results", "Results", "id")
    .about("Stored runs and experiments of the lab, newest first")
    .shows(
        "id,started,kind,title,kernel,repetitions,elapsed,system,throughput_sum,free_time,outcome",
    );

fn mean(entry: &ResultEntry, id: &str) -> Reading<f64> {
    entry.short.as_ref().and_then(|short| short.mean(id))
}

fn end(entry: &ResultEntry) -> String {
    match entry.short.get() {
        Ok(short) => short.end.clone(),
        Err(missing) => format!("unreadable: {}", missing.why()),
    }
}

static COLUMNS: &[Column] = &[
    Column::count("id", "ID", |entry| entry.id.into())
        .says("Number of the result, for results show, compare, export and remove.", KEPT),
    Column::moment("started", "STARTED", |entry| {
        entry.short.as_ref().map(|short| text::format_date(short.at_ms)).into()
    })
    .says("Start time, UTC; tables show it to the minute.", KEPT)
    .drop(2),
    Column::text("kind", "KIND", |entry| {
        entry.short.as_ref().map(|short| short.kind.to_owned()).into()
    })
    .says("Kind: run of a workload, or experiment with the runs of all its cases, which are also stored as runs.", KEPT)
    .drop(1),
    Column::text("title", "TITLE", |entry| {
        entry.short.as_ref().map(|short| short.title.clone()).into()
    })
    .says("Title of the result.", KEPT),
    Column::text("kernel", "KERNEL", |entry| {
        entry.short.as_ref().and_then(|short| short.kernel.clone()).into()
    })
    .says("Kernel release on which it ran.", KEPT)
    .drop(7),
    Column::count("repetitions", "RUNS", |entry| {
        entry.short.as_ref().map(|short| short.repetitions).into()
    })
    .says("Number of completed repetitions; for an experiment, those of all its cases.", KEPT)
    .drop(5),
    Column::seconds("elapsed", "ELAPSED", |entry| mean(entry, "elapsed").into())
        .says("Time from the start of the first process to the exit of the last: mean of the repetitions.", KEPT)
        .drop(3),
    Column::seconds("system", "SYS-TIME", |entry| mean(entry, "system").into())
        .says("CPU time of the workload in the kernel: mean of the repetitions.", KEPT)
        .drop(4),
    Column::number("throughput_sum", "MiB/s", |entry| mean(entry, "throughput_sum").into())
        .says("Total throughput of all processes in MiB/s; a word access counts 8 bytes: mean of the repetitions.", KEPT)
        .drop(3),
    Column::seconds("free_time", "FREE-TIME", |entry| {
        mean(entry, "free_mean").map(|micros| micros / 1e6).into()
    })
    .says("Mean time that a process took to free its memory.", KEPT)
    .drop(6),
    Column::text("outcome", "OUTCOME", |entry| end(entry).into())
        .says("Outcome: done; the number of stopped or failed repetitions; the number of completed runs of an interrupted experiment; or why the file is unreadable.", KEPT),
    Column::text("file", "FILE", |entry| entry.file.clone().into())
        .says("File name.", KEPT)
        .drop(9),
];
