use super::*;
use crate::model::Stamp;
use crate::model::swaparea::testing::area;
use crate::probes::clusters::grid::testing::snapshot;
use crate::root::testing::TestTree;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SWAPPED: u64 = 1 << 62;
const PRESENT: u64 = 1 << 63;
/// Mappings of the processes: the second one is shared memory.
const MAPS: &str = "\
10000-18000 rw-p 00000000 00:00 0
18000-20000 rw-s 00000000 00:01 7 /dev/zero (deleted)
40000000-80000000 rw-p 00000000 00:00 0
";
/// The first and the last page of the long mapping.
const LONG: (usize, usize) = (0x40000, 0x7ffff);

/// The entry of a page on this slot of an area of this type.
fn at(kind: u64, slot: u64) -> u64 {
    SWAPPED | slot << 5 | kind
}

/// A machine with two areas of 1023 pages each.
fn machine() -> TestTree {
    let row = |path: &str| format!("{path} partition 4092 2000 100\n");
    let swaps =
        format!("Filename Type Size Used Priority\n{}{}", row("/dev/zram0"), row("/dev/zram1"));
    TestTree::with(&[
        ("proc/swaps", swaps.as_str()),
        ("proc/meminfo", "SwapTotal: 8 kB\n"),
        ("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n"),
    ])
}

/// Adds a process with this much swap and these page table entries.
fn process(tree: &TestTree, pid: u32, kib: u64, pages: &[(usize, u64)]) {
    let status = format!("Name:\tx\nPPid:\t1\nUid:\t0\t0\t0\t0\nVmSwap:\t{kib} kB\n");
    tree.write(&format!("proc/{pid}/status"), status);
    tree.write(&format!("proc/{pid}/maps"), MAPS);
    let last = pages.iter().map(|(page, _)| page + 1).max().unwrap_or(0);
    let mut table = vec![0; last * 8];
    for (page, entry) in pages {
        table[page * 8..][..8].copy_from_slice(&entry.to_ne_bytes());
    }
    tree.write(&format!("proc/{pid}/pagemap"), table);
}

fn areas() -> Vec<SwapArea> {
    ["/dev/zram0", "/dev/zram1"].map(|path| area(path, 100, 4092 << 10, 2000 << 10)).to_vec()
}

fn slots_of(tree: &TestTree) -> Result<MappedSlots, Missing> {
    slots(&tree.live(), &Clock::Real, &snapshot(areas()))
}

/// The slots of each area, and what is missing.
fn gather_from(tree: &TestTree) -> (Vec<Vec<u64>>, Option<String>) {
    let mapped = slots_of(tree).unwrap();
    let of_area = |slots: &Reading<SlotSet>| slots.known().unwrap().iter().collect();
    (mapped.areas.iter().map(of_area).collect(), mapped.partial)
}

#[test]
fn slots_are_found_once_and_only_where_swap_is() {
    let tree = machine();
    let moved = at(26, 3);
    let in_memory = PRESENT | SWAPPED | 9 << 5;
    process(
        &tree,
        7,
        8,
        &[
            (0x10, at(0, 1)),
            (0x11, in_memory),
            (0x12, moved),
            (0x18, at(0, 11)),
            (LONG.0, at(2, 1022)),
            (LONG.1, at(2, 5)),
        ],
    );
    // Shares two slots with the first.
    process(&tree, 8, 8, &[(0x10, at(0, 1)), (0x13, at(2, 5)), (0x14, at(0, 700))]);
    // Has no swap according to its status file.
    process(&tree, 9, 0, &[(0x10, at(0, 2))]);
    assert_eq!(gather_from(&tree), (vec![vec![1, 700], vec![5, 1022]], None));
}

#[test]
fn page_tables_are_found_without_the_main_thread() {
    let tree = machine();
    process(&tree, 7, 8, &[(0x10, at(0, 1)), (0x11, at(1, 9))]);
    let thread = tree.path().join("proc/7/task/8");
    std::fs::create_dir_all(&thread).unwrap();
    for file in ["status", "maps", "pagemap"] {
        std::fs::rename(tree.path().join("proc/7").join(file), thread.join(file)).unwrap();
    }
    let ended = "Name:\tx\nState:\tZ (zombie)\nPPid:\t1\nUid:\t0\t0\t0\t0\nThreads:\t2\n";
    tree.write("proc/7/status", ended);
    let status = "Name:\tx\nPPid:\t1\nUid:\t0\t0\t0\t0\nVmRSS:\t8 kB\nVmSwap:\t8 kB\n";
    tree.write("proc/7/task/8/status", status);
    assert_eq!(gather_from(&tree), (vec![vec![1], vec![9]], None));
}

#[test]
fn maps_say_how_many_slots_of_each_cluster_are_mapped() {
    let tree = machine();
    process(&tree, 7, 8, &[(0x10, at(0, 1)), (0x11, at(0, 600)), (0x12, at(1, 601))]);
    let clock = Clock::at(Stamp { boot_ns: 0, wall_ms: 0 });
    let maps = read(&tree.live(), &clock, &snapshot(areas())).into_result().unwrap();
    let taken = |map: &Reading<ClusterMap>| {
        let map = map.known().unwrap().clone();
        (map.clusters.iter().map(|cluster| cluster.taken).collect::<Vec<_>>(), map.used())
    };
    // The header is taken too.
    assert_eq!(taken(&maps[0]), (vec![2, 1], 2));
    assert_eq!(taken(&maps[1]), (vec![1, 1], 1));
    let map = maps[0].known().unwrap();
    assert_eq!((map.view, map.reserved, map.slots), (ClusterView::Mapped, 1, 1024));
}

#[test]
fn without_page_locations_nothing_is_known() {
    let tree = machine();
    process(&tree, 7, 8, &[(0x10, SWAPPED)]);
    let error = slots_of(&tree).unwrap_err();
    assert_eq!(error, Missing::Denied("page locations (/proc/PID/pagemap)".into()));
}

#[test]
fn processes_that_ended_are_left_out_and_those_that_cannot_be_read_counted() {
    let tree = machine();
    process(&tree, 7, 8, &[(0x10, at(0, 1)), (0x11, at(1, 1))]);
    let status = "Name:\tx\nPPid:\t1\nUid:\t0\t0\t0\t0\nVmSwap:\t8 kB\n";
    tree.write("proc/8/status", status);
    assert_eq!(gather_from(&tree), (vec![vec![1], vec![1]], None));
    tree.write("proc/9/status", status);
    tree.write("proc/9/maps", MAPS);
    tree.folder("proc/9/pagemap");
    let (slots, partial) = gather_from(&tree);
    let partial = partial.unwrap();
    assert_eq!(slots, [[1], [1]]);
    let wanted = "processes with unreadable page tables: 1; reading /proc/9/pagemap: ";
    assert!(partial.starts_with(wanted), "{partial}");
}

#[test]
fn time_and_memory_are_bounded() {
    let tree = machine();
    (7..9).for_each(|pid| process(&tree, pid, 8, &[(0x10, at(0, u64::from(pid)))]));
    let gather_of = |root: &Root, most, time| {
        gather(root, 4096, &Bounds::new(root, &Clock::Real, most, time)).unwrap()
    };
    let gather = |most, time| gather_of(&tree.live(), most, time);
    let late = gather(MOST_BYTES, Duration::ZERO).partial().unwrap();
    assert!(late.contains("reached its time limit"), "{late}");
    let full = gather(1, MOST_TIME);
    let slots: Vec<u64> = full.slots.iter().flat_map(SlotSet::iter).collect();
    assert_eq!((slots, full.partial().is_some()), (vec![7], true));
    assert_eq!(gather(MOST_BYTES, MOST_TIME).partial(), None);
    let left = tree.live().with_cancel(Arc::new(AtomicBool::new(true)));
    let left = gather_of(&left, MOST_BYTES, MOST_TIME);
    assert!(left.ended.is_some_and(|why| why.contains("was cancelled")));
    assert_eq!(left.read, 1, "it ends within the first process");
}

#[test]
fn an_area_removed_during_the_walk_leaves_others_intact() {
    let tree = machine();
    process(&tree, 7, 8, &[(0x10, at(0, 1)), (0x11, at(1, 2))]);
    let gone = [areas(), vec![area("/dev/zram2", 100, 4092 << 10, 0)]].concat();
    let clock = Clock::at(Stamp { boot_ns: 0, wall_ms: 0 });
    let maps = read(&tree.live(), &clock, &snapshot(gone)).into_result().unwrap();
    assert_eq!([0, 1].map(|place: usize| maps[place].known().unwrap().used()), [1, 1]);
    let why = maps[2].missing().unwrap().to_string();
    assert!(why.contains("enabled or disabled meanwhile"), "{why}");
}

/// The slots of each area before and after, from the slots found by type, if other areas were active before
/// than after.
fn between(
    before: &[SwapArea],
    after: &[SwapArea],
    slots: &[&[u64]],
) -> Result<SlotsBeforeAfter, String> {
    let sizes = Sizes::from_snapshot(&machine().root(), &snapshot(vec![])).unwrap();
    let set = |slots: &&[u64]| {
        let mut set = SlotSet::default();
        for slot in *slots {
            set.insert(*slot);
        }
        set
    };
    let rows =
        StableAreas::during((before, after), &sizes).map_err(|missing| missing.to_string())?;
    let of = |areas: &[SwapArea]| {
        let found = slots_of_areas(areas, slots.iter().map(set).collect(), &rows);
        let known = |slots: &Reading<SlotSet>| match slots {
            Reading::Known(slots) => Ok(slots.iter().collect()),
            Reading::Missing { missing } => Err(missing.to_string()),
        };
        found.iter().map(known).collect()
    };
    Ok((of(before), of(after)))
}

/// The slots of each area before, and after.
type SlotsBeforeAfter = (Vec<Result<Vec<u64>, String>>, Vec<Result<Vec<u64>, String>>);

const AGAIN: &str = "the area was enabled or disabled meanwhile: try again";
const UNCLEAR: &str = "ambiguous: page tables do not name areas, and their slots fit several";

fn three() -> [SwapArea; 3] {
    let [one, two] = <[SwapArea; 2]>::try_from(areas()).unwrap();
    [one, two, area("/dev/zram2", 100, 4092 << 10, 2000 << 10)]
}

#[test]
fn slots_are_those_of_the_areas_that_were_active_at_any_time() {
    let [one, two, three] = three();
    let of = |areas: &[&SwapArea]| areas.iter().map(|area| (*area).clone()).collect::<Vec<_>>();
    let all = of(&[&one, &two, &three]);
    let slots: &[&[u64]] = &[&[1], &[2], &[3]];
    let (gone, _) = between(&all, &of(&[&one, &three]), slots).unwrap();
    assert_eq!(
        gone,
        [Ok(vec![1]), Ok(vec![2]), Ok(vec![3])],
        "its slots are not those of the next"
    );
    let (came, _) = between(&of(&[&one, &three]), &all, slots).unwrap();
    assert_eq!(came, [Ok(vec![1]), Ok(vec![3])]);
    let turned = between(&of(&[&one, &two]), &of(&[&two, &one]), &[&[1], &[2]]);
    assert!(turned.unwrap_err().contains("try again"), "both were switched off and on");
    let others = between(&of(&[&one]), &of(&[&two]), &[&[1]]);
    assert!(others.unwrap_err().contains("try again"), "no area was present throughout");
}

#[test]
fn areas_present_throughout_are_known_while_others_change() {
    let [one, two, three] = three();
    let again = || Err(AGAIN.to_owned());
    let (old, new) = ([one.clone(), two.clone()], [one.clone(), three.clone()]);
    // The second type belonged to both of the others, one after the other.
    let told = between(&old, &new, &[&[1], &[2, 3]]).unwrap();
    assert_eq!(told, (vec![Ok(vec![1]), again()], vec![Ok(vec![1]), again()]));
    // Or each had a type of its own.
    let told = between(&old, &new, &[&[1], &[2], &[3]]).unwrap();
    assert_eq!(told.0, [Ok(vec![1]), again()]);
    // The rest could belong to any of them.
    let told = between(&old, &new, &[&[], &[2]]).unwrap();
    assert_eq!(told.0, [Err(UNCLEAR.to_owned()), again()]);
    // An area before it was removed, and one behind it was added.
    let (old, new) = ([one, two.clone()], [two, three]);
    let told = between(&old, &new, &[&[1], &[2]]).unwrap();
    assert_eq!(told, (vec![again(), Ok(vec![2])], vec![Ok(vec![2]), again()]));
}

#[test]
fn slots_of_a_removed_area_go_to_no_other() {
    let [one, two, three] = three();
    let hold = |area: &SwapArea, kib: u64| SwapArea {
        used: Reading::Known(Bytes(kib << 10)),
        ..area.clone()
    };
    // An area was empty, was filled, and removed: by use alone its slots fit only the first area.
    let old = [hold(&one, 2000), hold(&two, 0)];
    let new = [hold(&one, 2000), hold(&three, 0)];
    let told = between(&old, &new, &[&[], &[2, 3]]).unwrap();
    assert_eq!(told.0[0], Err(UNCLEAR.to_owned()));
    // Neither has mapped pages.
    let told = between(&old, &new, &[]).unwrap();
    assert_eq!(told.0[0], Ok(vec![]));
}

#[test]
fn a_captured_tree_has_no_page_tables_and_no_area_needs_none() {
    let tree = machine();
    let error = slots(&tree.root(), &Clock::Real, &snapshot(areas())).unwrap_err();
    assert_eq!(error.kind(), "absent");
    assert!(slots(&tree.root(), &Clock::Real, &snapshot(vec![])).unwrap().areas.is_empty());
}

#[test]
fn a_type_that_fits_two_areas_is_assigned_to_neither() {
    let tree = machine();
    process(&tree, 7, 8, &[(0x10, at(1, 1))]);
    let areas = slots_of(&tree).unwrap().areas;
    assert!(areas.iter().all(|area| area.missing().is_some_and(|m| m.kind() == "failed")));
}

#[test]
fn unreadable_page_tables_give_nothing() {
    let status = "Name:\tx\nPPid:\t1\nUid:\t0\t0\t0\t0\nVmSwap:\t8 kB\n";
    let tree = machine();
    tree.write("proc/8/status", status);
    tree.write("proc/8/maps", MAPS);
    let why = slots_of(&tree).unwrap_err().to_string();
    assert!(why.contains("CONFIG_PROC_PAGE_MONITOR"), "{why}");
    tree.write("proc/self/pagemap", "");
    let why = slots_of(&tree).unwrap_err().to_string();
    assert!(why.contains("ended during the read"), "{why}");
    tree.folder("proc/8/pagemap");
    let why = slots_of(&tree).unwrap_err().to_string();
    assert!(why.starts_with("reading /proc/8/pagemap"), "{why}");
    // No process has swap: that is a known result.
    tree.write("proc/8/status", status.replace("8 kB", "0 kB"));
    assert_eq!(gather_from(&tree), (vec![vec![], vec![]], None));
}

#[test]
fn areas_whose_type_may_be_a_marker_are_unknown() {
    let many: Vec<_> =
        (0..24).map(|number| area(&format!("/dev/zram{number}"), 100, 4092 << 10, 0)).collect();
    let sizes = Sizes::from_snapshot(&machine().root(), &snapshot(vec![])).unwrap();
    let rows = StableAreas::during((&many, &many), &sizes).unwrap();
    let places = slots_of_areas(&many, vec![SlotSet::default(); TYPES], &rows);
    let unknown: Vec<_> = (0..24).filter(|number| places[*number].missing().is_some()).collect();
    assert_eq!(unknown, [22, 23]);
}

#[test]
fn a_swap_entry_of_a_whole_huge_page_counts_each_of_its_slots() {
    // The kernel shows such an entry as one location for each page, in a row.
    let tree = machine();
    let first = 0x40000;
    let pages = (0..512).map(|page| (first + page, at(0, 300 + page as u64)));
    let pages: Vec<(usize, u64)> = pages.chain([(first + 512, at(2, 5))]).collect();
    process(&tree, 7, 2052, &pages);
    assert_eq!(gather_from(&tree), (vec![(300..812).collect(), vec![5]], None));
}
