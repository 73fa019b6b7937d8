//! `cluster_fill`: the clusters of each area by how far they are taken.

use super::{Area, KCORE, VIEWS, known};
use crate::columns::spec::{self, Spec, Table};
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
pub const SPEC: Spec = Spec::of::<Fill>("cluster_fill", "Clusters by use", "filled")
    .shown_by("clusters")
    .about("The clusters of each area by how far they are taken")
    .shows(&["name", "filled", "clusters", "share"])
    .needs(VIEWS);

impl Table for Fill {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

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

type Column = spec::Column<Fill>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    Column::text("filled", "TAKEN", |row| row.filled.word.into())
        .says("How much of a cluster is taken.", KCORE),
    Column::count("clusters", "CLUSTERS", |row| {
        row.all.clone().map(|_| row.filled.clusters).into()
    })
    .says("Clusters of which so much is taken; not known where FREE of the area is not.", KCORE),
    Column::share("share", "SHARE", |row| {
        let share = row.all.clone().and_then(|all| match all {
            0 => Reading::absent("the area has no clusters"),
            all => Reading::Known(row.filled.clusters as f64 / all as f64),
        });
        share.into()
    })
    .says("Their part of all clusters of the area.", KCORE),
];
