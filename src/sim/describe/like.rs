//! A machine file from the snapshot of a machine.

use super::super::cost::{CostModel, SimDevice};
use super::super::machine::MachineSetup;
use super::super::policy::{
    CpuReserve, FIRST_WITH_CLUSTER_RESERVE, KernelPolicy, LAST_WITH_SLOT_CACHE, PRESETS,
    SelectionPolicy, kernel_for,
};
use super::{
    AreaSetup, MAX_MEMORY, MIN_AREA, MachineDraft, PAGE_BYTES, ZswapSetup, describe_excess_slots,
    pages,
};
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::kernel::{
    AllocationOrder, Allocator, AllocatorEvidence, NumaNode, Release, RotationUnit,
};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Reading, Snapshot};
use std::fmt::Write as _;

/// The workload of such a machine: it fills swap once.
const FILLS: &str = "usemem";
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
        // A simulated kernel may differ from its preset.
        let own = snapshot.simulated.as_ref().and_then(|_| release.strip_suffix(SIMULATED));
        let preset = own.map(str::to_owned).or_else(|| kernel_like(release, shown));
        let preset = preset.ok_or_else(|| {
            lacks("the kernel's version", format!("{release} does not begin with one"))
        })?;
        let memory = snapshot.memory("MemTotal");
        let memory = memory.get().map_err(|missing| lacks("MemTotal", missing.why()))?;
        let areas = snapshot.swaps.reading.get().map_err(|missing| lacks("swap", missing.why()))?;
        let mut policy = KernelPolicy::parse(&preset).map_err(|error| error.to_string())?;
        let mut notes = Vec::new();
        let is_preset = PRESETS.contains(&preset.as_str());
        if own.is_none() && !(is_preset && Release::parse(&preset) == Release::parse(release)) {
            notes.push(format!(
                "The simulator has no model of kernel {release}: the nearest one is {preset}."
            ));
        }
        if policy.large_reads && zswap(snapshot).is_none() && zswap_was_enabled(snapshot) {
            policy = KernelPolicy::parse(&format!("{preset}+single-reads"))
                .map_err(|error| error.to_string())?;
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
        let counts: Vec<u32> = lists.filter_map(|list| count_cpus(list)).collect();
        if counts.iter().any(|count| counts.first() != Some(count)) {
            self.notes.push(format!(
                "The NUMA nodes have {} CPUs: in the model they have equal numbers.",
                listed(counts)
            ));
        }
    }

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

/// The number of CPUs in a list such as `0-3,8`.
fn count_cpus(cpus: &str) -> Option<u32> {
    cpus.split(',').try_fold(0_u32, |sum, part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let count = last.parse::<u32>().ok()?.checked_sub(first.parse().ok()?)?;
        sum.checked_add(count)?.checked_add(1)
    })
}

/// Numbers in a sentence.
fn listed(numbers: impl IntoIterator<Item = u32>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
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

#[cfg(test)]
mod tests {
    use super::super::super::machine::Machine;
    use super::super::{builtin_machine, read_machine};
    use super::*;
    use crate::model::paging::{BracketedChoice, Counters};
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Stamp};

    #[test]
    fn the_newest_preset_up_to_a_release_is_taken() {
        for (release, preset) in [
            ("6.12.43+deb13-amd64", "6.12"),
            ("6.17.0", "6.18+scan-all+prefer-free"),
            ("6.19.0", "6.18+round-robin"),
            ("7.0.9", "7.2"),
            ("7.3.4", "7.2"),
            ("5.4.0-200-generic", "5.10"),
            ("3.10.0", "4.13"),
        ] {
            assert_eq!(kernel_for(release), Some(preset), "{release}");
            KernelPolicy::parse(preset).unwrap();
        }
        assert_eq!(kernel_for("unknown"), None);
    }

    /// Kernels of distributions have parts of later ones.
    #[test]
    fn rules_that_the_kernel_shows_decide_before_its_release() {
        use AllocationOrder::{Alike, ByNode};
        use RotationUnit::{Batch, Cluster};
        for (release, order, rotation_unit, kernel) in [
            ("6.12.1", ByNode, Batch, "6.12"),
            ("6.12.1", ByNode, Cluster, "6.18+scan-all+prefer-free"),
            ("6.18.1", Alike, Cluster, "6.18+round-robin"),
            ("6.18.1", ByNode, Batch, "6.12"),
            ("6.19.1", ByNode, Cluster, "6.18"),
            ("7.2.1", ByNode, Cluster, "7.2+per-node"),
        ] {
            let evidence = AllocatorEvidence::Types;
            let shown = Allocator { order, rotation_unit, cluster_slots: None, evidence };
            assert_eq!(kernel_like(release, Some(&shown)).as_deref(), Some(kernel), "{release}");
            KernelPolicy::parse(kernel).unwrap();
            let guessed = Allocator { evidence: AllocatorEvidence::Release, ..shown };
            assert_eq!(kernel_like(release, Some(&guessed)).as_deref(), kernel_for(release));
        }
    }

    /// The snapshot of a simulated machine leads back to its file.
    #[test]
    fn a_machine_is_like_its_snapshot() {
        for name in ["two-nodes", "laptop", "small-disk", "zswap-server", "build-server"] {
            let mut setup = builtin_machine(name).unwrap().unwrap();
            setup.areas.iter_mut().for_each(|area| area.discards = false);
            let like =
                MachineSetup::like(&Machine::new(setup.clone()).snapshot(), name, None).unwrap();
            let notes = ["The area", "zswap"]
                .map(|start| like.notes.iter().filter(|note| note.starts_with(start)).count());
            assert_eq!(notes, [0, 0], "{:?}", like.notes);
            assert_eq!(read_machine(name, "file", &like.to_toml()).unwrap(), like.setup);
            let like = like.setup;
            assert_eq!((like.zswap, &like.folio_orders), (setup.zswap, &setup.folio_orders));
            assert_eq!(like.advised_orders, setup.advised_orders);
            assert_eq!(like.areas, setup.areas);
            let figures = |setup: &MachineSetup| {
                (setup.memory_pages, setup.cpus, setup.nodes, setup.page_cluster)
            };
            assert_eq!(figures(&like), figures(&setup));
            assert_eq!(like.policy, setup.policy);
            let policy = KernelPolicy::parse("6.12+scan-one").unwrap();
            let other = Machine::new(MachineSetup { policy: policy.clone(), ..setup }).snapshot();
            assert_eq!(MachineSetup::like(&other, name, None).unwrap().setup.policy, policy);
        }
    }

    #[test]
    fn after_zswap_large_folios_are_read_back_page_by_page() {
        let like = |stored: u64, kernel: &str| {
            let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
            let counters = Counters::new("/proc/vmstat", vec![("zswpout".into(), stored)]);
            snapshot.vmstat = Sampled::new(None, Reading::Known(counters));
            let mut known = snapshot.kernel.reading.known().unwrap().clone();
            known.release = Reading::Known(kernel.to_owned());
            snapshot.kernel = Sampled::new(None, Reading::Known(known));
            let like = MachineSetup::like(&snapshot, "a", None).unwrap();
            (like.setup.policy.large_reads, like.notes.len())
        };
        assert_eq!(like(0, "6.18.0"), (true, 0));
        assert_eq!(like(1, "6.18.0"), (false, 1));
        assert_eq!(like(1, "6.1.0"), (false, 0));
    }

    #[test]
    fn old_kernels_have_a_setting_for_huge_folios_only() {
        let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
        let mut thp = snapshot.thp.reading.known().unwrap().clone();
        thp.sizes = Reading::absent("before 6.8");
        for (choice, always, advised) in [
            ("[always] madvise never", vec![9], vec![]),
            ("always [madvise] never", vec![], vec![9]),
            ("always madvise [never]", vec![], vec![]),
        ] {
            thp.enabled = Reading::Known(BracketedChoice::parse(choice).unwrap());
            snapshot.thp = Sampled::new(None, Reading::Known(thp.clone()));
            let like = MachineSetup::like(&snapshot, "x", None).unwrap().setup;
            assert_eq!((like.folio_orders, like.advised_orders), (always, advised), "{choice}");
        }
    }

    #[test]
    fn only_a_file_leaves_out_what_is_too_large() {
        let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
        let large = area("/dev/a", 5, 3 << 40, 0);
        snapshot.swaps = Sampled::new(None, Reading::Known(vec![large]));
        let memory = Counters::new("/proc/meminfo", vec![("MemTotal".into(), 3 << 30)]);
        snapshot.meminfo = Sampled::new(None, Reading::Known(memory));
        let like = MachineSetup::like(&snapshot, "x", None).unwrap();
        assert_eq!((like.setup.memory_pages, like.setup.areas.len()), (3 << 28, 1));
        let file = like.to_toml();
        for part in
            ["/dev/a is left out", "a machine file can: the model has 1T", "memory = \"1T\""]
        {
            assert!(file.contains(part), "no {part} in {file}");
        }
        assert_eq!(read_machine("x", "file", &file).unwrap().areas.len(), 0);
    }

    #[test]
    fn a_file_takes_a_path_of_any_length() {
        let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
        let path = format!("/{}", "directory/".repeat(300));
        let areas = vec![area(&path, 5, 1 << 20, 0)];
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let file = MachineSetup::like(&snapshot, "x", None).unwrap().to_toml();
        assert_eq!(read_machine("x", "file", &file).unwrap().areas[0].path, path);
    }

    #[test]
    fn a_snapshot_without_its_kernel_is_refused_with_the_reason() {
        let empty = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let error = MachineSetup::like(&empty, "x", None).unwrap_err();
        assert!(error.starts_with("the kernel is missing ("), "{error}");
    }

    /// Only nodes with CPUs are modelled, and numbered without gaps.
    #[test]
    fn nodes_without_cpus_are_left_out_and_the_others_numbered() {
        let like = |lists: &[(u32, &str)]| {
            let setup = builtin_machine("two-nodes").unwrap().unwrap();
            let mut snapshot = Machine::new(setup).snapshot();
            let known = snapshot.numa.reading.known().unwrap()[0].clone();
            let node = |(id, cpus): &(u32, &str)| NumaNode {
                id: *id,
                cpus: Reading::Known((*cpus).to_owned()),
                ..known.clone()
            };
            snapshot.numa = Sampled::new(None, Reading::Known(lists.iter().map(node).collect()));
            let mut devices = snapshot.block.reading.known().unwrap().clone();
            for (device, (id, _)) in devices.iter_mut().zip(lists) {
                let mut known = device.known().unwrap().clone();
                known.numa_node = Reading::Known(i32::try_from(*id).unwrap());
                *device = Reading::Known(known);
            }
            snapshot.block = Sampled::new(None, Reading::Known(devices));
            let like = MachineSetup::like(&snapshot, "x", None).unwrap();
            let areas: Vec<_> = like.setup.areas.iter().map(|area| area.node).collect();
            (like.setup.nodes, areas[0], areas[1], like.notes)
        };
        let (count, first, second, said) = like(&[(0, "0-1"), (8, "2-3")]);
        assert_eq!((count, first, second), (2, Some(0), Some(1)));
        assert_eq!(
            said,
            ["NUMA nodes with CPUs are numbered without gaps: 0, 8 are 0, 1 in the model."]
        );
        let (count, first, second, said) = like(&[(0, "0-3"), (1, "")]);
        assert_eq!((count, first, second), (1, Some(0), None));
        assert!(
            said.len() == 1 && said[0].ends_with("is on node 1, which has no CPU."),
            "{said:?}"
        );
        let (.., said) = like(&[(0, "0-1,5"), (1, "3")]);
        assert_eq!(said, ["The NUMA nodes have 3, 1 CPUs: in the model they have equal numbers."]);
    }

    #[test]
    fn areas_without_priority_are_enabled_in_the_order_of_their_priorities() {
        let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
        let areas = [("/dev/c", -4), ("/dev/a", 7), ("/dev/b", -2), ("/dev/b", -3)]
            .map(|(path, priority)| area(path, priority, 1 << 20, 1 << 18));
        snapshot.swaps = Sampled::new(None, Reading::Known(areas.to_vec()));
        let like = MachineSetup::like(&snapshot, "x", None).unwrap();
        let paths: Vec<&str> = like.setup.areas.iter().map(|area| area.path.as_str()).collect();
        assert_eq!(paths, ["/dev/a", "/dev/b", "/dev/c"]);
        assert!((like.setup.used_at_start - 0.25).abs() < 1e-9);
        let note = "The area /dev/b is left out: another area has the same path.";
        assert!(like.notes.iter().any(|other| other == note), "{:?}", like.notes);
        assert!(like.to_toml().contains(&format!("# {note}\n")));
    }
}
