//! Predictions with `what-if`.

use super::{json, run, stderr, stdout};
use crate::common::{self, Machine, sampled};
use std::process::Command;

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

/// The time of a simulated machine is simulated, so its growth takes no time to measure.
#[test]
fn what_if_knows_when_the_swap_of_a_simulated_machine_is_full() {
    let document = json(&run("laptop", &["what-if", "--json"]));
    let machine = &document["tables"]["what_if_machines"]["rows"][0];
    assert!(machine["growth"].as_f64().unwrap() > 0.0, "{machine}");
    assert!(machine["full_in"].as_f64().unwrap() > 0.0, "{machine}");
}

/// The layout of metadata before 5.9 is unknown, also to `cost`.
#[test]
fn what_if_has_no_metadata_where_the_layout_is_unknown() {
    for (kernel, is_known) in [("4.13", false), ("5.10", true), ("7.2+virtual-swap", true)] {
        let arguments = ["what-if", "--rate", "1M", "--kernel", kernel, "--json"];
        let document = json(&run("small-disk", &arguments));
        let machines = document["tables"]["what_if_machines"]["rows"].as_array().unwrap();
        let machine = machines.last().unwrap();
        assert_eq!(machine["metadata"].is_u64(), is_known, "{machine}");
    }
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
