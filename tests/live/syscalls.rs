//! System calls without a safe crate: swapon, swapoff, control of loop devices, and preparations of child
//! processes.

#![allow(unsafe_code, reason = "the only place; each call has its reason")]

use nix::libc;
use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// From `include/linux/swap.h`: the low bits hold a priority.
const SWAP_FLAG_PREFER: libc::c_int = 0x8000;
/// From `include/uapi/linux/loop.h`.
const LOOP_SET_FD: libc::c_ulong = 0x4C00;
const LOOP_CLR_FD: libc::c_ulong = 0x4C01;
const LOOP_CTL_GET_FREE: libc::c_ulong = 0x4C82;
/// From `include/uapi/linux/capability.h`.
const CAPABILITY_VERSION_3: u32 = 0x2008_0522;
const CAP_SYS_ADMIN: u32 = 21;

/// Enables an area at this priority, or at the kernel's default.
pub(crate) fn swapon(area: &Path, priority: impl Into<Option<u16>>) -> io::Result<()> {
    let path = text(area)?;
    let preferred = |priority: u16| SWAP_FLAG_PREFER | libc::c_int::from(priority & 0x7fff);
    let flags = priority.into().map_or(0, preferred);
    // SAFETY: the path is a C string that outlives the call; the kernel keeps neither.
    check(unsafe { libc::swapon(path.as_ptr(), flags) }).map(|_| ())
}

/// Disables an area.
pub(crate) fn swapoff(area: &Path) -> io::Result<()> {
    let path = text(area)?;
    // SAFETY: as for swapon.
    check(unsafe { libc::swapoff(path.as_ptr()) }).map(|_| ())
}

/// Waits for a successful child, and returns its peak memory in bytes.
pub(crate) fn most_memory(child: &Child) -> io::Result<u64> {
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    // SAFETY: all zeros are a usage of nothing.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both live during the call, which fills them.
    check(unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) })?;
    match status {
        0 => Ok(u64::try_from(usage.ru_maxrss).map_err(io::Error::other)? * 1024),
        other => Err(io::Error::other(format!("it ended with {other}"))),
    }
}

/// Binds a process to one processor.
pub(crate) fn run_on(pid: u32, processor: usize) -> io::Result<()> {
    let pid = libc::pid_t::try_from(pid).map_err(io::Error::other)?;
    // SAFETY: all zeros are an empty set.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set lives during the call, which checks its bounds.
    unsafe { libc::CPU_SET(processor, &mut set) };
    // SAFETY: the kernel reads as many bytes as the set has.
    check(unsafe { libc::sched_setaffinity(pid, size_of_val(&set), &raw const set) }).map(|_| ())
}

/// Attaches a file to a free loop device, and returns the device.
pub(crate) fn attach_loop(file: &File) -> io::Result<PathBuf> {
    let control = open("/dev/loop-control".as_ref())?;
    loop {
        // SAFETY: this request takes no argument.
        let number = check(unsafe { libc::ioctl(control.as_raw_fd(), LOOP_CTL_GET_FREE as _) })?;
        let path = PathBuf::from(format!("/dev/loop{number}"));
        let device = open(&path)?;
        // SAFETY: this request takes the number of a file that is open during the call.
        let set = unsafe { libc::ioctl(device.as_raw_fd(), LOOP_SET_FD as _, file.as_raw_fd()) };
        match check(set) {
            Ok(_) => return Ok(path),
            // Somebody else took it meanwhile.
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Detaches the file from a loop device.
pub(crate) fn detach_loop(device: &Path) -> io::Result<()> {
    let device = open(device)?;
    // SAFETY: this request takes no argument.
    check(unsafe { libc::ioctl(device.as_raw_fd(), LOOP_CLR_FD as _) }).map(|_| ())
}

/// Makes the kernel refuse swapon and swapoff for a program and its children, even for root, as the filters
/// of containers do.
pub(crate) fn forbid_swap(command: &mut Command) {
    // SAFETY: between fork and exec it makes two system calls on memory of its own, and no more.
    unsafe { command.pre_exec(filter_swap) };
}

/// Drops the administration capability for a program and its children, even for root, as service managers
/// and containers do.
pub(crate) fn forbid_administration(command: &mut Command) {
    // SAFETY: between fork and exec it makes three system calls on memory of its own, and no more.
    unsafe { command.pre_exec(drop_administration) };
}

/// Capabilities of root at exec come from the bounding set and the inheritable set.
fn drop_administration() -> io::Result<()> {
    // SAFETY: no pointer is given.
    check(unsafe { libc::prctl(libc::PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0) })?;
    // Effective, permitted and inheritable capabilities of this process, and the same of higher numbers.
    let (mut header, mut sets) = ([CAPABILITY_VERSION_3, 0], [0_u32; 6]);
    let (header, sets) = (header.as_mut_ptr(), &mut sets);
    // SAFETY: both have the size of this version, and live during the call.
    let got = unsafe { libc::syscall(libc::SYS_capget, header, sets.as_mut_ptr()) };
    check(got)?;
    sets[2] &= !(1 << CAP_SYS_ADMIN);
    // SAFETY: as before.
    let set = unsafe { libc::syscall(libc::SYS_capset, header, sets.as_ptr()) };
    check(set).map(|_| ())
}

/// Limits the file size of a program, which dies when it writes more.
pub(crate) fn limit_files(command: &mut Command, bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes as _, rlim_max: bytes as _ };
    // SAFETY: between fork and exec it makes one system call on memory of its own, and no more.
    unsafe {
        command.pre_exec(move || {
            check(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit)).map(|_| ())
        });
    }
}

/// Lets the thread that starts a program trace it.
#[cfg(target_arch = "x86_64")]
pub(crate) fn be_traced(command: &mut Command) {
    let traced = || nix::sys::ptrace::traceme().map_err(io::Error::from);
    // SAFETY: between fork and exec it makes one system call without pointers, and no more.
    unsafe { command.pre_exec(traced) };
}

/// Runs a program in this mount namespace.
pub(crate) fn enter(command: &mut Command, namespace: File) {
    // SAFETY: between fork and exec it makes one system call without pointers, and no more.
    unsafe {
        command.pre_exec(move || {
            check(libc::setns(namespace.as_raw_fd(), libc::CLONE_NEWNS)).map(|_| ())
        });
    }
}

/// From `include/uapi/linux/filter.h` and `seccomp.h`: a filter by the number of the system call, which is
/// the first word of its input.
#[expect(
    clippy::cast_possible_truncation,
    reason = "these constants are small, whatever their type"
)]
fn filter_swap() -> io::Result<()> {
    let load_number = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    let is_equal = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    let answer = (libc::BPF_RET | libc::BPF_K) as u16;
    let line = |code, jt, k| libc::sock_filter { code, jt, jf: 0, k };
    let mut lines = [
        line(load_number, 0, 0),
        line(is_equal, 2, libc::SYS_swapon as u32),
        line(is_equal, 1, libc::SYS_swapoff as u32),
        line(answer, 0, libc::SECCOMP_RET_ALLOW),
        line(answer, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
    ];
    let program = libc::sock_fprog { len: lines.len() as u16, filter: lines.as_mut_ptr() };
    // SAFETY: no pointer is given.
    check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) })?;
    // SAFETY: the kernel copies the filter, which lives during the call.
    let set =
        unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) };
    check(set).map(|_| ())
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

fn text(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

fn check<T: PartialOrd + Default>(result: T) -> io::Result<T> {
    if result < T::default() { Err(io::Error::last_os_error()) } else { Ok(result) }
}
