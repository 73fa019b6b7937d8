//! Files that version 0.1.0 wrote can be read: a recording, a journal and a result.

#![allow(clippy::disallowed_methods, reason = "tests copy their files")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of a test stop it")]

use crate::common::swapadm;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn earlier(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/earlier").join(name)
}

/// A copy that only its owner may change, as the program writes it.
fn copied(name: &str, to: &Path) -> PathBuf {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(earlier(name), to).unwrap();
    fs::set_permissions(to, fs::Permissions::from_mode(0o600)).unwrap();
    to.to_owned()
}

fn json(arguments: &[&str], (variable, value): (&str, &Path)) -> Value {
    let output = swapadm().args(arguments).env(variable, value).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_recording_of_0_1_0_is_read() {
    let file = earlier("recording.rec");
    for (at, size) in [("first", 67_104_768), ("last", 67_104_768)] {
        let words = ["--recording", file.to_str().unwrap(), "--at", at, "devices", "--json"];
        let document = json(&words, ("LC_ALL", Path::new("C")));
        let row = &document["tables"]["devices"]["rows"][0];
        assert_eq!((&row["name"], &row["size"]), (&"/dev/zram1".into(), &size.into()));
    }
}

#[test]
fn a_journal_of_0_1_0_is_read() {
    let folder = TempDir::new().unwrap();
    let journal = copied("journal", &folder.path().join("own/journal"));
    let plans = json(&["journal", "--json"], ("SWAPADM_JOURNAL", &journal));
    let plans = plans.as_array().unwrap();
    let undone: Vec<_> = plans.iter().map(|plan| plan["undoes"].as_u64()).collect();
    assert_eq!(undone, [None, None, Some(2)], "{plans:?}");
    let ended = |plan: &Value| plan["events"].as_array().unwrap().last().unwrap()["end"] == "done";
    assert!(plans.iter().all(ended), "{plans:?}");
}

#[test]
fn a_result_of_0_1_0_is_shown() {
    let home = TempDir::new().unwrap();
    copied("1-usemem.json", &home.path().join("swapadm/results/1-usemem.json"));
    let result = json(&["results", "show", "1", "--json"], ("XDG_STATE_HOME", home.path()));
    let text = result.to_string();
    assert!(text.contains("\"usemem\"") && text.contains("/dev/zram1"), "{text}");
}
