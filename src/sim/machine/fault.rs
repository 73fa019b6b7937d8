//! Accesses to pages, the faults that they cause, and readahead.

use super::super::areas::{SlotUse, SwapSpace};
use super::super::layer::VirtualUse;
use super::super::policy::MetadataLayout;
use super::super::readahead::ReadaheadPolicy;
use super::store::Stored;
use super::{EMPTY, IN_SWAP, Machine, count};
use crate::model::load::FolioAdvice;

/// Pages around the one of a fault, with their slots.
type Neighbors = Vec<(u32, u32)>;

impl Machine {
    /// Accesses a page of a process. False if there is no memory for it.
    pub(super) fn touch(&mut self, process: u32, page: u32, writes: bool) -> bool {
        self.work.touches += 1;
        match self.pages[page] {
            EMPTY => self.fault_new(process, page),
            entry if entry & IN_SWAP != 0 => {
                self.fault_swapped(process, page, entry & !IN_SWAP, writes)
            }
            entry => {
                if self.folios.touch(entry - 1, writes) {
                    self.count_hit(process, page);
                    self.finish_read(process, entry - 1, writes);
                }
                true
            }
        }
    }

    /// Allocates the largest folio that fits around a page without content, and into the memory limit.
    fn fault_new(&mut self, process: u32, page: u32) -> bool {
        self.work.minor_faults += 1;
        let Some(order) = self.charge_new(process, page) else { return false };
        let first = page - page % (1 << order);
        let folio = self.folios.add(first, order, true);
        self.folios.touch(folio, true);
        self.set_entries(first, 1 << order, folio + 1);
        count(&mut self.counters.fault_alloc, order);
        true
    }

    /// Charges the largest folio around a page without content, and returns its order.
    fn charge_new(&mut self, process: u32, page: u32) -> Option<u8> {
        let fits = |machine: &Self, order: u8| {
            let (start, end) = machine.processes[process].mapping();
            let (first, len) = (page - page % (1 << order), 1 << order);
            let is_inside = first >= start && first + len <= end;
            is_inside && (first..first + len).all(|page| machine.pages[page] == EMPTY)
        };
        self.charge_largest(process, fits)
    }

    /// Charges a folio of the largest enabled order that fits, and returns its order; `None` if there is no
    /// memory even for a single page.
    ///
    /// The kernel reclaims for a large folio only in memory with advice (`defrag` is madvise by default). Without
    /// it, a folio for which the limit has no room is charged in a smaller size.
    fn charge_largest(&mut self, process: u32, fits: impl Fn(&Self, u8) -> bool) -> Option<u8> {
        let (cpu, advice) = (self.processes[process].cpu, self.processes[process].advice());
        let mut orders = self.setup.orders_for(advice);
        while let Some(order) = orders.checked_ilog2().and_then(|bit| u8::try_from(bit).ok()) {
            orders ^= 1 << order;
            let is_charged = fits(self, order)
                && (self.has_room(1 << order)
                    || (advice == FolioAdvice::Large && self.charge(cpu, 1 << order)));
            if is_charged {
                return Some(order);
            }
        }
        self.charge(cpu, 1).then_some(0)
    }

    /// Reads a page from swap, with others around it.
    fn fault_swapped(&mut self, process: u32, page: u32, id: u32, writes: bool) -> bool {
        let cpu = self.processes[process].cpu;
        let is_large = self.can_read_whole(process, id);
        let neighbors = self.neighbors(process, page, id);
        let fits = |machine: &Self, order: u8| {
            is_large && machine.is_run_in_swap(process, (page, id), order)
        };
        let Some(order) = self.charge_largest(process, fits) else { return false };
        let first = page - page % (1 << order);
        let folio = self.folios.add(first, order, true);
        let first_id = id - (page - first);
        self.folios.set_read(folio, first_id, false);
        self.folios.refault(folio, self.shadows[page]);
        for (id, page) in (first_id..).zip(first..first + (1 << order)) {
            self.load(id, page);
        }
        self.set_entries(first, 1 << order, folio + 1);
        let device_pages = self.slots_to_read(first_id, 1 << order, page);
        self.work.major_faults += 1;
        if !device_pages.is_empty() {
            count(&mut self.counters.swpin, order);
        }
        // Readahead can reclaim any other folio: this one is finished first.
        self.folios.touch(folio, writes);
        self.finish_read(process, folio, writes);
        let mut slots = device_pages;
        slots.extend(self.read_ahead(cpu, &neighbors));
        self.count_reads(slots);
        true
    }

    /// Slots of areas that hold these pages.
    fn slots_to_read(&self, first_id: u32, len: u32, page: u32) -> Vec<u32> {
        let slots = (first_id..first_id + len).filter_map(|id| match self.stored(id, page) {
            Stored::Device(slot) => Some(slot),
            Stored::Zero | Stored::Zswap => None,
        });
        slots.collect()
    }

    /// Counts reads of these slots, of which consecutive ones are one request.
    fn count_reads(&mut self, mut slots: Vec<u32>) {
        slots.sort_unstable();
        for run in slots.chunk_by(|a, b| a + 1 == *b) {
            let (Some(first), Ok(len)) = (run.first(), u32::try_from(run.len())) else { continue };
            let (area, at) = self.swap.locate(*first);
            self.swap.area_mut(area).traffic.read(at, len);
            self.counters.pswpin += u64::from(len);
        }
    }

    /// Whether the area of a page needs no waiting, so that nothing is read ahead.
    fn skips_readahead(&self, process: u32, id: u32) -> bool {
        let Some(slot) = self.slot_of(id) else { return true };
        let (area, _) = self.swap.locate(slot);
        let is_synchronous = self.swap.areas().entry(area).is_some_and(SwapSpace::is_synchronous);
        // Up to 6.12, shared memory is read ahead from all devices.
        let is_old = self.setup.policy.metadata == MetadataLayout::Arrays;
        is_synchronous && !(is_old && self.processes[process].is_shared())
    }

    fn can_read_whole(&self, process: u32, id: u32) -> bool {
        self.setup.policy.large_reads
            && self.zswap.is_none()
            && self.virtual_slots.is_none()
            && self.setup.orders_for(self.processes[process].advice()) != 0
            && self.skips_readahead(process, id)
    }

    /// Whether a page and those beside it that make up a folio of this order are in slots side by side.
    fn is_run_in_swap(&self, process: u32, (page, id): (u32, u32), order: u8) -> bool {
        let (start, end) = self.processes[process].mapping();
        let len = 1_u32 << order;
        let first = page - page % len;
        let Some(first_id) = id.checked_sub(page - first) else { return false };
        first >= start
            && first + len <= end
            && first_id % len == 0
            && (0..len).all(|at| self.pages[first + at] == (first_id + at) | IN_SWAP)
            && self.slots_to_read(first_id, len, page).len() == len as usize
    }

    /// The pages to read ahead at a fault, with their slots.
    fn neighbors(&mut self, process: u32, page: u32, id: u32) -> Neighbors {
        if self.skips_readahead(process, id) {
            return Vec::new();
        }
        let by_address = self.setup.policy.readahead == ReadaheadPolicy::ByAddress
            && !self.has_rotational_area()
            && !self.processes[process].is_shared();
        let found = if by_address {
            self.neighbors_by_address(process, page)
        } else {
            self.neighbors_by_slot(id)
        };
        found.into_iter().filter(|(neighbor, _)| *neighbor != page).collect()
    }

    /// Whether an area on a rotational disk turns readahead by address off for all of them.
    fn has_rotational_area(&self) -> bool {
        let mut enabled = self.swap.areas().entries().filter(|space| space.is_enabled);
        enabled.any(|space| space.setup.device.rotates())
    }

    fn neighbors_by_address(&mut self, process: u32, page: u32) -> Neighbors {
        let cluster = self.setup.page_cluster;
        let process = &mut self.processes[process];
        let mapping = process.mapping();
        let (first, end) = process.readahead.pages(page, mapping, cluster);
        let entries = (first..end).map(|page| (page, self.pages[page]));
        let swapped = entries.filter(|(_, entry)| entry & IN_SWAP != 0);
        swapped.map(|(page, entry)| (page, entry & !IN_SWAP)).collect()
    }

    fn neighbors_by_slot(&mut self, id: u32) -> Neighbors {
        let (area, at) = self.swap.locate(self.slot_of(id).unwrap_or(id));
        // Where mappings are not used, the window by slot is.
        let policy = self.setup.policy.readahead;
        let (first, end) = self.readahead.slots(policy, at, self.setup.page_cluster);
        let space = &self.swap.areas()[area];
        let pages = (first..end.min(space.setup.slots)).filter_map(|slot| match space.slot(slot) {
            SlotUse::Page { page, cache_only: false, .. } => Some(page),
            SlotUse::Page { .. } | SlotUse::Free | SlotUse::Bad | SlotUse::Reserved => None,
        });
        let entries = pages.map(|page| (page, self.pages[page]));
        let swapped = entries.filter(|(_, entry)| entry & IN_SWAP != 0);
        swapped.map(|(page, entry)| (page, entry & !IN_SWAP)).collect()
    }

    /// Reads pages that were not asked for. Returns the slots to read from areas.
    fn read_ahead(&mut self, cpu: u32, neighbors: &Neighbors) -> Vec<u32> {
        let mut slots = Vec::new();
        for &(page, id) in neighbors {
            // Making room can have changed where a page is.
            if !self.charge(cpu, 1) || self.pages[page] != id | IN_SWAP {
                continue;
            }
            slots.extend(self.slots_to_read(id, 1, page));
            let folio = self.folios.add(page, 0, true);
            self.folios.set_read(folio, id, true);
            self.folios.refault(folio, self.shadows[page]);
            self.load(id, page);
            self.set_entries(page, 1, folio + 1);
            self.counters.swap_ra += 1;
        }
        slots
    }

    fn count_hit(&mut self, process: u32, page: u32) {
        self.counters.swap_ra_hit += 1;
        self.work.minor_faults += 1;
        let process = &mut self.processes[process];
        process.readahead.count_hit_at(page);
        self.readahead.count_hit();
    }

    /// Decides whether a page that was read keeps its slot: it does until it is written, or until more than
    /// half of swap is used.
    fn finish_read(&mut self, process: u32, number: u32, writes: bool) {
        let folio = *self.folios.folio(number);
        let cpu = self.processes[process].cpu;
        let is_synchronous = self.skips_readahead(process, folio.slot);
        let on_device = matches!(self.stored(folio.slot, folio.first), Stored::Device(_));
        if writes || is_synchronous || !on_device || self.swap.is_half_full() {
            self.folios.forget_slot(number);
            self.release_slots(cpu, &folio);
        } else {
            for id in folio.slot..folio.slot + folio.pages() {
                self.set_cache_only(id, true);
            }
        }
    }

    /// Marks whether only the swap cache holds the slot of a page.
    pub(super) fn set_cache_only(&mut self, id: u32, is_cache_only: bool) {
        let Some(slot) = self.slot_of(id) else { return };
        let (area, at) = self.swap.locate(slot);
        self.swap.area_mut(area).set_cache_only(at, is_cache_only);
    }

    /// The slot of swapped memory; none if it has only a virtual one.
    pub(super) fn slot_of(&self, id: u32) -> Option<u32> {
        match self.virtual_slots.as_ref().map(|slots| slots.place(id)) {
            None => Some(id),
            Some(VirtualUse::Slot(slot)) => Some(slot),
            Some(VirtualUse::Free | VirtualUse::Zero | VirtualUse::Zswap) => None,
        }
    }
}
