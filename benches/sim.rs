//! The speed of the simulator: the published experiment on default priorities at its full size, allocations
//! of single slots, and a step of a small machine.
//!
//! `cargo bench --bench sim`

#![allow(clippy::disallowed_methods, reason = "this measures elapsed time and memory")]
#![allow(clippy::print_stdout, reason = "this reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a machine that is not valid should stop the measurement")]

use std::sync::Arc;
use std::time::{Duration, Instant};
use swapadm::learn::builtin_lessons;
use swapadm::learn::player::Player;
use swapadm::model::Bytes;
use swapadm::model::load::{WorkerGroup, Workload};
use swapadm::sim::describe::builtin_machine;
use swapadm::sim::machine::{Machine, MachineSetup};
use swapadm::sim::swap::SwapSubsystem;

/// Processes that write their memory once, then free it together.
fn usemem(processes: u32, size: Bytes) -> Workload {
    Workload::together("usemem", vec![WorkerGroup::writing_once(processes, size)])
}

fn four_zram() -> MachineSetup {
    builtin_machine("four-zram").unwrap().unwrap()
}

/// Highest memory of this process so far, in MiB.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

fn full_experiment() {
    let start = Instant::now();
    let mut machine = Machine::new(four_zram());
    machine.start(&usemem(31, Bytes(2 << 30))).unwrap();
    machine.run(|_| false);
    let (elapsed, pages) = (start.elapsed(), machine.counters.pswpout);
    println!(
        "31 x 2 GiB in 4 GiB: {pages} pages swapped out in {elapsed:.2?}, {} MiB; goal: under 10 s and 300 MiB",
        peak_mib()
    );
}

fn allocations() {
    let setup = four_zram();
    for policy in ["6.1", "6.12", "7.2"] {
        let policy = swapadm::sim::policy::KernelPolicy::parse(policy).unwrap();
        let mut swap = SwapSubsystem::new(policy.clone(), &[0], &setup.areas);
        let count = swap.total() / 2;
        let start = Instant::now();
        let allocated = (0..count).filter(|_| swap.allocate(0, 0).is_some()).count();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{}: {:.1} million slots a second; goal: 20",
            policy.name,
            allocated as f64 / seconds / 1e6
        );
    }
}

fn small_steps() {
    let mut machine = Machine::new(MachineSetup { memory_pages: 2048, ..four_zram() });
    machine.start(&usemem(32, Bytes(1 << 20))).unwrap();
    let mut steps = Vec::new();
    let mut begun = Instant::now();
    machine.run(|_| {
        steps.push(begun.elapsed());
        begun = Instant::now();
        false
    });
    steps.sort_unstable();
    let [median, longest] = [steps.len() / 2, steps.len() - 1].map(|place| steps.get(place));
    let [median, longest] = [median, longest].map(|step| step.copied().unwrap_or_default());
    println!(
        "a step of a small machine: median {median:.2?}, longest {longest:.2?}; goal: under 1 ms"
    );
}

/// The longest step of each built-in lesson, with all samples.
fn lessons() {
    for lesson in builtin_lessons() {
        let mut player = Player::new(Arc::clone(lesson), None).unwrap();
        let mut longest = Duration::ZERO;
        for _ in &lesson.steps {
            let start = Instant::now();
            player.run(None).unwrap();
            longest = longest.max(start.elapsed());
            player.advance().unwrap();
        }
        println!("lesson {}: longest step {longest:.2?}; goal: under 1 ms", lesson.name);
    }
}

fn main() {
    small_steps();
    lessons();
    full_experiment();
    allocations();
}
