mod folios;

use super::testing::{by_types, disk, machine, node, solid};
use super::*;
use crate::derive::headroom::ZramFill;
use crate::model::Sampled;
use crate::model::kernel::{AllocatorEvidence, RotationUnit};
use crate::model::paging::Counters;
use crate::model::zram::testing::{device, mm_stat};
use crate::model::zram::{MmStat, ZramDevice};
use pitfalls::Pitfall;

fn known(snapshot: &Snapshot) -> Selection {
    for_pages(snapshot).known().cloned().unwrap()
}

/// The areas in their order, each with its effective priority and group.
fn order_of(line: &NodeOrder) -> Vec<(usize, i32, usize)> {
    line.places.iter().map(|place| (place.area, place.effective, place.group)).collect()
}

#[test]
fn the_most_certain_evidence_decides() {
    let mut snapshot = machine("7.2.1", &[(5, 9, 0, solid("a"))]);
    let evidence = |snapshot: &Snapshot| {
        let policy = policy::allocator(snapshot).known().copied().unwrap();
        (policy.order, policy.rotation_unit, policy.evidence)
    };
    let (by_node, alike) = (AllocationOrder::ByNode, AllocationOrder::Alike);
    assert_eq!(evidence(&snapshot), (alike, RotationUnit::Cluster, AllocatorEvidence::Release));
    by_types(&mut snapshot, by_node, RotationUnit::Batch);
    assert_eq!(evidence(&snapshot), (by_node, RotationUnit::Batch, AllocatorEvidence::Types));
    let symbols = Allocator {
        order: by_node,
        rotation_unit: RotationUnit::Cluster,
        cluster_slots: None,
        evidence: AllocatorEvidence::Symbols,
    };
    snapshot.allocator = Sampled::new(None, Reading::Known(symbols));
    assert_eq!(evidence(&snapshot), (by_node, RotationUnit::Cluster, AllocatorEvidence::Symbols));
    let mut shown = machine("6.1.0", &[(-1, 9, 0, solid("a"))]);
    assert_eq!(evidence(&shown), (alike, RotationUnit::Cluster, AllocatorEvidence::Priorities));
    shown.allocator = Sampled::new(None, Reading::Known(symbols));
    assert_eq!(policy::order(&shown), Reading::Known((alike, AllocatorEvidence::Priorities)));
    let old = machine("6.12.107", &[(-2, 9, 0, solid("a"))]);
    assert_eq!(evidence(&old), (by_node, RotationUnit::Batch, AllocatorEvidence::Priorities));
    let unknown = machine("strange", &[(3, 9, 0, solid("a"))]);
    assert!(policy::allocator(&unknown).missing().is_some());
}

#[test]
fn each_node_takes_its_own_first_among_those_without_a_priority() {
    let areas = [
        (-2, 100, 0, solid("zram0")),
        (-3, 100, 0, disk("nvme0n1", false, Some(0))),
        (-4, 100, 0, disk("nvme1n1", false, Some(1))),
        (0, 100, 0, disk("nvme2n1", false, Some(1))),
    ];
    let selection = known(&machine("6.12.1", &areas));
    let lines = &selection.lines;
    assert_eq!(lines.iter().map(|line| line.node).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert_eq!(order_of(&lines[0]), [(3, 0, 1), (1, -1, 2), (0, -2, 3), (2, -4, 4)]);
    assert_eq!(order_of(&lines[1]), [(3, 0, 1), (2, -1, 2), (0, -2, 3), (1, -3, 4)]);
    let why: Vec<_> = lines[1].places.iter().map(|place| place.why).collect();
    assert_eq!(
        why,
        [
            PriorityReason::Explicit,
            PriorityReason::OwnNode,
            PriorityReason::Default,
            PriorityReason::Default
        ]
    );
}

#[test]
fn a_node_without_processors_swaps_nothing_out() {
    let own = |name: &str| disk(name, false, Some(1));
    let mut now = machine("6.12.1", &[(-2, 100, 0, solid("a")), (-3, 100, 0, own("b"))]);
    assert_eq!(known(&now).lines.len(), 2);
    let cpus = |cpus: &str| Reading::Known(cpus.to_owned());
    let nodes =
        vec![NumaNode { cpus: cpus("0-3"), ..node(0) }, NumaNode { cpus: cpus(""), ..node(1) }];
    now.numa = Sampled::new(None, Reading::Known(nodes));
    let lines = known(&now).lines;
    assert_eq!(lines.len(), 1);
    assert_eq!(order_of(&lines[0]), [(0, -2, 1), (1, -3, 2)]);
}

#[test]
fn two_areas_of_one_node_rotate_there_only() {
    let own = |name: &str| disk(name, false, Some(1));
    let selection = known(&machine("6.12.1", &[(-2, 100, 0, own("a")), (-3, 100, 0, own("b"))]));
    assert_eq!(order_of(&selection.lines[0]), [(0, -2, 1), (1, -3, 2)]);
    assert_eq!(order_of(&selection.lines[1]), [(0, -1, 1), (1, -1, 1)]);
    let shares: Vec<_> = selection.lines[1].places.iter().map(|p| p.share.clone()).collect();
    assert_eq!(shares, [Reading::Known(0.5), Reading::Known(0.5)]);
}

#[test]
fn nodes_that_choose_alike_are_one() {
    let areas = [(-1, 100, 0, disk("a", false, Some(0))), (-1, 100, 0, disk("b", false, Some(1)))];
    let mut snapshot = machine("7.2.1", &areas);
    by_types(&mut snapshot, AllocationOrder::Alike, RotationUnit::Cluster);
    let lines = known(&snapshot).lines;
    assert_eq!((lines.len(), lines[0].node), (1, None));
    assert_eq!(order_of(&lines[0]), [(0, -1, 1), (1, -1, 1)]);
    let explicit = [(3, 100, 0, disk("a", false, Some(0))), (-2, 100, 0, solid("b"))];
    let lines = known(&machine("6.12.1", &explicit)).lines;
    assert_eq!((lines.len(), lines[0].node), (1, None), "all nodes have the same order");
}

#[test]
fn what_fills_now_and_later() {
    let areas = [
        (5, 1000, 900, solid("a")),
        (5, 1000, 0, solid("b")),
        (1, 1000, 0, solid("c")),
        (9, 1000, 1000, solid("d")),
    ];
    let line = known(&machine("6.12.1", &areas)).lines.remove(0);
    let place = |area: usize| line.places.iter().find(|place| place.area == area).unwrap();
    let all = |area: usize| {
        let place = place(area);
        (
            place.share.known().copied(),
            place.begins.known().copied(),
            place.full_after.known().copied(),
        )
    };
    assert_eq!(all(0), (Some(0.5), Some(0), Some(200)));
    assert_eq!(all(1), (Some(0.5), Some(0), Some(1100)));
    assert_eq!(all(2), (Some(0.0), Some(1100), Some(2100)));
    assert_eq!(all(3), (Some(0.0), None, None));
    let turns = [0, 1, 2, 3].map(|area| place(area).turn.known().copied().unwrap().word());
    assert_eq!(turns, ["fills", "fills", "later", "full"]);
}

/// The last slots of an area are taken as soon as others are freed, and may be out of reach: the next pages go elsewhere.
#[test]
fn an_area_with_less_than_one_percent_free_is_full() {
    let areas = [(9, 1000, 991, solid("a")), (5, 1000, 990, solid("b")), (1, 1000, 0, solid("c"))];
    let places = known(&machine("6.12.1", &areas)).lines.remove(0).places;
    let shares = places.iter().map(|place| place.share.known().copied());
    assert_eq!(shares.collect::<Vec<_>>(), [Some(0.0), Some(1.0), Some(0.0)]);
    let turns = places.iter().map(|place| place.turn.known().copied().unwrap().word());
    assert_eq!(turns.collect::<Vec<_>>(), ["full", "fills", "later"]);
}

#[test]
fn an_area_that_is_being_disabled_is_not_full() {
    let mut snapshot =
        machine("6.12.1", &[(9, 100_000, 500, solid("a")), (5, 10_000, 0, solid("b"))]);
    let counted = (500 + 10_000) * 4;
    let fields = vec![("SwapTotal".into(), counted)];
    snapshot.meminfo = Sampled::new(None, Reading::Known(Counters::new("/proc/meminfo", fields)));
    let places = known(&snapshot).lines.remove(0).places;
    let turns = places.iter().map(|place| place.turn.known().copied().unwrap().word());
    assert_eq!(turns.collect::<Vec<_>>(), ["drain", "fills"]);
    assert_eq!(places[0].share, Reading::Known(0.0));
    let why = places[0].begins.missing().unwrap().why();
    assert_eq!(why, "the area is full or being disabled");
}

#[test]
fn below_an_area_of_unknown_use_nothing_is_predicted() {
    let mut snapshot = machine(
        "6.12.1",
        &[(9, 100, 0, solid("a")), (5, 100, 0, solid("b")), (1, 100, 0, solid("c"))],
    );
    let mut areas = snapshot.swaps.reading.known().cloned().unwrap();
    areas[1].used = Reading::failed("wrapped");
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    let places = known(&snapshot).lines.remove(0).places;
    assert_eq!(places[0].full_after, Reading::Known(100));
    assert_eq!(places[1].begins, Reading::failed("wrapped"));
    assert_eq!(places[2].begins, Reading::failed("wrapped"));
    assert_eq!(places[2].share, Reading::Known(0.0));
    assert_eq!(places[2].turn, Reading::Known(FillState::Later));
}

#[test]
fn rotating_areas_get_a_slot_at_a_turn_where_turns_are_clusters() {
    let areas = [(5, 5120, 0, solid("zram0")), (5, 5120, 0, disk("sda", true, None))];
    let mut snapshot = machine("6.18.44", &areas);
    by_types(&mut snapshot, AllocationOrder::ByNode, RotationUnit::Cluster);
    let selection = known(&snapshot);
    let places = &selection.lines[0].places;
    let slots: Vec<_> = places.iter().map(|place| place.turn_slots.clone()).collect();
    assert_eq!(slots, [Reading::Known(512), Reading::Known(1)]);
    assert_eq!(places[1].share, Reading::Known(1.0 / 513.0));
    let pitfall =
        Pitfall::RotationalAmongEquals { areas: vec![1], priority: 5, share: 1.0 / 513.0 };
    assert_eq!(pitfalls::find_pitfalls(&snapshot, &selection), [pitfall]);
    let snapshot = machine("6.12.44", &areas);
    let selection = known(&snapshot);
    assert_eq!(selection.lines[0].places[1].share, Reading::Known(57.0 / 121.0));
    let split = Pitfall::RotationalSplit { areas: vec![1] };
    assert_eq!(pitfalls::find_pitfalls(&snapshot, &selection), [split]);
}

#[test]
fn rotating_areas_among_themselves_are_no_pitfall() {
    let rotating = |name| disk(name, true, None);
    for areas in [
        vec![(5, 99, 0, rotating("sda")), (5, 99, 0, rotating("sdb"))],
        vec![(5, 99, 0, rotating("sda")), (6, 99, 0, solid("b"))],
        vec![(5, 99, 0, rotating("sda")), (5, 99, 99, solid("b"))],
    ] {
        let mut snapshot = machine("6.18.44", &areas);
        by_types(&mut snapshot, AllocationOrder::ByNode, RotationUnit::Cluster);
        assert_eq!(pitfalls::find_pitfalls(&snapshot, &known(&snapshot)), []);
    }
}

#[test]
fn the_last_group_can_come_first_on_some_kernels() {
    let pitfall = |release: &str, priorities: [i32; 3]| {
        let areas = priorities.map(|priority| (priority, 99, 0, solid("a")));
        let snapshot = machine(release, &areas);
        pitfalls::find_pitfalls(&snapshot, &known(&snapshot))
            .into_iter()
            .find(|pitfall| matches!(pitfall, Pitfall::LastGroupFirst { .. }))
    };
    let last_two = Some(Pitfall::LastGroupFirst { areas: vec![1, 2] });
    for release in ["7.1.0", "7.2.13"] {
        assert_eq!(pitfall(release, [9, 5, 5]), last_two);
    }
    for (release, priorities) in
        [("7.0.1", [9, 5, 5]), ("7.3.4", [9, 5, 5]), ("7.2.13", [5, 5, 5]), ("7.2.13", [9, 5, 3])]
    {
        assert_eq!(pitfall(release, priorities), None, "{release} {priorities:?}");
    }
}

#[test]
fn turns_are_batches_of_slots_up_to_6_14() {
    let unit = |release: &str| {
        let snapshot = machine(release, &[(-2, 99, 0, solid("a"))]);
        policy::rotation_unit(&snapshot).known().map(|(unit, _)| *unit)
    };
    assert_eq!(unit("6.14.11"), Some(RotationUnit::Batch));
    assert_eq!(unit("6.15.0"), Some(RotationUnit::Cluster));
}

#[test]
fn rotational_areas_take_large_folios_once_they_have_clusters() {
    let large = |release: &str| {
        let snapshot = machine(release, &[(-2, 99, 0, disk("a", true, None))]);
        known(&snapshot).lines[0].places[0].large.known().copied()
    };
    assert_eq!(large("6.13.12"), Some(LargeFolioSupport::Rotational));
    assert_eq!(large("6.14.0"), Some(LargeFolioSupport::Yes));
}

fn queue(disk: &str) -> String {
    format!("/sys/block/{disk}/queue/rotational")
}

#[test]
fn misleading_settings_are_named() {
    let areas = [(-1, 99, 0, disk("vda", true, None)), (5, 99, 0, solid("vdb"))];
    let mut snapshot = machine("7.3.4", &areas);
    let mut rows = snapshot.swaps.reading.known().cloned().unwrap();
    rows[1].kind = AreaKind::File;
    snapshot.swaps = Sampled::new(None, Reading::Known(rows));
    let wanted = [
        Pitfall::VirtualRotational { areas: vec![0], files: vec![queue("vda")], others: vec![] },
        Pitfall::FilesSplit { areas: vec![1] },
        Pitfall::DefaultsTakeTurns { areas: vec![0], has_explicit: true },
    ];
    assert_eq!(pitfalls::find_pitfalls(&snapshot, &known(&snapshot)), wanted);
    let healthy = [(5, 99, 0, solid("a")), (5, 99, 0, solid("b"))];
    let snapshot = machine("6.18.1", &healthy);
    assert_eq!(pitfalls::find_pitfalls(&snapshot, &known(&snapshot)), []);
}

#[test]
fn each_virtual_disk_is_named_once() {
    let virtual_disk = |name: &str| disk(name, true, None);
    let areas = ["vdb", "vda", "vdb"].map(|name| (9, 99, 0, virtual_disk(name)));
    let snapshot = machine("6.18.1", &areas);
    let files = vec![queue("vda"), queue("vdb")];
    let wanted = Pitfall::VirtualRotational { areas: vec![0, 1, 2], files, others: vec![] };
    assert!(pitfalls::find_pitfalls(&snapshot, &known(&snapshot)).contains(&wanted));
}

#[test]
fn areas_without_a_priority_are_named_wherever_there_are_several() {
    let named = |release: &str, areas: &[(i32, u64, u64, Reading<BlockDevice>)]| {
        let snapshot = machine(release, areas);
        pitfalls::find_pitfalls(&snapshot, &known(&snapshot))
    };
    let (new, old) = ([-1, -1], [-2, -3]);
    let two = |[a, b]: [i32; 2]| [(a, 99, 0, solid("a")), (b, 99, 0, solid("b"))];
    let turns = Pitfall::DefaultsTakeTurns { areas: vec![0, 1], has_explicit: false };
    assert_eq!(named("7.3.4", &two(new)), [turns]);
    let counted = |areas: &[usize], own: &[usize], last| Pitfall::DefaultsCounted {
        areas: areas.to_vec(),
        node_preferred: own.to_vec(),
        has_explicit: last,
    };
    assert_eq!(named("6.18.1", &two(old)), [counted(&[0, 1], &[], false)]);
    assert_eq!(named("6.18.1", &two([-2, 5])), [counted(&[0], &[], true)]);
    let own = |name: &str, node| disk(name, false, Some(node));
    let areas = [(-2, 99, 0, solid("zram0")), (-3, 99, 0, own("b", 1)), (-4, 99, 0, own("a", 0))];
    assert_eq!(named("6.12.1", &areas), [counted(&[0, 1, 2], &[1, 2], false)]);
    for (release, priority) in [("6.18.1", -2), ("7.3.4", -1)] {
        assert_eq!(
            named(release, &[(priority, 99, 0, own("a", 0))]),
            [],
            "a single area is no pitfall"
        );
    }
}

#[test]
fn a_virtual_disk_below_a_mapping_or_with_partitions_is_one_too() {
    let on = |name: &str, parent: Option<&str>, disks: &[&str]| {
        let block = disk(name, true, None).known().cloned().unwrap();
        let parent =
            parent.map_or_else(|| Reading::absent("whole"), |it| Reading::Known(it.into()));
        let disks = Reading::Known(disks.iter().map(|it| (*it).to_owned()).collect());
        Reading::Known(BlockDevice { parent, disks, ..block })
    };
    let areas = [
        (9, 99, 0, on("dm-0", None, &["vda", "vdb"])),
        (8, 99, 0, on("vda2", Some("vda"), &["vda"])),
        (7, 99, 0, on("vda3", Some("vda"), &["vda"])),
        (6, 99, 0, on("dm-1", None, &["vda", "sda"])),
    ];
    let snapshot = machine("7.3.4", &areas);
    let files = vec![queue("dm-0"), queue("vda")];
    let wanted = [Pitfall::VirtualRotational { areas: vec![0, 1, 2], files, others: vec![3] }];
    assert_eq!(pitfalls::find_pitfalls(&snapshot, &known(&snapshot)), wanted);
}

/// Two areas, the first on zram with 2 of 8 MiB used in 1 MiB of memory; memory limit in KiB.
fn limited(limit: u64, second: i32) -> Snapshot {
    let mut snapshot = machine("7.2.1", &[(5, 2048, 512, solid("a")), (second, 99, 0, solid("b"))]);
    let mm = MmStat { mem_limit: Bytes(limit << 10), ..mm_stat(2 << 20, 1 << 20) };
    let device = ZramDevice { bd: Reading::absent("none"), ..device("0", mm) };
    snapshot.zram = Sampled::new(None, Reading::Known(vec![device]));
    snapshot
}

#[test]
fn zram_that_its_limit_stops_before_it_is_full_is_a_pitfall() {
    let found = |limit, second| {
        let snapshot = limited(limit, second);
        let pitfalls = pitfalls::find_pitfalls(&snapshot, &known(&snapshot));
        pitfalls.into_iter().find(|pitfall| matches!(pitfall, Pitfall::LimitFirst { .. }))
    };
    let pitfall = |takes: u64, memory: u64, has_later_areas| {
        let filling =
            ZramFill { space: Bytes(6 << 20), takes: Bytes(takes), memory: Bytes(memory) };
        Some(Pitfall::LimitFirst { areas: vec![0], filling, has_later_areas })
    };
    assert_eq!(found(1024, 1), pitfall(0, 0, true));
    assert_eq!(found(2048, 9), pitfall(2 << 20, 1 << 20, false), "the other area fills first");
    assert_eq!(found(2048, 5), pitfall(2 << 20, 1 << 20, false), "equal priorities");
    assert_eq!(found(4096, 1), None, "at ratio two 4 MiB hold everything");
    assert_eq!(found(0, 1), None, "no limit is set");
    assert!(found(1024, 1).is_some_and(|pitfall| pitfall.is_wrong()));
}
