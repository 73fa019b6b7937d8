//! Walks the folders of a hierarchy level by level, within limits.

use crate::model::{Missing, Name, Reading};
use crate::root::{FolderEntry, Root};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Limit of cgroups that are read.
pub(super) const MOST: usize = 20_000;
/// Limit of the depth.
pub(super) const DEEPEST: usize = 64;

/// The folder of a cgroup.
pub(super) struct CgroupFolder {
    /// The path below the mount without a leading slash; empty for the root.
    pub(super) path: PathBuf,
    /// The names of its `memory.*` files, sorted, or why they could not be listed.
    pub(super) files: Reading<Vec<Vec<u8>>>,
}

/// The folders of a hierarchy.
pub(super) struct CgroupFolders {
    /// Folders by path, parents before children.
    pub(super) folders: Vec<CgroupFolder>,
    /// Number of folders beyond the limits.
    pub(super) left_out: u64,
}

/// Walks at most this many folders below a mount; the result is missing only if the mount itself cannot be
/// listed.
pub(super) fn folders(root: &Root, mount: &Path, most: usize) -> Reading<CgroupFolders> {
    root.entries(mount).map(|entries| {
        let mut found = CgroupFolders { folders: Vec::new(), left_out: 0 };
        let mut waiting = VecDeque::new();
        found.add(PathBuf::new(), entries, 0, &mut waiting);
        while let Some((path, depth)) = waiting.pop_front() {
            if found.folders.len() >= most || depth > DEEPEST {
                found.left_out += 1;
                continue;
            }
            match root.entries(mount.join(&path)).into_result() {
                Ok(entries) => found.add(path, entries, depth, &mut waiting),
                // Removed during the walk.
                Err(Missing::Absent(_)) => {}
                Err(missing) => found.folders.push(CgroupFolder { path, files: missing.into() }),
            }
        }
        found.folders.sort_by(|a, b| a.path.cmp(&b.path));
        found
    })
}

impl CgroupFolders {
    fn add(
        &mut self,
        path: PathBuf,
        entries: Vec<FolderEntry>,
        depth: usize,
        waiting: &mut VecDeque<(PathBuf, usize)>,
    ) {
        let mut files = Vec::with_capacity(entries.len());
        for entry in entries {
            if entry.folder {
                let name = Name::new(entry.name);
                waiting.push_back((path.join(name.as_path()), depth + 1));
            } else if entry.name.starts_with(b"memory.") {
                files.push(entry.name);
            }
        }
        self.folders.push(CgroupFolder { path, files: Reading::Known(files) });
    }
}
