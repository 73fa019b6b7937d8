//! Facts that decide whether a device or file may be formatted, or a swap file may be created in a folder.
//! Read for one plan; no part of snapshots.
//!
//! Kernel: the folders of partitions below `/sys/dev/block/`, in all versions;
//! `/sys/fs/btrfs/UUID/{devices,allocation}` since 3.14.

use super::candidate::{self, names};
use super::mounts::{self, Mount};
use super::signature;
use crate::model::candidate::{FormatTarget, NewFileTarget, ParentFolder, PathKind};
use crate::model::format::{PAGES, Patch};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Reading};
use crate::root::{FileFacts, Root};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// Examines this path, given the active areas and the page size.
pub fn read(root: &Root, path: &Name, areas: &[SwapArea], page_size: u64) -> FormatTarget {
    let candidate = candidate::read(root, path);
    let size = candidate.size.clone();
    let found = size.and_then(|size| signature::read(root, path.as_path(), size.0));
    let zero_pages = candidate.size.clone().and_then(|size| {
        signature::zero_pages(root, path.as_path(), size.0, signature::PATIENCE).into()
    });
    let was = found.as_ref().and_then(|found| {
        let of_others = found.iter().flat_map(|found| found.marks.iter().copied());
        candidate::marks(root, path)
            .and_then(|swap| bytes_to_keep(root, path, of_others.chain(swap), page_size))
    });
    let folder = match candidate.thing.known() {
        Some(PathKind::Device { major, minor }) => Some(format!("sys/dev/block/{major}:{minor}/")),
        Some(PathKind::File | PathKind::Folder | PathKind::Other) | None => None,
    };
    let identity = |path: &Name| root.facts(path.as_path()).known().map(FileFacts::identity);
    let own = identity(path);
    let same = |area: &&SwapArea| own.is_some() && identity(&area.path) == own;
    FormatTarget {
        active: areas.iter().find(same).map(|area| area.path.clone()),
        partitions: folder.map_or_else(Vec::new, |folder| partitions(root, &folder)),
        zero_pages,
        candidate,
        found,
        was,
    }
}

fn partitions(root: &Root, folder: &str) -> Vec<Name> {
    let is = |name: &Name| {
        let name = OsStr::from_bytes(name.as_bytes()).to_string_lossy();
        root.exists(format!("{folder}{name}/partition"))
    };
    names(root, folder).into_iter().filter(is).collect()
}

/// The bytes of the first page and of all marks behind it.
fn bytes_to_keep(
    root: &Root,
    path: &Name,
    marks: impl Iterator<Item = (u64, usize)>,
    page_size: u64,
) -> Reading<Vec<Patch>> {
    let page = usize::try_from(page_size).unwrap_or(PAGES[0]);
    let behind = marks.filter(|(at, _)| *at >= page_size);
    let mut all = Vec::new();
    for (at, length) in std::iter::once((0, page)).chain(behind) {
        match root.read_part(path.as_path(), at, length).into_result() {
            Ok(bytes) if bytes.len() == length => all.push(Patch { at, bytes }),
            Ok(_) => return Reading::absent(format!("{} ends before byte {at}", path.safe())),
            Err(missing) => return missing.into(),
        }
    }
    Reading::Known(all)
}

/// Examines where a swap file of this size would be created.
pub fn file_location(root: &Root, path: &Name, size: Bytes) -> NewFileTarget {
    let mounts = mounts::read(root);
    let mount = mounts.as_ref().and_then(|mounts| mounts::above(mounts, path));
    let folder = path.as_path().parent().unwrap_or(path.as_path());
    let usage = root.usage(folder);
    NewFileTarget {
        path: path.clone(),
        size,
        has: Bytes(0),
        taken_by: existing_content(root, path),
        folders: folders(root, path),
        read_only: mount.known().is_some_and(|mount| mount.has_option(b"ro")),
        spread: mount.known().and_then(|mount| btrfs_obstacle(root, mount)),
        filesystem: mount.map(|mount| String::from_utf8_lossy(&mount.kind).into_owned()),
        whole: usage.as_ref().map(|usage| Bytes(usage.size)),
        free: usage.map(|usage| Bytes(usage.free)),
    }
}

fn existing_content(root: &Root, path: &Name) -> Option<String> {
    if let Reading::Known(target) = root.link(path.as_path()) {
        return Some(format!("a link to {}", Name::new(target.as_os_str().as_bytes()).safe()));
    }
    let facts = root.facts(path.as_path());
    let facts = facts.known()?;
    Some(match () {
        () if facts.regular => format!("a file of {} bytes", facts.size),
        () if facts.folder => "a directory".to_owned(),
        () if facts.block_device.is_some() => "a block device".to_owned(),
        () => "not a regular file".to_owned(),
    })
}

fn folders(root: &Root, path: &Name) -> Reading<Vec<ParentFolder>> {
    let above = path.as_path().ancestors().skip(1);
    let mut all = Vec::new();
    for folder in above {
        match root.facts(folder).into_result() {
            Ok(facts) => all.push(ParentFolder {
                path: Name::new(folder.as_os_str().as_bytes()),
                mode: facts.mode,
                owner: facts.owner,
            }),
            Err(missing) => return missing.into(),
        }
    }
    Reading::Known(all)
}

/// Why a btrfs cannot hold swap: the kernel requires a single device and a single copy.
fn btrfs_obstacle(root: &Root, mount: &Mount) -> Option<String> {
    if mount.kind != b"btrfs" {
        return None;
    }
    let real = root.real(mount.what.as_path()).known().cloned();
    let device = real.as_deref().unwrap_or(mount.what.as_path()).file_name()?.to_owned();
    let all = names(root, "sys/fs/btrfs");
    let base = |name: &Name| format!("sys/fs/btrfs/{}", name.safe());
    let own = all.iter().map(base).find(|base| {
        names(root, &format!("{base}/devices"))
            .iter()
            .any(|name| *name.as_bytes() == *device.as_bytes())
    })?;
    let devices = names(root, &format!("{own}/devices")).len();
    if devices > 1 {
        return Some(format!("it uses {devices} devices, and swap needs a single one"));
    }
    let kinds = ["raid0", "raid1", "raid1c3", "raid1c4", "raid10", "raid5", "raid6", "dup"];
    let kind =
        kinds.into_iter().find(|kind| root.exists(format!("{own}/allocation/data/{kind}")))?;
    Some(format!("its data profile is {kind}, and swap needs single"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::format::{Format, SWAP_MAGIC, Uuid};
    use crate::root::testing::TestTree;

    #[test]
    fn headers_for_other_page_sizes_are_overwritten_too() {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let mut bytes = Format::new(Bytes(1 << 20), 65_536, uuid, None).unwrap().page();
        let small = Format::new(Bytes(1 << 20), 4096, uuid, None).unwrap().page();
        bytes.get_mut(..4096).unwrap().copy_from_slice(&small);
        bytes.resize(1 << 20, 0);
        let tree = TestTree::with(&[("x", bytes)]);
        let was = |page_size| {
            let target = read(&tree.root(), &"/x".into(), &[], page_size);
            target.was.into_result().unwrap()
        };
        let stale = Patch { at: 65_526, bytes: SWAP_MAGIC.to_vec() };
        assert_eq!(was(4096), [Patch { at: 0, bytes: small }, stale]);
        assert_eq!(was(65_536).len(), 1, "the first page contains all marks");
    }
}
