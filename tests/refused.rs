//! What is refused, and with which words: captured trees that are none, arguments that make no
//! sense, outputs that are closed or full.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "the helpers of a test stop it, and a skipped test says why"
)]

mod common;

use common::{Machine, answers, swapadm};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

fn fails(output: &Output, code: i32, word: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert!(errors.contains(word), "{errors}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_tree_that_is_none_is_refused() {
    let missing = swapadm().args(["--sysroot", "/nonexistent", "status"]).output().unwrap();
    fails(&missing, 6, "/nonexistent: cannot be used as a captured tree");
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = swapadm().arg("--sysroot").arg(file.path()).arg("status").output().unwrap();
    fails(&output, 6, "a recording is read with --recording");
    let recording = swapadm().arg("--recording").arg(file.path()).arg("status").output().unwrap();
    fails(&recording, 6, "not a recording");
    let machine = Machine::empty();
    fs::create_dir(machine.path().join("proc")).unwrap();
    fails(&machine.run(&["devices"]), 6, "/proc/swaps does not exist");
}

/// What would change nothing is not taken as if it did.
#[test]
fn options_that_a_command_has_no_use_for_are_refused() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let refused = |args: &[&str], word: &str| fails(&machine.run(args), 2, word);
    refused(&["recover", "--persist"], "--persist: recover only goes back");
    for command in [
        &["recover"][..],
        &["on", "/dev/zram0"],
        &["zram", "compact", "zram0"],
        &["zram", "idle", "zram0"],
        &["zram", "writeback", "zram0"],
        &["zram", "recompress", "zram0"],
    ] {
        let args = [command, &["--force", "memory"]].concat();
        refused(&args, "--force: no check of this command names a risk");
    }
    for option in [&["--persist"][..], &["--force", "memory"]] {
        refused(&[&["rebalance", "--check"], option].concat(), "cannot be used with");
    }
}

/// Every figure would be missing, and nothing would say that it is the wrong folder.
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
    refused("swapadm capture makes a folder that has both");
    make("one/proc");
    refused(&format!("did you mean {path}/one?"));
    make("two/sys");
    refused(&format!("did you mean {path}/one or {path}/two?"));
    make("x/proc");
    make("y/proc");
    let three = format!("{path}/one or {path}/two or {path}/x");
    refused(&format!("did you mean {three}, or another folder in it?"));
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

#[test]
fn what_makes_no_sense_is_refused_with_a_word_about_it() {
    let machine = Machine::shared("7.2-mixed-loaded");
    for (args, word) in [
        (&["devices", "-o", "nosuch"][..], "nosuch"),
        (&["devices", "--filter", "nosuch>1"], "nosuch"),
        (&["devices", "--filter", "used>"], "ends where"),
        (&["devices", "--filter", "(used>1"], "filter"),
        (&["devices", "--sort", "nosuch"], "nosuch"),
        (&["devices", "--interval", "soon"], "soon"),
        (&["devices", "--interval", "0"], "interval"),
        (&["devices", "--interval", "1", "--count", "0"], "0"),
        (&["report", "nosuch"], "nosuch"),
        (&["nosuch"], "nosuch"),
        (&["status", "-o", "nosuch"], "nosuch"),
        (&["devices", "--count", "2"], "--interval"),
        (&["devices", "--filter", "name>5"], "text"),
        (&["report", "-o", "used"], "one table"),
        (&["record", "/nonexistent/x"], "never changes"),
    ] {
        fails(&machine.run(args), 2, word);
    }
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let machine = Machine::shared("host-cgroup-v1");
    for args in [&["report", "--json", "--all"][..], &["report"], &["sources", "-o", "all"]] {
        let mut command = machine.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn an_output_that_is_full_is_a_failure() {
    let machine = Machine::shared("7.2-mixed-loaded");
    for args in [&["report", "--json"][..], &["status"], &["devices", "--csv"], &["--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = machine.command(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(6), "{args:?}: {errors}");
        assert!(errors.contains("space"), "{args:?}: {errors}");
    }
}

#[test]
fn a_recording_on_a_full_disk_is_a_failure_and_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let Some(_mounted) = Tmpfs::mount(dir.path()) else {
        println!("skipped: mounting a small tmpfs takes root");
        return;
    };
    let file = dir.path().join("swap.rec");
    let output = swapadm()
        .args(["record", "--interval", "0.01", "--count", "2000"])
        .arg(&file)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{errors}");
    assert!(errors.contains("space"), "{errors}");
    let read =
        swapadm().arg("--recording").arg(&file).args(["--at", "first", "status"]).output().unwrap();
    answers(&read, "what was recorded before the disk was full");
}

/// A file system of 64 KiB, unmounted when this is dropped.
struct Tmpfs(PathBuf);

impl Tmpfs {
    fn mount(at: &Path) -> Option<Self> {
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "swapadm-test"]).arg(at);
        let mounted = mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        mounted.then(|| Self(at.to_owned()))
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

/// Scripts that read JSON are told of failures in JSON too, in one document.
#[test]
fn who_asked_for_json_gets_the_reason_in_it() {
    let machine = Machine::shared("6.12-mixed-loaded");
    let cases: [&[&str]; 7] = [
        &["off", "/dev/nosuch"],
        &["priority", "/dev/zram0=40000"],
        &["on", "/no/such"],
        &["set", "nosuch", "1"],
        &["reset", "min_free_kbytes"],
        &["file", "resize", "/nosuch", "1G"],
        &["zram", "remove", "zram99"],
    ];
    for arguments in cases {
        let output = machine.run(&[arguments, &["--json", "--dry-run"]].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code().is_some_and(|code| code > 1), "{arguments:?}: {errors}");
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let error = told["error"].as_str().unwrap();
        assert!(errors.contains(error), "{arguments:?}: {error:?} is not in {errors:?}");
    }
}

/// Whoever is refused learns what was wrong with what, and where to look next.
#[test]
fn a_refusal_names_what_is_wrong_and_the_next_step() {
    let machine = Machine::shared("6.12-mixed-loaded");
    let cases: [(&[&str], i32, &str); 4] = [
        (&["priority", "/dev/zram0=40000"], 2, "/dev/zram0: priority \"40000\" is not from 0"),
        (&["set", "swappiness", "300"], 2, "0 to 200; swapadm knobs shows what each takes"),
        (&["undo", "x"], 2, "'<PLAN>': plans have numbers, which swapadm journal lists"),
        (&["on", "--all", "--persist", "--dry-run"], 2, "in fstab already"),
    ];
    for (arguments, code, words) in cases {
        fails(&machine.run(arguments), code, words);
    }
}
