//! A device of the device mapper above a loop device, whose table can change under an active area: to fail, to
//! lose writes, or to answer late.

use crate::areas::{self, Area, Title, swapoff, sysfs};
use crate::hog::Hog;
use crate::lab::{Lab, OURS, retry};
use crate::memory_limit::MemoryLimit;
use crate::{ioctls, program};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The device; removed when dropped, before the one below it.
pub(crate) struct Mapped {
    pub(crate) path: PathBuf,
    pub(crate) below: Area,
    sectors: u64,
}

impl Mapped {
    /// Maps a new loop device, as LVM or cryptsetup do.
    pub(crate) fn new(lab: &Lab, size: u64) -> Result<Self, String> {
        program::tool("modprobe", &["dm-mod"]);
        let control = Path::new("/dev/mapper/control");
        if !control.exists() {
            return Err(format!("this kernel has no device mapper: no {}", control.display()));
        }
        let below = areas::new_loop(lab, size)?;
        lab.note("mapped", Path::new(OURS));
        let path = ioctls::create_mapped(OURS);
        let path = path.map_err(|error| format!("no device can be mapped: {error}"))?;
        let mapped = Self { path, below, sectors: size / 512 };
        mapped.be_healthy()?;
        Ok(mapped)
    }

    /// Maps a new loop device, and enables it as an area.
    pub(crate) fn area(lab: &Lab, size: u64, title: &Title, priority: u16) -> Result<Self, String> {
        let mapped = Self::new(lab, size)?;
        areas::write_header(&mapped.path, title, size);
        areas::enable(&mapped.path, priority)?;
        Ok(mapped)
    }

    /// Passes everything on.
    pub(crate) fn be_healthy(&self) -> Result<(), String> {
        self.set("linear", &format!("{} 0", self.below.path.display()))
    }

    /// Fails everything.
    pub(crate) fn fail(&self) -> Result<(), String> {
        self.set("error", "")
    }

    /// Fails reads, or writes, or loses writes, by the word of dm-flakey.
    pub(crate) fn misbehave(&self, word: &str) -> Result<(), String> {
        program::tool("modprobe", &["dm-flakey"]);
        // Up for 0 s, down for 1 s, and so on.
        self.set("flakey", &format!("{} 0 0 1 1 {word}", self.below.path.display()))
    }

    /// Delays everything.
    pub(crate) fn delay(&self, milliseconds: u64) -> Result<(), String> {
        program::tool("modprobe", &["dm-delay"]);
        self.set("delay", &format!("{} 0 {milliseconds}", self.below.path.display()))
    }

    /// Bytes on it while it is an active area.
    pub(crate) fn used(&self) -> u64 {
        used(&self.path)
    }

    fn set(&self, target: &str, parameters: &str) -> Result<(), String> {
        let set = ioctls::set_table(OURS, self.sectors, target, parameters);
        set.map_err(|error| format!("the target \"{target} {parameters}\": {error}"))
    }
}

const MIB: u64 = 1 << 20;
static TITLE: Title =
    Title { label: "swapadm-live-dm", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000d0de0" };

/// An area on such a device, with most of the memory of some loads on it, which have no memory limit any more.
pub(crate) struct MappedScene {
    pub(crate) hogs: Vec<Hog>,
    pub(crate) cage: MemoryLimit,
    pub(crate) device: Mapped,
    /// Bytes on the area after the loads were filled.
    pub(crate) moved: u64,
}

impl MappedScene {
    /// Creates the scene with loads of so many MiB.
    pub(crate) fn new(lab: &Lab, priority: u16, loads: &[u64]) -> Result<Self, String> {
        let device = Mapped::area(lab, 160 * MIB, &TITLE, priority)?;
        let cage = MemoryLimit::new(lab, 256 * MIB)?;
        let fill = |mib: &u64| {
            let mut hog = Hog::new(&cage);
            hog.fill(*mib);
            hog
        };
        let hogs = loads.iter().map(fill).collect();
        let mut scene = Self { hogs, cage, device, moved: 0 };
        if !loads.is_empty() {
            scene.swap_out(loads.iter().sum::<u64>() * MIB / 4);
        }
        Ok(scene)
    }

    /// Swaps the loads out down to this much memory, at most half of which stays.
    fn swap_out(&mut self, memory: u64) {
        self.cage.squeeze(memory);
        self.cage.lift();
        self.moved = self.device.used();
        assert!(self.moved > memory, "too little was swapped out: {} bytes", self.moved);
    }

    /// Swaps out again what has come back.
    pub(crate) fn fill_again(&mut self) {
        self.swap_out(self.moved / 2);
    }

    /// The checksum of each load. Their pages come back for it, and are swapped out again.
    pub(crate) fn sums(&mut self) -> Vec<String> {
        let sums = self.hogs.iter_mut().map(Hog::sum).collect();
        self.fill_again();
        sums
    }

    /// No load has lost a byte.
    pub(crate) fn are_unchanged(&mut self, sums: &[String]) {
        for (hog, sum) in self.hogs.iter_mut().zip(sums) {
            hog.rest_unchanged(sum);
        }
    }
}

/// Bytes on an active area, as shown by the kernel.
fn used(path: &Path) -> u64 {
    let swaps = fs::read_to_string("/proc/swaps").expect("the file is readable");
    let row = swaps.lines().find(|row| row.split_whitespace().next() == path.to_str());
    let used = row.and_then(|row| row.split_whitespace().nth(3)?.parse::<u64>().ok());
    used.map_or(0, |kib| kib << 10)
}

impl Drop for Mapped {
    /// An area that is still active must be readable to be disabled.
    fn drop(&mut self) {
        let _ = self.be_healthy();
        take_down();
    }
}

/// Removes the device, also one of an earlier run.
pub(crate) fn take_down() {
    let names = fs::read_dir("/sys/block").into_iter().flatten().flatten().map(|it| it.file_name());
    let is_ours = |name: &OsString| {
        let title = fs::read_to_string(sysfs(Path::new(name)).join("dm/name"));
        title.is_ok_and(|title| title.trim() == OURS)
    };
    let ours = names.filter(is_ours);
    for name in ours {
        let _ = swapoff(&Path::new("/dev").join(name));
        let _ = retry(|| ioctls::remove_mapped(OURS));
    }
}
