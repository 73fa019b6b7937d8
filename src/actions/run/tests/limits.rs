//! Limits stop a change by themselves, and never its way back.

use super::*;

const BUSY: [f64; 3] = [30.0; 3];

/// What comes of a plan of four steps under pressure, of which one fails.
fn ended(limits: Limits, fault: Option<(usize, Fault)>) -> Outcome {
    let machine = Machine::with(fault);
    machine.memory.borrow_mut().pressure = BUSY;
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    run_within(limits, &machine, &plan, &mut Patience(0)).0
}

fn above(max_psi: f64) -> Limits {
    Limits { max_psi: Some(max_psi), ..Limits::default() }
}

#[test]
fn pressure_above_the_limit_stops_a_change_and_is_told_apart_from_time() {
    let calm = ended(above(30.0), None);
    assert_eq!((calm.end, calm.short), (End::Done, false));
    let busy = ended(above(29.0), None);
    assert_eq!((busy.end, busy.short), (End::Undone, true));
    assert!(busy.why.unwrap().contains("30% of the last 10 s"));
    let timeout = Limits { timeout: Some(Duration::ZERO), ..Limits::default() };
    let machine = Machine::with(None);
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    let late = late(timeout, &machine, &plan);
    assert_eq!((late.end, late.short), (End::Undone, false));
    assert!(late.why.unwrap().contains("took longer"));
}

/// Carries a plan out that began a second ago.
fn late(limits: Limits, machine: &Machine, plan: &Plan) -> Outcome {
    let dir = tempfile::tempdir().unwrap();
    let mut runner = Runner {
        sys: machine,
        look: machine,
        journal: &mut Journal::open(&dir.path().join("journal"), "boot").unwrap(),
        clock: &Clock::at(Stamp { boot_ns: 1_000_000_000, wall_ms: 0 }),
        limits,
        begun: START,
        monitor: &mut Patience(0),
    };
    runner.run(plan, None)
}

#[test]
fn no_limit_stops_the_way_back() {
    // Pressure rises when the second step has failed: what the first made is taken back all the same.
    let machine = Machine::with(Some((1, Fault::Off(Errno::EBUSY))));
    machine.memory.borrow_mut().pressure = [0.0, 0.0, 30.0];
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    let before = machine.shown();
    let (outcome, _) = run_within(above(29.0), &machine, &plan, &mut Patience(0));
    assert_eq!((outcome.end, machine.shown()), (End::Undone, before));
}

#[test]
fn a_shortage_stays_one_whatever_came_after_it() {
    let is_short = |trouble: Trouble| {
        let mut whys = Reasons::default();
        whys.add(&trouble.with("and a IS OFF"));
        whys.is_shortage()
    };
    assert!(is_short(Trouble::Short("memory is about to run out".to_owned())));
    assert!(is_short(Trouble::Stopped(StopReason::Pressure(30.0))));
    assert!(!is_short(Trouble::Stopped(StopReason::Asked)));
    assert!(!is_short(Trouble::Failed("a: EBUSY".to_owned())));
}
