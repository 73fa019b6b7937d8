//! When the order is put back unasked, and what is told where it is not.

use super::*;
use crate::actions::limits::Limits;
use crate::model::format::{Format, Uuid};
use crate::root::testing::Tree;
use std::time::Duration;

const SWAPS: &str = "Filename Type Size Used Priority\n";
const SIZE: u64 = 1 << 20;

/// Three empty areas that the kernel takes in this order. Of the first the log knows how it
/// discards.
fn tree() -> Tree {
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let mut bytes = Format::new(Bytes(SIZE), 4096, uuid, None).unwrap().page();
    bytes.resize(usize::try_from(SIZE).unwrap(), 1);
    let tree = Tree::with(&["a", "b", "c"].map(|name| (name, &bytes)));
    tree.write("proc/meminfo", "MemTotal: 8192 kB\nMemAvailable: 4096 kB\n");
    tree.write("proc/sys/kernel/random/boot_id", "now\n");
    log_of(&tree, "/a");
    are(&tree, ["/a", "/b", "/c"], 0);
    tree
}

fn log_of(tree: &Tree, name: &str) {
    let told = "Priority:-2 extents:1 across:1020k SS";
    tree.write("dev/kmsg", format!("6,1,1,-;Adding 1020k swap on {name}.  {told}\n"));
}

/// Let these be on, with so much on the first.
fn are(tree: &Tree, names: [&str; 3], used: u64) {
    let [a, b, c] = names;
    let rows = format!("{a} file 1020 {used} -2\n{b} file 1020 0 -3\n{c} file 1020 0 -4\n");
    tree.write("proc/swaps", format!("{SWAPS}{rows}"));
}

fn disorder(tree: &Tree, wanted: [&str; 3], short: Option<String>) -> Disorder {
    let root = tree.live();
    of(&wanted.map(Name::from), short, &Machine::of(&root)).unwrap()
}

/// Why the first area is not put behind the others unasked.
fn why(tree: &Tree) -> Option<String> {
    let found = disorder(tree, ["/b", "/c", "/a"], None);
    assert_eq!(found.unasked().is_none(), found.why.is_some(), "{found:?}");
    found.why
}

#[test]
fn empty_areas_that_nothing_stands_against_are_put_back_unasked() {
    let tree = tree();
    assert_eq!(why(&tree), None);
    let told = disorder(&tree, ["/b", "/c", "/a"], None).foretold();
    let command = "recover puts that right, which moves 0B: swapadm priority /b=default /c=default /a=default";
    assert!(told.ends_with(command), "{told}");

    are(&tree, ["/a", "/b", "/c"], 512);
    let full = disorder(&tree, ["/b", "/c", "/a"], None);
    assert_eq!((full.unasked().is_none(), full.moves, &full.why), (true, Bytes(512 << 10), &None));
    assert!(full.left(End::Undone).contains("now; to put that right, which moves 512K: swapadm"));
}

/// It would go off, and not on again.
#[test]
fn what_could_not_be_put_on_again_stays_where_it_is() {
    let tree = tree();
    tree.write("a", vec![1; usize::try_from(SIZE).unwrap()]);
    let said = why(&tree).unwrap();
    assert!(said.contains("/a has no swap header"), "{said}");
    let told = disorder(&tree, ["/b", "/c", "/a"], None).left(End::Undone);
    assert!(told.contains("; it was not put back: /a has no swap header"), "{told}");

    let tree = self::tree();
    log_of(&tree, "/other");
    assert!(why(&tree).unwrap().contains("discard is not known"));
}

#[test]
fn a_deleted_area_stays_where_it_is_and_no_command_takes_its_name() {
    let tree = tree();
    are(&tree, ["/a\\040(deleted)", "/b", "/c"], 0);
    let alone = disorder(&tree, ["/b", "/c", "/a"], None);
    let told = alone.left(End::Undone);
    assert!(alone.unasked().is_none() && told.contains("/a was deleted"), "{told}");
    assert!(!told.contains("swapadm priority"), "the others are in order: {told}");

    let others = disorder(&tree, ["/c", "/b", "/a"], None);
    let told = others.left(End::Undone);
    assert!(others.unasked().is_none() && told.contains("/a was deleted"), "{told}");
    assert!(told.ends_with(": swapadm priority /c=default /b=default"), "{told}");

    // One that stays where it is keeps nobody from moving others, but has no name in a command.
    are(&tree, ["/a", "/b\\040(deleted)", "/c"], 0);
    let other = disorder(&tree, ["/b", "/c", "/a"], None);
    assert!(other.unasked().is_some_and(|plan| plan.steps.len() == 1), "{other:?}");
    assert!(other.foretold().ends_with(": swapadm priority /c=default /a=default"));
}

#[test]
fn nothing_is_put_back_unasked_while_memory_is_short() {
    let tree = tree();
    let waits = |full: &str| {
        let line = |word, share| format!("{word} avg10={share} avg60=0.00 avg300=0.00 total=0\n");
        tree.write("proc/pressure/memory", line("some", "9.00") + &line("full", full));
    };
    waits("1.00");
    assert_eq!(why(&tree), None);
    waits("1.01");
    assert!(why(&tree).unwrap().contains("1.01% of the last 10 s, which is above 1%"));
}

#[test]
fn a_plan_that_memory_stopped_is_followed_by_nothing() {
    let tree = tree();
    let limits =
        Limits { max_psi: Some(0.0), timeout: Some(Duration::from_secs(5)), ..Limits::default() };
    let ended = |seconds: f64| {
        let reason = limits.passed(seconds, || Some(0.3)).unwrap();
        let short = matches!(reason, StopReason::Pressure(_)).then(|| reason.to_string());
        disorder(&tree, ["/b", "/c", "/a"], short).why
    };
    assert!(ended(1.0).unwrap().contains("0.3%"));
    assert_eq!(ended(6.0), None, "time is nothing that it takes");
}

#[test]
fn what_became_of_the_plan_is_told_beside_what_became_of_the_order() {
    let outcome = |plan, end, why: Option<&str>| Outcome::of(plan, end, why.map(str::to_owned));
    let worse = || outcome(8, End::Partial, Some("/b: EPERM"));
    let why = |end, why| {
        let joined = joined(&outcome(7, end, why), worse());
        assert_eq!(
            (joined.plan, joined.end),
            (8, End::Partial),
            "that is what has to be recovered"
        );
        joined.why.unwrap()
    };
    let then = "; then the order of default priorities was to be put back: /b: EPERM";
    let undone = why(End::Undone, Some("it was interrupted (SIGINT)"));
    assert_eq!(undone, format!("plan 7 was not done (it was interrupted (SIGINT)){then}"));
    assert_eq!(why(End::Done, None), format!("plan 7 was done{then}"));
    let remark = Some("No step was completed.".to_owned());
    let first = Outcome { remark: remark.clone(), ..outcome(7, End::Undone, None) };
    assert_eq!(joined(&first, worse()).remark, remark);
}
