//! Contents of devices.

use super::Check;
use super::tree::Tree;
use std::hint::black_box;
use swapadm::model::Name;
use swapadm::probes::{candidate, header, partition, swaps, target};

const SWAPS: &[u8] = b"Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/sda                                partition\t8188\t\t0\t\t-2\n";

pub(super) fn swap_header() -> Check {
    let tree = Tree::new(&[("proc/swaps", SWAPS)]);
    let device = tree.file("dev/sda", b"");
    let areas = swaps::read(tree.root()).into_result().expect("the table is valid");
    let path = Name::from("/dev/sda");
    Box::new(move |input| {
        device.set(input);
        for area in &areas {
            black_box(header::read(tree.root(), area));
        }
        black_box(candidate::read(tree.root(), &path));
    })
}

/// Large enough for all places near the beginning and the end of a device.
const DEVICE: usize = 320 << 10;
/// The bytes before each patch: its offset in three bytes, and its length.
const PATCH: usize = 4;

/// The patches of an input, each with its offset.
fn patches(mut input: &[u8]) -> Vec<(usize, &[u8])> {
    let mut patches = Vec::new();
    while let Some(([low, middle, high, length], rest)) = input.split_first_chunk::<PATCH>() {
        let at = u32::from_le_bytes([*low, *middle, *high, 0]) as usize % DEVICE;
        let length = usize::from(*length).min(rest.len()).min(DEVICE - at);
        let (bytes, rest) = rest.split_at(length);
        patches.push((at, bytes));
        input = rest;
    }
    patches
}

/// An input is a list of patches to an empty device.
pub(super) fn superblocks() -> Check {
    let tree = Tree::new(&[]);
    let device = tree.file("dev/sda", &vec![0; DEVICE]);
    let path = Name::from("/dev/sda");
    Box::new(move |input| {
        let patches = patches(input);
        for (at, bytes) in &patches {
            device.write(*at as u64, bytes);
        }
        let found = target::read(tree.root(), &path, &[], 4096);
        for content in found.found.known().into_iter().flatten() {
            for (at, length) in &content.marks {
                assert!(at + *length as u64 <= DEVICE as u64, "{content:?} is on the device");
            }
        }
        for (at, bytes) in &patches {
            device.write(*at as u64, &vec![0; bytes.len()]);
        }
    })
}

/// CRC-32 as in a GPT.
fn crc32(bytes: &[u8]) -> u32 {
    let shift = |sum: u32| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    let step = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), |sum, _| shift(sum));
    !bytes.iter().fold(!0, step)
}

/// Sets the checksums of a GPT, as far as its numbers allow: random ones would hide what is behind them.
fn set_sums(disk: &mut [u8]) -> Option<()> {
    let number = |disk: &[u8], at: usize| {
        Some(u32::from_le_bytes(disk.get(at..at + 4)?.try_into().ok()?) as usize)
    };
    let start = number(disk, 512 + 72)?.checked_mul(512)?;
    let length = number(disk, 512 + 80)?.checked_mul(128)?;
    let entries = crc32(disk.get(start..start.checked_add(length)?)?);
    disk.get_mut(512 + 88..512 + 92)?.copy_from_slice(&entries.to_le_bytes());
    disk.get_mut(512 + 16..512 + 20)?.fill(0);
    let end = number(disk, 512 + 12)?.checked_add(512)?;
    let header = crc32(disk.get(512..end)?);
    disk.get_mut(512 + 16..512 + 20)?.copy_from_slice(&header.to_le_bytes());
    Some(())
}

pub(super) fn partition_table() -> Check {
    let tree = Tree::new(&[
        ("sys/class/block/sda1/partition", b"1\n"),
        ("sys/class/block/sda1/start", b"2048\n"),
        ("sys/class/block/sda5/partition", b"5\n"),
        ("sys/class/block/sda5/start", b"4098\n"),
    ]);
    let disk = tree.file("dev/sda", b"");
    Box::new(move |input| {
        let mut bytes = input.to_vec();
        // Without room for the entries there is nothing to sum up.
        let _ = set_sums(&mut bytes);
        disk.set(&bytes);
        for name in ["sda1", "sda5"] {
            black_box(partition::read(tree.root(), "sda", name));
        }
    })
}
