//! `process show` and `cgroup show`: one of them in detail, with reasons for what is missing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of a test stop it")]
#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "other tests use the rest of what is common")]

use crate::common;

use common::{Machine, rows};
use serde_json::{Value, json};

const LOADED: &str = "6.18-mixed-loaded";

/// The process with the most swap.
fn most(machine: &Machine) -> (String, String) {
    let document =
        machine.json(&["processes", "-o", "pid,swap,cgroup", "--sort", "-swap", "--json"]);
    let row = &rows(&document, "processes")[0];
    (row["pid"].to_string(), row["cgroup"].as_str().unwrap().to_owned())
}

fn mapping(name: &str, kib: u64) -> String {
    format!(
        "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 {name}\nSize: 4096 kB\nRss: 128 kB\nPss: 64 kB\nSwap: {kib} kB\nSwapPss: {kib} kB\n"
    )
}

#[test]
fn a_process_is_shown_with_its_mappings_and_waits() {
    let machine = Machine::unpack(LOADED);
    let (pid, _) = most(&machine);
    let without = machine.json(&["process", "show", &pid, "--json"]);
    assert_eq!(without["tables"]["mappings"]["rows"], Value::Null, "smaps was not captured");
    let text = [mapping("[heap]", 2000), mapping("/lib/x.so", 0), mapping("[heap]", 1000)];
    machine.write(format!("proc/{pid}/smaps"), text.concat());
    machine.write(format!("proc/{pid}/task/{pid}/schedstat"), "5 2000000000 1\n");
    machine.write("proc/sys/kernel/task_delayacct", "0\n");
    let document = machine.json(&["process", "show", &pid, "--json"]);
    let process = &rows(&document, "processes")[0];
    assert_eq!(process["pid"].to_string(), pid);
    assert_eq!(process["swap_mapped"], json!(3000 << 10));
    assert_eq!(process["pss"], json!(192 << 10));
    assert_eq!(process["run_wait"], json!(2.0));
    for column in ["block_wait", "swap_wait"] {
        let why = process["missing"][column]["why"].as_str().unwrap();
        assert!(!why.is_empty() && process[column].is_null(), "{column}: {process}");
    }
    let mappings = rows(&document, "mappings");
    assert_eq!(mappings.len(), 1, "only those in swap: {mappings:?}");
    assert_eq!((&mappings[0]["name"], &mappings[0]["count"]), (&json!("[heap]"), &json!(2)));
    let all = machine.json(&["process", "show", &pid, "--all", "--json"]);
    assert_eq!(rows(&all, "mappings").len(), 2);
    let page = machine.stdout(&["process", "show", &pid]);
    assert!(page.contains("[heap]") && page.contains("RUNWAIT"), "{page}");
    let other = machine.run(&["process", "show", "999999"]);
    assert_eq!(other.status.code(), Some(2));
}

/// JSON escapes by itself; an escape for terminals would be another name.
#[test]
fn areas_of_a_group_have_the_names_of_their_devices_in_json() {
    let machine = Machine::unpack("6.12-noswap");
    let areas = "Filename Type Size Used Priority\n/mnt/a\\134b\\011c file 1020 0 5\n";
    machine.write("proc/swaps", areas);
    let [devices, groups] = ["devices", "groups"].map(|table| {
        let document = machine.json(&[table, "--json"]);
        rows(&document, table)[0].clone()
    });
    assert_eq!(devices["name"], json!("/mnt/a\\b\tc"));
    assert_eq!(groups["names"], json!(["/mnt/a\\b\tc"]));
    assert!(machine.stdout(&["groups"]).contains("/mnt/a\\b\\tc"), "escaped on a terminal");
}

#[test]
fn a_cgroup_is_shown_with_who_is_inside_and_its_container() {
    let machine = Machine::unpack(LOADED);
    let (pid, path) = most(&machine);
    let document = machine.json(&["cgroup", "show", &path, "--json"]);
    let group = &rows(&document, "cgroups")[0];
    assert_eq!(group["path"], json!(path));
    let inside = rows(&document, "processes");
    assert!(
        inside.iter().any(|row| row["pid"] == json!(pid.parse::<u64>().unwrap())),
        "{inside:?}"
    );
    assert!(inside.iter().all(|row| row["swap"] != json!(0)));

    let id = "0123456789abcdef".repeat(4);
    let docker = format!("/system.slice/docker-{id}.scope");
    let folder = format!("sys/fs/cgroup{docker}");
    for (file, text) in [
        ("memory.current", "4096\n"),
        ("memory.numa_stat", "anon N0=4096 N1=8192\nfile N0=0 N1=0\n"),
        ("memory.events", "low 1\nhigh 2\nmax 5\noom 4\noom_kill 6\n"),
        ("memory.events.local", "low 0\noom_kill 3\n"),
        ("memory.stat", "anon 4096\n"),
    ] {
        machine.write(format!("{folder}/{file}"), text);
    }
    let names = format!("var/lib/docker/containers/{id}/config.v2.json");
    machine.write(names, r#"{"Name":"/web"}"#);
    machine.write("sys/kernel/mm/lru_gen/enabled", "0x0007\n");
    let ages = format!("memcg    1 {docker}\n node     0\n   3   2500    10   20 \n");
    machine.write("sys/kernel/debug/lru_gen", ages);
    let document = machine.json(&["cgroup", "show", &docker, "--json"]);
    let group = &rows(&document, "cgroups")[0];
    assert_eq!(group["runtime"], json!("docker"));
    assert_eq!(group["container"], json!(id));
    assert_eq!(group["container_name"], json!("web"));
    let events = ["low_hits", "memory_high_hits", "memory_max_hits", "ooms", "oom_kills"];
    assert_eq!(
        events.map(|event| &group[event]),
        [&json!(1), &json!(2), &json!(5), &json!(4), &json!(6)]
    );
    assert_eq!(group["own_oom_kills"], json!(3));
    assert!(group["missing"]["pod"].is_object(), "{group}");
    let nodes = rows(&document, "cgroup_nodes");
    assert_eq!(nodes[1]["anon"], json!(8192));
    let ages = rows(&document, "cgroup_ages");
    assert_eq!((&ages[0]["age"], &ages[0]["anon"]), (&json!(2.5), &json!(40960)));
    let other = machine.run(&["cgroup", "show", "/no/such"]);
    assert_eq!(other.status.code(), Some(2));
}

#[test]
fn version_1_says_what_it_does_not_have() {
    let machine = Machine::shared("host-cgroup-v1");
    let document = machine.json(&["cgroup", "show", "/", "--json"]);
    let group = &rows(&document, "cgroups")[0];
    let why = |column: &str| group["missing"][column]["why"].as_str().unwrap_or("").to_owned();
    assert!(why("own_oom_kills").contains("version 1"), "{group}");
    assert!(group["swappiness"].is_u64(), "{group}");
}

#[test]
fn a_kernel_with_swap_tiers_has_an_order_for_each_cgroup() {
    let machine = Machine::unpack("7.2-mixed-loaded");
    let order = |arguments: &[&str]| -> Vec<String> {
        let document = machine.json(&[&["selection", "--json"], arguments].concat());
        let names = rows(&document, "selection").iter().map(|row| row["name"].as_str().unwrap());
        names.map(str::to_owned).collect()
    };
    let refused = |arguments: &[&str]| {
        let output = machine.run(arguments);
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let of_group = ["selection", "--cgroup", "/hog"];
    assert!(refused(&of_group).contains("this kernel has no swap tiers"));
    let tiers = "Name Idx PrioStart PrioEnd\nfast 0 50 32767\nslow 1 -1 49\n";
    machine.write("sys/kernel/mm/swap/tiers", tiers);
    assert!(refused(&of_group).contains("no memory.swap.tiers.max"));
    machine.write("sys/fs/cgroup/hog/memory.swap.tiers.max", "fast 0\nslow max\n");
    let all = order(&[]);
    let slow = ["/dev/vda", "/mnt/swapfile", "/dev/ram0", r"/mnt/sp ace\file"];
    assert_eq!(order(&["--cgroup", "/hog"]), slow, "the areas below 50, first to last");
    assert_eq!((all.len(), &all[4..]), (8, &slow.map(str::to_owned)[..]));
    // A priority moves an area to another tier.
    let moved = order(&["--cgroup", "/hog", "--with", "/dev/vda=60"]);
    assert_eq!(
        (moved[..4].to_vec(), moved[4..].to_vec()),
        (slow.map(str::to_owned).to_vec(), slow[1..].iter().map(|it| (*it).to_owned()).collect())
    );
    assert!(refused(&["selection", "--cgroup", "/nobody"]).contains("no cgroup \"/nobody\""));
}

#[test]
fn zswap_is_written_back_on_request_only_where_the_kernel_can() {
    let machine = Machine::unpack("7.2-mixed-loaded");
    let asked = ["cgroup", "reclaim", "/hog", "3M", "--source", "zswap", "--dry-run"];
    let output = machine.run(&asked);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no zswpwb_proactive_b"));
    machine.write("sys/fs/cgroup/hog/memory.stat", "anon 4096\nzswpwb_proactive_b 0\n");
    let plan = machine.stdout(&asked);
    let command = "echo '3145728 source=zswap' > /sys/fs/cgroup/hog/memory.reclaim";
    assert!(plan.contains(command), "{plan}");
}
