//! `repetitions`: a run, repetition by repetition.

use super::common::{KEPT, NEEDS, not_in_snapshots};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::lab::{self, RunFigure};
use crate::model::Reading;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};

/// The table.
pub struct RepetitionsTable;

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<RepetitionsTable>("repetitions", "Repetitions", "number")
    .about("Each repetition by itself, also those that did not come to their end")
    .shows(&["number", "elapsed", "user", "system", "throughput_sum", "free", "major", "end"])
    .needs(NEEDS);

impl Table for RepetitionsTable {
    type Row<'v> = RepetitionRow<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<RepetitionRow<'v>>> {
        not_in_snapshots(view)
    }
}

/// One of them.
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

    /// One that says nothing of the load unless all of it was done.
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

type Column = spec::Column<RepetitionsTable>;

static COLUMNS: &[Column] = &[
    Column::count("number", "NR", |row| row.number.into()).says("Which of them, from 1 on.", KEPT),
    Column::seconds("elapsed", "ELAPSED", |row| row.figure("elapsed").into())
        .says("From the first process on until the last one was gone.", KEPT),
    Column::seconds("user", "USER", |row| row.figure("user").into())
        .says("Processor time of all processes of the load, in user mode.", KEPT)
        .drop(3),
    Column::seconds("system", "SYSTEM", |row| row.figure("system").into())
        .says("The same in the kernel.", KEPT),
    Column::number("throughput_sum", "MB/s", |row| row.result("throughput_sum").into())
        .says("The throughputs of all processes, added up, in 2^20 bytes a second, of which a touch of a word counts 8; none where not all was done.", KEPT)
        .drop(1),
    Column::seconds("free", "FREE", |row| {
        row.result("free_mean").map(|micros| micros / 1e6).into()
    })
    .says("How long a process took to give its memory back: the mean of all; none where not all was done.", KEPT)
    .drop(1),
    Column::number("major", "MAJOR", |row| row.figure("faults_major").into())
        .says("Faults that read, from swap as a rule, of all processes from their begin to their end.", KEPT)
        .drop(2),
    Column::text("end", "END", |row| row.end().into())
        .says("How it ended: done, or why not.", KEPT),
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
            ["throughput_sum", "free", "elapsed", "user", "system"]
                .map(|id| !matches!(cell(row, id), Value::Missing(_)))
        };
        assert_eq!(shown(&rows[0]), [true; 5]);
        let times = [false, false, true, true, true];
        assert_eq!([shown(&rows[1]), shown(&rows[2])], [times; 2], "time is spent all the same");
        let Value::Missing(why) = cell(&rows[1], "throughput_sum") else { unreachable!() };
        assert_eq!(why.why(), "the repetition was stopped: it was interrupted");
    }
}
