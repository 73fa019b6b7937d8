//! Memory of the history: a sample takes memory only for what changed in it.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees, and measure")]
#![allow(clippy::unwrap_used, reason = "the helpers of a test stop it")]

mod common;

use common::Machine;
use std::fs;
use swapadm::clock::Clock;
use swapadm::model::{PartSet, Snapshot, Stamp};
use swapadm::probes;
use swapadm::root::Root;
use swapadm::ui::history::{Bounds, History};

const PROCESSES: u64 = 1000;
const MOMENTS: u64 = 60;
/// Limit of memory for a sample in which one process changed: the list of processes, some counters, and
/// slack. A copy of every process would take eight times as much.
const EACH: u64 = 32 << 10;

#[test]
fn a_history_sample_takes_memory_only_for_changes() {
    let machine = Machine::empty();
    machine.write("proc/vmstat", "pswpin 1\npswpout 2\n");
    for pid in 1..=PROCESSES {
        process(&machine, pid, 100);
    }
    let root = Root::at(machine.path()).unwrap();
    let mut history = History::new(Bounds::LIVE);
    let mut last: Option<Snapshot> = None;
    let mut push = |second: u64| {
        process(&machine, 1, second * 4);
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
        let mut now = probes::sample(&root, &Clock::at(stamp), PartSet::WHOLE);
        if let Some(last) = &last {
            now.share(last);
        }
        last = Some(now.clone());
        history.push(now);
    };
    // The first samples fill shared storage and the allocator's reserve.
    (0..10).for_each(&mut push);
    let before = memory();
    (10..10 + MOMENTS).for_each(&mut push);
    let each = memory().saturating_sub(before) / MOMENTS;
    println!("a moment took {each} bytes");
    assert!(each < EACH, "a moment took {each} bytes");
}

fn process(machine: &Machine, pid: u64, swap: u64) {
    let status = format!(
        "Name:\tworker{pid}\nPid:\t{pid}\nPPid:\t1\nUid:\t0\t0\t0\t0\n\
         VmRSS:\t    4096 kB\nRssShmem:\t      64 kB\nVmSwap:\t     {swap} kB\n"
    );
    machine.write(format!("proc/{pid}/status"), status);
}

/// Anonymous memory of this process, in bytes.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
}
