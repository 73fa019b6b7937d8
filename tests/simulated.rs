//! Simulated machines on the command line: reports, machine files and predictions.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use crate::common;

use common::screen::snapshot;
use common::{Machine, expect_file, repository, sampled, with_each_machine};
use serde_json::Value;
use std::process::{Command, Output};
use std::sync::Mutex;
use swapadm::derive::selection;
use swapadm::sim::comparison::{ORDERED_CAPTURES, SHARED_CAPTURES};
use swapadm::sim::describe::BUILTIN_MACHINES;
use swapadm::sim::machine::{Machine as Simulated, MachineSetup};

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
    assert!(stderr(&missing).contains("not modelled on a simulated machine"));
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
        (&["set", "swappiness", "1"], "not modelled on a simulated machine"),
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
    assert!(compression.contains("Unknown how much is compressed"), "{compression}");
    assert!(!compression.contains("Almost nothing"), "{compression}");
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
        assert!(missing.to_string().contains("not modelled"), "{times}");
    }
    let status = stdout(&run("four-zram", &["status"]));
    let words = status.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "memory use of zram0, zram1, zram2, zram3 is unknown (not modelled on a simulated machine)",
        "[simulated-1] ",
    ] {
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
        "bad.toml:6: area.device: \"tape\" is not valid: use zram, ssd, disk, file or file-on-disk",
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
    assert!(said.contains("such as ./lap.toml"), "{said}");
    assert!(stderr(&run("README.md", &["status"])).contains("such as ./README.md"));
    assert!(!stderr(&run("README.md", &["status"])).contains("README.md.toml"));
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
            assert!(
                why.contains("no model of this machine: ") && why.contains(" is missing ("),
                "{why}"
            );
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

/// Least used swap of a capture whose shares are compared, in pages: a CPU of older kernels holds 128 of them.
const COMPARED_PAGES: u64 = 4096;
/// Largest difference of the share of an area.
const NEAR_SHARE: f64 = 0.01;

/// Each model has the priorities of its capture, tries the areas in the order that is reported for the capture, and
/// fills them with the shares that the kernel of the capture filled them with, if one workload did that on one node.
#[test]
fn models_of_captures_fill_areas_as_the_captured_kernels() {
    let (ordered, shared) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    with_each_machine(|machine| {
        let name = &machine.name;
        let capture = snapshot(name, 2000);
        let Ok(like) = MachineSetup::like(&capture, name) else { return };
        let areas = capture.swaps.reading.known().unwrap();
        if like.setup.areas.len() < areas.len() || areas.is_empty() {
            return;
        }
        let mut model = Simulated::new(like.setup);
        let paths: Vec<String> = model.setup.areas.iter().map(|area| area.path.clone()).collect();
        let place =
            |area: usize| paths.iter().position(|it| *it == areas[area].path.safe()).unwrap();
        for (area, captured) in areas.iter().enumerate() {
            let modelled = model.swap.areas()[u32::try_from(place(area)).unwrap()].priority;
            assert_eq!(modelled, captured.priority, "{name}: {}", captured.path.safe());
        }
        let Ok(selection) = selection::for_pages(&capture).get().cloned() else { return };
        for line in &selection.lines {
            let expected: Vec<usize> = line.places.iter().map(|it| place(it.area)).collect();
            let order = model.swap.order(line.node.unwrap_or(0));
            let order: Vec<usize> = order.iter().map(|area| *area as usize).collect();
            assert_eq!(order, expected, "{name}: {:?}", line.node);
        }
        ordered.lock().unwrap().push(name.clone());
        let used: Vec<u64> =
            areas.iter().map(|area| area.used.known().map_or(0, |used| used.0 / 4096)).collect();
        let total: u64 = used.iter().sum();
        if total < COMPARED_PAGES || model.setup.nodes > 1 {
            return;
        }
        for _ in 0..total {
            model.swap.allocate(0, 0).unwrap();
        }
        let mut farthest: f64 = 0.0;
        for (area, captured) in used.iter().enumerate() {
            let modelled = model.swap.areas()[u32::try_from(place(area)).unwrap()].used();
            let difference = f64::from(modelled) - *captured as f64;
            farthest = farthest.max(difference.abs() / total as f64);
        }
        assert!(farthest <= NEAR_SHARE, "{name}: {:.1} points {used:?}", farthest * 100.0);
        shared.lock().unwrap().push(name.clone());
    });
    let counts = [ordered, shared].map(|names| names.into_inner().unwrap().len());
    assert_eq!(counts, [ORDERED_CAPTURES, SHARED_CAPTURES]);
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
    // Equal priorities share, and the disk gets 57 slots where zram gets 64.
    assert_eq!(of("changed", "/dev/sda2")["position"], 1);
    let share = of("changed", "/dev/sda2")["share_25"].as_f64().unwrap();
    assert!((share - 57.0 / 121.0).abs() < 0.02, "{share}");
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
    for name in sampled(vec!["6.12-mixed-loaded", "6.1-noswap"], 2, 0) {
        let machine = Machine::shared(name);
        let text = machine.stdout(&["what-if", "--kernel", "7.2", "--add", "1G@zram"]);
        assert!(text.contains("+1:1G@zram") && text.contains("not validated"), "{name}: {text}");
        assert!(text.contains("Changed (model of kernel 7.2)"), "{name}: {text}");
    }
}

#[test]
fn what_if_assumes_a_workload() {
    let load = ["what-if", "--load", "usemem", "--priority", "/dev/sda2=100"];
    let document = json(&run("tiers", &[&load[..], &["--json"]].concat()));
    let schema = common::schema::compiled();
    assert!(schema.0.validate(&document, schema.1).is_ok());
    let machines = document["tables"]["what_if_machines"]["rows"].as_array().unwrap();
    for machine in machines {
        assert_eq!(machine["load"], "usemem");
        assert!(machine["swapped_out"].as_u64().unwrap() > 0, "{machine}");
    }
    let text = stdout(&run("tiers", &load));
    for part in ["PEAK", "KILLED", "at most", "The workload usemem runs alone", "not validated"] {
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(part), "{text}");
    }
    let unknown = run("tiers", &["what-if", "--load", "usemen"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("did you mean usemem?"), "{}", stderr(&unknown));
}

#[test]
fn what_if_assumes_traffic_as_it_is_now() {
    let text = stdout(&run("tiers", &["what-if", "--like-now", "--kernel", "6.12"]));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["as now", "Traffic is as measured: ", "draws freed slots at random"] {
        assert!(words.contains(part), "no {part} in {text}");
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tiers.rec");
    let file = file.to_str().unwrap();
    let recorded = run("tiers", &["record", file, "--interval", "0.01", "--count", "3"]);
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let replayed = Command::new(env!("CARGO_BIN_EXE_swapadm"))
        .args(["--recording", file, "what-if", "--like-now"])
        .output()
        .unwrap();
    assert!(stdout(&replayed).contains("as now"), "{}", stdout(&replayed));
    let captured = Machine::shared("6.12-mixed-loaded").run(&["what-if", "--like-now"]);
    assert_eq!(captured.status.code(), Some(2));
    assert!(stderr(&captured).contains("a single moment"), "{}", stderr(&captured));
    let idle = run("zswap-server", &["what-if", "--like-now", "--load", "usemem"]);
    assert_eq!(idle.status.code(), Some(2));
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

#[test]
fn workloads_run_on_simulated_machines_and_are_stored_marked() {
    let dir = tempfile::tempdir().unwrap();
    let machines = "tests/simulated/tiers.toml,tests/simulated/equals.toml";
    let with = ["--with", "processes=2", "--with", "size=8M"];
    let run =
        [&["stress", "run", "usemem", "--limit", "16M", "--on", machines][..], &with].concat();
    let output = in_store(dir.path(), &run);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("times are estimates"), "{}", stderr(&output));
    let listed = stdout(&in_store(dir.path(), &["results", "list"]));
    for name in ["SIMULATED tiers: usemem", "SIMULATED equals: usemem"] {
        assert!(listed.contains(name), "{listed}");
    }
    let document = json(&in_store(dir.path(), &["results", "show", "1", "--json"]));
    let schema = common::schema::of_results();
    assert!(schema.0.validate(&document, schema.1).is_ok(), "{document}");
    let compared = in_store(dir.path(), &["results", "compare", "1", "2"]);
    assert!(stdout(&compared).contains("SIMULATED"), "{}", stdout(&compared));
}

#[test]
fn what_the_model_lacks_of_a_run_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let refusal = |load: &str, with: &[&str]| {
        let run = ["stress", "run", load, "--on", "laptop", "--no-keep"];
        let output = in_store(dir.path(), &[&run[..], with].concat());
        assert_eq!(output.status.code(), Some(2), "{load} {with:?}");
        stderr(&output)
    };
    for (load, with, why) in [
        ("usemem", &["--zram", "32T"][..], "the simulator takes 4 bytes for each"),
        ("usemem", &["-w", "node=7"], "node 7 does not exist"),
        ("usemem", &["-w", "cpus=63"], "CPU 63 does not exist"),
        ("usemem", &["-w", "mthp=16M=always"], "no folios of 16M"),
        ("swapoff-cost", &[], "done on temporary areas only: add --zram 1G"),
        ("usemem", &["--zram", "1G", "--algorithm", "lz4"], "not model compression algorithms"),
        ("usemem", &["--set", "page-cluster=99"], "not take \"99\" for page-cluster"),
        ("usemem", &["--timeout", "5m"], "cannot be used with"),
        ("usemem", &["--min-swap", "1G"], "cannot be used with"),
    ] {
        let said = refusal(load, with);
        assert!(said.contains(why), "no {why} in {said}");
    }
    let text = "about = 'a'\nquestion = 'q'\nrepetitions = 1\ncolumns = ['elapsed']\n[base]\nload = 'usemem'\n\
        [[factor]]\nname = 'pace'\nkey = 'with.pace'\nvalues = ['1M', '2M']\n";
    let file = dir.path().join("pace.toml");
    std::fs::write(&file, text).unwrap();
    let run = ["experiment", "run", file.to_str().unwrap(), "--on", "laptop"];
    for (more, why) in [
        (&[][..], "does not model the factor with.pace"),
        (&["--kind", "file"], "--kind: no case leaves"),
    ] {
        let said = stderr(&in_store(dir.path(), &[&run[..], more].concat()));
        assert!(said.contains(why), "no {why} in {said}");
    }
    std::fs::write(
        &file,
        text.replace("with.pace", "set.page-cluster").replace("'1M', '2M'", "'0', '3'"),
    )
    .unwrap();
    let said = stderr(&in_store(dir.path(), &[&run[..], &["--published"]].concat()));
    assert!(said.contains("has no published figures"), "{said}");
}

#[test]
fn old_kernels_fill_areas_one_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("old.toml");
    let text = std::fs::read_to_string("tests/simulated/equals.toml").unwrap();
    let kernel = text.lines().find(|line| line.starts_with("kernel")).unwrap();
    std::fs::write(&file, text.replace(kernel, "kernel = \"4.13\"")).unwrap();
    let run = ["stress", "run", "usemem", "--limit", "16M", "-w", "processes=2", "-w", "size=12M"];
    let shown =
        stdout(&in_store(dir.path(), &[&run[..], &["--on", file.to_str().unwrap()]].concat()));
    assert!(shown.contains("one by one"), "{shown}");
}

/// A stored result of a real run with one of the model: setup and figures stand side by side, and the title says
/// which one is simulated.
#[test]
fn a_simulated_result_is_compared_with_a_real_one() {
    let dir = tempfile::tempdir().unwrap();
    let run = ["stress", "run", "usemem", "--limit", "16M", "--on", "tests/simulated/tiers.toml"];
    let with = ["--with", "processes=2", "--with", "size=8M", "--repeat", "3"];
    stdout(&in_store(dir.path(), &[&run[..], &with].concat()));
    let real = "tests/results/kept/1-before.json";
    let compared = stdout(&in_store(dir.path(), &["results", "compare", real, "1"]));
    let words = compared.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["SIMULATED tiers: usemem", "kernel: 7.1.0 in A, 6.12", "Elapsed s"] {
        assert!(words.contains(part), "no {part} in {compared}");
    }
    let document = json(&in_store(dir.path(), &["results", "compare", real, "1", "--json"]));
    let rows = document["tables"]["comparison"]["rows"].as_array().unwrap();
    let elapsed = rows.iter().find(|row| row["figure"] == "elapsed").unwrap();
    assert!(elapsed["first_mean"].is_number() && elapsed["second_mean"].is_number(), "{elapsed}");
    // The model has no PSI and no user time: missing, not 0.
    for figure in ["user", "psi_full"] {
        let row = rows.iter().find(|row| row["figure"] == figure);
        assert!(row.is_none_or(|row| row["second_mean"].is_null()), "{row:?}");
    }
}

#[test]
fn experiments_have_the_kernel_as_a_factor_on_simulated_machines_only() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("order.toml");
    let text = "about = 'a'\nquestion = 'q'\nrepetitions = 1\ncolumns = ['used', 'swapped_out']\n\
        [base]\nload = 'usemem'\nlimit = '16M'\nwith.processes = 2\nwith.size = '12M'\n\
        [[factor]]\nname = 'kernel'\nkey = 'policy'\nvalues = ['6.12', '7.2']\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let run = ["experiment", "run", file, "--on", "tests/simulated/equals.toml"];
    let first = stdout(&in_store(dir.path(), &run));
    assert!(first.contains("6.12") && first.contains("7.2"), "{first}");
    let real = in_store(dir.path(), &["experiment", "run", file, "--dry-run"]);
    assert!(!real.status.success());
    assert!(stderr(&real).contains("--on MACHINE"), "{}", stderr(&real));
    std::fs::write(dir.path().join("bad.toml"), text.replace("6.12", "6.13")).unwrap();
    let bad = dir.path().join("bad.toml");
    let bad = in_store(dir.path(), &["experiment", "run", bad.to_str().unwrap(), "--dry-run"]);
    assert!(stderr(&bad).contains("unknown kernel \"6.13\": use 4.13"), "{}", stderr(&bad));
}

#[test]
fn a_plan_of_a_simulated_run_is_json_if_requested() {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| in_store(dir.path(), arguments);
    for command in [["stress", "run", "usemem"], ["experiment", "run", "balance"]] {
        let plan = json(&run(&[&command[..], &["--on", "laptop", "--dry-run", "--json"]].concat()));
        assert!(plan["outcome"].is_null(), "{plan}");
    }
    for (option, why) in [
        (["--on", "laptop,server", "--json"], "--json: each machine"),
        (["--on", "laptop", "--published"], "--published: "),
    ] {
        let refused = run(&[&["experiment", "run", "zswap", "--dry-run"], &option[..]].concat());
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
    }
}

#[test]
fn published_experiments_stand_beside_the_model() {
    let dir = tempfile::tempdir().unwrap();
    let swapadm = |arguments: &[&str]| in_store(dir.path(), arguments);
    let policies = ["experiment", "run", "policies", "--only", "table=B,E"];
    let document = json(&swapadm(&[&policies[..], &["--json"]].concat()));
    let schema = common::schema::of_results();
    assert!(schema.0.validate(&document, schema.1).is_ok(), "{document}");
    let rows = document["tables"]["published"]["rows"].as_array().unwrap();
    for row in rows {
        assert!(row["source"].as_str().unwrap().len() > 30, "{row}");
        let is_missing = row["agreement"] == "not reproduced";
        assert_eq!(is_missing, row["model"].is_null(), "{row}");
        assert_eq!(is_missing, row["missing"]["model"]["why"].is_string(), "{row}");
    }
    let of = |case: &str, figure: &str| {
        rows.iter().find(|row| row["case"] == case && row["figure"] == figure).unwrap()
    };
    assert_eq!(of("per NUMA node", "order on node 2")["model"], "C A B D");
    assert_eq!(of("32 x 4 GiB, per node", "accesses/s")["agreement"], "holds");
    assert_eq!(of("key-value server", "requests/s")["agreement"], "not reproduced");
    let text = stdout(&swapadm(&policies));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "B. Devices bound to NUMA nodes",
        "Published: Aaron Lu",
        "AGREEMENT",
        "Not reproduced: requests/s: the model has no requests of a server.",
        "SIMULATED",
    ] {
        assert!(words.contains(part), "no {part} in {text}");
    }
    for (option, why) in [
        (&["--on", "laptop"][..], "--on does not apply to policies"),
        (&["--published"], "--published does not apply to policies"),
        (&["--no-keep"], "--no-keep does not apply to policies"),
        (&["--seed", "2"], "--seed does not apply to policies"),
        (&["--dry-run", "--json"], "leave out --dry-run"),
        (&["--only", "table=X"], "policies has table=A,B,C,D,E"),
        (&["--scale", "0"], "--scale 0"),
    ] {
        let refused = swapadm(&[&["experiment", "run", "policies"][..], option].concat());
        assert_eq!(refused.status.code(), Some(2), "{option:?}");
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
    }
    let plan = stdout(&swapadm(&["experiment", "run", "policies", "--dry-run"]));
    assert!(plan.contains("C. Swap readahead and page-cluster: 32 runs of the model"), "{plan}");
    assert!(stdout(&swapadm(&["experiment", "list"])).contains("policies"));
    let shown = swapadm(&["experiment", "show", "policies"]);
    assert!(stderr(&shown).contains("has no file"), "{}", stderr(&shown));
}
