//! The helper process that reads zram statistics, as it is built: slow, stopped, killed.

#![allow(clippy::disallowed_methods, reason = "tests start processes")]

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use swapadm::root::child_reader::READ_FILES;
use swapadm::root::{ChildReader, Patience};

const PATIENCE: Patience =
    Patience { blocked: Duration::from_millis(50), starved: Duration::from_secs(20) };

/// A file of a zram device that can be read without any rights; without a device there is nothing to test.
fn file() -> Option<PathBuf> {
    let names = fs::read_dir("/sys/block").ok()?.flatten();
    let mut files = names.map(|entry| entry.path()).filter(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("zram"))
    });
    files.next().map(|path| path.join("disksize"))
}

/// A reader whose helpers tell their process IDs: a shell prints its own and becomes the helper.
fn reader() -> (ChildReader, mpsc::Receiver<Pid>) {
    let (sender, pids) = mpsc::channel();
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("pid");
    let told = place.clone();
    let command = move || {
        let _keep = &folder;
        let mut command = Command::new("sh");
        let script = "echo $$ > \"$0.new\"; mv \"$0.new\" \"$0\"; exec \"$1\" \"$2\"";
        command.arg("-c").arg(script).arg(&place);
        command.args([env!("CARGO_BIN_EXE_swapadm"), READ_FILES]);
        command
    };
    std::thread::spawn(move || {
        let mut last = String::new();
        loop {
            let now = fs::read_to_string(&told).unwrap_or_default();
            if now != last
                && sender.send(Pid::from_raw(now.trim().parse().expect("an ID"))).is_err()
            {
                return;
            }
            last = now;
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    (ChildReader::new(command), pids)
}

fn answer(reader: &ChildReader, file: &Path) -> Result<Vec<u8>, String> {
    let mut answers = reader.read(&[file.to_owned()], PATIENCE);
    answers.remove(0).map_err(|error| error.to_string())
}

#[test]
fn a_stopped_or_killed_helper_is_replaced_and_answers_are_right() {
    let Some(file) = file() else { return };
    let right = fs::read(&file).expect("a file that everyone can read");
    let (reader, pids) = reader();
    assert_eq!(answer(&reader, &file), Ok(right.clone()));
    for signal in [Signal::SIGKILL, Signal::SIGSTOP, Signal::SIGKILL] {
        let pid = pids.recv_timeout(Duration::from_secs(20)).expect("a helper");
        assert_eq!(answer(&reader, &file), Ok(right.clone()), "the helper stays");
        assert!(pids.try_recv().is_err(), "no second one is started");
        kill(pid, signal).expect("it is ours");
        let start = Instant::now();
        assert_eq!(answer(&reader, &file), Ok(right.clone()), "after {signal}");
        assert!(start.elapsed() < Duration::from_secs(15), "after {signal}");
    }
}

#[test]
fn a_helper_that_gets_little_time_is_waited_for() {
    let Some(file) = file() else { return };
    let right = fs::read(&file).expect("a file that everyone can read");
    let (reader, pids) = reader();
    // It is stopped most of the time, never for as long as after which it is replaced.
    let (stop, stopped) = mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        let pid = pids.recv_timeout(Duration::from_secs(20)).expect("a helper");
        while stopped.try_recv() == Err(mpsc::TryRecvError::Empty) {
            let _ = kill(pid, Signal::SIGSTOP);
            std::thread::sleep(Duration::from_millis(40));
            let _ = kill(pid, Signal::SIGCONT);
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    for _ in 0..20 {
        assert_eq!(answer(&reader, &file), Ok(right.clone()));
    }
    drop(stop);
    let _ = thread.join();
}

#[test]
fn the_helper_ends_with_its_input() {
    let mut helper: Child = Command::new(env!("CARGO_BIN_EXE_swapadm"))
        .arg(READ_FILES)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(helper.stdin.take());
    assert!(helper.wait().expect("its end").success());
}

#[test]
fn ended_children_are_waited_for_whatever_the_parent_did_with_their_signal() {
    let mut command = Command::new("env");
    command.args(["--ignore-signal=CHLD", env!("CARGO_BIN_EXE_swapadm"), READ_FILES]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("env");
    // The helper greets once it has begun.
    let mut output = child.stdout.take().expect("a pipe");
    output.read_exact(&mut [0]).expect("a greeting");
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("our child");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask");
    let ignored = u64::from_str_radix(ignored.trim(), 16).expect("a mask");
    drop(child.stdin.take());
    child.wait().expect("our child");
    assert_eq!(ignored & (1 << (Signal::SIGCHLD as i32 - 1)), 0);
}
