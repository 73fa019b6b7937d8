//! Keeps the kernel's statistics of a cgroup fresh.
//!
//! Kernel: `inactive_is_low` and `shrink_lruvec` in `mm/vmscan.c`, `mem_cgroup_flush_stats` in
//! `mm/memcontrol.c`. Without multi-gen LRU (`lru_gen`), reclaim takes pages from the inactive list
//! of a cgroup, and refills that from the active list by a counter that is flushed only every two
//! seconds. A small, busy cgroup uses up its inactive list before: then reclaim fails sixteen times
//! within half a millisecond, and the OOM killer strikes although swap is free. Reading
//! `memory.stat` flushes the counter.

use super::group::CgroupDir;
use crate::clock::Clock;
use crate::model::Bytes;
use crate::root::Root;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A cgroup does not use up its limit faster than at this rate, in bytes per second: a few times
/// the fastest possible swapping today.
const FASTEST: u64 = 10 << 30;
/// Bounds of the interval.
const BOUNDS: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));
/// Ratio of the pause to the duration of a read, so that thousands of cgroups do not burden the
/// machine.
const TIMES: u32 = 20;

/// A thread that flushes the statistics until this is dropped.
#[derive(Debug)]
pub struct StatRefresher {
    /// Nothing is ever sent: dropping the sender ends the thread.
    wanted: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl StatRefresher {
    /// Starts it for this cgroup with this limit, and its descendants.
    pub(super) fn start(group: &CgroupDir, limit: Bytes) -> Self {
        let (least, most) = BOUNDS;
        let soon = Duration::from_secs_f64(limit.0 as f64 / FASTEST as f64);
        Self::start_every(&group.root, &group.folder, soon.clamp(least, most))
    }

    /// Starts the thread; if that fails, statistics are as fresh as without it.
    fn start_every(root: &Root, folder: &Path, every: Duration) -> Self {
        let (wanted, end) = mpsc::channel();
        let (root, stat) = (root.clone(), folder.join("memory.stat"));
        let name = thread::Builder::new().name("fresh".to_owned());
        let thread = name.spawn(move || read_repeatedly(&root, &stat, every, &end)).ok();
        Self { wanted: Some(wanted), thread }
    }
}

impl Drop for StatRefresher {
    fn drop(&mut self) {
        drop(self.wanted.take());
        if let Some(thread) = self.thread.take() {
            // The thread has no result.
            let _ = thread.join();
        }
    }
}

/// Reads a file repeatedly until the other end is gone. Its content is ignored.
fn read_repeatedly(root: &Root, stat: &Path, every: Duration, end: &Receiver<()>) {
    loop {
        let begun = Clock::Real.nanos();
        let _ = root.read(stat);
        let took = Duration::from_nanos(Clock::Real.nanos().saturating_sub(begun));
        if end.recv_timeout(pause(took, every)) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

/// The pause after a read of this duration.
fn pause(took: Duration, every: Duration) -> Duration {
    took.saturating_mul(TIMES).max(every)
}

#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::Trace;
    use std::sync::Arc;

    #[test]
    fn slow_reads_are_done_less_often() {
        let micros = Duration::from_micros;
        assert_eq!(pause(micros(50), micros(7000)), micros(7000));
        assert_eq!(pause(micros(500), micros(7000)), micros(10_000));
    }

    #[test]
    fn refresher_runs_until_dropped() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("memory.stat"), "anon 1\n").unwrap();
        let trace = Arc::new(Trace::default());
        let root = Root::at(folder.path()).unwrap().traced(Arc::clone(&trace));
        let fresh = StatRefresher::start_every(&root, Path::new("/"), Duration::from_millis(1));
        for _ in 0..3 {
            while trace.take().is_empty() {
                Clock::Real.sleep(Duration::from_millis(1));
            }
        }
        drop(fresh);
        let _ = trace.take();
        Clock::Real.sleep(Duration::from_millis(20));
        assert!(trace.take().is_empty());
    }
}
