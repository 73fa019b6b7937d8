//! Simulated machines on the command line: reports, machine files and predictions.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod common;

use common::{Machine, expect_file, repository, with_each_machine};
use serde_json::Value;
use std::process::{Command, Output};

const MACHINES: [&str; 2] = ["tiers", "equals"];
const COMMANDS: [&str; 4] = ["status", "devices", "selection", "advise"];

/// Runs the program on a simulated machine of this folder, or a built-in one.
fn run(machine: &str, arguments: &[&str]) -> Output {
    let file = format!("tests/simulated/{machine}.toml");
    let named = if MACHINES.contains(&machine) { file.as_str() } else { machine };
    let mut command = Command::new(env!("CARGO_BIN_EXE_swapadm"));
    // Neither settings nor workloads of a person.
    command.current_dir(repository("")).env_remove("HOME").env_remove("XDG_CONFIG_HOME");
    command.args(["--machine", named]).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap()
}

#[test]
fn reports_of_simulated_machines_are_as_expected() {
    for machine in MACHINES {
        let page = |command: &&str| {
            let output = run(machine, &[*command]);
            format!("$ {command}\n{}--- {}\n", stdout(&output), stderr(&output))
        };
        let pages = COMMANDS.iter().map(page).collect::<String>();
        assert!(pages.contains(&format!("SIMULATED machine {machine}")), "{pages}");
        let path = repository(&format!("tests/simulated/{machine}.txt"));
        expect_file(&path, &pages, "UPDATE_GOLDEN");
    }
}

#[test]
fn every_report_says_simulated_and_matches_the_schema() {
    let schema = common::schema::compiled();
    for machine in MACHINES {
        let commands = ["status", "devices", "groups", "selection", "clusters", "advise", "zram"];
        let others = ["zswap", "paging", "processes", "mthp", "numa", "knobs", "cost", "report"];
        for command in commands.iter().chain(&others).copied() {
            let document = json(&run(machine, &[command, "--json"]));
            assert_eq!(document["simulated"], machine, "{command}");
            if let Err(error) = schema.0.validate(&document, schema.1) {
                panic!("{machine}: {command}: {error:#}");
            }
        }
    }
    let missing = run("tiers", &["pressure"]);
    assert_eq!(missing.status.code(), Some(6));
    assert!(stderr(&missing).contains("the simulated machine does not model this"));
}

#[test]
fn samples_are_the_same_in_each_run_and_a_simulated_second_apart() {
    let watch = || stdout(&run("tiers", &["devices", "--interval", "0.01", "--count", "3", "-J"]));
    let (first, second) = (watch(), watch());
    let times = |text: &str| -> Vec<String> {
        let documents = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        documents.map(|it| it["sampled_at"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(times(&first), times(&second));
    assert_eq!(times(&first).len(), 3);
    let rates = json(&run("tiers", &["report", "paging", "--json"]));
    assert!((rates["interval_s"].as_f64().unwrap() - 1.0).abs() < 1e-6);
}

#[test]
fn a_recording_of_a_simulated_machine_stays_marked() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tiers.rec");
    let file = file.to_str().unwrap();
    let recorded = run("tiers", &["record", file, "--interval", "0.01", "--count", "3"]);
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let swapadm = Command::new(env!("CARGO_BIN_EXE_swapadm"))
        .args(["--recording", file, "status", "--json"])
        .output()
        .unwrap();
    assert_eq!(json(&swapadm)["simulated"], "tiers");
}

#[test]
fn changes_refuse_a_simulated_machine() {
    for arguments in [&["on", "/dev/x"][..], &["off", "zram0"], &["capture", "/nonexistent/x"]] {
        let refused = run("tiers", arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&refused).contains("needs a real machine"), "{}", stderr(&refused));
    }
}

#[test]
fn the_interface_runs_a_machine_as_lines() {
    let lines = stdout(&run(
        "tiers",
        &["watch", "overview", "--plain", "--count", "2", "--interval", "0.1"],
    ));
    assert_eq!(lines.matches("1970-01-01T").count(), 2, "{lines}");
}

/// What the model does not have is unknown, not little.
#[test]
fn figures_outside_of_the_model_are_unknown() {
    let page = |screen: &str| stdout(&run("laptop", &["watch", screen, "--plain", "--count", "3"]));
    let compression = page("compression");
    assert!(compression.contains("Unknown how much is compressed"), "{compression}");
    assert!(!compression.contains("Almost nothing"), "{compression}");
    let paging = page("paging");
    let last = paging.rsplit("\n\n").next().unwrap();
    assert!(!last.contains("rates need two samples"), "{last}");
    assert!(page("overview").contains("pressure is unknown"));
}

#[test]
fn bad_machine_files_are_refused_with_line_key_and_values() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.toml");
    let errors = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_swapadm"))
            .args(["machine", "check", file.to_str().unwrap(), "laptop"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let valid = String::from_utf8(output.stdout.clone()).unwrap();
        assert_eq!(valid, "laptop: valid: kernel 6.12, 2 areas\n");
        stderr(&output)
    };
    let text = "kernel = \"6.13\"\nmemory = \"4G\"\nused = \"120%\"\n[[area]]\npath = \"/dev/a\"\ndevice = \"tape\"\nsize = \"1G\"\n";
    let said = errors(text);
    for part in [
        "bad.toml:1: kernel: unknown kernel \"6.13\": use 4.13, 5.10",
        "bad.toml:3: used: ",
        "bad.toml:6: device: \"tape\" is not valid: use zram, ssd, disk or file",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let said = errors("kernel = \"7.2\"\nmemory = \"4G\"\nload = \"usemen\"\n");
    assert!(
        said.contains("load: unknown workload \"usemen\"") && said.contains("did you mean usemem?"),
        "{said}"
    );
    let said =
        errors("kernel = \"7.2\"\nmemory = \"4G\"\nload = \"usemem\"\nwith = [\"size=9T\"]\n");
    assert!(said.contains("The limit is 1 GiB"), "{said}");
    let said = stderr(&run("lap", &["status"]));
    assert!(
        said.contains("unknown machine \"lap\"") && said.contains("laptop, four-zram"),
        "{said}"
    );
}

#[test]
fn built_in_machines_are_listed_shown_and_valid() {
    let swapadm = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_swapadm")).args(arguments).output().unwrap()
    };
    let listed = json(&swapadm(&["machine", "list", "--json"]));
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 6, "{names:?}");
    let text = stdout(&swapadm(&["machine", "list"]));
    for name in names {
        assert!(text.contains(name), "{text}");
        let shown = stdout(&swapadm(&["machine", "show", name]));
        assert!(shown.contains("kernel = "), "{shown}");
        stdout(&swapadm(&["machine", "check", name]));
    }
    assert!(stdout(&swapadm(&["machine", "keys"])).contains("rounds-per-second"));
}

/// A machine file of each captured machine, which check accepts.
#[test]
fn a_machine_file_like_each_capture_is_valid() {
    with_each_machine(|machine| {
        let made = machine.run(&["machine", "like-this"]);
        let text = String::from_utf8(made.stdout.clone()).unwrap();
        if !made.status.success() {
            let why = stderr(&made);
            assert_eq!(made.status.code(), Some(6), "{}: {why}", machine.name);
            assert!(why.contains("no machine file: ") && why.contains(" is missing ("), "{why}");
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("like.toml");
        std::fs::write(&file, &text).unwrap();
        let checked = Command::new(env!("CARGO_BIN_EXE_swapadm"))
            .args(["machine", "check", file.to_str().unwrap()])
            .output()
            .unwrap();
        assert!(checked.status.success(), "{}: {}\n{text}", machine.name, stderr(&checked));
        let areas = machine.json(&["devices", "--json"])["tables"]["devices"]["rows"].clone();
        let count = areas.as_array().map_or(0, Vec::len);
        let lost = text.matches("is left out").count();
        assert_eq!(text.matches("[[area]]").count() + lost, count, "{}: {text}", machine.name);
    });
}

#[test]
fn what_if_compares_now_and_then() {
    let schema = common::schema::compiled();
    let equal = run("tiers", &["what-if", "--priority", "/dev/sda2=100", "--json"]);
    let document = json(&equal);
    assert!(schema.0.validate(&document, schema.1).is_ok());
    let rows = document["tables"]["what_if"]["rows"].as_array().unwrap().clone();
    let of = |case: &str, name: &str| {
        let row = rows.iter().find(|row| row["case"] == case && row["name"] == name);
        row.unwrap_or_else(|| panic!("{rows:?}")).clone()
    };
    // A higher priority fills first.
    assert_eq!(
        (&of("now", "/dev/zram0")["position"], &of("now", "/dev/sda2")["position"]),
        (&1.into(), &2.into())
    );
    assert_eq!(of("now", "/dev/zram0")["share_25"], 1.0);
    // Equal priorities share evenly.
    assert_eq!(of("changed", "/dev/sda2")["position"], 1);
    let share = of("changed", "/dev/sda2")["share_25"].as_f64().unwrap();
    assert!((share - 0.5).abs() < 0.03, "{share}");
    let added = stdout(&run(
        "equals",
        &["what-if", "--kernel", "6.12", "--add", "16M@zram,priority=9", "--rate", "1M"],
    ));
    let words = added.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Now (model of kernel 7.2): /dev/nvme0n1p2, /dev/nvme1n1p2 first together.",
        "Changed (model of kernel 6.12): +1:16M@zram first, then /dev/nvme0n1p2 once",
        "Now: all swap is full in",
        "SIMULATED",
        "not validated",
    ] {
        assert!(words.contains(part), "no {part} in {added}");
    }
    let refused = run("tiers", &["what-if", "--kernel", "9.9"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--kernel: unknown kernel \"9.9\": use 4.13"));
}

#[test]
fn what_if_models_captured_machines() {
    for name in ["6.12-mixed-loaded", "6.1-noswap"] {
        let machine = Machine::shared(name);
        let text = machine.stdout(&["what-if", "--kernel", "7.2", "--add", "1G@zram"]);
        assert!(text.contains("+1:1G@zram") && text.contains("not validated"), "{name}: {text}");
        assert!(text.contains("Changed (model of kernel 7.2)"), "{name}: {text}");
    }
}
