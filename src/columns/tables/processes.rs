//! `processes`: who is swapped out.

use crate::columns::spec::{self, Spec, Table};
use crate::columns::tree::TreeColumns;
use crate::columns::value::Value;
use crate::derive::view::CounterChange;
use crate::derive::{SampleView, attribution, compression};
use crate::model::users::{Process, ProcessTable};
use crate::model::{Bytes, Missing, Name, Part, PartSet, Reading};

/// The table.
pub struct ProcessesTable;

/// One process.
pub struct Row<'v> {
    view: SampleView<'v>,
    table: &'v ProcessTable,
    process: &'v Process,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ProcessesTable>("processes", "Processes", "pid")
    .about("Which processes have pages in swap, and how much")
    .shows(&["pid", "name", "user", "swap", "swap_share", "rss", "shmem", "command"])
    .with_two(&["fault_rate"])
    .sort("-swap,pid")
    .only("swap>0", "without swap")
    .tree(TreeColumns { key: "pid", parent: "ppid", label: "name" })
    .needs(PartSet::from_parts(&[Part::Processes]));

const DETAIL: PartSet = PartSet::from_parts(&[Part::ProcessDetail]);
const MEMINFO: PartSet = PartSet::from_parts(&[Part::Meminfo]);
const PSS: PartSet = PartSet::from_parts(&[Part::ProcessPss]);

impl Table for ProcessesTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        view.now.processes.reading.as_ref().map(|table| {
            table.processes.iter().map(|process| Row { view: *view, table, process }).collect()
        })
    }
}

/// The name of a user, or the number where there is none.
pub(super) fn user_name(table: &ProcessTable, uid: u32) -> Name {
    let users = table.users.known().map(Vec::as_slice).unwrap_or_default();
    match users.binary_search_by_key(&uid, |(uid, _)| *uid) {
        Ok(place) => users.get(place).map_or_else(|| Name::from("?"), |(_, name)| name.clone()),
        Err(_) => Name::from(uid.to_string().as_str()),
    }
}

impl Row<'_> {
    /// The command line; for a process without one, its short name in brackets.
    fn command(&self) -> Name {
        match &self.process.command {
            Reading::Known(command) => command.clone(),
            Reading::Missing { .. } => {
                let comm = self.process.comm.as_bytes();
                Name::new([b"[", comm, b"]"].concat())
            }
        }
    }

    fn faults(&self) -> Reading<CounterChange> {
        let of_process = |table: &ProcessTable| {
            let found =
                table.processes.binary_search_by_key(&self.process.pid, |process| process.pid);
            match found.ok().and_then(|place| table.processes.get(place)) {
                Some(process) => process.major_faults.clone(),
                None => Reading::absent("the process was not there at the sample before"),
            }
        };
        self.view.change(|snapshot| &snapshot.processes, of_process)
    }
}

/// A figure that takes a walk through page tables, which not every process is worth.
fn page_table_value(figure: &Reading<Bytes>) -> Value {
    match figure.missing() {
        Some(Missing::NotSampled) => {
            Reading::<Bytes>::absent("read only on request, and of processes with swap").into()
        }
        _ => figure.clone().into(),
    }
}

const STATUS: &str = "/proc/PID/status";

type Column = spec::Column<ProcessesTable>;

static COLUMNS: &[Column] = &[
    Column::count("pid", "PID", |row| row.process.pid.into())
        .says("Number of the process.", STATUS),
    Column::count("ppid", "PPID", |row| row.process.ppid.into())
        .says("Number of its parent.", STATUS)
        .drop(9),
    Column::text("user", "USER", |row| user_name(row.table, row.process.uid).into())
        .says(
            "Its effective owner: the name, or the number where /etc/passwd has none.",
            "/proc/PID/status, /etc/passwd",
        )
        .drop(3),
    Column::count("uid", "UID", |row| row.process.uid.into())
        .says("Number of its owner.", STATUS)
        .drop(9),
    Column::bytes("swap", "SWAP", |row| row.process.swap.clone().into())
        .says("Private pages in swap: VmSwap. Shared memory is not in it, and a page shared after a fork counts for each process.", STATUS),
    Column::share("swap_share", "SWAP%", |row| {
        let used = attribution::used(row.view.now);
        row.process.swap.clone().map2(used, compression::quotient).and_then(|share| share).into()
    })
    .says(
        "SWAP against all swap in use when the processes were read.",
        "/proc/PID/status, /proc/meminfo",
    )
    .needs(MEMINFO)
    .drop(4),
    Column::share("swapped_out", "OUT%", |row| {
        let swap = row.process.swap.clone();
        let all = swap.clone().map2(row.process.rss.clone(), Bytes::saturating_add);
        swap.map2(all, compression::quotient).and_then(|share| share).into()
    })
    .says("The part of its private and resident memory that is in swap: SWAP against SWAP and RSS.", STATUS)
    .drop(6),
    Column::bytes("rss", "RSS", |row| row.process.rss.clone().into())
        .says("Pages in memory: VmRSS.", STATUS)
        .drop(2),
    Column::bytes("shmem", "SHMEM", |row| row.process.shmem.clone().into())
        .says("Of those, shared memory and tmpfs: RssShmem.", STATUS)
        .drop(6),
    Column::bytes("swap_pss", "SWAPPSS", |row| page_table_value(&row.process.swap_pss))
        .says("Its fair share of the private swap it shares with others: SwapPss. Walks its page tables.", "/proc/PID/smaps_rollup")
        .needs(PSS)
        .drop(5),
    Column::bytes("swap_mapped", "SWAPMAP", |row| page_table_value(&row.process.swap_mapped))
        .says("Swap of all its mappings, shared memory included. Walks its page tables.", "/proc/PID/smaps_rollup")
        .needs(PSS)
        .drop(6),
    Column::count("faults", "MAJFLT", |row| row.process.major_faults.clone().into())
        .says("Major faults since it began: those that waited for a device.", "/proc/PID/stat")
        .needs(DETAIL)
        .drop(7),
    Column::per_second("fault_rate", "MAJF/s", |row| row.faults().map(CounterChange::per_second).into())
        .says("Major faults in a second.", "/proc/PID/stat")
        .needs(DETAIL)
        .two()
        .drop(4),
    Column::text("cgroup", "CGROUP", |row| row.process.cgroup.clone().into())
        .says("Its cgroup; the memory controller's on version 1.", "/proc/PID/cgroup")
        .needs(DETAIL)
        .drop(6),
    Column::text("name", "NAME", |row| row.process.comm.clone().into())
        .says("The short name that the kernel keeps.", STATUS),
    Column::text("command", "COMMAND", |row| row.command().into())
        .says("Its command line; the short name in brackets where there is none, or it was not read.", "/proc/PID/cmdline")
        .needs(DETAIL)
        .drop(5),
];

column_ids! { id: ProcessesTable, SPEC;
    CGROUP COMMAND FAULTS FAULT_RATE NAME PID PPID RSS SHMEM SWAP SWAPPED_OUT SWAP_SHARE USER
}
