//! Waits of the threads of one process: `task/*/schedstat`, and field 42 of `task/*/stat`.
//!
//! Kernel: `kernel/sched/stats.h` (`CONFIG_SCHED_INFO`), `kernel/delayacct.c`
//! (`CONFIG_TASK_DELAY_ACCT`); since 5.14 waits for I/O are counted only while `kernel.task_delayacct`
//! is 1. Waits for swap alone are in taskstats only.

use super::detail;
use crate::model::subject::ThreadWaits;
use crate::model::{Missing, Reading};
use crate::probes::scan;
use crate::root::{Root, parsed};
use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, MsgFlags, SockFlag, SockProtocol, SockType, recv, send, setsockopt, socket,
    sockopt,
};
use nix::sys::time::TimeVal;
use std::os::fd::{AsRawFd as _, OwnedFd};

/// Maximum number of threads that are read.
const MOST_THREADS: usize = 1000;
/// Nanoseconds in a tick of `stat`, which has 100 per second on all supported machines.
const TICK_NS: u64 = 10_000_000;
/// The switch of delay accounting.
const SWITCH: &str = "proc/sys/kernel/task_delayacct";

/// Reads the waits of a process.
pub(super) fn read(root: &Root, pid: u32) -> ThreadWaits {
    let threads = root.names(format!("proc/{pid}/task")).and_then(|names| {
        if names.len() > MOST_THREADS {
            return Reading::absent(format!("not read: more than {MOST_THREADS} threads"));
        }
        Reading::Known(names)
    });
    let sum = |file: &str, parse: fn(&[u8]) -> Option<u64>| {
        threads.as_ref().and_then(|names| {
            let paths = names
                .iter()
                .map(|name| format!("proc/{pid}/task/{}/{file}", String::from_utf8_lossy(name)));
            paths.fold(Reading::Known(0_u64), |sum, path| add(root, sum, &path, parse))
        })
    };
    let block = sum("stat", |bytes| detail::stat_field(bytes, 42));
    ThreadWaits {
        run_ns: sum("schedstat", |bytes| scan::first_numbers(bytes).get(1).copied()),
        block_ns: block.and_then(|ticks| counted(root, ticks.saturating_mul(TICK_NS))),
        swap_ns: swap_wait(root, pid).and_then(|wait| counted(root, wait)),
    }
}

const OFF: &str = "kernel.task_delayacct is 0: the kernel counts no waits; sysctl kernel.task_delayacct=1 starts that";

/// A counter of delay accounting; zero means nothing where the kernel does not count.
fn counted(root: &Root, wait_ns: u64) -> Reading<u64> {
    match (root.number(SWITCH), wait_ns) {
        (Reading::Known(0), _) => Reading::absent(OFF),
        (Reading::Known(_), 0) => {
            Reading::absent("0, or the process started before kernel.task_delayacct was 1")
        }
        (Reading::Missing { .. }, 0) => Reading::absent(
            "0, and without kernel.task_delayacct the kernel does not say whether it counts",
        ),
        (Reading::Known(_) | Reading::Missing { .. }, wait_ns) => Reading::Known(wait_ns),
    }
}

/// Adds the counter of one thread; a thread that has ended meanwhile counts nothing.
fn add(
    root: &Root,
    sum: Reading<u64>,
    path: &str,
    parse: fn(&[u8]) -> Option<u64>,
) -> Reading<u64> {
    let is_gone = !root.exists(path.rsplit_once('/').map_or("", |(folder, _)| folder));
    if is_gone {
        return sum;
    }
    let counter =
        root.record(path).and_then(|bytes| parsed(path, "counters of a thread", &bytes, parse));
    sum.map2(counter, u64::saturating_add)
}

// Waits of a process for pages from swap, from taskstats over generic netlink.

/// Types of messages: an error, a request to the controller of families.
const ERROR: u16 = 2;
const CONTROLLER: u16 = 16;
/// Flag of a request.
const REQUEST: u16 = 1;
/// Commands: a family by its name, the statistics of a process.
const GET_FAMILY: u8 = 3;
const GET_STATISTICS: u8 = 1;
/// Attributes of a family: its number and its name.
const FAMILY_ID: u16 = 1;
const FAMILY_NAME: u16 = 2;
/// Attributes of statistics: the process of the request, all about it, the structure.
const PROCESS: u16 = 2;
const ALL_THREADS: u16 = 5;
const STATISTICS: u16 = 3;
/// Place of `swapin_delay_total` in `struct taskstats`, the same in all versions.
const SWAPIN_DELAY: usize = 56;
/// Length of the headers of a message, of generic netlink, and of an attribute.
const HEADERS: usize = 20;
const ATTRIBUTE: usize = 4;
/// Maximum wait for an answer, in seconds: the kernel answers during the request.
const PATIENCE: i64 = 1;

/// Reads how long the threads of a process waited for pages from swap, in nanoseconds. Ended threads count.
pub(super) fn swap_wait(root: &Root, pid: u32) -> Reading<u64> {
    if !root.is_live() {
        return Reading::absent("taskstats: only a live machine answers");
    }
    ask(pid)
        .map_err(|errno| explain(errno, pid))
        .and_then(|answer| {
            statistics(&answer)
                .and_then(|bytes| bytes.get(SWAPIN_DELAY..)?.first_chunk())
                .map(|bytes| u64::from_ne_bytes(*bytes))
                .ok_or_else(|| Missing::failed("taskstats: the answer has no waits for swap"))
        })
        .into()
}

fn explain(errno: Errno, pid: u32) -> Missing {
    if errno == Errno::EPERM {
        Missing::Denied("taskstats: needs CAP_NET_ADMIN".into())
    } else if errno == Errno::ENOENT {
        Missing::absent(
            "taskstats: not in this network namespace, or the kernel has no CONFIG_TASKSTATS",
        )
    } else if errno == Errno::ESRCH {
        Missing::absent(format!("process {pid} has ended"))
    } else {
        Missing::failed(format!("taskstats: {}", errno.desc()))
    }
}

/// Asks the kernel for the statistics of a process.
fn ask(pid: u32) -> Result<Vec<u8>, Errno> {
    let socket = socket(
        AddressFamily::Netlink,
        SockType::Raw,
        SockFlag::SOCK_CLOEXEC,
        SockProtocol::NetlinkGeneric,
    )?;
    setsockopt(&socket, sockopt::ReceiveTimeout, &TimeVal::new(PATIENCE, 0))?;
    let families = request(&socket, CONTROLLER, GET_FAMILY, (FAMILY_NAME, b"TASKSTATS\0"))?;
    let family = families.get(HEADERS..).and_then(|bytes| attribute(bytes, FAMILY_ID));
    let family = family.and_then(<[u8]>::first_chunk).ok_or(Errno::EBADMSG)?;
    let process = (PROCESS, pid.to_ne_bytes());
    request(&socket, u16::from_ne_bytes(*family), GET_STATISTICS, (process.0, &process.1))
}

/// Sends a request with one attribute, and returns the answer.
fn request(
    socket: &OwnedFd,
    family: u16,
    command: u8,
    (kind, value): (u16, &[u8]),
) -> Result<Vec<u8>, Errno> {
    let length = |length: usize| u16::try_from(length).map_err(|_| Errno::EMSGSIZE);
    let mut message = Vec::with_capacity(64);
    let attribute = length(ATTRIBUTE + value.len())?;
    message.extend(u32::from(length(HEADERS)? + attribute).to_ne_bytes());
    message.extend([family, REQUEST].map(u16::to_ne_bytes).concat());
    message.extend([0; 8]); // the sequence, and the sender
    message.extend([command, 1, 0, 0]);
    message.extend([attribute, kind].map(u16::to_ne_bytes).concat());
    message.extend(value);
    send(socket.as_raw_fd(), &message, MsgFlags::empty())?;
    let mut answer = vec![0; 8192];
    let length = recv(socket.as_raw_fd(), &mut answer, MsgFlags::empty())?;
    answer.truncate(length);
    error(&answer).map_or(Ok(answer), Err)
}

/// The error that an answer carries, if it is one.
fn error(answer: &[u8]) -> Option<Errno> {
    let kind = answer.get(4..)?.first_chunk()?;
    let code = answer.get(16..)?.first_chunk()?;
    (u16::from_ne_bytes(*kind) == ERROR)
        .then(|| Errno::from_raw(i32::from_ne_bytes(*code).wrapping_neg()))
}

/// The structure in an answer.
fn statistics(answer: &[u8]) -> Option<&[u8]> {
    attribute(attribute(answer.get(HEADERS..)?, ALL_THREADS)?, STATISTICS)
}

/// The value of the first attribute of this kind.
fn attribute(mut bytes: &[u8], kind: u16) -> Option<&[u8]> {
    loop {
        let length = usize::from(u16::from_ne_bytes(*bytes.first_chunk()?));
        let value = bytes.get(ATTRIBUTE..length)?;
        if u16::from_ne_bytes(*bytes.get(2..)?.first_chunk()?) == kind {
            return Some(value);
        }
        // Attributes begin at multiples of four bytes.
        bytes = bytes.get(length.next_multiple_of(4)..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    const STAT: &[u8] = b"7 (a) b) S 1 7 7 0 -1 4194560 1 0 5 0 1 1 0 0 20 0 1 0 9 1 1 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 12 0 0\n";

    fn waits(switch: Option<&[u8]>) -> ThreadWaits {
        let mut files: Vec<(&str, &[u8])> = vec![
            ("proc/7/task/7/schedstat", b"100 30 5\n"),
            ("proc/7/task/8/schedstat", b"100 12 5\n"),
            ("proc/7/task/7/stat", STAT),
            ("proc/7/task/8/stat", STAT),
        ];
        files.extend(switch.map(|text| ("proc/sys/kernel/task_delayacct", text)));
        let tree = TestTree::with(&files);
        read(&tree.root(), 7)
    }

    #[test]
    fn waits_of_all_threads_are_added() {
        let waits = waits(Some(b"1\n"));
        assert_eq!(waits.run_ns, Reading::Known(42));
        assert_eq!(waits.block_ns, Reading::Known(240_000_000));
        assert!(waits.swap_ns.missing().unwrap().why().contains("live machine"));
    }

    #[test]
    fn as_many_threads_as_the_limit_are_read() {
        let tree = TestTree::new();
        for thread in 0..MOST_THREADS {
            tree.write(&format!("proc/7/task/{thread}/schedstat"), "9 2 1\n");
        }
        let waited = read(&tree.root(), 7).run_ns;
        assert_eq!(waited, Reading::Known(2 * MOST_THREADS as u64));
        tree.folder("proc/7/task/more");
        let why = read(&tree.root(), 7).run_ns.missing().unwrap().why();
        assert!(why.contains("more than 1000 threads"), "{why}");
    }

    #[test]
    fn waits_that_are_not_counted_are_missing_and_not_zero() {
        let off = waits(Some(b"0\n"));
        assert!(off.block_ns.missing().unwrap().why().contains("kernel.task_delayacct is 0"));
        assert_eq!(waits(None).block_ns, Reading::Known(240_000_000));
    }
}

#[cfg(test)]
mod taskstats_tests {
    use super::*;

    fn attribute_of(kind: u16, value: &[u8]) -> Vec<u8> {
        let length = u16::try_from(ATTRIBUTE + value.len()).unwrap();
        let mut bytes = [length, kind].map(u16::to_ne_bytes).concat();
        bytes.extend(value);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    }

    #[test]
    fn structure_is_taken_from_its_attribute() {
        let structure: Vec<u8> = (0..100).collect();
        let inner = [attribute_of(PROCESS, &[7, 0, 0, 0]), attribute_of(STATISTICS, &structure)];
        let mut answer = vec![0; HEADERS];
        answer.extend(attribute_of(9, b"odd"));
        answer.extend(attribute_of(ALL_THREADS, &inner.concat()));
        assert_eq!(statistics(&answer), Some(&structure[..]));
        for length in 0..answer.len() {
            assert_eq!(statistics(&answer[..length]), None, "{length} bytes");
        }
    }

    #[test]
    fn attributes_without_length_end_the_search() {
        assert_eq!(attribute(&[0; 64], 1), None);
    }

    #[test]
    fn errors_are_told_from_answers() {
        let mut answer = vec![0; HEADERS];
        answer[4..6].copy_from_slice(&ERROR.to_ne_bytes());
        answer[16..20].copy_from_slice(&(-1_i32).to_ne_bytes());
        assert_eq!(error(&answer), Some(Errno::EPERM));
        answer[4] = 16;
        assert_eq!(error(&answer), None);
    }

    #[test]
    fn reasons_name_what_is_needed() {
        assert!(
            matches!(explain(Errno::EPERM, 7), Missing::Denied(why) if why.contains("CAP_NET_ADMIN"))
        );
        assert!(
            matches!(explain(Errno::ESRCH, 7), Missing::Absent(why) if why.contains("process 7"))
        );
    }
}
