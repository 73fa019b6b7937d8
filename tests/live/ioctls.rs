//! Devices above other devices: partitions of a loop device, device mapper, RAID. Each is created by an
//! ioctl with a kernel structure, written here byte by byte.

#![allow(unsafe_code, reason = "no safe crate offers these; there is one call")]

use nix::libc;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// From `include/uapi/linux/loop.h` and `fs.h`.
const LOOP_SET_STATUS64: u64 = 0x4C04;
const LOOP_GET_STATUS64: u64 = 0x4C05;
const LOOP_FLAGS: usize = 52;
const PARTSCAN: u8 = 8;
const BLKRRPART: u64 = 0x125F;
/// From `include/uapi/linux/dm-ioctl.h`: command numbers, and offsets in `struct dm_ioctl`.
const DM: usize = 312;
const DM_CREATE: u64 = 3;
const DM_REMOVE: u64 = 4;
const DM_RESUME: u64 = 6;
const DM_LOAD: u64 = 9;
const DM_TARGETS: usize = 20;
const DM_DEVICE: usize = 40;
const DM_NAME: usize = 48;
/// From `include/uapi/linux/raid/md_u.h`.
const MD_SET_INFO: u64 = 0x4048_0923;
const MD_ADD_DISK: u64 = 0x4014_0921;
const MD_RUN: u64 = 0x400c_0930;
const MD_STOP: u64 = 0x932;
/// A member that is in use and up to date.
const MD_IN_SYNC: u32 = 6;

/// Makes the kernel read the partition table of a loop device again.
pub(crate) fn read_partitions(device: &Path) -> io::Result<()> {
    let file = open(device)?;
    let mut status = [0; 232];
    order(&file, LOOP_GET_STATUS64, &mut status)?;
    status[LOOP_FLAGS] |= PARTSCAN;
    order(&file, LOOP_SET_STATUS64, &mut status)?;
    order(&file, BLKRRPART, &mut [])
}

/// Creates a device of the device mapper, without a table, and names it.
pub(crate) fn create_mapped(name: &str) -> io::Result<PathBuf> {
    let made = mapper(DM_CREATE, name, &[])?;
    Ok(PathBuf::from(format!("/dev/dm-{}", made[DM_DEVICE])))
}

/// Gives the device a table of one target, in place of a present one; I/O waits meanwhile.
pub(crate) fn set_table(
    name: &str,
    sectors: u64,
    target: &str,
    parameters: &str,
) -> io::Result<()> {
    // `struct dm_target_spec`, and the parameters of its driver.
    let mut table = vec![0; 40];
    table[8..16].copy_from_slice(&sectors.to_ne_bytes());
    table[24..24 + target.len()].copy_from_slice(target.as_bytes());
    table.extend_from_slice(format!("{parameters}\0").as_bytes());
    table.resize(table.len().next_multiple_of(8), 0);
    mapper(DM_LOAD, name, &table)?;
    mapper(DM_RESUME, name, &[]).map(|_| ())
}

/// Removes the device.
pub(crate) fn remove_mapped(name: &str) -> io::Result<()> {
    mapper(DM_REMOVE, name, &[]).map(|_| ())
}

fn mapper(what: u64, name: &str, more: &[u8]) -> io::Result<Vec<u8>> {
    let control = open("/dev/mapper/control".as_ref())?;
    let mut bytes = vec![0; DM];
    let size = u32::try_from(DM + more.len()).expect("a small order");
    let begin = u32::try_from(DM).expect("small");
    // Version 4.0.0, the total size, and the offset of the data that follows.
    for (place, number) in [4, 0, 0, size, begin].into_iter().enumerate() {
        bytes[place * 4..][..4].copy_from_slice(&u32::to_ne_bytes(number));
    }
    bytes[DM_TARGETS..][..4].copy_from_slice(&u32::from(!more.is_empty()).to_ne_bytes());
    bytes[DM_NAME..][..name.len()].copy_from_slice(name.as_bytes());
    bytes.extend_from_slice(more);
    // _IOWR(0xfd, what, struct dm_ioctl)
    order(&control, 3 << 30 | (DM as u64) << 16 | 0xfd << 8 | what, &mut bytes)?;
    Ok(bytes)
}

/// Makes an array of one device, without writing to it.
pub(crate) fn mirror(array: &Path, member: &Path, kib: u32, number: u32) -> io::Result<()> {
    let file = open(array)?;
    let device = member.metadata()?.rdev();
    let numbers = |numbers: &[u32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()
    };
    let device = [libc::major(device), libc::minor(device)];
    // `mdu_array_info_t`: version 0.90, level 1, not persistent, clean.
    let info = [0, 90, 0, 0, 1, kib, 1, 1, number, 1, 0, 1, 1, 1, 0, 0, 0, 0];
    order(&file, MD_SET_INFO, &mut numbers(&info))?;
    order(&file, MD_ADD_DISK, &mut numbers(&[0, device[0], device[1], 0, MD_IN_SYNC]))?;
    order(&file, MD_RUN, &mut numbers(&[0, 0, 0]))
}

/// Stops the array.
pub(crate) fn stop_array(array: &Path) -> io::Result<()> {
    order(&open(array)?, MD_STOP, &mut [])
}

fn order(file: &File, what: u64, bytes: &mut [u8]) -> io::Result<()> {
    // SAFETY: each command above comes with as many bytes as the kernel reads and writes for it.
    let done = unsafe { libc::ioctl(file.as_raw_fd(), what as _, bytes.as_mut_ptr()) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}
