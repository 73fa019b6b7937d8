//! A copy of an area's clusters, taken without any lock.
//!
//! Kernel: `mm/swapfile.c`. A `swap_info_struct` is never freed, only reused; its array of clusters is
//! freed at swapoff. The struct is therefore read before and after the array: if it changed, or the numbers
//! disagree, the copy is taken again.

use super::layout::{AreaLayout, ArrayField, ListFlags, SwapLayout};
use super::memory::{KernelMemory, ReadFault, bytes, in_chunks, number};
use crate::model::Reading;
use crate::model::clusters::{Cluster, List};
use std::collections::BTreeMap;

/// Number of attempts at a consistent copy.
const TRIES: u32 = 3;
/// Allowed difference of slots between clusters and the kernel's own count, since one is counted after the
/// other: twice the largest observed difference, and less than one wrong cluster.
const BUSY: u64 = 128;

const SWP_USED: u64 = 1;
const SWP_WRITEOK: u64 = 2;
const SWP_SOLIDSTATE: u64 = 0x10;
/// Flags in the count of used slots that an area accepts no more pages; the position of the bit differs by
/// kernel.
const OFF_LIST: [u64; 2] = [1 << 62, 1 << 30];
/// The bit that ends a list of clusters by number, up to 6.11.
const NO_NEXT: u64 = 2;

/// Fields of a `swap_info_struct`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AreaRecord {
    flags: u64,
    pub(super) number: u64,
    pub(super) priority: i64,
    pub(super) max: u64,
    pub(super) pages: u64,
    pub(super) used: u64,
    pub(super) clusters: u64,
    /// Address of the file; 0 before the area has a row in `/proc/swaps`, and after swapoff.
    file: u64,
    pub(super) map: u64,
    pub(super) percpu: u64,
    pub(super) global: u64,
    pub(super) next: u64,
}

/// A copy of an area.
#[derive(Debug)]
pub(super) struct AreaCopy {
    pub(super) described: AreaRecord,
    pub(super) clusters: Vec<Cluster>,
    pub(super) reserved: u64,
    /// Clusters with a table of owners: the address of the table, and the address of its pointer. Limited
    /// to those that are read.
    pub(super) tables: Vec<(u64, u64)>,
    /// Number of clusters with a table of owners.
    pub(super) with_table: u64,
    pub(super) partial: Option<String>,
}

impl AreaRecord {
    /// Reads the struct at this address; none if the area is not active.
    pub(super) fn read(
        memory: &impl KernelMemory,
        layout: &AreaLayout,
        address: u64,
    ) -> Result<Option<Self>, ReadFault> {
        let bytes = bytes(memory, address, layout.size)?;
        let optional =
            |field: Option<super::memory::NumberField>| field.map_or(0, |field| field.get(&bytes));
        let pages = layout.pages.get(&bytes);
        let area = Self {
            flags: layout.flags.get(&bytes),
            number: layout.number.get(&bytes),
            priority: layout.priority.signed(&bytes),
            max: layout.max.get(&bytes),
            pages,
            used: used(layout.used.get(&bytes), pages),
            clusters: layout.clusters.get(&bytes),
            file: layout.file.get(&bytes),
            map: optional(layout.map),
            percpu: optional(layout.percpu),
            global: optional(layout.global),
            next: optional(layout.next),
        };
        Ok(Some(area).filter(Self::is_active))
    }

    fn is_active(&self) -> bool {
        let is_whole = self.max != 0 && self.file != 0 && (self.clusters != 0 || self.map != 0);
        self.flags & SWP_USED != 0 && is_whole
    }

    /// Whether an area can have these numbers.
    pub(super) fn is_plausible(&self) -> bool {
        self.pages < self.max && self.used <= self.pages && self.max <= 1 << 32
    }

    /// Whether each slot has a byte, and there are no clusters.
    pub(super) fn is_by_slots(&self) -> bool {
        self.clusters == 0
    }

    /// Whether the kernel allocates slots sequentially, as on devices that seek.
    pub(super) fn is_sequential(&self) -> bool {
        self.flags & SWP_SOLIDSTATE == 0
    }

    /// Whether the area is the same and in the same state.
    pub(super) fn is_unchanged(&self, after: &Self) -> bool {
        let flags = |area: &Self| area.flags & (SWP_USED | SWP_WRITEOK);
        flags(self) == flags(after) && self.is_same(after)
    }

    /// Whether this is the same area, even while it is being disabled.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let lasting = |area: &Self| {
            (area.number, area.priority, area.max, area.clusters, area.file, area.map)
        };
        lasting(self) == lasting(other)
    }
}

fn used(raw: u64, pages: u64) -> u64 {
    let [late, early] = OFF_LIST;
    let used = raw & !late;
    if used > pages { used & !early } else { used }
}

/// Copies the clusters of an area.
pub(super) fn copy(
    memory: &impl KernelMemory,
    layout: &SwapLayout,
    address: u64,
) -> Result<AreaCopy, String> {
    let describe =
        || AreaRecord::read(memory, &layout.area, address).map_err(|fault| fault.to_string());
    let whole = |copy: AreaCopy| match &copy.partial {
        Some(why) if copy.clusters.is_empty() => Err(format!("no cluster could be read: {why}")),
        _ => Ok(copy),
    };
    let mut tries = 0;
    loop {
        tries += 1;
        let before = describe()?.ok_or(super::OFF)?;
        if !before.is_plausible() {
            return Err("its numbers are implausible: this kernel stores them in a form that swapadm does not know".to_owned());
        }
        let mut copy = copy_once(memory, layout, address, before);
        let Some(after) = describe()? else {
            copy.partial = Some(super::OFF.to_owned());
            return whole(copy);
        };
        if copy.partial.is_none() {
            copy.partial = disagrees(&copy, &after, layout.slots);
        }
        if copy.partial.is_none() || tries == TRIES {
            return whole(copy);
        }
    }
}

/// The inconsistency of a copy, if any.
fn disagrees(copy: &AreaCopy, after: &AreaRecord, slots: u32) -> Option<String> {
    let before = &copy.described;
    if !before.is_unchanged(after) {
        return Some("the area changed while it was read".to_owned());
    }
    if copy.clusters.iter().any(|cluster| u32::from(cluster.taken) > slots) {
        return Some("a cluster has more slots than possible".to_owned());
    }
    let taken: u64 = copy.clusters.iter().map(|cluster| u64::from(cluster.taken)).sum();
    let least = before.used.min(after.used) + copy.reserved;
    let most = before.used.max(after.used).saturating_add(copy.reserved);
    let far = least.saturating_sub(taken).max(taken.saturating_sub(most));
    (far > BUSY).then(|| {
        let own = taken.saturating_sub(copy.reserved);
        format!("its clusters have {own} used slots, but the kernel counts {}", after.used)
    })
}

fn copy_once(
    memory: &impl KernelMemory,
    layout: &SwapLayout,
    address: u64,
    described: AreaRecord,
) -> AreaCopy {
    let mut copy = AreaCopy {
        described,
        clusters: Vec::new(),
        reserved: 0,
        tables: Vec::new(),
        with_table: 0,
        partial: None,
    };
    let done = if described.is_by_slots() {
        by_slots(memory, layout, &mut copy)
    } else {
        by_clusters(memory, layout, address, &mut copy)
    };
    if let Err(fault) = done {
        copy.partial = Some(match copy.clusters.len() {
            0 => fault.to_string(),
            some => format!("only {some} clusters were read: {fault}"),
        });
    }
    copy
}

fn by_clusters(
    memory: &impl KernelMemory,
    layout: &SwapLayout,
    address: u64,
    copy: &mut AreaCopy,
) -> Result<(), ReadFault> {
    let (array, form) = (copy.described.clusters, &layout.cluster);
    let count = copy.described.max.div_ceil(layout.slots.into());
    copy.reserved = count * u64::from(layout.slots) - copy.described.pages;
    in_chunks(memory, array, (count, form.size), |first, part| {
        copy.clusters.reserve(part.len() / form.size);
        for (nth, one) in (first..).zip(part.chunks_exact(form.size)) {
            let flags = form.flags.get(one);
            let free = form.lists == ListFlags::Free && flags & 1 != 0;
            let taken = if free { 0 } else { form.count.get(one) };
            copy.clusters.push(Cluster {
                // A number that does not fit is found to be too large later.
                taken: u16::try_from(taken).unwrap_or(u16::MAX),
                list: form.list(flags),
                order: form.order.and_then(|order| u8::try_from(order.get(one)).ok()),
            });
            let owners = form.owners.map_or(0, |field| field.get(one));
            if let Some(field) = form.owners.filter(|_| owners != 0) {
                let said = array + nth * form.size as u64 + field.at as u64;
                copy.with_table += 1;
                if copy.tables.len() < MOST_OWNERS {
                    copy.tables.push((owners, said));
                }
            }
        }
    })?;
    if form.lists == ListFlags::Free {
        pass_over_discards(memory, layout, address, copy)?;
    }
    Ok(())
}

/// A cluster that waits for its discard has the number of the next cluster in place of its count.
fn pass_over_discards(
    memory: &impl KernelMemory,
    layout: &SwapLayout,
    address: u64,
    copy: &mut AreaCopy,
) -> Result<(), ReadFault> {
    let (form, Some(list)) = (&layout.cluster, layout.area.discard) else { return Ok(()) };
    let mut link = address.saturating_add(list);
    for _ in 0..copy.clusters.len() {
        let bytes = bytes(memory, link, form.size)?;
        if form.flags.get(&bytes) & NO_NEXT != 0 {
            break;
        }
        let next = form.count.get(&bytes);
        let waiting = usize::try_from(next).ok().and_then(|next| copy.clusters.get_mut(next));
        let Some(cluster) = waiting else { break };
        if cluster.list == Some(List::Discard) {
            break;
        }
        *cluster = Cluster { taken: 0, list: Some(List::Discard), order: None };
        link = copy.described.clusters.saturating_add(next * form.size as u64);
    }
    Ok(())
}

/// Without clusters, each slot has a byte; clusters are formed from these.
fn by_slots(
    memory: &impl KernelMemory,
    layout: &SwapLayout,
    copy: &mut AreaCopy,
) -> Result<(), ReadFault> {
    let slots = layout.slots as usize;
    let AreaRecord { map, max, pages, .. } = copy.described;
    copy.reserved = max.next_multiple_of(slots as u64) - pages;
    let count = |bytes: &[u8]| {
        // Slots past the end count as taken, as where the kernel has clusters.
        let behind = slots.saturating_sub(bytes.len());
        let taken = bytes.iter().filter(|slot| **slot != 0).count() + behind;
        let taken = u16::try_from(taken).unwrap_or(u16::MAX);
        Cluster { taken, list: None, order: None }
    };
    let whole = max / slots as u64;
    in_chunks(memory, map, (whole, slots), |_, part| {
        copy.clusters.extend(part.chunks_exact(slots).map(count));
    })?;
    let rest = max - whole * slots as u64;
    if rest > 0 {
        let rest = bytes(memory, map + whole * slots as u64, usize::try_from(rest).unwrap_or(0))?;
        copy.clusters.push(count(&rest));
    }
    Ok(())
}

// Owners of the slots of an area: cgroups.

/// Limit of tables read per area, one page each: the tables of 32 GiB on most machines.
pub(super) const MOST_OWNERS: usize = 16384;

/// Counts the slots of each cgroup, and says why some may be missing.
pub(super) fn read_owners(
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
    if tables > MOST_OWNERS as u64 {
        let why =
            format!("{tables} clusters are in use, but owners of only {MOST_OWNERS} are read");
        return (Reading::absent(why), None);
    }
    let mut owners = BTreeMap::new();
    let counted =
        copy.tables.iter().filter(|place| count_owners(memory, table, **place, &mut owners));
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
fn count_owners(
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

#[cfg(test)]
mod tests;
