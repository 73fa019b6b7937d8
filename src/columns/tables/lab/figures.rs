//! `figures`: what was measured in a run, figure by figure; and `areas`, `folios` and `latency`: its
//! swap areas, the large folios that were swapped, and how long touches took, by what they met.

use super::common::{KEPT, NEEDS, not_in_snapshots};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::lab::{self, AreaUse, RunFigure, FolioUse, TouchLatency};
use crate::derive::statistics::Summary;
use crate::model::Reading;
use crate::model::run::Run;

/// The table.
pub struct FiguresTable;

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<FiguresTable>("figures", "Figures", "figure")
    .about("What was measured, over all repetitions that came to their end")
    .shows(&["name", "mean", "deviation", "least", "most", "count", "unit"])
    .only("detail=no & count>0", "not measured, or shown by size, area or kind of fault")
    .needs(NEEDS);

impl Table for FiguresTable {
    type Row<'v> = FigureRow;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &SampleView<'_>) -> Reading<Vec<FigureRow>> {
        not_in_snapshots(view)
    }
}

/// A figure and what it comes to.
#[derive(Clone, Debug)]
pub struct FigureRow {
    figure: RunFigure,
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
    let row = |figure: RunFigure| FigureRow { summary: figure.summary(), figure };
    lab::figures(run).into_iter().map(row).collect()
}

type Column = spec::Column<FiguresTable>;

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

column_ids! { id: FiguresTable, SPEC;
    DEVIATION LEAST MEAN MOST NAME UNIT
}

/// The table.
pub struct AreasTable;

/// The table without its row type.
pub const AREAS: Spec = Spec::for_table::<AreasTable>("areas", "Areas", "path")
    .about("The swap areas, and how much of each was used")
    .shows(&["path", "kind", "size", "priority", "used", "share", "metadata", "algorithm"])
    .needs(NEEDS);

impl Table for AreasTable {
    type Row<'v> = AreaUse<'v>;
    const COLUMNS: &'static [AreaColumn] = AREA_COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<AreaUse<'v>>> {
        not_in_snapshots(view)
    }
}

type AreaColumn = spec::Column<AreasTable>;

static AREA_COLUMNS: &[AreaColumn] = &[
    AreaColumn::text("path", "PATH", |row| row.area.path.clone().into()).says("Where.", KEPT),
    AreaColumn::text("kind", "KIND", |row| row.kind().into()).says("What carries it.", KEPT).drop(1),
    AreaColumn::bytes("size", "SIZE", |row| row.area.size.into()).says("How large.", KEPT),
    AreaColumn::integer("priority", "PRIO", |row| row.area.priority.into())
        .says("Its priority, as the kernel showed it.", KEPT),
    AreaColumn::bytes("used", "PEAK", |row| row.peak.clone().into())
        .says("Used at the moment when most was used of all areas: the mean of the repetitions.", KEPT),
    AreaColumn::share("share", "USE%", |row| row.share.clone().into())
        .says("PEAK as a share of SIZE.", KEPT),
    AreaColumn::bytes("metadata", "METADATA", |row| row.metadata.clone().into())
        .says("Memory that the kernel needs to remember an area of SIZE at PEAK, beside what is on it: computed from what its release keeps for each slot, at least this; the mean of the repetitions.", KEPT)
        .drop(3),
    AreaColumn::bytes("metadata_fixed", "FIXED", |row| row.fixed.clone().into())
        .says("The part of METADATA that is needed as soon as the area is on.", KEPT)
        .drop(4),
    AreaColumn::text("algorithm", "ALGORITHM", |row| row.algorithm().into())
        .says("How zram compressed.", KEPT)
        .drop(2),
    AreaColumn::flag("ours", "OURS", |row| row.area.ours.into())
        .says("Was it made for the run?", KEPT)
        .drop(3),
];

/// The table.
pub struct FoliosTable;

/// The table without its row type.
pub const FOLIOS: Spec = Spec::for_table::<FoliosTable>("folios", "Large folios", "size")
    .about("Large folios by size: swapped out whole, or split because no room was found")
    .shows(&["size", "swpout", "swpout_fallback", "fail_rate"])
    .only("swpout>0 | swpout_fallback>0", "of which none were swapped")
    .needs(NEEDS);

impl Table for FoliosTable {
    type Row<'v> = FolioUse;
    const COLUMNS: &'static [FolioColumn] = FOLIO_COLUMNS;

    fn rows(view: &SampleView<'_>) -> Reading<Vec<FolioUse>> {
        not_in_snapshots(view)
    }
}

type FolioColumn = spec::Column<FoliosTable>;

static FOLIO_COLUMNS: &[FolioColumn] = &[
    FolioColumn::bytes("size", "SIZE", |row| row.size.into()).says("The size.", KEPT),
    FolioColumn::number("swpout", "SWPOUT", |row| row.whole.clone().into())
        .says("Swapped out whole: the mean of the repetitions.", KEPT),
    FolioColumn::number("swpout_fallback", "FALLBACK", |row| row.split.clone().into())
        .says("Split because no room in one piece was found: the mean of the repetitions.", KEPT),
    FolioColumn::share("fail_rate", "FAIL%", |row| row.fail_rate.clone().into()).says(
        "FALLBACK against FALLBACK, SWPOUT and ZSWPOUT together: the mean of the repetitions.",
        KEPT,
    ),
];

/// The table.
pub struct LatencyTable;

/// The table without its row type.
pub const LATENCY: Spec = Spec::for_table::<LatencyTable>("latency", "Latency of touches, us", "kind")
    .about("How long touches took, in microseconds, over all repetitions")
    .shows(&["kind", "count", "mean", "p50", "p99", "p99_9", "max"])
    .only("count>0", "of which there were none")
    .needs(NEEDS);

impl Table for LatencyTable {
    type Row<'v> = TouchLatency;
    const COLUMNS: &'static [LatencyColumn] = LATENCY_COLUMNS;

    fn rows(view: &SampleView<'_>) -> Reading<Vec<TouchLatency>> {
        not_in_snapshots(view)
    }
}

/// That what touches met is asked for few of them: their counts are far below those of faults.
pub(super) fn sampled(run: &Run) -> Option<String> {
    let sampled = lab::sampled(run)?;
    Some(format!(
        "Which fault a touch met is asked for one in {sampled} of them; all counts every touch."
    ))
}

type LatencyColumn = spec::Column<LatencyTable>;

static LATENCY_COLUMNS: &[LatencyColumn] = &[
    LatencyColumn::text("kind", "KIND", |row| row.kind.into())
        .says("What they met: all of them; and of a sample no fault (none), a fault that read nothing (minor), one that read from swap (major).", KEPT),
    LatencyColumn::count("count", "TOUCHES", |row| row.took.count().into())
        .says("How many were seen.", KEPT)
        .drop(1),
    LatencyColumn::number("mean", "MEAN", |row| row.mean().into()).says("Their mean.", KEPT).drop(2),
    LatencyColumn::number("p50", "P50", |row| row.quantile(0.5).into())
        .says("Half of them took no longer, to a sixteenth.", KEPT),
    LatencyColumn::number("p99", "P99", |row| row.quantile(0.99).into())
        .says("99 % took no longer.", KEPT),
    LatencyColumn::number("p99_9", "P99.9", |row| row.quantile(0.999).into())
        .says("99.9 % took no longer.", KEPT),
    LatencyColumn::number("max", "MAX", |row| row.quantile(1.0).into()).says("The longest.", KEPT),
];
