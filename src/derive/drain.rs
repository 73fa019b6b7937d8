//! Prediction of a drain: whether the contents of an area fit elsewhere when it is disabled.
//!
//! All contents return to memory. What memory cannot hold must go to the other areas, and the kernel
//! swaps nothing out anywhere until the rest of the drained area fits on those. zram frees memory as it
//! is drained, and takes memory as it fills.

use super::headroom::{self, ZramFill};
use super::{attribution, cgroups, compression};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::users::{Cgroup, CgroupTree, Limit};
use crate::model::zram::MmStat;
use crate::model::{Bytes, Missing, Name, Reading, Snapshot, known, zram};
use std::collections::BTreeMap;
use std::path::Path;

/// The reserve during a drain that does not fit: this fraction of all memory, up to a maximum.
const RESERVE_DIVISOR: u64 = 16;
const MAX_RESERVE: Bytes = Bytes(512 << 20);

/// An area that is disabled, one of several in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrainTarget<'a> {
    /// The area.
    pub path: &'a Name,
    /// Whether it is enabled again before the next one is disabled.
    pub comes_back: bool,
    /// Room on areas that are enabled before it is disabled.
    pub added: Bytes,
}

/// The data that a swapoff moves, and the room for it at that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drain {
    /// Bytes to move.
    pub moves: Bytes,
    /// Bytes in memory at one time, if those of areas that are disabled before stay there.
    pub held: Bytes,
    /// Available memory, with `freed`.
    pub memory: Bytes,
    /// Memory that the area frees as it is drained: that of zram, or the pool of zswap.
    pub freed: Bytes,
    /// Room on the other areas, less the memory that zram among them needs for it.
    pub elsewhere: Bytes,
    /// Free space on the other areas: while it is less than the rest to move, the kernel swaps nothing
    /// out.
    pub free: Bytes,
}

impl Drain {
    /// Returns the total room.
    pub fn room(&self) -> Bytes {
        self.memory.saturating_add(self.elsewhere)
    }

    /// Returns whether the contents fit.
    pub fn fits(&self) -> bool {
        self.moves <= self.room()
    }
}

/// Whether an area is being disabled: the kernel takes it off the total as soon as its swapoff begins, and lists it until
/// that has ended.
pub fn is_disabling(snapshot: &Snapshot) -> bool {
    let all: Bytes = snapshot.areas().iter().map(|area| area.size).sum();
    snapshot.memory("SwapTotal").known().is_some_and(|total| *total < all)
}

/// Committed memory and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitAccounting {
    /// `Committed_AS`.
    pub promised: Bytes,
    /// `CommitLimit`.
    pub limit: Bytes,
}

impl CommitAccounting {
    /// Returns whether an area of this size is needed, so that the kernel refuses its swapoff.
    pub fn needs_area_of(self, size: Bytes) -> bool {
        self.promised.saturating_add(size) >= self.limit
    }
}

/// Returns committed memory if the kernel enforces its limit (`overcommit_memory` 2).
pub fn strict_commit(snapshot: &Snapshot) -> Option<CommitAccounting> {
    let is_strict = snapshot.knob("overcommit_memory") == Reading::Known("2");
    let limit = *snapshot.memory("CommitLimit").known()?;
    let promised = *snapshot.memory("Committed_AS").known()?;
    is_strict.then_some(CommitAccounting { promised, limit })
}

/// Predicts the drain of each area in order; the reason if a needed figure is unknown.
pub fn drains(snapshot: &Snapshot, leaving: &[DrainTarget<'_>]) -> Reading<Vec<Drain>> {
    let areas = known!(snapshot.swaps.reading.as_ref());
    let each = leaving.iter().enumerate().filter_map(|(place, leaves)| {
        let area = areas.iter().find(|area| area.path == *leaves.path)?;
        let before = leaving.get(..place).unwrap_or_default();
        let drain = drain_one(snapshot, areas, area, before);
        let stays = |other: &&SwapArea| {
            before.iter().any(|leaves| !leaves.comes_back && *leaves.path == other.path)
        };
        let held = areas.iter().filter(stays).filter_map(|other| other.used.known().copied());
        let held: Bytes = held.sum();
        Some(drain.map(|drain| Drain {
            held: drain.moves.saturating_add(held),
            elsewhere: drain.elsewhere.saturating_add(leaves.added),
            free: drain.free.saturating_add(leaves.added),
            ..drain
        }))
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
    // In the worst case the contents of earlier areas are in memory now.
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
    let free = free.collect::<Result<Vec<(Bytes, Bytes)>, Missing>>();
    let others: Reading<FreeSpace> =
        free.map(|free| free.into_iter().fold(FreeSpace::default(), FreeSpace::with)).into();
    let back = memory_freed(snapshot, area);
    others.and_then(|others| predict(snapshot, area, (spent, back), others))
}

/// Free space on areas.
#[derive(Clone, Copy, Debug, Default)]
struct FreeSpace {
    /// All of it.
    all: Bytes,
    /// The part that helps: on zram less the memory that zram needs for it.
    usable: Bytes,
}

impl FreeSpace {
    /// Returns the space with that of one more area.
    fn with(self, (all, usable): (Bytes, Bytes)) -> Self {
        Self { all: self.all.saturating_add(all), usable: self.usable.saturating_add(usable) }
    }
}

/// Predicts the drain of an area, with the memory that earlier drains took and that this one frees, and the
/// space on the other areas.
fn predict(
    snapshot: &Snapshot,
    area: &SwapArea,
    (spent, back): (Reading<Bytes>, Bytes),
    others: FreeSpace,
) -> Reading<Drain> {
    // What did not fit into memory has gone to the other areas.
    let memory = snapshot
        .memory("MemAvailable")
        .map2(spent, |memory, spent| (memory.saturating_sub(spent), spent.saturating_sub(memory)));
    area.used.clone().map2(memory, |moves, (memory, lacking)| Drain {
        moves,
        held: moves,
        memory: memory.saturating_add(back),
        freed: back,
        elsewhere: others.usable.saturating_sub(lacking),
        free: others.all,
    })
}

/// Predictions for areas of which only one is disabled. What they have in common is added up once, so that a
/// report on all areas is not quadratic.
#[derive(Clone, Debug)]
pub struct SingleDrains<'s> {
    snapshot: &'s Snapshot,
    /// By path, as the same path may be listed twice.
    areas: Reading<BTreeMap<&'s Name, PathSpace>>,
    total: PathSpace,
    /// The areas with unknown use, and why it is unknown.
    unknown: Vec<(&'s Name, Missing)>,
}

/// The areas with one path.
#[derive(Clone, Copy, Debug, Default)]
struct PathSpace {
    free: FreeSpace,
    /// How many of them may hold something.
    filled: usize,
}

impl<'s> SingleDrains<'s> {
    /// Adds up the areas of a machine.
    pub fn new(snapshot: &'s Snapshot) -> Self {
        let (mut total, mut unknown) = (PathSpace::default(), Vec::new());
        let areas = snapshot.swaps.reading.as_ref().map(|areas| {
            let mut by_path: BTreeMap<&Name, PathSpace> = BTreeMap::new();
            for area in areas {
                let free = match area.used.get() {
                    Ok(used) => area.size.saturating_sub(*used),
                    Err(missing) => {
                        unknown.push((&area.path, missing));
                        Bytes(0)
                    }
                };
                let space = (free, usable_space(snapshot, area, free));
                for sum in [&mut total, by_path.entry(&area.path).or_default()] {
                    sum.free = sum.free.with(space);
                    sum.filled += usize::from(!is_empty(area));
                }
            }
            by_path
        });
        Self { snapshot, areas, total, unknown }
    }

    /// Predicts the drain of this area.
    pub fn predict(&self, area: &SwapArea) -> Reading<Drain> {
        let areas = known!(self.areas.as_ref());
        let own = known!(Reading::or_absent(areas.get(&area.path), "the area is not active"));
        if let Some((_, missing)) = self.unknown.iter().find(|(path, _)| **path != area.path) {
            return missing.clone().into();
        }
        let others = FreeSpace {
            all: self.total.free.all.saturating_sub(own.free.all),
            usable: self.total.free.usable.saturating_sub(own.free.usable),
        };
        let is_alone = self.total.filled == own.filled;
        let back = memory_freed_by(self.snapshot, area, is_alone);
        predict(self.snapshot, area, (Reading::Known(Bytes(0)), back), others)
    }

    /// Returns whether the contents of this area fit elsewhere, and the kernel allows its swapoff.
    pub fn fits(&self, area: &SwapArea) -> Reading<bool> {
        if strict_commit(self.snapshot).is_some_and(|promises| promises.needs_area_of(area.size)) {
            return Reading::Known(false);
        }
        self.predict(area).and_then(|drain| fits(self.snapshot, drain))
    }
}

/// Returns the largest part of what is left on an area that swapoff moves without a chance to stop it: it
/// can be interrupted between two processes, but not within one, nor while it moves pages that belong to no
/// process, such as files in tmpfs. If the parts are unknown, all of it.
///
/// Pages in the swap cache are in memory already and do not count. Pages that several processes share count
/// several times and may hide files in tmpfs, so the use that file systems report counts too.
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

/// Subtracts pages that are in memory already, if there is no other area to which they could belong.
pub fn without_cached(snapshot: &Snapshot, moves: Bytes) -> Bytes {
    let is_alone = snapshot.swaps.reading.known().is_some_and(|areas| areas.len() == 1);
    let cached = snapshot.memory("SwapCached");
    cached.known().filter(|_| is_alone).map_or(moves, |cached| moves.saturating_sub(*cached))
}

/// Returns whether an area is on zram, by its name.
pub fn is_zram(area: &SwapArea) -> bool {
    area.kind == AreaKind::Partition && zram::device_number(&area.path).is_some()
}

/// Returns whether an area is on a RAM disk, by its name.
fn is_ram_disk(area: &SwapArea) -> bool {
    let number = area.path.as_bytes().strip_prefix(b"/dev/ram");
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    area.kind == AreaKind::Partition && number.is_some_and(is_number)
}

/// Returns whether the memory use of zram is readable for all areas on it.
pub fn zram_is_readable(snapshot: &Snapshot) -> bool {
    snapshot.areas().iter().filter(|area| is_zram(area)).all(|area| mm(snapshot, area).is_some())
}

/// Returns the memory reserved for the rest of the machine during a drain that does not fit: more than is
/// moved and used by others between two checks.
pub fn reserve(snapshot: &Snapshot) -> Reading<Bytes> {
    snapshot.memory("MemTotal").map(|total| Bytes(total.0 / RESERVE_DIVISOR).min(MAX_RESERVE))
}

/// Returns the memory needed for the contents of an area.
fn memory_needed(snapshot: &Snapshot, area: &SwapArea) -> Reading<Bytes> {
    let back = memory_freed(snapshot, area);
    area.used.clone().map(|used| used.saturating_sub(back))
}

/// Returns the memory that a drain frees: on zram, and in zswap if all other areas are empty. Nothing while
/// zram is not readable.
fn memory_freed(snapshot: &Snapshot, area: &SwapArea) -> Bytes {
    let is_alone = snapshot.areas().iter().all(|other| other.path == area.path || is_empty(other));
    memory_freed_by(snapshot, area, is_alone)
}

/// Returns the memory that a drain frees, if it is known whether all other areas are empty: the pool of
/// zswap then belongs to this area.
fn memory_freed_by(snapshot: &Snapshot, area: &SwapArea, is_alone: bool) -> Bytes {
    let on_zram = mm(snapshot, area).map_or(Bytes(0), |mm| mm.mem_used);
    let pool = snapshot.memory("Zswap").known().copied();
    let is_behind = is_alone && !is_empty(area) && !compression::has_virtual_swap(snapshot);
    let in_zswap = pool.filter(|_| is_behind).unwrap_or(Bytes(0));
    on_zram.saturating_add(in_zswap)
}

fn is_empty(area: &SwapArea) -> bool {
    area.used == Reading::Known(Bytes(0))
}

/// Returns `mm_stat` of the zram device of an area, if readable.
fn mm<'s>(snapshot: &'s Snapshot, area: &SwapArea) -> Option<&'s MmStat> {
    compression::device_of(snapshot, area).known()?.mm.known()
}

/// Returns how much free space on an area helps: on zram less the memory to fill it, up to its limit; zero
/// while its ratio is unknown, and on a RAM disk, which takes as much memory as is written.
fn usable_space(snapshot: &Snapshot, area: &SwapArea, space: Bytes) -> Bytes {
    if is_ram_disk(area) {
        return Bytes(0);
    }
    let Reading::Known(device) = compression::device_of(snapshot, area) else { return space };
    // An area that is enabled again is empty.
    let is_emptied = space == area.size;
    let left = device.mm.known().and_then(|mm| {
        let held = if is_emptied { Bytes(0) } else { mm.mem_used };
        headroom::limit_left(&MmStat { mem_used: held, ..mm.clone() })
    });
    let ratio = headroom::memory_ratio(snapshot).known().copied().unwrap_or(1.0);
    let filling = ZramFill::within_limit(space, left, ratio.max(1.0));
    filling.takes.saturating_sub(filling.memory)
}

/// Cgroups to which more returns than their limits allow.
#[derive(Clone, Debug, PartialEq)]
pub struct OverLimit<'s> {
    /// Each cgroup with its excess.
    pub groups: Vec<(&'s Cgroup, Bytes)>,
    /// Free space on the other areas.
    pub free: Bytes,
    /// The free space that lets all of the excess go to the other areas.
    pub needed: Bytes,
    /// The part of it for pages that several processes share.
    pub shared: Bytes,
    /// Why the excess stays in a cgroup, if it does.
    pub kept_by: Option<KeptBy>,
}

/// Why the kernel swaps nothing out in a cgroup at its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptBy {
    /// The swappiness is 0.
    Swappiness,
    /// The limit of its swap, or of that of a cgroup above.
    SwapMax,
}

impl OverLimit<'_> {
    /// Returns whether all of the excess can go to the other areas.
    pub fn goes_on(&self) -> bool {
        self.needed <= self.free && self.kept_by.is_none()
    }
}

/// The share of what is moved that must stay free on other areas: others swap out meanwhile, and the kernel
/// kills in a cgroup at its limit as soon as no slot is free.
const SPARE_DIVISOR: u64 = 4;

/// Returns the cgroups that these drains bring over their limits. The excess can go to other areas; but while the
/// drained area holds more than is free on those, the kernel swaps nothing out anywhere. Of several drains, the one
/// that is shortest of free space counts. A page that processes share returns to memory with the first of them, but
/// keeps its slot until the last one: until then it frees no space for what must go out instead.
pub fn over_limits<'s>(snapshot: &'s Snapshot, drains: &[Drain]) -> Reading<OverLimit<'s>> {
    let over = snapshot.cgroups.reading.as_ref().map(|tree| {
        let over = |held: Bytes| {
            let groups = tree.groups.iter().map(|group| &**group);
            groups.filter_map(move |group| Some((group, over_limit(group, held)?)))
        };
        let groups: Vec<(&Cgroup, Bytes)> = over(most_held(drains)).collect();
        let shared = shared_swap(snapshot, groups.iter().map(|(group, _)| *group));
        let needed = |drain: &Drain| {
            let all = total_over_limit(over(drain.held).map(|(group, over)| (&group.path, over)));
            let spare = Bytes(drain.moves.0 / SPARE_DIVISOR);
            let shared = shared.min(drain.moves);
            (drain.moves.max(all).saturating_add(spare).saturating_add(shared), shared)
        };
        let moving = drains.iter().filter(|drain| drain.moves > Bytes(0));
        let (free, (needed, shared)) = moving
            .map(|drain| (drain.free, needed(drain)))
            .max_by_key(|(free, (needed, _))| (needed.saturating_sub(*free), *needed))
            .unwrap_or_default();
        let back = most_held(drains);
        let kept_by = groups.iter().find_map(|(group, over)| {
            if !may_swap_out(snapshot, group) {
                return Some(KeptBy::Swappiness);
            }
            (swap_room(tree, group, back) < *over).then_some(KeptBy::SwapMax)
        });
        OverLimit { groups, free, needed, shared, kept_by }
    });
    over.and_then(|over| unless_unknown(snapshot, drains, over))
}

/// Returns these cgroups, or a reason if they have room, but that of another one is unknown.
fn unless_unknown<'s>(
    snapshot: &Snapshot,
    drains: &[Drain],
    over: OverLimit<'s>,
) -> Reading<OverLimit<'s>> {
    if !over.groups.is_empty() && !over.goes_on() {
        return Reading::Known(over);
    }
    let tree = known!(snapshot.cgroups.reading.as_ref());
    let held = most_held(drains);
    let limit = tree.groups.iter().find_map(|group| unknown_room(group, held));
    let limit = limit.or_else(|| unread_limits(tree, held));
    let swap_limit = || over.groups.iter().find_map(|(group, _)| unknown_swap_limit(tree, group));
    limit.or_else(swap_limit).map_or(Reading::Known(over), Reading::from)
}

/// Returns why it is unknown whether the limit of a cgroup has room for what returns to it. All that is moved may
/// be of a cgroup whose swap is unknown. The kernel shows neither limit nor usage where the memory controller is
/// disabled.
pub fn unknown_room(group: &Cgroup, moves: Bytes) -> Option<Missing> {
    let (limit, usage, swap) = (&group.memory_max, &group.memory_current, &group.swap_current);
    let back = swap.known().map_or(moves, |swap| moves.min(*swap));
    let is_unlimited = *limit == Reading::Known(Limit::Unlimited);
    if back == Bytes(0) || is_unlimited || limit.is_absent() && usage.is_absent() {
        return None;
    }
    let in_swap = || swap.missing().filter(|_| excess(group, back).is_some());
    let missing = limit.missing().or(usage.missing()).or_else(in_swap)?;
    if let Missing::Absent(why) = missing {
        return Some(Missing::failed(format!("cgroup {}: {why}", group.path.safe())));
    }
    Some(missing.clone())
}

/// Returns why limits are unknown in a hierarchy with more cgroups than are read.
fn unread_limits(tree: &CgroupTree, moves: Bytes) -> Option<Missing> {
    let count = Some(tree.left_out).filter(|count| *count > 0 && moves > Bytes(0))?;
    Some(Missing::failed(format!(
        "the limits of {count} cgroups were not read: there are too many"
    )))
}

/// Returns why the swap limit of a cgroup, or that of a cgroup above, could not be read.
fn unknown_swap_limit(tree: &CgroupTree, group: &Cgroup) -> Option<Missing> {
    let unread = |missing: &&Missing| matches!(missing, Missing::Denied(_) | Missing::Failed(_));
    let mut groups = cgroups::with_ancestors(tree, group);
    groups.find_map(|group| group.swap_max.missing().filter(unread).cloned())
}

/// Returns how much swap the processes of these cgroups share, as after a fork: its slots count once in the cgroup,
/// and in each of the processes. Swapped shared memory, which counts in no process, can hide some of it. Zero if
/// processes were not read.
fn shared_swap<'s>(snapshot: &Snapshot, groups: impl Iterator<Item = &'s Cgroup>) -> Bytes {
    let mut swapped: BTreeMap<&Path, (&Cgroup, Bytes)> =
        groups.map(|group| (group.path.as_path(), (group, Bytes(0)))).collect();
    let processes = snapshot.processes.reading.known().map_or(&[][..], |table| &*table.processes);
    for process in processes {
        let (Some(path), Some(swap)) = (process.cgroup.known(), process.swap.known()) else {
            continue;
        };
        for above in path.as_path().ancestors() {
            if let Some((_, sum)) = swapped.get_mut(above) {
                *sum = sum.saturating_add(*swap);
            }
        }
    }
    total_over_limit(swapped.values().map(|(group, sum)| {
        let slots = group.swap_current.known().copied().unwrap_or(*sum);
        (&group.path, sum.saturating_sub(slots).min(slots))
    }))
}

/// Returns the most that these drains have in memory at one time.
pub fn most_held(drains: &[Drain]) -> Bytes {
    drains.iter().map(|drain| drain.held).max().unwrap_or_default()
}

/// Returns whether the kernel swaps out pages of a cgroup at its limit: with a swappiness of 0 it does not.
/// Version 1 has a swappiness for each cgroup, version 2 that of the machine.
fn may_swap_out(snapshot: &Snapshot, group: &Cgroup) -> bool {
    let of_machine = || snapshot.knob("swappiness").known()?.parse::<u64>().ok();
    group.swappiness.known().copied().or_else(of_machine) != Some(0)
}

/// Returns how much of a cgroup may be swapped out after as much as possible of its swap has returned. Version 1 limits
/// memory plus swap, which is the same before and after.
fn swap_room(tree: &CgroupTree, group: &Cgroup, back: Bytes) -> Bytes {
    let room = |group: &Cgroup| match group.swap_max.known() {
        Some(Limit::Bytes(limit)) => {
            let swapped = group.swap_current.known().copied().unwrap_or(Bytes(0));
            limit.saturating_sub(swapped.saturating_sub(back))
        }
        Some(Limit::Unlimited) | None => Bytes(u64::MAX),
    };
    cgroups::with_ancestors(tree, group).map(room).min().unwrap_or(Bytes(u64::MAX))
}

/// Returns the total excess: the excess of a cgroup counts in its parents as well, but only once in total.
pub fn total_over_limit<'s>(over: impl Iterator<Item = (&'s Name, Bytes)>) -> Bytes {
    // Per path: own excess and that of its children. The last path in the map has no children left.
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

/// Returns whether the contents of an area fit elsewhere, and into the cgroups that they return to.
pub fn fits(snapshot: &Snapshot, drain: Drain) -> Reading<bool> {
    if !drain.fits() || drain.moves == Bytes(0) {
        return Reading::Known(drain.fits());
    }
    match over_limits(snapshot, &[drain]) {
        Reading::Known(over) => Reading::Known(over.goes_on() || over.groups.is_empty()),
        // Without cgroups there are no limits.
        Reading::Missing { missing: Missing::Absent(_) } => Reading::Known(true),
        Reading::Missing { missing } => missing.into(),
    }
}

/// Returns the excess of a cgroup over its limit if as much as possible returns to it.
pub fn over_limit(group: &Cgroup, moves: Bytes) -> Option<Bytes> {
    excess(group, *group.swap_current.known()?.min(&moves))
}

/// Returns the excess of a cgroup over its limit if this much returns to it. File pages are reclaimed first, and
/// pages that zswap holds leave their compressed copies, which are charged too.
pub fn excess(group: &Cgroup, back: Bytes) -> Option<Bytes> {
    let Limit::Bytes(limit) = group.memory_max.known()? else { return None };
    let files = ["inactive_file", "active_file"].map(|name| {
        let stat = group.stat.known();
        let value = |name: &str| stat?.get(name).known().copied();
        value(&format!("total_{name}")).or_else(|| value(name)).unwrap_or(0)
    });
    let all = group.swap_current.known().copied().unwrap_or(Bytes(0)).max(back).max(Bytes(1));
    let compressed = group.zswap_current.known().copied().unwrap_or(Bytes(0));
    let freed = u128::from(compressed.0) * u128::from(back.0) / u128::from(all.0);
    let spared = files.iter().sum::<u64>().saturating_add(u64::try_from(freed).unwrap_or(u64::MAX));
    let memory = group.memory_current.known()?.saturating_sub(Bytes(spared));
    let over = memory.saturating_add(back).saturating_sub(*limit);
    (over > Bytes(0)).then_some(over)
}

#[cfg(test)]
mod tests;
