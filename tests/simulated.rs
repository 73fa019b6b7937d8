//! Simulated machines on the command line: reports and changes, machine files, predictions, workloads and experiments.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use crate::common;
mod lab;
mod machine_files;
mod what_if;

use common::{expect_file, repository};
use serde_json::Value;
use std::process::{Command, Output};
use swapadm::sim::describe::BUILTIN_MACHINES;

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
    for machine in BUILTIN_MACHINES.map(|(name, _)| name) {
        let parts = json(&run(machine, &["report", "attribution", "--json"]));
        let part = |name: &str| parts["tables"]["attribution"]["rows"][0][name].as_u64();
        let sum = ["processes", "sysv", "tmpfs", "unexplained"].map(part).into_iter().sum();
        assert_eq!(part("used"), sum, "{machine}: {parts}");
    }
    let missing = run("tiers", &["pressure"]);
    assert_eq!(missing.status.code(), Some(6));
    assert!(stderr(&missing).contains("not simulated"));
}

#[test]
fn evidence_is_the_model_and_metrics_are_marked() {
    let row = |command: &str, columns: &str| {
        let document = json(&run("equals", &["report", command, "-o", columns, "--json"]));
        document["tables"][command]["rows"][0].clone()
    };
    let selection = row("selection", "name,order_evidence,rotation_evidence");
    assert_eq!([&selection["order_evidence"], &selection["rotation_evidence"]], ["model"; 2]);
    assert_eq!(row("clusters", "name,view")["view"], "model");
    let metrics = stdout(&run("equals", &["metrics"]));
    assert!(metrics.contains("simulated=\"equals\"} 1"), "{metrics}");
}

#[test]
fn samples_are_the_same_in_each_run_and_a_simulated_second_apart() {
    let watch = |form: &str| {
        stdout(&run("tiers", &["status", "-o", "state", "-i", "0.01", "-c", "3", form]))
    };
    let times = watch("--timestamp");
    assert_eq!(times, watch("--timestamp"));
    assert_eq!(times.matches(" after start").count(), 3, "{times}");
    // It has no date.
    for line in watch("-J").lines() {
        let document = serde_json::from_str::<Value>(line).unwrap();
        assert_eq!(document["sampled_at"], Value::Null, "{line}");
    }
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
    // Each of several tables has its time, except for scripts.
    let replay = |more: &[&str]| {
        let mut swapadm = Command::new(env!("CARGO_BIN_EXE_swapadm"));
        stdout(&swapadm.args(["replay", file, "devices"]).args(more).output().unwrap())
    };
    let (people, scripts) = (replay(&[]), replay(&["--raw"]));
    assert_eq!(people.matches("TIME ").count(), 2, "{people}");
    assert!(people.contains("s after start") && !scripts.contains("TIME"), "{people}{scripts}");
}

/// Plans with the checks and words of a real machine, for this session of the model.
#[test]
fn changes_are_planned_and_carried_out_on_the_model() {
    let plan = stdout(&run("tiers", &["priority", "zram0=5", "--dry-run"]));
    for part in [
        "Plan: SIMULATED tiers: ",
        "SIMULATED: this changes only the model of tiers",
        "By hand, on a real machine:",
    ] {
        assert!(plan.contains(part), "no {part} in {plan}");
    }
    let done = stdout(&run("tiers", &["priority", "zram0=5", "--yes"]));
    assert!(
        done.contains("SIMULATED tiers: ") && done.contains("/dev/zram0  priority 5"),
        "{done}"
    );
    let schema = common::schema::of_changes();
    for arguments in [
        &["off", "zram0"][..],
        &["set", "page-cluster", "0"],
        &["rebalance", "tiered"],
        &["rebalance", "spread"],
    ] {
        let output = run("tiers", &[arguments, &["--yes", "--json"]].concat());
        let document = json(&output);
        assert!(schema.0.validate(&document, schema.1).is_ok(), "{document}");
        if document["outcome"].is_object() {
            assert_eq!(document["simulated"], "tiers", "{arguments:?}");
            assert_eq!(document["outcome"]["end"], "done", "{arguments:?}: {document}");
        }
    }
}

/// Neither the lock nor the journal of this computer is used: their folder does not exist afterwards.
#[test]
fn changes_of_the_model_write_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let journal = dir.path().join("journal.jsonl");
    let swaps = || std::fs::read_to_string("/proc/swaps").unwrap();
    let before = swaps();
    let output = Command::new(env!("CARGO_BIN_EXE_swapadm"))
        .env("XDG_STATE_HOME", &state)
        .env("SWAPADM_JOURNAL", &journal)
        .args(["--machine", "build-server", "off", "--all", "--yes", "--force", "memory"])
        .output()
        .unwrap();
    assert!(output.status.code().is_some_and(|code| code != 2), "{}", stderr(&output));
    assert!(std::fs::read_dir(dir.path()).unwrap().next().is_none());
    // Other tests may change real areas meanwhile, but none of them has these names.
    assert!(!before.contains("simulated") && swaps().lines().next() == before.lines().next());
}

#[test]
fn changes_that_the_model_lacks_are_refused_with_what_it_has() {
    for (arguments, why) in [
        (&["on", "/dev/x"][..], "it has /dev/zram0, /dev/sda2"),
        (&["off", "zram9"], "active: /dev/zram0, /dev/sda2"),
        (&["set", "swappiness", "1"], "not simulated"),
        (&["priority", "zram0=5", "--persist"], "never boots again"),
        (&["off", "zram0", "--max-psi", "5"], "--max-psi cannot be applied"),
        (&["capture", "/nonexistent/x"], "does not work on a simulated machine"),
        (&["file", "create", "/x", "1G"], "does not work on a simulated machine"),
        (&["journal"], "its journal exist for one session"),
        (&["undo", "1"], "its journal exist for one session"),
        (&["recover"], "its journal exist for one session"),
    ] {
        let refused = run("tiers", arguments);
        assert_ne!(refused.status.code(), Some(0), "{arguments:?}");
        assert!(stderr(&refused).contains(why), "{arguments:?}: {}", stderr(&refused));
    }
}

#[test]
fn the_interface_runs_a_machine_as_lines() {
    let lines = stdout(&run(
        "tiers",
        &["watch", "overview", "--plain", "--count", "2", "--interval", "0.1"],
    ));
    assert_eq!(lines.matches(" after start").count(), 2, "{lines}");
}

/// What the model does not have is unknown, not little.
#[test]
fn figures_outside_of_the_model_are_unknown() {
    let page = |screen: &str, count: &str| {
        stdout(&run("build-server", &["watch", screen, "--plain", "--count", count]))
    };
    let compression = page("compression", "1");
    // Pages of the build compress 3:1 and 2:1; the algorithm is not modelled.
    assert!(
        compression.contains("ALG missing") && compression.contains("RATIO 2.7"),
        "{compression}"
    );
    let paging = page("paging", "2");
    let last = paging.rsplit("\n\n").next().unwrap();
    assert!(!last.contains("rates need two samples"), "{last}");
    assert!(page("overview", "1").contains("pressure is unknown"));
}

/// With virtual swap, a page takes a slot of an area only when it is written there.
#[test]
fn pages_in_zswap_take_no_slots_with_virtual_swap() {
    let dir = tempfile::tempdir().unwrap();
    let [plain, layered] = ["7.2", "7.2+virtual-swap"].map(|kernel| {
        let file = dir.path().join(format!("{kernel}.toml"));
        let text = format!(
            "about = 'a'\nkernel = '{kernel}'\nmemory = '64M'\ncpus = 2\nload = 'usemem'\nused = '10%'\nrounds-per-second = 10\n[zswap]\n\
             [[area]]\npath = '/dev/sda2'\ndevice = 'ssd'\nsize = '256M'\n"
        );
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    });
    for (command, wrong) in [
        ("cost", "occupies a swap slot"),
        ("processes", "shared after fork"),
        ("status", "of the used swap is there and not on the areas"),
        ("selection", "only give the slots"),
        ("selection", "get slots on"),
    ] {
        let words = |machine: &str| {
            let shown = stdout(&run(machine, &[command]));
            shown.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let shown = words(&plain);
        assert!(shown.contains(wrong) || command == "processes", "{shown}");
        let shown = words(&layered);
        assert!(!shown.contains(wrong), "{shown}");
    }
    let processes = json(&run(&layered, &["processes", "--json", "--columns", "+swap_share"]));
    let shares = processes["tables"]["processes"]["rows"].as_array().unwrap().iter();
    let shares: f64 = shares.map(|row| row["swap_share"].as_f64().unwrap()).sum();
    assert!(shares <= 1.001, "{processes}");
    // The pool holds pages beyond the slots, so that swap lasts longer.
    let arguments = ["what-if", "--kernel", "7.2+virtual-swap", "--rate", "1M", "--json"];
    let cases = json(&run(&plain, &arguments));
    let rows = cases["tables"]["what_if"]["rows"].as_array().unwrap();
    let figure = |row: usize, name: &str| rows[row][name].as_f64().unwrap();
    assert!(figure(1, "full_in") > figure(0, "full_in") + 10.0, "{cases}");
    assert!(figure(0, "swapoff_entries") > 0.0 && figure(1, "swapoff_entries") == 0.0, "{cases}");
    // With virtual swap the pool takes no slots, so all of them hold pages to read back.
    assert!(figure(0, "swapoff_read") < figure(1, "swapoff_read"), "{cases}");
    assert!(figure(0, "swapoff_time") > 0.0, "{cases}");
    let cost = &json(&run(&layered, &["cost", "--json"]))["tables"]["cost"]["rows"];
    let why = cost[0]["missing"]["metadata"]["why"].to_string();
    assert!(why.contains("virtual swap"), "{cost}");
    let zswap = cost.as_array().unwrap().iter().find(|row| row["name"] == "zswap").unwrap();
    assert!(zswap["stored"].as_u64().unwrap() > 0 && zswap["zswap_slots"] == 0, "{zswap}");
}

/// The kernel has these figures as files, and the model as counts.
#[test]
fn what_the_model_counts_is_shown() {
    let of = |machine: &str, table: &str, cells: &[&str]| {
        let shown =
            json(&run(machine, &[table, "--json", "--columns", &format!("+{}", cells.join(",+"))]));
        let row = shown["tables"][table]["rows"][0].clone();
        for cell in cells {
            assert!(!row[cell].is_null(), "{machine}: no {cell} in {row}");
        }
        row
    };
    let row = of("small-disk", "readahead", &["mode", "window_limit"]);
    assert_eq!(row["mode"], "cluster readahead", "the disk rotates");
    assert_eq!(of("laptop", "readahead", &["mode"])["mode"], "VMA readahead");
    of("zswap-server", "zswap", &["written_back"]);
    // Processes are told apart, and devices have counts but no times.
    let row = of("build-server", "devices", &["in_rate", "out_rate"]);
    assert!(row["out_rate"].as_f64().unwrap() > 0.0, "{row}");
    let times = json(&run("build-server", &["devices", "--json", "--columns", "read_wait,busy"]));
    for time in ["read_wait", "busy"] {
        let missing = &times["tables"]["devices"]["rows"][0]["missing"][time]["why"];
        assert!(missing.to_string().contains("not simulated"), "{times}");
    }
    let status = stdout(&run("four-zram", &["status"]));
    let words = status.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["(ratio 2), zram3 stores", "[simulated-1] "] {
        assert!(words.contains(part), "no {part} in {words}");
    }
}

/// Times are estimated from the costs of the file that a machine names.
#[test]
fn costs_are_shown_and_those_of_another_file_are_used() {
    let dir = tempfile::tempdir().unwrap();
    let costs = stdout(
        &Command::new(env!("CARGO_BIN_EXE_swapadm")).args(["machine", "costs"]).output().unwrap(),
    );
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let dear = costs
        .replace("source = \"round", "source = \"my")
        .replace("\nfault = 500\n", "\nfault = 500000\n");
    std::fs::write(path("costs.toml"), dear).unwrap();
    std::fs::write(path("wrong.toml"), costs.replace("fault = 500", "fault = -1")).unwrap();
    let tiers = std::fs::read_to_string(repository("tests/simulated/tiers.toml")).unwrap();
    let system_time = |costs: &str| {
        let text = format!("costs = '{}'\n{tiers}", path(costs));
        std::fs::write(path("mine.toml"), if costs.is_empty() { &tiers } else { &text }).unwrap();
        let with = ["--with", "processes=2", "--with", "size=8M", "--limit", "16M"];
        let machine = path("mine.toml");
        let run = ["stress", "run", "usemem", "--no-keep", "--json", "--on", &machine];
        in_store(dir.path(), &[&run[..], &with].concat())
    };
    let outputs = ["", "costs.toml"].map(system_time);
    let system = outputs
        .each_ref()
        .map(|output| json(output)["run"]["measured"][0]["system"].as_f64().unwrap());
    assert!(system[1] > system[0] * 10.0, "{system:?}");
    let refused = stderr(&system_time("wrong.toml"));
    assert!(refused.contains("fault: \"-1\" is not valid"), "{refused}");
    system_time("costs.toml");
    let run =
        ["stress", "run", "usemem", "--no-keep", "--limit", "16M", "--with", "size=8M", "--on"];
    let told = stderr(&in_store(dir.path(), &[&run[..], &[&path("mine.toml")]].concat()));
    assert!(told.contains("Costs of actions: my figures"), "{told}");
}

/// The program with a store of its own.
fn in_store(dir: &std::path::Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_swapadm"))
        .current_dir(repository(""))
        .env_remove("HOME")
        .env_remove("XDG_CONFIG_HOME")
        .env("SWAPADM_RESULTS", dir)
        .args(arguments)
        .output()
        .unwrap()
}
