//! All swap areas, with what each CPU holds: allocation and freeing of slots as a kernel does them.

use super::areas::{AreaSetup, CLUSTER, NONE, ORDERS, SlotUse, SwapSpace};
use super::cost::SimDevice;
use super::dense::Dense;
use super::policy::{ClusterSearch, CpuReserve, KernelPolicy, LargeFolios, MetadataLayout};
use super::select::Selector;
use crate::model::clusters::NextSlot;

/// Slots that a CPU caches to allocate, and to free.
const SLOT_CACHE: usize = 64;
/// Free slots per CPU above which slots are cached, as a multiple of [`SLOT_CACHE`].
const CACHE_ON: u32 = 5;
/// Free slots per CPU below which slots are no longer cached.
const CACHE_OFF: u32 = 2;

/// Slots that a CPU holds, and where it goes on.
#[derive(Clone, Debug)]
struct CpuState {
    node: u32,
    cached: Vec<u32>,
    freed: Vec<u32>,
    /// Next slot by folio order; [`NONE`] if the cluster is used up.
    next: Dense<u32>,
}

/// The swap areas and the state of all CPUs.
#[derive(Clone, Debug)]
pub struct SwapSubsystem {
    /// The kernel.
    pub policy: KernelPolicy,
    areas: Dense<SwapSpace>,
    selector: Selector,
    cpus: Dense<CpuState>,
    total: u32,
    used: u32,
    caches_slots: bool,
    total_slots: u32,
}

impl SwapSubsystem {
    /// Enables areas in this order, on a machine whose CPUs are on these nodes.
    pub fn new(policy: KernelPolicy, nodes_of_cpus: &[u32], areas: &[AreaSetup]) -> Self {
        let nodes = nodes_of_cpus.iter().max().map_or(1, |node| node + 1);
        let cpus = nodes_of_cpus.iter().map(|node| CpuState {
            node: *node,
            cached: Vec::new(),
            freed: Vec::new(),
            next: Dense::filled(NONE, u32::from(ORDERS)),
        });
        let selector = Selector::new(policy.selection, nodes);
        let cpus: Dense<CpuState> = cpus.collect();
        let mut subsystem = Self {
            selector,
            areas: Dense::empty(),
            cpus,
            total: 0,
            used: 0,
            caches_slots: false,
            total_slots: 0,
            policy,
        };
        for setup in areas {
            subsystem.enable(setup.clone(), 0);
        }
        subsystem
    }

    /// Enables an area. `start` is the first column of the interleaved order of its free clusters.
    pub fn enable(&mut self, setup: AreaSetup, start: u32) {
        let cpus = self.cpus.len();
        let mut space = SwapSpace::new(setup, self.total_slots, &self.policy, (cpus, start));
        space.priority = self.selector.assign_priority(space.setup.priority);
        self.total_slots += space.setup.slots;
        self.total += space.pages();
        let (setup, priority) = (space.setup.clone(), space.priority);
        let number = self.areas.push(space);
        self.selector.insert(number, &setup, priority);
    }

    /// Enables a disabled area again, empty and with its old slots. `start` is as for [`Self::enable`].
    pub(super) fn enable_again(&mut self, area: u32, priority: Option<i32>, start: u32) {
        let old = &self.areas[area];
        let setup = AreaSetup { priority, ..old.setup.clone() };
        let mut space =
            SwapSpace::new(setup.clone(), old.base, &self.policy, (self.cpus.len(), start));
        (space.work, space.traffic, space.zram) = (old.work, old.traffic, old.zram);
        let priority = self.selector.assign_priority(setup.priority);
        space.priority = priority;
        self.total += space.pages();
        self.areas[area] = space;
        self.selector.insert(area, &setup, priority);
    }

    /// The areas, in the order in which they were enabled.
    pub fn areas(&self) -> &Dense<SwapSpace> {
        &self.areas
    }

    /// Usable slots of all areas.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// Used slots of all areas.
    pub fn used(&self) -> u32 {
        self.used
    }

    /// Whether more than half of all slots is used.
    pub fn is_half_full(&self) -> bool {
        (self.total - self.used) * 2 < self.total
    }

    /// The areas in the order in which a CPU of this node tries them.
    pub fn order(&self, node: u32) -> Vec<u32> {
        self.selector.order(node).collect()
    }

    /// Next slot of each CPU on an area by folio order. Kernels with slot caches keep these positions for each
    /// area, later ones for each CPU; on rotational areas all CPUs share one.
    pub fn next_slots(&self, area: u32) -> Vec<NextSlot> {
        let (space, cpus) = (&self.areas[area], self.cpus.len());
        let of_cpus = (0..).zip(self.cpus.entries()).flat_map(|(cpu, state)| {
            let known = (0..).zip(state.next.entries().copied()).filter(|(_, slot)| *slot != NONE);
            let here = known.map(|(order, slot)| (order, self.locate(slot)));
            let here = here.filter(move |(_, (other, _))| *other == area);
            here.map(move |(order, (_, slot))| (cpu * u32::from(ORDERS) + order, slot))
        });
        let of_area = (0..).zip(space.next.entries().copied()).filter(|(_, slot)| *slot != NONE);
        let next = |(place, slot): (u32, u32)| NextSlot {
            cpu: Some(place / u32::from(ORDERS)).filter(|cpu| *cpu < cpus),
            order: u8::try_from(place % u32::from(ORDERS)).unwrap_or(0),
            slot: u64::from(slot),
        };
        of_cpus.chain(of_area).map(next).collect()
    }

    /// The area of a slot, and its number there.
    pub fn locate(&self, slot: u32) -> (u32, u32) {
        let above = self.areas.entries().take_while(|space| space.base <= slot).count();
        let area = u32::try_from(above).unwrap_or(1).saturating_sub(1);
        (area, slot - self.areas[area].base)
    }

    /// Changes the area of a slot.
    pub(super) fn area_mut(&mut self, area: u32) -> &mut SwapSpace {
        &mut self.areas[area]
    }

    /// The state of a slot.
    pub fn slot(&self, slot: u32) -> SlotUse {
        let (area, at) = self.locate(slot);
        self.areas[area].slot(at)
    }

    /// Starts a round, in which all CPUs act at once.
    pub(super) fn begin_round(&mut self) {
        self.areas.entries_mut().for_each(SwapSpace::begin_round);
    }

    /// Lets the next CPU of the round act.
    pub(super) fn next_cpu(&mut self) {
        self.areas.entries_mut().for_each(SwapSpace::next_cpu);
    }

    /// Allocates the slots of a folio on a CPU; `None` if there is no run of this order.
    pub fn allocate(&mut self, cpu: u32, order: u8) -> Option<u32> {
        match self.policy.reserve {
            CpuReserve::SlotCache if order > 0 => self.allocate_large(cpu, order),
            CpuReserve::SlotCache => self.allocate_cached(cpu),
            CpuReserve::Cluster => {
                self.allocate_fast(cpu, order).or_else(|| self.allocate_slow(cpu, order))
            }
        }
    }

    /// Counts slots as used, and takes an area that is now full off the lists.
    fn count_taken(&mut self, area: u32, before: u32) {
        let space = &self.areas[area];
        let is_full = space.is_full();
        // An allocation can also have freed slots of the swap cache.
        self.used = self.used + space.used() - before;
        if is_full {
            self.selector.remove(area);
        }
    }

    fn allocate_cached(&mut self, cpu: u32) -> Option<u32> {
        self.adjust_slot_caches();
        if !self.caches_slots {
            let mut one = Vec::with_capacity(1);
            self.refill(cpu, 1, &mut one);
            return one.pop();
        }
        if self.cpus[cpu].cached.is_empty() {
            let mut slots = std::mem::take(&mut self.cpus[cpu].cached);
            self.refill(cpu, SLOT_CACHE, &mut slots);
            slots.reverse();
            self.cpus[cpu].cached = slots;
        }
        self.cpus[cpu].cached.pop()
    }

    /// Slots are cached while many are free.
    fn adjust_slot_caches(&mut self) {
        let free = u64::from(self.total - self.used);
        let cached = u64::from(self.cpus.len()) * SLOT_CACHE as u64;
        if free > cached * u64::from(CACHE_ON) {
            self.caches_slots = true;
        } else if free < cached * u64::from(CACHE_OFF) && self.caches_slots {
            self.caches_slots = false;
            self.drain_slot_caches();
        }
    }

    /// Returns all slots that CPUs hold.
    pub fn drain_slot_caches(&mut self) {
        for cpu in 0..self.cpus.len() {
            let state = &mut self.cpus[cpu];
            let mut slots = std::mem::take(&mut state.cached);
            slots.append(&mut state.freed);
            self.return_slots(&slots);
        }
    }

    /// Takes up to this many single slots from the first area that has some.
    fn refill(&mut self, cpu: u32, count: usize, slots: &mut Vec<u32>) {
        let (node, swap_full) = (self.cpus[cpu].node, self.is_half_full());
        let tried: Vec<u32> = self.selector.order(node).collect();
        for area in tried {
            self.selector.requeue(node, area);
            let space = &mut self.areas[area];
            let before = space.used();
            space.take_lock();
            let is_disk = space.setup.device.rotates() && space.lists.is_none();
            if is_disk {
                space.begin_turn();
            }
            while slots.len() < count && !(is_disk && space.takes_break()) {
                let Some(slot) = space.allocate_one(cpu, swap_full) else { break };
                // A sequential scan ends where the run of free slots ends.
                let is_new_run =
                    is_disk && slots.last().is_some_and(|last: &u32| last - space.base + 1 != slot);
                slots.push(space.base + slot);
                if is_new_run {
                    break;
                }
            }
            self.count_taken(area, before);
            if !slots.is_empty() {
                return;
            }
        }
    }

    /// Whether an area takes folios of this order whole.
    fn takes_large(&self, area: u32, order: u8) -> bool {
        let device = self.areas[area].setup.device;
        let is_block = !device.is_file();
        let is_solid = matches!(device, SimDevice::Zram | SimDevice::SolidState);
        match self.policy.large {
            LargeFolios::HugeOnly => is_solid && order == ORDERS - 1,
            LargeFolios::SolidState => is_solid,
            LargeFolios::BlockDevices => is_block,
        }
    }

    /// Tries the first area only, as kernels with slot caches do for large folios.
    fn allocate_large(&mut self, cpu: u32, order: u8) -> Option<u32> {
        let (node, swap_full) = (self.cpus[cpu].node, self.is_half_full());
        let area = self.selector.at(node, 0)?;
        self.selector.requeue(node, area);
        if !self.takes_large(area, order) {
            return None;
        }
        let space = &mut self.areas[area];
        let before = space.used();
        space.take_lock();
        let slot = match space.lists {
            None => space.allocate_cluster(),
            Some(_) => space.allocate_run(cpu, order, swap_full),
        };
        self.count_taken(area, before);
        slot.map(|slot| self.areas[area].base + slot)
    }

    /// Goes on in the cluster that the CPU uses for this order.
    fn allocate_fast(&mut self, cpu: u32, order: u8) -> Option<u32> {
        let next = self.cpus[cpu].next[u32::from(order)];
        if next == NONE {
            return None;
        }
        let swap_full = self.is_half_full();
        let (area, hint) = self.locate(next);
        let space = &mut self.areas[area];
        let before = space.used();
        let taken = space.take_at_hint(order, hint, swap_full);
        let next = taken.map_or(NONE, |taken| taken.next);
        self.set_next(cpu, order, (area, next));
        self.count_taken(area, before);
        taken.map(|taken| self.areas[area].base + taken.slot)
    }

    fn set_next(&mut self, cpu: u32, order: u8, (area, next): (u32, u32)) {
        let next = if next == NONE { NONE } else { self.areas[area].base + next };
        self.cpus[cpu].next[u32::from(order)] = next;
    }

    /// Tries the areas in order; a large folio is tried on the first one only.
    fn allocate_slow(&mut self, cpu: u32, order: u8) -> Option<u32> {
        let (node, swap_full) = (self.cpus[cpu].node, self.is_half_full());
        let ClusterSearch::Lists(lists) = self.policy.search else {
            return self.allocate_large(cpu, order);
        };
        let tried: Vec<u32> = self.selector.order(node).collect();
        for area in tried {
            self.selector.requeue(node, area);
            if order > 0 && !self.takes_large(area, order) {
                return None;
            }
            let space = &mut self.areas[area];
            let before = space.used();
            let rotational = space.setup.device.rotates();
            let place = self.cpus.len() * u32::from(ORDERS) + u32::from(order);
            let hint = if rotational { space.next[place] } else { NONE };
            let taken = space.allocate_from_lists(lists, order, hint, swap_full);
            if let Some(taken) = taken {
                if rotational {
                    // One position for all CPUs, so that the next folio selects an area again.
                    space.next[place] = taken.next;
                } else {
                    self.set_next(cpu, order, (area, taken.next));
                }
            }
            self.count_taken(area, before);
            if taken.is_some() || order > 0 {
                return taken.map(|taken| self.areas[area].base + taken.slot);
            }
        }
        None
    }

    /// Frees a slot on a CPU.
    pub fn free(&mut self, cpu: u32, slot: u32) {
        if self.policy.reserve == CpuReserve::Cluster || !self.caches_slots {
            self.return_slots(&[slot]);
            return;
        }
        let (area, at) = self.locate(slot);
        self.areas[area].park(at);
        let freed = &mut self.cpus[cpu].freed;
        freed.push(slot);
        if freed.len() >= SLOT_CACHE {
            let mut slots = std::mem::take(freed);
            slots.sort_unstable();
            self.return_slots(&slots);
        }
    }

    fn return_slots(&mut self, slots: &[u32]) {
        let mut locked = NONE;
        for &slot in slots {
            let (area, at) = self.locate(slot);
            let space = &mut self.areas[area];
            if self.policy.reserve == CpuReserve::SlotCache && locked != area {
                space.take_lock();
                locked = area;
            }
            let was_full = space.is_full();
            space.release(at);
            self.used -= 1;
            if was_full && space.is_enabled {
                let (setup, priority) = (space.setup.clone(), space.priority);
                self.selector.insert(area, &setup, priority);
            }
        }
    }

    /// Pages whose slots were reclaimed from the swap cache since the last call.
    pub(super) fn take_evicted(&mut self) -> Vec<u32> {
        let mut pages = Vec::new();
        for space in self.areas.entries_mut().filter(|space| space.has_evicted()) {
            pages.append(&mut space.take_evicted());
        }
        pages
    }

    /// Discards all clusters that wait for it.
    pub fn discard_clusters(&mut self) {
        for space in self.areas.entries_mut() {
            space.discard_clusters();
        }
    }

    /// Takes an area off the lists before swapoff, which can renumber the others.
    pub(super) fn exclude(&mut self, area: u32) {
        self.drain_slot_caches();
        self.caches_slots = false;
        self.areas[area].is_enabled = false;
        let priority = self.areas[area].priority;
        self.selector.remove(area);
        for cpu in self.cpus.entries_mut() {
            cpu.next.fill_range(0, u32::from(ORDERS), &NONE);
        }
        if self.areas[area].setup.priority.is_none()
            && self.selector.renumber_defaults_below(priority)
        {
            for other in self.areas.entries_mut().filter(|other| other.setup.priority.is_none()) {
                other.priority += i32::from(other.priority < priority);
            }
        }
    }

    /// Enables an excluded area again that could not be emptied; its default priority is the lowest now.
    pub(super) fn reinstate(&mut self, area: u32) {
        let setup = self.areas[area].setup.clone();
        let priority = self.selector.assign_priority(setup.priority);
        let space = &mut self.areas[area];
        (space.is_enabled, space.priority) = (true, priority);
        if !space.is_full() {
            self.selector.insert(area, &setup, priority);
        }
    }

    /// Forgets an area that was excluded, and is empty now.
    pub(super) fn disable(&mut self, area: u32) {
        self.total -= self.areas[area].pages();
    }

    /// Bytes of metadata: what each area takes before it holds anything, and what clusters in use add.
    pub fn metadata_bytes(&self) -> u64 {
        let enabled = self.areas.entries().filter(|space| space.is_enabled);
        enabled.map(|space| self.metadata_of(space)).sum()
    }

    fn metadata_of(&self, space: &SwapSpace) -> u64 {
        let slots = u64::from(space.setup.slots);
        let clusters = slots.div_ceil(u64::from(CLUSTER));
        let in_use = space.clusters.entries().filter(|cluster| cluster.used > 0).count() as u64;
        match self.policy.metadata {
            // Swap map, cgroup numbers and zero map; then nodes of the swap cache for slots in use.
            MetadataLayout::Arrays => {
                slots + slots * 2 + slots / 8 + clusters * 24 + u64::from(space.used()) * 9
            }
            MetadataLayout::ArraysAndTables => {
                slots + slots * 2 + slots / 8 + clusters * 32 + in_use * 4096
            }
            // A table of 8 bytes a slot and cgroup numbers of 2 bytes for each cluster in use.
            MetadataLayout::ReverseMap => clusters * 48 + slots / 1024,
            MetadataLayout::Tables => clusters * 48 + slots / 1024 + in_use * (4096 + 1024),
        }
    }
}

impl SwapSpace {
    /// Allocates a single slot under the lock of the area.
    fn allocate_one(&mut self, cpu: u32, swap_full: bool) -> Option<u32> {
        if self.lists.is_some() {
            self.allocate_run(cpu, 0, swap_full)
        } else {
            self.allocate_from_map(cpu, swap_full)
        }
    }

    /// Allocates from the lists, going on where this CPU allocated last in this area.
    fn allocate_run(&mut self, cpu: u32, order: u8, swap_full: bool) -> Option<u32> {
        let lists = self.lists?;
        let place = cpu * u32::from(ORDERS) + u32::from(order);
        let taken = self.allocate_from_lists(lists, order, self.next[place], swap_full);
        self.next[place] = taken.map_or(NONE, |taken| taken.next);
        taken.map(|taken| taken.slot)
    }
}

#[cfg(test)]
mod tests;
