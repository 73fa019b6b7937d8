//! Machines and workloads for tests, also of other packages.

#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test stops at the first error"
)]

use super::areas::AreaSetup;
use super::cost::{CostModel, SimDevice};
use super::machine::MachineSetup;
use super::policy::KernelPolicy;
use crate::model::Bytes;
use crate::model::load::{WorkerGroup, Workload};

/// An area of this many slots.
pub fn setup(device: SimDevice, slots: u32) -> AreaSetup {
    let path = "/dev/test".to_owned();
    AreaSetup { path, device, slots, priority: None, node: None, discards: false }
}

/// A machine with one CPU, on which the workload is limited to this many pages.
pub fn machine(policy: &str, limit_pages: u32, areas: Vec<AreaSetup>) -> MachineSetup {
    let setup = MachineSetup {
        name: "test".to_owned(),
        about: String::new(),
        policy: KernelPolicy::parse(policy).unwrap(),
        memory_pages: 0,
        limit_pages: None,
        cpus: 1,
        nodes: 1,
        page_cluster: 3,
        folio_orders: Vec::new(),
        advised_orders: Vec::new(),
        zswap: None,
        areas,
        seed: 1,
        load: None,
        load_changes: Vec::new(),
        used_at_start: 0.0,
        rounds_per_second: 10_000,
        cost_file: None,
        costs: CostModel::builtin(),
    };
    setup.with_cgroup_limit(limit_pages)
}

/// A workload whose processes start and free together.
pub fn load(works: Vec<WorkerGroup>) -> Workload {
    Workload::together("test", works)
}

/// Processes of this many pages, which write their memory once in order.
pub fn group(processes: u32, pages: u32) -> WorkerGroup {
    WorkerGroup::writing_once(processes, Bytes(u64::from(pages) * 4096))
}
