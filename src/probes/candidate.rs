//! The file or device at a path that is to be enabled as swap: everything that decides whether the kernel
//! will accept it, and whether it is safe.
//!
//! Kernel: `read_swap_header` and `setup_swap_extents` of `mm/swapfile.c`. Hibernation images of `swsusp`,
//! `uswsusp` and `TuxOnIce` have their mark in the place of the swap header's mark; the kernel would
//! overwrite them. `holders` and `ro` are below `/sys/dev/block/` in all versions.
//!
//! Not done here: this is no part of snapshots, and shared or compressed extents are left to the kernel,
//! since only a mapping of the whole file shows them.

use super::mounts::{self, Mount};
use crate::model::candidate::{Candidate, PathKind, Signature, SwapHeader};
use crate::model::format::{
    BAD_PAGES, FIELD, LABEL, LAST_PAGE, PAGES, SWAP_MAGIC, UUID, Uuid, VERSION,
};
use crate::model::{Bytes, Name, Reading, known};
use crate::root::{FileFacts, Root};
use std::path::Path;

/// Marks of hibernation images with readable names: the mark of newer `TuxOnIce` is not text.
const IMAGES: [(&[u8], &str); 5] = [
    (b"S1SUSPEND", "S1SUSPEND"),
    (b"S2SUSPEND", "S2SUSPEND"),
    (b"ULSUSPEND", "ULSUSPEND"),
    (b"LINHIB0001", "LINHIB0001"),
    (b"\xed\xc3\x02\xe9\x98\x56\xe5\x0c", "TuxOnIce"),
];
/// The mark of swap before version 1.
const OLD: &[u8] = b"SWAP-SPACE";

/// Examines a device or file.
pub fn read(root: &Root, path: &Name) -> Candidate {
    let facts = root.facts(path.as_path());
    let thing = facts.as_ref().map(path_kind);
    let size = facts.as_ref().and_then(|facts| match facts.block_device {
        Some(number) => device_size(root, number),
        None => Reading::Known(Bytes(facts.size)),
    });
    let number = facts.known().and_then(|facts| facts.block_device);
    let below =
        |name: &str| number.map(|(major, minor)| format!("sys/dev/block/{major}:{minor}/{name}"));
    let on_device = |facts: &FileFacts| facts.block_device.is_some();
    let mounts = mounts::read(root);
    Candidate {
        path: path.clone(),
        leads_to: root
            .real(path.as_path())
            .known()
            .map(|real| Name::new(real.as_os_str().as_encoded_bytes()))
            .filter(|real| real != path),
        allocated: facts.as_ref().and_then(|facts| {
            if on_device(facts) { size.clone() } else { Reading::Known(Bytes(facts.allocated)) }
        }),
        mode: facts.as_ref().map(|facts| facts.mode),
        owner: facts.as_ref().map(|facts| facts.owner),
        signature: match thing.known() {
            Some(PathKind::Device { .. }) => {
                root.read_device_head(path.as_path()).and_then(|head| {
                    signature(|page| Reading::Known(head.iter().take(page).copied().collect()))
                })
            }
            Some(PathKind::File) => signature(|page| root.read_head(path.as_path(), page)),
            _ => Reading::absent("only a device or a regular file has a header"),
        },
        filesystem: mounts.as_ref().and_then(|mounts| filesystem_in(mounts, path)),
        behind: facts
            .known()
            .filter(|facts| facts.regular)
            .and_then(|own| loop_device_of(root, own)),
        mounted: number.and_then(|number| mounted(root, mounts.known()?, number)),
        holders: below("holders").map_or_else(Vec::new, |folder| names(root, &folder)),
        read_only: below("ro").is_some_and(|file| root.switch(file) == Reading::Known(true)),
        thing,
        size,
    }
}

fn path_kind(facts: &FileFacts) -> PathKind {
    match facts.block_device {
        Some((major, minor)) => PathKind::Device { major, minor },
        None if facts.regular => PathKind::File,
        None if facts.folder => PathKind::Folder,
        None => PathKind::Other,
    }
}

fn device_size(root: &Root, (major, minor): (u32, u32)) -> Reading<Bytes> {
    let sectors = root.number(format!("sys/dev/block/{major}:{minor}/size"));
    sectors.map(|sectors| Bytes(sectors.saturating_mul(512)))
}

/// Names in a sysfs folder; empty if the folder cannot be read.
pub(super) fn names(root: &Root, folder: &str) -> Vec<Name> {
    let names = root.names(folder).into_result().unwrap_or_default();
    names.into_iter().map(Name::new).collect()
}

/// The mark at the end of the first page, for every page size.
fn signature(read: impl Fn(usize) -> Reading<Vec<u8>>) -> Reading<Signature> {
    let mark = in_first_page(marked, read);
    mark.map(|mark| mark.unwrap_or(Signature::None))
}

/// Parses the first page, for each page size from the smallest on, until `parse` finds something.
pub(super) fn in_first_page<T>(
    parse: fn(&[u8], usize) -> Option<T>,
    read: impl Fn(usize) -> Reading<Vec<u8>>,
) -> Reading<Option<T>> {
    for page in PAGES {
        let head = known!(read(page));
        if head.len() < page {
            break;
        }
        if let Some(found) = parse(&head, page) {
            return Reading::Known(Some(found));
        }
    }
    Reading::Known(None)
}

/// Offsets and lengths of the marks of swap headers and images, one for each page size. The kernel checks
/// one of them, other programs check all.
pub(super) fn marks(root: &Root, path: &Name) -> Reading<Vec<(u64, usize)>> {
    let mut all = Vec::new();
    for page in PAGES {
        let at = (page - SWAP_MAGIC.len()) as u64;
        match root.read_part(path.as_path(), at, SWAP_MAGIC.len()).into_result() {
            Ok(mark) if is_mark(&mark) => all.push((at, SWAP_MAGIC.len())),
            Ok(_) => {}
            Err(missing) => return missing.into(),
        }
    }
    Reading::Known(all)
}

fn is_mark(bytes: &[u8]) -> bool {
    bytes == SWAP_MAGIC || bytes == OLD || IMAGES.iter().any(|(image, _)| bytes.starts_with(image))
}

fn marked(head: &[u8], page: usize) -> Option<Signature> {
    let mark = head.get(page - SWAP_MAGIC.len()..page)?;
    if mark == SWAP_MAGIC {
        return swap_header(head, page).map(Signature::Swap);
    }
    if mark == OLD {
        return Some(Signature::Old);
    }
    let (_, image) = IMAGES.into_iter().find(|(image, _)| mark.starts_with(image))?;
    Some(Signature::Image(image.to_owned()))
}

/// The swap header in a first page of this size.
pub(super) fn swap_header(head: &[u8], page: usize) -> Option<SwapHeader> {
    if head.get(page.checked_sub(SWAP_MAGIC.len())?..page)? != SWAP_MAGIC {
        return None;
    }
    let number = |place: usize| {
        let bytes = head.get(place..place + 4)?;
        Some(u32::from_ne_bytes(bytes.try_into().ok()?))
    };
    // The kernel also accepts a header of the other byte order; its version shows the order.
    let turned = number(VERSION)? == 1_u32.swap_bytes();
    let number =
        |place| number(place).map(|number| if turned { number.swap_bytes() } else { number });
    let label = head.get(LABEL..LABEL + FIELD)?.split(|byte| *byte == 0).next()?;
    Some(SwapHeader {
        page_size: page as u64,
        version: number(VERSION)?,
        last_page: number(LAST_PAGE)?,
        bad_pages: number(BAD_PAGES)?,
        label: Some(label).filter(|label| !label.is_empty()).map(Name::new),
        uuid: Uuid::from_bytes(head.get(UUID..UUID + FIELD)?),
        turned,
    })
}

/// The file system type of a path.
pub fn filesystem(root: &Root, path: &Name) -> Reading<String> {
    mounts::read(root).and_then(|mounts| filesystem_in(&mounts, path))
}

fn filesystem_in(mounts: &[Mount], path: &Name) -> Reading<String> {
    mounts::above(mounts, path).map(|mount| String::from_utf8_lossy(&mount.kind).into_owned())
}

/// The loop device attached to this file.
fn loop_device_of(root: &Root, own: &FileFacts) -> Option<Name> {
    let names = root.names("sys/block");
    let loops = names.known()?.iter().filter(|name| name.starts_with(b"loop"));
    let is = |name: &&Vec<u8>| {
        let folder = Path::new("sys/block").join(Name::new(name.as_slice()).as_path());
        let file = root.line(folder.join("loop/backing_file"));
        let facts = file.known().map(|file| root.facts(file));
        facts.is_some_and(|facts| {
            facts.known().is_some_and(|facts| facts.identity() == own.identity())
        })
    };
    let found = loops.into_iter().find(is)?;
    Some(Name::new([b"/dev/", found.as_slice()].concat()))
}

/// The mount point of this device.
fn mounted(root: &Root, mounts: &[Mount], number: (u32, u32)) -> Option<Name> {
    let is = |mount: &&Mount| {
        let what = mount.what.as_bytes();
        let node = what.starts_with(b"/").then(|| root.facts(mount.what.as_path()));
        if let Some(Reading::Known(facts)) = node {
            return facts.block_device == Some(number);
        }
        // A kernel that mounts its root by itself names it /dev/root, which has no node.
        let point = what.starts_with(b"/dev/").then(|| root.facts(mount.point.as_path()));
        point.is_some_and(|point| point.known().is_some_and(|facts| facts.on_device == number))
    };
    mounts.iter().find(is).map(|mount| mount.point.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    /// A first page with this mark, and these numbers for version, last page and bad pages.
    fn page(size: usize, mark: &[u8], numbers: [u32; 3]) -> Vec<u8> {
        let mut page = vec![0; size];
        for (place, number) in numbers.into_iter().enumerate() {
            let start = VERSION + 4 * place;
            page[start..start + 4].copy_from_slice(&number.to_ne_bytes());
        }
        page[LABEL..LABEL + 3].copy_from_slice(b"abc");
        page[size - 10..size - 10 + mark.len()].copy_from_slice(mark);
        page
    }

    fn detect(bytes: &[u8]) -> Signature {
        let tree = TestTree::with(&[("x", bytes)]);
        read(&tree.root(), &"/x".into()).signature.known().unwrap().clone()
    }

    #[test]
    fn a_header_is_found_for_every_page_size_and_byte_order() {
        for size in [4096, 16384, 65536] {
            let Signature::Swap(header) = detect(&page(size, SWAP_MAGIC, [1, 99, 2])) else {
                panic!("{size}")
            };
            assert_eq!((header.page_size, header.version), (size as u64, 1));
            assert_eq!((header.last_page, header.bad_pages, header.turned), (99, 2, false));
            assert_eq!((header.label, header.uuid), (Some("abc".into()), None));
        }
        let turned = [1, 99, 0].map(u32::swap_bytes);
        let Signature::Swap(header) = detect(&page(4096, SWAP_MAGIC, turned)) else { panic!() };
        assert_eq!((header.version, header.last_page, header.turned), (1, 99, true));
    }

    #[test]
    fn hibernation_images_and_old_swap_are_distinguished() {
        assert_eq!(
            detect(&page(4096, b"S1SUSPEND", [1, 9, 0])),
            Signature::Image("S1SUSPEND".into())
        );
        let binary = b"\xed\xc3\x02\xe9\x98\x56\xe5\x0c";
        assert_eq!(detect(&page(4096, binary, [1, 9, 0])), Signature::Image("TuxOnIce".into()));
        assert_eq!(detect(&page(4096, b"SWAP-SPACE", [1, 9, 0])), Signature::Old);
        assert_eq!(detect(&page(4096, b"", [1, 9, 0])), Signature::None);
        assert_eq!(detect(b"short"), Signature::None);
    }

    #[test]
    fn the_file_system_is_that_of_the_nearest_mount() {
        let mounts = "/dev/a / ext4 rw 0 0\ntmpfs /run tmpfs rw 0 0\n/dev/b /run/x xfs rw 0 0\n";
        let tree = TestTree::with(&[("proc/mounts", mounts), ("run/x/swap", ""), ("runs", "")]);
        let kind =
            |path: &str| read(&tree.root(), &path.into()).filesystem.known().cloned().unwrap();
        assert_eq!(["/run/x/swap", "/run/y", "/runs"].map(kind), ["xfs", "tmpfs", "ext4"]);
    }

    #[test]
    fn a_folder_has_no_header_and_a_missing_file_has_nothing() {
        let tree = TestTree::with(&[("d/x", "")]);
        let folder = read(&tree.root(), &"/d".into());
        assert_eq!(folder.thing, Reading::Known(PathKind::Folder));
        assert!(folder.signature.missing().is_some());
        let none = read(&tree.root(), &"/none".into());
        assert!(none.thing.missing().is_some() && none.size.missing().is_some());
    }

    #[test]
    fn holders_and_read_only_devices_are_reported() {
        use nix::sys::stat::{Mode, SFlag, makedev, mknod};
        let tree = TestTree::with(&[("sys/dev/block/7:99/ro", "1\n"), ("x", "")]);
        tree.folder("sys/dev/block/7:99/holders/dm-0");
        let node = tree.path().join("node");
        if let Err(error) = mknod(&node, SFlag::S_IFBLK, Mode::S_IRUSR, makedev(7, 99)) {
            eprintln!("skipped: no device node can be made: {error}");
            return;
        }
        let of = |path: &str| {
            let candidate = read(&tree.root(), &path.into());
            (candidate.holders, candidate.read_only)
        };
        assert_eq!(of("/node"), (vec!["dm-0".into()], true));
        tree.write("sys/dev/block/7:99/ro", "0\n");
        assert!(!of("/node").1);
        assert_eq!(of("/x"), (Vec::new(), false));
    }

    #[test]
    fn a_mount_of_a_device_without_a_node_is_found_by_the_number_of_its_root() {
        let tree = TestTree::with(&[("proc/mounts", "/dev/root / ext4 rw 0 0\n")]);
        let mounts = mounts::read(&tree.root()).into_result().unwrap();
        let (major, minor) = tree.root().facts("").into_result().unwrap().on_device;
        let point = |number| mounted(&tree.root(), &mounts, number);
        assert_eq!(point((major, minor)), Some("/".into()));
        assert_eq!(point((major, minor + 1)), None);
    }

    #[test]
    fn the_loop_device_of_a_file_is_reported() {
        let tree = TestTree::with(&[
            ("a", ""),
            ("b", ""),
            ("sys/block/loop3/loop/backing_file", "/a\n"),
            ("sys/block/loop4/size", "0\n"),
        ]);
        let behind = |path: &str| read(&tree.root(), &path.into()).behind;
        assert_eq!([behind("/a"), behind("/b")], [Some("/dev/loop3".into()), None]);
    }
}
