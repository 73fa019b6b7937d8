//! Tests: limits stop a change, but never its undoing.

use super::*;

const BUSY: [f64; 3] = [30.0; 3];

/// Outcome of a plan of four steps under pressure, of which one fails.
fn run_with_limits(limits: ChangeLimits, fault: Option<(usize, Fault)>) -> ChangeOutcome {
    let machine = FakeMachine::with(fault);
    machine.memory.borrow_mut().pressure = BUSY;
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    run_within(limits, &machine, &plan, &mut Patience(0)).0
}

fn max_psi_limit(max_psi: f64) -> ChangeLimits {
    ChangeLimits { max_psi: Some(max_psi), ..ChangeLimits::default() }
}

#[test]
fn pressure_and_timeout_stops_are_distinct() {
    let calm = run_with_limits(max_psi_limit(30.0), None);
    assert_eq!((calm.end, calm.short), (PlanEnd::Done, false));
    let busy = run_with_limits(max_psi_limit(29.0), None);
    assert_eq!((busy.end, busy.short), (PlanEnd::Undone, true));
    assert!(busy.why.unwrap().contains("30% over the last 10 s"));
    let timeout = ChangeLimits { timeout: Some(Duration::ZERO), ..ChangeLimits::default() };
    let machine = FakeMachine::with(None);
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    let late = run_late(timeout, &machine, &plan);
    assert_eq!((late.end, late.short), (PlanEnd::Undone, false));
    assert!(late.why.unwrap().contains("took longer"));
}

/// Executes a plan that began a second ago.
fn run_late(limits: ChangeLimits, machine: &FakeMachine, plan: &Plan) -> ChangeOutcome {
    let dir = tempfile::tempdir().unwrap();
    let mut runner = Runner {
        sys: machine,
        look: machine,
        journal: &mut Journal::open(&JournalStore::File(dir.path().join("journal")), "boot")
            .unwrap(),
        clock: &Clock::at(Stamp { boot_ns: 1_000_000_000, wall_ms: 0 }),
        limits,
        begun: START,
        monitor: &mut Patience(0),
    };
    runner.run(plan, None)
}

#[test]
fn limits_do_not_stop_undo() {
    // Pressure rises after the second step has failed: the first is undone all the same.
    let machine = FakeMachine::with(Some((1, Fault::Off(Errno::EBUSY))));
    machine.memory.borrow_mut().pressure = [0.0, 0.0, 30.0];
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    let before = machine.current_areas();
    let (outcome, _) = run_within(max_psi_limit(29.0), &machine, &plan, &mut Patience(0));
    assert_eq!((outcome.end, machine.current_areas()), (PlanEnd::Undone, before));
}

#[test]
fn memory_shortage_remains_the_reason() {
    let is_short = |trouble: StepFailure| {
        let mut whys = Reasons::default();
        whys.push(&trouble.with_worse("and a IS DISABLED"));
        whys.is_shortage()
    };
    assert!(is_short(StepFailure::MemoryShort("memory is about to run out".to_owned())));
    assert!(is_short(StepFailure::Stopped(StopReason::Pressure(30.0))));
    assert!(!is_short(StepFailure::Stopped(StopReason::Asked)));
    assert!(!is_short(StepFailure::Failed("a: EBUSY".to_owned())));
}
