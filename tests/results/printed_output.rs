//! Output for saved runs.

use crate::common::{expect_file, repository};
use crate::results::sample_runs::{NAMES, runs};
use crate::results::{ResultFolder, text};
use swapadm::model::run::Run;

/// Saved files stay readable, or the format number changes.
#[test]
fn the_kept_runs_are_those_of_the_builder() {
    for (name, run) in NAMES.into_iter().zip(runs()) {
        let path = repository(&format!("tests/results/kept/{name}"));
        expect_file(&path, &text(&run), "UPDATE_GOLDEN");
        let back: Run = serde_json::from_str(&text(&run)).unwrap();
        assert_eq!(back, run);
    }
}

fn expect(name: &str, args: &[&str]) {
    let printed = ResultFolder::new().stdout(args);
    let path = repository(&format!("tests/results/expected/{name}"));
    expect_file(&path, &printed, "UPDATE_GOLDEN");
}

#[test]
fn pages_for_people_are_as_expected() {
    expect("list.txt", &[]);
    expect("show.txt", &["show", "1"]);
    expect("show-all.txt", &["show", "last~1", "--all"]);
    expect("show-lone.txt", &["show", "last", "--explain"]);
    expect("compare.txt", &["compare", "1", "2"]);
    expect("compare.md", &["compare", "1", "2", "--markdown"]);
    expect("show.md", &["export", "1", "--format", "markdown"]);
}

/// People get minutes, programs a full timestamp as everywhere.
#[test]
fn programs_get_a_full_timestamp() {
    let folder = ResultFolder::new();
    let whole = "2026-11-21T08:25:00.000Z";
    let document = folder.json(&["--json", "--filter", "id=1"]);
    assert_eq!(document["tables"]["results"]["rows"][0]["started"], whole);
    assert_eq!(
        folder.stdout(&["--csv", "-o", "started", "--filter", "id=1"]),
        format!("started\n{whole}\n")
    );
    assert!(folder.stdout(&[]).contains(" 2026-11-21 08:25  run"));
    let listed = folder.stdout(&["--filter", "started~'2026-11-21 08'", "-o", "id"]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
}

/// People type the names they see, and errors list the valid ones.
#[test]
fn a_filter_takes_names_and_headings() {
    let folder = ResultFolder::new();
    let listed = |filter: &str| folder.stdout(&["list", "--filter", filter]);
    assert_eq!(listed("RUNS>2"), listed("repetitions>2"));
    assert_ne!(listed("RUNS>2"), listed("RUNS>=0"));
    let why = folder.fails(&["list", "--filter", "nothing>2"], 2);
    assert!(why.contains("no column \"nothing\"; columns: id, started, kind, title"), "{why}");
}

#[test]
fn documents_for_programs_are_as_expected() {
    expect("list.csv", &["list", "--csv"]);
    expect("figures.csv", &["export", "2", "--format", "csv"]);
    expect("compare.csv", &["compare", "last~2", "2", "--csv"]);
    let folder = ResultFolder::new();
    assert_eq!(
        folder.stdout(&["show", "2", "--csv"]),
        folder.stdout(&["export", "2", "--format", "csv"])
    );
}

#[test]
fn json_is_as_the_schema_says() {
    let schema = crate::common::schema::of_results();
    let folder = ResultFolder::new();
    let check = |args: &[&str], table: &str| {
        let document = folder.json(args);
        if let Err(error) = schema.0.validate(&document, schema.1) {
            panic!("{args:?} is not as the schema says: {error:#}");
        }
        assert!(document["tables"][table]["rows"].is_array(), "{args:?}");
    };
    check(&["--json"], "results");
    check(&["show", "3", "--json"], "figures");
    check(&["show", "1", "-J"], "latency");
    check(&["compare", "1", "3", "--json"], "comparison");
}

#[test]
fn verdicts_distinguish_differences_from_noise() {
    let folder = ResultFolder::new();
    let verdict = |a: &str, b: &str, figure: &str| {
        let document = folder.json(&["compare", a, b, "--json"]);
        let rows = document["tables"]["comparison"]["rows"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["figure"] == figure).unwrap()["verdict"].clone()
    };
    assert_eq!(verdict("1", "2", "system"), "lower: better");
    assert_eq!(verdict("1", "2", "throughput_sum"), "higher: better");
    assert_eq!(verdict("2", "1", "throughput_sum"), "lower: worse");
    assert_eq!(verdict("1", "2", "fail_rate_64kB"), "lower: better");
    assert_eq!(verdict("1", "2", "ahead_success"), "no difference seen");
    assert_eq!(verdict("1", "1", "elapsed"), "no difference seen");
    assert_eq!(verdict("1", "3", "elapsed"), serde_json::Value::Null);
}

#[test]
fn figures_are_those_of_the_repetitions() {
    let folder = ResultFolder::new();
    let rows = folder.json(&["show", "1", "--json"])["tables"]["figures"]["rows"].clone();
    let mean = |id: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["figure"] == id).unwrap();
        row["mean"].as_f64().unwrap()
    };
    assert!((mean("system") - 20.5).abs() < 1e-6);
    // Four processes, each 50 MiB in a little more than 10 seconds.
    assert!((mean("throughput_sum") - 19.7).abs() < 0.1, "{}", mean("throughput_sum"));
    assert!((mean("throughput_mean") * 4.0 - mean("throughput_sum")).abs() < 1e-5);
    assert!((mean("ahead_success") - 75.0).abs() < 1e-6);
    assert!((mean("fail_rate_64kB") - 20.0).abs() < 1e-6);
    assert!((mean("used_peak_/dev/zram0") - 90.0).abs() < 1e-6);
    assert!((mean("zram_ratio") - 3.0).abs() < 1e-6);
    assert!((mean("free_max") - 6300.0).abs() < 1.0);
}

#[test]
fn a_run_is_named_by_its_number_its_place_or_its_file() {
    let folder = ResultFolder::new();
    let title = |name: &str| {
        let document = folder.json(&["show", name, "--json"]);
        document["tables"]["run"]["rows"][0]["title"].as_str().unwrap().to_owned()
    };
    assert_eq!([title("2"), title("last~1"), title("./2-after.json")], ["after"; 3]);
    let copy = folder.stdout(&["export", "1"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&copy).unwrap()["kind"], "run");
    folder.write("copy.json", copy);
    assert_eq!(title("copy.json"), "before");
    assert!(folder.fails(&["show", "9"], 2).contains("stored results: 3, 2, 1"));
    assert!(folder.fails(&["show", "last~3"], 2).contains("stored results: 3, 2, 1"));
    for word in ["0", "lost"] {
        let why = folder.fails(&["show", word], 2);
        assert!(why.contains(&format!("there is no result {word}")), "{why}");
        assert!(why.contains("stored results: 3, 2, 1 (see swapadm results)"), "{why}");
    }
    assert!(
        folder.fails(&["show", "lost.json"], 6).contains("last~1, or the path of a result file")
    );
    assert!(ResultFolder::empty().fails(&["show", "last"], 2).contains("no results are stored in"));
}

#[test]
fn rows_and_columns_can_be_chosen() {
    let folder = ResultFolder::new();
    let ids = folder.stdout(&["-o", "id", "--filter", "outcome=done", "--sort", "id", "--csv"]);
    assert_eq!(ids, "id\n1\n2\n");
    assert!(folder.fails(&["-o", "nosuch"], 2).contains("results has no column"));
    let rows = folder.stdout(&[
        "compare",
        "1",
        "2",
        "--filter",
        "figure=elapsed",
        "--csv",
        "-o",
        "figure",
    ]);
    assert_eq!(rows, "figure\nelapsed\n");
}

#[test]
fn removal_checks_all_names_first() {
    let folder = ResultFolder::new();
    folder.fails(&["remove", "1", "9"], 2);
    assert!(folder.path("1-before.json").exists());
    folder.stdout(&["remove", "1", "last", "last"]);
    assert_eq!(folder.stdout(&["--csv", "-o", "id"]), "id\n2\n");
    assert!(folder.fails(&["remove", "./2-after.json"], 2).contains("not removed"));
}

#[test]
fn a_recording_holds_no_results() {
    let folder = ResultFolder::new();
    folder.write("swap.rec", "");
    for args in [&["show", "1"][..], &["list"], &["remove", "1"], &[]] {
        let args = [args, &["--recording", "swap.rec"]].concat();
        assert!(folder.fails(&args, 2).contains("leave --sysroot, --recording"));
    }
    assert!(folder.path("1-before.json").exists());
}

#[test]
fn a_file_is_made_and_never_overwritten() {
    let folder = ResultFolder::new();
    folder.stdout(&["export", "1", "--to", "out.json"]);
    assert!(folder.fails(&["export", "1", "--to", "out.json"], 6).contains("exists already"));
    folder.fails(&["export", "1", "2", "--to", "two.json"], 2);
    assert!(!folder.path("two.json").exists());
}

#[test]
fn an_unfinished_run_has_no_comparison_table() {
    let folder = ResultFolder::new();
    let nothing = "nothing to compare: B has no completed repetition";
    let printed = folder.stdout(&["compare", "1", "3"]);
    assert!(printed.contains(nothing) && !printed.contains("FIGURE"), "{printed}");
    let all = folder.stdout(&["compare", "1", "3", "--all"]);
    assert!(!all.contains(nothing) && all.contains("FIGURE"), "{all}");
}
