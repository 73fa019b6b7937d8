use super::*;
use crate::swaparea::{FileIdentity, testing};
use crate::users::testing::process;
use crate::users::{Cgroup, CgroupVersion, Process};
use crate::{Bytes, Name, users};

fn stamp(second: u64) -> Stamp {
    Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 }
}

fn counters(pairs: &[(&str, u64)]) -> Counters {
    let pairs = pairs.iter().map(|(name, number)| ((*name).into(), *number));
    Counters::new("/proc/vmstat", pairs.collect())
}

fn group(path: &str, anon: u64) -> Cgroup {
    Cgroup {
        memory_current: Reading::Known(Bytes(0)),
        stat: Reading::Known(counters(&[("anon", anon), ("file", 1)])),
        ..users::testing::unknown(path)
    }
}

fn area(path: &str) -> SwapArea {
    testing::area(path, 0, 1, 0)
}

fn header(label: &str) -> Reading<AreaHeader> {
    let (uuid, page_size) = (Reading::not_sampled(), Reading::not_sampled());
    Reading::Known(AreaHeader { label: Reading::Known(Name::from(label)), uuid, page_size })
}

/// A machine with these processes and cgroups.
fn machine(second: u64, processes: &[(u32, u64)], groups: &[(&str, u64)]) -> Snapshot {
    let at = Some(stamp(second));
    let mut snapshot = Snapshot::empty(stamp(second));
    let pairs = [("pswpin", second), ("pswpout", 0)];
    snapshot.vmstat = Sampled::new(at, Reading::Known(counters(&pairs)));
    let processes = processes.iter().map(|(pid, swap)| Shared::new(process(*pid, *swap)));
    let table = ProcessTable {
        processes: processes.collect(),
        unreadable: 0,
        users: Reading::Known(vec![(0, Name::from("root"))]),
        swap_used: Reading::not_sampled(),
        swap_cached: Reading::not_sampled(),
    };
    snapshot.processes = Sampled::new(at, Reading::Known(table));
    let groups = groups.iter().map(|(path, anon)| Shared::new(group(path, *anon)));
    let tree = CgroupTree {
        version: CgroupVersion::V2,
        mount: Name::from("/sys/fs/cgroup"),
        groups: groups.collect(),
        left_out: 0,
        oom_kills: Reading::not_sampled(),
    };
    snapshot.cgroups = Sampled::new(at, Reading::Known(tree));
    snapshot
}

fn processes(snapshot: &Snapshot) -> &[Shared<Process>] {
    &snapshot.processes.reading.known().unwrap().processes
}

fn groups(snapshot: &Snapshot) -> &[Shared<Cgroup>] {
    &snapshot.cgroups.reading.known().unwrap().groups
}

fn same_names(a: &Reading<Counters>, b: &Reading<Counters>) -> bool {
    Shared::ptr_eq(&a.known().unwrap().names, &b.known().unwrap().names)
}

#[test]
fn unsampled_parts_are_carried_over_with_their_time() {
    let last = machine(1, &[(7, 1)], &[("/", 1)]);
    let mut now = Snapshot::empty(stamp(2));
    now.vmstat = Sampled::new(Some(stamp(2)), Reading::failed("torn"));
    now.carry(&last);
    assert!(Shared::ptr_eq(&now.processes.reading, &last.processes.reading));
    assert_eq!(now.processes.at, Some(stamp(1)));
    assert_eq!((now.stamp, now.vmstat.at), (stamp(2), Some(stamp(2))));
    assert!(now.vmstat.reading.missing().is_some(), "sampled without success is sampled");
    assert_eq!(now.zram, Sampled::none());
}

#[test]
fn parts_older_than_30_seconds_are_not_carried_over() {
    let first = machine(10, &[(1, 5)], &[]);
    for (second, carried) in [(40, true), (41, false)] {
        let mut later = Snapshot::empty(stamp(second));
        later.carry(&first);
        assert_eq!(later.processes.at.is_some(), carried, "at {second} s");
    }
    let mut first = first;
    first.sources = Sampled::new(Some(stamp(10)), Reading::Known(vec![]));
    let mut later = Snapshot::empty(stamp(1000));
    later.carry(&first);
    assert_eq!(later.sources.at, Some(stamp(10)), "what lasts is carried on");
}

#[test]
fn a_carried_header_stays_with_its_area() {
    let at = Some(stamp(1));
    let mut last = Snapshot::empty(stamp(1));
    last.swaps = Sampled::new(at, Reading::Known(vec![area("/a"), area("/b")]));
    last.headers = Sampled::new(at, Reading::Known(vec![header("A"), header("B")]));
    let mut now = Snapshot::empty(stamp(2));
    now.swaps = Sampled::new(Some(stamp(2)), Reading::Known(vec![area("/b"), area("/c")]));
    let sampled = now.clone();
    now.carry(&last);
    assert_eq!(now.headers.reading.known().unwrap(), &[header("B"), Reading::not_sampled()]);
    assert_eq!(now.headers.at, at);
    // Parts that were sampled with the areas stay as they are.
    let mut now = sampled;
    let own = Reading::Known(vec![header("own"), header("C")]);
    now.headers = Sampled::new(Some(stamp(2)), own.clone());
    now.carry(&last);
    assert_eq!(*now.headers.reading, own);
}

/// The snapshot a second later, with `before` replaced by `after` and other parts carried over.
fn a_second_later(before: SwapArea, after: SwapArea) -> (Snapshot, PartSet) {
    let mut last = Snapshot::empty(stamp(1));
    let at = Some(stamp(1));
    last.swaps = Sampled::new(at, Reading::Known(vec![area("/dev/a"), before]));
    last.headers = Sampled::new(at, Reading::Known(vec![header("A"), header("B")]));
    let layout = FileLayout { extents: 7, first: Reading::not_sampled() };
    let layouts = vec![Reading::absent("a device"), Reading::Known(layout)];
    last.layouts = Sampled::new(at, Reading::Known(layouts));
    let mut now = Snapshot::empty(stamp(2));
    now.swaps = Sampled::new(Some(stamp(2)), Reading::Known(vec![area("/dev/a"), after]));
    now.carry(&last);
    let behind = now.parts_without_new_areas(&last);
    (now, behind)
}

#[test]
fn a_recreated_file_does_not_inherit_the_old_layout() {
    let mark = FileIdentity { device: (8, 1), inode: 12, size: 1 << 20, changed: (100, 5) };
    let with = |mark| SwapArea { file: Some(mark), ..area("/swapfile") };
    let (now, behind) = a_second_later(with(mark), SwapArea { priority: 9, ..with(mark) });
    assert!(now.layouts.reading.known().unwrap()[1].known().is_some(), "it is the same");
    assert_eq!(behind, PartSet::NONE);
    let others = [
        FileIdentity { device: (8, 2), ..mark },
        FileIdentity { inode: 13, ..mark },
        FileIdentity { size: 2 << 20, ..mark },
        FileIdentity { changed: (100, 6), ..mark },
    ];
    for other in others {
        let (now, behind) = a_second_later(with(mark), with(other));
        let layouts = now.layouts.reading.known().unwrap();
        assert_eq!(layouts[1], Reading::not_sampled(), "{other:?}");
        assert_eq!(now.headers.reading.known().unwrap(), &[header("A"), Reading::not_sampled()]);
        assert_eq!(behind, PartSet::from_parts(&[Part::Headers, Part::Layouts]), "{other:?}");
    }
}

#[test]
fn a_freshly_read_header_is_not_moved_with_its_area() {
    let read = |second, path| {
        let at = Some(stamp(second));
        let mut snapshot = Snapshot::empty(stamp(second));
        snapshot.swaps = Sampled::new(at, Reading::Known(vec![area(path)]));
        snapshot.headers = Sampled::new(at, Reading::Known(vec![header("swap")]));
        snapshot
    };
    let last = read(1, "/a");
    let mut now = read(2, "/b");
    now.share(&last);
    now.carry(&last);
    assert_eq!(now.headers.reading.known().unwrap(), &[header("swap")]);
}

#[test]
fn equal_things_are_shared_and_changed_ones_stay() {
    let last = machine(1, &[(5, 1), (7, 1), (8, 1)], &[("/", 1), ("/a", 1)]);
    let mut now = machine(2, &[(7, 1), (8, 2), (9, 1)], &[("/", 2), ("/a", 1), ("/b", 3)]);
    let before = now.clone();
    now.share(&last);
    assert_eq!(now, before, "sharing changes nothing that can be seen");

    let mut now = machine(2, &[(7, 1), (8, 2), (9, 1)], &[("/", 2), ("/a", 1), ("/b", 3)]);
    now.share(&last);
    let shared =
        |place: usize, old: usize| Shared::ptr_eq(&processes(&now)[place], &processes(&last)[old]);
    assert!(shared(0, 1), "the process of the same number and content");
    assert!(!shared(1, 2), "its swap changed");
    let shared = |place: usize| Shared::ptr_eq(&groups(&now)[place], &groups(&last)[place]);
    assert!(!shared(0) && shared(1));
    assert!(same_names(&groups(&now)[0].stat, &groups(&last)[0].stat));
    assert!(same_names(&now.vmstat.reading, &last.vmstat.reading));
    assert!(Shared::ptr_eq(&now.zram.reading, &last.zram.reading), "a whole part");
    assert_eq!((now.vmstat.at, now.stamp), (Some(stamp(2)), stamp(2)));
}

#[test]
fn own_bytes_counts_only_unshared_memory() {
    let groups = [("/", 1), ("/a", 1)];
    let many: Vec<(u32, u64)> = (1..=100).map(|pid| (pid, 1)).collect();
    let last = machine(1, &many, &groups);
    let alone = last.own_bytes(&Snapshot::empty(stamp(0)));
    let structs = 100 * size_of::<Process>();
    assert!((structs..3 * structs).contains(&alone), "{alone} bytes for 100 processes");

    let weight = |processes: &[(u32, u64)]| {
        let mut now = machine(2, processes, &groups);
        now.share(&last);
        now.own_bytes(&last)
    };
    let unchanged = weight(&many);
    assert!(unchanged < alone / 10, "{unchanged} of {alone} bytes");
    let one_changed: Vec<_> = many.iter().map(|(pid, _)| (*pid, u64::from(*pid == 3))).collect();
    let mut changed = many.clone();
    changed[3] = (4, 2);
    // The table, which points to each, and the process.
    let grown = weight(&changed) - unchanged;
    let pointers = 100 * size_of::<usize>();
    let expected = pointers + size_of::<Process>()..pointers + 3 * size_of::<Process>();
    assert!(expected.contains(&grown), "{grown} bytes for one process");
    assert!(weight(&one_changed) > unchanged + 99 * size_of::<Process>());
}
