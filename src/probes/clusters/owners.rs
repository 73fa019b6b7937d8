//! Owners of the slots of an area: cgroups.
//!
//! Kernel: `mm/swap_cgroup.c` up to 7.1, whose form is not read here; `mm/swap.h` since 7.2: each cluster
//! in use has a table with the number of the cgroup of each slot, or 0.
//!
//! With cgroup version 2 the number is present from the allocation of the slot until it is free
//! (`__mem_cgroup_try_charge_swap`): for anonymous and shared memory, for pages in the swap cache too, and
//! for the root cgroup, which is not charged. For a cgroup removed before, it is the number of the nearest
//! parent. With version 1 it is present only while the page is out of memory (`__memcg1_swapout`,
//! `memcg1_swapin`). A hibernation image has no owner, nor has anything with `cgroup_disable=memory`.

use super::copy::{AreaCopy, AreaRecord};
use super::layout::{ArrayField, SwapLayout};
use super::memory::{KernelMemory, bytes, number};
use crate::model::Reading;
use std::collections::BTreeMap;

/// Limit of tables read per area, one page each: the tables of 32 GiB on most machines.
pub(super) const MOST: usize = 16384;

/// Counts the slots of each cgroup, and says why some may be missing.
pub(super) fn read(
    memory: &impl KernelMemory,
    layout: &SwapLayout,
    copy: &AreaCopy,
    area: u64,
) -> (Reading<BTreeMap<u16, u64>>, Option<String>) {
    let Some(table) = layout.owners.filter(|_| layout.cluster.owners.is_some()) else {
        let why = "this kernel does not store owners with slots, as 7.2 and later do";
        return (Reading::absent(why), None);
    };
    let tables = copy.with_table;
    if tables > MOST as u64 {
        let why = format!("{tables} clusters are in use, but owners of only {MOST} are read");
        return (Reading::absent(why), None);
    }
    let mut owners = BTreeMap::new();
    let counted = copy.tables.iter().filter(|place| count(memory, table, **place, &mut owners));
    let lost = tables - counted.count() as u64;
    let after = AreaRecord::read(memory, &layout.area, area).ok().flatten();
    let is_still = after.is_some_and(|after| copy.described.is_unchanged(&after));
    if !is_still || (lost > 0 && lost == tables) {
        return (Reading::failed("the owner tables were freed during the read: try again"), None);
    }
    let why = || format!("owners of {lost} of {tables} clusters were freed during the read");
    (Reading::Known(owners), (lost > 0).then(why))
}

/// Counts the owners of a table, if it still exists.
fn count(
    memory: &impl KernelMemory,
    table: ArrayField,
    (address, said): (u64, u64),
    owners: &mut BTreeMap<u16, u64>,
) -> bool {
    let Ok(bytes) = bytes(memory, address, table.end()) else { return false };
    // The table is freed with the last slot of its cluster, and its memory may be reused.
    if number(memory, said, 8) != Ok(address) {
        return false;
    }
    let owned = table.numbers(&bytes).filter_map(|id| u16::try_from(id).ok());
    for id in owned.filter(|id| *id != 0) {
        *owners.entry(id).or_insert(0) += 1;
    }
    true
}
