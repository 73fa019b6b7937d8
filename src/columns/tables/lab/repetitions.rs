//! `repetitions`: a run, repetition by repetition.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::lab::{self, Figure};
use crate::model::Reading;
use crate::model::run::{Ending, Measured, Run};

/// The table.
pub struct Repetitions;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "repetitions",
    title: "Repetitions",
    about: "Each repetition by itself, also those that did not come to their end",
    style: Style::Rows,
    default: &["number", "elapsed", "user", "system", "throughput_sum", "free", "major", "end"],
    with_two: &[],
    key: "number",
    sort: None,
    only: None,
    tree: None,
    needs: NEEDS,
    infos: spec::infos::<Repetitions>,
    cells: spec::cells::<Repetitions>,
};

impl Table for Repetitions {
    type Row<'v> = Repetition<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Repetition<'v>>> {
        none_of(view)
    }
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Repetition<'v> {
    number: u64,
    measured: &'v Measured,
    figures: Vec<Figure>,
}

impl Repetition<'_> {
    fn figure(&self, id: &str) -> Reading<f64> {
        let found = self.figures.iter().find(|figure| figure.id == id);
        let value = found.and_then(|figure| figure.values.first().cloned());
        value.unwrap_or_else(|| Reading::absent("the run has no such figure"))
    }

    fn end(&self) -> String {
        match &self.measured.end {
            Ending::Done => "done".to_owned(),
            Ending::Stopped { why } => format!("stopped: {why}"),
            Ending::Failed { why } => format!("failed: {why}"),
        }
    }
}

/// All repetitions of a run.
pub(super) fn rows(run: &Run) -> Vec<Repetition<'_>> {
    let row = |(number, measured): (u64, _)| Repetition {
        number,
        measured,
        figures: lab::figures_of(measured),
    };
    (1..).zip(&run.measured).map(row).collect()
}

static COLUMNS: &[Column<Repetitions>] = &[
    Column {
        info: Info::new("number", "NR", Unit::Count).says("Which of them, from 1 on.", KEPT),
        get: |row| row.number.into(),
    },
    Column {
        info: Info::new("elapsed", "ELAPSED", Unit::Seconds)
            .says("From the first process on until the last one was gone.", KEPT),
        get: |row| row.figure("elapsed").into(),
    },
    Column {
        info: Info::new("user", "USER", Unit::Seconds)
            .says("Processor time of all processes of the load, in user mode.", KEPT)
            .drop(3),
        get: |row| row.figure("user").into(),
    },
    Column {
        info: Info::new("system", "SYSTEM", Unit::Seconds).says("The same in the kernel.", KEPT),
        get: |row| row.figure("system").into(),
    },
    Column {
        info: Info::new("throughput_sum", "MB/s", Unit::Number)
            .says("The throughputs of all processes, added up, in 2^20 bytes a second.", KEPT)
            .drop(1),
        get: |row| row.figure("throughput_sum").into(),
    },
    Column {
        info: Info::new("free", "FREE", Unit::Seconds)
            .says("How long a process took to give its memory back: the mean of all.", KEPT)
            .drop(1),
        get: |row| row.figure("free_mean").map(|micros| micros / 1e6).into(),
    },
    Column {
        info: Info::new("major", "MAJOR", Unit::Number)
            .says("Faults that read, from swap as a rule, of all processes from their begin to their end.", KEPT)
            .drop(2),
        get: |row| row.figure("faults_major").into(),
    },
    Column {
        info: Info::new("end", "END", Unit::Text).says("How it ended: done, or why not.", KEPT),
        get: |row| row.end().into(),
    },
];
