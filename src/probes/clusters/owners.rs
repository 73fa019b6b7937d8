//! Which cgroups own the slots of an area.
//!
//! Kernel: `mm/swap_cgroup.c` up to 7.1, which lies in a form that is not read here; `mm/swap.h` since 7.2: each
//! cluster that is not free has a table with the number of the cgroup of each slot, or 0.
//!
//! With version 2 of cgroups the number stands there from when the slot is taken until it is free
//! again (`__mem_cgroup_try_charge_swap`): of anonymous and of shared memory, of what is in the swap cache too, and
//! of the topmost cgroup, which is not charged. It is that of the nearest parent where the cgroup was
//! removed before. With version 1 it is there while the page is out of memory only (`__memcg1_swapout`,
//! `memcg1_swapin`). A hibernation image has no owner, nor has anything with `cgroup_disable=memory`.

use super::copy::{AreaCopy, AreaRecord};
use super::layout::{SwapLayout, ArrayField};
use super::memory::{KernelMemory, bytes, number};
use crate::model::Reading;
use std::collections::BTreeMap;

/// Tables that are read of an area, a page of its own each: those of 32 GiB on most machines.
pub(super) const MOST: usize = 16384;

/// Count the slots of each cgroup; and what is missing of them, if something is.
pub(super) fn read(
    memory: &impl KernelMemory,
    layout: &SwapLayout,
    copy: &AreaCopy,
    area: u64,
) -> (Reading<BTreeMap<u16, u64>>, Option<String>) {
    let Some(table) = layout.owners.filter(|_| layout.cluster.owners.is_some()) else {
        let why = "this kernel does not keep owners beside the slots, as 7.2 and later do";
        return (Reading::absent(why), None);
    };
    let tables = copy.with_table;
    if tables > MOST as u64 {
        let why = format!("{tables} clusters are in use, and owners are read of {MOST} at most");
        return (Reading::absent(why), None);
    }
    let mut owners = BTreeMap::new();
    let counted = copy.tables.iter().filter(|place| count(memory, table, **place, &mut owners));
    let lost = tables - counted.count() as u64;
    let after = AreaRecord::read(memory, &layout.area, area).ok().flatten();
    let is_still = after.is_some_and(|after| copy.described.is_unchanged(&after));
    if !is_still || (lost > 0 && lost == tables) {
        return (
            Reading::failed("the tables of owners went away while they were read: ask again"),
            None,
        );
    }
    let why = || format!("owners of {lost} of {tables} clusters went away while they were read");
    (Reading::Known(owners), (lost > 0).then(why))
}

/// Count what a table holds, if it is still there.
fn count(
    memory: &impl KernelMemory,
    table: ArrayField,
    (address, said): (u64, u64),
    owners: &mut BTreeMap<u16, u64>,
) -> bool {
    let Ok(bytes) = bytes(memory, address, table.end()) else { return false };
    // It is freed with the last slot of its cluster: what lies there then is something else.
    if number(memory, said, 8) != Ok(address) {
        return false;
    }
    let owned = table.numbers(&bytes).filter_map(|id| u16::try_from(id).ok());
    for id in owned.filter(|id| *id != 0) {
        *owners.entry(id).or_insert(0) += 1;
    }
    true
}
