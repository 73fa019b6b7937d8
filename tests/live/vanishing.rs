//! Processes that end while they are read.

use crate::{at_length, program};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[test]
fn processes_that_end_while_they_are_read_are_no_failure() {
    at_length("processes_that_end_while_they_are_read_are_no_failure", |_| {
        let (is_over, started) = (AtomicBool::new(false), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        short_lived();
                        started.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let read = std::panic::catch_unwind(read_all);
            is_over.store(true, Ordering::Relaxed);
            if let Err(failure) = read {
                std::panic::resume_unwind(failure);
            }
        });
        assert!(started.into_inner() > 20, "too few processes to meet");
        Ok(())
    });
}

/// A process that ends at once.
fn short_lived() {
    let mut command = Command::new(program::built());
    let status = command.arg("--version").stdout(Stdio::null()).status();
    assert!(status.expect("the program starts").success());
}

/// Each table of processes is whole: what has ended is not in it, or has its reason.
fn read_all() {
    for _ in 0..8 {
        for arguments in [&["--all"][..], &["-o", "pid,command,swap,cgroup"]] {
            for row in program::table("processes", arguments) {
                for (column, value) in row.as_object().expect("a row") {
                    let why = row["missing"][column]["why"].as_str();
                    assert!(!value.is_null() || why.is_some(), "{column}: {row}");
                }
            }
        }
    }
}
