//! A machine and a workload that stand for a published experiment, and the counts of a run.

use super::super::areas::{AreaSetup, SwapSpace};
use super::super::cost::{CostModel, SimDevice};
use super::super::layer::ZswapSetup;
use super::super::machine::{Machine, MachineSetup};
use super::super::policy::KernelPolicy;
use super::super::what_if::short_processes;
use crate::model::load::{AccessPattern, FolioAdvice, MemoryKind, WorkerGroup, Workload};
use crate::model::{Bytes, whole};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Pages of a MiB.
const PAGES_PER_MIB: f64 = 256.0;

/// Keys of a run, while it is not known which case sets which of them.
pub(super) type RunKeys = serde_json::Map<String, serde_json::Value>;

/// A machine and its workload, in sizes of the published one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedRun {
    /// The kernel.
    pub(super) policy: String,
    /// Memory, or the limit of the cgroup.
    pub(super) memory_mib: f64,
    pub(super) cpus: u32,
    pub(super) nodes: u32,
    /// Areas; with several nodes, each is on the node of its number.
    #[serde(deserialize_with = "devices")]
    pub(super) areas: Vec<SimDevice>,
    pub(super) area_mib: f64,
    pub(super) page_cluster: u32,
    pub(super) folio_orders: Vec<u8>,
    pub(super) has_zswap: bool,
    pub(super) processes: u32,
    pub(super) process_mib: f64,
    pub(super) pattern: AccessPattern,
    pub(super) memory: MemoryKind,
    /// Passes over all pages after they are filled; 0 if filling them is the only access.
    pub(super) passes: f64,
    /// Whether it is a build: processes of different sizes, one after another.
    pub(super) is_build: bool,
    /// Files that a build writes to a tmpfs and keeps.
    pub(super) output_mib: f64,
    /// Swapped out when a build ends; 0 if it ends when each process was started three times.
    pub(super) swapped_out_mib: f64,
    /// Used swap at which the areas are compared.
    pub(super) used_mib: f64,
    /// How many times smaller the machine is.
    pub(super) divisor: f64,
}

fn devices<'de, D: Deserializer<'de>>(names: D) -> Result<Vec<SimDevice>, D::Error> {
    let device = |name: &String| {
        let known = SimDevice::WORDS.iter().find(|(word, _)| word == name);
        known
            .map(|(_, device)| *device)
            .ok_or_else(|| D::Error::custom(format!("no device {name}")))
    };
    Vec::<String>::deserialize(names)?.iter().map(device).collect()
}

/// The counters of a run.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// The machine at the end.
    pub(super) machine: Machine,
    /// Used of each area, in GiB of the published machine, at the moment of the publication.
    pub(super) used_gib: Vec<f64>,
    /// Estimated time until memory is freed, in seconds.
    pub(super) busy_s: f64,
    /// Estimated time in which memory is freed, in seconds for each process.
    pub(super) free_s: f64,
    /// Look-ups while memory is freed.
    pub(super) free_lookups: u64,
    /// Estimated time on CPUs, in seconds.
    pub(super) system_s: f64,
    /// Metadata before memory is freed, in MiB of the published machine.
    pub(super) metadata_mib: f64,
    /// Slots in use before memory is freed.
    pub(super) slots: u32,
    /// Page table entries that a swapoff of the first area visits then.
    pub(super) entries_visited: u64,
}

impl PublishedRun {
    /// Pages of this size on a machine that is `scale` times the usual one.
    fn pages(&self, mib: f64, scale: f64) -> u32 {
        let pages = whole(mib * PAGES_PER_MIB / self.divisor * scale);
        u32::try_from(pages).unwrap_or(u32::MAX).max(1)
    }

    fn setup(&self, scale: f64) -> Result<MachineSetup, String> {
        let area = |(number, device): (u32, &SimDevice)| AreaSetup {
            path: format!("/dev/swap{number}"),
            device: *device,
            slots: self.pages(self.area_mib, scale),
            priority: None,
            node: (self.nodes > 1).then_some(number),
            discards: false,
        };
        let setup = MachineSetup {
            advised_orders: Vec::new(),
            name: "published".to_owned(),
            about: String::new(),
            policy: KernelPolicy::parse(&self.policy)?,
            memory_pages: 0,
            limit_pages: None,
            cpus: self.cpus,
            nodes: self.nodes,
            page_cluster: self.page_cluster,
            folio_orders: self.folio_orders.clone(),
            zswap: self.has_zswap.then_some(ZswapSetup { max_pool: 0.3, accept: 0.9 }),
            areas: (0..).zip(&self.areas).map(area).collect(),
            seed: 1,
            load: None,
            load_changes: Vec::new(),
            used_at_start: 0.0,
            rounds_per_second: 10_000,
            cost_file: None,
            costs: CostModel::builtin(),
        };
        // Only limits of cgroups were published for machines with zram.
        Ok(setup.with_cgroup_limit(self.pages(self.memory_mib, scale)))
    }

    fn load(&self, scale: f64) -> Workload {
        let size = Bytes(u64::from(self.pages(self.process_mib, scale)) * 4096);
        if self.is_build {
            let mut build = short_processes("build", self.processes, size);
            if self.swapped_out_mib > 0.0 {
                build.works.iter_mut().for_each(|work| work.rounds = u32::MAX);
            }
            if self.output_mib > 0.0 {
                let size = Bytes(u64::from(self.pages(self.output_mib, scale)) * 4096);
                build.works.push(kept_files(size));
            }
            return build;
        }
        let once = WorkerGroup {
            order: self.pattern,
            memory: self.memory,
            ..WorkerGroup::writing_once(self.processes, size)
        };
        let work = if self.passes > 0.0 {
            WorkerGroup { prefault: true, passes: Some(self.passes), ..once }
        } else {
            once
        };
        Workload::together("published", vec![work])
    }

    /// Runs the workload to its end.
    pub(super) fn run(&self, scale: f64) -> Result<Outcome, String> {
        let mut machine = Machine::new(self.setup(scale)?);
        machine.start(&self.load(scale))?;
        let until = f64::from(machine.swap.total()) * self.used_mib
            / (self.area_mib * self.areas.len() as f64).max(1.0);
        let accesses = u64::from(self.processes) * u64::from(self.pages(self.process_mib, scale));
        // Memory is freed at the end of all accesses, which are counted where each page is accessed once.
        let is_freed_at_once = !self.is_build && self.passes == 0.0;
        let most = if self.swapped_out_mib > 0.0 {
            u64::from(self.pages(self.swapped_out_mib, scale))
        } else {
            u64::MAX
        };
        let mut used = Vec::new();
        machine.run(|machine| {
            if used.is_empty() && f64::from(machine.swap.used()) >= until {
                used = machine.swap.areas().entries().map(SwapSpace::used).collect();
            }
            (is_freed_at_once && machine.work.touches >= accesses)
                || machine.counters.pswpout >= most
        });
        let gib = self.divisor / scale / PAGES_PER_MIB / 1024.0;
        let lookups = machine.work.free_lookups;
        let mut outcome = Outcome {
            used_gib: used.iter().map(|slots| f64::from(*slots) * gib).collect(),
            busy_s: machine.elapsed_ns() / 1e9,
            free_s: 0.0,
            free_lookups: 0,
            system_s: 0.0,
            metadata_mib: machine.metadata_bytes() as f64 * self.divisor / scale / 1_048_576.0,
            slots: machine.swap.used(),
            entries_visited: if is_freed_at_once {
                machine.swapoff_work(0, 1.0, 1).entries
            } else {
                0
            },
            machine,
        };
        if is_freed_at_once {
            outcome.machine.run(|_| false);
        }
        let machine = &outcome.machine;
        outcome.system_s = machine.system_ns() / 1e9;
        outcome.free_lookups = machine.work.free_lookups - lookups;
        let freeing: f64 = machine.process_records().map(|record| record.free_ns).sum();
        outcome.free_s = freeing / 1e9 / f64::from(self.processes.max(1));
        match machine.counters.oom_kill {
            0 => Ok(outcome),
            killed => Err(format!(
                "{killed} processes of the model were killed: its memory and swap were full"
            )),
        }
    }
}

/// Files on a tmpfs, which are written page by page, and of which few are read again.
fn kept_files(size: Bytes) -> WorkerGroup {
    WorkerGroup {
        memory: MemoryKind::Shared,
        advice: FolioAdvice::Small,
        prefault: true,
        order: AccessPattern::Phases { hot: 0.0, hits: 1.0, length: 1e9 },
        passes: Some(1e9),
        ..WorkerGroup::writing_once(1, size)
    }
}

impl Outcome {
    /// Used of an area.
    pub(super) fn used(&self, area: usize) -> f64 {
        self.used_gib.get(area).copied().unwrap_or(0.0)
    }

    /// Accesses a second, by the estimated time.
    pub(super) fn accesses_per_second(&self) -> f64 {
        self.machine.work.touches as f64 / self.busy_s
    }

    /// Memory accessed a second, in MB, by the estimated time.
    pub(super) fn megabytes_per_second(&self) -> f64 {
        self.accesses_per_second() * 4096.0 / 1e6
    }

    /// The share of folios of this order that were split, in percent.
    pub(super) fn fallback_percent(&self, order: usize) -> f64 {
        let counters = &self.machine.counters;
        let count = |counts: &[u64]| counts.get(order).copied().unwrap_or(0);
        let (out, split) = (count(&counters.swpout), count(&counters.swpout_fallback));
        split as f64 * 100.0 / (out + split).max(1) as f64
    }

    /// Priorities of all areas.
    pub(super) fn priorities(&self) -> String {
        let areas = self.machine.swap.areas().entries();
        areas.map(|area| area.priority.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The order of the areas, as letters, for the CPUs of a node.
    pub(super) fn order(&self, node: u32) -> String {
        let letter = |area: u32| char::from_u32(u32::from('A') + area).unwrap_or('?').to_string();
        self.machine.swap.order(node).into_iter().map(letter).collect::<Vec<_>>().join(" ")
    }
}
