//! Full and failing disks: every call that writes fails once, with each error. What is said, and what is left.

use crate::lab::{self, Lab};
use crate::scenarios::{self, Scenario};
use crate::tracer::{self, Call, Fault, Trace};
use crate::{at_length, program};
use nix::errno::Errno;
use std::fs;

#[test]
fn a_write_that_fails_leaves_the_old_or_the_new_state() {
    at_length("a_write_that_fails_leaves_the_old_or_the_new_state", |lab| {
        let all = [
            scenarios::on,
            scenarios::off,
            scenarios::priority,
            scenarios::zram_add,
            scenarios::zram_remove,
            scenarios::set,
            scenarios::persist,
            scenarios::format,
            scenarios::file,
        ];
        let (mut problems, mut faults, mut calls) = (Vec::new(), 0, 0);
        for make in all {
            match make(lab) {
                Ok(scenario) => {
                    let more = of_each_write(lab, &scenario, &mut problems)?;
                    (faults, calls) = (faults + more.0, calls + more.1);
                }
                Err(reason) => lab::remark(&format!("failing writes: {reason}")),
            }
        }
        assert!(problems.is_empty(), "{}", problems.join("\n\n"));
        println!("measured: {faults} errors at {calls} calls, no failure");
        Ok(())
    });
}

/// All faults with 200 kills, one with fewer, otherwise one at every 17th call, a different one each time: all
/// of them take half an hour on an emulated machine.
pub(crate) fn faults(number: usize) -> Vec<Fault> {
    let all = [
        Fault::Error(Errno::ENOSPC),
        Fault::Half(Errno::ENOSPC),
        Fault::Error(Errno::EIO),
        Fault::Error(Errno::EROFS),
    ];
    match lab::kills() {
        Some(lab::ALL_KILLS..) => all.to_vec(),
        Some(_) => vec![all[number % all.len()]],
        None if number.is_multiple_of(17) => vec![all[number / 17 % all.len()]],
        None => Vec::new(),
    }
}

/// Repeats the change with a fault at each of its calls, until no call is left; returns the numbers of faults and
/// calls.
fn of_each_write(
    lab: &Lab,
    scenario: &Scenario<'_>,
    problems: &mut Vec<String>,
) -> Result<(usize, usize), String> {
    let whole = start(lab, scenario, None)?;
    let (old, new) = (whole.0, (scenario.state)());
    let said = program::describe_failure(&whole.1.output);
    assert!(whole.1.output.status.success(), "{}: {said}", scenario.name);
    assert_ne!(old, new, "{} changes nothing", scenario.name);
    let mut count = 0;
    for number in 0..=whole.1.calls.len() {
        for fault in faults(number) {
            let (_, trace) = start(lab, scenario, Some((number, fault)))?;
            count += usize::from(trace.faulty.is_some());
            let problem = problem(lab, scenario, (&old, &new), &trace);
            let what = |problem| format!("{}: {fault:?} at {number}: {problem}", scenario.name);
            problems.extend(problem.map(what));
        }
    }
    println!("{}: {count} faults at {} calls", scenario.name, whole.1.calls.len());
    Ok((count, whole.1.calls.len()))
}

/// Leads back to the start, and runs the command; returns the state at the start, and the trace.
fn start(
    lab: &Lab,
    scenario: &Scenario<'_>,
    fault: Option<(usize, Fault)>,
) -> Result<(String, Trace), String> {
    let _ = fs::remove_file(lab.scratch.file("journal"));
    (scenario.reset)();
    let old = (scenario.state)();
    let trace = tracer::run(&mut (scenario.command)(), &lab.scratch.file(""), fault)?;
    Ok((old, trace))
}

/// Returns the first fault of the message, of the state that is left, or of its repair.
fn problem(
    lab: &Lab,
    scenario: &Scenario<'_>,
    (old, new): (&str, &str),
    trace: &Trace,
) -> Option<String> {
    let said = program::describe_failure(&trace.output);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let left = (scenario.state)();
    let is_done = trace.output.status.code() == Some(0);
    let output =
        program::journalled(lab, &["recover", "--yes", "--json"]).output().expect("it starts");
    let repaired = (scenario.state)();
    let wrong = match trace.output.status.code() {
        Some(0) if left != new => "it is not done",
        // Nothing was begun, or all was undone.
        Some(3 | 4 | 6) if left != old => "it is not undone",
        _ if !is_done && is_of_disk(trace) && !says_what_to_do(&said) => "no file or no next step",
        _ if !output.status.success() => "recover failed",
        _ if repaired != old && repaired != new => "recover left neither state",
        _ => return None,
    };
    let recovered = program::describe_failure(&output);
    let states = format!("old {old}\nnew {new}\nleft {left}\nrepaired {repaired}");
    let call = trace.faulty.as_ref().map(|call| (call.name, &call.path));
    Some(format!("{wrong}: {call:?}\n{said}\n{states}\nrecover: {recovered}"))
}

/// Was it a call on a disk, and not one of the kernel's own files?
fn is_of_disk(trace: &Trace) -> bool {
    let is_of_kernel = |call: &Call| {
        let file = ["/proc/", "/sys/"].iter().any(|it| call.path.starts_with(it));
        file || call.name.starts_with("swap")
    };
    trace.faulty.as_ref().is_some_and(|call| !is_of_kernel(call))
}

fn says_what_to_do(said: &str) -> bool {
    let steps = ["try again", "remount", "choose", "journalctl", "use another", "swapadm recover"];
    said.contains('/') && steps.iter().any(|step| said.contains(step))
}
