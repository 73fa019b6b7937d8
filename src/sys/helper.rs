//! The process that takes areas off.
//!
//! swapoff(2) blocks for as long as pages move, is ended by a signal only, and makes its caller
//! the first that the kernel kills when memory runs out. So it is never called by the program a
//! person sits at: this same program is started again with a hidden argument.
//!
//! An area that is taken off to be put on again is both done by the helper: whoever kills the
//! program meanwhile does not leave the machine without the area. The helper holds the lock as
//! well, so that nobody else begins before it has ended.

use super::{Lock, RunningHelper, ffi, open, swap_on};
use crate::clock::Clock;
use crate::model::Name;
use crate::model::activation::{Activation, Discard, Priority};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStdout, Command, Stdio};
use std::time::Duration;

/// The hidden first argument.
pub const HELP: &str = "__swap";

/// Stands where a priority would: no priority is called so.
const ORDER: &str = "order";

/// What a helper does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelperTask {
    /// Take an area off.
    Off(Name),
    /// Take it off, and put it on again like this.
    Renew(Activation),
    /// Write a word into a file of the kernel, which does what it says before it answers.
    Order {
        /// The file.
        file: Name,
        /// The word.
        word: String,
    },
}

/// How far a helper came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelperReport {
    /// All of it is done.
    Done,
    /// Taking off failed: the area is as it was.
    OffFailed(Errno),
    /// It is off, and putting it on again failed.
    OnFailed(Errno),
    /// The kernel did not do what it was told, or not all of it.
    Failed(Errno),
    /// It was told to end before it could hear.
    Stopped,
    /// It was killed, by somebody else or for want of memory.
    Killed,
}

impl HelperTask {
    /// The area, or the file.
    pub fn path(&self) -> &Name {
        match self {
            Self::Off(path) | Self::Order { file: path, .. } => path,
            Self::Renew(area) => &area.path,
        }
    }

    /// The arguments that tell a helper of it.
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

    /// What those arguments say.
    fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let path = Name::new(arguments.next()?.into_vec());
        let Some(priority) = arguments.next() else { return Some(Self::Off(path)) };
        let word = arguments.next()?;
        if priority == ORDER {
            return Some(Self::Order { file: path, word: word.into_string().ok()? });
        }
        let known = |(name, _): &&(&str, Discard)| word == *name;
        let (_, discard) = Discard::WORDS.iter().find(known)?;
        let priority = Priority::parse(priority.to_str()?).ok()?;
        Some(Self::Renew(Activation { path, priority, discard: *discard }))
    }
}

/// The name of the process in the log of the kernel, which is that of its file otherwise: `exe`.
const PROCESS: &CStr = c"swapadm";

/// Do what the arguments say: the other end of [`Helper`].
///
/// # Errors
/// When nobody hears of it any more; the work is done all the same.
pub fn serve(arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let Some(work) = HelperTask::from_arguments(arguments) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    // It works under another name all the same.
    let _ = prctl::set_name(PROCESS);
    // To be stopped must not mean to die: between the two calls that would leave the area off.
    // Who started us may have blocked or ignored these.
    ffi::interrupt_on(&[Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP])?;
    let mut out = io::stdout();
    out.write_all(&encode_report(perform(&work)))
}

/// How often, and how long in between, it is tried to put an area on again.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// Put an area on again. Just after a drain there may be no memory for its tables, and somebody
/// may look at the device for a moment.
fn put_on(area: &Activation) -> Result<(), Errno> {
    let mut tries = 0;
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

fn perform(work: &HelperTask) -> HelperReport {
    if let HelperTask::Order { file, word } = work {
        return open::write_setting(file, word).map_or_else(HelperReport::Failed, |()| HelperReport::Done);
    }
    let Ok(path) = CString::new(work.path().as_bytes()) else {
        return HelperReport::OffFailed(Errno::ENOENT);
    };
    if let Err(error) = ffi::swapoff(&path) {
        return HelperReport::OffFailed(error);
    }
    match work {
        HelperTask::Off(_) | HelperTask::Order { .. } => HelperReport::Done,
        HelperTask::Renew(area) => match put_on(area) {
            Ok(()) => HelperReport::Done,
            Err(error) => HelperReport::OnFailed(error),
        },
    }
}

/// A report as it goes through the pipe: a letter, and the number of an error.
fn encode_report(report: HelperReport) -> Vec<u8> {
    let (letter, error) = match report {
        HelperReport::Done => ('+', 0),
        HelperReport::OffFailed(error) => ('f', error as i32),
        HelperReport::OnFailed(error) => ('n', error as i32),
        HelperReport::Failed(error) => ('o', error as i32),
        HelperReport::Stopped | HelperReport::Killed => ('-', 0),
    };
    format!("{letter}{error}").into_bytes()
}

fn decode_report(word: &[u8]) -> HelperReport {
    let Some((letter, number)) = word.split_first() else { return HelperReport::Killed };
    let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
    let error = Errno::from_raw(number.unwrap_or(0));
    match letter {
        b'+' => HelperReport::Done,
        b'f' => HelperReport::OffFailed(error),
        b'n' => HelperReport::OnFailed(error),
        b'o' => HelperReport::Failed(error),
        _ => HelperReport::Killed,
    }
}

/// A helper at work.
#[derive(Debug)]
pub struct Helper {
    pid: Pid,
    pipe: ChildStdout,
    report: Option<HelperReport>,
}

impl Helper {
    /// Start one.
    ///
    /// # Errors
    /// When no process can be started.
    #[expect(clippy::disallowed_methods, reason = "it is this program itself")]
    pub fn start(work: &HelperTask, lock: &Lock) -> io::Result<Self> {
        // By a name that holds after this program was replaced on disk, and in a group of its own:
        // Ctrl-C is for us to hear, who then stop it and see what is to be put right.
        let mut command = Command::new("/proc/self/exe");
        command.arg(HELP).args(work.arguments()).current_dir("/").process_group(0);
        // The lock goes along in place of an input.
        command.stdin(lock.duplicate()?).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let pipe = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let pid = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
        Ok(Self { pid, pipe, report: None })
    }

    fn reap(&mut self) -> Option<HelperReport> {
        match waitpid(self.pid, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => None,
            // Where nobody waits for children (SIGCHLD is ignored) there is none any more.
            Ok(WaitStatus::Exited(..)) | Err(Errno::ECHILD) => {
                let mut told = Vec::new();
                let read = self.pipe.read_to_end(&mut told);
                Some(read.map_or(HelperReport::Killed, |_| decode_report(&told)))
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
            // Its end of the pipe closes when it ends; interrupted is as good as not yet.
            let mut fds = [PollFd::new(self.pipe.as_fd(), PollFlags::POLLIN)];
            let told = poll(&mut fds, PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX));
            self.report = self.reap();
            if left.is_zero() || !matches!(told, Ok(1..)) {
                break;
            }
            // It has closed the pipe, and the kernel is not through with it yet.
            if self.report.is_none() {
                Clock::Real.sleep(Duration::from_micros(100));
            }
        }
        self.report
    }

    fn stop(&mut self) {
        if self.report.is_none() {
            // Nothing can be done about a process that is gone.
            let _ = kill(self.pid, Signal::SIGTERM);
            // One that somebody stopped hears only when it goes on.
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
        // As a helper does, it hears the signal; without a handler the kernel would end it at once.
        let script = "trap 'exit 0' TERM; echo; while :; do sleep 0.1; done";
        let mut command = Command::new("sh");
        let mut child = command.args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut [0]).unwrap();
        let mut helper = Helper { pid, pipe, report: None };
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
            HelperReport::Failed(Errno::EIO),
        ] {
            assert_eq!(decode_report(&encode_report(report)), report);
        }
        assert_eq!(decode_report(b""), HelperReport::Killed);
    }
}
