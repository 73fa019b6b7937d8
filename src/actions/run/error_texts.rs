//! Explains kernel errors: their meaning for each operation, and what to do next.

use crate::model::Name;
use crate::model::activation::Activation;
use crate::model::name::explain_os_error;
use crate::sys::{CreateFileError, WriteError};
use nix::errno::Errno;
use std::io;

/// Reasons why swapoff failed.
const OFF: [(Errno, &str); 7] = [
    (
        Errno::EPERM,
        "CAP_SYS_ADMIN is missing, or seccomp forbids it, as in a container: run swapadm outside, or permit swapon and swapoff there",
    ),
    (Errno::EINVAL, "it is no longer active; to list active areas: swapadm devices"),
    (
        Errno::ENOENT,
        "there is nothing at its path: if its file system was unmounted, mount it there again; if it was enabled in another mount namespace, such as a container, run swapadm there",
    ),
    (Errno::ENOMEM, "memory has no room for its contents: add swap, or stop processes that use it"),
    (Errno::EINTR, "it was interrupted"),
    (Errno::EBUSY, "hibernation is using it: try again afterwards"),
    (Errno::ELOOP, LINKED),
];
/// Reasons why swapon failed.
pub(super) const ON: [(Errno, &str); 7] = [
    (Errno::EIO, DISK_ERROR),
    (Errno::EROFS, "it is read-only: run blockdev --setrw, or remount its file system"),
    (
        Errno::EACCES,
        "a security module forbids it: with SELinux, label the file swapfile_t (chcon -t swapfile_t)",
    ),
    (
        Errno::EPERM,
        "CAP_SYS_ADMIN is missing, seccomp forbids it, as in a container (run swapadm outside, or permit swapon and swapoff there), or the kernel has reached its maximum number of areas",
    ),
    (
        Errno::EINVAL,
        "the kernel rejects it: it has no swap header, has holes, or its file system cannot hold swap. Use swapadm format, or swapadm file create",
    ),
    (Errno::EBUSY, "it is active, mounted or in use (to check: swapadm devices and lsblk)"),
    (Errno::ELOOP, LINKED),
];

/// The reason when the path of an area was replaced.
const LINKED: &str =
    "its path now contains a symbolic link, which may lead to another area: name its target";

/// Reasons why a setting could not be written.
const SET: [(Errno, &str); 4] = [
    (Errno::EINVAL, "the kernel rejects this value"),
    (
        Errno::EBUSY,
        "it cannot be changed while the device is in use: disable it first (swapadm off)",
    ),
    (Errno::EROFS, "its file system is mounted read-only: remount it, or change it on the host"),
    (
        Errno::EACCES,
        "permission denied: CAP_SYS_ADMIN is missing (run swapadm outside the container), or the kernel forbids it",
    ),
];

/// Reasons that only files of cgroups have.
const SET_OF_CGROUP: [(Errno, &str); 3] = [
    (
        Errno::EBUSY,
        "the kernel cannot reclaim what the cgroup uses above it: choose a higher limit, or stop processes in it",
    ),
    (Errno::ENOENT, "the cgroup was removed"),
    (Errno::ENODEV, "the cgroup was removed"),
];

/// The reason that only the backing device of zram has.
const SET_OF_BACKING: [(Errno, &str); 1] = [(
    Errno::EBUSY,
    "the backing device is in use: by a mount, swap or another device (to check: lsblk), or as the backing device of another zram device (to check: swapadm zram)",
)];

/// Reasons that only settings of zswap have.
const SET_OF_ZSWAP: [(Errno, &str); 2] = [
    (
        Errno::ENOENT,
        "the kernel has no such compressor: load its module with modprobe, or choose another",
    ),
    (Errno::ENODEV, "zswap has no pool: first set zswap.compressor to one that the kernel has"),
];

pub(super) fn explain_set(file: &Name, value: &str, error: Errno) -> String {
    let of_kind: &[(Errno, &str)] = if file.base().as_bytes().starts_with(b"memory.") {
        &SET_OF_CGROUP
    } else if file.as_bytes().starts_with(b"/sys/module/zswap/") {
        &SET_OF_ZSWAP
    } else if file.base().as_bytes() == b"backing_dev" {
        &SET_OF_BACKING
    } else {
        &[]
    };
    let own = of_kind.iter().find(|(known, _)| *known == error).map(|(_, text)| *text);
    let why = own.unwrap_or_else(|| errno_text(&SET, error));
    format!("cannot write \"{value}\" to {}: {why}", file.safe())
}

/// The reason for an error of the disk.
const DISK_ERROR: &str =
    "its disk reports an error: look at the kernel log (journalctl -k), and use another disk";

/// Reasons why a header could not be written.
pub(super) const WRITTEN: [(Errno, &str); 8] = [
    (Errno::ENOSPC, "its file system is full: free some space and try again"),
    (Errno::EIO, DISK_ERROR),
    (Errno::EBUSY, "it is mounted, active swap or in use (to check: swapadm devices and lsblk)"),
    (Errno::ETXTBSY, "it is active swap: disable it first (swapadm off)"),
    (Errno::EROFS, "it is read-only: run blockdev --setrw, or remount its file system"),
    (
        Errno::EACCES,
        "it is read-only (blockdev --setrw), or permission is denied: run swapadm as root",
    ),
    (
        Errno::EPERM,
        "it is active swap (swapadm off), immutable (chattr -i) or read-only (blockdev --setrw)",
    ),
    (Errno::ELOOP, "it is now a symbolic link: name its target"),
];

/// Reasons why a configuration file could not be saved.
pub(super) const SAVED: [(Errno, &str); 8] = [
    (Errno::EDQUOT, "the quota is exceeded: free some space and try again"),
    (Errno::EIO, DISK_ERROR),
    (Errno::EROFS, "its file system is mounted read-only: remount it"),
    (
        Errno::EACCES,
        "permission denied: run swapadm as root, or check for a security module (journalctl -k)",
    ),
    (Errno::EPERM, "it is immutable (chattr -i), or permission is denied"),
    (Errno::ELOOP, "it is now a symbolic link: change its target"),
    (Errno::ENOTDIR, "its directory is a link or missing: create a real directory"),
    (Errno::ENOSPC, "its file system is full: free some space and try again"),
];

/// Explains why a file or device was not written, with the reasons that are known for its kind.
pub(super) fn explain_write(
    path: &Name,
    known: &[(Errno, &'static str)],
    why: WriteError,
) -> String {
    let name = path.safe();
    match why {
        WriteError::Kernel(error) => format!("cannot write {name}: {}", errno_text(known, error)),
        WriteError::Size(is) => {
            format!("{name} now has {} bytes, other than planned: try again", is.0)
        }
        WriteError::Changed => format!(
            "{name} was changed by someone else during the plan: check its contents and try again"
        ),
    }
}

/// Reasons why a file could not be created.
const MADE: [(Errno, &str); 9] = [
    (Errno::EIO, DISK_ERROR),
    (Errno::ENOSPC, "the file system is full: choose a smaller size or another file system"),
    (Errno::EDQUOT, "the quota is exceeded: choose a smaller size or another directory"),
    (
        Errno::EFBIG,
        "the file system cannot hold a file of this size: choose a smaller size or another file system",
    ),
    (Errno::EEXIST, "the name has just been taken: choose another one"),
    (Errno::EROFS, "the file system is read-only: remount it, or choose another one"),
    (
        Errno::EACCES,
        "permission denied for the directory: run swapadm as root, or choose another directory",
    ),
    (
        Errno::EOPNOTSUPP,
        "the file system does not support O_TMPFILE: choose a directory on ext4, xfs or btrfs",
    ),
    (Errno::ELOOP, "the directory is now a symbolic link: name its target"),
];

pub(super) fn explain_make(path: &Name, exists: bool, why: CreateFileError) -> String {
    let why = match why {
        CreateFileError::Kernel(error) => errno_text(&MADE, error),
        CreateFileError::Changed => {
            "someone else changed it during the plan: check its contents and try again"
        }
        CreateFileError::Stopped => "it was stopped",
        CreateFileError::Unsound(why) => why,
    };
    let verb = if exists { "resize" } else { "create" };
    format!("cannot {verb} {}: {why}", path.safe())
}

pub(super) fn explain_start(error: &io::Error) -> String {
    format!("cannot start the helper process: {}", explain_os_error(&error.to_string()))
}

pub(super) fn explain_swapoff(name: &str, error: Errno) -> String {
    format!("cannot disable {name}: {}", errno_text(&OFF, error))
}

pub(super) fn explain_swapon(area: &Activation, error: Errno) -> String {
    format!("cannot enable {}: {}", area.path.safe(), errno_text(&ON, error))
}

pub(super) fn errno_text(known: &[(Errno, &'static str)], error: Errno) -> &'static str {
    let found = known.iter().find(|(other, _)| *other == error);
    found.map_or_else(|| error.desc(), |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Bytes;

    /// Covers every error with a text of its own, except interruptions.
    #[test]
    fn each_error_text_says_what_to_do() {
        let tables: [&[(Errno, &str)]; 6] = [&OFF, &ON, &SET, &WRITTEN, &SAVED, &MADE];
        let known = tables.iter().flat_map(|table| table.iter());
        let left = [Errno::EINTR, Errno::EINVAL];
        for (error, words) in known.filter(|(error, _)| !left.contains(error)) {
            assert!(words.contains([':', '(']), "{error}: {words}");
        }
        let backing = explain_set(&"/sys/block/zram0/backing_dev".into(), "/dev/b", Errno::EBUSY);
        assert!(backing.contains("is in use: by a mount"), "{backing}");
        for why in [WriteError::Changed, WriteError::Size(Bytes(1))] {
            let told = explain_write(&Name::from("/x"), &SAVED, why);
            assert!(told.ends_with("try again"), "{told:?}");
        }
    }
}
