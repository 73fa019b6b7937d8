//! The memory controller of version 2 is enabled in a cgroup for all its children. If it was off,
//! our first child enables it, and the last one to go disables it again.
//!
//! Kernel: `kernel/cgroup/cgroup.c`, `cgroup_subtree_control_write`. Disabling is refused only if a
//! child passes the controller on: a limit set by somebody else would silently vanish. So a cgroup
//! of ours that needs the controller has a suffix in its name, valid even after its owner was
//! killed, and ours are created and removed one at a time.

use super::CgroupError;
use super::group::OwnerProcess;
use super::group::{CgroupDir, Deadline, full_path, write};
use super::parent::{ENABLED, ParentCgroup, is_controller_off};
use crate::clock::Clock;
use crate::model::users::CgroupVersion;
use crate::model::{Missing, Name};
use crate::root::{Root, shown};
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// How long the kernel may keep an empty cgroup busy.
const MOMENT: Duration = Duration::from_secs(1);
/// How long to wait for other runs. Any user may hold the lock, to our disadvantage only.
const OTHERS: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(2);

/// Creates a cgroup of this owner with the controller enabled.
pub(super) fn make(
    root: &Root,
    place: &ParentCgroup,
    owner: OwnerProcess,
) -> Result<CgroupDir, CgroupError> {
    let _turn = SwitchLock::take(root, &place.folder);
    let opens = place.version == CgroupVersion::V2
        && (is_controller_off(root, &place.folder).unwrap_or(true)
            || enable_controller(root, &place.folder));
    let folder = place.folder.join(owner.name(opens));
    let group = CgroupDir { root: root.clone(), version: place.version, folder };
    group.make().map_err(|errno| {
        let folder = group.path();
        let is_there = errno == Errno::EEXIST;
        if is_there { CgroupError::Exists(folder) } else { CgroupError::NotMade { folder, errno } }
    })?;
    // The name first: if we are killed in between, the name requests disabling.
    let file = place.folder.join(ENABLED);
    if let Some(errno) = opens.then(|| write(root, &file, "+memory").err()).flatten() {
        // Just created and empty.
        let _ = group.remove(MOMENT);
        return Err(CgroupError::Off { file: shown(&file), errno });
    }
    Ok(group)
}

/// Removes an empty cgroup, and disables the controller if nothing else needs it.
pub(super) fn remove(group: &CgroupDir) -> Result<(), Errno> {
    let Some(above) = group.folder.parent() else { return Err(Errno::EINVAL) };
    let turn = SwitchLock::take(&group.root, above);
    let name = group.folder.file_name().map_or(&b""[..], std::ffi::OsStr::as_encoded_bytes);
    // Without the lock, the limit of a new cgroup could be lost: better leave the controller on.
    let may = turn.is_held() && OwnerProcess::marks_controller(name);
    let close = || {
        let is_last = may && !is_used(&group.root, above, name);
        // The kernel refuses if a child passes it on: then it is in use.
        is_last.then(|| write(&group.root, &above.join(ENABLED), "-memory"));
        is_last
    };
    // The name last: if we are killed in between, the name requests disabling. Disabling removes
    // the limit, so no process may be left in the cgroup.
    let is_done = is_empty(group) && close();
    group.remove(MOMENT)?;
    if !is_done {
        close();
    }
    Ok(())
}

/// Has it no processes, in itself or below? Where that cannot be read, its own processes decide.
fn is_empty(group: &CgroupDir) -> bool {
    let events = group.folder.join("cgroup.events");
    let is_populated = group.counter(&events, "populated").is_some_and(|count| count > 0);
    !is_populated && group.pids().is_empty() && !group.has_outside_processes()
}

/// Is there a cgroup of ours for which the controller was enabled?
fn enable_controller(root: &Root, folder: &Path) -> bool {
    let names = root.entries(folder).into_result().unwrap_or_default();
    names.iter().any(|entry| entry.folder && OwnerProcess::marks_controller(&entry.name))
}

/// Values of files that nobody has changed.
const UNTOUCHED: [(&str, &[u8]); 9] = [
    ("memory.min", b"0"),
    ("memory.low", b"0"),
    ("memory.high", b"max"),
    ("memory.max", b"max"),
    ("memory.swap.high", b"max"),
    ("memory.swap.max", b"max"),
    ("memory.zswap.max", b"max"),
    ("memory.zswap.writeback", b"1"),
    ("memory.oom.group", b"0"),
];

/// Is there another cgroup of ours, or one with controller settings that would be lost? Unreadable
/// ones count as used.
fn is_used(root: &Root, folder: &Path, this: &[u8]) -> bool {
    let Ok(entries) = root.entries(folder).into_result() else { return true };
    let mut children = entries.into_iter().filter(|entry| entry.folder && entry.name != this);
    children.any(|child| {
        if OwnerProcess::parse(&child.name).is_some() {
            return true;
        }
        let child = folder.join(Name::new(child.name).as_path());
        let is_set =
            |(file, untouched): &(&str, &[u8])| match root.read(child.join(file)).into_result() {
                Ok(text) => text.trim_ascii() != *untouched,
                Err(missing) => !matches!(missing, Missing::Absent(_)),
            };
        UNTOUCHED.iter().any(is_set)
    })
}

/// A lock on a folder, held while creating or removing our cgroups in it.
struct SwitchLock {
    lock: Option<Flock<File>>,
}

impl SwitchLock {
    fn take(root: &Root, folder: &Path) -> Self {
        #[expect(clippy::disallowed_methods, reason = "nothing is read of it")]
        let opened = File::open(full_path(root, folder));
        let end = Deadline::in_time(OTHERS);
        let mut wanted = opened.ok();
        while let Some(file) = wanted.take() {
            match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Ok(lock) => return Self { lock: Some(lock) },
                Err((file, Errno::EAGAIN | Errno::EINTR)) if !end.has_passed() => {
                    Clock::Real.sleep(PAUSE);
                    wanted = Some(file);
                }
                Err(_) => {}
            }
        }
        Self { lock: None }
    }

    /// Is the lock held? Others may hold it forever.
    const fn is_held(&self) -> bool {
        self.lock.is_some()
    }
}

#[cfg(test)]
mod tests;
