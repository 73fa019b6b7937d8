//! Used slots according to page tables and to zram, compared with the kernel's counters.

use crate::areas::{self, Area, Title};
use crate::hog::Hog;
use crate::in_lab;
use crate::lab::{self, Lab};
use crate::memory_limit::MemoryLimit;
use std::fs;
use swapadm::clock::Clock;
use swapadm::model::clusters::{ClusterMap, SlotSet};
use swapadm::model::kernel::RotationUnit;
use swapadm::model::{Missing, Part, PartSet, Reading, Snapshot};
use swapadm::probes::{self, clusters};
use swapadm::root::Root;

const MIB: u64 = 1 << 20;
/// Memory limit of the load, and its size.
const MEMORY: u64 = 64;
const LOAD: u64 = 208;
/// Higher than any other priority, so that the load goes to our areas only.
const PRIORITY: u16 = 32_000;
static TITLES: [Title; 2] = [
    Title { label: "swapadm-live-s0", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000005100de" },
    Title { label: "swapadm-live-s1", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000005101de" },
];

/// A load on two areas, dropped in this order.
pub(crate) struct Slots {
    pub(crate) hog: Hog,
    _cage: MemoryLimit,
    pub(crate) areas: [Area; 2],
}

impl Slots {
    pub(crate) fn build(lab: &Lab) -> Result<Self, String> {
        let zram = |title| areas::zram(lab, 128 * MIB, title, PRIORITY);
        let areas = [zram(&TITLES[0])?, zram(&TITLES[1])?];
        let cage = MemoryLimit::new(lab, MEMORY * MIB)?;
        let mut hog = Hog::new(&cage);
        hog.fill(LOAD);
        Ok(Self { hog, _cage: cage, areas })
    }
}

/// The indexes of our areas in a snapshot.
pub(crate) fn places(ours: &[Area], snapshot: &Snapshot) -> Vec<usize> {
    let active = snapshot.swaps.reading.known().expect("areas are active");
    let place = |ours: &Area| active.iter().position(|area| area.path.as_path() == ours.path);
    ours.iter().map(|area| place(area).expect("it is active")).collect()
}

fn look(parts: &[Part]) -> Snapshot {
    let parts = PartSet::from_parts(parts).with(PartSet::from_parts(&[Part::Swaps]));
    probes::sample(&Root::live(), &Clock::Real, parts)
}

/// A counter of such a file, in its own unit; zero if the kernel has none.
fn figure(file: &str, name: &str) -> u64 {
    let text = fs::read_to_string(file).expect("the kernel tells");
    let mut lines = text.lines().map(|line| line.split([' ', ':']).filter(|word| !word.is_empty()));
    let line = lines.find_map(|mut words| (words.next()? == name).then_some(words));
    line.and_then(|mut words| words.next()?.parse().ok()).unwrap_or(0)
}

/// Slots cached per CPU count as used, on kernels that allocate single slots.
fn kept_aside() -> u64 {
    let allocator = look(&[Part::Allocator]).allocator.reading;
    if allocator.known().is_some_and(|known| known.rotation_unit == RotationUnit::Cluster) {
        return 0;
    }
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    2 * 64 * count as u64
}

/// Slots in use on an area, by the kernel's own count.
fn used(snapshot: &Snapshot, place: usize) -> u64 {
    let areas = snapshot.swaps.reading.known().expect("areas are active");
    areas[place].used.known().expect("a number").0 / areas::page_size()
}

pub(crate) fn map_of(maps: &Reading<Vec<Reading<ClusterMap>>>, place: usize) -> &ClusterMap {
    let map = maps.get().and_then(|maps| maps.get(place).expect("of each area").get());
    map.unwrap_or_else(|missing| panic!("a map: {missing}"))
}

#[test]
fn page_tables_account_for_used_slots() {
    in_lab("page_tables_account_for_used_slots", |lab| {
        let slots = Slots::build(lab)?;
        let (snapshot, after) = (look(&[Part::MappedClusters]), look(&[]));
        for place in places(&slots.areas, &snapshot) {
            let map = map_of(&snapshot.mapped_clusters.reading, place);
            // More pages may be swapped out during the read.
            let used = used(&snapshot, place).max(used(&after, place));
            let mapped = map.used();
            assert!(used > 32 * MIB / areas::page_size(), "the load is on both: {used}");
            assert!(mapped <= used, "{mapped} slots are mapped, {used} in use");
            let explained = (mapped + kept_aside()) as f64 / used as f64;
            assert!(explained >= 0.95, "{mapped} of {used} slots are mapped");
            println!("{mapped} of {used} slots, {} us", map.cost_us);
        }
        // No page tables refer to them after the load has ended.
        let Slots { hog, areas, .. } = slots;
        drop(hog);
        let snapshot = look(&[Part::MappedClusters]);
        for place in places(&areas, &snapshot) {
            assert_eq!(map_of(&snapshot.mapped_clusters.reading, place).used(), 0);
        }
        Ok(())
    });
}

/// Whether zram statistics are read by another process, since they can hang.
pub(crate) fn reads_elsewhere() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").expect("a release");
    let major = release.split('.').next().and_then(|major| major.parse::<u32>().ok());
    major.expect("a number") >= 7
}

#[test]
fn page_tables_and_zram_agree_slot_by_slot() {
    in_lab("page_tables_and_zram_agree_slot_by_slot", |lab| {
        let zeros = || figure("/proc/vmstat", "swpout_zero");
        let before = zeros();
        let slots = Slots::build(lab)?;
        let snapshot = look(&[]);
        let root = Root::live();
        let active = snapshot.swaps.reading.known().expect("areas are active");
        let mapped = clusters::mapped::slots(&root, &Clock::Real, &snapshot);
        let mapped = mapped.expect("page tables are read");
        assert_eq!(mapped.partial, None);
        for place in places(&slots.areas, &snapshot) {
            let mapped = mapped.areas[place].known().expect("its type is known");
            let stored = match clusters::stored::slots(&root, &snapshot, &active[place]) {
                Ok(stored) => stored,
                Err(missing @ Missing::Absent(_)) => {
                    lab::remark(&format!("slots stored by zram: {missing}"));
                    return Ok(());
                }
                // From 7.0 on another process reads them, which must be this program and not a test.
                Err(missing) if reads_elsewhere() => {
                    lab::remark(&format!("slots stored by zram are read by a helper: {missing}"));
                    return Ok(());
                }
                Err(missing) => panic!("slots stored by zram: {missing}"),
            };
            // Pages in the swap cache may be written or not.
            let cached = figure("/proc/meminfo", "SwapCached") * 1024 / areas::page_size();
            let lone = |some: &SlotSet, others: &SlotSet| {
                some.iter().filter(|slot| !others.has(*slot)).count() as u64
            };
            let (only_mapped, only_stored) = (lone(mapped, &stored), lone(&stored, mapped));
            let zeros = zeros() - before;
            let told = format!(
                "{only_mapped} of {} mapped slots are not stored, {only_stored} of {} stored not \
                 mapped; {cached} pages are cached, {zeros} zeros",
                mapped.len(),
                stored.len()
            );
            println!("{told}");
            assert!(mapped.len() > 32 * MIB / areas::page_size(), "{told}");
            assert!(only_mapped <= cached + zeros && only_stored <= cached, "{told}");
        }
        Ok(())
    });
}
