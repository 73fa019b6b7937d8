//! The speed of the simulator: the published experiment on default priorities at its full size, allocations of single
//! slots, the steps of lessons, and samples of machines that are watched.
//!
//! `cargo bench --bench sim` prints each figure with its limit, and fails if one is beyond it.

#![allow(clippy::disallowed_methods, reason = "this measures memory")]
#![allow(clippy::print_stdout, reason = "this reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a machine that is not valid should stop the measurement")]

#[allow(dead_code, reason = "other benchmarks use more of it")]
mod common;

use common::median;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use swapadm::clock::Clock;
use swapadm::lab::builtin::{LOADS, find};
use swapadm::lab::load::file::KeyOverride;
use swapadm::learn::builtin_lessons;
use swapadm::learn::player::Player;
use swapadm::model::load::{WorkerGroup, Workload};
use swapadm::model::{Bytes, Part, PartSet};
use swapadm::probes;
use swapadm::root::Root;
use swapadm::sim::describe::{BUILTIN_MACHINES, builtin_machine};
use swapadm::sim::machine::RunningMachine;
use swapadm::sim::machine::{Machine, MachineSetup};
use swapadm::sim::policy::KernelPolicy;
use swapadm::sim::swap::SwapSubsystem;

/// Longest step of a lesson, and longest round.
const STEP: Duration = Duration::from_millis(1);
/// Longest run of the published experiment, and the most memory for it.
const EXPERIMENT: Duration = Duration::from_secs(10);
const EXPERIMENT_MIB: u64 = 300;
/// Slots a second while clusters are free, at least.
const SLOTS: f64 = 20e6;
/// The time for a slot, in times that of a small machine, at most.
const GROWTH: f64 = 1.3;
/// Samples of which the median is taken.
const SAMPLES: usize = 51;

/// Figures beyond their limits.
#[derive(Default)]
struct Report {
    missed: u32,
}

impl Report {
    fn print(&mut self, figure: &str, value: &str, limit: &str, holds: bool) {
        let verdict = if holds { "holds" } else { "MISSED" };
        println!("{figure:<44} {value:>14}    limit: {limit:<20} {verdict}");
        self.missed += u32::from(!holds);
    }

    fn at_most(&mut self, figure: &str, value: Duration, limit: Duration) {
        self.print(figure, &format!("{value:.2?}"), &format!("{limit:.2?}"), value <= limit);
    }
}

/// Processes that write their memory once, then free it together.
fn usemem(processes: u32, size: Bytes) -> Workload {
    Workload::together("usemem", vec![WorkerGroup::writing_once(processes, size)])
}

fn four_zram() -> MachineSetup {
    builtin_machine("four-zram").unwrap().unwrap()
}

/// CPU time of this process: on a busy machine, elapsed time is that of others too.
fn cpu_time() -> Duration {
    Duration::from_micros(Clock::Real.cpu_us())
}

fn since(begun: Duration) -> Duration {
    cpu_time().saturating_sub(begun)
}

/// Highest memory of this process so far, in MiB.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

fn full_experiment(report: &mut Report) {
    let start = cpu_time();
    let mut machine = Machine::new(four_zram());
    machine.start(&usemem(31, Bytes(2 << 30))).unwrap();
    machine.run(|_| false);
    let (elapsed, pages) = (since(start), machine.counters.pswpout);
    report.at_most(&format!("31 x 2 GiB: {pages} pages swapped out"), elapsed, EXPERIMENT);
    let peak = peak_mib();
    let holds = peak <= EXPERIMENT_MIB;
    report.print("its memory", &format!("{peak} MiB"), &format!("{EXPERIMENT_MIB} MiB"), holds);
}

fn allocations(report: &mut Report) {
    let setup = four_zram();
    for policy in ["6.1", "6.12", "7.2"] {
        let policy = KernelPolicy::parse(policy).unwrap();
        let mut swap = SwapSubsystem::new(policy.clone(), &[0], &setup.areas);
        let count = swap.total() / 2;
        let start = cpu_time();
        let allocated = (0..count).filter(|_| swap.allocate(0, 0).is_some()).count();
        let rate = allocated as f64 / since(start).as_secs_f64();
        let [value, limit] = [rate, SLOTS].map(|rate| format!("{:.1} million/s", rate / 1e6));
        report.print(&format!("slots of {}", policy.name), &value, &limit, rate >= SLOTS);
    }
}

/// CPU time for a slot, from empty areas of this many slots to three quarters full, on CPUs of one node.
fn time_per_slot(policy: &str, cpus: usize, slots: u32) -> f64 {
    let mut areas = four_zram().areas;
    for area in &mut areas {
        area.slots = slots;
    }
    let policy = KernelPolicy::parse(policy).unwrap();
    let mut swap = SwapSubsystem::new(policy, &vec![0; cpus], &areas);
    let (count, cpus) = (swap.total() / 4 * 3, u32::try_from(cpus).unwrap());
    let start = cpu_time();
    let allocated = (0..count).filter(|number| swap.allocate(number % cpus, 0).is_some()).count();
    assert_eq!(allocated, count as usize);
    since(start).as_secs_f64() / f64::from(count)
}

/// The time for a slot, with more slots and with more CPUs: linear growth keeps it.
fn growth(report: &mut Report) {
    for policy in ["6.1", "6.12", "7.2"] {
        let base = time_per_slot(policy, 1, 1 << 18);
        for (what, cpus, slots) in [("16 times the slots", 1, 1 << 22), ("64 CPUs", 64, 1 << 20)] {
            let times = time_per_slot(policy, cpus, slots) / base;
            let figure = format!("time for a slot of {policy}, {what}");
            report.print(
                &figure,
                &format!("{times:.2} times"),
                &format!("{GROWTH} times"),
                times <= GROWTH,
            );
        }
    }
}

/// The longest round of each built-in lesson, in which every CPU acts once.
fn rounds(report: &mut Report) {
    let mut longest = Duration::ZERO;
    for lesson in builtin_lessons() {
        let mut machine = lesson.machine.start(&[], None).unwrap();
        for step in &lesson.steps {
            if let Some(set) = &step.set {
                machine = lesson.machine.start(set, None).unwrap();
            }
            step.load.iter().for_each(|load| machine.start(load).unwrap());
            let mut begun = cpu_time();
            let last = machine.rounds + u64::from(machine.setup.rounds_per_second) * 10;
            machine.run(|machine| {
                longest = longest.max(since(begun));
                begun = cpu_time();
                machine.rounds >= last
            });
        }
    }
    report.at_most("longest round of the lessons", longest, STEP);
}

/// The longest step of each built-in lesson, with all its rounds and samples.
fn lessons(report: &mut Report) {
    for lesson in builtin_lessons() {
        let mut player = Player::new(Arc::clone(lesson), None).unwrap();
        let mut longest = Duration::ZERO;
        for _ in &lesson.steps {
            let start = cpu_time();
            player.run(None).unwrap();
            longest = longest.max(since(start));
            player.advance().unwrap();
        }
        report.at_most(&format!("longest step of the lesson {}", lesson.name), longest, STEP);
    }
}

/// Samples of the built-in machines, each with the simulated second before it, beside those of this machine.
fn watching(report: &mut Report) {
    let parts = Part::ALL.into_iter();
    let parts: PartSet =
        parts.filter(|part| !matches!(part, Part::ProcessAll | Part::ProcessPss)).collect();
    let root = Root::live();
    let real = median(SAMPLES, || {
        std::hint::black_box(probes::sample(&root, &Clock::Real, parts));
    });
    for (name, _) in BUILTIN_MACHINES {
        let setup = builtin_machine(name).unwrap().unwrap();
        let changes = setup.load_changes.iter().map(|it| KeyOverride::parse(it));
        let changes: Vec<KeyOverride> = changes.collect();
        let load = setup
            .load
            .as_deref()
            .map(|load| find(LOADS, load).unwrap().source().load(&changes).unwrap().0);
        let mut machine = RunningMachine::new(setup, load.as_ref()).unwrap();
        let cost = median(SAMPLES, || {
            std::hint::black_box(machine.next_sample());
        });
        let [cost, limit] = [cost, real].map(Duration::from_micros);
        report.at_most(&format!("a sample of {name}, beside this machine"), cost, limit);
    }
}

fn main() -> ExitCode {
    let mut report = Report::default();
    // First: memory is the most that this process had so far.
    full_experiment(&mut report);
    rounds(&mut report);
    lessons(&mut report);
    watching(&mut report);
    allocations(&mut report);
    growth(&mut report);
    println!("{} figures are beyond their limits", report.missed);
    if report.missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
