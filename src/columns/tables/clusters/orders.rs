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
    before: Reading<clusters::Fit>,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "cluster_orders",
    title: "Room by folio size",
    about: "Which sizes of folios can still be placed on each area",
    style: Style::Rows,
    default: &["name", "size", "kept", "places", "bound", "share", "index"],
    with_two: &["kept_change", "places_change"],
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
                let fits = |map| clusters::fits(map, area.page, area.takes);
                let before = area.before.clone().map(fits);
                let row = move |(place, fit): (usize, _)| {
                    let before = before.as_ref().and_then(|fits| match fits.get(place) {
                        Some(fit) => Reading::Known(fit.clone()),
                        None => Reading::absent("this size was not there before"),
                    });
                    Row { area: area.name, fit, before }
                };
                fits(area.map).into_iter().enumerate().map(row)
            };
            areas.into_iter().flat_map(of).collect()
        })
    }
}

impl Row<'_> {
    fn change(&self, of: impl Fn(&clusters::Fit) -> Reading<u64>) -> Reading<i64> {
        let before = self.before.clone().and_then(|fit| of(&fit));
        before.map2(of(&self.fit), clusters::grown)
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
            "Folios of this size that can be placed: in free clusters, and in those kept for it as many as their free slots make. Those need not lie side by side, so it is the most. Where the view does not tell for which size clusters are kept, only single pages and whole clusters are known to fit. No more than /proc/swaps leaves free, where a view does not see all.",
            KCORE,
        ),
        get: |row| row.fit.places.clone().into(),
    },
    Column {
        info: Info::new("bound", "BOUND", Unit::Text).drop(2).says(
            "What FIT is: \"exact\", or \"at most\", where free slots need not lie side by side, or the view does not see all that is on them.",
            KCORE,
        ),
        get: |row| {
            let word = if row.fit.at_most { "at most" } else { "exact" };
            row.fit.places.clone().map(|_| word).into()
        },
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
    Column {
        info: Info::new("kept_change", "KEPT+", Unit::Integer)
            .drop(2)
            .says("By how many more clusters are kept for this size than in the sample before.", KCORE)
            .two(),
        get: |row| row.change(|fit| fit.kept.clone()).into(),
    },
    Column {
        info: Info::new("places_change", "FIT+", Unit::Integer)
            .drop(2)
            .says("By how many more folios of this size can be placed.", KCORE)
            .two(),
        get: |row| row.change(|fit| fit.places.clone()).into(),
    },
];
