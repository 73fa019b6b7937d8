//! `status`: the whole in one row, for streams and scripts; `swapadm status` makes a page of it.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::state::{self, Line, State};
use crate::derive::traffic::{self, Way};
use crate::derive::view::Change;
use crate::derive::{View, balance, compression, readahead};
use crate::model::{Bytes, Missing, Part, PartSet, Reading};

/// The table.
pub struct Status;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "status",
    title: "Status",
    about: "The whole in one row: state, memory, swap, traffic, pressure",
    style: Style::Record,
    default: &[
        "state",
        "swap_total",
        "swap_used",
        "use",
        "mem_available",
        "in_rate",
        "out_rate",
        "memory_some",
        "memory_full",
        "skew",
    ],
    with_two: &[],
    key: "state",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Swaps, Part::Meminfo, Part::Vmstat, Part::Psi]),
    infos: spec::infos::<Status>,
    cells: spec::cells::<Status>,
};

const ZRAM: PartSet = PartSet::of(&[Part::Zram]);

impl Table for Status {
    type Row<'v> = View<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<View<'v>>> {
        Reading::Known(vec![*view])
    }
}

fn swap_used(view: &View<'_>) -> Reading<Bytes> {
    view.now.memory("SwapTotal").map2(view.now.memory("SwapFree"), Bytes::saturating_sub)
}

fn moved(view: &View<'_>, way: Way) -> Reading<f64> {
    traffic::all(view, way).map2(view.now.page_size.clone(), |pages, size| pages * size as f64)
}

fn waited(view: &View<'_>, resource: &str, line: Line) -> Reading<f64> {
    state::stall(view, resource, line).map(|stall| stall.avg10 / 100.0)
}

/// The largest skew of any priority.
fn skew(view: &View<'_>) -> Reading<f64> {
    view.now.swaps.reading.as_ref().and_then(|areas| {
        let groups = balance::groups(areas);
        let skews = groups.iter().filter_map(|group| group.skew.known().copied());
        match skews.max_by(f64::total_cmp) {
            Some(skew) => Reading::Known(skew),
            None => Reading::absent("no priority has two areas with something on them"),
        }
    })
}

/// The sum over all zram devices that could be read; the reason if one could not.
fn zram(
    view: &View<'_>,
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

/// A pressure over the last ten seconds.
macro_rules! pressure_column {
    ($id:literal, $head:literal, $resource:literal, $line:expr, $help:literal) => {
        Column {
            info: Info::new($id, $head, Unit::Share)
                .says($help, concat!("/proc/pressure/", $resource))
                .drop(3),
            get: |view| waited(view, $resource, $line).into(),
        }
    };
}

static COLUMNS: &[Column<Status>] = &[
    Column {
        info: Info::new("state", "STATE", Unit::Text)
            .says(
                "One word: no swap, quiet, working, under pressure or thrashing; swapadm-status(8) says what each means. Missing when it is not known.",
                "/proc/swaps, /proc/vmstat, /proc/pressure/memory",
            )
            .two(),
        get: |view| {
            let state = state::state(view);
            let unknown = || Reading::<u64>::absent(state.meaning()).into();
            if state == State::Unknown { unknown() } else { state.words().into() }
        },
    },
    Column {
        info: Info::new("areas", "AREAS", Unit::Count).says("Active swap areas.", SWAPS).drop(6),
        get: |view| view.now.swaps.reading.as_ref().map(|areas| areas.len() as u64).into(),
    },
    Column {
        info: Info::new("swap_total", "SWAP", Unit::Bytes).says("SwapTotal.", MEMINFO),
        get: |view| view.now.memory("SwapTotal").into(),
    },
    Column {
        info: Info::new("swap_used", "USED", Unit::Bytes).says("SwapTotal less SwapFree.", MEMINFO),
        get: |view| swap_used(view).into(),
    },
    Column {
        info: Info::new("use", "USE%", Unit::Share)
            .says("Used against total; missing when there is no swap.", MEMINFO)
            .drop(2),
        get: |view| {
            let total = view.now.memory("SwapTotal");
            swap_used(view).map2(total, compression::quotient).and_then(|share| share).into()
        },
    },
    Column {
        info: Info::new("swap_cached", "CACHED", Unit::Bytes)
            .says("SwapCached: pages in memory that still own a slot.", MEMINFO)
            .drop(6),
        get: |view| view.now.memory("SwapCached").into(),
    },
    Column {
        info: Info::new("mem_total", "MEMORY", Unit::Bytes).says("MemTotal.", MEMINFO).drop(6),
        get: |view| view.now.memory("MemTotal").into(),
    },
    Column {
        info: Info::new("mem_available", "AVAIL", Unit::Bytes)
            .says("MemAvailable: memory that can be had without swapping.", MEMINFO)
            .drop(3),
        get: |view| view.now.memory("MemAvailable").into(),
    },
    Column {
        info: Info::new("in_rate", "IN/s", Unit::BytesPerSecond)
            .says("Swapped in by every road: devices, zswap, zero-filled pages.", VMSTAT)
            .two(),
        get: |view| moved(view, Way::In).into(),
    },
    Column {
        info: Info::new("out_rate", "OUT/s", Unit::BytesPerSecond)
            .says("Swapped out by every road: devices, zswap, zero-filled pages.", VMSTAT)
            .two(),
        get: |view| moved(view, Way::Out).into(),
    },
    Column {
        info: Info::new("major_faults", "MAJFLT/s", Unit::PerSecond)
            .says("Faults that waited for a device, file pages included: pgmajfault.", VMSTAT)
            .two()
            .drop(5),
        get: |view| view.vmstat_change("pgmajfault").map(Change::per_second).into(),
    },
    pressure_column!("memory_some", "MEM-SOME", "memory", Line::Some, "Share of the last 10 seconds in which a task waited for memory."),
    pressure_column!("memory_full", "MEM-FULL", "memory", Line::Full, "Share of the last 10 seconds in which no task could go on for want of memory."),
    pressure_column!("io_some", "IO-SOME", "io", Line::Some, "Share of the last 10 seconds in which a task waited for I/O."),
    pressure_column!("io_full", "IO-FULL", "io", Line::Full, "Share of the last 10 seconds in which no task could go on for want of I/O."),
    Column {
        info: Info::new("readahead", "RA-HIT", Unit::Share)
            .says("Pages used against pages read ahead, between the samples.", VMSTAT)
            .two()
            .drop(5),
        get: |view| readahead::in_window(view).0.share.into(),
    },
    Column {
        info: Info::new("skew", "SKEW", Unit::Share)
            .says("The largest skew of any priority; swapadm-groups(8) has the definition.", SWAPS)
            .drop(4),
        get: |view| skew(view).into(),
    },
    Column {
        info: Info::new("zram_data", "ZRAM-DATA", Unit::Bytes)
            .says("Data that zram keeps compressed in memory, as it was before.", "/sys/block/zram*/mm_stat, bd_stat")
            .needs(ZRAM)
            .drop(5),
        get: |view| zram(view, |figures| figures.data.clone()).into(),
    },
    Column {
        info: Info::new("zram_memory", "ZRAM-MEM", Unit::Bytes)
            .says("Memory that zram takes for it.", "/sys/block/zram*/mm_stat")
            .needs(ZRAM)
            .drop(5),
        get: |view| zram(view, |figures| figures.memory.clone()).into(),
    },
    Column {
        info: Info::new("zswap_stored", "ZSW-DATA", Unit::Bytes)
            .says("Size of the pages in zswap before compression: Zswapped.", MEMINFO)
            .drop(5)
            .since("5.19"),
        get: |view| view.now.memory("Zswapped").into(),
    },
    Column {
        info: Info::new("zswap_pool", "ZSW-MEM", Unit::Bytes)
            .says("Memory that zswap takes for them: Zswap.", MEMINFO)
            .drop(5)
            .since("5.19"),
        get: |view| view.now.memory("Zswap").into(),
    },
];
