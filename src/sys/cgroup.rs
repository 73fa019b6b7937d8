//! The cage of a load: a cgroup of our own with a memory limit, which goes again with us.
//!
//! Kernel: `mm/memcontrol.c`, `mm/memcontrol-v1.c`, `kernel/cgroup`. It is made where the memory
//! controller is, on version 1 or 2: in the first group of all, or for whom that one is closed in
//! the nearest group above our own that lets us. Its name tells who made it, so that what a killed
//! owner leaves behind is found and removed by the next one. A controller that such an owner had
//! switched on is switched off with it.

mod stat_refresher;
mod group;
mod owner;
mod parent;
mod switch;

use crate::model::{Bytes, Missing, Name};
use crate::root::{Root, shown};
pub use stat_refresher::StatRefresher;
use group::{CgroupDir, PROCS, write};
use nix::errno::Errno;
use owner::OwnerProcess;
use parent::Hierarchy;
use std::path::Path;
use std::time::Duration;

/// How long those who were killed may take: some wait in the kernel, for a slow disk.
const PATIENCE: Duration = Duration::from_mins(1);
/// The same where nobody can be told that they have not ended.
const MOMENT: Duration = Duration::from_secs(1);
/// The kernel rounds limits down to whole pages, which are not larger than this.
const PAGE: u64 = 256 << 10;

/// Why there is no cgroup for the load, or not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CgroupError {
    /// It is not the machine we run on.
    #[error(
        "a captured tree takes no cgroup for a load: run it on the machine itself, without --sysroot"
    )]
    Captured,
    /// Nobody could tell by this name whose it is.
    #[error(
        "\"{0}\" cannot be the name of a cgroup for a load: it has to be swapadm-lab.PID.START, with the number of its owner and the time that one began, as in /proc/PID/stat"
    )]
    Name(String),
    /// What decides about it cannot be read.
    #[error("no cgroup can be made for the load, as it cannot be seen where: {}; mount proc on /proc", .0.why())]
    Unseen(Missing),
    /// Nothing here can limit memory.
    #[error(
        "no cgroup with a memory limit can be made for the load: {0}; mount cgroup2 on /sys/fs/cgroup, or start a kernel that has CONFIG_MEMCG with cgroup_enable=memory"
    )]
    NoController(String),
    /// No group lets us make one in it.
    #[error(
        "no cgroup can be made for the load: {0}; run it as root, or with `systemd-run --user --scope -p Delegate=yes`"
    )]
    NotDelegated(String),
    /// The same on version 1, of which nobody is given one.
    #[error(
        "no cgroup can be made for the load: {0}; run it as root, as systemd delegates no groups of version 1, where the memory controller is here"
    )]
    NotRoot(String),
    /// The controller cannot be switched on for it.
    #[error(
        "the load's cgroup would have no memory limit: {file} does not take \"+memory\": {}; run it where no real-time processes or processes of the group itself stand against that", .errno.desc()
    )]
    Off {
        /// The file that switches it on.
        file: String,
        /// What the kernel answered.
        errno: Errno,
    },
    /// There is one of this name.
    #[error(
        "{0} is there already: it is another one's, or was left behind; remove it with rmdir when nothing runs in it"
    )]
    Exists(String),
    /// The kernel makes none.
    #[error("{folder} cannot be made: {}; see cgroup.max.descendants and cgroup.max.depth of the groups above it, and the rights on them", .errno.desc())]
    NotMade {
        /// Its folder.
        folder: String,
        /// What the kernel answered.
        errno: Errno,
    },
    /// The kernel does not take this limit.
    #[error(
        "{file} does not take the limit of {} bytes: {why}; choose another one", .wanted.0
    )]
    Limit {
        /// The file that takes it.
        file: String,
        /// What it should have been.
        wanted: Bytes,
        /// What became of it.
        why: String,
    },
    /// A process cannot be moved there.
    #[error("process {pid} cannot be moved into {folder}: {}; it has to run, be of the same user and not be swapadm itself", .errno.desc())]
    NotPut {
        /// Its number.
        pid: i32,
        /// Where it should have gone.
        folder: String,
        /// What the kernel answered.
        errno: Errno,
    },
}

/// Why a cgroup is still there, or what is in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoveCgroupError {
    /// What was in it was killed, and has not ended.
    #[error("{folder} still holds processes a minute after they were killed ({}): they wait in the kernel, mostly for a disk; when they have ended, remove it with rmdir", list(.pids))]
    Alive {
        /// Its folder.
        folder: String,
        /// Who is left.
        pids: Vec<i32>,
    },
    /// The kernel does not let it go.
    #[error("{folder} cannot be removed: {}; when there is no group below it and no process in it, remove it with rmdir", .errno.desc())]
    Kernel {
        /// Its folder.
        folder: String,
        /// What the kernel answered.
        errno: Errno,
    },
}

fn list(pids: &[i32]) -> String {
    pids.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

/// A cgroup of our own. It goes when this is dropped, and all that runs in it.
#[derive(Debug)]
pub struct WorkloadCgroup {
    group: CgroupDir,
    taken_down: bool,
}

/// The name of a cgroup that this process makes: `swapadm-lab.PID.START`.
///
/// # Errors
/// When it cannot be seen when this process began.
pub fn own_name(root: &Root) -> Result<String, CgroupError> {
    OwnerProcess::current(root).into_result().map(|owner| owner.to_string()).map_err(CgroupError::Unseen)
}

impl WorkloadCgroup {
    /// Could one be made here, and by these rights?
    ///
    /// # Errors
    /// Why not.
    pub fn check_possible(root: &Root) -> Result<(), CgroupError> {
        Hierarchy::find(root)?.choose_parent(root).map(drop)
    }

    /// Make one of this name (see [`own_name`]), with so much memory.
    ///
    /// # Errors
    /// Why there is none.
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
        // Half a load would measure something else. Version 1 and kernels before 4.19 lack it.
        let _ = write(&self.group.root, &self.group.folder.join("memory.oom.group"), "1");
        Ok(())
    }

    /// Let it have so much memory, where it had less.
    ///
    /// # Errors
    /// Why its limit is as it was.
    pub fn raise(&self, limit: Bytes) -> Result<(), CgroupError> {
        self.write_limit(&self.group.file(LIMIT.0, LIMIT.1), limit)
    }

    /// Set a limit, and see whether it holds.
    fn write_limit(&self, file: &Path, wanted: Bytes) -> Result<(), CgroupError> {
        let refused = |why: String| CgroupError::Limit { file: shown(file), wanted, why };
        write(&self.group.root, file, &wanted.0.to_string())
            .map_err(|errno| refused(errno.desc().to_owned()))?;
        let taken = self.group.root.number(file).into_result();
        let taken = taken.map_err(|missing| refused(missing.why()))?;
        if taken > wanted.0 || wanted.0 - taken >= PAGE {
            return Err(refused(format!("the kernel made {taken} of it")));
        }
        Ok(())
    }

    /// Move a process in, with all its threads. It is killed with the group, so this process
    /// itself is refused.
    ///
    /// # Errors
    /// Why it is where it was.
    pub fn add_process(&self, pid: i32) -> Result<(), CgroupError> {
        let is_us = u32::try_from(pid).is_ok_and(|pid| pid == std::process::id());
        // For the kernel 0 is whoever writes it.
        let moved = if pid <= 0 || is_us {
            Err(Errno::EINVAL)
        } else {
            write(&self.group.root, &self.group.folder.join(PROCS), &pid.to_string())
        };
        moved.map_err(|errno| CgroupError::NotPut { pid, folder: self.path(), errno })
    }

    /// The limit on its memory, as the kernel took it: rounded down to whole pages.
    pub fn limit(&self) -> Option<Bytes> {
        self.group.bytes(LIMIT.0, LIMIT.1)
    }

    /// Its memory in use.
    pub fn memory(&self) -> Option<Bytes> {
        self.group.bytes("memory.usage_in_bytes", "memory.current")
    }

    /// The most memory it ever had (version 1, and version 2 from 5.19 on).
    pub fn peak(&self) -> Option<Bytes> {
        self.group.bytes("memory.max_usage_in_bytes", "memory.peak")
    }

    /// How many of its processes the kernel killed for want of memory, whoever had none.
    pub fn oom_kills(&self) -> Option<u64> {
        self.counter("oom_kill")
    }

    /// How often its own limit left no memory (version 2).
    pub fn ooms(&self) -> Option<u64> {
        self.counter("oom")
    }

    fn counter(&self, word: &str) -> Option<u64> {
        let file = self.group.file("memory.oom_control", "memory.events");
        self.group.counter(&file, word)
    }

    /// What has the kernel count it anew, for as long as it is busy.
    pub fn refresh_stat(&self) -> StatRefresher {
        StatRefresher::start(&self.group, self.limit().unwrap_or(Bytes(0)))
    }

    /// Its folder, for messages.
    pub fn path(&self) -> String {
        self.group.path()
    }

    /// Kill all that is in it, which may take a minute, and remove it.
    ///
    /// # Errors
    /// Why it is still there.
    pub fn remove(mut self) -> Result<(), RemoveCgroupError> {
        let removed = remove_group(&self.group);
        // Dropping would only try the same again.
        self.taken_down = true;
        removed
    }
}

impl Drop for WorkloadCgroup {
    fn drop(&mut self) {
        if !self.taken_down && self.group.kill_all(MOMENT).is_ok() {
            // What is left is found as an orphan.
            let _ = switch::remove(&self.group);
        }
    }
}

/// The files that take the limit on memory.
const LIMIT: (&str, &str) = ("memory.limit_in_bytes", "memory.max");

/// End what runs in a group, and the group.
fn remove_group(group: &CgroupDir) -> Result<(), RemoveCgroupError> {
    let alive = |pids| RemoveCgroupError::Alive { folder: group.path(), pids };
    group.kill_all(PATIENCE).map_err(alive)?;
    let kept = |errno| RemoveCgroupError::Kernel { folder: group.path(), errno };
    switch::remove(group).map_err(kept)
}

/// A cgroup whose owner does not run any more.
#[derive(Debug)]
pub struct Orphan {
    group: CgroupDir,
}

/// All of them, in the places where one of ours would be made.
pub fn orphans(root: &Root) -> Vec<Orphan> {
    if !root.is_live() {
        return Vec::new();
    }
    let Ok(hierarchy) = Hierarchy::find(root) else { return Vec::new() };
    let mut orphans = Vec::new();
    for place in hierarchy.candidate_parents() {
        let children = root.entries(&place).into_result().unwrap_or_default();
        for child in children.into_iter().filter(|child| child.folder) {
            let gone = OwnerProcess::parse(&child.name).is_some_and(|owner| !owner.is_running(root));
            let folder = place.join(Name::new(child.name).as_path());
            let group = CgroupDir { root: root.clone(), version: hierarchy.version, folder };
            // In a container an owner outside of it cannot be seen.
            if gone && !group.contains_other_users() {
                orphans.push(Orphan { group });
            }
        }
    }
    orphans
}

impl Orphan {
    /// Its folder, for messages.
    pub fn path(&self) -> String {
        self.group.path()
    }

    /// The processes in it.
    pub fn pids(&self) -> Vec<i32> {
        self.group.pids()
    }

    /// Kill what is inside, which may take a minute, and remove it.
    ///
    /// # Errors
    /// Why it is still there.
    pub fn remove(self) -> Result<(), RemoveCgroupError> {
        remove_group(&self.group)
    }
}

#[cfg(test)]
mod tests;
