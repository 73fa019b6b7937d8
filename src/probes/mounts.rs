//! `/proc/mounts`: the mount table. Not a probe of its own: several probes use it.
//!
//! Kernel: `fs/proc_namespace.c`, all versions; readable by everyone. Fields are separated by one
//! space; space, tab, newline, backslash and `#` in them are octal. It shows the mount namespace
//! of the reader, and a mount that is hidden below a later one is listed as well.

use super::scan;
use crate::model::{Name, Reading};
use crate::root::Root;

/// One mounted file system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mount {
    /// Source of the mount: a device, or a word; unescaped.
    pub what: Name,
    /// Mount point, unescaped.
    pub point: Name,
    /// Type of the file system.
    pub kind: Vec<u8>,
    /// Mount options, separated by commas.
    pub options: Vec<u8>,
}

/// Files with the table: the first that exists is read.
const PATHS: [&str; 2] = ["proc/mounts", "proc/self/mounts"];

/// Reads the table; lines of another form are skipped.
pub(crate) fn read(root: &Root) -> Reading<Vec<Mount>> {
    let [first, second] = PATHS;
    let mut bytes = root.read(first);
    if bytes.is_absent() {
        bytes = root.read(second);
    }
    bytes.map(|bytes| scan::lines(&bytes).filter_map(parse).collect())
}

/// Whether the table has debugfs at its usual mount point.
pub(crate) fn has_debugfs(root: &Root) -> bool {
    read(root).known().is_some_and(|mounts| mounts.iter().any(Mount::is_debugfs))
}

impl Mount {
    /// Whether this is debugfs at its usual mount point.
    pub(crate) fn is_debugfs(&self) -> bool {
        self.kind == b"debugfs" && self.point.as_bytes() == b"/sys/kernel/debug"
    }

    /// Checks for a mount option.
    pub(crate) fn has_option(&self, wanted: &[u8]) -> bool {
        self.options().any(|option| option == wanted)
    }

    /// The mount options.
    pub(crate) fn options(&self) -> impl Iterator<Item = &[u8]> {
        self.options.split(|byte| *byte == b',')
    }
}

/// The mount with the longest mount point above a path; the latest of several mounts there.
pub(super) fn above<'m>(mounts: &'m [Mount], path: &Name) -> Reading<&'m Mount> {
    let is_above = |mount: &&Mount| path.as_path().starts_with(mount.point.as_path());
    let longest = mounts.iter().filter(is_above).max_by_key(|mount| mount.point.as_bytes().len());
    longest.map_or_else(
        || Reading::absent(format!("no mount point was found for {}", path.safe())),
        Reading::Known,
    )
}

fn parse(line: &[u8]) -> Option<Mount> {
    let mut fields = scan::fields(line);
    Some(Mount {
        what: unescape(fields.next()?),
        point: unescape(fields.next()?),
        kind: fields.next()?.to_vec(),
        options: fields.next()?.to_vec(),
    })
}

/// Decodes octal escapes.
pub(crate) fn unescape(field: &[u8]) -> Name {
    Name::new(scan::unescape(field, scan::octal_escape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_point_is_unescaped_and_options_are_whole_words() {
        let mount =
            parse(b"none /a\\040b\\043\\040(deleted) cgroup rw,memory_x,memory 0 0").unwrap();
        assert_eq!(mount.point, Name::from("/a b# (deleted)"));
        assert!(mount.has_option(b"memory") && !mount.has_option(b"mem"));
    }

    #[test]
    fn a_line_that_is_cut_off_is_no_mount() {
        for bad in [&b""[..], b"none", b"none /a tmpfs", b"\xff\xfe \0"] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
    }
}
