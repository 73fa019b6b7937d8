//! `cluster_orders`: how many folios of each size still fit on each area; and `cluster_fill`.

use super::{Area, KCORE, VIEWS, known_areas, share_of};
use crate::columns::spec::Spec;
use crate::derive::{SampleView, clusters};
use crate::model::{Name, Reading};

table!(
    pub(super) struct ClusterOrdersTable: Row<'v>, OrderColumn, ORDER_COLUMNS,
    |view, _| order_rows(view)
);

/// A folio size on an area.
pub(super) struct Row<'v> {
    area: &'v Name,
    fit: clusters::Fit,
    before: Reading<clusters::Fit>,
}

/// Definition of the table.
pub const ORDERS: Spec =
    Spec::for_table::<ClusterOrdersTable>("cluster_orders", "Free space by folio size", "size")
        .shown_by("clusters")
        .about("How many folios of each size still fit on each area")
        .shows("name,size,clusters,fits,bound,usable_share,fragmentation")
        .with_two("clusters_change,fits_change")
        .needs(VIEWS);

fn order_rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    known_areas(view).map(|areas| {
        let of = |area: Area<'v>| {
            let fits = |map| clusters::fits(map, area.page, area.takes);
            let before = area.before.clone().map(fits);
            let row = move |(place, fit): (usize, _)| {
                let before = before.as_ref().and_then(|fits| {
                    Reading::or_absent(
                        fits.get(place).cloned(),
                        "this folio size did not exist in the earlier sample",
                    )
                });
                Row { area: area.name, fit, before }
            };
            fits(area.map).into_iter().enumerate().map(row)
        };
        areas.into_iter().flat_map(of).collect()
    })
}

impl Row<'_> {
    fn change(&self, of: impl Fn(&clusters::Fit) -> Reading<u64>) -> Reading<i64> {
        let before = self.before.clone().and_then(|fit| of(&fit));
        before.map2(of(&self.fit), clusters::growth)
    }
}

static ORDER_COLUMNS: &[OrderColumn] = &[
    OrderColumn::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    OrderColumn::count("order", "ORDER", |row| u64::from(row.fit.order).into())
        .says("Folio order: size as a power of two of pages.", KCORE),
    OrderColumn::bytes("size", "FOLIO", |row| row.fit.size.into()).says("Folio size.", KCORE),
    OrderColumn::count("clusters", "CLUSTERS", |row| row.fit.kept.clone().into())
        .says("Clusters in use for this size. The first folio in a cluster sets its size until the cluster is empty.", KCORE)
        .drop(2),
    OrderColumn::count("fits", "FIT", |row| row.fit.places.clone().into())
        .says("Folios of this size that fit: in free clusters, and in the free slots of clusters of this size, which need not be adjacent (upper bound). If the view does not show cluster sizes, only single pages and whole clusters count. Limited to the free space in /proc/swaps if the view is incomplete.", KCORE),
    OrderColumn::text("bound", "BOUND", |row| {
        let word = if row.fit.at_most { "at most" } else { "exact" };
        row.fit.places.clone().map(|_| word).into()
    })
    .says("Kind of FIT: \"exact\", or \"at most\" if free slots may not be adjacent or the view is incomplete.", KCORE)
    .drop(2),
    OrderColumn::share("usable_share", "OF_FREE", |row| row.fit.share.clone().into())
        .says("Share of the free slots that can hold folios of this size.", KCORE),
    OrderColumn::share("fragmentation", "FRAG", |row| row.fit.index().into())
        .says("Fragmentation: share of the free slots that cannot hold folios of this size.", KCORE)
        .drop(1),
    OrderColumn::integer("clusters_change", "CLUSTERS+", |row| row.change(|fit| fit.kept.clone()).into())
        .says("Change of CLUSTERS since the earlier sample.", KCORE)
        .drop(2)
        .two(),
    OrderColumn::integer("fits_change", "FIT+", |row| row.change(|fit| fit.places.clone()).into())
        .says("Change of FIT since the earlier sample.", KCORE)
        .drop(2)
        .two(),
];

column_ids! { id: ClusterOrdersTable, ORDERS;
    BOUND CLUSTERS NAME ORDER FITS USABLE_SHARE SIZE
}

table!(
    pub(super) struct ClusterFillTable: FillRow<'v>, FillColumn, FILL_COLUMNS,
    |view, _| fill_rows(view)
);

/// Clusters of an area with one fill level.
pub(super) struct FillRow<'v> {
    area: &'v Name,
    filled: clusters::FillBucket,
    /// Number of all clusters, if the view sees enough to count free ones.
    all: Reading<usize>,
}

/// Definition of the table.
pub const FILL: Spec =
    Spec::for_table::<ClusterFillTable>("cluster_fill", "Clusters by use", "fill_level")
        .shown_by("clusters")
        .about("Number of clusters of each area by fill level")
        .shows("name,fill_level,clusters,share")
        .needs(VIEWS);

fn fill_rows<'v>(view: &SampleView<'v>) -> Reading<Vec<FillRow<'v>>> {
    known_areas(view).map(|areas| {
        let of = |area: Area<'v>| {
            let all =
                clusters::if_enough_visible(area.map, area.page).map(|map| map.clusters.len());
            let filled = clusters::fill_histogram(area.map).into_iter();
            filled.map(move |filled| FillRow { area: area.name, filled, all: all.clone() })
        };
        areas.into_iter().flat_map(of).collect()
    })
}

static FILL_COLUMNS: &[FillColumn] = &[
    FillColumn::text("name", "NAME", |row| row.area.clone().into())
        .says("The area.", "/proc/swaps"),
    FillColumn::text("fill_level", "FILL", |row| row.filled.word.into())
        .says("Share of the slots of a cluster that are used.", KCORE),
    FillColumn::count("clusters", "CLUSTERS", |row| {
        row.all.clone().map(|_| row.filled.clusters).into()
    })
    .says(
        "Number of clusters with this fill level. Unknown if FREE of the area is unknown.",
        KCORE,
    ),
    FillColumn::share("share", "SHARE", |row| {
        let share = |all| share_of(row.filled.clusters, all as u64, "the area has no clusters");
        row.all.clone().and_then(share).into()
    })
    .says("Share of all clusters of the area.", KCORE),
];
