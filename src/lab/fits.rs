//! Checks before a run whether a workload fits the machine: what it may need at most against what
//! is available.

use super::guard::free_swap;
use super::run_spec::{RunSpec, TemporaryAreaKind};
use crate::actions::check::{Check, zram};
use crate::columns::units::size;
use crate::lab::load::keys::MIN_LIMIT;
use crate::lab::worker::check_usable;
use crate::model::activation::Priority;
use crate::model::load::{AfterTouching, PageContents, WorkerGroup, Workload};
use crate::model::zram::device_number;
use crate::model::{Bytes, Name, Snapshot};
use crate::probes::scan;
use crate::root::Root;
use crate::sys::WorkloadCgroup;

/// Memory that each process needs for itself, in addition to the smallest possible limit.
const PROCESS_OVERHEAD: u64 = 512 << 10;

/// Checks a run on this machine. A check with the verdict `Refuse` means that the run must not
/// start.
pub fn checks(spec: &RunSpec, snapshot: &Snapshot) -> Vec<Check> {
    let all = [
        check_limit(spec),
        note_lowered_limit(spec),
        check_areas(spec, snapshot),
        check_algorithm(spec, snapshot),
        check_swapoff(spec),
        check_memory(spec, snapshot),
        check_swap_space(spec, snapshot),
        check_pressure(snapshot),
        check_min_available(spec, snapshot),
        check_min_swap(spec, snapshot),
    ];
    let others =
        check_bindings(spec, snapshot).into_iter().chain(check_other_areas(spec, snapshot));
    all.into_iter().flatten().chain(others).collect()
}

/// Refuses a run with a memory limit where no cgroup can be created.
pub fn check_cgroup(spec: &RunSpec, root: &Root) -> Option<Check> {
    // A capture lacks the information needed for this check.
    spec.limit.filter(|_| root.is_live())?;
    let hindrance = WorkloadCgroup::check_possible(root).err()?;
    Some(Check::refuse("cgroup-limit", hindrance.to_string()))
}

/// Describes why a limit is too small for the processes of a workload.
pub fn limit_too_small(limit: Bytes, load: &Workload) -> Option<String> {
    let processes: u32 = load.works.iter().map(|work| work.processes).sum();
    let least = Bytes(MIN_LIMIT.0 + u64::from(processes) * PROCESS_OVERHEAD);
    let (short, shown, needs) = (limit < least, size(limit), size(least));
    let who = if processes == 1 { "process, which needs" } else { "processes, which need" };
    let own = if processes == 1 { "itself" } else { "themselves" };
    short.then(|| {
        format!(
            "{shown} is too little for {processes} {who} {needs} for {own}: use {needs} or more"
        )
    })
}

/// Checks a limit given as a share of memory. Limits in bytes are checked when they are parsed.
fn check_limit(spec: &RunSpec) -> Option<Check> {
    let why = limit_too_small(spec.limit?, &spec.workload)?;
    Some(Check::refuse("limit", format!("the limit of {why}")))
}

fn note_lowered_limit(spec: &RunSpec) -> Option<Check> {
    let (limit, asked) = (size(spec.limit?), size(spec.lowered_from?));
    let text = format!(
        "limit {limit} instead of the {asked} of the workload, so that what exceeds it fits into swap; for another one: --limit SIZE"
    );
    Some(Check::note("limit", text))
}

fn check_areas(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let active = snapshot.swaps.reading.known()?;
    if !active.is_empty() || !spec.devices.is_empty() {
        return None;
    }
    Some(Check::refuse("areas", "no swap is active, and the run creates no area: add --zram 1G for temporary swap on zram, or --file 1G for a temporary swap file; both are removed afterwards".to_owned()))
}

/// Checks the compression algorithm against those the kernel offers. Without a zram device the
/// offer is unknown: the kernel is asked when the first device is created, and a refusal undoes the
/// setup.
fn check_algorithm(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let devices = snapshot.zram.reading.known()?;
    let choice = devices.iter().find_map(|device| device.algorithm.known())?;
    let mut names = spec.devices.iter().filter_map(|device| device.algorithm.as_deref());
    let why = names.find_map(|name| zram::check_algorithm(choice, name).err())?;
    Some(Check::refuse("algorithm", why))
}

/// Checks that a workload that ends with swapoff has areas of its own, and runs once.
pub fn check_swapoff(spec: &RunSpec) -> Option<Check> {
    if spec.workload.after != AfterTouching::Swapoff {
        return None;
    }
    if spec.repetitions > 1 {
        return Some(Check::refuse("repeat", "the workload ends with swapoff, after which its temporary areas are gone: use --repeat 1, or an experiment, which creates them for each run".to_owned()));
    }
    if !spec.devices.is_empty() {
        return None;
    }
    Some(Check::refuse(
        "areas",
        "the workload ends with swapoff, which is done on temporary areas only: add --zram 1G or --file 1G"
            .to_owned(),
    ))
}

/// Checks that available memory is enough for the cgroup, and for zram to hold what is swapped
/// there.
fn check_memory(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let available = *snapshot.memory("MemAvailable").known()?;
    let spare = available.saturating_sub(spec.guard.min_available);
    if spare == Bytes(0) {
        // A smaller workload would not help either: the check of the guard reports this.
        return None;
    }
    let Some(limit) = spec.limit else { return Some(check_whole_machine(spec, snapshot, spare)) };
    let zram = compressed(spec, snapshot);
    // Swapoff brings everything back into memory before zram frees its copy.
    let all_back = spec.workload.after == AfterTouching::Swapoff;
    let held = if all_back { spec.total() } else { limit.min(spec.total()) };
    let needs = held.saturating_add(zram);
    if needs <= spare {
        return None;
    }
    let of_zram = match zram {
        Bytes(0) => String::new(),
        zram => format!(" and zram up to {} for swapped pages", size(zram)),
    };
    Some(Check::refuse(
        "memory",
        format!(
            "the cgroup may need {} of memory{of_zram}; {} is available, {} of which must stay available: use a smaller --limit or smaller processes",
            size(held),
            size(available),
            size(spec.guard.min_available)
        ),
    ))
}

/// Checks a run without a memory limit: memory and swap must hold all of it.
fn check_whole_machine(spec: &RunSpec, snapshot: &Snapshot, spare: Bytes) -> Check {
    let swap = all_free(spec, snapshot).saturating_sub(spec.guard.min_swap);
    // Pages compressed by zram occupy memory too.
    let room = spare.saturating_add(swap).saturating_sub(in_zram(spec, zram_room(spec, snapshot)));
    if spec.total() <= room {
        return Check::warn(
            "whole",
            "without a memory limit the whole machine comes under memory pressure: everything on it may become slow",
        );
    }
    Check::refuse(
        "memory",
        format!(
            "the processes need {}, but memory and swap have room for only {}: the machine would run out of memory",
            size(spec.total()),
            size(room)
        ),
    )
}

/// Checks that swap has room for what exceeds the limit. A workload that grows on purpose is
/// stopped in time, so this is a warning.
fn check_swap_space(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let limit = spec.limit?;
    if check_areas(spec, snapshot).is_some() {
        // The check of the areas refuses a run without any swap.
        return None;
    }
    let swapped = spec.total().saturating_sub(limit);
    let all = all_free(spec, snapshot);
    let free = all.saturating_sub(spec.guard.min_swap);
    (swapped > free).then(|| {
        Check::warn(
            "room",
            format!(
                "the processes need {}, {} more than the memory limit; {} of swap is free, {} of which must stay free: the guard will stop the run when swap is nearly full",
                size(spec.total()),
                size(swapped),
                size(all),
                size(spec.guard.min_swap)
            ),
        )
    })
}

/// Warns where PSI is not available, so that the guard cannot use it.
fn check_pressure(snapshot: &Snapshot) -> Option<Check> {
    let why = snapshot.psi.reading.missing()?.why();
    let text = format!(
        "PSI cannot be read ({why}): the guard will not stop the run on memory pressure; its other limits still apply"
    );
    Some(Check::warn("pressure", text))
}

/// Warns of active areas that may take pages before the temporary ones do, or that share them.
pub fn check_other_areas(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let priorities = spec.devices.iter().map(|device| match device.priority {
        Priority::Default => i32::MIN,
        Priority::Set(priority) => i32::from(priority),
    });
    let lowest = priorities.min()?;
    let active = snapshot.swaps.reading.known()?;
    let earlier = active.iter().filter(|area| area.priority >= lowest);
    let names: Vec<String> = earlier.map(|area| area.path.safe()).collect();
    (!names.is_empty()).then(|| {
        Check::warn(
            "others",
            format!(
                "other areas are active and may take pages of the workload: {}; the figures then include these areas",
                names.join(", ")
            ),
        )
    })
}

fn all_free(spec: &RunSpec, snapshot: &Snapshot) -> Bytes {
    let made: Bytes = spec.devices.iter().map(|device| device.size).sum();
    free_swap(snapshot).unwrap_or(Bytes(0)).saturating_add(made)
}

/// The memory that zram may need for what is swapped there.
fn compressed(spec: &RunSpec, snapshot: &Snapshot) -> Bytes {
    let kept = spec.limit.unwrap_or(spec.whole);
    in_zram(spec, spec.total().saturating_sub(kept).min(zram_room(spec, snapshot)))
}

/// The memory that zram needs for this much of the workload, at most.
fn in_zram(spec: &RunSpec, swapped: Bytes) -> Bytes {
    let worst =
        spec.workload.works.iter().map(|work| compressed_share(&work.contents)).fold(0.0, f64::max);
    swapped.times(worst)
}

/// The free space of all zram areas, including the temporary ones.
fn zram_room(spec: &RunSpec, snapshot: &Snapshot) -> Bytes {
    let is_zram = |path: &Name| device_number(path).is_some();
    let free = snapshot
        .areas()
        .iter()
        .filter(|area| is_zram(&area.path))
        .filter_map(|area| Some(area.size.saturating_sub(*area.used.known()?)));
    let made = spec.devices.iter().filter(|device| device.kind == TemporaryAreaKind::Zram);
    free.chain(made.map(|device| device.size)).sum()
}

/// The share that is left of the contents after compression, at most.
fn compressed_share(contents: &PageContents) -> f64 {
    match contents {
        PageContents::Zero | PageContents::Same => 0.01,
        PageContents::Ratio(ratio) if *ratio > 1.35 => 1.1 / ratio,
        // zram stores pages uncompressed if they hardly compress; the contents of files may not
        // compress at all.
        PageContents::Ratio(_)
        | PageContents::Words
        | PageContents::Random
        | PageContents::File(_) => 1.0,
    }
}

/// Checks that the CPUs and nodes to which works are bound exist. Unreadable lists refuse nothing.
pub fn check_bindings(spec: &RunSpec, snapshot: &Snapshot) -> Vec<Check> {
    let (processors, nodes) = (processors(snapshot), nodes(snapshot));
    let works = &spec.workload.works;
    let refused = |key, number, why: Option<String>| {
        why.map(|why| {
            Check::refuse(key, spec.locations.problem_of_work(number, key, &why).to_string())
        })
    };
    let each = works.iter().zip(1..).flat_map(|(work, number)| {
        let processor = processors.as_deref().and_then(|there| no_processor(work, there));
        let node = nodes.as_deref().and_then(|there| no_node(work, there));
        [refused("cpus", number, processor), refused("node", number, node)]
    });
    each.flatten().collect()
}

fn no_processor(work: &WorkerGroup, there: &str) -> Option<String> {
    let ranges = scan::ranges(there.as_bytes())?;
    let is_there = |cpu: u32| ranges.iter().any(|range| range.contains(&u64::from(cpu)));
    let cpu = work.cpus.iter().flatten().find(|cpu| !is_there(**cpu))?;
    Some(format!("CPU {cpu} does not exist: this machine has CPUs {there}"))
}

fn no_node(work: &WorkerGroup, there: &[u32]) -> Option<String> {
    let node = work.node.filter(|node| !there.contains(node))?;
    let there: Vec<String> = there.iter().map(u32::to_string).collect();
    let nodes = if there.len() == 1 { "node" } else { "nodes" };
    Some(format!("node {node} does not exist: this machine has {nodes} {}", there.join(", ")))
}

/// The CPUs that are online, as listed by the NUMA nodes.
fn processors(snapshot: &Snapshot) -> Option<String> {
    let nodes = snapshot.numa.reading.known()?;
    let lists: Option<Vec<&str>> =
        nodes.iter().map(|node| node.cpus.known().map(String::as_str)).collect();
    // The list of a node without CPUs is empty.
    let lists: Vec<&str> = lists?.into_iter().filter(|list| !list.is_empty()).collect();
    Some(lists.join(","))
}

fn nodes(snapshot: &Snapshot) -> Option<Vec<u32>> {
    let nodes = snapshot.numa.reading.known()?;
    Some(nodes.iter().map(|node| node.id).collect())
}

/// Checks that pages can be filled from the files named as contents. A capture lacks the files of
/// its machine.
pub fn check_contents(spec: &RunSpec, root: &Root) -> Vec<Check> {
    let mut all = Vec::new();
    if !root.is_live() {
        return all;
    }
    for (work, number) in spec.workload.works.iter().zip(1..) {
        let Err(why) = check_usable(&work.contents, root) else { continue };
        let check = Check::refuse(
            "pages",
            spec.locations.problem_of_work(number, "contents", &why).to_string(),
        );
        // An override on the command line applies to all works at once.
        if !all.contains(&check) {
            all.push(check);
        }
    }
    all
}

fn check_min_available(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let available = *snapshot.memory("MemAvailable").known()?;
    let least = spec.guard.min_available;
    (least >= available).then(|| {
        let (least, available) = (size(least), size(available));
        Check::refuse(
            "guard",
            format!(
                "--min-available {least}: only {available} of memory is available, so the guard would stop the run at once: use less than {available}"
            ),
        )
    })
}

fn check_min_swap(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let least = spec.guard.min_swap;
    let free = all_free(spec, snapshot).saturating_sub(header_pages(spec, snapshot));
    (least > Bytes(0) && least >= free).then(|| {
        let made = if spec.devices.is_empty() { "" } else { ", including the temporary areas" };
        let (least, free) = (size(least), size(free));
        Check::refuse(
            "guard",
            format!(
                "--min-swap {least}: only {free} of swap is free{made}, so the guard would stop the run at once: use less than {free}, or add more temporary swap"
            ),
        )
    })
}

/// The header pages of the temporary areas, which hold no swapped pages.
fn header_pages(spec: &RunSpec, snapshot: &Snapshot) -> Bytes {
    let page = snapshot.page_size.known().copied().unwrap_or(0);
    Bytes(page.saturating_mul(spec.devices.len() as u64))
}

#[cfg(test)]
mod tests;
