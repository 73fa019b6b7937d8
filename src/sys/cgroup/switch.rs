//! The memory controller of version 2 is switched on in a group for all that are made in it. Where
//! it was off, the first of ours switches it on, and the last one that goes switches it off again.
//!
//! Kernel: `kernel/cgroup/cgroup.c`, `cgroup_subtree_control_write`. To switch it off is refused
//! only where a group below passes it on: a limit of somebody else would be gone without a word. So
//! a group of ours that needs the switch says so in its name, also after its owner was killed, and
//! ours come and go one at a time.

use super::CgroupError;
use super::group::{Deadline, CgroupDir, full_path, write};
use super::owner::OwnerProcess;
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

/// How long the kernel may be busy with a group that nobody is in any more.
const MOMENT: Duration = Duration::from_secs(1);
/// How long others of ours may take. Anybody may hold the lock, who then loses by it.
const OTHERS: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(2);

/// Make a group of this owner which has the controller.
pub(super) fn make(root: &Root, place: &ParentCgroup, owner: OwnerProcess) -> Result<CgroupDir, CgroupError> {
    let _turn = SwitchLock::take(root, &place.folder);
    let opens = place.version == CgroupVersion::V2
        && (is_controller_off(root, &place.folder).unwrap_or(true) || enable_controller(root, &place.folder));
    let folder = place.folder.join(owner.name(opens));
    let group = CgroupDir { root: root.clone(), version: place.version, folder };
    group.make().map_err(|errno| {
        let folder = group.path();
        let is_there = errno == Errno::EEXIST;
        if is_there { CgroupError::Exists(folder) } else { CgroupError::NotMade { folder, errno } }
    })?;
    // The name first: whoever is killed in between leaves what says that it is to be switched off.
    let file = place.folder.join(ENABLED);
    if let Some(errno) = opens.then(|| write(root, &file, "+memory").err()).flatten() {
        // It is empty, and has never been anything else.
        let _ = group.remove(MOMENT);
        return Err(CgroupError::Off { file: shown(&file), errno });
    }
    Ok(group)
}

/// Remove a group that nobody is in, and switch off what it needed if nobody needs that any more.
pub(super) fn remove(group: &CgroupDir) -> Result<(), Errno> {
    let Some(above) = group.folder.parent() else { return Err(Errno::EINVAL) };
    let turn = SwitchLock::take(&group.root, above);
    let name = group.folder.file_name().map_or(&b""[..], std::ffi::OsStr::as_encoded_bytes);
    // Whoever has no turn may be taking the limit of one that is made now: rather it stays on.
    let may = turn.is_held() && OwnerProcess::marks_controller(name);
    let close = || {
        let is_last = may && !is_used(&group.root, above, name);
        // The kernel refuses where a group below passes it on: then it is used.
        is_last.then(|| write(&group.root, &above.join(ENABLED), "-memory"));
        is_last
    };
    // The name last: whoever is killed in between leaves what says that it is to be switched off.
    // The limit goes with the switch, so nobody may be in there any more.
    let is_done = is_empty(group) && close();
    group.remove(MOMENT)?;
    if !is_done {
        close();
    }
    Ok(())
}

/// Is nobody in it, nor below it? Where that cannot be told it goes by its processes.
fn is_empty(group: &CgroupDir) -> bool {
    let events = group.folder.join("cgroup.events");
    let is_populated = group.counter(&events, "populated").is_some_and(|count| count > 0);
    !is_populated && group.pids().is_empty() && !group.contains_other_users()
}

/// Is there one of ours for which it was switched on?
fn enable_controller(root: &Root, folder: &Path) -> bool {
    let names = root.entries(folder).into_result().unwrap_or_default();
    names.iter().any(|entry| entry.folder && OwnerProcess::marks_controller(&entry.name))
}

/// What a group has that nobody has set anything for.
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

/// Is there another one of ours than this, or a group with something of the controller that would
/// be lost with it? What cannot be seen is used.
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

/// The turn to make or remove groups of ours in a group, for as long as this is kept: a lock on
/// its folder.
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

    /// Is it our turn? Others may keep theirs for ever.
    const fn is_held(&self) -> bool {
        self.lock.is_some()
    }
}

#[cfg(test)]
mod tests;
