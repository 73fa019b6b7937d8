//! `users`: swap usage by user.

use super::processes::user_name;
use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::{attribution, compression};
use crate::model::{Bytes, Name, Reading, part_set};
use std::collections::BTreeMap;

table!(pub struct UsersTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// One user.
pub struct Row<'v> {
    view: SampleView<'v>,
    user: Name,
    uid: u32,
    processes: u64,
    swap: Bytes,
    rss: Bytes,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<UsersTable>("users", "Users", "user")
    .shown_by("processes")
    .about("Swap usage of the processes of each user")
    .shows("user,processes,swap,swap_share,rss")
    .sort("-swap,uid")
    .needs(part_set![Processes, Meminfo]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    view.now.processes.reading.as_ref().map(|table| {
        let mut rows: BTreeMap<u32, Row<'v>> = BTreeMap::new();
        for process in &table.processes {
            let row = rows.entry(process.uid).or_insert_with(|| Row {
                view: *view,
                user: user_name(table, process.uid),
                uid: process.uid,
                processes: 0,
                swap: Bytes(0),
                rss: Bytes(0),
            });
            row.processes += 1;
            // A kernel thread has no memory of its own.
            let add = |sum: Bytes, part: &Reading<Bytes>| {
                part.known().map_or(sum, |part| sum.saturating_add(*part))
            };
            row.swap = add(row.swap, &process.swap);
            row.rss = add(row.rss, &process.rss);
        }
        rows.into_values().collect()
    })
}

const STATUS: &str = "/proc/PID/status";

static COLUMNS: &[Column] = &[
    Column::text("user", "USER", |row| row.user.clone().into())
        .says("User name, or the UID if /etc/passwd has no name.", "/etc/passwd"),
    Column::count("uid", "UID", |row| row.uid.into()).says("User ID.", STATUS),
    Column::count("processes", "PROCS", |row| row.processes.into())
        .says("Number of processes.", STATUS),
    Column::bytes("swap", "SWAP", |row| row.swap.into()).says(
        "Swap of all processes: sum of VmSwap. A page shared after fork() counts once per process.",
        STATUS,
    ),
    Column::share("swap_share", "SWAP%", |row| {
        attribution::used(row.view.now)
            .and_then(|used| compression::quotient(row.swap, used))
            .into()
    })
    .says("Share of the used swap: SWAP / used swap.", "/proc/PID/status, /proc/meminfo"),
    Column::bytes("rss", "RSS", |row| row.rss.into())
        .says("Resident memory: sum of VmRSS. Shared pages count once per process.", STATUS),
];

column_ids! { id: UsersTable, SPEC;
    PROCESSES RSS SWAP SWAP_SHARE UID USER
}
