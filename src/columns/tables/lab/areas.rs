//! `areas`: the swap areas of a run, and how much of each was used.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::lab::AreaUse;
use crate::model::Reading;

/// The table.
pub struct Areas;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "areas",
    title: "Areas",
    about: "The swap areas, and how much of each was used",
    style: Style::Rows,
    default: &["path", "kind", "size", "priority", "used", "share", "metadata", "algorithm"],
    with_two: &[],
    key: "path",
    sort: None,
    only: None,
    tree: None,
    needs: NEEDS,
    infos: spec::infos::<Areas>,
    cells: spec::cells::<Areas>,
};

impl Table for Areas {
    type Row<'v> = AreaUse<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<AreaUse<'v>>> {
        none_of(view)
    }
}

static COLUMNS: &[Column<Areas>] = &[
    Column {
        info: Info::new("path", "PATH", Unit::Text).says("Where.", KEPT),
        get: |row| row.area.path.clone().into(),
    },
    Column {
        info: Info::new("kind", "KIND", Unit::Text).says("What carries it.", KEPT).drop(1),
        get: |row| row.kind().into(),
    },
    Column {
        info: Info::new("size", "SIZE", Unit::Bytes).says("How large.", KEPT),
        get: |row| row.area.size.into(),
    },
    Column {
        info: Info::new("priority", "PRIO", Unit::Integer)
            .says("Its priority, as the kernel showed it.", KEPT),
        get: |row| row.area.priority.into(),
    },
    Column {
        info: Info::new("used", "PEAK", Unit::Bytes).says(
            "Used at the moment when most was used of all areas: the mean of the repetitions.",
            KEPT,
        ),
        get: |row| row.peak.clone().into(),
    },
    Column {
        info: Info::new("share", "USE%", Unit::Share).says("PEAK as a share of SIZE.", KEPT),
        get: |row| row.share.clone().into(),
    },
    Column {
        info: Info::new("metadata", "METADATA", Unit::Bytes)
            .says(
                "Memory that the kernel needs to remember an area of SIZE at PEAK, beside what is on it: computed from what its release keeps for each slot, at least this; the mean of the repetitions.",
                KEPT,
            )
            .drop(3),
        get: |row| row.metadata.clone().into(),
    },
    Column {
        info: Info::new("metadata_fixed", "FIXED", Unit::Bytes)
            .says("The part of METADATA that is needed as soon as the area is on.", KEPT)
            .drop(4),
        get: |row| row.fixed.clone().into(),
    },
    Column {
        info: Info::new("algorithm", "ALGORITHM", Unit::Text)
            .says("How zram compressed.", KEPT)
            .drop(2),
        get: |row| row.algorithm().into(),
    },
    Column {
        info: Info::new("ours", "OURS", Unit::Flag).says("Was it made for the run?", KEPT).drop(3),
        get: |row| row.area.ours.into(),
    },
];
