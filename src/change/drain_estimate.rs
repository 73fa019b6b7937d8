//! Estimates the time of swapoff by measuring a page fault and page reads now.

use super::{ChangeTarget, ObservedMachine};
use crate::actions::estimate::{DrainHistory, Forecast};
use crate::actions::journal::Record;
use crate::actions::plan::Plan;
use crate::clock::Clock;
use crate::derive::drain::{self, SingleDrains};
use crate::derive::swapoff::{self, ReadBack, SwapoffCosts, SwapoffWork};
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Name, PartSet, Snapshot, part_set};
use crate::sys::timing;

/// Parts of the machine needed for the estimate.
pub const NEEDED_PARTS: PartSet = part_set![Kernel, Swaps, Block, Meminfo, Knobs, Processes];

/// Maximum time for measuring reads, in nanoseconds: disks may be slow.
const PATIENCE: u64 = 200_000_000;
/// A slower read, in nanoseconds, waits for a disk seek. Seek times depend on where the pages are,
/// so a few reads cannot predict them.
const SEEK: f64 = 2_000_000.0;
/// A smaller share of the total is ignored.
const LEAST: f64 = 0.02;
/// Number of reads to measure: at least the first number, or one in the second number of those that
/// the kernel will do. More would make the estimate slow.
const READS: (u64, u64) = (16, 4);

/// Estimates the steps of a plan from measurements and earlier plans.
pub fn forecasts(machine: &ObservedMachine<'_>, plan: &Plan, records: &[Record]) -> Vec<Forecast> {
    let is_simulated = matches!(machine.target, ChangeTarget::Simulated(_));
    let mut past = DrainHistory::from_snapshot(&machine.snapshot, records);
    past.is_capture = !is_simulated && !machine.root.is_live();
    let areas =
        if machine.root.is_live() { past.areas_to_measure(&plan.steps) } else { Vec::new() };
    let each = if areas.is_empty() {
        Vec::new()
    } else {
        estimate_swapoff(&machine.target.sample(NEEDED_PARTS), &areas)
    };
    let tried = areas.into_iter().zip(each).filter_map(|(path, seconds)| Some((path, seconds?)));
    let tried: Vec<(Name, f64)> = tried.collect();
    past.tried = &tried;
    let limited = areas_over_limit(&machine.snapshot);
    past.limited = &limited;
    plan.steps.iter().map(|step| Forecast::for_step(step, &past)).collect()
}

/// The areas whose contents do not fit into the memory limits of the cgroups that they return to.
fn areas_over_limit(now: &Snapshot) -> Vec<Name> {
    let drains = SingleDrains::new(now);
    let exceeds = |area: &&SwapArea| {
        let drain = drains.predict(area);
        let over = drain.and_then(|drain| drain::over_limits(now, &[drain]));
        over.known().is_some_and(|over| !over.groups.is_empty())
    };
    now.areas().iter().filter(exceeds).map(|area| area.path.clone()).collect()
}

/// Estimated seconds for each of these areas; `None` where the usage is unknown or cannot be
/// measured.
pub fn estimate_swapoff(now: &Snapshot, ours: &[Name]) -> Vec<Option<f64>> {
    let (grace, fault) = (timing::grace_period().ok(), timing::fault_time().ok());
    // Private and shared memory are read one after the other.
    let patience = PATIENCE / (2 * ours.len() as u64).max(1);
    let costs = |read| Some(SwapoffCosts { grace: grace? as f64, fault: fault?, read });
    let walked = swapoff::walked_entries(now);
    let one = |path: &Name| {
        let (area, device) = find_area(now, path)?;
        let (used, page) = (*area.used.known()?, *now.page_size.known()?);
        let costs = costs(page_read_time(now, area, device, patience)?)?;
        Some(swapoff::expected_seconds(
            costs,
            SwapoffWork { held: used.0.checked_div(page)?, walked },
        ))
    };
    ours.iter().map(one).collect()
}

/// The total of consecutive drains; `None` if one is unknown or there are none.
pub fn total_seconds(each: &[Option<f64>]) -> Option<f64> {
    each.iter().copied().sum::<Option<f64>>().filter(|_| !each.is_empty())
}

fn find_area<'s>(now: &'s Snapshot, path: &Name) -> Option<(&'s SwapArea, &'s BlockDevice)> {
    let (areas, devices) = (now.swaps.reading.known()?, now.block.reading.known()?);
    let (area, device) = areas.iter().zip(devices).find(|(area, _)| area.path == *path)?;
    Some((area, device.known()?))
}

/// The time to read one page, in nanoseconds, measured for at most `patience`.
fn page_read_time(
    now: &Snapshot,
    area: &SwapArea,
    device: &BlockDevice,
    patience: u64,
) -> Option<f64> {
    // A slash in a name is an exclamation mark in /sys.
    let path = Name::from(format!("/dev/{}", device.name.replace('!', "/")).as_str());
    let file = (area.kind == AreaKind::File).then_some(&area.path);
    let until = || Clock::Real.nanos().saturating_add(patience);
    if device.kind == BlockKind::Zram && file.is_none() {
        return timing::decompress_time(&path, area.size, until()).ok();
    }
    // The share held in memory by zswap is unknown.
    if zswap_holds_pages(now) {
        return None;
    }
    let used = *area.used.known()?;
    let held = used.0.checked_div(*now.page_size.known()?)?;
    let one = |reads: &ReadBack| {
        if reads.part < LEAST {
            return Some(0.0);
        }
        let (least, one_in) = READS;
        let limits = (used, until());
        let count = (held / reads.pages / one_in).max(least);
        let time = timing::page_read_time(&path, file, (count, reads.pages), limits).ok()?;
        (time <= SEEK).then_some(reads.part * time / reads.brings)
    };
    let all: f64 = swapoff::reads(now)?.iter().map(one).sum::<Option<f64>>()?;
    Some(all * (1.0 - swapoff::cached_share(now, used_on_devices(now))))
}

/// Usage of all areas except those on zram, whose pages are not kept in the swap cache.
fn used_on_devices(now: &Snapshot) -> Bytes {
    let areas = now.areas();
    let used =
        areas.iter().filter(|area| !drain::is_zram(area)).filter_map(|area| area.used.known());
    used.copied().sum()
}

/// Does zswap hold pages, of any area?
fn zswap_holds_pages(now: &Snapshot) -> bool {
    now.memory("Zswapped").known().is_some_and(|held| *held > Bytes(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_part_makes_the_total_unknown() {
        assert_eq!(total_seconds(&[]), None);
        assert_eq!(total_seconds(&[Some(1.0), Some(0.5)]), Some(1.5));
        assert_eq!(total_seconds(&[Some(1.0), None]), None);
    }
}
