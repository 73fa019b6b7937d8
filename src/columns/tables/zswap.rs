//! `zswap`: the compressed cache in front of the swap areas.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::compression::{self, ZswapRatio};
use crate::model::zram::Zswap as Facts;
use crate::model::{Bytes, PartSet, Reading, part_set};

table!(pub struct ZswapTable: Row<'v>, Column, COLUMNS, |view, _| {
    Reading::Known(vec![Row { view: *view, derived: compression::zswap(view.now) }])
});

/// zswap with its derived figures.
pub struct Row<'v> {
    view: SampleView<'v>,
    derived: ZswapRatio,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ZswapTable>("zswap", "zswap", "enabled")
    .about("zswap: state, pool, compression ratio and rejected pages")
    .shows("enabled,compressor,pool,limit,fill,stored,ratio,shrinker,pool_limit_hit,written_back")
    .with_two("in_rate,out_rate,writeback_rate")
    .record()
    .needs(part_set![Meminfo, Zswap]);

const VMSTAT: PartSet = part_set![Vmstat];

impl Row<'_> {
    fn fact<T: Clone>(&self, fact: impl Fn(&Facts) -> &Reading<T>) -> Reading<T> {
        self.view.now.zswap.reading.as_ref().and_then(|zswap| fact(zswap).clone())
    }

    fn debug(&self, name: &str) -> Reading<u64> {
        let zswap = self.view.now.zswap.reading.as_ref();
        zswap.and_then(|zswap| zswap.debug.as_ref().and_then(|debug| debug.get(name)))
    }
}

const PARAMETERS: &str = "/sys/module/zswap/parameters";
const DEBUG: &str = "/sys/kernel/debug/zswap";
const BOTH: &str = "/proc/meminfo, /sys/kernel/debug/zswap";

/// Column of a debugfs counter.
macro_rules! debug_column {
    ($id:literal, $head:literal, $name:literal, $help:literal $(, $since:literal)?) => {
        Column::count($id, $head, |row| row.debug($name).into())
            .says($help, DEBUG)$(.since($since))?
    };
}

static COLUMNS: &[Column] = &[
    Column::flag("enabled", "Enabled", |row| row.fact(|zswap| &zswap.enabled).into())
        .says("Whether new pages are stored. Disabling keeps stored pages. Once enabled, swap-in of large folios is off until reboot.", PARAMETERS),
    Column::text("compressor", "Compressor", |row| row.fact(|zswap| &zswap.compressor).into())
        .says("Compression algorithm for new pages.", PARAMETERS)
        .drop(5),
    Column::text("zpool", "Allocator", |row| row.fact(|zswap| &zswap.zpool).into())
        .says("Allocator of the pool; since 6.18 always zsmalloc, without the file.", PARAMETERS),
    Column::bytes("pool", "Pool", |row| row.derived.pool.clone().into())
        .says("Memory used by compressed pages: Zswap, or pool_total_size before 6.1.", BOTH),
    Column::bytes("limit", "Limit", |row| row.derived.limit.clone().into())
        .says("Largest pool size: max_pool_percent of MemTotal.", "/sys/module/zswap/parameters, /proc/meminfo")
        .drop(4),
    Column::count("max_pool_percent", "Limit %", |row| {
        row.fact(|zswap| &zswap.max_pool_percent).into()
    })
    .says("Largest pool size in percent of memory.", PARAMETERS),
    Column::share("fill", "Filled", |row| row.derived.fill.clone().into())
        .says("Fill level of the pool: pool / limit.", BOTH)
        .drop(2),
    Column::bytes("stored", "Stored", |row| row.derived.stored.clone().into())
        .says("Data before compression: Zswapped, or stored_pages before 6.1. Each page also occupies a swap slot, except with virtual swap.", BOTH),
    Column::share("used_share", "Of swap", |row| {
        let front = compression::zswap_front(row.view.now);
        let front = Reading::or_absent(front, "zswap is off and empty, or not in this kernel");
        front.and_then(|front| front.share()).into()
    })
    .says("Share of the used swap whose data is in zswap instead of on the areas: stored / used swap.", BOTH),
    Column::ratio("ratio", "Ratio", |row| row.derived.ratio.clone().into())
        .says("Compression ratio: (stored - same-filled pages) / pool. Before 6.12, where the kernel stores same-filled pages, only root can read it.", BOTH),
    Column::count("accept_threshold", "Accept at %", |row| {
        row.fact(|zswap| &zswap.accept_threshold_percent).into()
    })
    .says("After the pool was full, pages are accepted again below this percentage of the limit.", PARAMETERS),
    Column::flag("shrinker", "Shrinker", |row| row.fact(|zswap| &zswap.shrinker_enabled).into())
        .says("Whether cold pages are written back before the pool is full.", PARAMETERS)
        .drop(5)
        .since("6.8"),
    Column::flag("same_filled", "Same-filled on", |row| {
        row.fact(|zswap| &zswap.same_filled_pages_enabled).into()
    })
    .says("Whether same-filled pages are stored without memory; removed in 6.12.", PARAMETERS),
    Column::flag("non_same_filled", "Others on", |row| {
        row.fact(|zswap| &zswap.non_same_filled_pages_enabled).into()
    })
    .says("Whether other pages are stored; removed in 6.12.", PARAMETERS)
    .since("6.1"),
    Column::bytes("pool_total_size", "Pool, counted", |row| {
        row.debug("pool_total_size").map(Bytes).into()
    })
    .says("Memory used by compressed pages according to debugfs.", DEBUG),
    debug_column!("stored_pages", "Stored pages", "stored_pages", "Stored pages, including same-filled ones."),
    debug_column!("pool_limit_hit", "Limit hit", "pool_limit_hit", "Pages rejected because the pool was full.").grows().drop(6),
    debug_column!("written_back", "Written back", "written_back_pages", "Pages written back from the pool to a swap area.").grows().drop(6),
    debug_column!("same_pages", "Same-filled", "same_filled_pages", "Stored same-filled pages; removed in 6.12."),
    debug_column!("incompressible", "Incompressible", "stored_incompressible_pages", "Incompressible pages, stored uncompressed.", "6.18"),
    debug_column!("duplicate_entry", "Duplicates", "duplicate_entry", "Pages stored in a slot that still had old data; removed in 6.12.").grows(),
    debug_column!("reject_reclaim_fail", "No reclaim", "reject_reclaim_fail", "Pages rejected because writeback could not free space.").grows(),
    debug_column!("reject_alloc_fail", "No memory", "reject_alloc_fail", "Pages rejected for lack of memory for the data.").grows(),
    debug_column!("reject_kmemcache_fail", "No entry", "reject_kmemcache_fail", "Pages rejected for lack of memory for the entry.").grows(),
    debug_column!("reject_compress_poor", "Poor ratio", "reject_compress_poor", "Pages rejected because they compress too little.").grows(),
    debug_column!("reject_compress_fail", "Failed compr.", "reject_compress_fail", "Pages rejected because compression failed.", "6.12").grows(),
    debug_column!("decompress_fail", "Failed decompr.", "decompress_fail", "Pages that could not be decompressed.", "6.18").grows(),
    Column::per_second("in_rate", "In, pages/s", |row| row.view.vmstat_rate("zswpin").into())
        .says("Pages loaded from the pool per second: zswpin.", "/proc/vmstat")
        .needs(VMSTAT)
        .since("5.19"),
    Column::per_second("out_rate", "Out, pages/s", |row| row.view.vmstat_rate("zswpout").into())
        .says("Pages stored in the pool per second: zswpout.", "/proc/vmstat")
        .needs(VMSTAT)
        .since("5.19"),
    Column::per_second("writeback_rate", "Writeback, pages/s", |row| row.view.vmstat_rate("zswpwb").into())
        .says("Pages written back from the pool per second: zswpwb.", "/proc/vmstat")
        .needs(VMSTAT)
        .since("6.8"),
];

column_ids! { id: ZswapTable, SPEC;
    ACCEPT_THRESHOLD COMPRESSOR ENABLED FILL IN_RATE LIMIT OUT_RATE POOL POOL_LIMIT_HIT RATIO REJECT_ALLOC_FAIL REJECT_COMPRESS_FAIL REJECT_COMPRESS_POOR REJECT_KMEMCACHE_FAIL REJECT_RECLAIM_FAIL SHRINKER STORED USED_SHARE WRITEBACK_RATE WRITTEN_BACK ZPOOL
}
