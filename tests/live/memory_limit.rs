//! A cgroup that limits the memory of the load, on version 1 or 2.

use crate::lab::{Lab, OURS, retry};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

/// The cgroup; removed when dropped.
pub(crate) struct MemoryLimit {
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// Its path below the mount.
    pub(crate) path: String,
    /// The version of cgroups.
    pub(crate) version: u8,
    /// Closed when no longer needed.
    fresh: Option<Sender<()>>,
}

impl MemoryLimit {
    /// Creates a cgroup with this memory limit and unlimited swap.
    pub(crate) fn new(lab: &Lab, memory: u64) -> Result<Self, String> {
        let (version, mount) = hierarchy()?;
        let folder = mount.join(OURS);
        lab.note("cgroup", &folder);
        fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let cage = Self { folder, path: format!("/{OURS}"), version, fresh: None };
        cage.limit(memory).map_err(|error| {
            format!("the cgroup accepts no memory limit: {error}; is the controller enabled?")
        })?;
        cage.favour_swap();
        Ok(cage)
    }

    /// Makes the kernel refresh the counters of the cgroup while this exists: with counters seconds old the
    /// kernel gives up reclaim in a small busy cgroup, and kills although swap is free. Swapoff is faster
    /// then.
    pub(crate) fn keep_fresh(&mut self) {
        let (kept, end) = mpsc::channel();
        let stat = self.folder.join("memory.stat");
        std::thread::spawn(move || {
            while end.recv_timeout(Duration::from_millis(5)) == Err(RecvTimeoutError::Timeout) {
                let _ = fs::read(&stat);
            }
        });
        self.fresh = Some(kept);
    }

    /// Sets optional files, which may be missing.
    fn favour_swap(&self) {
        for (file, value) in [("memory.swappiness", "60"), ("memory.zswap.max", "0")] {
            if self.folder.join(file).exists() {
                let _ = fs::write(self.folder.join(file), value);
            }
        }
    }

    /// Moves a process into the cgroup.
    pub(crate) fn hold(&self, pid: u32) {
        fs::write(self.folder.join("cgroup.procs"), pid.to_string())
            .expect("the cgroup accepts a process");
    }

    /// Sets the memory limit: the rest goes to swap.
    pub(crate) fn limit(&self, memory: u64) -> io::Result<()> {
        let limit = if self.version == 1 { "memory.limit_in_bytes" } else { "memory.max" };
        fs::write(self.folder.join(limit), memory.to_string())
    }

    /// Swaps out down to this much memory, as far as possible without killing.
    pub(crate) fn squeeze(&self, memory: u64) {
        // Version 1 reports the failure and keeps the old limit. Version 2 sets the limit and stalls
        // processes above it for seconds: it is removed again.
        let memory = memory.to_string();
        let limits: &[(&str, &str)] = match self.version {
            1 => &[("memory.limit_in_bytes", &memory)],
            _ => &[("memory.high", &memory), ("memory.high", "max")],
        };
        for (file, limit) in limits {
            let _ = fs::write(self.folder.join(file), limit);
        }
    }

    /// Removes the memory limit.
    pub(crate) fn lift(&self) {
        let (limit, all) = match self.version {
            1 => ("memory.limit_in_bytes", "-1"),
            _ => ("memory.max", "max"),
        };
        fs::write(self.folder.join(limit), all).expect("the cgroup accepts a limit");
    }

    /// The swap in use, as counted by the kernel.
    pub(crate) fn swap(&self) -> u64 {
        if self.version == 2 {
            return number(&self.folder.join("memory.swap.current"));
        }
        let stat = fs::read_to_string(self.folder.join("memory.stat")).expect("a cgroup has it");
        let line = stat.lines().find_map(|line| line.strip_prefix("total_swap "));
        line.and_then(|text| text.parse().ok()).expect("version 1 counts swap")
    }

    /// The memory in use.
    pub(crate) fn memory(&self) -> u64 {
        let file = if self.version == 1 { "memory.usage_in_bytes" } else { "memory.current" };
        number(&self.folder.join(file))
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        drop(self.fresh.take());
        take_down(&self.folder);
    }
}

/// Ends the processes in the cgroup and removes it.
pub(crate) fn take_down(folder: &Path) {
    let _ = retry(|| {
        let inside = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
        for pid in inside.lines().filter_map(|line| line.parse().ok()) {
            let pid = nix::unistd::Pid::from_raw(pid);
            let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
        }
        if folder.exists() { fs::remove_dir(folder) } else { Ok(()) }
    });
}

/// The hierarchy with the memory controller.
fn hierarchy() -> Result<(u8, PathBuf), String> {
    let mounts = fs::read_to_string("/proc/mounts").map_err(|error| error.to_string())?;
    let mounts: Vec<Vec<&str>> = mounts.lines().map(|line| line.split(' ').collect()).collect();
    let first = mounts
        .iter()
        .find(|mount| mount[2] == "cgroup" && mount[3].split(',').any(|word| word == "memory"));
    if let Some(mount) = first {
        return Ok((1, PathBuf::from(mount[1])));
    }
    let second = mounts.iter().find(|mount| mount[2] == "cgroup2");
    let mount = second.ok_or("no cgroups are mounted")?;
    Ok((2, PathBuf::from(mount[1])))
}

fn number(path: &Path) -> u64 {
    let text = fs::read_to_string(path).expect("a cgroup has this file");
    text.trim().parse().expect("it holds a number")
}
