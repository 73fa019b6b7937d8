//! The owner of a workload cgroup: its name has the PID and start time of the process that created
//! it.

use crate::model::{Missing, Reading};
use crate::root::{Root, parse_u64, unexpected};
use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use std::fmt;

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
