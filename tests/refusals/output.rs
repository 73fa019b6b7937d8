//! Closed or full outputs, and refusals in JSON.

use super::fails;
use crate::common::{Machine, answers, swapadm};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A path that becomes too long below the directory stands for a full disk.
#[test]
fn a_capture_that_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut path = folder.path().to_owned();
    while path.as_os_str().len() < 3700 {
        path.push("x".repeat(200));
    }
    path.push("x".repeat(4070 - path.as_os_str().len()));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let machine = Machine::shared("6.12-mixed-loaded");
    let output = machine.command(&["capture"]).arg(&path).output().unwrap();
    assert_ne!(output.status.code(), Some(0));
    assert!(!path.exists(), "{output:?}");
}

#[test]
fn a_closed_pipe_is_no_failure() {
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

/// A file system of 64 KiB, unmounted when dropped.
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

/// Scripts that read JSON get failures in JSON too, in one document.
#[test]
fn json_output_contains_the_refusal() {
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

#[test]
fn a_file_size_limit_is_an_error_and_not_a_crash() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let file = machine.path().join("report");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 0; exec \"$0\" --sysroot \"$1\" devices > \"$2\""]);
    command.arg(env!("CARGO_BIN_EXE_swapadm")).args([machine.path(), &file]);
    fails(&command.output().unwrap(), 6, "cannot write the output: File too large");
}
