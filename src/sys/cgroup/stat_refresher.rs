//! What the kernel counts of groups, brought up to date.
//!
//! Kernel: `inactive_is_low` and `shrink_lruvec` in `mm/vmscan.c`, `mem_cgroup_flush_stats` in
//! `mm/memcontrol.c`. Without generations (`lru_gen`) reclaim takes pages off the inactive list of a
//! group, and fills that from the active one where it is short by a count that is up to date every
//! two seconds only. A small group that is busy uses all of it up before: then reclaim finds nothing
//! sixteen times within half a millisecond, and the kernel kills for want of memory, with all of it
//! in use and swap free. It counts anew for whoever reads `memory.stat`.

use super::group::CgroupDir;
use crate::clock::Clock;
use crate::model::Bytes;
use crate::root::Root;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A group does not use up as much as its limit in less time than this makes of it: a few times
/// what processors can swap today, in bytes a second.
const FASTEST: u64 = 10 << 30;
/// Within these bounds.
const BOUNDS: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));
/// So many times what it took passes until the next, whatever that makes: where there are thousands
/// of groups, the machine does not suffer.
const TIMES: u32 = 20;

/// Has the kernel count anew, by a thread of its own, until this is dropped.
#[derive(Debug)]
pub struct StatRefresher {
    /// Nobody sends anything: that it is gone tells.
    wanted: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl StatRefresher {
    /// This group, which has such a limit, and those in it.
    pub(super) fn start(group: &CgroupDir, limit: Bytes) -> Self {
        let (least, most) = BOUNDS;
        let soon = Duration::from_secs_f64(limit.0 as f64 / FASTEST as f64);
        Self::start_every(&group.root, &group.folder, soon.clamp(least, most))
    }

    /// Where there can be no thread, all is as it was before.
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
            // It has nothing to tell.
            let _ = thread.join();
        }
    }
}

/// Read a file again and again until the other end is gone. What it holds is of no interest.
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

/// How long it is left, after it took so long.
fn pause(took: Duration, every: Duration) -> Duration {
    took.saturating_mul(TIMES).max(every)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
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
