//! Machines and workloads for tests.

use super::areas::AreaSetup;
use super::machine::MachineSetup;
use super::policy::KernelPolicy;
use crate::model::Bytes;
use crate::model::load::{
    AccessPattern, AfterTouching, FolioAdvice, FreeMethod, MemoryAmount, MemoryKind, PageContents,
    TouchUnit, WorkerGroup, Workload,
};
use std::collections::BTreeMap;

/// A machine with one CPU and this many pages of memory.
pub(super) fn machine(policy: &str, memory_pages: u32, areas: Vec<AreaSetup>) -> MachineSetup {
    MachineSetup {
        name: "test".to_owned(),
        about: String::new(),
        policy: KernelPolicy::parse(policy).unwrap(),
        memory_pages,
        cpus: 1,
        nodes: 1,
        page_cluster: 3,
        folio_orders: Vec::new(),
        zswap: None,
        areas,
        seed: 1,
    }
}

/// A workload whose processes start and free together.
pub(super) fn load(works: Vec<WorkerGroup>) -> Workload {
    Workload {
        name: "test".to_owned(),
        about: String::new(),
        limit: MemoryAmount::Share(1.0),
        start_together: true,
        free_together: true,
        after: AfterTouching::Nothing,
        mthp: BTreeMap::new(),
        at_most: 600.0,
        works,
    }
}

/// Processes of this many pages, which write their memory once in order.
pub(super) fn group(processes: u32, pages: u32) -> WorkerGroup {
    WorkerGroup {
        processes,
        rounds: 1,
        size: MemoryAmount::Bytes(Bytes(u64::from(pages) * 4096)),
        vary: 0.0,
        memory: MemoryKind::Anonymous,
        order: AccessPattern::Sequential,
        touch: TouchUnit::Page,
        writes: 1.0,
        prefault: false,
        passes: Some(1.0),
        seconds: None,
        pace: None,
        contents: PageContents::Ratio(3.0),
        advice: FolioAdvice::None,
        free: FreeMethod::Exit,
        allocates: false,
        cpus: None,
        node: None,
    }
}
