//! The tables, one file each.

pub mod attribution;
pub mod cgroup_detail;
pub mod cgroups;
pub mod clusters;
pub mod config;
pub mod cost;
pub mod counters;
pub mod devices;
pub mod findings;
pub mod groups;
pub mod headroom;
pub mod kernel;
pub mod knobs;
pub mod lab;
pub mod mappings;
pub mod mthp;
pub mod numa;
pub mod paging;
pub mod pressure;
pub mod processes;
pub mod readahead;
pub mod rules;
pub mod selection;
pub mod shm;
pub mod sources;
pub mod status;
pub mod thp;
pub mod users;
pub mod what_if;
pub mod zram;
pub mod zswap;

use super::spec::Spec;

/// All tables, in the order of `report`.
pub static TABLES: &[Spec] = &[
    status::SPEC,
    findings::SPEC,
    rules::SPEC,
    kernel::SPEC,
    devices::SPEC,
    groups::SPEC,
    clusters::SPEC,
    clusters::ORDERS,
    clusters::FILL,
    clusters::MAP,
    clusters::OWNERS,
    clusters::STORED,
    clusters::AGES,
    clusters::NEXT,
    clusters::slots::SPEC,
    selection::SPEC,
    headroom::SPEC,
    cost::SPEC,
    zram::SPEC,
    zswap::SPEC,
    thp::SPEC,
    mthp::SPEC,
    readahead::SPEC,
    paging::SPEC,
    counters::SPEC,
    pressure::SPEC,
    processes::SPEC,
    mappings::SPEC,
    users::SPEC,
    cgroups::SPEC,
    cgroup_detail::NODES,
    cgroup_detail::AGES,
    shm::SPEC,
    attribution::SPEC,
    knobs::SPEC,
    numa::SPEC,
    config::SPEC,
    sources::SPEC,
    what_if::AREAS,
    what_if::FOLIOS,
    what_if::MACHINES,
];

/// The table with this name.
pub fn find(name: &str) -> Option<&'static Spec> {
    TABLES.iter().find(|spec| spec.name == name)
}

#[cfg(test)]
mod tests;
