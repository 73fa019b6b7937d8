//! `figures`: what was measured in a run, figure by figure.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Column, Info, Only, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::lab::{self, Figure};
use crate::derive::statistics::Summary;
use crate::model::Reading;
use crate::model::run::Run;

/// The table.
pub struct Figures;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "figures",
    title: "Figures",
    about: "What was measured, over all repetitions that came to their end",
    style: Style::Rows,
    default: &["name", "mean", "deviation", "least", "most", "count", "unit"],
    with_two: &[],
    key: "figure",
    sort: None,
    only: Some(Only {
        filter: "detail=no & count>0",
        others: "not measured, or shown by size, area or kind of fault",
    }),
    tree: None,
    needs: NEEDS,
    infos: spec::infos::<Figures>,
    cells: spec::cells::<Figures>,
};

impl Table for Figures {
    type Row<'v> = FigureRow;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

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

static COLUMNS: &[Column<Figures>] = &[
    Column {
        info: Info::new("figure", "FIGURE", Unit::Text).says("The name for programs.", KEPT),
        get: |row| row.figure.id.clone().into(),
    },
    Column {
        info: Info::new("name", "FIGURE", Unit::Text).says("What it is called.", KEPT),
        get: |row| row.figure.head.clone().into(),
    },
    Column {
        info: Info::new("mean", "MEAN", Unit::Number).says("The mean of the repetitions.", KEPT),
        get: |row| row.summary.clone().map(|it| it.mean).into(),
    },
    Column {
        info: Info::new("deviation", "SD", Unit::Number)
            .says("How far repetitions scatter: the sample standard deviation, from two on.", KEPT),
        get: |row| row.deviation().into(),
    },
    Column {
        info: Info::new("median", "MEDIAN", Unit::Number)
            .says("The repetition in the middle.", KEPT)
            .drop(4),
        get: |row| row.summary.clone().map(|it| it.median).into(),
    },
    Column {
        info: Info::new("least", "MIN", Unit::Number).says("The smallest.", KEPT).drop(2),
        get: |row| row.summary.clone().map(|it| it.least).into(),
    },
    Column {
        info: Info::new("most", "MAX", Unit::Number).says("The largest.", KEPT).drop(2),
        get: |row| row.summary.clone().map(|it| it.most).into(),
    },
    Column {
        info: Info::new("count", "RUNS", Unit::Count)
            .says("How many repetitions have it.", KEPT)
            .drop(3),
        get: |row| row.count().into(),
    },
    Column {
        info: Info::new("unit", "UNIT", Unit::Text).says("What the numbers count.", KEPT),
        get: |row| row.figure.measure.word().into(),
    },
    Column {
        info: Info::new("detail", "DETAIL", Unit::Flag)
            .says("Does it stand in a table of areas, folios or latency as well?", KEPT)
            .drop(5),
        get: |row| row.figure.is_detail.into(),
    },
];
