//! Measurements of a run from the kernel: changes of counters, and usage over time.

use crate::derive::compression;
use crate::derive::selection::policy::{self, Defaults};
use crate::model::knob::KNOBS;
use crate::model::load::{FolioAdvice, Workload};
use crate::model::paging::{BracketedChoice, Counters, MthpSize, Stall, Thp};
use crate::model::run::{
    AreaOverTime, FolioRun, FoliosOverTime, OwnFigures, RepetitionResult, RunArea, RunMachine,
    Stalls, UsedOverTime, ZramRun, ZswapRun,
};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Name, PartSet, Reading, Snapshot, part_set, zram};
use crate::probes::psi;
use crate::root::Root;
use crate::sys::WorkloadCgroup;
use std::collections::BTreeMap;

/// The parts sampled before and after a run.
pub const FULL_SAMPLE: PartSet =
    part_set![Kernel, Swaps, Block, Meminfo, Vmstat, Psi, Zram, Thp, Knobs];

/// The parts sampled during a run.
const RUN_SAMPLE: PartSet = part_set![Swaps, Meminfo, Vmstat, Psi, Zram];

/// The parts sampled during a run of this workload. Statistics of large folios are spread over a
/// hundred files and more, so they are read only where large folios are possible.
pub fn parts_during_run(before: &Snapshot, load: &Workload) -> PartSet {
    let asks = load.works.iter().any(|work| work.advice == FolioAdvice::Large);
    let folios = can_use_large_folios(&before.thp.reading, asks);
    if folios { RUN_SAMPLE.with(part_set![Thp]) } else { RUN_SAMPLE }
}

/// Prefixes of the vmstat counters about swapping. The others are gauges, or about something else.
const COUNTERS: [&str; 16] = [
    "allocstall_",
    "pgfault",
    "pgmajfault",
    "pgscan_",
    "pgsteal_",
    "pswpin",
    "pswpout",
    "swap_ra",
    "swpin_zero",
    "swpout_zero",
    "thp_fault_",
    "thp_split_",
    "thp_swpout",
    "workingset_activate_",
    "workingset_refault_",
    "zswp",
];

/// The most samples that are kept; more are thinned out.
const MAX_SAMPLES: usize = 1200;

/// Collects measurements during a run.
#[derive(Debug)]
pub struct RunMeter {
    before: Snapshot,
    used: UsedOverTime,
    /// Every n-th sample is kept.
    every: usize,
    seen: usize,
    zram: Vec<ZramRun>,
    zswap: Option<ZswapRun>,
}

impl RunMeter {
    /// Starts with this sample.
    pub fn begin(before: Snapshot) -> Self {
        let used = UsedOverTime::default();
        let mut meter = Self { before, used, every: 1, seen: 0, zram: Vec::new(), zswap: None };
        let first = meter.before.clone();
        meter.observe(&first, None);
        meter
    }

    /// Adds a sample, with the memory of the cgroup.
    pub fn observe(&mut self, now: &Snapshot, memory: Option<Bytes>) {
        self.record_peak(now);
        self.seen += 1;
        if (self.seen - 1).is_multiple_of(self.every) {
            self.record(now, memory);
        }
    }

    /// Skips the next sample if it would be thinned out. Returns whether it is skipped.
    pub fn skip(&mut self) -> bool {
        let is_skipped = !self.seen.is_multiple_of(self.every);
        self.seen += usize::from(is_skipped);
        is_skipped
    }

    fn record(&mut self, now: &Snapshot, memory: Option<Bytes>) {
        if self.used.at.len() >= MAX_SAMPLES {
            self.thin_out();
        }
        let before = self.used.at.len();
        self.used.at.push(now.stamp.seconds_since(self.before.stamp));
        self.used.memory.push(memory);
        let areas = now.areas();
        for area in areas {
            if !self.used.areas.iter().any(|known| known.path == area.path) {
                let (path, used) = (area.path.clone(), vec![None; before]);
                self.used.areas.push(AreaOverTime { path, used });
            }
        }
        for known in &mut self.used.areas {
            let area = areas.iter().find(|area| area.path == known.path);
            known.used.push(area.and_then(|area| area.used.known().copied()));
        }
        let folios = folio_deltas((&self.before, now));
        record_folios(&mut self.used.folios, before, &folios);
    }

    /// Drops every other sample.
    fn thin_out(&mut self) {
        self.every *= 2;
        halve(&mut self.used.at);
        halve(&mut self.used.memory);
        for area in &mut self.used.areas {
            halve(&mut area.used);
        }
        thin_out_folios(&mut self.used.folios);
    }

    /// Records zram devices and zswap where they are fuller than before.
    fn record_peak(&mut self, now: &Snapshot) {
        self.zswap = self.zswap.into_iter().chain(zswap_run(now)).max_by_key(|held| held.blocked);
        let devices = now.zram.reading.known_items().iter();
        for held in devices.filter_map(|device| zram_run(device, &now.page_size)) {
            match self.zram.iter_mut().find(|known| known.path == held.path) {
                Some(known) if known.stored < held.stored => *known = held,
                Some(_) => {}
                None => self.zram.push(held),
            }
        }
    }

    /// Ends the measurement with a last sample.
    pub fn end(mut self, after: &Snapshot) -> RepetitionResult {
        self.observe(after, None);
        let both = (&self.before, after);
        let over_time = std::mem::take(&mut self.used.folios);
        let over_time = over_time.into_iter().filter(was_attempted).collect();
        RepetitionResult {
            counters: counter_deltas(both),
            folios: folio_deltas(both),
            stall: stalls(both),
            used: UsedOverTime { folios: over_time, ..self.used },
            zswap: self.zswap,
            zram: self.zram.into_iter().filter(|held| held.stored > Bytes(0)).collect(),
            ..RepetitionResult::failed(String::new())
        }
    }
}

/// Adds what each area held when all together were fullest, which can be between two samples. `seconds` count from
/// the first sample.
pub fn add_peak(used: &mut UsedOverTime, seconds: f64, areas: &BTreeMap<Name, Bytes>) {
    let place = used.at.partition_point(|at| *at < seconds);
    used.at.insert(place, seconds);
    used.memory.insert(place, None);
    for over_time in &mut used.areas {
        over_time.used.insert(place, areas.get(&over_time.path).copied());
    }
    // Folios are counted from the start: their counts have no peak.
    for counts in used.folios.iter_mut().flat_map(|it| [&mut it.whole, &mut it.split]) {
        let last = place.checked_sub(1).and_then(|last| *counts.get(last)?);
        counts.insert(place, last);
    }
}

fn halve<T>(values: &mut Vec<T>) {
    let mut place = 0;
    values.retain(|_| {
        place += 1;
        place % 2 == 1
    });
}

fn zram_run(device: &ZramDevice, page_size: &Reading<u64>) -> Option<ZramRun> {
    let mm = device.mm.known()?;
    let stored = *compression::zram(device, page_size).data.known()?;
    let path = Name::from(format!("/dev/{}", device.name).as_str());
    Some(ZramRun { path, stored, compressed: mm.compr_data, memory: mm.mem_used })
}

/// The data in zswap; none if the kernel does not report it.
fn zswap_run(now: &Snapshot) -> Option<ZswapRun> {
    let memory = |name| now.memory(name).known().copied();
    let (pool, blocked) = (memory("Zswap")?, memory("Zswapped")?);
    Some(ZswapRun { pool, blocked })
}

/// Increases of the counters, without those that are missing or decreased.
fn counter_deltas((before, after): (&Snapshot, &Snapshot)) -> BTreeMap<String, u64> {
    let (Some(before), Some(after)) = (before.vmstat.reading.known(), after.vmstat.reading.known())
    else {
        return BTreeMap::new();
    };
    let tells = |name: &str| COUNTERS.iter().any(|prefix| name.starts_with(prefix));
    after
        .iter()
        .filter(|(name, _)| tells(name))
        .filter_map(|it| counter_delta(before, it))
        .collect()
}

fn counter_delta(before: &Counters, (name, now): (&str, u64)) -> Option<(String, u64)> {
    let was = *before.get(name).known()?;
    now.checked_sub(was).map(|more| (name.to_owned(), more))
}

/// Counters that tell the swapping of a cgroup from that of the machine. Version 1 has only the refaults, which are
/// pages that came back from swap; version 2 has pages swapped too, all of them on newer kernels.
const OWN_COUNTERS: [&str; 8] = [
    "pswpin",
    "pswpout",
    "swpin_zero",
    "swpout_zero",
    "workingset_refault_anon",
    "zswpin",
    "zswpout",
    "zswpwb",
];

/// The figures of the cgroup of a run, since it was made.
pub fn own_figures(root: &Root, cgroup: &WorkloadCgroup) -> OwnFigures {
    let count = |name: &str| Some((name.to_owned(), cgroup.stat(name)?));
    let pressure = psi::pressure(root, cgroup.file("memory.pressure"));
    let seconds = |stall: &Reading<Stall>| Some(stall.known()?.total_us as f64 / 1e6);
    let stall = pressure.known().and_then(|pressure| {
        Some(Stalls { some: seconds(&pressure.some)?, full: seconds(&pressure.full)? })
    });
    OwnFigures { counters: OWN_COUNTERS.into_iter().filter_map(count).collect(), stall }
}

fn stalls((before, after): (&Snapshot, &Snapshot)) -> Option<Stalls> {
    let memory = |snapshot: &Snapshot| {
        snapshot.psi.reading.known()?.get("memory").and_then(Reading::known).cloned()
    };
    let (before, after) = (memory(before)?, memory(after)?);
    let between = |before: &Reading<Stall>, after: &Reading<Stall>| {
        let more = after.known()?.total_us.checked_sub(before.known()?.total_us)?;
        Some(more as f64 / 1e6)
    };
    let some = between(&before.some, &after.some)?;
    Some(Stalls { some, full: between(&before.full, &after.full)? })
}

/// Describes the machine before a run. `ours` are the temporary areas.
pub fn machine(snapshot: &Snapshot, ours: &[Name]) -> RunMachine {
    let kernel = snapshot.kernel.reading.known();
    let release = kernel.and_then(|kernel| kernel.release.known().cloned());
    let cpus = kernel.and_then(|kernel| kernel.cpus.known().copied());
    let policy = policy::defaults(snapshot).known().map(|defaults| match defaults {
        Defaults::ByNode => "per NUMA node",
        Defaults::Alike => "round robin",
    });
    let areas = snapshot.areas();
    let area = |(place, area): (usize, &SwapArea)| RunArea {
        path: area.path.clone(),
        kind: kind(snapshot, place, area),
        size: area.size,
        priority: area.priority,
        algorithm: algorithm(snapshot, &area.path),
        ours: ours.contains(&area.path),
    };
    RunMachine {
        kernel: release,
        policy: policy.map(str::to_owned),
        memory: snapshot.memory("MemTotal").known().copied(),
        cpus,
        page_size: snapshot.page_size.known().copied(),
        areas: areas.iter().enumerate().map(area).collect(),
    }
}

fn kind(snapshot: &Snapshot, place: usize, area: &SwapArea) -> Option<String> {
    if area.kind == AreaKind::File {
        return Some("file".to_owned());
    }
    let device = snapshot.block.reading.known()?.get(place)?.known()?;
    Some(device.word().to_owned())
}

fn algorithm(snapshot: &Snapshot, path: &Name) -> Option<String> {
    let name = format!("zram{}", zram::device_number(path)?);
    let device = snapshot.zram.reading.known()?.iter().find(|device| device.name == name)?;
    device.algorithm.known().map(|choice| choice.current.clone())
}

/// The settings and the modes of large folios, by name; unreadable ones are left out.
pub fn settings(snapshot: &Snapshot) -> BTreeMap<String, String> {
    let knobs = snapshot.knobs.reading.known_items();
    let known = knobs.iter().zip(KNOBS).filter_map(|(reading, knob)| {
        let text = reading.value.known()?;
        Some((knob.id.to_owned(), knob.kind.current_value(text)))
    });
    let sizes = snapshot.thp.reading.known().and_then(|thp| thp.sizes.known().cloned());
    let sizes = sizes.unwrap_or_default().into_iter().filter_map(|size| {
        let enabled = size.enabled.known()?.current.clone();
        Some((format!("thp.{}kB.enabled", size.size.0 / 1024), enabled))
    });
    known.chain(sizes).collect()
}

/// Increases of the statistics of each folio size; none if they are missing.
fn folio_deltas((before, after): (&Snapshot, &Snapshot)) -> Vec<FolioRun> {
    let (Some(before), Some(after)) = (folio_sizes(before), folio_sizes(after)) else {
        return Vec::new();
    };
    let moved = |now: &MthpSize| {
        let was = before.iter().find(|was| was.size == now.size)?.stats.known()?;
        let stats = now.stats.known()?.iter().filter(|(name, _)| !name.starts_with("nr_"));
        let stats = stats.filter_map(|it| counter_delta(was, it)).collect();
        Some(FolioRun { size: now.size, stats })
    };
    after.iter().filter_map(moved).collect()
}

/// Whether memory can come in large folios here, either for any process or for one that asks for
/// them with madvise. Sizes that do not report their mode count as impossible; a size that inherits
/// an unreadable mode counts as possible.
fn can_use_large_folios(thp: &Reading<Thp>, asks: bool) -> bool {
    let Some((thp, sizes)) = thp.known().and_then(|thp| Some((thp, thp.sizes.known()?))) else {
        return false;
    };
    let may = |own: &Reading<BracketedChoice>, all: &Reading<BracketedChoice>| {
        let word =
            |choice: &Reading<BracketedChoice>| choice.known().map(|choice| choice.current.clone());
        let Some(own) = word(own) else { return false };
        let word = if own == "inherit" { word(all) } else { Some(own) };
        match word.as_deref() {
            Some("never" | "deny") => false,
            Some("madvise" | "advise") => asks,
            _ => true,
        }
    };
    sizes.iter().any(|size| {
        may(&size.enabled, &thp.enabled) || may(&size.shmem_enabled, &thp.shmem_enabled)
    })
}

fn folio_sizes(snapshot: &Snapshot) -> Option<&[MthpSize]> {
    snapshot.thp.reading.known()?.sizes.known().map(Vec::as_slice)
}

/// Adds a sample to the `before` earlier ones.
fn record_folios(kept: &mut Vec<FoliosOverTime>, before: usize, now: &[FolioRun]) {
    for folios in now {
        if !kept.iter().any(|known| known.size == folios.size) {
            let none = || vec![None; before];
            kept.push(FoliosOverTime { size: folios.size, whole: none(), split: none() });
        }
    }
    for known in kept {
        let folios = now.iter().find(|folios| folios.size == known.size);
        let tried = folios.and_then(FolioRun::whole_and_split);
        known.whole.push(tried.map(|(whole, _)| whole));
        known.split.push(tried.map(|(_, split)| split));
    }
}

/// Drops every other sample.
fn thin_out_folios(kept: &mut [FoliosOverTime]) {
    for folios in kept {
        halve(&mut folios.whole);
        halve(&mut folios.split);
    }
}

/// Whether a folio of this size was ever to be swapped out.
fn was_attempted(folios: &FoliosOverTime) -> bool {
    folios.whole.iter().chain(&folios.split).flatten().any(|count| *count > 0)
}

#[cfg(test)]
mod tests;
