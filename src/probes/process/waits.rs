//! Waits of the threads of one process: `task/*/schedstat`, and field 42 of `task/*/stat`.
//!
//! Kernel: `kernel/sched/stats.h` (`CONFIG_SCHED_INFO`), `kernel/delayacct.c`
//! (`CONFIG_TASK_DELAY_ACCT`); since 5.14 waits for I/O are counted only while `kernel.task_delayacct`
//! is 1. Waits for swap alone are in taskstats only.

use super::{detail, taskstats};
use crate::model::Reading;
use crate::model::subject::ThreadWaits;
use crate::probes::scan;
use crate::root::{Root, parsed};

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
        swap_ns: taskstats::swap_wait(root, pid).and_then(|wait| counted(root, wait)),
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
    fn waits_that_are_not_counted_are_missing_and_not_zero() {
        let off = waits(Some(b"0\n"));
        assert!(off.block_ns.missing().unwrap().why().contains("kernel.task_delayacct is 0"));
        assert_eq!(waits(None).block_ns, Reading::Known(240_000_000));
    }
}
