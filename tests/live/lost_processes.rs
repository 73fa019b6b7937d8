//! Lost processes of loads, and the counters of the others.

#![allow(clippy::unwrap_used, reason = "a document that is not as it should be fails the test")]

use crate::in_lab;
use crate::lab::{Lab, retry};
use crate::loads::{RecoverOnDrop, done, leftovers, stress, workers};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::process::Stdio;

const PAGE: u64 = 4096;
const MIB: u64 = 1 << 20;

#[test]
fn a_process_killed_by_hand_is_not_counted_as_out_of_memory() {
    in_lab("a_process_killed_by_hand_is_not_counted_as_out_of_memory", |lab| {
        killed(lab);
        Ok(())
    });
}

#[test]
fn faults_of_a_forked_load_are_those_of_both_processes() {
    in_lab("faults_of_a_forked_load_are_those_of_both_processes", |lab| {
        forked(lab);
        Ok(())
    });
}

/// The PIDs of the children of a process.
fn children(pid: u32) -> Vec<i32> {
    let listed = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    listed.unwrap_or_default().split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

/// Whether it is a worker that has its task: its memory is larger than the program's.
fn is_at_work(pid: i32) -> bool {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = anonymous.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
    words.split(|byte| *byte == 0).any(|word| word == b"__work")
        && kib.is_some_and(|kib| kib > 3 * 1024)
}

fn killed(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let mut command = stress(lab, "random-write", &["--with", "size=4M", "--with", "seconds=60"]);
    let running =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let found = || children(running.id()).into_iter().find(|pid| is_at_work(*pid)).ok_or(());
    let worker = retry(found).expect("its processes fill their memory");
    kill(Pid::from_raw(worker), Signal::SIGKILL).expect("it is not waited for yet");
    let output = running.wait_with_output().expect("a child");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let end = &document["run"]["measured"][0]["end"];
    let why = end["why"].as_str().unwrap();
    let wanted = "was killed by SIGKILL, but the kernel counted no kill for lack of memory";
    assert!(end["end"] == "failed" && why.contains(wanted), "{end}");
    assert_eq!((leftovers(), workers(lab)), (before, 0));
}

fn forked(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let small = ["--with", "processes=1", "--with", "size=8M", "--with", "passes=1"];
    let all = ["--with", "writes=100%", "--with", "pattern=sequential", "--with", "touch=page"];
    // A large folio would be filled by a single fault.
    let more = [&small[..], &all, &["--with", "advice=small"]].concat();
    let run = done(lab, "fork-cow", &more);
    let task = &run["tasks"][0];
    let pages = 8 * MIB / PAGE;
    assert_eq!(task["touched"]["touches"], pages);
    let minor = task["minor"].as_u64().unwrap();
    assert!(minor >= 2 * pages, "each page is filled by one, and copied by the other: {minor}");
}
