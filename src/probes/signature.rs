//! What a device holds: the marks of file systems, partition tables, encryption and arrays.
//!
//! The places are those of libblkid, of which this knows the usual kinds. Numbers are little-endian
//! but for LUKS and GFS2, wherever the device was written. It is enough to know that something is there: a
//! kind that is not known here is told from an empty device by its bytes.
//!
//! What it does not do: look for copies of a superblock that no tool takes without being told.

use crate::model::target::Found;
use crate::model::{Name, Reading};
use crate::root::Root;
use std::path::Path;

/// How much is read of the beginning: up to the superblock of btrfs.
const HEAD: usize = 68 << 10;

/// A kind that one mark tells.
struct Kind {
    what: &'static str,
    at: usize,
    mark: &'static [u8],
    /// Where its label stands, and how long it is at most.
    label: Option<(usize, usize)>,
}

const fn kind(what: &'static str, at: usize, mark: &'static [u8]) -> Kind {
    Kind { what, at, mark, label: None }
}

const fn labelled(
    what: &'static str,
    at: usize,
    mark: &'static [u8],
    label: (usize, usize),
) -> Kind {
    Kind { what, at, mark, label: Some(label) }
}

static KINDS: [Kind; 37] = [
    labelled("an xfs file system", 0, b"XFSB", (108, 12)),
    labelled("a btrfs file system", 65_600, b"_BHRfS_M", (65_835, 256)),
    labelled("a LUKS encrypted volume", 0, b"LUKS\xba\xbe", (24, 48)),
    kind("a LUKS encrypted volume", 16_384, b"SKUL\xba\xbe"),
    kind("an LVM physical volume", 24, b"LVM2 001"),
    kind("an LVM physical volume", 536, b"LVM2 001"),
    kind("an LVM physical volume", 1048, b"LVM2 001"),
    kind("an LVM physical volume", 1560, b"LVM2 001"),
    kind("a part of an md array", 0, b"\xfc\x4e\x2b\xa9"),
    kind("a part of an md array", 4096, b"\xfc\x4e\x2b\xa9"),
    kind("an NTFS file system", 3, b"NTFS    "),
    kind("an exFAT file system", 3, b"EXFAT   "),
    kind("a BitLocker volume", 3, b"-FVE-FS-"),
    labelled("a FAT file system", 82, b"FAT32   ", (71, 11)),
    labelled("a FAT file system", 54, b"FAT16   ", (43, 11)),
    labelled("a FAT file system", 54, b"FAT12   ", (43, 11)),
    labelled("an ISO 9660 file system", 32_769, b"CD001", (32_808, 32)),
    kind("a UDF file system", 32_769, b"BEA01"),
    kind("a squashfs file system", 0, b"hsqs"),
    kind("an EROFS file system", 1024, b"\xe2\xe1\xf5\xe0"),
    kind("an f2fs file system", 1024, b"\x10\x20\xf5\xf2"),
    kind("a ReiserFS file system", 65_588, b"ReIsEr"),
    kind("a JFS file system", 32_768, b"JFS1"),
    kind("a NILFS2 file system", 1030, b"\x34\x34"),
    kind(
        "a bcache or bcachefs device",
        4120,
        b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81",
    ),
    kind(
        "a bcachefs file system",
        4120,
        b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef",
    ),
    kind("a GFS2 file system", 65_536, b"\x01\x16\x19\x70"),
    // In its third block, of whatever size.
    kind("an OCFS2 file system", 1024, b"OCFSV2"),
    kind("an OCFS2 file system", 2048, b"OCFSV2"),
    kind("an OCFS2 file system", 4096, b"OCFSV2"),
    kind("an OCFS2 file system", 8192, b"OCFSV2"),
    kind("an HFS+ file system", 1024, b"H+"),
    kind("an HFS+ file system", 1024, b"HX"),
    kind("an APFS container", 32, b"NXSB"),
    kind("a UFS2 file system", 66_908, b"\x19\x01\x54\x19"),
    kind("a device of dm-verity", 0, b"verity\0\0"),
    kind("a device of Ceph", 0, b"bluestore block device"),
];

/// The superblock of ext2, ext3 and ext4, and what in it tells them apart.
const EXT: usize = 1024;
const EXT_MARK: (usize, &[u8]) = (EXT + 56, b"\x53\xef");
const EXT_LABEL: (usize, usize) = (EXT + 120, 16);
const HAS_JOURNAL: u32 = 4;
/// Features that ext3 does not know.
const EXT4_INCOMPATIBLE: u32 = !0b1_0110;
/// The mark of a superblock of ZFS; an array of them stands in each of the four labels.
const UBERBLOCK: [u8; 8] = 0x00ba_b10c_u64.to_le_bytes();
const ZFS_LABEL: u64 = 256 << 10;
const ZFS_ARRAY: u64 = 128 << 10;
/// The smallest distance between two.
const ZFS_STEP: usize = 1024;
/// The mark of a partition table of the newer kind, and of the older.
const GPT: &[u8] = b"EFI PART";
const DOS: (usize, &[u8]) = (510, b"\x55\xaa");
const DOS_ENTRIES: usize = 446;
const DOS_ENTRY: usize = 16;
/// The mark of md at the end of a device.
const MD: &[u8] = b"\xfc\x4e\x2b\xa9";

/// A device or file of which places are looked at.
struct Disk<'a> {
    root: &'a Root,
    path: &'a Path,
    size: u64,
    head: Vec<u8>,
}

/// All that is found on what has this size.
pub(super) fn read(root: &Root, path: &Path, size: u64) -> Reading<Vec<Found>> {
    root.read_part(path, 0, HEAD).map(|head| Disk { root, path, size, head }.found())
}

/// Is all zero where marks stand? Then nothing is there, known or not.
pub(super) fn is_clear(root: &Root, path: &Path) -> Reading<bool> {
    root.read_part(path, 0, HEAD).map(|head| head.iter().all(|byte| *byte == 0))
}

impl Disk<'_> {
    fn found(&self) -> Vec<Found> {
        let mut all: Vec<Found> = Vec::new();
        let single = KINDS.iter().filter(|kind| self.has(kind.at, kind.mark));
        let single = single.map(|kind| Found {
            what: kind.what.to_owned(),
            label: kind.label.and_then(|place| self.label(place)),
            marks: vec![(kind.at as u64, kind.mark.len())],
        });
        for found in single.chain(self.ext()).chain(self.md()).chain(self.zfs()).chain(self.gpt()) {
            match all.iter_mut().find(|other| other.what == found.what) {
                Some(other) => other.marks.extend(found.marks),
                None => all.push(found),
            }
        }
        // A boot sector of a file system looks like a partition table, and GPT pretends to be one.
        if all.is_empty() {
            all.extend(self.dos());
        }
        all
    }

    fn part(&self, at: usize, length: usize) -> Option<&[u8]> {
        self.head.get(at..at.checked_add(length)?)
    }

    fn has(&self, at: usize, mark: &[u8]) -> bool {
        self.part(at, mark.len()) == Some(mark)
    }

    fn number(&self, at: usize) -> u32 {
        let bytes = self.part(at, 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes)
    }

    fn label(&self, (at, length): (usize, usize)) -> Option<Name> {
        let label = self.part(at, length)?.split(|byte| *byte == 0).next()?.trim_ascii_end();
        (!label.is_empty()).then(|| Name::new(label))
    }

    fn ext(&self) -> Option<Found> {
        if !self.has(EXT_MARK.0, EXT_MARK.1) {
            return None;
        }
        let journal = self.number(EXT + 92) & HAS_JOURNAL != 0;
        let kind = match self.number(EXT + 96) & EXT4_INCOMPATIBLE {
            0 if journal => "ext3",
            0 => "ext2",
            _ => "ext4",
        };
        Some(Found {
            what: format!("an {kind} file system"),
            label: self.label(EXT_LABEL),
            marks: vec![(EXT_MARK.0 as u64, EXT_MARK.1.len())],
        })
    }

    /// Arrays of older forms say at the end that they are one.
    fn md(&self) -> Vec<Found> {
        let sectors = self.size / 512;
        let places = [
            sectors.checked_sub(16).map(|sector| (sector & !7) * 512),
            (self.size & !0xffff).checked_sub(0x1_0000),
        ];
        let places = places.into_iter().flatten().filter(|at| self.is_at(*at, MD));
        let found =
            |at| Found { what: "a part of an md array".to_owned(), label: None, marks: vec![at] };
        places.map(|at| found((at, MD.len()))).collect()
    }

    fn zfs(&self) -> Option<Found> {
        let end = self.size / ZFS_LABEL * ZFS_LABEL;
        let labels =
            [Some(0), Some(ZFS_LABEL), end.checked_sub(2 * ZFS_LABEL), end.checked_sub(ZFS_LABEL)];
        let mut marks: Vec<(u64, usize)> = Vec::new();
        for label in labels.into_iter().flatten() {
            let start = label + ZFS_ARRAY;
            let length = usize::try_from(ZFS_LABEL - ZFS_ARRAY).unwrap_or(0);
            let Reading::Known(array) = self.root.read_part(self.path, start, length) else {
                continue;
            };
            let blocks = array.chunks(ZFS_STEP).enumerate();
            let found = blocks.filter(|(_, block)| block.starts_with(&UBERBLOCK));
            marks.extend(
                found.map(|(place, _)| (start + (place * ZFS_STEP) as u64, UBERBLOCK.len())),
            );
        }
        marks.sort_unstable();
        marks.dedup();
        let what = "a part of a ZFS pool".to_owned();
        (!marks.is_empty()).then_some(Found { what, label: None, marks })
    }

    /// Its copy at the end brings it back, so that has to go as well.
    fn gpt(&self) -> Option<Found> {
        let first = [512, 4096].into_iter().filter(|at| self.has(*at, GPT)).map(|at| at as u64);
        let last = [512, 4096].into_iter().filter_map(|sector| self.size.checked_sub(sector));
        let last = last.filter(|at| self.is_at(*at, GPT));
        let marks: Vec<(u64, usize)> = first.chain(last).map(|at| (at, GPT.len())).collect();
        let what = "a partition table (GPT)".to_owned();
        (!marks.is_empty()).then_some(Found { what, label: None, marks })
    }

    fn dos(&self) -> Option<Found> {
        let entries =
            (0..4).filter_map(|entry| self.part(DOS_ENTRIES + entry * DOS_ENTRY, DOS_ENTRY));
        let sound = |entry: &[u8]| entry.first().is_some_and(|boot| matches!(boot, 0 | 0x80));
        let used = |entry: &[u8]| {
            let kind = entry.get(4).is_some_and(|kind| *kind != 0);
            kind && entry.get(12..16).is_some_and(|size| size.iter().any(|byte| *byte != 0))
        };
        let mut count = 0;
        for entry in entries {
            if !sound(entry) {
                return None;
            }
            count += usize::from(used(entry));
        }
        let is = self.has(DOS.0, DOS.1) && count > 0;
        let what = "a partition table (DOS)".to_owned();
        is.then_some(Found { what, label: None, marks: vec![(DOS.0 as u64, DOS.1.len())] })
    }

    fn is_at(&self, at: u64, mark: &[u8]) -> bool {
        let found = self.root.read_part(self.path, at, mark.len());
        found.known().is_some_and(|found| found == mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::Tree;

    const SIZE: usize = 2 << 20;

    /// What is found where these bytes stand in these places.
    fn found(parts: &[(usize, &[u8])]) -> Vec<Found> {
        let mut bytes = vec![0; SIZE];
        for (at, part) in parts {
            bytes[*at..at + part.len()].copy_from_slice(part);
        }
        let tree = Tree::with(&[("x", bytes.as_slice())]);
        read(&tree.root(), Path::new("/x"), SIZE as u64).known().unwrap().clone()
    }

    fn words(parts: &[(usize, &[u8])]) -> Vec<String> {
        found(parts).into_iter().map(|found| found.what).collect()
    }

    #[test]
    fn every_kind_is_known_by_its_mark_and_nothing_by_none() {
        assert_eq!(found(&[]), []);
        for kind in &KINDS {
            let all = found(&[(kind.at, kind.mark)]);
            assert_eq!(all.len(), 1, "{}", kind.what);
            assert_eq!((all[0].what.as_str(), &all[0].label), (kind.what, &None));
            assert_eq!(all[0].marks, [(kind.at as u64, kind.mark.len())]);
        }
    }

    #[test]
    fn ext_tells_its_kind_and_its_label() {
        let ext = |compatible: &[u8], incompatible: &[u8]| {
            let label = (1144, &b"data"[..]);
            found(&[(1080, b"\x53\xef"), (1116, compatible), (1120, incompatible), label])
        };
        let kinds = [ext(&[0], &[2]), ext(&[4], &[6]), ext(&[4], &[0x42])];
        let kinds = kinds.map(|all| (all[0].what.clone(), all[0].label.clone()));
        let expected = ["an ext2", "an ext3", "an ext4"];
        assert_eq!(
            kinds,
            expected.map(|kind| (format!("{kind} file system"), Some("data".into())))
        );
    }

    #[test]
    fn what_stands_at_the_end_is_found_and_wiped_too() {
        let gpt = found(&[(512, GPT), (SIZE - 512, GPT), (510, b"\x55\xaa")]);
        assert_eq!(gpt.len(), 1);
        assert_eq!(gpt[0].marks, [(512, 8), (SIZE as u64 - 512, 8)]);
        for at in [SIZE - 8192, SIZE - 65536] {
            assert_eq!(words(&[(at, MD)]), ["a part of an md array"]);
        }
        let places = [128 << 10, 129 << 10, (256 + 128) << 10, SIZE - (128 << 10)];
        let zfs = found(&places.map(|at| (at, &UBERBLOCK[..])));
        assert_eq!(zfs[0].marks, places.map(|at| (at as u64, 8)));
    }

    #[test]
    fn a_table_of_partitions_is_told_from_a_boot_sector() {
        let entry = [0x80, 0, 0, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0];
        let mark = (510, &b"\x55\xaa"[..]);
        assert_eq!(words(&[(446, &entry), mark]), ["a partition table (DOS)"]);
        assert_eq!(words(&[mark]), Vec::<String>::new());
        let fat = words(&[(82, b"FAT32   "), (446, &entry), mark]);
        assert_eq!(fat, ["a FAT file system"]);
        assert_eq!(words(&[(446, &[7; 16]), mark]), Vec::<String>::new());
    }

    #[test]
    fn the_beginning_is_clear_only_up_to_the_last_mark() {
        let clear = |at: usize| {
            let mut bytes = vec![0; HEAD + 1];
            bytes[at] = 1;
            let tree = Tree::with(&[("x", bytes)]);
            is_clear(&tree.root(), Path::new("/x"))
        };
        assert_eq!([0, 4096, HEAD - 1].map(clear), [const { Reading::Known(false) }; 3]);
        assert_eq!(clear(HEAD), Reading::Known(true));
    }
}
