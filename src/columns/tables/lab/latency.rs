//! `latency`: how long touches took in a run, by what they met.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Column, Info, Only, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::lab::{self, Touches};
use crate::model::Reading;
use crate::model::run::Run;

/// The table.
pub struct Latency;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "latency",
    title: "Latency of touches, us",
    about: "How long touches took, in microseconds, over all repetitions",
    style: Style::Rows,
    default: &["kind", "count", "mean", "p50", "p99", "p99_9", "max"],
    with_two: &[],
    key: "kind",
    sort: None,
    only: Some(Only { filter: "count>0", others: "of which there were none" }),
    tree: None,
    needs: NEEDS,
    infos: spec::infos::<Latency>,
    cells: spec::cells::<Latency>,
};

impl Table for Latency {
    type Row<'v> = Touches;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

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

static COLUMNS: &[Column<Latency>] = &[
    Column {
        info: Info::new("kind", "KIND", Unit::Text).says("What they met: all of them; and of a sample no fault (none), a fault that read nothing (minor), one that read from swap (major).", KEPT),
        get: |row| row.kind.into(),
    },
    Column {
        info: Info::new("count", "TOUCHES", Unit::Count).says("How many were seen.", KEPT).drop(1),
        get: |row| row.took.count().into(),
    },
    Column {
        info: Info::new("mean", "MEAN", Unit::Number).says("Their mean.", KEPT).drop(2),
        get: |row| row.mean().into(),
    },
    Column {
        info: Info::new("p50", "P50", Unit::Number).says("Half of them took no longer, to a sixteenth.", KEPT),
        get: |row| row.quantile(0.5).into(),
    },
    Column {
        info: Info::new("p99", "P99", Unit::Number).says("99 % took no longer.", KEPT),
        get: |row| row.quantile(0.99).into(),
    },
    Column {
        info: Info::new("p99_9", "P99.9", Unit::Number).says("99.9 % took no longer.", KEPT),
        get: |row| row.quantile(0.999).into(),
    },
    Column {
        info: Info::new("max", "MAX", Unit::Number).says("The longest.", KEPT),
        get: |row| row.quantile(1.0).into(),
    },
];
