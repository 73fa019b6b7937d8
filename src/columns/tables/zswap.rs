//! `zswap`: the compressed cache in front of swap areas.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::compression::{self, ZswapRatio};
use crate::derive::view::Change;
use crate::model::zswap::Zswap as Facts;
use crate::model::{Bytes, Part, PartSet, Reading};

/// The table.
pub struct Zswap;

/// zswap with the figures that follow.
pub struct Row<'v> {
    view: View<'v>,
    derived: ZswapRatio,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "zswap",
    title: "zswap",
    about: "Whether zswap is on, what it holds in how much memory, and what it had to turn away",
    style: Style::Record,
    default: &[
        "enabled",
        "compressor",
        "pool",
        "limit",
        "fill",
        "stored",
        "ratio",
        "shrinker",
        "pool_limit_hit",
        "written_back",
    ],
    with_two: &["in_rate", "out_rate", "writeback_rate"],
    key: "enabled",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Meminfo, Part::Zswap]),
    infos: spec::infos::<Zswap>,
    cells: spec::cells::<Zswap>,
};

const VMSTAT: PartSet = PartSet::of(&[Part::Vmstat]);

impl Table for Zswap {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        Reading::Known(vec![Row { view: *view, derived: compression::zswap(view.now) }])
    }
}

impl Row<'_> {
    fn fact<T: Clone>(&self, fact: impl Fn(&Facts) -> &Reading<T>) -> Reading<T> {
        self.view.now.zswap.reading.as_ref().and_then(|zswap| fact(zswap).clone())
    }

    fn debug(&self, name: &str) -> Reading<u64> {
        let zswap = self.view.now.zswap.reading.as_ref();
        zswap.and_then(|zswap| zswap.debug.as_ref().and_then(|debug| debug.get(name)))
    }

    fn rate(&self, name: &str) -> Reading<f64> {
        self.view.vmstat_change(name).map(Change::per_second)
    }
}

const PARAMETERS: &str = "/sys/module/zswap/parameters";
const DEBUG: &str = "/sys/kernel/debug/zswap";
const BOTH: &str = "/proc/meminfo, /sys/kernel/debug/zswap";

/// A counter of debugfs.
macro_rules! debug_column {
    ($id:literal, $head:literal, $name:literal, $help:literal $(, $since:literal)?) => {
        Column {
            info: Info::new($id, $head, Unit::Count).says($help, DEBUG)$(.since($since))?.drop(6),
            get: |row| row.debug($name).into(),
        }
    };
}

static COLUMNS: &[Column<Zswap>] = &[
    Column {
        info: Info::new("enabled", "Enabled", Unit::Flag).says(
            "Are new pages stored? Turning it off leaves stored pages where they are. Having been on once since boot turns large folio swap-in off until reboot.",
            PARAMETERS,
        ),
        get: |row| row.fact(|zswap| &zswap.enabled).into(),
    },
    Column {
        info: Info::new("compressor", "Compressor", Unit::Text).drop(5)
            .says("The compression algorithm for new pages.", PARAMETERS),
        get: |row| row.fact(|zswap| &zswap.compressor).into(),
    },
    Column {
        info: Info::new("zpool", "Allocator", Unit::Text).drop(7)
            .says("The allocator behind the pool; only zsmalloc is left from 6.18 on, and the file is gone.", PARAMETERS),
        get: |row| row.fact(|zswap| &zswap.zpool).into(),
    },
    Column {
        info: Info::new("pool", "Pool", Unit::Bytes)
            .says("Memory that the compressed pages take: Zswap, or pool_total_size before 6.1.", BOTH),
        get: |row| row.derived.pool.clone().into(),
    },
    Column {
        info: Info::new("limit", "Limit", Unit::Bytes).drop(4)
            .says("The most the pool may take: max_pool_percent of MemTotal.", "/sys/module/zswap/parameters, /proc/meminfo"),
        get: |row| row.derived.limit.clone().into(),
    },
    Column {
        info: Info::new("max_pool_percent", "Limit %", Unit::Count).drop(7)
            .says("The most the pool may take, in percent of memory.", PARAMETERS),
        get: |row| row.fact(|zswap| &zswap.max_pool_percent).into(),
    },
    Column {
        info: Info::new("fill", "Filled", Unit::Share).drop(2).says("Pool against limit.", BOTH),
        get: |row| row.derived.fill.clone().into(),
    },
    Column {
        info: Info::new("stored", "Stored", Unit::Bytes).says(
            "Size of the stored pages before compression: Zswapped, or stored_pages before 6.1. Each of them still owns a slot of a swap area.",
            BOTH,
        ),
        get: |row| row.derived.stored.clone().into(),
    },
    Column {
        info: Info::new("ratio", "Ratio", Unit::Ratio)
            .says("Stored, less same-filled pages, against pool. Where the kernel keeps such pages (before 6.12) only root can tell.", BOTH),
        get: |row| row.derived.ratio.clone().into(),
    },
    Column {
        info: Info::new("accept_threshold", "Accept at %", Unit::Count).drop(7)
            .says("After the pool was full: pages are taken again once it fills less than this percentage of its limit.", PARAMETERS),
        get: |row| row.fact(|zswap| &zswap.accept_threshold_percent).into(),
    },
    Column {
        info: Info::new("shrinker", "Shrinker", Unit::Flag).drop(5)
            .says("Are cold pages written back before the pool is full?", PARAMETERS)
            .since("6.8"),
        get: |row| row.fact(|zswap| &zswap.shrinker_enabled).into(),
    },
    Column {
        info: Info::new("same_filled", "Same-filled on", Unit::Flag).drop(8)
            .says("Are same-filled pages kept without memory? Gone from 6.12 on.", PARAMETERS),
        get: |row| row.fact(|zswap| &zswap.same_filled_pages_enabled).into(),
    },
    Column {
        info: Info::new("non_same_filled", "Others on", Unit::Flag).drop(8)
            .says("Are other than same-filled pages kept? Gone from 6.12 on.", PARAMETERS)
            .since("6.1"),
        get: |row| row.fact(|zswap| &zswap.non_same_filled_pages_enabled).into(),
    },
    Column {
        info: Info::new("pool_total_size", "Pool, counted", Unit::Bytes)
            .says("Memory that the compressed pages take, as debugfs has it.", DEBUG)
            .drop(6),
        get: |row| row.debug("pool_total_size").map(Bytes).into(),
    },
    debug_column!("stored_pages", "Stored pages", "stored_pages", "Pages stored, same-filled ones included."),
    debug_column!("pool_limit_hit", "Limit hit", "pool_limit_hit", "Pages turned away because the pool was full."),
    debug_column!("written_back", "Written back", "written_back_pages", "Pages written from the pool to a swap area."),
    debug_column!("same_pages", "Same-filled", "same_filled_pages", "Same-filled pages stored; gone from 6.12 on."),
    debug_column!("incompressible", "Incompressible", "stored_incompressible_pages", "Pages stored as they are because they do not compress.", "6.18"),
    debug_column!("duplicate_entry", "Duplicates", "duplicate_entry", "Pages stored again in a slot whose old data was still there; gone from 6.12 on."),
    debug_column!("reject_reclaim_fail", "No reclaim", "reject_reclaim_fail", "Pages turned away because nothing could be written back."),
    debug_column!("reject_alloc_fail", "No memory", "reject_alloc_fail", "Pages turned away for want of memory for the data."),
    debug_column!("reject_kmemcache_fail", "No entry", "reject_kmemcache_fail", "Pages turned away for want of memory for the entry."),
    debug_column!("reject_compress_poor", "Poor ratio", "reject_compress_poor", "Pages turned away because they compress too little."),
    debug_column!("reject_compress_fail", "Failed compr.", "reject_compress_fail", "Pages turned away because compression failed.", "6.12"),
    debug_column!("decompress_fail", "Failed decompr.", "decompress_fail", "Pages that could not be decompressed.", "6.18"),
    Column {
        info: Info::new("in_rate", "In, pages/s", Unit::PerSecond)
            .says("Pages taken out of the pool by faults: zswpin.", "/proc/vmstat")
            .needs(VMSTAT)
            .two()
            .since("5.19"),
        get: |row| row.rate("zswpin").into(),
    },
    Column {
        info: Info::new("out_rate", "Out, pages/s", Unit::PerSecond)
            .says("Pages put into the pool: zswpout.", "/proc/vmstat")
            .needs(VMSTAT)
            .two()
            .since("5.19"),
        get: |row| row.rate("zswpout").into(),
    },
    Column {
        info: Info::new("writeback_rate", "Back, pages/s", Unit::PerSecond)
            .says("Pages written from the pool to a swap area: zswpwb.", "/proc/vmstat")
            .needs(VMSTAT)
            .two()
            .since("6.8"),
        get: |row| row.rate("zswpwb").into(),
    },
];
