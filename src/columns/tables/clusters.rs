//! `clusters`: how the slots of each area are spread over its clusters.

mod change;
pub mod map;
mod next;
pub mod orders;
mod owners;
pub mod slots;
mod stored;

pub use map::SPEC as MAP;
pub use next::SPEC as NEXT;
pub use orders::{FILL, ORDERS};
pub use owners::SPEC as OWNERS;
pub use stored::{AGES, STORED};

use crate::columns::rows::Footnotes;
use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::clusters::{self, ClusterCounts, FolioSizes};
use crate::model::clusters::{ClusterMap, List};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Part, PartSet, Reading, zram};

/// The table.
pub struct ClustersTable;

/// An area with its clusters.
pub struct Row<'v> {
    area: &'v SwapArea,
    map: Reading<&'v ClusterMap>,
    before: Reading<&'v ClusterMap>,
    stored: Reading<&'v ClusterMap>,
    page: Reading<u64>,
    takes: FolioSizes,
}

/// All views, best first: where one tells, those after it are not read.
const VIEWS: PartSet =
    PartSet::from_parts(&[Part::Kernel, Part::Swaps, Part::Block, Part::Numa, Part::Thp, Part::Allocator])
        .with(PartSet::CLUSTERS);

/// What zram devices have stored.
const STORED_PARTS: PartSet = PartSet::from_parts(&[Part::Swaps, Part::StoredClusters]);

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ClustersTable>("clusters", "Clusters of the areas", "name")
    .per_area()
    .footnotes(FOOTNOTES)
    .about("How the slots of each area are spread over its clusters, by the best view into the kernel that there is")
    .shows(&["name", "view", "clusters", "free", "partly", "full", "largest_run", "index", "seen"])
    .with_two(&["used_change", "free_change", "begun", "emptied", "filled"])
    .needs(VIEWS);

impl Table for ClustersTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        rows(view)
    }
}

/// What is told below the table.
const FOOTNOTES: Footnotes = Footnotes {
    legend: Some(
        "INDEX: part of the free room that 64K folios cannot use; SEEN: how much of what is used this view sees; -: it does not tell",
    ),
    ..Footnotes::NONE
};

/// Each area.
fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let now = view.now;
    let row = |(place, area): (usize, &'v SwapArea)| {
        let map = clusters::best_view(now, place);
        Row {
            area,
            before: map.clone().and_then(|map| clusters::previous_map(view, place, map)),
            map,
            stored: clusters::stored_map(now, place),
            page: now.page_size.clone(),
            takes: clusters::folio_sizes(now, place),
        }
    };
    now.swaps.reading.as_ref().map(|areas| (0..).zip(areas).map(row).collect())
}

/// An area whose clusters are known.
struct Area<'v> {
    name: &'v Name,
    map: &'v ClusterMap,
    before: Reading<&'v ClusterMap>,
    stored: Reading<&'v ClusterMap>,
    page: u64,
    takes: FolioSizes,
}

/// An area that is a zram device, with what that has stored.
struct Zram<'v> {
    area: &'v Name,
    map: &'v ClusterMap,
    page: u64,
}

/// Each area whose clusters are known; the reason of the first where none is.
fn known_areas<'v>(view: &SampleView<'v>) -> Reading<Vec<Area<'v>>> {
    let page = match view.now.page_size.get() {
        Ok(page) => *page,
        Err(missing) => return missing.into(),
    };
    let rows = match rows(view).into_result() {
        Ok(rows) => rows,
        Err(missing) => return missing.into(),
    };
    let area = |row: &Row<'v>| {
        let (before, stored) = (row.before.clone(), row.stored.clone());
        let (name, takes) = (&row.area.path, row.takes);
        row.map.clone().map(|map| vec![Area { name, map, before, stored, page, takes }])
    };
    first_known(rows.iter().map(area))
}

/// Each area that is a zram device of which is known what it has stored; the reason of the first where that
/// is of none.
fn zram_areas<'v>(view: &SampleView<'v>) -> Reading<Vec<Zram<'v>>> {
    let areas = view.now.swaps.reading.as_ref().map2(view.now.page_size.clone(), |areas, page| {
        let all = (0..).zip(areas);
        let zrams = all.filter(|(_, area)| zram::device_number(&area.path).is_some());
        first_known(zrams.map(|(place, area): (usize, &SwapArea)| {
            let map = clusters::stored_map(view.now, place);
            map.map(|map| vec![Zram { area: &area.path, map, page }])
        }))
    });
    areas.and_then(|rows| rows)
}

/// The rows that each area has whose clusters are known.
fn rows_per_area<'v, T>(view: &SampleView<'v>, rows: impl Fn(&Area<'v>) -> Reading<Vec<T>>) -> Reading<Vec<T>> {
    known_areas(view).and_then(|areas| first_known(areas.iter().map(rows)))
}

/// The rows of all areas that have some; the reason of the first where none has.
fn first_known<T>(areas: impl Iterator<Item = Reading<Vec<T>>>) -> Reading<Vec<T>> {
    let (mut all, mut why, mut is_known) = (Vec::new(), None, false);
    for rows in areas {
        match rows.into_result() {
            Ok(rows) => {
                is_known = true;
                all.extend(rows);
            }
            Err(missing) => why = why.or(Some(missing)),
        }
    }
    match why {
        Some(why) if !is_known => why.into(),
        _ => Reading::Known(all),
    }
}

impl<'v> Row<'v> {
    /// The clusters where what looks free is free.
    fn enough(&self) -> Reading<&'v ClusterMap> {
        self.map.clone().map2(self.page.clone(), clusters::if_enough_visible).and_then(|map| map)
    }

    fn counts(&self) -> Reading<ClusterCounts> {
        self.enough().map(clusters::count_clusters)
    }

    fn map_value<T>(&self, fact: impl FnOnce(&ClusterMap) -> T) -> Reading<T> {
        self.map.clone().map(fact)
    }

    fn map_with_page<T>(&self, fact: impl FnOnce(&ClusterMap, u64) -> T) -> Reading<T> {
        self.map.clone().map2(self.page.clone(), fact)
    }

    /// Something of the clusters before and now.
    fn both<T>(&self, fact: impl FnOnce(&ClusterMap, &ClusterMap) -> T) -> Reading<T> {
        self.before.clone().map2(self.map.clone(), fact)
    }

    fn on(&self, list: List) -> Reading<u64> {
        self.map.clone().and_then(|map| clusters::on_list(map, list))
    }

    /// The part of the free slots that folios of 64 KiB cannot use.
    fn index(&self) -> Reading<f64> {
        let fit = self.map_with_page(|map, page| clusters::fit_for_size(map, INDEX_FOLIO, page, self.takes));
        fit.and_then(|fit| match fit {
            Some(fit) => fit.index(),
            None => Reading::absent("there are no folios of this size here"),
        })
    }
}

/// A size of folios that many kernels use.
const INDEX_FOLIO: Bytes = Bytes(64 << 10);
const KCORE: &str = "/proc/kcore with /proc/kallsyms and /sys/kernel/btf/vmlinux, /sys/kernel/debug/zram/*/block_state, or /proc/*/pagemap";
const BLOCKS: &str = "/sys/kernel/debug/zram/*/block_state";
const KERNEL: &str = "/proc/kcore with /proc/kallsyms and /sys/kernel/btf/vmlinux";

/// How many clusters are on a list of the kernel.
macro_rules! list_column {
    ($id:literal, $head:literal, $list:ident, $help:literal) => {
        Column::count($id, $head, |row| row.on(List::$list).into()).says($help, KERNEL).drop(8)
    };
}

type Column = spec::Column<ClustersTable>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.path.clone().into())
        .says("The path as the kernel resolved it.", "/proc/swaps"),
    Column::flag("deleted", "GONE", |row| row.area.deleted.into())
        .says("The kernel marks the path as deleted: another area may have the same.", "/proc/swaps")
        .drop(9),
    Column::text("view", "VIEW", |row| row.map_value(|map| clusters::view_name(map.view)).into())
        .says("Where it comes from: the kernel's own memory, what zram has stored, or the page tables of processes.", KCORE),
    Column::text("misses", "MISSES", |row| row.map_value(clusters::not_shown_by_map).into())
        .says("What this view cannot see.", KCORE)
        .drop(9),
    Column::bytes("cluster_size", "CLUSTER", |row| row.map_with_page(ClusterMap::cluster_bytes).into())
        .says("The size of a cluster: the kernel hands slots out by clusters.", KCORE)
        .drop(7),
    Column::count("clusters", "CLUSTERS", |row| row.map_value(|map| map.clusters.len() as u64).into())
        .says("How many there are.", KCORE)
        .drop(3),
    Column::count("free", "FREE", |row| row.counts().map(|counts| counts.free).into())
        .says("Clusters on which nothing is; not known where the view sees less than 95% of what is used and what it does not see is more than 1% of the area.", KCORE),
    Column::count("partly", "PARTLY", |row| row.counts().map(|counts| counts.partly).into())
        .says("Clusters of which some slots are taken; not known where FREE is not.", KCORE),
    Column::count("full", "FULL", |row| row.counts().map(|counts| counts.full).into())
        .says("Clusters of which all slots are taken; not known where FREE is not.", KCORE),
    list_column!(
        "list_free",
        "L-FREE",
        Free,
        "Clusters on the kernel's list of free ones. One that is kept for a processor may be on none."
    ),
    list_column!(
        "list_nonfull",
        "L-NONFULL",
        Nonfull,
        "Clusters with room that were not tried since a slot of them came free."
    ),
    list_column!(
        "list_frag",
        "L-FRAG",
        Frag,
        "Clusters with room that were tried or are in use. It does not mean that they are fragmented."
    ),
    list_column!("list_full", "L-FULL", Full, "Clusters without room."),
    list_column!(
        "list_discard",
        "L-DISCARD",
        Discard,
        "Clusters that the device is being told to forget."
    ),
    list_column!("list_none", "L-NONE", None, "Clusters on no list: somebody works on them."),
    Column::bytes("largest_run", "RUN", |row| {
        row.map_with_page(clusters::longest_run).and_then(|run| run).into()
    })
    .says("The longest row of clusters side by side on which nothing is; not known where FREE is not.", KCORE)
    .drop(4),
    Column::share("index", "INDEX", |row| row.index().into())
        .says("Fragmentation: the part of the free slots that cannot take folios of 64 KiB, since it lies in clusters kept for other sizes, or since the area takes single pages only, as files do. 0% is none; not known where FREE is not. Each size has its own in the table cluster_orders.", KCORE)
        .drop(2),
    Column::bytes("used", "USED", |row| {
        row.map_with_page(|map, page| Bytes(map.used().saturating_mul(page))).into()
    })
    .says("Slots that hold something, by this view.", KCORE)
    .drop(6),
    Column::share("seen", "SEEN", |row| {
        let used = row.area.used.clone();
        row.map
            .clone()
            .map2(row.page.clone(), |map, page| clusters::visible_share(map, used, page))
            .and_then(|seen| seen)
            .into()
    })
    .says("What this view sees of what /proc/swaps counts as used. The two are read one after the other: while pages come and go, it can be more than 100%.", "/proc/swaps")
    .drop(1),
    Column::text("partial", "PARTIAL", |row| {
        let partial = row.map_value(|map| map.partial.clone());
        partial
            .and_then(|partial| match partial {
                Some(why) => Reading::Known(why),
                None => Reading::absent("the view is whole"),
            })
            .into()
    })
    .says("Why the view is not whole.", KCORE)
    .drop(9),
    Column::seconds("cost", "COST", |row| row.map_value(|map| map.cost_us as f64 / 1e6).into())
        .says("Processor time that reading it took.", KCORE)
        .drop(9),
    change::USED,
    change::FREE,
    change::BEGUN,
    change::EMPTIED,
    change::FILLED,
    change::CHANGED,
    change::LIST_FREE,
    change::LIST_NONFULL,
    change::LIST_FRAG,
    change::LIST_FULL,
    change::LIST_DISCARD,
    change::LIST_NONE,
];

column_ids! { id: ClustersTable, SPEC;
    CLUSTERS CLUSTER_SIZE COST FREE FULL INDEX LARGEST_RUN LIST_DISCARD LIST_FRAG LIST_FREE LIST_FULL LIST_NONE LIST_NONFULL MISSES NAME PARTIAL PARTLY SEEN VIEW
}

#[cfg(test)]
mod tests;
