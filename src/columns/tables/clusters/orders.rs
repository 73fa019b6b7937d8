//! `cluster_orders`: which sizes of folios can still be placed on each area.

use super::{Area, KCORE, VIEWS, known};
use crate::columns::spec::{self, Spec, Table};
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
pub const SPEC: Spec = Spec::of::<Orders>("cluster_orders", "Room by folio size", "size")
    .shown_by("clusters")
    .about("Which sizes of folios can still be placed on each area")
    .shows(&["name", "size", "kept", "places", "bound", "share", "index"])
    .with_two(&["kept_change", "places_change"])
    .needs(VIEWS);

impl Table for Orders {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

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

type Column = spec::Column<Orders>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    Column::count("order", "ORDER", |row| u64::from(row.fit.order).into())
        .says("The size as a power of two of pages.", KCORE)
        .drop(3),
    Column::bytes("size", "FOLIO", |row| row.fit.size.into()).says("The size of the folio.", KCORE),
    Column::count("kept", "KEPT", |row| row.fit.kept.clone().into())
        .says("Clusters in use that are kept for this size: that of the first folio which came on them, until they are empty.", KCORE)
        .drop(2),
    Column::count("places", "FIT", |row| row.fit.places.clone().into())
        .says("Folios of this size that can be placed: in free clusters, and in those kept for it as many as their free slots make. Those need not lie side by side, so it is the most. Where the view does not tell for which size clusters are kept, only single pages and whole clusters are known to fit. No more than /proc/swaps leaves free, where a view does not see all.", KCORE),
    Column::text("bound", "BOUND", |row| {
        let word = if row.fit.at_most { "at most" } else { "exact" };
        row.fit.places.clone().map(|_| word).into()
    })
    .says("What FIT is: \"exact\", or \"at most\", where free slots need not lie side by side, or the view does not see all that is on them.", KCORE)
    .drop(2),
    Column::share("share", "SHARE", |row| row.fit.share.clone().into())
        .says("The part of the free slots that can take such folios.", KCORE),
    Column::share("index", "INDEX", |row| row.fit.index().into())
        .says("Fragmentation: the part of the free slots that cannot.", KCORE)
        .drop(1),
    Column::integer("kept_change", "KEPT+", |row| row.change(|fit| fit.kept.clone()).into())
        .says("By how many more clusters are kept for this size than in the sample before.", KCORE)
        .drop(2)
        .two(),
    Column::integer("places_change", "FIT+", |row| row.change(|fit| fit.places.clone()).into())
        .says("By how many more folios of this size can be placed.", KCORE)
        .drop(2)
        .two(),
];

column_ids! { id: Orders, SPEC;
    BOUND KEPT NAME ORDER PLACES SHARE SIZE
}
