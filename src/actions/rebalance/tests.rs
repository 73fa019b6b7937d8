//! Tests of all strategies, on machines of all kinds.

mod numa;
mod spread;

use super::*;
use crate::actions::Step;
use crate::derive::balance;
use crate::derive::selection::policy::testing::kernel;
use crate::derive::speed::Speed;
use crate::derive::speed::testing::device;
use crate::model::block::BlockKind;
use crate::model::kernel::NumaNode;
use crate::model::paging::{Counters, MthpSize, Thp};
use crate::model::swaparea::{AreaKind, testing};
use crate::model::{Bytes, Reading, Sampled, Stamp};

const OLD: &str = "6.12.1";
const NEW: &str = "7.2.13";
const SPREAD: Strategy = Strategy::Spread(0.20);

/// An area: its speed class by a letter (`z`ram, `s`olid, `r`otational, `n`etwork, `v`irtio, `u`nknown), its
/// priority and its usage in MiB.
type Row = (char, i32, u64);

fn name(place: usize, row: Row) -> String {
    format!("/dev/{}{place}", row.0)
}

/// A machine with such areas of 1 GiB; solid state areas belong to this node, if any.
fn machine(release: &str, rows: &[Row], node: Option<i32>) -> Snapshot {
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    let area = |(place, row): (usize, &Row)| {
        testing::area(&name(place, *row), row.1, 1 << 30, row.2 << 20)
    };
    let block = |row: &Row| {
        let mut block = match row.0 {
            'z' => device("zram0", BlockKind::Zram, false),
            's' => device("nvme0n1", BlockKind::Disk, false),
            'r' => device("sda", BlockKind::Disk, true),
            'v' => device("vda", BlockKind::Disk, true),
            'n' => device("nbd0", BlockKind::Disk, false),
            _ => return Reading::absent("btrfs"),
        };
        if let (Some(node), 's') = (node, row.0) {
            block.numa_node = Reading::Known(node);
        }
        Reading::Known(block)
    };
    snapshot.kernel = kernel(release);
    let areas = rows.iter().enumerate().map(area).collect();
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    snapshot.block = Sampled::new(None, Reading::Known(rows.iter().map(block).collect()));
    snapshot
}

#[test]
fn what_zswap_holds_is_not_said_to_be_on_a_slower_area() {
    let mut machine = machine(NEW, &[('r', 9, 213), ('s', 5, 0)], None);
    let tiered = |machine: &Snapshot| {
        rebalance(&Strategy::Tiered, machine, &[], |_| Discard::None).unwrap().findings
    };
    assert!(tiered(&machine).iter().all(|finding| finding.id != "zswap"));
    let fields = [("SwapTotal", 2048), ("SwapFree", 1835), ("Zswapped", 213)];
    let fields = fields.map(|(name, mib)| (name.into(), mib << 10)).to_vec();
    machine.meminfo = Sampled::new(None, Reading::Known(Counters::new("/proc/meminfo", fields)));
    let zswap = crate::model::zram::testing::zswap(true, &[]);
    machine.zswap = Sampled::new(None, Reading::Known(zswap));
    let findings = tiered(&machine);
    assert!(findings[0].text.contains("213M of slots are used on slower areas"), "{findings:?}");
    let note = findings.iter().find(|finding| finding.id == "zswap").unwrap();
    assert!(note.text.contains("it holds 213M of the 213M in swap (100%)"), "{note:?}");
    assert!(!note.wrong);
}

fn with_nodes(mut snapshot: Snapshot, count: u32) -> Snapshot {
    let node = |id| NumaNode {
        id,
        cpus: Reading::not_sampled(),
        distance: Reading::not_sampled(),
        meminfo: Reading::not_sampled(),
        vmstat: Reading::not_sampled(),
        watermarks: Reading::not_sampled(),
    };
    snapshot.numa = Sampled::new(None, Reading::Known((0..count).map(node).collect()));
    snapshot
}

fn run_strategy(strategy: &Strategy, snapshot: &Snapshot) -> Rebalance {
    let found = rebalance(strategy, snapshot, &[], |_| Discard::None).unwrap();
    assert_eq!(found.is_wrong(), !found.plan.steps.is_empty(), "{found:#?}");
    found
}

fn planned_priorities(found: &Rebalance) -> Vec<String> {
    let wish = |step: &Step| {
        let Step::Renew { to, .. } = step else { panic!("{step:?}") };
        format!("{}={}", to.path.base().safe(), to.priority)
    };
    let mut wishes: Vec<String> = found.plan.steps.iter().map(wish).collect();
    wishes.sort();
    wishes
}

fn finding_ids(found: &Rebalance) -> Vec<&'static str> {
    found.findings.iter().filter(|finding| finding.wrong).map(|finding| finding.id).collect()
}

/// One case: the kernel, the areas, the changes, what is wrong.
type Case<'c> = (&'c str, &'c [Row], &'c [&'c str], &'c [&'c str]);

fn check_cases(strategy: &Strategy, cases: &[Case<'_>]) {
    for (release, rows, wanted, wrong) in cases {
        let found = run_strategy(strategy, &machine(release, rows, None));
        assert_eq!(
            (planned_priorities(&found).as_slice(), finding_ids(&found).as_slice()),
            (&owned(wanted)[..], *wrong),
            "{rows:?}"
        );
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The machine with this node for each area, if any.
fn on_nodes(mut snapshot: Snapshot, nodes: &[Option<i32>]) -> Snapshot {
    let mut blocks = snapshot.block.reading.known().unwrap().clone();
    for (block, node) in blocks.iter_mut().zip(nodes) {
        if let Reading::Known(block) = block {
            block.numa_node = node.map_or(Reading::absent("none"), Reading::Known);
        }
    }
    snapshot.block = Sampled::new(None, Reading::Known(blocks));
    with_nodes(snapshot, 2)
}

/// The areas that are renewed, in the order of the plan.
fn renewed_areas(found: &Rebalance) -> Vec<String> {
    let steps = found.plan.steps.iter();
    steps.map(|step| step.subject().base().safe()).collect()
}

#[test]
fn equal_raises_each_class_to_its_highest_priority() {
    check_cases(
        &Strategy::Equal,
        &[
            (NEW, &[], &[], &[]),
            (NEW, &[('z', 5, 0), ('z', 5, 9), ('r', 3, 0)], &[], &[]),
            (NEW, &[('z', 5, 0), ('z', 9, 9)], &["z0=9"], &["uneven"]),
            (NEW, &[('z', -1, 0), ('z', -1, 0), ('r', -1, 0)], &[], &[]),
            (NEW, &[('z', -1, 0), ('z', 0, 0)], &["z0=0"], &["uneven"]),
            // Classes keep their order, even a bad one.
            (NEW, &[('z', 5, 0), ('r', 9, 0), ('r', 7, 0)], &["r2=9"], &["uneven"]),
            // A slow area is raised neither above a faster one nor level with it.
            (NEW, &[('z', 5, 0), ('r', 9, 0), ('r', 1, 0)], &["r1=1"], &["uneven"]),
            (NEW, &[('z', 5, 0), ('r', 5, 0), ('r', 1, 0)], &["r1=1"], &["uneven"]),
            (NEW, &[('z', 5, 0), ('r', 9, 0), ('r', 5, 0)], &["r1=5"], &["uneven"]),
            (NEW, &[('z', 5, 0), ('r', 9, 0), ('r', -1, 0)], &["r1=default"], &["uneven"]),
            (NEW, &[('z', 5, 0), ('z', 1, 0), ('r', 3, 0)], &["z1=5"], &["uneven"]),
            (
                NEW,
                &[('z', 5, 9), ('z', 1, 0), ('r', 9, 0), ('r', 4, 9)],
                &["r2=4", "z1=5"],
                &["uneven", "uneven"],
            ),
            (NEW, &[('z', 1, 0), ('z', -1, 900), ('r', -1, 0)], &["z1=1"], &["uneven"]),
            // Up to 6.18 default priorities differ.
            (OLD, &[('z', -2, 0), ('z', -3, 0)], &["z0=10", "z1=10"], &["uneven"]),
            (OLD, &[('z', -2, 0), ('z', -3, 0), ('r', -4, 0)], &["z0=10", "z1=10"], &["uneven"]),
            (
                OLD,
                &[('r', -2, 0), ('z', -3, 0), ('z', -4, 0)],
                &["r0=20", "z1=10", "z2=10"],
                &["uneven"],
            ),
            (OLD, &[('s', 5, 0), ('z', -2, 0), ('z', -3, 0)], &["z1=2", "z2=2"], &["uneven"]),
            // No number is below 0: the one above must make room.
            (
                OLD,
                &[('s', 0, 0), ('z', -2, 0), ('z', -3, 0)],
                &["s0=20", "z1=10", "z2=10"],
                &["uneven"],
            ),
            (OLD, &[('z', -2, 0), ('r', -3, 0)], &[], &[]),
            // Unknown areas are left out of decisions.
            (NEW, &[('u', 1, 0), ('u', 2, 0), ('z', 3, 0)], &[], &[]),
        ],
    );
}

#[test]
fn equal_reports_remaining_problems_and_lower_levels() {
    let told = |rows: &[Row]| {
        let found = run_strategy(&Strategy::Equal, &machine(NEW, rows, None));
        let of = |finding: &RebalanceFinding| {
            format!("{} {} {}", finding.id, finding.text, finding.better.as_deref().unwrap_or(""))
        };
        found.findings.iter().map(of).collect::<Vec<_>>().join("\n")
    };
    for (rows, words) in [
        (&[('z', 5, 0), ('r', 9, 0), ('r', 7, 0)][..], "inverted slower areas are filled before"),
        (&[('z', 5, 0), ('r', 9, 0)], "To change that: swapadm rebalance tiered"),
        (
            &[('z', 5, 0), ('r', 9, 0), ('r', 1, 0)],
            "because 9 would leave some of them before faster",
        ),
        (&[('z', 5, 0), ('r', 5, 0), ('r', 5, 0)], "mixed"),
    ] {
        let told = told(rows);
        assert!(told.contains(words), "{rows:?}: {words:?} is not in {told}");
    }
    let apart = machine(OLD, &[('s', -2, 0), ('s', -3, 0)], None);
    let apart = on_nodes(apart, &[Some(0), None]);
    let better = run_strategy(&Strategy::Equal, &apart).findings[0].better.clone().unwrap();
    assert!(better.contains("; /dev/s0 no longer preferred by the own NUMA node"), "{better}");
    for rows in [
        &[('z', 5, 0), ('r', 9, 0), ('r', 1, 0)][..],
        &[('z', 5, 0), ('r', 5, 0), ('r', 1, 0)],
        &[('z', 5, 0), ('z', 1, 0), ('r', 3, 0)],
    ] {
        assert!(!told(rows).contains("tiered"), "{rows:?} is put right: {}", told(rows));
    }
}

#[test]
fn tiered_puts_faster_classes_above_slower_ones_and_moves_the_least() {
    check_cases(
        &Strategy::Tiered,
        &[
            (NEW, &[], &[], &[]),
            (NEW, &[('z', 5, 0)], &[], &[]),
            (NEW, &[('z', 9, 0), ('s', 7, 0), ('r', 5, 0), ('n', -1, 0)], &[], &[]),
            (OLD, &[('z', -2, 0), ('s', -3, 0), ('r', -4, 0)], &[], &[]),
            (NEW, &[('r', 9, 0), ('z', 5, 9)], &["r0=2"], &["inverted"]),
            (NEW, &[('r', 9, 500), ('z', 5, 9)], &["z1=10"], &["inverted"]),
            (NEW, &[('z', -1, 0), ('r', -1, 0)], &["z0=10"], &["mixed"]),
            (NEW, &[('z', -1, 900), ('r', -1, 0)], &["z0=10"], &["mixed"]),
            (NEW, &[('z', 5, 900), ('r', 5, 0)], &["r1=2"], &["mixed"]),
            // Priorities that somebody chose differ on purpose, and stay so if their class has to move.
            (NEW, &[('z', 5, 9), ('z', 7, 0), ('r', -1, 0)], &[], &[]),
            (NEW, &[('s', 50, 9), ('s', -1, 0)], &[], &[]),
            (NEW, &[('z', 30, 9), ('s', 40, 0), ('s', 20, 0)], &["s1=25"], &["inverted"]),
            (
                OLD,
                &[('z', 5, 0), ('r', -2, 0), ('r', -3, 0), ('n', -4, 0)],
                &["r1=2", "r2=2"],
                &["uneven"],
            ),
            (OLD, &[('z', 5, 0), ('z', 6, 0), ('s', -2, 0), ('r', -3, 0)], &[], &[]),
            // Default ones fill one by one, also behind one that somebody chose.
            (OLD, &[('z', 10, 0), ('z', -2, 0), ('z', -3, 0)], &["z1=5", "z2=5"], &["uneven"]),
            (NEW, &[('n', 32767, 0), ('z', 32767, 900)], &["n0=10"], &["mixed"]),
            (NEW, &[('r', 0, 900), ('z', 0, 0)], &["z1=10"], &["mixed"]),
            // The flag of a virtio disk does not count beside another disk, but zram is faster than any.
            (NEW, &[('v', 9, 0), ('s', 5, 0)], &[], &[]),
            (NEW, &[('v', 9, 500), ('z', 5, 0)], &["z1=10"], &["inverted"]),
            // No area is put level with an unknown one.
            (NEW, &[('r', 9, 500), ('z', 5, 0), ('u', 10, 0)], &["z1=20"], &["inverted"]),
        ],
    );
}

#[test]
fn areas_of_unknown_speed_are_named_also_when_nothing_else_is_found() {
    for strategy in [Strategy::Tiered, Strategy::Equal] {
        let found = run_strategy(&strategy, &machine(NEW, &[('z', 9, 0), ('u', 5, 0)], None));
        let is_named =
            |it: &RebalanceFinding| it.text.starts_with("/dev/u1 is unchanged: its speed");
        assert!(found.findings.iter().any(is_named), "{:?}", found.findings);
    }
}

#[test]
fn improvements_count_only_areas_with_free_space() {
    let better_with = |strategy, rows: &[Row]| {
        let found = run_strategy(&strategy, &machine(NEW, rows, None));
        found.findings.into_iter().filter_map(|it| it.better).collect::<Vec<_>>()
    };
    let better = |rows: &[Row]| better_with(Strategy::Equal, rows);
    let all = better(&[('s', 5, 0), ('s', -1, 0), ('s', 5, 24)]);
    assert_eq!(all, ["all get priority 5: 3 areas share the load instead of 2"]);
    let full = better(&[('s', 5, 1024), ('s', 5, 24), ('s', -1, 0)]);
    assert_eq!(full, ["all get priority 5: 2 areas share the load instead of 1 (/dev/s0 is full)"]);
    let one = better(&[('s', 5, 1024), ('s', -1, 0)]);
    assert_eq!(one, ["all get priority 5: they share the load once /dev/s0 has free space"]);
    let inverted = better_with(Strategy::Tiered, &[('s', 5, 24), ('r', 3, 0), ('s', 1, 0)]);
    assert_eq!(
        inverted[0],
        "faster areas fill first: the next 2G go to /dev/s0, /dev/s2, then to /dev/r1"
    );
}

/// The machine after the steps: the contents of the areas are in memory.
fn apply_plan(plan: &Plan, snapshot: &Snapshot, release: &str) -> Snapshot {
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    for step in &plan.steps {
        let Step::Renew { from, to } = step else { panic!("{step:?}") };
        let was = areas.iter().find(|area| area.path == from.path).unwrap().priority;
        if release == OLD && was < 0 {
            areas.iter_mut().filter(|area| area.priority < was).for_each(|area| area.priority += 1);
        }
        let others = areas.iter().filter(|area| area.path != to.path);
        let lowest = others.map(|area| area.priority).min().unwrap_or(0).min(-1);
        let area = areas.iter_mut().find(|area| area.path == to.path).unwrap();
        area.used = Reading::Known(Bytes(0));
        area.priority = match to.priority {
            Priority::Set(number) => i32::from(number),
            Priority::Default if release == NEW => -1,
            Priority::Default => lowest - 1,
        };
    }
    let swaps = Sampled::new(None, Reading::Known(areas));
    Snapshot { swaps, ..snapshot.clone() }
}

/// Pseudo-random areas.
struct RandomRows(u64);

impl RandomRows {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    /// A machine that a kernel of this release could show.
    fn rows(&mut self, release: &str) -> Vec<Row> {
        let count = self.below(9);
        let mut next = -2;
        let mut row = || {
            let class = ['z', 's', 'r', 'n', 'u'][usize::try_from(self.below(5)).unwrap()];
            let priority = match self.below(8) {
                0..3 if release == NEW => -1,
                0..3 => {
                    next -= 1;
                    next + 1
                }
                3 => 0,
                4 => 32767,
                _ => i32::try_from(self.below(6)).unwrap(),
            };
            (class, priority, self.below(1024))
        };
        (0..count).map(|_| row()).collect()
    }
}

/// The priorities of each class.
fn ranks(snapshot: &Snapshot) -> Vec<(Speed, Vec<i32>)> {
    let machine = ClassifiedMachine::from_snapshot(snapshot, &[]);
    let classes = machine.areas_by_class();
    let of = |class: &Vec<&ClassifiedArea<'_>>| {
        let speed = class[0].speed.known().copied().unwrap();
        (speed, class.iter().map(|member| member.rank).collect())
    };
    classes.iter().map(of).collect()
}

/// Checks that no slower class comes level with a faster one, or above it, unless it was wholly so
/// before.
fn assert_slower_stay_below(before: &Snapshot, after: &Snapshot, what: &str) {
    let (before, after) = (ranks(before), ranks(after));
    for (place, (slow, slow_after)) in before.iter().zip(&after).enumerate() {
        for (fast, fast_after) in before.iter().zip(&after).take(place) {
            let least = slow.1.iter().min().cmp(&fast.1.iter().max());
            let most = slow_after.1.iter().max().cmp(&fast_after.1.iter().min());
            assert!(most.is_lt() || most == least, "{what}: {before:?} {after:?}");
        }
    }
}

#[test]
fn rebalancing_twice_changes_nothing_on_random_machines() {
    let mut dice = RandomRows(0x2545_F491_4F6C_DD1D);
    let mut wrong = 0;
    for round in 0..4000 {
        let release = if round % 2 == 0 { OLD } else { NEW };
        let rows = dice.rows(release);
        let node = |row: &Row| (row.0 != 'z' && dice.below(3) == 0).then_some(0);
        let nodes: Vec<Option<i32>> = rows.iter().map(node).collect();
        let before = on_nodes(machine(release, &rows, None), &nodes);
        for strategy in [Strategy::Equal, Strategy::Tiered] {
            let first = run_strategy(&strategy, &before);
            wrong += u32::from(first.is_wrong());
            let untouched = |step: &Step| !step.subject().base().safe().starts_with('u');
            assert!(first.plan.steps.iter().all(untouched), "{rows:?}");
            let after = apply_plan(&first.plan, &before, release);
            let second = run_strategy(&strategy, &after);
            assert!(
                !second.is_wrong(),
                "{release} {rows:?} {:?}: {second:#?}",
                planned_priorities(&first)
            );
            if strategy == Strategy::Equal {
                let what = format!("{release} {rows:?} {:?}", planned_priorities(&first));
                assert_slower_stay_below(&before, &after, &what);
                let inverted =
                    |found: &Rebalance| found.findings.iter().any(|f| f.id == "inverted");
                let told = (inverted(&first), inverted(&second));
                assert_eq!(told.0, told.1, "{what}: {first:#?} {second:#?}");
            }
        }
    }
    assert!(wrong > 4000, "too little was wrong to say anything: {wrong}");
}

#[test]
fn custom_sets_exactly_the_given_priorities() {
    let snapshot = machine(NEW, &[('z', 5, 0), ('u', -1, 0)], None);
    let wish = |path: &str, priority| (Name::from(path), priority);
    let of =
        |wishes: Vec<_>| rebalance(&Strategy::Custom(wishes), &snapshot, &[], |_| Discard::None);
    let good = of(vec![wish("/dev/z0", Priority::Default), wish("/dev/u1", Priority::Set(7))]);
    let good = good.unwrap();
    assert_eq!(planned_priorities(&good), ["u1=7", "z0=default"]);
    assert_eq!((good.findings[0].now, good.findings[0].then), (Some(5.0), None));
    assert!(!of(vec![wish("/dev/z0", Priority::Set(5))]).unwrap().is_wrong());
    let none = of(vec![wish("/dev/none", Priority::Set(5))]).unwrap_err();
    assert!(none.to_string().contains("is not an active swap area"), "{none}");
    let twice = of(vec![wish("/dev/z0", Priority::Set(5)); 2]).unwrap_err();
    assert!(twice.to_string().contains("twice"), "{twice}");
}

#[test]
fn file_on_network_storage_has_the_remote_class() {
    let snapshot = machine(NEW, &[('u', 9, 0), ('z', 5, 0)], None);
    let kinds = [Some("nfs4".to_owned()), None];
    let found = rebalance(&Strategy::Tiered, &snapshot, &kinds, |_| Discard::None).unwrap();
    assert_eq!(planned_priorities(&found), ["u0=2"]);
    let text = &found.findings[0].text;
    assert!(text.contains("/dev/u0 (network, priority 9)"), "{text}");
}

#[test]
fn deleted_area_is_refused() {
    let mut snapshot = machine(NEW, &[('z', 5, 800), ('z', 5, 0), ('z', 7, 0), ('s', 9, 0)], None);
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    for area in &mut areas {
        area.deleted = true;
    }
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    for strategy in [Strategy::Equal, Strategy::Tiered, SPREAD] {
        let refused = rebalance(&strategy, &snapshot, &[], |_| Discard::None).unwrap_err();
        assert!(refused.to_string().contains("was deleted"), "{strategy:?}: {refused}");
    }
}
