//! Loads that are stopped at any time, in every way, leave nothing.

#![allow(clippy::unwrap_used, reason = "a document that is not as it should be fails the test")]

use crate::at_length;
use crate::interface;
use crate::interface_lab::{LONG, run};
use crate::lab::{self, Lab};
use crate::loads::{RecoverOnDrop, SMALL, always, leftovers, stress, sum_of_meminfo, workers};
use crate::program::{self, describe_failure, journalled};
use crate::pty::Start;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// A way to stop a load.
#[derive(Clone, Copy, Debug)]
enum StopMethod {
    /// A signal to the program.
    Told(Signal),
    /// The program is killed, and recovers.
    Killed,
    /// The terminal of the command is closed.
    Closed,
    /// A key of the interface, or its terminal is closed.
    Interface { by_key: bool },
    /// The guard.
    Guard(GuardLimit),
}

/// The limit of the guard that stops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum GuardLimit {
    Time,
    Memory,
    Swap,
    Pressure,
}

/// All ways in turn; slow ones are rare.
fn stop_method(round: u64) -> StopMethod {
    match round % 12 {
        0 | 6 => StopMethod::Told(Signal::SIGINT),
        1 => StopMethod::Told(Signal::SIGTERM),
        2 | 5 | 8 => StopMethod::Killed,
        3 | 9 => StopMethod::Closed,
        4 => StopMethod::Guard(GuardLimit::Time),
        7 => StopMethod::Guard(GuardLimit::Swap),
        10 => StopMethod::Guard(GuardLimit::Memory),
        _ => match round / 12 % 3 {
            0 => StopMethod::Interface { by_key: true },
            1 => StopMethod::Guard(GuardLimit::Pressure),
            _ => StopMethod::Interface { by_key: false },
        },
    }
}

#[test]
fn a_load_that_is_ended_at_any_moment_leaves_nothing() {
    at_length("a_load_that_is_ended_at_any_moment_leaves_nothing", |lab| {
        ended(lab);
        Ok(())
    });
}

fn ended(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let has_terminal = interface::lacks_terminal().is_none();
    let rounds = lab::rounds(12, 100);
    // How often temporary swap existed at that time, and how often a guard limit was met.
    let (mut cut, mut tripped) = (BTreeMap::new(), BTreeMap::new());
    let mut count = |way: &'static str, was_cut| *cut.entry(way).or_insert(0) += u64::from(was_cut);
    for round in 0..rounds {
        // From before temporary swap is created to the middle of the run.
        let moment = Duration::from_millis((round * 137) % 900);
        let way = stop_method(round);
        match way {
            StopMethod::Told(signal) => {
                count(signal.as_str(), by_signal(lab, (moment, &before), signal));
            }
            StopMethod::Killed => count("SIGKILL", by_kill(lab, (moment, &before))),
            StopMethod::Closed if has_terminal => {
                count("SIGHUP", by_hangup(lab, (moment, &before)));
            }
            StopMethod::Interface { by_key } if has_terminal => by_interface(lab, moment, by_key),
            StopMethod::Closed | StopMethod::Interface { .. } => {
                lab::remark("a load stopped from a terminal");
            }
            StopMethod::Guard(rail) => {
                *tripped.entry(rail).or_insert(0) += u32::from(by_guard(lab, rail));
            }
        }
        assert_eq!((leftovers(), workers(lab)), (before.clone(), 0), "round {round}, {way:?}");
    }
    for (way, times) in &cut {
        // Some ways occur twice only when all tests are run.
        assert!(*times > 0 || rounds < 100, "{way} never met temporary swap: {cut:?}");
    }
    lab::require_iterations(cut.values().sum(), rounds / 4);
    for (rail, times) in tripped {
        // Other programs may take memory faster, and the load may wait for none.
        let must = matches!(rail, GuardLimit::Time | GuardLimit::Swap);
        assert!(times > 0 || !must, "the guard never stopped a load: {rail:?}");
        if times == 0 {
            lab::remark(&format!("guard limit {rail:?}: it never stopped a load here"));
        }
    }
}

#[test]
fn a_load_that_is_interrupted_while_it_gives_back_gives_all_back() {
    // On a busy machine everything may be removed before it was seen.
    always("a_load_that_is_interrupted_while_it_gives_back_gives_all_back", |lab| {
        assert!(
            (0..10).any(|_| given_back(lab)),
            "the removal of temporary swap was never observed"
        );
    });
}

/// The run is over by then: an interruption has no earlier one. Returns whether temporary swap was still
/// present.
fn given_back(lab: &Lab) -> bool {
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let areas = || leftovers().iter().filter(|trace| trace.starts_with("/dev/zram")).count();
    let own = areas();
    let lent = own + 8;
    let more = ["--zram", "8x16M", "--limit", "48M", "--with", "size=4M", "--no-keep", "--yes"];
    let mut command = journalled(lab, &[&["stress", "run", "usemem"], &more[..]].concat());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let running = command.spawn().expect("the program starts");
    let until = |is: &dyn Fn(usize) -> bool| {
        (0..20_000).any(|_| {
            std::thread::sleep(Duration::from_millis(1));
            is(areas())
        })
    };
    assert!(
        until(&|now| now == lent) && until(&|now| now < lent),
        "temporary swap is created and removed"
    );
    kill(Pid::from_raw(running.id().try_into().unwrap()), Signal::SIGINT).expect("a child");
    let was_met = areas() > own;
    let output = running.wait_with_output().expect("a child");
    assert_eq!((leftovers(), workers(lab)), (before, 0), "{}", describe_failure(&output));
    assert!(output.status.success(), "{}", describe_failure(&output));
    was_met
}

/// When to stop a load, and the leftovers expected without one.
type StopTime<'a> = (Duration, &'a [String]);

/// Waits; returns whether temporary swap exists then.
fn has_temporary_swap((moment, before): StopTime<'_>) -> bool {
    std::thread::sleep(moment);
    leftovers() != before
}

/// Adds a temporary swap file, where one can be created.
fn with_file(lab: &Lab) -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    *CAN.get_or_init(|| {
        let tried = stress(lab, "random-write", &["--file", "16M", "--dry-run"]).output();
        let can = tried.expect("the program starts").status.success();
        if !can {
            lab::remark("a temporary swap file: none can be created in /var/tmp");
        }
        can
    })
}

fn start(lab: &Lab) -> Child {
    let file: &[&str] = if with_file(lab) { &["--file", "16M"] } else { &[] };
    let mut command = stress(lab, "random-write", &[&["--timeout", "60"][..], file].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
}

fn by_signal(lab: &Lab, at: StopTime<'_>, signal: Signal) -> bool {
    let mut running = start(lab);
    let was_lent = has_temporary_swap(at);
    kill(Pid::from_raw(running.id().try_into().unwrap()), signal)
        .expect("the child is still to be waited for");
    running.wait().expect("a child");
    was_lent
}

/// After a kill the run ends on its own: workers die with the program. Returns whether temporary swap
/// existed.
fn by_kill(lab: &Lab, (moment, before): StopTime<'_>) -> bool {
    let mut running = start(lab);
    std::thread::sleep(moment);
    running.kill().expect("the child is still to be waited for");
    running.wait().expect("a child");
    lab::retry(|| if workers(lab) == 0 { Ok(()) } else { Err(()) }).expect("workers die");
    let was_cut = leftovers() != before;
    let plans = program::json(&mut journalled(lab, &["journal", "--json"]));
    let last = plans.as_array().and_then(|plans| plans.last());
    // The interface offers a repair only if a change was interrupted.
    if interface::lacks_terminal().is_none() && last.is_some_and(|plan| !interface::has_ended(plan))
    {
        interface::put_right(lab);
    } else {
        let recovered = journalled(lab, &["recover", "--yes", "--wait", "30"]).output().unwrap();
        assert!(recovered.status.success(), "{}", describe_failure(&recovered));
    }
    was_cut
}

/// Simulates a closed window: the program gets a hangup and can print nothing.
fn by_hangup(lab: &Lab, at: StopTime<'_>) -> bool {
    let arguments = [&["stress", "run", "random-write", "--no-keep"], &SMALL[..]].concat();
    let start = Start::program(lab.scratch.program(), &arguments);
    let mut terminal = start.env("SWAPADM_JOURNAL", lab.scratch.file("journal")).open();
    let was_lent = has_temporary_swap(at);
    terminal.hang_up();
    terminal.ended_within(LONG);
    was_lent
}

fn by_interface(lab: &Lab, moment: Duration, by_key: bool) {
    let mut terminal = run(lab, "j", "random-write", "seconds=100");
    terminal.wait_within(LONG, "it runs", |terminal| terminal.text().contains("touching"));
    std::thread::sleep(moment);
    if by_key {
        terminal.press("\x1b[20~", "c stop and undo");
        terminal.keys("c");
        terminal
            .wait_within(LONG, "it was ended", |terminal| terminal.text().contains("you stopped"));
        terminal.keys("\x03");
    } else {
        terminal.hang_up();
    }
    terminal.ended_within(LONG);
}

/// Whether the guard stops it for the configured reason.
fn by_guard(lab: &Lab, rail: GuardLimit) -> bool {
    let (mut command, said) = load_with_guard(lab, rail);
    let running =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut taken = Vec::new();
    if rail == GuardLimit::Memory {
        // The processes are working: the load was not refused for lack of memory.
        let _ = lab::retry(|| if workers(lab) > 2 { Ok(()) } else { Err(()) });
        taken = vec![1_u8; TAKEN];
    }
    let output = running.wait_with_output().expect("a child");
    drop(taken);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let why = document["run"]["measured"][0]["end"]["why"].as_str().unwrap_or_default();
    why.contains(said)
}

/// Memory taken from the machine during a load that must stop for lack of memory.
const TAKEN: usize = 512 << 20;

/// A load that meets its guard limit, and the expected message.
fn load_with_guard(lab: &Lab, rail: GuardLimit) -> (Command, &'static str) {
    let caged = |rail: &[&str]| stress(lab, "random-write", rail);
    match rail {
        GuardLimit::Memory => {
            // The load itself may take less than that.
            let left = sum_of_meminfo("MemAvailable") / 1024 - 256;
            (
                caged(&["--timeout", "10", "--min-available", &format!("{left}M")]),
                "of memory was available",
            )
        }
        GuardLimit::Swap => (caged(&["--timeout", "30", "--min-swap", "120M"]), "of swap was free"),
        GuardLimit::Pressure => {
            let small = ["--zram", "2x64M", "--with", "size=16M", "--no-keep", "--yes", "--json"];
            let rails = ["--whole-machine", "--max-psi", "0", "--timeout", "8"];
            let arguments = [&["stress", "run", "random-write"], &small[..], &rails].concat();
            (journalled(lab, &arguments), "PSI full was")
        }
        GuardLimit::Time => (caged(&["--timeout", "300ms"]), "the time limit of"),
    }
}
