//! `cluster_fill`: the clusters of each area by how far they are taken.

use super::{Area, KCORE, VIEWS, known};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::{View, clusters};
use crate::model::{Name, Reading};

/// The table.
pub(super) struct Fill;

/// Clusters of an area that are taken up to so much.
pub(super) struct Row<'v> {
    area: &'v Name,
    filled: clusters::Filled,
    /// Of all clusters, where what looks free is free.
    all: Reading<usize>,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "cluster_fill",
    title: "Clusters by use",
    about: "The clusters of each area by how far they are taken",
    style: Style::Rows,
    default: &["name", "filled", "clusters", "share"],
    with_two: &[],
    key: "filled",
    sort: None,
    only: None,
    tree: None,
    needs: VIEWS,
    infos: spec::infos::<Fill>,
    cells: spec::cells::<Fill>,
};

impl Table for Fill {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        known(view).map(|areas| {
            let of = |area: Area<'v>| {
                let all = clusters::enough(area.map, area.page).map(|map| map.clusters.len());
                let filled = clusters::filled(area.map).into_iter();
                filled.map(move |filled| Row { area: area.name, filled, all: all.clone() })
            };
            areas.into_iter().flat_map(of).collect()
        })
    }
}

static COLUMNS: &[Column<Fill>] = &[
    Column {
        info: Info::new("name", "NAME", Unit::Text).says("The area.", "/proc/swaps"),
        get: |row| row.area.clone().into(),
    },
    Column {
        info: Info::new("filled", "TAKEN", Unit::Text)
            .says("How much of a cluster is taken.", KCORE),
        get: |row| row.filled.word.into(),
    },
    Column {
        info: Info::new("clusters", "CLUSTERS", Unit::Count).says(
            "Clusters of which so much is taken; not known where FREE of the area is not.",
            KCORE,
        ),
        get: |row| row.all.clone().map(|_| row.filled.clusters).into(),
    },
    Column {
        info: Info::new("share", "SHARE", Unit::Share)
            .says("Their part of all clusters of the area.", KCORE),
        get: |row| {
            let share = row.all.clone().and_then(|all| match all {
                0 => Reading::absent("the area has no clusters"),
                all => Reading::Known(row.filled.clusters as f64 / all as f64),
            });
            share.into()
        },
    },
];
