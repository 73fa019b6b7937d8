//! Tests of drains whose reads fail.

use super::*;
use crate::actions::messages::describe_outcome;

/// Disables `a` with these failed reads before and after the helper starts, and returns the outcome and the
/// events.
fn drain_area(
    failed_reads: (u64, u64),
    is_slow: bool,
    loses_pages: bool,
) -> (ChangeOutcome, Vec<Event>) {
    let slow = is_slow.then_some((0, true));
    let machine = FakeMachine { slow, failed_reads, ..FakeMachine::with(None) };
    let area = Activation { path: "a".into(), priority: Priority::Set(1), discard: Discard::None };
    let plan = Plan {
        steps: vec![Step::Off { area }],
        relies_on: machine.current_areas(),
        ..Plan::without_steps(String::new())
    };
    let limits = ChangeLimits { loses_pages, ..ChangeLimits::default() };
    let (outcome, records) = run_within(limits, &machine, &plan, &mut Patience(0));
    let events = records.into_iter().flat_map(|record| record.events).collect();
    (outcome, events)
}

fn lost(reads: u64) -> FailedReads {
    FailedReads { area: "a".into(), reads }
}

#[test]
fn a_drain_is_stopped_when_a_read_fails() {
    let (outcome, events) = drain_area((0, 3), true, false);
    let why = outcome.why.clone().unwrap();
    assert_eq!(outcome.end, PlanEnd::Undone, "{why}");
    for words in [
        "pages of a, or of another area on its disk, cannot be read",
        "the rest is still on a",
        "--force reads",
    ] {
        assert!(why.contains(words), "{words}: {why}");
    }
    assert!(events.contains(&Event::FailedReads(lost(3))), "{events:?}");
    let outcome = ChangeOutcome { failed_reads: vec![lost(3)], ..outcome };
    let said = describe_outcome(&outcome);
    assert_eq!(said.matches("cannot be read").count(), 1, "{said}");
    assert!(!said.contains("Everything is as it was"), "{said}");
}

/// Failures between the check of a plan and a drain were accepted by nobody.
#[test]
fn a_drain_is_stopped_for_reads_that_failed_before_it_began() {
    let (outcome, _) = drain_area((2, 2), true, false);
    assert_eq!(outcome.end, PlanEnd::Undone);
    assert!(outcome.why.unwrap().contains("--force reads"));
}

#[test]
fn failed_reads_are_reported_whatever_stopped_the_plan() {
    let (outcome, _) = drain_area((0, 0), false, true);
    let why = Some("memory is short".to_owned());
    let stopped =
        ChangeOutcome { end: PlanEnd::Undone, why, failed_reads: vec![lost(2)], ..outcome };
    let text = describe_outcome(&stopped);
    assert!(text.contains("2 reads of a or of another area on its disk failed, or more"), "{text}");
}

#[test]
fn failed_reads_that_were_accepted_do_not_stop_a_drain() {
    for is_slow in [false, true] {
        let (outcome, events) = drain_area((2, 3), is_slow, true);
        let reason = outcome.why.clone().unwrap_or_default();
        assert!(!reason.contains("failed"), "{reason}");
        assert!(events.contains(&Event::FailedReads(lost(1))), "{events:?}");
    }
    let (outcome, _) = drain_area((2, 3), false, true);
    assert_eq!(outcome.end, PlanEnd::Done, "{outcome:?}");
    let outcome = ChangeOutcome { failed_reads: vec![lost(1)], ..outcome };
    let said = describe_outcome(&outcome);
    assert!(
        said.contains(
            "1 read of a or of another area on its disk failed, or more: those pages are lost"
        ),
        "{said}"
    );
}

#[test]
fn without_failed_reads_nothing_is_recorded() {
    let (outcome, events) = drain_area((2, 2), false, true);
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
