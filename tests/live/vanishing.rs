//! Processes that end while they are read.

use crate::{at_length, program};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn processes_that_end_while_they_are_read_are_no_failure() {
    at_length("processes_that_end_while_they_are_read_are_no_failure", |_| {
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        short_lived();
                    }
                });
            }
            let read = std::panic::catch_unwind(read_until_met);
            is_over.store(true, Ordering::Relaxed);
            let vanished = read.unwrap_or_else(|failure| std::panic::resume_unwind(failure));
            println!("{vanished} processes ended between two of their files");
            assert!(vanished >= MET, "only {vanished} processes");
        });
        Ok(())
    });
}

/// A process that ends at once.
fn short_lived() {
    let mut command = Command::new(program::built());
    let status = command.arg("--version").stdout(Stdio::null()).status();
    assert!(status.expect("the program starts").success());
}

/// Processes that have to end between two of their files.
const MET: usize = 5;

/// Reads tables of processes until enough processes have ended meanwhile; returns their number.
fn read_until_met() -> usize {
    let mut vanished = 0;
    for _ in 0..200 {
        vanished += read_all();
        if vanished >= MET {
            break;
        }
    }
    vanished
}

/// Each table of processes is whole: what has ended is not in it, or has its reason. Returns the number of processes
/// that ended between two of their files.
fn read_all() -> usize {
    let rows = [&["--all"][..], &["--all", "-o", "pid,command,swap,cgroup"]]
        .map(|arguments| program::table("processes", arguments))
        .concat();
    let vanished = |row: &&Value| {
        let reasons = row["missing"].as_object().into_iter().flatten();
        let mut reasons = reasons.filter_map(|(_, reason)| reason["why"].as_str());
        reasons.any(|why| why.contains("has ended") || why.ends_with("does not exist"))
    };
    for row in &rows {
        for (column, value) in row.as_object().expect("a row") {
            let why = row["missing"][column]["why"].as_str();
            assert!(!value.is_null() || why.is_some(), "{column}: {row}");
        }
    }
    rows.iter().filter(vanished).count()
}
