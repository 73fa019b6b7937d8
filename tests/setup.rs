//! `swapadm setup` on captured machines: its choices, its plan, and its JSON.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "the helpers of a test stop it")]

use crate::common;

use common::{Machine, expect_file, masked, repository, schema, with_each_machine};
use serde_json::Value;

/// A machine with zram and zram-generator, on which nothing else is different.
fn with_zram(name: &str) -> Machine {
    let machine = Machine::unpack(name);
    machine.write("sys/class/zram-control/hot_add", "");
    machine.write("usr/lib/systemd/system-generators/zram-generator", "");
    machine
}

/// What is printed, with the exit status. Captured trees cannot be changed, so the rights do not matter.
fn printed(machine: &Machine, with: &[&str]) -> String {
    let options = with.iter().flat_map(|choice| ["--with", choice]);
    let all: Vec<&str> = ["setup", "--dry-run"].into_iter().chain(options).collect();
    let output = machine.run(&all);
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let code = output.status.code().unwrap();
    format!("$ swapadm {}\n{}{errors}exit status {code}\n", all.join(" "), masked(&text))
}

#[test]
fn plans_on_captured_machines_are_as_expected() {
    for (name, machine, with) in [
        ("zram", with_zram("7.2-noswap"), &["size=512M"][..]),
        (
            "no-generator",
            {
                let machine = Machine::unpack("6.12-noswap");
                machine.write("sys/class/zram-control/hot_add", "");
                machine
            },
            &["size=512M", "swappiness=100"],
        ),
        ("lru-inversion", Machine::unpack("6.18-mixed-loaded"), &[]),
        ("zswap", Machine::unpack("6.18-zswap-loaded"), &[]),
        ("cgroup-v1", Machine::unpack("host-cgroup-v1"), &[]),
    ] {
        let path = repository(&format!("tests/setup/expected/{name}.txt"));
        expect_file(&path, &printed(&machine, with), "UPDATE_GOLDEN");
    }
}

#[test]
fn every_machine_gets_a_proposal_that_is_as_the_schema_says() {
    let schema = schema::of_changes();
    // Compiled schemas cannot be shared between threads.
    let documents = std::sync::Mutex::new(Vec::new());
    with_each_machine(|machine| {
        let output = machine.run(&["setup", "--dry-run", "--json"]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        documents.lock().unwrap().push((machine.name.clone(), document, errors));
    });
    for (name, document, errors) in documents.into_inner().unwrap() {
        if document.get("setup").is_none() {
            // A capture of a table alone has nothing to propose from.
            let error = document["error"].as_str().unwrap_or_default();
            assert!(
                error.contains("/proc/meminfo does not exist"),
                "{name}: {document:#} {errors}"
            );
            continue;
        }
        assert!(schema.0.validate(&document, schema.1).is_ok(), "{name}: {document:#} {errors}");
        let choices = document["setup"]["choices"].as_array().unwrap();
        assert!(choices.len() >= 2, "{name}: {document:#}");
        assert_ne!(document["setup"]["ratio"]["basis"], "sampled", "{name}");
        assert!(document["outcome"].is_null(), "{name}");
    }
}

#[test]
fn a_failed_plan_still_shows_the_choices() {
    let machine = Machine::unpack("6.18-zram-writeback");
    let schema = schema::of_changes();
    let output = machine.run(&["setup", "--dry-run", "--json", "--with", "algorithm=none-such"]);
    assert_eq!(output.status.code(), Some(2));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(schema.0.validate(&document, schema.1).is_ok(), "{document:#}");
    assert!(document["error"].as_str().unwrap().contains("zram"), "{document:#}");
    assert_eq!(document["setup"]["choices"][0]["value"], "zram");
}

#[test]
fn wrong_choices_are_usage_errors() {
    let machine = Machine::shared("7.2-noswap");
    for (option, value, words) in [
        ("--with", "colour=red", "is not a choice"),
        ("--with", "swappiness=999", "use 0 to 200"),
        ("--with", "priorities=x", "use tiered (faster areas first) or keep"),
        ("--with", "size=huge", "use a size of 1M or more, such as 4G"),
        ("--profile", "toaster", "small-board"),
    ] {
        let output = machine.run(&["setup", "--dry-run", option, value]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{value}: {said}");
        assert!(said.contains(words), "{value}: {said}");
    }
}

#[test]
fn dry_run_changes_no_file_of_the_machine() {
    let machine = with_zram("7.2-noswap");
    let before = machine.files();
    let output = machine.run(&["setup", "--dry-run"]);
    assert!(output.status.code().is_some());
    assert_eq!(machine.files(), before);
}
