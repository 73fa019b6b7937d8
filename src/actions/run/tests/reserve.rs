//! Tests of drains that do not fit.

use super::*;
use crate::actions::run::reserve::MEMORY_RUNS_OUT;
use crate::actions::testing::zram;
use crate::model::paging::{Counters, Pressure, Stall};
use crate::model::snapshot::testing::with_memory;
use crate::model::users::OOM_KILL;
use crate::model::users::testing::{table, unknown};
use crate::model::users::{Cgroup, CgroupTree, CgroupVersion, Limit, ProcessTable};
use crate::model::{Sampled, Shared};
use std::collections::VecDeque;

/// Available memory in KiB at successive readings; the last value repeats. Empty means unknown.
#[derive(Default)]
pub(super) struct FakeMemory {
    available: VecDeque<u64>,
    /// Number of readings.
    looks: usize,
    /// Other parts that were read.
    asked: Vec<Vec<Part>>,
    /// PSI "full" of memory at successive readings, repeated cyclically.
    pub(super) pressure: [f64; 3],
    /// Number of PSI readings.
    pressed: usize,
    /// Number of cgroup readings after which one is at its limit, if ever.
    limited_after: Option<usize>,
    /// Processes killed by the kernel at successive readings; the last value repeats. Empty means unknown.
    kills: VecDeque<u64>,
    /// The cgroup that counts the kills, and whether they are at its limit.
    killed: Option<(&'static str, bool)>,
    /// `mm_stat` of the zram device, if it answers.
    mm_stat: Option<&'static str>,
}

/// Total memory in KiB: a sixteenth is reserved, which is 10.
const TOTAL: u64 = 160;
/// Bytes on the area `a`, for each process.
const HELD: u64 = 100 << 10;
const SWAPPED: [u64; 3] = [20 << 10, 30 << 10, 10 << 10];

impl FakeMemory {
    pub(super) fn read(&mut self, parts: &[Part], areas: &[SwapArea]) -> Snapshot {
        if parts == [Part::Psi] {
            self.pressed += 1;
            return under_pressure(self.pressure[(self.pressed - 1) % 3]);
        }
        if parts == [Part::Vmstat] {
            let mut snapshot = Snapshot::empty(START);
            if let Some(kills) = self.kills.front() {
                let counters = Counters::new("/proc/vmstat", vec![(OOM_KILL.into(), *kills)]);
                snapshot.vmstat = Sampled::new(None, Reading::Known(counters));
            }
            if self.kills.len() > 1 {
                self.kills.pop_front();
            }
            return snapshot;
        }
        if parts == [Part::Meminfo] {
            if self.looks > 0 && self.available.len() > 1 {
                self.available.pop_front();
            }
            self.looks += 1;
        } else {
            self.asked.push(parts.to_vec());
        }
        let mut snapshot = match self.available.front() {
            Some(now) => with_memory(&[("MemAvailable", *now), ("MemTotal", TOTAL)]),
            None => Snapshot::empty(START),
        };
        snapshot.swaps = Sampled::new(None, Reading::Known(areas.to_vec()));
        let all = table(&SWAPPED, SWAPPED.iter().sum());
        let all = ProcessTable { swap_cached: Reading::Known(Bytes(0)), ..all };
        snapshot.processes = Sampled::new(None, Reading::Known(all));
        if parts.contains(&Part::Cgroups) {
            let is_limited =
                self.limited_after.is_some_and(|looks| self.asked_for(Part::Cgroups) > looks);
            let mut tree = cgroups(is_limited);
            if let Some((path, at_limit)) = self.killed {
                let kills = self.kills.front().copied().unwrap_or(0);
                let counts = vec![
                    (OOM_KILL.into(), kills),
                    ("oom".into(), if at_limit { kills } else { 0 }),
                ];
                let group = tree.groups.iter_mut().find(|group| group.path == path.into()).unwrap();
                let events = Reading::Known(Counters::new("memory.events", counts));
                *group = Shared::new(Cgroup { events, ..(**group).clone() });
            }
            snapshot.cgroups = Sampled::new(None, Reading::Known(tree));
        }
        if parts.contains(&Part::Zram) {
            snapshot.zram = Sampled::new(None, zram(self.mm_stat));
        }
        snapshot
    }

    /// How often this part was read; cgroups are read on their own.
    fn asked_for(&self, part: Part) -> usize {
        let of_cgroups = |parts: &[Part]| parts.contains(&Part::Cgroups);
        let is_it = |parts: &&Vec<Part>| {
            parts.contains(&part) && of_cgroups(parts) == (part == Part::Cgroups)
        };
        self.asked.iter().filter(is_it).count()
    }
}

/// A machine with this PSI "full" of memory.
fn under_pressure(full: f64) -> Snapshot {
    let stall = |avg10| Stall { avg10, avg60: 0.0, avg300: 0.0, total_us: 0 };
    let memory = Pressure { some: Reading::Known(stall(full)), full: Reading::Known(stall(full)) };
    let mut snapshot = Snapshot::empty(START);
    let all = [("memory".to_owned(), Reading::Known(memory))];
    snapshot.psi = Sampled::new(None, Reading::Known(all.into()));
    snapshot
}

/// One cgroup with as much swap as is on `a`, without a limit or at it, and one without swap.
fn cgroups(is_limited: bool) -> CgroupTree {
    let limit = if is_limited { Limit::Bytes(Bytes(HELD)) } else { Limit::Unlimited };
    let group = Cgroup {
        memory_current: Reading::Known(Bytes(HELD)),
        memory_max: Reading::Known(limit),
        swap_current: Reading::Known(Bytes(HELD)),
        ..unknown("/x")
    };
    let other = Cgroup { swap_current: Reading::Known(Bytes(0)), ..unknown("/pod") };
    let groups = [Shared::new(other), Shared::new(group)].into();
    CgroupTree {
        version: CgroupVersion::V2,
        mount: "/cg".into(),
        groups,
        left_out: 0,
        oom_kills: Reading::not_sampled(),
    }
}

/// A machine with this available memory at successive readings, and full other areas.
fn machine(available: &[u64]) -> FakeMachine {
    let machine = FakeMachine::with(None);
    for area in machine.areas.borrow_mut().iter_mut() {
        let held = if area.path == "a".into() { Bytes(HELD) } else { area.size };
        area.used = Reading::Known(held);
    }
    machine.memory.borrow_mut().available = available.iter().copied().collect();
    machine
}

fn activation(name: &str) -> Activation {
    Activation { path: name.into(), priority: Priority::Set(1), discard: Discard::None }
}

/// Executes these steps.
fn run_steps(
    machine: &FakeMachine,
    steps: Vec<Step>,
    apart: bool,
    patience: usize,
) -> ChangeOutcome {
    let plan = Plan {
        steps,
        independent: apart,
        relies_on: machine.current_areas(),
        ..Plan::without_steps(String::new())
    };
    run(machine, &plan, &mut Patience(patience)).0
}

/// Disables `a`, and returns the outcome.
fn drain_area(machine: &FakeMachine) -> ChangeOutcome {
    run_steps(machine, vec![Step::Off { area: activation("a") }], false, 0)
}

/// Disables `a` with a slow helper that obeys a stop, or ignores it.
fn drain_with_memory(available: &[u64], heeds: bool) -> (FakeMachine, ChangeOutcome) {
    let machine = FakeMachine { slow: Some((0, heeds)), ..machine(available) };
    let outcome = drain_area(&machine);
    (machine, outcome)
}

/// Disables `a` with a helper that obeys, and must not be stopped within this many polls.
fn drain_undisturbed(machine: FakeMachine, waits: usize) -> FakeMachine {
    let machine = FakeMachine { slow: Some((0, true)), waits, ..machine };
    let why = drain_area(&machine).why.unwrap_or_default();
    assert!(machine.stops.get() == 0 && !why.contains(MEMORY_RUNS_OUT), "{why}");
    assert_eq!(machine.helpers.get(), 1, "it was begun");
    machine
}

/// Gives another area room for everything on `a`.
fn with_room_elsewhere(machine: FakeMachine) -> FakeMachine {
    for area in machine.areas.borrow_mut().iter_mut().filter(|area| area.path == "b".into()) {
        (area.size, area.used) = (Bytes(HELD), Reading::Known(Bytes(0)));
    }
    machine
}

#[test]
fn drain_stops_before_it_uses_the_memory_reserve() {
    let old = machine(&[]).current_areas();
    // 30 for the largest process, and 10 reserved.
    let (machine, outcome) = drain_with_memory(&[60, 50, 40, 39], true);
    assert_eq!((outcome.end, machine.current_areas()), (PlanEnd::Undone, old.clone()));
    assert_eq!((machine.helpers.get(), machine.memory.borrow().looks), (1, 4));
    assert!(machine.stops.get() > 0);
    let why = outcome.why.unwrap();
    let words = [
        MEMORY_RUNS_OUT,
        "100K are still on a",
        "room for only 39K",
        "up to 30K",
        "10K stay reserved",
    ];
    assert!(words.iter().all(|word| why.contains(word)), "{why}");
    // With that much memory it continues.
    let machine = drain_undisturbed(self::machine(&[60, 50, 40]), 5);
    assert_eq!(machine.memory.borrow().looks, 6, "it is looked at until it has ended");
    // With too little memory at first, it does not begin.
    let machine = self::machine(&[39]);
    let outcome = drain_area(&machine);
    assert_eq!(
        (outcome.end, machine.helpers.get(), machine.current_areas()),
        (PlanEnd::Undone, 0, old)
    );
    assert!(outcome.why.unwrap().contains(MEMORY_RUNS_OUT));
}

#[test]
fn cgroup_reaching_its_limit_stops_the_drain_unless_accepted() {
    let drained = |limited_after| {
        let machine = FakeMachine { slow: Some((0, true)), waits: 40, ..machine(&[1000]) };
        machine.memory.borrow_mut().limited_after = limited_after;
        let outcome = drain_area(&machine);
        (outcome.why.unwrap_or_default().contains("cgroup /x would exceed its limit"), machine)
    };
    let (is_ended, machine) = drained(Some(2));
    assert!(is_ended && machine.stops.get() > 0);
    assert_eq!(machine.memory.borrow().asked_for(Part::Cgroups), 3);
    let (is_ended, machine) = drained(Some(0));
    assert!(is_ended && machine.helpers.get() == 0, "it does not begin");
    let (is_ended, machine) = drained(None);
    assert!(!is_ended && machine.stops.get() == 0);
    assert!(machine.memory.borrow().asked_for(Part::Cgroups) >= 4);
}

#[test]
fn a_kill_stops_the_drain_unless_accepted() {
    let drained = |may_kill, kills: &[u64], killed| {
        let machine = FakeMachine { slow: Some((0, true)), waits: 40, ..machine(&[1000]) };
        machine.memory.borrow_mut().kills = kills.iter().copied().collect();
        machine.memory.borrow_mut().killed = killed;
        let plan = Plan {
            steps: vec![Step::Off { area: activation("a") }],
            relies_on: machine.current_areas(),
            ..Plan::without_steps(String::new())
        };
        let limits = ChangeLimits { may_kill, ..ChangeLimits::default() };
        let outcome = run_within(limits, &machine, &plan, &mut Patience(0)).0;
        (outcome.why.unwrap_or_default(), machine.stops.get() > 0)
    };
    for killed in [None, Some(("/x", true)), Some(("/x", false)), Some(("/pod", false))] {
        let (why, is_stopped) = drained(false, &[7, 7, 8], killed);
        assert!(is_stopped && why.contains("the kernel kills processes"), "{killed:?}: {why}");
        assert!(why.contains("still on a"), "{why}");
    }
    // A cgroup without swap at its own limit has nothing to do with the drain.
    let alone = Some(("/pod", true));
    for (may_kill, kills, killed) in [
        (true, [7, 7, 8].as_slice(), None),
        (false, &[7], None),
        (false, &[], None),
        (false, &[7, 7, 8, 8, 9], alone),
    ] {
        let (why, is_stopped) = drained(may_kill, kills, killed);
        assert!(!is_stopped && !why.contains("kills"), "{kills:?}: {why}");
    }
}

#[test]
fn low_memory_alone_does_not_stop_a_drain() {
    let alone = |machine| drain_undisturbed(machine, 5).memory.into_inner();
    assert_eq!(alone(with_room_elsewhere(machine(&[0]))).looks, 6);
    alone(machine(&[100]));
    alone(machine(&[]));
}

#[test]
fn slow_changing_values_are_read_rarely() {
    let asked = |machine, waits| {
        let memory = drain_undisturbed(machine, waits).memory.into_inner();
        assert_eq!((memory.looks, memory.asked_for(Part::Zram)), (1 + waits, 0));
        [Part::Swaps, Part::Processes].map(|part| memory.asked_for(part))
    };
    // Before it begins, and every eleventh interval; with little memory every time.
    assert_eq!(asked(with_room_elsewhere(machine(&[50])), 25), [3, 0]);
    assert_eq!(asked(with_room_elsewhere(machine(&[19])), 25), [26, 0]);
    // Before it begins, and at the last of ten readings.
    assert_eq!(asked(machine(&[50]), 29), [3, 3]);
}

#[test]
fn recovered_memory_is_polled_normally_again() {
    let memory = drain_undisturbed(machine(&[60, 40, 50, 999]), 25).memory.into_inner();
    assert_eq!(memory.asked_for(Part::Processes), 1);
    // A brief low value counts as it is when it is read.
    let (machine, _) = drain_with_memory(&[60, 40, 39, 999], true);
    assert!(machine.stops.get() > 0, "it was told so once");
}

#[test]
fn unresponsive_zram_does_not_stop_a_drain() {
    let with_zram = |mm_stat, available: &[u64]| {
        let machine = machine(available);
        machine.areas.borrow_mut().push(testing::area("/dev/zram0", 1, HELD, 0));
        machine.memory.borrow_mut().mm_stat = mm_stat;
        machine
    };
    let memory = drain_undisturbed(with_zram(None, &[0]), 5).memory.into_inner();
    assert_eq!(memory.asked_for(Part::Zram), 6);
    // A device that answers and is empty: its capacity is unknown.
    let outcome = drain_area(&with_zram(Some("0 0 0 0 0 0 0 0 0\n"), &[39]));
    assert!(outcome.why.unwrap().contains(MEMORY_RUNS_OUT));
}

#[test]
fn independent_steps_continue_and_free_room() {
    let machine = machine(&[39]);
    let steps = vec![Step::Off { area: activation("a") }, Step::On { area: activation("e") }];
    let outcome = run_steps(&machine, steps, true, 0);
    assert_eq!((outcome.end, machine.areas.borrow().len()), (PlanEnd::Partial, 5));
    assert!(outcome.why.unwrap().contains(MEMORY_RUNS_OUT));
}

#[test]
fn without_memory_for_undo_enabling_steps_still_run() {
    let machine = machine(&[999, 0]);
    let steps = ["b", "e", "f"].map(|name| match name {
        "b" => Step::Off { area: activation("b") },
        name => Step::On { area: activation(name) },
    });
    // Read before each step, and no more while the first is drained: the fourth is the undo.
    let outcome = run_steps(&machine, steps.to_vec(), false, 3);
    let has = |name: &str| machine.areas.borrow().iter().any(|area| area.path == name.into());
    assert_eq!((outcome.end, has("b"), has("e"), has("f")), (PlanEnd::Partial, true, true, false));
    assert!(outcome.why.unwrap().contains(&format!("undo: {MEMORY_RUNS_OUT}")));
}

#[test]
fn completed_drain_counts_as_fitting() {
    let (machine, outcome) = drain_with_memory(&[40, 0], false);
    assert_eq!((outcome.end, outcome.why), (PlanEnd::Done, None));
    assert_eq!(machine.areas.borrow().len(), 3);
}

/// A wrong priority can be corrected, a killed process cannot be restored.
#[test]
fn undo_also_stops_for_lack_of_memory() {
    let machine = FakeMachine { fault: Some((1, Fault::DeadBefore)), ..machine(&[999, 999, 0]) };
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    let (outcome, _) = run(&machine, &plan, &mut Patience(0));
    assert_eq!((outcome.end, machine.areas.borrow().len()), (PlanEnd::Partial, 4));
    let why = outcome.why.unwrap();
    assert!(why.contains(&format!("undo: {MEMORY_RUNS_OUT}")), "{why}");
}

#[test]
fn brief_shortage_does_not_stop_a_drain() {
    let machine = FakeMachine::with(Some((1, Fault::Off(Errno::ENOMEM))));
    let (outcome, _) = run_to_journal(&machine, Patience(0), false);
    assert_eq!((outcome.end, outcome.why), (PlanEnd::Done, None));
    let machine = FakeMachine::with(Some((0, Fault::Full)));
    let (outcome, _) = run_to_journal(&machine, Patience(0), false);
    assert_eq!(outcome.end, PlanEnd::Undone);
    assert!(outcome.why.unwrap().contains("memory has no room"));
    assert_eq!(machine.helpers.get(), 5);
    let machine = FakeMachine::with(Some((0, Fault::Full)));
    for area in machine.areas.borrow_mut().iter_mut() {
        area.used = Reading::Known(Bytes(0));
    }
    run_to_journal(&machine, Patience(0), false);
    assert_eq!(machine.helpers.get(), 1, "it moves nothing, and will not");
}
