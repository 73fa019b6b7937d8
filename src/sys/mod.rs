//! The only room that changes the machine: system calls, writes into the kernel's files, the lock.
//!
//! Nothing in here decides anything: what is done, and in which order, is the business of
//! `actions`, which gets hold of this room through [`Sys`] only.

mod cgroup;
mod ffi;
mod file;
pub mod helper;
mod label;
pub mod lines;
mod lock;
pub mod memory;
mod open;
pub mod own_file;
pub mod process;
mod real;
mod rewrite;
mod save;
pub mod timing;

pub use cgroup::{WorkloadCgroup, StatRefresher, CgroupError, RemoveCgroupError, Orphan, orphans, own_name};
pub use file::{CreateFileError, bytes_freed};
pub use helper::{Helper, HelperReport, HelperTask};
pub use lock::{LockError, Lock};
pub use real::LiveSys;
pub use rewrite::{RewriteError, Rewrite};
pub use save::{BACKUP, SaveError, protection};

use crate::model::activation::{Activation, Discard, Priority};
use crate::model::format::SwapFileSpec;
use crate::model::{Bytes, Name};
use nix::errno::Errno;
use nix::libc::c_int;
use nix::sys::signal::Signal;
use std::ffi::CString;
use std::io;
use std::time::Duration;

/// Was this program given rights that whoever started it lacks? Then the environment names no files.
pub fn is_privileged() -> bool {
    ffi::process::is_at_secure()
}

/// Let writes beyond `ulimit -f` fail with an error that can be reported, instead of ending the
/// program in the middle of a change.
pub fn ignore_file_size_limit() {
    // Where that cannot be, all is as before.
    let _ = ffi::ignore(Signal::SIGXFSZ);
}

/// What can be done to a machine.
pub trait Sys {
    /// Switch an area on.
    ///
    /// # Errors
    /// What the kernel answered.
    fn swap_on(&self, area: &Activation) -> Result<(), Errno>;

    /// Write into a file of the kernel, at once and whole.
    ///
    /// # Errors
    /// What the kernel answered.
    fn write(&self, file: &Name, text: &str) -> Result<(), Errno>;

    /// Put one text into the place of another in a file that sets the machine up; none means that
    /// there is no such file.
    ///
    /// # Errors
    /// Why the file is as it was.
    fn save(&self, file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), SaveError>;

    /// Read a file of the kernel of which each reading does something; what it answered.
    ///
    /// # Errors
    /// What the kernel answered.
    fn read_claim(&self, file: &Name) -> Result<String, Errno>;

    /// Write something else in some places of a device or file, when they hold what they should,
    /// and nobody uses it; and wait until the disk has it.
    ///
    /// # Errors
    /// Why it was not written, or not all.
    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), RewriteError>;

    /// Make a swap file, whole or not at all, with its place on the disk. Whoever looks on is told
    /// how far it is, and says whether it shall go on.
    ///
    /// # Errors
    /// Why there is none.
    fn make_file(
        &self,
        path: &Name,
        form: &SwapFileSpec,
        go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError>;

    /// Remove a swap file, if it is this one.
    ///
    /// # Errors
    /// Why it is still there.
    fn remove_file(&self, path: &Name, form: &SwapFileSpec) -> Result<(), RewriteError>;

    /// Begin work that takes long, in a process of its own.
    ///
    /// # Errors
    /// When it could not be started.
    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>>;
}

/// Work that is under way.
pub trait RunningHelper {
    /// Wait for its end, but not longer than this: what it reported, once it has ended.
    fn wait(&mut self, time: Duration) -> Option<HelperReport>;
    /// Ask it to stop as soon as it can.
    fn stop(&mut self);
}

/// `SWAP_FLAG_PREFER`: the lower bits are a priority.
const PREFER: c_int = 0x8000;
/// `SWAP_FLAG_DISCARD`: discard at all; on its own both ways.
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

/// Switch an area on, in this process.
fn swap_on(area: &Activation) -> Result<(), Errno> {
    let path = CString::new(area.path.as_bytes()).map_err(|_| Errno::ENOENT)?;
    ffi::swapon(&path, flags(area))
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
