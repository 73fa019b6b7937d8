//! The kernel's answers in words: what they mean for what was tried, and what to do about it.

use crate::model::Name;
use crate::model::activation::Activation;
use crate::sys::{CreateFileError, SaveError, RewriteError};
use nix::errno::Errno;

/// Why an area did not go off, where the kernel's own words say too little.
const OFF: [(Errno, &str); 5] = [
    (
        Errno::EPERM,
        "CAP_SYS_ADMIN is missing, or a filter (seccomp, as of a container) forbids it: run it outside, or allow swapon and swapoff there",
    ),
    (Errno::EINVAL, "it is not active any more: swapadm devices shows what is"),
    (
        Errno::ENOMEM,
        "there is no memory for what is on it: add swap elsewhere, or end what uses it",
    ),
    (Errno::EINTR, "it was interrupted"),
    (Errno::EBUSY, "hibernation holds it: try again when that is over"),
];
/// The same of one that did not go on.
pub(super) const ON: [(Errno, &str); 4] = [
    (
        Errno::EACCES,
        "a security module forbids it: with SELinux a file needs the type swapfile_t (chcon -t swapfile_t)",
    ),
    (
        Errno::EPERM,
        "CAP_SYS_ADMIN is missing, a filter (seccomp, as of a container) forbids it (run it outside, or allow swapon and swapoff there), or the kernel has as many areas as it can",
    ),
    (
        Errno::EINVAL,
        "the kernel does not take it: no swap header, holes, or a file system that cannot; swapadm format writes a header, swapadm file create makes a file that fits",
    ),
    (
        Errno::EBUSY,
        "it is active already, or mounted, or held by somebody else: swapadm devices and lsblk tell",
    ),
];

/// The same of a setting.
const SET: [(Errno, &str); 4] = [
    (Errno::EINVAL, "the kernel does not take this value"),
    (
        Errno::EBUSY,
        "it cannot be changed while the device is in use: switch it off first (swapadm off)",
    ),
    (Errno::EROFS, "its file system is mounted read-only: remount it, or change it on the host"),
    (
        Errno::EACCES,
        "nobody may write it: CAP_SYS_ADMIN is missing (run it outside of a container), or the kernel forbids it",
    ),
];

pub(super) fn explain_set(file: &Name, value: &str, error: Errno) -> String {
    format!("writing \"{value}\" to {}: {}", file.safe(), errno_text(&SET, error))
}

/// The same of a header.
const WRITTEN: [(Errno, &str); 6] = [
    (
        Errno::EBUSY,
        "it is mounted, active as swap, or held by somebody else: swapadm devices and lsblk tell",
    ),
    (Errno::ETXTBSY, "it is active as swap: switch it off first (swapadm off)"),
    (
        Errno::EROFS,
        "it can only be read: allow writing first (blockdev --setrw, or remount its file system)",
    ),
    (
        Errno::EACCES,
        "it may only be read (blockdev --setrw), or the right to write it is missing: run it as root",
    ),
    (
        Errno::EPERM,
        "it may not be written: it is marked as immutable (chattr -i), or only to be read (blockdev --setrw)",
    ),
    (Errno::ELOOP, "it has become a link meanwhile: name what it leads to"),
];

/// The same of a file that sets the machine up.
const SAVED: [(Errno, &str); 6] = [
    (Errno::EROFS, "its file system is mounted read-only: remount it"),
    (
        Errno::EACCES,
        "nobody may write it: a security module forbids it (journalctl -k tells), or the right to is missing: run it as root",
    ),
    (Errno::EPERM, "it is marked as immutable (chattr -i), or the right to write it is missing"),
    (Errno::ELOOP, "it has become a link meanwhile: change what it leads to"),
    (Errno::ENOTDIR, "its folder is a link, or none: have a folder there"),
    (Errno::ENOSPC, "its file system is full: make room on it, and try again"),
];

pub(super) fn explain_save(path: &Name, why: SaveError) -> String {
    let name = path.safe();
    match why {
        SaveError::Kernel(error) => format!("writing {name}: {}", errno_text(&SAVED, error)),
        SaveError::Changed => format!(
            "{name} was written by somebody else meanwhile: look at what it says now, and try again"
        ),
    }
}

pub(super) fn explain_rewrite(path: &Name, why: RewriteError) -> String {
    let name = path.safe();
    match why {
        RewriteError::Kernel(error) => {
            format!("writing to {name}: {}", errno_text(&WRITTEN, error))
        }
        RewriteError::Size(is) => {
            format!("{name} has {} bytes now, which is not what was planned for: try again", is.0)
        }
        RewriteError::Changed => format!(
            "{name} was written to by somebody else meanwhile: look at what it holds now, and try again"
        ),
    }
}

/// The same of a file that is made.
const MADE: [(Errno, &str); 8] = [
    (Errno::ENOSPC, "the file system has no room for it: choose less, or another place"),
    (Errno::EDQUOT, "the quota does not leave room for it: choose less, or another place"),
    (Errno::EFBIG, "the file system takes no file of this size: choose less, or another place"),
    (Errno::EEXIST, "somebody has just put something else there: choose another name"),
    (Errno::EROFS, "the file system can only be read: remount it, or choose another place"),
    (
        Errno::EACCES,
        "the right to write into the folder is missing: run it as root, or choose another",
    ),
    (
        Errno::EOPNOTSUPP,
        "the file system cannot make a file without a name first: choose a place on ext4, xfs or btrfs",
    ),
    (Errno::ELOOP, "the folder has become a link meanwhile: name the one that it leads to"),
];

pub(super) fn explain_create(path: &Name, why: CreateFileError) -> String {
    let why = match why {
        CreateFileError::Kernel(error) => errno_text(&MADE, error),
        CreateFileError::Stopped => "it was stopped",
        CreateFileError::Unsound(why) => why,
    };
    format!("making {}: {why}", path.safe())
}

pub(super) fn explain_swapoff(name: &str, error: Errno) -> String {
    format!("switching {name} off: {}", errno_text(&OFF, error))
}

pub(super) fn explain_swapon(area: &Activation, error: Errno) -> String {
    format!("switching {} on: {}", area.path.safe(), errno_text(&ON, error))
}

pub(super) fn errno_text(known: &[(Errno, &'static str)], error: Errno) -> &'static str {
    let found = known.iter().find(|(other, _)| *other == error);
    found.map_or_else(|| error.desc(), |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that is told by a table of its own, but for what was only interrupted.
    #[test]
    fn each_error_text_says_what_to_do() {
        let tables: [&[(Errno, &str)]; 6] = [&OFF, &ON, &SET, &WRITTEN, &SAVED, &MADE];
        let known = tables.iter().flat_map(|table| table.iter());
        let left = [Errno::EINTR, Errno::EINVAL];
        for (error, words) in known.filter(|(error, _)| !left.contains(error)) {
            assert!(words.contains([':', '(']), "{error}: {words}");
        }
        let name = Name::from("/x");
        let told = [explain_save(&name, SaveError::Changed), explain_rewrite(&name, RewriteError::Changed)];
        assert!(told.iter().all(|words| words.ends_with("try again")), "{told:?}");
    }
}
