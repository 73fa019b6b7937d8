//! The cgroup of a workload, with a memory limit; removed when the run ends.
//!
//! Kernel: `mm/memcontrol.c`, `mm/memcontrol-v1.c`, `kernel/cgroup`. The cgroup is created in the
//! hierarchy of the memory controller, version 1 or 2: in the root cgroup, or, without the rights
//! for that, in the nearest parent of our own cgroup that permits it. Its name identifies the owner
//! process, so that leftovers of a killed owner are found and removed by the next one. A controller
//! that such an owner enabled is disabled with it.

mod group;
mod parent;
mod switch;

use crate::clock::Clock;
use crate::model::{Bytes, Missing, Name};
use crate::root::{Root, shown};
use group::{CgroupDir, OwnerProcess, PROCS, write};
use nix::errno::Errno;
use parent::Hierarchy;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long killed processes may take to end: some are blocked in the kernel by a slow disk.
const PATIENCE: Duration = Duration::from_mins(1);
/// How long they may take when a failure can no longer be reported.
const MOMENT: Duration = Duration::from_secs(1);
/// Upper bound of page sizes: the kernel rounds limits down to whole pages.
const PAGE: u64 = 256 << 10;

/// Why a workload cgroup cannot be created or set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CgroupError {
    /// The tree is captured.
    #[error(
        "a captured tree cannot have a workload cgroup: run on the live machine, without --sysroot"
    )]
    Captured,
    /// The name does not identify its owner.
    #[error(
        "\"{0}\" is not a valid name for a workload cgroup: use swapadm-lab.PID.START, with PID and start time of its owner as in /proc/PID/stat"
    )]
    Name(String),
    /// The cgroup hierarchy cannot be read.
    #[error("cannot create a cgroup for the workload: {}; mount proc on /proc", .0.why())]
    Unseen(Missing),
    /// There is no memory controller.
    #[error(
        "cannot create a cgroup with a memory limit for the workload: {0}; mount cgroup2 on /sys/fs/cgroup, or boot a kernel with CONFIG_MEMCG and cgroup_enable=memory"
    )]
    NoController(String),
    /// No cgroup permits a child.
    #[error(
        "cannot create a cgroup for the workload: {0}; run as root, or with `systemd-run --user --scope -p Delegate=yes`"
    )]
    NotDelegated(String),
    /// No cgroup permits a child on version 1, which systemd does not delegate.
    #[error(
        "cannot create a cgroup for the workload: {0}; run as root, because systemd does not delegate version 1 cgroups, which have the memory controller here"
    )]
    NotRoot(String),
    /// The controller cannot be enabled.
    #[error(
        "the workload cgroup would have no memory limit: cannot write \"+memory\" to {file}: {}; the parent cgroup must have no processes and no real-time tasks", .errno.desc()
    )]
    Off {
        /// The file that enables it.
        file: String,
        /// The kernel's error.
        errno: Errno,
    },
    /// The name is taken.
    #[error(
        "{0} exists already: it belongs to another run or is a leftover; if no process runs in it, remove it with rmdir"
    )]
    Exists(String),
    /// The kernel refuses to create it.
    #[error("cannot create {folder}: {}; check cgroup.max.descendants, cgroup.max.depth and permissions of the cgroups above it", .errno.desc())]
    NotMade {
        /// Path of the cgroup.
        folder: String,
        /// The kernel's error.
        errno: Errno,
    },
    /// The limit cannot be set.
    #[error(
        "cannot set {file} to {} bytes: {why}; choose another limit", .wanted.0
    )]
    Limit {
        /// File of the limit.
        file: String,
        /// The requested limit.
        wanted: Bytes,
        /// The reason.
        why: String,
    },
    /// A process cannot be moved into the cgroup.
    #[error("cannot move process {pid} into {folder}: {}; it must be running, belong to the same user and not be swapadm itself", .errno.desc())]
    NotPut {
        /// PID of the process.
        pid: i32,
        /// Path of the cgroup.
        folder: String,
        /// The kernel's error.
        errno: Errno,
    },
}

/// Why a cgroup could not be removed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoveCgroupError {
    /// Killed processes have not ended.
    #[error("{folder} still has processes a minute after they were killed ({}): they are blocked in the kernel, usually on disk I/O; remove it with rmdir when they have ended", list(.pids))]
    Alive {
        /// Path of the cgroup.
        folder: String,
        /// PIDs of the remaining processes.
        pids: Vec<i32>,
    },
    /// The kernel refuses to remove it.
    #[error("cannot remove {folder}: {}; remove it with rmdir when it has no child cgroups and no processes", .errno.desc())]
    Kernel {
        /// Path of the cgroup.
        folder: String,
        /// The kernel's error.
        errno: Errno,
    },
}

fn list(pids: &[i32]) -> String {
    pids.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

/// A workload cgroup. Dropping it kills all its processes and removes it.
#[derive(Debug)]
pub struct WorkloadCgroup {
    group: CgroupDir,
    taken_down: bool,
}

/// The name of a cgroup created by this process: `swapadm-lab.PID.START`.
pub fn own_name(root: &Root) -> Result<String, CgroupError> {
    OwnerProcess::current(root)
        .into_result()
        .map(|owner| owner.to_string())
        .map_err(CgroupError::Unseen)
}

impl WorkloadCgroup {
    /// Checks that a workload cgroup can be created here with our rights.
    pub fn check_possible(root: &Root) -> Result<(), CgroupError> {
        Hierarchy::find(root)?.choose_parent(root).map(drop)
    }

    /// Creates a cgroup of this name (see [`own_name`]) with this memory limit.
    pub fn make(root: &Root, name: &str, limit: Bytes) -> Result<Self, CgroupError> {
        if !root.is_live() {
            return Err(CgroupError::Captured);
        }
        let Some(owner) = OwnerProcess::parse(name.as_bytes()) else {
            return Err(CgroupError::Name(name.to_owned()));
        };
        let place = Hierarchy::find(root)?.choose_parent(root)?;
        let group = switch::make(root, &place, owner)?;
        let cgroup = Self { group, taken_down: false };
        cgroup.set_limits(limit)?;
        Ok(cgroup)
    }

    fn set_limits(&self, limit: Bytes) -> Result<(), CgroupError> {
        self.write_limit(&self.group.file(LIMIT.0, LIMIT.1), limit)?;
        // A partly killed workload would distort the measurement. Version 1 and kernels before 4.19
        // lack this file.
        let _ = write(&self.group.root, &self.group.folder.join("memory.oom.group"), "1");
        Ok(())
    }

    /// Raises the memory limit.
    pub fn raise(&self, limit: Bytes) -> Result<(), CgroupError> {
        self.write_limit(&self.group.file(LIMIT.0, LIMIT.1), limit)
    }

    /// Sets a limit and verifies it.
    fn write_limit(&self, file: &Path, wanted: Bytes) -> Result<(), CgroupError> {
        let refused = |why: String| CgroupError::Limit { file: shown(file), wanted, why };
        write(&self.group.root, file, &wanted.0.to_string())
            .map_err(|errno| refused(errno.desc().to_owned()))?;
        let taken = self.group.root.number(file).into_result();
        let taken = taken.map_err(|missing| refused(missing.why()))?;
        if taken > wanted.0 || wanted.0 - taken >= PAGE {
            return Err(refused(format!("the kernel changed it to {taken}")));
        }
        Ok(())
    }

    /// Moves a process with all its threads into the cgroup. It will be killed with the cgroup, so
    /// this process itself is refused.
    pub fn add_process(&self, pid: i32) -> Result<(), CgroupError> {
        let is_us = u32::try_from(pid).is_ok_and(|pid| pid == std::process::id());
        // The kernel takes 0 for the writing process.
        let moved = if pid <= 0 || is_us {
            Err(Errno::EINVAL)
        } else {
            write(&self.group.root, &self.group.folder.join(PROCS), &pid.to_string())
        };
        moved.map_err(|errno| CgroupError::NotPut { pid, folder: self.path(), errno })
    }

    /// The memory limit as the kernel rounded it, to whole pages.
    pub fn limit(&self) -> Option<Bytes> {
        self.group.bytes(LIMIT.0, LIMIT.1)
    }

    /// Memory in use.
    pub fn memory(&self) -> Option<Bytes> {
        self.group.bytes("memory.usage_in_bytes", "memory.current")
    }

    /// Peak memory use (version 1, and version 2 since 5.19).
    pub fn peak(&self) -> Option<Bytes> {
        self.group.bytes("memory.max_usage_in_bytes", "memory.peak")
    }

    /// Number of its processes that the OOM killer killed, for whichever cause.
    pub fn oom_kills(&self) -> Option<u64> {
        self.counter("oom_kill")
    }

    /// Number of times its own limit was exhausted (version 2).
    pub fn ooms(&self) -> Option<u64> {
        self.counter("oom")
    }

    /// A counter of memory.stat, which begins with the cgroup.
    pub fn stat(&self, word: &str) -> Option<u64> {
        self.group.counter(&self.file("memory.stat"), word)
    }

    /// The path of a file of it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.group.folder.join(name)
    }

    fn counter(&self, word: &str) -> Option<u64> {
        let file = self.group.file("memory.oom_control", "memory.events");
        self.group.counter(&file, word)
    }

    /// Keeps the kernel's statistics of the cgroup fresh while the result lives.
    pub fn refresh_stat(&self) -> StatRefresher {
        StatRefresher::start(&self.group, self.limit().unwrap_or(Bytes(0)))
    }

    /// Path of the cgroup, for messages.
    pub fn path(&self) -> String {
        self.group.path()
    }

    /// Kills all its processes, which may take a minute, and removes it.
    pub fn remove(mut self) -> Result<(), RemoveCgroupError> {
        let removed = remove_group(&self.group);
        // Dropping would only repeat this.
        self.taken_down = true;
        removed
    }
}

impl Drop for WorkloadCgroup {
    fn drop(&mut self) {
        if !self.taken_down && self.group.kill_all(MOMENT).is_ok() {
            // A leftover is found later as an orphan.
            let _ = switch::remove(&self.group);
        }
    }
}

/// The files of the memory limit.
const LIMIT: (&str, &str) = ("memory.limit_in_bytes", "memory.max");

/// Kills the processes of a cgroup, and removes it.
fn remove_group(group: &CgroupDir) -> Result<(), RemoveCgroupError> {
    let alive = |pids| RemoveCgroupError::Alive { folder: group.path(), pids };
    group.kill_all(PATIENCE).map_err(alive)?;
    let kept = |errno| RemoveCgroupError::Kernel { folder: group.path(), errno };
    switch::remove(group).map_err(kept)
}

/// A workload cgroup whose owner no longer runs.
#[derive(Debug)]
pub struct Orphan {
    group: CgroupDir,
}

/// All orphans, in the places where we would create a cgroup.
pub fn orphans(root: &Root) -> Vec<Orphan> {
    if !root.is_live() {
        return Vec::new();
    }
    let Ok(hierarchy) = Hierarchy::find(root) else { return Vec::new() };
    let mut orphans = Vec::new();
    for place in hierarchy.candidate_parents() {
        let children = root.entries(&place).into_result().unwrap_or_default();
        for child in children.into_iter().filter(|child| child.folder) {
            let gone =
                OwnerProcess::parse(&child.name).is_some_and(|owner| !owner.is_running(root));
            let folder = place.join(Name::new(child.name).as_path());
            let group = CgroupDir { root: root.clone(), version: hierarchy.version, folder };
            // Inside a container, an owner outside is invisible.
            if gone && !group.has_outside_processes() {
                orphans.push(Orphan { group });
            }
        }
    }
    orphans
}

impl Orphan {
    /// Path of the cgroup, for messages.
    pub fn path(&self) -> String {
        self.group.path()
    }

    /// PIDs of its processes.
    pub fn pids(&self) -> Vec<i32> {
        self.group.pids()
    }

    /// Kills its processes, which may take a minute, and removes it.
    pub fn remove(self) -> Result<(), RemoveCgroupError> {
        remove_group(&self.group)
    }
}

// Keeps the kernel's statistics of a cgroup fresh.

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
    fn start(group: &CgroupDir, limit: Bytes) -> Self {
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

#[cfg(test)]
mod tests;

#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
#[cfg(test)]
mod stat_refresher_tests {
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
