//! Tests of restoring the order automatically, and of the texts where that is not done.

use super::*;
use crate::actions::limits::ChangeLimits;
use crate::actions::monitor::StopReason;
use crate::model::format::{Format, Uuid};
use crate::root::testing::TestTree;
use std::time::Duration;

const SWAPS: &str = "Filename Type Size Used Priority\n";
const SIZE: u64 = 1 << 20;

/// Three empty areas that the kernel fills in this order. The log has the discard option of the
/// first.
fn tree() -> TestTree {
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let mut bytes = Format::new(Bytes(SIZE), 4096, uuid, None).unwrap().page();
    bytes.resize(usize::try_from(SIZE).unwrap(), 1);
    let tree = TestTree::with(&["a", "b", "c"].map(|name| (name, &bytes)));
    tree.write("proc/meminfo", "MemTotal: 8192 kB\nMemAvailable: 4096 kB\n");
    tree.write("proc/mounts", "/dev/sda / ext4 rw 0 0\n");
    tree.write("proc/sys/kernel/random/boot_id", "now\n");
    log_of(&tree, "/a");
    set_order(&tree, ["/a", "/b", "/c"], 0);
    tree
}

fn log_of(tree: &TestTree, name: &str) {
    let told = "Priority:-2 extents:1 across:1020k SS";
    tree.write("dev/kmsg", format!("6,1,1,-;Adding 1020k swap on {name}.  {told}\n"));
}

/// Makes these areas active, with this usage of the first.
fn set_order(tree: &TestTree, names: [&str; 3], used: u64) {
    let [a, b, c] = names;
    let rows = format!("{a} file 1020 {used} -2\n{b} file 1020 0 -3\n{c} file 1020 0 -4\n");
    tree.write("proc/swaps", format!("{SWAPS}{rows}"));
}

fn disorder(tree: &TestTree, wanted: [&str; 3], short: Option<String>) -> OrderRepair {
    let root = tree.live();
    for_order(&wanted.map(Name::from), short, &ObservedMachine::observe(&root)).unwrap()
}

/// Why the first area is not moved behind the others automatically.
fn reason(tree: &TestTree) -> Option<String> {
    let found = disorder(tree, ["/b", "/c", "/a"], None);
    assert_eq!(found.automatic_plan().is_none(), found.why.is_some(), "{found:?}");
    found.why
}

#[test]
fn empty_areas_are_reordered_automatically() {
    let tree = tree();
    assert_eq!(reason(&tree), None);
    let told = disorder(&tree, ["/b", "/c", "/a"], None).pending_text();
    let command =
        "recover would restore it, moving 0B: swapadm priority /b=default /c=default /a=default";
    assert!(told.ends_with(command), "{told}");

    set_order(&tree, ["/a", "/b", "/c"], 512);
    let full = disorder(&tree, ["/b", "/c", "/a"], None);
    assert_eq!(
        (full.automatic_plan().is_none(), full.moves, &full.why),
        (true, Bytes(512 << 10), &None)
    );
    assert!(
        full.not_restored_text(PlanEnd::Undone)
            .contains("in another order. To restore it, moving 512K: swapadm")
    );
}

/// Such an area could be disabled, but not enabled again.
#[test]
fn unusable_area_keeps_its_place() {
    let tree = tree();
    tree.write("a", vec![1; usize::try_from(SIZE).unwrap()]);
    let said = reason(&tree).unwrap();
    assert!(said.contains("/a has no swap header"), "{said}");
    let told = disorder(&tree, ["/b", "/c", "/a"], None).not_restored_text(PlanEnd::Undone);
    assert!(told.contains("; not restored: /a has no swap header"), "{told}");

    let tree = self::tree();
    log_of(&tree, "/other");
    assert!(reason(&tree).unwrap().contains("unknown whether discard is enabled"));
}

#[test]
fn deleted_area_keeps_its_place_and_is_not_suggested() {
    let tree = tree();
    set_order(&tree, ["/a\\040(deleted)", "/b", "/c"], 0);
    let alone = disorder(&tree, ["/b", "/c", "/a"], None);
    let told = alone.not_restored_text(PlanEnd::Undone);
    assert!(alone.automatic_plan().is_none() && told.contains("/a was deleted"), "{told}");
    assert!(!told.contains("swapadm priority"), "the others are in order: {told}");

    let others = disorder(&tree, ["/c", "/b", "/a"], None);
    let told = others.not_restored_text(PlanEnd::Undone);
    assert!(others.automatic_plan().is_none() && told.contains("/a was deleted"), "{told}");
    assert!(told.ends_with(": swapadm priority /c=default /b=default"), "{told}");

    // A deleted area does not block moving others, but appears in no command.
    set_order(&tree, ["/a", "/b\\040(deleted)", "/c"], 0);
    let other = disorder(&tree, ["/b", "/c", "/a"], None);
    assert!(other.automatic_plan().is_some_and(|plan| plan.steps.len() == 1), "{other:?}");
    assert!(other.pending_text().ends_with(": swapadm priority /c=default /a=default"));
}

#[test]
fn order_is_not_restored_while_memory_is_short() {
    let tree = tree();
    let waits = |full: &str| {
        let line = |word, share| format!("{word} avg10={share} avg60=0.00 avg300=0.00 total=0\n");
        tree.write("proc/pressure/memory", line("some", "9.00") + &line("full", full));
    };
    waits("1.00");
    assert_eq!(reason(&tree), None);
    waits("1.01");
    assert!(
        reason(&tree).unwrap().contains("memory PSI full was 1.01% over the last 10 s, above 1%")
    );
}

#[test]
fn nothing_follows_a_plan_stopped_by_low_memory() {
    let tree = tree();
    let limits = ChangeLimits {
        max_psi: Some(0.0),
        timeout: Some(Duration::from_secs(5)),
        ..ChangeLimits::default()
    };
    let ended = |seconds: f64| {
        let reason = limits.stop_reason(seconds, || Some(0.3)).unwrap();
        let short = matches!(reason, StopReason::Pressure(_)).then(|| reason.to_string());
        disorder(&tree, ["/b", "/c", "/a"], short).why
    };
    assert!(ended(1.0).unwrap().contains("0.3%"));
    assert_eq!(ended(6.0), None, "time is nothing that it takes");
}

#[test]
fn outcome_covers_plan_and_order() {
    let outcome =
        |plan, end, why: Option<&str>| ChangeOutcome::ended(plan, end, why.map(str::to_owned));
    let worse = || outcome(8, PlanEnd::Partial, Some("/b: EPERM"));
    let why = |end, why| {
        let joined = join_outcomes(&outcome(7, end, why), worse());
        assert_eq!(
            (joined.plan, joined.end),
            (8, PlanEnd::Partial),
            "that is what has to be recovered"
        );
        joined.why.unwrap()
    };
    let then = "; then restoring the order of default priorities failed: /b: EPERM";
    let undone = why(PlanEnd::Undone, Some("it was interrupted (SIGINT)"));
    assert_eq!(undone, format!("plan 7 was not done (it was interrupted (SIGINT)){then}"));
    assert_eq!(why(PlanEnd::Done, None), format!("plan 7 was done{then}"));
    let remark = Some("No step was completed.".to_owned());
    let first = ChangeOutcome { remark: remark.clone(), ..outcome(7, PlanEnd::Undone, None) };
    assert_eq!(join_outcomes(&first, worse()).remark, remark);
}
