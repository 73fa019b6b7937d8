//! Rebalancing of areas under load.

use crate::lab::Lab;
use crate::lock_waiting;
use crate::program;
use crate::rebalance_scene::RebalanceScene;
use serde_json::Value;
use std::fs;
use std::os::unix::process::CommandExt as _;

/// The slow area first, and each zram area by itself.
const WRONG: [u16; 4] = [32_000, 31_000, 31_500, 32_100];
const AS_BEFORE: [Option<i32>; 4] = [Some(32_000), Some(31_000), Some(31_500), Some(32_100)];

/// The kinds of findings.
fn wrong(document: &Value) -> Vec<&str> {
    let findings = document["findings"].as_array().expect("findings").iter();
    let wrong = findings.filter(|finding| finding["wrong"] == true);
    wrong.map(|finding| finding["id"].as_str().expect("a word")).collect()
}

/// A second run has nothing to do, and says so.
fn is_at_rest(four: &RebalanceScene<'_>, strategy: &str) {
    let before = (four.priorities(), four.used());
    let again = four.json_of_command(&["rebalance", strategy, "--yes", "--json"], 0);
    assert_eq!((wrong(&again).len(), &again["outcome"]), (0, &Value::Null), "{again}");
    let output =
        four.swapadm(&["rebalance", strategy, "--yes"]).output().expect("the program starts");
    let said = String::from_utf8(output.stdout).expect("text");
    let last = said.lines().last().unwrap_or_default();
    let nothing = format!("rebalance {strategy}: nothing to do: ");
    assert!(output.status.success() && last.starts_with(&nothing), "{said}");
    assert_eq!(
        four.json_of_command(&["rebalance", strategy, "--check", "--json"], 0)["steps"][0],
        Value::Null
    );
    assert_eq!(four.priorities(), before.0);
}

pub(crate) fn by_class(lab: &Lab) -> Result<(), String> {
    let mut four = RebalanceScene::build(lab, WRONG)?;
    four.hog.fill(160);
    assert_eq!(four.priorities(), AS_BEFORE);
    one_at_a_time(&four);
    tiered(&mut four);
    undone(&mut four);
    equal(&mut four);
    nobody_may_but_look(&four);
    Ok(())
}

/// During another change, a script gets the refusal as JSON.
fn one_at_a_time(four: &RebalanceScene<'_>) {
    let _held = lock_waiting::lock();
    let busy = four.json_of_command(&["rebalance", "--yes", "--json"], 3);
    let error = busy["error"].as_str().expect("a reason");
    assert!(error.contains("another swapadm") && busy["outcome"].is_null(), "{busy}");
    assert_eq!(wrong(&busy), ["inverted"]);
    assert_eq!(four.priorities(), AS_BEFORE);
}

fn tiered(four: &mut RebalanceScene<'_>) {
    let seen = four.json_of_command(&["rebalance", "--check", "--json"], 1);
    assert_eq!(wrong(&seen), ["inverted"], "{seen:#}");
    assert_eq!(four.priorities(), AS_BEFORE, "a look changes nothing");
    four.hog.guard();
    let done = four.json_of_command(&["rebalance", "tiered", "--yes", "--json"], 0);
    four.hog.rest();
    assert_eq!(done["outcome"]["end"], "done", "{done:#}");
    let now = four.priorities();
    // The slow area is the last, and the others keep their order.
    let order: Vec<&Option<i32>> = [0, 2, 1, 3].iter().map(|place| &now[*place]).collect();
    assert!(order.is_sorted_by(|a, b| a > b) && now[3].is_some(), "{now:?}");
    is_at_rest(four, "tiered");
}

fn undone(four: &mut RebalanceScene<'_>) {
    let sum = four.hog.sum();
    four.json_of_command(&["undo", "1", "--yes", "--json"], 0);
    assert_eq!((four.priorities(), four.hog.sum()), (AS_BEFORE, sum));
}

fn equal(four: &mut RebalanceScene<'_>) {
    four.hog.guard();
    let done = four.json_of_command(&["rebalance", "equal", "--yes", "--json"], 0);
    four.hog.rest();
    assert_eq!((wrong(&done), &done["outcome"]["end"]), (vec!["uneven"], &"done".into()));
    assert_eq!(four.priorities(), [Some(32_000), Some(32_000), Some(32_000), Some(32_100)]);
    is_at_rest(four, "equal");
}

/// Other users see the findings, and the commands for root.
fn nobody_may_but_look(four: &RebalanceScene<'_>) {
    let before = four.priorities();
    let as_nobody = |arguments: &[&str]| {
        let mut command = four.swapadm(arguments);
        command.uid(program::NOBODY).gid(program::NOBODY).current_dir("/");
        command.output().expect("the program starts")
    };
    let seen = as_nobody(&["rebalance", "--check", "--json"]);
    assert_eq!(seen.status.code(), Some(1), "{}", program::describe_failure(&seen));
    let refused = as_nobody(&["rebalance", "--yes", "--json"]);
    assert_eq!(refused.status.code(), Some(3), "{}", program::describe_failure(&refused));
    let refused: Value = serde_json::from_slice(&refused.stdout).expect("JSON");
    let check = &refused["checks"][0];
    assert_eq!((&check["verdict"], &refused["outcome"]), (&"refuse".into(), &Value::Null));
    assert_eq!(four.priorities(), before);
}

fn skew(four: &RebalanceScene<'_>) -> f64 {
    let groups = program::json(&mut four.swapadm(&["groups", "--json"]));
    let groups = program::rows(&groups, "groups");
    let of_ours = groups.iter().find(|group| group["priority"] == 32_000).expect("our areas");
    // Below a minimum there is no imbalance.
    of_ours["imbalance"].as_f64().unwrap_or(0.0)
}

/// All pages are on one of three areas that should share. While the load has a memory limit, pages go to
/// the others when the area is disabled; without a limit, they all go to memory.
pub(crate) fn spread(lab: &Lab) -> Result<(), String> {
    let mut four = RebalanceScene::build(lab, [32_000, 31_000, 31_500, 10])?;
    four.hog.fill(160);
    // From here on the load is stopped: pages it touches would spread by themselves.
    let sum = four.hog.sum();
    four.set(&[(1, 32_000), (2, 32_000)]);
    let numbers = four.priorities();
    let (before, used) = (skew(&four), four.used());
    assert!(before > 0.5, "the first holds all: {before} {used:?}");
    four.json_of_command(&["rebalance", "spread", "--check", "--json"], 1);
    let done = spread_once(&four, &[four.path(0)]);
    let (after, now) = (skew(&four), four.used());
    assert!(after < before * 0.7 && now[0] < used[0] / 2, "{before} -> {after}: {now:?}");
    is_at_rest(&four, "spread");
    four.cage.lift();
    let done_again = spread_once(&four, &[four.path(1), four.path(2)]);
    let (last, now) = (skew(&four), four.used().iter().sum::<u64>());
    assert!(last < 0.2 && now < used[0] / 2, "{after} -> {last}: {now} KiB are left");
    is_at_rest(&four, "spread");
    assert_eq!(four.priorities(), numbers, "only pages move");
    four.hog.rest_unchanged(&sum);
    for done in [done, done_again] {
        let plan = done["outcome"]["journal"].to_string();
        let undo = four.swapadm(&["undo", &plan, "--yes"]).output().expect("the program starts");
        let said = program::describe_failure(&undo);
        assert!(undo.status.code() == Some(2) && said.contains("nothing to undo"), "{said}");
    }
    custom(&four);
    Ok(())
}

/// The overfull area is found and emptied, and the imbalance improves.
fn spread_once(four: &RebalanceScene<'_>, overfull: &[&str]) -> Value {
    let done = four.json_of_command(&["rebalance", "spread", "--yes", "--json"], 0);
    assert_eq!((wrong(&done), &done["outcome"]["end"]), (vec!["skew"], &"done".into()), "{done:#}");
    let finding = &done["findings"][0];
    let mut areas: Vec<&str> =
        finding["areas"].as_array().expect("areas").iter().filter_map(Value::as_str).collect();
    areas.sort_unstable();
    assert_eq!(areas, overfull, "{done:#}");
    let figure = |key: &str| finding[key].as_f64().expect("a figure");
    assert!(figure("then") < figure("now"), "{finding}");
    done
}

/// A rebalance file with different names of an area.
fn custom(four: &RebalanceScene<'_>) {
    let file = four.lab.scratch.file("priorities");
    let base = four.areas[1].path.file_name().and_then(|name| name.to_str()).expect("a name");
    let text = format!(
        "# mine\n{} 31001\nUUID=5A9C0F3E-7B1D-4E62-8F40-0000004C0DE0 = 31002\n{base}=31003\n",
        four.path(0)
    );
    fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("text");
    four.json_of_command(&["rebalance", "custom", file, "--check", "--json"], 1);
    four.json_of_command(&["rebalance", "custom", file, "--yes", "--json"], 0);
    assert_eq!(four.priorities(), [Some(31_001), Some(31_003), Some(31_002), Some(10)]);
    let again = four.json_of_command(&["rebalance", "custom", file, "--yes", "--json"], 0);
    assert_eq!(wrong(&again).len(), 0, "{again}");
}
