//! `/sys/kernel/debug/zram/zramN/block_state`: state of each slot that a zram device stores.
//!
//! Kernel: `read_block_state` of `drivers/block/zram/zram_drv.c`, with
//! `CONFIG_ZRAM_MEMORY_TRACKING`; only root can read it, and on 7.x it does not answer while
//! writeback or recompression runs, so it is read through [`crate::root::child_reader`]. A line for each
//! slot: its number, the latest access in seconds since boot, and four marks, six since 6.12.
//!
//! Not visible here: which slots are allocated. Zero pages are not stored since 6.12, nor are pages not
//! written yet; a page that was swapped in may still be stored.

use super::grid::{ClusterBudget, Grid, MOST_STORED, Sizes};
use crate::clock::Clock;
use crate::model::clusters::{Ages, ClusterMap, ClusterView, SlotSet, ZramStored};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Part, Reading, Snapshot, zram};
use crate::probes::{Probe, ReadInterval, kernel_config, scan};
use crate::root::{Root, parse_u64};
use std::collections::BTreeMap;
use std::ops::Range;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::StoredClusters,
    id: "stored",
    tier: ReadInterval::OnDemand,
    files: &[
        "sys/kernel/debug/zram/*/block_state",
        "sys/block/zram*/mm_stat",
        kernel_config::FILES,
    ],
    about: "Which slots zram devices have stored, how, and how long ago",
    remedy: "run as root, with debugfs mounted (mount -t debugfs none /sys/kernel/debug) and a kernel built with CONFIG_ZRAM_MEMORY_TRACKING",
};

const DEBUGFS: &str = "sys/kernel/debug";
/// The marks of a slot in their columns; kernels before 6.12 have the first four.
const MARKS: &[u8; 6] = b"swhirn";
const OLD_MARKS: usize = 4;
/// A line has 41 bytes; longer lines are foreign.
const LONGEST: usize = 256;

/// A line of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StoredSlot {
    slot: u64,
    /// The contribution to the cluster.
    stored: ZramStored,
}

/// Reads the clusters of all areas that are zram devices.
pub fn read(root: &Root, clock: &Clock, snapshot: &Snapshot) -> Reading<Vec<Reading<ClusterMap>>> {
    let now_s = snapshot.stamp.boot_ns / 1_000_000_000;
    let mut budget = ClusterBudget::new(MOST_STORED);
    let mut read = |area: &SwapArea, sizes: &Sizes| -> Result<ClusterMap, Missing> {
        let start = clock.cpu_us();
        let (number, grid) = (device(area)?, sizes.grid(area)?);
        budget.take(grid.len() as u64)?;
        let mut map = clusters(root, number, grid, sizes, now_s)?;
        map.cost_us = clock.cpu_us().saturating_sub(start);
        Ok(map)
    };
    let areas = snapshot.swaps.reading.as_ref();
    areas.and_then(|areas| {
        let sizes = Reading::from(Sizes::from_snapshot(root, snapshot));
        sizes.map(|sizes| {
            let maps = areas.iter().map(|area| read(area, &sizes).into()).collect();
            super::compare_with_swaps(root, areas, maps)
        })
    })
}

/// The slots of an area that its zram device stores, except for the header, or why they are unknown.
pub fn slots(root: &Root, snapshot: &Snapshot, area: &SwapArea) -> Result<SlotSet, Missing> {
    let grid = Sizes::from_snapshot(root, snapshot)?.grid(area)?;
    let mut slots = SlotSet::default();
    each_block(root, device(area)?, grid.slots, |block| {
        slots.insert(block.slot);
    })?;
    Ok(slots)
}

/// The number of pages that a device marks as idle, or has marked, if it marks those with no access after
/// this second since boot. The kernel marks only pages that it keeps compressed in memory.
pub fn unused_pages(root: &Root, number: u64, last_s: u64) -> Result<u64, Missing> {
    let mut pages = 0;
    let list = each_block(root, number, u64::MAX, |block| {
        let ZramStored { same, written, idle, touched_s, .. } = block.stored;
        let is_old = idle > 0 || touched_s.is_none_or(|touched_s| touched_s <= last_s);
        pages += u64::from(same + written == 0 && is_old);
    })?;
    list.partial().map_or(Ok(pages), |why| Err(Missing::failed(why)))
}

/// The marks of each stored slot of one cluster, and why some may be missing.
pub(super) fn marks(
    root: &Root,
    area: &SwapArea,
    grid: Grid,
    range: &Range<u64>,
) -> Result<(BTreeMap<u64, ZramStored>, Option<String>), Missing> {
    let mut marks = BTreeMap::new();
    let list = each_block(root, device(area)?, grid.slots, |block| {
        if range.contains(&block.slot) {
            marks.insert(block.slot, block.stored);
        }
    })?;
    Ok((marks, list.partial()))
}

fn clusters(
    root: &Root,
    number: u64,
    grid: Grid,
    sizes: &Sizes,
    now_s: u64,
) -> Result<ClusterMap, Missing> {
    let mut taken = vec![0; grid.len()];
    let mut stored = vec![ZramStored::default(); grid.len()];
    let mut ages = Ages::default();
    let before = counted(root, number, sizes);
    let mut list = each_block(root, number, grid.slots, |block| {
        // A slot accessed after the start of the snapshot has age 0.
        if let Some(touched_s) = block.stored.touched_s {
            ages.add(now_s.saturating_sub(touched_s));
        }
        let cluster = grid.cluster_of(block.slot);
        if let (Some(taken), Some(stored)) = (taken.get_mut(cluster), stored.get_mut(cluster)) {
            *taken += 1;
            add(stored, &block.stored);
        }
    })?;
    let mut map = grid.map(ClusterView::Stored, taken, stored);
    map.ages = Some(ages);
    if before.is_some_and(|before| list.is_short_of(before)) {
        // Pages freed meanwhile are not missing.
        list.counted = counted(root, number, sizes).filter(|after| list.is_short_of(*after));
    }
    map.partial = list.partial();
    Ok(map)
}

/// Number of pages stored by the device's own count, including its backing device.
fn counted(root: &Root, number: u64, sizes: &Sizes) -> Option<u64> {
    let [read]: [_; 1] =
        root.read_zram_files(&format!("sys/block/zram{number}"), &["mm_stat"]).try_into().ok()?;
    let bytes: Vec<u8> = Reading::into_result(read).ok()?;
    Some(sizes.pages(parse_u64(scan::fields(&bytes).next()?)?))
}

fn add(sum: &mut ZramStored, block: &ZramStored) {
    sum.same += block.same;
    sum.written += block.written;
    sum.huge += block.huge;
    sum.idle += block.idle;
    sum.touched_s = sum.touched_s.max(block.touched_s);
}

/// The number of the zram device of an area.
fn device(area: &SwapArea) -> Result<u64, Missing> {
    let none = || Missing::absent(format!("{} is not a zram device", area.path.safe()));
    zram::device_number(&area.path).ok_or_else(none)
}

/// Defects of a list.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    /// Lines that make no sense.
    strange: u64,
    /// The list ends within a line, which the kernel never writes.
    is_cut: bool,
    /// Lines of stored pages.
    pages: u64,
    /// The count of zram, if it is much larger.
    counted: Option<u64>,
}

impl Faults {
    /// Whether the list has less than 95 % of this many pages.
    fn is_short_of(&self, counted: u64) -> bool {
        self.pages.saturating_mul(20) < counted.saturating_mul(19)
    }

    /// Why slots may be missing.
    fn partial(self) -> Option<String> {
        let strange = (self.strange > 0)
            .then(|| format!("{} lines of block_state are invalid", self.strange));
        let cut = self.is_cut.then(|| "block_state is truncated".to_owned());
        let short = self.counted.map(|counted| {
            format!("block_state lists {} pages, but zram counts {counted}", self.pages)
        });
        let reasons: Vec<String> = [strange, cut, short].into_iter().flatten().collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// Visits the stored slots, in order.
fn each_block(
    root: &Root,
    number: u64,
    slots: u64,
    mut each: impl FnMut(&StoredSlot),
) -> Result<Faults, Missing> {
    let (mut faults, mut next) = (Faults::default(), 0);
    let mut line = |line: &[u8]| match parse(line) {
        // Slots are in order, each once.
        Some(block) if block.slot >= next => {
            next = block.slot.saturating_add(1);
            faults.pages += 1;
            // The first slot is the header; slots past the end are left from an earlier use of the device.
            if block.slot > 0 && block.slot < slots {
                each(&block);
            }
        }
        _ => faults.strange += 1,
    };
    let mut lines = scan::LineSplitter::new(LONGEST);
    let read = root.read_zram_blocks(number, |piece| {
        lines.feed(piece, &mut line);
        !root.is_cancelled()
    });
    // A line without its end is skipped: its number may be truncated.
    lines.end(|_| faults.is_cut = true);
    match read {
        Ok(()) => Ok(faults),
        Err(missing) => Err(explain(root, number, missing)),
    }
}

/// Parses a line such as `   17    13.750033 ..h...`; none for any other line.
fn parse(line: &[u8]) -> Option<StoredSlot> {
    let mut fields = scan::fields(line);
    let slot = parse_u64(fields.next()?)?;
    let seconds = fields.next()?.split(|byte| *byte == b'.').next()?;
    let marks = fields.next()?;
    let is_mark = |(mark, name): (&u8, &u8)| matches!(mark, b'.') || mark == name;
    let known = matches!(marks.len(), OLD_MARKS | 6) && marks.iter().zip(MARKS).all(is_mark);
    let has = |mark: u8| u16::from(marks.contains(&mark));
    (known && fields.next().is_none()).then_some(StoredSlot {
        slot,
        stored: ZramStored {
            same: has(b's'),
            written: has(b'w'),
            huge: has(b'h'),
            idle: has(b'i'),
            // A slot written back or recompressed has no time.
            touched_s: Some(parse_u64(seconds)?).filter(|seconds| *seconds > 0),
        },
    })
}

/// Explains why the file is missing: its path alone says little.
fn explain(root: &Root, number: u64, missing: Missing) -> Missing {
    let Missing::Absent(what) = &missing else { return missing };
    if !root.is_live() {
        return Missing::absent(format!(
            "a captured tree does not contain the state of slots of zram{number}"
        ));
    }
    let has = |path: &str| root.names(path).known().is_some_and(|names| !names.is_empty());
    Missing::absent(if !has(DEBUGFS) {
        format!("{what}: debugfs is not mounted on /{DEBUGFS}")
    } else if has(&format!("sys/block/zram{number}")) {
        format!("{what}: the kernel was built without CONFIG_ZRAM_MEMORY_TRACKING")
    } else {
        format!("{what}: the device no longer exists")
    })
}

#[cfg(test)]
mod tests;
