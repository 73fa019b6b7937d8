//! Tests of temporary plans.

use super::*;
use crate::actions::plan::plan_recovery;

fn activation(name: &str) -> Activation {
    Activation { path: name.into(), priority: Priority::Set(3), discard: Discard::None }
}

/// A setting, and an area that is enabled.
fn plan(machine: &FakeMachine) -> Plan {
    let (from, to) = ("1".to_owned(), "2".to_owned());
    let set = Step::Set { what: "x".to_owned(), file: "x".into(), from, to };
    // In the order used for runs: what is undone first comes last.
    let steps = vec![Step::On { area: activation("e") }, set];
    Plan { steps, relies_on: machine.current_areas(), ..Plan::without_steps("a load".to_owned()) }
}

fn setting(machine: &FakeMachine) -> String {
    machine.settings.borrow()[&Name::from("x")].clone()
}

fn is_on(machine: &FakeMachine) -> bool {
    machine.areas.borrow().iter().any(|area| area.path == "e".into())
}

/// Runs such a plan; returns the outcome, how often it was used, and the journal record.
fn run_temporary(
    machine: &FakeMachine,
    patience: usize,
    during: &dyn Fn(),
) -> (ChangeOutcome, usize, journal::Record) {
    run_plan(machine, &plan(machine), patience, during)
}

fn run_plan(
    machine: &FakeMachine,
    plan: &Plan,
    patience: usize,
    during: &dyn Fn(),
) -> (ChangeOutcome, usize, journal::Record) {
    let dir = tempfile::tempdir().unwrap();
    let path = JournalStore::File(dir.path().join("journal"));
    let mut journal = Journal::open(&path, "now").unwrap();
    let clock = Clock::at(START);
    let monitor = &mut Patience(patience);
    let mut runner = Runner {
        sys: machine,
        look: machine,
        journal: &mut journal,
        clock: &clock,
        limits: ChangeLimits::default(),
        begun: Duration::ZERO,
        monitor,
    };
    let mut served = 0;
    let outcome = runner.run_temporarily(plan, &mut || {
        served += 1;
        during();
    });
    (outcome, served, journal::read_unchecked(&path).unwrap().remove(0))
}

#[test]
fn temporary_changes_are_undone_after_use() {
    let machine = FakeMachine::with(None);
    let during = || assert!(setting(&machine) == "2" && is_on(&machine));
    let (outcome, served, record) = run_temporary(&machine, 0, &during);
    assert_eq!((outcome.end, outcome.why, served), (PlanEnd::Restored, None, 1));
    assert_eq!((setting(&machine).as_str(), is_on(&machine)), ("1", false));
    assert_eq!((record.steps_in_effect(), record.is_open("now")), (vec![], false));
}

#[test]
fn incomplete_temporary_changes_are_not_used() {
    for (fault, patience) in [(Some((9, Fault::Lost)), 0), (None, 1), (None, 2)] {
        let machine = FakeMachine::with(fault);
        let (outcome, served, _) = run_temporary(&machine, patience, &|| ());
        assert_eq!((outcome.end, served), (PlanEnd::Undone, 0), "{fault:?} {patience}");
        assert_eq!((setting(&machine).as_str(), is_on(&machine)), ("1", false));
    }
}

#[test]
fn stopped_undo_leaves_the_rest_in_place() {
    let machine = FakeMachine::with(None);
    // Two steps are done; the third event is the undo of the setting.
    let (outcome, served, record) = run_temporary(&machine, 3, &|| ());
    assert_eq!((outcome.end, served), (PlanEnd::Partial, 1));
    assert_eq!((setting(&machine).as_str(), is_on(&machine)), ("2", true));
    assert_eq!(record.steps_in_effect().len(), 2);
}

/// A plan that is open in the journal keeps out all later ones.
#[test]
fn a_plan_overtaken_before_its_first_step_is_closed() {
    let machine = FakeMachine::with(None);
    let plan = plan(&machine);
    machine.put(&activation("e"));
    let (outcome, served, record) = run_plan(&machine, &plan, 0, &|| ());
    assert_eq!((outcome.end, outcome.why.as_deref()), (PlanEnd::Undone, Some(CHANGED)));
    assert_eq!((served, record.is_open("now")), (0, false));
    assert!(is_on(&machine), "it is not ours");
}

#[test]
fn area_disabled_meanwhile_counts_as_undone() {
    let machine = FakeMachine::with(None);
    let (outcome, _, record) = run_temporary(&machine, 0, &|| machine.remove(&"e".into()));
    assert_eq!((outcome.end, record.steps_in_effect()), (PlanEnd::Restored, vec![]));
    assert_eq!(setting(&machine), "1");
}

#[test]
fn changes_by_others_are_kept_and_reported() {
    let machine = FakeMachine::with(None);
    let other = || drop(machine.settings.borrow_mut().insert("x".into(), "7".to_owned()));
    let (outcome, ..) = run_temporary(&machine, 0, &other);
    assert_eq!((outcome.end, setting(&machine).as_str()), (PlanEnd::Restored, "7"));
    assert!(outcome.remark.unwrap().contains("Someone else changed x meanwhile"));
    assert!(!is_on(&machine), "the rest is taken back");
}

#[test]
fn recovery_undoes_temporary_changes_after_a_kill() {
    let machine = FakeMachine::with(None);
    // The journal as it is during use.
    let (.., mut record) = run_temporary(&machine, 0, &|| ());
    let made = |event: &Event| matches!(event, Event::Made { step: 1, back: false, .. });
    let last = record.events.iter().position(made).unwrap();
    record.events.truncate(last + 1);
    machine.settings.borrow_mut().insert("x".into(), "2".to_owned());
    machine.put(&activation("e"));
    assert!(record.is_open("now"));
    let back = plan_recovery(&[record.clone()], &machine, "now").unwrap().plan;
    let inverse: Vec<Step> = record.steps.iter().rev().filter_map(Step::inverse).collect();
    assert_eq!(back.steps, inverse);
    record.is_temporary = false;
    assert_eq!(plan_recovery(&[record], &machine, "now").unwrap().plan.steps, []);
}
