//! The machine under test: two zram areas of one priority, a loop area, a swap file and a load.

use crate::areas::{self, Area, Title};
use crate::memory_limit::MemoryLimit;
use crate::hog::Hog;
use crate::lab::{self, Lab};
use std::path::Path;

const MIB: u64 = 1 << 20;
/// What the load may keep in memory.
const MEMORY: u64 = 64 * MIB;
/// The size of each of the pair, where nothing has to last.
const SMALL: u64 = 72 * MIB;
/// The same where emptying one is to take a while also on a quick machine.
const LARGE: u64 = 320 * MIB;
/// Above what anybody uses, so that the load goes to our areas only.
const PAIR: u16 = 32_000;

/// Everything; what is first here goes first when it ends.
pub(crate) struct Scene<'l> {
    pub(crate) hog: Hog,
    pub(crate) cage: MemoryLimit,
    pub(crate) pair: [Area; 2],
    pub(crate) on_loop: Area,
    pub(crate) file: Option<Area>,
    pub(crate) lab: &'l Lab,
    /// The size of each of the pair.
    each: u64,
}

impl<'l> Scene<'l> {
    /// Make all of it, or say what the machine lacks.
    pub(crate) fn build(lab: &'l Lab) -> Result<Self, String> {
        Self::with_pair(lab, SMALL)
    }

    /// The same with a pair that takes a while to empty, as large as a small part of the memory.
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

    /// Each area of ours with its kind and its title.
    pub(crate) fn titles(&self) -> Vec<(&Path, &'static str, &'static Title)> {
        let mut titles = vec![
            (self.pair[0].path.as_path(), "zram", &FIRST),
            (self.pair[1].path.as_path(), "zram", &SECOND),
            (self.on_loop.path.as_path(), "loop", &LOOP),
        ];
        titles.extend(self.file.as_ref().map(|area| (area.path.as_path(), "file", &FILE)));
        titles
    }

    /// Fill the pair by half or more, and nothing else.
    pub(crate) fn fill_the_pair(&mut self) {
        self.hog.fill((MEMORY + self.each * 4 / 3) / MIB);
    }

    /// Go on until all areas hold something.
    pub(crate) fn fill_the_rest(&mut self) {
        self.hog.fill(if self.file.is_some() { 110 } else { 70 });
    }
}

/// The memory that the machine can give.
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
