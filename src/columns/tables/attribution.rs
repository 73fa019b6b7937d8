//! `attribution`: which users account for the used swap.

use crate::columns::spec::Spec;
use crate::derive::attribution::{self, Attribution as Facts};
use crate::derive::compression;
use crate::model::{Bytes, PartSet, Reading, part_set};

table!(pub struct AttributionTable: Row, Column, COLUMNS, |view, _| {
    Reading::Known(vec![Row { facts: attribution::attribution(view.now) }])
});

/// The figures of the only row.
pub struct Row {
    facts: Facts,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<AttributionTable>("attribution", "Whose swap", "used")
    .about(
        "How much of the used swap is explained by processes and shared memory, and how much is not",
    )
    .shows("used,processes,proportional,shared,sysv,tmpfs,unexplained,unexplained_share,swap_cached,zswap")
    .record()
    .needs(part_set![Meminfo, Processes, Shm]);

fn share(part: &Reading<Bytes>, used: &Reading<Bytes>) -> Reading<f64> {
    part.clone().and_then2(used.clone(), compression::quotient)
}

const MEMINFO: &str = "/proc/meminfo";
const ZSWAP: PartSet = part_set![Zswap];
const PSS: PartSet = part_set![ProcessPss];

static COLUMNS: &[Column] = &[
    Column::bytes("used", "Used", |row| row.facts.used.clone().into())
        .says("Used swap: SwapTotal - SwapFree, read together with the processes.", MEMINFO),
    Column::bytes("processes", "by processes", |row| row.facts.processes.clone().into())
        .says("Private pages in swap: sum of VmSwap. A page shared after fork() counts once per process, so the sum can exceed the used swap.", "/proc/PID/status"),
    Column::share("processes_share", "processes, share", |row| {
        share(&row.facts.processes, &row.facts.used).into()
    })
    .says("Share of the used swap that processes explain: processes / used.", "/proc/PID/status, /proc/meminfo"),
    Column::bytes("proportional", "by processes, shares", |row| {
        row.facts.proportional.clone().into()
    })
    .says("Private pages in swap, each counted once: sum of SwapPss. Reading it walks the page tables.", "/proc/PID/smaps_rollup")
    .needs(PSS)
    .drop(4),
    Column::bytes("shared", "by shared memory, at least", |row| row.facts.shared.clone().into())
        .says("Lower bound of shared memory in swap that processes map, System V and tmpfs included: the largest Swap - VmSwap of any process. Reading it walks the page tables.", "/proc/PID/smaps_rollup, /proc/PID/status")
        .needs(PSS)
        .drop(4),
    Column::count("unreadable", "processes unread", |row| row.facts.unreadable.clone().into())
        .says("Number of processes whose status could not be read; their swap is unexplained.", "/proc/PID/status"),
    Column::bytes("sysv", "by System V memory", |row| row.facts.sysv.clone().into())
        .says("System V shared memory in swap: sum of the swap column of all segments.", "/proc/sysvipc/shm")
        .drop(4),
    Column::bytes("tmpfs", "by tmpfs, at least", |row| row.facts.tmpfs.clone().into())
        .says(
            "Lower bound of tmpfs data in swap: size of all tmpfs files less resident shared memory. Excludes mounts that report no usage, shared anonymous memory and memfd.",
            "/proc/mounts, statfs, /proc/meminfo",
        )
        .drop(3),
    Column::bytes("unexplained", "unexplained", |row| row.facts.unexplained.clone().into()).says(
        "Upper bound of the unexplained swap: used - processes - shared memory, at least 0; processes by shares where they are read, shared memory the larger of System V + tmpfs and what processes map. It holds memfd, swap cache without owner and hidden processes. Missing if VmSwap alone exceeds the used swap, and if processes leave a rest while tmpfs or System V memory was not read.",
        "/proc/meminfo, /proc/PID/status",
    ),
    Column::bytes("unexplained_min", "unexplained, at least", |row| {
        row.facts.unexplained_least.clone().into()
    })
    .says(
        "Lower bound of the unexplained swap: used - processes - the most that can be shared memory - swap cache. The most is what each process maps of it in swap, as if it had it alone, + System V + all tmpfs files. Missing where the page tables of processes were not read.",
        "/proc/meminfo, /proc/PID/status, /proc/PID/smaps_rollup",
    ),
    Column::share("unexplained_share", "unexplained, share", |row| {
        share(&row.facts.unexplained, &row.facts.used).into()
    })
    .says("Share of the used swap that is unexplained: unexplained / used.", "/proc/meminfo, /proc/PID/status")
    .drop(2),
    Column::bytes("swap_cached", "swap cache", |row| row.facts.cache.clone().into())
        .says("SwapCached: pages in memory that still own a swap slot, read together with the processes. Some belong to a process counted above.", MEMINFO)
        .drop(4),
    Column::bytes("zswap", "in zswap", |row| row.facts.zswap.clone().into())
        .says(
            "Data of used slots that is in zswap instead of on the device: Zswapped, or stored_pages before 6.1. It overlaps with the lines above, which name the owners.",
            "/proc/meminfo, /sys/kernel/debug/zswap",
        )
        .drop(5)
        .needs(ZSWAP),
];

column_ids! { id: AttributionTable, SPEC;
    SWAP_CACHED PROCESSES PROCESSES_SHARE SYSV TMPFS UNEXPLAINED UNEXPLAINED_MIN UNEXPLAINED_SHARE UNREADABLE USED ZSWAP
}
