//! `swapadm save` and `swapadm apply` on this machine: made, seen by the kernel, made again, and undone.

use crate::areas;
use crate::lab::{self, Lab};
use crate::private_etc::PrivateEtc;
use crate::zram;
use serde_json::Value;
use std::fs;

#[test]
fn a_file_is_applied_once_and_undone() {
    lab::when_time_allows("a_file_is_applied_once_and_undone", applied_and_undone);
}

fn swaps() -> String {
    fs::read_to_string("/proc/swaps").expect("the list of areas")
}

fn swappiness() -> String {
    fs::read_to_string("/proc/sys/vm/swappiness").expect("a setting").trim().to_owned()
}

fn applied_and_undone(lab: &Lab) -> Result<(), String> {
    let before = (swaps(), swappiness());
    let area = zram::next(lab)?;
    let room = PrivateEtc::new(lab, &[])?;
    let run = |args: &[&str]| room.swapadm(args).output().expect("the program starts");
    let saved = run(&["save"]).stdout;
    let dir = tempfile::tempdir().expect("a folder");
    let (old, new) = (dir.path().join("old.toml"), dir.path().join("new.toml"));
    fs::write(&old, saved).expect("a file");
    let device = area.path.file_name().expect("a name").to_string_lossy().into_owned();
    let other = if before.1 == "61" { "62" } else { "61" };
    let text = format!(
        "[[zram]]\ndevice = \"{device}\"\nsize = \"64M\"\npriority = 77\n[set]\nswappiness = {other}\n"
    );
    fs::write(&new, text).expect("a file");
    let (old, new) = (old.to_str().expect("a path"), new.to_str().expect("a path"));
    assert_eq!(run(&["apply", old, "--check"]).status.code(), Some(0), "saved just now");
    assert_eq!(run(&["apply", new, "--check"]).status.code(), Some(1));
    assert_eq!((swaps(), swappiness()), before, "--check changes nothing");
    let apply = || -> Value {
        let output = run(&["apply", new, "--json", "--yes"]);
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let made = apply();
    assert_eq!(made["outcome"]["end"], "done", "{made:#}");
    let active = swaps();
    let line = active.lines().find(|line| line.contains(&*area.path.to_string_lossy()));
    assert!(line.expect("the area is active").trim_end().ends_with("\t77"), "{active}");
    let size = fs::read_to_string(areas::sysfs(&area.path).join("disksize")).expect("a size");
    assert_eq!(size.trim(), (64_u64 << 20).to_string());
    assert_eq!(swappiness(), other);
    let again = apply();
    assert_eq!(again["steps"].as_array().map(Vec::len), Some(0), "already so: {again:#}");
    assert_eq!(run(&["apply", new, "--check"]).status.code(), Some(0));
    assert_eq!(run(&["apply", old, "--check"]).status.code(), Some(1), "swappiness differs");
    let number = made["outcome"]["journal"].to_string();
    let undone = room.json_of(&["undo", &number, "--yes"], 0);
    assert_eq!((swaps(), swappiness()), before, "{undone}");
    assert_eq!(run(&["apply", old, "--check"]).status.code(), Some(0));
    Ok(())
}
