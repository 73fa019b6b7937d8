//! The machine: processes that access memory, and rounds in which every CPU acts once.

mod fault;
mod process;
mod settings;
mod store;
mod swapoff;

pub(super) use process::MAX_PROCESS_PAGES;
pub use process::{PASSES_FOR_SECONDS, ProcessRecord};

use super::access::PAGE_BYTES;
use super::areas::{AreaSetup, ORDERS};
use super::cost::{AllocationWork, CostModel, MachineWork, SimDevice};
use super::dense::{Dense, SeededRandom};
use super::layer::{LayerPolicy, VirtualSlots, ZswapPool, ZswapSetup};
use super::policy::KernelPolicy;
use super::readahead::ReadaheadWindow;
use super::reclaim::{FolioLists, Shadow};
use super::swap::SwapSubsystem;
use crate::model::Snapshot;
use crate::model::load::Workload;
use process::{FreeTime, SimProcess};
pub use swapoff::ModelledSwapoff;

/// Content of the page table for a page without content.
const EMPTY: u32 = 0;
/// Bit of a page table entry: the page is in swap, and the rest is its slot.
const IN_SWAP: u32 = 1 << 31;
/// Columns of the interleaved order of free clusters.
const COLUMNS: u32 = 32;

/// A machine as described by a machine file.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineSetup {
    /// Name.
    pub name: String,
    /// Purpose in one sentence.
    pub about: String,
    /// Kernel.
    pub policy: KernelPolicy,
    /// Pages of memory for processes, the pool of zswap and what zram stores.
    pub memory_pages: u32,
    /// Memory limit of the workload's cgroup in pages, if it has one. The kernel charges the pool of zswap to it, and
    /// not the memory of zram.
    pub limit_pages: Option<u32>,
    /// CPUs.
    pub cpus: u32,
    /// NUMA nodes, which have equal numbers of CPUs.
    pub nodes: u32,
    /// Largest readahead window, as a power of two.
    pub page_cluster: u32,
    /// Orders of large folios that faults may allocate.
    pub folio_orders: Vec<u8>,
    /// Orders that faults may allocate too in memory for which its program asked (`MADV_HUGEPAGE`).
    pub advised_orders: Vec<u8>,
    /// zswap, if it is enabled.
    pub zswap: Option<ZswapSetup>,
    /// Swap areas, in the order in which they are enabled.
    pub areas: Vec<AreaSetup>,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Name or path of the workload, if there is one.
    pub load: Option<String>,
    /// Changed keys of the workload.
    pub load_changes: Vec<String>,
    /// Share of swap that the workload has filled at the first sample.
    pub used_at_start: f64,
    /// Rounds that count as one second.
    pub rounds_per_second: u32,
    /// Path of the file with the costs of actions, if they are not the built-in ones.
    pub cost_file: Option<String>,
    /// Costs of actions, for estimates of time.
    pub costs: CostModel,
}

impl MachineSetup {
    /// Whether an area is on zram.
    pub fn has_zram(&self) -> bool {
        self.areas.iter().any(|area| area.device == SimDevice::Zram)
    }

    /// Slots of all areas on zram: the pages of memory that they can take.
    pub(super) fn zram_slots(&self) -> u64 {
        let zram = self.areas.iter().filter(|area| area.device == SimDevice::Zram);
        zram.map(|area| u64::from(area.slots)).sum()
    }

    /// The machine with a limit of this many pages for the cgroup of its workload, and with memory for all that its
    /// areas on zram can store.
    #[must_use]
    pub(super) fn with_cgroup_limit(self, pages: u32) -> Self {
        let memory = u64::from(pages) + self.zram_slots();
        let memory_pages = u32::try_from(memory).unwrap_or(u32::MAX);
        Self { memory_pages, limit_pages: Some(pages), ..self }
    }

    /// Pages that processes and their part of the pool of zswap may take.
    pub fn usable_pages(&self) -> u32 {
        self.limit_pages.map_or(self.memory_pages, |limit| limit.min(self.memory_pages))
    }

    /// The node of a CPU.
    pub fn node_of(&self, cpu: u32) -> u32 {
        u32::try_from(u64::from(cpu) * u64::from(self.nodes) / u64::from(self.cpus.max(1)))
            .unwrap_or(0)
    }
}

/// Counters as the kernel has them, since the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PagingCounters {
    /// Pages read from areas.
    pub pswpin: u64,
    /// Pages written to areas.
    pub pswpout: u64,
    /// Pages read ahead.
    pub swap_ra: u64,
    /// Pages read ahead that were then accessed.
    pub swap_ra_hit: u64,
    /// Pages loaded from zswap.
    pub zswpin: u64,
    /// Pages stored in zswap.
    pub zswpout: u64,
    /// Pages written back by zswap.
    pub zswpwb: u64,
    /// Zero-filled pages that were swapped in.
    pub swpin_zero: u64,
    /// Zero-filled pages that were swapped out.
    pub swpout_zero: u64,
    /// Folios of each order that were allocated by faults.
    pub fault_alloc: [u64; ORDERS as usize],
    /// Folios of each order that were written whole.
    pub swpout: [u64; ORDERS as usize],
    /// Folios of each order that zswap stored whole.
    pub zswpout_folios: [u64; ORDERS as usize],
    /// Folios of each order that were split because no run of slots was free.
    pub swpout_fallback: [u64; ORDERS as usize],
    /// Folios of each order that were read whole.
    pub swpin: [u64; ORDERS as usize],
    /// Single pages for which no slot was free.
    pub swap_full: u64,
    /// Processes that were killed because no memory could be reclaimed.
    pub oom_kill: u64,
}

/// Adds one to the counter of an order.
fn count(counters: &mut [u64; ORDERS as usize], order: u8) {
    if let Some(counter) = counters.get_mut(usize::from(order)) {
        *counter += 1;
    }
}

/// The processes of a CPU, and which of them runs.
#[derive(Clone, Debug, Default)]
struct RunQueue {
    processes: Vec<u32>,
    current: usize,
    slice: u32,
}

/// The simulated machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The description.
    pub setup: MachineSetup,
    /// Swap areas.
    pub swap: SwapSubsystem,
    /// Counters.
    pub counters: PagingCounters,
    /// Counted work outside of the areas.
    pub work: MachineWork,
    /// Rounds since the start.
    pub rounds: u64,
    pages: Dense<u32>,
    /// Shadow entries of pages that left memory.
    shadows: Dense<Shadow>,
    folios: FolioLists,
    processes: Dense<SimProcess>,
    queues: Vec<RunQueue>,
    readahead: ReadaheadWindow,
    zswap: Option<ZswapPool>,
    /// Settings of zswap, which are kept while it is disabled.
    zswap_limits: ZswapSetup,
    virtual_slots: Option<VirtualSlots>,
    random: SeededRandom,
    start_together: bool,
    free_time: FreeTime,
    has_zero_pages: bool,
    /// Whether a killed process frees its memory. A run that ends at the first kill keeps it, so that its figures are
    /// those of full swap.
    pub(super) frees_killed: bool,
}

impl Machine {
    /// A machine without processes.
    pub fn new(setup: MachineSetup) -> Self {
        let nodes: Vec<u32> = (0..setup.cpus).map(|cpu| setup.node_of(cpu)).collect();
        let mut random = SeededRandom::new(setup.seed);
        let mut swap = SwapSubsystem::new(setup.policy.clone(), &nodes, &[]);
        for area in &setup.areas {
            swap.enable(area.clone(), random.below(COLUMNS));
        }
        let is_virtual = setup.policy.layer == LayerPolicy::VirtualSwap;
        Self {
            swap,
            counters: PagingCounters::default(),
            work: MachineWork::default(),
            rounds: 0,
            pages: Dense::empty(),
            shadows: Dense::empty(),
            folios: FolioLists::new(),
            processes: Dense::empty(),
            queues: vec![RunQueue::default(); setup.cpus as usize],
            readahead: ReadaheadWindow::at_boot(),
            zswap: setup
                .zswap
                .map(|zswap| ZswapPool::new(zswap, setup.memory_pages, setup.policy.zswap)),
            zswap_limits: setup.zswap.unwrap_or(ZswapSetup::DEFAULT),
            virtual_slots: is_virtual.then(VirtualSlots::empty),
            random,
            start_together: false,
            free_time: FreeTime::Own,
            has_zero_pages: false,
            frees_killed: true,
            setup,
        }
    }

    /// Pages in memory, without the pool of zswap and what zram stores.
    pub fn resident_pages(&self) -> u32 {
        self.folios.pages()
    }

    /// Pages on the active and on the inactive list.
    pub fn list_lengths(&self) -> (u32, u32) {
        (self.folios.active_pages(), self.folios.inactive_pages())
    }

    /// Pages in memory that also have a slot.
    pub fn cached_pages(&self) -> u32 {
        self.folios.cached_pages()
    }

    /// Pages in memory and in swap of each process.
    pub fn process_pages(&self) -> Vec<(u32, u32)> {
        self.processes.entries().map(|process| (process.resident, process.in_swap)).collect()
    }

    /// Changes page table entries of a process: to no content, to a folio, or to a run of slots.
    fn set_entries(&mut self, first: u32, len: u32, entry: u32) {
        let number = self.process_number(first).unwrap_or(0);
        let process = &mut self.processes[number];
        process.swapped |= entry & IN_SWAP != 0;
        for at in 0..len {
            let new = if entry & IN_SWAP == 0 { entry } else { entry + at };
            let old = std::mem::replace(&mut self.pages[first + at], new);
            if let Some(count) = process.count_entry(old) {
                *count -= 1;
            }
            if let Some(count) = process.count_entry(new) {
                *count += 1;
            }
        }
    }

    /// The pool of zswap.
    pub fn zswap(&self) -> Option<&ZswapPool> {
        self.zswap.as_ref()
    }

    /// Virtual slots, with the policy of that name.
    pub fn virtual_slots(&self) -> Option<&VirtualSlots> {
        self.virtual_slots.as_ref()
    }

    /// Pages in swap: with virtual swap also those in zswap and zero-filled ones, which take no slot.
    pub fn pages_in_swap(&self) -> u32 {
        self.virtual_slots.as_ref().map_or(self.swap.used(), VirtualSlots::in_use)
    }

    /// Pages that the pool of zswap takes.
    fn pool_pages(&self) -> u32 {
        let bytes = self.zswap.as_ref().map_or(0, ZswapPool::bytes);
        u32::try_from(bytes.div_ceil(PAGE_BYTES)).unwrap_or(u32::MAX)
    }

    /// Memory that zram devices take for the pages that they store.
    fn zram_bytes(&self) -> u64 {
        self.swap.areas().entries().map(|space| space.zram.bytes).sum()
    }

    /// Memory for compressed pages: those on zram, and the pool of zswap.
    pub(super) fn compressed_bytes(&self) -> u64 {
        self.zram_bytes() + self.zswap.as_ref().map_or(0, ZswapPool::bytes)
    }

    /// Memory in use, by processes and for compressed pages.
    pub(super) fn memory_in_use(&self) -> u64 {
        u64::from(self.folios.pages()) * PAGE_BYTES + self.compressed_bytes()
    }

    /// Metadata of areas and of virtual slots.
    pub fn metadata_bytes(&self) -> u64 {
        let virtual_bytes = self.virtual_slots.as_ref().map_or(0, VirtualSlots::metadata_bytes);
        self.swap.metadata_bytes() + virtual_bytes
    }

    /// Work of all areas.
    pub fn allocation_work(&self) -> AllocationWork {
        let work = self.swap.areas().entries().map(|space| space.work);
        work.fold(AllocationWork::default(), AllocationWork::plus)
    }

    /// Estimated time on CPUs.
    pub fn system_ns(&self) -> f64 {
        let costs = &self.setup.costs;
        let zram = self.swap.areas().entries().filter(|space| space.is_synchronous());
        let copies = zram.map(|space| costs.device_ns(space.setup.device, space.traffic));
        costs.machine_ns(self.work)
            + costs.allocation_ns(self.allocation_work())
            + copies.sum::<f64>()
    }

    /// Estimated time until all work is done: CPUs work at the same time, and so do devices; the slowest
    /// of them decides.
    pub fn elapsed_ns(&self) -> f64 {
        let busy = self.queues.iter().filter(|queue| !queue.processes.is_empty()).count().max(1);
        self.slowest_device_ns() + self.system_ns() / busy as f64
    }

    /// Estimated time until all work is done if one CPU does it, as in a swapoff.
    pub fn single_cpu_ns(&self) -> f64 {
        self.slowest_device_ns() + self.system_ns()
    }

    fn slowest_device_ns(&self) -> f64 {
        let devices = self.swap.areas().entries().filter(|space| !space.is_synchronous());
        let costs = &self.setup.costs;
        let each = devices.map(|space| costs.device_ns(space.setup.device, space.traffic));
        each.fold(0.0, f64::max)
    }

    /// The CPU that acts first in a round. It changes irregularly: otherwise the number of CPUs and the size of
    /// a batch could make the same CPU reclaim each time, and so its node.
    fn first_cpu(&self) -> u32 {
        let scattered = self.rounds.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        u32::try_from(scattered % u64::from(self.setup.cpus.max(1))).unwrap_or(0)
    }

    /// Lets every CPU act once. False if all processes have ended.
    pub fn step(&mut self) -> bool {
        self.rounds += 1;
        self.swap.begin_round();
        let mut runs = false;
        let first = self.first_cpu();
        for turn in 0..self.setup.cpus {
            if let Some(process) = self.pick((first + turn) % self.setup.cpus) {
                runs = true;
                self.swap.next_cpu();
                self.advance(process);
            }
        }
        if self.rounds.is_multiple_of(1024) {
            self.swap.discard_clusters();
        }
        runs
    }

    /// Steps until all processes have ended or hold their memory, or `until` says so. Returns whether no process
    /// runs.
    pub fn run(&mut self, mut until: impl FnMut(&Self) -> bool) -> bool {
        while self.step() {
            if until(self) {
                return false;
            }
        }
        true
    }
}

// A machine in time: it runs its workload, and gives a snapshot for each simulated second.

/// A machine that runs. It is deterministic: the sample with a number is always the same.
#[derive(Debug)]
pub struct RunningMachine {
    /// The machine.
    pub machine: Machine,
    samples: u64,
    has_begun: bool,
    has_work: bool,
}

/// Rounds between two reports of progress.
const ROUNDS_PER_REPORT: u64 = 512;

impl RunningMachine {
    /// A machine before its first sample, with the workload that its file names.
    pub fn new(setup: MachineSetup, load: Option<&Workload>) -> Result<Self, String> {
        let mut machine = Machine::new(setup);
        if let Some(load) = load {
            machine.start(load)?;
        }
        Ok(Self { machine, samples: 0, has_begun: false, has_work: load.is_some() })
    }

    /// A machine that goes on from where it is.
    pub fn resumed(machine: Machine) -> Self {
        Self { machine, samples: 1, has_begun: true, has_work: true }
    }

    /// The next sample: the first is taken when swap is used as much as the file says, each other one a
    /// simulated second later. When all processes have ended, the machine stays as it is.
    pub fn next_sample(&mut self) -> Snapshot {
        if self.samples > 0 {
            self.run_rounds(self.machine.setup.rounds_per_second);
        } else {
            self.begin(&mut |_| {});
        }
        self.samples += 1;
        self.machine.snapshot()
    }

    /// Lets the machine reach its first sample, if it has not been taken yet, and reports the share of the used
    /// swap that it has reached.
    pub fn begin(&mut self, report: &mut dyn FnMut(f64)) {
        let until = f64::from(self.machine.swap.total()) * self.machine.setup.used_at_start;
        if self.has_begun || !self.has_work || until <= 0.0 {
            return;
        }
        self.has_begun = true;
        self.has_work = !self.machine.run(|machine| {
            let used = f64::from(machine.swap.used());
            if machine.rounds.is_multiple_of(ROUNDS_PER_REPORT) {
                report(used / until);
            }
            used >= until
        });
    }

    fn run_rounds(&mut self, rounds: u32) {
        for _ in 0..rounds {
            if self.has_work {
                self.has_work = self.machine.step();
            } else {
                self.machine.rounds += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod running_tests {
    use super::super::cost::SimDevice;
    use super::super::testing::setup;
    use super::super::testing::{group, load, machine};
    use super::*;

    #[test]
    fn samples_are_a_second_apart_and_equal_in_each_run() {
        let areas = vec![setup(SimDevice::Zram, 2048)];
        let setup = MachineSetup {
            used_at_start: 0.25,
            rounds_per_second: 100,
            ..machine("7.2", 500, areas)
        };
        let samples = || {
            let load = load(vec![group(1, 2000)]);
            let mut running = RunningMachine::new(setup.clone(), Some(&load)).unwrap();
            std::array::from_fn::<Snapshot, 4, _>(|_| running.next_sample())
        };
        let taken = samples();
        assert_eq!(taken, samples());
        let used = taken
            .each_ref()
            .map(|sample| sample.swaps.reading.known().unwrap()[0].used.known().unwrap().0 / 4096);
        assert!((511..560).contains(&used[0]) && used.is_sorted(), "{used:?}");
        let apart = taken[2].stamp.seconds_since(taken[1].stamp);
        assert!((apart - 1.0).abs() < 1e-6, "{apart}");
    }

    #[test]
    fn time_goes_on_without_work() {
        let setup = MachineSetup { rounds_per_second: 10, ..machine("7.2", 500, Vec::new()) };
        let mut idle = RunningMachine::new(setup, None).unwrap();
        let [first, second] = std::array::from_fn(|_| idle.next_sample());
        assert!((second.stamp.seconds_since(first.stamp) - 1.0).abs() < 1e-6);
    }
}
