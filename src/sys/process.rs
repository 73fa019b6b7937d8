//! The worker processes of a run: this program, started again or forked, each with a pipe for
//! commands and one for answers.
//!
//! No worker outlives its parent, and each is preferred by the OOM killer.

mod port;

use super::{memory, open};
use crate::ffi::process as calls;
use crate::model::load::TaskCommand;
use crate::root::Root;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::sys::prctl::{set_name, set_pdeathsig};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike as _;
use nix::sys::wait::WaitStatus;
use nix::unistd::{Pid, getpid, getppid, pipe2};
use port::PipeReader;
pub use port::{Port, WorkerAnswer};
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

/// The hidden first argument; the second is the PID of the parent.
pub const WORK: &str = "__work";
/// The name of a worker in process lists. The kernel keeps 15 bytes, and the file name `exe` would
/// say nothing.
const NAME: &CStr = c"swapadm-load";

/// Faults of a thread since it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// Minor faults.
    pub minor: u64,
    /// Major faults.
    pub major: u64,
}

/// How a worker ended, with the resource usage of it and the children it waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerExit {
    /// How it ended.
    pub how: ExitCause,
    /// User CPU time.
    pub user: Duration,
    /// System CPU time.
    pub system: Duration,
    /// Minor faults.
    pub minor: u64,
    /// Major faults.
    pub major: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCause {
    /// Exited, with this code.
    Exited(i32),
    /// Killed by this signal.
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

/// The two sides of a fork.
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
        // /proc/self/exe works after this program was replaced on disk.
        Self::start_from("/proc/self/exe".as_ref(), cpu)
    }

    /// Starts a worker from another copy of this program, for another user.
    #[expect(clippy::disallowed_methods, reason = "it is this program itself")]
    pub fn start_from(program: &Path, cpu: Option<u32>) -> io::Result<Self> {
        // A separate process group: Ctrl-C must reach only us, and we then end the run.
        let mut command = Command::new(program);
        command.arg0(OsStr::from_bytes(NAME.to_bytes()));
        command.arg(WORK).arg(getpid().to_string()).current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(set) = cpu.and_then(single_cpu) {
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
        // Only our end: the worker itself may block.
        fcntl(&worker.output, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(worker)
    }

    /// PID of the worker.
    pub fn pid(&self) -> i32 {
        self.pid.as_raw()
    }

    /// Sends a line to the worker.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.input.write_all(format!("{line}\n").as_bytes())
    }

    /// Tells the worker to go on.
    pub fn signal_go(&mut self, go: TaskCommand) -> io::Result<()> {
        self.input.write_all(&[go_letter(go)])
    }

    /// The next line from the worker, without waiting. Poll [`Worker::as_fd`] only after all lines
    /// were taken: there may be several.
    pub fn read_answer(&mut self) -> io::Result<WorkerAnswer> {
        self.heard.next_line(&mut self.output)
    }

    /// Waits for an answer or the end of the worker, and watches our own parent meanwhile: returns
    /// whether it is gone.
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

    /// Kills the worker, if it has not ended.
    pub fn kill(&mut self) {
        if self.ended.is_none() {
            // A worker that is gone needs no signal. Its children die with it.
            let _ = kill(self.pid, Signal::SIGKILL);
        }
    }

    /// How the worker ended, once it has.
    pub fn reap(&mut self) -> io::Result<Option<WorkerExit>> {
        self.await_end(false)
    }

    /// Waits for the end of the worker.
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
                // Stopped or traced states were not requested.
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
        // It may take time to die; init reaps it then.
        let _ = self.reap();
    }
}

fn go_letter(go: TaskCommand) -> u8 {
    match go {
        TaskCommand::Touch => b't',
        TaskCommand::Free => b'f',
    }
}

/// Sets up a worker: it dies with its parent of this PID, is the first choice of the OOM killer,
/// and has a telling name; its children inherit that. On failure it must not allocate memory.
pub fn start_child(parent: i32) -> io::Result<()> {
    die_with_parent(Pid::from_raw(parent))?;
    set_name(NAME)?;
    // Raising the own OOM score needs no privilege, and children inherit it.
    let file = "/proc/self/oom_score_adj".into();
    open::write_setting(&file, "1000").map_err(|error| {
        io::Error::other(format!("cannot write 1000 to {}: {}", file.safe(), error.desc()))
    })
}

/// Makes this process die with the parent thread.
fn die_with_parent(parent: Pid) -> Result<(), Errno> {
    set_pdeathsig(Signal::SIGKILL)?;
    if getppid() == parent {
        return Ok(());
    }
    // The parent was gone before the setting took effect.
    calls::leave(1)
}

/// Forks a worker that dies with its parent. Refused with several threads.
pub fn fork() -> io::Result<ForkSide> {
    let parent = getpid();
    let (child_input, input) = pipe2(OFlag::O_CLOEXEC)?;
    let (output, child_output) = pipe2(OFlag::O_CLOEXEC)?;
    let threads = Root::live().names("proc/self/task");
    if let Some(pid) = calls::fork(threads.known().map(Vec::len))? {
        return Worker::from_pipes(pid, input, output).map(ForkSide::Parent);
    }
    // A process that keeps the other end of its own pipe would never see it close.
    drop((input, output));
    if die_with_parent(parent).is_err() {
        calls::leave(1);
    }
    Ok(ForkSide::Child(Port::from_pipes(child_input, child_output)))
}

/// Exits at once, without running destructors or callers.
pub fn leave(code: i32) -> ! {
    calls::leave(code)
}

/// Faults of this thread since its start; `None` if the kernel does not report them.
#[inline]
pub fn faults() -> Option<Faults> {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
    let minor = u64::try_from(usage.minor_page_faults()).ok()?;
    let major = u64::try_from(usage.major_page_faults()).ok()?;
    Some(Faults { minor, major })
}

/// CPU time of the ended children of this process; `None` if the kernel does not report it.
pub fn children_cpu() -> Option<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let time = usage.user_time() + usage.system_time();
    u64::try_from(time.num_microseconds()).ok().map(Duration::from_micros)
}

/// The page size of this machine.
pub fn page_size() -> io::Result<u64> {
    Ok(memory::page_size()? as u64)
}

// CPU and memory binding of processes.

/// The PID that means the calling process.
const MYSELF: Pid = Pid::from_raw(0);

/// Binds this process to one CPU.
pub fn bind_to_cpu(cpu: u32) -> io::Result<()> {
    let bound =
        single_cpu(cpu).ok_or(Errno::EINVAL).and_then(|set| sched_setaffinity(MYSELF, &set));
    bound.map_err(|error| {
        io::Error::other(if error == Errno::EINVAL {
            format!(
                "cannot bind to CPU {cpu}: it does not exist or is not allowed; use \
                 one of those that nproc(1) counts, from 0 on"
            )
        } else {
            format!("cannot bind to CPU {cpu}: {}", error.desc())
        })
    })
}

/// Binds the memory of this process to one NUMA node.
pub fn bind_to_node(node: u32) -> io::Result<()> {
    calls::bind_memory(node).map_err(|error| {
        io::Error::other(if error == Errno::EINVAL {
            format!(
                "cannot use memory of node {node}: the node is missing or has no memory; use one of \
                 those in /sys/devices/system/node"
            )
        } else if error == Errno::ENOSYS {
            format!("cannot use memory of node {node}: this kernel has no NUMA support; omit the node")
        } else {
            format!("cannot use memory of node {node}: {}", error.desc())
        })
    })
}

/// The CPUs that this process may use, starting after the current one; empty if unknown.
pub fn processors() -> Vec<u32> {
    let (Ok(may), Ok(ours)) = (sched_getaffinity(MYSELF), sched_getcpu()) else {
        return Vec::new();
    };
    let (before, behind): (Vec<_>, Vec<_>) = (0..CpuSet::count())
        .filter(|cpu| may.is_set(*cpu).unwrap_or(false))
        .partition(|cpu| *cpu <= ours);
    behind.into_iter().chain(before).filter_map(|cpu| u32::try_from(cpu).ok()).collect()
}

/// The CPU of worker `number` when workers are assigned round robin; `None` without CPUs.
pub fn in_turn(cpus: &[u32], number: u32) -> Option<u32> {
    let place = usize::try_from(number).ok()?.checked_rem(cpus.len())?;
    cpus.get(place).copied()
}

/// Binds this process to its current CPU.
pub fn disable_migration() -> io::Result<()> {
    let cpu = sched_getcpu().ok().and_then(|cpu| u32::try_from(cpu).ok()).and_then(single_cpu);
    // Without the full set, migration could not be allowed again.
    cpu.filter(|_| all_cpus().is_some()).map_or(Ok(()), |set| Ok(sched_setaffinity(MYSELF, &set)?))
}

/// Lets this process run on all CPUs that its parent may use.
pub fn allow_migration() -> io::Result<()> {
    all_cpus().map_or(Ok(()), |set| Ok(sched_setaffinity(MYSELF, &set)?))
}

/// The CPUs that the parent may use; `None` if there are too many to list.
fn all_cpus() -> Option<CpuSet> {
    sched_getaffinity(getppid()).ok()
}

/// This CPU alone; `None` if the number exceeds any kernel's.
fn single_cpu(cpu: u32) -> Option<CpuSet> {
    let mut set = CpuSet::new();
    set.set(usize::try_from(cpu).ok()?).ok()?;
    Some(set)
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
        // Tests run as threads, so there is more than one.
        assert!(fork().is_err());
    }
}

#[cfg(test)]
mod cpu_binding_tests {
    use super::*;

    #[test]
    fn missing_node_or_cpu_is_an_error() {
        for error in [bind_to_cpu(4_000_000).unwrap_err(), bind_to_cpu(1023).unwrap_err()] {
            assert!(error.to_string().contains("does not exist"), "{error}");
        }
        for node in [1000, 4_000_000] {
            let error = bind_to_node(node).unwrap_err().to_string();
            assert!(error.starts_with(&format!("cannot use memory of node {node}: ")), "{error}");
        }
    }

    #[test]
    fn only_allowed_cpus_are_listed() {
        let bound = std::thread::spawn(|| {
            let all = processors();
            bind_to_cpu(all[0]).unwrap();
            (processors(), all)
        });
        let (left, all) = bound.join().unwrap();
        assert_eq!(left, all[..1]);
        // Each once. CPU quotas of a cgroup reduce the number, never raise it.
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        let count = std::thread::available_parallelism().unwrap().get();
        assert!(different.len() == all.len() && all.len() >= count, "{all:?} of {count}");
    }

    #[test]
    fn cpus_are_assigned_round_robin() {
        assert_eq!([0, 1, 2, 3].map(|number| in_turn(&[4, 7, 1], number)), [4, 7, 1, 4].map(Some));
        assert_eq!(in_turn(&[], 0), None);
    }
}
