//! `cluster_ages`: what zram devices have stored, by how long ago it was accessed.

use super::{BLOCKS, Zram};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::{View, clusters};
use crate::model::{Bytes, Name, Reading};

/// The table.
pub(super) struct Ages;

/// A class of age on an area.
pub(super) struct Row<'v> {
    area: &'v Name,
    age: &'static str,
    slots: u64,
    all: u64,
    page: u64,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::of::<Ages>("cluster_ages", "Stored by age", "age")
    .shown_by("clusters")
    .about("What the zram device of each area has stored, by how long ago it was accessed")
    .shows(&["name", "age", "stored", "share"])
    .needs(super::STORED_PARTS);

impl Table for Ages {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        super::zrams(view).map(|areas| areas.iter().flat_map(rows_of).collect())
    }
}

fn rows_of<'v>(zram: &Zram<'v>) -> Vec<Row<'v>> {
    let (area, page) = (zram.area, zram.page);
    let Some(ages) = &zram.map.ages else { return Vec::new() };
    let all = ages.slots.iter().sum();
    let row = |(age, slots)| Row { area, age, slots, all, page };
    clusters::by_age(ages).map(row).collect()
}

type Column = spec::Column<Ages>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    Column::text("age", "ACCESSED", |row| row.age.into())
        .says("How long ago the last access was, be it that it was stored.", BLOCKS),
    Column::bytes("stored", "STORED", |row| Bytes(row.slots.saturating_mul(row.page)).into())
        .says("Pages of this age, before compression.", BLOCKS),
    Column::share("share", "SHARE", |row| match row.all {
        0 => Reading::<f64>::absent("nothing is stored").into(),
        all => Reading::Known(row.slots as f64 / all as f64).into(),
    })
    .says(
        "Their part of those whose last access is known: what was written back has none.",
        BLOCKS,
    ),
];
