//! Traces what a program asks the kernel to change, and lets one of these calls fail, with ptrace(2).

use nix::errno::Errno;
use nix::libc::{self, c_long, user_regs_struct};
use nix::sys::ptrace::{self, Options};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};

/// A call that changes something, or is not known to change nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    /// The call, without the variants of one call: `open`, `write`, `rename`; otherwise `call`.
    pub(crate) name: &'static str,
    /// The path, or both paths.
    pub(crate) path: String,
    /// The beginning of the text that is written.
    pub(crate) text: String,
    /// Length and offset, or mode, or owner.
    pub(crate) detail: String,
    /// The result, or a negative error number.
    pub(crate) result: i64,
}

/// A fault of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The call fails with this error.
    Error(Errno),
    /// The call writes half of the text, and the next call fails with this error, as on a disk that becomes full.
    Half(Errno),
    /// Another program opens and reads the file right before.
    ReadBefore,
}

/// All changing calls of a program, and its output.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) calls: Vec<Call>,
    /// The call that was made to fail.
    pub(crate) faulty: Option<Call>,
    pub(crate) output: Output,
}

/// Runs a program to its end. The call with this number, from 0, fails.
pub(crate) fn run(
    command: &mut Command,
    scratch: &Path,
    fault: Option<(usize, Fault)>,
) -> Result<Trace, String> {
    run_below(command, scratch, fault, "/".as_ref())
}

/// Runs a program to its end, with only the calls on files below a folder.
pub(crate) fn run_below(
    command: &mut Command,
    scratch: &Path,
    fault: Option<(usize, Fault)>,
    folder: &Path,
) -> Result<Trace, String> {
    let tracer = Tracer { fault, folder: folder.to_owned(), ..Tracer::default() };
    let [out, err] = ["traced-out", "traced-err"].map(|name| scratch.join(name));
    let file = |path| Stdio::from(File::create(path).expect("a file for output"));
    command.stdin(Stdio::null()).stdout(file(&out)).stderr(file(&err));
    // Each thread traces only its own children.
    let ended = std::thread::scope(|scope| scope.spawn(|| follow(command, tracer)).join());
    let (status, seen) = ended.expect("the thread ends").map_err(|error| error.to_string())?;
    let [stdout, stderr] = [out, err].map(|path| fs::read(path).expect("the output"));
    let output = Output { status, stdout, stderr };
    Ok(Trace { calls: seen.calls, faulty: seen.faulty, output })
}

/// Follows a program and all that it starts.
fn follow(command: &mut Command, mut tracer: Tracer) -> std::io::Result<(ExitStatus, Tracer)> {
    crate::syscalls::be_traced(command);
    // The child is waited for below.
    let child = command.spawn()?;
    let main = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
    waitpid(main, None)?;
    let options = Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEVFORK
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_EXITKILL;
    ptrace::setoptions(main, options)?;
    ptrace::syscall(main, None)?;
    let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
    let mut status = ExitStatus::from_raw(0);
    loop {
        let event = match waitpid(None, Some(flags)) {
            Err(Errno::ECHILD) => return Ok((status, tracer)),
            event => event?,
        };
        let (pid, signal) = match event {
            WaitStatus::PtraceSyscall(pid) => {
                tracer.at_call(pid);
                (pid, None)
            }
            WaitStatus::PtraceEvent(pid, _, _) => (pid, None),
            // A new process or thread begins with a stop.
            WaitStatus::Stopped(pid, signal) => {
                let is_begin = signal == nix::sys::signal::SIGSTOP && tracer.known.insert(pid);
                (pid, (!is_begin).then_some(signal))
            }
            WaitStatus::Exited(pid, code) => {
                if pid == main {
                    status = ExitStatus::from_raw(code << 8);
                }
                continue;
            }
            WaitStatus::Signaled(pid, signal, _) => {
                if pid == main {
                    status = ExitStatus::from_raw(signal as i32);
                }
                continue;
            }
            WaitStatus::Continued(_) | WaitStatus::StillAlive => continue,
        };
        // A process that was killed meanwhile is reported by the next wait.
        let _ = ptrace::syscall(pid, signal);
    }
}

#[derive(Default)]
struct Tracer {
    fault: Option<(usize, Fault)>,
    folder: PathBuf,
    calls: Vec<Call>,
    faulty: Option<Call>,
    known: BTreeSet<Pid>,
    /// Threads within a call; the number of the call if it is recorded, and the error that it is to return.
    within: BTreeMap<Pid, (Option<usize>, Option<Errno>)>,
}

impl Tracer {
    /// A thread enters or leaves a call.
    fn at_call(&mut self, pid: Pid) {
        let Ok(mut registers) = ptrace::getregs(pid) else { return };
        if let Some((number, error)) = self.within.remove(&pid) {
            if let Some(error) = error {
                registers.rax = i64::from(-(error as i32)).cast_unsigned();
                let _ = ptrace::setregs(pid, registers);
            }
            if let Some(number) = number {
                self.calls[number].result = registers.rax.cast_signed();
                if error.is_some() {
                    self.faulty = Some(self.calls[number].clone());
                }
            }
            return;
        }
        let is_below = |call: &Call| call.path.contains(&*self.folder.to_string_lossy());
        let is_all = self.folder == Path::new("/");
        let call = Process(pid).call(&registers).filter(|call| is_all || is_below(call));
        let number = self.calls.len();
        let is_recorded = call.is_some();
        let fault = self.fault.filter(|_| is_recorded);
        let error = match fault {
            Some((at, Fault::Error(error))) if at == number => Some(error),
            Some((at, Fault::Half(error))) if at + 1 == number => Some(error),
            Some((at, Fault::ReadBefore)) if at == number => {
                let _ = call.as_ref().map(|call| fs::read(&call.path));
                None
            }
            Some((at, Fault::Half(_)))
                if at == number && is_divisible(call.as_ref(), &registers) =>
            {
                registers.rdx /= 2;
                let _ = ptrace::setregs(pid, registers);
                None
            }
            _ => None,
        };
        if error.is_some() {
            // The kernel has no such call, and does nothing.
            registers.orig_rax = u64::MAX;
            let _ = ptrace::setregs(pid, registers);
        }
        self.calls.extend(call);
        self.within.insert(pid, (is_recorded.then_some(number), error));
    }
}

/// Can half of it be written? Files of the kernel take a text as a whole.
fn is_divisible(call: Option<&Call>, registers: &user_regs_struct) -> bool {
    let is_on_disk = |call: &Call| {
        call.name == "write" && !["/proc/", "/sys/"].iter().any(|it| call.path.starts_with(it))
    };
    registers.rdx > 1 && call.is_some_and(is_on_disk)
}

/// A stopped thread.
struct Process(Pid);

/// Calls that change nothing but the process that makes them, and files opened for reading. All others are
/// recorded.
const HARMLESS: &[c_long] = &[
    libc::SYS_access,
    libc::SYS_arch_prctl,
    libc::SYS_brk,
    libc::SYS_chdir,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_clone,
    libc::SYS_clone3,
    libc::SYS_close,
    libc::SYS_dup,
    libc::SYS_dup2,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd2,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_faccessat2,
    libc::SYS_fcntl,
    libc::SYS_fgetxattr,
    libc::SYS_flistxattr,
    libc::SYS_flock,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_futex,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_geteuid,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_lseek,
    libc::SYS_membarrier,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_newfstatat,
    libc::SYS_open,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_pipe2,
    libc::SYS_poll,
    libc::SYS_prctl,
    libc::SYS_pread64,
    libc::SYS_read,
    libc::SYS_readlink,
    libc::SYS_recvfrom,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_setpgid,
    libc::SYS_sigaltstack,
    libc::SYS_signalfd4,
    libc::SYS_socketpair,
    libc::SYS_statfs,
    libc::SYS_statx,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_vfork,
    libc::SYS_wait4,
    libc::SYS_waitid,
];

/// Requests of ioctl(2) that only read.
const READING: &[u64] = &[
    0x5401,      // TCGETS
    0x5413,      // TIOCGWINSZ
    0x8008_1272, // BLKGETSIZE64
    0x8008_6601, // FS_IOC_GETFLAGS
    0xc020_660b, // FS_IOC_FIEMAP
    0xc060_6610, // PAGEMAP_SCAN
];

/// Files whose mere reading changes something: a new device, and pages of another process.
const ANSWERING: [&str; 2] = ["/hot_add", "/mem"];

/// How much of a written text is kept.
const TEXT: usize = 1 << 16;

impl Process {
    /// The call that this thread begins, if it can change anything.
    fn call(&self, registers: &user_regs_struct) -> Option<Call> {
        let [a, b, c, d] = [registers.rdi, registers.rsi, registers.rdx, registers.r10];
        let at = |folder: u64, path: u64| self.path_at(folder, path);
        let name = |name, path: String| {
            let call = Call { name, path, ..Call::default() };
            (call.path != "/dev/null").then_some(call)
        };
        let detailed = |call: Option<Call>, detail| call.map(|call| Call { detail, ..call });
        // Only a call that may create a file has a mode.
        let mode = |flags: u64, mode: u64| match flags & 0o20_000_100 {
            0 => String::new(),
            _ => format!("{mode:o}"),
        };
        let answers = |path: &str| ANSWERING.iter().any(|end| path.ends_with(end));
        let number = c_long::try_from(registers.orig_rax).ok()?;
        match number {
            libc::SYS_open if changes(b) || answers(&self.string(a)) => {
                name("open", self.string(a))
            }
            libc::SYS_openat if changes(c) || answers(&at(a, b)) => {
                detailed(name("open", at(a, b)), mode(c, d))
            }
            libc::SYS_openat2 if changes(self.word(c)?) => name("open", at(a, b)),
            libc::SYS_write => {
                let text = self.text(b, c);
                self.of_file("write", a).map(|call| Call { text, ..call })
            }
            libc::SYS_pwrite64 => detailed(self.of_file("write", a), format!("{c} bytes at {d}")),
            libc::SYS_writev | libc::SYS_pwritev => self.of_file("write", a),
            libc::SYS_fsync | libc::SYS_fdatasync => self.of_file("sync", a),
            libc::SYS_ftruncate => detailed(self.of_file("allocate", a), format!("{b} bytes")),
            libc::SYS_fallocate => {
                detailed(self.of_file("allocate", a), format!("{d} bytes at {c}"))
            }
            libc::SYS_chmod => detailed(name("own", self.string(a)), format!("{b:o}")),
            libc::SYS_fchmod => detailed(self.of_file("own", a), format!("{b:o}")),
            libc::SYS_fchown => detailed(self.of_file("own", a), format!("{b}:{c}")),
            libc::SYS_fsetxattr | libc::SYS_fremovexattr => self.of_file("label", a),
            libc::SYS_mkdir => name("mkdir", self.string(a)),
            libc::SYS_mkdirat => name("mkdir", at(a, b)),
            libc::SYS_unlink | libc::SYS_rmdir => name("unlink", self.string(a)),
            libc::SYS_unlinkat => name("unlink", at(a, b)),
            libc::SYS_renameat | libc::SYS_renameat2 => {
                name("rename", format!("{} {}", at(a, b), at(c, d)))
            }
            libc::SYS_rename => name("rename", format!("{} {}", self.string(a), self.string(b))),
            libc::SYS_link => name("link", format!("{} {}", self.string(a), self.string(b))),
            libc::SYS_linkat => name("link", format!("{} {}", at(a, b), at(c, d))),
            libc::SYS_swapon => {
                name("swapon", self.string(a)).map(|call| Call { text: format!("{b:#x}"), ..call })
            }
            libc::SYS_swapoff => name("swapoff", self.string(a)),
            libc::SYS_ioctl if READING.contains(&b) => None,
            libc::SYS_ioctl => name("ioctl", format!("{} {b:#x}", self.descriptor(a)?)),
            // The program again, as a helper, whose calls are recorded too.
            libc::SYS_execve if self.string(a) == "/proc/self/exe" => None,
            // All but MADV_COLD and MADV_PAGEOUT.
            libc::SYS_madvise if ![20, 21].contains(&c) => None,
            libc::SYS_prlimit64 if c == 0 => None,
            number if HARMLESS.contains(&number) => None,
            number => name("call", number.to_string()),
        }
    }

    /// A call on an open file. Pipes, sockets, terminals and the output of the traced program are not changed
    /// by it.
    fn of_file(&self, name: &'static str, descriptor: u64) -> Option<Call> {
        let path = self.descriptor(descriptor)?;
        let is_output = path.ends_with("/traced-out") || path.ends_with("/traced-err");
        let is_file = path.starts_with('/') && path != "/dev/null" && !is_output;
        is_file.then_some(Call { name, path, ..Call::default() })
    }

    fn descriptor(&self, number: u64) -> Option<String> {
        // The kernel reads 32 bits of it.
        let number = u32::try_from(number & u64::from(u32::MAX)).ok()?.cast_signed();
        let path = match number {
            libc::AT_FDCWD => format!("/proc/{}/cwd", self.0),
            number => format!("/proc/{}/fd/{number}", self.0),
        };
        let path = fs::read_link(path).ok()?.to_string_lossy().into_owned();
        // A file without a name has another number each time.
        Some(path.split("/#").next().unwrap_or_default().to_owned())
    }

    fn path_at(&self, folder: u64, path: u64) -> String {
        let path = self.string(path);
        if path.starts_with('/') {
            return path;
        }
        let folder = self.descriptor(folder).unwrap_or_default();
        if path.is_empty() || path == "." { folder } else { format!("{folder}/{path}") }
    }

    fn string(&self, address: u64) -> String {
        let bytes = self.bytes(address, 4096);
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    }

    fn text(&self, address: u64, length: u64) -> String {
        let length = usize::try_from(length).unwrap_or(TEXT).min(TEXT);
        String::from_utf8_lossy(&self.bytes(address, length)).into_owned()
    }

    fn word(&self, address: u64) -> Option<u64> {
        Some(u64::from_ne_bytes(self.bytes(address, 8).try_into().ok()?))
    }

    /// Bytes of its memory, fewer at the end of a mapping.
    fn bytes(&self, address: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        let read = File::open(format!("/proc/{}/mem", self.0))
            .and_then(|memory| memory.read_at(&mut bytes, address));
        bytes.truncate(read.unwrap_or(0));
        bytes
    }
}

/// Does a file opened with these flags change, or can it?
fn changes(flags: u64) -> bool {
    let mask = libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC;
    flags & u64::from(mask.cast_unsigned()) != 0
}
