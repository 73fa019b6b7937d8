//! Tests of drains that pause.

use super::*;

impl FakeMachine {
    /// Leaves this much on an area; `None` disables it.
    pub(super) fn leave(&self, name: &Name, left: Option<u64>) {
        let Some(left) = left else { return self.remove(name) };
        let mut areas = self.areas.borrow_mut();
        let area = areas.iter_mut().find(|area| area.path == *name).unwrap();
        area.used = Reading::Known(Bytes(left));
    }

    /// A machine whose helpers, when asked to stop, end with these states, one after the other.
    fn in_bursts(bursts: &[(Option<u64>, HelperReport)]) -> Self {
        let bursts = RefCell::new(bursts.iter().rev().copied().collect());
        let machine = Self { bursts, ..Self::with(None) };
        machine.memory.borrow_mut().pressure = PRESSURE;
        machine
    }
}

/// Watches a drain that pauses each time a helper works, and sometimes once more.
#[derive(Default)]
struct StopAtPause<'m> {
    /// Number of the pause, from 1, at which to stop.
    enough: usize,
    seen: Vec<Progress>,
    back: bool,
    /// An area to disable as soon as the drain pauses.
    meanwhile: Option<(&'m FakeMachine, &'static str)>,
}

impl Monitor<Progress> for StopAtPause<'_> {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        assert!(!progress.is_undo || progress.pause.is_none(), "it rests on the way back");
        self.back = progress.is_undo;
        self.seen.push(progress);
        if let (Some(_), Some((machine, area))) = (progress.pause, self.meanwhile) {
            machine.remove(&area.into());
        }
        let rests = self.seen.iter().filter(|seen| seen.pause.is_some()).count();
        if rests > 0 && rests == self.enough { ENOUGH } else { ControlFlow::Continue(()) }
    }
}

/// Above the pace two times out of three.
const PRESSURE: [f64; 3] = [9.0, 9.0, 0.0];
const RESTING: ChangeLimits = ChangeLimits {
    pace: Some(5.0),
    timeout: None,
    max_psi: None,
    loses_pages: false,
    may_kill: false,
};

/// Disables or renews `a`.
fn drain_with_monitor(
    machine: &FakeMachine,
    monitor: &mut StopAtPause<'_>,
    renew: bool,
) -> (ChangeOutcome, journal::Record) {
    let area = Activation { path: "a".into(), priority: Priority::Set(1), discard: Discard::None };
    let to = Activation { priority: Priority::Set(7), ..area.clone() };
    let step = if renew { Step::Renew { from: area, to } } else { Step::Off { area } };
    let (steps, relies_on) = (vec![step], machine.current_areas());
    let plan = Plan { steps, relies_on, ..Plan::without_steps(String::new()) };
    let (outcome, records) = run_within(RESTING, machine, &plan, monitor);
    (outcome, records[0].clone())
}

const STOPPED: HelperReport = HelperReport::OffFailed(Errno::EINTR);

#[test]
fn drain_pauses_and_continues_until_done() {
    // One helper ends before it can receive the stop, one lacks memory at that moment.
    let bursts = [
        (800, STOPPED),
        (700, HelperReport::Stopped),
        (600, HelperReport::OffFailed(Errno::ENOMEM)),
    ];
    for renew in [false, true] {
        let machine = FakeMachine::in_bursts(&bursts.map(|(left, report)| (Some(left), report)));
        let mut monitor = StopAtPause::default();
        let (outcome, record) = drain_with_monitor(&machine, &mut monitor, renew);
        assert_eq!((outcome.end, outcome.why), (PlanEnd::Done, None));
        assert_eq!(machine.helpers.get(), 4);
        let tried = record.events.iter().filter(|event| matches!(event, Event::Try { .. }));
        assert_eq!(tried.count(), 1, "{:?}", record.events);
        let is_at = |left| {
            let mut rests = monitor.seen.iter().filter(|seen| seen.pause.is_some());
            rests.any(|seen| seen.left == Bytes(left))
        };
        assert!([1024, 800, 700, 600].into_iter().all(is_at), "{:?}", monitor.seen);
    }
}

#[test]
fn bursts_without_progress_stop_the_drain() {
    let left = |left| (Some(left), STOPPED);
    // What returns in between is drained again in time.
    let well = [900, 950, 900, 990, 900, 899, 899, 950, 899, 899].map(left);
    let machine = FakeMachine::in_bursts(&well);
    let (outcome, _) = drain_with_monitor(&machine, &mut StopAtPause::default(), false);
    assert_eq!((outcome.end, machine.helpers.get()), (PlanEnd::Done, 11));
    let machine = FakeMachine::in_bursts(&[900, 950, 900, 990, 900, 920, 1].map(left));
    let (outcome, _) = drain_with_monitor(&machine, &mut StopAtPause::default(), true);
    assert_eq!((outcome.end, machine.helpers.get()), (PlanEnd::Undone, 6));
    let why = outcome.why.unwrap();
    assert!(why.contains("a: 5 bursts in a row made no progress, with 920B left"), "{why}");
    assert_eq!(machine.current_areas(), FakeMachine::with(None).current_areas());
}

#[test]
fn stopping_during_a_pause_restores_the_machine() {
    // Before the first helper, while one is asked to stop, and after it.
    for (enough, helpers) in [(1, 0), (3, 1), (4, 1), (5, 2)] {
        let machine = FakeMachine::in_bursts(&[(Some(900), STOPPED), (Some(800), STOPPED)]);
        let mut monitor = StopAtPause { enough, ..StopAtPause::default() };
        let (outcome, record) = drain_with_monitor(&machine, &mut monitor, true);
        assert_eq!(
            (outcome.end, outcome.why.as_deref()),
            (PlanEnd::Undone, Some("you stopped it"))
        );
        assert_eq!(
            (machine.helpers.get(), machine.current_areas()),
            (helpers, FakeMachine::with(None).current_areas()),
            "{enough}"
        );
        assert_eq!(record.end(), Some(PlanEnd::Undone));
    }
}

#[test]
fn area_left_disabled_is_enabled_without_another_drain() {
    let machine = FakeMachine::in_bursts(&[(None, HelperReport::Killed)]);
    let (outcome, _) = drain_with_monitor(&machine, &mut StopAtPause::default(), true);
    assert_eq!((outcome.end, outcome.why.as_deref()), (PlanEnd::Undone, Some(HELPER_KILLED)));
    assert_eq!(
        (machine.helpers.get(), machine.current_areas()),
        (1, FakeMachine::with(None).current_areas())
    );
}

#[test]
fn killed_helper_is_not_restarted() {
    for renew in [false, true] {
        let machine = FakeMachine::in_bursts(&[(Some(900), HelperReport::Killed)]);
        let (outcome, _) = drain_with_monitor(&machine, &mut StopAtPause::default(), renew);
        assert_eq!((outcome.end, outcome.why.as_deref()), (PlanEnd::Undone, Some(HELPER_KILLED)));
        assert_eq!(
            (machine.helpers.get(), machine.current_areas()),
            (1, FakeMachine::with(None).current_areas())
        );
    }
}

/// Whoever disables an area during a pause wants it disabled.
#[test]
fn changes_by_others_during_a_pause_are_kept() {
    for renew in [false, true] {
        let machine = FakeMachine::in_bursts(&[(Some(900), STOPPED)]);
        let mut monitor =
            StopAtPause { meanwhile: Some((&machine, "a")), ..StopAtPause::default() };
        let (outcome, record) = drain_with_monitor(&machine, &mut monitor, renew);
        assert_eq!((outcome.end, outcome.why.as_deref()), (PlanEnd::Undone, Some(CHANGED)));
        let remark = outcome.remark.unwrap();
        assert!(remark.contains("data moved so far stays where it is"), "{remark}");
        assert!(machine.current_areas().iter().all(|stands| stands.path != "a".into()));
        assert_eq!(record.end(), Some(PlanEnd::Undone));
    }
}

#[test]
fn pauses_do_not_count_as_drain_time() {
    let machine = FakeMachine::in_bursts(&[(Some(900), STOPPED)]);
    let (_, record) = drain_with_monitor(&machine, &mut StopAtPause::default(), false);
    let took_none = |event: &Event| matches!(event, Event::Made { seconds: 0.0, .. });
    // Time passes on this machine only during pauses.
    assert!(record.events.iter().any(took_none), "{:?}", record.events);
}

#[test]
fn undo_does_not_pause() {
    let machine = FakeMachine::with(Some((2, Fault::Off(Errno::EBUSY))));
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    machine.memory.borrow_mut().pressure = PRESSURE;
    let mut monitor = StopAtPause::default();
    let (outcome, _) = run_within(RESTING, &machine, &plan, &mut monitor);
    assert_eq!((outcome.end, monitor.back), (PlanEnd::Undone, true));
}
