//! Measures what a fleet asks of each host, on a made tree of a large one: 24 areas, 300 block devices, 10,000
//! processes.
//!
//! `cargo bench --bench fleet` prints the median CPU time of many rounds, and fails above the promised cost.
#![allow(clippy::disallowed_methods, reason = "the machine is a tree of files")]
#![allow(clippy::print_stdout, reason = "a benchmark prints its result")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot begin stops")]

mod common;

use common::{median, scrape};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use swapadm::actions::journal::JournalStore;
use swapadm::change::drain_estimate::NEEDED_PARTS;
use swapadm::change::state::{StateArea, StateIntent, SwapStateFile};
use swapadm::change::{ExecutionOptions, Intent, ObservedMachine, propose};
use swapadm::clock::Clock;
use swapadm::model::activation::Priority;
use swapadm::probes;
use swapadm::root::Root;

const AREAS: u16 = 24;
const DISKS: u16 = 300;
const PROCESSES: u32 = 10_000;
const ROUNDS: usize = 21;
/// Promised CPU times in microseconds.
const MOST_SCRAPE: u64 = 5_000;
const MOST_PLAN: u64 = 100_000;

fn main() -> ExitCode {
    let tree = tempfile::tempdir().unwrap();
    build(tree.path());
    let root = Root::at(tree.path()).unwrap();
    println!("median CPU time of {ROUNDS} rounds");
    let scrape = report("scrape of metrics", median(ROUNDS, || scrape(&root)), MOST_SCRAPE);
    let plan = report("plan of apply", median(ROUNDS, || plan(&root)), MOST_PLAN);
    if scrape && plan { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn report(what: &str, cost: u64, goal: u64) -> bool {
    println!("{what:<28} {cost:>8} us    goal: under {goal} us");
    cost < goal
}

/// Plans other priorities of all areas.
fn plan(root: &Root) {
    let area = |number: u16| StateArea {
        name: format!("/dev/sd{number}").as_str().into(),
        size: None,
        priority: Some(Priority::Set(100 - number)),
        discard: None,
    };
    let wanted = SwapStateFile {
        only: true,
        areas: (0..AREAS).map(area).collect(),
        ..SwapStateFile::default()
    };
    let machine = ObservedMachine::observe(root);
    let intent = Intent::State(Box::new(StateIntent::new(wanted).unwrap()));
    let journal = JournalStore::in_memory();
    let proposal = propose(&machine, &journal, intent, ExecutionOptions::default());
    // On a live machine the estimates of the plan also read what a swapoff would walk.
    std::hint::black_box(probes::sample(root, &Clock::Real, NEEDED_PARTS));
    assert_eq!(proposal.unwrap().plan.steps.len(), usize::from(AREAS));
}

fn write(tree: &Path, file: &str, text: &str) {
    let path = tree.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn build(tree: &Path) {
    write(tree, "machine.toml", "page_size = 4096\n");
    write(tree, "proc/sys/kernel/osrelease", "6.18.1\n");
    write(tree, "proc/uptime", "5000.0 9000.0\n");
    let mut swaps = "Filename Type Size Used Priority\n".to_owned();
    for area in 0..AREAS {
        writeln!(swaps, "/dev/sd{area} partition 1048572 40000 {}", area % 4).unwrap();
        write(tree, &format!("dev/sd{area}"), "");
    }
    write(tree, "proc/swaps", &swaps);
    let meminfo = "MemTotal: 64000000 kB\nMemFree: 9000000 kB\nMemAvailable: 40000000 kB\n\
                   SwapCached: 0 kB\nSwapTotal: 25165728 kB\nSwapFree: 24205728 kB\n";
    write(tree, "proc/meminfo", meminfo);
    write(tree, "proc/vmstat", "pswpin 100\npswpout 200\npgmajfault 5\noom_kill 0\n");
    let stall = "avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
    write(tree, "proc/pressure/memory", &format!("some {stall}full {stall}"));
    write(tree, "proc/mounts", "none /sys/fs/cgroup cgroup2 rw 0 0\n");
    write(tree, "proc/sys/vm/swappiness", "60\n");
    write(tree, "sys/fs/cgroup/cgroup.controllers", "memory\n");
    let mut stats = String::new();
    for disk in 0..DISKS {
        let folder = format!("sys/block/sd{disk}");
        write(tree, &format!("{folder}/size"), "2097144\n");
        write(tree, &format!("{folder}/queue/rotational"), "0\n");
        writeln!(stats, "8 {disk} sd{disk} 1 2 3 4 5 6 7 8 0 9 10 0 0 0 0").unwrap();
    }
    write(tree, "proc/diskstats", &stats);
    for pid in 10..PROCESSES + 10 {
        let status_file = format!(
            "Name:\tworker\nPid:\t{pid}\nPPid:\t1\nUid:\t0\t0\t0\t0\n\
             VmRSS:\t4096 kB\nRssShmem:\t0 kB\nVmSwap:\t96 kB\n"
        );
        write(tree, &format!("proc/{pid}/status"), &status_file);
        write(
            tree,
            &format!("proc/{pid}/stat"),
            "1 (worker) S 1 1 1 0 -1 0 5 6 7 8 0 0 0 0 20 0 1 0 5\n",
        );
        write(tree, &format!("proc/{pid}/cgroup"), "0::/\n");
    }
}
