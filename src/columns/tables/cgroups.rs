//! `cgroups`: swap, limits and pressure of control groups.

use crate::columns::spec::{self, Column, Info, Only, Spec, Style, Table};
use crate::columns::value::{Unit, Value};
use crate::derive::View;
use crate::derive::cgroups;
use crate::derive::view::Change;
use crate::model::cgroup::{Cgroup, Limit};
use crate::model::counters::Counters;
use crate::model::psi::Stall;
use crate::model::{Bytes, Name, Part, PartSet, Reading, Shared};
use std::collections::BTreeMap;

/// The table.
pub struct Cgroups;

/// One cgroup.
pub struct Row<'v> {
    view: View<'v>,
    group: &'v Cgroup,
    /// The same one at the sample before.
    before: Option<&'v Cgroup>,
    left_out: u64,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "cgroups",
    title: "cgroups",
    about: "How much swap each control group takes, its limits, and how it waits",
    style: Style::Rows,
    default: &[
        "swap",
        "swap_max",
        "memory",
        "memory_max",
        "limit_use",
        "zswap",
        "some10",
        "swap_fail",
        "path",
    ],
    with_two: &["in_rate", "out_rate"],
    key: "path",
    sort: Some("-swap,path"),
    only: Some(Only { filter: "swap>0", others: "without swap" }),
    tree: None,
    needs: PartSet::of(&[Part::Cgroups]),
    infos: spec::infos::<Cgroups>,
    cells: spec::cells::<Cgroups>,
};

impl Table for Cgroups {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
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
        let rate = change.map(Change::per_second);
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
        Column {
            info: Info::new($id, $head, Unit::Count).says($help, STAT).since($since).drop(9),
            get: |row| row.stat($id).into(),
        }
    };
}

/// A figure of one line of `memory.pressure`.
macro_rules! stall_column {
    ($id:literal, $head:literal, $unit:expr, $help:literal, $get:expr) => {
        Column { info: Info::new($id, $head, $unit).says($help, PSI).drop(9), get: $get }
    };
}

static COLUMNS: &[Column<Cgroups>] = &[
    Column {
        info: Info::new("swap", "SWAP", Unit::Bytes)
            .says("Swap it takes, its children included.", BOTH),
        get: |row| row.group.swap_current.clone().into(),
    },
    Column {
        info: Info::new("swap_max", "SWAPMAX", Unit::Bytes)
            .says(
                "Limit on swap; JSON says max where there is none. Lowering it does not pull pages back.",
                "memory.swap.max",
            )
            .drop(3),
        get: |row| limit(&row.group.swap_max),
    },
    Column {
        info: Info::new("swap_high", "SWAPHIGH", Unit::Bytes)
            .says("Where swapping is throttled; JSON says max where it is nowhere.", "memory.swap.high")
            .drop(8),
        get: |row| limit(&row.group.swap_high),
    },
    Column {
        info: Info::new("swap_peak", "SWAPPEAK", Unit::Bytes)
            .says("The most swap it ever took.", "memory.swap.peak")
            .drop(7)
            .since("6.5"),
        get: |row| row.group.swap_peak.clone().into(),
    },
    Column {
        info: Info::new("memory", "MEMORY", Unit::Bytes)
            .says(
                "Memory it takes, its children included.",
                "memory.current, memory.usage_in_bytes",
            )
            .drop(1),
        get: |row| row.group.memory_current.clone().into(),
    },
    Column {
        info: Info::new("memory_peak", "MEMPEAK", Unit::Bytes)
            .says(
                "The most memory it ever took (version 2: 5.19 and later).",
                "memory.peak, memory.max_usage_in_bytes",
            )
            .drop(9),
        get: |row| row.group.memory_peak.clone().into(),
    },
    Column {
        info: Info::new("memory_max", "MEMMAX", Unit::Bytes)
            .says("Limit on that; JSON says max where there is none.", "memory.max, memory.limit_in_bytes")
            .drop(4),
        get: |row| limit(&row.group.memory_max),
    },
    Column {
        info: Info::new("memory_high", "MEMHIGH", Unit::Bytes)
            .says("Where reclaim begins; JSON says max where it is nowhere.", "memory.high")
            .drop(7),
        get: |row| limit(&row.group.memory_high),
    },
    Column {
        info: Info::new("limit", "LIMIT", Unit::Bytes)
            .says(
                "Where the kernel frees its memory: the lower one of both; JSON says max where it is nowhere.",
                LIMITS,
            )
            .drop(8),
        get: |row| limit(&cgroups::limit(row.group)),
    },
    Column {
        info: Info::new("limit_use", "LIMIT%", Unit::Share)
            .says("Memory against the lower limit; missing without one.", LIMITS)
            .drop(5),
        get: |row| cgroups::limit_use(row.group).into(),
    },
    Column {
        info: Info::new("memsw", "MEMSW", Unit::Bytes)
            .says("Memory and swap together (version 1).", "memory.memsw.usage_in_bytes")
            .drop(8),
        get: |row| row.group.memsw_current.clone().into(),
    },
    Column {
        info: Info::new("memsw_peak", "MEMSWPEAK", Unit::Bytes)
            .says(
                "The most memory and swap it ever took together (version 1).",
                "memory.memsw.max_usage_in_bytes",
            )
            .drop(9),
        get: |row| row.group.memsw_peak.clone().into(),
    },
    Column {
        info: Info::new("memsw_max", "MEMSWMAX", Unit::Bytes)
            .says("Limit on both together (version 1); JSON says max where there is none.", "memory.memsw.limit_in_bytes")
            .drop(8),
        get: |row| limit(&row.group.memsw_max),
    },
    Column {
        info: Info::new("memsw_fail", "MEMSWFAIL", Unit::Count)
            .says("How often that limit was hit (version 1).", "memory.memsw.failcnt")
            .drop(9),
        get: |row| row.group.memsw_failcnt.clone().into(),
    },
    Column {
        info: Info::new("swappiness", "SWAPPINESS", Unit::Count)
            .says("Its own swappiness (version 1).", "memory.swappiness")
            .drop(9),
        get: |row| row.group.swappiness.clone().into(),
    },
    Column {
        info: Info::new("zswap", "ZSWAP", Unit::Bytes)
            .says(
                "Compressed pages of it in zswap; they count as its memory.",
                "memory.zswap.current",
            )
            .drop(5)
            .since("5.19"),
        get: |row| row.group.zswap_current.clone().into(),
    },
    Column {
        info: Info::new("zswap_max", "ZSWAPMAX", Unit::Bytes)
            .says("Limit on that; JSON says max where there is none.", "memory.zswap.max")
            .drop(9)
            .since("5.19"),
        get: |row| limit(&row.group.zswap_max),
    },
    Column {
        info: Info::new("zswap_writeback", "ZSWAPWB", Unit::Flag)
            .says("May zswap write its pages to a device?", "memory.zswap.writeback")
            .drop(9)
            .since("6.8"),
        get: |row| row.group.zswap_writeback.clone().into(),
    },
    Column {
        info: Info::new("zswapped", "ZSWAPPED", Unit::Bytes)
            .says("Its pages in zswap, before compression.", STAT)
            .drop(9)
            .since("5.19"),
        get: |row| row.stat_bytes("zswapped").into(),
    },
    Column {
        info: Info::new("zswap_incomp", "ZSWAPINCOMP", Unit::Bytes)
            .says("Of that, what zswap keeps as it is because it does not compress.", STAT)
            .drop(9)
            .since("7.2"),
        get: |row| row.stat_bytes("zswap_incomp").into(),
    },
    Column {
        info: Info::new("swapcached", "SWAPCACHED", Unit::Bytes)
            .says("Its pages in memory that still own a slot.", STAT)
            .drop(8)
            .since("5.12"),
        get: |row| row.stat_bytes("swapcached").into(),
    },
    Column {
        info: Info::new("anon", "ANON", Unit::Bytes)
            .says("Its private memory: what could be swapped.", STAT)
            .drop(8),
        get: |row| row.anon().into(),
    },
    Column {
        info: Info::new("in_rate", "IN/s", Unit::BytesPerSecond)
            .says("Read from swap devices for it: pswpin.", STAT)
            .two()
            .drop(6)
            .since("6.18"),
        get: |row| row.rate("pswpin").into(),
    },
    Column {
        info: Info::new("out_rate", "OUT/s", Unit::BytesPerSecond)
            .says("Written to swap devices for it: pswpout.", STAT)
            .two()
            .drop(6)
            .since("6.18"),
        get: |row| row.rate("pswpout").into(),
    },
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
    Column {
        info: Info::new("major_faults", "MAJFLT", Unit::Count)
            .says("Its major faults, ever: pgmajfault.", STAT)
            .drop(8),
        get: |row| row.stat("pgmajfault").into(),
    },
    Column {
        info: Info::new("some10", "SOME10", Unit::Share)
            .says("Share of the last 10 seconds in which one of its tasks waited for memory.", PSI)
            .drop(6),
        get: |row| row.share(false, |stall| stall.avg10).into(),
    },
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
    Column {
        info: Info::new("full10", "FULL10", Unit::Share)
            .says("Share of the last 10 seconds in which all of its tasks waited for memory.", PSI)
            .drop(7),
        get: |row| row.share(true, |stall| stall.avg10).into(),
    },
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
    Column {
        info: Info::new("swap_fail", "FAIL", Unit::Count)
            .says("Swap-outs that failed, for want of swap or at the limit.", "memory.swap.events")
            .drop(5),
        get: |row| row.event("fail").into(),
    },
    Column {
        info: Info::new("swap_max_hits", "MAXHIT", Unit::Count)
            .says("Swap-outs that failed at its own limit.", "memory.swap.events")
            .drop(7),
        get: |row| row.event("max").into(),
    },
    Column {
        info: Info::new("swap_high_hits", "HIGHHIT", Unit::Count)
            .says("How often swap went above its high mark.", "memory.swap.events")
            .drop(8),
        get: |row| row.event("high").into(),
    },
    Column {
        info: Info::new("left_out", "LEFTOUT", Unit::Count)
            .says(
                "cgroups that were not read because there are too many; the same in each row.",
                "the folders below the mount",
            )
            .drop(9),
        get: |row| row.left_out.into(),
    },
    Column {
        info: Info::new("path", "CGROUP", Unit::Text).says("Its path below the mount.", V2),
        get: |row| row.group.path.clone().into(),
    },
];

#[cfg(test)]
mod tests;
