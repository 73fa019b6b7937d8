//! Processes: fork, wait with resource usage, CPU and memory binding.

use nix::errno::Errno;
use nix::libc;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::wait::WaitStatus;
use nix::unistd::{ForkResult, Pid};
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::Duration;

/// Resource usage of a process and the children it waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResourceUsage {
    /// User CPU time.
    pub(crate) user: Duration,
    /// System CPU time.
    pub(crate) system: Duration,
    /// Minor faults.
    pub(crate) minor: u64,
    /// Major faults.
    pub(crate) major: u64,
}

/// Forks: `None` in the child, its PID in the parent. Refused unless the number of threads is known to be one: locks
/// held by another thread would never be released in the child.
pub(crate) fn fork(threads: Option<usize>) -> Result<Option<Pid>, Errno> {
    if threads != Some(1) {
        return Err(Errno::EBUSY);
    }
    // SAFETY: there is one thread, so that the child may do whatever this process may.
    match unsafe { nix::unistd::fork() }? {
        ForkResult::Parent { child } => Ok(Some(child)),
        ForkResult::Child => Ok(None),
    }
}

/// `_LINUX_CAPABILITY_VERSION_3`: two words for each set.
const CAPABILITY_VERSION: u32 = 0x2008_0522;

/// `struct __user_cap_header_struct`.
#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: libc::c_int,
}

/// `struct __user_cap_data_struct`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct CapabilityWords {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// Drops all capabilities of this thread, and of those that it will start, but these.
pub(crate) fn keep_capabilities(kept: u64) -> Result<(), Errno> {
    let mut header = CapabilityHeader { version: CAPABILITY_VERSION, pid: 0 };
    let mut words = [CapabilityWords::default(); 2];
    // SAFETY: the kernel reads the header and writes two words of each set, which outlive the call.
    let got = unsafe { libc::syscall(libc::SYS_capget, &raw mut header, words.as_mut_ptr()) };
    Errno::result(got)?;
    for (half, word) in words.iter_mut().enumerate() {
        let kept = u32::try_from(kept >> (32 * half) & u64::from(u32::MAX)).unwrap_or(0);
        word.effective &= kept;
        word.permitted &= kept;
        word.inheritable &= kept;
    }
    // SAFETY: the kernel reads the header and two words of each set.
    let set = unsafe { libc::syscall(libc::SYS_capset, &raw const header, words.as_ptr()) };
    Errno::result(set).map(drop)
}

/// Was this program started with more privileges than its caller (setuid, file capabilities)?
pub(crate) fn is_at_secure() -> bool {
    // SAFETY: the call takes a number and reads memory that the kernel filled at the start.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Waits for the end of a child; `None` if it runs on and `patient` is false.
pub(crate) fn wait(pid: Pid, patient: bool) -> Result<Option<(WaitStatus, ResourceUsage)>, Errno> {
    let options = if patient { 0 } else { libc::WNOHANG };
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let found = loop {
        // SAFETY: the kernel writes a number and a structure of its own into what is ours, has
        // that layout and outlives the call.
        let found =
            unsafe { libc::wait4(pid.as_raw(), &raw mut status, options, usage.as_mut_ptr()) };
        match Errno::result(found) {
            Err(Errno::EINTR) => {}
            result => break result?,
        }
    };
    if found == 0 {
        return Ok(None);
    }
    // SAFETY: the kernel has filled it, and zeroes would have been valid too.
    let usage = unsafe { usage.assume_init() };
    let used = ResourceUsage {
        user: time(usage.ru_utime),
        system: time(usage.ru_stime),
        minor: u64::try_from(usage.ru_minflt).unwrap_or(0),
        major: u64::try_from(usage.ru_majflt).unwrap_or(0),
    };
    Ok(Some((WaitStatus::from_raw(pid, status)?, used)))
}

/// Converts a time; the kernel never reports negative ones.
fn time(value: libc::timeval) -> Duration {
    let seconds = u64::try_from(value.tv_sec).unwrap_or(0);
    let micros = u64::try_from(value.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds).saturating_add(Duration::from_micros(micros))
}

/// Starts a program on these CPUs, where permitted.
pub(crate) fn begin_on(command: &mut Command, set: CpuSet) {
    let bind = move || {
        // Where it is not permitted, the program starts anywhere.
        let _ = sched_setaffinity(Pid::from_raw(0), &set);
        Ok(())
    };
    // SAFETY: between fork and exec there is a call into the kernel alone.
    unsafe { command.pre_exec(bind) };
}

/// Exits at once, without running destructors or callers.
pub(crate) fn leave(code: i32) -> ! {
    // SAFETY: it does not come back, and runs nothing of ours.
    unsafe { libc::_exit(code) }
}

/// The maximum number of nodes of any kernel.
const NODES: usize = 1024;
const BITS: usize = libc::c_ulong::BITS as usize;

/// Binds all future memory of this process and its children to one node.
pub(crate) fn bind_memory(node: u32) -> Result<(), Errno> {
    let node = usize::try_from(node).map_err(|_| Errno::EINVAL)?;
    let mut mask: [libc::c_ulong; NODES / BITS] = [0; NODES / BITS];
    *mask.get_mut(node / BITS).ok_or(Errno::EINVAL)? |= 1 << (node % BITS);
    // The kernel subtracts one from the number of bits.
    let bits = NODES + 1;
    // SAFETY: the kernel reads as many bits as it is told, which are there, and keeps no pointer.
    let result =
        unsafe { libc::syscall(libc::SYS_set_mempolicy, libc::MPOL_BIND, mask.as_ptr(), bits) };
    Errno::result(result).map(drop)
}
