//! The load that a prediction assumes: one that fills swap, a workload, or the traffic of a running machine.

use super::access::PAGE_BYTES;
use super::dense::SeededRandom;
use super::machine::Machine;
use crate::model::Bytes;
use crate::model::load::{MemoryAmount, WorkerGroup, Workload};

/// Pages that a CPU swaps out before the next one does, as reclaim does.
const BATCH: u64 = 32;
/// Pages that are swapped out in a model of traffic at most, in sizes of swap.
const MOST_TURNOVERS: u64 = 4;

/// The use of swap that a prediction assumes.
#[derive(Clone, Debug, PartialEq)]
pub enum AssumedLoad {
    /// Processes that write more than memory and swap can hold.
    Filling,
    /// A workload, to its end.
    Workload(Box<Workload>),
    /// Pages are swapped out, and slots freed, as on the running machine.
    Traffic(SwapTraffic),
}

/// Traffic of a running machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwapTraffic {
    /// Used swap.
    pub used: Bytes,
    /// Bytes swapped out a second.
    pub out: f64,
    /// Bytes swapped in a second.
    pub back: f64,
    /// Growth of used swap in bytes a second; below 0 if it shrinks.
    pub growth: f64,
}

impl SwapTraffic {
    /// The slots that are freed for each one that is taken.
    fn freed_share(&self) -> f64 {
        ((self.out - self.growth) / self.out).clamp(0.0, 1.0)
    }
}

/// The memory limit of a workload on a machine with this many pages.
pub(super) fn limit_pages(load: &Workload, memory_pages: u32) -> u32 {
    let memory = Bytes(u64::from(memory_pages) * PAGE_BYTES);
    let pages = load.limit.resolve(memory).0 / PAGE_BYTES;
    u32::try_from(pages).unwrap_or(u32::MAX).clamp(1, memory_pages.max(1))
}

/// Pages of the processes of a workload with this limit.
pub(super) fn workload_pages(load: &Workload, limit: u32) -> u64 {
    let limit = Bytes(u64::from(limit) * PAGE_BYTES);
    let pages = |group: &WorkerGroup| group.size.resolve(limit).0 / PAGE_BYTES;
    load.works.iter().map(|group| pages(group) * u64::from(group.processes)).sum()
}

/// The workload with processes that are `scale` times smaller.
pub(super) fn scaled_workload(load: &Workload, limit: u32, scale: u64) -> Workload {
    let limit = Bytes(u64::from(limit) * PAGE_BYTES);
    let mut small = load.clone();
    for group in &mut small.works {
        let size = group.size.resolve(limit).0 / scale;
        group.size = MemoryAmount::Bytes(Bytes(size.max(PAGE_BYTES)));
    }
    small
}

/// Swaps pages out and frees slots until swap is full or has been written several times: first as much as is
/// used on the running machine, then in the proportion of its traffic. `look` sees the machine after each page.
pub(super) fn run_traffic(
    machine: &mut Machine,
    traffic: &SwapTraffic,
    scale: u64,
    mut look: impl FnMut(&Machine),
) {
    let freed = traffic.freed_share();
    let used = traffic.used.0 / PAGE_BYTES / scale;
    let mut random = SeededRandom::new(machine.setup.seed);
    let mut held: Vec<u32> = Vec::new();
    let cpus = u64::from(machine.setup.cpus.max(1));
    for number in 0..u64::from(machine.swap.total()) * MOST_TURNOVERS {
        if number.is_multiple_of(BATCH) {
            machine.swap.begin_round();
        }
        let cpu = u32::try_from(number / BATCH % cpus).unwrap_or(0);
        let Some(slot) = machine.swap.allocate(cpu, 0) else {
            machine.counters.swap_full += 1;
            break;
        };
        machine.counters.pswpout += 1;
        held.push(slot);
        look(machine);
        if number >= used && random.happens(freed) {
            let last = u32::try_from(held.len()).unwrap_or(u32::MAX);
            let slot = held.swap_remove(random.below(last) as usize);
            machine.swap.free(cpu, slot);
        }
    }
}
