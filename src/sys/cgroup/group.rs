//! The folder of a cgroup: its files, its processes and its removal.

use crate::clock::Clock;
use crate::model::users::CgroupVersion;
use crate::model::{Bytes, Name};
use crate::root::{Root, parse_u64, shown};
use crate::sys::open;
use nix::errno::Errno;
use nix::fcntl::AT_FDCWD;
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, UnlinkatFlags, mkdir, unlinkat};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that lists and accepts processes.
pub(super) const PROCS: &str = "cgroup.procs";
/// Interval between checks whether processes have ended.
const PAUSE: Duration = Duration::from_millis(20);

/// A cgroup by its folder.
#[derive(Clone, Debug)]
pub(super) struct CgroupDir {
    pub(super) root: Root,
    pub(super) version: CgroupVersion,
    pub(super) folder: PathBuf,
}

/// Writes to a kernel file.
pub(super) fn write(root: &Root, file: &Path, text: &str) -> Result<(), Errno> {
    open::write_setting(&Name::new(full_path(root, file).as_os_str().as_bytes()), text)
}

/// The real path behind the root.
pub(super) fn full_path(root: &Root, path: &Path) -> PathBuf {
    root.folder().join(path.strip_prefix("/").unwrap_or(path))
}

impl CgroupDir {
    /// Creates its folder.
    pub(super) fn make(&self) -> Result<(), Errno> {
        mkdir(&full_path(&self.root, &self.folder), Mode::from_bits_truncate(0o755))
    }

    /// The file name for this version of cgroups.
    pub(super) fn file(&self, first: &str, second: &str) -> PathBuf {
        self.folder.join(match self.version {
            CgroupVersion::V1 => first,
            CgroupVersion::V2 => second,
        })
    }

    /// The bytes in a file; `None` if it is missing or unlimited.
    pub(super) fn bytes(&self, first: &str, second: &str) -> Option<Bytes> {
        self.root.number(self.file(first, second)).into_result().ok().map(Bytes)
    }

    /// The number after a word in a file of lines.
    pub(super) fn counter(&self, file: &Path, word: &str) -> Option<u64> {
        let text = self.root.read(file).into_result().ok()?;
        counter(&text, word.as_bytes())
    }

    /// Its PIDs in ascending order.
    pub(super) fn pids(&self) -> Vec<i32> {
        let listed = self.root.read(self.folder.join(PROCS)).into_result().unwrap_or_default();
        pids(&listed)
    }

    /// Does it have processes outside our container, which have no PID here?
    pub(super) fn has_outside_processes(&self) -> bool {
        let listed = self.root.read(self.folder.join(PROCS)).into_result().unwrap_or_default();
        listed.split(|byte| *byte == b'\n').any(|line| line == b"0")
    }

    /// Kills all its processes until none is left; the error lists those left after the time limit.
    pub(super) fn kill_all(&self, within: Duration) -> Result<(), Vec<i32>> {
        let end = Deadline::in_time(within);
        loop {
            let pids = self.pids();
            if pids.is_empty() {
                return Ok(());
            }
            if end.has_passed() {
                return Err(pids);
            }
            // Again each time: new processes may have started since.
            self.kill(&pids);
            Clock::Real.sleep(PAUSE);
        }
    }

    fn kill(&self, pids: &[i32]) {
        let all = self.folder.join("cgroup.kill");
        if self.version == CgroupVersion::V2 && write(&self.root, &all, "1").is_ok() {
            return;
        }
        for pid in pids {
            // A process that has ended needs no signal.
            let _ = kill(Pid::from_raw(*pid), Signal::SIGKILL);
        }
    }

    /// Removes the folder. The kernel may keep it busy for a moment after its last process.
    pub(super) fn remove(&self, within: Duration) -> Result<(), Errno> {
        let end = Deadline::in_time(within);
        let folder = full_path(&self.root, &self.folder);
        loop {
            match unlinkat(AT_FDCWD, &folder, UnlinkatFlags::RemoveDir) {
                Ok(()) | Err(Errno::ENOENT) => return Ok(()),
                Err(Errno::EBUSY | Errno::EINTR) if !end.has_passed() => Clock::Real.sleep(PAUSE),
                Err(error) => return Err(error),
            }
        }
    }

    /// Path of the folder, for messages.
    pub(super) fn path(&self) -> String {
        shown(&self.folder)
    }
}

/// A point in time to come.
pub(super) struct Deadline(u64);

impl Deadline {
    pub(super) fn in_time(time: Duration) -> Self {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        Self(Clock::Real.now().boot_ns.saturating_add(time))
    }

    pub(super) fn has_passed(&self) -> bool {
        Clock::Real.now().boot_ns >= self.0
    }
}

/// The valid PIDs. Signal to PID 0 would kill ourselves.
fn pids(listed: &[u8]) -> Vec<i32> {
    let number = |line: &[u8]| i32::try_from(parse_u64(line)?).ok().filter(|pid| *pid > 0);
    let lines = listed.split(|byte| *byte == b'\n');
    let mut pids: Vec<i32> = lines.filter_map(number).collect();
    // Version 1 may list a process twice.
    pids.sort_unstable();
    pids.dedup();
    pids
}

fn counter(text: &[u8], word: &[u8]) -> Option<u64> {
    text.split(|byte| *byte == b'\n').find_map(|line| {
        let number = line.strip_prefix(word)?.strip_prefix(b" ")?;
        parse_u64(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_pids_are_never_killed() {
        assert_eq!(pids(b"30\n0\n7\n30\n-1\nx\n99999999999\n"), [7, 30]);
        assert_eq!(pids(b""), [0_i32; 0]);
    }

    #[test]
    fn counter_name_must_match_fully() {
        let events = b"oom 4\noom_kill 3\noom_group_kill 1\n";
        assert_eq!(counter(events, b"oom_kill"), Some(3));
        assert_eq!(counter(events, b"kill"), None);
        assert_eq!(counter(b"total_swap 8192\nswap 1\n", b"swap"), Some(1));
    }
}
