//! `latency`: how long touches took in a run, by what they met.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::View;
use crate::derive::lab::{self, Touches};
use crate::model::Reading;
use crate::model::run::Run;

/// The table.
pub struct Latency;

/// The table without its row type.
pub const SPEC: Spec = Spec::of::<Latency>("latency", "Latency of touches, us", "kind")
    .about("How long touches took, in microseconds, over all repetitions")
    .shows(&["kind", "count", "mean", "p50", "p99", "p99_9", "max"])
    .only("count>0", "of which there were none")
    .needs(NEEDS);

impl Table for Latency {
    type Row<'v> = Touches;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &View<'_>) -> Reading<Vec<Touches>> {
        none_of(view)
    }
}

/// That what touches met is asked for few of them: their counts are far below those of faults.
pub(super) fn sampled(run: &Run) -> Option<String> {
    let sampled = lab::sampled(run)?;
    Some(format!(
        "Which fault a touch met is asked for one in {sampled} of them; all counts every touch."
    ))
}

type Column = spec::Column<Latency>;

static COLUMNS: &[Column] = &[
    Column::text("kind", "KIND", |row| row.kind.into())
        .says("What they met: all of them; and of a sample no fault (none), a fault that read nothing (minor), one that read from swap (major).", KEPT),
    Column::count("count", "TOUCHES", |row| row.took.count().into())
        .says("How many were seen.", KEPT)
        .drop(1),
    Column::number("mean", "MEAN", |row| row.mean().into()).says("Their mean.", KEPT).drop(2),
    Column::number("p50", "P50", |row| row.quantile(0.5).into())
        .says("Half of them took no longer, to a sixteenth.", KEPT),
    Column::number("p99", "P99", |row| row.quantile(0.99).into())
        .says("99 % took no longer.", KEPT),
    Column::number("p99_9", "P99.9", |row| row.quantile(0.999).into())
        .says("99.9 % took no longer.", KEPT),
    Column::number("max", "MAX", |row| row.quantile(1.0).into()).says("The longest.", KEPT),
];
