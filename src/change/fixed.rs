//! Files that cannot be replaced, though their folders can be written.

use crate::model::Name;
use crate::probes::mounts;
use crate::root::Root;
use crate::sys;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Why another file cannot take the place of this one; none where it can, or is not there yet.
pub(super) fn why(root: &Root, file: &Path) -> Option<String> {
    let name = Name::new(file.as_os_str().as_bytes());
    let mounts = mounts::read(root);
    if mounts.known().is_some_and(|all| all.iter().any(|mount| mount.point == name)) {
        return Some(format!(
            "{} is a mount point, as containers and bind mounts make it, and cannot be replaced: change the file that is mounted there",
            name.safe()
        ));
    }
    let why = if root.is_live() { sys::protection(file) } else { None };
    why.map(|why| format!("{} {why}", name.safe()))
}
