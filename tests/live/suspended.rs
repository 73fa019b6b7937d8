//! Changes, streams and screens of a machine that is suspended or whose clock jumps meanwhile, and changes of
//! stopped processes.

use crate::areas::{self, Title};
use crate::change::{self, helper, priority};
use crate::file::{MIB, text};
use crate::hog::Hog;
use crate::lab::{Lab, retry};
use crate::memory_limit::MemoryLimit;
use crate::pty::Start;
use crate::{in_lab, in_machine, program, test_vm};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::{TimeSpec, TimeValLike as _};
use nix::time::{ClockId, clock_gettime, clock_settime};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

static AREA: Title =
    Title { label: "swapadm-live-st", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000040de" };
static DISK: Title =
    Title { label: "swapadm-live-su", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000030de" };

#[test]
fn a_swapoff_goes_on_when_its_stopped_process_continues() {
    in_lab("a_swapoff_goes_on_when_its_stopped_process_continues", |lab| {
        let _spare = change::spare(lab)?;
        let area = areas::zram(lab, 320 * MIB, &AREA, 32_000)?;
        let cage = MemoryLimit::new(lab, 32 * MIB)?;
        let mut loads = Loads::fill(&cage, 40);
        let child = begin_off(lab, &area.path);
        let worker = drains(&child, &area.path);
        for _ in 0..10 {
            // The kernel leaves swapoff(2) with EINTR for it.
            for signal in [Signal::SIGSTOP, Signal::SIGCONT] {
                let _ = kill(worker, signal);
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        is_done(child, &area.path);
        loads.are_whole();
        Ok(())
    });
}

#[test]
fn in_a_machine_that_is_suspended_changes_and_reports_go_on() {
    in_machine("in_a_machine_that_is_suspended_changes_and_reports_go_on", |lab| {
        suspend_all_but_power_off()?;
        swapoff_goes_on(lab, suspend)?;
        let longest = longest_interval(&reports_go_on(lab, suspend));
        assert!(longest > 4.0, "the suspend is in no interval: {longest} s");
        println!("measured: an interval of {longest:.1} s");
        Ok(())
    });
}

#[test]
fn in_a_machine_whose_clock_jumps_changes_and_reports_go_on() {
    in_machine("in_a_machine_whose_clock_jumps_changes_and_reports_go_on", |lab| {
        swapoff_goes_on(lab, jump)?;
        let file = lab.scratch.file("jump.rec");
        let mut record = program::command(&program::built(), &["record", "-c", "8", text(&file)]);
        let record = begin(&mut record);
        let documents = reports_go_on(lab, jump);
        let dates: Vec<_> = documents.iter().filter_map(|it| it["sampled_at"].as_str()).collect();
        assert!(!dates.is_sorted(), "no jump between the samples: {dates:?}");
        let longest = longest_interval(&documents);
        assert!(longest < 4.0, "the jump is in an interval: {longest} s");
        let output = record.wait_with_output().expect("a child");
        assert!(output.status.success(), "{}", program::describe_failure(&output));
        for at in ["+0s", "+3s", "+7s"] {
            let status = ["status", "--recording", text(&file), "--at", at];
            program::output(&mut program::command(&program::built(), &status));
        }
        Ok(())
    });
}

/// Loads whose pages are in swap. The kernel looks for signals when it has brought back those of one process.
struct Loads(Vec<(Hog, String)>);

impl Loads {
    fn fill(cage: &MemoryLimit, mib: u64) -> Self {
        let load = |_| {
            let mut load = Hog::new(cage);
            load.fill(mib);
            let sum = load.sum();
            (load, sum)
        };
        Self((0..5).map(load).collect())
    }

    fn are_whole(&mut self) {
        for (load, sum) in &mut self.0 {
            load.rest_unchanged(sum);
        }
    }
}

fn begin_off(lab: &Lab, area: &Path) -> Child {
    begin(&mut program::journalled(lab, &["off", text(area), "--yes", "--json"]))
}

fn begin(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// The helper of a change, once it disables this area.
fn drains(child: &Child, area: &Path) -> Pid {
    let worker = retry(|| helper(child).ok_or(())).expect("it begins");
    assert!(priority(area).is_some(), "the area was disabled before its process could be stopped");
    Pid::from_raw(i32::try_from(worker).expect("a number"))
}

fn is_done(child: Child, area: &Path) {
    let output = child.wait_with_output().expect("a child");
    assert!(output.status.success(), "{}", program::describe_failure(&output));
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&told["outcome"]["end"], priority(area)), (&"done".into(), None), "{told}");
}

/// Prepares for suspends that do all but turn the machine off, for five seconds.
fn suspend_all_but_power_off() -> Result<(), String> {
    let how = "/sys/power/pm_test";
    fs::write(how, "core").map_err(|error| format!("{how}: {error}"))
}

/// Sets the clock of the machine a day forward, two back, and right again, within two samples each.
fn jump() {
    const DAY: i64 = 86_400;
    for by in [DAY, -2 * DAY, DAY] {
        let clock = ClockId::CLOCK_REALTIME;
        let now = clock_gettime(clock).expect("a time");
        clock_settime(clock, now + TimeSpec::seconds(by)).expect("the clock can be set");
        std::thread::sleep(Duration::from_millis(1200));
    }
}

/// Suspends the machine, and returns when it works again.
fn suspend() {
    fs::write("/sys/power/state", "mem").expect("the machine suspends");
}

fn swapoff_goes_on(lab: &Lab, disturb: impl Fn()) -> Result<(), String> {
    let disks = test_vm::disks()?;
    let disk = disks[0].area(256 * MIB, &DISK, 31_000)?;
    let cage = MemoryLimit::new(lab, 128 * MIB)?;
    let mut loads = Loads::fill(&cage, 12);
    cage.squeeze(8 * MIB);
    cage.lift();
    let child = begin_off(lab, &disk.path);
    drains(&child, &disk.path);
    disturb();
    is_done(child, &disk.path);
    loads.are_whole();
    Ok(())
}

/// Disturbs a stream and a screen, which then shows the present again; returns the documents of the stream.
fn reports_go_on(lab: &Lab, disturb: impl Fn()) -> Vec<Value> {
    let stream = ["devices", "--json", "-o", "all", "--interval", "1", "--count", "6"];
    let child = begin(&mut program::command(&program::built(), &stream));
    let mut terminal =
        Start::program(lab.scratch.program(), &["watch", "--interval", "0.5"]).size(80, 24).open();
    terminal.wait_for("[1 Overview]");
    disturb();
    terminal.press("2", "[2 Devices]");
    terminal.keys("q");
    assert_eq!(terminal.ended().code(), Some(0), "{}", terminal.text());
    let output = child.wait_with_output().expect("a child");
    assert!(output.status.success(), "{}", program::describe_failure(&output));
    let said = String::from_utf8(output.stdout).expect("text");
    let documents: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(documents.len(), 6, "{said}");
    documents
}

/// The longest time between two samples, in seconds.
fn longest_interval(documents: &[Value]) -> f64 {
    documents.iter().filter_map(|document| document["interval_s"].as_f64()).fold(0.0, f64::max)
}
