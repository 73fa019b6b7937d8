//! Swap areas that are removed when dropped.

use crate::lab::{Lab, OURS, retry};
use crate::{mounts, program, syscalls};
use nix::sys::statfs::{TMPFS_MAGIC, fstatfs};
use nix::unistd::{SysconfVar, sysconf};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Label and UUID of an area.
pub(crate) struct Title {
    /// At most 16 bytes.
    pub(crate) label: &'static str,
    pub(crate) uuid: &'static str,
}

/// An active area with its device or file.
pub(crate) struct Area {
    pub(crate) path: PathBuf,
    take_down: fn(&Path),
}

impl Drop for Area {
    fn drop(&mut self) {
        (self.take_down)(&self.path);
    }
}

impl Area {
    /// A file that was noted in the journal and is to be enabled.
    pub(crate) fn of_file(path: PathBuf) -> Self {
        Self { path, take_down: take_down_file }
    }
}

/// Skips a test whose areas have to be the only ones: others would be disabled by it, or take its pages.
pub(crate) fn are_ours_only() -> Result<(), String> {
    if listed().is_empty() { Ok(()) } else { Err("this machine has other swap areas".to_owned()) }
}

/// Bytes in a page of this machine.
pub(crate) fn page_size() -> u64 {
    let size = sysconf(SysconfVar::PAGE_SIZE).ok().flatten();
    size.and_then(|size| u64::try_from(size).ok()).expect("pages have a size")
}

/// A new zram device as swap.
pub(crate) fn zram(lab: &Lab, size: u64, title: &Title, priority: u16) -> Result<Area, String> {
    let area = new_zram(lab)?;
    give_size(&area, size, title)?;
    use_it(&area, priority)?;
    Ok(area)
}

/// The file that creates a zram device.
const MAKER: &str = "/sys/class/zram-control/hot_add";

/// Loads the zram module.
pub(crate) fn load_zram() {
    if !Path::new(MAKER).exists() {
        // Without a device of its own: every device that appears is ours.
        program::tool("modprobe", &["zram", "num_devices=0"]);
    }
}

/// A new zram device without a size.
pub(crate) fn new_zram(lab: &Lab) -> Result<Area, String> {
    load_zram();
    let number = fs::read_to_string(MAKER)
        .map_err(|error| format!("no zram device can be created: {MAKER}: {error}"))?;
    let path = PathBuf::from(format!("/dev/zram{}", number.trim()));
    lab.note("zram", &path);
    Ok(Area { path, take_down: take_down_zram })
}

/// A zram device created by the program under test: it is removed with the others.
pub(crate) fn adopt_zram(lab: &Lab, number: u64) -> Area {
    let path = PathBuf::from(format!("/dev/zram{number}"));
    lab.note("zram", &path);
    Area { path, take_down: take_down_zram }
}

/// Sets the size of a zram device, and writes the header by which a later run recognises it.
pub(crate) fn give_size(area: &Area, size: u64, title: &Title) -> Result<(), String> {
    fs::write(sysfs(&area.path).join("disksize"), size.to_string()).expect("zram takes a size");
    wait_for(&area.path)?;
    write_header(&area.path, title, size);
    Ok(())
}

/// A loop device on a file of ours as swap.
pub(crate) fn on_loop(lab: &Lab, size: u64, title: &Title, priority: u16) -> Result<Area, String> {
    let area = new_loop(lab, size)?;
    if !mkswap(&area.path, title) {
        write_header(&area.path, title, size);
    }
    use_it(&area, priority)?;
    Ok(area)
}

/// A loop device on a file of zeros.
pub(crate) fn new_loop(lab: &Lab, size: u64) -> Result<Area, String> {
    new_loop_on(lab, "backing", size)
}

/// A loop device on a file of this name.
pub(crate) fn new_loop_on(lab: &Lab, name: &str, size: u64) -> Result<Area, String> {
    let backing = lab.scratch.file(name);
    let file =
        filled(&backing, size).map_err(|error| format!("no file for a loop device: {error}"))?;
    refuse_tmpfs(&file)?;
    loop_on(&file)
}

/// A loop device on an open file. It needs no note: its backing file shows whose it is.
pub(crate) fn loop_on(file: &File) -> Result<Area, String> {
    load_loop();
    let path = syscalls::attach_loop(file).map_err(|error| format!("no loop device: {error}"))?;
    Ok(Area { path, take_down: take_down_loop })
}

/// Fails for a file in tmpfs. The kernel could swap its pages out to the area that they back, and would then
/// wait for itself until it is restarted.
fn refuse_tmpfs(file: &File) -> Result<(), String> {
    match fstatfs(file) {
        Ok(system) if system.filesystem_type() == TMPFS_MAGIC => {
            Err("loop devices need temporary files outside of tmpfs: set TMPDIR".to_owned())
        }
        _ => Ok(()),
    }
}

fn load_loop() {
    if !Path::new("/dev/loop-control").exists() {
        program::tool("modprobe", &["loop", "max_loop=0"]);
    }
}

/// A loop device on a sparse file in memory, of any size. Memory that can be swapped out must not back an
/// area, see [`refuse_tmpfs`].
pub(crate) fn sparse_loop(size: u64) -> Result<Area, String> {
    let file = mounts::file_in_memory(OURS);
    let file = file.map_err(|error| format!("no file in memory: {error}"))?;
    file.set_len(size).map_err(|error| format!("a file of {size} bytes: {error}"))?;
    let area = loop_on(&file)?;
    // Up to 6.12 rotating devices have no clusters.
    let _ = fs::write(sysfs(&area.path).join("queue/rotational"), "0");
    Ok(area)
}

/// A whole disk of the test machine.
pub(crate) fn on_disk(
    path: &Path,
    size: u64,
    title: &Title,
    priority: u16,
) -> Result<Area, String> {
    let area = Area { path: path.to_owned(), take_down: |path| drop(swapoff(path)) };
    write_header(&area.path, title, size);
    use_it(&area, priority)?;
    Ok(area)
}

/// A swap file, if a file system here can have one.
pub(crate) fn file(lab: &Lab, size: u64, title: &Title, priority: u16) -> Result<Area, String> {
    let mut reasons = Vec::new();
    for path in [lab.scratch.file("swapfile"), PathBuf::from(format!("/var/tmp/{OURS}.swap"))] {
        lab.note("swapfile", &path);
        match file_at(path, size, title, priority) {
            Ok(area) => return Ok(area),
            Err(reason) => reasons.push(reason),
        }
    }
    Err(reasons.join("; "))
}

fn file_at(path: PathBuf, size: u64, title: &Title, priority: u16) -> Result<Area, String> {
    let area = Area::of_file(path);
    let shown = area.path.display();
    filled(&area.path, size).map_err(|error| format!("{shown}: {error}"))?;
    write_header(&area.path, title, size);
    use_it(&area, priority)?;
    Ok(area)
}

/// Enables the area, with the kernel's default priority if none is given.
pub(crate) fn use_it(area: &Area, priority: impl Into<Option<u16>>) -> Result<(), String> {
    enable(&area.path, priority)
}

/// Enables an area with a header, with the kernel's default priority if none is given.
pub(crate) fn enable(path: &Path, priority: impl Into<Option<u16>>) -> Result<(), String> {
    let priority = priority.into();
    // udev may be reading the new header, which keeps the device busy.
    let done = retry(|| match syscalls::swapon(path, priority) {
        Err(error) if error.raw_os_error() == Some(nix::libc::EBUSY) => Err(error),
        other => Ok(other),
    });
    let flat = done.and_then(|result| result);
    flat.map_err(|error| format!("swapon {}: {error}", path.display()))
}

/// Removes a device noted by an earlier run, unless its number now belongs to somebody else's data.
pub(crate) fn take_down_old_zram(path: &Path) {
    let foreign = |head: Vec<u8>| !has_our_label(&head) && head.iter().any(|byte| *byte != 0);
    if !head(path).is_some_and(foreign) {
        take_down_zram(path);
    }
}

pub(crate) fn take_down_zram(path: &Path) {
    let sysfs = sysfs(path);
    if !sysfs.exists() {
        return;
    }
    let _ = swapoff(path);
    let _ = retry(|| fs::write(sysfs.join("reset"), "1"));
    let number = path.to_string_lossy().trim_start_matches("/dev/zram").to_owned();
    let _ = retry(|| fs::write("/sys/class/zram-control/hot_remove", &number));
}

/// Removes every loop device on a file of ours.
pub(crate) fn take_down_loops() {
    for entry in fs::read_dir("/sys/block").into_iter().flatten().flatten() {
        take_down_loop(&Path::new("/dev").join(entry.file_name()));
    }
}

fn take_down_loop(path: &Path) {
    let backing = fs::read_to_string(sysfs(path).join("loop/backing_file")).unwrap_or_default();
    if backing.contains(OURS) {
        let _ = swapoff(path);
        let _ = retry(|| syscalls::detach_loop(path));
    }
}

pub(crate) fn take_down_file(path: &Path) {
    let _ = swapoff(path);
    let _ = fs::remove_file(path);
}

pub(crate) fn swapoff(path: &Path) -> io::Result<()> {
    let swaps = fs::read(Path::new("/proc/swaps")).unwrap_or_default();
    let wanted = path.as_os_str().as_encoded_bytes();
    let mut lines = swaps.split(|byte| *byte == b'\n');
    let active = lines.any(|line| line.split(u8::is_ascii_whitespace).next() == Some(wanted));
    if active {
        return retry(|| syscalls::swapoff(path));
    }
    // An area enabled in a mount namespace that is gone has another name now.
    let _ = syscalls::swapoff(path);
    Ok(())
}

/// The sysfs folder of a block device.
pub(crate) fn sysfs(path: &Path) -> PathBuf {
    Path::new("/sys/block").join(path.file_name().unwrap_or_default())
}

fn wait_for(path: &Path) -> Result<(), String> {
    let found = retry(|| fs::metadata(path));
    found.map(|_| ()).map_err(|error| format!("{}: {error} (is /dev alive?)", path.display()))
}

/// A file without holes, readable by its owner only.
fn filled(path: &Path, size: u64) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(path)?;
    io::copy(&mut io::repeat(0).take(size), &mut file)?;
    file.flush()?;
    file.sync_all()?;
    Ok(file)
}

/// Writes the header with mkswap, if its version supports labels and UUIDs.
fn mkswap(path: &Path, title: &Title) -> bool {
    let path = path.to_string_lossy();
    let help = program::tool("mkswap", &["--version"]);
    help.is_some_and(|text| text.contains("util-linux"))
        && program::tool("mkswap", &["-L", title.label, "-U", title.uuid, &path]).is_some()
}

/// Writes the header as in `union swap_header` of `include/linux/swap.h`.
pub(crate) fn write_header(path: &Path, title: &Title, size: u64) {
    let page = page_size();
    let last = u32::try_from(size / page - 1).expect("a small area");
    let mut head = vec![0_u8; usize::try_from(page).expect("a page")];
    let end = head.len();
    head[1024..1028].copy_from_slice(&1_u32.to_ne_bytes());
    head[1028..1032].copy_from_slice(&last.to_ne_bytes());
    head[1036..1052].copy_from_slice(&uuid_bytes(title.uuid));
    head[1052..1052 + title.label.len()].copy_from_slice(title.label.as_bytes());
    head[end - 10..].copy_from_slice(b"SWAPSPACE2");
    let file = OpenOptions::new().write(true).open(path).expect("the area can be opened");
    file.write_all_at(&head, 0).expect("the area takes a header");
    file.sync_all().expect("the header is written");
}

fn uuid_bytes(text: &str) -> [u8; 16] {
    let digits = text.replace('-', "");
    u128::from_str_radix(&digits, 16).expect("a UUID").to_be_bytes()
}

fn has_our_label(head: &[u8]) -> bool {
    head.get(1052..1052 + OURS.len()) == Some(OURS.as_bytes())
}

fn head(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path).ok()?.take(4096).read_to_end(&mut head).ok()?;
    Some(head)
}

/// The areas, without what is used of them: the machine may swap at any time.
pub(crate) fn listed() -> String {
    let text = fs::read_to_string("/proc/swaps").expect("the list of areas");
    let area = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        [words[0], words[1], words[2], words[4]].join(" ")
    };
    let mut areas: Vec<String> = text.lines().skip(1).map(area).collect();
    areas.sort_unstable();
    areas.join("\n")
}
