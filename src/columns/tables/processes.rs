//! `processes`: swap usage by process.

use crate::columns::rows::Footnotes;
use crate::columns::spec::Spec;
use crate::columns::tree::TreeColumns;
use crate::columns::value::Value;
use crate::columns::{Rows, units};
use crate::derive::attribution::SwapBound;
use crate::derive::view::CounterChange;
use crate::derive::{SampleView, attribution, compression};
use crate::model::subject::{ProcessDetail, SubjectDetail, ThreadWaits};
use crate::model::users::{Process, ProcessTable};
use crate::model::{Bytes, Missing, Name, PartSet, Reading, Shared, part_set};

table!(pub struct ProcessesTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// One process.
pub struct Row<'v> {
    view: SampleView<'v>,
    table: &'v ProcessTable,
    process: &'v Process,
    /// The details, if it is the process that was read in detail.
    detail: Option<&'v ProcessDetail>,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ProcessesTable>("processes", "Processes", "pid")
    .about("Processes with pages in swap")
    .footnotes(Footnotes { needs: USE_PARTS, closer, sentences, legend: None })
    .shows("pid,name,user,swap,uses,swap_share,rss,shmem,command")
    .with_two("major_fault_rate")
    .sort("-uses,pid")
    .only("uses>0", "without swap")
    .tree(TreeColumns { key: "pid", parent: "ppid", label: "name" })
    .needs(part_set![Processes]);

const DETAIL: PartSet = part_set![ProcessDetail];
const MEMINFO: PartSet = part_set![Meminfo];
const PSS: PartSet = part_set![ProcessPss];

/// Parts that show whether private pages alone name the wrong processes.
const USE_PARTS: PartSet = part_set![Meminfo, Shm];

/// The page tables of processes, if their private pages do not explain the used swap.
pub fn closer(view: &SampleView<'_>) -> PartSet {
    if attribution::needs_page_tables(view.now) {
        return part_set![Processes, ProcessDetail, ProcessPss];
    }
    PartSet::NONE
}

/// Says which bound the figures are.
fn sentences(view: &SampleView<'_>, shown: &Rows) -> Vec<String> {
    let rows = rows(view);
    let rows = rows.known().into_iter().flat_map(|rows| shown.shown(rows));
    let shares = rows.filter(|row| row.bound() == Reading::Known(SwapBound::Most)).count();
    let facts = attribution::attribution(view.now);
    let mut told = Vec::new();
    if shares > 0 {
        told.push("USES counts shared memory in swap in full for each process that maps it: an upper bound.".to_owned());
    }
    if let (Some(sum), Some(used)) = (facts.processes.known(), facts.used.known())
        && sum > used
        && !compression::has_virtual_swap(view.now)
    {
        let unread = facts.proportional.known().is_none();
        let unread =
            unread.then(|| format!(" {}.", attribution::unread_shares(&facts.proportional)));
        told.push(format!(
            "SWAP counts pages shared after fork once for each process: {} together, with {} used.{}",
            units::size(*sum),
            units::size(*used),
            unread.unwrap_or_default()
        ));
    }
    told
}

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let subject = view.now.process_detail().known().copied();
    view.now.processes.reading.as_ref().map(|table| {
        let row = |process: &'v Shared<Process>| {
            let detail = subject.filter(|detail| detail.process.pid == process.pid);
            let process = detail.map_or(&**process, |detail| &detail.process);
            Row { view: *view, table, process, detail }
        };
        table.processes.iter().map(row).collect()
    })
}

/// The name of a user, or the UID if it has none.
pub(super) fn user_name(table: &ProcessTable, uid: u32) -> Name {
    let users = table.users.known().map(Vec::as_slice).unwrap_or_default();
    match users.binary_search_by_key(&uid, |(uid, _)| *uid) {
        Ok(place) => users.get(place).map_or_else(|| Name::from("?"), |(_, name)| name.clone()),
        Err(_) => Name::from(uid.to_string().as_str()),
    }
}

impl Row<'_> {
    /// The command line, or the short name in brackets if there is none.
    fn command(&self) -> Name {
        match &self.process.command {
            Reading::Known(command) => command.clone(),
            Reading::Missing { .. } => {
                let comm = self.process.comm.as_bytes();
                Name::new([b"[", comm, b"]"].concat())
            }
        }
    }

    fn bound(&self) -> Reading<SwapBound> {
        attribution::swap_of(self.process).map(|(_, bound)| bound)
    }

    /// The growth of a counter of the process that was read in detail, if it is the same one as before.
    fn detail_change(
        &self,
        counter: impl Fn(&ProcessDetail) -> Reading<u64>,
    ) -> Reading<CounterChange> {
        self.view.change(
            |snapshot| &snapshot.subject,
            |detail| match detail {
                SubjectDetail::Process(detail) if detail.process.pid == self.process.pid => {
                    counter(detail)
                }
                SubjectDetail::Process(_) | SubjectDetail::Cgroup(_) => {
                    Reading::absent("the process was not read in detail before")
                }
            },
        )
    }

    fn faults(&self) -> Reading<CounterChange> {
        if self.detail.is_some() {
            return self.detail_change(|detail| detail.process.major_faults.clone());
        }
        let of_process = |table: &ProcessTable| {
            let found =
                table.processes.binary_search_by_key(&self.process.pid, |process| process.pid);
            match found.ok().and_then(|place| table.processes.get(place)) {
                Some(process) => process.major_faults.clone(),
                None => Reading::absent("the process did not exist in the earlier sample"),
            }
        };
        self.view.change(|snapshot| &snapshot.processes, of_process)
    }
}

/// A figure of the process that was read in detail.
fn detailed<T: Clone>(row: &Row<'_>, figure: fn(&ProcessDetail) -> &Reading<T>) -> Reading<T> {
    match row.detail {
        Some(detail) => figure(detail).clone(),
        None => Reading::absent(
            "read for one process only: by swapadm process show PID, or on its page of a live machine",
        ),
    }
}

/// A total wait in seconds.
fn wait(row: &Row<'_>, of: fn(&ThreadWaits) -> &Reading<u64>) -> Value {
    match row.detail {
        Some(detail) => of(&detail.waits).clone().map(|ns| ns as f64 / 1e9).into(),
        None => detailed(row, |detail| &detail.waits.run_ns).into(),
    }
}

/// The part of the time that its threads waited, added up.
fn wait_share(row: &Row<'_>, of: fn(&ThreadWaits) -> &Reading<u64>) -> Value {
    if row.detail.is_none() {
        return wait(row, of);
    }
    let change = row.detail_change(|detail| of(&detail.waits).clone());
    change.map(|change| change.per_second() / 1e9).into()
}

/// A figure from page tables, which is read only on request and for processes with swap.
fn page_table_value(figure: &Reading<Bytes>) -> Value {
    match figure.missing() {
        Some(Missing::NotSampled) => {
            Reading::<Bytes>::absent("read only on request, and for processes with swap").into()
        }
        _ => figure.clone().into(),
    }
}

const SMAPS: &str = "/proc/PID/smaps";
const STATUS: &str = "/proc/PID/status";

static COLUMNS: &[Column] = &[
    Column::count("pid", "PID", |row| row.process.pid.into())
        .says("Process ID.", STATUS),
    Column::count("ppid", "PPID", |row| row.process.ppid.into())
        .says("Process ID of the parent.", STATUS),
    Column::text("user", "USER", |row| user_name(row.table, row.process.uid).into())
        .says(
            "Effective user: the name, or the UID if /etc/passwd has no name.",
            "/proc/PID/status, /etc/passwd",
        )
        .drop(3),
    Column::count("uid", "UID", |row| row.process.uid.into())
        .says("Effective user ID.", STATUS),
    Column::bytes("swap", "SWAP", |row| row.process.swap.clone().into())
        .says("Private pages in swap: VmSwap. Excludes shared memory; a page shared after fork() counts once per process.", STATUS),
    Column::bytes("uses", "USES", |row| attribution::swap_of(row.process).map(|it| it.0).into())
        .says("Swap that it uses: SwapPss and the shared memory in swap that it maps (SWAPMAP - SWAP). They are read with --pss; without it only in a report of one sample, and only if SWAP does not add up to the used swap. Where they were not read it is the same as SWAP, without shared memory; BOUND says which.", "/proc/PID/status, /proc/PID/smaps_rollup")
        .drop(2),
    Column::text("bound", "BOUND", |row| row.bound().map(SwapBound::word).into())
        .says("What USES is: exact, at most (shared memory counts in full in each process) or private only (SWAP).", "/proc/PID/status, /proc/PID/smaps_rollup"),
    Column::share("swap_share", "SWAP%", |row| {
        let used = attribution::used(row.view.now);
        row.process.swap.clone().and_then2(used, compression::quotient).into()
    })
    .says(
        "Share of the used swap: SWAP / used swap when the processes were read.",
        "/proc/PID/status, /proc/meminfo",
    )
    .needs(MEMINFO)
    .drop(4),
    Column::share("swapped_share", "OUT%", |row| {
        let swap = row.process.swap.clone();
        let all = swap.clone().map2(row.process.rss.clone(), Bytes::saturating_add);
        swap.and_then2(all, compression::quotient).into()
    })
    .says("Share of its memory that is in swap: SWAP / (SWAP + RSS).", STATUS),
    Column::bytes("rss", "RSS", |row| row.process.rss.clone().into())
        .says("Resident memory: VmRSS.", STATUS)
        .drop(2),
    Column::bytes("shmem", "SHMEM", |row| row.process.shmem.clone().into())
        .says("Resident shared memory and tmpfs: RssShmem.", STATUS)
        .drop(6),
    Column::bytes("swap_pss", "SWAPPSS", |row| page_table_value(&row.process.swap_pss))
        .says("Proportional share of swap: SwapPss. Reading it walks the page tables.", "/proc/PID/smaps_rollup")
        .needs(PSS),
    Column::bytes("swap_mapped", "SWAPMAP", |row| page_table_value(&row.process.swap_mapped))
        .says("Swap of all mappings, including shared memory, of processes with SWAP or SHMEM above 0: shared memory of others that is wholly in swap is not looked for. Reading it walks the page tables.", "/proc/PID/smaps_rollup")
        .needs(PSS),
    Column::bytes("pss", "PSS", |row| detailed(row, |detail| &detail.pss).into())
        .says("Proportional share of resident memory: pages that several processes map count in part. For one process only.", SMAPS),
    Column::seconds("run_wait", "RUNWAIT", |row| wait(row, |waits| &waits.run_ns))
        .says("Time that its present threads waited for a CPU while runnable, in total. For one process only.", "/proc/PID/task/*/schedstat"),
    Column::share("run_wait_share", "RUNWAIT%", |row| wait_share(row, |waits| &waits.run_ns))
        .says("Time that its threads waited for a CPU, added up, per time passed: above 100 % if several wait.", "/proc/PID/task/*/schedstat")
        .two(),
    Column::seconds("block_wait", "IOWAIT", |row| wait(row, |waits| &waits.block_ns))
        .says("Time that its present threads waited for block I/O, in total; reads of swap on disks are part of it. Counted while kernel.task_delayacct is 1 (5.14 and later). For one process only.", "/proc/PID/task/*/stat"),
    Column::share("block_wait_share", "IOWAIT%", |row| wait_share(row, |waits| &waits.block_ns))
        .says("Time that its threads waited for block I/O, added up, per time passed.", "/proc/PID/task/*/stat")
        .two(),
    Column::seconds("swap_wait", "SWAPWAIT", |row| wait(row, |waits| &waits.swap_ns))
        .says("Time that its threads waited for pages from swap, in total; ended threads count. From 5.17 on also for compressed memory. Counted while kernel.task_delayacct is 1, for processes that started since. Needs root. For one process only.", "taskstats"),
    Column::share("swap_wait_share", "SWAPWAIT%", |row| wait_share(row, |waits| &waits.swap_ns))
        .says("Time that its threads waited for pages from swap, added up, per time passed.", "taskstats")
        .two(),
    Column::count("major_faults", "MAJFLT", |row| row.process.major_faults.clone().into())
        .says("Major faults since the process started.", "/proc/PID/stat")
        .needs(DETAIL),
    Column::per_second("major_fault_rate", "MAJF/s", |row| row.faults().map(CounterChange::per_second).into())
        .says("Major faults per second.", "/proc/PID/stat")
        .needs(DETAIL)
        .drop(4),
    Column::text("cgroup", "CGROUP", |row| row.process.cgroup.clone().into())
        .says("Cgroup; on version 1 that of the memory controller.", "/proc/PID/cgroup")
        .needs(DETAIL)
        .drop(6),
    Column::text("name", "NAME", |row| row.process.comm.clone().into())
        .says("Short name of the process in the kernel.", STATUS),
    Column::text("command", "COMMAND", |row| row.command().into())
        .says("Command line; the short name in brackets if it is missing or was not read.", "/proc/PID/cmdline")
        .needs(DETAIL)
        .drop(5),
];

column_ids! { id: ProcessesTable, SPEC;
    BLOCK_WAIT BLOCK_WAIT_SHARE PSS RUN_WAIT RUN_WAIT_SHARE SWAP_MAPPED SWAP_PSS SWAP_WAIT SWAP_WAIT_SHARE
    CGROUP COMMAND MAJOR_FAULTS MAJOR_FAULT_RATE NAME PID PPID RSS SHMEM BOUND SWAP SWAPPED_SHARE SWAP_SHARE USER USES
}
