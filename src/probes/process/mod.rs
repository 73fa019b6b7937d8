//! `/proc/PID`: the swap of each process and, on request, its details.
//!
//! Kernel: `fs/proc/array.c`, `fs/proc/base.c`, `fs/proc/task_mmu.c`, all versions. `status`,
//! `stat`, `cgroup` and `cmdline` are readable by everyone unless proc is mounted with `hidepid`;
//! `smaps_rollup` (4.14 and later) needs the rights to trace the process. `VmSwap` is private
//! memory only, and pages shared after a fork count in each process: the sum over all processes differs
//! from the use of the areas. With `hidepid=2` processes of other users are not even listed, so they cannot
//! be counted here. One file is read for each process; `cmdline` and `smaps_rollup` can block and have a
//! time limit. The files of a process whose main thread has ended show no memory: those of another thread are read.

mod detail;
mod mappings;
mod waits;

use super::{Probe, ReadInterval, deadline, meminfo, scan};
use crate::model::subject::ProcessDetail;
use crate::model::users::{NamedMapping, Process, ProcessTable};
use crate::model::{Bytes, Missing, Name, Part, PartSet, Reading, Shared};
use crate::root::{Root, parse_u64};
use std::fmt::Write as _;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Processes,
    id: "process",
    tier: ReadInterval::Medium,
    files: &[
        "proc/*/status",
        "proc/*/stat",
        "proc/*/cgroup",
        "proc/*/cmdline",
        "proc/*/smaps_rollup",
        "proc/*/smaps",
        "proc/*/task/*/status",
        "proc/*/task/*/cgroup",
        "proc/*/task/*/cmdline",
        "proc/*/task/*/smaps_rollup",
        "proc/*/task/*/smaps",
        "proc/meminfo",
        "etc/passwd",
    ],
    about: "Swap and memory of each process, its owner, faults, cgroup and command",
    remedy: "mount proc on /proc without hidepid, or run as root to see all processes",
};

/// Reads all processes.
pub fn read(root: &Root, parts: PartSet) -> Reading<ProcessTable> {
    root.names("proc").and_then(|names| {
        let mut pids: Vec<u32> = names.iter().filter_map(|name| pid(name)).collect();
        if pids.is_empty() {
            return Reading::absent("/proc lists no processes");
        }
        pids.sort_unstable();
        let meminfo = meminfo::read(root);
        let (mut processes, unreadable) = read_all(root, &pids);
        look_closer(root, parts, &mut processes);
        let users = users(root, &processes);
        let processes = processes.into_iter().map(Shared::new).collect();
        let field = |name| meminfo::field(&meminfo, name);
        Reading::Known(ProcessTable {
            processes,
            unreadable,
            users,
            swap_used: field("SwapTotal").map2(field("SwapFree"), Bytes::saturating_sub),
            swap_cached: field("SwapCached"),
        })
    })
}

/// Reads one process: its status, faults, cgroup and command line.
pub fn read_status(root: &Root, pid: u32) -> Reading<Process> {
    let path = format!("proc/{pid}/status");
    let process = root.record(&path).and_then(|bytes| match parse(root, pid, &bytes) {
        Some(process) => Reading::Known(process),
        None => Reading::absent(format!("process {pid} has ended")),
    });
    process.map(|mut process| {
        details(root, &mut [&mut process]);
        process
    })
}

/// Reads one process in detail. This walks its page tables.
pub(super) fn read_one(root: &Root, pid: u32) -> Reading<ProcessDetail> {
    read_status(root, pid).map(|mut process| {
        let mappings = mappings::read(root, &process.memory_folder());
        let sum = |of: fn(&NamedMapping) -> &Reading<Bytes>| {
            mappings.as_ref().and_then(|all| {
                let add =
                    |sum: Reading<Bytes>, one| sum.map2(of(one).clone(), Bytes::saturating_add);
                all.iter().fold(Reading::Known(Bytes(0)), add)
            })
        };
        process.swap_pss = sum(|mapping| &mapping.swap_pss);
        process.swap_mapped = sum(|mapping| &mapping.swap);
        let pss = sum(|mapping| &mapping.pss);
        ProcessDetail { pss, waits: waits::read(root, pid), mappings, process }
    })
}

fn pid(name: &[u8]) -> Option<u32> {
    u32::try_from(parse_u64(name)?).ok()
}

/// Parses the status of a process, and reads that of another thread if the main thread has ended.
fn parse(root: &Root, pid: u32, bytes: &[u8]) -> Option<Process> {
    let process = parse_status(pid, bytes)?;
    if !is_memory_unread(&process) {
        return Some(process);
    }
    let folder = format!("proc/{pid}/task");
    let names = root.names(&folder).into_result().unwrap_or_default();
    let threads = || {
        names.iter().filter_map(|name| {
            let thread = self::pid(name)?;
            let bytes = root.record(format!("{folder}/{thread}/status")).into_result().ok()?;
            parse_status(thread, &bytes)
        })
    };
    let with_memory = threads().find(|thread| thread.rss.known().is_some());
    // Threads without memory are ending too.
    let shown = with_memory.or_else(|| threads().find(|thread| !is_memory_unread(thread)));
    Some(match shown {
        Some(Process { pid, swap, rss, shmem, .. }) => {
            Process { swap, rss, shmem, thread: Some(pid), ..process }
        }
        None => process,
    })
}

/// Checks whether a process has memory that its status did not show.
fn is_memory_unread(process: &Process) -> bool {
    matches!(process.rss.missing(), Some(Missing::Failed(_)))
}

/// The processes, and the number of processes that could not be read for another reason than their end.
fn read_all(root: &Root, pids: &[u32]) -> (Vec<Process>, u64) {
    let mut processes = Vec::with_capacity(pids.len());
    let mut unreadable = 0;
    let mut path = String::new();
    let mut bytes = Vec::new();
    for &pid in pids {
        path.clear();
        let _ = write!(path, "proc/{pid}/status");
        let process = match root.record_into(&path, &mut bytes) {
            Ok(()) => parse(root, pid, &bytes),
            Err(Missing::Absent(_)) => continue,
            Err(_) => None,
        };
        match process {
            Some(process) => {
                unreadable += u64::from(is_memory_unread(&process));
                processes.push(process);
            }
            None => unreadable += 1,
        }
    }
    (processes, unreadable)
}

/// Fills in details that only some reports request.
fn look_closer(root: &Root, parts: PartSet, processes: &mut [Process]) {
    let swapped = |process: &Process| process.swap.known().is_some_and(|swap| swap.0 > 0);
    if parts.has(Part::ProcessDetail) {
        let all = parts.has(Part::ProcessAll);
        let chosen = processes.iter_mut().filter(|p| all || swapped(p));
        details(root, &mut chosen.collect::<Vec<_>>());
    }
    if parts.has(Part::ProcessPss) {
        // Shared memory in swap is in no other figure of a process. Processes without resident shared memory
        // are left out: walking the page tables of all processes takes seconds on a large host.
        let shares = |process: &Process| process.shmem.known().is_some_and(|shmem| shmem.0 > 0);
        let chosen = processes.iter_mut().filter(|p| swapped(p) || shares(p));
        detail::fill(root, &mut chosen.collect::<Vec<_>>());
    }
}

fn details(root: &Root, processes: &mut [&mut Process]) {
    let mut buffer = Vec::new();
    for process in processes.iter_mut() {
        process.major_faults = detail::major_faults(root, process.pid, &mut buffer);
        process.cgroup = detail::cgroup(root, process, &mut buffer);
    }
    let path = |process: &&mut Process| format!("{}/cmdline", process.memory_folder());
    let paths: Vec<String> = processes.iter().map(path).collect();
    let commands = deadline::read_heads(root, &paths, detail::COMMAND_CAP, deadline::LIMIT);
    for (process, command) in processes.iter_mut().zip(commands) {
        process.command = detail::command(command);
    }
}

/// The names of the owners of processes; a number without a name is left out.
fn users(root: &Root, processes: &[Process]) -> Reading<Vec<(u32, Name)>> {
    let mut wanted: Vec<u32> = processes.iter().map(|process| process.uid).collect();
    wanted.sort_unstable();
    wanted.dedup();
    root.read("etc/passwd").map(|bytes| {
        let mut users: Vec<_> = scan::lines(&bytes).filter_map(user).collect();
        users.retain(|(uid, _)| wanted.binary_search(uid).is_ok());
        // A stable sort: the first of several names for one number wins, as in libc.
        users.sort_by_key(|(uid, _)| *uid);
        users.dedup_by_key(|(uid, _)| *uid);
        users
    })
}

/// Parses a line of `/etc/passwd`.
fn user(line: &[u8]) -> Option<(u32, Name)> {
    let mut fields = line.split(|byte| *byte == b':');
    let name = fields.next().filter(|name| !name.is_empty())?;
    let uid = u32::try_from(parse_u64(fields.nth(1)?)?).ok()?;
    Some((uid, Name::new(name)))
}

// `/proc/PID/status`, scanned once and only as far as needed.

/// Reason why a kernel thread has neither swap nor resident memory.
const KERNEL_THREAD: &str = "a kernel thread has no memory of its own";
/// Reason why a zombie process has no memory.
const ENDED: &str = "the process has ended and has no memory";
/// Reason why the file of the main thread does not show the memory of a process.
const MAIN_THREAD_ENDED: &str = "its main thread has ended, and other threads continue";
/// Reason why a process with memory lacks one of the values.
const NO_LINE: &str = "/proc/PID/status has no such line on this kernel";

/// The fields found in the file.
#[derive(Default)]
struct Fields<'a> {
    name: &'a [u8],
    ended: bool,
    ppid: Option<u32>,
    uid: Option<u32>,
    rss: Option<u64>,
    shmem: Option<u64>,
    swap: Option<u64>,
    threads: Option<u64>,
}

/// Parses the status file of a process or a thread; none without parent and owner. The memory of a process counts as
/// unread where only its main thread has ended.
fn parse_status(pid: u32, bytes: &[u8]) -> Option<Process> {
    let fields = fields(bytes);
    let why = match fields {
        Fields { ended: true, .. } => ENDED,
        Fields { rss: Some(_), .. } => NO_LINE,
        _ => KERNEL_THREAD,
    };
    let is_unread = fields.ended && fields.threads.is_some_and(|threads| threads > 1);
    let memory = |kib: Option<u64>| {
        if is_unread {
            return Reading::failed(MAIN_THREAD_ENDED);
        }
        Reading::or_absent(kib.map(Bytes::from_kib), why)
    };
    Some(Process {
        pid,
        ppid: fields.ppid?,
        uid: fields.uid?,
        comm: unescape(fields.name),
        swap: memory(fields.swap),
        rss: memory(fields.rss),
        shmem: memory(fields.shmem),
        major_faults: Reading::not_sampled(),
        cgroup: Reading::not_sampled(),
        command: Reading::not_sampled(),
        swap_pss: Reading::not_sampled(),
        swap_mapped: Reading::not_sampled(),
        thread: None,
    })
}

fn fields(bytes: &[u8]) -> Fields<'_> {
    let mut found = Fields::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        match line {
            [b'N', b'a', b'm', b'e', b':', b'\t', name @ ..] => found.name = name,
            [b'S', b't', b'a', b't', b'e', b':', b'\t', state, ..] => {
                found.ended = matches!(state, b'Z' | b'X');
            }
            [b'P', b'P', b'i', b'd', b':', rest @ ..] => found.ppid = small(word(rest, 0)),
            [b'U', b'i', b'd', b':', rest @ ..] => found.uid = small(word(rest, 1)),
            [b'V', b'm', b'R', b'S', b'S', b':', rest @ ..] => found.rss = word(rest, 0),
            [b'R', b's', b's', b'S', b'h', b'm', b'e', b'm', b':', rest @ ..] => {
                found.shmem = word(rest, 0);
            }
            [b'V', b'm', b'S', b'w', b'a', b'p', b':', rest @ ..] => {
                found.swap = word(rest, 0);
                break;
            }
            // This line follows the memory lines on every kernel: nothing of interest comes after it.
            [b'T', b'h', b'r', b'e', b'a', b'd', b's', b':', rest @ ..] => {
                found.threads = word(rest, 0);
                break;
            }
            _ => {}
        }
    }
    found
}

/// The number at this place of a line.
fn word(line: &[u8], place: usize) -> Option<u64> {
    parse_u64(scan::fields(line).nth(place)?)
}

fn small(number: Option<u64>) -> Option<u32> {
    u32::try_from(number?).ok()
}

/// Decodes a line feed as `\n` and a backslash as `\\`, as the kernel writes names.
fn unescape(name: &[u8]) -> Name {
    Name::new(scan::unescape(name, |text| match text {
        [b'n', tail @ ..] => Some((b'\n', tail)),
        [b'\\', tail @ ..] => Some((b'\\', tail)),
        _ => None,
    }))
}

#[cfg(test)]
mod tests;
