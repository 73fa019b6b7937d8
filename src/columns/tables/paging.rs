//! `paging`: swap traffic, faults and reclaim.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::reclaim::{self, ReclaimKind};
use crate::derive::traffic::{self, Direction};
use crate::derive::view::CounterChange;
use crate::model::{Bytes, Pages, PartSet, Reading, part_set};

table!(
    pub struct PagingTable: SampleView<'v>, Column, COLUMNS,
    |view, _| Reading::Known(vec![*view])
);

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<PagingTable>("paging", "Paging", "in_rate")
    .about("Swap-in and swap-out rates, major faults, and reclaim activity")
    .shows("in_rate,out_rate,device_in,device_out,major_fault_rate,scan_kswapd,scan_direct,kswapd_efficiency,direct_share,refault_rate,stalls")
    .record()
    .needs(part_set![Vmstat, Kernel]);

/// Growth per second of all counters with a prefix.
fn sum_rate(view: &SampleView<'_>, prefix: &str) -> Reading<f64> {
    view.vmstat_sum_change(prefix).map(CounterChange::per_second)
}

/// Pages per request since boot.
fn per_request(view: &SampleView<'_>, pages: &str, requests: &str) -> Reading<f64> {
    view.now.counter(pages).and_then2(
        view.now.counter(requests),
        |pages, requests| match requests {
            0 => Reading::absent("there was no request since boot"),
            requests => Reading::Known(pages as f64 / requests as f64),
        },
    )
}

/// Bytes since boot of a counter of pages.
fn total_bytes(view: &SampleView<'_>, name: &str) -> Reading<Bytes> {
    view.now.counter(name).map(Pages).map2(view.now.page_size.clone(), Pages::bytes)
}

/// Sum since boot of the counters with a prefix.
fn total_sum(view: &SampleView<'_>, prefix: &str) -> Reading<u64> {
    view.now.vmstat.reading.as_ref().and_then(|vmstat| vmstat.sum_with_prefix(prefix))
}

fn since_boot(view: &SampleView<'_>, way: Direction) -> Reading<Bytes> {
    let pages = traffic::pages_since_boot(view.now, way).map(Pages);
    pages.map2(view.now.page_size.clone(), Pages::bytes)
}

const VMSTAT: &str = "/proc/vmstat";
/// Some kernels do not count the traffic of zswap.
const ZSWAP: PartSet = part_set![Zswap];

/// Column of a vmstat counter as pages or events per second.
macro_rules! rate_column {
    ($id:literal, $head:literal, $name:literal, $help:literal $(, $since:literal)?) => {
        Column::per_second($id, $head, |view| view.vmstat_rate($name).into())
            .total(|view| view.now.counter($name).into())
            .says($help, VMSTAT)$(.since($since))?
    };
}

/// Column of a page counter as bytes per second.
macro_rules! bytes_column {
    ($id:literal, $head:literal, $name:literal, $help:literal $(, $since:literal)?) => {
        Column::bytes_per_second($id, $head, |view| view.now.in_bytes(view.vmstat_rate($name)).into())
            .total(|view| total_bytes(view, $name).into())
            .says($help, VMSTAT)$(.since($since))?
    };
}

/// Column of a counter since boot, named like the counter.
macro_rules! total_column {
    ($id:literal, $head:literal, $help:literal $(, $since:literal)?) => {
        Column::counter($id, $head, |view| view.now.counter($id).into())
            .says($help, VMSTAT)$(.since($since))?
    };
}

static COLUMNS: &[Column] = &[
    Column::bytes_per_second("in_rate", "IN/s", |view| {
        view.now.in_bytes(traffic::pages_per_second(view, Direction::In)).into()
    })
    .total(|view| since_boot(view, Direction::In).into())
    .says("Bytes swapped in per second: pswpin + zswpin + swpin_zero. Missing if zswap is in use on a kernel that does not count it.", VMSTAT)
    .needs(ZSWAP),
    Column::bytes_per_second("out_rate", "OUT/s", |view| {
        view.now.in_bytes(traffic::pages_per_second(view, Direction::Out)).into()
    })
    .total(|view| since_boot(view, Direction::Out).into())
    .says("Bytes swapped out per second: pswpout + zswpout + swpout_zero - zswpwb (counted in two of them). Missing if zswap is in use on a kernel that does not count it. On 6.1 zswap writeback counts twice.", VMSTAT)
    .needs(ZSWAP),
    bytes_column!("device_in", "DEVIN/s", "pswpin", "Bytes read from swap devices per second, including zram: pswpin.").drop(1),
    bytes_column!("device_out", "DEVOUT/s", "pswpout", "Bytes written to swap devices per second, including zram: pswpout.").drop(1),
    bytes_column!("zswap_in", "ZSWIN/s", "zswpin", "Bytes loaded from zswap per second: zswpin.", "5.19"),
    bytes_column!("zswap_out", "ZSWOUT/s", "zswpout", "Bytes stored in zswap per second: zswpout.", "5.19"),
    bytes_column!("zswap_writeback", "ZSWWB/s", "zswpwb", "Bytes written back from zswap to a device per second: zswpwb.", "6.8"),
    bytes_column!("zero_in", "ZEROIN/s", "swpin_zero", "Bytes of zero-filled pages swapped in per second, without I/O: swpin_zero.", "6.12"),
    bytes_column!("zero_out", "ZEROOUT/s", "swpout_zero", "Bytes of zero-filled pages swapped out per second, without I/O: swpout_zero.", "6.12"),
    rate_column!("io_in", "IOIN/s", "nrswpin", "Swap read requests per second, of one or more pages: nrswpin.", "7.3"),
    rate_column!("io_out", "IOOUT/s", "nrswpout", "Swap write requests per second, of one or more pages: nrswpout.", "7.3"),
    rate_column!("major_fault_rate", "MAJFLT/s", "pgmajfault", "Major faults per second, file pages included: pgmajfault.").drop(2),
    rate_column!("scan_kswapd", "KSWAPD/s", "pgscan_kswapd", "Pages scanned by kswapd per second: pgscan_kswapd.").drop(4),
    rate_column!("scan_direct", "DIRECT/s", "pgscan_direct", "Pages scanned by direct reclaim per second: pgscan_direct.").drop(3),
    rate_column!("steal_kswapd", "KSTEAL/s", "pgsteal_kswapd", "Pages reclaimed by kswapd per second: pgsteal_kswapd."),
    rate_column!("steal_direct", "DSTEAL/s", "pgsteal_direct", "Pages reclaimed by direct reclaim per second: pgsteal_direct."),
    rate_column!("scan_khugepaged", "HUGESCAN/s", "pgscan_khugepaged", "Pages scanned by khugepaged per second, to make room for huge pages: pgscan_khugepaged.", "6.2"),
    rate_column!("steal_khugepaged", "HUGESTEAL/s", "pgsteal_khugepaged", "Pages reclaimed by khugepaged per second: pgsteal_khugepaged.", "6.2"),
    rate_column!("scan_proactive", "PROSCAN/s", "pgscan_proactive", "Pages scanned on request of user space per second, through memory.reclaim or a NUMA node: pgscan_proactive.", "6.18"),
    rate_column!("steal_proactive", "PROSTEAL/s", "pgsteal_proactive", "Pages reclaimed on request of user space per second: pgsteal_proactive.", "6.18"),
    Column::per_second("demotions", "DEMOTE/s", |view| sum_rate(view, "pgdemote_").into())
    .total(|view| total_sum(view, "pgdemote_").into())
    .says("Pages moved to a slower NUMA node instead of being reclaimed, per second: sum of pgdemote_*.", VMSTAT)
    .since("5.15"),
    rate_column!("promotions", "PROMOTE/s", "pgpromote_success", "Pages moved back to a faster NUMA node per second: pgpromote_success.", "5.18"),
    rate_column!("rotated_anon", "ROTANON/s", "pgrotate_anon", "Anonymous pages per second that reclaim scanned and kept: pgrotate_anon.", "7.3"),
    rate_column!("rotated_file", "ROTFILE/s", "pgrotate_file", "File pages per second that reclaim scanned and kept: pgrotate_file.", "7.3"),
    Column::share("kswapd_efficiency", "KEFF%", |view| reclaim::efficiency(view, "kswapd").into())
        .says("Efficiency of kswapd: pages reclaimed / pages scanned.", VMSTAT)
        .two()
        .drop(4),
    Column::share("direct_efficiency", "DEFF%", |view| reclaim::efficiency(view, "direct").into())
        .says("Efficiency of direct reclaim: pages reclaimed / pages scanned.", VMSTAT)
        .two(),
    Column::share("direct_share", "DIRECT%", |view| {
        reclaim::reclaim_share(view, ReclaimKind::Direct).into()
    })
    .says("Share of the pages reclaimed for the machine that direct reclaim freed, for which tasks had to wait. Since 7.2 the kernel adds direct reclaim for cgroups to it while allocstall_* grows.", VMSTAT)
    .two()
    .drop(3),
    Column::share("kswapd_share", "KSWAPD%", |view| {
        reclaim::reclaim_share(view, ReclaimKind::Kswapd).into()
    })
    .says("Share of reclaim for the whole machine done by kswapd, which stalls no task.", VMSTAT)
    .two(),
    Column::per_second("steal_cgroups", "CGSTEAL/s", |view| {
        reclaim::reclaimed_in_cgroups(view).into()
    })
    .says("Pages reclaimed for cgroups per second, at their limits or by memory.reclaim: pgsteal_anon + pgsteal_file - pgsteal_kswapd - pgsteal_direct - pgsteal_khugepaged - pgsteal_proactive. Since 7.2: pgsteal_direct if no allocation stalled (allocstall_*), otherwise missing.", VMSTAT),
    Column::text("reclaimer", "RECLAIMER", |view| {
        reclaim::reclaimer(view).map(reclaim::Reclaimer::word).into()
    })
    .says("Main reclaimer: cgroups (reclaim for cgroups, 90% of the pages or more), otherwise tasks (any direct reclaim for the machine), otherwise kswapd. Missing if none of them reclaims.", VMSTAT)
    .two(),
    rate_column!("refault_rate", "REFLT/s", "workingset_refault_anon", "Anonymous refaults per second: pages swapped in whose eviction the kernel still remembered (workingset_refault_anon).").drop(3),
    rate_column!("activations", "ACTIV/s", "workingset_activate_anon", "Anonymous refaults per second of pages that are needed as much as those in memory: workingset_activate_anon."),
    rate_column!("restores", "RESTO/s", "workingset_restore_anon", "Anonymous refaults per second of pages that were active when swapped out: workingset_restore_anon."),
    rate_column!("refault_file_rate", "FREFLT/s", "workingset_refault_file", "File refaults per second: file pages read again whose eviction the kernel still remembered (workingset_refault_file)."),
    rate_column!("restores_file", "FRESTO/s", "workingset_restore_file", "File refaults per second of pages that were active when evicted (workingset_restore_file)."),
    Column::per_second("stalls", "STALL/s", |view| sum_rate(view, "allocstall_").into())
    .total(|view| total_sum(view, "allocstall_").into())
    .says("Allocations per second that waited for reclaim: sum of allocstall_*.", VMSTAT)
    .drop(5),
    rate_column!("oom_kill_rate", "OOM/s", "oom_kill", "OOM kills per second: oom_kill."),
    total_column!("pswpin", "PSWPIN", "Pages read from swap devices since boot."),
    total_column!("pswpout", "PSWPOUT", "Pages written to swap devices since boot."),
    total_column!("zswpin", "ZSWPIN", "Pages loaded from zswap since boot.", "5.19"),
    total_column!("zswpout", "ZSWPOUT", "Pages stored in zswap since boot.", "5.19"),
    total_column!("zswpwb", "ZSWPWB", "Pages written back from zswap to a device since boot.", "6.8"),
    total_column!("swpin_zero", "SWPIN0", "Zero-filled pages swapped in since boot.", "6.12"),
    total_column!("swpout_zero", "SWPOUT0", "Zero-filled pages swapped out since boot.", "6.12"),
    total_column!("ksm_swpin_copy", "KSMCOPY", "Pages merged by KSM that were copied when swapped in, since boot.", "5.18"),
    Column::ratio("pages_per_read", "PAGES/IOIN", |view| per_request(view, "pswpin", "nrswpin").into())
        .says("Pages per swap read request since boot: pswpin / nrswpin.", VMSTAT)
        .since("7.3"),
    Column::ratio("pages_per_write", "PAGES/IOOUT", |view| per_request(view, "pswpout", "nrswpout").into())
        .says("Pages per swap write request since boot: pswpout / nrswpout.", VMSTAT)
        .since("7.3"),
    total_column!("pgmajfault", "PGMAJFAULT", "Major faults since boot."),
    total_column!("oom_kill", "OOM-KILL", "OOM kills since boot."),
    Column::bytes("in_since_boot", "IN-BOOT", |view| since_boot(view, Direction::In).into())
        .grows()
        .says("Total swapped in since boot.", VMSTAT)
        .needs(ZSWAP),
    Column::bytes("out_since_boot", "OUT-BOOT", |view| since_boot(view, Direction::Out).into())
        .grows()
        .says("Total swapped out since boot.", VMSTAT)
        .needs(ZSWAP),
];

column_ids! { id: PagingTable, SPEC;
    DIRECT_EFFICIENCY DIRECT_SHARE KSWAPD_EFFICIENCY IN_SINCE_BOOT IN_RATE KSWAPD_SHARE MAJOR_FAULT_RATE OOM_KILL OUT_SINCE_BOOT OUT_RATE RECLAIMER REFAULT_RATE REFAULT_FILE_RATE SCAN_DIRECT SCAN_KSWAPD STALLS STEAL_CGROUPS
}
