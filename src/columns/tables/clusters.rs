//! `clusters`: use of the clusters of each area.

mod change;
pub mod map;
pub mod next;
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
use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::clusters::{self, ClusterCounts, FolioSizes};
use crate::model::clusters::{ClusterMap, List};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, PartSet, Reading, known, part_set, zram};

table!(pub struct ClustersTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// An area with its clusters.
pub struct Row<'v> {
    area: &'v SwapArea,
    map: Reading<&'v ClusterMap>,
    before: Reading<&'v ClusterMap>,
    stored: Reading<&'v ClusterMap>,
    page: Reading<u64>,
    takes: FolioSizes,
    view: Reading<&'static str>,
    why_not_kernel: Reading<String>,
}

/// All views, best first: later ones are read only if the earlier ones fail.
const VIEWS: PartSet =
    part_set![Kernel, Swaps, Block, Numa, Thp, Allocator].with(PartSet::CLUSTERS);

/// The parts for the pages that zram devices store.
const STORED_PARTS: PartSet = part_set![Swaps, StoredClusters];

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ClustersTable>("clusters", "Clusters of the areas", "name")
    .per_area()
    .footnotes(FOOTNOTES)
    .about("Free, partly used and full clusters of each area, from the most complete view that can be read")
    .shows("name,view,clusters,free,partly,full,largest_run,fragmentation,coverage")
    .with_two("used_change,free_change,allocated,emptied,filled")
    .needs(VIEWS);

/// Notes below the table.
const FOOTNOTES: Footnotes = Footnotes {
    legend: Some(
        "FRAG: share of the free space that 64K folios cannot use; COVERAGE: share of the used swap that this view sees; -: unknown",
    ),
    ..Footnotes::NONE
};

/// A row for each area.
fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let now = view.now;
    let sizes = clusters::folio_sizes(now);
    let row = |((place, area), takes): ((usize, &'v SwapArea), FolioSizes)| {
        let map = clusters::best_view(now, place);
        Row {
            area,
            view: map.clone().map(|map| clusters::view_word(now, map.view)),
            before: map.clone().and_then(|map| clusters::previous_map(view, place, map)),
            map,
            stored: clusters::stored_map(now, place),
            page: now.page_size.clone(),
            takes,
            why_not_kernel: clusters::why_not_kernel(now, place),
        }
    };
    now.swaps.reading.as_ref().map(|areas| (0..).zip(areas).zip(sizes).map(row).collect())
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

/// An area on a zram device, with the pages that the device stores.
struct Zram<'v> {
    area: &'v Name,
    map: &'v ClusterMap,
    page: u64,
}

/// All areas with known clusters; if there are none, the reason for the first area.
fn known_areas<'v>(view: &SampleView<'v>) -> Reading<Vec<Area<'v>>> {
    let page = known!(view.now.page_size.clone());
    let rows = known!(rows(view));
    let area = |row: &Row<'v>| {
        let (before, stored) = (row.before.clone(), row.stored.clone());
        let (name, takes) = (&row.area.path, row.takes);
        row.map.clone().map(|map| vec![Area { name, map, before, stored, page, takes }])
    };
    first_known(rows.iter().map(area))
}

/// All zram areas whose stored pages are known; if there are none, the reason for the first one.
fn zram_areas<'v>(view: &SampleView<'v>) -> Reading<Vec<Zram<'v>>> {
    view.now.swaps.reading.as_ref().and_then2(view.now.page_size.clone(), |areas, page| {
        let all = (0..).zip(areas);
        let zrams = all.filter(|(_, area)| zram::device_number(&area.path).is_some());
        first_known(zrams.map(|(place, area): (usize, &SwapArea)| {
            let map = clusters::stored_map(view.now, place);
            map.map(|map| vec![Zram { area: &area.path, map, page }])
        }))
    })
}

/// Why a map is incomplete.
fn incomplete_reason(map: &ClusterMap) -> Reading<String> {
    Reading::or_absent(map.partial.clone(), "the view is complete")
}

/// The rows of all areas with known clusters.
fn rows_per_area<'v, T>(
    view: &SampleView<'v>,
    rows: impl Fn(&Area<'v>) -> Reading<Vec<T>>,
) -> Reading<Vec<T>> {
    known_areas(view).and_then(|areas| first_known(areas.iter().map(rows)))
}

/// The rows of all sources; if none has rows, the first reason.
pub(super) fn first_known<T>(areas: impl Iterator<Item = Reading<Vec<T>>>) -> Reading<Vec<T>> {
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

/// A part divided by the whole; missing if the whole is empty.
fn share_of(part: u64, whole: u64, why_none: &'static str) -> Reading<f64> {
    match whole {
        0 => Reading::absent(why_none),
        whole => Reading::Known(part as f64 / whole as f64),
    }
}

impl<'v> Row<'v> {
    /// The cluster map, if its view sees enough to count free clusters.
    fn enough(&self) -> Reading<&'v ClusterMap> {
        self.map.clone().and_then2(self.page.clone(), clusters::if_enough_visible)
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

    /// A fact computed from the earlier and the current cluster map.
    fn both<T>(&self, fact: impl FnOnce(&ClusterMap, &ClusterMap) -> T) -> Reading<T> {
        self.before.clone().map2(self.map.clone(), fact)
    }

    fn on(&self, list: List) -> Reading<u64> {
        let on = self.map.clone().and_then(|map| clusters::on_list(map, list));
        match (on.missing(), self.why_not_kernel.known()) {
            (Some(missing), Some(why)) if self.map.known().is_some() => {
                Reading::absent(format!("{}; kernel memory: {why}", missing.why()))
            }
            _ => on,
        }
    }

    /// Share of the free slots that 64 KiB folios cannot use.
    fn index(&self) -> Reading<f64> {
        let fit = self
            .map_with_page(|map, page| clusters::fit_for_size(map, INDEX_FOLIO, page, self.takes));
        fit.and_then(|fit| match fit {
            Some(fit) => fit.index(),
            None => Reading::absent("this machine has no folios of 64 KiB"),
        })
    }
}

/// Folio size for the fragmentation column.
const INDEX_FOLIO: Bytes = Bytes(64 << 10);
const KCORE: &str = "/proc/kcore with /proc/kallsyms and /sys/kernel/btf/vmlinux, /sys/kernel/debug/zram/*/block_state, or /proc/*/pagemap";
const BLOCKS: &str = "/sys/kernel/debug/zram/*/block_state";
const KERNEL: &str = "/proc/kcore with /proc/kallsyms and /sys/kernel/btf/vmlinux";

/// Column of the number of clusters on a list of the kernel.
macro_rules! list_column {
    ($id:literal, $head:literal, $list:ident) => {
        Column::count($id, $head, |row| row.on(List::$list).into())
    };
}

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.path.clone().into())
        .says("Path of the area as the kernel resolved it.", "/proc/swaps"),
    Column::flag("deleted", "DELETED", |row| row.area.deleted.into())
        .says("Whether the kernel marks the path as deleted; another area may have the same path.", "/proc/swaps"),
    Column::text("view", "VIEW", |row| row.view.clone().into())
        .says("Source of the row: kernel memory, zram block state, page tables of processes, or the model of a simulated machine.", KCORE),
    Column::text("why_not_kernel", "WHY-NOT-KERNEL", |row| row.why_not_kernel.clone().into())
        .says("Why the row does not come from kernel memory, which shows most.", KERNEL),
    Column::text("not_covered", "NOT-COVERED", |row| row.map_value(clusters::not_shown_by_map).into())
        .says("Kinds of pages that this view cannot see.", KCORE),
    Column::bytes("cluster_size", "CLUSTER", |row| row.map_with_page(ClusterMap::cluster_bytes).into())
        .says("Size of a cluster, the unit in which the kernel allocates slots.", KCORE),
    Column::count("clusters", "CLUSTERS", |row| row.map_value(|map| map.clusters.len() as u64).into())
        .says("Number of clusters.", KCORE)
        .drop(3),
    Column::count("free", "FREE", |row| row.counts().map(|counts| counts.free).into())
        .says("Empty clusters. Unknown if the view sees less than 95% of the used swap and misses more than 1% of the area.", KCORE),
    Column::count("partly", "PARTLY", |row| row.counts().map(|counts| counts.partly).into())
        .says("Clusters with used and free slots. Unknown if FREE is unknown.", KCORE),
    Column::count("full", "FULL", |row| row.counts().map(|counts| counts.full).into())
        .says("Clusters with all slots used. Unknown if FREE is unknown.", KCORE),
    list_column!("list_free", "L-FREE", Free)
        .says("Clusters on the kernel's free list. A cluster reserved for a CPU may be on no list.", KERNEL),
    list_column!("list_nonfull", "L-NONFULL", Nonfull)
        .says("Clusters on the nonfull list: with free slots, not tried since a slot became free.", KERNEL),
    list_column!("list_frag", "L-FRAG", Frag)
        .says("Clusters on the frag list: with free slots, tried or in use. They are not necessarily fragmented.", KERNEL),
    list_column!("list_full", "L-FULL", Full)
        .says("Clusters on the full list.", KERNEL),
    list_column!("list_discard", "L-DISCARD", Discard)
        .says("Clusters on the discard list, waiting for a discard request.", KERNEL),
    list_column!("list_none", "L-NONE", None)
        .says("Clusters on no list, because they are being worked on.", KERNEL),
    Column::bytes("largest_run", "RUN", |row| {
        row.map_with_page(clusters::longest_run).and_then(|run| run).into()
    })
    .says("Longest run of adjacent free clusters. Free slots of partly used clusters do not count. Unknown if FREE is unknown.", KCORE)
    .drop(4),
    Column::share("fragmentation", "FRAG", |row| row.index().into())
        .says("Fragmentation: share of the free slots that cannot hold 64 KiB folios, because their clusters are reserved for other sizes or the area takes single pages only (files). Unknown if FREE is unknown. cluster_orders shows every size.", KCORE)
        .drop(2),
    Column::bytes("used", "USED", |row| {
        row.map_with_page(|map, page| Bytes(map.used().saturating_mul(page))).into()
    })
    .says("Used slots, as far as this view sees them.", KCORE),
    Column::share("coverage", "COVERAGE", |row| {
        let used = row.area.used.clone();
        row.map
            .clone()
            .and_then2(row.page.clone(), |map, page| clusters::visible_share(map, used, page))
            .into()
    })
    .says("Used slots that this view sees / used slots in /proc/swaps, at most 100%.", "/proc/swaps")
    .drop(1),
    Column::text("incomplete_reason", "INCOMPLETE", |row| {
        row.map.clone().and_then(incomplete_reason).into()
    })
    .says("Why the view is incomplete.", KCORE),
    Column::seconds("cpu_time", "CPU-TIME", |row| row.map_value(|map| map.cost_us as f64 / 1e6).into())
        .says("CPU time spent reading the clusters.", KCORE),
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
    CLUSTERS CLUSTER_SIZE CPU_TIME FREE FULL FRAGMENTATION LARGEST_RUN LIST_DISCARD LIST_FRAG LIST_FREE LIST_FULL LIST_NONE LIST_NONFULL NOT_COVERED NAME INCOMPLETE_REASON PARTLY COVERAGE VIEW
}

#[cfg(test)]
mod tests;
