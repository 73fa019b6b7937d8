//! `repetitions`: the repetitions of a run.

use super::common::{KEPT, not_in_snapshots};
use crate::columns::spec::Spec;
use crate::derive::lab::{self, RunFigure};
use crate::model::Reading;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};

table!(pub struct RepetitionsTable: RepetitionRow<'v>, Column, COLUMNS, |_, _| not_in_snapshots());

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<RepetitionsTable>("repetitions", "Repetitions", "number")
    .about("Each repetition, including incomplete ones")
    .shows("number,elapsed,user,system,throughput_sum,free_time,major_faults,outcome");

/// One repetition.
#[derive(Clone, Debug)]
pub struct RepetitionRow<'v> {
    number: u64,
    measured: &'v RepetitionResult,
    figures: Vec<RunFigure>,
}

impl RepetitionRow<'_> {
    fn figure(&self, id: &str) -> Reading<f64> {
        let found = self.figures.iter().find(|figure| figure.id == id);
        let value = found.and_then(|figure| figure.values.first().cloned());
        value.unwrap_or_else(|| Reading::absent("the run has no such figure"))
    }

    /// A figure that is meaningful only for a completed repetition.
    fn result(&self, id: &str) -> Reading<f64> {
        lab::why_incomplete(self.measured).map_or_else(|| self.figure(id), Into::into)
    }

    fn end(&self) -> String {
        match &self.measured.end {
            RepetitionEnd::Done => "done".to_owned(),
            RepetitionEnd::Stopped { why } => format!("stopped: {why}"),
            RepetitionEnd::Failed { why } => format!("failed: {why}"),
        }
    }
}

/// All repetitions of a run.
pub(super) fn rows(run: &Run) -> Vec<RepetitionRow<'_>> {
    let row = |(number, measured): (u64, _)| RepetitionRow {
        number,
        measured,
        figures: lab::measured_figures(measured),
    };
    (1..).zip(&run.measured).map(row).collect()
}

static COLUMNS: &[Column] = &[
    Column::count("number", "NR", |row| row.number.into()).says("Number of the repetition, from 1.", KEPT),
    Column::seconds("elapsed", "ELAPSED", |row| row.figure("elapsed").into())
        .says("Time from the start of the first process to the exit of the last.", KEPT),
    Column::seconds("user", "USER", |row| row.figure("user").into())
        .says("CPU time of all processes in user mode.", KEPT)
        .drop(3),
    Column::seconds("system", "SYS-TIME", |row| row.figure("system").into())
        .says("CPU time of all processes in the kernel.", KEPT),
    Column::number("throughput_sum", "MiB/s", |row| row.result("throughput_sum").into())
        .says("Total throughput of all processes in MiB/s; a word access counts 8 bytes. Missing for incomplete repetitions.", KEPT)
        .drop(1),
    Column::seconds("free_time", "FREE-TIME", |row| {
        row.result("free_mean").map(|micros| micros / 1e6).into()
    })
    .says("Mean time that a process took to free its memory. Missing for incomplete repetitions.", KEPT)
    .drop(1),
    Column::number("major_faults", "MAJFLT", |row| row.figure("faults_major").into())
        .says("Major faults of all processes; usually reads from swap.", KEPT)
        .drop(2),
    Column::text("outcome", "OUTCOME", |row| row.end().into())
        .says("Outcome: done, or why it was stopped or failed.", KEPT),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::value::Value;

    #[test]
    fn stopped_repetitions_show_times_but_no_throughput() {
        let text = include_str!("../../../../tests/results/kept/1-before.json");
        let mut run: Run = serde_json::from_str(text).unwrap();
        run.measured[1].end = RepetitionEnd::Stopped { why: "it was interrupted".to_owned() };
        run.measured[2].end = RepetitionEnd::Failed { why: "no memory".to_owned() };
        let rows = rows(&run);
        let cell = |row: &RepetitionRow<'_>, id: &str| {
            let column = COLUMNS.iter().find(|column| column.info.id == id).unwrap();
            (column.get)(row)
        };
        let shown = |row: &RepetitionRow<'_>| {
            ["throughput_sum", "free_time", "elapsed", "user", "system"]
                .map(|id| !matches!(cell(row, id), Value::Missing(_)))
        };
        assert_eq!(shown(&rows[0]), [true; 5]);
        let times = [false, false, true, true, true];
        assert_eq!([shown(&rows[1]), shown(&rows[2])], [times; 2], "time is spent all the same");
        let Value::Missing(why) = cell(&rows[1], "throughput_sum") else { unreachable!() };
        assert_eq!(why.why(), "the repetition was stopped: it was interrupted");
    }
}
