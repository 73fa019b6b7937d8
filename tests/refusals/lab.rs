//! Refusals of workloads and experiments.

use super::fails;
use crate::common::Machine;
use std::fs;
use std::process::Output;

/// A load that cannot run as requested is refused before anything is created.
#[test]
fn a_load_binding_must_exist() {
    let machine = Machine::shared("7.2-numa2-loaded");
    for (with, words) in [
        (
            "cpus=999",
            "on the command line: cpus: CPU 999 does not exist: this machine has CPUs 0,1",
        ),
        ("node=5", "on the command line: node: node 5 does not exist: this machine has nodes 0, 1"),
    ] {
        let arguments = ["stress", "run", "usemem", "--dry-run", "--with", with];
        let output = machine.run(&arguments);
        let told = String::from_utf8_lossy(&output.stdout);
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.code() == Some(3) && told.contains(words), "{told}");
    }
}

#[test]
fn invalid_loads_and_experiments_are_refused_as_typed() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let knob = "unknown setting \"swapiness\" (did you mean swappiness?)";
    let cases = [
        (&["stress", "run", "usemen"][..], "; did you mean usemem?"),
        (&["stress", "run", "usemem", "--zram", "4x1"], "--zram \"4x1\" is not valid: use a size"),
        (&["stress", "run", "usemem", "--set", "swapiness=10"], knob),
        (&["experiment", "run", "A", "--kind", "zram,file"], "2 kinds for 4 areas: use one"),
        (
            &["experiment", "run", "A", "--file-in", "/tmp"],
            "--file-in: the experiment has no swap file",
        ),
        (&["experiment", "run", "A", "--only", "x=y"], "has no factor x: it has priorities="),
    ];
    for (arguments, words) in cases {
        fails(&machine.run(&[arguments, &["--dry-run"]].concat()), 2, words);
    }
}

/// A number below 0 is not taken for an option.
#[test]
fn a_number_below_the_minimum_names_the_minimum() {
    let load = |option: &'static str| ["stress", "run", "usemem", option, "-1"];
    let cases = [
        (load("--repeat"), "--repeat <N>': use a whole number from 1 to 1000"),
        (load("--seed"), "--seed <N>': use a whole number from 0 to"),
        (load("--limit"), "--limit \"-1\": a size cannot be negative"),
        (load("--zram"), "--zram \"-1\": a size cannot be negative"),
        (load("--file"), "--file \"-1\": a size cannot be negative"),
        (load("--min-swap"), "--min-swap \"-1\": a size cannot be negative"),
        (
            ["experiment", "run", "A", "--repeat", "-1"],
            "--repeat <N>': use a whole number from 1 to 1000",
        ),
        (["experiment", "run", "A", "--seed", "-1"], "--seed <N>': use a whole number"),
        (["experiment", "run", "A", "--limit", "-1"], "--limit \"-1\": a size cannot be negative"),
        (["experiment", "run", "A", "--scale", "-1"], "--scale -1: use a number from 0.001"),
    ];
    let machine = Machine::shared("7.2-numa2-loaded");
    for (arguments, words) in cases {
        fails(&machine.run(&arguments), 2, words);
    }
}

/// The plan of an experiment in a file, on a machine with swap.
fn experiment(text: &str, arguments: &[&str]) -> Output {
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    let head = "about = 'a'\nquestion = 'q'\ncolumns = ['system']\n[base]\nload = 'usemem'\n";
    fs::write(file.path(), format!("{head}{text}")).unwrap();
    let arguments = [&["experiment", "run", file.path().to_str().unwrap()][..], arguments];
    Machine::shared("6.12-mixed-loaded").run(&[&arguments.concat()[..], &["--dry-run"]].concat())
}

const FACTOR: &str = "[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60, 100]\n";

#[test]
fn an_algorithm_is_for_areas_on_zram() {
    let text = format!("devices = '2x100%'\nalgorithm = 'lz4'\n{FACTOR}");
    let words = "--kind: algorithm of case 1: only zram compresses";
    fails(&experiment(&text, &["--kind", "file"]), 2, words);
    fails(
        &experiment(&format!("kind = 'file'\n{text}"), &[]),
        2,
        ":8: algorithm: case 1: only zram",
    );
}

#[test]
fn run_limits_are_shown_once_or_per_case() {
    let told = |text: &str| {
        let told = experiment(text, &[]).stdout;
        String::from_utf8_lossy(&told).into_owned()
    };
    let other = told(&format!(
        "[[factor]]\nname = 't'\nkey = 'with.at_most'\nvalues = ['1m', '3m']\n{FACTOR}"
    ));
    let alike = told(&format!("with.at_most = '1m'\n{FACTOR}"));
    assert!(alike.contains("\n          run time above 60s\n"), "{alike}");
    let named =
        ["1m 1, 1m 60, 1m 100: run time above 60s", "3m 1, 3m 60, 3m 100: run time above 3m"];
    for named in named {
        assert!(other.contains(&format!("\n          {named}")), "{other}");
    }
    assert_eq!(other.matches("available memory below").count(), 1, "{other}");
}

/// Reported before anything runs.
#[test]
fn absent_published_figures_are_not_announced() {
    let output = experiment(FACTOR, &["--published"]);
    fails(&output, 2, " has no published figures: add a table [published]");
}

/// The limits of a run do not limit the experiment.
#[test]
fn an_experiment_says_how_long_all_its_runs_may_take() {
    let output = experiment(FACTOR, &["--repeat", "2", "--timeout", "5m"]);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("\n  guard (stops a run)\n") && told.contains("run time above 5m00s"));
    assert!(told.contains("\n  at most 30m00s for all runs"), "{told}");
}
