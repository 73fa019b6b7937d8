//! One file for each kernel interface, and the list of all probes.
//!
//! A probe reads files through a [`Root`] and reports what they contain. It computes no rates or shares,
//! and makes no judgement. It never fails as a whole for one bad line or file: what could not be read is a
//! [`Reading`] with the reason, and the rest remains.
//!
//! To add a probe: see CONTRIBUTING.md.

pub mod access;
pub mod allocator;
pub mod block;
pub mod boot_settings;
pub mod btf;
pub mod candidate;
pub mod cgroup;
pub mod clusters;
mod cmdline;
pub mod config;
pub mod deadline;
pub mod diskstats;
pub mod header;
pub mod hibernation;
pub mod interrupted;
pub mod kernel;
mod kernel_config;
pub mod kmsg;
pub mod knobs;
pub mod layout;
pub mod meminfo;
pub mod memory_sample;
pub(crate) mod mounts;
pub mod numa;
pub mod partition;
mod probe;
pub mod process;
pub mod psi;
pub mod scan;
pub mod shm;
mod signature;
pub mod subject;
pub mod surroundings;
pub mod swaps;
pub mod target;
#[cfg(test)]
pub(crate) mod testing;
pub mod thp;
pub mod zram;
pub mod zswap;

pub use probe::{Probe, ReadInterval};

use crate::clock::Clock;
use crate::model::clusters::ClusterMap;
use crate::model::parts::SourceFacts;
use crate::model::{Part, PartSet, Reading, Sampled, Snapshot};
use crate::root::Root;
use probe::sampled;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// All probes.
pub static PROBES: &[&Probe] = &[
    &kernel::PROBE,
    &access::PROBE,
    &allocator::PROBE,
    &swaps::PROBE,
    &header::PROBE,
    &layout::PROBE,
    &hibernation::PROBE,
    &meminfo::PROBE,
    &meminfo::VMSTAT,
    &psi::PROBE,
    &diskstats::PROBE,
    &block::PROBE,
    &zram::PROBE,
    &zswap::PROBE,
    &thp::PROBE,
    &knobs::PROBE,
    &numa::PROBE,
    &config::PROBE,
    &interrupted::PROBE,
    &process::PROBE,
    &cgroup::PROBE,
    &shm::PROBE,
    &clusters::kernel::PROBE,
    &clusters::stored::PROBE,
    &clusters::mapped::PROBE,
    &subject::PROBE,
];

/// Checks whether a probe declares that it reads this file, given below the root.
pub fn is_declared(path: &Path) -> bool {
    PROBES.iter().flat_map(|probe| probe.files).any(|pattern| matches_pattern(pattern, path))
}

/// Matches a path with a pattern: `*` stands for any part of one name, `**` for any depth, including none.
pub fn matches_pattern(pattern: &str, path: &Path) -> bool {
    let pattern: Vec<&[u8]> = pattern.split('/').map(str::as_bytes).collect();
    let path: Vec<&[u8]> = path.iter().map(OsStr::as_bytes).collect();
    parts_fit(&pattern, &path)
}

fn parts_fit(pattern: &[&[u8]], path: &[&[u8]]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&b"**", rest)), _) if parts_fit(rest, path) => true,
        (Some((&b"**", _)), Some((_, deeper))) => parts_fit(pattern, deeper),
        (Some((name, rest)), Some((part, deeper))) => {
            name_fits(name, part) && parts_fit(rest, deeper)
        }
        _ => false,
    }
}

fn name_fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) if name_fits(rest, name) => true,
        (Some((b'*', _)), Some((_, later))) => name_fits(pattern, later),
        (Some((wanted, rest)), Some((found, later))) => wanted == found && name_fits(rest, later),
        _ => false,
    }
}

/// Reads these parts of the machine.
pub fn sample(root: &Root, clock: &Clock, parts: PartSet) -> Snapshot {
    let mut snapshot = Snapshot::empty(clock.now());
    snapshot.page_size = meminfo::page_size(root);
    sample_more(root, clock, parts, &mut snapshot);
    snapshot
}

/// Reads more parts into an existing snapshot.
pub fn sample_more(root: &Root, clock: &Clock, parts: PartSet, snapshot: &mut Snapshot) {
    let (start, cpu) = (clock.now(), clock.cpu_us());
    for part in parts.iter() {
        read_part(root, clock, parts, part, snapshot);
    }
    let wall_us = clock.now().boot_ns.saturating_sub(start.boot_ns) / 1000;
    snapshot.cost.wall_us = snapshot.cost.wall_us.saturating_add(wall_us);
    snapshot.cost.cpu_us = snapshot.cost.cpu_us.saturating_add(clock.cpu_us().saturating_sub(cpu));
}

fn read_part(root: &Root, clock: &Clock, parts: PartSet, part: Part, into: &mut Snapshot) {
    let now = clock.now();
    match part {
        Part::Kernel => into.kernel = sampled(now, kernel::read(root)),
        Part::Access => into.access = sampled(now, access::read(root)),
        Part::Swaps => into.swaps = sampled(now, swaps::read(root)),
        Part::Headers => into.headers = sampled(now, with_areas(root, into, header::read)),
        Part::Layouts => into.layouts = sampled(now, with_areas(root, into, layout::read)),
        Part::Hibernation => into.hibernation = sampled(now, hibernation::read(root)),
        Part::Meminfo => into.meminfo = sampled(now, meminfo::read(root)),
        Part::Vmstat => into.vmstat = sampled(now, meminfo::read_vmstat(root)),
        Part::Psi => into.psi = sampled(now, psi::read(root)),
        Part::Diskstats => into.diskstats = sampled(now, diskstats::read(root)),
        Part::Block => into.block = sampled(now, with_areas(root, into, block::read)),
        Part::Zram => into.zram = sampled(now, zram::read(root, parts)),
        Part::Zswap => into.zswap = sampled(now, zswap::read(root)),
        Part::Thp => into.thp = sampled(now, thp::read(root)),
        Part::Knobs => into.knobs = sampled(now, Reading::Known(knobs::read(root))),
        Part::Numa => into.numa = sampled(now, numa::read(root)),
        Part::Config => into.config = sampled(now, config::read(root)),
        Part::Interrupted => into.interrupted = sampled(now, interrupted::read(root)),
        Part::Processes => into.processes = sampled(now, process::read(root, parts)),
        Part::Cgroups => into.cgroups = sampled(now, cgroup::read(root)),
        Part::Shm => into.shm = sampled(now, Reading::Known(shm::read(root))),
        Part::Sources => into.sources = sampled(now, Reading::Known(sources(root))),
        Part::KernelClusters => {
            into.kernel_clusters = sampled(now, clusters::kernel::read(root, clock, into));
        }
        Part::StoredClusters => {
            into.stored_clusters = sampled(now, clusters::stored::read(root, clock, into));
        }
        // Of several requested views the best is enough: this one walks all page tables.
        Part::MappedClusters if is_covered(into) => {}
        Part::MappedClusters => {
            into.mapped_clusters = sampled(now, clusters::mapped::read(root, clock, into));
        }
        Part::Allocator => into.allocator = sampled(now, allocator::read(root)),
        // These parts only set how much detail others read; a subject has to be named.
        Part::ZramDetail
        | Part::ProcessDetail
        | Part::ProcessPss
        | Part::ProcessAll
        | Part::Subject => {}
    }
}

/// Whether the earlier views have the clusters of all areas.
fn is_covered(snapshot: &Snapshot) -> bool {
    let areas = snapshot.areas().len();
    let tells = |view: &Sampled<Vec<Reading<ClusterMap>>>, place: usize| {
        let clusters = view.reading.known().and_then(|areas| areas.get(place));
        clusters.is_some_and(|clusters| clusters.known().is_some_and(ClusterMap::is_whole))
    };
    let is_told =
        |place| tells(&snapshot.kernel_clusters, place) || tells(&snapshot.stored_clusters, place);
    areas > 0 && (0..areas).all(is_told)
}

fn sources(root: &Root) -> Vec<SourceFacts> {
    let facts = |probe: &&Probe| SourceFacts {
        id: probe.id.to_owned(),
        part: probe.part,
        about: probe.about.to_owned(),
        files: probe.files.iter().map(|file| format!("/{file}")).collect(),
        remedy: probe.remedy.to_owned(),
    };
    let sources = PROBES.iter().map(facts);
    if root.is_live() {
        return sources.collect();
    }
    sources.map(|source| source.in_copy("swapadm capture DIR")).collect()
}

/// Reads facts of each active area.
fn with_areas<T>(
    root: &Root,
    snapshot: &Snapshot,
    read: impl Fn(&Root, &crate::model::swaparea::SwapArea) -> Reading<T>,
) -> Reading<Vec<Reading<T>>> {
    let areas = snapshot.swaps.reading.as_ref();
    areas.map(|areas| areas.iter().map(|area| read(root, area)).collect())
}
