//! What comes of drains that rest.

use super::*;

impl Machine {
    /// Leave so much on an area; none takes it off.
    pub(super) fn leave(&self, name: &Name, left: Option<u64>) {
        let Some(left) = left else { return self.remove(name) };
        let mut areas = self.areas.borrow_mut();
        let area = areas.iter_mut().find(|area| area.path == *name).unwrap();
        area.used = Reading::Known(Bytes(left));
    }

    /// One whose helpers, told to stop, come to this, one after the other.
    fn in_bursts(bursts: &[(Option<u64>, Report)]) -> Self {
        let bursts = RefCell::new(bursts.iter().rev().copied().collect());
        let machine = Self { bursts, ..Self::with(None) };
        machine.memory.borrow_mut().pressure = PRESSURE;
        machine
    }
}

/// Looks on at a drain that rests each time a helper works, and now and then once more.
#[derive(Default)]
struct Pace<'m> {
    /// Which rest, from 1 on, is the last: then it has enough.
    enough: usize,
    seen: Vec<Progress>,
    back: bool,
    /// Takes an area off as soon as it rests.
    meanwhile: Option<(&'m Machine, &'static str)>,
}

impl Monitor<Progress> for Pace<'_> {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        assert!(!progress.back || progress.rest.is_none(), "it rests on the way back");
        self.back = progress.back;
        self.seen.push(progress);
        if let (Some(_), Some((machine, area))) = (progress.rest, self.meanwhile) {
            machine.remove(&area.into());
        }
        let rests = self.seen.iter().filter(|seen| seen.rest.is_some()).count();
        if rests > 0 && rests == self.enough { ENOUGH } else { ControlFlow::Continue(()) }
    }
}

/// Two times of three it is above the pace.
const PRESSURE: [f64; 3] = [9.0, 9.0, 0.0];
const RESTING: Limits = Limits { pace: Some(5.0), timeout: None, max_psi: None };

/// Take `a` off, or renew it.
fn drained(machine: &Machine, monitor: &mut Pace<'_>, renew: bool) -> (Outcome, journal::Record) {
    let area = Activation { path: "a".into(), priority: Priority::Set(1), discard: Discard::None };
    let to = Activation { priority: Priority::Set(7), ..area.clone() };
    let step = if renew { Step::Renew { from: area, to } } else { Step::Off { area } };
    let (steps, relies_on) = (vec![step], machine.shown());
    let plan = Plan { steps, relies_on, ..Plan::none(String::new()) };
    let (outcome, records) = run_within(RESTING, machine, &plan, monitor);
    (outcome, records[0].clone())
}

const STOPPED: Report = Report::OffFailed(Errno::EINTR);

#[test]
fn a_drain_rests_and_goes_on_until_all_is_moved() {
    // One of them is ended before it can hear that it is to stop, one finds no memory just then.
    let bursts = [(800, STOPPED), (700, Report::Stopped), (600, Report::OffFailed(Errno::ENOMEM))];
    for renew in [false, true] {
        let machine = Machine::in_bursts(&bursts.map(|(left, report)| (Some(left), report)));
        let mut monitor = Pace::default();
        let (outcome, record) = drained(&machine, &mut monitor, renew);
        assert_eq!((outcome.end, outcome.why), (End::Done, None));
        assert_eq!(machine.helpers.get(), 4);
        let tried = record.events.iter().filter(|event| matches!(event, Event::Try { .. }));
        assert_eq!(tried.count(), 1, "{:?}", record.events);
        let is_at = |left| {
            let mut rests = monitor.seen.iter().filter(|seen| seen.rest.is_some());
            rests.any(|seen| seen.left == Bytes(left))
        };
        assert!([1024, 800, 700, 600].into_iter().all(is_at), "{:?}", monitor.seen);
    }
}

#[test]
fn bursts_that_come_to_nothing_are_given_up() {
    let left = |left| (Some(left), STOPPED);
    // What comes back in between is gone again in time.
    let well = [900, 950, 900, 990, 900, 899, 899, 950, 899, 899].map(left);
    let machine = Machine::in_bursts(&well);
    let (outcome, _) = drained(&machine, &mut Pace::default(), false);
    assert_eq!((outcome.end, machine.helpers.get()), (End::Done, 11));
    let machine = Machine::in_bursts(&[900, 950, 900, 990, 900, 900, 1].map(left));
    let (outcome, _) = drained(&machine, &mut Pace::default(), true);
    assert_eq!((outcome.end, machine.helpers.get()), (End::Undone, 6));
    let why = outcome.why.unwrap();
    assert!(why.contains("a: none of 5 bursts in a row left less than 900B on it"), "{why}");
    assert_eq!(machine.shown(), Machine::with(None).shown());
}

#[test]
fn whoever_has_enough_while_it_rests_gets_the_machine_as_it_was() {
    // Before the first helper, while one is told to stop, and after it.
    for (enough, helpers) in [(1, 0), (3, 1), (4, 1), (5, 2)] {
        let machine = Machine::in_bursts(&[(Some(900), STOPPED), (Some(800), STOPPED)]);
        let mut monitor = Pace { enough, ..Pace::default() };
        let (outcome, record) = drained(&machine, &mut monitor, true);
        assert_eq!((outcome.end, outcome.why.as_deref()), (End::Undone, Some("you stopped it")));
        assert_eq!(
            (machine.helpers.get(), machine.shown()),
            (helpers, Machine::with(None).shown()),
            "{enough}"
        );
        assert_eq!(record.end(), Some(End::Undone));
    }
}

#[test]
fn an_area_that_a_helper_left_off_is_put_on_again_and_not_drained_once_more() {
    let machine = Machine::in_bursts(&[(None, Report::Killed)]);
    let (outcome, _) = drained(&machine, &mut Pace::default(), true);
    assert_eq!((outcome.end, outcome.why.as_deref()), (End::Undone, Some(KILLED)));
    assert_eq!((machine.helpers.get(), machine.shown()), (1, Machine::with(None).shown()));
}

#[test]
fn a_helper_that_is_killed_is_not_sent_again() {
    for renew in [false, true] {
        let machine = Machine::in_bursts(&[(Some(900), Report::Killed)]);
        let (outcome, _) = drained(&machine, &mut Pace::default(), renew);
        assert_eq!((outcome.end, outcome.why.as_deref()), (End::Undone, Some(KILLED)));
        assert_eq!((machine.helpers.get(), machine.shown()), (1, Machine::with(None).shown()));
    }
}

/// Whoever takes an area off while it rests wants it off.
#[test]
fn what_others_change_during_a_rest_stays() {
    for renew in [false, true] {
        let machine = Machine::in_bursts(&[(Some(900), STOPPED)]);
        let mut monitor = Pace { meanwhile: Some((&machine, "a")), ..Pace::default() };
        let (outcome, record) = drained(&machine, &mut monitor, renew);
        assert_eq!((outcome.end, outcome.why.as_deref()), (End::Undone, Some(CHANGED)));
        let remark = outcome.remark.unwrap();
        assert!(remark.contains("what was moved by then stays where it is"), "{remark}");
        assert!(machine.shown().iter().all(|stands| stands.path != "a".into()));
        assert_eq!(record.end(), Some(End::Undone));
    }
}

#[test]
fn rests_are_no_part_of_the_time() {
    let machine = Machine::in_bursts(&[(Some(900), STOPPED)]);
    let (_, record) = drained(&machine, &mut Pace::default(), false);
    let took_none = |event: &Event| matches!(event, Event::Made { seconds: 0.0, .. });
    // No time passes on this machine but while it rests.
    assert!(record.events.iter().any(took_none), "{:?}", record.events);
}

#[test]
fn the_way_back_takes_no_rest() {
    let machine = Machine::with(Some((2, Fault::Off(Errno::EBUSY))));
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    machine.memory.borrow_mut().pressure = PRESSURE;
    let mut monitor = Pace::default();
    let (outcome, _) = run_within(RESTING, &machine, &plan, &mut monitor);
    assert_eq!((outcome.end, monitor.back), (End::Undone, true));
}
