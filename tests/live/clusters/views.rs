//! Compares, slot by slot, kernel memory, zram and page tables for an idle zram device: they agree except
//! for what each cannot see.

use super::is_shown;
use super::memory::Kernel;
use crate::areas::Area;
use crate::reference::quiet;
use crate::slots::{Slots, map_of, places, reads_elsewhere};
use crate::{in_lab, program};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use swapadm::clock::Clock;
use swapadm::model::clusters::{ClusterMap, SlotSet};
use swapadm::model::{Part, PartSet, Snapshot};
use swapadm::probes::{self, clusters};
use swapadm::root::Root;

/// Use of a slot by the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slot {
    is_taken: bool,
    /// Number of page tables that point to it.
    users: u64,
    is_cached: bool,
    is_zero: bool,
}

/// The usable slots of an area, by number.
type SlotList = Vec<Slot>;

#[test]
fn three_views_agree_on_slots_within_their_limits() {
    in_lab("three_views_agree_on_slots_within_their_limits", |lab| {
        let mut slots = Slots::build(lab)?;
        if !is_shown() {
            return Ok(());
        }
        // Zero pages, and a load that swaps them out.
        slots.hog.blank(24);
        slots.hog.fill(64);
        let kernel = Kernel::open()?;
        let there = || ActualSlots::read(&kernel, &slots.areas);
        let look = || Some(ReportedSlots::look(&slots.areas));
        let (there, seen) = quiet("slots of the kernel and of zram", there, look);
        for (own, place) in places(&slots.areas, &seen.snapshot).into_iter().enumerate() {
            agrees((&there.held[place], &there.stored[own]), &seen, (own, place));
        }
        Ok(())
    });
}

/// The slots in the kernel and in zram. A page can be written between the two reads, since others reclaim
/// and the load is at its limit: comparisons are made only between two equal reads.
#[derive(Debug, PartialEq)]
struct ActualSlots {
    /// Of each active area.
    held: Vec<SlotList>,
    /// Of each of our areas.
    stored: Vec<BTreeSet<u64>>,
}

impl ActualSlots {
    fn read(kernel: &Kernel, ours: &[Area]) -> Self {
        let held = kernel.areas().into_iter().map(|area| slots_in_memory(kernel, area)).collect();
        Self { held, stored: ours.iter().map(|area| stored(&area.path)).collect() }
    }
}

/// The views of swapadm.
struct ReportedSlots {
    snapshot: Snapshot,
    /// The view with page tables, which are read only if no better view was requested.
    tables: Snapshot,
    mapped: Vec<SlotSet>,
    /// The slots in zram of each of our areas; none where another process reads them.
    stored: Vec<Option<SlotSet>>,
}

impl ReportedSlots {
    fn look(ours: &[Area]) -> Self {
        let root = Root::live();
        let look =
            |view| probes::sample(&root, &Clock::Real, PartSet::from_parts(&[Part::Swaps, view]));
        let (snapshot, tables) = (look(Part::KernelClusters), look(Part::MappedClusters));
        let mapped = clusters::mapped::slots(&root, &Clock::Real, &snapshot);
        let mapped = mapped.expect("page tables are read").areas;
        let mapped = mapped.iter().map(|slots| slots.known().expect("the value is known").clone());
        let areas = snapshot.swaps.reading.known().expect("areas are active");
        let stored = |place: usize| {
            let slots = || clusters::stored::slots(&root, &snapshot, &areas[place]);
            (!reads_elsewhere()).then(|| slots().expect("zram tells"))
        };
        let stored = places(ours, &snapshot).into_iter().map(stored).collect();
        Self { mapped: mapped.collect(), stored, tables, snapshot }
    }
}

fn agrees(
    (held, stored): (&SlotList, &BTreeSet<u64>),
    seen: &ReportedSlots,
    (own, place): (usize, usize),
) {
    let those = |is_one: fn(&Slot) -> bool| -> BTreeSet<u64> {
        (0..).zip(held).filter(|(_, slot)| is_one(slot)).map(|(number, _)| number).collect()
    };
    let area = &seen.snapshot.swaps.reading.known().expect("areas are active")[place];
    let mapped: BTreeSet<u64> = seen.mapped[place].iter().collect();
    let (taken, cached) = (those(|slot| slot.is_taken), those(|slot| slot.is_cached));
    let zero = those(|slot| slot.is_zero);
    println!(
        "{}: {} taken, {} mapped, {} stored, {} cached, {} zeros",
        area.path.safe(),
        taken.len(),
        mapped.len(),
        stored.len(),
        cached.len(),
        zero.len()
    );
    assert!(taken.len() > 8192 && !mapped.is_empty() && !stored.is_empty());
    // Page tables miss pages in the swap cache only; there is no shared memory here.
    alike("page tables", &mapped, &those(|slot| slot.users > 0));
    // zram misses zero pages, and pages not written yet.
    let settled = |slots: &BTreeSet<u64>| slots.difference(&cached).copied().collect();
    let written = taken.difference(&zero).copied().collect();
    alike("zram", &settled(stored), &settled(&written));
    alike("zram has no more than is taken", stored, &(stored & &taken));
    by_cluster("kernel", map_of(&seen.snapshot.kernel_clusters.reading, place), &taken);
    by_cluster("tables", map_of(&seen.tables.mapped_clusters.reading, place), &mapped);
    by_program(area.path.as_path(), stored, map_of(&seen.tables.mapped_clusters.reading, place));
    if let Some(slots) = &seen.stored[own] {
        alike("what swapadm sees of zram", &slots.iter().collect(), stored);
    }
}

/// The program shows this many stored bytes, and in the first and last cluster exactly the slots stored
/// before and after. A page may be written meanwhile.
fn by_program(device: &Path, stored: &BTreeSet<u64>, map: &ClusterMap) {
    let bytes = |stored: &BTreeSet<u64>| stored.len() as u64 * crate::areas::page_size();
    let (shown, after) = (shown(device), bytes(&self::stored(device)));
    let range = bytes(stored).min(after)..=bytes(stored).max(after);
    assert!(range.contains(&shown), "{shown} bytes of zram, and not {range:?}");
    let (each, last) = (u64::from(map.cluster_slots), map.clusters.len() as u64 - 1);
    let step = usize::try_from(last / 6 + 1).expect("a number");
    for cluster in (0..last).step_by(step).chain([last]) {
        let range = cluster * each..(cluster + 1) * each;
        let found = shown_of(device, cluster);
        let of = |slots: &BTreeSet<u64>| slots.range(range.clone()).copied().collect();
        let (before, after): (BTreeSet<u64>, BTreeSet<u64>) =
            (of(stored), of(&self::stored(device)));
        let what = format!("cluster {cluster} of zram");
        alike(&what, &(&(&before & &after) - &found), &BTreeSet::new());
        alike(&what, &(&found - &(&before | &after)), &BTreeSet::new());
    }
}

/// The slots of a cluster that the program shows as stored.
fn shown_of(device: &Path, cluster: u64) -> BTreeSet<u64> {
    let (name, cluster) = (device.to_string_lossy(), cluster.to_string());
    let arguments =
        ["clusters", &name, "--view", "zram", "--cluster", &cluster, "--json", "-o", "slot,state"];
    let document = program::json(&mut program::command(&program::built(), &arguments));
    let rows = program::rows(&document, "cluster_slots");
    let used = rows.iter().filter(|row| row["state"] == "used");
    used.map(|row| row["slot"].as_u64().expect("a number")).collect()
}

fn alike(what: &str, one: &BTreeSet<u64>, other: &BTreeSet<u64>) {
    let apart: Vec<_> = one.symmetric_difference(other).take(20).collect();
    assert!(apart.is_empty(), "{what}: {} and {} slots; {apart:?}", one.len(), other.len());
}

/// Compares the count of each cluster; some slots of the first and the last one are unusable.
fn by_cluster(view: &str, map: &ClusterMap, slots: &BTreeSet<u64>) {
    let each = u64::from(map.cluster_slots);
    let mut counts = vec![0; map.clusters.len()];
    for slot in slots {
        counts[usize::try_from(slot / each).expect("a number")] += 1;
    }
    counts[0] += 1;
    *counts.last_mut().expect("there are some") += map.reserved - 1;
    let told: Vec<u64> = map.clusters.iter().map(|cluster| cluster.taken.into()).collect();
    assert_eq!(told, counts, "{view}");
}

/// The slots stored by zram, without the header. The file returns whole lines only, and a short read does
/// not mean its end.
fn stored(device: &Path) -> BTreeSet<u64> {
    let name = device.file_name().expect("a device").to_string_lossy();
    let mut file =
        File::open(format!("/sys/kernel/debug/zram/{name}/block_state")).expect("debugfs");
    let (mut text, mut piece) = (Vec::new(), vec![0; 256 << 10]);
    loop {
        match file.read(&mut piece).expect("zram tells") {
            0 => break,
            read => text.extend_from_slice(&piece[..read]),
        }
    }
    let text = String::from_utf8(text).expect("text");
    let slot = |line: &str| line.split_whitespace().next()?.parse().ok();
    text.lines().filter_map(slot).filter(|slot| *slot > 0).collect()
}

/// The stored bytes that the program shows.
fn shown(device: &Path) -> u64 {
    let name = device.to_string_lossy();
    let rows = program::table("clusters", &["--view", "zram", "-o", "name,used"]);
    let row = rows.iter().find(|row| row["name"] == *name).expect("its row");
    row["used"].as_u64().unwrap_or_else(|| panic!("{row}"))
}

/// The slots by bytes up to 7.0, later by the table of each cluster.
fn slots_in_memory(kernel: &Kernel, area: u64) -> SlotList {
    let number = |member, bytes| kernel.number(area, "swap_info_struct", member, bytes);
    let max = number("max", 4);
    if kernel.member("swap_info_struct", "swap_map").is_none() {
        return by_tables(kernel, number("cluster_info", 8), max);
    }
    let map = kernel.bytes(number("swap_map", 8), max);
    let zeros = kernel.member("swap_info_struct", "zeromap");
    let zeros = zeros.map(|_| kernel.bytes(number("zeromap", 8), max.div_ceil(64) * 8));
    let is_zero =
        |slot: usize| zeros.as_ref().is_some_and(|map| map[slot / 8] >> (slot % 8) & 1 == 1);
    let slot = |(place, byte): (usize, &u8)| match byte & 0x3f {
        // An unusable slot.
        0x3f => Slot::default(),
        users => Slot {
            is_taken: *byte != 0,
            users: users.into(),
            is_cached: byte & 0x40 != 0,
            is_zero: is_zero(place),
        },
    };
    map.iter().enumerate().map(slot).collect()
}

fn by_tables(kernel: &Kernel, clusters: u64, max: u64) -> SlotList {
    let each = kernel.length("swap_table", "entries");
    let size = kernel.size("swap_cluster_info");
    let table = |number| kernel.number(clusters + number * size, "swap_cluster_info", "table", 8);
    let entries = |number| match table(number) {
        0 => vec![0; usize::try_from(each * 8).expect("a table")],
        table => kernel.bytes(table, each * 8),
    };
    let bytes: Vec<u8> = (0..max.div_ceil(each)).flat_map(entries).collect();
    let words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_ne_bytes(*word));
    words.take(usize::try_from(max).expect("it fits")).map(entry).collect()
}

/// Decodes the entry of a slot: a cached folio or its shadow, the use count, and whether it is all zero.
fn entry(word: u64) -> Slot {
    let is_cached = word & 3 == 2;
    let is_taken = is_cached || word & 1 == 1;
    if !is_taken {
        return Slot::default();
    }
    Slot { is_taken, users: word >> 60, is_cached, is_zero: word >> 59 & 1 == 1 }
}
