//! Captured trees that are invalid, or that lead out of themselves.

use super::fails;
use crate::common::{Machine, swapadm};
use std::fs;
use std::path::Path;

#[test]
fn a_folder_that_is_no_captured_tree_is_refused() {
    let missing = swapadm().args(["--sysroot", "/nonexistent", "status"]).output().unwrap();
    fails(&missing, 6, "/nonexistent: cannot be used as a captured tree");
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = swapadm().arg("--sysroot").arg(file.path()).arg("status").output().unwrap();
    fails(&output, 6, "use --recording for a recording");
    let recording = swapadm().arg("--recording").arg(file.path()).arg("status").output().unwrap();
    fails(&recording, 6, "not a recording");
    let machine = Machine::empty();
    fs::create_dir(machine.path().join("proc")).unwrap();
    fails(&machine.run(&["devices"]), 6, "/proc/swaps does not exist");
}

/// Otherwise every figure would be missing, without a hint at the wrong folder.
#[test]
fn a_folder_without_a_machine_is_refused_and_the_right_one_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    let make = |name: &str| fs::create_dir_all(folder.path().join(name)).unwrap();
    let refused = |what: &str| {
        for command in [&["status"][..], &["capture", "x"], &["watch", "--plain"], &[]] {
            let mut started = swapadm();
            let output = started.arg("--sysroot").arg(folder.path()).args(command).output();
            fails(&output.unwrap(), 6, &format!("{path}: has neither proc nor sys; {what}\n"));
        }
    };
    make("other/etc");
    refused("swapadm capture creates a directory that has both");
    make("one/proc");
    refused(&format!("did you mean {path}/one?"));
    make("two/sys");
    refused(&format!("did you mean {path}/one or {path}/two?"));
    make("x/proc");
    make("y/proc");
    let three = format!("{path}/one or {path}/two or {path}/x");
    refused(&format!("did you mean {three}, or another directory in it?"));
}

/// A captured tree comes from anywhere: its links must not show files of this machine.
#[test]
fn links_that_lead_out_of_the_tree_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let swaps = "Filename Type Size Used Priority\n/swap-of-this-machine file 8 4 -2\n";
    fs::write(outside.path().join("swaps"), swaps).unwrap();
    let absolute = outside.path().join("swaps");
    let up = format!("{}{}", "../".repeat(40), absolute.display());
    for target in [absolute.as_path(), Path::new(&up), Path::new("/dev/zero")] {
        let machine = Machine::empty();
        fs::create_dir(machine.path().join("proc")).unwrap();
        std::os::unix::fs::symlink(target, machine.path().join("proc/swaps")).unwrap();
        fails(&machine.run(&["devices"]), 6, "/proc/swaps: it leads out of the captured tree");
    }
}

#[test]
fn a_swap_area_that_is_a_link_to_a_device_is_not_read() {
    let machine = Machine::empty();
    machine.write("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 8 4 1\n");
    fs::create_dir(machine.path().join("dev")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", machine.path().join("dev/sda2")).unwrap();
    let report = machine.stdout(&["devices", "-o", "all", "--json"]);
    assert!(report.contains("/dev/sda2: it leads out of the captured tree"), "{report}");
}

/// Files that a capture does not contain are not looked for on this machine, nor said to be missing.
#[test]
fn a_captured_tree_is_not_mixed_with_this_machine() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let said = |args: &[&str]| {
        let args: Vec<&str> = args.iter().chain(&["--dry-run"]).copied().collect();
        let output = machine.run(&args);
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8(text).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for args in [&["priority", "ram0=5"][..], &["rebalance", "equal"]] {
        let text = said(args);
        assert!(text.contains("/dev/ram0: the capture has no such device node or file"), "{text}");
        assert!(!text.contains("does not exist") && !text.contains("REFUSED"), "{text}");
    }
    let text = said(&["zram", "swap", "--size", "64M"]);
    assert!(text.contains("zram2") && !text.contains("missing"), "{text}");
    let text = said(&["on", "ram9"]);
    assert!(text.contains("/ram9 is not in the captured tree"), "{text}");
}
