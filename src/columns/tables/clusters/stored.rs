//! `cluster_stored`: pages that the zram device of each area stores; and `cluster_ages`.

use super::{BLOCKS, Zram};
use crate::columns::spec::Spec;
use crate::derive::clusters::{self, Marks};
use crate::model::clusters::Ages;
use crate::model::{Bytes, Name, Reading};

table!(
    pub(super) struct ClusterStoredTable: Zram<'v>, StoredColumn, STORED_COLUMNS,
    |view, _| super::zram_areas(view)
);

/// Definition of the table.
pub const STORED: Spec =
    Spec::for_table::<ClusterStoredTable>("cluster_stored", "Stored by zram", "name")
        .shown_by("clusters")
        .about("Pages that the zram device of each area stores, by kind, and their age")
        .shows("name,stored,same,huge,idle,written,newest_access,oldest_access")
        .needs(super::STORED_PARTS);

impl Zram<'_> {
    fn marked(&self, slots: impl Fn(&Marks) -> u64) -> Reading<Bytes> {
        let marks = clusters::marks(self.map, self.map, 0..self.map.clusters.len());
        marks.map(|marks| Bytes(slots(&marks).saturating_mul(self.page)))
    }

    fn age(&self, of: impl Fn(&Ages) -> Option<u64>) -> Reading<f64> {
        Reading::or_absent(
            self.map.ages.as_ref().and_then(of).map(|seconds| seconds as f64),
            "no page with a recorded access time is stored",
        )
    }
}

static STORED_COLUMNS: &[StoredColumn] = &[
    StoredColumn::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    StoredColumn::bytes("stored", "STORED", |row| Bytes(row.map.used().saturating_mul(row.page)).into())
        .says("Size of the stored pages before compression. Since 6.12 zero-filled pages never reach zram.", BLOCKS),
    StoredColumn::bytes("same", "SAME", |row| row.marked(|marks| marks.same).into())
        .says("Pages of one repeated word, which take no memory.", BLOCKS),
    StoredColumn::bytes("huge", "HUGE", |row| row.marked(|marks| marks.huge).into())
        .says("Incompressible pages.", BLOCKS),
    StoredColumn::bytes("idle", "IDLE", |row| row.marked(|marks| marks.idle).into())
        .says("Pages that were marked as idle and not accessed since.", BLOCKS),
    StoredColumn::bytes("written", "WRITTEN", |row| row.marked(|marks| marks.written).into())
        .says("Pages written back to the backing device.", BLOCKS),
    StoredColumn::seconds("newest_access", "NEWEST", |row| row.age(|ages| ages.youngest_s).into())
        .says("Time since the most recent access to any page.", BLOCKS)
        .drop(2),
    StoredColumn::seconds("oldest_access", "OLDEST", |row| row.age(|ages| ages.oldest_s).into())
        .says("Time since the access to the page that has been unused for longest; cluster_ages has the distribution.", BLOCKS)
        .drop(1),
    StoredColumn::text("incomplete_reason", "INCOMPLETE", |row| super::incomplete_reason(row.map).into())
        .says("Why the pages are not all known; then the figures of cluster_ages are incomplete too.", BLOCKS),
];

table!(
    pub(super) struct ClusterAgesTable: AgeRow<'v>, AgeColumn, AGE_COLUMNS,
    |view, _| super::zram_areas(view).map(|areas| areas.iter().flat_map(age_rows).collect())
);

/// An age class on an area.
pub(super) struct AgeRow<'v> {
    area: &'v Name,
    age: &'static str,
    slots: u64,
    all: u64,
    page: u64,
}

/// Definition of the table.
pub const AGES: Spec = Spec::for_table::<ClusterAgesTable>("cluster_ages", "Stored by age", "age")
    .shown_by("clusters")
    .about("Pages that the zram device of each area stores, by time since the last access")
    .shows("name,age,stored,share")
    .needs(super::STORED_PARTS);

fn age_rows<'v>(zram: &Zram<'v>) -> Vec<AgeRow<'v>> {
    let (area, page) = (zram.area, zram.page);
    let Some(ages) = &zram.map.ages else { return Vec::new() };
    let all = ages.slots.iter().sum();
    let row = |(age, slots)| AgeRow { area, age, slots, all, page };
    clusters::by_age(ages).map(row).collect()
}

static AGE_COLUMNS: &[AgeColumn] = &[
    AgeColumn::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    AgeColumn::text("age", "AGE", |row| row.age.into())
        .says("Time since the last access, or since the page was stored.", BLOCKS),
    AgeColumn::bytes("stored", "STORED", |row| Bytes(row.slots.saturating_mul(row.page)).into())
        .says("Size of the pages of this age before compression.", BLOCKS),
    AgeColumn::share("share", "SHARE", |row| {
        super::share_of(row.slots, row.all, "the device stores no page with a known age").into()
    })
    .says("Share of the pages with a known access time; written-back pages have none.", BLOCKS),
];
