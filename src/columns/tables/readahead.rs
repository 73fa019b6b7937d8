//! `readahead`: does swap readahead pay?

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::readahead::{self, Mode, Success};
use crate::derive::swapoff;
use crate::model::{Bytes, Pages, Part, PartSet, Reading};

/// The table.
pub struct Readahead;

/// How well it did since boot and between the samples.
pub struct Row<'v> {
    view: View<'v>,
    boot: Success,
    now: Success,
    seconds: Reading<f64>,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "readahead",
    title: "Swap readahead",
    about: "Whether reading ahead from swap pays: pages read ahead, pages used, the window the kernel comes to",
    style: Style::Record,
    default: &[
        "mode",
        "page_cluster",
        "limit",
        "ahead_rate",
        "success",
        "wasted_rate",
        "of_reads",
        "window",
        "ahead_boot",
        "success_boot",
        "window_boot",
    ],
    with_two: &[],
    key: "mode",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Swaps, Part::Meminfo, Part::Vmstat, Part::Knobs, Part::Block]),
    infos: spec::infos::<Readahead>,
    cells: spec::cells::<Readahead>,
};

impl Table for Readahead {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
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

const ZRAM: PartSet = PartSet::of(&[Part::Zram]);
const VMSTAT: &str = "/proc/vmstat";
const KNOBS: &str =
    "/proc/sys/vm/page-cluster, /sys/kernel/mm/swap/vma_ra_enabled, /sys/block/*/queue/rotational";

static COLUMNS: &[Column<Readahead>] = &[
    Column {
        info: Info::new("mode", "Reads ahead", Unit::Text).drop(3).says(
            "Along the addresses of the process, along the device, or not at all. Any rotating area makes it along the device for all; memory-backed areas such as zram are mostly read without any readahead.",
            KNOBS,
        ),
        get: |row| readahead::mode(row.view.now).map(Mode::words).into(),
    },
    Column {
        info: Info::new("only_zram", "All on zram", Unit::Flag).drop(9).needs(ZRAM).says(
            "Does all that is in swap lie on zram without a backing device, or would it, while nothing is in swap? A page that one process owns is read from there alone. Up to 6.12 shared pages and tmpfs are read ahead from zram too.",
            "/proc/swaps, /sys/block/zram*/backing_dev",
        ),
        get: |row| readahead::only_zram(row.view.now).into(),
    },
    Column {
        info: Info::new("page_cluster", "page-cluster", Unit::Count).drop(6)
            .says("The setting: the largest window as a power of two.", "/proc/sys/vm/page-cluster"),
        get: |row| readahead::page_cluster(row.view.now).into(),
    },
    Column {
        info: Info::new("limit", "Window limit, pages", Unit::Count).drop(5)
            .says("The largest window: 2 to the power of page-cluster, at most 32 along addresses.", KNOBS),
        get: |row| readahead::limit(row.view.now).into(),
    },
    Column {
        info: Info::new("ahead_rate", "Read ahead, pages/s", Unit::PerSecond)
            .says("Pages read ahead between the samples: swap_ra. Unknown when a swapoff ran.", VMSTAT)
            .two(),
        get: |row| row.rate(&row.now.ahead).into(),
    },
    Column {
        info: Info::new("used_rate", "Then used, pages/s", Unit::PerSecond).drop(4)
            .says("Pages read ahead that were used between the samples: swap_ra_hit.", VMSTAT)
            .two(),
        get: |row| row.rate(&row.now.used).into(),
    },
    Column {
        info: Info::new("success", "Success", Unit::Share)
            .says("Used against read ahead, between the samples. Use comes after the read, so it can exceed 100% for a moment.", VMSTAT)
            .two(),
        get: |row| row.now.share.clone().into(),
    },
    Column {
        info: Info::new("wasted_rate", "Wasted", Unit::BytesPerSecond).drop(2)
            .says("Read ahead and not used: each such page cost a read and a page of memory.", VMSTAT)
            .two(),
        get: |row| {
            let rate = row.rate(&row.now.wasted);
            rate.map2(row.view.now.page_size.clone(), |pages, size| pages * size as f64).into()
        },
    },
    Column {
        info: Info::new("of_reads", "Of all swap reads", Unit::Share).drop(4)
            .says("Read ahead against all pages read from swap devices (pswpin). Low means that the kernel has already made the window small.", VMSTAT)
            .two(),
        get: |row| row.now.of_reads.clone().into(),
    },
    Column {
        info: Info::new("window", "Window, pages", Unit::Count)
            .says("The window at which the kernel settles at this success, by its own rule, for faults far apart.", VMSTAT)
            .two(),
        get: |row| readahead::window(row.view.now, &row.now.share).into(),
    },
    Column {
        info: Info::new("ahead_boot", "Since boot: read ahead, pages", Unit::Count).drop(9)
            .says("swap_ra. A swapoff counts into it on every kernel.", VMSTAT),
        get: |row| row.boot.ahead.clone().into(),
    },
    Column {
        info: Info::new("used_boot", "Since boot: used, pages", Unit::Count).drop(9)
            .says("swap_ra_hit. Up to 6.12 a swapoff counts into it too.", VMSTAT),
        get: |row| row.boot.used.clone().into(),
    },
    Column {
        info: Info::new("success_boot", "Since boot: success", Unit::Share).drop(8)
            .says("Used against read ahead. Worth little once a swapoff has run.", VMSTAT),
        get: |row| row.boot.share.clone().into(),
    },
    Column {
        info: Info::new("wasted_boot", "Since boot: wasted", Unit::Bytes).drop(9)
            .says("Read ahead and not used.", VMSTAT),
        get: |row| {
            let pages = row.boot.wasted.clone().map(Pages);
            pages.map2(row.view.now.page_size.clone(), Pages::bytes).map(|Bytes(bytes)| bytes).into()
        },
    },
    Column {
        info: Info::new("of_reads_boot", "Since boot: of all swap reads", Unit::Share).drop(9)
            .says("Read ahead against all pages read from swap devices.", VMSTAT),
        get: |row| row.boot.of_reads.clone().into(),
    },
    Column {
        info: Info::new("window_boot", "Since boot: window, pages", Unit::Count).drop(9)
            .says("The window at which the kernel settles at the success since boot.", VMSTAT),
        get: |row| readahead::window(row.view.now, &row.boot.share).into(),
    },
    Column {
        info: Info::new("swapoff", "A swapoff is running", Unit::Flag).drop(7).says(
            "The listed areas are larger than SwapTotal: one of them is being emptied.",
            "/proc/swaps, /proc/meminfo",
        ),
        get: |row| swapoff::under_way(row.view.now).into(),
    },
];
