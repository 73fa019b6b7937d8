//! The table of promises in docs/RELIABILITY.md can be measured again by `tests/reliability.sh`, and `.ci/run` runs all
//! tests that take long.
#![allow(clippy::disallowed_methods, reason = "this test reads files of the repository")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The rows of the first table.
fn rows() -> Vec<String> {
    let page = fs::read_to_string(repository("docs/RELIABILITY.md")).unwrap();
    let table = page.lines().skip_while(|line| !line.starts_with('|'));
    let rows = table.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(str::to_owned).collect()
}

#[test]
fn each_promise_has_a_figure_and_a_command_that_exists() {
    let mut commands = Vec::new();
    for row in rows() {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, _, figure, last] = cells[..] else { panic!("not four cells: {row}") };
        assert!(!figure.is_empty(), "no figure: {row}");
        let own: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        assert!(!own.is_empty(), "no command: {row}");
        commands.extend(own.into_iter().map(str::to_owned));
    }
    let list = Command::new(repository("tests/reliability.sh")).arg("--list").output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    assert_eq!(list.lines().collect::<Vec<_>>(), commands);
    for command in &commands {
        exists(command);
    }
}

/// Each row, also one that takes longer than a usual run of the script, is measured on some day of the week.
#[test]
fn each_promise_has_its_day() {
    let list = Command::new(repository(".ci/weekly")).arg("--list").output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap().to_lowercase();
    assert_eq!(list.lines().count(), 7, "{list}");
    for row in rows() {
        let row = row.to_lowercase();
        assert!(list.split_whitespace().any(|word| row.contains(word)), "no day: {row}");
    }
}

/// docs/FIDELITY.md and docs/RELIABILITY.md name the same kernels.
#[test]
fn the_predictions_of_random_machines_are_those_of_the_model() {
    let found = rows().into_iter().find(|row| row.contains("random_machines")).unwrap();
    let expected = swapadm::sim::comparison::describe_random_machines();
    assert!(found.contains(&expected), "{found}");
}

/// The script of a command is there, or the test that it names.
fn exists(command: &str) {
    let words: Vec<&str> = command.split_whitespace().collect();
    let program = words.iter().find(|word| !word.contains('=')).unwrap();
    if program.contains('/') {
        assert!(repository(program).exists(), "{command}");
        return;
    }
    let suite = words.iter().skip_while(|word| **word != "--test").nth(1);
    let folder = match suite {
        None => "src".to_owned(),
        Some(&"suite") => "tests".to_owned(),
        Some(suite) => format!("tests/{suite}"),
    };
    let all = sources(&repository(&folder));
    let filter = words.iter().filter(|word| !word.starts_with('-') && !word.contains('='));
    let filter = filter.skip_while(|word| **word != "test").nth(1 + usize::from(suite.is_some()));
    let filter = filter.map_or("", |filter| filter.trim_end_matches("::"));
    let filter = filter.rsplit("::").next().unwrap();
    let names = all.lines().filter(|line| ["fn ", "mod "].iter().any(|it| line.contains(it)));
    assert!(names.into_iter().any(|line| line.contains(filter)), "no test: {command}");
}

/// `.ci/run` names a part of each test that is ignored because it takes long, but for those that tests/fleet/run.sh runs.
#[test]
fn each_long_test_runs_before_a_merge() {
    const ELSEWHERE: [&str; 5] =
        ["helper process", "a look at", "it measures", "rewrites", "runs Ansible"];
    let script = fs::read_to_string(repository(".ci/run")).unwrap();
    let filters = script.lines().find(|line| line.contains("--include-ignored")).unwrap();
    let filters: Vec<&str> = filters.split_whitespace().collect();
    let all = ["src", "tests"].map(|folder| sources(&repository(folder))).concat();
    let ignored = all.split("#[ignore = \"").skip(1);
    let ignored = ignored.filter(|test| !ELSEWHERE.iter().any(|reason| test.starts_with(reason)));
    let names: Vec<&str> = ignored
        .filter_map(|test| test.split_once("\nfn ")?.1.split_once('('))
        .map(|(name, _)| name)
        .collect();
    assert!(names.len() > 1, "{names:?}");
    let missing = names.iter().find(|name| !filters.iter().any(|filter| name.contains(filter)));
    assert_eq!(missing, None);
}

/// A file of tests that nothing names would never be run.
#[test]
fn each_file_of_tests_is_run() {
    let [suite, package] =
        ["tests/suite.rs", "Cargo.toml"].map(|file| fs::read_to_string(repository(file)).unwrap());
    for entry in fs::read_dir(repository("tests")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = file.strip_suffix(".rs") else { continue };
        let is_module = suite.contains(&format!("\nmod {name};\n"));
        let is_own = package.contains(&format!("[[test]]\nname = \"{name}\"\n"));
        assert!(is_module || is_own, "{file} is neither in tests/suite.rs nor in Cargo.toml");
    }
}

/// All Rust files below a path, one after the other.
fn sources(path: &Path) -> String {
    let Ok(entries) = fs::read_dir(path) else {
        return fs::read_to_string(path).unwrap_or_default();
    };
    entries.map(|entry| sources(&entry.unwrap().path())).collect()
}
