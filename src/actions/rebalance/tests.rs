//! What each strategy finds and wants, on machines of all kinds.

use super::*;
use crate::actions::Step;
use crate::derive::balance;
use crate::derive::defaults::testing::kernel;
use crate::derive::speed::testing::device;
use crate::model::block::BlockKind;
use crate::model::counters::Counters;
use crate::model::numa::NumaNode;
use crate::model::swaparea::{AreaKind, testing};
use crate::model::thp::{MthpSize, Thp};
use crate::model::{Sampled, Stamp};

const OLD: &str = "6.12.1";
const NEW: &str = "7.2.13";

/// An area: its class by a letter (`z`ram, `s`olid, `r`otational, `n`etwork, `u`nknown), its
/// priority and how many MiB are on it.
type Row = (char, i32, u64);

fn name(place: usize, row: Row) -> String {
    format!("/dev/{}{place}", row.0)
}

/// A machine with such areas of 1 GiB; an area on solid state belongs to this node, if any.
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

fn with_nodes(mut snapshot: Snapshot, count: u32) -> Snapshot {
    let node = |id| NumaNode {
        id,
        cpus: Reading::not_sampled(),
        distance: Reading::not_sampled(),
        meminfo: Reading::not_sampled(),
        vmstat: Reading::not_sampled(),
    };
    snapshot.numa = Sampled::new(None, Reading::Known((0..count).map(node).collect()));
    snapshot
}

fn found(strategy: &Strategy, snapshot: &Snapshot) -> Rebalance {
    let found = rebalance(strategy, snapshot, &[], |_| Discard::None).unwrap();
    assert_eq!(found.is_wrong(), !found.plan.steps.is_empty(), "{found:#?}");
    found
}

fn wishes(found: &Rebalance) -> Vec<String> {
    let wish = |step: &Step| {
        let Step::Renew { to, .. } = step else { panic!("{step:?}") };
        format!("{}={}", to.path.base().safe(), to.priority)
    };
    let mut wishes: Vec<String> = found.plan.steps.iter().map(wish).collect();
    wishes.sort();
    wishes
}

fn ids(found: &Rebalance) -> Vec<&'static str> {
    found.findings.iter().filter(|finding| finding.wrong).map(|finding| finding.id).collect()
}

/// One case: the kernel, the areas, the changes, what is wrong.
type Case<'c> = (&'c str, &'c [Row], &'c [&'c str], &'c [&'c str]);

fn check(strategy: &Strategy, cases: &[Case<'_>]) {
    for (release, rows, wanted, wrong) in cases {
        let found = found(strategy, &machine(release, rows, None));
        assert_eq!(
            (wishes(&found).as_slice(), ids(&found).as_slice()),
            (&owned(wanted)[..], *wrong),
            "{rows:?}"
        );
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn equal_gives_each_class_the_highest_of_its_own() {
    check(
        &Strategy::Equal,
        &[
            (NEW, &[], &[], &[]),
            (NEW, &[('z', 5, 0), ('z', 5, 9), ('r', 3, 0)], &[], &[]),
            (NEW, &[('z', 5, 0), ('z', 9, 9)], &["z0=9"], &["uneven"]),
            (NEW, &[('z', -1, 0), ('z', -1, 0), ('r', -1, 0)], &[], &[]),
            (NEW, &[('z', -1, 0), ('z', 0, 0)], &["z0=0"], &["uneven"]),
            // Classes stay in their order, also where it is a poor one.
            (NEW, &[('z', 5, 0), ('r', 9, 0), ('r', 7, 0)], &["r2=9"], &["uneven"]),
            // But a slow area is not lifted over a faster one, nor level with it.
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
            // There is no number below 0: the one above it must make room.
            (
                OLD,
                &[('s', 0, 0), ('z', -2, 0), ('z', -3, 0)],
                &["s0=20", "z1=10", "z2=10"],
                &["uneven"],
            ),
            (OLD, &[('z', -2, 0), ('r', -3, 0)], &[], &[]),
            // Nothing is decided about what is not known.
            (NEW, &[('u', 1, 0), ('u', 2, 0), ('z', 3, 0)], &[], &[]),
        ],
    );
}

#[test]
fn equal_tells_what_stays_poor_and_why_a_level_is_not_the_highest() {
    let told = |rows: &[Row]| {
        let found = found(&Strategy::Equal, &machine(NEW, rows, None));
        let of = |finding: &Finding| {
            format!("{} {} {}", finding.id, finding.text, finding.better.as_deref().unwrap_or(""))
        };
        found.findings.iter().map(of).collect::<Vec<_>>().join("\n")
    };
    for (rows, words) in [
        (&[('z', 5, 0), ('r', 9, 0), ('r', 7, 0)][..], "inverted slower areas are filled before"),
        (&[('z', 5, 0), ('r', 9, 0)], "swapadm rebalance tiered changes that"),
        (
            &[('z', 5, 0), ('r', 9, 0), ('r', 1, 0)],
            "since 9 would leave some of them before faster",
        ),
        (&[('z', 5, 0), ('r', 5, 0), ('r', 5, 0)], "mixed"),
    ] {
        let told = told(rows);
        assert!(told.contains(words), "{rows:?}: {words:?} is not in {told}");
    }
    let apart = machine(OLD, &[('s', -2, 0), ('s', -3, 0)], None);
    let apart = placed(apart, &[Some(0), None]);
    let better = found(&Strategy::Equal, &apart).findings[0].better.clone().unwrap();
    assert!(better.contains("; /dev/s0 not first on the own NUMA node any more"), "{better}");
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
    check(
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
            (NEW, &[('z', 5, 9), ('z', 7, 0), ('r', -1, 0)], &["z1=5"], &["uneven"]),
            (
                OLD,
                &[('z', 5, 0), ('r', -2, 0), ('r', -3, 0), ('n', -4, 0)],
                &["r1=2", "r2=2"],
                &["uneven"],
            ),
            (OLD, &[('z', 5, 0), ('z', 6, 0), ('s', -2, 0), ('r', -3, 0)], &["z0=6"], &["uneven"]),
            (NEW, &[('n', 32767, 0), ('z', 32767, 900)], &["n0=10"], &["mixed"]),
            (NEW, &[('r', 0, 900), ('z', 0, 0)], &["z1=10"], &["mixed"]),
            // Nobody is put beside what is not known.
            (NEW, &[('r', 9, 500), ('z', 5, 0), ('u', 10, 0)], &["z1=20"], &["inverted"]),
        ],
    );
}

/// The machine when the steps have been made: what was on the areas is in memory.
fn carried_out(plan: &Plan, snapshot: &Snapshot, release: &str) -> Snapshot {
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

/// Numbers without a pattern.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    /// A machine as a kernel of this release could show it.
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
    let machine = Machine::of(snapshot, &[]);
    let classes = machine.classes();
    let of = |class: &Vec<&Member<'_>>| {
        let speed = class[0].speed.known().copied().unwrap();
        (speed, class.iter().map(|member| member.rank).collect())
    };
    classes.iter().map(of).collect()
}

/// No slower class comes to stand level with a faster one, or above it, that did not wholly before.
fn keeps_slower_ones_below(before: &Snapshot, after: &Snapshot, what: &str) {
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
fn what_was_put_right_stays_so_on_machines_of_all_kinds() {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let mut wrong = 0;
    for round in 0..4000 {
        let release = if round % 2 == 0 { OLD } else { NEW };
        let rows = dice.rows(release);
        let node = (dice.below(3) == 0).then_some(0);
        let before = machine(release, &rows, node);
        for strategy in [Strategy::Equal, Strategy::Tiered] {
            let first = found(&strategy, &before);
            wrong += u32::from(first.is_wrong());
            let untouched = |step: &Step| !step.subject().base().safe().starts_with('u');
            assert!(first.plan.steps.iter().all(untouched), "{rows:?}");
            let after = carried_out(&first.plan, &before, release);
            let second = found(&strategy, &after);
            assert!(!second.is_wrong(), "{release} {rows:?} {:?}: {second:#?}", wishes(&first));
            if strategy == Strategy::Equal {
                let what = format!("{release} {rows:?} {:?}", wishes(&first));
                keeps_slower_ones_below(&before, &after, &what);
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
fn areas_of_a_node_are_preferred_there_whatever_they_show() {
    let rows = [('z', -2, 0), ('s', -3, 9), ('s', -4, 9)];
    let bound = machine(OLD, &rows, Some(1));
    assert_eq!(wishes(&found(&Strategy::Equal, &bound)), Vec::<String>::new());
    let tiered = found(&Strategy::Tiered, &bound);
    assert_eq!((ids(&tiered), wishes(&tiered)), (vec!["inverted"], vec!["z0=10".to_owned()]));
    assert!(tiered.findings[0].text.contains("first on its node"), "{tiered:?}");
}

#[test]
fn numa_is_for_kernels_and_machines_that_bind() {
    let rows = [('z', 100, 0), ('s', 5, 0), ('s', -2, 0), ('r', 3, 0)];
    let good = with_nodes(machine(OLD, &rows, Some(1)), 2);
    let bound = found(&Strategy::Numa, &good);
    assert_eq!(wishes(&bound), ["r3=default", "s1=default"]);
    assert_eq!((bound.findings[1].now, bound.findings[1].then), (Some(1.0), Some(2.0)));
    let after = carried_out(&bound.plan, &good, OLD);
    assert!(!found(&Strategy::Numa, &with_nodes(after, 2)).is_wrong());
    let refused = |snapshot: &Snapshot| {
        let refused = rebalance(&Strategy::Numa, snapshot, &[], |_| Discard::None);
        refused.unwrap_err().to_string()
    };
    let set = [('s', 5, 0)];
    for (snapshot, word) in [
        (with_nodes(machine(NEW, &set, Some(1)), 2), "all after 6.18"),
        (with_nodes(machine("?", &set, Some(1)), 2), "not known"),
        (with_nodes(machine(OLD, &set, Some(1)), 1), "one node"),
        (with_nodes(machine(OLD, &set, None), 2), "belongs to a node"),
        (machine(OLD, &set, Some(1)), "did not need it"),
    ] {
        let told = refused(&snapshot);
        assert!(told.contains(word) && told.contains("rebalance equal"), "{told}");
    }
}

/// The same machine with this node for each area, if any.
fn placed(mut snapshot: Snapshot, nodes: &[Option<i32>]) -> Snapshot {
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
fn renewed(found: &Rebalance) -> Vec<String> {
    let steps = found.plan.steps.iter();
    steps.map(|step| step.subject().base().safe()).collect()
}

#[test]
fn numa_puts_faster_areas_before_slower_ones_behind_those_of_the_node() {
    type Case<'c> = (&'c [Row], &'c [Option<i32>], &'c [&'c str], &'c [&'c str]);
    let cases: &[Case<'_>] = &[
        // The disk has less on it, and must come last all the same.
        (
            &[('r', 3, 0), ('s', 5, 900), ('s', 5, 100)],
            &[None, Some(0), Some(1)],
            &["s2", "s1", "r0"],
            &["unbound"],
        ),
        // One that has a default priority already would stand before those that get one now.
        (&[('r', -2, 9), ('s', 5, 0)], &[None, Some(0)], &["s1", "r0"], &["unbound"]),
        // What is preferred on its node stays.
        (&[('s', -2, 900), ('s', 5, 0)], &[Some(0), Some(1)], &["s1"], &["unbound"]),
        (&[('s', 9, 0), ('s', 5, 0)], &[None, Some(0)], &["s0", "s1"], &["unbound"]),
        (&[('s', 5, 9), ('s', -2, 0)], &[None, Some(0)], &["s0"], &["unbound"]),
        (&[('r', -2, 9), ('s', -3, 9)], &[None, Some(0)], &["r0"], &["inverted"]),
        (&[('s', -2, 9), ('r', -3, 9)], &[Some(0), None], &[], &[]),
        (&[('z', -2, 9), ('s', -3, 9)], &[None, Some(0)], &[], &[]),
        // What is not known stays where it is among the others, and alone where that can be.
        (&[('u', 9, 9), ('s', 5, 9)], &[None, Some(0)], &["s1"], &["unbound"]),
        (&[('u', 3, 9), ('s', 5, 9)], &[None, Some(0)], &["s1", "u0"], &["unbound"]),
        (&[('u', -2, 9), ('s', 5, 9)], &[None, Some(0)], &["s1", "u0"], &["unbound"]),
        (
            &[('s', -2, 9), ('u', 3, 9), ('s', 5, 9)],
            &[Some(0), None, Some(1)],
            &["s2", "u1", "s0"],
            &["unbound"],
        ),
        (&[('r', -2, 9), ('u', -3, 9), ('s', -4, 9)], &[None, None, Some(0)], &[], &[]),
    ];
    for (rows, nodes, steps, wrong) in cases {
        let found = found(&Strategy::Numa, &placed(machine(OLD, rows, None), nodes));
        assert_eq!(
            (renewed(&found), ids(&found).as_slice()),
            (owned(steps), *wrong),
            "{rows:?}: {:#?}",
            found.findings
        );
    }
}

#[test]
fn numa_tells_what_stands_where_and_refuses_what_would_be_slower() {
    let told = |rows: &[Row], nodes: &[Option<i32>]| {
        let snapshot = placed(machine(OLD, rows, None), nodes);
        let found = rebalance(&Strategy::Numa, &snapshot, &[], |_| Discard::None);
        found.map_or_else(|why| why.to_string(), |found| format!("{:?}", found.findings))
    };
    for (rows, nodes, words) in [
        (
            &[('r', 3, 0), ('s', 5, 9)][..],
            &[None, Some(0)][..],
            "one after the other: /dev/s1, /dev/r0; no node is known of /dev/r0",
        ),
        (&[('z', -2, 0), ('s', 5, 9)], &[None, Some(0)], "rebalance tiered changes that"),
        (&[('s', 5, 0), ('r', 5, 9)], &[Some(1), Some(0)], "no area can be bound"),
        (&[('s', 5, 0), ('r', 5, 9)], &[Some(1), Some(0)], "does not fill the faster /dev/s0"),
        (&[('s', 5, 0), ('u', 7, 9), ('r', 9, 9)], &[Some(1), None, None], "stand above /dev/u1"),
        (&[('s', -2, 0), ('r', -3, 9)], &[Some(0), Some(0)], "does not fill the faster /dev/s0"),
        (&[('u', 3, 0), ('s', 5, 9)], &[None, Some(0)], "/dev/u0 keeps its place"),
        (&[('u', 9, 0), ('s', 5, 9)], &[None, Some(0)], "/dev/u0 is left as it is"),
        (&[('r', 9, 0), ('s', -2, 9)], &[None, Some(0)], "fill /dev/r0 before the areas of their"),
    ] {
        let told = told(rows, nodes);
        assert!(told.contains(words), "{rows:?}: {words:?} is not in {told}");
    }
}

/// By what the kernel fills areas on a node: numbers, then the node's own, then the other default
/// ones.
fn filled_on(node: i32, member: &Member<'_>) -> i32 {
    let is_own = member.node == Some(node) && member.is_default();
    if is_own { -1 } else { member.area.priority }
}

/// No area comes to stand before a faster one on any node, and what is not known stays in between.
#[test]
fn numa_puts_nothing_slow_before_something_fast_on_any_machine() {
    let mut dice = Dice(0x0DDB_1A5E_5BAD_5EED);
    let (mut wrong, mut refused) = (0, 0);
    for _ in 0..4000 {
        let rows = dice.rows(OLD);
        let nodes: Vec<Option<i32>> = rows
            .iter()
            .map(|row| match (row.0, dice.below(8)) {
                ('s', side @ 0..6) => Some(i32::from(side > 2)),
                ('r', 0) => Some(0),
                _ => None,
            })
            .collect();
        let before = placed(machine(OLD, &rows, None), &nodes);
        let Ok(first) = rebalance(&Strategy::Numa, &before, &[], |_| Discard::None) else {
            refused += 1;
            continue;
        };
        assert_eq!(first.is_wrong(), !first.plan.steps.is_empty(), "{rows:?} {first:#?}");
        wrong += u32::from(first.is_wrong());
        let after = carried_out(&first.plan, &before, OLD);
        let second = found(&Strategy::Numa, &after);
        assert!(!second.is_wrong(), "{rows:?} {nodes:?} {first:#?} {second:#?}");
        let (was, is) = (Machine::of(&before, &[]), Machine::of(&after, &[]));
        let pairs = was.members.iter().zip(&is.members);
        for ((was_a, a), (was_b, b)) in
            pairs.clone().flat_map(|a| pairs.clone().map(move |b| (a, b)))
        {
            let classes = a.speed.known().zip(b.speed.known());
            for node in [0, 1, 9] {
                let stood = filled_on(node, was_a) > filled_on(node, was_b);
                let stands = filled_on(node, a) > filled_on(node, b);
                let is_faster = classes.is_some_and(|(a, b)| a < b);
                // On a node without areas of its own, and not before what nothing is faster than.
                let is_zram = b.speed == Reading::Known(Speed::Zram);
                let is_between = node == 9 && classes.is_none() && !is_zram;
                let must = stood && (is_faster || is_between);
                assert!(stands || !must, "{rows:?} {nodes:?} {node}: {was_a:?} {was_b:?}");
            }
        }
    }
    assert!(wrong > 500 && refused > 100, "too little to say anything: {wrong} {refused}");
}

const SPREAD: Strategy = Strategy::Spread(0.20);

#[test]
fn spread_empties_what_holds_more_than_its_part_where_that_helps() {
    for (rows, emptied, wrong) in [
        (&[('z', 5, 800), ('z', 5, 0)][..], &["z0"][..], &["skew"][..]),
        (&[('z', 5, 800), ('z', 5, 260), ('z', 5, 100), ('z', 5, 100)], &["z0"], &["skew"]),
        (&[('z', 5, 500), ('z', 5, 480), ('z', 5, 20), ('z', 5, 0)], &["z1", "z0"], &["skew"]),
        // Of different priorities each is alone.
        (&[('z', 5, 800), ('z', 4, 0)], &[], &[]),
        (&[('z', 5, 550), ('z', 5, 450)], &[], &[]),
        // Too little to tell.
        (&[('z', 5, 15), ('z', 5, 0)], &[], &[]),
        // The kernel does not fill these evenly: emptying one changes nothing for long.
        (&[('s', 5, 800), ('r', 5, 0)], &[], &[]),
        (&[('u', 5, 800), ('u', 5, 0)], &[], &[]),
        (&[], &[], &[]),
        // Two groups, each for itself.
        (
            &[('z', 5, 800), ('z', 5, 0), ('r', 3, 300), ('r', 3, 0)],
            &["r2", "z0"],
            &["skew", "skew"],
        ),
    ] {
        let found = found(&SPREAD, &machine(NEW, rows, None));
        let paths = found.plan.steps.iter().map(|step| step.subject().base().safe());
        assert_eq!(paths.collect::<Vec<_>>(), emptied, "{rows:?}: {:?}", found.findings);
        assert_eq!(ids(&found), wrong, "{rows:?}");
        let same = |step: &Step| !step.leaves_a_mark();
        assert!(found.plan.steps.iter().all(same) && found.plan.apart);
    }
}

/// Full areas that are smaller than their part would be are no imbalance, and nothing is unknown.
#[test]
fn spread_leaves_alone_what_cannot_be_better() {
    let mut snapshot = machine(NEW, &[('z', 5, 100), ('z', 5, 700)], None);
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    areas[0].size = Bytes(100 << 20);
    snapshot.swaps = Sampled::new(None, Reading::Known(areas.clone()));
    assert_eq!(found(&SPREAD, &snapshot).findings, []);
    areas[1].used = Reading::failed("wrapped");
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    let unknown = found(&SPREAD, &snapshot);
    assert!(unknown.findings[0].text.contains("wrapped") && !unknown.is_wrong());
}

/// A machine on which so many MiB were swapped out in large folios.
fn with_large(mut snapshot: Snapshot, mib: Reading<u64>) -> Snapshot {
    let none = || Reading::absent("none");
    let counters = |count| Counters::new("stats", vec![("swpout".into(), count)]);
    let size = MthpSize {
        size: Bytes(1 << 20),
        enabled: none(),
        shmem_enabled: none(),
        stats: mib.map(counters),
    };
    let thp = Thp {
        enabled: none(),
        defrag: none(),
        shmem_enabled: none(),
        pmd_size: Reading::Known(Bytes(2 << 20)),
        sizes: Reading::Known(vec![size]),
    };
    snapshot.thp = Sampled::new(None, Reading::Known(thp));
    let vmstat = Counters::new("/proc/vmstat", vec![("thp_swpout".into(), 0)]);
    snapshot.vmstat = Sampled::new(None, Reading::Known(vmstat));
    snapshot
}

/// The same with areas that are files, by their place.
fn with_files(mut snapshot: Snapshot, files: &[usize]) -> Snapshot {
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    for place in files {
        areas[*place].kind = AreaKind::File;
    }
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    snapshot
}

/// Large folios go to block devices alone: what lies there by that is where it belongs.
#[test]
fn spread_leaves_large_folios_where_alone_they_fit() {
    let unread = || Reading::failed("broken");
    for (release, rows, files, large, emptied) in [
        (NEW, &[('s', 5, 800), ('s', 5, 0)][..], &[1][..], Reading::Known(0), &["s0"][..]),
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[1], Reading::Known(399), &["s0"]),
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[1], Reading::Known(400), &[]),
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[1], unread(), &[]),
        // It does not explain a file that holds more.
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[0], Reading::Known(9999), &["s0"]),
        // Nor what is uneven among areas of one kind.
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[], Reading::Known(9999), &["s0"]),
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[0, 1], Reading::Known(9999), &["s0"]),
        (NEW, &[('s', 5, 900), ('s', 5, 0), ('s', 5, 100)], &[2], Reading::Known(9999), &["s0"]),
        // What rotates takes them after 6.12 only.
        (NEW, &[('r', 5, 800), ('r', 5, 0)], &[1], Reading::Known(9999), &[]),
        (OLD, &[('r', 5, 800), ('r', 5, 0)], &[1], Reading::Known(9999), &["r0"]),
        (OLD, &[('s', 5, 800), ('s', 5, 0)], &[1], Reading::Known(9999), &[]),
    ] {
        let snapshot = with_files(machine(release, rows, None), files);
        let found = found(&SPREAD, &with_large(snapshot, large.clone()));
        assert_eq!(renewed(&found), owned(emptied), "{release} {rows:?} {files:?} {large:?}");
        let told = emptied.is_empty();
        assert_eq!(found.findings[0].text.contains("large folios"), told, "{found:#?}");
    }
    // Before all sizes were counted only the largest went whole.
    let mut old = with_files(machine(OLD, &[('s', 5, 800), ('s', 5, 0)], None), &[1]);
    let vmstat = Counters::new("/proc/vmstat", vec![("thp_swpout".into(), 200)]);
    old.vmstat = Sampled::new(None, Reading::Known(vmstat.clone()));
    assert!(found(&SPREAD, &old).findings[0].text.contains("is not known"), "its size is not");
    let mut sized = with_large(old, Reading::absent("none"));
    sized.vmstat = Sampled::new(None, Reading::Known(vmstat));
    assert!(!found(&SPREAD, &sized).is_wrong(), "200 of 2 MiB");
}

/// Where what was on an area goes when it is emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goes {
    /// It stays in memory.
    Memory,
    /// It is swapped out again, later.
    Again,
    /// There is no memory for it: it goes to the others at once.
    Others,
}

/// Wherever what was moved goes, a timer comes to rest, and each run made it better.
#[test]
fn spread_comes_to_rest() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut runs = Vec::new();
    for round in 0..3000 {
        let goes = [Goes::Memory, Goes::Again, Goes::Others][round % 3];
        let rows: Vec<Row> = (0..=dice.below(7)).map(|_| ('z', 5, dice.below(700))).collect();
        let mut snapshot = machine(NEW, &rows, None);
        let memory = if goes == Goes::Others { 0 } else { 1 << 30 };
        let meminfo = Counters::new("/proc/meminfo", vec![("MemAvailable".into(), memory)]);
        snapshot.meminfo = Sampled::new(None, Reading::Known(meminfo));
        let mut count = 0;
        loop {
            let found = found(&SPREAD, &snapshot);
            if !found.is_wrong() {
                break;
            }
            count += 1;
            assert!(count < 10, "{goes:?} {rows:?}");
            snapshot = emptied(&found.plan, &snapshot, goes);
            let finding = &found.findings[0];
            if goes != Goes::Memory {
                let (then, now) = (finding.then.unwrap(), finding.now.unwrap());
                assert!(then < now, "{goes:?} {rows:?}");
                let is = balance::groups(snapshot.swaps.reading.known().unwrap())[0].skew.clone();
                let is = is.known().copied().unwrap_or(0.0);
                assert!((is - then).abs() < 0.02, "{goes:?} {rows:?}: {is} is not {then}");
            }
        }
        assert!(goes != Goes::Again || count < 3, "{rows:?} took {count} runs");
        runs.push(count);
    }
    assert!(runs.iter().any(|count| *count > 0));
}

/// The machine when the areas have been emptied, one after the other.
fn emptied(plan: &Plan, snapshot: &Snapshot, goes: Goes) -> Snapshot {
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    let mut later = Bytes(0);
    for step in &plan.steps {
        let moved = step.moves(&areas);
        let place = areas.iter().position(|area| area.path == *step.subject()).unwrap();
        areas[place].used = Reading::Known(Bytes(0));
        match goes {
            Goes::Memory => {}
            Goes::Again => later = later.saturating_add(moved),
            Goes::Others => filled(&mut areas, moved, Some(place)),
        }
    }
    filled(&mut areas, later, None);
    Snapshot { swaps: Sampled::new(None, Reading::Known(areas)), ..snapshot.clone() }
}

/// So much more is swapped out, MiB by MiB in turns, but to one area.
fn filled(areas: &mut [SwapArea], more: Bytes, off: Option<usize>) {
    let mut left = more.0;
    while left > 0 {
        for (place, area) in areas.iter_mut().enumerate() {
            let used = area.used.known().unwrap().0;
            let piece = left.min(1 << 20).min(area.size.0 - used);
            if off != Some(place) {
                area.used = Reading::Known(Bytes(used + piece));
                left -= piece;
            }
        }
    }
}

/// Of two areas the other one would hold all.
#[test]
fn spread_does_not_move_all_from_one_to_the_other() {
    let mut snapshot = machine(NEW, &[('z', 5, 800), ('z', 5, 0)], None);
    let meminfo = Counters::new("/proc/meminfo", vec![("MemAvailable".into(), 0)]);
    snapshot.meminfo = Sampled::new(None, Reading::Known(meminfo));
    let found = found(&SPREAD, &snapshot);
    assert!(!found.is_wrong(), "{found:#?}");
    assert!(found.findings[0].text.contains("would not make it more even"), "{found:#?}");
}

#[test]
fn custom_is_done_to_the_letter() {
    let snapshot = machine(NEW, &[('z', 5, 0), ('u', -1, 0)], None);
    let wish = |path: &str, priority| (Name::from(path), priority);
    let of =
        |wishes: Vec<_>| rebalance(&Strategy::Custom(wishes), &snapshot, &[], |_| Discard::None);
    let good = of(vec![wish("/dev/z0", Priority::Default), wish("/dev/u1", Priority::Set(7))]);
    let good = good.unwrap();
    assert_eq!(wishes(&good), ["u1=7", "z0=default"]);
    assert_eq!((good.findings[0].now, good.findings[0].then), (Some(5.0), None));
    assert!(!of(vec![wish("/dev/z0", Priority::Set(5))]).unwrap().is_wrong());
    let none = of(vec![wish("/dev/none", Priority::Set(5))]).unwrap_err();
    assert!(none.to_string().contains("is not active"), "{none}");
    let twice = of(vec![wish("/dev/z0", Priority::Set(5)); 2]).unwrap_err();
    assert!(twice.to_string().contains("twice"), "{twice}");
}

#[test]
fn a_file_on_a_network_is_of_that_class() {
    let snapshot = machine(NEW, &[('u', 9, 0), ('z', 5, 0)], None);
    let kinds = [Some("nfs4".to_owned()), None];
    let found = rebalance(&Strategy::Tiered, &snapshot, &kinds, |_| Discard::None).unwrap();
    assert_eq!(wishes(&found), ["u0=2"]);
    let text = &found.findings[0].text;
    assert!(text.contains("/dev/u0 (network, priority 9)"), "{text}");
}

#[test]
fn what_has_no_name_any_more_is_refused() {
    let mut snapshot = machine(NEW, &[('z', 5, 800), ('z', 5, 0), ('z', 7, 0)], None);
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
