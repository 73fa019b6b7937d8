//! Tests of drains whose reads fail.

use super::*;
use crate::actions::messages::describe_outcome;

/// Disables `a` with these failed reads before and after the helper starts, and returns the outcome and the
/// events.
fn drain_area(failed_reads: (u64, u64), is_slow: bool) -> (ChangeOutcome, Vec<Event>) {
    let slow = is_slow.then_some((0, true));
    let machine = FakeMachine { slow, failed_reads, ..FakeMachine::with(None) };
    let area = Activation { path: "a".into(), priority: Priority::Set(1), discard: Discard::None };
    let plan = Plan {
        steps: vec![Step::Off { area }],
        relies_on: machine.current_areas(),
        ..Plan::without_steps(String::new())
    };
    let (outcome, records) = run(&machine, &plan, &mut Patience(0));
    let events = records.into_iter().flat_map(|record| record.events).collect();
    (outcome, events)
}

fn lost(reads: u64) -> FailedReads {
    FailedReads { area: "a".into(), reads }
}

#[test]
fn a_drain_is_stopped_when_a_read_fails() {
    let (outcome, events) = drain_area((0, 3), true);
    let why = outcome.why.clone().unwrap();
    assert_eq!(outcome.end, PlanEnd::Undone, "{why}");
    for words in ["3 reads of a failed", "the rest is still on a", "--force reads"] {
        assert!(why.contains(words), "{words}: {why}");
    }
    assert!(events.contains(&Event::FailedReads(lost(3))), "{events:?}");
    let outcome = ChangeOutcome { failed_reads: vec![lost(3)], ..outcome };
    let said = describe_outcome(&outcome);
    assert_eq!(said.matches("3 reads of a failed").count(), 1, "{said}");
    assert!(!said.contains("Everything is as it was"), "{said}");
}

#[test]
fn failed_reads_that_were_accepted_do_not_stop_a_drain() {
    for is_slow in [false, true] {
        let (outcome, events) = drain_area((2, 3), is_slow);
        let reason = outcome.why.clone().unwrap_or_default();
        assert!(!reason.contains("failed"), "{reason}");
        assert!(events.contains(&Event::FailedReads(lost(1))), "{events:?}");
    }
    let (outcome, _) = drain_area((2, 3), false);
    assert_eq!(outcome.end, PlanEnd::Done, "{outcome:?}");
    let outcome = ChangeOutcome { failed_reads: vec![lost(1)], ..outcome };
    let said = describe_outcome(&outcome);
    assert!(said.contains("1 read of a failed, or more: those pages are lost"), "{said}");
}

#[test]
fn without_failed_reads_nothing_is_recorded() {
    let (outcome, events) = drain_area((2, 2), false);
    assert_eq!(outcome.end, PlanEnd::Done, "{outcome:?}");
    assert!(!events.iter().any(|event| matches!(event, Event::FailedReads(_))), "{events:?}");
}

#[test]
fn failed_reads_survive_the_journal() {
    let event = Event::FailedReads(lost(4));
    let text = serde_json::to_string(&event).unwrap();
    assert_eq!(text, r#"{"event":"failed_reads","area":"a","reads":4}"#);
    assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event);
}
