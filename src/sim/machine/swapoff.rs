//! swapoff and swapon: everything on an area moves to memory, from which reclaim moves it to other areas; an area
//! that was disabled can be enabled again.

use super::super::areas::SlotUse;
use super::super::cost::{DeviceTraffic, MachineWork};
use super::store::Stored;
use super::{COLUMNS, IN_SWAP, Machine};
use crate::model::whole;

/// The work of a swapoff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelledSwapoff {
    /// Pages to read from the device.
    pub read_pages: u64,
    /// Page table entries to visit.
    pub entries: u64,
    /// Estimated time.
    pub ns: f64,
}

impl Machine {
    /// The number of the area with this path, enabled or not.
    pub fn area_number(&self, path: &str) -> Option<u32> {
        let mut areas = (0..).zip(self.swap.areas().entries());
        areas.find(|(_, space)| space.setup.path == path).map(|(number, _)| number)
    }

    /// Enables an area that is disabled, as swapon(2) does.
    pub fn swapon(&mut self, area: u32, priority: Option<i32>, discards: bool) {
        self.swap.area_mut(area).setup.discards = discards;
        let start = self.random.below(COLUMNS);
        self.swap.enable_again(area, priority, start);
        if let Some(setup) = self.setup.areas.get_mut(area as usize) {
            (setup.priority, setup.discards) = (priority, discards);
        }
    }

    /// Disables an area. Without virtual swap it walks the page tables of all processes that ever swapped;
    /// with it, the slots of the area lead to their pages. Returns the pages that could not be moved.
    pub fn swapoff(&mut self, area: u32) -> u32 {
        self.swap.exclude(area);
        // One CPU frees one page after the other.
        self.swap.begin_round();
        self.work.entries_visited += self.entries_to_visit();
        let slots = self.swap.areas()[area].setup.slots;
        for at in 0..slots {
            let SlotUse::Page { page, cache_only, .. } = self.swap.areas()[area].slot(at) else {
                continue;
            };
            if cache_only {
                self.evict_from_cache(page);
            } else if !self.read_for_swapoff(page) {
                break;
            }
        }
        self.swap.drain_slot_caches();
        let left = self.swap.areas()[area].used();
        if left == 0 {
            self.swap.disable(area);
        } else {
            self.swap.reinstate(area);
        }
        left
    }

    /// Page table entries that a swapoff visits.
    fn entries_to_visit(&self) -> u64 {
        let swapped = self.processes.entries().filter(|process| process.swapped);
        let entries = swapped.map(|process| u64::from(process.pages)).sum();
        if self.virtual_slots.is_some() { 0 } else { entries }
    }

    /// The work of a swapoff of an area now, if memory had room for all of its pages, and the area and the processes
    /// were this many times larger.
    pub fn swapoff_work(&self, area: u32, area_scale: f64, process_scale: u64) -> ModelledSwapoff {
        let space = &self.swap.areas()[area];
        let mut traffic = DeviceTraffic::default();
        let mut work = MachineWork::default();
        for at in 0..space.setup.slots {
            let SlotUse::Page { cache_only, on_device, .. } = space.slot(at) else { continue };
            work.free_lookups += 1;
            match (cache_only, on_device) {
                (true, _) => {}
                (false, true) => traffic.read(at, 1),
                (false, false) => work.decompressed += 1,
            }
        }
        let costs = &self.setup.costs;
        let area_ns = costs.device_ns(space.setup.device, traffic) + costs.machine_ns(work);
        let entries = self.entries_to_visit() * process_scale;
        let walk = MachineWork { entries_visited: entries, ..MachineWork::default() };
        ModelledSwapoff {
            read_pages: whole(traffic.read_pages as f64 * area_scale),
            entries,
            ns: area_ns * area_scale + costs.machine_ns(walk),
        }
    }

    /// Drops the slot of a page that is in memory.
    fn evict_from_cache(&mut self, page: u32) {
        let entry = self.pages[page];
        if entry & IN_SWAP != 0 || entry == 0 {
            return;
        }
        let folio = *self.folios.folio(entry - 1);
        self.folios.forget_slot(entry - 1);
        self.release_slots(0, &folio);
    }

    /// Reads a page into memory, and frees its slot. False without memory for it.
    fn read_for_swapoff(&mut self, page: u32) -> bool {
        if self.pages[page] & IN_SWAP == 0 {
            // Read ahead, and not accessed yet.
            self.evict_from_cache(page);
            return true;
        }
        if !self.charge(0, 1) {
            return false;
        }
        let id = self.pages[page] & !IN_SWAP;
        if let Stored::Device(slot) = self.stored(id, page) {
            let (area, at) = self.swap.locate(slot);
            self.swap.area_mut(area).traffic.read(at, 1);
            self.counters.pswpin += 1;
        }
        self.load(id, page);
        let folio = self.folios.add(page, 0, true);
        self.set_entries(page, 1, folio + 1);
        self.release_slot(0, id, page);
        true
    }
}
