//! `attribution`: whose pages fill the swap?

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::attribution::{self, Attribution as Facts};
use crate::derive::compression;
use crate::model::{Bytes, Part, PartSet, Reading};

/// The table.
pub struct Attribution;

/// The figures.
pub struct Row {
    facts: Facts,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "attribution",
    title: "Whose swap",
    about: "How much of the used swap processes and shared memory explain, and what stays unexplained",
    style: Style::Record,
    default: &[
        "used",
        "processes",
        "sysv",
        "tmpfs",
        "unexplained",
        "unexplained_share",
        "cache",
        "zswap",
    ],
    with_two: &[],
    key: "used",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Meminfo, Part::Processes, Part::Shm]),
    infos: spec::infos::<Attribution>,
    cells: spec::cells::<Attribution>,
};

impl Table for Attribution {
    type Row<'v> = Row;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows(view: &View<'_>) -> Reading<Vec<Row>> {
        Reading::Known(vec![Row { facts: attribution::attribution(view.now) }])
    }
}

fn share(part: &Reading<Bytes>, used: &Reading<Bytes>) -> Reading<f64> {
    part.clone().map2(used.clone(), compression::quotient).and_then(|share| share)
}

const MEMINFO: &str = "/proc/meminfo";
const ZSWAP: PartSet = PartSet::of(&[Part::Zswap]);

static COLUMNS: &[Column<Attribution>] = &[
    Column {
        info: Info::new("used", "Used", Unit::Bytes).says("SwapTotal less SwapFree, as they were when the processes were read.", MEMINFO),
        get: |row| row.facts.used.clone().into(),
    },
    Column {
        info: Info::new("processes", "by processes", Unit::Bytes).says(
            "Sum of VmSwap: private pages. A page shared after a fork counts for each process, so this can exceed what is used.",
            "/proc/PID/status",
        ),
        get: |row| row.facts.processes.clone().into(),
    },
    Column {
        info: Info::new("processes_share", "processes, share", Unit::Share).drop(6)
            .says("The same against Used.", "/proc/PID/status, /proc/meminfo"),
        get: |row| share(&row.facts.processes, &row.facts.used).into(),
    },
    Column {
        info: Info::new("unreadable", "processes unread", Unit::Count).drop(6)
            .says("Processes whose status could not be read: their swap is unexplained.", "/proc/PID/status"),
        get: |row| row.facts.unreadable.clone().into(),
    },
    Column {
        info: Info::new("sysv", "by System V memory", Unit::Bytes).drop(4)
            .says("Swapped System V segments.", "/proc/sysvipc/shm"),
        get: |row| row.facts.sysv.clone().into(),
    },
    Column {
        info: Info::new("tmpfs", "by tmpfs, at least", Unit::Bytes).drop(3).says(
            "What tmpfs files take beyond all resident shared memory: that much must be in swap. File systems that do not tell their use are left out; shared anonymous memory and memfd are in no list.",
            "/proc/mounts, statfs, /proc/meminfo",
        ),
        get: |row| row.facts.tmpfs.clone().into(),
    },
    Column {
        info: Info::new("unexplained", "unexplained", Unit::Bytes)
            .says("Used less all of these, not below zero: shared anonymous memory, memfd, pages only in the swap cache, hidden processes. It is at most this much.", "/proc/meminfo, /proc/PID/status"),
        get: |row| row.facts.unexplained.clone().into(),
    },
    Column {
        info: Info::new("unexplained_least", "unexplained, least", Unit::Bytes).drop(6)
            .says("It is at least this much, if all of the swap cache belonged to nobody else: the same less what is in memory too.", "/proc/meminfo, /proc/PID/status"),
        get: |row| row.facts.unexplained_least.clone().into(),
    },
    Column {
        info: Info::new("unexplained_share", "unexplained, share", Unit::Share).drop(2)
            .says("The same against Used.", "/proc/meminfo, /proc/PID/status"),
        get: |row| share(&row.facts.unexplained, &row.facts.used).into(),
    },
    Column {
        info: Info::new("cache", "in memory too", Unit::Bytes).drop(4).says(
            "SwapCached, as it was when the processes were read: pages in memory that still own a slot. Some belong to a process above, some to none.",
            MEMINFO,
        ),
        get: |row| row.facts.cache.clone().into(),
    },
    Column {
        info: Info::new("zswap", "in zswap", Unit::Bytes).drop(5)
            .says(
                "Slots whose data is in zswap and not on the device: Zswapped, or stored_pages before 6.1. zswap is a place and not an owner: the pages belong to those above.",
                "/proc/meminfo, /sys/kernel/debug/zswap",
            )
            .needs(ZSWAP),
        get: |row| row.facts.zswap.clone().into(),
    },
];
