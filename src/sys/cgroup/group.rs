//! The folder of a cgroup: its files, its processes and its removal.

use crate::clock::Clock;
use crate::model::users::CgroupVersion;
use crate::model::{Bytes, Missing, Name, Reading};
use crate::root::{Root, parse_u64, shown, unexpected};
use crate::sys::open;
use nix::errno::Errno;
use nix::fcntl::AT_FDCWD;
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, UnlinkatFlags, mkdir, unlinkat};
use std::fmt;
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

    /// The PIDs in ascending order.
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

// The owner of a workload cgroup: its name has the PID and start time of the process that created
// it.

/// Prefix of all names.
const PREFIX: &str = "swapadm-lab.";
/// Suffix of names for which the memory controller was enabled.
const OPENS: &str = ".on";
/// The own status of a process.
const OWN: &str = "proc/self/stat";

/// A process, identified even if its PID is reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OwnerProcess {
    pid: i32,
    /// Start time in clock ticks since boot.
    start: u64,
}

impl OwnerProcess {
    /// The current process.
    pub(super) fn current(root: &Root) -> Reading<Self> {
        root.record(OWN).and_then(|bytes| match ProcessStat::parse(&bytes) {
            Some(life) => Reading::Known(life.owner),
            None => unexpected(OWN, "the state of a process", &bytes),
        })
    }

    /// Parses the owner from a name; `None` if it is not exactly one of ours.
    pub(super) fn parse(name: &[u8]) -> Option<Self> {
        let name = name.strip_suffix(OPENS.as_bytes()).unwrap_or(name);
        let mut numbers = name.strip_prefix(PREFIX.as_bytes())?.splitn(2, |byte| *byte == b'.');
        let pid = i32::try_from(parse_u64(numbers.next()?)?).ok().filter(|pid| *pid > 0)?;
        let owner = Self { pid, start: parse_u64(numbers.next()?)? };
        // Leading zeros would be another name of the same process.
        (owner.to_string().as_bytes() == name).then_some(owner)
    }

    /// The name of its cgroup, with a suffix if it needs the controller enabled.
    pub(super) fn name(self, opens: bool) -> String {
        format!("{self}{}", if opens { OPENS } else { "" })
    }

    /// Is it one of our names with that suffix?
    pub(super) fn marks_controller(name: &[u8]) -> bool {
        name.ends_with(OPENS.as_bytes()) && Self::parse(name).is_some()
    }

    /// Does it still run? If that cannot be read, yes: no workload is killed on a guess.
    pub(super) fn is_running(self, root: &Root) -> bool {
        let runs = match root.record(format!("proc/{}/stat", self.pid)).into_result() {
            Ok(bytes) => {
                ProcessStat::parse(&bytes).is_none_or(|life| life.owner == self && !life.ended)
            }
            // /proc may hide processes of others; kill still tells whether the process exists.
            Err(Missing::Absent(_)) => kill(Pid::from_raw(self.pid), None) != Err(Errno::ESRCH),
            Err(_) => true,
        };
        runs || self.is_running_in_container(root)
    }

    /// Does a process in a container match, whose PID there differs from that here?
    fn is_running_in_container(self, root: &Root) -> bool {
        let names = root.names("proc").into_result().unwrap_or_default();
        names.iter().filter_map(|name| parse_u64(name)).any(|pid| {
            let stat = root.record(format!("proc/{pid}/stat")).into_result().unwrap_or_default();
            let life = ProcessStat::parse(&stat).filter(|life| !life.ended);
            // Only the few processes with that start time are examined.
            life.is_some_and(|life| life.owner.start == self.start)
                && self.is_number_in(&root.read(format!("proc/{pid}/status")))
        })
    }

    /// Is this its PID in the innermost namespace listed by `status`?
    fn is_number_in(self, status: &Reading<Vec<u8>>) -> bool {
        let Some(status) = status.known() else { return false };
        let mut lines = status.split(|byte| *byte == b'\n');
        let numbers = lines.find_map(|line| line.strip_prefix(b"NSpid:"));
        let last = numbers.and_then(|numbers| numbers.rsplit(u8::is_ascii_whitespace).next());
        last.and_then(parse_u64).is_some_and(|pid| i32::try_from(pid) == Ok(self.pid))
    }
}

impl fmt::Display for OwnerProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}.{}", self.pid, self.start)
    }
}

/// The fields of `stat`.
#[derive(Debug, PartialEq, Eq)]
struct ProcessStat {
    owner: OwnerProcess,
    /// True if the process has ended and was not reaped yet.
    ended: bool,
}

impl ProcessStat {
    /// Parses `stat`. The name in parentheses may contain any byte, so fields are counted from the
    /// last parenthesis: state is field 3, start time field 22.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let blank = |byte: &u8| *byte == b' ';
        let pid = i32::try_from(parse_u64(bytes.split(blank).next()?)?).ok()?;
        let end = bytes.iter().rposition(|byte| *byte == b')')?;
        let mut fields = bytes.get(end + 1..)?.trim_ascii().split(blank);
        let ended = matches!(fields.next()?, b"Z" | b"X" | b"x");
        let start = parse_u64(fields.nth(18)?)?;
        Some(Self { owner: OwnerProcess { pid, start }, ended })
    }
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

#[cfg(test)]
mod owner_tests {
    use super::*;
    use crate::root::testing::TestTree;

    /// Greater than any PID of Linux.
    const NOBODY: i32 = 1 << 23;

    fn stat(pid: i32, state: char, start: u64) -> String {
        format!("{pid} (a) Z (b) {state} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1 0 {start} 99\n")
    }

    #[test]
    fn only_exact_names_are_parsed() {
        let owner = OwnerProcess { pid: 17, start: 85478 };
        assert_eq!(owner.to_string(), "swapadm-lab.17.85478");
        assert_eq!(OwnerProcess::parse(b"swapadm-lab.17.85478"), Some(owner));
        assert_eq!(OwnerProcess::parse(b"swapadm-lab.17.85478.on"), Some(owner));
        assert_eq!(
            [true, false].map(|opens| OwnerProcess::marks_controller(owner.name(opens).as_bytes())),
            [true, false]
        );
        for bad in [
            "swapadm-lab",
            "swapadm-lab.17",
            "swapadm-lab.17.",
            "swapadm-lab..5",
            "swapadm-lab.17.5.6",
            "swapadm-lab.17.5.on.on",
            "swapadm-lab.17.on",
            "swapadm-lab.017.5",
            "swapadm-lab.17.05",
            "swapadm-lab.0.5",
            "swapadm-lab.-1.5",
            "swapadm-lab.4294967297.5",
            "swapadm-lab.17.5 ",
            "xswapadm-lab.17.5",
            "swapadm-live.17.5",
        ] {
            assert_eq!(OwnerProcess::parse(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn process_name_may_contain_parentheses() {
        let life = ProcessStat::parse(stat(17, 'S', 4711).as_bytes()).unwrap();
        assert_eq!(
            life,
            ProcessStat { owner: OwnerProcess { pid: 17, start: 4711 }, ended: false }
        );
        for bad in ["", "17", "17 (a)", "17 (a) S 1 2", "x (a) S 1"] {
            assert_eq!(ProcessStat::parse(bad.as_bytes()), None, "{bad:?}");
        }
    }

    #[test]
    fn reused_pid_is_not_the_owner() {
        let tree = TestTree::with(&[(&format!("proc/{NOBODY}/stat"), stat(NOBODY, 'S', 500))]);
        let (root, owner) = (tree.live(), OwnerProcess { pid: NOBODY, start: 500 });
        assert!(owner.is_running(&root));
        assert!(!OwnerProcess { start: 499, ..owner }.is_running(&root));
        tree.write(&format!("proc/{NOBODY}/stat"), stat(NOBODY, 'Z', 500));
        assert!(!owner.is_running(&root), "it has ended, though nobody has looked");
        tree.write(&format!("proc/{NOBODY}/stat"), "torn");
        assert!(owner.is_running(&root), "nobody knows");
        assert!(!OwnerProcess { pid: NOBODY + 1, start: 1 }.is_running(&root));
    }

    #[test]
    fn owner_in_a_container_has_another_pid() {
        let (here, there) = (NOBODY + 5, NOBODY + 1);
        let tree = TestTree::with(
            &[
                (format!("proc/{here}/stat"), stat(here, 'S', 500)),
                (
                    format!("proc/{here}/status"),
                    format!("Name:\tx\nNSpid:\t{here}\t{there}\nNSsid:\t9\n"),
                ),
            ]
            .each_ref()
            .map(|(path, text)| (path.as_str(), text)),
        );
        let owner = OwnerProcess { pid: there, start: 500 };
        assert!(owner.is_running(&tree.live()));
        assert!(!OwnerProcess { start: 501, ..owner }.is_running(&tree.live()));
        assert!(!OwnerProcess { pid: there + 1, ..owner }.is_running(&tree.live()));
    }

    #[test]
    fn current_process_is_running() {
        let root = Root::live();
        let owner = OwnerProcess::current(&root).into_result().unwrap();
        assert_eq!(u32::try_from(owner.pid).unwrap(), std::process::id());
        assert!(owner.is_running(&root));
    }
}
