//! Tests on kernels that prefer areas of the CPU's node.

use super::*;

#[test]
fn node_areas_are_preferred_whatever_priority_is_shown() {
    let rows = [('z', -2, 0), ('s', -3, 9), ('s', -4, 9)];
    let bound = machine(OLD, &rows, Some(1));
    assert_eq!(planned_priorities(&run_strategy(&Strategy::Equal, &bound)), Vec::<String>::new());
    let tiered = run_strategy(&Strategy::Tiered, &bound);
    assert_eq!(
        (finding_ids(&tiered), planned_priorities(&tiered)),
        (vec!["inverted"], vec!["z0=10".to_owned()])
    );
    assert!(tiered.findings[0].text.contains("first on its node"), "{tiered:?}");
}

/// An area that a node prefers is no fault beside one of no node. If others fill one by one, all get one number: the
/// area would be the last one on its own node with a default priority below them.
#[test]
fn areas_that_a_node_prefers_are_no_fault() {
    let tiered = |rows: &[Row], nodes: &[Option<i32>]| {
        run_strategy(&Strategy::Tiered, &on_nodes(machine(OLD, rows, None), nodes))
    };
    let two = tiered(&[('z', 100, 0), ('s', -2, 1024), ('s', -3, 0)], &[None, Some(0), None]);
    assert_eq!(two.findings, [], "there is nothing wrong, and nobody chose anything");
    let three = [('s', -2, 9), ('s', -3, 9), ('s', -4, 9)];
    let nodes = [Some(0), None, None];
    let found = tiered(&three, &nodes);
    assert_eq!(
        (finding_ids(&found), planned_priorities(&found)),
        (vec!["uneven"], owned(&["s0=10", "s1=10", "s2=10"]))
    );
    let after = apply_plan(&found.plan, &on_nodes(machine(OLD, &three, None), &nodes), OLD);
    assert!(!run_strategy(&Strategy::Tiered, &on_nodes(after, &nodes)).is_wrong());
}

#[test]
fn numa_needs_a_kernel_and_machine_with_node_binding() {
    let rows = [('z', 100, 0), ('s', 5, 0), ('s', -2, 0), ('r', 3, 0)];
    let good = with_nodes(machine(OLD, &rows, Some(1)), 2);
    let bound = run_strategy(&Strategy::Numa, &good);
    assert_eq!(planned_priorities(&bound), ["r3=default", "s1=default"]);
    assert_eq!((bound.findings[1].now, bound.findings[1].then), (Some(1.0), Some(2.0)));
    let after = apply_plan(&bound.plan, &good, OLD);
    assert!(!run_strategy(&Strategy::Numa, &with_nodes(after, 2)).is_wrong());
    let refused = |snapshot: &Snapshot| {
        let refused = rebalance(&Strategy::Numa, snapshot, &[], |_| Discard::None);
        refused.unwrap_err().to_string()
    };
    let set = [('s', 5, 0)];
    for (snapshot, word) in [
        (with_nodes(machine(NEW, &set, Some(1)), 2), "all after 6.18"),
        (with_nodes(machine("?", &set, Some(1)), 2), "is not a number"),
        (with_nodes(machine(OLD, &set, Some(1)), 1), "one node"),
        (with_nodes(machine(OLD, &set, None), 2), "device of a node"),
        (machine(OLD, &set, Some(1)), "not sampled"),
    ] {
        let told = refused(&snapshot);
        assert!(told.contains(word) && told.contains("rebalance equal"), "{told}");
    }
}

#[test]
fn numa_orders_areas_of_other_nodes_by_speed() {
    type Case<'c> = (&'c [Row], &'c [Option<i32>], &'c [&'c str], &'c [&'c str]);
    let cases: &[Case<'_>] = &[
        // The rotational disk holds less, and must still come last.
        (
            &[('r', 3, 0), ('s', 5, 900), ('s', 5, 100)],
            &[None, Some(0), Some(1)],
            &["s2", "s1", "r0"],
            &["unbound"],
        ),
        // An area that already has a default priority would come before the new ones.
        (&[('r', -2, 9), ('s', 5, 0)], &[None, Some(0)], &["s1", "r0"], &["unbound"]),
        // An area preferred on its node stays.
        (&[('s', -2, 900), ('s', 5, 0)], &[Some(0), Some(1)], &["s1"], &["unbound"]),
        (&[('s', 9, 0), ('s', 5, 0)], &[None, Some(0)], &["s0", "s1"], &["unbound"]),
        (&[('s', 5, 9), ('s', -2, 0)], &[None, Some(0)], &["s0"], &["unbound"]),
        (&[('r', -2, 9), ('s', -3, 9)], &[None, Some(0)], &["r0"], &["inverted"]),
        (&[('s', -2, 9), ('r', -3, 9)], &[Some(0), None], &[], &[]),
        (&[('z', -2, 9), ('s', -3, 9)], &[None, Some(0)], &[], &[]),
        // An unknown area keeps its place among the others, and alone where possible.
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
        let found = run_strategy(&Strategy::Numa, &on_nodes(machine(OLD, rows, None), nodes));
        assert_eq!(
            (renewed_areas(&found), finding_ids(&found).as_slice()),
            (owned(steps), *wrong),
            "{rows:?}: {:#?}",
            found.findings
        );
    }
}

#[test]
fn numa_reports_the_order_and_refuses_slower_results() {
    let told = |rows: &[Row], nodes: &[Option<i32>]| {
        let snapshot = on_nodes(machine(OLD, rows, None), nodes);
        let found = rebalance(&Strategy::Numa, &snapshot, &[], |_| Discard::None);
        found.map_or_else(|why| why.to_string(), |found| format!("{:?}", found.findings))
    };
    for (rows, nodes, words) in [
        (
            &[('r', 3, 0), ('s', 5, 9)][..],
            &[None, Some(0)][..],
            "one by one: /dev/s1, /dev/r0; unknown node: /dev/r0",
        ),
        (
            &[('z', -2, 0), ('s', 5, 9)],
            &[None, Some(0)],
            "To change that: swapadm rebalance tiered",
        ),
        (&[('s', 5, 0), ('r', 5, 9)], &[Some(1), Some(0)], "no area can be bound"),
        (&[('s', 5, 0), ('r', 5, 9)], &[Some(1), Some(0)], "before the faster /dev/s0"),
        (
            &[('s', 5, 0), ('u', 7, 9), ('r', 9, 9)],
            &[Some(1), None, None],
            "slower areas above /dev/u1",
        ),
        (&[('s', -2, 0), ('r', -3, 9)], &[Some(0), Some(0)], "before the faster /dev/s0"),
        (&[('u', 3, 0), ('s', 5, 9)], &[None, Some(0)], "/dev/u0 keeps its place"),
        (&[('u', 9, 0), ('s', 5, 9)], &[None, Some(0)], "/dev/u0 is unchanged"),
        (&[('r', 9, 0), ('s', -2, 9)], &[None, Some(0)], "fill /dev/r0 before the areas of their"),
    ] {
        let told = told(rows, nodes);
        assert!(told.contains(words), "{rows:?}: {words:?} is not in {told}");
    }
}

/// The rank by which the kernel fills areas on a node: set numbers, then the node's own areas, then
/// other default ones.
fn fill_rank_on(node: i32, member: &ClassifiedArea<'_>) -> i32 {
    let is_own = member.node == Some(node) && member.is_default();
    if is_own { -1 } else { member.area.priority }
}

/// On every node, no area comes before a faster one, and unknown areas keep their place.
#[test]
fn numa_never_puts_slow_before_fast() {
    let mut dice = RandomRows(0x0DDB_1A5E_5BAD_5EED);
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
        let before = on_nodes(machine(OLD, &rows, None), &nodes);
        let Ok(first) = rebalance(&Strategy::Numa, &before, &[], |_| Discard::None) else {
            refused += 1;
            continue;
        };
        assert_eq!(first.is_wrong(), !first.plan.steps.is_empty(), "{rows:?} {first:#?}");
        wrong += u32::from(first.is_wrong());
        let after = apply_plan(&first.plan, &before, OLD);
        let second = run_strategy(&Strategy::Numa, &after);
        assert!(!second.is_wrong(), "{rows:?} {nodes:?} {first:#?} {second:#?}");
        let (was, is) = (
            ClassifiedMachine::from_snapshot(&before, &[]),
            ClassifiedMachine::from_snapshot(&after, &[]),
        );
        let pairs = was.members.iter().zip(&is.members);
        for ((was_a, a), (was_b, b)) in
            pairs.clone().flat_map(|a| pairs.clone().map(move |b| (a, b)))
        {
            let classes = a.speed.known().zip(b.speed.known());
            for node in [0, 1, 9] {
                let stood = fill_rank_on(node, was_a) > fill_rank_on(node, was_b);
                let stands = fill_rank_on(node, a) > fill_rank_on(node, b);
                let is_faster = classes.is_some_and(|(a, b)| a < b);
                // On a node without areas of its own, and not before an area that nothing outruns.
                let is_zram = b.speed == Reading::Known(Speed::Zram);
                let is_between = node == 9 && classes.is_none() && !is_zram;
                let must = stood && (is_faster || is_between);
                assert!(stands || !must, "{rows:?} {nodes:?} {node}: {was_a:?} {was_b:?}");
            }
        }
    }
    assert!(wrong > 500 && refused > 100, "too little to say anything: {wrong} {refused}");
}
