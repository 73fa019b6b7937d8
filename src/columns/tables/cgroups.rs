//! `cgroups`: swap, limits and pressure of control groups.

use crate::columns::spec::{self, Spec, Table};
use crate::columns::value::{Unit, Value};
use crate::derive::view::CounterChange;
use crate::derive::{SampleView, cgroups};
use crate::model::paging::{Counters, Stall};
use crate::model::users::{Cgroup, Limit};
use crate::model::{Bytes, Name, Part, PartSet, Reading, Shared};
use std::collections::BTreeMap;

/// The table.
pub struct CgroupsTable;

/// One cgroup.
pub struct Row<'v> {
    view: SampleView<'v>,
    group: &'v Cgroup,
    /// The same one at the sample before.
    before: Option<&'v Cgroup>,
    left_out: u64,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<CgroupsTable>("cgroups", "cgroups", "path")
    .about("How much swap each control group takes, its limits, and how it waits")
    .shows(&[
        "swap",
        "swap_max",
        "memory",
        "memory_max",
        "limit_use",
        "zswap",
        "some10",
        "swap_fail",
        "path",
    ])
    .with_two(&["in_rate", "out_rate"])
    .sort("-swap,path")
    .only("swap>0", "without swap")
    .needs(PartSet::from_parts(&[Part::Cgroups]));

impl Table for CgroupsTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        let before = view.before.and_then(|before| before.cgroups.reading.known());
        let before = before.map(|tree| &*tree.groups).unwrap_or_default();
        let before: BTreeMap<&Name, &Cgroup> =
            before.iter().map(|group| (&group.path, &**group)).collect();
        view.now.cgroups.reading.as_ref().map(|tree| {
            let row = |group: &'v Shared<Cgroup>| Row {
                view: *view,
                group,
                before: before.get(&group.path).copied(),
                left_out: tree.left_out,
            };
            tree.groups.iter().map(row).collect()
        })
    }
}

impl Row<'_> {
    fn stat(&self, name: &str) -> Reading<u64> {
        self.group.stat.as_ref().and_then(|stat| with_children(stat, name))
    }

    /// What version 1 calls rss is the same as anon: transparent huge pages included, files not.
    fn anon(&self) -> Reading<Bytes> {
        match self.stat("rss") {
            Reading::Known(bytes) => Reading::Known(Bytes(bytes)),
            Reading::Missing { .. } => self.stat_bytes("anon"),
        }
    }

    fn stat_bytes(&self, name: &str) -> Reading<Bytes> {
        self.stat(name).map(Bytes)
    }

    fn event(&self, name: &str) -> Reading<u64> {
        self.group.swap_events.as_ref().and_then(|events| events.get(name))
    }

    fn stall(&self, full: bool) -> Reading<Stall> {
        let pressure = self.group.pressure.as_ref();
        pressure.and_then(|p| if full { p.full.clone() } else { p.some.clone() })
    }

    fn share(&self, full: bool, average: impl Fn(&Stall) -> f64) -> Reading<f64> {
        self.stall(full).map(|stall| average(&stall) / 100.0)
    }

    fn waited(&self, full: bool) -> Reading<f64> {
        self.stall(full).map(|stall| stall.total_us as f64 / 1e6)
    }

    /// Bytes in a second for a counter of pages in `memory.stat`.
    fn rate(&self, name: &str) -> Reading<f64> {
        let of = |group: &Cgroup| group.stat.as_ref().and_then(|stat| with_children(stat, name));
        let before = match self.before {
            Some(before) => of(before),
            None => Reading::absent("the cgroup was not there at the sample before"),
        };
        let change = self.view.change_between(|snapshot| &snapshot.cgroups, before, of(self.group));
        let rate = change.map(CounterChange::per_second);
        rate.map2(self.view.now.page_size.clone(), |pages, size| pages * size as f64)
    }
}

/// Version 1 counts a group alone, and under another name with its children; version 2 only so.
fn with_children(stat: &Counters, name: &str) -> Reading<u64> {
    match stat.get(&format!("total_{name}")) {
        Reading::Known(number) => Reading::Known(number),
        Reading::Missing { .. } => stat.get(name),
    }
}

/// A limit; none is a value too, and not a missing one.
fn limit(limit: &Reading<Limit>) -> Value {
    match limit.get() {
        Ok(Limit::Bytes(bytes)) => (*bytes).into(),
        Ok(Limit::Unlimited) => Value::Text("max".to_owned()),
        Err(missing) => Value::Missing(missing),
    }
}

const V2: &str = "memory.* (version 2)";
const BOTH: &str = "memory.swap.current, or total_swap of memory.stat on version 1";
const STAT: &str = "memory.stat";
const LIMITS: &str =
    "memory.current, memory.max, memory.high; memory.usage_in_bytes, memory.limit_in_bytes";
const PSI: &str = "memory.pressure";

/// A counter of `memory.stat`, under its own name.
macro_rules! stat_column {
    ($id:literal, $head:literal, $since:literal, $help:literal) => {
        Column::count($id, $head, |row| row.stat($id).into())
            .says($help, STAT)
            .since($since)
            .drop(9)
    };
}

/// A figure of one line of `memory.pressure`.
macro_rules! stall_column {
    ($id:literal, $head:literal, $unit:expr, $help:literal, $get:expr) => {
        Column::new($id, $head, $unit, $get).says($help, PSI).drop(9)
    };
}

type Column = spec::Column<CgroupsTable>;

static COLUMNS: &[Column] = &[
    Column::bytes("swap", "SWAP", |row| row.group.swap_current.clone().into())
        .says("Swap it takes, its children included.", BOTH),
    Column::bytes("swap_max", "SWAPMAX", |row| limit(&row.group.swap_max))
        .says("Limit on swap; JSON says max where there is none. Lowering it does not pull pages back.", "memory.swap.max")
        .drop(3),
    Column::bytes("swap_high", "SWAPHIGH", |row| limit(&row.group.swap_high))
        .says("Where swapping is throttled; JSON says max where it is nowhere.", "memory.swap.high")
        .drop(8),
    Column::bytes("swap_peak", "SWAPPEAK", |row| row.group.swap_peak.clone().into())
        .says("The most swap it ever took.", "memory.swap.peak")
        .drop(7)
        .since("6.5"),
    Column::bytes("memory", "MEMORY", |row| row.group.memory_current.clone().into())
        .says("Memory it takes, its children included.", "memory.current, memory.usage_in_bytes")
        .drop(1),
    Column::bytes("memory_peak", "MEMPEAK", |row| row.group.memory_peak.clone().into())
        .says(
            "The most memory it ever took (version 2: 5.19 and later).",
            "memory.peak, memory.max_usage_in_bytes",
        )
        .drop(9),
    Column::bytes("memory_max", "MEMMAX", |row| limit(&row.group.memory_max))
        .says(
            "Limit on that; JSON says max where there is none.",
            "memory.max, memory.limit_in_bytes",
        )
        .drop(4),
    Column::bytes("memory_high", "MEMHIGH", |row| limit(&row.group.memory_high))
        .says("Where reclaim begins; JSON says max where it is nowhere.", "memory.high")
        .drop(7),
    Column::bytes("limit", "LIMIT", |row| limit(&cgroups::limit(row.group)))
        .says("Where the kernel frees its memory: the lower one of both; JSON says max where it is nowhere.", LIMITS)
        .drop(8),
    Column::share("limit_use", "LIMIT%", |row| cgroups::limit_use(row.group).into())
        .says("Memory against the lower limit; missing without one.", LIMITS)
        .drop(5),
    Column::bytes("memsw", "MEMSW", |row| row.group.memsw_current.clone().into())
        .says("Memory and swap together (version 1).", "memory.memsw.usage_in_bytes")
        .drop(8),
    Column::bytes("memsw_peak", "MEMSWPEAK", |row| row.group.memsw_peak.clone().into())
        .says(
            "The most memory and swap it ever took together (version 1).",
            "memory.memsw.max_usage_in_bytes",
        )
        .drop(9),
    Column::bytes("memsw_max", "MEMSWMAX", |row| limit(&row.group.memsw_max))
        .says(
            "Limit on both together (version 1); JSON says max where there is none.",
            "memory.memsw.limit_in_bytes",
        )
        .drop(8),
    Column::count("memsw_fail", "MEMSWFAIL", |row| row.group.memsw_failcnt.clone().into())
        .says("How often that limit was hit (version 1).", "memory.memsw.failcnt")
        .drop(9),
    Column::count("swappiness", "SWAPPINESS", |row| row.group.swappiness.clone().into())
        .says("Its own swappiness (version 1).", "memory.swappiness")
        .drop(9),
    Column::bytes("zswap", "ZSWAP", |row| row.group.zswap_current.clone().into())
        .says("Compressed pages of it in zswap; they count as its memory.", "memory.zswap.current")
        .drop(5)
        .since("5.19"),
    Column::bytes("zswap_max", "ZSWAPMAX", |row| limit(&row.group.zswap_max))
        .says("Limit on that; JSON says max where there is none.", "memory.zswap.max")
        .drop(9)
        .since("5.19"),
    Column::flag("zswap_writeback", "ZSWAPWB", |row| row.group.zswap_writeback.clone().into())
        .says("May zswap write its pages to a device?", "memory.zswap.writeback")
        .drop(9)
        .since("6.8"),
    Column::bytes("zswapped", "ZSWAPPED", |row| row.stat_bytes("zswapped").into())
        .says("Its pages in zswap, before compression.", STAT)
        .drop(9)
        .since("5.19"),
    Column::bytes("zswap_incomp", "ZSWAPINCOMP", |row| row.stat_bytes("zswap_incomp").into())
        .says("Of that, what zswap keeps as it is because it does not compress.", STAT)
        .drop(9)
        .since("7.2"),
    Column::bytes("swapcached", "SWAPCACHED", |row| row.stat_bytes("swapcached").into())
        .says("Its pages in memory that still own a slot.", STAT)
        .drop(8)
        .since("5.12"),
    Column::bytes("anon", "ANON", |row| row.anon().into())
        .says("Its private memory: what could be swapped.", STAT)
        .drop(8),
    Column::bytes_per_second("in_rate", "IN/s", |row| row.rate("pswpin").into())
        .says("Read from swap devices for it: pswpin.", STAT)
        .two()
        .drop(6)
        .since("6.18"),
    Column::bytes_per_second("out_rate", "OUT/s", |row| row.rate("pswpout").into())
        .says("Written to swap devices for it: pswpout.", STAT)
        .two()
        .drop(6)
        .since("6.18"),
    stat_column!("pswpin", "PSWPIN", "6.18", "Pages read from swap devices for it, ever."),
    stat_column!("pswpout", "PSWPOUT", "6.18", "Pages written to swap devices for it, ever."),
    stat_column!("zswpin", "ZSWPIN", "5.19", "Pages of it taken out of zswap, ever."),
    stat_column!("zswpout", "ZSWPOUT", "5.19", "Pages of it put into zswap, ever."),
    stat_column!("zswpwb", "ZSWPWB", "6.8", "Pages of it written from zswap to a device, ever."),
    stat_column!(
        "swpin_zero",
        "ZEROIN",
        "6.12",
        "Zero-filled pages of it swapped in without I/O, ever."
    ),
    stat_column!(
        "swpout_zero",
        "ZEROOUT",
        "6.12",
        "Zero-filled pages of it swapped out without I/O, ever."
    ),
    stat_column!(
        "thp_swpout",
        "THPOUT",
        "6.12",
        "Huge pages of it swapped out in one piece, ever."
    ),
    stat_column!(
        "thp_swpout_fallback",
        "THPSPLIT",
        "6.12",
        "Huge pages of it split to be swapped out, ever."
    ),
    Column::count("major_faults", "MAJFLT", |row| row.stat("pgmajfault").into())
        .says("Its major faults, ever: pgmajfault.", STAT)
        .drop(8),
    Column::share("some10", "SOME10", |row| row.share(false, |stall| stall.avg10).into())
        .says("Share of the last 10 seconds in which one of its tasks waited for memory.", PSI)
        .drop(6),
    stall_column!(
        "some60",
        "SOME60",
        Unit::Share,
        "Share of the last 60 seconds in which one of its tasks waited for memory.",
        |row| row.share(false, |stall| stall.avg60).into()
    ),
    stall_column!(
        "some300",
        "SOME300",
        Unit::Share,
        "Share of the last 300 seconds in which one of its tasks waited for memory.",
        |row| row.share(false, |stall| stall.avg300).into()
    ),
    stall_column!(
        "some_total",
        "SOMETOTAL",
        Unit::Seconds,
        "Time in which one of its tasks waited for memory, ever.",
        |row| row.waited(false).into()
    ),
    Column::share("full10", "FULL10", |row| row.share(true, |stall| stall.avg10).into())
        .says("Share of the last 10 seconds in which all of its tasks waited for memory.", PSI)
        .drop(7),
    stall_column!(
        "full60",
        "FULL60",
        Unit::Share,
        "Share of the last 60 seconds in which all of its tasks waited for memory.",
        |row| row.share(true, |stall| stall.avg60).into()
    ),
    stall_column!(
        "full300",
        "FULL300",
        Unit::Share,
        "Share of the last 300 seconds in which all of its tasks waited for memory.",
        |row| row.share(true, |stall| stall.avg300).into()
    ),
    stall_column!(
        "full_total",
        "FULLTOTAL",
        Unit::Seconds,
        "Time in which all of its tasks waited for memory, ever.",
        |row| row.waited(true).into()
    ),
    Column::count("swap_fail", "FAIL", |row| row.event("fail").into())
        .says("Swap-outs that failed, for want of swap or at the limit.", "memory.swap.events")
        .drop(5),
    Column::count("swap_max_hits", "MAXHIT", |row| row.event("max").into())
        .says("Swap-outs that failed at its own limit.", "memory.swap.events")
        .drop(7),
    Column::count("swap_high_hits", "HIGHHIT", |row| row.event("high").into())
        .says("How often swap went above its high mark.", "memory.swap.events")
        .drop(8),
    Column::count("left_out", "LEFTOUT", |row| row.left_out.into())
        .says(
            "cgroups that were not read because there are too many; the same in each row.",
            "the folders below the mount",
        )
        .drop(9),
    Column::text("path", "CGROUP", |row| row.group.path.clone().into())
        .says("Its path below the mount.", V2),
];

column_ids! { id: CgroupsTable, SPEC;
    ANON FULL10 IN_RATE LIMIT LIMIT_USE MAJOR_FAULTS MEMORY MEMORY_HIGH MEMORY_MAX MEMORY_PEAK MEMSW MEMSW_MAX OUT_RATE PATH SOME10 SWAP SWAP_FAIL SWAP_MAX SWAP_MAX_HITS ZSWAP ZSWAPPED ZSWAP_MAX ZSWAP_WRITEBACK
}

#[cfg(test)]
mod tests;
