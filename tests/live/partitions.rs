//! Partitions, named by the tags of their table.

use crate::areas::{self, Area, swapoff};
use crate::file::{MIB, done, priority, refused, text};
use crate::in_lab;
use crate::ioctls;
use crate::lab::{self, Lab, retry};
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

const SIZE: u64 = 24 * MIB;
const SECTOR: u64 = 512;
/// Start of the first partition; the second follows directly.
const FIRST: u64 = 2048;
const LENGTH: u64 = 16_384;
const SECOND: u64 = FIRST + LENGTH;
/// UUID of the second partition, with its first three parts in little-endian order.
const PARTUUID: &str = "5a9c0f3e-7b1d-4e62-8f40-0000000eb0de";
const WRITTEN: [u8; 16] = *b"\x3e\x0f\x9c\x5a\x1d\x7b\x62\x4e\x8f\x40\x00\x00\x00\x0e\xb0\xde";
const PARTLABEL: &str = "Linux swap";
const DISK: u32 = 0x5a9c_0f3e;

/// A loop device with partitions, disabled when dropped.
struct Disk {
    area: Area,
}

impl Disk {
    fn new(lab: &Lab, name: &str, write: fn(&File)) -> Result<Self, String> {
        let disk = Self { area: areas::new_loop_on(lab, name, SIZE)? };
        let file = OpenOptions::new().write(true).open(&disk.area.path).expect("our device opens");
        write(&file);
        file.sync_all().expect("the table is written");
        drop(file);
        // udev may be reading it now.
        retry(|| ioctls::read_partitions(&disk.area.path))
            .map_err(|error| format!("no partitions on {}: {error}", text(&disk.area.path)))?;
        let part = disk.part(2);
        let known = Path::new("/sys/class/block").join(part.file_name().expect("a name"));
        if !known.exists() {
            return Err("this kernel finds no partitions on loop devices".to_owned());
        }
        retry(|| fs::metadata(&part)).map_err(|error| format!("{}: {error}", text(&part)))?;
        Ok(disk)
    }

    fn part(&self, number: u64) -> PathBuf {
        PathBuf::from(format!("{}p{number}", text(&self.area.path)))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = [1, 2].map(|number| swapoff(&self.part(number)));
    }
}

#[test]
fn partitions_are_found_by_the_names_in_their_table() {
    in_lab("partitions_are_found_by_the_names_in_their_table", by_their_names);
}

fn by_their_names(lab: &Lab) -> Result<(), String> {
    let newer = match Disk::new(lab, "gpt", gpt) {
        Ok(disk) => disk,
        Err(reason) => {
            lab::remark(&format!("partitions: {reason}"));
            return Ok(());
        }
    };
    let label = format!("PARTLABEL={PARTLABEL}");
    let names = [format!("PARTUUID={PARTUUID}"), label, format!("PARTUUID={}", upper())];
    used(lab, &newer, "GPT", &names);
    // The first partition has another name.
    let lists = "to list partitions: lsblk -o NAME,PARTUUID,PARTLABEL";
    for wrong in ["PARTUUID=00000000-1111-2222-3333-444444444444", "PARTLABEL=Linux"] {
        refused(lab, &["on", wrong], 2, &[&format!("no partition has {wrong}"), lists]);
    }
    let older = Disk::new(lab, "dos", dos)?;
    used(lab, &older, "DOS", &[format!("PARTUUID={DISK:08x}-02")]);
    let twin = Disk::new(lab, "twin", gpt)?;
    let both = [text(&newer.part(2)).to_owned(), text(&twin.part(2)).to_owned()];
    for name in names {
        refused(lab, &["on", &name], 2, &["matches several devices", &both[0], &both[1]]);
        refused(lab, &["format", &name], 2, &["matches several devices", &both[0], &both[1]]);
    }
    drop(twin);
    changed(lab, &newer);
    Ok(())
}

fn upper() -> String {
    PARTUUID.to_uppercase()
}

/// The second partition can be enabled by each of these names; the disk itself stays unused.
fn used(lab: &Lab, disk: &Disk, kind: &str, names: &[String]) {
    let (whole, second) = (text(&disk.area.path), disk.part(2));
    let holds = format!("{whole} holds a partition table ({kind})");
    let parts = format!("disk with partitions ({}p1, ", whole.trim_start_matches("/dev/"));
    refused(lab, &["format", whole], 3, &[&parts, &holds]);
    refused(lab, &["format", whole, "--force", "signature"], 3, &[&parts]);
    refused(lab, &["on", whole], 3, &["no swap header"]);
    done(lab, &["format", &names[0]]);
    for name in names {
        done(lab, &["on", name, "-p", "31000"]);
        assert_eq!(priority(&second), Some(31_000), "{name}");
        let rows = crate::program::table("devices", &[]);
        let row = rows.iter().find(|row| row["name"] == text(&second)).expect("its row");
        let size = LENGTH * SECTOR - areas::page_size();
        assert_eq!((&row["size"], &row["rotational"]), (&size.into(), &rotates(disk)));
        done(lab, &["off", name]);
        assert_eq!(priority(&second), None, "{name}");
    }
}

fn rotates(disk: &Disk) -> serde_json::Value {
    let queue = areas::sysfs(&disk.area.path).join("queue/rotational");
    (fs::read_to_string(queue).expect("a queue").trim() == "1").into()
}

/// A table changed since the kernel read it names nothing.
fn changed(lab: &Lab, disk: &Disk) {
    let file = OpenOptions::new().write(true).open(&disk.area.path).expect("our device opens");
    let entry = 2 * SECTOR + 128;
    file.write_all_at(&(SECOND + 8).to_le_bytes(), entry + 32).expect("a changed table");
    let name = format!("PARTUUID={PARTUUID}");
    // udev may still have a link.
    if !Path::new("/dev/disk/by-partuuid").join(PARTUUID).exists() {
        refused(lab, &["on", &name], 2, &["no partition has"]);
    }
}

/// A DOS table with two entries.
fn dos(disk: &File) {
    let mut sector = older([0x83, 0x82], [FIRST, SECOND], [LENGTH, LENGTH]);
    sector[440..444].copy_from_slice(&DISK.to_le_bytes());
    disk.write_all_at(&sector, 0).expect("our device takes a table");
}

fn older(kinds: [u8; 2], starts: [u64; 2], lengths: [u64; 2]) -> Vec<u8> {
    let mut sector = vec![0; 512];
    for place in 0..2 {
        let entry = &mut sector[446 + place * 16..][..16];
        entry[4] = kinds[place];
        for (at, number) in [(8, starts[place]), (12, lengths[place])] {
            let number = u32::try_from(number).expect("a small disk");
            entry[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
    }
    sector[510..].copy_from_slice(b"\x55\xaa");
    sector
}

/// A GPT with its backup.
fn gpt(disk: &File) {
    let mut entries = vec![0; 128 * 128];
    let parts = [(FIRST, [7; 16], "data"), (SECOND, WRITTEN, PARTLABEL)];
    for (place, (start, uuid, label)) in parts.into_iter().enumerate() {
        let entry = &mut entries[place * 128..][..128];
        // The type: Linux data.
        entry[..16]
            .copy_from_slice(b"\xaf\x3d\xc6\x0f\x83\x84\x72\x47\x8e\x79\x3d\x69\xd8\x47\x7d\xe4");
        entry[16..32].copy_from_slice(&uuid);
        entry[32..40].copy_from_slice(&start.to_le_bytes());
        entry[40..48].copy_from_slice(&(start + LENGTH - 1).to_le_bytes());
        let label: Vec<u8> = label.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entry[56..56 + label.len()].copy_from_slice(&label);
    }
    let last = SIZE / SECTOR - 1;
    let write = |bytes: &[u8], sector: u64| {
        disk.write_all_at(bytes, sector * SECTOR).expect("our device takes a table");
    };
    let protective = older([0xee, 0], [1, 0], [last, 0]);
    write(&protective, 0);
    for (own, other, table) in [(1, last, 2), (last, 1, last - 32)] {
        write(&entries, table);
        write(&header(own, other, table, &entries), own);
    }
}

fn header(own: u64, other: u64, table: u64, entries: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 92];
    header[..8].copy_from_slice(b"EFI PART");
    header[8..12].copy_from_slice(&0x0001_0000_u32.to_le_bytes());
    header[12..16].copy_from_slice(&92_u32.to_le_bytes());
    let last = SIZE / SECTOR - 34;
    for (at, number) in [(24, own), (32, other), (40, 34), (48, last), (72, table)] {
        header[at..at + 8].copy_from_slice(&number.to_le_bytes());
    }
    header[56..72].copy_from_slice(&[0x11; 16]);
    for (at, number) in [(80, 128), (84, 128), (88, crc32(entries))] {
        header[at..at + 4].copy_from_slice(&u32::to_le_bytes(number));
    }
    let sum = crc32(&header);
    header[16..20].copy_from_slice(&sum.to_le_bytes());
    header
}

/// CRC-32 as in the kernel's `lib/crc32.c`, complemented at both ends.
fn crc32(bytes: &[u8]) -> u32 {
    let shift = |sum: u32| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    let step = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), |sum, _| shift(sum));
    !bytes.iter().fold(!0, step)
}
