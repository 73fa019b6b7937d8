//! Tests of plans that change no area: settings, headers and files.

use super::*;
use crate::actions::storage;
use crate::model::format::{Format, Patch, Uuid};

/// Outcome of changing two settings to these values.
fn run_two_settings(values: [&str; 2]) -> (ChangeOutcome, [String; 2]) {
    let machine = FakeMachine::with(None);
    let step = |(name, to): (&str, &str)| Step::Set {
        what: name.to_owned(),
        file: name.into(),
        from: "1".to_owned(),
        to: to.to_owned(),
    };
    let steps = ["x", "y"].into_iter().zip(values).map(step).collect();
    let relies_on = machine.current_areas();
    let plan = Plan { steps, relies_on, ..Plan::without_steps(String::new()) };
    let (outcome, _) = run(&machine, &plan, &mut Patience(0));
    let settings = machine.settings.borrow();
    (outcome, ["x", "y"].map(|name| settings[&Name::from(name)].clone()))
}

#[test]
fn setting_is_applied_or_everything_is_restored() {
    let (outcome, is) = run_two_settings(["2", "3"]);
    assert_eq!((outcome.end, is), (PlanEnd::Done, ["2", "3"].map(str::to_owned)));
    let (outcome, is) = run_two_settings(["2", "no"]);
    assert_eq!((outcome.end, is), (PlanEnd::Undone, ["1", "1"].map(str::to_owned)));
    assert!(outcome.why.unwrap().contains("rejects this value"));
    let (outcome, is) = run_two_settings(["2", "5"]);
    assert_eq!((outcome.end, is), (PlanEnd::Undone, ["1", "1"].map(str::to_owned)));
    assert_eq!(outcome.why.unwrap(), "the kernel changed \"5\" to \"4\" for y");
}

/// Does something at the first event of a step.
struct AtStep<'a>(usize, &'a dyn Fn());

impl Monitor<Progress> for AtStep<'_> {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        if progress.step == self.0 {
            (self.1)();
        }
        ControlFlow::Continue(())
    }
}

/// Executes these steps, and does something at the last one.
fn run_with_event(
    machine: &FakeMachine,
    steps: Vec<Step>,
    event: &dyn Fn(),
) -> (ChangeOutcome, Vec<journal::Record>) {
    let (relies_on, last) = (machine.current_areas(), steps.len() - 1);
    let plan = Plan { steps, relies_on, ..Plan::without_steps(String::new()) };
    run(machine, &plan, &mut AtStep(last, event))
}

fn set_step(name: &str, to: &str) -> Step {
    Step::Set { what: name.into(), file: name.into(), from: "1".into(), to: to.into() }
}

/// Disables an area, changes a setting, and fails at another one.
fn failing_steps() -> Vec<Step> {
    let area = Activation { path: "a".into(), priority: Priority::Set(1), discard: Discard::None };
    vec![Step::Off { area }, set_step("x", "2"), set_step("y", "no")]
}

#[test]
fn undo_goes_on_after_a_step_that_somebody_else_has_changed() {
    let machine = FakeMachine::with(None);
    let theirs = || drop(machine.settings.borrow_mut().insert("x".into(), "9".to_owned()));
    let (outcome, records) = run_with_event(&machine, failing_steps(), &theirs);
    let remark = outcome.remark.unwrap();
    assert!(
        outcome.end == PlanEnd::Undone && remark.contains("Someone else changed x"),
        "{remark}"
    );
    assert_eq!(
        records[0].steps_in_effect(),
        Vec::<usize>::new(),
        "it holds up no undo of earlier plans"
    );
    assert_eq!(machine.current_areas(), FakeMachine::with(None).current_areas());
    assert_eq!(machine.settings.borrow()[&Name::from("x")], "9");
}

#[test]
fn undo_reads_a_state_again_and_goes_on_if_all_readings_fail() {
    for (times, end) in [(3, PlanEnd::Undone), (4, PlanEnd::Partial)] {
        let machine = FakeMachine::with(None);
        let fails = || drop(machine.unreadable.replace(Some(("x".into(), times))));
        let (outcome, _) = run_with_event(&machine, failing_steps(), &fails);
        assert_eq!(outcome.end, end, "{outcome:?}");
        assert_eq!(machine.current_areas(), FakeMachine::with(None).current_areas());
    }
}

#[test]
fn an_unreadable_state_is_reported_with_its_reason() {
    let run = |times| {
        let machine = FakeMachine::with(None);
        let fails = || drop(machine.unreadable.replace(Some(("x".into(), times))));
        let (outcome, _) = run_with_event(&machine, vec![set_step("x", "2")], &fails);
        (outcome.end, outcome.why)
    };
    assert_eq!(run(3), (PlanEnd::Done, None));
    assert_eq!(run(4), (PlanEnd::Partial, Some("x cannot be read".to_owned())));
}

#[test]
fn areas_are_recorded_or_nothing_begins() {
    let run = |times| {
        let machine = FakeMachine::with(None);
        machine.unreadable.replace(Some((SWAPS.into(), times)));
        let (outcome, records) = run_with_event(&machine, vec![failing_steps().remove(0)], &|| ());
        (outcome.end, outcome.why, records.first().map(|record| record.areas.len()))
    };
    assert_eq!(run(1), (PlanEnd::Done, None, Some(4)));
    let why = "/proc/swaps cannot be read".to_owned();
    assert_eq!(run(2), (PlanEnd::Undone, Some(why), None));
}

#[test]
fn unusable_header_restores_the_old_content() {
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let format = Format::new(Bytes(1 << 20), 4096, uuid, None).unwrap();
    let (was, page) = (vec![7; 4096], format.page());
    let header =
        Step::format("e".into(), Bytes(1 << 20), format, vec![Patch { at: 0, bytes: was.clone() }]);
    let area = Activation { path: "e".into(), priority: Priority::Set(3), discard: Discard::None };
    let made = |fault, patience| {
        let machine = FakeMachine::with(fault);
        machine.contents.borrow_mut().insert("e".into(), was.clone());
        let steps = vec![header.clone(), Step::On { area: area.clone() }];
        let relies_on = machine.current_areas();
        let plan = Plan { steps, relies_on, ..Plan::without_steps(String::new()) };
        let (outcome, records) = run(&machine, &plan, &mut Patience(patience));
        let content = machine.contents.borrow()[&Name::from("e")].clone();
        (outcome.end, content, records[0].steps_in_effect())
    };
    assert_eq!(made(None, 0), (PlanEnd::Done, page, vec![0, 1]));
    assert_eq!(made(Some((9, Fault::Lost)), 0), (PlanEnd::Undone, was.clone(), vec![]));
    assert_eq!(made(None, 2), (PlanEnd::Undone, was.clone(), vec![]));
}

#[test]
fn file_is_created_and_enabled_or_absent() {
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let format = Format::new(Bytes(1 << 20), 4096, uuid, None).unwrap();
    let form = SwapFileSpec { size: Bytes(1 << 20), format, nocow: false };
    let area = Activation { path: "s".into(), priority: Priority::Set(3), discard: Discard::None };
    let made = |fault, patience| {
        let machine = FakeMachine::with(fault);
        let path = Name::from("s");
        let plan =
            storage::create(&machine.areas.borrow(), &path, form.clone(), Some(area.clone()));
        let (outcome, _) = run(&machine, &plan, &mut Patience(patience));
        let is = (machine.contents.borrow().contains_key(&path), machine.areas.borrow().len());
        (outcome.end, is)
    };
    assert_eq!(made(None, 0), (PlanEnd::Done, (true, 5)));
    assert_eq!(made(Some((9, Fault::Lost)), 0), (PlanEnd::Undone, (false, 4)));
    // Before it begins, while it is allocated, before it is enabled.
    for patience in 1..=5 {
        assert_eq!(made(None, patience), (PlanEnd::Undone, (false, 4)), "{patience}");
    }
}

/// A file whose size could not be changed is a swap file all the same; one that could not be created is not.
#[test]
fn an_area_is_enabled_again_although_its_file_could_not_be_resized() {
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let form = |size: u64| {
        let format = Format::new(Bytes(size), 4096, uuid, None).unwrap();
        Some(SwapFileSpec { size: Bytes(size), format, nocow: false })
    };
    let file = |from, to| Step::File { path: "s".into(), from, to };
    let (resized, created) = (file(form(1 << 20), form(2 << 20)), file(None, form(1 << 20)));
    let area = Activation { path: "s".into(), priority: Priority::Set(1), discard: Discard::None };
    let (on, off) = (Step::On { area: area.clone() }, Step::Off { area });
    let waits = |step: &Step, other: &Step| (depends_on(step, other), needs(step, other));
    assert_eq!((waits(&on, &resized), waits(&on, &created)), ((false, false), (true, true)));
    assert_eq!(waits(&off, &created), (true, true));
}
