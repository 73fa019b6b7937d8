//! `status`: summary in one row for streams and scripts; `swapadm status` prints it as a page.

use crate::columns::spec::Spec;
use crate::derive::state::{self, AlertLevel, SwapState};
use crate::derive::traffic::{self, Direction};
use crate::derive::{SampleView, balance, compression, readahead};
use crate::model::paging::PsiLine;
use crate::model::{Bytes, Missing, PartSet, Policy, Reading, part_set};

table!(pub struct StatusTable: Row<'v>, Column, COLUMNS, |view, policy| {
    Reading::Known(vec![Row { view: *view, policy: policy.clone() }])
});

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<StatusTable>("status", "Status", "state")
    .about("Summary: state, memory, swap, traffic and pressure")
    .shows("state,swap_total,swap_used,use,mem_available,in_rate,out_rate,memory_some,memory_full,imbalance")
    .record()
    .needs(part_set![Swaps, Meminfo, Vmstat, Psi]);

const ZRAM: PartSet = part_set![Zram];
/// Some kernels do not count the traffic of zswap.
const ZSWAP: PartSet = part_set![Zswap];

/// The samples, and the thresholds of the verdicts on them.
pub struct Row<'v> {
    view: SampleView<'v>,
    policy: Policy,
}

impl<'v> std::ops::Deref for Row<'v> {
    type Target = SampleView<'v>;

    fn deref(&self) -> &SampleView<'v> {
        &self.view
    }
}

fn moved(view: &SampleView<'_>, way: Direction) -> Reading<f64> {
    view.now.in_bytes(traffic::pages_per_second(view, way))
}

fn waited(view: &SampleView<'_>, resource: &str, line: PsiLine) -> Reading<f64> {
    state::stall(view, resource, line).map(|stall| stall.avg10 / 100.0)
}

/// The largest imbalance of any priority group.
fn imbalance(view: &SampleView<'_>) -> Reading<f64> {
    view.now.swaps.reading.as_ref().and_then(|areas| {
        let groups = balance::groups(areas);
        let imbalances = groups.iter().filter_map(|group| group.imbalance.known().copied());
        Reading::or_absent(
            imbalances.max_by(f64::total_cmp),
            "no priority group has two areas with enough data",
        )
    })
}

/// The sum over all zram devices, or the reason if one could not be read.
fn zram(
    view: &SampleView<'_>,
    figure: impl Fn(&compression::ZramRatio) -> Reading<Bytes>,
) -> Reading<Bytes> {
    view.now.zram.reading.as_ref().and_then(|devices| {
        let set_up = devices.iter().filter(|device| device.initialised.known() != Some(&false));
        let figures = set_up
            .map(|device| figure(&compression::zram(device, &view.now.page_size)).into_result());
        figures.sum::<Result<Bytes, Missing>>().into()
    })
}

const SWAPS: &str = "/proc/swaps";
const MEMINFO: &str = "/proc/meminfo";
const VMSTAT: &str = "/proc/vmstat";
const ZSWAP_FILES: &str = "/proc/meminfo, /sys/kernel/debug/zswap";

/// Column of a PSI average over 10 seconds.
macro_rules! pressure_column {
    ($id:literal, $head:literal, $resource:literal, $line:expr, $help:literal) => {
        Column::share($id, $head, |view| waited(view, $resource, $line).into())
            .says($help, concat!("/proc/pressure/", $resource))
            .drop(3)
    };
}

static COLUMNS: &[Column] = &[
    Column::text("state", "STATE", |view| {
        let state = state::state(view, &view.policy);
        let unknown = || Reading::<u64>::absent(state.meaning()).into();
        if state == SwapState::Unknown { unknown() } else { state.word().into() }
    })
    .says("State: no swap, idle, swapping in, swapping out, swapping, under pressure, at cgroup limit or thrashing; see swapadm-status(8). Missing if unknown.", "/proc/swaps, /proc/vmstat, /proc/pressure/memory, memory.max, memory.high, memory.current and memory.pressure of each cgroup")
    .needs(ZSWAP.with(part_set![Cgroups, Kernel]))
    .two(),
    Column::text("severity", "SEVERITY", |view| {
        state::severity(view, &view.policy).map(AlertLevel::word).into()
    })
    .says("How bad the state is: ok, warn (PSI memory some reaches the threshold pressure_some, 10% by default) or crit (PSI memory full reaches pressure_full, 5% by default).", "/proc/pressure/memory"),
    Column::count("areas", "AREAS", |view| {
        view.now.swaps.reading.as_ref().map(|areas| areas.len() as u64).into()
    })
    .says("Number of active swap areas.", SWAPS),
    Column::bytes("swap_total", "SWAP", |view| view.now.memory("SwapTotal").into())
        .says("Total swap: SwapTotal.", MEMINFO),
    Column::bytes("swap_used", "USED", |view| view.now.used_swap().into())
        .says("Used swap: SwapTotal - SwapFree.", MEMINFO),
    Column::share("use", "USE%", |view| {
        let total = view.now.memory("SwapTotal");
        view.now.used_swap().and_then2(total, compression::quotient).into()
    })
    .says("Use: used / total. Missing without swap.", MEMINFO)
    .drop(2),
    Column::bytes("swap_cached", "CACHED", |view| view.now.memory("SwapCached").into())
        .says("Swap cache: pages in memory that still own a swap slot (SwapCached).", MEMINFO),
    Column::bytes("mem_total", "MEMORY", |view| view.now.memory("MemTotal").into())
        .says("Total memory: MemTotal.", MEMINFO),
    Column::bytes("mem_available", "AVAIL", |view| view.now.memory("MemAvailable").into())
        .says("Memory available without swapping: MemAvailable.", MEMINFO)
        .drop(3),
    Column::bytes_per_second("in_rate", "IN/s", |view| moved(view, Direction::In).into())
        .says("Total swap-in rate: devices, zswap and zero-filled pages. Missing if zswap is in use on a kernel that does not count it.", VMSTAT)
    .needs(ZSWAP),
    Column::bytes_per_second("out_rate", "OUT/s", |view| moved(view, Direction::Out).into())
        .says("Total swap-out rate: devices, zswap and zero-filled pages. Missing if zswap is in use on a kernel that does not count it.", VMSTAT)
    .needs(ZSWAP),
    Column::per_second("major_fault_rate", "MAJFLT/s", |view| {
        view.vmstat_rate("pgmajfault").into()
    })
    .says("Major faults per second, file pages included: pgmajfault.", VMSTAT),
    pressure_column!("memory_some", "MEM-SOME", "memory", PsiLine::Some, "PSI memory some: share of the last 10 seconds in which at least one task stalled."),
    pressure_column!("memory_full", "MEM-FULL", "memory", PsiLine::Full, "PSI memory full: share of the last 10 seconds in which all tasks stalled."),
    pressure_column!("io_some", "IO-SOME", "io", PsiLine::Some, "PSI io some: share of the last 10 seconds in which at least one task stalled."),
    pressure_column!("io_full", "IO-FULL", "io", PsiLine::Full, "PSI io full: share of the last 10 seconds in which all tasks stalled."),
    Column::share("readahead_hit_rate", "RA-HIT", |view| readahead::in_window(view).0.share.into())
        .says("Readahead hit rate between the samples: pages used / pages read ahead.", VMSTAT)
        .two(),
    Column::share("imbalance", "IMBALANCE", |view| imbalance(view).into())
        .says("Largest imbalance of any priority group; defined in swapadm-groups(8).", SWAPS)
        .drop(4),
    Column::count("interrupted", "INTERRUPTED", |view| {
        view.now.interrupted.reading.as_ref().map(|plans| plans.len() as u64).into()
    })
    .says(
        "Number of changes by swapadm that were interrupted since boot and not repaired; see swapadm-recover(8).",
        "/var/lib/swapadm/journal.jsonl",
    )
    .needs(part_set![Interrupted]),
    Column::bytes("zram_data", "ZRAM-DATA", |view| {
        zram(view, |figures| figures.data.clone()).into()
    })
    .says("Data in zram before compression.", "/sys/block/zram*/mm_stat, bd_stat")
    .needs(ZRAM),
    Column::bytes("zram_memory", "ZRAM-MEM", |view| {
        zram(view, |figures| figures.memory.clone()).into()
    })
    .says("Memory that zram uses for it.", "/sys/block/zram*/mm_stat")
    .needs(ZRAM),
    Column::bytes("zswap_stored", "ZSW-DATA", |view| compression::zswap(view.now).stored.into())
        .says("Data in zswap before compression: Zswapped, or stored_pages before 6.1.", ZSWAP_FILES)
        .needs(ZSWAP),
    Column::bytes("zswap_pool", "ZSW-MEM", |view| compression::zswap(view.now).pool.into())
        .says("Memory that zswap uses for it: Zswap, or pool_total_size before 6.1.", ZSWAP_FILES)
        .needs(ZSWAP),
];

column_ids! { id: StatusTable, SPEC;
    AREAS IN_RATE IO_FULL IO_SOME MEMORY_FULL MEMORY_SOME MEM_AVAILABLE OUT_RATE SEVERITY STATE SWAP_USED USE
}
