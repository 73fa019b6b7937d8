//! `figures`: the measured figures of a run; and `areas`, `folios` and `latency`: its swap areas, the
//! large folios swapped, and the latency of memory accesses by kind of fault.

use super::common::{KEPT, not_in_snapshots};
use super::comparison::deviation;
use crate::columns::spec::Spec;
use crate::derive::lab::{self, AreaUse, FolioUse, RunFigure, TouchLatency};
use crate::derive::statistics::Summary;
use crate::model::Reading;
use crate::model::run::Run;

table!(pub struct FiguresTable: FigureRow, Column, COLUMNS, |_, _| not_in_snapshots());

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<FiguresTable>("figures", "Figures", "figure")
    .about("Measured figures over all completed repetitions")
    .shows("name,mean,deviation,min,max,count,unit,scope")
    .only("detail=no & count>0", "not measured, or shown by size, area or kind of fault");

/// A figure and its summary.
#[derive(Clone, Debug)]
pub struct FigureRow {
    figure: RunFigure,
    summary: Reading<Summary>,
}

impl FigureRow {
    fn count(&self) -> u64 {
        self.summary.known().map_or(0, |summary| summary.count as u64)
    }
}

/// All figures of a run.
pub(super) fn rows(run: &Run) -> Vec<FigureRow> {
    let row = |figure: RunFigure| FigureRow { summary: figure.summary(), figure };
    lab::figures(run).into_iter().map(row).collect()
}

static COLUMNS: &[Column] = &[
    Column::text("figure", "FIGURE", |row| row.figure.id.clone().into())
        .says("Name of the figure for programs.", KEPT),
    Column::text("name", "FIGURE", |row| row.figure.head.clone().into())
        .says("Name of the figure.", KEPT),
    Column::number("mean", "MEAN", |row| row.summary.clone().map(|it| it.mean).into())
        .says("Mean of the repetitions.", KEPT),
    Column::number("deviation", "SD", |row| deviation(&row.summary).into())
        .says("Sample standard deviation of the repetitions, from two on.", KEPT),
    Column::number("median", "MEDIAN", |row| row.summary.clone().map(|it| it.median).into())
        .says("Median of the repetitions.", KEPT),
    Column::number("min", "MIN", |row| row.summary.clone().map(|it| it.least).into())
        .says("Minimum of the repetitions.", KEPT)
        .drop(2),
    Column::number("max", "MAX", |row| row.summary.clone().map(|it| it.most).into())
        .says("Maximum of the repetitions.", KEPT)
        .drop(2),
    Column::count("count", "RUNS", |row| row.count().into())
        .says("Number of repetitions that have the figure.", KEPT)
        .drop(3),
    Column::text("unit", "UNIT", |row| row.figure.measure.word().into())
        .says("Unit of the numbers.", KEPT),
    Column::text("scope", "OF", |row| row.figure.scope.word().into())
        .says("Subject of the figure: the workload, its processes or its cgroup; areas, with the pages of all programs on them; or the whole machine, with all programs that ran meanwhile.", KEPT)
        .drop(1),
    Column::flag("detail", "DETAIL", |row| row.figure.is_detail.into())
        .says("Whether the tables areas, folios or latency also show the figure.", KEPT),
];

column_ids! { id: FiguresTable, SPEC;
    DEVIATION MIN MEAN MAX NAME UNIT
}

table!(pub struct AreasTable: AreaUse<'v>, AreaColumn, AREA_COLUMNS, |_, _| not_in_snapshots());

/// Definition of the table.
pub const AREAS: Spec = Spec::for_table::<AreasTable>("areas", "Areas", "path")
    .about("The swap areas, and how much of each was used")
    .shows("path,kind,size,priority,used,share,metadata,algorithm");

static AREA_COLUMNS: &[AreaColumn] = &[
    AreaColumn::text("path", "PATH", |row| row.area.path.clone().into()).says("Path of the area.", KEPT),
    AreaColumn::text("kind", "KIND", |row| row.kind().into()).says("Kind of device.", KEPT).drop(1),
    AreaColumn::bytes("size", "SIZE", |row| row.area.size.into()).says("Size of the area.", KEPT),
    AreaColumn::integer("priority", "PRIO", |row| row.area.priority.into())
        .says("Priority as shown by the kernel.", KEPT),
    AreaColumn::bytes("used", "PEAK", |row| row.peak.clone().into())
        .says("Used space at the peak of total swap usage: mean of the repetitions.", KEPT),
    AreaColumn::share("share", "USE%", |row| row.share.clone().into())
        .says("Peak use: PEAK / SIZE.", KEPT),
    AreaColumn::bytes("metadata", "METADATA", |row| row.metadata.clone().into())
        .says("Lower bound of the kernel memory for slot metadata at PEAK, computed from the structure sizes of the kernel release: mean of the repetitions.", KEPT)
        .drop(3),
    AreaColumn::bytes("metadata_fixed", "FIXED", |row| row.fixed.clone().into())
        .says("Part of METADATA that is allocated at swapon.", KEPT)
        .drop(4),
    AreaColumn::text("algorithm", "ALGORITHM", |row| row.algorithm().into())
        .says("Compression algorithm of zram.", KEPT)
        .drop(2),
    AreaColumn::flag("temporary", "TEMPORARY", |row| row.area.ours.into())
        .says("Whether the area was created for the run.", KEPT),
];

table!(pub struct FoliosTable: FolioUse, FolioColumn, FOLIO_COLUMNS, |_, _| not_in_snapshots());

/// Definition of the table.
pub const FOLIOS: Spec = Spec::for_table::<FoliosTable>("folios", "Large folios", "size")
    .about("Large folios by size: swapped out whole, or split for lack of contiguous slots")
    .shows("size,swpout,swpout_fallback,fail_rate")
    .only("swpout>0 | swpout_fallback>0", "of which no folio was swapped");

static FOLIO_COLUMNS: &[FolioColumn] = &[
    FolioColumn::bytes("size", "SIZE", |row| row.size.into()).says("Folio size.", KEPT),
    FolioColumn::number("swpout", "SWPOUT", |row| row.whole.clone().into())
        .says("Folios swapped out whole: mean of the repetitions.", KEPT),
    FolioColumn::number("swpout_fallback", "FALLBACK", |row| row.split.clone().into())
        .says("Folios split for lack of contiguous slots: mean of the repetitions.", KEPT),
    FolioColumn::share("fail_rate", "FALLB%", |row| row.fail_rate.clone().into()).says(
        "Failure rate: FALLBACK / (FALLBACK + SWPOUT + ZSWPOUT), mean of the repetitions.",
        KEPT,
    ),
];

table!(
    pub struct LatencyTable: TouchLatency, LatencyColumn, LATENCY_COLUMNS,
    |_, _| not_in_snapshots()
);

/// Definition of the table.
pub const LATENCY: Spec = Spec::for_table::<LatencyTable>("latency", "Access latency, us", "kind")
    .about("Latency of memory accesses in microseconds, over all repetitions")
    .shows("kind,count,mean,p50,p99,p99_9,max")
    .only("count>0", "that did not occur");

/// Note that the kind of fault is sampled, so that its counts are far below the number of faults.
pub(super) fn sampled(run: &Run) -> Option<String> {
    let sampled = lab::sampled(run)?;
    Some(format!(
        "The kind of fault is determined for one in {sampled} accesses; \"all\" counts every access."
    ))
}

static LATENCY_COLUMNS: &[LatencyColumn] = &[
    LatencyColumn::text("kind", "KIND", |row| row.kind.into())
        .says("Kind: all accesses; and, of a sample, accesses without a fault (none), with a minor fault, and with a major fault, which read from swap.", KEPT),
    LatencyColumn::count("count", "ACCESSES", |row| row.took.count().into())
        .says("Number of accesses.", KEPT)
        .drop(1),
    LatencyColumn::number("mean", "MEAN", |row| row.mean().into()).says("Mean latency.", KEPT).drop(2),
    LatencyColumn::number("p50", "P50", |row| row.quantile(0.5).into())
        .says("Median latency, within 1/16.", KEPT),
    LatencyColumn::number("p99", "P99", |row| row.quantile(0.99).into())
        .says("99th percentile of the latency.", KEPT),
    LatencyColumn::number("p99_9", "P99.9", |row| row.quantile(0.999).into())
        .says("99.9th percentile of the latency.", KEPT),
    LatencyColumn::number("max", "MAX", |row| row.quantile(1.0).into()).says("Highest latency.", KEPT),
];
