//! Measures the CPU time of snapshots on this machine.
//!
//! `cargo bench` prints the median of many rounds. CPU time, not elapsed time, is what an observer takes
//! away from others.
#![allow(clippy::disallowed_methods, reason = "a bare loop is what the probe is compared with")]
#![allow(clippy::print_stdout, reason = "a benchmark prints its result")]

mod common;

use common::{median, scrape};
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use swapadm::clock::Clock;
use swapadm::model::{Part, PartSet};
use swapadm::probes::{self, PROBES, ReadInterval};
use swapadm::root::{Root, parse_u64};

const ROUNDS: usize = 51;

fn main() {
    let root = Root::live();
    let processes = bare_loop();
    println!("{processes} processes; median processor time of {ROUNDS} rounds\n");
    let fast = parts(|probe| probe.tier == ReadInterval::Fast);
    let all: PartSet = Part::ALL
        .into_iter()
        .filter(|part| !matches!(part, Part::ProcessAll | Part::ProcessPss))
        .collect();
    report("fast tier", median(ROUNDS, || snapshot(&root, fast)), 500);
    report("scrape of metrics", median(ROUNDS, || scrape(&root)), 5_000);
    report("whole snapshot", median(ROUNDS, || snapshot(&root, all)), 10_000);
    let read = median(ROUNDS, || snapshot(&root, PartSet::from_parts(&[Part::Processes])));
    let bare = median(ROUNDS, || {
        bare_loop();
    });
    println!("{:<28} {read:>8} us", "processes");
    println!("{:<28} {bare:>8} us", "bare loop over status");
    println!(
        "{:<28} {:>8.2}    goal: at most 1.30",
        "processes / bare loop",
        read as f64 / bare as f64
    );
    println!("\neach part");
    for probe in PROBES {
        let cost =
            median(ROUNDS, || snapshot(&root, PartSet::from_parts(&[Part::Swaps, probe.part])));
        println!("{:<28} {cost:>8} us", probe.id);
    }
}

fn parts(wanted: impl Fn(&swapadm::probes::Probe) -> bool) -> PartSet {
    PROBES.iter().filter(|probe| wanted(probe)).map(|probe| probe.part).collect()
}

fn report(what: &str, cost: u64, goal: u64) {
    println!("{what:<28} {cost:>8} us    goal: under {goal} us");
}

fn snapshot(root: &Root, parts: PartSet) {
    std::hint::black_box(probes::sample(root, &Clock::Real, parts));
}

/// Opens, reads and closes the status file of every process: the least possible work for a list of
/// processes.
fn bare_loop() -> usize {
    let mut buffer = [0_u8; 8192];
    let entries = std::fs::read_dir("/proc").expect("/proc can be listed").flatten();
    let processes = entries.filter(|entry| parse_u64(entry.file_name().as_bytes()).is_some());
    let read = |entry: std::fs::DirEntry| {
        let mut file = File::open(entry.path().join("status")).ok()?;
        while file.read(&mut buffer).ok()? > 0 {}
        Some(())
    };
    processes.filter_map(read).count()
}
