//! Detects what a device contains: the signatures of file systems, partition tables, encryption and arrays.
//!
//! Offsets and marks are those of libblkid, at the beginning and at the end, as far as one mark and a few
//! numbers around it identify a kind. Unknown content is distinguished from an empty device by its first and
//! last MiB and by pages between them, as many as can be read in a second.
//!
//! Not done here: finding backup superblocks that tools use only on request, and verifying checksums other
//! than simple sums.

mod kinds;

use self::kinds::{MarkCheck, SignatureKind};
use crate::clock::Clock;
use crate::model::candidate::DetectedContent;
use crate::model::{Bytes, Missing, Name, Reading};
use crate::root::Root;
use std::path::Path;
use std::time::Duration;

/// Bytes read from the beginning, up to the superblock of btrfs, and from the end.
const HEAD: usize = 68 << 10;
/// Bytes at the beginning and at the end that must be zero on an empty device, the least number of pages
/// checked between them, and the distance at which they are close enough.
const EDGE: usize = 1 << 20;
const BETWEEN: u64 = 64;
const CLOSE: u64 = 64 << 10;
const PAGE: usize = 4096;
/// Time for more than the least number of pages.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// The superblock of ext2, ext3 and ext4, and the fields that distinguish them.
const EXT: u64 = 1024;
const EXT_MARK: (u64, &[u8]) = (EXT + 56, b"\x53\xef");
const EXT_LABEL: (u64, usize) = (EXT + 120, 16);
const HAS_JOURNAL: u32 = 4;
/// Features that ext3 does not know.
const EXT4_INCOMPATIBLE: u32 = !0b1_0110;
/// The mark of a ZFS uberblock; each of the four labels has an array of them.
const UBERBLOCK: [u8; 8] = 0x00ba_b10c_u64.to_le_bytes();
const ZFS_LABEL: u64 = 256 << 10;
const ZFS_ARRAY: u64 = 128 << 10;
/// The smallest distance between two uberblocks.
const ZFS_STEP: usize = 1024;
/// The marks of GPT and DOS partition tables.
const GPT: &[u8] = b"EFI PART";
const DOS: (u64, &[u8]) = (510, b"\x55\xaa");
const DOS_ENTRIES: u64 = 446;
const DOS_ENTRY: usize = 16;
/// The mark of md at the end of a device.
const MD: &[u8] = b"\xfc\x4e\x2b\xa9";

/// The name-value list at the start of each ZFS label.
const ZFS_NAMES: u64 = 16 << 10;
/// The mark of records of an xfs log, and the limit of the first record's offset.
const XFS_LOG: &[u8] = b"\xfe\xed\xba\xbe";
const XFS_LOG_END: usize = 256 << 10;

/// A device or file that is examined.
struct Disk<'a> {
    root: &'a Root,
    path: &'a Path,
    size: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
}

/// All signatures on a device or file of this size.
pub(super) fn read(root: &Root, path: &Path, size: u64) -> Reading<Vec<DetectedContent>> {
    let tail = root.read_part(path, size.saturating_sub(HEAD as u64), HEAD);
    root.read_part(path, 0, HEAD)
        .and_then(|head| tail.map(|tail| Disk { root, path, size, head, tail }.detect()))
}

/// Returns the distance between the pages that were read, if these and both ends are zero on a device or file
/// of this size. The distance is halved until it is small or the time is over.
pub(super) fn zero_pages(
    root: &Root,
    path: &Path,
    size: u64,
    patience: Duration,
) -> Result<Option<Bytes>, Missing> {
    let is_zero = |at, length| {
        let bytes = root.read_part(path, at, length).into_result()?;
        Ok::<bool, Missing>(bytes.iter().all(|byte| *byte == 0))
    };
    let edge = EDGE as u64;
    let end = size.saturating_sub(edge);
    if !is_zero(0, EDGE)? || !is_zero(end, EDGE)? {
        return Ok(None);
    }
    let begun = Clock::Real.monotonic();
    let is_over = || Clock::Real.monotonic().saturating_sub(begun) >= patience;
    let between = end.saturating_sub(edge);
    let widest = (between / BETWEEN).checked_ilog2().map_or(0, |log| 1 << log).max(CLOSE);
    let (mut apart, mut next) = (widest, (edge, widest));
    loop {
        let (first, step) = next;
        for at in (first..end).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
            if step > apart && is_over() {
                return Ok(Some(Bytes(step)));
            }
            if !is_zero(at, PAGE)? {
                return Ok(None);
            }
        }
        if apart <= CLOSE {
            return Ok(Some(Bytes(apart)));
        }
        // The pages in the middle between those that were read.
        next = (edge + apart / 2, apart);
        apart /= 2;
    }
}

impl Disk<'_> {
    fn detect(&self) -> Vec<DetectedContent> {
        let mut all: Vec<DetectedContent> = Vec::new();
        let single = kinds::KINDS.iter().flat_map(|kind| self.by_marks(kind));
        let several = self.ext().into_iter().chain(self.md()).chain(self.zfs());
        let several = several.chain(self.xfs_log()).chain(self.gpt());
        for found in single.chain(several) {
            match all.iter_mut().find(|other| other.what == found.what) {
                Some(other) => other.marks.extend(found.marks),
                None => all.push(found),
            }
        }
        // A boot sector of a file system resembles a partition table, and GPT contains a protective DOS
        // table.
        if all.is_empty() {
            all.extend(self.dos());
        }
        all
    }

    fn by_marks(&self, kind: &SignatureKind) -> impl Iterator<Item = DetectedContent> {
        let is_sound = |at: u64| match kind.check {
            Some(MarkCheck { before, length, holds }) => {
                at.checked_sub(before).is_some_and(|start| holds(&self.bytes(start, length)))
            }
            None => true,
        };
        let marks = kind.marks_on(self.size);
        let found = marks.filter(move |(at, mark)| self.is_at(*at, mark) && is_sound(*at));
        found.map(|(at, mark)| DetectedContent {
            what: kind.what.to_owned(),
            label: kind.label.and_then(|place| self.label(place)),
            marks: vec![(at, mark.len())],
        })
    }

    /// The bytes at this place, fewer at the end, none if unreadable.
    fn bytes(&self, at: u64, length: usize) -> Vec<u8> {
        let within = |part: &[u8], start: u64| {
            let first = usize::try_from(at.checked_sub(start)?).ok()?;
            part.get(first..first.checked_add(length)?).map(<[u8]>::to_vec)
        };
        let end = self.size.saturating_sub(self.tail.len() as u64);
        match within(&self.head, 0).or_else(|| within(&self.tail, end)) {
            Some(part) => part,
            None => self.root.read_part(self.path, at, length).into_result().unwrap_or_default(),
        }
    }

    fn is_at(&self, at: u64, mark: &[u8]) -> bool {
        self.bytes(at, mark.len()) == mark
    }

    fn number(&self, at: u64) -> u32 {
        let bytes = self.bytes(at, 4).as_slice().try_into();
        bytes.map_or(0, u32::from_le_bytes)
    }

    fn label(&self, (at, length): (u64, usize)) -> Option<Name> {
        let bytes = self.bytes(at, length);
        let label = bytes.split(|byte| *byte == 0).next()?.trim_ascii_end();
        (!label.is_empty()).then(|| Name::new(label))
    }

    fn ext(&self) -> Option<DetectedContent> {
        if !self.is_at(EXT_MARK.0, EXT_MARK.1) {
            return None;
        }
        let journal = self.number(EXT + 92) & HAS_JOURNAL != 0;
        let kind = match self.number(EXT + 96) & EXT4_INCOMPATIBLE {
            0 if journal => "ext3",
            0 => "ext2",
            _ => "ext4",
        };
        let found =
            with_marks(&format!("an {kind} file system"), vec![(EXT_MARK.0, EXT_MARK.1.len())])?;
        Some(DetectedContent { label: self.label(EXT_LABEL), ..found })
    }

    /// Arrays with old metadata have their mark at the end.
    fn md(&self) -> Option<DetectedContent> {
        let sectors = self.size / 512;
        let places = [
            sectors.checked_sub(16).map(|sector| (sector & !7) * 512),
            (self.size & !0xffff).checked_sub(0x1_0000),
        ];
        let places = places.into_iter().flatten().filter(|at| self.is_at(*at, MD));
        with_marks("a part of an md array", places.map(|at| (at, MD.len())).collect())
    }

    fn zfs(&self) -> Option<DetectedContent> {
        let end = self.size / ZFS_LABEL * ZFS_LABEL;
        let labels =
            [Some(0), Some(ZFS_LABEL), end.checked_sub(2 * ZFS_LABEL), end.checked_sub(ZFS_LABEL)];
        let mut marks: Vec<(u64, usize)> = Vec::new();
        for label in labels.into_iter().flatten() {
            let names = self.bytes(label + ZFS_NAMES, 64);
            if names.starts_with(&[1]) && names.windows(7).any(|part| part == b"version") {
                marks.push((label + ZFS_NAMES, 16));
            }
            let start = label + ZFS_ARRAY;
            let length = usize::try_from(ZFS_LABEL - ZFS_ARRAY).unwrap_or(0);
            let Reading::Known(array) = self.root.read_part(self.path, start, length) else {
                continue;
            };
            let blocks = array.chunks(ZFS_STEP).enumerate();
            let active = blocks.filter(|(_, block)| block.starts_with(&UBERBLOCK));
            marks.extend(
                active.map(|(place, _)| (start + (place * ZFS_STEP) as u64, UBERBLOCK.len())),
            );
        }
        marks.sort_unstable();
        marks.dedup();
        with_marks("a part of a ZFS pool", marks)
    }

    /// The backup GPT at the end would restore the table, so it must be wiped as well.
    fn gpt(&self) -> Option<DetectedContent> {
        let first = [512, 4096].into_iter().filter(|at| self.is_at(*at, GPT));
        let last = [512, 4096].into_iter().filter_map(|sector| self.size.checked_sub(sector));
        let last = last.filter(|at| self.is_at(*at, GPT));
        with_marks("a partition table (GPT)", first.chain(last).map(|at| (at, GPT.len())).collect())
    }

    fn xfs_log(&self) -> Option<DetectedContent> {
        let start = self.bytes(0, XFS_LOG_END);
        let sectors = start.chunks(512).zip((0_u64..).step_by(512));
        let is_record = |sector: &[u8]| {
            let version = sector.get(8..12);
            sector.starts_with(XFS_LOG) && matches!(version, Some([0, 0, 0, 1 | 2]))
        };
        let records = sectors.filter(|(sector, _)| is_record(sector));
        with_marks("an xfs log", records.map(|(_, at)| (at, XFS_LOG.len())).collect())
    }

    fn dos(&self) -> Option<DetectedContent> {
        let entries = self.bytes(DOS_ENTRIES, 4 * DOS_ENTRY);
        let sound = |entry: &[u8]| entry.first().is_some_and(|boot| matches!(boot, 0 | 0x80));
        let used = |entry: &[u8]| {
            let kind = entry.get(4).is_some_and(|kind| *kind != 0);
            kind && entry.get(12..16).is_some_and(|size| size.iter().any(|byte| *byte != 0))
        };
        let mut count = 0;
        for entry in entries.chunks(DOS_ENTRY) {
            if !sound(entry) {
                return None;
            }
            count += usize::from(used(entry));
        }
        let mark = (self.is_at(DOS.0, DOS.1) && count > 0).then_some((DOS.0, DOS.1.len()));
        with_marks("a partition table (DOS)", mark.into_iter().collect())
    }
}

/// Content with these marks and without a label, if there is a mark.
fn with_marks(what: &str, marks: Vec<(u64, usize)>) -> Option<DetectedContent> {
    let content = DetectedContent { what: what.to_owned(), label: None, marks };
    (!content.marks.is_empty()).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;
    use std::fs::File;
    use std::os::unix::fs::FileExt as _;

    const SIZE: usize = 8 << 20;

    /// Bytes, each with their offset.
    type Parts<'a> = &'a [(usize, &'a [u8])];

    /// The signatures detected with these bytes at these offsets, and zeros elsewhere.
    #[expect(clippy::disallowed_methods, reason = "the test makes its own file")]
    fn detect_parts(parts: Parts<'_>) -> Vec<DetectedContent> {
        let tree = TestTree::new();
        let file = File::create(tree.path().join("x")).unwrap();
        file.set_len(SIZE as u64).unwrap();
        for (at, part) in parts {
            file.write_all_at(part, *at as u64).unwrap();
        }
        read(&tree.root(), Path::new("/x"), SIZE as u64).known().unwrap().clone()
    }

    fn words(parts: Parts<'_>) -> Vec<String> {
        detect_parts(parts).into_iter().map(|found| found.what).collect()
    }

    #[test]
    fn every_kind_is_detected_by_its_mark_only() {
        assert_eq!(detect_parts(&[]), []);
        for kind in kinds::KINDS.iter().filter(|kind| kind.check.is_none()) {
            for (at, mark) in kind.marks_on(SIZE as u64) {
                let all = detect_parts(&[(usize::try_from(at).unwrap(), mark)]);
                assert_eq!(all.len(), 1, "{} {at}", kind.what);
                assert_eq!((all[0].what.as_str(), &all[0].label), (kind.what, &None));
                assert_eq!(all[0].marks, [(at, mark.len())]);
            }
        }
    }

    #[test]
    fn short_marks_need_their_additional_check() {
        let last = SIZE - 512;
        let sound: [(&str, Parts<'_>); 12] = [
            ("an LVM physical volume", &[(0, b"HM\x01")]),
            ("a FileVault volume", &[(88, b"CS"), (8, b"\x01\0\x10")]),
            ("a NILFS2 file system", &[(1030, b"44\0\x04")]),
            ("a NILFS2 file system", &[(SIZE - 4096 + 6, b"44\0\x04")]),
            ("an HFS file system", &[(1024, b"BD"), (1044, b"\0\0\x10\0")]),
            ("an HFS+ file system", &[(1024, b"H+"), (1064, b"\0\0\x10\0")]),
            ("a Minix file system", &[(1024, b"\x01"), (1040, b"\x8f\x13\x01")]),
            ("a Minix file system", &[(1024, b"\x01"), (1048, b"\x5a\x4d\0\0\0\x10")]),
            ("a partition table (Sun)", &[(508, b"\xda\xbe\xda\xbe")]),
            ("a partition table (Apple)", &[(0, b"ER"), (512, b"PM")]),
            ("a part of a JMicron RAID", &[(last, b"JM\xb6\xb2")]),
            ("a part of a VIA RAID", &[(last, b"\x55\xaa"), (last + 50, b"\xff")]),
        ];
        for (what, parts) in sound {
            assert_eq!(words(parts), [what]);
            // Without the additional check it is a coincidence.
            let alone = parts.iter().find(|(_, mark)| *mark != b"\x01" && mark.len() > 1).unwrap();
            let alone = [(alone.0, alone.1.get(..2).unwrap())];
            assert_eq!(words(&alone), Vec::<String>::new(), "{what}");
        }
        let silicon = [(last + 0x60, &b"\0\0\0\x2f"[..]), (last + 0x13e, b"\0\xd1")];
        assert_eq!(words(&silicon), ["a part of a Silicon Image RAID"]);
        assert_eq!(words(&silicon[..1]), Vec::<String>::new());
    }

    #[test]
    fn random_bytes_match_no_kind() {
        let mut seed = 1_u64;
        let mut chance = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed.to_be_bytes()[0]
        };
        for _ in 0..20 {
            let bytes: Vec<u8> = (0..HEAD).map(|_| chance()).collect();
            assert_eq!(words(&[(0, &bytes), (SIZE - HEAD, &bytes)]), Vec::<String>::new());
        }
    }

    #[test]
    fn ext_tells_its_kind_and_its_label() {
        let ext = |compatible: &[u8], incompatible: &[u8]| {
            let label = (1144, &b"data"[..]);
            detect_parts(&[(1080, b"\x53\xef"), (1116, compatible), (1120, incompatible), label])
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
    fn marks_at_the_end_are_detected_and_wiped() {
        let gpt = detect_parts(&[(512, GPT), (SIZE - 512, GPT), (510, b"\x55\xaa")]);
        assert_eq!(gpt.len(), 1);
        assert_eq!(gpt[0].marks, [(512, 8), (SIZE as u64 - 512, 8)]);
        for at in [SIZE - 8192, SIZE - 65536] {
            assert_eq!(words(&[(at, MD)]), ["a part of an md array"]);
        }
        let places = [128 << 10, 129 << 10, (256 + 128) << 10, SIZE - (128 << 10)];
        let zfs = detect_parts(&places.map(|at| (at, &UBERBLOCK[..])));
        assert_eq!(zfs[0].marks, places.map(|at| (at as u64, 8)));
    }

    #[test]
    fn a_partition_table_is_distinguished_from_a_boot_sector() {
        let entry = [0x80, 0, 0, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0];
        let mark = (510, &b"\x55\xaa"[..]);
        assert_eq!(words(&[(446, &entry), mark]), ["a partition table (DOS)"]);
        assert_eq!(words(&[mark]), Vec::<String>::new());
        let fat = words(&[(82, b"FAT32   "), (446, &entry), mark]);
        assert_eq!(fat, ["a FAT file system"]);
        assert_eq!(words(&[(446, &[7; 16]), mark]), Vec::<String>::new());
    }

    #[test]
    fn a_log_of_xfs_and_the_names_of_zfs_are_known() {
        let log = detect_parts(&[(0, b"\xfe\xed\xba\xbe\0\0\0\x01\0\0\0\x02"), (512, XFS_LOG)]);
        assert_eq!(log[0].what, "an xfs log");
        assert_eq!(log[0].marks, [(0, 4)]);
        let zfs = detect_parts(&[(16 << 10, b"\x01\x01"), ((16 << 10) + 20, b"\0\0\0\x07version")]);
        assert_eq!(
            (zfs[0].what.as_str(), &zfs[0].marks[..]),
            ("a part of a ZFS pool", &[(16 << 10, 16)][..])
        );
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test makes its own file")]
    fn emptiness_is_checked_in_many_places() {
        let apart = |at: u64, patience| {
            let tree = TestTree::new();
            let file = File::create(tree.path().join("x")).unwrap();
            file.set_len(256 << 20).unwrap();
            file.write_all_at(b"x", at).unwrap();
            zero_pages(&tree.root(), Path::new("/x"), 256 << 20, patience).unwrap()
        };
        let last = (256 << 20) - 1;
        let edges = [0, 4096, (68 << 10) + 1, (1 << 20) - 1, last, last - (1 << 20) + 1];
        // Data of 64K anywhere is found, given the time.
        let between = [16, 17, 18, 22, 34, 100, 4079].map(|nth| nth * CLOSE + 4095);
        let soon = [1, 3, 201].map(|mib| mib << 20);
        for at in edges.into_iter().chain(between) {
            assert_eq!(apart(at, Duration::MAX), None, "{at}");
        }
        for at in edges.into_iter().chain(soon) {
            assert_eq!(apart(at, Duration::ZERO), None, "{at}");
        }
        let unseen = 16 * CLOSE + 4096;
        assert_eq!(apart(unseen, Duration::MAX), Some(Bytes(CLOSE)), "this page is not read");
        assert_eq!(apart(unseen, Duration::ZERO), Some(Bytes(2 << 20)));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test makes its own file")]
    fn small_files_are_read_whole() {
        for size in [4096, 1 << 20, (2 << 20) - 4096, 2 << 20] {
            let tree = TestTree::new();
            let file = File::create(tree.path().join("x")).unwrap();
            file.set_len(size).unwrap();
            let apart = || zero_pages(&tree.root(), Path::new("/x"), size, Duration::ZERO).unwrap();
            assert_eq!(apart(), Some(Bytes(CLOSE)), "{size}");
            file.write_all_at(b"x", size / 2).unwrap();
            assert_eq!(apart(), None, "{size}");
        }
    }
}
