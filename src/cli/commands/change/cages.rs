//! The cgroups of runs that were killed: nothing runs in them any more, or nobody looks after it.

use crate::cli::out;
use crate::lab::session;
use crate::root::Root;
use crate::sys::orphans;

/// Remove them, and say so.
pub(super) fn remove_orphans(root: &Root) {
    session::remove_orphans(root, |told| out::remark(&told));
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
