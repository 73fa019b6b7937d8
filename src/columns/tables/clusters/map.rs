//! `cluster_map`: the clusters of each area from its beginning to its end, combined into cells.

use super::{Area, BLOCKS, KCORE, VIEWS, known_areas};
use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::clusters::{self, Marks};
use crate::model::{Bytes, Name, Reading};

table!(pub struct ClusterMapTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// A cell: adjacent clusters of an area.
pub struct Row<'v> {
    area: &'v Name,
    cell: clusters::MapCell,
    /// Whether the view sees enough to count free clusters.
    enough: Reading<()>,
    cluster: Bytes,
    marks: Reading<Marks>,
    now_s: u64,
}

/// Most cells for an area: a map of five lines on a narrow terminal.
const MAX_CELLS: usize = 320;

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ClusterMapTable>("cluster_map", "Cluster map", "offset")
    .shown_by("clusters")
    .about("The clusters of each area in their order on the area, combined into at most 320 cells")
    .shows("name,offset,clusters,used,free,order")
    .needs(VIEWS);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let now_s = view.now.stamp.boot_ns / 1_000_000_000;
    known_areas(view).map(|areas| {
        let of = |area: Area<'v>| {
            let cluster = area.map.cluster_bytes(area.page);
            let enough = clusters::if_enough_visible(area.map, area.page).map(|_| ());
            let row = move |cell: clusters::MapCell| {
                let own = cell.first..cell.first + cell.clusters;
                let marks = area.stored.clone();
                let marks = marks.and_then(|stored| clusters::marks(stored, area.map, own));
                Row { area: area.name, cell, enough: enough.clone(), cluster, marks, now_s }
            };
            clusters::cells(area.map, MAX_CELLS).into_iter().map(row)
        };
        areas.into_iter().flat_map(of).collect()
    })
}

impl Row<'_> {
    fn marked(&self, slots: impl FnOnce(&Marks) -> u64) -> Reading<f64> {
        let all = self.cell.slots.max(1) as f64;
        self.marks.as_ref().map(|marks| slots(marks) as f64 / all)
    }
}

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    Column::bytes("offset", "OFFSET", |row| {
        Bytes((row.cell.first as u64).saturating_mul(row.cluster.0)).into()
    })
    .says("Offset of the first cluster on the area.", KCORE),
    Column::count("clusters", "CLUSTERS", |row| (row.cell.clusters as u64).into())
        .says("Number of clusters in the cell.", KCORE)
        .drop(3),
    Column::share("used", "USED", |row| Reading::Known(row.cell.share()).into())
        .says("Share of the slots that are used, as far as the view sees them.", KCORE),
    Column::count("free", "FREE", |row| row.enough.clone().map(|()| row.cell.free as u64).into())
        .says("Empty clusters. Unknown if FREE of the area is unknown.", KCORE)
        .drop(1),
    Column::count("order", "ORDER", |row| {
        let order = row.cell.order.map(u64::from);
        Reading::or_absent(order, "no cluster is in use, or the view does not show it").into()
    })
    .says("Folio order (size as a power of two of pages) of most clusters in use.", KCORE)
    .drop(2),
    Column::share("same", "SAME", |row| row.marked(|marks| marks.same).into())
        .says("Share of the slots that zram stores as one repeated word.", BLOCKS),
    Column::share("huge", "HUGE", |row| row.marked(|marks| marks.huge).into())
        .says("Share of the slots that zram could not compress.", BLOCKS),
    Column::share("idle", "IDLE", |row| row.marked(|marks| marks.idle).into())
        .says("Share of the slots that zram marks as idle.", BLOCKS),
    Column::share("written", "WRITTEN", |row| row.marked(|marks| marks.written).into())
        .says("Share of the slots that zram wrote back to its backing device.", BLOCKS),
    Column::seconds("last_access", "LAST-ACCESS", |row| {
        let touched = row.marks.as_ref().and_then(|marks| {
            Reading::or_absent(
                marks.touched_s,
                "no page with a recorded access time is stored there",
            )
        });
        touched.map(|then| row.now_s.saturating_sub(then) as f64).into()
    })
    .says("Time since the last access of zram to one of the slots.", BLOCKS),
];

column_ids! { id: ClusterMapTable, SPEC;
    OFFSET USED
}
