//! `attribution`: whose pages fill the swap?

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::attribution::{self, Attribution as Facts};
use crate::derive::compression;
use crate::model::{Bytes, Part, PartSet, Reading};

/// The table.
pub struct AttributionTable;

/// The figures.
pub struct Row {
    facts: Facts,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<AttributionTable>("attribution", "Whose swap", "used")
    .about(
        "How much of the used swap processes and shared memory explain, and what stays unexplained",
    )
    .shows(&[
        "used",
        "processes",
        "sysv",
        "tmpfs",
        "unexplained",
        "unexplained_share",
        "cache",
        "zswap",
    ])
    .record()
    .needs(PartSet::from_parts(&[Part::Meminfo, Part::Processes, Part::Shm]));

impl Table for AttributionTable {
    type Row<'v> = Row;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &SampleView<'_>) -> Reading<Vec<Row>> {
        Reading::Known(vec![Row { facts: attribution::attribution(view.now) }])
    }
}

fn share(part: &Reading<Bytes>, used: &Reading<Bytes>) -> Reading<f64> {
    part.clone().map2(used.clone(), compression::quotient).and_then(|share| share)
}

const MEMINFO: &str = "/proc/meminfo";
const ZSWAP: PartSet = PartSet::from_parts(&[Part::Zswap]);

type Column = spec::Column<AttributionTable>;

static COLUMNS: &[Column] = &[
    Column::bytes("used", "Used", |row| row.facts.used.clone().into())
        .says("SwapTotal less SwapFree, as they were when the processes were read.", MEMINFO),
    Column::bytes("processes", "by processes", |row| row.facts.processes.clone().into())
        .says("Sum of VmSwap: private pages. A page shared after a fork counts for each process, so this can exceed what is used.", "/proc/PID/status"),
    Column::share("processes_share", "processes, share", |row| {
        share(&row.facts.processes, &row.facts.used).into()
    })
    .says("The same against Used.", "/proc/PID/status, /proc/meminfo")
    .drop(6),
    Column::count("unreadable", "processes unread", |row| row.facts.unreadable.clone().into())
        .says("Processes whose status could not be read: their swap is unexplained.", "/proc/PID/status")
        .drop(6),
    Column::bytes("sysv", "by System V memory", |row| row.facts.sysv.clone().into())
        .says("Swapped System V segments.", "/proc/sysvipc/shm")
        .drop(4),
    Column::bytes("tmpfs", "by tmpfs, at least", |row| row.facts.tmpfs.clone().into())
        .says(
            "What tmpfs files take beyond all resident shared memory: that much must be in swap. File systems that do not tell their use are left out; shared anonymous memory and memfd are in no list.",
            "/proc/mounts, statfs, /proc/meminfo",
        )
        .drop(3),
    Column::bytes("unexplained", "unexplained", |row| row.facts.unexplained.clone().into()).says(
        "Used less all of these, not below zero: shared anonymous memory, memfd, pages only in the swap cache, hidden processes. It is at most this much.",
        "/proc/meminfo, /proc/PID/status",
    ),
    Column::bytes("unexplained_least", "unexplained, least", |row| {
        row.facts.unexplained_least.clone().into()
    })
    .says(
        "It is at least this much, if all of the swap cache belonged to nobody else: the same less what is in memory too.",
        "/proc/meminfo, /proc/PID/status",
    )
    .drop(6),
    Column::share("unexplained_share", "unexplained, share", |row| {
        share(&row.facts.unexplained, &row.facts.used).into()
    })
    .says("The same against Used.", "/proc/meminfo, /proc/PID/status")
    .drop(2),
    Column::bytes("cache", "in memory too", |row| row.facts.cache.clone().into())
        .says("SwapCached, as it was when the processes were read: pages in memory that still own a slot. Some belong to a process above, some to none.", MEMINFO)
        .drop(4),
    Column::bytes("zswap", "in zswap", |row| row.facts.zswap.clone().into())
        .says(
            "Slots whose data is in zswap and not on the device: Zswapped, or stored_pages before 6.1. zswap is a place and not an owner: the pages belong to those above.",
            "/proc/meminfo, /sys/kernel/debug/zswap",
        )
        .drop(5)
        .needs(ZSWAP),
];

column_ids! { id: AttributionTable, SPEC;
    CACHE PROCESSES PROCESSES_SHARE SYSV TMPFS UNEXPLAINED UNEXPLAINED_SHARE UNREADABLE USED ZSWAP
}
