//! `users`: swap by owner.

use super::processes::user;
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::{attribution, compression};
use crate::model::{Bytes, Name, Part, PartSet, Reading};
use std::collections::BTreeMap;

/// The table.
pub struct Users;

/// One owner.
pub struct Row<'v> {
    view: View<'v>,
    user: Name,
    uid: u32,
    processes: u64,
    swap: Bytes,
    rss: Bytes,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "users",
    title: "Users",
    about: "How much swap the processes of each user take",
    style: Style::Rows,
    default: &["user", "processes", "swap", "swap_share", "rss"],
    with_two: &[],
    key: "user",
    sort: Some("-swap,uid"),
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Processes, Part::Meminfo]),
    infos: spec::infos::<Users>,
    cells: spec::cells::<Users>,
};

impl Table for Users {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        view.now.processes.reading.as_ref().map(|table| {
            let mut rows: BTreeMap<u32, Row<'v>> = BTreeMap::new();
            for process in &table.processes {
                let row = rows.entry(process.uid).or_insert_with(|| Row {
                    view: *view,
                    user: user(table, process.uid),
                    uid: process.uid,
                    processes: 0,
                    swap: Bytes(0),
                    rss: Bytes(0),
                });
                row.processes += 1;
                // A kernel thread has no memory of its own: nothing to add.
                let add = |sum: Bytes, part: &Reading<Bytes>| {
                    part.known().map_or(sum, |part| sum.saturating_add(*part))
                };
                row.swap = add(row.swap, &process.swap);
                row.rss = add(row.rss, &process.rss);
            }
            rows.into_values().collect()
        })
    }
}

const STATUS: &str = "/proc/PID/status";

static COLUMNS: &[Column<Users>] = &[
    Column {
        info: Info::new("user", "USER", Unit::Text)
            .says("The name, or the number where /etc/passwd has none.", "/etc/passwd"),
        get: |row| row.user.clone().into(),
    },
    Column {
        info: Info::new("uid", "UID", Unit::Count).says("The number.", STATUS).drop(9),
        get: |row| row.uid.into(),
    },
    Column {
        info: Info::new("processes", "PROCS", Unit::Count).says("Processes.", STATUS),
        get: |row| row.processes.into(),
    },
    Column {
        info: Info::new("swap", "SWAP", Unit::Bytes)
            .says("Sum of VmSwap; a page shared after a fork counts for each process.", STATUS),
        get: |row| row.swap.into(),
    },
    Column {
        info: Info::new("swap_share", "SWAP%", Unit::Share)
            .says("SWAP against all swap in use.", "/proc/PID/status, /proc/meminfo"),
        get: |row| {
            attribution::used(row.view.now)
                .and_then(|used| compression::quotient(row.swap, used))
                .into()
        },
    },
    Column {
        info: Info::new("rss", "RSS", Unit::Bytes)
            .says("Sum of VmRSS; shared pages count for each process.", STATUS),
        get: |row| row.rss.into(),
    },
];
