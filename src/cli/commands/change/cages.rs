//! The cgroups of runs that were killed: nothing runs in them any more, or nobody looks after it.

use crate::cli::out;
use crate::root::Root;
use crate::sys::orphans;

/// Remove them, and say so.
pub(super) fn remove_orphans(root: &Root) {
    for orphan in orphans(root) {
        let path = orphan.path();
        match orphan.remove() {
            Ok(()) => out::remark(&format!("removed {path}, which a run left that was killed")),
            Err(error) => out::remark(&error.to_string()),
        }
    }
}

/// Remove them where there is nobody to tell.
pub(super) fn remove_quietly(root: &Root) {
    for orphan in orphans(root) {
        // The next command tells of one that stays.
        let _ = orphan.remove();
    }
}

/// Say which would be removed.
pub(super) fn name_orphans(root: &Root) {
    for orphan in orphans(root) {
        out::remark(&format!(
            "{}, which a run left that was killed, is to be removed",
            orphan.path()
        ));
    }
}
