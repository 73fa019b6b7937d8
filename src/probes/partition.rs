//! What a partition is called in the table of its disk: the UUID and label by which an fstab may
//! name it.
//!
//! Kernel: `block/partitions/efi.c` and `msdos.c`, all versions. A table of the newer kind counts
//! only where the older one beside it says so. What the table says of the place is compared with
//! what the kernel took from it: a table that was written since is not what is in use.
//!
//! What it does not do: read tables of other machines (Mac, Sun), or the copy of a damaged one. The
//! links of udev have those too.

use super::block;
use crate::model::uuid::Uuid;
use crate::model::{Name, Reading};
use crate::root::{Root, shown};
use std::path::{Path, PathBuf};

/// The name of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its UUID, or the number of the disk and its own.
    pub uuid: String,
    /// What it was called.
    pub label: Option<Name>,
}

/// Sectors of `/sys/block` and of the older table.
const SECTOR: u64 = 512;
/// The four entries of the older table, and the kind of one that stands for a newer table.
const DOS_KINDS: [usize; 4] = [450, 466, 482, 498];
const PROTECTIVE: u8 = 0xee;
const DOS_NUMBER: usize = 440;
const DOS_MARK: (usize, &[u8]) = (510, b"\x55\xaa");
const GPT_MARK: &[u8] = b"EFI PART";
/// What there is of a header, and of an entry up to its end.
const GPT_HEADER: usize = 92;
const GPT_ENTRY: usize = 128;
const LABEL: usize = 56;

/// The disk of a partition with this name in `/sys/class/block`; none if it is a whole device.
#[must_use]
pub fn disk(root: &Root, name: &str) -> Option<String> {
    root.exists(format!("sys/class/block/{name}/partition")).then(|| block::parent(root, name))?
}

/// What this partition of this disk is called. Only root can read the disk.
#[must_use]
pub fn read(root: &Root, disk: &str, name: &str) -> Reading<Named> {
    let of = |file: &str| root.number(format!("sys/class/block/{name}/{file}"));
    let place = of("partition").map2(of("start"), |number, start| (number, start));
    place.and_then(|(number, start)| {
        let sector = root.number(format!("sys/block/{disk}/queue/logical_block_size"));
        let sector = sector.known().copied().unwrap_or(SECTOR);
        let table = Table { root, node: Path::new("dev").join(disk.replace('!', "/")), sector };
        table.named(number, start)
    })
}

struct Table<'a> {
    root: &'a Root,
    node: PathBuf,
    sector: u64,
}

impl Table<'_> {
    fn named(&self, number: u64, start: u64) -> Reading<Named> {
        self.part(0, 512).and_then(|first| {
            let (at, mark) = DOS_MARK;
            if !first.get(at..).is_some_and(|end| end.starts_with(mark)) {
                return self.absent("no partition table that is known");
            }
            if DOS_KINDS.iter().any(|at| first.get(*at) == Some(&PROTECTIVE)) {
                return self.gpt(number, start);
            }
            let disk = word(&first, DOS_NUMBER).unwrap_or(0);
            Reading::Known(Named { uuid: format!("{disk:08x}-{number:02x}"), label: None })
        })
    }

    fn gpt(&self, number: u64, start: u64) -> Reading<Named> {
        self.part(self.sector, GPT_HEADER).and_then(|header| {
            if !header.starts_with(GPT_MARK) {
                return self.absent("no partition table where it should be");
            }
            let (count, size) = (word(&header, 80), word(&header, 84).map(u64::from));
            let entries = long(&header, 72).and_then(|at| at.checked_mul(self.sector));
            let index = number.checked_sub(1).filter(|index| Some(*index) < count.map(u64::from));
            let at = index.and_then(|index| entries?.checked_add(index.checked_mul(size?)?));
            let entry = at.map(|at| self.part(at, GPT_ENTRY));
            entry.unwrap_or_else(|| self.absent("no such entry")).and_then(|entry| {
                let first = long(&entry, 32).and_then(|at| at.checked_mul(self.sector));
                if first != start.checked_mul(SECTOR) {
                    return self.absent("another table by now than the kernel knows");
                }
                named(&entry).map_or_else(|| self.absent("no UUID there"), Reading::Known)
            })
        })
    }

    fn part(&self, at: u64, length: usize) -> Reading<Vec<u8>> {
        self.root.read_part(&self.node, at, length).and_then(|bytes| {
            if bytes.len() == length {
                Reading::Known(bytes)
            } else {
                self.absent("not so many bytes")
            }
        })
    }

    fn absent<T>(&self, what: &str) -> Reading<T> {
        Reading::absent(format!("{} has {what}", shown(&self.node)))
    }
}

/// The name in an entry of the newer table. The first three parts of a UUID are numbers there, and
/// stand as this kind of machine writes numbers.
fn named(entry: &[u8]) -> Option<Named> {
    let mut uuid: [u8; 16] = entry.get(16..32)?.try_into().ok()?;
    for numbers in [0..4, 4..6, 6..8] {
        uuid.get_mut(numbers)?.reverse();
    }
    let units = entry.get(LABEL..GPT_ENTRY)?.chunks_exact(2);
    let units = units.filter_map(|unit| Some(u16::from_le_bytes(unit.try_into().ok()?)));
    let label: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
    let label = String::from_utf16_lossy(&label);
    let label = (!label.is_empty()).then(|| Name::from(label.as_str()));
    Some(Named { uuid: Uuid::of(&uuid)?.to_string(), label })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
pub(crate) mod testing {
    use crate::root::testing::Tree;

    /// The UUID of the only partition on a disk that [`gpt`] makes, and its label.
    pub(crate) const UUID: &str = "a1b2c3d4-e5f6-4708-9a0b-0c0d0e0f1011";
    pub(crate) const LABEL: &str = "swap \u{e4}";

    /// A disk whose first partition begins at sector 2048.
    pub(crate) fn disk(tree: &Tree, disk: &str, table: &[u8]) {
        let part = format!("{disk}1");
        tree.write(&format!("dev/{disk}"), table);
        tree.write(&format!("sys/block/{disk}/{part}/size"), "2048\n");
        for (file, number) in [("partition", "1\n"), ("start", "2048\n")] {
            tree.write(&format!("sys/class/block/{part}/{file}"), number);
        }
    }

    /// A table of the newer kind with one partition.
    pub(crate) fn gpt() -> Vec<u8> {
        let mut bytes = vec![0; 4096];
        let mut put = |at: usize, what: &[u8]| bytes[at..at + what.len()].copy_from_slice(what);
        put(450, &[0xee]);
        put(510, b"\x55\xaa");
        put(512, b"EFI PART");
        put(512 + 72, &2_u64.to_le_bytes());
        put(512 + 80, &4_u32.to_le_bytes());
        put(512 + 84, &128_u32.to_le_bytes());
        let uuid = *b"\xd4\xc3\xb2\xa1\xf6\xe5\x08\x47\x9a\x0b\x0c\x0d\x0e\x0f\x10\x11";
        put(1024 + 16, &uuid);
        put(1024 + 32, &2048_u64.to_le_bytes());
        let label: Vec<u8> = LABEL.encode_utf16().flat_map(u16::to_le_bytes).collect();
        put(1024 + 56, &label);
        bytes
    }

    /// One of the older kind.
    pub(crate) fn dos() -> Vec<u8> {
        let mut bytes = vec![0; 512];
        bytes[440..444].copy_from_slice(&0x1234_abcd_u32.to_le_bytes());
        bytes[450] = 0x82;
        bytes[510..].copy_from_slice(b"\x55\xaa");
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{LABEL, UUID, disk, dos, gpt};
    use super::*;
    use crate::root::testing::{Tree, mangled};

    fn of(table: &[u8]) -> Reading<Named> {
        let tree = Tree::new();
        disk(&tree, "sda", table);
        assert_eq!(super::disk(&tree.root(), "sda1"), Some("sda".to_owned()));
        read(&tree.root(), "sda", "sda1")
    }

    #[test]
    fn both_kinds_of_tables_say_what_their_partitions_are_called() {
        let newer = Named { uuid: UUID.to_owned(), label: Some(LABEL.into()) };
        assert_eq!(of(&gpt()), Reading::Known(newer));
        let older = Named { uuid: "1234abcd-01".to_owned(), label: None };
        assert_eq!(of(&dos()), Reading::Known(older));
    }

    #[test]
    fn the_places_follow_the_sectors_of_the_disk() {
        let small = gpt();
        let mut large = vec![0; 4096 * 3];
        large[..512].copy_from_slice(&small[..512]);
        large[4096..4608].copy_from_slice(&small[512..1024]);
        large[8192..8704].copy_from_slice(&small[1024..1536]);
        large[8192 + 32..8192 + 40].copy_from_slice(&256_u64.to_le_bytes());
        let tree = Tree::new();
        disk(&tree, "sda", &large);
        tree.write("sys/block/sda/queue/logical_block_size", "4096\n");
        assert_eq!(read(&tree.root(), "sda", "sda1").known().unwrap().uuid, UUID);
    }

    #[test]
    fn a_table_that_is_not_the_kernels_names_nothing() {
        let changed = |at: usize, byte: u8| {
            let mut table = gpt();
            table[at] = byte;
            of(&table).missing().map(crate::model::Missing::why).unwrap_or_default()
        };
        assert!(changed(1024 + 33, 9).contains("another table by now"));
        assert!(changed(512, b'X').contains("where it should be"));
        assert!(changed(512 + 80, 0).contains("no such entry"));
        assert!(changed(511, 0).contains("no partition table"));
        assert!(of(&gpt()[..1100]).missing().is_some());
    }

    #[test]
    fn damaged_tables_do_no_harm() {
        mangled(&gpt(), 2000, |table| drop(of(table)));
    }
}
