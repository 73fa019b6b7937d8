//! `readahead`: does swap readahead pay?

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::readahead::{self, Mode, HitStats};
use crate::derive::swapoff;
use crate::model::{Bytes, Pages, Part, PartSet, Reading};

/// The table.
pub struct ReadaheadTable;

/// How well it did since boot and between the samples.
pub struct Row<'v> {
    view: SampleView<'v>,
    boot: HitStats,
    now: HitStats,
    seconds: Reading<f64>,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ReadaheadTable>("readahead", "Swap readahead", "mode")
    .about("Whether reading ahead from swap pays: pages read ahead, pages used, the window the kernel comes to")
    .shows(&["mode", "page_cluster", "limit", "ahead_rate", "success", "wasted_rate", "of_reads", "window", "ahead_boot", "success_boot", "window_boot"])
    .record()
    .needs(PartSet::from_parts(&[Part::Swaps, Part::Meminfo, Part::Vmstat, Part::Knobs, Part::Block]));

impl Table for ReadaheadTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        let (now, seconds) = readahead::in_window(view);
        let boot = readahead::since_boot(view.now);
        Reading::Known(vec![Row { view: *view, boot, now, seconds }])
    }
}

impl Row<'_> {
    fn rate(&self, count: &Reading<u64>) -> Reading<f64> {
        count.clone().map2(self.seconds.clone(), |count, seconds| count as f64 / seconds)
    }
}

const ZRAM: PartSet = PartSet::from_parts(&[Part::Zram]);
const VMSTAT: &str = "/proc/vmstat";
const KNOBS: &str =
    "/proc/sys/vm/page-cluster, /sys/kernel/mm/swap/vma_ra_enabled, /sys/block/*/queue/rotational";

type Column = spec::Column<ReadaheadTable>;

static COLUMNS: &[Column] = &[
    Column::text("mode", "Reads ahead", |row| {
        readahead::mode(row.view.now).map(Mode::words).into()
    })
    .says("Along the addresses of the process, along the device, or not at all. Any rotating area makes it along the device for all; memory-backed areas such as zram are mostly read without any readahead.", KNOBS)
    .drop(3),
    Column::flag("only_zram", "All on zram", |row| readahead::only_zram(row.view.now).into())
        .says("Does all that is in swap lie on zram without a backing device, or would it, while nothing is in swap? A page that one process owns is read from there alone. Up to 6.12 shared pages and tmpfs are read ahead from zram too.", "/proc/swaps, /sys/block/zram*/backing_dev")
        .drop(9)
        .needs(ZRAM),
    Column::count("page_cluster", "page-cluster", |row| {
        readahead::page_cluster(row.view.now).into()
    })
    .says("The setting: the largest window as a power of two.", "/proc/sys/vm/page-cluster")
    .drop(6),
    Column::count("limit", "Window limit, pages", |row| readahead::limit(row.view.now).into())
        .says("The largest window: 2 to the power of page-cluster, at most 32 along addresses.", KNOBS)
        .drop(5),
    Column::per_second("ahead_rate", "Read ahead, pages/s", |row| row.rate(&row.now.ahead).into())
        .says("Pages read ahead between the samples: swap_ra. Unknown when a swapoff ran.", VMSTAT)
        .two(),
    Column::per_second("used_rate", "Then used, pages/s", |row| row.rate(&row.now.used).into())
        .says("Pages read ahead that were used between the samples: swap_ra_hit.", VMSTAT)
        .drop(4)
        .two(),
    Column::share("success", "Success", |row| row.now.share.clone().into())
        .says("Used against read ahead, between the samples. Use comes after the read, so it can exceed 100% for a moment.", VMSTAT)
        .two(),
    Column::bytes_per_second("wasted_rate", "Wasted", |row| {
        let rate = row.rate(&row.now.wasted);
        rate.map2(row.view.now.page_size.clone(), |pages, size| pages * size as f64).into()
    })
    .says("Read ahead and not used: each such page cost a read and a page of memory.", VMSTAT)
    .drop(2)
    .two(),
    Column::share("of_reads", "Of all swap reads", |row| row.now.of_reads.clone().into())
        .says("Read ahead against all pages read from swap devices (pswpin). Low means that the kernel has already made the window small.", VMSTAT)
        .drop(4)
        .two(),
    Column::count("window", "Window, pages", |row| {
        readahead::window(row.view.now, &row.now.share).into()
    })
    .says("The window at which the kernel settles at this success, by its own rule, for faults far apart.", VMSTAT)
    .two(),
    Column::count("ahead_boot", "Since boot: read ahead, pages", |row| {
        row.boot.ahead.clone().into()
    })
    .says("swap_ra. A swapoff counts into it on every kernel.", VMSTAT)
    .drop(9),
    Column::count("used_boot", "Since boot: used, pages", |row| row.boot.used.clone().into())
        .says("swap_ra_hit. Up to 6.12 a swapoff counts into it too.", VMSTAT)
        .drop(9),
    Column::share("success_boot", "Since boot: success", |row| row.boot.share.clone().into())
        .says("Used against read ahead. Worth little once a swapoff has run.", VMSTAT)
        .drop(8),
    Column::bytes("wasted_boot", "Since boot: wasted", |row| {
        let pages = row.boot.wasted.clone().map(Pages);
        pages.map2(row.view.now.page_size.clone(), Pages::bytes).map(|Bytes(bytes)| bytes).into()
    })
    .says("Read ahead and not used.", VMSTAT)
    .drop(9),
    Column::share("of_reads_boot", "Since boot: of all swap reads", |row| {
        row.boot.of_reads.clone().into()
    })
    .says("Read ahead against all pages read from swap devices.", VMSTAT)
    .drop(9),
    Column::count("window_boot", "Since boot: window, pages", |row| {
        readahead::window(row.view.now, &row.boot.share).into()
    })
    .says("The window at which the kernel settles at the success since boot.", VMSTAT)
    .drop(9),
    Column::flag("swapoff", "A swapoff is running", |row| swapoff::under_way(row.view.now).into())
        .says(
            "The listed areas are larger than SwapTotal: one of them is being emptied.",
            "/proc/swaps, /proc/meminfo",
        )
        .drop(7),
];

column_ids! { id: ReadaheadTable, SPEC;
    AHEAD_BOOT AHEAD_RATE LIMIT MODE OF_READS ONLY_ZRAM PAGE_CLUSTER SUCCESS SUCCESS_BOOT SWAPOFF WASTED_RATE WINDOW
}
