//! Foreign or truncated files in the results folder.

use crate::results::{ResultFolder, sample_runs, text};
use std::fs;
use std::path::Path;

#[test]
fn an_invalid_file_is_reported_and_others_are_read() {
    let folder = ResultFolder::new();
    let whole = text(&sample_runs::runs()[0]).into_bytes();
    folder.write("11-cut.json", &whole[..whole.len() / 2]);
    folder.write("12-empty.json", "");
    folder.write("13-binary.json", [0xff, 0x00, 0x1b]);
    folder.write("14-later.json", "{\"schema\": 99}");
    folder.write("15-other.json", "{\"schema\": 1, \"version\": \"\u{1b}[2J\"}");
    folder.write("99999999999999999999-large.json", "{}");
    folder.write("notes.txt", "mine");
    nix::unistd::mkfifo(&folder.path("16-pipe.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    fs::create_dir(folder.path("17-folder.json")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path("18-zero.json")).unwrap();
    let document = folder.json(&["--json"]);
    let rows = document["tables"]["results"]["rows"].as_array().unwrap().clone();
    let end = |id: u64| {
        let row = rows.iter().find(|row| row["id"] == id).unwrap();
        row["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!(rows.len(), 11);
    assert_eq!(end(1), "done");
    assert!(end(11).contains("is incomplete") && end(12).contains("is incomplete"), "{}", end(12));
    assert!(
        end(14).contains("format version 99") && end(15).contains("not a result"),
        "{}",
        end(15)
    );
    for id in [13, 16, 17, 18] {
        assert!(end(id).starts_with("unreadable: "), "{}", end(id));
    }
    let printed = folder.stdout(&[]);
    assert!(!printed.contains('\u{1b}'), "{printed}");
    assert!(folder.fails(&["show", "11"], 6).contains("11-cut.json"));
    folder.stdout(&["remove", "11"]);
}

/// A truncated file is reported at every length, and never taken for a run.
#[test]
fn a_truncated_file_is_no_run() {
    let folder = ResultFolder::empty();
    let whole = text(&sample_runs::runs()[2]).into_bytes();
    let cuts = (1..whole.len() - 1).step_by(97);
    let count = cuts.clone().count();
    for (id, cut) in (1..).zip(cuts) {
        folder.write(&format!("{id}-cut.json"), &whole[..cut]);
    }
    let ends = folder.stdout(&["--csv", "-o", "outcome"]);
    assert_eq!(
        ends.lines()
            .filter(|line| line.starts_with("\"unreadable") || line.starts_with("unreadable"))
            .count(),
        count
    );
}

/// A valid document with impossible numbers.
#[test]
fn huge_numbers_break_nothing() {
    let folder = ResultFolder::empty();
    let text = text(&sample_runs::runs()[0]);
    let mut run: serde_json::Value = serde_json::from_str(&text).unwrap();
    grow(&mut run);
    run["schema"] = 1.into();
    run["machine"]["cpus"] = 4.into();
    folder.write("1-huge.json", run.to_string());
    folder.write("2-usual.json", &text);
    for args in [
        &["show", "1"][..],
        &["show", "1", "--all", "--json"],
        &["compare", "1", "2"],
        &["compare", "2", "1", "--csv"],
        &["export", "1", "2", "--format", "html"],
    ] {
        folder.stdout(args);
    }
}

/// Replaces each number by the largest of its kind.
fn grow(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Number(number) if number.is_f64() => *value = 1e300.into(),
        serde_json::Value::Number(number) if number.as_i64().is_some_and(|it| it < 0) => {
            *value = i32::MIN.into();
        }
        serde_json::Value::Number(number) if number.as_u64() > Some(20) => *value = u64::MAX.into(),
        serde_json::Value::Array(items) => items.iter_mut().for_each(grow),
        serde_json::Value::Object(members) => {
            // This number must be at most half of the others.
            let others = members.iter_mut().filter(|(name, _)| *name != "sampled");
            others.for_each(|(_, member)| grow(member));
        }
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => {}
    }
}

/// More buckets than any duration needs.
#[test]
fn an_endless_histogram_breaks_nothing() {
    let folder = ResultFolder::empty();
    let text = text(&sample_runs::runs()[0]);
    let mut run: serde_json::Value = serde_json::from_str(&text).unwrap();
    run["measured"][0]["tasks"][0]["touched"]["latency"]["all"]["boxes"] = vec![1_u64; 5000].into();
    folder.write("1-boxes.json", run.to_string());
    folder.stdout(&["show", "1"]);
    folder.stdout(&["export", "1", "--format", "html"]);
}

#[test]
fn a_missing_or_invalid_folder_is_reported() {
    let folder = ResultFolder::empty();
    let run = |path: &Path| {
        let mut program = crate::common::swapadm();
        program.args(["results"]).env("SWAPADM_RESULTS", path).output().unwrap()
    };
    let output = run(&folder.path("nosuch"));
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no results in"));
    folder.write("file", "");
    for (path, why) in [("file", "not a directory"), ("file/x", "Not a directory")] {
        let output = run(&folder.path(path));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(&format!("{path}: {why}")), "{told}");
        assert_eq!(output.status.code(), Some(6), "{told}");
    }
}
