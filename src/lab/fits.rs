//! Does a load fit the machine? Arithmetic before the first byte: what it may take at most, and
//! what is there.

use super::guard::free_swap;
use super::run_spec::{TemporaryAreaKind, RunSpec};
use crate::actions::check::{Check, CheckVerdict, zram};
use crate::columns::units::size;
use crate::lab::load::keys::MIN_LIMIT;
use crate::lab::worker::check_usable;
use crate::model::load::{AfterTouching, PageContents, WorkerGroup, Workload};
use crate::model::zram::device_number;
use crate::model::{Bytes, Name, Snapshot};
use crate::probes::scan;
use crate::root::Root;
use crate::sys::WorkloadCgroup;

/// What each process needs for itself, besides the least that a cage can hold.
const PROCESS_OVERHEAD: u64 = 512 << 10;

/// What is to be said of a load on this machine; a refusal among it means that it must not run.
pub fn checks(spec: &RunSpec, snapshot: &Snapshot) -> Vec<Check> {
    let all = [
        check_limit(spec),
        check_areas(spec, snapshot),
        check_algorithm(spec, snapshot),
        check_swapoff(spec),
        check_memory(spec, snapshot),
        check_swap_space(spec, snapshot),
        check_pressure(snapshot),
    ];
    let bound = check_bindings(spec, snapshot);
    let guards = check_guard(spec, snapshot);
    all.into_iter().flatten().chain(guards).chain(bound).chain(check_other_areas(spec, snapshot)).collect()
}

/// Why there can be no cage here, where the load wants one.
pub fn check_cgroup(spec: &RunSpec, root: &Root) -> Option<Check> {
    // A captured tree says too little of that.
    spec.limit.filter(|_| root.is_live())?;
    let hindrance = WorkloadCgroup::check_possible(root).err()?;
    Some(refusal("cage", hindrance.to_string()))
}

fn refusal(id: &'static str, text: String) -> Check {
    Check::new(id, CheckVerdict::Refuse, text)
}

/// That a limit is too little for the processes of a load, whatever else they do.
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

/// A limit that was said is looked at before; a share of what the machine has can be too little too.
fn check_limit(spec: &RunSpec) -> Option<Check> {
    let why = limit_too_small(spec.limit?, &spec.workload)?;
    Some(refusal("limit", format!("the limit of {why}")))
}

fn check_areas(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let active = snapshot.swaps.reading.known()?;
    if !active.is_empty() || !spec.devices.is_empty() {
        return None;
    }
    Some(refusal("areas", "no swap is active, and the run is lent none: --zram 1G makes swap on zram for it, --file 1G in a file, and both remove it afterwards".to_owned()))
}

/// As long as there is no device nothing tells what the kernel offers: it is asked when the first is
/// made, and what was made goes again where it refuses.
fn check_algorithm(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let devices = snapshot.zram.reading.known()?;
    let choice = devices.iter().find_map(|device| device.algorithm.known())?;
    let mut names = spec.devices.iter().filter_map(|device| device.algorithm.as_deref());
    let why = names.find_map(|name| zram::check_algorithm(choice, name).err())?;
    Some(refusal("algorithm", why))
}

fn check_swapoff(spec: &RunSpec) -> Option<Check> {
    if spec.workload.after != AfterTouching::Swapoff {
        return None;
    }
    if spec.repetitions > 1 {
        return Some(refusal("repeat", "it switches areas off, and they are made once: run it once at a time, or as an experiment, which makes them anew".to_owned()));
    }
    if !spec.devices.is_empty() {
        return None;
    }
    Some(refusal(
        "areas",
        "it switches areas off, and only those that are made for it: --zram 1G makes one on zram, --file 1G in a file"
            .to_owned(),
    ))
}

/// What the machine gives at most: to the cage, and to zram for what is swapped there.
fn check_memory(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let available = *snapshot.memory("MemAvailable").known()?;
    let spare = available.saturating_sub(spec.guard.available);
    if spare == Bytes(0) {
        // No smaller load would do either: the guard is what is told of.
        return None;
    }
    let Some(limit) = spec.limit else { return Some(check_whole_machine(spec, snapshot, spare)) };
    let zram = compressed(spec, snapshot);
    // What is switched off comes back into memory, before zram gives up what it held.
    let all_back = spec.workload.after == AfterTouching::Swapoff;
    let held = if all_back { spec.total() } else { limit.min(spec.total()) };
    let needs = held.saturating_add(zram);
    if needs <= spare {
        return None;
    }
    let of_zram = match zram {
        Bytes(0) => String::new(),
        zram => format!(", and zram up to {} for what is swapped to it", size(zram)),
    };
    Some(refusal(
        "memory",
        format!(
            "its cage may take {}{of_zram}; {} are available, of which {} are to stay: make --limit or the memory of its processes smaller",
            size(held),
            size(available),
            size(spec.guard.available)
        ),
    ))
}

/// Without a limit the machine itself has to hold all of it.
fn check_whole_machine(spec: &RunSpec, snapshot: &Snapshot, spare: Bytes) -> Check {
    let swap = all_free(spec, snapshot).saturating_sub(spec.guard.swap);
    // What is compressed into memory leaves less of that for the rest.
    let room = spare.saturating_add(swap).saturating_sub(in_zram(spec, zram_room(spec, snapshot)));
    if spec.total() <= room {
        return Check::new(
            "whole",
            CheckVerdict::Warn,
            "without a cage the whole machine is put under pressure: everything on it may become slow",
        );
    }
    refusal(
        "memory",
        format!(
            "its processes take {}, and memory and swap hold {} of that: the machine would run out of memory",
            size(spec.total()),
            size(room)
        ),
    )
}

/// What goes to swap has to fit there; a load that grows on purpose is ended in time.
fn check_swap_space(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let limit = spec.limit?;
    if check_areas(spec, snapshot).is_some() {
        // That there is none at all is told, and refused.
        return None;
    }
    let swapped = spec.total().saturating_sub(limit);
    let all = all_free(spec, snapshot);
    let free = all.saturating_sub(spec.guard.swap);
    (swapped > free).then(|| {
        Check::new(
            "room",
            CheckVerdict::Warn,
            format!(
                "its processes take {}, {} more than the cage holds, and {} of swap are free, of which {} are to stay: it is ended when that is nearly full",
                size(spec.total()),
                size(swapped),
                size(all),
                size(spec.guard.swap)
            ),
        )
    })
}

/// Where the kernel does not tell of waits, one of the guard is missing.
fn check_pressure(snapshot: &Snapshot) -> Option<Check> {
    let why = snapshot.psi.reading.missing()?.why();
    let text =
        format!("pressure cannot be seen ({why}): it ends nothing, and the other limits stay");
    Some(Check::new("pressure", CheckVerdict::Warn, text))
}

/// Areas that take pages before those that are made for the run do.
fn check_other_areas(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    spec.devices.first()?;
    let active = snapshot.swaps.reading.known()?;
    let names: Vec<String> = active.iter().map(|area| area.path.safe()).collect();
    (!names.is_empty()).then(|| {
        Check::new(
            "others",
            CheckVerdict::Warn,
            format!(
                "other areas are active too and may take pages of the load: {}; the figures are then also theirs",
                names.join(", ")
            ),
        )
    })
}

fn all_free(spec: &RunSpec, snapshot: &Snapshot) -> Bytes {
    let made: Bytes = spec.devices.iter().map(|device| device.size).sum();
    free_swap(snapshot).unwrap_or(Bytes(0)).saturating_add(made)
}

/// The memory that zram may take for what is swapped there.
fn compressed(spec: &RunSpec, snapshot: &Snapshot) -> Bytes {
    let kept = spec.limit.unwrap_or(spec.whole);
    in_zram(spec, spec.total().saturating_sub(kept).min(zram_room(spec, snapshot)))
}

/// The memory that so much of the load takes in zram, at most.
fn in_zram(spec: &RunSpec, swapped: Bytes) -> Bytes {
    let worst = spec.workload.works.iter().map(|work| compressed_share(&work.contents)).fold(0.0, f64::max);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of it")]
    Bytes((swapped.0 as f64 * worst) as u64)
}

/// How much of zram devices is free, with those that are made for the run.
fn zram_room(spec: &RunSpec, snapshot: &Snapshot) -> Bytes {
    let active = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let is_zram = |path: &Name| device_number(path).is_some();
    let free = active
        .iter()
        .filter(|area| is_zram(&area.path))
        .filter_map(|area| Some(area.size.saturating_sub(*area.used.known()?)));
    let made = spec.devices.iter().filter(|device| device.kind == TemporaryAreaKind::Zram);
    free.chain(made.map(|device| device.size)).sum()
}

/// How much of it is left of contents when they are compressed, at most.
fn compressed_share(contents: &PageContents) -> f64 {
    match contents {
        PageContents::Zero | PageContents::Same => 0.01,
        PageContents::Ratio(ratio) if *ratio > 1.35 => 1.1 / ratio,
        // What hardly compresses is kept whole, and what is not known may not compress at all.
        PageContents::Ratio(_) | PageContents::Words | PageContents::Random | PageContents::File(_) => 1.0,
    }
}

/// What is not there of what works are bound to. What cannot be read refuses nothing.
fn check_bindings(spec: &RunSpec, snapshot: &Snapshot) -> Vec<Check> {
    let (processors, nodes) = (processors(snapshot), nodes(snapshot));
    let works = &spec.workload.works;
    let refused = |key, number, why: Option<String>| {
        why.map(|why| refusal(key, spec.places.problem_of_work(number, key, &why).to_string()))
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
    Some(format!("there is no processor {cpu}; this machine has processors {there}"))
}

fn no_node(work: &WorkerGroup, there: &[u32]) -> Option<String> {
    let node = work.node.filter(|node| !there.contains(node))?;
    let there: Vec<String> = there.iter().map(u32::to_string).collect();
    let nodes = if there.len() == 1 { "node" } else { "nodes" };
    Some(format!("there is no node {node}; this machine has {nodes} {}", there.join(", ")))
}

/// The processors that are online, as the nodes list theirs.
fn processors(snapshot: &Snapshot) -> Option<String> {
    let nodes = snapshot.numa.reading.known()?;
    let lists: Option<Vec<&str>> =
        nodes.iter().map(|node| node.cpus.known().map(String::as_str)).collect();
    // A node of memory alone lists none.
    let lists: Vec<&str> = lists?.into_iter().filter(|list| !list.is_empty()).collect();
    Some(lists.join(","))
}

fn nodes(snapshot: &Snapshot) -> Option<Vec<u32>> {
    let nodes = snapshot.numa.reading.known()?;
    Some(nodes.iter().map(|node| node.id).collect())
}

/// What no page can be filled from. A captured tree does not have the files of its machine.
pub fn check_contents(spec: &RunSpec, root: &Root) -> Vec<Check> {
    let mut all = Vec::new();
    if !root.is_live() {
        return all;
    }
    for (work, number) in spec.workload.works.iter().zip(1..) {
        let Err(why) = check_usable(&work.contents, root) else { continue };
        let check =
            refusal("pages", spec.places.problem_of_work(number, "contents", &why).to_string());
        // What is typed is said of all works at once.
        if !all.contains(&check) {
            all.push(check);
        }
    }
    all
}

/// The guard that the machine meets already. What cannot be read refuses nothing.
fn check_guard(spec: &RunSpec, snapshot: &Snapshot) -> Vec<Check> {
    [check_min_available(spec, snapshot), check_min_swap(spec, snapshot)].into_iter().flatten().collect()
}

fn check_min_available(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let available = *snapshot.memory("MemAvailable").known()?;
    let least = spec.guard.available;
    (least >= available).then(|| {
        let (least, available) = (size(least), size(available));
        refusal(
            "guard",
            format!(
                "--min-available {least}: {available} of memory are available, and the run would be ended at once: use less than {available}"
            ),
        )
    })
}

fn check_min_swap(spec: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let least = spec.guard.swap;
    let free = all_free(spec, snapshot).saturating_sub(header_pages(spec, snapshot));
    (least > Bytes(0) && least >= free).then(|| {
        let made = if spec.devices.is_empty() { "" } else { ", with what is made for the run" };
        let (least, free) = (size(least), size(free));
        refusal(
            "guard",
            format!(
                "--min-swap {least}: {free} of swap are free{made}, and the run would be ended at once: use less than {free}, or make more swap for it"
            ),
        )
    })
}

/// What of the areas that are made holds no pages.
fn header_pages(spec: &RunSpec, snapshot: &Snapshot) -> Bytes {
    let page = snapshot.page_size.known().copied().unwrap_or(0);
    Bytes(page.saturating_mul(spec.devices.len() as u64))
}

#[cfg(test)]
mod tests;
