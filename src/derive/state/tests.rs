use super::*;
use crate::model::paging::Counters;
use crate::model::swaparea::testing;
use crate::model::{Sampled, Snapshot, Stamp, whole, zram};
use crate::probes::cgroup;
use crate::root::testing::TestTree;

/// Seconds between the two samples of a scenario.
const SECONDS: u64 = 2;

/// What happens between two samples, in pages per second and percent, and the expected verdict.
struct Scenario {
    name: &'static str,
    rates: &'static [(&'static str, u64)],
    /// PSI memory some and full; none if the kernel has no PSI.
    psi: Option<(f64, f64)>,
    expected: (&'static str, &'static str),
}

const fn scenario(
    name: &'static str,
    rates: &'static [(&'static str, u64)],
    psi: (f64, f64),
    expected: (&'static str, &'static str),
) -> Scenario {
    Scenario { name, rates, psi: Some(psi), expected }
}

const SCENARIOS: &[Scenario] = &[
    scenario("nothing moves", &[], (0.0, 0.0), ("idle", "ok")),
    scenario("only out", &[("pswpout", 1)], (9.99, 4.99), ("swapping out", "ok")),
    scenario("only in", &[("pswpin", 1)], (0.0, 0.0), ("swapping in", "ok")),
    scenario("both", &[("pswpin", 1), ("pswpout", 1)], (0.0, 0.0), ("swapping", "ok")),
    scenario("some at its limit", &[("pswpout", 1)], (10.0, 4.99), ("under pressure", "warn")),
    scenario("full at its limit", &[("pswpout", 1)], (5.0, 5.0), ("under pressure", "crit")),
    scenario(
        "pages only go out, tasks stall",
        &[("pswpin", 16), ("pswpout", 100_671)],
        (30.0, 16.0),
        ("under pressure", "crit"),
    ),
    scenario(
        "a program wakes up: pages only come in",
        &[("pswpin", 20_000), ("workingset_activate_anon", 19_000)],
        (40.0, 30.0),
        ("under pressure", "crit"),
    ),
    scenario(
        "pages go round",
        &[("pswpin", 9_000), ("pswpout", 10_000)],
        (40.0, 30.0),
        ("thrashing", "crit"),
    ),
    scenario(
        "comparable at the limit",
        &[("pswpin", 2_500), ("pswpout", 10_000)],
        (10.0, 5.0),
        ("thrashing", "crit"),
    ),
    scenario(
        "not comparable below the limit",
        &[("pswpin", 2_499), ("pswpout", 10_000)],
        (10.0, 5.0),
        ("under pressure", "crit"),
    ),
    scenario(
        "pages go round in zswap",
        &[("zswpin", 9_000), ("zswpout", 10_000)],
        (40.0, 30.0),
        ("thrashing", "crit"),
    ),
    scenario(
        "clean pages go round without being written again",
        &[("pswpin", 9_000), ("pswpout", 50), ("pgsteal_anon", 9_500)],
        (40.0, 30.0),
        ("thrashing", "crit"),
    ),
    scenario(
        "readahead hides that the working set refaults",
        &[("pswpin", 9_000), ("pswpout", 2_000), ("workingset_activate_anon", 1_800)],
        (40.0, 30.0),
        ("thrashing", "crit"),
    ),
    scenario(
        "a few pages go round while something else stalls",
        &[("pswpin", 99), ("pswpout", 99)],
        (60.0, 50.0),
        ("under pressure", "crit"),
    ),
    scenario(
        "pages go round and nobody waits",
        &[("pswpin", 9_000), ("pswpout", 10_000)],
        (9.0, 4.0),
        ("swapping", "ok"),
    ),
    scenario("stalls without swap traffic", &[], (50.0, 50.0), ("under pressure", "crit")),
    Scenario {
        name: "a kernel without PSI",
        rates: &[("pswpin", 9_000), ("pswpout", 10_000)],
        psi: None,
        expected: ("swapping", "unknown"),
    },
];

/// A machine whose counters rise at these rates, after this many seconds.
fn machine(second: u64, rates: &[(&str, u64)], psi: Option<(f64, f64)>) -> Snapshot {
    let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
    let at = Some(stamp);
    let mut snapshot = Snapshot::empty(stamp);
    snapshot.swaps = Sampled::new(at, Reading::Known(vec![testing::area("/dev/a", 0, 1, 0)]));
    let counted = |name: &str| {
        let rate = rates.iter().find(|(rate, _)| *rate == name).map_or(0, |(_, rate)| *rate);
        (name.into(), 1000 + second * rate)
    };
    let always = ["pswpin", "pswpout", "pgsteal_anon", "workingset_activate_anon"];
    let others = rates.iter().map(|(name, _)| *name).filter(|name| !always.contains(name));
    let counters = always.into_iter().chain(others).map(counted).collect();
    snapshot.vmstat = Sampled::new(at, Reading::Known(Counters::new("/proc/vmstat", counters)));
    if let Some((some, full)) = psi {
        // 1 percent of a second is 10,000 us.
        let line = |avg10: f64| {
            let total_us = second * whole(avg10 * 1e4);
            Reading::Known(Stall { avg10, avg60: 0.0, avg300: 0.0, total_us })
        };
        let memory = Reading::Known(Pressure { some: line(some), full: line(full) });
        let psi = [("memory".to_owned(), memory)].into_iter().collect();
        snapshot.psi = Sampled::new(at, Reading::Known(psi));
    }
    snapshot
}

/// The verdict on a machine that goes from one sample to the other.
fn verdict(before: &Snapshot, now: &Snapshot) -> (&'static str, &'static str) {
    let (view, policy) = (SampleView { now, before: Some(before) }, Policy::DEFAULT);
    let severity = severity(&view, &policy).known().map_or("unknown", |level| level.word());
    (state(&view, &policy).word(), severity)
}

#[test]
fn each_scenario_has_its_state_and_its_severity() {
    for it in SCENARIOS {
        let (before, now) = (machine(1, it.rates, it.psi), machine(1 + SECONDS, it.rates, it.psi));
        assert_eq!(verdict(&before, &now), it.expected, "{}", it.name);
    }
}

#[test]
fn a_load_that_has_ended_is_no_pressure() {
    let before = machine(1, &[], Some((40.0, 30.0)));
    let mut now = machine(1 + SECONDS, &[], Some((40.0, 30.0)));
    assert_eq!(verdict(&before, &now), ("under pressure", "crit"));
    now.psi.reading = before.psi.reading.clone();
    assert_eq!(verdict(&before, &now), ("idle", "ok"));
    assert_eq!(
        severity(&SampleView::single(&now), &Policy::DEFAULT).known(),
        Some(&AlertLevel::Critical)
    );
}

#[test]
fn the_state_is_as_bad_as_the_worst_of_its_figures() {
    let policy = Policy::DEFAULT;
    for it in SCENARIOS {
        let Some((some, full)) = it.psi else { continue };
        let level = |line, percent: f64| stall_level(line, percent / 100.0, &policy);
        let worst = level(PsiLine::Some, some).max(level(PsiLine::Full, full));
        assert_eq!(worst.word(), it.expected.1, "{}", it.name);
        let waits = SwapState::ALL.into_iter().find(|state| state.word() == it.expected.0);
        assert_eq!(waits.unwrap().waits(), worst > AlertLevel::Normal, "{}", it.name);
    }
}

#[test]
fn other_thresholds_make_another_state_and_severity() {
    let rates = [("pswpin", 9_000), ("pswpout", 10_000)];
    let (before, now) = (machine(1, &rates, None), machine(3, &rates, Some((40.0, 30.0))));
    let view = SampleView { now: &now, before: Some(&before) };
    let policy = Policy { pressure_full: 0.5, ..Policy::DEFAULT };
    assert_eq!(state(&view, &policy), SwapState::Pressed);
    assert_eq!(severity(&view, &policy), Reading::Known(AlertLevel::Warning));
    let policy = Policy { pressure_some: 0.5, ..policy };
    assert_eq!(state(&view, &policy), SwapState::Swapping);
}

#[test]
fn one_sample_shows_pressure_but_not_idle() {
    let single = |psi| {
        let machine = machine(1, &[], Some(psi));
        state(&SampleView::single(&machine), &Policy::DEFAULT)
    };
    assert_eq!(single((0.0, 0.0)), SwapState::Unknown);
    assert_eq!(single((30.0, 20.0)), SwapState::Pressed);
}

#[test]
fn without_areas_there_is_no_swap_and_without_the_list_nothing_is_known() {
    let mut machine = machine(1, &[], None);
    machine.swaps.reading = Reading::Known(vec![]).into();
    assert_eq!(state(&SampleView::single(&machine), &Policy::DEFAULT), SwapState::NoSwap);
    machine.swaps.reading = Reading::absent("no CONFIG_SWAP").into();
    assert_eq!(state(&SampleView::single(&machine), &Policy::DEFAULT), SwapState::Unknown);
}

fn with_zswap(mut snapshot: Snapshot, enabled: bool) -> Snapshot {
    let zswap = zram::testing::zswap(enabled, &[]);
    snapshot.zswap = Sampled::new(snapshot.swaps.at, Reading::Known(zswap));
    snapshot
}

#[test]
fn a_kernel_that_does_not_count_zswap_is_not_idle_while_zswap_is_on() {
    let verdict = |enabled, rates: &[(&str, u64)], psi| {
        let at = |second| with_zswap(machine(second, rates, Some(psi)), enabled);
        verdict(&at(1), &at(3)).0
    };
    assert_eq!(verdict(false, &[], (0.0, 0.0)), "idle");
    assert_eq!(verdict(true, &[], (0.0, 0.0)), "unknown");
    assert_eq!(verdict(true, &[], (40.0, 23.0)), "under pressure");
    assert_eq!(verdict(true, &[("pswpout", 5)], (0.0, 0.0)), "swapping");
    assert_eq!(verdict(true, &[("zswpin", 0), ("zswpout", 0)], (0.0, 0.0)), "idle");
}

/// Adds a cgroup at its limit whose tasks stall for this share, and the available memory of the machine.
fn with_cgroup(mut snapshot: Snapshot, stall: f64, available: u64) -> Snapshot {
    let pressure = format!("some avg10={stall:.2} avg60=0.00 avg300=0.00 total=0\n");
    let tree = TestTree::with(&[
        ("proc/mounts", "c /cg cgroup2 rw 0 0\n"),
        ("cg/cgroup.controllers", "memory\n"),
        ("cg/a/memory.current", "99\n"),
        ("cg/a/memory.max", "100\n"),
        ("cg/a/memory.pressure", &pressure),
    ]);
    snapshot.cgroups = Sampled::new(snapshot.swaps.at, cgroup::read(&tree.root()));
    let memory = [("MemTotal", 1000), ("MemAvailable", available)];
    let memory = memory.map(|(name, kib)| (name.into(), kib)).into();
    let memory = Reading::Known(Counters::new("test", memory));
    snapshot.meminfo = Sampled::new(snapshot.swaps.at, memory);
    snapshot
}

#[test]
fn pressure_from_a_cgroup_limit_differs_from_that_of_the_machine() {
    const REST: [(&str, u64); 2] = [("pgsteal_file", 0), ("pgsteal_direct", 0)];
    let of_cgroup = "at cgroup limit";
    let reclaimed = |kswapd, stall, available| {
        let rates = [&REST[..], &[("pgsteal_anon", 100), ("pgsteal_kswapd", kswapd)]].concat();
        let at =
            |second| with_cgroup(machine(second, &rates, Some((30.0, 20.0))), stall, available);
        verdict(&at(1), &at(3)).0
    };
    assert_eq!(reclaimed(0, 30.0, 10), of_cgroup);
    assert_eq!(reclaimed(100, 30.0, 500), "under pressure", "kswapd reclaims for the machine");
    assert_eq!(reclaimed(60, 30.0, 10), "under pressure", "the machine is short");
    assert_eq!(reclaimed(60, 30.0, 500), of_cgroup, "kswapd reclaims too, and memory is available");
    assert_eq!(reclaimed(0, 0.0, 10), "under pressure", "the cgroup is full of page cache");
    let single = |stall, available| {
        let now = with_cgroup(machine(1, &[], Some((30.0, 20.0))), stall, available);
        state(&SampleView::single(&now), &Policy::DEFAULT).word()
    };
    assert_eq!(single(30.0, 500), of_cgroup);
    assert_eq!(single(30.0, 50), "under pressure", "the machine is short too");
    assert_eq!(single(5.0, 500), "under pressure", "another task stalls");
}

#[test]
fn a_full_area_is_normal_while_others_have_room() {
    let policy = Policy::DEFAULT;
    let level = |used: [u64; 2], own: f64, available| {
        let mut now = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let areas = used.map(|used| testing::area("/a", 1, 100 << 20, used << 20));
        now.swaps = Sampled::new(None, Reading::Known(areas.to_vec()));
        let memory = [("MemTotal", 1000), ("MemAvailable", available)];
        let memory = memory.map(|(name, kib)| (name.into(), kib)).into();
        now.meminfo = Sampled::new(None, Reading::Known(Counters::new("test", memory)));
        use_level(own, &SampleView::single(&now), &policy)
    };
    // With room elsewhere; a half full one while all swap is full; all swap.
    assert_eq!(level([100, 0], 1.0, 500), AlertLevel::Normal);
    assert_eq!(level([100, 0], 1.0, 5), AlertLevel::Normal);
    assert_eq!(level([100, 70], 0.7, 500), AlertLevel::Normal);
    assert_eq!(level([100, 70], 1.0, 500), AlertLevel::Warning);
    assert_eq!(level([100, 98], 1.0, 500), AlertLevel::Warning, "memory has room");
    assert_eq!(level([100, 98], 0.98, 5), AlertLevel::Critical);
    // Without the use of all areas, that of one counts.
    let unknown = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    assert_eq!(use_level(1.0, &SampleView::single(&unknown), &policy), AlertLevel::Warning);
}
