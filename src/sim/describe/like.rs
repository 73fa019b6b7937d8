//! A machine file from the snapshot of a machine.

use super::super::cost::{CostModel, SimDevice};
use super::super::machine::{MAX_PROCESS_PAGES, MachineSetup};
use super::super::policy::{
    CpuReserve, FIRST_WITH_CLUSTER_RESERVE, KernelPolicy, LAST_WITH_SLOT_CACHE, PRESETS,
    SelectionPolicy, kernel_for,
};
use super::{
    AreaSetup, MAX_MEMORY, MIN_AREA, MachineDraft, PAGE_BYTES, ZswapSetup, describe_excess_slots,
    pages,
};
use crate::config::ValueType;
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::kernel::{
    AllocationOrder, Allocator, AllocatorEvidence, NumaNode, Release, RotationUnit,
};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Reading, Snapshot};
use std::fmt::Write as _;

/// The workload of such a machine: it fills swap once.
const FILLS: &str = "usemem";
/// The memory, as a multiple of the machine's.
const FILLED_TIMES: u64 = 2;
/// The end of the release of a simulated kernel.
const SIMULATED: &str = "-SIMULATED";
/// The most CPUs and nodes of a machine file.
const MAX_CPUS: u32 = 1024;
const MAX_NODES: u32 = 64;

/// A machine file from a snapshot, with what the file lacks or changes, in sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct LikeMachine {
    /// The machine.
    pub setup: MachineSetup,
    /// Sentences on values that were missing or had to be changed.
    pub notes: Vec<String>,
}

impl LikeMachine {
    /// The machine as a machine file, with the notes as comments.
    pub fn to_toml(&self) -> String {
        let mut file = self.clone();
        file.fit_simulator();
        let mut text = String::new();
        for note in &file.notes {
            let _ = writeln!(text, "# {note}");
        }
        text.push_str(if file.notes.is_empty() { "" } else { "\n" });
        text + &file.setup.to_toml()
    }

    /// Leaves out what the simulator cannot have in full size. Predictions make the machine smaller.
    fn fit_simulator(&mut self) {
        let (notes, mut slots) = (&mut self.notes, 0);
        self.setup.areas.retain(|area| {
            let with_it = slots + u64::from(area.slots);
            let fits = describe_excess_slots(with_it).is_none();
            if fits {
                slots = with_it;
            } else {
                let path = &area.path;
                notes.push(format!(
                    "The area {path} is left out: the simulator has no memory for its slots."
                ));
            }
            fits
        });
        let most = pages(Bytes(MAX_MEMORY));
        if self.setup.memory_pages > most {
            notes.push(format!(
                "The machine has more memory than a machine file can: the model has {}.",
                Bytes(MAX_MEMORY).exact()
            ));
            self.setup.memory_pages = most;
        }
        let load = u64::from(self.setup.usable_pages()) * FILLED_TIMES;
        if self.setup.load.as_deref() == Some(FILLS) && load > MAX_PROCESS_PAGES {
            notes.push(format!(
                "The workload {FILLS} is left out: the simulator has no memory for the pages of its processes. Add load and, with with, smaller processes."
            ));
            self.setup.load = None;
        }
    }

    /// A known value, or a default with a note.
    fn or_default<T>(&mut self, what: &str, value: Reading<T>, default: T) -> T
    where
        T: std::fmt::Display,
    {
        value.into_result().unwrap_or_else(|missing| {
            self.notes.push(format!("{what} is missing ({}): {default} is used.", missing.why()));
            default
        })
    }

    /// Adds an area unless the simulator cannot have it.
    fn add_area(&mut self, area: &SwapArea, device: Option<&BlockDevice>, snapshot: &Snapshot) {
        let mut setup = AreaSetup::like(area, device, snapshot);
        let is_twice = self.setup.areas.iter().any(|other| other.path == setup.path);
        let path = &setup.path;
        let refused = if u64::from(setup.slots) * PAGE_BYTES < MIN_AREA {
            Some("it is too small")
        } else if is_twice {
            Some("another area has the same path")
        } else {
            None
        };
        if let Some(why) = refused {
            return self.notes.push(format!("The area {path} is left out: {why}."));
        }
        setup.node = setup.node.filter(|node| *node < self.setup.nodes);
        if let Some(node) = device.and_then(node_of).filter(|_| setup.node.is_none()) {
            self.notes.push(format!("The area {path} is on node {node}, which has no CPU."));
        }
        self.setup.areas.push(setup);
    }
}

impl MachineSetup {
    /// A machine with the kernel, memory, CPUs and areas of a snapshot, and with the allocation rules that the kernel
    /// shows. The error says what the snapshot lacks.
    pub fn like(
        snapshot: &Snapshot,
        name: &str,
        shown: Option<&Allocator>,
    ) -> Result<LikeMachine, String> {
        let lacks = |part: &str, why: String| format!("{part} is missing ({why})");
        let kernel =
            snapshot.kernel.reading.get().map_err(|missing| lacks("the kernel", missing.why()))?;
        let release =
            kernel.release.get().map_err(|missing| lacks("the release", missing.why()))?;
        // A simulated kernel names its model itself.
        let simulated = snapshot.simulated.as_ref().and_then(|_| release.strip_suffix(SIMULATED));
        let model = simulated.map(str::to_owned).or_else(|| kernel_like(release, shown));
        let model = model.ok_or_else(|| {
            lacks("the kernel's version", format!("{release} does not begin with one"))
        })?;
        let memory = snapshot.memory("MemTotal");
        let memory = memory.get().map_err(|missing| lacks("MemTotal", missing.why()))?;
        let areas = snapshot.swaps.reading.get().map_err(|missing| lacks("swap", missing.why()))?;
        let mut policy = KernelPolicy::parse(&model)?;
        let mut notes = Vec::new();
        let is_exact =
            PRESETS.contains(&model.as_str()) && Release::parse(&model) == Release::parse(release);
        if simulated.is_none() && !is_exact {
            notes.push(format!(
                "The simulator has no model of kernel {release}: the nearest one is {model}."
            ));
        }
        if policy.large_reads && zswap(snapshot).is_none() && zswap_was_enabled(snapshot) {
            policy = KernelPolicy::parse(&format!("{model}+single-reads"))?;
            notes.push(
                "zswap was enabled once: this kernel reads large folios back page by page until it is restarted."
                    .to_owned(),
            );
        }
        let setup = MachineDraft::new(name).setup;
        let mut like = LikeMachine {
            setup: MachineSetup {
                about: format!("Like {name}, which ran kernel {release}."),
                memory_pages: pages(Bytes(memory.0.max(1 << 20))),
                zswap: zswap(snapshot),
                load: Some(FILLS.to_owned()),
                seed: 1,
                rounds_per_second: 10_000,
                cost_file: None,
                costs: CostModel::builtin(),
                policy,
                ..setup
            },
            notes,
        };
        like.fill(snapshot, &kernel.cpus);
        like.setup.used_at_start = used_share(areas);
        let device = |place: usize| snapshot.block.reading.known()?.get(place)?.known();
        let mut areas: Vec<_> = areas.iter().enumerate().collect();
        // Areas without priority in the order in which they were enabled: their priorities descend.
        areas.sort_by_key(|(_, area)| area.priority.min(0).unsigned_abs());
        for (place, area) in areas {
            like.add_area(area, device(place), snapshot);
        }
        Ok(like)
    }
}

impl LikeMachine {
    /// Fills in what may be missing.
    fn fill(&mut self, snapshot: &Snapshot, cpus: &Reading<u64>) {
        let cpus = cpus.clone().map(|cpus| u32::try_from(cpus).unwrap_or(1).clamp(1, MAX_CPUS));
        let nodes = snapshot.numa.reading.as_ref();
        let nodes = nodes.map(|_| u32::try_from(modelled_nodes(snapshot).len()).unwrap_or(1));
        self.setup.cpus = self.or_default("The number of CPUs", cpus, 1);
        let nodes = self.or_default("The number of NUMA nodes", nodes, 1);
        self.setup.nodes = nodes.clamp(1, self.setup.cpus.min(MAX_NODES));
        if self.setup.nodes < nodes {
            let (has, cpus) = (self.setup.nodes, self.setup.cpus);
            self.notes.push(format!(
                "The machine has {nodes} nodes and {cpus} CPUs: the model has {has} nodes, each with CPUs."
            ));
        }
        self.describe_nodes(snapshot);
        self.setup.page_cluster = self.or_default("page-cluster", page_cluster(snapshot), 3);
        self.setup.folio_orders = folio_orders(snapshot, "always");
        self.setup.advised_orders = folio_orders(snapshot, "madvise");
        if let Some(missing) = snapshot.thp.reading.missing() {
            let why = missing.why();
            self.notes.push(format!("Sizes of large folios are missing ({why}): none are used."));
        }
        if let Some(missing) = snapshot.block.reading.missing() {
            let why = missing.why();
            self.notes.push(format!(
                "The devices of areas are missing ({why}): partitions count as solid state disks."
            ));
        }
        if let Some(missing) = snapshot.zswap.reading.missing() {
            self.notes.push(format!("zswap is missing ({}): it is left out.", missing.why()));
        }
    }
}

/// The model for the kernel of a release, changed where the kernel shows other rules: distributions backport them.
fn kernel_like(release: &str, shown: Option<&Allocator>) -> Option<String> {
    let by_release = kernel_for(release)?;
    let Some(shown) = shown.filter(|shown| shown.evidence != AllocatorEvidence::Release) else {
        return Some(by_release.to_owned());
    };
    let reserve = KernelPolicy::parse(by_release).ok()?.reserve;
    let name = match (shown.rotation_unit, reserve) {
        (RotationUnit::Cluster, CpuReserve::SlotCache) => FIRST_WITH_CLUSTER_RESERVE,
        (RotationUnit::Batch, CpuReserve::Cluster) => LAST_WITH_SLOT_CACHE,
        _ => by_release,
    };
    let selection = KernelPolicy::parse(name).ok()?.selection;
    Some(match (shown.order, selection) {
        (AllocationOrder::Alike, SelectionPolicy::PerNode) => format!("{name}+round-robin"),
        (AllocationOrder::ByNode, SelectionPolicy::RoundRobin) => {
            let base = name.strip_suffix("+round-robin");
            base.map_or_else(|| format!("{name}+per-node"), str::to_owned)
        }
        _ => name.to_owned(),
    })
}

impl AreaSetup {
    /// The area of the model that is like this one on its device.
    pub fn like(area: &SwapArea, device: Option<&BlockDevice>, snapshot: &Snapshot) -> Self {
        let rotates = |device: &BlockDevice| device.rotational.known() == Some(&true);
        let kind = match device {
            Some(device) if area.kind == AreaKind::File && rotates(device) => {
                SimDevice::RotationalFile
            }
            _ if area.kind == AreaKind::File => SimDevice::File,
            Some(device) if matches!(device.kind, BlockKind::Zram | BlockKind::Ram) => {
                SimDevice::Zram
            }
            Some(device) if rotates(device) => SimDevice::Rotational,
            Some(_) | None => SimDevice::SolidState,
        };
        let node = device.and_then(node_of);
        let node = node.and_then(|id| modelled_nodes(snapshot).iter().position(|it| *it == id));
        Self {
            path: area.path.safe(),
            device: kind,
            // The header takes a slot.
            slots: pages(Bytes(area.size.0.saturating_add(PAGE_BYTES))),
            // Only the kernel gives negative priorities.
            priority: (area.priority >= 0).then_some(area.priority),
            node: node.and_then(|node| u32::try_from(node).ok()),
            discards: false,
        }
    }
}

/// The share of swap that is used, as far as areas say, in whole percent.
fn used_share(areas: &[SwapArea]) -> f64 {
    let size: u64 = areas.iter().map(|area| area.size.0).sum();
    let used: u64 = areas.iter().filter_map(|area| area.used.known()).map(|used| used.0).sum();
    (used as f64 * 100.0 / size.max(1) as f64).round().min(100.0) / 100.0
}

fn page_cluster(snapshot: &Snapshot) -> Reading<u32> {
    snapshot.knobs.reading.as_ref().and_then(|knobs| {
        let knob = knobs.iter().find(|knob| knob.id == "page-cluster");
        let value = knob.map_or_else(Reading::not_sampled, |knob| knob.value.clone());
        value.and_then(|text| {
            let cluster = text.parse().ok().filter(|cluster| *cluster <= 31);
            let wrong = || Reading::failed("it is not a number from 0 to 31");
            cluster.map_or_else(wrong, Reading::Known)
        })
    })
}

/// Orders of the folio sizes that have this setting. Kernels before 6.8 have one for huge folios only.
fn folio_orders(snapshot: &Snapshot, word: &str) -> Vec<u8> {
    let Reading::Known(thp) = &*snapshot.thp.reading else { return Vec::new() };
    let all = thp.enabled.known().is_some_and(|choice| choice.current == word);
    let sizes = thp.sizes.known_items();
    let enabled = sizes.iter().filter(|size| {
        size.enabled
            .known()
            .is_some_and(|choice| choice.current == word || (choice.current == "inherit" && all))
    });
    let huge = thp.pmd_size.known().filter(|_| sizes.is_empty() && all);
    let orders = enabled.map(|size| size.size).chain(huge.copied());
    let orders =
        orders.filter_map(|size| u8::try_from((size.0 / PAGE_BYTES).checked_ilog2()?).ok());
    orders.filter(|order| (1..super::ORDERS).contains(order)).collect()
}

/// Whether zswap stored pages since boot: from then on the kernel reads no large folio back whole
/// (`zswap_never_enabled` in `alloc_swap_folio`).
fn zswap_was_enabled(snapshot: &Snapshot) -> bool {
    snapshot.counter("zswpout").known().is_some_and(|stored| *stored > 0)
}

/// Settings of zswap, if it is enabled.
fn zswap(snapshot: &Snapshot) -> Option<ZswapSetup> {
    let zswap = snapshot.zswap.reading.known()?;
    let share = |percent: &Reading<u64>, default: u64| {
        percent.known().copied().unwrap_or(default).clamp(1, 100) as f64 / 100.0
    };
    (zswap.enabled.known() == Some(&true)).then(|| ZswapSetup {
        max_pool: share(&zswap.max_pool_percent, 20),
        accept: share(&zswap.accept_threshold_percent, 90),
    })
}

// NUMA nodes of a machine, and their numbers in the model, which has only nodes with CPUs.

impl LikeMachine {
    /// Notes where nodes of the model differ from those of the machine.
    fn describe_nodes(&mut self, snapshot: &Snapshot) {
        let ids = modelled_nodes(snapshot);
        if (0..).zip(&ids).any(|(number, id)| number != *id) {
            self.notes.push(format!(
                "NUMA nodes with CPUs are numbered without gaps: {} are {} in the model.",
                listed(ids.iter().copied()),
                listed((0..).zip(&ids).map(|(number, _)| number)),
            ));
        }
        let nodes = snapshot.numa.reading.known_items();
        let lists = nodes.iter().filter_map(|node| node.cpus.known());
        let lists = lists.filter_map(|list| ValueType::Cpus.cpus(list).ok());
        let counts: Vec<usize> = lists.map(|cpus| cpus.len()).collect();
        if counts.iter().any(|count| counts.first() != Some(count)) {
            self.notes.push(format!(
                "The NUMA nodes have {} CPUs: in the model they have equal numbers.",
                listed(counts)
            ));
        }
    }
}

/// The nodes of a machine that have CPUs: their positions are their numbers in the model.
fn modelled_nodes(snapshot: &Snapshot) -> Vec<u32> {
    let nodes = snapshot.numa.reading.known_items();
    let works = |node: &&NumaNode| node.cpus.known().is_none_or(|cpus| !cpus.is_empty());
    let ids: Vec<u32> = nodes.iter().filter(works).map(|node| node.id).collect();
    if ids.is_empty() { vec![0] } else { ids }
}

/// The node of a device, as the kernel numbers it.
fn node_of(device: &BlockDevice) -> Option<u32> {
    device.numa_node.known().and_then(|node| u32::try_from(*node).ok())
}

/// Numbers in a sentence.
fn listed(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
