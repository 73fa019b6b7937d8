//! The processes of a load: this same program, started again or forked, each with a pipe to hear
//! and one to tell.
//!
//! None outlives the one that made it, and each offers itself first when memory runs out.

mod cpu_binding;
mod port;

pub use cpu_binding::{bind_to_cpu, bind_to_node, in_turn, processors, allow_migration, disable_migration};
pub use port::{WorkerAnswer, Port};

use super::ffi::process as calls;
use super::{memory, open};
use crate::model::load::TaskCommand;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl::{set_name, set_pdeathsig};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::WaitStatus;
use nix::unistd::{Pid, getpid, getppid, pipe2};
use port::PipeReader;
use std::ffi::{CStr, OsStr};
use std::fmt;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The hidden first argument; the second is the number of the process that starts it.
pub const WORK: &str = "__work";
/// What such a process is called in lists of processes: of the name of a program the kernel keeps
/// 15 bytes, and this one is started by a name that says nothing.
const NAME: &CStr = c"swapadm-load";

/// Faults of a thread since it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// Those that read nothing.
    pub minor: u64,
    /// Those that read.
    pub major: u64,
}

/// How a process ended, and what it and the children that it waited for have used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerExit {
    /// How.
    pub how: ExitCause,
    /// Processor time.
    pub user: Duration,
    /// The same in the kernel.
    pub system: Duration,
    /// Faults that read nothing.
    pub minor: u64,
    /// Faults that read.
    pub major: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCause {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Killed(Signal),
}

impl fmt::Display for ExitCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "ended with exit code {code}"),
            Self::Killed(signal) => write!(f, "was killed by {signal}"),
        }
    }
}

/// A process of a load, seen by the one that made it. It is killed when this is dropped.
#[derive(Debug)]
pub struct Worker {
    pid: Pid,
    input: File,
    output: File,
    heard: PipeReader,
    ended: Option<WorkerExit>,
}

/// Who we are after a fork.
#[derive(Debug)]
pub enum ForkSide {
    /// The one that forked, with the new process.
    Parent(Worker),
    /// The new process, with its way to hear and tell.
    Child(Port),
}

impl Worker {
    /// Start one, on this processor where one is named. It is killed when the *thread* that calls
    /// this ends, even if the program goes on: call it from one that stays for as long as the load
    /// runs.
    ///
    /// # Errors
    /// When no process can be started.
    pub fn start(cpu: Option<u32>) -> io::Result<Self> {
        // By a name that holds after this program was replaced on disk.
        Self::start_from("/proc/self/exe".as_ref(), cpu)
    }

    /// The same from another file that holds this program, for whoever is another one.
    ///
    /// # Errors
    /// When no process can be started.
    #[expect(clippy::disallowed_methods, reason = "it is this program itself")]
    pub fn start_from(program: &Path, cpu: Option<u32>) -> io::Result<Self> {
        // In a group of its own: Ctrl-C is for us to hear, who then end the load.
        let mut command = Command::new(program);
        command.arg0(OsStr::from_bytes(NAME.to_bytes()));
        command.arg(WORK).arg(getpid().to_string()).current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(set) = cpu.and_then(cpu_binding::single_cpu) {
            calls::begin_on(&mut command, set);
        }
        let mut child = command.spawn()?;
        let input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let pid = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
        Self::from_pipes(pid, input.into(), output.into())
    }

    fn from_pipes(pid: Pid, input: OwnedFd, output: OwnedFd) -> io::Result<Self> {
        let (input, output) = (input.into(), output.into());
        let worker = Self { pid, input, output, heard: PipeReader::default(), ended: None };
        // Only our end: what the process itself does may block.
        fcntl(&worker.output, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(worker)
    }

    /// Its number.
    pub fn pid(&self) -> i32 {
        self.pid.as_raw()
    }

    /// Send it a line.
    ///
    /// # Errors
    /// When it has ended.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.input.write_all(format!("{line}\n").as_bytes())
    }

    /// Tell it to go on.
    ///
    /// # Errors
    /// When it has ended.
    pub fn signal_go(&mut self, go: TaskCommand) -> io::Result<()> {
        self.input.write_all(&[go_letter(go)])
    }

    /// The next line that it has told, without waiting. Poll [`Worker::as_fd`] after all lines
    /// were taken: there may be more than one.
    ///
    /// # Errors
    /// When the pipe cannot be read, or what is told has no end.
    pub fn read_answer(&mut self) -> io::Result<WorkerAnswer> {
        self.heard.next_line(&mut self.output)
    }

    /// Sleep until it has told something or has ended; and meanwhile watch who made ourselves:
    /// has that one gone away?
    ///
    /// # Errors
    /// When the kernel cannot wait.
    pub fn wait_with_port(&self, port: &Port) -> io::Result<bool> {
        let mut fds = [
            PollFd::new(self.as_fd(), PollFlags::POLLIN),
            PollFd::new(port.as_fd(), PollFlags::empty()),
        ];
        match poll(&mut fds, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => Ok(port.is_orphaned()),
            Err(error) => Err(error.into()),
        }
    }

    /// Kill it, if it has not ended.
    pub fn kill(&mut self) {
        if self.ended.is_none() {
            // Nothing can be done about a process that is gone. Its children go with it.
            let _ = kill(self.pid, Signal::SIGKILL);
        }
    }

    /// How it ended, once it has.
    ///
    /// # Errors
    /// When nobody can know: where SIGCHLD is ignored, the kernel keeps nothing.
    pub fn reap(&mut self) -> io::Result<Option<WorkerExit>> {
        self.await_end(false)
    }

    /// Wait for its end.
    ///
    /// # Errors
    /// As above.
    pub fn end(&mut self) -> io::Result<WorkerExit> {
        self.await_end(true)?.ok_or_else(|| io::ErrorKind::WouldBlock.into())
    }

    fn await_end(&mut self, patient: bool) -> io::Result<Option<WorkerExit>> {
        if self.ended.is_none()
            && let Some((status, used)) = calls::wait(self.pid, patient)?
        {
            let how = if let WaitStatus::Exited(_, code) = status {
                ExitCause::Exited(code)
            } else if let WaitStatus::Signaled(_, signal, _) = status {
                ExitCause::Killed(signal)
            } else {
                // Nobody has asked to hear of processes that are stopped or traced.
                return Err(io::ErrorKind::InvalidData.into());
            };
            let calls::ResourceUsage { user, system, minor, major } = used;
            self.ended = Some(WorkerExit { how, user, system, minor, major });
        }
        Ok(self.ended)
    }
}

impl AsFd for Worker {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
        // It may take its time to die; whoever ends after us takes it then.
        let _ = self.reap();
    }
}

fn go_letter(go: TaskCommand) -> u8 {
    match go {
        TaskCommand::Touch => b't',
        TaskCommand::Free => b'f',
    }
}

/// Have this process die with the one that made it, whose number is given, be the first that the
/// kernel kills when memory runs out, and be called what it is; its children are so, too.
///
/// # Errors
/// When the kernel refuses; the process must not take memory then.
pub fn start_child(parent: i32) -> io::Result<()> {
    die_with_parent(Pid::from_raw(parent))?;
    set_name(NAME)?;
    // To make it more likely to be killed needs no rights, and its children inherit that.
    let file = "/proc/self/oom_score_adj".into();
    open::write_setting(&file, "1000").map_err(|error| {
        io::Error::other(format!("writing 1000 into {}: {}", file.safe(), error.desc()))
    })
}

/// Die with the thread that made this process.
fn die_with_parent(parent: Pid) -> Result<(), Errno> {
    set_pdeathsig(Signal::SIGKILL)?;
    if getppid() == parent {
        return Ok(());
    }
    // It was gone before it could be tied to.
    calls::leave(1)
}

/// Make a process like this one, which dies with it.
///
/// # Errors
/// When no process can be made, or there are threads. The child never sees one.
pub fn fork() -> io::Result<ForkSide> {
    let parent = getpid();
    let (child_input, input) = pipe2(OFlag::O_CLOEXEC)?;
    let (output, child_output) = pipe2(OFlag::O_CLOEXEC)?;
    if let Some(pid) = calls::fork()? {
        return Worker::from_pipes(pid, input, output).map(ForkSide::Parent);
    }
    // Whoever keeps the other end of its own pipe never sees it close.
    drop((input, output));
    if die_with_parent(parent).is_err() {
        calls::leave(1);
    }
    Ok(ForkSide::Child(Port::from_pipes(child_input, child_output)))
}

/// End at once: nothing is given back before, nor does anybody further up hear of it.
pub fn leave(code: i32) -> ! {
    calls::leave(code)
}

/// Faults of this thread since it began; none where the kernel does not say.
#[inline]
pub fn faults() -> Option<Faults> {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
    let minor = u64::try_from(usage.minor_page_faults()).ok()?;
    let major = u64::try_from(usage.major_page_faults()).ok()?;
    Some(Faults { minor, major })
}

/// The size of a page on this machine.
///
/// # Errors
/// When the machine does not say.
pub fn page_size() -> io::Result<u64> {
    Ok(memory::page_size()? as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted() {
        use crate::model::Bytes;
        use crate::model::load::MemoryKind;
        let before = faults().unwrap();
        let mut memory = memory::Mapping::block(MemoryKind::Anonymous, Bytes(4096)).unwrap();
        memory.add_to_word(0, 1).unwrap();
        assert!(faults().unwrap().minor > before.minor);
    }

    #[test]
    fn fork_is_refused_with_threads() {
        // Tests are threads themselves: there is one more.
        assert!(fork().is_err());
    }
}
