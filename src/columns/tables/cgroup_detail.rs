//! `cgroup_nodes` and `cgroup_ages`: one cgroup by NUMA node, and by age of its pages.

use crate::columns::spec::Spec;
use crate::columns::value::Value;
use crate::derive::SampleView;
use crate::model::subject::{LruGeneration, NodeMemory};
use crate::model::{PartSet, Reading, part_set};

const SUBJECT: PartSet = part_set![Subject];

table!(
    pub struct CgroupNodesTable: &'v NodeMemory, NodeColumn, NODE_COLUMNS,
    |view, _| {
        let detail = view.now.cgroup_detail();
        detail.and_then(|detail| detail.nodes.as_ref().map(|all| all.iter().collect()))
    }
);

/// Definition of the table of NUMA nodes.
pub const NODES: Spec = Spec::for_table::<CgroupNodesTable>("cgroup_nodes", "NUMA nodes", "node")
    .single_subject()
    .shown_by("cgroup")
    .about("Memory by NUMA node of the cgroup given by its path")
    .shows("node,anon,inactive_anon,file,swapcached")
    .sort("node")
    .needs(SUBJECT);

const NUMA: &str = "memory.numa_stat";

static NODE_COLUMNS: &[NodeColumn] = &[
    NodeColumn::count("node", "NODE", |row| row.node.into()).says("NUMA node.", NUMA),
    NodeColumn::bytes("anon", "ANON", |row| row.anon.clone().into())
        .says("Anonymous memory on the node, which can be swapped.", NUMA),
    NodeColumn::bytes("inactive_anon", "INACTIVE", |row| row.inactive_anon.clone().into())
        .says("Part of it that was not used recently (version 2).", NUMA)
        .drop(2),
    NodeColumn::bytes("file", "FILE", |row| row.file.clone().into())
        .says("File cache on the node.", NUMA)
        .drop(1),
    NodeColumn::bytes("swapcached", "SWAPCACHED", |row| row.swap_cached.clone().into())
        .says("Pages on the node that still own a swap slot (version 2).", NUMA)
        .drop(3),
];

table!(
    pub struct CgroupAgesTable: GenerationRow<'v>, AgeColumn, AGE_COLUMNS,
    |view, _| generation_rows(view)
);

/// A generation, with the size of its pages.
pub struct GenerationRow<'v> {
    generation: &'v LruGeneration,
    page_size: &'v Reading<u64>,
}

/// Definition of the table of generations.
pub const AGES: Spec = Spec::for_table::<CgroupAgesTable>("cgroup_ages", "LRU ages", "generation")
    .single_subject()
    .shown_by("cgroup")
    .about("Generations of the multi-generational LRU of the cgroup given by its path")
    .shows("node,generation,age,anon,file")
    .sort("node,generation")
    .needs(SUBJECT);

fn generation_rows<'v>(view: &SampleView<'v>) -> Reading<Vec<GenerationRow<'v>>> {
    let page_size = &view.now.page_size;
    let row = |generation: &'v LruGeneration| GenerationRow { generation, page_size };
    let detail = view.now.cgroup_detail();
    detail.and_then(|detail| detail.generations.as_ref().map(|all| all.iter().map(row).collect()))
}

const LRU: &str = "/sys/kernel/debug/lru_gen";

/// The size of this number of pages.
fn pages(row: &GenerationRow<'_>, pages: u64) -> Value {
    row.page_size.clone().map(|size| pages.saturating_mul(size)).into()
}

static AGE_COLUMNS: &[AgeColumn] = &[
    AgeColumn::count("node", "NODE", |row| row.generation.node.into())
        .says("NUMA node.", LRU)
        .drop(2),
    AgeColumn::count("generation", "GENERATION", |row| row.generation.generation.into())
        .says("Generation: the kernel reclaims the oldest, which has the lowest number.", LRU)
        .drop(1),
    AgeColumn::seconds("age", "AGE", |row| (row.generation.age_ms as f64 / 1e3).into()).says(
        "Time since the generation began; its pages were last used between then and the start of the next one.",
        LRU,
    ),
    AgeColumn::bytes("anon", "ANON", |row| pages(row, row.generation.anon_pages))
        .says("Anonymous memory of that age.", LRU),
    AgeColumn::bytes("file", "FILE", |row| pages(row, row.generation.file_pages))
        .says("File cache of that age.", LRU),
];
