//! Will what is on an area fit elsewhere when the area is taken off?
//!
//! All that is on it comes back to memory. What memory cannot hold must go to the other areas,
//! and the kernel swaps nothing out anywhere until the rest of the drained area fits on those.
//! zram gives memory back as it is emptied, and takes memory as it fills.

use super::headroom::{self, ZramFill};
use super::{attribution, compression};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::users::{Cgroup, Limit};
use crate::model::zram::MmStat;
use crate::model::{Bytes, Missing, Name, Reading, Snapshot, zram};
use std::collections::BTreeMap;

/// The part of all memory that is kept under a drain that does not fit, and at most how much.
const RESERVE_DIVISOR: u64 = 16;
const MAX_RESERVE: Bytes = Bytes(512 << 20);

/// One of several areas that are taken off one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrainTarget<'a> {
    /// The area.
    pub path: &'a Name,
    /// Is it put on again before the next is taken off?
    pub comes_back: bool,
}

/// What is on it, and what there is for that when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drain {
    /// What must be moved.
    pub moves: Bytes,
    /// Memory that can be had for it.
    pub memory: Bytes,
    /// What the other areas can take, less the memory that zram among them needs for that.
    pub elsewhere: Bytes,
    /// What is free on the other areas: as long as that is less than what is to be moved, the
    /// kernel swaps nothing out.
    pub free: Bytes,
}

impl Drain {
    /// What there is for it in all.
    pub fn room(&self) -> Bytes {
        self.memory.saturating_add(self.elsewhere)
    }

    /// Does it fit at all?
    pub fn fits(&self) -> bool {
        self.moves <= self.room()
    }
}

/// What processes were promised, and how much they may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitAccounting {
    /// `Committed_AS`.
    pub promised: Bytes,
    /// `CommitLimit`.
    pub limit: Bytes,
}

impl CommitAccounting {
    /// Do they need an area of this size, so that the kernel takes it not off?
    pub fn needs_area_of(self, size: Bytes) -> bool {
        self.promised.saturating_add(size) >= self.limit
    }
}

/// The promises of a kernel that keeps to them: with strict accounting.
pub fn strict_commit(snapshot: &Snapshot) -> Option<CommitAccounting> {
    let knobs = snapshot.knobs.reading.known()?;
    let mode = knobs.iter().find(|knob| knob.id == "overcommit_memory")?;
    let limit = *snapshot.memory("CommitLimit").known()?;
    let promised = *snapshot.memory("Committed_AS").known()?;
    (mode.value.known()? == "2").then_some(CommitAccounting { promised, limit })
}

/// All of them, in order; the reason if something is not known that counts.
pub fn drains(snapshot: &Snapshot, leaving: &[DrainTarget<'_>]) -> Reading<Vec<Drain>> {
    let areas = match snapshot.swaps.reading.get() {
        Ok(areas) => areas,
        Err(missing) => return missing.into(),
    };
    let each = leaving.iter().enumerate().filter_map(|(place, leaves)| {
        let area = areas.iter().find(|area| area.path == *leaves.path)?;
        Some(drain_one(snapshot, areas, area, leaving.get(..place).unwrap_or_default()))
    });
    each.map(Reading::into_result).collect::<Result<Vec<_>, _>>().into()
}

fn drain_one(
    snapshot: &Snapshot,
    areas: &[SwapArea],
    area: &SwapArea,
    before: &[DrainTarget<'_>],
) -> Reading<Drain> {
    let gone = |other: &SwapArea| before.iter().find(|leaves| *leaves.path == other.path);
    // Those before it are in memory now, at worst.
    let moved = areas.iter().filter(|other| gone(other).is_some());
    let spent = moved.map(|other| memory_needed(snapshot, other).into_result());
    let spent: Reading<Bytes> = spent.sum::<Result<Bytes, _>>().into();
    let others = areas.iter().filter(|other| other.path != area.path);
    let free = others.map(|other| {
        let free = match gone(other) {
            Some(DrainTarget { comes_back: false, .. }) => Bytes(0),
            Some(_) => other.size,
            None => other.used.get().map(|used| other.size.saturating_sub(*used))?,
        };
        Ok((free, usable_space(snapshot, other, free)))
    });
    let free: Vec<(Bytes, Bytes)> = match free.collect::<Result<_, Missing>>() {
        Ok(free) => free,
        Err(missing) => return missing.into(),
    };
    let elsewhere: Bytes = free.iter().map(|(_, worth)| *worth).sum();
    let free = free.iter().map(|(free, _)| *free).sum();
    // What those before it left no memory for has gone to the other areas.
    let memory = snapshot
        .memory("MemAvailable")
        .map2(spent, |memory, spent| (memory.saturating_sub(spent), spent.saturating_sub(memory)));
    let room = memory.map(|(memory, lacking)| (memory, elsewhere.saturating_sub(lacking)));
    let back = memory_freed(snapshot, area);
    let room = room.map(|(memory, elsewhere)| (memory.saturating_add(back), elsewhere));
    area.used.clone().map2(room, |moves, (memory, elsewhere)| Drain {
        moves,
        memory,
        elsewhere,
        free,
    })
}

/// Up to how much of what is left on an area comes back in one go: the kernel can be interrupted
/// between two processes, and neither in the middle of one nor while it moves what belongs to none,
/// such as files in memory. All of it, where nobody knows.
///
/// What is in the swap cache is in memory already, and comes no more. Pages that several processes
/// share count several times, and may hide files: of those, what their file systems tell counts too.
pub fn largest_uninterruptible(snapshot: &Snapshot, left: Bytes) -> Bytes {
    let Some(table) = snapshot.processes.reading.known() else { return left };
    let swapped = || table.processes.iter().filter_map(|process| process.swap.known().copied());
    let out = table.swap_used.clone().map2(table.swap_cached.clone(), Bytes::saturating_sub);
    let of_none = out.known().map(|out| out.saturating_sub(swapped().sum()));
    let told = attribution::attribution(snapshot);
    let files: Bytes =
        [told.sysv, told.tmpfs].iter().filter_map(|part| part.known().copied()).sum();
    let files = (files > Bytes(0)).then_some(files);
    swapped().chain(of_none).chain(files).max().unwrap_or(left).min(left)
}

/// What comes to memory of so much on an area: not what is there already, where there is no other
/// area on which that could be.
pub fn without_cached(snapshot: &Snapshot, moves: Bytes) -> Bytes {
    let is_alone = snapshot.swaps.reading.known().is_some_and(|areas| areas.len() == 1);
    let cached = snapshot.memory("SwapCached");
    cached.known().filter(|_| is_alone).map_or(moves, |cached| moves.saturating_sub(*cached))
}

/// Is an area on zram, by its name?
pub fn is_zram(area: &SwapArea) -> bool {
    area.kind == AreaKind::Partition && zram::device_number(&area.path).is_some()
}

/// Does zram tell what it takes, wherever an area is on it?
pub fn zram_is_readable(snapshot: &Snapshot) -> bool {
    let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    areas.iter().filter(|area| is_zram(area)).all(|area| mm(snapshot, area).is_some())
}

/// What memory keeps for the rest of the machine under a drain that does not fit: more than is
/// moved from one look to the next, and what others take meanwhile.
pub fn reserve(snapshot: &Snapshot) -> Reading<Bytes> {
    snapshot.memory("MemTotal").map(|total| Bytes(total.0 / RESERVE_DIVISOR).min(MAX_RESERVE))
}

/// By how much memory is less when all that is on an area is in it.
fn memory_needed(snapshot: &Snapshot, area: &SwapArea) -> Reading<Bytes> {
    let back = memory_freed(snapshot, area);
    area.used.clone().map(|used| used.saturating_sub(back))
}

/// The memory that what is on an area takes, and gives back: on zram, and in zswap where nothing is
/// on another area. None is promised while zram does not answer.
fn memory_freed(snapshot: &Snapshot, area: &SwapArea) -> Bytes {
    let on_zram = mm(snapshot, area).map_or(Bytes(0), |mm| mm.mem_used);
    on_zram.saturating_add(in_zswap(snapshot, area))
}

/// The pool of zswap, if all of it is of this area.
fn in_zswap(snapshot: &Snapshot, area: &SwapArea) -> Bytes {
    let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let is_empty = |other: &SwapArea| other.used == Reading::Known(Bytes(0));
    let is_alone = areas.iter().all(|other| other.path == area.path || is_empty(other));
    let pool = snapshot.memory("Zswap").known().copied();
    pool.filter(|_| is_alone && !is_empty(area)).unwrap_or(Bytes(0))
}

/// What the zram device below an area tells, if it does.
fn mm<'s>(snapshot: &'s Snapshot, area: &SwapArea) -> Option<&'s MmStat> {
    let mut devices = snapshot.zram.reading.known()?.iter();
    devices.find(|device| compression::carries(device, area))?.mm.known()
}

/// What so much space on an area is worth: on zram less the memory that it takes to fill it, and no
/// more than its limit lets it take. As long as nothing is known of its ratio it is worth nothing.
fn usable_space(snapshot: &Snapshot, area: &SwapArea, space: Bytes) -> Bytes {
    let devices = snapshot.zram.reading.known().map_or(&[][..], Vec::as_slice);
    let Some(device) = devices.iter().find(|device| compression::carries(device, area)) else {
        return space;
    };
    // One that is put on again comes back empty.
    let is_emptied = space == area.size;
    let left = device.mm.known().and_then(|mm| {
        let held = if is_emptied { Bytes(0) } else { mm.mem_used };
        headroom::limit_left(&MmStat { mem_used: held, ..mm.clone() })
    });
    let ratio = headroom::memory_ratio(snapshot).known().copied().unwrap_or(1.0);
    let filling = ZramFill::within_limit(space, left, ratio.max(1.0));
    filling.takes.saturating_sub(filling.memory)
}

/// Control groups to which more comes back than their limits let them keep.
#[derive(Clone, Debug, PartialEq)]
pub struct OverLimit<'s> {
    /// Each of them with how much that is.
    pub groups: Vec<(&'s Cgroup, Bytes)>,
    /// Can all of that go to the other areas?
    pub goes_on: bool,
}

/// The groups that these drains bring over their limits, when so much is in memory at one time.
/// What is over can go to other areas; but as long as more is on the drained area than is free on
/// those, the kernel swaps nothing out anywhere.
pub fn over_limits<'s>(
    snapshot: &'s Snapshot,
    drains: &[Drain],
    moves: Bytes,
) -> Reading<OverLimit<'s>> {
    let moving = || drains.iter().filter(|drain| drain.moves > Bytes(0));
    let free = moving().map(|drain| drain.free).min().unwrap_or(Bytes(0));
    snapshot.cgroups.reading.as_ref().map(|tree| {
        let groups = tree.groups.iter().map(|group| &**group);
        let over = groups.filter_map(|group| Some((group, over_limit(group, moves)?)));
        let groups: Vec<(&Cgroup, Bytes)> = over.collect();
        let all = total_over_limit(groups.iter().map(|(group, over)| (&group.path, *over)));
        let goes_on = moving().all(|drain| drain.moves <= drain.free) && all <= free;
        OverLimit { groups, goes_on }
    })
}

/// How much groups are over their limits together: what is over in one counts in those above it, too.
pub fn total_over_limit<'s>(over: impl Iterator<Item = (&'s Name, Bytes)>) -> Bytes {
    // Of each group by its path, and of those right below it. What stands last has none below it.
    let mut left: BTreeMap<&[u8], (Bytes, Bytes)> =
        over.map(|(path, over)| (path.as_bytes(), (over, Bytes(0)))).collect();
    let mut all = Bytes(0);
    while let Some((path, (own, below))) = left.pop_last() {
        let over = own.max(below);
        match path.iter().rposition(|byte| *byte == b'/') {
            Some(end) if path.len() > 1 => {
                let above = path.get(..end.max(1)).unwrap_or_default();
                let (_, below) = left.entry(above).or_default();
                *below = below.saturating_add(over);
            }
            _ => all = all.saturating_add(over),
        }
    }
    all
}

/// Does what is on an area fit elsewhere, and into the groups to which it comes back?
pub fn fits(snapshot: &Snapshot, drain: Drain) -> Reading<bool> {
    if !drain.fits() || drain.moves == Bytes(0) {
        return Reading::Known(drain.fits());
    }
    match over_limits(snapshot, &[drain], drain.moves) {
        Reading::Known(over) => Reading::Known(over.goes_on || over.groups.is_empty()),
        // Where there are no groups there are no limits.
        Reading::Missing { missing: Missing::Absent(_) } => Reading::Known(true),
        Reading::Missing { missing } => missing.into(),
    }
}

/// By how much a group is over its limit when as much comes back to it as can. Memory of files is
/// given up before that.
pub fn over_limit(group: &Cgroup, moves: Bytes) -> Option<Bytes> {
    let Limit::Bytes(limit) = group.memory_max.known()? else { return None };
    let back = group.swap_current.known()?.min(&moves);
    let files = ["inactive_file", "active_file"].map(|name| {
        let stat = group.stat.known();
        let value = |name: &str| stat?.get(name).known().copied();
        value(&format!("total_{name}")).or_else(|| value(name)).unwrap_or(0)
    });
    let memory = group.memory_current.known()?.saturating_sub(Bytes(files.iter().sum()));
    let over = memory.saturating_add(*back).saturating_sub(*limit);
    (over > Bytes(0)).then_some(over)
}

#[cfg(test)]
mod tests;
