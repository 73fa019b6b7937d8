//! Which cgroups own the slots of an area.
//!
//! Kernel: `mm/swap_cgroup.c` up to 7.1, which lies in a form that is not read here; `mm/swap.h` since 7.2: each
//! cluster that is not free has a table with the number of the cgroup of each slot, or 0.

use super::copy::Copied;
use super::layout::Layout;
use super::memory::{Memory, bytes, number};
use crate::model::Reading;
use std::collections::BTreeMap;

/// Tables that are read of an area, a page of its own each: those of 32 GiB on most machines.
const MOST: usize = 16384;

/// Count the slots of each cgroup.
pub(super) fn read(
    memory: &impl Memory,
    layout: &Layout,
    copy: &Copied,
) -> Reading<BTreeMap<u16, u64>> {
    let Some(table) = layout.owners.filter(|_| layout.cluster.owners.is_some()) else {
        return Reading::absent(
            "this kernel does not keep owners beside the slots, as 7.2 and later do",
        );
    };
    let tables = copy.tables.len();
    if tables > MOST {
        return Reading::absent(format!(
            "{tables} clusters are in use, and owners are read of {MOST} at most"
        ));
    }
    let mut owners = BTreeMap::new();
    for (address, said) in &copy.tables {
        let Ok(bytes) = bytes(memory, *address, table.end()) else { continue };
        // It is freed with the last slot of its cluster: what lies there then is something else.
        if number(memory, *said, 8) != Ok(*address) {
            continue;
        }
        let owned = table.numbers(&bytes).filter_map(|id| u16::try_from(id).ok());
        for id in owned.filter(|id| *id != 0) {
            *owners.entry(id).or_insert(0) += 1;
        }
    }
    Reading::Known(owners)
}
