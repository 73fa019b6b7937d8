//! The only module that changes the machine: system calls, writes to kernel files, the lock.
//!
//! This module makes no decisions: `actions` decides what is done and in which order, and uses it
//! only through [`Sys`].

mod cgroup;
mod file;
pub mod helper;
mod label;
pub mod lines;
mod lock;
pub mod memory;
mod open;
pub mod own_file;
pub mod process;
mod rewrite;
mod save;
mod swap_in;
pub mod timing;

use crate::ffi;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::format::SwapFileSpec;
use crate::model::{Bytes, Name};
use crate::root::Root;
pub use cgroup::{
    CgroupError, Orphan, RemoveCgroupError, StatRefresher, WorkloadCgroup, orphans, own_name,
};
pub use file::CreateFileError;
pub use helper::{Helper, HelperReport, HelperTask};
pub use lock::{Lock, LockError};
use nix::errno::Errno;
use nix::libc::c_int;
use nix::sys::prctl::set_no_new_privs;
use nix::sys::signal::Signal;
pub use rewrite::{Rewrite, WriteError};
pub use save::{BACKUP, NewFileReaders, protection, publish, remove_unfinished};
use std::ffi::CString;
use std::io;
use std::time::Duration;
pub use swap_in::{SWAP_IN, process_folder};

/// Was this program started with more privileges than its caller? Then file names from the
/// environment are ignored.
pub fn is_privileged() -> bool {
    ffi::process::is_at_secure()
}

/// Sets the effects of signals that this program relies on, whatever its parent did with them.
/// Writes beyond `ulimit -f` fail with an error that can be reported, instead of killing the program
/// in the middle of a change. A process that was started keeps its PID until its end was waited for,
/// so that a signal cannot reach another process.
pub fn set_signal_effects() {
    // On failure nothing changes.
    let _ = (ffi::ignore(Signal::SIGXFSZ), ffi::restore_default(&[Signal::SIGCHLD]));
}

/// `CAP_DAC_READ_SEARCH`, for files of other users.
const TO_READ_FILES: u64 = 1 << 2;
/// Capabilities that reading the machine needs besides: `CAP_NET_ADMIN` for waits of processes, `CAP_SYS_RAWIO` for kernel
/// memory, `CAP_SYS_PTRACE` for other processes, `CAP_SYS_ADMIN` for page tables, and `CAP_SYSLOG` for kernel symbols and
/// the kernel log.
const TO_READ: u64 = TO_READ_FILES | 1 << 12 | 1 << 17 | 1 << 19 | 1 << 21 | 1 << 34;

/// Drops what a process that only reads from now on does not need. Call it before threads are started: each has its own
/// capabilities.
pub fn drop_rights_to_change() {
    drop_capabilities_except(TO_READ);
}

/// Drops what a process that only reads a recording or a captured tree from now on does not need, before threads are
/// started.
pub fn drop_rights_on_machine() {
    drop_capabilities_except(TO_READ_FILES);
}

fn drop_capabilities_except(kept: u64) {
    // On failure, as in a container, reading goes on with the rights that there are.
    let _ = (set_no_new_privs(), ffi::process::keep_capabilities(kept));
}

/// Was this program started without standard output?
pub fn started_without_output() -> bool {
    ffi::started_without_output()
}

/// The operations that change a machine. Those that a machine does not have fail with `ENOSYS`.
pub trait Sys {
    /// Enables an area.
    fn swap_on(&self, area: &Activation) -> Result<(), Errno>;

    /// Writes to a kernel file with a single call.
    fn write(&self, file: &Name, text: &str) -> Result<(), Errno>;

    /// Replaces the text of a configuration file atomically; `None` means that the file does not
    /// exist. On failure the file is unchanged.
    fn save(&self, file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), WriteError>;

    /// Reads a kernel file whose reading has an effect, and returns the answer.
    fn read_claim(&self, file: &Name) -> Result<String, Errno>;

    /// Replaces bytes of a device or file if they are as expected and nobody uses it, and waits for
    /// the disk.
    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), WriteError>;

    /// Creates a swap file with allocated blocks, or gives an existing one another size, completely or not at all.
    /// `go_on` receives the progress, and says whether to continue.
    fn make_file(
        &self,
        path: &Name,
        forms: (Option<&SwapFileSpec>, &SwapFileSpec),
        go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError>;

    /// Removes a swap file if it has this form.
    fn remove_file(&self, path: &Name, form: &SwapFileSpec) -> Result<(), WriteError>;

    /// Starts a long task in a process of its own.
    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>>;
}

/// A running task.
pub trait RunningHelper {
    /// Waits for its end for at most this time; returns the report once it has ended.
    fn wait(&mut self, time: Duration) -> Option<HelperReport>;
    /// Asks the task to stop as soon as it can.
    fn stop(&mut self);
}

/// `SWAP_FLAG_PREFER`: the lower bits are a priority.
const PREFER: c_int = 0x8000;
/// `SWAP_FLAG_DISCARD`: enables discard; alone, both once and per page.
const DISCARD: c_int = 0x1_0000;
/// `SWAP_FLAG_DISCARD_ONCE`.
const DISCARD_ONCE: c_int = 0x2_0000;
/// `SWAP_FLAG_DISCARD_PAGES`.
const DISCARD_PAGES: c_int = 0x4_0000;

/// The flags of swapon(2) for this activation.
fn flags(area: &Activation) -> c_int {
    let priority = match area.priority {
        Priority::Default => 0,
        Priority::Set(number) => PREFER | c_int::from(number),
    };
    let discard = match area.discard {
        Discard::None => 0,
        Discard::Once => DISCARD | DISCARD_ONCE,
        Discard::Pages => DISCARD | DISCARD_PAGES,
        Discard::Both => DISCARD,
    };
    priority | discard
}

/// Enables an area in this process.
fn swap_on(area: &Activation) -> Result<(), Errno> {
    ffi::swapon(&area_path(&area.path)?, flags(area))
}

/// The path as swapon(2) and swapoff(2) take it. They follow links, which might lead to another area than planned.
fn area_path(path: &Name) -> Result<CString, Errno> {
    open::refuse_links(path.as_path())?;
    CString::new(path.as_bytes()).map_err(|_| Errno::ENOENT)
}

// The live machine.

/// The live machine, while we hold the lock.
#[derive(Debug)]
pub struct LiveSys<'a> {
    lock: &'a Lock,
}

impl<'a> LiveSys<'a> {
    /// The machine behind this root; `None` for a captured tree.
    pub fn for_root(root: &Root, lock: &'a Lock) -> Option<Self> {
        root.is_live().then_some(Self { lock })
    }
}

impl Sys for LiveSys<'_> {
    fn swap_on(&self, area: &Activation) -> Result<(), Errno> {
        swap_on(area)
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        open::write_setting(file, text)
    }

    fn read_claim(&self, file: &Name) -> Result<String, Errno> {
        open::take_setting(file)
    }

    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), WriteError> {
        rewrite::rewrite(rewrite)
    }

    fn save(&self, file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), WriteError> {
        save::save(file, from, to)
    }

    fn make_file(
        &self,
        path: &Name,
        (from, to): (Option<&SwapFileSpec>, &SwapFileSpec),
        go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError> {
        match from {
            None => file::make(path, to, go_on),
            Some(from) => file::resize(path, from, to, go_on),
        }
    }

    fn remove_file(&self, path: &Name, form: &SwapFileSpec) -> Result<(), WriteError> {
        file::remove(path, form)
    }

    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>> {
        Ok(Box::new(Helper::start(work, self.lock)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapon_flags_match_the_kernel() {
        let area = |priority, discard| Activation { path: "/x".into(), priority, discard };
        assert_eq!(flags(&area(Priority::Default, Discard::None)), 0);
        assert_eq!(flags(&area(Priority::Set(0), Discard::None)), 0x8000);
        assert_eq!(flags(&area(Priority::Set(32767), Discard::Both)), 0x1_ffff);
        assert_eq!(flags(&area(Priority::Default, Discard::Once)), 0x3_0000);
        assert_eq!(flags(&area(Priority::Default, Discard::Pages)), 0x5_0000);
    }
}
