//! Tests: limits stop a change, but never its undoing.

use super::*;
use crate::model::Stamp;

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
    let clock = Clock::at(Stamp { boot_ns: 1_000_000_000, wall_ms: 0 });
    let (late, _) = run_on_clock(&clock, timeout, &machine, &plan, &mut Patience(0));
    assert_eq!((late.end, late.short), (PlanEnd::Undone, false));
    assert!(late.why.unwrap().contains("took longer"));
}

/// Works for a second between two events, and is suspended for an hour each time.
struct SuspendedMachine<'a>(&'a Clock, Vec<Duration>);

impl Monitor<Progress> for SuspendedMachine<'_> {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        self.0.sleep(Duration::from_secs(1));
        self.0.suspend(Duration::from_hours(1));
        self.1.push(progress.elapsed);
        ControlFlow::Continue(())
    }
}

#[test]
fn time_during_suspend_is_not_counted() {
    let minute = ChangeLimits { timeout: Some(Duration::from_mins(1)), ..Default::default() };
    // A drain, and one with a pause.
    for pressure in [[0.0; 3], [9.0, 9.0, 0.0]] {
        let machine = FakeMachine { slow: Some((0, false)), ..FakeMachine::with(None) };
        machine.memory.borrow_mut().pressure = pressure;
        let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
        let clock = Clock::at(START);
        let limits = ChangeLimits { pace: Some(5.0), ..minute };
        let mut monitor = SuspendedMachine(&clock, Vec::new());
        let (outcome, records) = run_on_clock(&clock, limits, &machine, &plan, &mut monitor);
        assert_eq!((outcome.end, outcome.why), (PlanEnd::Done, None));
        let seconds = |event: &Event| {
            if let Event::Made { seconds, .. } = event { Some(*seconds) } else { None }
        };
        let seconds: Vec<f64> = records[0].events.iter().filter_map(seconds).collect();
        assert!(seconds.iter().all(|it| (1.0..30.0).contains(it)), "{seconds:?}");
        assert!(monitor.1.iter().all(|it| *it < Duration::from_secs(30)), "{:?}", monitor.1);
    }
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
        whys.push(&trouble);
        whys.short
    };
    assert!(is_short(FailureKind::MemoryShort.because("memory is about to run out".to_owned())));
    assert!(is_short(StopReason::Pressure(30.0).into()));
    assert!(!is_short(StopReason::Asked.into()));
    assert!(!is_short("a: EBUSY".to_owned().into()));
}
