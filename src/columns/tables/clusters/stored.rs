//! `cluster_stored`: what the zram device of each area has stored.

use super::{BLOCKS, Zram};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::clusters::{self, Marks};
use crate::model::clusters::Ages;
use crate::model::{Bytes, Reading};

/// The table.
pub(super) struct Stored;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "cluster_stored",
    title: "Stored by zram",
    about: "What the zram device of each area has stored, by its marks, and how long ago it was accessed",
    style: Style::Rows,
    default: &["name", "stored", "same", "huge", "idle", "written", "youngest", "oldest"],
    with_two: &[],
    key: "name",
    sort: None,
    only: None,
    tree: None,
    needs: super::STORED_PARTS,
    infos: spec::infos::<Stored>,
    cells: spec::cells::<Stored>,
};

impl Table for Stored {
    type Row<'v> = Zram<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

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

static COLUMNS: &[Column<Stored>] = &[
    Column {
        info: Info::new("name", "NAME", Unit::Text).says("The area.", "/proc/swaps"),
        get: |row| row.area.clone().into(),
    },
    Column {
        info: Info::new("stored", "STORED", Unit::Bytes).says(
            "Pages that the device has stored, before compression. Pages of zeroes are not among them since 6.12.",
            BLOCKS,
        ),
        get: |row| Bytes(row.map.used().saturating_mul(row.page)).into(),
    },
    Column {
        info: Info::new("same", "SAME", Unit::Bytes)
            .says("Those of them that hold one word repeated, and take no memory.", BLOCKS),
        get: |row| row.marked(|marks| marks.same).into(),
    },
    Column {
        info: Info::new("huge", "HUGE", Unit::Bytes)
            .says("Those of them that do not compress.", BLOCKS),
        get: |row| row.marked(|marks| marks.huge).into(),
    },
    Column {
        info: Info::new("idle", "IDLE", Unit::Bytes).says(
            "Those of them that were marked as idle, and were not accessed since.",
            BLOCKS,
        ),
        get: |row| row.marked(|marks| marks.idle).into(),
    },
    Column {
        info: Info::new("written", "WRITTEN", Unit::Bytes)
            .says("Those of them that were written to the backing device.", BLOCKS),
        get: |row| row.marked(|marks| marks.written).into(),
    },
    Column {
        info: Info::new("youngest", "YOUNGEST", Unit::Seconds)
            .drop(2)
            .says("How long ago the last access to any of them was.", BLOCKS),
        get: |row| row.age(|ages| ages.youngest_s).into(),
    },
    Column {
        info: Info::new("oldest", "OLDEST", Unit::Seconds).drop(1).says(
            "How long ago the one was accessed that was not for longest; the table cluster_ages has those between.",
            BLOCKS,
        ),
        get: |row| row.age(|ages| ages.oldest_s).into(),
    },
];
