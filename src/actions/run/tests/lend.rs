//! What comes of plans that are made for the time of something else.

use super::*;
use crate::actions::plan::recovery;

fn activation(name: &str) -> Activation {
    Activation { path: name.into(), priority: Priority::Set(3), discard: Discard::None }
}

/// A setting, and an area that is switched on.
fn plan(machine: &Machine) -> Plan {
    let (from, to) = ("1".to_owned(), "2".to_owned());
    let set = Step::Set { what: "x".to_owned(), file: "x".into(), from, to };
    // As loads are lent them: what is taken back first comes last.
    let steps = vec![Step::On { area: activation("e") }, set];
    Plan { steps, relies_on: machine.shown(), ..Plan::none("a load".to_owned()) }
}

fn setting(machine: &Machine) -> String {
    machine.settings.borrow()[&Name::from("x")].clone()
}

fn is_on(machine: &Machine) -> bool {
    machine.areas.borrow().iter().any(|area| area.path == "e".into())
}

/// Lend such a plan; says what came of it, how often it served, and what the journal says.
fn lent(
    machine: &Machine,
    patience: usize,
    during: &dyn Fn(),
) -> (Outcome, usize, journal::Record) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let mut journal = Journal::open(&path, "now").unwrap();
    let clock = Clock::at(START);
    let monitor = &mut Patience(patience);
    let mut runner = Runner {
        sys: machine,
        look: machine,
        journal: &mut journal,
        clock: &clock,
        limits: Limits::default(),
        begun: START,
        monitor,
    };
    let mut served = 0;
    let outcome = runner.lend(&plan(machine), &mut || {
        served += 1;
        during();
    });
    (outcome, served, journal::read_any(&path).unwrap().remove(0))
}

#[test]
fn what_is_lent_serves_and_is_taken_back() {
    let machine = Machine::with(None);
    let during = || assert!(setting(&machine) == "2" && is_on(&machine));
    let (outcome, served, record) = lent(&machine, 0, &during);
    assert_eq!((outcome.end, outcome.why, served), (End::Returned, None, 1));
    assert_eq!((setting(&machine).as_str(), is_on(&machine)), ("1", false));
    assert_eq!((record.standing(), record.is_open("now")), (vec![], false));
}

#[test]
fn what_cannot_be_lent_whole_serves_nothing() {
    for (fault, patience) in [(Some((9, Fault::Lost)), 0), (None, 1), (None, 2)] {
        let machine = Machine::with(fault);
        let (outcome, served, _) = lent(&machine, patience, &|| ());
        assert_eq!((outcome.end, served), (End::Undone, 0), "{fault:?} {patience}");
        assert_eq!((setting(&machine).as_str(), is_on(&machine)), ("1", false));
    }
}

#[test]
fn what_is_given_up_stays_where_it_is() {
    let machine = Machine::with(None);
    // Two steps are made; the third look is at the setting that is to go back.
    let (outcome, served, record) = lent(&machine, 3, &|| ());
    assert_eq!((outcome.end, served), (End::Partial, 1));
    assert_eq!((setting(&machine).as_str(), is_on(&machine)), ("2", true));
    assert_eq!(record.standing().len(), 2);
}

#[test]
fn an_area_that_was_taken_off_meanwhile_is_not_missed() {
    let machine = Machine::with(None);
    let (outcome, _, record) = lent(&machine, 0, &|| machine.remove(&"e".into()));
    assert_eq!((outcome.end, record.standing()), (End::Returned, vec![]));
    assert_eq!(setting(&machine), "1");
}

#[test]
fn what_was_changed_by_others_meanwhile_stays_and_is_told() {
    let machine = Machine::with(None);
    let other = || drop(machine.settings.borrow_mut().insert("x".into(), "7".to_owned()));
    let (outcome, ..) = lent(&machine, 0, &other);
    assert_eq!((outcome.end, setting(&machine).as_str()), (End::Partial, "7"));
    assert!(outcome.why.unwrap().contains("x was changed by somebody else"));
    assert!(!is_on(&machine), "the rest is taken back");
}

#[test]
fn recovery_takes_back_what_was_lent_when_whoever_lent_it_was_killed() {
    let machine = Machine::with(None);
    // The journal as it is while it serves.
    let (.., mut record) = lent(&machine, 0, &|| ());
    let made = |event: &Event| matches!(event, Event::Made { step: 1, back: false, .. });
    let last = record.events.iter().position(made).unwrap();
    record.events.truncate(last + 1);
    machine.settings.borrow_mut().insert("x".into(), "2".to_owned());
    machine.put(&activation("e"));
    assert!(record.is_open("now"));
    let back = recovery(&[record.clone()], &machine, "now").unwrap();
    let inverse: Vec<Step> = record.steps.iter().rev().filter_map(Step::inverse).collect();
    assert_eq!(back.steps, inverse);
    record.lent = false;
    assert_eq!(recovery(&[record], &machine, "now").unwrap().steps, []);
}
