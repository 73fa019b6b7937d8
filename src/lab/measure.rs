//! What the kernel tells of a run: how its counters moved, and what was used meanwhile.

mod folios;

use crate::derive::defaults::{self, Defaults};
use crate::model::knob::KNOBS;
use crate::model::load::{Advice, Workload};
use crate::model::paging::{Counters, Stall};
use crate::model::run::{
    Area, AreaOverTime, FolioRun, Machine, Stalls, UsedOverTime, ZramRun, ZswapRun,
};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Name, Part, PartSet, Reading, Snapshot, zram};
use std::collections::BTreeMap;

/// What is looked at before and after a run.
pub const FRAME: [Part; 9] = [
    Part::Kernel,
    Part::Swaps,
    Part::Block,
    Part::Meminfo,
    Part::Vmstat,
    Part::Psi,
    Part::Zram,
    Part::Thp,
    Part::Knobs,
];

/// What is looked at while it goes on.
const GLANCE: PartSet =
    PartSet::of(&[Part::Swaps, Part::Meminfo, Part::Vmstat, Part::Psi, Part::Zram]);

/// What is looked at while a load goes on that was begun on this machine. Statistics of large folios
/// are in a hundred files and more: they are read only where there can be such folios.
pub fn glance(before: &Snapshot, load: &Workload) -> PartSet {
    let asks = load.works.iter().any(|work| work.advice == Advice::Large);
    let folios = folios::may_come(&before.thp.reading, asks);
    if folios { GLANCE.with(PartSet::of(&[Part::Thp])) } else { GLANCE }
}

/// Counters of vmstat that tell of swapping, by what they begin with; the others there are gauges,
/// or tell of something else.
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

/// More moments than these are thinned out.
const MOMENTS: usize = 1200;

/// Looks on while a run goes on.
#[derive(Debug)]
pub struct Meter {
    before: Snapshot,
    used: UsedOverTime,
    /// One moment in so many is kept.
    every: usize,
    seen: usize,
    zram: Vec<ZramRun>,
    zswap: Option<ZswapRun>,
}

/// What it has seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// How counters moved.
    pub counters: BTreeMap<String, u64>,
    /// How the statistics of large folios moved.
    pub folios: Vec<FolioRun>,
    /// What was used over time.
    pub used: UsedOverTime,
    /// zram devices at their fullest.
    pub zram: Vec<ZramRun>,
    /// zswap at its fullest; none where the kernel does not tell.
    pub zswap: Option<ZswapRun>,
    /// Waiting for memory.
    pub stall: Option<Stalls>,
}

impl Meter {
    /// From this moment on.
    pub fn begin(before: Snapshot) -> Self {
        let used = UsedOverTime::default();
        let mut meter = Self { before, used, every: 1, seen: 0, zram: Vec::new(), zswap: None };
        let first = meter.before.clone();
        meter.see(&first, None);
        meter
    }

    /// Another moment, with the memory that the cage takes.
    pub fn see(&mut self, now: &Snapshot, memory: Option<Bytes>) {
        self.fullest(now);
        self.seen += 1;
        if (self.seen - 1).is_multiple_of(self.every) {
            self.keep(now, memory);
        }
    }

    fn keep(&mut self, now: &Snapshot, memory: Option<Bytes>) {
        if self.used.at.len() >= MOMENTS {
            self.thin_out();
        }
        let before = self.used.at.len();
        self.used.at.push(now.stamp.seconds_since(self.before.stamp));
        self.used.memory.push(memory);
        let areas = now.swaps.reading.known().map_or(&[][..], Vec::as_slice);
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
        let folios = folios::moved((&self.before, now));
        folios::keep(&mut self.used.folios, before, &folios);
    }

    /// Keep every other moment.
    fn thin_out(&mut self) {
        self.every *= 2;
        halve(&mut self.used.at);
        halve(&mut self.used.memory);
        for area in &mut self.used.areas {
            halve(&mut area.used);
        }
        folios::thin_out(&mut self.used.folios);
    }

    /// Keep what zram devices and zswap hold where it is the most so far.
    fn fullest(&mut self, now: &Snapshot) {
        self.zswap = self.zswap.into_iter().chain(pool(now)).max_by_key(|held| held.blocked);
        let devices = now.zram.reading.known().map_or(&[][..], Vec::as_slice);
        for held in devices.iter().filter_map(held) {
            match self.zram.iter_mut().find(|known| known.path == held.path) {
                Some(known) if known.stored < held.stored => *known = held,
                Some(_) => {}
                None => self.zram.push(held),
            }
        }
    }

    /// All that was seen until now.
    pub fn end(mut self, after: &Snapshot) -> Figures {
        self.see(after, None);
        let both = (&self.before, after);
        let over_time = std::mem::take(&mut self.used.folios);
        let over_time = over_time.into_iter().filter(folios::was_tried).collect();
        Figures {
            counters: moved(both),
            folios: folios::moved(both),
            stall: stalls(both),
            used: UsedOverTime { folios: over_time, ..self.used },
            zswap: self.zswap,
            zram: self.zram.into_iter().filter(|held| held.stored > Bytes(0)).collect(),
        }
    }
}

fn halve<T>(values: &mut Vec<T>) {
    let mut place = 0;
    values.retain(|_| {
        place += 1;
        place % 2 == 1
    });
}

fn held(device: &ZramDevice) -> Option<ZramRun> {
    let mm = device.mm.known()?;
    let path = Name::from(format!("/dev/{}", device.name).as_str());
    Some(ZramRun { path, stored: mm.orig_data, compressed: mm.compr_data, memory: mm.mem_used })
}

/// What zswap holds; none where the kernel does not tell.
fn pool(now: &Snapshot) -> Option<ZswapRun> {
    let memory = |name| now.memory(name).known().copied();
    let (pool, blocked) = (memory("Zswap")?, memory("Zswapped")?);
    Some(ZswapRun { pool, blocked })
}

/// How counters moved; one that went back, or is not there, did not.
fn moved((before, after): (&Snapshot, &Snapshot)) -> BTreeMap<String, u64> {
    let (Some(before), Some(after)) = (before.vmstat.reading.known(), after.vmstat.reading.known())
    else {
        return BTreeMap::new();
    };
    let tells = |name: &str| COUNTERS.iter().any(|prefix| name.starts_with(prefix));
    after.iter().filter(|(name, _)| tells(name)).filter_map(|it| risen(before, it)).collect()
}

fn risen(before: &Counters, (name, now): (&str, u64)) -> Option<(String, u64)> {
    let was = *before.get(name).known()?;
    now.checked_sub(was).map(|more| (name.to_owned(), more))
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

/// The machine as a run finds it; some areas were made for the run.
pub fn machine(snapshot: &Snapshot, ours: &[Name]) -> Machine {
    let kernel = snapshot.kernel.reading.known();
    let release = kernel.and_then(|kernel| kernel.release.known().cloned());
    let cpus = kernel.and_then(|kernel| kernel.cpus.known().copied());
    let policy = defaults::of(snapshot).known().map(|defaults| match defaults {
        Defaults::ByNode => "per NUMA node",
        Defaults::Alike => "round robin",
    });
    let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let area = |(place, area): (usize, &SwapArea)| Area {
        path: area.path.clone(),
        kind: kind(snapshot, place, area),
        size: area.size,
        priority: area.priority,
        algorithm: algorithm(snapshot, &area.path),
        ours: ours.contains(&area.path),
    };
    Machine {
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
    let name = format!("zram{}", zram::number_of(path)?);
    let device = snapshot.zram.reading.known()?.iter().find(|device| device.name == name)?;
    device.algorithm.known().map(|choice| choice.current.clone())
}

/// What knobs say, and the sizes of large folios, by their names; those that cannot be read are
/// left out.
pub fn settings(snapshot: &Snapshot) -> BTreeMap<String, String> {
    let knobs = snapshot.knobs.reading.known().map_or(&[][..], Vec::as_slice);
    let known = knobs.iter().zip(KNOBS).filter_map(|(reading, knob)| {
        let text = reading.value.known()?;
        Some((knob.id.to_owned(), knob.kind.setting(text)))
    });
    let sizes = snapshot.thp.reading.known().and_then(|thp| thp.sizes.known().cloned());
    let sizes = sizes.unwrap_or_default().into_iter().filter_map(|size| {
        let enabled = size.enabled.known()?.current.clone();
        Some((format!("thp.{}kB.enabled", size.size.0 / 1024), enabled))
    });
    known.chain(sizes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::model::swaparea::testing::area;
    use crate::model::zram::{self, MmStat};
    use crate::model::{Pages, Sampled, Stamp};
    use crate::root::Trace;
    use crate::root::testing::Tree;
    use std::sync::Arc;

    fn at(seconds: u64) -> Stamp {
        Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: 0 }
    }

    /// A moment in which these are on, with so much used.
    fn moment(seconds: u64, areas: &[(&str, u64)]) -> Snapshot {
        let areas = areas.iter().map(|(path, used)| area(path, 1, 100, *used)).collect();
        let swaps = Sampled::new(Some(at(seconds)), Reading::Known(areas));
        Snapshot { swaps, ..Snapshot::empty(at(seconds)) }
    }

    fn used(meter: &Meter, place: usize) -> Vec<Option<u64>> {
        meter.used.areas[place].used.iter().map(|used| used.map(|used| used.0)).collect()
    }

    #[test]
    fn areas_that_come_and_go_have_gaps() {
        let mut meter = Meter::begin(moment(10, &[("a", 1)]));
        meter.see(&moment(11, &[("a", 2), ("b", 7)]), Some(Bytes(5)));
        meter.see(&moment(13, &[("b", 8)]), None);
        assert_eq!(meter.used.at, [0.0, 1.0, 3.0]);
        assert_eq!(used(&meter, 0), [Some(1), Some(2), None]);
        assert_eq!(used(&meter, 1), [None, Some(7), Some(8)]);
        assert_eq!(meter.used.memory, [None, Some(Bytes(5)), None]);
    }

    #[test]
    fn a_long_run_keeps_a_bounded_number_of_moments_evenly() {
        let mut meter = Meter::begin(moment(0, &[("a", 0)]));
        for second in 1..=5000 {
            meter.see(&moment(second, &[("a", second)]), None);
        }
        let steps: Vec<f64> = meter.used.at.windows(2).map(|two| two[1] - two[0]).collect();
        assert!(meter.used.at.len() <= MOMENTS && meter.used.at.len() > MOMENTS / 2 - 2);
        assert!(steps.iter().all(|step| (step - steps[0]).abs() < 1e-9), "{steps:?}");
        assert_eq!(used(&meter, 0).len(), meter.used.at.len());
    }

    /// That is why it may be done often: neither pressure nor zram is asked for.
    #[test]
    fn a_look_at_the_areas_alone_reads_few_files() {
        let head = "Filename\tType\tSize\tUsed\tPriority\n".to_owned();
        let files = [
            "proc/swaps",
            "proc/meminfo",
            "proc/vmstat",
            "proc/pressure/memory",
            "sys/block/zram0/mm_stat",
        ];
        let tree = Tree::with(&files.map(|path| (path, head.clone())));
        let trace = Arc::new(Trace::default());
        let root = tree.root().traced(Arc::clone(&trace));
        let _ = crate::probes::sample(&root, &Clock::Real, PartSet::of(&[Part::Swaps]));
        let read: Vec<String> =
            trace.take().into_keys().map(|path| path.display().to_string()).collect();
        assert_eq!(read, ["proc/meminfo", "proc/swaps", "proc/vmstat"]);
    }

    #[test]
    fn counters_that_went_back_or_are_no_counters_are_left_out() {
        let vmstat = |values: [u64; 3]| {
            let names = ["pswpout", "nr_zspages", "pgmajfault"].map(Box::from);
            let counters = Counters::new("vmstat", names.into_iter().zip(values).collect());
            let vmstat = Sampled::new(Some(at(0)), Reading::Known(counters));
            Snapshot { vmstat, ..Snapshot::empty(at(0)) }
        };
        let moved = moved((&vmstat([5, 1, 9]), &vmstat([12, 4, 3])));
        assert_eq!(moved, [("pswpout".to_owned(), 7)].into());
    }

    #[test]
    fn zswap_is_kept_where_it_held_the_most_and_nothing_is_a_number() {
        let moment = |pool: u64, blocked: u64| {
            let tree = Tree::with(&[(
                "proc/meminfo",
                format!("Zswap: {pool} kB\nZswapped: {blocked} kB\n"),
            )]);
            crate::probes::sample(&tree.root(), &Clock::Real, PartSet::of(&[Part::Meminfo]))
        };
        let fullest = |moments: &[(u64, u64)]| {
            let mut meter = Meter::begin(moment(0, 0));
            for (pool, blocked) in moments {
                meter.see(&moment(*pool, *blocked), None);
            }
            meter.end(&moment(1, 2)).zswap
        };
        let kib = |pool: u64, blocked: u64| ZswapRun {
            pool: Bytes(pool << 10),
            blocked: Bytes(blocked << 10),
        };
        assert_eq!(fullest(&[(4, 9), (20, 60), (25, 50)]), Some(kib(20, 60)));
        assert_eq!(fullest(&[]), Some(kib(1, 2)), "at the end");
        let nothing = moment(0, 0);
        assert_eq!(Meter::begin(nothing.clone()).end(&nothing).zswap, Some(kib(0, 0)));
        let untold = self::moment(0, &[]);
        assert_eq!(Meter::begin(untold.clone()).end(&untold).zswap, None);
    }

    #[test]
    fn zram_is_kept_where_it_held_the_most() {
        let device = |stored, compressed| {
            let mm = MmStat {
                orig_data: Bytes(stored),
                compr_data: Bytes(compressed),
                mem_used: Bytes(compressed + 1),
                mem_limit: Bytes(0),
                mem_used_max: Bytes(0),
                same_pages: Pages(0),
                pages_compacted: Pages(0),
                huge_pages: Reading::not_sampled(),
                huge_pages_since: Reading::not_sampled(),
            };
            let devices = vec![zram::testing::device("zram3", mm)];
            let zram = Sampled::new(Some(at(0)), Reading::Known(devices));
            Snapshot { zram, ..Snapshot::empty(at(0)) }
        };
        let mut meter = Meter::begin(device(0, 0));
        meter.see(&device(90, 30), None);
        let figures = meter.end(&device(20, 19));
        let path = "/dev/zram3".into();
        let fullest = ZramRun { path, stored: Bytes(90), compressed: Bytes(30), memory: Bytes(31) };
        assert_eq!(figures.zram, [fullest]);
    }
}
