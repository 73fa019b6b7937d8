//! `/proc/PID/pagemap`: the slots that the page tables of all processes point to.
//!
//! Kernel: `fs/proc/task_mmu.c`, all versions; `PAGEMAP_SCAN` since 6.7 finds swapped pages faster. The
//! kernel shows page locations only with `CAP_SYS_ADMIN`, and zeros otherwise; slot 0 is the header, never
//! a page. A read waits for the `mmap_lock` of the process, so it is done on a side thread, in steps.
//!
//! Not visible here: shared memory and tmpfs, which no page table points to once they are swapped out, and
//! slots that only the swap cache owns. Page tables name an area by its type number, which `/proc/swaps`
//! does not show: see `stable_areas.rs`, also for areas that change during the walk.

mod page_table_walk;
mod stable_areas;

use super::grid::{ClusterBudget, Grid, MOST_CLUSTERS, Sizes};
use crate::clock::Clock;
use crate::model::clusters::{ClusterMap, ClusterView, SlotSet};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Part, PartSet, Reading, Snapshot};
use crate::probes::{Probe, ReadInterval, deadline, kernel_config, process, swaps};
use crate::root::Root;
use page_table_walk::PageTableWalk;
use stable_areas::{AreaCapacity, AreaType, SeenType, StableAreas};
use std::time::Duration;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::MappedClusters,
    id: "mapped",
    tier: ReadInterval::OnDemand,
    files: &[
        "proc/*/pagemap",
        "proc/*/maps",
        "proc/*/task/*/pagemap",
        "proc/*/task/*/maps",
        kernel_config::FILES,
    ],
    about: "Which slots the page tables of processes point to",
    remedy: "run as root, with CAP_SYS_ADMIN and outside of a container",
};

/// Time limit of one step: some thousand pages, or the mappings of a process.
const LIMIT: Duration = Duration::from_secs(2);
/// Memory limit of the slots found: more than enough for a TiB of them in one range.
const MOST_BYTES: usize = 256 << 20;
/// Limit of CPU time of the whole walk. Before 6.7 the entries of all pages of a mapping are read, and some
/// programs map terabytes that they never touch.
const MOST_TIME: Duration = Duration::from_secs(20);
/// Type numbers that an entry can hold.
const TYPES: usize = 32;
/// Types from here on can be markers of other kinds, such as migration entries; an area gets such a number
/// only where as many areas are active.
const FIRST_MARK: usize = 22;
const PATH: &str = "proc/PID/pagemap";

/// The swap slots found in the page tables of all processes.
#[derive(Debug)]
struct PageTableSlots {
    /// Slots by type of area.
    slots: Vec<SlotSet>,
    /// Number of processes read.
    read: u64,
    /// Number of processes that could not be read.
    unreadable: u64,
    /// The first reason of those.
    reason: Option<Missing>,
    /// Why the walk ended before the last process.
    ended: Option<&'static str>,
}

/// The mapped slots of areas.
#[derive(Debug)]
pub struct MappedSlots {
    /// The slots of each area, in the order of `/proc/swaps`.
    pub areas: Vec<Reading<SlotSet>>,
    /// Why slots of all areas may be missing; none when all page tables were read.
    pub partial: Option<String>,
}

/// Reads the clusters of all areas.
pub fn read(root: &Root, clock: &Clock, snapshot: &Snapshot) -> Reading<Vec<Reading<ClusterMap>>> {
    let start = clock.cpu_us();
    let maps = slots(root, clock, snapshot).and_then(|mapped| {
        let areas = snapshot.swaps.reading.get()?;
        let sizes = Sizes::from_snapshot(root, snapshot)?;
        let map = |grid: Grid, slots: SlotSet| ClusterMap {
            partial: mapped.partial.clone(),
            ..grid.map(ClusterView::Mapped, grid.count(&slots), Vec::new())
        };
        let mut budget = ClusterBudget::new(MOST_CLUSTERS);
        let mut grid = |area: &SwapArea| {
            let grid = sizes.grid(area)?;
            budget.take(grid.len() as u64).map(|()| grid)
        };
        let both = areas.iter().zip(mapped.areas);
        let maps = both.map(|(area, slots)| Reading::from(grid(area)).map2(slots, map));
        let maps = super::compare_with_swaps(root, areas, maps.collect());
        // One walk over all page tables serves all areas.
        let cost_us = clock.cpu_us().saturating_sub(start);
        Ok(maps.into_iter().map(|map| map.map(|map| ClusterMap { cost_us, ..map })).collect())
    });
    maps.into()
}

/// The slots of each area that page tables point to, or the reason why none are known.
pub fn slots(root: &Root, clock: &Clock, snapshot: &Snapshot) -> Result<MappedSlots, Missing> {
    let areas = snapshot.swaps.reading.get()?;
    if areas.is_empty() {
        return Ok(MappedSlots { areas: Vec::new(), partial: None });
    }
    if !root.is_live() {
        return Err(Missing::absent("a captured tree has no page tables of processes"));
    }
    let sizes = Sizes::from_snapshot(root, snapshot)?;
    let before = swaps::read(root).into_result()?;
    let found = gather(root, sizes.page, &Bounds::new(root, clock, MOST_BYTES, MOST_TIME))?;
    let after = swaps::read(root).into_result()?;
    let partial = found.partial();
    let rows = StableAreas::during((&before, &after), &sizes)?;
    Ok(MappedSlots { areas: slots_of_areas(areas, found.slots, &rows), partial })
}

/// The slots of each type of area in page table entries, each of eight bytes; `None` if the kernel hides
/// locations.
pub fn slots_from_entries(entries: &[u8]) -> Option<Vec<SlotSet>> {
    let mut slots = vec![SlotSet::default(); TYPES];
    let mut locations = page_table_walk::swap_locations(entries).into_iter();
    locations.all(|location| keep(&mut slots, location)).then_some(slots)
}

/// Adds a slot: the type in five bits, and the slot above. Returns whether the entry has a location.
fn keep(slots: &mut [SlotSet], location: u64) -> bool {
    let kind = usize::try_from(location % TYPES as u64).unwrap_or(TYPES);
    if let Some(slots) = slots.get_mut(kind).filter(|_| kind < FIRST_MARK) {
        slots.insert(location / TYPES as u64);
    }
    location != 0
}

/// The slots of each area whose type is known.
fn slots_of_areas(
    areas: &[SwapArea],
    slots: Vec<SlotSet>,
    rows: &StableAreas,
) -> Vec<Reading<SlotSet>> {
    let found = slots_of_rooms(slots, &rows.rooms);
    let own = rows.places.iter().filter_map(|place| found.get(*place).cloned());
    super::for_areas(areas, &rows.areas, &own.collect::<Vec<_>>())
}

/// The slots of each capacity, in the order of types.
fn slots_of_rooms(slots: Vec<SlotSet>, rooms: &[AreaCapacity]) -> Vec<Reading<SlotSet>> {
    let seen = (0..).zip(slots).filter(|(_, slots)| !slots.is_empty());
    let (kinds, mut slots): (Vec<usize>, Vec<SlotSet>) = seen.unzip();
    let extent = |(kind, slots): (&usize, &SlotSet)| SeenType {
        kind: *kind,
        count: slots.len(),
        last: slots.last().unwrap_or(0),
    };
    let seen: Vec<SeenType> = kinds.iter().zip(&slots).map(extent).collect();
    let place = |place| match place {
        AreaType::Seen(number) => {
            Reading::Known(slots.get_mut(number).map(std::mem::take).unwrap_or_default())
        }
        AreaType::Unseen => Reading::Known(SlotSet::default()),
        AreaType::Unclear => {
            Reading::failed("ambiguous: page tables do not name areas, and their slots fit several")
        }
    };
    let (told, marks) = rooms.split_at(rooms.partition_point(|room| room.least < FIRST_MARK));
    let known = stable_areas::assign_types(&seen, told).into_iter().map(place);
    let behind = marks.iter().map(|_| Reading::absent("too many areas are active: its slots cannot be distinguished from other page table markers"));
    known.chain(behind).collect()
}

/// Walks the page tables of all processes with swapped pages.
fn gather(root: &Root, page: u64, bounds: &Bounds<'_>) -> Result<PageTableSlots, Missing> {
    let table = process::read(root, PartSet::NONE).into_result()?;
    let mut found = PageTableSlots {
        slots: vec![SlotSet::default(); TYPES],
        read: 0,
        unreadable: table.unreadable,
        reason: None,
        ended: None,
    };
    let swapped = |swap: &Reading<Bytes>| swap.known().is_some_and(|swap| swap.0 > 0);
    let processes: Vec<_> =
        table.processes.iter().filter(|process| swapped(&process.swap)).collect();
    for process in &processes {
        found.add(root, process.memory_folder(), page, &mut |found| {
            found.ended = bounds.end(found);
            found.ended.is_none()
        })?;
        if found.ended.is_some() {
            break;
        }
    }
    if found.read == 0 && !processes.is_empty() { Err(unreadable(root, found)) } else { Ok(found) }
}

/// Why no process could be read.
fn unreadable(root: &Root, found: PageTableSlots) -> Missing {
    match found.reason {
        // Not even one of our own processes.
        Some(Missing::Denied(_)) => Missing::Denied(format!("/{PATH}").into()),
        Some(missing) => missing,
        None if root.exists("proc/self/pagemap") => {
            Missing::failed("all processes with swapped pages ended during the read: try again")
        }
        None => Missing::absent(format!(
            "/{PATH} does not exist: it needs a kernel with CONFIG_PROC_PAGE_MONITOR"
        )),
    }
}

/// Limits of a walk.
#[derive(Debug)]
struct Bounds<'a> {
    root: &'a Root,
    clock: &'a Clock,
    start_us: u64,
    /// Limit of memory for slots, in bytes.
    most: usize,
    /// Limit of CPU time of the whole walk.
    time: Duration,
}

impl<'a> Bounds<'a> {
    fn new(root: &'a Root, clock: &'a Clock, most: usize, time: Duration) -> Self {
        Self { root, clock, start_us: clock.cpu_us(), most, time }
    }

    /// Why the walk ends here; none where it continues.
    fn end(&self, found: &PageTableSlots) -> Option<&'static str> {
        if self.root.is_cancelled() {
            return Some("the request was cancelled");
        }
        let passed = self.clock.cpu_us().saturating_sub(self.start_us);
        if Duration::from_micros(passed) > self.time {
            return Some("the walk of page tables reached its time limit");
        }
        let bytes = found.slots.iter().map(SlotSet::bytes).sum::<usize>();
        (bytes > self.most).then_some("the walk reached its memory limit for slots")
    }
}

impl PageTableSlots {
    /// Adds the slots of a process, as long as the limits allow.
    fn add(
        &mut self,
        root: &Root,
        folder: String,
        page: u64,
        wants: &mut dyn FnMut(&mut Self) -> bool,
    ) -> Result<(), Missing> {
        let path = format!("{folder}/pagemap");
        let mut walk = PageTableWalk::new(root, folder, page);
        let mut result = Ok(());
        let mut hidden = false;
        let take = |step: page_table_walk::WalkStep| match step {
            Ok(entries) => {
                hidden |= entries.iter().any(|entry| !keep(&mut self.slots, *entry));
                !hidden && wants(self)
            }
            Err(missing) => {
                result = Err(missing);
                false
            }
        };
        let answered = deadline::read_steps(&path, LIMIT, move || walk.step(), take);
        if hidden {
            return Err(Missing::Denied(format!("page locations (/{PATH})").into()));
        }
        match answered.and(result) {
            Ok(()) => self.read += 1,
            // The process has ended.
            Err(Missing::Absent(_)) => {}
            Err(missing) => {
                self.unreadable += 1;
                self.reason.get_or_insert(missing);
            }
        }
        Ok(())
    }

    /// Why slots may be missing.
    fn partial(&self) -> Option<String> {
        let unreadable = (self.unreadable > 0)
            .then(|| format!("processes with unreadable page tables: {}", self.unreadable));
        let reason = self.reason.as_ref().map(Missing::why);
        let reasons = [unreadable, reason, self.ended.map(str::to_owned)];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

#[cfg(test)]
mod tests;
