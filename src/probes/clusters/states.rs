//! State of each slot of one cluster, in one view.
//!
//! Kernel: up to 6.18 a byte for each slot (`swap_map`, `include/linux/swap.h`); since 7.2 a word in the
//! table of its cluster (`mm/swap_table.h`). The types show only its size; the meaning of its bits is known
//! for 7.2 and 7.3 on 64-bit machines.

use super::copy::AreaRecord;
use super::grid::{Grid, Sizes};
use super::kernel::{self, SwapInfoAccess};
use super::layout::SwapLayout;
use super::memory::{KernelMemory, ReadFault, bytes};
use super::{mapped, stored};
use crate::clock::Clock;
use crate::model::clusters::{ClusterSlots, ClusterView, Slot, SlotCount, SlotState};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Snapshot};
use crate::probes::swaps;
use crate::root::Root;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The page is in the swap cache.
const IN_CACHE: u8 = 0x40;
/// The count continues elsewhere; these bits are its lowest digit.
const GOES_ON: u8 = 0x80;
/// The use count; all bits set mark a bad slot.
const COUNT: u8 = 0x3f;
/// The largest count in a byte.
const MOST_OF_BYTE: u8 = COUNT - 1;
/// A slot of shared memory.
const OF_SHMEM: u8 = GOES_ON | COUNT;
/// The word of a bad slot.
const BAD: u64 = u64::MAX << 3;
/// The largest count in a word; the next number means more.
const MOST_OF_WORD: u8 = 14;

/// Reads the slots of a cluster of the area at this index, or says why they are unknown.
pub fn read(
    root: &Root,
    clock: &Clock,
    snapshot: &Snapshot,
    (place, cluster): (usize, u64),
    view: ClusterView,
) -> Result<ClusterSlots, Missing> {
    let slots = match view {
        ClusterView::Kernel => by_kernel(root, snapshot, place, cluster),
        ClusterView::Stored => by_store(root, snapshot, place, cluster),
        ClusterView::Mapped => by_tables(root, clock, snapshot, place, cluster),
    }?;
    let areas = snapshot.swaps.reading.get()?;
    let is_off = swaps::read(root).known().is_some_and(|now| {
        SwapArea::indices_in(areas, now).get(place).is_some_and(Option::is_none)
    });
    let partial = slots.partial.or_else(|| is_off.then(|| super::OFF.to_owned()));
    Ok(ClusterSlots { partial, ..slots })
}

fn no_such_cluster(cluster: u64, count: u64) -> Missing {
    Missing::absent(format!("no cluster {cluster}: the area has {count} clusters, numbered from 0"))
}

fn by_kernel(
    root: &Root,
    snapshot: &Snapshot,
    place: usize,
    cluster: u64,
) -> Result<ClusterSlots, Missing> {
    let areas = snapshot.swaps.reading.get()?;
    let (memory, known, page) = kernel::open(root, snapshot).into_result()?;
    let read = super::read_unchanged(root, |rows| kernel::match_rows(&memory, &known, rows, page));
    let (rows, bound) = read.into_result()?;
    let bound = super::for_areas(areas, &rows, &bound);
    let (address, area) = bound.into_iter().nth(place).ok_or(Missing::NotSampled)?.into_result()?;
    in_memory(&memory, &known, (address, &area), cluster)
}

/// Reads the slots of a cluster from any memory.
pub(super) fn in_memory(
    memory: &impl KernelMemory,
    known: &SwapInfoAccess,
    (address, area): (u64, &AreaRecord),
    cluster: u64,
) -> Result<ClusterSlots, Missing> {
    let layout = &known.layout;
    let size = u64::from(layout.slots);
    let count = area.max.div_ceil(size);
    if cluster >= count || !area.is_plausible() {
        return Err(no_such_cluster(cluster, count));
    }
    let first = cluster * size;
    let len = usize::try_from(size.min(area.max - first)).unwrap_or(0);
    let mut slots = if area.map == 0 {
        by_words(memory, layout, area, cluster)?
    } else {
        let map = area.map.checked_add(first).unwrap_or(0);
        bytes(memory, map, len)?.into_iter().map(from_byte).collect()
    };
    slots.truncate(len);
    let after = AreaRecord::read(memory, &layout.area, address)?;
    if !after.is_some_and(|after| area.is_unchanged(&after)) {
        return Err(Missing::failed("the area changed during the read: try again"));
    }
    let owners: BTreeSet<u16> = slots.iter().filter_map(|slot| slot.owner).collect();
    let names = kernel::names(memory, known, owners.into_iter());
    Ok(ClusterSlots { view: ClusterView::Kernel, first, slots, names, partial: None })
}

impl From<ReadFault> for Missing {
    fn from(fault: ReadFault) -> Self {
        Self::failed(fault.to_string())
    }
}

/// The slots of a cluster with a table of words and another of owners.
fn by_words(
    memory: &impl KernelMemory,
    layout: &SwapLayout,
    area: &AreaRecord,
    cluster: u64,
) -> Result<Vec<Slot>, Missing> {
    let form = &layout.cluster;
    let known = form.table.zip(layout.entries).filter(|_| layout.has_known_words());
    let Some((table, entries)) = known else {
        return Err(Missing::absent(
            "this kernel stores slot states in a form that swapadm does not know",
        ));
    };
    let at = area.clusters.wrapping_add(cluster * form.size as u64);
    // Kernels without memory cgroups have no owners.
    let owners = form.owners.zip(layout.owners);
    let pointers = || -> Result<_, ReadFault> {
        let ids = owners.map(|(owners, _)| owners.read(memory, at)).transpose()?;
        Ok((table.read(memory, at)?, ids.unwrap_or(0)))
    };
    let (words, groups) = pointers()?;
    // A free cluster has no tables.
    if words == 0 {
        return Ok(vec![Slot::default(); entries.length]);
    }
    let read = bytes(memory, words, entries.end())?;
    let ids = match owners.filter(|_| groups != 0) {
        None => Vec::new(),
        Some((_, ids)) => {
            let read = bytes(memory, groups, ids.end())?;
            ids.numbers(&read).map(|id| u16::try_from(id).ok().filter(|id| *id != 0)).collect()
        }
    };
    // Tables are freed with the last slot of the cluster.
    if pointers()? != (words, groups) {
        return Err(Missing::failed("the cluster was freed during the read: try again"));
    }
    let owners = ids.into_iter().chain(std::iter::repeat(None));
    let slot = |(word, owner)| Slot { owner, ..from_word(word) };
    Ok(entries.numbers(&read).zip(owners).map(slot).collect())
}

fn from_byte(byte: u8) -> Slot {
    let own = byte & !IN_CACHE;
    let in_cache = byte & IN_CACHE != 0;
    let state = match own {
        COUNT => SlotState::Bad,
        _ if in_cache => SlotState::Cached,
        0 => SlotState::Free,
        _ => SlotState::Used,
    };
    let count = match own {
        COUNT | 0 => None,
        OF_SHMEM => Some(SlotCount::Exactly(1)),
        own if own & GOES_ON != 0 => Some(SlotCount::MoreThan(MOST_OF_BYTE)),
        own => Some(SlotCount::Exactly(own)),
    };
    Slot { state, count, ..Slot::default() }
}

fn from_word(word: u64) -> Slot {
    let state = match word {
        0 => SlotState::Free,
        BAD => SlotState::Bad,
        word if word & 1 == 1 => SlotState::Used,
        word if word & 3 == 2 => SlotState::Cached,
        _ => SlotState::Unknown,
    };
    let is_counted = matches!(state, SlotState::Used | SlotState::Cached);
    let count = match u8::try_from(word >> 60) {
        Ok(count) if count <= MOST_OF_WORD => SlotCount::Exactly(count),
        _ => SlotCount::MoreThan(MOST_OF_WORD),
    };
    Slot {
        state,
        count: is_counted.then_some(count),
        zero: is_counted.then_some(word >> 59 & 1 == 1),
        ..Slot::default()
    }
}

/// Number of clusters of the area at this index, or why it is unknown.
pub fn count(root: &Root, snapshot: &Snapshot, place: usize) -> Result<u64, Missing> {
    let areas = snapshot.swaps.reading.get()?;
    let area = areas.get(place).ok_or(Missing::NotSampled)?;
    Ok(Sizes::from_snapshot(root, snapshot)?.grid(area)?.len() as u64)
}

/// The grid of an area, and the slots of one of its clusters.
fn grid(
    root: &Root,
    snapshot: &Snapshot,
    place: usize,
    cluster: u64,
) -> Result<(Grid, Range<u64>), Missing> {
    let areas = snapshot.swaps.reading.get()?;
    let area = areas.get(place).ok_or(Missing::NotSampled)?;
    let grid = Sizes::from_snapshot(root, snapshot)?.grid(area)?;
    let range =
        grid.slots_of(cluster).ok_or_else(|| no_such_cluster(cluster, grid.len() as u64))?;
    Ok((grid, range))
}

fn by_store(
    root: &Root,
    snapshot: &Snapshot,
    place: usize,
    cluster: u64,
) -> Result<ClusterSlots, Missing> {
    let (grid, range) = grid(root, snapshot, place, cluster)?;
    let area = snapshot.swaps.reading.get()?.get(place).ok_or(Missing::NotSampled)?;
    let (marks, partial) = stored::marks(root, area, grid, &range)?;
    let slot = |slot| match marks.get(&slot) {
        Some(marks) => Slot { state: SlotState::Used, stored: Some(*marks), ..Slot::default() },
        None => Slot::default(),
    };
    Ok(ClusterSlots { partial, ..from_outside(ClusterView::Stored, range, slot) })
}

fn by_tables(
    root: &Root,
    clock: &Clock,
    snapshot: &Snapshot,
    place: usize,
    cluster: u64,
) -> Result<ClusterSlots, Missing> {
    let (_, range) = grid(root, snapshot, place, cluster)?;
    let mapped = mapped::slots(root, clock, snapshot)?;
    let set = mapped.areas.into_iter().nth(place).ok_or(Missing::NotSampled)?.into_result()?;
    let state = |slot| if set.has(slot) { SlotState::Used } else { SlotState::Free };
    let slots = from_outside(ClusterView::Mapped, range, |slot| Slot {
        state: state(slot),
        ..Slot::default()
    });
    Ok(ClusterSlots { partial: mapped.partial, ..slots })
}

/// Slots of a view that does not see the header.
fn from_outside(view: ClusterView, range: Range<u64>, slot: impl Fn(u64) -> Slot) -> ClusterSlots {
    let header = Slot { state: SlotState::Bad, ..Slot::default() };
    let slots = range.clone().map(|at| if at == 0 { header } else { slot(at) }).collect();
    ClusterSlots { view, first: range.start, slots, names: BTreeMap::new(), partial: None }
}

#[cfg(test)]
mod tests;
