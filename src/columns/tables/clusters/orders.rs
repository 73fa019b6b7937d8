//! `cluster_orders`: which sizes of folios can still be placed on each area.

use super::{Area, KCORE, VIEWS, known_areas};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::{SampleView, clusters};
use crate::model::{Name, Reading};

/// The table.
pub(super) struct ClusterOrdersTable;

/// A size on an area.
pub(super) struct Row<'v> {
    area: &'v Name,
    fit: clusters::Fit,
    before: Reading<clusters::Fit>,
}

/// The table without its row type.
pub const ORDERS: Spec = Spec::for_table::<ClusterOrdersTable>("cluster_orders", "Room by folio size", "size")
    .shown_by("clusters")
    .about("Which sizes of folios can still be placed on each area")
    .shows(&["name", "size", "kept", "places", "bound", "share", "index"])
    .with_two(&["kept_change", "places_change"])
    .needs(VIEWS);

impl Table for ClusterOrdersTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [OrderColumn] = ORDER_COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        known_areas(view).map(|areas| {
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
        before.map2(of(&self.fit), clusters::growth)
    }
}

type OrderColumn = spec::Column<ClusterOrdersTable>;

static ORDER_COLUMNS: &[OrderColumn] = &[
    OrderColumn::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    OrderColumn::count("order", "ORDER", |row| u64::from(row.fit.order).into())
        .says("The size as a power of two of pages.", KCORE)
        .drop(3),
    OrderColumn::bytes("size", "FOLIO", |row| row.fit.size.into()).says("The size of the folio.", KCORE),
    OrderColumn::count("kept", "KEPT", |row| row.fit.kept.clone().into())
        .says("Clusters in use that are kept for this size: that of the first folio which came on them, until they are empty.", KCORE)
        .drop(2),
    OrderColumn::count("places", "FIT", |row| row.fit.places.clone().into())
        .says("Folios of this size that can be placed: in free clusters, and in those kept for it as many as their free slots make. Those need not lie side by side, so it is the most. Where the view does not tell for which size clusters are kept, only single pages and whole clusters are known to fit. No more than /proc/swaps leaves free, where a view does not see all.", KCORE),
    OrderColumn::text("bound", "BOUND", |row| {
        let word = if row.fit.at_most { "at most" } else { "exact" };
        row.fit.places.clone().map(|_| word).into()
    })
    .says("What FIT is: \"exact\", or \"at most\", where free slots need not lie side by side, or the view does not see all that is on them.", KCORE)
    .drop(2),
    OrderColumn::share("share", "SHARE", |row| row.fit.share.clone().into())
        .says("The part of the free slots that can take such folios.", KCORE),
    OrderColumn::share("index", "INDEX", |row| row.fit.index().into())
        .says("Fragmentation: the part of the free slots that cannot.", KCORE)
        .drop(1),
    OrderColumn::integer("kept_change", "KEPT+", |row| row.change(|fit| fit.kept.clone()).into())
        .says("By how many more clusters are kept for this size than in the sample before.", KCORE)
        .drop(2)
        .two(),
    OrderColumn::integer("places_change", "FIT+", |row| row.change(|fit| fit.places.clone()).into())
        .says("By how many more folios of this size can be placed.", KCORE)
        .drop(2)
        .two(),
];

column_ids! { id: ClusterOrdersTable, ORDERS;
    BOUND KEPT NAME ORDER PLACES SHARE SIZE
}

/// The table.
pub(super) struct ClusterFillTable;

/// Clusters of an area that are taken up to so much.
pub(super) struct FillRow<'v> {
    area: &'v Name,
    filled: clusters::FillBucket,
    /// Of all clusters, where what looks free is free.
    all: Reading<usize>,
}

/// The table without its row type.
pub const FILL: Spec = Spec::for_table::<ClusterFillTable>("cluster_fill", "Clusters by use", "filled")
    .shown_by("clusters")
    .about("The clusters of each area by how far they are taken")
    .shows(&["name", "filled", "clusters", "share"])
    .needs(VIEWS);

impl Table for ClusterFillTable {
    type Row<'v> = FillRow<'v>;
    const COLUMNS: &'static [FillColumn] = FILL_COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<FillRow<'v>>> {
        known_areas(view).map(|areas| {
            let of = |area: Area<'v>| {
                let all = clusters::if_enough_visible(area.map, area.page).map(|map| map.clusters.len());
                let filled = clusters::fill_histogram(area.map).into_iter();
                filled.map(move |filled| FillRow { area: area.name, filled, all: all.clone() })
            };
            areas.into_iter().flat_map(of).collect()
        })
    }
}

type FillColumn = spec::Column<ClusterFillTable>;

static FILL_COLUMNS: &[FillColumn] = &[
    FillColumn::text("name", "NAME", |row| row.area.clone().into())
        .says("The area.", "/proc/swaps"),
    FillColumn::text("filled", "TAKEN", |row| row.filled.word.into())
        .says("How much of a cluster is taken.", KCORE),
    FillColumn::count("clusters", "CLUSTERS", |row| {
        row.all.clone().map(|_| row.filled.clusters).into()
    })
    .says("Clusters of which so much is taken; not known where FREE of the area is not.", KCORE),
    FillColumn::share("share", "SHARE", |row| {
        let share = row.all.clone().and_then(|all| match all {
            0 => Reading::absent("the area has no clusters"),
            all => Reading::Known(row.filled.clusters as f64 / all as f64),
        });
        share.into()
    })
    .says("Their part of all clusters of the area.", KCORE),
];
