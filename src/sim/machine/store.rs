//! Reclaim: pages go to zswap, to areas, or are remembered as zero-filled.

use super::super::access::PAGE_BYTES;
use super::super::areas::{NONE, SlotUse};
use super::super::layer::{VirtualSlots, VirtualUse, ZswapPool};
use super::super::reclaim::Folio;
use super::{IN_SWAP, Machine, count};

/// Pages that reclaim frees at once.
const BATCH: u32 = 32;
/// Reclaim first scans the list divided by two to the power of this (the kernel's name).
const DEF_PRIORITY: u32 = 12;
/// Attempts to reclaim without success before a process is killed, and of zswap to write a page back before its
/// worker waits for the next refused page (`MAX_RECLAIM_RETRIES`).
const ATTEMPTS: u32 = 16;

/// Where the content of a page in swap is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    Zero,
    Zswap,
    /// In this slot of an area.
    Device(u32),
}

impl Machine {
    /// Whether the memory limit and the machine have room for pages.
    pub(super) fn has_room(&self, pages: u32) -> bool {
        !self.exceeds_limit(pages) && self.has_memory(pages)
    }

    /// Whether the cgroup has a memory limit without room for pages.
    pub(in super::super) fn exceeds_limit(&self, pages: u32) -> bool {
        self.setup.limit_pages.is_some_and(|limit| self.charged_pages() + pages > limit)
    }

    /// Whether the machine has room for pages. What zram stores is memory of the machine alone.
    pub(in super::super) fn has_memory(&self, pages: u32) -> bool {
        let free = self.setup.memory_pages.checked_sub(self.charged_pages() + pages);
        free.is_some_and(|free| self.zram_bytes() <= u64::from(free) * PAGE_BYTES)
    }

    /// Pages of processes and of the pool of zswap.
    fn charged_pages(&self) -> u32 {
        self.folios.pages() + self.pool_pages()
    }

    /// Makes room for pages. False if nothing more can be reclaimed.
    pub(super) fn charge(&mut self, cpu: u32, pages: u32) -> bool {
        let mut failed = 0;
        while !self.has_room(pages) {
            let freed = self.reclaim(cpu);
            failed = if freed == 0 { failed + 1 } else { 0 };
            if failed > ATTEMPTS {
                return false;
            }
        }
        true
    }

    /// Reclaims on a CPU until a batch of pages is free, and returns how many it freed. It scans 1/4096 of the
    /// inactive list, then 1/2048 and so on, in batches that are always completed.
    fn reclaim(&mut self, cpu: u32) -> u32 {
        if !self.can_reclaim() {
            self.counters.swap_full += 1;
            return 0;
        }
        let mut freed = 0;
        for priority in (0..=DEF_PRIORITY).rev() {
            let (active, inactive) = (self.folios.active_pages(), self.folios.inactive_pages());
            if self.folios.take_refaulted() {
                self.folios.deactivate(active >> priority);
            }
            let mut left = inactive >> priority;
            while left > 0 && freed < BATCH {
                let batch = left.min(BATCH);
                left -= batch;
                freed += self.reclaim_batch(cpu, batch);
            }
            if freed >= BATCH {
                break;
            }
        }
        freed
    }

    /// Whether a page can get a slot or has one already, or zswap can shrink. Without free slots, the kernel scans no
    /// memory for swap (`can_reclaim_anon_pages`).
    fn can_reclaim(&self) -> bool {
        let has_slots = self.swap.used() < self.swap.total() || self.cached_pages() > 0;
        has_slots || self.zswap.is_some() || self.virtual_slots.is_some()
    }

    /// Scans so many pages of the inactive list. Returns how many it freed.
    fn reclaim_batch(&mut self, cpu: u32, pages: u32) -> u32 {
        let (mut freed, mut scanned) = (0, 0);
        while scanned < pages
            && let Some(oldest) = self.folios.scan_oldest()
        {
            scanned += oldest.pages;
            freed += oldest.victim.map_or(0, |victim| self.swap_out(cpu, victim));
        }
        // A worker of the kernel does this beside the process, however many pages were refused meanwhile.
        self.shrink_zswap(cpu);
        freed
    }

    /// Swaps a folio out. Returns the pages that it freed.
    fn swap_out(&mut self, cpu: u32, number: u32) -> u32 {
        let folio = *self.folios.folio(number);
        if folio.slot != NONE {
            // First: a write can make others reclaim the slots of the swap cache.
            (folio.slot..folio.slot + folio.pages()).for_each(|id| self.set_cache_only(id, false));
            if folio.is_dirty() {
                self.write(cpu, &folio, folio.slot);
            }
            self.detach(number, folio.slot);
            return folio.pages();
        }
        let id = self.take_slots(cpu, &folio);
        self.forget_evicted();
        match id {
            Some(id) => {
                self.detach(number, id);
                self.write(cpu, &folio, id);
                folio.pages()
            }
            None if folio.order > 0 => {
                count(&mut self.counters.swpout_fallback, folio.order);
                self.split(number);
                0
            }
            None => {
                self.counters.swap_full += 1;
                self.folios.make_newest(number);
                0
            }
        }
    }

    /// Takes the slots for a folio; `None` if there is no run of them. With virtual swap, slots of areas
    /// are taken only for pages that do not stay in the layer.
    fn take_slots(&mut self, cpu: u32, folio: &Folio) -> Option<u32> {
        let (first, len) = (folio.first, folio.pages());
        let Some(slots) = &mut self.virtual_slots else {
            let slot = self.swap.allocate(cpu, folio.order)?;
            self.assign(slot, first, len);
            return Some(slot);
        };
        let id = slots.create(first, len);
        if self.is_zero(first) || self.zswap.is_some() {
            return Some(id);
        }
        let Some(slot) = self.swap.allocate(cpu, folio.order) else {
            if let Some(slots) = &mut self.virtual_slots {
                (id..id + len).for_each(|id| slots.free(id));
            }
            return None;
        };
        self.assign(slot, first, len);
        (0..len).for_each(|at| self.set_place(id + at, VirtualUse::Slot(slot + at)));
        Some(id)
    }

    /// Notes the pages in a run of slots.
    fn assign(&mut self, slot: u32, first: u32, len: u32) {
        let (area, at) = self.swap.locate(slot);
        let space = self.swap.area_mut(area);
        (0..len).for_each(|number| space.assign(at + number, first + number));
    }

    fn set_place(&mut self, id: u32, place: VirtualUse) {
        if let Some(slots) = &mut self.virtual_slots {
            slots.set_place(id, place);
        }
    }

    /// Removes a folio from memory: its pages are in these slots now.
    fn detach(&mut self, number: u32, first_id: u32) {
        let (folio, shadow) = self.folios.evict(number);
        self.shadows.fill_range(folio.first, folio.pages(), &shadow);
        self.set_entries(folio.first, folio.pages(), first_id | IN_SWAP);
    }

    /// Splits a large folio into pages, which are reclaimed next.
    fn split(&mut self, number: u32) {
        let folio = self.folios.remove(number);
        // The last one that is added is the oldest one.
        for page in (folio.first..folio.first + folio.pages()).rev() {
            let single = self.folios.add(page, 0, false);
            self.set_entries(page, 1, single + 1);
        }
    }

    /// Takes pages out of the swap cache whose slots were reclaimed.
    fn forget_evicted(&mut self) {
        for page in self.swap.take_evicted() {
            let entry = self.pages[page];
            if entry & IN_SWAP == 0 && entry > 0 {
                let id = self.folios.folio(entry - 1).slot;
                if let Some(slot) = self.slot_of(id) {
                    self.remove_from_zram(slot, page);
                }
                self.folios.forget_slot(entry - 1);
                if let Some(slots) = &mut self.virtual_slots {
                    slots.free(id);
                }
            }
        }
    }

    /// Stores the content of a folio: as zero-filled, in zswap, or on the device.
    fn write(&mut self, cpu: u32, folio: &Folio, first_id: u32) {
        let zero = self.is_zero(folio.first);
        let bytes = self.compressed_size(folio.first);
        let mut written = 0;
        for (id, page) in (first_id..).zip(folio.first..folio.first + folio.pages()) {
            if zero {
                self.counters.swpout_zero += 1;
                self.set_stored(cpu, (id, page), VirtualUse::Zero);
            } else if self.zswap.as_mut().is_some_and(|pool| pool.store(id, bytes, folio.order > 0))
            {
                self.counters.zswpout += 1;
                self.work.compressed += 1;
                self.set_stored(cpu, (id, page), VirtualUse::Zswap);
            } else if self.write_page(cpu, id, page) {
                written += 1;
            } else if let Some(pool) = &mut self.zswap {
                pool.keep(id, bytes);
                self.set_place(id, VirtualUse::Zswap);
            }
        }
        // Zero-filled folios are counted by their pages alone.
        if written > 0 {
            count(&mut self.counters.swpout, folio.order);
        } else if !zero {
            count(&mut self.counters.zswpout_folios, folio.order);
        }
    }

    /// Writes a page to the device. With virtual swap it needs a slot first: false if none is free.
    fn write_page(&mut self, cpu: u32, id: u32, page: u32) -> bool {
        let slot = if let Some(slot) = self.slot_of(id) {
            slot
        } else {
            let slot = self.swap.allocate(cpu, 0);
            self.forget_evicted();
            let Some(slot) = slot else {
                self.counters.swap_full += 1;
                return false;
            };
            self.assign(slot, page, 1);
            self.set_place(id, VirtualUse::Slot(slot));
            slot
        };
        let (area, at) = self.swap.locate(slot);
        // A page that was changed replaces the old one.
        if self.swap.areas()[area].is_synchronous() && !self.is_in_zram(slot) {
            let compressed = self.compressed_size(page);
            self.swap.area_mut(area).zram.add(compressed);
        }
        let space = self.swap.area_mut(area);
        space.set_on_device(at, true);
        space.traffic.write(at, 1);
        self.counters.pswpout += 1;
        true
    }

    /// Whether the content of a slot is on zram.
    fn is_in_zram(&self, slot: u32) -> bool {
        let (area, at) = self.swap.locate(slot);
        let space = &self.swap.areas()[area];
        space.is_synchronous() && matches!(space.slot(at), SlotUse::Page { on_device: true, .. })
    }

    /// Removes a page from zram, if its slot is there.
    fn remove_from_zram(&mut self, slot: u32, page: u32) {
        let (area, _) = self.swap.locate(slot);
        if self.swap.areas()[area].is_synchronous() {
            let compressed = self.compressed_size(page);
            self.swap.area_mut(area).zram.remove(compressed);
        }
    }

    /// Frees the slot of a page.
    fn free_slot(&mut self, cpu: u32, slot: u32, page: u32) {
        if self.is_in_zram(slot) {
            self.remove_from_zram(slot, page);
        }
        self.swap.free(cpu, slot);
    }

    /// Writes the oldest pages back while the pool of zswap has to shrink, until it has passed over some.
    fn shrink_zswap(&mut self, cpu: u32) {
        let mut passed_over = 0;
        while passed_over < ATTEMPTS
            && let Some(oldest) = self.zswap.as_mut().and_then(ZswapPool::oldest_to_write)
        {
            let Some(page) = self.page_in_zswap(oldest.id) else { continue };
            let bytes = self.compressed_size(page);
            let is_written = !oldest.has_chance && self.write_page(cpu, oldest.id, page);
            let Some(pool) = &mut self.zswap else { return };
            if oldest.has_chance {
                pool.pass_over(oldest);
                passed_over += 1;
                continue;
            }
            if !is_written {
                pool.put_back(oldest);
                break;
            }
            pool.remove(bytes);
            self.work.decompressed += 1;
            self.counters.zswpwb += 1;
        }
        if let Some(mut pool) = self.zswap.take() {
            pool.tidy(|id| self.page_in_zswap(id).is_some());
            self.zswap = Some(pool);
        }
    }

    /// The page of a slot whose content is in zswap.
    fn page_in_zswap(&self, id: u32) -> Option<u32> {
        if let Some(slots) = &self.virtual_slots {
            return (slots.place(id) == VirtualUse::Zswap).then(|| slots.page(id));
        }
        match self.swap.slot(id) {
            SlotUse::Page { page, on_device: false, .. } => (!self.is_zero(page)).then_some(page),
            SlotUse::Page { .. } | SlotUse::Free | SlotUse::Bad | SlotUse::Reserved => None,
        }
    }

    /// Notes that a page is not on a device.
    fn set_stored(&mut self, cpu: u32, (id, page): (u32, u32), place: VirtualUse) {
        if let Some(slots) = &self.virtual_slots {
            // A page that was written before no longer needs its slot.
            if let VirtualUse::Slot(slot) = slots.place(id) {
                self.free_slot(cpu, slot, page);
            }
            self.set_place(id, place);
        } else {
            if self.is_in_zram(id) {
                self.remove_from_zram(id, page);
            }
            let (area, at) = self.swap.locate(id);
            self.swap.area_mut(area).set_on_device(at, false);
        }
    }

    /// Where the content of a page in swap is.
    pub(super) fn stored(&self, id: u32, page: u32) -> Stored {
        match self.virtual_slots.as_ref().map(|slots| slots.place(id)) {
            Some(VirtualUse::Slot(slot)) => Stored::Device(slot),
            Some(VirtualUse::Zswap) => Stored::Zswap,
            Some(VirtualUse::Zero | VirtualUse::Free) => Stored::Zero,
            None => match self.swap.slot(id) {
                SlotUse::Page { on_device: false, .. } if self.is_zero(page) => Stored::Zero,
                SlotUse::Page { on_device: false, .. } => Stored::Zswap,
                SlotUse::Page { .. } | SlotUse::Free | SlotUse::Bad | SlotUse::Reserved => {
                    Stored::Device(id)
                }
            },
        }
    }

    /// Counts the load of a page that does not come from an area.
    pub(super) fn load(&mut self, id: u32, page: u32) {
        match self.stored(id, page) {
            Stored::Zero => self.counters.swpin_zero += 1,
            Stored::Zswap => {
                self.counters.zswpin += 1;
                self.work.decompressed += 1;
            }
            Stored::Device(_) => {}
        }
    }

    /// Frees the slots of all pages of a folio.
    pub(super) fn release_slots(&mut self, cpu: u32, folio: &Folio) {
        for (id, page) in (folio.slot..).zip(folio.first..folio.first + folio.pages()) {
            self.release_slot(cpu, id, page);
        }
    }

    /// Frees the slot of a page, and its place in zswap.
    pub(super) fn release_slot(&mut self, cpu: u32, id: u32, page: u32) {
        self.work.free_lookups += 1;
        if self.stored(id, page) == Stored::Zswap {
            let bytes = self.compressed_size(page);
            if let Some(pool) = &mut self.zswap {
                pool.remove(bytes);
            }
        }
        match self.virtual_slots.as_ref().map(|slots| slots.place(id)) {
            None => self.free_slot(cpu, id, page),
            Some(place) => {
                if let VirtualUse::Slot(slot) = place {
                    self.work.free_lookups += 1;
                    self.free_slot(cpu, slot, page);
                }
                self.virtual_slots.iter_mut().for_each(|slots: &mut VirtualSlots| slots.free(id));
            }
        }
    }

    /// Whether a page is remembered as zero-filled instead of stored.
    fn is_zero(&self, page: u32) -> bool {
        self.has_zero_pages
            && (self.setup.policy.zero_map || self.virtual_slots.is_some())
            && self.process_of(page).is_some_and(|process| process.is_zero)
    }

    /// Compressed size of a page, in zswap and on zram alike.
    fn compressed_size(&self, page: u32) -> u64 {
        self.process_of(page).map_or(0, |process| process.compressed)
    }
}
