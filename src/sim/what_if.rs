//! Predictions: how a machine fills its areas, and how often it splits large folios.
//!
//! All runs begin with empty areas, on a machine that is as much smaller as it takes to run within seconds.

use super::access::PAGE_BYTES;
use super::areas::{AreaSetup, CLUSTER, SwapSpace};
use super::assumed::{AssumedLoad, limit_pages, run_traffic, scaled_workload, workload_pages};
use super::cost::SimDevice;
use super::machine::{Machine, MachineSetup, ModelledSwapoff};
use crate::model::load::{AccessPattern, WorkerGroup, Workload};
use crate::model::{Bytes, whole};

/// Slots of the machine whose areas are filled.
const FILLED_SLOTS: u64 = 1 << 18;
/// Slots of the machine whose large folios are counted: its areas are filled several times.
const CHURNED_SLOTS: u64 = 1 << 17;
/// The fewest slots of an area, pages of memory, and pages of the limit of a cgroup.
const FEWEST_SLOTS: u32 = 64;
const FEWEST_PAGES: u32 = 2048;
const FEWEST_LIMIT: u32 = 64;
/// The fewest folios of which a share is given.
const FEWEST_FOLIOS: u64 = 100;
/// Clusters of the machine for each CPU, so that the clusters which CPUs hold do not decide.
const CLUSTERS_PER_CPU: u32 = 64;
/// Shares of swap in use at which the areas are compared.
pub const LEVELS: [f64; 3] = [0.25, 0.5, 0.75];
/// Areas whose filling begins within this share of swap begin together: each CPU takes a cluster at once.
const TOGETHER: f64 = 0.03;
/// Steps of a machine between two reports of progress.
const STEPS_PER_REPORT: u64 = 512;
/// Share of the work that filling the areas is, if large folios are counted after that.
const FILLING_WORK: f64 = 0.4;
/// Values of the history of an area that is filled.
const VALUES: u32 = 256;
/// Share of its slots from which an area counts as full: CPUs hold the rest.
pub const FULL: f64 = 0.98;
/// Share of swap that the processes of the second run fill on average, and the memory of the machine
/// as a share of swap.
const CHURN: f64 = 0.7;
const CHURN_MEMORY: u32 = 4;

/// Why there is no prediction if it was cancelled.
pub const CANCELLED: &str = "cancelled";

/// Receives the share of the work that is done; false cancels the prediction.
pub type Watch<'w> = &'w mut dyn FnMut(f64) -> bool;

/// Behaviour of a machine whose areas fill.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The machine, in full size.
    pub setup: MachineSetup,
    /// How many times smaller the machine was whose areas were filled.
    pub scale: u64,
    /// CPUs of that machine.
    pub cpus: u32,
    /// Areas, in the order of the machine file.
    pub areas: Vec<AreaPrediction>,
    /// Distance of two values of the histories of areas, in full size: used swap while it is filled, else memory that
    /// the load accesses, or traffic swaps out.
    pub interval: Bytes,
    /// Large folios, by size; empty if none are enabled.
    pub folios: Vec<FolioPrediction>,
    /// Most metadata of all areas during the run.
    pub metadata: Bytes,
    /// Most memory for compressed pages during the run: those on zram, and the pool of zswap.
    pub compressed: Bytes,
    /// Used swap when memory was full although swap was not, if swap is to be filled.
    pub memory_full: Option<Bytes>,
    /// Whether the memory limit of the cgroup was full then, and the memory of the machine was not.
    pub is_limit_full: bool,
    /// The assumed load.
    pub assumed: AssumedLoad,
    /// Swapped out, in full size.
    pub swapped_out: Bytes,
    /// Swapped in, in full size.
    pub swapped_in: Bytes,
    /// Processes that were killed because memory and swap were full.
    pub killed: u64,
}

impl Prediction {
    /// The areas that are too small beside the others: in the model they take a larger share of swap.
    pub fn enlarged_areas(&self) -> impl Iterator<Item = &AreaSetup> {
        let least = u64::from(FEWEST_SLOTS).saturating_mul(self.scale);
        self.setup.areas.iter().filter(move |area| self.scale > 1 && u64::from(area.slots) < least)
    }
}

/// How an area fills.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaPrediction {
    /// Path.
    pub path: String,
    /// Kind of device.
    pub device: SimDevice,
    /// Size.
    pub size: Bytes,
    /// Priority.
    pub priority: i32,
    /// Position in the order of filling; areas that fill together have the same. None if it stays empty.
    pub position: Option<u64>,
    /// Share of the used swap that is on the area, at each of [`LEVELS`]; none if the run ended before.
    pub shares: [Option<f64>; 3],
    /// Swap in use when its filling begins.
    pub begins: Option<Bytes>,
    /// Swap in use when it is full.
    pub full: Option<Bytes>,
    /// Pages in swap without a slot then: with virtual swap, those in zswap.
    pub without_slot: Bytes,
    /// The work of its swapoff when swap is full; none for a load that may end before.
    pub swapoff: Option<ModelledSwapoff>,
    /// Used space of the area when used swap was at its peak.
    pub peak: Bytes,
    /// Share of the used swap that was on the area then; none if swap was not used.
    pub peak_share: Option<f64>,
    /// Used space of the area at regular intervals of the run.
    pub history: Vec<Bytes>,
}

/// Large folios of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FolioPrediction {
    /// Size.
    pub size: Bytes,
    /// Folios that were swapped out whole.
    pub whole: u64,
    /// Folios that were split because no run of slots was free.
    pub split: u64,
}

impl FolioPrediction {
    /// The share of folios that were split; none if there are too few to tell.
    pub fn split_share(&self) -> Option<f64> {
        let all = self.whole + self.split;
        (all >= FEWEST_FOLIOS).then(|| self.split as f64 / all as f64)
    }
}

/// A machine that is `scale` times smaller, with at most this many slots.
fn scaled(setup: &MachineSetup, most: u64) -> (MachineSetup, u64) {
    let slots: u64 = setup.areas.iter().map(|area| u64::from(area.slots)).sum();
    // The pool of zswap and what zram stores take memory. Without them, memory is only filled before swap is.
    let counts = setup.zswap.is_some() || setup.has_zram();
    let mut setup = setup.clone();
    if setup.zswap.is_none() {
        // More memory is never full before swap is, and would only make the model coarser.
        let enough = u32::try_from(setup.zram_slots() + slots / 8).unwrap_or(u32::MAX);
        setup.memory_pages = setup.memory_pages.min(enough);
    }
    let memory = if counts { u64::from(setup.usable_pages()) } else { 0 };
    let scale = (slots + memory).div_ceil(most).max(1);
    let mut small = shrunk(&setup, scale);
    if memory == 0 {
        let slots: u32 = small.areas.iter().map(|area| area.slots).sum();
        small.memory_pages = slots / 8;
    }
    small.memory_pages = small.memory_pages.max(FEWEST_PAGES);
    (small, scale)
}

/// A machine that is `scale` times smaller.
fn shrunk(setup: &MachineSetup, scale: u64) -> MachineSetup {
    let smaller = |pages: u32| u32::try_from(u64::from(pages) / scale).unwrap_or(u32::MAX);
    let mut small = setup.clone();
    for area in &mut small.areas {
        area.slots = smaller(area.slots).max(FEWEST_SLOTS).min(area.slots);
    }
    small.memory_pages = smaller(setup.memory_pages);
    small.limit_pages = setup.limit_pages.map(|limit| smaller(limit).max(FEWEST_LIMIT));
    let slots: u32 = small.areas.iter().map(|area| area.slots).sum();
    let cpus = (slots / CLUSTER / CLUSTERS_PER_CPU).max(1);
    small.cpus = setup.cpus.min(cpus).max(setup.nodes);
    small
}

/// Processes that write more than memory and swap can hold, one on each CPU.
fn filling(setup: &MachineSetup) -> Workload {
    let pages = setup.areas.iter().map(|area| u64::from(area.slots)).sum::<u64>();
    // zswap with virtual swap holds pages without slots.
    let pages = (pages + u64::from(setup.usable_pages())) * 3 / 2 / u64::from(setup.cpus) + 1;
    let size = Bytes(pages * PAGE_BYTES);
    Workload::together("fill", vec![WorkerGroup::writing_once(setup.cpus, size)])
}

/// Short processes of different sizes, one after another on each CPU.
fn churning(setup: &MachineSetup) -> Workload {
    let slots: u32 = setup.areas.iter().map(|area| area.slots).sum();
    let processes = (2 * setup.cpus).max(8);
    let pages = (f64::from(setup.usable_pages()) + f64::from(slots) * CHURN) / f64::from(processes);
    short_processes("churn", processes, Bytes(whole(pages) * PAGE_BYTES))
}

/// Processes of different sizes and short lives, one after another, as in a build.
pub(super) fn short_processes(name: &str, processes: u32, size: Bytes) -> Workload {
    let work = WorkerGroup {
        rounds: 3,
        vary: 0.5,
        order: AccessPattern::Zipf { skew: 0.6 },
        writes: 0.6,
        passes: Some(2.0),
        ..WorkerGroup::writing_once(processes, size)
    };
    let load = Workload::together(name, vec![work]);
    Workload { start_together: false, free_together: false, ..load }
}

/// An area while it fills, in slots of the smaller machine.
#[derive(Clone, Debug, Default)]
struct Filling {
    begins: Option<u32>,
    full: Option<u32>,
    /// Pages in swap without a slot then.
    without_slot: u32,
    shares: [Option<f64>; 3],
    /// Slots in use when all areas together had most in use.
    peak: u32,
    /// Slots in use at regular intervals.
    history: Vec<u32>,
}

/// The areas of a machine while it runs.
struct Observer {
    /// Usable slots of all areas.
    slots: u32,
    /// Distance of two values of the histories.
    interval: u64,
    filling: Vec<Filling>,
    /// Most metadata of all areas.
    metadata_bytes: u64,
    /// Most memory for compressed pages.
    compressed_bytes: u64,
}

impl Observer {
    fn new(machine: &Machine) -> Self {
        let slots = machine.swap.areas().entries().map(SwapSpace::pages).sum::<u32>();
        Self {
            slots,
            interval: u64::from((slots / VALUES).max(1)),
            filling: vec![Filling::default(); machine.setup.areas.len()],
            metadata_bytes: 0,
            compressed_bytes: 0,
        }
    }

    /// Notes what changed, and adds to the histories if their next value is due.
    fn observe(&mut self, machine: &Machine, progress: u64) {
        look(machine, self.slots, &mut self.filling);
        let is_due = |it: &Filling| it.history.len() as u64 * self.interval <= progress;
        if !self.filling.iter().any(is_due) {
            return;
        }
        self.metadata_bytes = self.metadata_bytes.max(machine.metadata_bytes());
        self.compressed_bytes = self.compressed_bytes.max(machine.compressed_bytes());
        for (space, filling) in machine.swap.areas().entries().zip(&mut self.filling) {
            while filling.history.len() as u64 * self.interval <= progress {
                filling.history.push(space.used());
            }
        }
    }
}

/// Notes for each area what changed since the last look.
fn look(machine: &Machine, slots: u32, filling: &mut [Filling]) {
    let used = machine.swap.used();
    let is_new =
        |space: &SwapSpace, filling: &Filling| space.used() > 0 && filling.begins.is_none();
    let areas = || machine.swap.areas().entries();
    let new = areas().zip(&*filling).filter(|(space, filling)| is_new(space, filling));
    // Slots in use before the first of areas that have begun since the last look.
    let before = used - new.map(|(space, _)| space.used()).sum::<u32>();
    let is_peak = used > filling.iter().map(|it| it.peak).sum::<u32>();
    for (space, filling) in areas().zip(filling) {
        let own = space.used();
        if is_new(space, filling) {
            filling.begins = Some(before);
        }
        if is_peak {
            filling.peak = own;
        }
        if filling.full.is_none() && f64::from(own) >= f64::from(space.pages()) * FULL {
            filling.full = Some(before + (space.pages() - own));
            filling.without_slot = machine.pages_in_swap() - used;
        }
        for (level, share) in LEVELS.iter().zip(&mut filling.shares) {
            if share.is_none() && used > 0 && f64::from(used) >= f64::from(slots) * level {
                *share = Some(f64::from(own) / f64::from(used));
            }
        }
    }
}

/// If all areas were full, the last one was when all swap was.
fn fill_last(areas: &mut [AreaPrediction]) {
    let size = areas.iter().map(|area| area.size).sum();
    if areas.iter().all(|area| area.full.is_some())
        && let Some(last) = areas.iter_mut().max_by_key(|area| area.full)
    {
        last.full = Some(size);
    }
}

/// The position of each area in the order of filling. Areas fill together if they begin together and have one
/// priority, or are those of different NUMA nodes: small areas beside a large one also begin near each other.
fn positions(machine: &Machine, filling: &[Filling], slots: u32) -> Vec<Option<u64>> {
    let areas = machine.swap.areas().entries().zip(filling).enumerate();
    let mut begun: Vec<(u32, usize, &SwapSpace)> = areas
        .filter_map(|(place, (space, filling))| Some((filling.begins?, place, space)))
        .collect();
    begun.sort_by_key(|(begins, place, _)| (*begins, *place));
    let mut positions = vec![None; filling.len()];
    let mut first: Option<(u32, &SwapSpace)> = None;
    let mut number = 0;
    for (begins, place, space) in begun {
        let joins = first.is_some_and(|(start, other)| {
            let is_near = f64::from(begins - start) <= f64::from(slots) * TOGETHER;
            let has_node = |space: &SwapSpace| space.setup.node.is_some() && space.priority < 0;
            let is_alike = space.priority == other.priority || (has_node(space) && has_node(other));
            is_near && is_alike
        });
        if !joins {
            first = Some((begins, space));
            number += 1;
        }
        if let Some(position) = positions.get_mut(place) {
            *position = Some(number);
        }
    }
    positions
}

/// A run whose areas were observed.
struct ObservedRun {
    machine: Machine,
    areas: Observer,
    scale: u64,
}

/// Lets a machine run until it ends, `until` says so, or the watch cancels it. The share of the work that is done
/// never shrinks, although areas can.
fn run_watched(
    machine: &mut Machine,
    watch: Watch<'_>,
    share: impl Fn(&Machine) -> f64,
    mut until: impl FnMut(&Machine) -> bool,
) -> Result<(), String> {
    let (mut steps, mut most, mut is_cancelled) = (0_u64, 0.0_f64, false);
    machine.run(|machine| {
        steps += 1;
        if steps.is_multiple_of(STEPS_PER_REPORT) {
            most = most.max(share(machine)).min(1.0);
            is_cancelled = !watch(most);
        }
        is_cancelled || until(machine)
    });
    if is_cancelled { Err(CANCELLED.to_owned()) } else { Ok(()) }
}

/// The share of swap that is in use.
fn used_share(machine: &Machine) -> f64 {
    f64::from(machine.swap.used()) / f64::from(machine.swap.total().max(1))
}

/// Runs the load on a smaller machine. The error says why it does not fit the simulator.
fn observe(
    setup: &MachineSetup,
    assumed: &AssumedLoad,
    watch: Watch<'_>,
) -> Result<ObservedRun, String> {
    let (mut small, mut scale) = scaled(setup, FILLED_SLOTS);
    let mut load = None;
    match assumed {
        AssumedLoad::Filling => load = Some(filling(&small)),
        AssumedLoad::Workload(workload) => {
            // As for the workload of a machine file, the limit of the machine replaces that of the workload.
            let limit = setup.limit_pages.map_or_else(
                || limit_pages(workload, setup.usable_pages()),
                |_| setup.usable_pages(),
            );
            let pages = workload_pages(workload, limit);
            // The processes are as much smaller as the areas.
            scale = scale.max(pages.div_ceil(FILLED_SLOTS)).max(1);
            let scaled = scaled_workload(workload, limit, scale);
            small = shrunk(setup, scale);
            let limit =
                u32::try_from(u64::from(limit) / scale).unwrap_or(u32::MAX).max(FEWEST_LIMIT);
            (small.limit_pages, small.memory_pages) = (Some(limit), small.memory_pages.max(limit));
            load = Some(scaled);
        }
        AssumedLoad::Traffic(_) => {}
    }
    let mut machine = Machine::new(small);
    let ends_when_full = *assumed == AssumedLoad::Filling;
    machine.frees_killed = !ends_when_full;
    let mut areas = Observer::new(&machine);
    if let Some(load) = load {
        machine.start(&load)?;
        run_watched(&mut machine, watch, used_share, |machine| {
            let used = machine.swap.used().into();
            areas.observe(machine, if ends_when_full { used } else { machine.work.touches });
            ends_when_full && machine.counters.swap_full + machine.counters.oom_kill > 0
        })?;
    }
    if let AssumedLoad::Traffic(traffic) = assumed {
        run_traffic(&mut machine, traffic, scale, |machine| {
            areas.observe(machine, machine.counters.pswpout);
        });
    }
    Ok(ObservedRun { machine, areas, scale })
}

/// Predicts what a machine does while its swap fills. The error says why it does not fit the simulator.
pub fn predict(setup: &MachineSetup) -> Result<Prediction, String> {
    predict_with(setup, &AssumedLoad::Filling)
}

/// Predicts what a machine does under a load. The error says why it does not fit the simulator.
pub fn predict_with(setup: &MachineSetup, assumed: &AssumedLoad) -> Result<Prediction, String> {
    predict_watched(setup, assumed, &mut |_| true)
}

/// Predicts what a machine does under a load, with progress. The error is [`CANCELLED`], or says why it does not fit
/// the simulator.
pub fn predict_watched(
    setup: &MachineSetup,
    assumed: &AssumedLoad,
    watch: Watch<'_>,
) -> Result<Prediction, String> {
    let has_folios = *assumed == AssumedLoad::Filling && !setup.folio_orders.is_empty();
    let first = if has_folios { FILLING_WORK } else { 1.0 };
    let ObservedRun {
        machine,
        areas: Observer { slots, interval, filling, metadata_bytes, compressed_bytes },
        scale,
    } = observe(setup, assumed, &mut |share| watch(share * first))?;
    let whole = |slots: u32| Bytes(u64::from(slots) * scale * PAGE_BYTES);
    // The smallest areas are larger than in the scale of the model.
    let in_area =
        |area: &AreaSetup, slots| whole(slots).min(Bytes(u64::from(area.slots) * PAGE_BYTES));
    let pages = |pages: u64| Bytes(pages * scale * PAGE_BYTES);
    let positions = positions(&machine, &filling, slots);
    let most: u32 = filling.iter().map(|it| it.peak).sum();
    let spaces = machine.swap.areas().entries();
    let swapoff = |area: &AreaSetup, space: &SwapSpace, number| {
        // The smallest areas have a scale of their own.
        let area_scale = f64::from(area.slots) / f64::from(space.setup.slots);
        machine.swapoff_work(number, area_scale, scale)
    };
    let areas = setup.areas.iter().zip(spaces).zip(filling.iter().zip(positions)).zip(0..);
    let areas = areas.map(|(((area, space), (filling, position)), number)| AreaPrediction {
        path: area.path.clone(),
        device: area.device,
        size: Bytes(u64::from(area.slots) * PAGE_BYTES),
        priority: space.priority,
        position,
        shares: filling.shares,
        begins: filling.begins.map(whole),
        full: filling.full.map(whole),
        without_slot: whole(filling.without_slot),
        swapoff: (*assumed == AssumedLoad::Filling).then(|| swapoff(area, space, number)),
        peak: in_area(area, filling.peak),
        peak_share: (most > 0).then(|| f64::from(filling.peak) / f64::from(most)),
        history: filling.history.iter().map(|slots| in_area(area, *slots)).collect(),
    });
    let mut areas: Vec<AreaPrediction> = areas.collect();
    fill_last(&mut areas);
    Ok(Prediction {
        setup: setup.clone(),
        scale,
        cpus: machine.setup.cpus,
        areas,
        interval: pages(interval),
        folios: match assumed {
            AssumedLoad::Filling => {
                folios(setup, &mut |share| watch(first + share * (1.0 - first)))?
            }
            AssumedLoad::Workload(_) => folio_rows(&machine),
            AssumedLoad::Traffic(_) => Vec::new(),
        },
        metadata: Bytes(metadata_bytes.max(machine.metadata_bytes()) * scale),
        compressed: Bytes(compressed_bytes.max(machine.compressed_bytes()) * scale),
        memory_full: (*assumed == AssumedLoad::Filling && machine.counters.swap_full == 0)
            .then(|| whole(machine.swap.used())),
        is_limit_full: machine.exceeds_limit(1) && machine.has_memory(1),
        assumed: assumed.clone(),
        swapped_out: pages(machine.counters.pswpout),
        swapped_in: pages(machine.counters.pswpin),
        killed: machine.counters.oom_kill,
    })
}

/// Counts large folios that are swapped out and split.
fn folios(setup: &MachineSetup, watch: Watch<'_>) -> Result<Vec<FolioPrediction>, String> {
    if setup.folio_orders.is_empty() || setup.areas.is_empty() {
        return Ok(Vec::new());
    }
    let (small, _) = scaled(setup, CHURNED_SLOTS);
    let slots: u32 = small.areas.iter().map(|area| area.slots).sum();
    let small = small.with_cgroup_limit((slots / CHURN_MEMORY).max(FEWEST_PAGES));
    let mut machine = Machine::new(small.clone());
    machine.start(&churning(&small))?;
    run_watched(&mut machine, watch, Machine::ended_share, |_| false)?;
    Ok(folio_rows(&machine))
}

/// The large folios of a run, by size.
fn folio_rows(machine: &Machine) -> Vec<FolioPrediction> {
    let counts = &machine.counters;
    // zswap stores folios whole too.
    let whole = counts.swpout.iter().zip(&counts.zswpout_folios).map(|(out, stored)| out + stored);
    let rows = whole.zip(&counts.swpout_fallback).zip(0_u8..);
    // Memory for which its program asked has folios of other sizes too.
    let shown = rows.filter(|((whole, split), order)| {
        machine.setup.folio_orders.contains(order) || (*order > 0 && whole + **split > 0)
    });
    let row = |((whole, split), order): ((u64, &u64), u8)| FolioPrediction {
        size: Bytes(PAGE_BYTES << order),
        whole,
        split: *split,
    };
    shown.map(row).collect()
}

#[cfg(test)]
mod tests;
