use super::super::memory::ReadFault;
use super::super::testing::{MemoryImage, RECORDED, Recorded, of_areas, recorded};
use super::*;
use crate::clock::Clock;
use crate::model::clusters::{List, NextSlot};
use crate::model::units::Bytes as Size;
use crate::probes::btf::testing::Builder;
use crate::root::testing::{TestTree, mangled};
use std::collections::BTreeMap;

fn maps(memory: &impl KernelMemory, recorded: &Recorded) -> Vec<Reading<ClusterMap>> {
    let read = of_areas(memory, &Clock::Real, &recorded.known(), &recorded.rows(), 4096);
    read.into_result().unwrap()
}

/// Number of clusters on each list for each order.
fn lists(map: &ClusterMap) -> Vec<(List, u8, usize)> {
    let mut counts = BTreeMap::new();
    for cluster in &map.clusters {
        *counts.entry((cluster.list.unwrap(), cluster.order.unwrap())).or_insert(0) += 1;
    }
    counts.into_iter().map(|((list, order), count)| (list, order, count)).collect()
}

#[test]
fn clusters_add_up_to_the_use_the_kernel_shows() {
    for recorded in &RECORDED {
        let (memory, rows) = (recorded.memory(), recorded.rows());
        let maps = maps(&memory, recorded);
        assert_eq!((maps.len(), rows.len()), (3, 3));
        for (map, row) in maps.iter().zip(&rows) {
            // A device that seeks has no clusters there, and its slots were not recorded.
            let old = matches!(recorded.release, "6.1" | "6.12");
            if old && row.path.safe() == "/dev/vda" {
                let why = map.missing().unwrap().to_string();
                assert!(why.starts_with("no cluster could be read"), "{why}");
                continue;
            }
            let map = map.known().unwrap();
            let name = format!("{} {}", recorded.release, row.path.safe());
            assert_eq!((&map.partial, map.cluster_slots), (&None, 512), "{name}");
            assert_eq!(Size(map.used() * 4096), *row.used.known().unwrap(), "{name}");
            assert_eq!(map.clusters.len() as u64, map.slots.div_ceil(512), "{name}");
            assert_eq!(map.slots * 4, row.size.0 / 1024 + 4, "{name}");
            // Tables of owners were not recorded.
            let kept = map.owners.missing().is_none_or(|missing| missing.kind() == "failed");
            assert_eq!(kept, recorded.release == "7.2", "{name}");
        }
    }
}

#[test]
fn clusters_say_on_which_list_they_are() {
    use List::{Frag, Free, Full, Nonfull};
    let of = |release, nth: usize| {
        let recorded = recorded(release);
        lists(maps(&recorded.memory(), recorded)[nth].known().unwrap())
    };
    // Numbers from a walk along the lists at the same time.
    assert_eq!(of("6.12", 0), [(Free, 0, 31), (Nonfull, 0, 1)]);
    assert_eq!(of("6.12", 1), [(Full, 0, 2), (Full, 4, 7), (Full, 9, 119)]);
    assert_eq!(of("6.18", 1), [(Full, 0, 1), (Full, 4, 8), (Full, 9, 119)]);
    assert_eq!(
        of("6.18", 2),
        [(Free, 0, 55), (Frag, 0, 1), (Frag, 4, 1), (Full, 0, 23), (Full, 4, 48)]
    );
    assert_eq!(
        of("7.2", 2),
        [(Free, 0, 54), (Frag, 0, 1), (Frag, 4, 1), (Full, 0, 24), (Full, 4, 48)]
    );
    let counted = maps(&recorded("6.1").memory(), recorded("6.1"));
    let counted = counted[1].known().unwrap();
    assert!(counted.clusters.iter().all(|cluster| cluster.list.is_none() && cluster.taken == 512));
}

#[test]
fn slots_without_clusters_are_counted_by_their_bytes() {
    let recorded = recorded("6.12");
    let (mut memory, known) = (recorded.memory(), recorded.known());
    let bytes = vec![1; 37275 + 1].into_iter().chain(vec![0; 65536 - 37276]).collect::<Vec<u8>>();
    let map = memory.long(known.area(&memory, 3) + 80);
    memory.set(map, &bytes);
    let next = known.area(&memory, 3) + 512;
    memory.set(next, &37276_u32.to_ne_bytes());
    let maps = maps(&memory, recorded);
    let map = maps[2].known().unwrap();
    assert_eq!(map.next, Reading::Known(vec![NextSlot { cpu: None, order: 0, slot: 37276 }]));
    assert_eq!((map.used(), &map.partial, map.clusters.len()), (37275, &None, 128));
    assert_eq!((map.clusters[0].taken, map.clusters[72].taken), (512, 412));
}

#[test]
fn owners_are_counted_but_freed_tables_are_not() {
    let recorded = recorded("7.2");
    let (mut memory, known) = (recorded.memory(), recorded.known());
    let array = memory.long(known.area(&memory, 2) + 80);
    let ids = |id: u16, count: usize| -> Vec<u8> {
        let ids = vec![id; count].into_iter().chain(vec![0; 512 - count]);
        ids.flat_map(u16::to_ne_bytes).collect()
    };
    for nth in 0..128 {
        memory.set(array + nth * 48 + 24, &0_u64.to_ne_bytes());
    }
    for (nth, table, id) in [(0, 0x1000_u64, 7), (5, 0x2000, 9), (6, 0x3000, 7), (7, 0x4000, 3)] {
        memory.set(array + nth * 48 + 24, &table.to_ne_bytes());
        memory.set(table, &ids(id, 100 + usize::from(id)));
    }
    let whole = Changing::new(memory.clone(), 0, 0, &[]);
    assert_eq!(maps(&whole, recorded)[1].known().unwrap().partial, None);
    // The last table is freed right after it was read.
    let freed = array + 7 * 48 + 24;
    let memory = Changing::new(memory, 0x4000, freed, &0_u64.to_ne_bytes());
    let map = maps(&memory, recorded)[1].known().unwrap().clone();
    let owners = map.owners.known().unwrap();
    assert_eq!(*owners, BTreeMap::from([(7, 214), (9, 109)]));
    assert_eq!(
        map.partial.as_deref(),
        Some("owners of 1 of 4 clusters were freed during the read")
    );
}

#[test]
fn owners_of_a_removed_area_are_unknown() {
    let recorded = recorded("7.2");
    let (memory, known) = (recorded.memory(), recorded.known());
    let own = known.area(&memory, 2);
    let said = memory.long(own + 80) + 24;
    let table = 0x1000_u64;
    let mut memory = memory;
    for nth in 0..128 {
        memory.set(said + nth * 48, &(table + nth * 1024).to_ne_bytes());
    }
    let owners = |memory: &dyn Fn() -> Changing| {
        maps(&memory(), recorded)[1].known().unwrap().owners.missing().map(ToString::to_string)
    };
    // No table can be read.
    let none = owners(&|| Changing::new(memory.clone(), 0, own, &[]));
    assert!(none.unwrap().contains("try again"));
    memory.set(table, &vec![1; 128 * 1024]);
    assert_eq!(owners(&|| Changing::new(memory.clone(), 0, own, &[])), None);
    // Disabled when the first table was read.
    let gone = owners(&|| Changing::new(memory.clone(), table, own + 488, &[0; 8]));
    assert!(gone.unwrap().contains("try again"));
}

/// Memory of which something changes as soon as something else was read.
struct Changing {
    before: MemoryImage,
    after: MemoryImage,
    trigger: u64,
    changed: std::cell::Cell<bool>,
}

impl Changing {
    fn new(memory: MemoryImage, trigger: u64, address: u64, bytes: &[u8]) -> Self {
        let mut after = memory.clone();
        after.set(address, bytes);
        Self { before: memory, after, trigger, changed: false.into() }
    }
}

impl KernelMemory for Changing {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), ReadFault> {
        let now = if self.changed.get() { &self.after } else { &self.before };
        now.read(address, into)?;
        self.changed.set(self.changed.get() || address == self.trigger);
        Ok(())
    }
}

#[test]
fn an_area_disabled_during_the_read_is_marked() {
    for release in ["6.12", "7.2"] {
        let recorded = recorded(release);
        let (memory, known) = (recorded.memory(), recorded.known());
        let own = known.area(&memory, 2);
        let array = memory.long(own + known.layout.area.clusters.at as u64);
        let memory = Changing::new(memory, array, own + 16, &0_u64.to_ne_bytes());
        let maps = maps(&memory, recorded);
        let partial = maps[1].known().unwrap().partial.clone();
        assert_eq!(partial.as_deref(), Some("the area was disabled during the read"));
        assert_eq!(maps[0].known().unwrap().partial, None, "the others are complete");
    }
}

#[test]
fn an_inconsistent_copy_is_taken_again() {
    let recorded = recorded("7.2");
    let (memory, known) = (recorded.memory(), recorded.known());
    let own = known.area(&memory, 2);
    let array = memory.long(own + known.layout.area.clusters.at as u64);
    // Changed once: the second copy is consistent.
    let flags = memory.long(own + 16) & !2;
    let once = Changing::new(memory.clone(), array, own + 16, &flags.to_ne_bytes());
    assert_eq!(maps(&once, recorded)[1].known().unwrap().partial, None);
    // A wrong number of slots stays wrong in every copy.
    let mut wrong = memory.clone();
    wrong.set(array + 10 * 48 + 4, &0_u16.to_ne_bytes());
    let partial = maps(&wrong, recorded)[1].known().unwrap().partial.clone();
    assert_eq!(partial.unwrap(), "its clusters have 65023 used slots, but the kernel counts 65535");
    let mut many = memory;
    many.set(array + 4, &513_u16.to_ne_bytes());
    let partial = maps(&many, recorded)[1].known().unwrap().partial.clone();
    assert_eq!(partial.unwrap(), "a cluster has more slots than possible");
}

#[test]
fn clusters_that_wait_for_a_discard_have_no_count() {
    let recorded = recorded("6.1");
    let (mut memory, known) = (recorded.memory(), recorded.known());
    let own = known.area(&memory, 2);
    let array = memory.long(own + 88);
    let entry =
        |next: u32, flags: u32| [0, 0, 0, 0].into_iter().chain((next | flags << 24).to_ne_bytes());
    let mut set = |at: u64, next, flags| memory.set(at, &entry(next, flags).collect::<Vec<_>>());
    // The list has 5 and 9.
    set(own + 272, 5, 0);
    set(own + 280, 9, 0);
    set(array + 5 * 8, 9, 0);
    set(array + 9 * 8, 0, 2);
    memory.set(own + 124, &(65535_u32 - 1024).to_ne_bytes());
    let maps = maps(&memory, recorded);
    let map = maps[1].known().unwrap();
    assert_eq!((map.used(), &map.partial), (65535 - 1024, &None));
    let waiting: Vec<_> = map.clusters.iter().filter(|c| c.list == Some(List::Discard)).collect();
    assert!(waiting.len() == 2 && waiting.iter().all(|cluster| cluster.taken == 0));
}

#[test]
fn rows_that_differ_from_the_kernels_areas_fail() {
    let recorded = recorded("7.2");
    let (memory, known, mut rows) = (recorded.memory(), recorded.known(), recorded.rows());
    rows[1].priority = 99;
    rows[2].size = Size(4096);
    let maps = of_areas(&memory, &Clock::Real, &known, &rows, 4096).into_result().unwrap();
    let kinds: Vec<_> = maps.iter().map(|map| map.missing().map(Missing::kind)).collect();
    assert_eq!(kinds, [None, Some("failed"), Some("failed")]);
}

#[test]
fn outdated_rows_match_no_area() {
    let recorded = recorded("7.2");
    let (mut memory, known, mut rows) = (recorded.memory(), recorded.known(), recorded.rows());
    let is_bound = |memory: &MemoryImage, rows: &[SwapArea]| {
        of_areas(memory, &Clock::Real, &known, rows, 4096).known().is_some()
    };
    assert!(is_bound(&memory, &rows));
    // An area added after the rows were read.
    assert!(!is_bound(&memory, &rows[..2]));
    rows.push(rows[0].clone());
    assert!(!is_bound(&memory, &rows), "one went");
    // An area without its file has no row yet.
    let file = known.area(&memory, 3) + 488;
    memory.set(file, &0_u64.to_ne_bytes());
    assert!(is_bound(&memory, &rows[..2]) && !is_bound(&memory, &rows[..3]));
}

#[test]
fn a_new_area_in_the_same_slot_is_another_area() {
    let recorded = recorded("7.2");
    let (memory, known) = (recorded.memory(), recorded.known());
    let own = known.area(&memory, 2);
    let array = memory.long(own + known.layout.area.clusters.at as u64);
    for (at, what) in [(24, 1_u64), (72, 9), (488, 4096)] {
        let value = memory.long(own + at) ^ what;
        // The area changes with every copy, so that no copy is consistent.
        let changing = Flickering { memory: memory.clone(), trigger: array, at: own + at, value };
        let partial = maps(&changing.into_cell(), recorded)[1].known().unwrap().partial.clone();
        assert_eq!(partial.as_deref(), Some("the area changed while it was read"), "{at}");
    }
}

/// Memory of which something has another value after each read of something else.
struct Flickering {
    memory: MemoryImage,
    trigger: u64,
    at: u64,
    value: u64,
}

impl Flickering {
    fn into_cell(self) -> std::cell::RefCell<Self> {
        self.into()
    }
}

impl KernelMemory for std::cell::RefCell<Flickering> {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), ReadFault> {
        let mut own = self.borrow_mut();
        own.memory.read(address, into)?;
        if address == own.trigger {
            let (at, next) = (own.at, own.memory.long(own.at));
            let value = std::mem::replace(&mut own.value, next);
            own.memory.set(at, &value.to_ne_bytes());
        }
        Ok(())
    }
}

/// A machine with this memory.
fn machine(recorded: &Recorded) -> TestTree {
    let (memory, known) = (recorded.memory(), recorded.known());
    let mut parts: Vec<(u64, Vec<u8>)> = Vec::new();
    for place in memory.places() {
        let mut byte = [0];
        memory.read(place, &mut byte).unwrap();
        match parts.last_mut() {
            Some((start, bytes)) if *start + bytes.len() as u64 == place => bytes.extend(byte),
            _ => parts.push((place, byte.to_vec())),
        }
    }
    let parts: Vec<_> = parts.iter().map(|(start, bytes)| (*start, &bytes[..])).collect();
    let tree = TestTree::with(&[(kcore::FILE, kcore::tests::dump(&parts))]);
    let Symbols { swap_info, nr_swapfiles, .. } = known.symbols;
    tree.write(
        symbols::FILE,
        format!("{swap_info:x} D swap_info\n{nr_swapfiles:x} D nr_swapfiles\n"),
    );
    tree.write(btf::FILE, btf::testing::Builder::from_text(recorded.types));
    tree.write("proc/swaps", recorded.swaps);
    tree
}

#[test]
fn an_area_removed_during_the_read_leaves_others_intact() {
    let recorded = recorded("7.2");
    let tree = machine(recorded);
    let mut snapshot = Snapshot::empty(Clock::Real.now());
    snapshot.page_size = Reading::Known(4096);
    snapshot.swaps = crate::model::Sampled::new(None, Reading::Known(recorded.rows()));
    let maps = || read(&tree.root(), &Clock::Real, &snapshot).into_result().unwrap();
    let whole = maps();
    assert!(whole.iter().all(|map| map.known().is_some_and(|map| map.partial.is_none())));
    // Equal to the one before, but another area.
    let place = recorded.rows().iter().position(|row| row.path.safe() == "/dev/zram0").unwrap();
    tree.write("proc/swaps", recorded.swaps.replace("/dev/zram0", "/dev/zram7"));
    for (own, (map, before)) in maps().iter().zip(&whole).enumerate() {
        if own == place {
            let why = map.missing().unwrap().to_string();
            assert!(why.contains("enabled or disabled meanwhile: try again"), "{why}");
        } else {
            assert_eq!(map.known().unwrap().clusters, before.known().unwrap().clusters);
        }
    }
}

#[test]
fn a_replacement_area_is_not_shown_as_the_old_one() {
    let recorded = recorded("7.2");
    let (memory, known) = (recorded.memory(), recorded.known());
    let bound = match_rows(&memory, &known, &recorded.rows(), 4096).into_result().unwrap();
    let own = known.area(&memory, 2);
    // Same size and priority, on another file, and its clusters agree with its numbers.
    let mut other = memory;
    other.set(own + 488, &4096_u64.to_ne_bytes());
    let maps = super::maps(&other, &Clock::Real, &known, bound);
    let why = maps[1].missing().unwrap().to_string();
    assert!(why.contains("another area took its place"), "{why}");
    assert!(maps[0].known().is_some() && maps[2].known().is_some());
}

#[test]
fn slots_past_the_end_count_as_taken_without_clusters_too() {
    let recorded = recorded("6.12");
    let (mut memory, known, mut rows) = (recorded.memory(), recorded.known(), recorded.rows());
    let own = known.area(&memory, 3);
    // One slot more than 127 clusters, all in use.
    let max = 127 * 512 + 1_u32;
    for (at, value) in [(76, max), (504, max - 1), (508, max - 1)] {
        memory.set(own + at, &value.to_ne_bytes());
    }
    rows[2].size = Size(u64::from(max - 1) * 4096);
    let map = memory.long(own + 80);
    memory.set(map, &vec![1; max as usize]);
    let maps = of_areas(&memory, &Clock::Real, &known, &rows, 4096).into_result().unwrap();
    let map = maps[2].known().unwrap();
    assert_eq!((map.used(), &map.partial), (u64::from(max - 1), &None));
    assert_eq!((map.reserved, map.clusters[127].taken), (512, 512));
}

#[test]
fn memory_that_is_damaged_never_panics() {
    for recorded in &RECORDED {
        let (good, known, rows) = (recorded.memory(), recorded.known(), recorded.rows());
        let places = good.places();
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..40 {
            let mut memory = good.clone();
            for _ in 0..6 {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let place = places[usize::try_from(seed >> 33).unwrap() % places.len()];
                memory.set(place & !7, &[seed.to_le_bytes()[6]; 8]);
            }
            let _whatever = of_areas(&memory, &Clock::Real, &known, &rows, 4096);
        }
    }
}

#[test]
fn types_that_no_kernel_has_never_panic() {
    for (release, from, to) in
        [("6.12", "next 0 4*10", "next 0 4*300"), ("7.2", "pages 440 4", "pages 440 8")]
    {
        let recorded = recorded(release);
        let types = Builder::from_text(&recorded.types.replace(from, to));
        let mut memory = recorded.memory();
        let own = recorded.known().area(&memory, 2);
        if release == "7.2" {
            memory.set(own + 440, &u64::MAX.to_ne_bytes());
        } else {
            // More orders than a byte can count, each with a slot.
            let first = memory.long(recorded.known().symbols.per_cpu_offset.unwrap());
            let start = memory.long(own + 528).wrapping_add(first);
            memory.set(start, &1_u32.to_ne_bytes().repeat(300));
        }
        look(&types, &memory, recorded);
    }
    for recorded in &RECORDED {
        let memory = recorded.memory();
        mangled(&Builder::from_text(recorded.types), 300, |types| look(types, &memory, recorded));
    }
}

/// Reads memory with such types; any result is acceptable.
fn look(types: &[u8], memory: &MemoryImage, recorded: &Recorded) {
    let Ok(types) = btf::testing::parsed(types.to_vec(), &btf::WANTED) else { return };
    let Ok(layout) = SwapLayout::from_types(&types, 512) else { return };
    let known = SwapInfoAccess { layout, ..recorded.known() };
    let _whatever = of_areas(memory, &Clock::Real, &known, &recorded.rows(), 4096);
}

#[test]
fn each_missing_structure_is_named() {
    let why = |tree: &TestTree| {
        let mut snapshot = Snapshot::empty(Clock::Real.now());
        snapshot.page_size = Reading::Known(4096);
        let rows = Reading::Known(RECORDED[0].rows());
        snapshot.swaps = crate::model::Sampled::new(None, rows);
        read(&tree.root(), &Clock::Real, &snapshot).missing().unwrap().to_string()
    };
    let tree = TestTree::new();
    assert!(why(&tree).contains("a captured tree does not contain /proc/kcore"));
    tree.write(kcore::FILE, kcore::tests::dump(&[(0x1000, b"memory")]));
    assert!(why(&tree).contains("/proc/kallsyms does not exist"));
    let symbols = "ffffffff81000000 T swap_info\nffffffff81000008 D nr_swapfiles\n";
    tree.write(symbols::FILE, symbols);
    assert!(why(&tree).contains("/sys/kernel/btf/vmlinux does not exist"));
    let types = |text: &str| btf::testing::Builder::from_text(text);
    tree.write(btf::FILE, types("struct other 8\n"));
    assert!(why(&tree).contains("this kernel has no struct swap_info_struct"));
    tree.write(btf::FILE, types(RECORDED[3].types));
    assert!(why(&tree).contains("/proc/swaps does not exist"));
    tree.write("proc/swaps", RECORDED[0].swaps);
    assert!(why(&tree).contains("a pointer leads outside of kernel memory"));
}
