//! `swapadm setup` on this machine: made, seen by the kernel, and undone.

use crate::areas;
use crate::lab::{self, Lab};
use crate::private_etc::PrivateEtc;
use crate::zram;
use serde_json::Value;
use std::fs;

#[test]
fn a_setup_is_made_and_undone() {
    lab::when_time_allows("a_setup_is_made_and_undone", made_and_undone);
}

const SETTINGS: [&str; 2] = ["/proc/sys/vm/swappiness", "/proc/sys/vm/page-cluster"];

fn settings() -> [String; 2] {
    SETTINGS.map(|file| fs::read_to_string(file).expect("a setting").trim().to_owned())
}

fn swaps() -> String {
    fs::read_to_string("/proc/swaps").expect("the list of areas")
}

fn made_and_undone(lab: &Lab) -> Result<(), String> {
    let before = (swaps(), settings());
    areas::are_ours_only()?;
    let area = zram::next(lab)?;
    let room = PrivateEtc::new(lab, &[])?;
    let swappiness = if before.1[0] == "61" { "62" } else { "61" };
    let swappiness = format!("swappiness={swappiness}");
    let with = ["compression=zram", "size=64M", "disk=none", &swappiness, "page-cluster=1"];
    let with = with.into_iter().flat_map(|choice| ["--with", choice]);
    let setup: Vec<&str> = ["setup", "--json"].into_iter().chain(with).collect();
    let told = |more: &str| -> Value {
        let all = [&setup[..], &[more]].concat();
        let output = room.swapadm(&all).output().expect("the program starts");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let planned = told("--dry-run");
    assert!(planned["outcome"].is_null(), "{planned:#}");
    assert_eq!((swaps(), settings()), before, "--dry-run changes nothing");
    assert_eq!(room.text("sysctl.d/90-swapadm.conf"), None, "--dry-run writes nothing");
    // A machine with hardly any process has too little memory for a sample.
    let basis = planned["setup"]["ratio"]["basis"].as_str();
    assert!(matches!(basis, Some("sampled" | "assumed")), "{planned:#}");
    let made = told("--yes");
    assert_eq!(made["outcome"]["end"], "done", "{made:#}");
    let active = swaps();
    let line = active.lines().find(|line| line.contains(&*area.path.to_string_lossy()));
    let line = line.expect("the area is active");
    assert!(line.trim_end().ends_with("\t100"), "{line}");
    let size = fs::read_to_string(areas::sysfs(&area.path).join("disksize")).expect("a size");
    assert_eq!(size.trim(), (64_u64 << 20).to_string());
    assert_eq!(format!("swappiness={}", settings()[0]), swappiness);
    assert_eq!(settings()[1], "1");
    let text = room.text("sysctl.d/90-swapadm.conf").expect("settings at boot");
    assert!(text.contains("vm.page-cluster = 1"), "{text}");
    let again = told("--yes");
    assert_eq!(again["steps"].as_array().map(Vec::len), Some(0), "already so: {again:#}");
    let number = made["outcome"]["journal"].to_string();
    let undone = room.json_of(&["undo", &number, "--yes"], 0);
    assert_eq!((swaps(), settings()), before, "{undone}");
    assert_eq!(room.text("sysctl.d/90-swapadm.conf"), None);
    assert!(!areas::sysfs(&area.path).exists(), "undo removes the device");
    Ok(())
}
