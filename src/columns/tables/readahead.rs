//! `readahead`: swap readahead and its hit rate.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::readahead::{self, HitStats, Mode};
use crate::derive::swapoff;
use crate::model::{Bytes, Pages, Reading, part_set};

table!(pub struct ReadaheadTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// Readahead since boot and between the samples.
pub struct Row<'v> {
    view: SampleView<'v>,
    boot: HitStats,
    now: HitStats,
    seconds: Reading<f64>,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ReadaheadTable>("readahead", "Swap readahead", "mode")
    .about("Swap readahead: pages read ahead, hit rate, and the resulting window")
    .shows("mode,page_cluster,window_limit,ahead_rate,hit_rate,wasted_rate,share_of_reads,window,ahead_boot,hit_rate_boot,window_boot")
    .record()
    .needs(part_set![Swaps, Meminfo, Vmstat, Knobs, Block]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let (now, seconds) = readahead::in_window(view);
    let boot = readahead::since_boot(view.now);
    Reading::Known(vec![Row { view: *view, boot, now, seconds }])
}

impl Row<'_> {
    fn rate(&self, count: &Reading<u64>) -> Reading<f64> {
        count.clone().map2(self.seconds.clone(), |count, seconds| count as f64 / seconds)
    }
}

const VMSTAT: &str = "/proc/vmstat";
const KNOBS: &str =
    "/proc/sys/vm/page-cluster, /sys/kernel/mm/swap/vma_ra_enabled, /sys/block/*/queue/rotational";

static COLUMNS: &[Column] = &[
    Column::text("mode", "Mode", |row| readahead::mode(row.view.now).map(Mode::word).into())
        .says("Readahead mode: VMA readahead (along the addresses of a process), cluster readahead (along the slots of the device), or off. One rotational area switches all areas to cluster readahead; areas in memory such as zram are mostly read without readahead.", KNOBS)
        .drop(3),
    Column::flag("only_zram", "Only zram", |row| readahead::only_zram(row.view.now).into())
        .says("Whether all used swap is on zram (or would be, if swap is empty); before 6.1, on zram without a backing device. Private pages are then read without readahead. Up to 6.12 shared pages and tmpfs are read ahead from zram too.", "/proc/swaps, /sys/block/zram*/backing_dev, /proc/sys/kernel/osrelease")
        .needs(part_set![Zram, Kernel]),
    Column::count("page_cluster", "page-cluster", |row| {
        readahead::page_cluster(row.view.now).into()
    })
    .says("Setting vm.page-cluster: largest window as a power of two of pages.", "/proc/sys/vm/page-cluster")
    .drop(6),
    Column::count("window_limit", "Window limit, pages", |row| readahead::limit(row.view.now).into())
        .says("Largest window: 2^page-cluster pages, at most 32 with VMA readahead.", KNOBS)
        .drop(5),
    Column::per_second("ahead_rate", "Read ahead, pages/s", |row| row.rate(&row.now.ahead).into())
        .total(|row| row.boot.ahead.clone().into())
        .says("Pages read ahead per second: swap_ra. Unknown if a swapoff ran.", VMSTAT),
    Column::per_second("hits_rate", "Hits, pages/s", |row| row.rate(&row.now.used).into())
        .total(|row| row.boot.used.clone().into())
        .says("Hits per second: pages read ahead that were used (swap_ra_hit).", VMSTAT),
    Column::share("hit_rate", "Hit rate", |row| row.now.share.clone().into())
        .says("Hit rate between the samples: hits / pages read ahead. Hits follow later, so it can briefly exceed 100%.", VMSTAT)
        .two(),
    Column::bytes_per_second("wasted_rate", "Wasted", |row| {
        let rate = row.rate(&row.now.wasted);
        row.view.now.in_bytes(rate).into()
    })
    .says("Data read ahead and not used; each page cost a read and a page of memory.", VMSTAT)
    .drop(2),
    Column::share("share_of_reads", "Share of swap reads", |row| row.now.of_reads.clone().into())
        .says("Pages read ahead / all pages swapped in, from devices or zswap. A low value means that the kernel has already reduced the window.", VMSTAT)
        .drop(4)
        .two(),
    Column::count("window", "Window, pages", |row| {
        readahead::window(row.view.now, &row.now.share).into()
    })
    .says("Window that the kernel's rule yields at this hit rate, for scattered faults.", VMSTAT)
    .two(),
    Column::count("ahead_boot", "Since boot: read ahead, pages", |row| {
        row.boot.ahead.clone().into()
    })
    .says("Pages read ahead since boot: swap_ra. A swapoff adds to it on every kernel.", VMSTAT)
    .drop(9),
    Column::count("hits_boot", "Since boot: hits, pages", |row| row.boot.used.clone().into())
        .says("Hits since boot: swap_ra_hit. Up to 6.12 a swapoff adds to it too.", VMSTAT),
    Column::share("hit_rate_boot", "Since boot: hit rate", |row| row.boot.share.clone().into())
        .says("Hit rate since boot: hits / pages read ahead. Not meaningful once a swapoff has run.", VMSTAT)
        .drop(8),
    Column::bytes("wasted_boot", "Since boot: wasted", |row| {
        let pages = row.boot.wasted.clone().map(Pages);
        pages.map2(row.view.now.page_size.clone(), Pages::bytes).map(|Bytes(bytes)| bytes).into()
    })
    .says("Data read ahead since boot and not used.", VMSTAT),
    Column::share("share_of_reads_boot", "Since boot: share of swap reads", |row| {
        row.boot.of_reads.clone().into()
    })
    .says("Pages read ahead / all pages swapped in since boot, from devices or zswap.", VMSTAT),
    Column::count("window_boot", "Since boot: window, pages", |row| {
        readahead::window(row.view.now, &row.boot.share).into()
    })
    .says("Window that the kernel's rule yields at the hit rate since boot.", VMSTAT)
    .drop(9),
    Column::flag("swapoff_running", "Swapoff running", |row| swapoff::under_way(row.view.now).into())
        .says(
            "Whether a swapoff is running: the listed areas are larger than SwapTotal.",
            "/proc/swaps, /proc/meminfo",
        ),
];

column_ids! { id: ReadaheadTable, SPEC;
    AHEAD_BOOT AHEAD_RATE WINDOW_LIMIT MODE SHARE_OF_READS ONLY_ZRAM PAGE_CLUSTER HIT_RATE HIT_RATE_BOOT SWAPOFF_RUNNING WASTED_RATE WINDOW
}
