//! `paging`: what goes in and out, and what reclaim does.

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::traffic::{self, ReclaimKind, Direction};
use crate::derive::view::CounterChange;
use crate::model::{Bytes, Pages, Part, PartSet, Reading};

/// The table.
pub struct PagingTable;

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<PagingTable>("paging", "Paging", "in_rate")
    .about("Pages swapped in and out by every road, major faults, and how reclaim keeps up")
    .shows(&[
        "in_rate",
        "out_rate",
        "device_in",
        "device_out",
        "major_faults",
        "scan_kswapd",
        "scan_direct",
        "efficiency",
        "direct_share",
        "refaults",
        "stalls",
    ])
    .record()
    .needs(PartSet::from_parts(&[Part::Vmstat]));

impl Table for PagingTable {
    type Row<'v> = SampleView<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<SampleView<'v>>> {
        Reading::Known(vec![*view])
    }
}

fn rate(view: &SampleView<'_>, name: &str) -> Reading<f64> {
    view.vmstat_change(name).map(CounterChange::per_second)
}

fn bytes(view: &SampleView<'_>, pages: Reading<f64>) -> Reading<f64> {
    pages.map2(view.now.page_size.clone(), |pages, size| pages * size as f64)
}

fn since_boot(view: &SampleView<'_>, way: Direction) -> Reading<Bytes> {
    let pages = traffic::pages_since_boot(view, way).map(Pages);
    pages.map2(view.now.page_size.clone(), Pages::bytes)
}

const VMSTAT: &str = "/proc/vmstat";

/// One counter of vmstat as pages or events in a second.
macro_rules! rate_column {
    ($id:literal, $head:literal, $drop:literal, $name:literal, $help:literal $(, $since:literal)?) => {
        Column::per_second($id, $head, |view| rate(view, $name).into())
            .says($help, VMSTAT)$(.since($since))?
            .two()
            .drop($drop)
    };
}

/// One counter of pages as bytes in a second.
macro_rules! bytes_column {
    ($id:literal, $head:literal, $drop:literal, $name:literal, $help:literal $(, $since:literal)?) => {
        Column::bytes_per_second($id, $head, |view| bytes(view, rate(view, $name)).into())
            .says($help, VMSTAT)$(.since($since))?
            .two()
            .drop($drop)
    };
}

/// One counter since boot, under the kernel's own name.
macro_rules! total_column {
    ($id:literal, $head:literal, $help:literal $(, $since:literal)?) => {
        Column::count($id, $head, |view| view.now.counter($id).into())
            .says($help, VMSTAT)$(.since($since))?
            .drop(9)
    };
}

type Column = spec::Column<PagingTable>;

static COLUMNS: &[Column] = &[
    Column::bytes_per_second("in_rate", "IN/s", |view| {
        bytes(view, traffic::pages_per_second(view, Direction::In)).into()
    })
    .says("Swapped in by every road: pswpin, zswpin and swpin_zero, as far as this kernel counts them.", VMSTAT)
    .two(),
    Column::bytes_per_second("out_rate", "OUT/s", |view| {
        bytes(view, traffic::pages_per_second(view, Direction::Out)).into()
    })
    .says("Swapped out by every road: pswpout, zswpout and swpout_zero, less zswpwb (which is in two of them), as far as this kernel counts them. On 6.1 pages written back from zswap count twice.", VMSTAT)
    .two(),
    bytes_column!("device_in", "DEVIN/s", 1, "pswpin", "Read from swap devices, zram included: pswpin."),
    bytes_column!("device_out", "DEVOUT/s", 1, "pswpout", "Written to swap devices, zram included: pswpout."),
    bytes_column!("zswap_in", "ZSWIN/s", 5, "zswpin", "Taken out of zswap: zswpin.", "5.19"),
    bytes_column!("zswap_out", "ZSWOUT/s", 5, "zswpout", "Put into zswap: zswpout.", "5.19"),
    bytes_column!("zswap_back", "ZSWWB/s", 6, "zswpwb", "Written from zswap to a device: zswpwb.", "6.8"),
    bytes_column!("zero_in", "ZEROIN/s", 6, "swpin_zero", "Zero-filled pages made anew, without I/O: swpin_zero.", "6.12"),
    bytes_column!("zero_out", "ZEROOUT/s", 6, "swpout_zero", "Zero-filled pages noted, without I/O: swpout_zero.", "6.12"),
    rate_column!("io_in", "IOIN/s", 8, "nrswpin", "Swap reads submitted, of one or more pages: nrswpin.", "7.3"),
    rate_column!("io_out", "IOOUT/s", 8, "nrswpout", "Swap writes submitted, of one or more pages: nrswpout.", "7.3"),
    rate_column!("major_faults", "MAJFLT/s", 2, "pgmajfault", "Faults that waited for a device, file pages included: pgmajfault."),
    rate_column!("scan_kswapd", "KSWAPD/s", 4, "pgscan_kswapd", "Pages that kswapd looked at: pgscan_kswapd."),
    rate_column!("scan_direct", "DIRECT/s", 3, "pgscan_direct", "Pages that tasks had to look at themselves: pgscan_direct."),
    rate_column!("steal_kswapd", "KSTEAL/s", 7, "pgsteal_kswapd", "Pages that kswapd reclaimed: pgsteal_kswapd."),
    rate_column!("steal_direct", "DSTEAL/s", 7, "pgsteal_direct", "Pages that tasks reclaimed themselves: pgsteal_direct."),
    Column::share("efficiency", "KEFF%", |view| traffic::efficiency(view, "kswapd").into())
        .says("Pages that kswapd reclaimed against pages it looked at.", VMSTAT)
        .two()
        .drop(4),
    Column::share("direct_efficiency", "DEFF%", |view| traffic::efficiency(view, "direct").into())
        .says("Pages that tasks reclaimed themselves against pages they looked at.", VMSTAT)
        .two()
        .drop(8),
    Column::share("direct_share", "DIRECT%", |view| {
        traffic::reclaim_share(view, ReclaimKind::Direct).into()
    })
    .says("The part of reclaimed pages that tasks had to reclaim themselves: they waited for it.", VMSTAT)
    .two()
    .drop(3),
    Column::share("kswapd_share", "KSWAPD%", |view| {
        traffic::reclaim_share(view, ReclaimKind::Kswapd).into()
    })
    .says("The part of reclaimed pages that kswapd reclaimed, for which no task waited.", VMSTAT)
    .two()
    .drop(9),
    Column::per_second("steal_cgroups", "CGSTEAL/s", |view| {
        traffic::reclaimed_in_cgroups(view).into()
    })
    .says("Pages reclaimed in control groups at limits of their own: pgsteal_anon and pgsteal_file less pgsteal_kswapd, pgsteal_direct and pgsteal_khugepaged, which leave those out.", VMSTAT)
    .two()
    .drop(9),
    Column::text("reclaimer", "RECLAIMER", |view| {
        traffic::reclaimer(view).map(traffic::Reclaimer::words).into()
    })
    .says("Who has to free memory: control groups, if 90% of the pages are reclaimed at limits of theirs; else tasks, if they reclaim any themselves; else kswapd. Missing when nothing is reclaimed.", VMSTAT)
    .two()
    .drop(9),
    rate_column!("refaults", "REFLT/s", 3, "workingset_refault_anon", "Swapped-in pages that had been pushed out not long before: workingset_refault_anon."),
    rate_column!("refaults_file", "FREFLT/s", 7, "workingset_refault_file", "The same for pages of files: workingset_refault_file."),
    rate_column!("restores_file", "FRESTO/s", 8, "workingset_restore_file", "Those of them that were in use before they were dropped, which pages that are read once are not: workingset_restore_file."),
    Column::per_second("stalls", "STALL/s", |view| {
        let stalls =
            view.change(|snapshot| &snapshot.vmstat, |vmstat| vmstat.sum_with_prefix("allocstall_"));
        stalls.map(CounterChange::per_second).into()
    })
    .says("Allocations that had to wait for reclaim: the sum of allocstall_*.", VMSTAT)
    .two()
    .drop(5),
    rate_column!("oom_kills", "OOM/s", 8, "oom_kill", "Processes killed for want of memory: oom_kill."),
    total_column!("pswpin", "PSWPIN", "Pages read from swap devices since boot."),
    total_column!("pswpout", "PSWPOUT", "Pages written to swap devices since boot."),
    total_column!("zswpin", "ZSWPIN", "Pages taken out of zswap since boot.", "5.19"),
    total_column!("zswpout", "ZSWPOUT", "Pages put into zswap since boot.", "5.19"),
    total_column!("zswpwb", "ZSWPWB", "Pages written from zswap to a device since boot.", "6.8"),
    total_column!("swpin_zero", "SWPIN0", "Zero-filled pages swapped in since boot.", "6.12"),
    total_column!("swpout_zero", "SWPOUT0", "Zero-filled pages swapped out since boot.", "6.12"),
    total_column!("pgmajfault", "PGMAJFAULT", "Major faults since boot."),
    total_column!("oom_kill", "OOM-KILL", "Processes killed for want of memory since boot."),
    Column::bytes("in_boot", "IN", |view| since_boot(view, Direction::In).into())
        .says("Swapped in by every road since boot.", VMSTAT)
        .drop(9),
    Column::bytes("out_boot", "OUT", |view| since_boot(view, Direction::Out).into())
        .says("Swapped out by every road since boot.", VMSTAT)
        .drop(9),
];

column_ids! { id: PagingTable, SPEC;
    DIRECT_EFFICIENCY DIRECT_SHARE EFFICIENCY IN_BOOT IN_RATE KSWAPD_SHARE MAJOR_FAULTS OOM_KILL OUT_BOOT OUT_RATE RECLAIMER REFAULTS REFAULTS_FILE SCAN_DIRECT SCAN_KSWAPD STALLS STEAL_CGROUPS
}
