use super::*;
use crate::model::Stamp;
use crate::model::swaparea::testing::area;
use crate::probes::clusters::grid::testing::snapshot;
use crate::root::testing::{TestTree, mangled};

const FILE: &str = "sys/kernel/debug/zram/zram0/block_state";
const HUGE: (&str, &str) = ("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n");
/// Lines of 6.1, and of 7.x after some slots were written back.
const OLD: &str = "\
           0            6.351791 ....
           1           14.471901 ....
           6           14.385822 s...
           8           14.385904 ..h.
         513           13.000001 ...i
";
const NEW: &str = "\
           0            3.000000 ...i..
           1            5.000000 .wh...
           3            7.000000 ...irn
        1023            5.000000 s.....
        1024            5.000000 ......
";

fn clock() -> Clock {
    Clock::at(Stamp { boot_ns: 0, wall_ms: 0 })
}

/// An area of two clusters.
fn two_clusters(path: &str) -> SwapArea {
    area(path, 0, 1023 * 4096, 0)
}

/// The map from such a list.
fn map_from_list(list: impl AsRef<[u8]>) -> ClusterMap {
    let tree = TestTree::with(&[(FILE, list.as_ref()), (HUGE.0, HUGE.1.as_bytes())]);
    let mut snapshot = snapshot(vec![two_clusters("/dev/zram0")]);
    snapshot.stamp.boot_ns = 149_999_999_999;
    let read = read(&tree.root(), &clock(), &snapshot);
    read.known().unwrap()[0].known().unwrap().clone()
}

#[test]
fn pages_become_idle_by_age_in_memory_only() {
    let unused = |list: &str, last_s| {
        unused_pages(&TestTree::with(&[(FILE, list)]).root(), 0, last_s).map_err(|it| it.why())
    };
    assert_eq!([1, 13, 14].map(|last_s| unused(OLD, last_s)), [Ok(1), Ok(1), Ok(3)]);
    assert_eq!([1, 5].map(|last_s| unused(NEW, last_s)), [Ok(1), Ok(2)]);
    assert_eq!(unused("7 0.000000 ......\n", 1), Ok(1), "no time");
    assert!(unused("1 5.0", 9).is_err());
}

#[test]
fn slots_are_counted_by_cluster_with_their_marks() {
    let map = map_from_list(OLD);
    assert_eq!((map.used(), map.reserved, map.slots, &map.partial), (4, 1, 1024, &None));
    assert_eq!(map.clusters.iter().map(|cluster| cluster.taken).collect::<Vec<_>>(), [4, 1]);
    let first = ZramStored { same: 1, huge: 1, touched_s: Some(14), ..ZramStored::default() };
    assert_eq!(map.stored[0], first);
    assert_eq!(map.stored[1], ZramStored { idle: 1, touched_s: Some(13), ..ZramStored::default() });
    // Slots past the end of the area are left over from earlier.
    let map = map_from_list(NEW);
    assert_eq!((map.used(), &map.partial), (3, &None));
    assert_eq!(map.ages.as_ref().unwrap().slots.iter().sum::<u64>(), 3, "1024 is past the end");
    let first =
        ZramStored { written: 1, huge: 1, idle: 1, touched_s: Some(7), ..ZramStored::default() };
    assert_eq!(map.stored[0], first);
    assert_eq!(map.stored[1], ZramStored { same: 1, touched_s: Some(5), ..ZramStored::default() });
    let empty = map_from_list("");
    assert_eq!((empty.used(), empty.stored[0].touched_s), (0, None));
}

#[test]
fn lines_that_make_no_sense_are_counted() {
    let bad = [
        "1 5.0 .....",
        "1 5.0 h.....",
        "1 5.0 ...... x",
        "x 5.0 ......",
        "1 5 ",
        "18446744073709551616 5.0 ......",
        "0 5.0 ......",
    ];
    let map = map_from_list(format!("0 5.0 ......\n{}\n2 6.0 ....\n2 6.0 ....\n", bad.join("\n")));
    assert_eq!(map.used(), 1);
    assert_eq!(map.partial.as_deref(), Some("8 lines of block_state are invalid"));
    assert_eq!(map_from_list("18446744073709551615 5.0 ......\n").partial, None);
}

#[test]
fn a_truncated_list_is_marked_partial() {
    let cut = |at: usize| map_from_list(NEW.get(..NEW.len() - at).unwrap());
    // The last line is that of slot 1024, which is past the end.
    assert_eq!(cut(0).partial, None);
    for at in [1, 5, 20] {
        let map = cut(at);
        assert_eq!(map.partial.as_deref(), Some("block_state is truncated"), "{at}");
        assert!(!map.is_whole());
    }
    let two = map_from_list("1 5.0 ......\nx\n17 5.0 .....");
    let told = "1 lines of block_state are invalid; block_state is truncated";
    assert_eq!((two.used(), two.partial.as_deref()), (1, Some(told)), "17 may be 178");
}

#[test]
fn a_list_short_of_the_zram_counter_is_marked_partial() {
    let of = |pages: u64| {
        let stat = format!("{} 9 9 0 9 0 0 0 0\n", pages * 4096);
        let tree = TestTree::with(&[(FILE, OLD), HUGE, ("sys/block/zram0/mm_stat", stat.as_str())]);
        let read = read(&tree.root(), &clock(), &snapshot(vec![two_clusters("/dev/zram0")]));
        read.known().unwrap()[0].known().unwrap().partial.clone()
    };
    // The header is one of them.
    assert_eq!([of(0), of(5)], [None, None]);
    assert_eq!(of(6).unwrap(), "block_state lists 5 pages, but zram counts 6");
}

#[test]
fn damaged_lists_do_no_harm() {
    mangled(NEW.as_bytes(), 300, |bytes| {
        let map = map_from_list(bytes);
        assert!(map.clusters.iter().all(|cluster| cluster.taken <= 512));
    });
}

#[test]
fn a_long_list_is_read_in_pieces() {
    let lines = (0..1024).map(|slot| format!("{slot:12} {:12}.000000 ......\n", slot / 7));
    let map = map_from_list(lines.collect::<Vec<_>>().concat());
    assert_eq!((map.used(), map.clusters[0].taken, map.clusters[1].taken), (1023, 512, 512));
    assert_eq!(map.stored[1].touched_s, Some(146));
    // The first is the header, and the next six have no time; the others were accessed 3 to 148 seconds
    // ago.
    let ages = map.ages.unwrap();
    assert_eq!((ages.youngest_s, ages.oldest_s), (Some(3), Some(148)));
    assert_eq!(ages.slots, [394, 623, 0, 0, 0, 0]);
}

#[test]
fn the_slots_are_those_of_the_list() {
    let tree = TestTree::with(&[(FILE, OLD)]);
    let snapshot = snapshot(vec![two_clusters("/dev/zram0")]);
    let slots = slots(&tree.root(), &snapshot, &two_clusters("/dev/zram0")).unwrap();
    assert_eq!(slots.iter().collect::<Vec<_>>(), [1, 6, 8, 513]);
}

#[test]
fn a_missing_list_has_a_reason() {
    let tree = TestTree::new();
    let why = |tree: &TestTree, path: &str| {
        let read = read(&tree.live(), &clock(), &snapshot(vec![two_clusters(path)]));
        read.known().unwrap()[0].missing().unwrap().to_string()
    };
    assert_eq!(why(&tree, "/dev/sda2"), "/dev/sda2 is not a zram device");
    assert!(why(&tree, "/dev/zram0").ends_with("debugfs is not mounted on /sys/kernel/debug"));
    tree.folder("sys/kernel/debug/zswap");
    assert!(why(&tree, "/dev/zram0").ends_with("the device no longer exists"));
    tree.folder("sys/block/zram0/queue");
    assert!(why(&tree, "/dev/zram0").ends_with("built without CONFIG_ZRAM_MEMORY_TRACKING"));
    tree.folder(FILE);
    assert!(why(&tree, "/dev/zram0").starts_with("reading /sys/kernel/debug/zram"));
}

/// Maps of all areas must stay small, however many of them a captured tree names: that of 16 TiB takes up to 1 GB.
#[test]
fn areas_that_would_need_too_much_memory_are_refused_one_by_one() {
    let tree = TestTree::with(&[(FILE, OLD), HUGE]);
    let huge = || area("/dev/zram0", 0, (16 << 40) - 4096, 0);
    let snapshot = snapshot(vec![huge(), two_clusters("/dev/zram0"), huge()]);
    let maps = read(&tree.root(), &clock(), &snapshot).into_result().unwrap();
    assert_eq!(maps[1].known().unwrap().used(), 4);
    for map in [&maps[0], &maps[2]] {
        let why = map.missing().unwrap().to_string();
        assert!(why.contains("the area has 8388608 clusters"), "{why}");
    }
}
