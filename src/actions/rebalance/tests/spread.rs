//! Tests of overfull areas.

use super::*;

#[test]
fn spread_drains_overfull_areas_where_it_helps() {
    for (rows, emptied, wrong) in [
        (&[('z', 5, 800), ('z', 5, 0)][..], &["z0"][..], &["skew"][..]),
        (&[('z', 5, 800), ('z', 5, 260), ('z', 5, 100), ('z', 5, 100)], &["z0"], &["skew"]),
        (&[('z', 5, 500), ('z', 5, 480), ('z', 5, 20), ('z', 5, 0)], &["z1", "z0"], &["skew"]),
        // Each is alone in its priority group.
        (&[('z', 5, 800), ('z', 4, 0)], &[], &[]),
        (&[('z', 5, 550), ('z', 5, 450)], &[], &[]),
        // Too little data to judge.
        (&[('z', 5, 15), ('z', 5, 0)], &[], &[]),
        // Different speeds fill unevenly: draining one has no lasting effect.
        (&[('s', 5, 800), ('r', 5, 0)], &[], &[]),
        (&[('u', 5, 800), ('u', 5, 0)], &[], &[]),
        (&[], &[], &[]),
        // Two groups, judged separately.
        (
            &[('z', 5, 800), ('z', 5, 0), ('r', 3, 300), ('r', 3, 0)],
            &["r2", "z0"],
            &["skew", "skew"],
        ),
    ] {
        let found = run_strategy(&SPREAD, &machine(NEW, rows, None));
        let paths = found.plan.steps.iter().map(|step| step.subject().base().safe());
        assert_eq!(paths.collect::<Vec<_>>(), emptied, "{rows:?}: {:?}", found.findings);
        assert_eq!(finding_ids(&found), wrong, "{rows:?}");
        let same = |step: &Step| !step.is_observable();
        assert!(found.plan.steps.iter().all(same) && found.plan.independent);
    }
}

/// Full areas smaller than their share are no imbalance.
#[test]
fn spread_leaves_groups_alone_that_cannot_improve() {
    let mut snapshot = machine(NEW, &[('z', 5, 100), ('z', 5, 700)], None);
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    areas[0].size = Bytes(100 << 20);
    snapshot.swaps = Sampled::new(None, Reading::Known(areas.clone()));
    assert_eq!(run_strategy(&SPREAD, &snapshot).findings, []);
    areas[1].used = Reading::failed("wrapped");
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    let unknown = run_strategy(&SPREAD, &snapshot);
    assert!(unknown.findings[0].text.contains("wrapped") && !unknown.is_wrong());
}

/// A machine that swapped out this many MiB in large folios, of 800.
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
    snapshot.vmstat = swap_out_counters(800, 0);
    snapshot.page_size = Reading::Known(4096);
    snapshot
}

/// Counters with this many MiB swapped out, and this many huge pages among them.
fn swap_out_counters(mib: u64, huge: u64) -> Sampled<Counters> {
    let counters = vec![("pswpout".into(), mib << 8), ("thp_swpout".into(), huge)];
    Sampled::new(None, Reading::Known(Counters::new("/proc/vmstat", counters)))
}

/// The machine with the areas at these positions as files.
fn with_files(mut snapshot: Snapshot, files: &[usize]) -> Snapshot {
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    for place in files {
        areas[*place].kind = AreaKind::File;
    }
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    snapshot
}

/// Large folios go only to block devices: their extra share there is correct.
#[test]
fn spread_keeps_large_folios_where_only_they_fit() {
    let unread = || Reading::failed("broken");
    for (release, rows, files, large, emptied) in [
        (NEW, &[('s', 5, 800), ('s', 5, 0)][..], &[1][..], Reading::Known(0), &["s0"][..]),
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[1], Reading::Known(470), &["s0"]),
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[1], Reading::Known(490), &[]),
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[1], unread(), &[]),
        // Large folios do not explain a file that holds more.
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[0], Reading::Known(9999), &["s0"]),
        // Nor do they explain an imbalance among areas of one kind.
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[], Reading::Known(9999), &["s0"]),
        (NEW, &[('s', 5, 800), ('s', 5, 0)], &[0, 1], Reading::Known(9999), &["s0"]),
        (NEW, &[('s', 5, 900), ('s', 5, 0), ('s', 5, 100)], &[2], Reading::Known(9999), &["s0"]),
        // Rotational devices take large folios only after 6.12.
        (NEW, &[('r', 5, 800), ('r', 5, 0)], &[1], Reading::Known(9999), &[]),
        (OLD, &[('r', 5, 800), ('r', 5, 0)], &[1], Reading::Known(9999), &["r0"]),
        (OLD, &[('s', 5, 800), ('s', 5, 0)], &[1], Reading::Known(9999), &[]),
    ] {
        let snapshot = with_files(machine(release, rows, None), files);
        let found = run_strategy(&SPREAD, &with_large(snapshot, large.clone()));
        assert_eq!(renewed_areas(&found), owned(emptied), "{release} {rows:?} {files:?} {large:?}");
        let told = emptied.is_empty();
        assert_eq!(found.findings[0].text.contains("large folios"), told, "{found:#?}");
    }
    // Older kernels count only the largest size, which went whole.
    let mut old = with_files(machine(OLD, &[('s', 5, 800), ('s', 5, 0)], None), &[1]);
    old.vmstat = swap_out_counters(800, 300);
    assert!(run_strategy(&SPREAD, &old).findings[0].text.contains("is unknown"), "its size is not");
    let mut sized = with_large(old, Reading::absent("none"));
    sized.vmstat = swap_out_counters(800, 300);
    assert!(!run_strategy(&SPREAD, &sized).is_wrong(), "300 of 2 MiB");
    sized.vmstat = swap_out_counters(8000, 300);
    assert!(run_strategy(&SPREAD, &sized).is_wrong(), "what areas hold is hardly of those");
}

/// Where the contents of a drained area go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RefillRule {
    /// Pages that stay in memory.
    Memory,
    /// Pages that are swapped out again later.
    Again,
    /// Memory has no room: they go to the other areas at once.
    Others,
}

/// Repeated runs converge, and each improves the balance.
#[test]
fn spread_converges() {
    let mut dice = RandomRows(0x9E37_79B9_7F4A_7C15);
    let mut runs = Vec::new();
    for round in 0..3000 {
        let goes = [RefillRule::Memory, RefillRule::Again, RefillRule::Others][round % 3];
        let rows: Vec<Row> = (0..=dice.below(7)).map(|_| ('z', 5, dice.below(700))).collect();
        let mut snapshot = machine(NEW, &rows, None);
        let memory = if goes == RefillRule::Others { 0 } else { 1 << 30 };
        let meminfo = Counters::new("/proc/meminfo", vec![("MemAvailable".into(), memory)]);
        snapshot.meminfo = Sampled::new(None, Reading::Known(meminfo));
        let mut count = 0;
        loop {
            let found = run_strategy(&SPREAD, &snapshot);
            if !found.is_wrong() {
                break;
            }
            count += 1;
            assert!(count < 10, "{goes:?} {rows:?}");
            snapshot = refill_after_drain(&found.plan, &snapshot, goes);
            let finding = &found.findings[0];
            if goes != RefillRule::Memory {
                let (then, now) = (finding.then.unwrap(), finding.now.unwrap());
                assert!(then < now, "{goes:?} {rows:?}");
                let is =
                    balance::groups(snapshot.swaps.reading.known().unwrap())[0].imbalance.clone();
                let is = is.known().copied().unwrap_or(0.0);
                assert!((is - then).abs() < 0.02, "{goes:?} {rows:?}: {is} is not {then}");
            }
        }
        assert!(goes != RefillRule::Again || count < 3, "{rows:?} took {count} runs");
        runs.push(count);
    }
    assert!(runs.iter().any(|count| *count > 0));
}

/// The machine after draining the areas, one after the other.
fn refill_after_drain(plan: &Plan, snapshot: &Snapshot, goes: RefillRule) -> Snapshot {
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    let mut later = Bytes(0);
    for step in &plan.steps {
        let moved = step.moves(&areas);
        let place = areas.iter().position(|area| area.path == *step.subject()).unwrap();
        areas[place].used = Reading::Known(Bytes(0));
        match goes {
            RefillRule::Memory => {}
            RefillRule::Again => later = later.saturating_add(moved),
            RefillRule::Others => fill_areas(&mut areas, moved, Some(place)),
        }
    }
    fill_areas(&mut areas, later, None);
    Snapshot { swaps: Sampled::new(None, Reading::Known(areas)), ..snapshot.clone() }
}

/// Swaps out this much more, MiB by MiB round robin, except to one area.
fn fill_areas(areas: &mut [SwapArea], more: Bytes, off: Option<usize>) {
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

/// Otherwise one of two areas would hold everything.
#[test]
fn spread_never_moves_everything_to_one_area() {
    let mut snapshot = machine(NEW, &[('z', 5, 800), ('z', 5, 0)], None);
    let meminfo = Counters::new("/proc/meminfo", vec![("MemAvailable".into(), 0)]);
    snapshot.meminfo = Sampled::new(None, Reading::Known(meminfo));
    let found = run_strategy(&SPREAD, &snapshot);
    assert!(!found.is_wrong(), "{found:#?}");
    assert!(found.findings[0].text.contains("would not improve it"), "{found:#?}");
}
