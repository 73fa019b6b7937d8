//! `cluster_orders`: which sizes of folios can still be placed on each area.

use super::{Area, KCORE, VIEWS, known};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::{View, clusters};
use crate::model::{Name, Reading};

/// The table.
pub(super) struct Orders;

/// A size on an area.
pub(super) struct Row<'v> {
    area: &'v Name,
    fit: clusters::Fit,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "cluster_orders",
    title: "Room by folio size",
    about: "Which sizes of folios can still be placed on each area",
    style: Style::Rows,
    default: &["name", "size", "kept", "places", "share", "index"],
    with_two: &[],
    key: "size",
    sort: None,
    only: None,
    tree: None,
    needs: VIEWS,
    infos: spec::infos::<Orders>,
    cells: spec::cells::<Orders>,
};

impl Table for Orders {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        known(view).map(|areas| {
            let of = |area: Area<'v>| {
                let fits = clusters::fits(area.map, area.page, area.takes);
                fits.into_iter().map(move |fit| Row { area: area.name, fit })
            };
            areas.into_iter().flat_map(of).collect()
        })
    }
}

static COLUMNS: &[Column<Orders>] = &[
    Column {
        info: Info::new("name", "NAME", Unit::Text).says("The area.", "/proc/swaps"),
        get: |row| row.area.clone().into(),
    },
    Column {
        info: Info::new("order", "ORDER", Unit::Count)
            .drop(3)
            .says("The size as a power of two of pages.", KCORE),
        get: |row| u64::from(row.fit.order).into(),
    },
    Column {
        info: Info::new("size", "FOLIO", Unit::Bytes).says("The size of the folio.", KCORE),
        get: |row| row.fit.size.into(),
    },
    Column {
        info: Info::new("kept", "KEPT", Unit::Count).drop(2).says(
            "Clusters in use that are kept for this size: that of the first folio which came on them, until they are empty.",
            KCORE,
        ),
        get: |row| row.fit.kept.clone().into(),
    },
    Column {
        info: Info::new("places", "FIT", Unit::Count).says(
            "Folios of this size that can be placed: in free clusters, and in those kept for it as many as their free slots make. Those need not lie side by side, so it is the most. Where the view does not tell for which size clusters are kept, only single pages and whole clusters are known to fit.",
            KCORE,
        ),
        get: |row| row.fit.places.clone().into(),
    },
    Column {
        info: Info::new("share", "SHARE", Unit::Share)
            .says("The part of the free slots that can take such folios.", KCORE),
        get: |row| row.fit.share.clone().into(),
    },
    Column {
        info: Info::new("index", "INDEX", Unit::Share)
            .drop(1)
            .says("Fragmentation: the part of the free slots that cannot.", KCORE),
        get: |row| row.fit.index().into(),
    },
];
