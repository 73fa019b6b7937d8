//! `cluster_ages`: what zram devices have stored, by how long ago it was accessed.

use super::{BLOCKS, Zram};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
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
pub const SPEC: Spec = Spec {
    name: "cluster_ages",
    title: "Stored by age",
    about: "What the zram device of each area has stored, by how long ago it was accessed",
    style: Style::Rows,
    default: &["name", "age", "stored", "share"],
    with_two: &[],
    key: "age",
    sort: None,
    only: None,
    tree: None,
    needs: super::STORED_PARTS,
    infos: spec::infos::<Ages>,
    cells: spec::cells::<Ages>,
};

impl Table for Ages {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

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

static COLUMNS: &[Column<Ages>] = &[
    Column {
        info: Info::new("name", "NAME", Unit::Text).says("The area.", "/proc/swaps"),
        get: |row| row.area.clone().into(),
    },
    Column {
        info: Info::new("age", "ACCESSED", Unit::Text)
            .says("How long ago the last access was, be it that it was stored.", BLOCKS),
        get: |row| row.age.into(),
    },
    Column {
        info: Info::new("stored", "STORED", Unit::Bytes)
            .says("Pages of this age, before compression.", BLOCKS),
        get: |row| Bytes(row.slots.saturating_mul(row.page)).into(),
    },
    Column {
        info: Info::new("share", "SHARE", Unit::Share).says(
            "Their part of those whose last access is known: what was written back has none.",
            BLOCKS,
        ),
        get: |row| match row.all {
            0 => Reading::<f64>::absent("nothing is stored").into(),
            all => Reading::Known(row.slots as f64 / all as f64).into(),
        },
    },
];
