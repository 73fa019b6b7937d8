//! Captured machines: packing them, and the output of the program for each.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use crate::common;
use crate::prune;

use common::{Machine, expect_file, machine_names, repository, with_each, with_each_machine};
use swapadm::clock::Clock;
use swapadm::columns::spec::RowTest;
use swapadm::columns::tables::TABLES;
use swapadm::columns::{Info, Spec};
use swapadm::derive::SampleView;
use swapadm::model::kernel::Release;
use swapadm::model::{Part, Policy, Stamp};
use swapadm::probes;
use swapadm::root::Root;

/// Machines with golden pages as well: one for each kind and kernel.
const PAGES: &[&str] = &[
    "6.1-mixed-loaded",
    "6.1-noswap",
    "6.12-thp-loaded",
    "6.12-mixed-after-swapoff",
    "6.18-zswap-loaded",
    "7.2-numa4-loaded",
    "7.2-zram-writeback",
    "host-cgroup-v1",
];
const COMMANDS: &[&str] = &["status", "devices", "zram", "mthp", "processes", "cgroups"];

fn expect(name: &str, ending: &str, actual: &str) {
    let path = repository(&format!("tests/machines/expected/{name}.{ending}"));
    expect_file(&path, actual, "UPDATE_GOLDEN");
}

#[test]
fn the_whole_report_of_each_machine_is_as_expected() {
    with_each_machine(|machine| {
        let printed = machine.stdout(&["report", "--json", "--all"]);
        // The snapshot behind the tables has a test of its own.
        let tables = printed.split(",\n  \"snapshot\": {").next().unwrap().to_owned() + "\n}\n";
        let lines = one_row_a_line(&without_cost(&tables));
        expect(&machine.name, "json", &lines.replace(ONE_SAMPLE, "\"one sample\""));
    });
}

#[test]
fn the_snapshot_in_a_report_is_the_one_that_recordings_hold() {
    let machine = Machine::shared("7.2-zswap-loaded");
    let report = machine.json(&["report", "--json"]);
    let snapshot: swapadm::model::Snapshot =
        serde_json::from_value(report["snapshot"].clone()).unwrap();
    assert_eq!(serde_json::to_value(&snapshot).unwrap(), report["snapshot"]);
    let counters = report["tables"]["counters"]["rows"].as_array().unwrap().len();
    assert_eq!(snapshot.vmstat.reading.known().unwrap().iter().count(), counters);
}

/// Two samples, so that rates are known too.
#[test]
fn no_column_has_a_value_before_its_kernel_release() {
    with_each_machine(|machine| {
        let root = Root::at(machine.path()).unwrap();
        let sample = |second: u64| {
            let clock = Clock::at(Stamp { boot_ns: second * 1_000_000_000, wall_ms: 0 });
            probes::sample(&root, &clock, Part::ALL.into_iter().collect())
        };
        let (before, now) = (sample(1), sample(2));
        let written = now.kernel.reading.known().and_then(|kernel| kernel.release.known());
        // Some trees lack the file, and are named after their kernel.
        let kernel = written.unwrap_or(&machine.name);
        let view = SampleView { now: &now, before: Some(&before) };
        for spec in TABLES {
            let early = known_too_early(spec, &view, Release::parse(kernel).unwrap());
            let name = &machine.name;
            assert!(early.is_empty(), "{name}, {kernel}: {} knows {early:?}", spec.name);
        }
    });
}

/// The columns with a value although they came with a later release.
fn known_too_early(spec: &Spec, view: &SampleView<'_>, release: Release) -> Vec<&'static str> {
    let later = |info: &Info| Release::parse(info.since).is_some_and(|since| since > release);
    let infos = (spec.infos)().into_iter().enumerate();
    let (places, ids): (Vec<_>, Vec<_>) =
        infos.filter(|(_, info)| later(info)).map(|(place, info)| (place, info.id)).unzip();
    let rows = (spec.cells)(view, &Policy::DEFAULT, &places, &RowTest::ALL);
    let rows = rows.known().cloned().unwrap_or_default().cells;
    let cells = rows.iter().flat_map(|row| row.iter().zip(&ids));
    cells.filter(|(cell, _)| cell.missing().is_none()).map(|(_, id)| *id).collect()
}

/// Removes the cost of the sample, the only value that a captured machine does not determine.
fn without_cost(printed: &str) -> String {
    let mut lines = Vec::new();
    for line in printed.lines() {
        match line.split_once("_us\":") {
            Some((name, rest)) => lines.push(format!("{name}_us\": 0{}", comma(rest))),
            None => lines.push(line.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

fn comma(rest: &str) -> &str {
    if rest.ends_with(',') { "," } else { "" }
}

/// The reason of every rate of a captured machine; it would be a third of the golden files.
const ONE_SAMPLE: &str = r#"{"kind": "one_sample", "why": "needs two samples"}"#;

/// Indented JSON with each row of a table on one line: short, and with readable differences.
fn one_row_a_line(printed: &str) -> String {
    const ROW: usize = 8;
    let mut lines: Vec<String> = Vec::new();
    for line in printed.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let last =
            lines.last_mut().filter(|_| indent > ROW || (indent == ROW && text.starts_with('}')));
        match last {
            Some(last) => {
                last.push_str(if last.ends_with(',') { " " } else { "" });
                last.push_str(text);
            }
            None => lines.push(line.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn pages_for_people_are_as_expected() {
    with_each(PAGES, |name| {
        let machine = Machine::unpack(name);
        for command in COMMANDS {
            let output = machine.run(&[command]);
            let text = |bytes| String::from_utf8(bytes).unwrap();
            let page = format!(
                "{}--- exit {}\n{}",
                text(output.stdout),
                output.status.code().unwrap(),
                text(output.stderr)
            );
            expect(name, &format!("{command}.txt"), &page);
        }
    });
}

#[test]
fn every_expectation_has_its_machine() {
    let names = machine_names();
    for entry in std::fs::read_dir(repository("tests/machines/expected")).into_iter().flatten() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let belongs = |name: &String| {
            file.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        assert!(names.iter().any(belongs), "tests/machines/expected/{file} has no machine");
    }
}

/// Makes the fixtures again from complete trees: `UPDATE_MACHINES=DIR cargo test --test suite machines:: --
/// --ignored refresh`, where DIR has a folder for each machine.
#[test]
#[ignore = "rewrites the fixtures from trees that are not in the repository"]
fn refresh() {
    let trees = std::env::var_os("UPDATE_MACHINES").expect("UPDATE_MACHINES names the trees");
    prune::refresh(std::path::Path::new(&trees));
}
