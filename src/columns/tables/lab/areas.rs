//! `areas`: the swap areas of a run, and how much of each was used.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::View;
use crate::derive::lab::AreaUse;
use crate::model::Reading;

/// The table.
pub struct Areas;

/// The table without its row type.
pub const SPEC: Spec = Spec::of::<Areas>("areas", "Areas", "path")
    .about("The swap areas, and how much of each was used")
    .shows(&["path", "kind", "size", "priority", "used", "share", "metadata", "algorithm"])
    .needs(NEEDS);

impl Table for Areas {
    type Row<'v> = AreaUse<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<AreaUse<'v>>> {
        none_of(view)
    }
}

type Column = spec::Column<Areas>;

static COLUMNS: &[Column] = &[
    Column::text("path", "PATH", |row| row.area.path.clone().into()).says("Where.", KEPT),
    Column::text("kind", "KIND", |row| row.kind().into()).says("What carries it.", KEPT).drop(1),
    Column::bytes("size", "SIZE", |row| row.area.size.into()).says("How large.", KEPT),
    Column::integer("priority", "PRIO", |row| row.area.priority.into())
        .says("Its priority, as the kernel showed it.", KEPT),
    Column::bytes("used", "PEAK", |row| row.peak.clone().into())
        .says("Used at the moment when most was used of all areas: the mean of the repetitions.", KEPT),
    Column::share("share", "USE%", |row| row.share.clone().into())
        .says("PEAK as a share of SIZE.", KEPT),
    Column::bytes("metadata", "METADATA", |row| row.metadata.clone().into())
        .says("Memory that the kernel needs to remember an area of SIZE at PEAK, beside what is on it: computed from what its release keeps for each slot, at least this; the mean of the repetitions.", KEPT)
        .drop(3),
    Column::bytes("metadata_fixed", "FIXED", |row| row.fixed.clone().into())
        .says("The part of METADATA that is needed as soon as the area is on.", KEPT)
        .drop(4),
    Column::text("algorithm", "ALGORITHM", |row| row.algorithm().into())
        .says("How zram compressed.", KEPT)
        .drop(2),
    Column::flag("ours", "OURS", |row| row.area.ours.into())
        .says("Was it made for the run?", KEPT)
        .drop(3),
];
