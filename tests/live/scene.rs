//! The machine under test: two zram areas of equal priority, a loop area, a swap file and a load.

use crate::areas::{self, Area, Title};
use crate::hog::Hog;
use crate::lab::{self, Lab};
use crate::memory_limit::MemoryLimit;
use std::path::Path;

const MIB: u64 = 1 << 20;
/// Memory limit of the load.
const MEMORY: u64 = 64 * MIB;
/// Size of each area of the pair.
const SMALL: u64 = 72 * MIB;
/// Size of each area of a pair that takes long to empty even on a fast machine.
const LARGE: u64 = 320 * MIB;
/// Higher than any other priority, so that the load goes to our areas only.
const PAIR: u16 = 32_000;

/// All parts of the scene, dropped in this order.
pub(crate) struct Scene<'l> {
    pub(crate) hog: Hog,
    pub(crate) cage: MemoryLimit,
    pub(crate) pair: [Area; 2],
    pub(crate) on_loop: Area,
    pub(crate) file: Option<Area>,
    pub(crate) lab: &'l Lab,
    /// The size of each area of the pair.
    each: u64,
}

impl<'l> Scene<'l> {
    /// Creates the scene, or says what the machine lacks.
    pub(crate) fn build(lab: &'l Lab) -> Result<Self, String> {
        Self::with_pair(lab, SMALL)
    }

    /// Creates a scene with a pair that takes long to empty, up to a small part of memory.
    pub(crate) fn slow(lab: &'l Lab) -> Result<Self, String> {
        Self::with_pair(lab, (available() / 32).clamp(SMALL, LARGE))
    }

    fn with_pair(lab: &'l Lab, each: u64) -> Result<Self, String> {
        let file = areas::file(lab, 64 * MIB, &FILE, PAIR - 2);
        if let Err(reason) = &file {
            lab::remark(&format!("the part with a swap file: {reason}"));
        }
        let on_loop = areas::on_loop(lab, 32 * MIB, &LOOP, PAIR - 1)?;
        let pair = [areas::zram(lab, each, &FIRST, PAIR)?, areas::zram(lab, each, &SECOND, PAIR)?];
        let cage = MemoryLimit::new(lab, MEMORY)?;
        let hog = Hog::new(&cage);
        Ok(Self { hog, cage, pair, on_loop, file: file.ok(), lab, each })
    }

    /// Each of our areas with its kind and title.
    pub(crate) fn titles(&self) -> Vec<(&Path, &'static str, &'static Title)> {
        let mut titles = vec![
            (self.pair[0].path.as_path(), "zram", &FIRST),
            (self.pair[1].path.as_path(), "zram", &SECOND),
            (self.on_loop.path.as_path(), "loop", &LOOP),
        ];
        titles.extend(self.file.as_ref().map(|area| (area.path.as_path(), "file", &FILE)));
        titles
    }

    /// Fills half or more of the pair, and nothing else.
    pub(crate) fn fill_the_pair(&mut self) {
        self.hog.fill((MEMORY + self.each * 4 / 3) / MIB);
    }

    /// Fills until all areas are in use.
    pub(crate) fn fill_the_rest(&mut self) {
        self.hog.fill(if self.file.is_some() { 110 } else { 70 });
    }
}

/// Available memory of the machine.
fn available() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").expect("the kernel tells");
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kib.expect("a number") << 10
}

static FIRST: Title =
    Title { label: "swapadm-live-0", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000000c0de" };
static SECOND: Title =
    Title { label: "swapadm-live-1\u{e4}", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000001c0de" };
static LOOP: Title =
    Title { label: "swapadm-live xy", uuid: "0b1a7c55-90ab-4cde-a123-456789abcdef" };
static FILE: Title =
    Title { label: "swapadm-live-16c", uuid: "f0e1d2c3-b4a5-4697-8879-6a5b4c3d2e1f" };
