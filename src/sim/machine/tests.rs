mod random;

use super::super::areas::{self, CLUSTER, NONE, SlotUse, SwapSpace};
use super::super::cost::SimDevice;
use super::super::layer::VirtualUse;
use super::super::testing::setup;
use super::super::testing::{group, load, machine};
use super::*;
use crate::model::Bytes;
use crate::model::load::{
    AccessPattern, FolioAdvice, MemoryAmount, MemoryKind, PageContents, WorkerGroup, Workload,
};

impl Machine {
    /// Panics unless page tables, folios and slots agree.
    fn check(&self) {
        self.swap.areas().entries().for_each(SwapSpace::check);
        let used: u32 = self.swap.areas().entries().map(SwapSpace::used).sum();
        assert_eq!(used, self.swap.used());
        let mut resident = 0;
        for (number, folio) in self.folios.present() {
            resident += folio.pages();
            for page in folio.first..folio.first + folio.pages() {
                assert_eq!(self.pages[page], number + 1, "page {page} of {folio:?}");
            }
            if folio.slot != NONE {
                self.check_slot(folio.slot, folio.first);
            }
        }
        assert_eq!(resident, self.resident_pages());
        for process in self.processes.entries() {
            let entries = (process.base..).take(process.span() as usize).map(|it| self.pages[it]);
            let in_swap = entries.clone().filter(|entry| entry & IN_SWAP != 0).count();
            let empty = entries.filter(|entry| *entry == EMPTY).count();
            assert_eq!(process.in_swap as usize, in_swap);
            assert_eq!(process.resident as usize, process.span() as usize - empty - in_swap);
        }
        let mut swapped = 0;
        for (page, entry) in (0..).zip(self.pages.entries()) {
            if entry & IN_SWAP != 0 {
                swapped += 1;
                self.check_slot(entry & !IN_SWAP, page);
            }
        }
        let cached = self.folios.present().filter(|(_, folio)| folio.slot != NONE);
        let cached = cached.map(|(_, folio)| folio.pages()).collect::<Vec<u32>>();
        assert_eq!(self.cached_pages(), cached.iter().sum::<u32>());
        let cached = cached.len();
        self.check_sum(swapped + u32::try_from(cached).unwrap());
        self.swap.areas().entries().for_each(|space| self.check_zram(space));
    }

    /// zram stores the pages whose content is in its slots.
    fn check_zram(&self, space: &SwapSpace) {
        let slots = (0..space.setup.slots).map(|slot| space.slot(slot));
        let pages = slots.filter_map(|slot| match slot {
            SlotUse::Page { page, on_device: true, .. } => Some(page),
            SlotUse::Page { .. } | SlotUse::Free | SlotUse::Bad | SlotUse::Reserved => None,
        });
        let sizes: Vec<u64> = pages
            .map(|page| areas::stored_bytes(self.process_of(page).unwrap().compressed))
            .collect();
        let (count, bytes) = (u32::try_from(sizes.len()).unwrap(), sizes.iter().sum::<u64>());
        let expected = if space.is_synchronous() { (count, bytes) } else { (0, 0) };
        assert_eq!((space.zram.pages, space.zram.bytes), expected, "{}", space.setup.path);
        assert!(space.zram.peak >= bytes || !space.is_synchronous());
    }

    fn check_slot(&self, id: u32, page: u32) {
        if let Some(slots) = &self.virtual_slots {
            assert_eq!(slots.page(id), page);
            if let VirtualUse::Slot(slot) = slots.place(id) {
                let SlotUse::Page { page: owner, .. } = self.swap.slot(slot) else {
                    panic!("{slot}")
                };
                assert_eq!(owner, page);
            }
        } else {
            let SlotUse::Page { page: owner, .. } = self.swap.slot(id) else { panic!("{id}") };
            assert_eq!(owner, page);
        }
    }

    /// All used slots hold a page, except those that CPUs hold.
    fn check_sum(&self, pages: u32) {
        let held = |space: &SwapSpace| {
            let slots = (0..space.setup.slots).map(|slot| space.slot(slot));
            u32::try_from(slots.filter(|slot| *slot == SlotUse::Reserved).count()).unwrap()
        };
        let held: u32 = self.swap.areas().entries().map(held).sum();
        match &self.virtual_slots {
            None => assert_eq!(self.swap.used(), pages + held, "{:?}", self.setup),
            Some(slots) => {
                assert_eq!(slots.in_use(), pages);
                assert_eq!(self.swap.used(), slots.physical() + held, "{:?}", self.setup);
            }
        }
    }
}

/// A small machine with every kind of area, and processes of every pattern.
fn mixed(policy: &str, zswap: bool, seed: u64) -> Machine {
    let mut areas = vec![
        setup(SimDevice::SolidState, 3 * CLUSTER),
        setup(SimDevice::Zram, 4 * CLUSTER),
        setup(SimDevice::Rotational, 2 * CLUSTER),
    ];
    areas[1].discards = true;
    areas[1].priority = Some(10);
    areas[0].priority = Some(10);
    let mut setup = machine(policy, 1024, areas);
    (setup.cpus, setup.nodes, setup.seed) = (3, 2, seed);
    setup.folio_orders = vec![2, 4];
    setup.zswap = zswap.then_some(ZswapSetup { max_pool: 0.2, accept: 0.8 });
    let mut machine = Machine::new(setup);
    machine.start(&mixed_load()).unwrap();
    machine
}

fn mixed_load() -> Workload {
    let base = group(1, 600);
    let works = vec![
        WorkerGroup { order: AccessPattern::Churn, passes: Some(2.0), ..base.clone() },
        WorkerGroup {
            order: AccessPattern::Random,
            writes: 0.3,
            rounds: 2,
            vary: 0.3,
            ..base.clone()
        },
        WorkerGroup { order: AccessPattern::Zipf { skew: 1.0 }, writes: 0.0, ..base.clone() },
        WorkerGroup { memory: MemoryKind::Shared, writes: 0.5, passes: Some(2.0), ..base.clone() },
        WorkerGroup { contents: PageContents::Zero, writes: 0.0, ..base.clone() },
        WorkerGroup {
            order: AccessPattern::Strided { stride: 65536 },
            contents: PageContents::Random,
            ..base
        },
    ];
    load(works)
}

#[test]
fn page_tables_folios_and_slots_agree_after_every_step() {
    let policies = [
        ("4.13", false),
        ("6.1", true),
        ("6.12", false),
        ("6.18", true),
        ("7.2", false),
        ("7.2+virtual-swap", false),
        ("7.2+virtual-swap", true),
    ];
    for ((policy, zswap), seed) in
        policies.into_iter().flat_map(|it| [1, 2, 3].map(|seed| (it, seed)))
    {
        let mut machine = mixed(policy, zswap, seed);
        let mut rounds = 0_u32;
        let ended = machine.run(|machine| {
            rounds += 1;
            if rounds.is_multiple_of(97) {
                machine.check();
            }
            false
        });
        assert!(ended);
        machine.check();
        machine.swap.drain_slot_caches();
        assert_eq!((machine.resident_pages(), machine.swap.used()), (0, 0), "{policy}");
        let counters = &machine.counters;
        assert!(counters.pswpout > 500 && counters.oom_kill == 0, "{policy}: {counters:?}");
        assert!(counters.swap_ra >= counters.swap_ra_hit && counters.swap_ra_hit > 0, "{policy}");
        assert_eq!(counters.zswpin > 0, zswap);
    }
}

/// Writes to pages that were read back, with a full pool and areas that are nearly full: slots of the swap cache are
/// reclaimed meanwhile, and some pages find room nowhere.
#[test]
fn pages_in_swap_are_accounted_for_when_pool_and_areas_are_full() {
    for (policy, pages) in [("7.2", 1550), ("7.2+virtual-swap", 1550), ("7.2+virtual-swap", 1700)] {
        let areas = vec![setup(SimDevice::SolidState, 2 * CLUSTER)];
        let mut setup = machine(policy, 512, areas);
        setup.zswap = Some(ZswapSetup { max_pool: 0.2, accept: 0.8 });
        let mut machine = Machine::new(setup);
        let work = WorkerGroup { order: AccessPattern::Random, writes: 0.5, ..group(1, pages) };
        machine.start(&load(vec![WorkerGroup { passes: Some(8.0), ..work }])).unwrap();
        let mut rounds = 0_u32;
        assert!(machine.run(|machine| {
            rounds += 1;
            if rounds.is_multiple_of(31) {
                machine.check();
            }
            false
        }));
        machine.check();
        machine.swap.drain_slot_caches();
        assert_eq!((machine.resident_pages(), machine.swap.used()), (0, 0), "{policy}");
        assert!(machine.counters.zswpwb > 0, "{policy}: {:?}", machine.counters);
    }
}

/// The kernel reclaims for a large folio only in memory with advice. Elsewhere a folio for which the limit has no
/// room is charged page by page: a single page reclaims 32, of which its block takes 16 and the next folio 16.
#[test]
fn large_folios_are_charged_without_reclaim_unless_advised() {
    let folios = |advice| {
        let setup = machine("6.18", 256, vec![setup(SimDevice::Zram, 8 * CLUSTER)]);
        let mut machine = Machine::new(MachineSetup { folio_orders: vec![4], ..setup });
        machine.start(&load(vec![WorkerGroup { advice, ..group(1, 2048) }])).unwrap();
        while machine.counters.fault_alloc[4] * 16 + machine.counters.fault_alloc[0] < 2048 {
            assert!(machine.step());
        }
        machine.check();
        machine.counters.fault_alloc
    };
    assert_eq!(folios(FolioAdvice::Large)[4], 128);
    let mixed = folios(FolioAdvice::None);
    // The first 16 fit, then about every other one of the remaining 112: a reclaim can free a few pages more.
    assert_eq!(mixed[4] * 16 + mixed[0], 2048);
    assert!((16 + 56..16 + 60).contains(&mixed[4]), "{mixed:?}");
}

/// A folio that zswap stores has its slots, so it is whole like one that is written.
#[test]
fn folios_in_zswap_are_whole() {
    for policy in ["6.18", "7.2+virtual-swap"] {
        let setup = machine(policy, 512, vec![setup(SimDevice::SolidState, 8 * CLUSTER)]);
        let zswap = Some(ZswapSetup { max_pool: 0.2, accept: 0.8 });
        let mut machine = Machine::new(MachineSetup { folio_orders: vec![4], zswap, ..setup });
        let work = WorkerGroup { advice: FolioAdvice::Large, ..group(1, 2048) };
        machine.start(&load(vec![work])).unwrap();
        machine.run(|machine| machine.work.touches == 2048);
        let snapshot = machine.snapshot();
        let thp = snapshot.thp.reading.known().unwrap();
        let sizes = thp.sizes.known().unwrap();
        let stats = sizes[3].stats.known().unwrap();
        let [written, stored, split] = ["swpout", "zswpout", "swpout_fallback"]
            .map(|name| stats.get(name).known().copied().unwrap_or(0));
        let swapped = u64::from(machine.process_pages()[0].1);
        assert!(written > 10 && stored > 10, "{policy}: {written} {stored}");
        assert_eq!((16 * (written + stored), split), (swapped, 0), "{policy}");
    }
}

/// Up to 6.11 the pages that zswap stored first are written as soon as the pool is full; since then writeback first
/// passes over them, a few for each batch of which it refuses pages.
#[test]
fn zswap_writes_the_oldest_pages_back() {
    let counts = |policy| {
        let areas = vec![setup(SimDevice::SolidState, 8 * CLUSTER)];
        let zswap = Some(ZswapSetup { max_pool: 0.8, accept: 0.9 });
        let mut machine = Machine::new(MachineSetup { zswap, ..machine(policy, 1024, areas) });
        machine.start(&load(vec![WorkerGroup { passes: Some(1.0), ..group(1, 3072) }])).unwrap();
        assert!(machine.run(|_| false));
        machine.check();
        assert_eq!(machine.work.major_faults, machine.counters.zswpin + machine.counters.pswpin);
        [machine.counters.zswpwb, machine.counters.pswpout - machine.counters.zswpwb]
    };
    let [written, refused] = counts("6.1");
    assert!(written > 400 && refused < 100, "{written} {refused}");
    let [written, refused] = counts("6.12");
    assert!(written < 100 && refused > 400, "{written} {refused}");
}

#[test]
fn equal_seeds_give_equal_machines() {
    let end = |seed| {
        let mut machine = mixed("7.2", false, seed);
        machine.run(|_| false);
        format!("{machine:?}")
    };
    assert_eq!(end(5), end(5));
    assert_ne!(end(5), end(6));
}

#[test]
fn without_free_slots_a_process_is_killed_and_the_others_go_on() {
    let mut machine = Machine::new(machine("7.2", 256, vec![setup(SimDevice::Zram, 256)]));
    machine.start(&load(vec![group(2, 400)])).unwrap();
    assert!(machine.run(|_| false));
    machine.check();
    assert_eq!(machine.counters.oom_kill, 1);
    // Memory is scanned for the last free slot, and no more for each attempt after that.
    assert!(machine.counters.swap_full < 2 * 256, "{}", machine.counters.swap_full);
    assert!(machine.counters.swap_full > 0);
}

/// A machine with 1024 pages of memory and 4096 slots on zram, after a process wrote this many pages.
fn filled_zram(policy: &str, limit: Option<u32>, contents: PageContents, pages: u32) -> Machine {
    let setup = machine(policy, 1024, vec![setup(SimDevice::Zram, 8 * CLUSTER)]);
    let mut machine =
        Machine::new(MachineSetup { memory_pages: 1024, limit_pages: limit, ..setup });
    machine.frees_killed = false;
    machine.start(&load(vec![WorkerGroup { contents, ..group(1, pages) }])).unwrap();
    machine.run(|machine| machine.work.touches == u64::from(pages));
    machine.check();
    machine
}

#[test]
fn pages_on_zram_take_memory_by_their_contents() {
    // Zero-filled pages reach zram up to 6.11 only; a page that compresses by a tenth is stored as it is.
    for (policy, contents, stored, taken) in [
        ("6.1", PageContents::Zero, true, 0),
        ("7.2", PageContents::Zero, false, 0),
        ("7.2", PageContents::Same, true, 0),
        ("7.2", PageContents::Words, true, 2048),
        ("7.2", PageContents::Ratio(4.0), true, 1024),
        ("7.2", PageContents::Ratio(1.1), true, 4096),
        ("7.2", PageContents::Random, true, 4096),
    ] {
        let machine = filled_zram(policy, Some(256), contents.clone(), 900);
        let (resident, in_swap) = machine.process_pages()[0];
        assert!((600..=700).contains(&in_swap) && resident <= 256, "{contents}: {in_swap}");
        let snapshot = machine.snapshot();
        let mm = snapshot.zram.reading.known().unwrap()[0].mm.known().unwrap();
        let pages = if stored { u64::from(in_swap) } else { 0 };
        let mem_used = (pages * taken).next_multiple_of(4096);
        assert_eq!(
            (mm.orig_data.0, mm.mem_used.0),
            (pages * 4096, mem_used),
            "{policy} {contents}"
        );
        let is_huge = taken == 4096;
        assert_eq!(mm.same_pages.0, if stored && taken == 0 { pages } else { 0 });
        assert_eq!(mm.huge_pages.known().unwrap().0, if is_huge { pages } else { 0 });
        let free = snapshot.memory("MemFree").known().unwrap().0;
        let expected = (1024 - u64::from(resident)) * 4096 - pages * taken;
        assert_eq!(free, expected / 1024 * 1024, "{policy} {contents}");
    }
}

/// Reclaim goes on until what zram takes is free again, so more is swapped out; pages that do not compress free nothing.
#[test]
fn memory_of_zram_is_reclaimed_too() {
    let swapped = |contents, pages| {
        let machine = filled_zram("7.2", None, contents, pages);
        assert!(machine.memory_in_use() <= 1024 * PAGE_BYTES);
        (machine.counters.oom_kill, machine.process_pages()[0].1)
    };
    let (killed, same) = swapped(PageContents::Same, 1500);
    assert!(killed == 0 && (476..540).contains(&same), "{same}");
    let (killed, half) = swapped(PageContents::Words, 1500);
    assert!(killed == 0 && (952..1020).contains(&half), "twice as many as without: {half}");
    assert_eq!(swapped(PageContents::Words, 2300).0, 1, "memory holds at most twice its size");
    assert_eq!(swapped(PageContents::Ratio(4.0), 2300).0, 0);
    assert_eq!(swapped(PageContents::Random, 1100), (1, 1024), "no page gains anything");
    assert_eq!(filled_zram("7.2", Some(256), PageContents::Random, 1000).counters.oom_kill, 0);
}

/// Slots are freed one by one by the end of a process while swap is nearly full.
#[test]
fn a_cpu_never_waits_for_its_own_lock() {
    for policy in ["4.13", "5.10", "6.12", "6.18", "7.2"] {
        let run = |cpus, processes| {
            let areas = vec![setup(SimDevice::Zram, 4 * CLUSTER)];
            let mut machine = Machine::new(MachineSetup { cpus, ..machine(policy, 64, areas) });
            machine.start(&load(vec![group(processes, 2000 / processes)])).unwrap();
            assert!(machine.run(|_| false));
            machine.allocation_work()
        };
        for work in [run(1, 1), run(1, 2), run(2, 1)] {
            assert_eq!((work.lock_waits, work.lock_takes > 0), (0, true), "{policy}");
        }
        let work = run(2, 2);
        assert!((1..=work.lock_takes).contains(&work.lock_waits), "{policy}: {work:?}");
    }
}

#[test]
fn swapoff_moves_everything_to_memory_and_other_areas() {
    for (policy, walks) in [("7.2", true), ("6.12", true), ("7.2+virtual-swap", false)] {
        let areas = vec![setup(SimDevice::SolidState, 2 * CLUSTER); 2];
        let mut machine = Machine::new(machine(policy, 600, areas));
        machine.start(&load(vec![group(1, 1400)])).unwrap();
        machine.run(|machine| machine.counters.pswpout >= 750);
        let before: Vec<u32> = machine.swap.areas().entries().map(SwapSpace::used).collect();
        assert!(before[0] > 300, "{policy}: {before:?}");
        let (work, read) =
            (machine.swapoff_work(0, 1.0, 1), machine.swap.areas()[0].traffic.read_pages);
        let waits = machine.allocation_work().lock_waits;
        assert_eq!(machine.swapoff(0), 0);
        machine.check();
        assert_eq!(machine.allocation_work().lock_waits, waits, "{policy}");
        assert_eq!(machine.work.entries_visited > 0, walks, "{policy}");
        let read = machine.swap.areas()[0].traffic.read_pages - read;
        let counted = (read, machine.work.entries_visited);
        assert_eq!((work.read_pages, work.entries), counted, "{policy}");
        assert_eq!(machine.swap.total(), machine.swap.areas()[1].pages());
        // The other area does not have room for what memory does not hold.
        let left = machine.swapoff(1);
        assert!(left > 0 && machine.swap.areas()[1].is_enabled);
        machine.check();
        assert!(machine.run(|_| false));
    }
}

#[test]
fn a_workload_that_does_not_fit_is_refused_with_the_arithmetic() {
    let mut machine = Machine::new(machine("7.2", 1 << 20, vec![setup(SimDevice::Zram, 1024)]));
    let error = machine.start(&load(vec![group(1000, 1 << 20)])).unwrap_err();
    assert_eq!(
        error,
        "the processes have 1048576000 pages, and the simulator takes 6 bytes for each: 5.9 GiB. \
         The limit is 1 GiB: use less memory or fewer processes"
    );
    // Blocks have twice the address space, and more pages than 32 bits count are shown as they are.
    let huge = WorkerGroup {
        order: AccessPattern::Churn,
        size: MemoryAmount::Bytes(Bytes(1 << 46)),
        ..group(1, 1)
    };
    let error = machine.start(&load(vec![huge])).unwrap_err();
    assert!(error.starts_with("the processes have 34359738368 pages"), "{error}");
}
