//! `cluster_map`: the clusters of each area from its beginning to its end, drawn together.

use super::{Area, KCORE, VIEWS, known};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::{View, clusters};
use crate::model::{Bytes, Name, Reading};

/// The table.
pub(super) struct Map;

/// Some clusters of an area that lie side by side.
pub(super) struct Row<'v> {
    area: &'v Name,
    cell: clusters::Cell,
    cluster: Bytes,
}

/// An area is drawn together to so many cells at most: a map of five lines on a narrow terminal.
const MOST: usize = 320;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "cluster_map",
    title: "Map of the clusters",
    about: "The clusters of each area from its beginning to its end, drawn together to at most 320 cells",
    style: Style::Rows,
    default: &["name", "offset", "clusters", "taken", "free", "order"],
    with_two: &[],
    key: "offset",
    sort: None,
    only: None,
    tree: None,
    needs: VIEWS,
    infos: spec::infos::<Map>,
    cells: spec::cells::<Map>,
};

impl Table for Map {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        known(view).map(|areas| {
            let of = |area: Area<'v>| {
                let cluster = area.map.cluster_bytes(area.page);
                let cells = clusters::cells(area.map, MOST).into_iter();
                cells.map(move |cell| Row { area: area.name, cell, cluster })
            };
            areas.into_iter().flat_map(of).collect()
        })
    }
}

static COLUMNS: &[Column<Map>] = &[
    Column {
        info: Info::new("name", "NAME", Unit::Text).says("The area.", "/proc/swaps"),
        get: |row| row.area.clone().into(),
    },
    Column {
        info: Info::new("offset", "OFFSET", Unit::Bytes)
            .says("Where on the area the first of them begins.", KCORE),
        get: |row| Bytes((row.cell.first as u64).saturating_mul(row.cluster.0)).into(),
    },
    Column {
        info: Info::new("clusters", "CLUSTERS", Unit::Count)
            .drop(3)
            .says("How many clusters lie there.", KCORE),
        get: |row| (row.cell.clusters as u64).into(),
    },
    Column {
        info: Info::new("taken", "TAKEN", Unit::Share)
            .says("The part of their slots that is taken.", KCORE),
        get: |row| Reading::Known(row.cell.share()).into(),
    },
    Column {
        info: Info::new("free", "FREE", Unit::Count)
            .drop(1)
            .says("Those of them on which nothing is.", KCORE),
        get: |row| (row.cell.free as u64).into(),
    },
    Column {
        info: Info::new("order", "ORDER", Unit::Count).drop(2).says(
            "The folio size that most of those in use are kept for, as a power of two of pages.",
            KCORE,
        ),
        get: |row| {
            let order = row.cell.order.map(u64::from);
            match order {
                Some(order) => Reading::Known(order).into(),
                None => Reading::<u64>::absent("none is in use, or the view does not tell").into(),
            }
        },
    },
];
