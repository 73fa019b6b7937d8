//! `cluster_stored`: what the zram device of each area has stored.

use super::{BLOCKS, Zram};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::clusters::{self, Marks};
use crate::model::clusters::Ages;
use crate::model::{Bytes, Name, Reading};

/// The table.
pub(super) struct ClusterStoredTable;

/// The table without its row type.
pub const STORED: Spec = Spec::for_table::<ClusterStoredTable>("cluster_stored", "Stored by zram", "name")
    .shown_by("clusters")
    .about("What the zram device of each area has stored, by its marks, and how long ago it was accessed")
    .shows(&["name", "stored", "same", "huge", "idle", "written", "youngest", "oldest"])
    .needs(super::STORED_PARTS);

impl Table for ClusterStoredTable {
    type Row<'v> = Zram<'v>;
    const COLUMNS: &'static [StoredColumn] = STORED_COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Zram<'v>>> {
        super::zram_areas(view)
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

type StoredColumn = spec::Column<ClusterStoredTable>;

static STORED_COLUMNS: &[StoredColumn] = &[
    StoredColumn::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    StoredColumn::bytes("stored", "STORED", |row| Bytes(row.map.used().saturating_mul(row.page)).into())
        .says("Pages that the device has stored, before compression. Pages of zeroes are not among them since 6.12.", BLOCKS),
    StoredColumn::bytes("same", "SAME", |row| row.marked(|marks| marks.same).into())
        .says("Those of them that hold one word repeated, and take no memory.", BLOCKS),
    StoredColumn::bytes("huge", "HUGE", |row| row.marked(|marks| marks.huge).into())
        .says("Those of them that do not compress.", BLOCKS),
    StoredColumn::bytes("idle", "IDLE", |row| row.marked(|marks| marks.idle).into())
        .says("Those of them that were marked as idle, and were not accessed since.", BLOCKS),
    StoredColumn::bytes("written", "WRITTEN", |row| row.marked(|marks| marks.written).into())
        .says("Those of them that were written to the backing device.", BLOCKS),
    StoredColumn::seconds("youngest", "YOUNGEST", |row| row.age(|ages| ages.youngest_s).into())
        .says("How long ago the last access to any of them was.", BLOCKS)
        .drop(2),
    StoredColumn::seconds("oldest", "OLDEST", |row| row.age(|ages| ages.oldest_s).into())
        .says("How long ago the one was accessed that was not for longest; the table cluster_ages has those between.", BLOCKS)
        .drop(1),
];

/// The table.
pub(super) struct ClusterAgesTable;

/// A class of age on an area.
pub(super) struct AgeRow<'v> {
    area: &'v Name,
    age: &'static str,
    slots: u64,
    all: u64,
    page: u64,
}

/// The table without its row type.
pub const AGES: Spec = Spec::for_table::<ClusterAgesTable>("cluster_ages", "Stored by age", "age")
    .shown_by("clusters")
    .about("What the zram device of each area has stored, by how long ago it was accessed")
    .shows(&["name", "age", "stored", "share"])
    .needs(super::STORED_PARTS);

impl Table for ClusterAgesTable {
    type Row<'v> = AgeRow<'v>;
    const COLUMNS: &'static [AgeColumn] = AGE_COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<AgeRow<'v>>> {
        super::zram_areas(view).map(|areas| areas.iter().flat_map(age_rows).collect())
    }
}

fn age_rows<'v>(zram: &Zram<'v>) -> Vec<AgeRow<'v>> {
    let (area, page) = (zram.area, zram.page);
    let Some(ages) = &zram.map.ages else { return Vec::new() };
    let all = ages.slots.iter().sum();
    let row = |(age, slots)| AgeRow { area, age, slots, all, page };
    clusters::by_age(ages).map(row).collect()
}

type AgeColumn = spec::Column<ClusterAgesTable>;

static AGE_COLUMNS: &[AgeColumn] = &[
    AgeColumn::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    AgeColumn::text("age", "ACCESSED", |row| row.age.into())
        .says("How long ago the last access was, be it that it was stored.", BLOCKS),
    AgeColumn::bytes("stored", "STORED", |row| Bytes(row.slots.saturating_mul(row.page)).into())
        .says("Pages of this age, before compression.", BLOCKS),
    AgeColumn::share("share", "SHARE", |row| match row.all {
        0 => Reading::<f64>::absent("nothing is stored").into(),
        all => Reading::Known(row.slots as f64 / all as f64).into(),
    })
    .says(
        "Their part of those whose last access is known: what was written back has none.",
        BLOCKS,
    ),
];
