//! Scenarios with the words that are right for them: status page, JSON, advice and Overview agree on captures of
//! real machines and on recordings of simulated ones.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "the helpers of a test stop it")]

use crate::common;

use common::{Machine, rows, swapadm};
use serde_json::Value;
use std::path::Path;

/// A machine: where it is read from, and what is right to say about it.
struct Scenario {
    /// A capture, `CAPTURE+CHANGE` for one that is changed by hand, or `MACHINE*SAMPLES` for a recording of a simulated
    /// machine.
    source: &'static str,
    state: &'static str,
    /// The severity; empty if the machine does not say.
    severity: &'static str,
    /// When swap is full if it continues to grow: `soon`, which advice reports, `later`, or empty if it does not grow or
    /// that is not known yet.
    full: &'static str,
    /// The beginnings of lines of the status page: zswap in front, top user and balance.
    lines: [&'static str; 3],
}

const fn scenario(
    source: &'static str,
    state: &'static str,
    severity: &'static str,
    full: &'static str,
    lines: [&'static str; 3],
) -> Scenario {
    Scenario { source, state, severity, full, lines }
}

const OFF: &str = "zswap off";
const LIMIT: &str = "at cgroup limit";
const LABTOOL: &str = "Processes labtool 2";
const TWO: &str = "Balance 2 areas of different priority fill one by one";
const ONE_BY_ONE: &str = "Balance 4 areas of different priority fill one by one";

const SCENARIOS: [Scenario; 14] = [
    scenario("6.1-noswap", "no swap", "ok", "", [OFF, "", ""]),
    scenario("6.12-idle", "unknown", "ok", "", [OFF, "Processes /proc lists no", ONE_BY_ONE]),
    scenario("6.1-loaded", LIMIT, "crit", "", [OFF, "Processes labtool 257M", ONE_BY_ONE]),
    // Several priority groups, each filled evenly.
    scenario(
        "7.2-mixed-loaded",
        LIMIT,
        "crit",
        "",
        [OFF, LABTOOL, "Balance priority 100: 2 areas, even"],
    ),
    // A kernel without counters of pages to and from zswap.
    scenario("6.1-zswap-loaded", LIMIT, "crit", "", ["zswap on, stores 214M", LABTOOL, TWO]),
    // All that is in swap is in the pool.
    scenario("7.2-zswap-loaded", LIMIT, "crit", "", ["zswap on, stores 213.6M", LABTOOL, TWO]),
    // Only out, before and after growth is known.
    scenario("laptop*3", "swapping out", "", "", [OFF, "Processes [simulated-1]", TWO]),
    scenario("laptop*14", "swapping out", "", "soon", [OFF, "Processes [simulated-1] 1.7G", TWO]),
    scenario(
        "zswap-server*14",
        "swapping out",
        "",
        "later",
        ["zswap on, stores 4G", "Processes [simulated-1]", ""],
    ),
    // In and out, and flat.
    scenario("small-disk*14", "swapping", "", "", [OFF, "Processes [simulated-1] 99M", ""]),
    // Only in: its memory is back, and still has slots.
    scenario(
        "tests/scenarios/wakes-up.toml*6",
        "swapping in",
        "",
        "",
        [OFF, "5M in the swap cache", ""],
    ),
    // Bursts: used space rises and falls, so it fills nothing.
    scenario(
        "tests/scenarios/bursts.toml*26",
        "swapping out",
        "",
        "",
        [OFF, "768K used (1.2%)", ""],
    ),
    // Shared memory belongs to no process alone.
    scenario(
        "6.12-loaded+shared",
        LIMIT,
        "crit",
        "",
        [OFF, "Processes labtool at most 257M", ONE_BY_ONE],
    ),
    // Forked processes share pages, of which each has its part.
    scenario(
        "6.12-loaded+forked",
        LIMIT,
        "crit",
        "",
        [OFF, "Processes labtool (PID 192) 128.5M, labtool (PID 193) 128.5M", ONE_BY_ONE],
    ),
];

/// The capture of this name, whose process shares the memory that it has in swap, or has forked.
fn changed(name: &str, change: &str) -> Machine {
    let machine = Machine::unpack(name);
    let write = |file: &str, from: &str, to: &str| {
        let text = machine.text(format!("proc/192/{file}")).unwrap();
        machine.write(format!("proc/192/{file}"), text.replace(from, to));
    };
    let pss = "SwapPss:          263208";
    if change == "shared" {
        write("status", "VmSwap:\t  263208", "VmSwap: 2048");
        write("smaps_rollup", pss, "SwapPss: 2048");
    } else {
        write("smaps_rollup", pss, "SwapPss: 131604");
        for file in machine.names("proc/192") {
            let bytes = machine.bytes(format!("proc/192/{file}")).unwrap();
            machine.write(format!("proc/193/{file}"), bytes);
        }
    }
    machine
}

/// The output of a command on a machine.
fn printed(source: &str, folder: &Path, command: &[&str]) -> String {
    let output = match source.split_once('*') {
        None => match source.split_once('+') {
            None => Machine::shared(source).run(command),
            Some((name, change)) => changed(name, change).run(command),
        },
        Some((machine, samples)) => {
            let file =
                folder.join(source.replace('/', "-")).into_os_string().into_string().unwrap();
            if !Path::new(&file).exists() {
                let record = [
                    "--machine",
                    machine,
                    "record",
                    "--interval",
                    "0.01",
                    "--count",
                    samples,
                    &file,
                ];
                assert!(swapadm().args(record).output().unwrap().status.success());
            }
            let from = ["--recording", &file, "--at", "last"];
            swapadm().args(from).args(command).output().unwrap()
        }
    };
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn all_outputs_say_the_words_that_are_right() {
    let folder = tempfile::tempdir().unwrap();
    for Scenario { source, state, severity, full, lines } in SCENARIOS {
        let run = |command: &[&str]| printed(source, folder.path(), command);
        let page = run(&["status"]).split_whitespace().collect::<Vec<_>>().join(" ");
        for words in [format!("State {state}: ").as_str()].into_iter().chain(lines) {
            assert!(page.contains(words), "{source}: no {words:?}: {page}");
        }
        let json =
            |command: &str| -> Value { serde_json::from_str(&run(&[command, "--json"])).unwrap() };
        let (status, advice) = (json("status"), json("advise"));
        let row = &rows(&status, "status")[0];
        assert_eq!(row["state"].as_str().unwrap_or("unknown"), state, "{source}");
        assert_eq!(row["severity"].as_str().unwrap_or(""), severity, "{source}");
        let full_in = &rows(&status, "headroom")[0]["full_in"];
        assert_eq!(full_in.is_number(), !full.is_empty(), "{source}: {full_in}");
        let has = |rule: &str| rows(&advice, "findings").iter().any(|row| row["rule"] == rule);
        assert_eq!(has("swap-full"), full == "soon", "{source}");
        assert_eq!(has("memory-pressure"), severity == "crit", "{source}");
        let overview = run(&["watch", "overview", "--plain", "--count", "1"]);
        let (head, answer) = (overview.lines().next().unwrap(), overview.lines().nth(1).unwrap());
        assert!(head.contains(state) && answer.contains(state), "{source}: {head} {answer}");
        assert_eq!(answer.contains("(critical)"), severity == "crit", "{source}: {answer}");
    }
}
