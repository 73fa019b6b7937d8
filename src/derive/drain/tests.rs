use super::*;
use crate::model::snapshot::testing::with_memory;
use crate::model::swaparea::testing;
use crate::model::users::testing::table;
use crate::model::users::{
    CgroupTree, CgroupVersion, Process, ProcessTable, SharedMemory, SysvSegment, Tmpfs,
};
use crate::model::zram::ZramDevice;
use crate::model::zram::testing::{device, mm_stat};
use crate::model::{PartSet, Sampled, Shared};
use crate::probes::zram;
use crate::root::testing::TestTree;

fn area(path: &str, size: u64, used: u64) -> SwapArea {
    testing::area(path, 1, size << 10, used << 10)
}

fn machine(available: u64, areas: Vec<SwapArea>) -> Snapshot {
    let mut snapshot = with_memory(&[("MemAvailable", available)]);
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    snapshot
}

#[test]
fn contents_move_to_memory_and_to_the_other_areas() {
    let snapshot = machine(100, vec![area("/a", 500, 300), area("/b", 500, 350)]);
    let (a, b) = ("/a".into(), "/b".into());
    let off = |path| DrainTarget { path, comes_back: false, added: Bytes(0) };
    let kib = |moves, memory, elsewhere, free| Drain {
        moves: Bytes::from_kib(moves),
        held: Bytes::from_kib(moves),
        memory: Bytes::from_kib(memory),
        freed: Bytes(0),
        elsewhere: Bytes::from_kib(elsewhere),
        free: Bytes::from_kib(free),
    };
    let alone = drains(&snapshot, &[off(&a)]);
    assert_eq!(alone, Reading::Known(vec![kib(300, 100, 150, 150)]));
    assert!(!alone.known().unwrap()[0].fits());
    // An area that is enabled again takes the contents of the next one.
    let back = DrainTarget { path: &a, comes_back: true, added: Bytes(0) };
    let both = drains(&snapshot, &[back, off(&b)]);
    assert_eq!(both.known().unwrap()[1], kib(350, 0, 300, 500));
    let third = machine(100, vec![area("/a", 500, 300), area("/b", 500, 350), area("/c", 500, 0)]);
    let last = drains(&third, &[off(&a), off(&b)]);
    let after_a = |drain| Drain { held: Bytes::from_kib(650), ..drain };
    assert_eq!(
        last.known().unwrap()[1],
        after_a(kib(350, 0, 300, 500)),
        "/c holds contents of /a by then"
    );
    let added = DrainTarget { added: Bytes::from_kib(200), ..off(&a) };
    assert_eq!(drains(&snapshot, &[added]), Reading::Known(vec![kib(300, 100, 350, 350)]));
    let none_left = drains(&snapshot, &[off(&a), off(&b)]);
    assert_eq!(none_left.known().unwrap()[1], after_a(kib(350, 0, 0, 0)));
}

/// Totals that are added up once lead to what each area's own sum leads to.
#[test]
fn predictions_for_all_areas_are_those_for_single_ones() {
    let unknown = SwapArea { used: Reading::failed("x"), ..area("/u", 700, 0) };
    let (a, b) = (|| area("/a", 500, 300), || area("/b", 400, 0));
    for areas in [
        vec![a(), b()],
        vec![a(), area("/b", 400, 350), area("/dev/zram0", 200, 100)],
        vec![a(), area("/a", 80, 70), b()],
        vec![a(), b(), unknown.clone()],
        vec![unknown, a()],
        vec![a()],
    ] {
        let mut snapshot = machine(100, areas.clone());
        let fields = [("MemAvailable", 100), ("Zswap", 30)];
        snapshot.meminfo = with_memory(&fields).meminfo;
        let zram = device("zram0", mm_stat(90 << 10, 30 << 10));
        snapshot.zram = Sampled::new(None, Reading::Known(vec![zram]));
        let all = SingleDrains::new(&snapshot);
        for area in &areas {
            let alone = drain_one(&snapshot, &areas, area, &[]);
            assert_eq!(all.predict(area), alone, "{} of {areas:?}", area.path.safe());
        }
    }
    let snapshot = machine(100, vec![a()]);
    assert!(SingleDrains::new(&snapshot).predict(&b()).missing().is_some(), "not active");
}

fn processes(swapped: &[u64], used: u64, cached: u64) -> ProcessTable {
    ProcessTable { swap_cached: Reading::Known(Bytes(cached)), ..table(swapped, used) }
}

#[test]
fn the_largest_uninterruptible_part_is_one_process_or_all_unowned_pages() {
    let mut snapshot = machine(100, Vec::new());
    assert_eq!(largest_uninterruptible(&snapshot, Bytes(90)), Bytes(90), "unknown parts");
    let mut of = |swapped: &[u64], used| {
        snapshot.processes = Sampled::new(None, Reading::Known(processes(swapped, used, 0)));
        largest_uninterruptible(&snapshot, Bytes(90))
    };
    assert_eq!(of(&[20, 40], 70), Bytes(40));
    assert_eq!(of(&[20, 40], 110), Bytes(50), "the rest belongs to no process");
    assert_eq!(of(&[20, 40], 10), Bytes(40), "shared pages count twice");
    assert_eq!(of(&[200], 200), Bytes(90), "not more than is on the area");
}

#[test]
fn cached_pages_need_no_memory() {
    let mut snapshot = machine(100, vec![area("/a", 500, 300)]);
    let all = processes(&[20, 40], 150, 30);
    snapshot.processes = Sampled::new(None, Reading::Known(all));
    assert_eq!(largest_uninterruptible(&snapshot, Bytes(90)), Bytes(60));
    let unknown = table(&[20, 40], 150);
    snapshot.processes = Sampled::new(None, Reading::Known(unknown));
    assert_eq!(
        largest_uninterruptible(&snapshot, Bytes(90)),
        Bytes(40),
        "without the cache the rest is unknown"
    );

    let mut snapshot = with_memory(&[("SwapCached", 30)]);
    let mut of = |areas| {
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        without_cached(&snapshot, Bytes::from_kib(100))
    };
    assert_eq!(of(vec![area("/a", 500, 300)]), Bytes::from_kib(70));
    let two = vec![area("/a", 500, 300), area("/b", 500, 300)];
    assert_eq!(of(two), Bytes::from_kib(100), "it may belong to the other area");
}

#[test]
fn files_in_memory_are_seen_behind_pages_that_count_several_times() {
    let mut snapshot = machine(100, Vec::new());
    let all = processes(&[20, 40], 60, 0);
    snapshot.processes = Sampled::new(None, Reading::Known(all));
    assert_eq!(largest_uninterruptible(&snapshot, Bytes(90)), Bytes(40));
    let (used, size) = (Reading::Known(Bytes(60)), Reading::not_sampled());
    let [resident, swapped] = [Bytes(0), Bytes(15)];
    let shm = SharedMemory {
        tmpfs: Reading::Known(vec![Tmpfs { mount: "/run".into(), used, size }]),
        sysv: Reading::Known(vec![SysvSegment { id: 1, uid: 0, size: swapped, resident, swapped }]),
        shmem: Reading::Known(Bytes(10)),
    };
    snapshot.shm = Sampled::new(None, Reading::Known(shm));
    assert_eq!(largest_uninterruptible(&snapshot, Bytes(90)), Bytes(65));
}

#[test]
fn usable_space_on_zram_ends_at_its_limit() {
    let worth = |limit: u64| {
        let used = 100 << 10;
        let areas = vec![area("/a", 500, 300), area("/dev/zram1", 256 << 10, used)];
        let mut snapshot = machine(100, areas);
        snapshot.page_size = Reading::Known(4096);
        let mm = mm_stat(used << 10, used << 9);
        let mm = MmStat { mem_limit: Bytes(limit << 20), ..mm };
        let device = ZramDevice { bd: Reading::absent("none"), ..device("zram1", mm) };
        snapshot.zram = Sampled::new(None, Reading::Known(vec![device]));
        let path = "/a".into();
        let drains =
            drains(&snapshot, &[DrainTarget { path: &path, comes_back: false, added: Bytes(0) }]);
        drains.known().unwrap()[0].elsewhere.0 >> 20
    };
    assert_eq!(worth(0), 78, "156 MiB at two to one");
    assert_eq!(worth(70), 20, "40 MiB in 20 MiB of memory");
    assert_eq!(worth(50), 0);
}

#[test]
fn the_pool_of_zswap_comes_back_where_it_can_be_of_one_area_only() {
    let memory = |others: u64| {
        let areas = vec![area("/a", 500, 300), area("/b", 500, others)];
        let mut snapshot = with_memory(&[("MemAvailable", 100), ("Zswap", 40)]);
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let path = "/a".into();
        let drains =
            drains(&snapshot, &[DrainTarget { path: &path, comes_back: false, added: Bytes(0) }]);
        drains.known().unwrap()[0].memory
    };
    assert_eq!(memory(0), Bytes::from_kib(140));
    assert_eq!(memory(1), Bytes::from_kib(100), "it may belong to the other area");
}

#[test]
fn the_excess_of_a_cgroup_counts_once_in_its_parents() {
    let over = |groups: &[(&str, u64)]| {
        let named: Vec<(Name, Bytes)> =
            groups.iter().map(|(path, over)| ((*path).into(), Bytes(*over))).collect();
        total_over_limit(named.iter().map(|(path, over)| (path, *over))).0
    };
    assert_eq!(over(&[("/a", 5), ("/b", 3)]), 8);
    assert_eq!(over(&[("/pod", 5), ("/pod/inner", 5)]), 5);
    assert_eq!(over(&[("/pod", 5), ("/pod/a", 4), ("/pod/b", 3)]), 7);
    assert_eq!(over(&[("/x/pod/a", 4), ("/x/pod/b", 3), ("/x", 9), ("/x-y", 1)]), 10);
    assert_eq!(over(&[("/", 2), ("/a", 1)]), 2);
    assert_eq!(over(&[]), 0);
}

#[test]
fn zram_counts_where_an_area_is_on_it() {
    let answers = |areas: &[&str], stat: Option<&str>| {
        let tree = TestTree::with(&[("sys/block/zram0/initstate", "1\n")]);
        if let Some(stat) = stat {
            tree.write("sys/block/zram0/mm_stat", stat);
        }
        let mut snapshot = machine(100, areas.iter().map(|path| area(path, 9, 0)).collect());
        snapshot.zram = Sampled::new(None, zram::read(&tree.root(), PartSet::NONE));
        zram_is_readable(&snapshot)
    };
    assert!(answers(&["/a", "/dev/zram0"], Some("0 0 0 0 0 0 0 0 0\n")), "the device is empty");
    assert!(!answers(&["/a", "/dev/zram0"], None));
    assert!(answers(&["/a"], None), "no area is on zram");
    assert!(
        !answers(&["/dev/zram1"], Some("0 0 0 0 0 0 0 0 0\n")),
        "zram1 is not among the devices"
    );
}

#[test]
fn a_part_of_memory_is_kept_and_not_more_than_enough() {
    let of = |gib: u64| reserve(&with_memory(&[("MemTotal", gib << 20)]));
    assert_eq!([of(1), of(8), of(512)], [64, 512, 512].map(|mib| Reading::Known(Bytes(mib << 20))));
    assert!(reserve(&with_memory(&[])).missing().is_some());
}

#[test]
fn without_meminfo_no_drain_is_predicted() {
    let mut snapshot = machine(100, vec![area("/a", 500, 300)]);
    snapshot.meminfo = Sampled::none();
    let path = "/a".into();
    assert!(
        drains(&snapshot, &[DrainTarget { path: &path, comes_back: true, added: Bytes(0) }])
            .missing()
            .is_some()
    );
}

#[test]
fn compressed_copies_in_zswap_make_room_in_their_cgroup() {
    let group = |zswap: u64| Cgroup {
        memory_current: Reading::Known(Bytes(230)),
        memory_max: Reading::Known(Limit::Bytes(Bytes(345))),
        swap_current: Reading::Known(Bytes(224)),
        zswap_current: Reading::Known(Bytes(zswap)),
        ..crate::model::users::testing::unknown("/a")
    };
    assert_eq!(over_limit(&group(0), Bytes(1000)), Some(Bytes(109)));
    assert_eq!(over_limit(&group(118), Bytes(1000)), None);
    assert_eq!(over_limit(&group(118), Bytes(112)), None, "half of it returns");
    assert_eq!(excess(&group(112), Bytes(224)), None);
}

fn tree<const N: usize>(groups: [Cgroup; N]) -> Sampled<CgroupTree> {
    let tree = CgroupTree {
        version: CgroupVersion::V2,
        mount: "/sys/fs/cgroup".into(),
        groups: groups.map(Shared::new).into(),
        left_out: 0,
        oom_kills: Reading::not_sampled(),
    };
    Sampled::new(None, Reading::Known(tree))
}

#[test]
fn the_excess_stays_where_its_swap_limit_or_that_of_a_cgroup_above_keeps_it() {
    let kib = Bytes::from_kib;
    let group = |path: &str, swap_max| Cgroup {
        memory_current: Reading::Known(kib(300)),
        memory_max: Reading::Known(Limit::Bytes(kib(300))),
        swap_current: Reading::Known(kib(100)),
        swap_max: Reading::Known(swap_max),
        ..crate::model::users::testing::unknown(path)
    };
    let kept_by = |above, below| {
        let mut snapshot = machine(1000, vec![area("/a", 100, 100), area("/b", 1000, 0)]);
        snapshot.cgroups = tree([group("/x", above), group("/x/y", below)]);
        let leaving = DrainTarget { path: &"/a".into(), comes_back: false, added: Bytes(0) };
        let drains = drains(&snapshot, &[leaving]).known().cloned().unwrap();
        over_limits(&snapshot, &drains).known().unwrap().kept_by
    };
    let (unlimited, none) = (Limit::Unlimited, Limit::Bytes(Bytes(0)));
    assert_eq!(kept_by(unlimited, unlimited), None);
    assert_eq!(kept_by(unlimited, Limit::Bytes(kib(100))), None, "all of it may go out again");
    assert_eq!(kept_by(unlimited, none), Some(KeptBy::SwapMax));
    assert_eq!(kept_by(none, unlimited), Some(KeptBy::SwapMax));
    assert_eq!(kept_by(unlimited, Limit::Bytes(kib(99))), Some(KeptBy::SwapMax));
}

/// A page that two processes share keeps its slot until it has returned to both of them.
#[test]
fn pages_shared_by_processes_of_a_cgroup_need_free_space_of_their_own() {
    let kib = Bytes::from_kib;
    let goes_on = |swapped: [(&str, u64); 2], free: u64| {
        let mut snapshot = machine(1000, vec![area("/a", 96, 96), area("/b", free, 0)]);
        let group = |path: &str| Cgroup {
            memory_current: Reading::Known(kib(100)),
            memory_max: Reading::Known(Limit::Bytes(kib(100))),
            swap_current: Reading::Known(kib(280)),
            ..crate::model::users::testing::unknown(path)
        };
        snapshot.cgroups = tree([group("/x"), group("/x/y")]);
        let mut table = table(&swapped.map(|(_, swap)| swap << 10), 280 << 10);
        for (process, (path, _)) in table.processes.iter_mut().zip(swapped) {
            let cgroup = Reading::Known(path.into());
            *process = Shared::new(Process { cgroup, ..Process::clone(process) });
        }
        snapshot.processes = Sampled::new(None, Reading::Known(table));
        let leaving = DrainTarget { path: &"/a".into(), comes_back: false, added: Bytes(0) };
        let drains = drains(&snapshot, &[leaving]).known().cloned().unwrap();
        let over = over_limits(&snapshot, &drains).known().cloned().unwrap();
        (over.goes_on(), over.shared)
    };
    assert_eq!(goes_on([("/x/y", 270), ("/x/y", 10)], 133), (true, kib(0)), "nothing is shared");
    assert_eq!(goes_on([("/x/y", 280), ("/x/y", 30)], 133), (false, kib(30)));
    assert_eq!(
        goes_on([("/x/y", 280), ("/x/y", 30)], 150),
        (true, kib(30)),
        "there is room for it"
    );
    assert_eq!(goes_on([("/x/y", 280), ("/x/y", 280)], 215), (false, kib(96)), "all of the area");
    assert_eq!(goes_on([("/x/y", 280), ("/x/y", 280)], 216), (true, kib(96)));
    assert_eq!(goes_on([("/x/y", 280), ("/z", 280)], 133), (true, kib(0)), "another cgroup");
}

/// An area that is renewed first has room in the one after it, which needs room for its own contents only.
#[test]
fn the_excess_of_one_step_is_not_that_of_another() {
    let mut snapshot = machine(1000, vec![area("/a", 100, 100), area("/b", 130, 2)]);
    let group = Cgroup {
        memory_current: Reading::Known(Bytes::from_kib(300)),
        memory_max: Reading::Known(Limit::Bytes(Bytes::from_kib(300))),
        swap_current: Reading::Known(Bytes::from_kib(102)),
        swappiness: Reading::Known(60),
        ..crate::model::users::testing::unknown("/a")
    };
    snapshot.cgroups = tree([group]);
    let (a, b) = ("/a".into(), "/b".into());
    let leaving = |first_returns| {
        [(&a, first_returns), (&b, true)].map(|(path, comes_back)| DrainTarget {
            path,
            comes_back,
            added: Bytes(0),
        })
    };
    let over = |first_returns| {
        let drains = drains(&snapshot, &leaving(first_returns)).known().cloned().unwrap();
        let over = over_limits(&snapshot, &drains).known().cloned().unwrap();
        (over.goes_on(), over.needed, over.free)
    };
    let kib = Bytes::from_kib;
    assert_eq!(over(true), (true, Bytes(125 << 10), kib(128)));
    assert_eq!(over(false), (false, Bytes((102 << 10) + 512), kib(0)), "/b has no other area");
}
