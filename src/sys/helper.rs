//! The helper process that disables areas.
//!
//! swapoff(2) blocks while pages move, ends early only on a signal, and makes its caller the first
//! victim of the OOM killer. So the interactive program never calls it: it starts itself again with
//! a hidden argument.
//!
//! For an area that is disabled and enabled again, the helper does both: killing the main program
//! does not leave the machine without the area. The helper also holds the lock, so that no other
//! change begins before it has ended.

use super::{
    Lock, RunningHelper, SWAP_IN, area_path, lock, open, process_folder, swap_in, swap_on,
};
use crate::clock::Clock;
use crate::ffi;
use crate::model::Name;
use crate::model::activation::{Activation, Discard, Priority};
use crate::root::parse_u64;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::ffi::{CStr, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStdout, Command, Stdio};
use std::time::Duration;

/// The hidden first argument.
pub const HELPER_ARGUMENT: &str = "__swap";

/// Marks an order in place of a priority; no priority has this name.
const ORDER: &str = "order";

/// The task of a helper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelperTask {
    /// Disable an area.
    Off(Name),
    /// Disable an area, and enable it again like this.
    Renew(Activation),
    /// Write a word to a kernel file, which acts before the write returns.
    Order {
        /// Path of the file.
        file: Name,
        /// The word.
        word: String,
    },
}

/// The result of a helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelperReport {
    /// Everything is done.
    Done,
    /// Disabling failed: the area is still active. Up to 6.18, an area with a default priority
    /// becomes the last one of these.
    OffFailed(Errno),
    /// The area is disabled, and enabling it again failed.
    OnFailed(Errno),
    /// The kernel refused the order, or part of it.
    OrderFailed(Errno),
    /// SIGTERM ended the helper before it handled signals.
    Stopped,
    /// The helper was killed, by someone else or for lack of memory.
    Killed,
}

impl HelperTask {
    /// Path of the area or file.
    pub fn path(&self) -> &Name {
        match self {
            Self::Off(path) | Self::Order { file: path, .. } => path,
            Self::Renew(area) => &area.path,
        }
    }

    /// Is it the order to bring pages of a process back?
    fn is_swap_in(&self) -> bool {
        matches!(self, Self::Order { file, word } if word == SWAP_IN && process_folder(file).is_some())
    }

    /// The task as arguments of a helper.
    fn arguments(&self) -> Vec<OsString> {
        let path = OsStr::from_bytes(self.path().as_bytes()).to_owned();
        match self {
            Self::Off(_) => vec![path],
            Self::Renew(area) => {
                vec![path, area.priority.to_string().into(), area.discard.word().into()]
            }
            Self::Order { word, .. } => vec![path, ORDER.into(), word.into()],
        }
    }

    /// Parses the task from arguments.
    fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let path = Name::new(arguments.next()?.into_vec());
        let Some(priority) = arguments.next() else { return Some(Self::Off(path)) };
        let word = arguments.next()?;
        if priority == ORDER {
            return Some(Self::Order { file: path, word: word.into_string().ok()? });
        }
        let discard = Discard::from_word(word.to_str()?)?;
        let priority = Priority::parse(priority.to_str()?).ok()?;
        Some(Self::Renew(Activation { path, priority, discard }))
    }
}

/// Process name in the kernel log; otherwise it would be that of its file: `exe`.
const PROCESS: &CStr = c"swapadm";

/// Performs the task in the arguments: the child side of [`Helper`]. The task is done even if the
/// report cannot be sent.
pub fn serve(arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let Some(work) = HelperTask::from_arguments(arguments) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    // The task is performed even under another name.
    let _ = prctl::set_name(PROCESS);
    // A stop must not kill the process: between the two calls the area would stay disabled. The
    // parent may have blocked or ignored these signals.
    let signals = [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP];
    if work.is_swap_in() {
        // Pages that were brought back need no repair: a signal may end this at any moment.
        ffi::restore_default(&signals)?;
    } else {
        ffi::interrupt_on(&signals)?;
    }
    // Only others want to know, and only if the program ends before its helper.
    let lock = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    let _ = lock.and_then(|lock| lock::add_helper(&lock));
    let mut out = io::stdout();
    let report = perform(&work);
    out.write_all(&encode_report(report, Clock::Real.nanos()))
}

/// How often to try to enable an area again, and the pause in between.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// Enables an area again. Just after a drain, memory for its tables may be missing, or another
/// program may have the device open for a moment.
fn enable_again(area: &Activation) -> Result<(), Errno> {
    let mut tries = 1;
    loop {
        match swap_on(area) {
            Err(Errno::ENOMEM | Errno::EBUSY | Errno::EINTR) if tries < TRIES => {
                tries += 1;
                Clock::Real.sleep(PAUSE);
            }
            result => return result,
        }
    }
}

/// Disables an area. A machine that suspends, a frozen cgroup and a stopped process interrupt the call like a signal:
/// then it goes on.
fn disable(path: &CStr) -> Result<(), Errno> {
    loop {
        match ffi::swapoff(path) {
            Err(Errno::EINTR) if !ffi::is_signalled() => {}
            result => return result,
        }
    }
}

fn perform(work: &HelperTask) -> HelperReport {
    if let HelperTask::Order { file, word } = work {
        let done = if work.is_swap_in() {
            swap_in::swap_in(file)
        } else {
            open::write_setting(file, word)
        };
        return done.map_or_else(HelperReport::OrderFailed, |()| HelperReport::Done);
    }
    if let Err(error) = area_path(work.path()).and_then(|path| disable(&path)) {
        return HelperReport::OffFailed(error);
    }
    match work {
        HelperTask::Off(_) | HelperTask::Order { .. } => HelperReport::Done,
        HelperTask::Renew(area) => match enable_again(area) {
            Ok(()) => HelperReport::Done,
            Err(error) => HelperReport::OnFailed(error),
        },
    }
}

/// Encodes a report for the pipe: a letter, an errno, and the end of the task in nanoseconds since boot.
fn encode_report(report: HelperReport, ended: u64) -> Vec<u8> {
    let (letter, error) = match report {
        HelperReport::Done => ('+', 0),
        HelperReport::OffFailed(error) => ('f', error as i32),
        HelperReport::OnFailed(error) => ('n', error as i32),
        HelperReport::OrderFailed(error) => ('o', error as i32),
        HelperReport::Stopped | HelperReport::Killed => ('-', 0),
    };
    format!("{letter}{error} {ended}").into_bytes()
}

/// The end of the task in nanoseconds since boot.
fn decode_end(report: &[u8]) -> Option<u64> {
    parse_u64(report.split(|byte| *byte == b' ').nth(1)?)
}

fn decode_report(word: &[u8]) -> HelperReport {
    let word = word.split(|byte| *byte == b' ').next().unwrap_or_default();
    let Some((letter, number)) = word.split_first() else { return HelperReport::Killed };
    let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
    let error = Errno::from_raw(number.unwrap_or(0));
    match letter {
        b'+' => HelperReport::Done,
        b'f' => HelperReport::OffFailed(error),
        b'n' => HelperReport::OnFailed(error),
        b'o' => HelperReport::OrderFailed(error),
        _ => HelperReport::Killed,
    }
}

/// A running helper.
#[derive(Debug)]
pub struct Helper {
    pid: Pid,
    pipe: ChildStdout,
    report: Option<HelperReport>,
    ended: Option<u64>,
}

impl Helper {
    /// Starts a helper.
    ///
    /// # Errors
    /// Fails if no process can be started.
    #[expect(clippy::disallowed_methods, reason = "it is this program itself")]
    pub fn start(work: &HelperTask, lock: &Lock) -> io::Result<Self> {
        // /proc/self/exe works after this program was replaced on disk. The helper gets its own
        // process group: Ctrl-C must reach only us, to stop it in order and repair what is left.
        let mut command = Command::new("/proc/self/exe");
        command.arg(HELPER_ARGUMENT).args(work.arguments()).current_dir("/").process_group(0);
        // The lock is passed in place of standard input.
        command.stdin(lock.duplicate()?).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let pipe = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let pid = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
        Ok(Self { pid, pipe, report: None, ended: None })
    }

    /// When the task ended, in nanoseconds since boot, if its report says so.
    pub fn ended(&self) -> Option<u64> {
        self.ended
    }

    fn reap(&mut self) -> Option<HelperReport> {
        match waitpid(self.pid, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => None,
            Ok(WaitStatus::Exited(..)) => {
                let mut report = Vec::new();
                let read = self.pipe.read_to_end(&mut report);
                self.ended = decode_end(&report);
                Some(read.map_or(HelperReport::Killed, |_| decode_report(&report)))
            }
            Ok(WaitStatus::Signaled(_, Signal::SIGTERM, _)) => Some(HelperReport::Stopped),
            Ok(_) | Err(_) => Some(HelperReport::Killed),
        }
    }
}

impl RunningHelper for Helper {
    fn wait(&mut self, time: Duration) -> Option<HelperReport> {
        let begun = Clock::Real.now();
        while self.report.is_none() {
            let passed = Clock::Real.now().seconds_since(begun);
            let left = time.saturating_sub(Duration::from_secs_f64(passed));
            // The pipe closes when the helper ends; an interruption counts as not yet.
            let mut fds = [PollFd::new(self.pipe.as_fd(), PollFlags::POLLIN)];
            let ready = poll(&mut fds, PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX));
            self.report = self.reap();
            if left.is_zero() || !matches!(ready, Ok(1..)) {
                break;
            }
            // It has closed the pipe, and the kernel has not finished with it.
            if self.report.is_none() {
                Clock::Real.sleep(Duration::from_micros(100));
            }
        }
        self.report
    }

    fn stop(&mut self) {
        if self.report.is_none() {
            // A process that is gone needs no signal.
            let _ = kill(self.pid, Signal::SIGTERM);
            // A suspended helper reacts only when it continues.
            let _ = kill(self.pid, Signal::SIGCONT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_survives_argument_round_trip() {
        let renew = |priority, discard| {
            HelperTask::Renew(Activation { path: "/dev/x y".into(), priority, discard })
        };
        let works = [
            HelperTask::Off(Name::new(*b"/swap\xff\n")),
            renew(Priority::Default, Discard::None),
            renew(Priority::Set(32767), Discard::Both),
            HelperTask::Order { file: "/sys/x y".into(), word: "type=huge threshold=9".to_owned() },
        ];
        for work in works {
            assert_eq!(HelperTask::from_arguments(work.arguments().into_iter()), Some(work));
        }
        let wrong = ["/x", "40000", "none"].map(OsString::from);
        assert_eq!(HelperTask::from_arguments(wrong.into_iter()), None);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "any process will do")]
    fn suspended_helper_ends_when_stopped() {
        // Like a helper, it handles the signal; without a handler it would die at once.
        let script = "trap 'exit 0' TERM; echo; while :; do sleep 0.1; done";
        let mut command = Command::new("sh");
        let mut child = command.args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut [0]).unwrap();
        let mut helper = Helper { pid, pipe, report: None, ended: None };
        kill(pid, Signal::SIGSTOP).unwrap();
        helper.stop();
        let report = helper.wait(Duration::from_secs(5));
        let _ = (child.kill(), child.wait());
        assert_eq!(report, Some(HelperReport::Killed), "it ended, and reported nothing");
    }

    #[test]
    fn report_survives_pipe_round_trip() {
        for report in [
            HelperReport::Done,
            HelperReport::OffFailed(Errno::EINTR),
            HelperReport::OnFailed(Errno::EBUSY),
            HelperReport::OrderFailed(Errno::EIO),
        ] {
            let sent = encode_report(report, 1234);
            assert_eq!((decode_report(&sent), decode_end(&sent)), (report, Some(1234)));
        }
        assert_eq!(decode_report(b""), HelperReport::Killed);
    }
}
