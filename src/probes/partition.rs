//! Name of a partition in the table of its disk: the UUID and label that fstab may use.
//!
//! Kernel: `block/partitions/efi.c` and `msdos.c`, all versions. A GPT is valid only where its protective
//! MBR exists and its checksums are right. The start in the table is compared with the kernel's: an entry
//! that begins elsewhere was written later, or was never used by the kernel. The entries of logical
//! partitions are scattered over the disk; their name is the number of the disk and their own number, so
//! only the extended partition around them is looked up. A renumbering inside the same extended partition
//! goes unnoticed.
//!
//! Not done here: tables of other machines (Mac, Sun), or the backup of a damaged table. The links of udev
//! have those too.

use super::block;
use crate::model::format::Uuid;
use crate::model::{Name, Reading};
use crate::root::{Root, shown};
use std::path::{Path, PathBuf};

/// The name of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionName {
    /// The UUID, or for DOS tables the disk number and the partition number.
    pub uuid: String,
    /// The label in the table.
    pub label: Option<Name>,
}

/// Size of sectors in `/sys/block` and in DOS tables.
const SECTOR: u64 = 512;
const HEAD: usize = 512;
/// Offsets of the four entries of a DOS table, and of type, first sector and sector count in an entry.
const DOS_ENTRIES: [usize; 4] = [446, 462, 478, 494];
const KIND: usize = 4;
const FIRST: usize = 8;
const COUNT: usize = 12;
/// Type of the entry that stands for a GPT, and types of extended partitions.
const PROTECTIVE: u8 = 0xee;
const EXTENDED: [u8; 3] = [0x05, 0x0f, 0x85];
const DOS_NUMBER: usize = 440;
const DOS_MARK: (usize, &[u8]) = (510, b"\x55\xaa");
const GPT_MARK: &[u8] = b"EFI PART";
/// Least length of a GPT header, and offsets of its checksum and that of the entries.
const GPT_HEADER: usize = 92;
const GPT_SUM: usize = 16;
const GPT_ENTRIES_SUM: usize = 88;
/// The only length of an entry that the kernel accepts.
const GPT_ENTRY: usize = 128;
/// More entries than any real disk has: the kernel reads longer tables, but nobody creates them.
const GPT_MOST: usize = 1024;
const LABEL: usize = 56;

/// The disk of a partition with this name in `/sys/class/block`; none for a whole device.
pub fn disk(root: &Root, name: &str) -> Option<String> {
    root.exists(format!("sys/class/block/{name}/partition")).then(|| block::parent(root, name))?
}

/// The name of a partition of this disk; none where the table was changed since the kernel read it. Missing
/// where the table is unreadable or of another kind. Needs root.
pub fn read(root: &Root, disk: &str, name: &str) -> Reading<Option<PartitionName>> {
    let of = |file: &str| root.number(format!("sys/class/block/{name}/{file}"));
    let place = of("partition").map2(of("start"), |number, start| (number, start));
    place.and_then(|(number, start)| {
        let sector = root.number(format!("sys/block/{disk}/queue/logical_block_size"));
        let sector = sector.known().copied().unwrap_or(SECTOR);
        let table = Table { root, node: Path::new("dev").join(disk.replace('!', "/")), sector };
        table.named(number, start.saturating_mul(SECTOR))
    })
}

struct Table<'a> {
    root: &'a Root,
    node: PathBuf,
    sector: u64,
}

impl Table<'_> {
    /// The name of the partition with this number and this first byte.
    fn named(&self, number: u64, start: u64) -> Reading<Option<PartitionName>> {
        self.part(0, HEAD).and_then(|first| {
            let (at, mark) = DOS_MARK;
            if !first.get(at..).is_some_and(|end| end.starts_with(mark)) {
                return self.absent("no known partition table");
            }
            let entries = DOS_ENTRIES.map(|at| first.get(at..).unwrap_or_default());
            let newer = entries.iter().filter(|entry| entry.get(KIND) == Some(&PROTECTIVE));
            // The kernel looks for a GPT only if the protective entry begins in the next sector.
            match newer.clone().any(|entry| word(entry, FIRST) == Some(1)) {
                true => self.gpt(number, start),
                false if newer.count() > 0 => {
                    self.absent("a partition table that the kernel rejects")
                }
                false => Reading::Known(self.dos(&first, &entries, (number, start))),
            }
        })
    }

    fn dos(
        &self,
        first: &[u8],
        entries: &[&[u8]],
        (number, start): (u64, u64),
    ) -> Option<PartitionName> {
        let bytes = |entry: &[u8], at| u64::from(word(entry, at)?).checked_mul(self.sector);
        let begins_there = |entry: &&[u8]| {
            bytes(entry, FIRST) == Some(start) && bytes(entry, COUNT).is_some_and(|it| it > 0)
        };
        let is_around = |entry: &&[u8]| {
            let is_extended = entry.get(KIND).is_some_and(|kind| EXTENDED.contains(kind));
            let inside = bytes(entry, FIRST).and_then(|first| start.checked_sub(first));
            is_extended && inside.is_some_and(|it| Some(it) < bytes(entry, COUNT))
        };
        let own = number.checked_sub(1).and_then(|index| entries.get(usize::try_from(index).ok()?));
        let is_kernels = match own {
            Some(own) => begins_there(own),
            None => number > 0 && entries.iter().any(is_around),
        };
        let disk = word(first, DOS_NUMBER).filter(|_| is_kernels)?;
        Some(PartitionName { uuid: format!("{disk:08x}-{number:02x}"), label: None })
    }

    fn gpt(&self, number: u64, start: u64) -> Reading<Option<PartitionName>> {
        self.entries().map(|entries| {
            let index = usize::try_from(number.checked_sub(1)?).ok()?;
            let entry = entries.chunks_exact(GPT_ENTRY).nth(index)?;
            let first = long(entry, 32).and_then(|at| at.checked_mul(self.sector));
            named(entry).filter(|_| first == Some(start))
        })
    }

    /// All entries of the primary GPT, if the kernel accepts it. Otherwise the kernel uses the backup at
    /// the end, or no table.
    fn entries(&self) -> Reading<Vec<u8>> {
        self.part(self.sector, HEAD).and_then(|header| {
            if !header.starts_with(GPT_MARK) || long(&header, 24) != Some(1) {
                return self.absent("no partition table in the expected place");
            }
            let number = |at| word(&header, at).and_then(|it| usize::try_from(it).ok());
            if !number(12).is_some_and(|length| is_summed(&header, length)) {
                return self.absent("a damaged partition table");
            }
            let count = number(80).filter(|count| *count <= GPT_MOST);
            let at = long(&header, 72).and_then(|at| at.checked_mul(self.sector));
            let (Some(count), Some(at), Some(GPT_ENTRY)) = (count, at, number(84)) else {
                return self.absent("a partition table of an unknown form");
            };
            self.part(at, count.saturating_mul(GPT_ENTRY)).and_then(|entries| {
                if Some(crc32(&entries)) == word(&header, GPT_ENTRIES_SUM) {
                    Reading::Known(entries)
                } else {
                    self.absent("damaged partition entries")
                }
            })
        })
    }

    fn part(&self, at: u64, length: usize) -> Reading<Vec<u8>> {
        self.root.read_part(&self.node, at, length).and_then(|bytes| {
            if bytes.len() == length {
                Reading::Known(bytes)
            } else {
                self.absent("fewer bytes than its table needs")
            }
        })
    }

    fn absent<T>(&self, what: &str) -> Reading<T> {
        Reading::absent(format!("{} has {what}", shown(&self.node)))
    }
}

/// The name in a GPT entry. The first three parts of a UUID are little-endian numbers.
fn named(entry: &[u8]) -> Option<PartitionName> {
    let mut uuid: [u8; 16] = entry.get(16..32)?.try_into().ok()?;
    for numbers in [0..4, 4..6, 6..8] {
        uuid.get_mut(numbers)?.reverse();
    }
    let units = entry.get(LABEL..GPT_ENTRY)?.chunks_exact(2);
    let units = units.filter_map(|unit| Some(u16::from_le_bytes(unit.try_into().ok()?)));
    let label: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
    let label = String::from_utf16_lossy(&label);
    let label = (!label.is_empty()).then(|| Name::from(label.as_str()));
    Some(PartitionName { uuid: Uuid::from_bytes(&uuid)?.to_string(), label })
}

/// Verifies the checksum of a header of this length; the checksum field counts as zero.
fn is_summed(header: &[u8], length: usize) -> bool {
    let parts = (header.get(..GPT_SUM), header.get(GPT_SUM + 4..length));
    let (Some(before), Some(after)) = parts else { return false };
    let summed = [before, &[0; 4], after].concat();
    length >= GPT_HEADER && Some(crc32(&summed)) == word(header, GPT_SUM)
}

/// CRC-32 as in the kernel's `lib/crc32.c`, complemented at both ends.
fn crc32(bytes: &[u8]) -> u32 {
    let shift = |sum: u32| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    let step = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), |sum, _| shift(sum));
    !bytes.iter().fold(!0, step)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
pub(crate) mod testing {
    use crate::root::testing::TestTree;

    /// UUID and label of the only partition on a disk by [`gpt`].
    pub(crate) const UUID: &str = "a1b2c3d4-e5f6-4708-9a0b-0c0d0e0f1011";
    pub(crate) const LABEL: &str = "swap \u{e4}";

    /// Adds a disk whose first partition begins at sector 2048.
    pub(crate) fn disk(tree: &TestTree, disk: &str, table: &[u8]) {
        let part = format!("{disk}1");
        tree.write(&format!("dev/{disk}"), table);
        tree.write(&format!("sys/block/{disk}/{part}/size"), "2048\n");
        for (file, number) in [("partition", "1\n"), ("start", "2048\n")] {
            tree.write(&format!("sys/class/block/{part}/{file}"), number);
        }
    }

    /// A GPT with one partition.
    pub(crate) fn gpt() -> Vec<u8> {
        let mut bytes = vec![0; 4096];
        let mut put = |at: usize, what: &[u8]| bytes[at..at + what.len()].copy_from_slice(what);
        put(450, &[0xee]);
        put(454, &1_u32.to_le_bytes());
        put(510, b"\x55\xaa");
        put(512, b"EFI PART");
        put(512 + 12, &92_u32.to_le_bytes());
        put(512 + 24, &1_u64.to_le_bytes());
        put(512 + 72, &2_u64.to_le_bytes());
        put(512 + 80, &4_u32.to_le_bytes());
        put(512 + 84, &128_u32.to_le_bytes());
        let uuid = *b"\xd4\xc3\xb2\xa1\xf6\xe5\x08\x47\x9a\x0b\x0c\x0d\x0e\x0f\x10\x11";
        put(1024 + 16, &uuid);
        put(1024 + 32, &2048_u64.to_le_bytes());
        let label: Vec<u8> = LABEL.encode_utf16().flat_map(u16::to_le_bytes).collect();
        put(1024 + 56, &label);
        sum(&mut bytes, 512);
        bytes
    }

    /// Sets the checksums of a GPT on a disk with sectors of this size.
    pub(crate) fn sum(bytes: &mut [u8], sector: usize) {
        let count = super::word(bytes, sector + 80).unwrap() as usize;
        let entries = super::crc32(&bytes[sector * 2..][..count * 128]);
        bytes[sector + 88..][..4].copy_from_slice(&entries.to_le_bytes());
        bytes[sector + 16..][..4].fill(0);
        let own = super::crc32(&bytes[sector..][..92]);
        bytes[sector + 16..][..4].copy_from_slice(&own.to_le_bytes());
    }

    /// A DOS table with an extended partition behind the first partition.
    pub(crate) fn dos() -> Vec<u8> {
        let mut bytes = vec![0; 512];
        bytes[440..444].copy_from_slice(&0x1234_abcd_u32.to_le_bytes());
        for (at, kind, first) in [(446, 0x82, 2048_u32), (462, 0x05, 4096)] {
            bytes[at + 4] = kind;
            bytes[at + 8..at + 12].copy_from_slice(&first.to_le_bytes());
            bytes[at + 12..at + 16].copy_from_slice(&2048_u32.to_le_bytes());
        }
        bytes[510..].copy_from_slice(b"\x55\xaa");
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{LABEL, UUID, disk, dos, gpt, sum};
    use super::*;
    use crate::root::testing::{TestTree, mangled};

    fn read_table(table: &[u8]) -> Reading<Option<PartitionName>> {
        let tree = TestTree::new();
        disk(&tree, "sda", table);
        assert_eq!(super::disk(&tree.root(), "sda1"), Some("sda".to_owned()));
        read(&tree.root(), "sda", "sda1")
    }

    /// The UUID of the partition with this number and first sector on a disk with a DOS table.
    fn placed(table: &[u8], number: u64, start: u64) -> Option<String> {
        let tree = TestTree::new();
        disk(&tree, "sda", table);
        tree.write("sys/class/block/sda1/partition", number.to_string());
        tree.write("sys/class/block/sda1/start", start.to_string());
        read(&tree.root(), "sda", "sda1").into_result().unwrap().map(|named| named.uuid)
    }

    #[test]
    fn dos_and_gpt_tables_name_their_partitions() {
        let newer = PartitionName { uuid: UUID.to_owned(), label: Some(LABEL.into()) };
        assert_eq!(read_table(&gpt()), Reading::Known(Some(newer)));
        let older = PartitionName { uuid: "1234abcd-01".to_owned(), label: None };
        assert_eq!(read_table(&dos()), Reading::Known(Some(older)));
    }

    #[test]
    fn the_places_follow_the_sectors_of_the_disk() {
        let small = gpt();
        let mut large = vec![0; 4096 * 3];
        large[..512].copy_from_slice(&small[..512]);
        large[4096..4608].copy_from_slice(&small[512..1024]);
        large[8192..8704].copy_from_slice(&small[1024..1536]);
        large[8192 + 32..8192 + 40].copy_from_slice(&256_u64.to_le_bytes());
        sum(&mut large, 4096);
        let mut older = dos();
        older[454..458].copy_from_slice(&256_u32.to_le_bytes());
        for (table, uuid) in [(large, UUID), (older, "1234abcd-01")] {
            let tree = TestTree::new();
            disk(&tree, "sda", &table);
            tree.write("sys/block/sda/queue/logical_block_size", "4096\n");
            let named = read(&tree.root(), "sda", "sda1").into_result().unwrap();
            assert_eq!(named.map(|named| named.uuid).as_deref(), Some(uuid));
        }
    }

    #[test]
    fn an_entry_unlike_the_kernels_partition_has_no_name() {
        let changed = |mut table: Vec<u8>, at: usize, byte: u8, summed: bool| {
            table[at] = byte;
            if summed {
                sum(&mut table, 512);
            }
            read_table(&table)
        };
        for (at, byte) in [(1024 + 33, 9), (512 + 80, 0)] {
            assert_eq!(changed(gpt(), at, byte, true), Reading::Known(None), "{at}");
        }
        // The first sector and the number of them.
        for (at, byte) in [(455, 9), (459, 0)] {
            assert_eq!(changed(dos(), at, byte, false), Reading::Known(None), "{at}");
        }
    }

    #[test]
    fn a_logical_partition_has_its_name_only_inside_an_extended_one() {
        let of = |number, start| placed(&dos(), number, start);
        assert_eq!(of(5, 4098).as_deref(), Some("1234abcd-05"));
        assert_eq!(of(12, 6143).as_deref(), Some("1234abcd-0c"));
        assert_eq!((of(5, 4095), of(5, 6144), of(5, 2048)), (None, None, None));
        assert_eq!(
            (of(2, 4096).as_deref(), of(3, 4098), of(0, 4098)),
            (Some("1234abcd-02"), None, None)
        );
    }

    #[test]
    fn a_table_the_kernel_rejects_is_rejected() {
        let why = |table: &[u8]| {
            read_table(table).missing().map(crate::model::Missing::why).unwrap_or_default()
        };
        let changed = |at: usize, byte: u8, summed: bool| {
            let mut table = gpt();
            table[at] = byte;
            if summed {
                sum(&mut table, 512);
            }
            why(&table)
        };
        assert!(changed(511, 0, true).contains("no known partition table"));
        assert!(changed(454, 2, true).contains("a partition table that the kernel rejects"));
        assert!(changed(512, b'X', true).contains("in the expected place"));
        assert!(changed(512 + 24, 2, true).contains("in the expected place"));
        assert!(changed(512 + 84, 64, true).contains("unknown form"));
        assert!(changed(512 + 56, 1, false).contains("a damaged partition table"));
        assert!(changed(1024 + 16, 1, false).contains("damaged partition entries"));
        assert!(why(&gpt()[..1100]).contains("fewer bytes than its table needs"));
    }

    /// The tables of these tests get their checksums from the same function.
    #[test]
    fn sums_are_those_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn damaged_tables_do_no_harm() {
        mangled(&gpt(), 100, |table| drop(read_table(table)));
        mangled(&dos(), 100, |table| drop(read_table(table)));
    }
}
