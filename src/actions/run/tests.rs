//! Tests of plans with faults of every kind, on a fake machine.

mod limits;
mod machine;
mod other_steps;
mod pace;
mod reads;
mod reserve;
mod sequences;
mod temporary;

use super::*;
use crate::actions::journal::{self, JournalStore};
use crate::actions::messages;
use crate::actions::plan::{current_areas, priorities};
use crate::actions::testing::mortal::{Patience, START};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::block::BlockDevice;
use crate::model::format::SwapFileSpec;
use crate::model::swaparea::{FailedReads, testing};
use crate::model::zram::ZramSettings;
use crate::model::{Name, Part, Reading, Snapshot};
use crate::sys::{CreateFileError, HelperReport, HelperTask, Rewrite, RunningHelper, WriteError};
use machine::{FakeMachine, SWAPS, area};
use nix::errno::Errno;
use reserve::FakeMemory;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

/// The fault of one helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The area cannot be disabled.
    Off(Errno),
    /// Nor can any later helper disable an area.
    Full,
    /// The helper cannot enable the area again.
    On,
    /// Nobody can enable the area again.
    Lost,
    /// The helper dies before any change.
    DeadBefore,
    /// The helper dies while the area is disabled.
    DeadBetween,
    /// The helper dies after completing.
    DeadAfter,
    /// Somebody else changes the priority of another area.
    Meddled,
}

const FAULTS: [Fault; 8] = [
    Fault::Off(Errno::EINVAL),
    Fault::Full,
    Fault::On,
    Fault::Lost,
    Fault::DeadBefore,
    Fault::DeadBetween,
    Fault::DeadAfter,
    Fault::Meddled,
];

/// The answer of a monitor that stops the plan.
const ENOUGH: ControlFlow<StopReason> = ControlFlow::Break(StopReason::Asked);

fn wishes() -> Vec<(Name, Priority)> {
    let wish = |(name, priority): (&str, u16)| (Name::from(name), Priority::Set(priority));
    [("a", 10), ("b", 10), ("c", 10), ("d", 10)].map(wish).to_vec()
}

/// Executes a plan of four steps; returns the outcome and the journal.
fn outcome(machine: &FakeMachine, patience: Patience) -> (ChangeOutcome, Vec<journal::Record>) {
    run_to_journal(machine, patience, false)
}

fn run_to_journal(
    machine: &FakeMachine,
    mut patience: Patience,
    apart: bool,
) -> (ChangeOutcome, Vec<journal::Record>) {
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    let plan = Plan { independent: apart, ..plan };
    run(machine, &plan, &mut patience)
}

fn run(
    machine: &FakeMachine,
    plan: &Plan,
    monitor: &mut dyn Monitor<Progress>,
) -> (ChangeOutcome, Vec<journal::Record>) {
    run_within(ChangeLimits::default(), machine, plan, monitor)
}

fn run_within(
    limits: ChangeLimits,
    machine: &FakeMachine,
    plan: &Plan,
    monitor: &mut dyn Monitor<Progress>,
) -> (ChangeOutcome, Vec<journal::Record>) {
    run_on_clock(&Clock::at(START), limits, machine, plan, monitor)
}

/// Executes a plan that began with the boot of the machine.
fn run_on_clock(
    clock: &Clock,
    limits: ChangeLimits,
    machine: &FakeMachine,
    plan: &Plan,
    monitor: &mut dyn Monitor<Progress>,
) -> (ChangeOutcome, Vec<journal::Record>) {
    let dir = tempfile::tempdir().unwrap();
    let path = JournalStore::File(dir.path().join("journal"));
    let mut runner = Runner {
        sys: machine,
        look: machine,
        journal: &mut Journal::open(&path, "boot").unwrap(),
        clock,
        limits,
        begun: Duration::ZERO,
        monitor,
    };
    (runner.run(plan, None), journal::read_unchecked(&path).unwrap())
}

fn all_renewed() -> Vec<plan::AreaState> {
    current_areas(&["a", "b", "c", "d"].map(|name| area(name, 10)))
}

#[test]
fn plan_is_executed() {
    let machine = FakeMachine::with(None);
    let (outcome, records) = outcome(&machine, Patience(0));
    assert_eq!(
        outcome,
        ChangeOutcome { undoable: true, ..ChangeOutcome::ended(1, PlanEnd::Done, None) }
    );
    assert_eq!(machine.current_areas(), all_renewed());
    assert_eq!(records[0].end(), Some(PlanEnd::Done));
    let made = records[0].events.iter().filter(|event| matches!(event, Event::Made { .. }));
    assert_eq!(made.count(), 4);
}

#[test]
fn an_end_that_the_journal_cannot_record_is_told() {
    let machine = FakeMachine::with(None);
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    let store = JournalStore::in_memory();
    let mut journal = Journal::open(&store, "boot").unwrap();
    // The beginning, and two lines for each of four steps.
    journal.room = 9;
    let mut runner = Runner {
        sys: &machine,
        look: &machine,
        journal: &mut journal,
        clock: &Clock::at(START),
        limits: ChangeLimits::default(),
        begun: Duration::ZERO,
        monitor: &mut Patience(0),
    };
    let outcome = runner.run(&plan, None);
    assert_eq!(outcome.end, PlanEnd::Done);
    assert_eq!(journal::read_unchecked(&store).unwrap()[0].end(), None);
    let told = messages::describe_outcome(&outcome);
    assert!(told.starts_with("Done (journal 1; "), "{told}");
    assert!(
        told.contains("counts as interrupted until swapadm recover closes it: cannot write"),
        "{told}"
    );
}

#[test]
fn every_failure_keeps_areas_on_and_reports_the_truth() {
    let old = FakeMachine::with(None).current_areas();
    let mut taken_back = 0;
    // Up to four helpers go forward, up to three undo that after a stop.
    for (number, patience) in (0..7).flat_map(|number| [0, 2, 3, 4].map(|stop| (number, stop))) {
        for fault in FAULTS {
            let machine = FakeMachine::with(Some((number, fault)));
            let (outcome, records) = outcome(&machine, Patience(patience));
            let what = format!("{number} {patience} {fault:?} {outcome:?}");
            assert_eq!(records[0].end(), Some(outcome.end), "{what}");
            let why = outcome.why.clone().unwrap_or_default();
            taken_back += usize::from(why.contains("undo: "));
            let lost = fault == Fault::Lost && machine.areas.borrow().len() < 4;
            assert_eq!(lost, why.contains("IS DISABLED"), "{what}");
            match outcome.end {
                PlanEnd::Done => assert_eq!(machine.current_areas(), all_renewed(), "{what}"),
                PlanEnd::Undone if fault == Fault::Meddled => {}
                PlanEnd::Undone => assert_eq!(machine.current_areas(), old, "{what}"),
                PlanEnd::Partial => assert!(machine.current_areas() != old, "{what}"),
                PlanEnd::Recovered | PlanEnd::Restored | PlanEnd::Dismissed => panic!("{what}"),
            }
            assert!(lost || machine.areas.borrow().len() == 4, "{what}");
        }
    }
    assert!(taken_back > 10, "too few faults while taking back: {taken_back}");
}

#[test]
fn stopping_restores_the_machine() {
    let old = FakeMachine::with(None).current_areas();
    for patience in 1..=4 {
        let machine = FakeMachine::with(None);
        let (outcome, _) = outcome(&machine, Patience(patience));
        assert_eq!(
            (outcome.end, outcome.why.as_deref()),
            (PlanEnd::Undone, Some("you stopped it"))
        );
        assert!(!outcome.undoable, "nothing is left to undo");
        assert_eq!(machine.current_areas(), old);
    }
}

#[test]
fn stop_ends_the_helper_and_starts_nothing_else() {
    for heeds in [true, false] {
        // The third step takes long; the monitor stops in the middle of it.
        let machine = FakeMachine { slow: Some((2, heeds)), ..FakeMachine::with(None) };
        let (outcome, records) = outcome(&machine, Patience(5));
        assert_eq!(
            (outcome.end, outcome.why.as_deref()),
            (PlanEnd::Undone, Some("you stopped it"))
        );
        assert_eq!(machine.current_areas(), FakeMachine::with(None).current_areas());
        let tried = |event: &&Event| matches!(event, Event::Try { step: 3, .. });
        assert_eq!(records[0].events.iter().find(tried), None);
    }
}

#[test]
fn independent_steps_are_kept() {
    let machine = FakeMachine::with(Some((1, Fault::Off(Errno::EBUSY))));
    let (outcome, _) = run_to_journal(&machine, Patience(0), true);
    assert_eq!(outcome.end, PlanEnd::Partial);
    assert!(outcome.why.unwrap().contains("hibernation"));
    let met = |stands: &&plan::AreaState| stands.priority == Priority::Set(10);
    assert_eq!(machine.current_areas().iter().filter(met).count(), 3);
}

#[test]
fn independent_steps_go_on_after_an_area_was_left_disabled() {
    let machine = FakeMachine::with(Some((1, Fault::Lost)));
    let (outcome, _) = run_to_journal(&machine, Patience(0), true);
    let why = outcome.why.unwrap();
    assert!(why.contains("IS DISABLED") && !why.contains("someone else"), "{why}");
    let renewed = all_renewed().into_iter().filter(|area| area.path != "b".into());
    assert_eq!(machine.current_areas(), renewed.collect::<Vec<_>>());
}

#[test]
fn a_change_by_others_is_reported_once() {
    let machine = FakeMachine::with(Some((0, Fault::Meddled)));
    let (outcome, _) = run_to_journal(&machine, Patience(0), true);
    assert_eq!(outcome.why.as_deref(), Some(CHANGED));
}

#[test]
fn a_stop_ends_independent_steps_even_if_an_area_was_left_disabled() {
    let machine =
        FakeMachine { slow: Some((0, false)), ..FakeMachine::with(Some((0, Fault::Lost))) };
    let (outcome, records) = run_to_journal(&machine, Patience(2), true);
    let why = outcome.why.unwrap();
    assert!(why.contains("you stopped it; and a IS DISABLED"), "{why}");
    let tried = |event: &&Event| matches!(event, Event::Try { step: 1, .. });
    assert_eq!(records[0].events.iter().find(tried), None);
}

#[test]
fn drained_only_area_counts_as_done_when_the_helper_succeeds() {
    let machine = |fault| FakeMachine::with(fault);
    let empty = |machine: &FakeMachine| {
        let area =
            Activation { path: "a".into(), priority: Priority::Set(1), discard: Discard::None };
        let steps = vec![Step::Renew { from: area.clone(), to: area }];
        let relies_on = machine.current_areas();
        run(
            machine,
            &Plan { steps, relies_on, ..Plan::without_steps(String::new()) },
            &mut Patience(0),
        )
    };
    let (outcome, records) = empty(&machine(None));
    assert_eq!((outcome.end, records[0].steps_in_effect()), (PlanEnd::Done, vec![0]));
    // Somebody else was disabling it, and gave up.
    let (outcome, _) = empty(&machine(Some((0, Fault::Off(Errno::EINVAL)))));
    assert_eq!(outcome.end, PlanEnd::Done);
    for fault in [Fault::Off(Errno::EPERM), Fault::DeadBefore, Fault::DeadBetween] {
        let (outcome, records) = empty(&machine(Some((0, fault))));
        assert_eq!(
            (outcome.end, records[0].steps_in_effect()),
            (PlanEnd::Undone, vec![]),
            "{fault:?}"
        );
    }
}
