//! `figures`: what was measured in a run, figure by figure.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::View;
use crate::derive::lab::{self, Figure};
use crate::derive::statistics::Summary;
use crate::model::Reading;
use crate::model::run::Run;

/// The table.
pub struct Figures;

/// The table without its row type.
pub const SPEC: Spec = Spec::of::<Figures>("figures", "Figures", "figure")
    .about("What was measured, over all repetitions that came to their end")
    .shows(&["name", "mean", "deviation", "least", "most", "count", "unit"])
    .only("detail=no & count>0", "not measured, or shown by size, area or kind of fault")
    .needs(NEEDS);

impl Table for Figures {
    type Row<'v> = FigureRow;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &View<'_>) -> Reading<Vec<FigureRow>> {
        none_of(view)
    }
}

/// A figure and what it comes to.
#[derive(Clone, Debug)]
pub struct FigureRow {
    figure: Figure,
    summary: Reading<Summary>,
}

impl FigureRow {
    fn deviation(&self) -> Reading<f64> {
        let deviation = self.summary.clone().map(|summary| summary.deviation);
        deviation.and_then(|deviation| match deviation {
            Some(deviation) => Reading::Known(deviation),
            None => Reading::absent("a single repetition does not scatter"),
        })
    }

    fn count(&self) -> u64 {
        self.summary.known().map_or(0, |summary| summary.count as u64)
    }
}

/// All figures of a run.
pub(super) fn rows(run: &Run) -> Vec<FigureRow> {
    let row = |figure: Figure| FigureRow { summary: figure.summary(), figure };
    lab::figures(run).into_iter().map(row).collect()
}

type Column = spec::Column<Figures>;

static COLUMNS: &[Column] = &[
    Column::text("figure", "FIGURE", |row| row.figure.id.clone().into())
        .says("The name for programs.", KEPT),
    Column::text("name", "FIGURE", |row| row.figure.head.clone().into())
        .says("What it is called.", KEPT),
    Column::number("mean", "MEAN", |row| row.summary.clone().map(|it| it.mean).into())
        .says("The mean of the repetitions.", KEPT),
    Column::number("deviation", "SD", |row| row.deviation().into())
        .says("How far repetitions scatter: the sample standard deviation, from two on.", KEPT),
    Column::number("median", "MEDIAN", |row| row.summary.clone().map(|it| it.median).into())
        .says("The repetition in the middle.", KEPT)
        .drop(4),
    Column::number("least", "MIN", |row| row.summary.clone().map(|it| it.least).into())
        .says("The smallest.", KEPT)
        .drop(2),
    Column::number("most", "MAX", |row| row.summary.clone().map(|it| it.most).into())
        .says("The largest.", KEPT)
        .drop(2),
    Column::count("count", "RUNS", |row| row.count().into())
        .says("How many repetitions have it.", KEPT)
        .drop(3),
    Column::text("unit", "UNIT", |row| row.figure.measure.word().into())
        .says("What the numbers count.", KEPT),
    Column::flag("detail", "DETAIL", |row| row.figure.is_detail.into())
        .says("Does it stand in a table of areas, folios or latency as well?", KEPT)
        .drop(5),
];

column_ids! { id: Figures, SPEC;
    DEVIATION LEAST MEAN MOST NAME UNIT
}
