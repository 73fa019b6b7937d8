//! Discard: the backing file of a loop device loses the blocks of free space.

use crate::areas::{self, Area, Title, page_size};
use crate::change::{json_of, priority};
use crate::hog::Hog;
use crate::lab::{self, Lab, retry};
use crate::memory_limit::MemoryLimit;
use crate::program;
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::PathBuf;

const MIB: u64 = 1 << 20;
const SIZE: u64 = 32 * MIB;
static TITLE: Title =
    Title { label: "swapadm-live-di", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000d15cc0de" };

/// A disabled area, on a loop device whose file has all its blocks.
struct Disk<'l> {
    lab: &'l Lab,
    area: Area,
    backing: PathBuf,
}

impl<'l> Disk<'l> {
    fn new(lab: &'l Lab) -> Result<Self, String> {
        let area = areas::new_loop(lab, SIZE)?;
        let most = areas::sysfs(&area.path).join("queue/discard_max_bytes");
        let most = fs::read_to_string(most).unwrap_or_default();
        if matches!(most.trim(), "" | "0") {
            return Err("the file system of temporary files cannot discard".to_owned());
        }
        areas::write_header(&area.path, &TITLE, SIZE);
        let disk = Self { lab, area, backing: lab.scratch.file("backing") };
        disk.fill();
        Ok(disk)
    }

    /// Writes the whole area except for its header.
    fn fill(&self) {
        let page = page_size();
        let rest = vec![0xa5_u8; usize::try_from(SIZE - page).expect("small")];
        let device = OpenOptions::new().write(true).open(&self.area.path).expect("our device");
        device
            .write_all_at(&rest, page)
            .and_then(|()| device.sync_all())
            .expect("the file has its blocks");
        assert!(self.held() > SIZE * 9 / 10, "it has all its blocks: {}", self.held());
    }

    /// Bytes allocated to the backing file.
    fn held(&self) -> u64 {
        let file = fs::File::open(&self.backing).expect("our file");
        // Some file systems allocate blocks late.
        file.sync_all().expect("it is written");
        file.metadata().expect("our file").blocks() * 512
    }

    fn path(&self) -> &str {
        self.area.path.to_str().expect("text")
    }

    fn change_json(&self, arguments: &[&str]) -> Value {
        let arguments = [arguments, &["--yes", "--json"]].concat();
        let done = json_of(&mut program::journalled(self.lab, &arguments), 0);
        assert_eq!(done["outcome"]["end"], "done", "{done}");
        done
    }

    /// Allocates the blocks of the file again, while the area is enabled and empty.
    fn refill(&self) {
        let page = page_size();
        let rest = vec![0x5a_u8; usize::try_from(SIZE - page).expect("small")];
        let file = OpenOptions::new().write(true).open(&self.backing).expect("our file");
        file.write_all_at(&rest, page)
            .and_then(|()| file.sync_all())
            .expect("the file has its blocks");
        assert!(self.held() > SIZE * 9 / 10, "it has all its blocks again: {}", self.held());
    }
}

/// The whole area is discarded once when it is enabled, also when it is enabled again.
pub(crate) fn once(lab: &Lab) -> Result<(), String> {
    let disk = Disk::new(lab)?;
    let path = disk.path();
    disk.change_json(&["on", path, "-p", "31000"]);
    assert!(disk.held() > SIZE * 9 / 10, "no discard without a request: {}", disk.held());
    disk.change_json(&["off", path]);
    disk.change_json(&["on", path, "-p", "31000", "--discard=once"]);
    assert!(disk.held() < SIZE / 4, "all is given back: {}", disk.held());

    let wish = format!("{path}=31001");
    disk.refill();
    let done = disk.change_json(&["priority", &wish]);
    let step = &done["steps"][0];
    assert_eq!([&step["from"]["discard"], &step["to"]["discard"]], ["once", "once"], "{step}");
    assert_eq!(priority(&disk.area.path), Some(31_001));
    assert!(disk.held() < SIZE / 4, "with another priority: {}", disk.held());

    disk.refill();
    disk.change_json(&["undo", &done["outcome"]["journal"].to_string()]);
    assert_eq!(priority(&disk.area.path), Some(31_000));
    assert!(disk.held() < SIZE / 4, "taken back: {}", disk.held());

    // Enabled by rebalance from a file.
    let file = lab.scratch.file("wishes");
    fs::write(&file, format!("{path} 31002\n")).expect("a file");
    disk.refill();
    disk.change_json(&["rebalance", "custom", file.to_str().expect("text")]);
    assert_eq!(priority(&disk.area.path), Some(31_002));
    assert!(disk.held() < SIZE / 4, "rebalanced: {}", disk.held());

    // An undone swapoff keeps the discard mode.
    let off = disk.change_json(&["off", path]);
    disk.refill();
    disk.change_json(&["undo", &off["outcome"]["journal"].to_string()]);
    assert!(disk.held() < SIZE / 4, "on again: {}", disk.held());
    disk.change_json(&["off", path]);
    Ok(())
}

/// Page clusters are discarded as they become free, and nothing before.
pub(crate) fn pages(lab: &Lab) -> Result<(), String> {
    let disk = Disk::new(lab)?;
    let path = disk.path();
    disk.change_json(&["on", path, "-p", "31000", "--discard=pages"]);
    assert!(disk.held() > SIZE * 9 / 10, "nothing became free: {}", disk.held());
    given_back(&disk)?;
    disk.refill();
    let done = disk.change_json(&["priority", &format!("{path}=32000")]);
    assert_eq!(done["steps"][0]["to"]["discard"], "pages", "{done}");
    assert!(disk.held() > SIZE * 9 / 10, "nothing became free: {}", disk.held());
    given_back(&disk)?;
    disk.change_json(&["off", path]);
    Ok(())
}

/// Rotating devices are divided into clusters, the unit of discard, only since 6.14.
fn is_before_6_14() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split('.').map_while(|number| number.parse::<u32>().ok());
    (numbers.next(), numbers.next()) < (Some(6), Some(14))
}

/// Runs a load that frees its swap.
fn given_back(disk: &Disk<'_>) -> Result<(), String> {
    let rotates = areas::sysfs(&disk.area.path).join("queue/rotational");
    let rotates = fs::read_to_string(rotates).is_ok_and(|text| text.trim() == "1");
    if rotates && is_before_6_14() {
        lab::remark("discard of freed pages: before 6.14 rotating devices have no clusters");
        return Ok(());
    }
    let cage = MemoryLimit::new(disk.lab, 16 * MIB)?;
    let mut hog = Hog::new(&cage);
    hog.fill(36);
    assert!(cage.swap() > SIZE / 4, "swapped out: {}", cage.swap());
    drop(hog);
    let left = retry(|| {
        let held = disk.held();
        if held < SIZE * 3 / 4 { Ok(()) } else { Err(held) }
    });
    assert_eq!(left, Ok(()), "what became free is given back");
    Ok(())
}
