//! `cluster_stored`: what the zram device of each area has stored.

use super::{BLOCKS, Zram};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::View;
use crate::derive::clusters::{self, Marks};
use crate::model::clusters::Ages;
use crate::model::{Bytes, Reading};

/// The table.
pub(super) struct Stored;

/// The table without its row type.
pub const SPEC: Spec = Spec::of::<Stored>("cluster_stored", "Stored by zram", "name")
    .shown_by("clusters")
    .about("What the zram device of each area has stored, by its marks, and how long ago it was accessed")
    .shows(&["name", "stored", "same", "huge", "idle", "written", "youngest", "oldest"])
    .needs(super::STORED_PARTS);

impl Table for Stored {
    type Row<'v> = Zram<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Zram<'v>>> {
        super::zrams(view)
    }
}

impl Zram<'_> {
    fn marked(&self, slots: impl Fn(&Marks) -> u64) -> Reading<Bytes> {
        let marks = clusters::marks(self.map, self.map, 0..self.map.clusters.len());
        marks.map(|marks| Bytes(slots(&marks).saturating_mul(self.page)))
    }

    fn age(&self, of: impl Fn(&Ages) -> Option<u64>) -> Reading<f64> {
        match self.map.ages.as_ref().and_then(of) {
            Some(seconds) => Reading::Known(seconds as f64),
            None => Reading::absent("nothing is stored that has a time of its last access"),
        }
    }
}

type Column = spec::Column<Stored>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    Column::bytes("stored", "STORED", |row| Bytes(row.map.used().saturating_mul(row.page)).into())
        .says("Pages that the device has stored, before compression. Pages of zeroes are not among them since 6.12.", BLOCKS),
    Column::bytes("same", "SAME", |row| row.marked(|marks| marks.same).into())
        .says("Those of them that hold one word repeated, and take no memory.", BLOCKS),
    Column::bytes("huge", "HUGE", |row| row.marked(|marks| marks.huge).into())
        .says("Those of them that do not compress.", BLOCKS),
    Column::bytes("idle", "IDLE", |row| row.marked(|marks| marks.idle).into())
        .says("Those of them that were marked as idle, and were not accessed since.", BLOCKS),
    Column::bytes("written", "WRITTEN", |row| row.marked(|marks| marks.written).into())
        .says("Those of them that were written to the backing device.", BLOCKS),
    Column::seconds("youngest", "YOUNGEST", |row| row.age(|ages| ages.youngest_s).into())
        .says("How long ago the last access to any of them was.", BLOCKS)
        .drop(2),
    Column::seconds("oldest", "OLDEST", |row| row.age(|ages| ages.oldest_s).into())
        .says("How long ago the one was accessed that was not for longest; the table cluster_ages has those between.", BLOCKS)
        .drop(1),
];
