//! Comparison of two experiments, side by side like two runs.

use crate::common::{expect_file, repository};
use crate::results::sample_runs::{experiment, runs};
use crate::results::{ResultFolder, text};
use swapadm::derive::lab::check_comparable;
use swapadm::model::experiment::{Case, Experiment, ExperimentExtras, StoredResult};
use swapadm::model::run::Run;

/// The same experiment on another kernel, faster, without its last case and with a different one.
fn on_other_kernel() -> Experiment {
    let [_, faster, _] = runs();
    let mut other = experiment();
    other.cases.pop();
    for case in &mut other.cases {
        let run = case.run.as_mut().unwrap();
        run.machine.kernel = Some("7.3.0".to_owned());
        if case.name == "<b>default" {
            run.measured.clone_from(&faster.measured);
            run.settings.insert("swappiness".to_owned(), "1".to_owned());
        }
    }
    other.cases.push(Case { name: "own".to_owned(), ..other.cases[1].clone() });
    other
}

fn folder() -> ResultFolder {
    let folder = ResultFolder::new();
    folder.write("4-priorities.json", text(&experiment()));
    folder.write("5-priorities.json", text(&on_other_kernel()));
    folder
}

#[test]
fn pages_of_two_experiments_are_as_expected() {
    let expect = |name: &str, args: &[&str]| {
        let path = repository(&format!("tests/results/expected/{name}"));
        let printed = folder().stdout(&[&["compare", "4", "5"], args].concat());
        expect_file(&path, &printed, "UPDATE_GOLDEN");
    };
    expect("beside.txt", &[]);
    expect("beside.md", &["--markdown"]);
    expect("beside.csv", &["--csv", "--filter", "figure=system"]);
}

#[test]
fn differences_are_listed_above_the_cases() {
    let printed = folder().stdout(&["compare", "4", "5"]);
    let head = printed.split("\n\n").next().unwrap();
    for line in [
        "A: 4 priorities, 2026-11-21T08:25:00.000Z, 3 cases",
        "case distinct: not measured in A, absent in B",
        "case own: absent in A, measured in B",
        "kernel (<b>default): 7.1.0 in A, 7.3.0 in B",
        "swappiness (<b>default): unknown in A, 1 in B",
    ] {
        assert!(head.lines().any(|it| it == line), "{line}: {head}");
    }
}

/// Differences common to all cases are listed once, without the cases.
#[test]
fn what_differs_in_all_cases_is_said_once() {
    let with_kernel = |kernel: &str| {
        let mut made = experiment();
        for case in &mut made.cases {
            if let Some(run) = &mut case.run {
                run.machine.kernel = Some(kernel.to_owned());
            }
        }
        made
    };
    let folder = ResultFolder::empty();
    folder.write("1-a.json", text(&with_kernel("6.12.0")));
    folder.write("2-b.json", text(&with_kernel("7.2.0")));
    let printed = folder.stdout(&["compare", "1", "2"]);
    assert_eq!(printed.matches("kernel: 6.12.0 in A, 7.2.0 in B").count(), 1, "{printed}");
    let unlike =
        &folder.json(&["compare", "1", "2", "--json"])["tables"]["setup_differences"]["rows"];
    assert_eq!(unlike.as_array().unwrap().len(), 1, "{unlike}");
}

#[test]
fn each_case_has_its_means_and_whether_they_differ() {
    let folder = folder();
    let document = folder.json(&["compare", "4", "5", "--json"]);
    let schema = crate::common::schema::of_results();
    schema.0.validate(&document, schema.1).unwrap();
    let rows = document["tables"]["comparison"]["rows"].as_array().unwrap();
    let row = |case: &str| {
        rows.iter().find(|row| row["case"] == case && row["figure"] == "system").unwrap()
    };
    assert_eq!(row("<b>default")["verdict"], "lower: better");
    assert_eq!(row("equal")["verdict"], "no difference seen");
    assert!((row("<b>default")["change"].as_f64().unwrap() + 20.0).abs() < 0.01);
    assert!(rows.iter().all(|row| row["case"] != "own"), "only one of the two has it");
    let of_runs = folder.json(&["compare", "1", "2", "--json"]);
    assert!(of_runs["tables"]["comparison"]["rows"][0]["case"].is_null());
}

#[test]
fn for_people_figures_are_those_of_the_table() {
    let folder = folder();
    let lines = |args: &[&str]| folder.stdout(&[&["compare", "4", "5"], args].concat());
    assert!(!lines(&[]).contains("Elapsed s") && lines(&[]).contains("zram0 at peak %"));
    assert!(lines(&["--all"]).contains("Elapsed s"));
    assert!(lines(&["--filter", "figure~elapsed"]).contains("Elapsed s"));
    assert_eq!(lines(&[]).matches("A and B are means").count(), 1);
}

#[test]
fn a_page_of_experiments_compares_each_with_the_first() {
    let folder = folder();
    let page = folder.stdout(&["export", "4", "5", "--format", "html"]);
    assert!(page.contains("<h2>A is 4 priorities, B is 5 priorities</h2>"), "{page}");
    assert!(page.contains("<h3>equal</h3>") && page.contains("<td>no difference seen</td>"));
    assert!(page.contains("<td>case own</td><td>absent</td><td>measured</td>"));
    let markdown = folder.stdout(&["export", "4", "5", "--format", "markdown"]);
    assert_eq!(markdown.matches("- Where do pages go?").count(), 2);
    assert!(folder.fails(&["export", "4", "5"], 2).contains("room for one experiment"));
}

#[test]
fn a_run_is_not_compared_with_an_experiment() {
    let folder = folder();
    for pair in [["1", "4"], ["4", "1"]] {
        let why = folder.fails(&[&["compare"], &pair[..]].concat(), 2);
        assert!(why.contains("priorities is an experiment, but before is a run"), "{why}");
        assert!(why.contains("compare two runs or two experiments"), "{why}");
        assert!(why.contains("1, 2"), "{why}");
    }
}

#[test]
fn comparable_experiments_can_be_queried() {
    let kept = |it: Experiment| StoredResult::Experiment(Box::new(it), ExperimentExtras::default());
    let run = |it: &Run| StoredResult::Run(Box::new(it.clone()));
    let [first, second, _] = runs();
    assert_eq!(check_comparable(&run(&first), &run(&second)), Ok(()));
    assert_eq!(check_comparable(&kept(experiment()), &kept(on_other_kernel())), Ok(()));
    assert!(check_comparable(&run(&first), &kept(experiment())).is_err());
    let mut other = experiment();
    other.cases.truncate(1);
    other.cases[0].name = "another".to_owned();
    let why = check_comparable(&kept(experiment()), &kept(other)).unwrap_err();
    assert!(
        why.contains("with the same name and settings: priorities has <b>default, equal"),
        "{why}"
    );
}
