//! Full and failing disks: every call that writes fails once, with each error, in every command that changes
//! something. What is said, and what is left.

use crate::lab;
use crate::traced::Scene;
use crate::tracer::{self, Call, Fault, Trace};
use crate::{at_length, program};
use nix::errno::Errno;
use std::fs;

#[test]
fn a_write_that_fails_leaves_the_old_or_the_new_state() {
    at_length("a_write_that_fails_leaves_the_old_or_the_new_state", |lab| {
        let mut scene = Scene::new(lab, fail_each)?;
        scene.make_all()?;
        assert!(scene.differences.is_empty(), "{}", scene.differences.join("\n\n"));
        let (commands, faults) = scene.compared;
        println!("measured: {faults} errors in {commands} commands, no failure");
        Ok(())
    });
}

/// All faults with 200 kills; one at every seventh call with fewer, otherwise at every 17th, a different one each
/// time: one at each call takes more than ten minutes.
pub(crate) fn faults(number: usize) -> Vec<Fault> {
    let all = [
        Fault::Error(Errno::ENOSPC),
        Fault::Half(Errno::ENOSPC),
        Fault::Error(Errno::EIO),
        Fault::Error(Errno::EROFS),
    ];
    match lab::kills() {
        Some(lab::ALL_KILLS..) => all.to_vec(),
        kills => {
            let every = if kills.is_some() { 7 } else { 17 };
            let is_chosen = number.is_multiple_of(every);
            is_chosen.then(|| all[number / every % all.len()]).into_iter().collect()
        }
    }
}

/// Makes a change with a fault at each of its calls, until no call is left and the change is made. Leads back to
/// the start after each fault.
fn fail_each(scene: &mut Scene<'_>, line: &str, words: &[String]) -> Result<(), String> {
    let journal = scene.lab.scratch.file("journal");
    let (lines, old) = (fs::read(&journal).unwrap_or_default(), scene.state());
    // States that are right only if they are the new one.
    let mut left = Vec::new();
    scene.compared.0 += 1;
    for number in 0.. {
        for fault in faults(number) {
            let mut command = scene.swapadm(words, &["--yes"]);
            let trace =
                tracer::run(&mut command, &scene.lab.scratch.file(""), Some((number, fault)))?;
            if trace.calls.len() <= number {
                let said = program::describe_failure(&trace.output);
                let is_made = trace.output.status.success();
                scene.differences.extend((!is_made).then(|| format!("{line}: {said}")));
                check_left(scene, line, left);
                return Ok(());
            }
            scene.compared.1 += 1;
            let what = format!("{fault:?} at {number} {:?}", trace.faulty);
            let state = scene.state();
            let repair = scene.swapadm(&["recover".to_owned()], &["--yes"]).output();
            let repair = repair.expect("the program starts");
            let said = program::describe_failure(&trace.output);
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let problem = problem(&trace, &said, (&old, &state), repair.status.success());
            let repaired = program::describe_failure(&repair);
            scene.differences.extend(problem.map(|why| {
                format!("{line}: {what}: {why}\n{said}\n{state}\nold {old}\n{repaired}")
            }));
            let repaired = scene.state();
            left.extend([state, repaired].map(|state| (format!("{what}\n{said}"), state)));
            left.retain(|(_, state)| *state != old);
            if line == "recover" {
                scene.disable_area();
            }
            if scene.state() != old {
                let undo = ["undo".to_owned(), scene.last_plan()];
                let undo = scene.swapadm(&undo, &["--yes"]).output().expect("it starts");
                let said = program::describe_failure(&undo);
                if scene.state() != old {
                    lab::remark(&format!("{line}: nothing leads back after {what}: {said}"));
                    let _ = scene.swapadm(words, &["--yes"]).output();
                    check_left(scene, line, left);
                    return Ok(());
                }
            }
            fs::write(&journal, &lines).expect("ours");
        }
    }
    Ok(())
}

/// Reports the states that are not the new one.
fn check_left(scene: &mut Scene<'_>, line: &str, left: Vec<(String, String)>) {
    let new = scene.state();
    let wrong = left.into_iter().filter(|(_, state)| *state != new);
    let wrong =
        wrong.map(|(why, state)| format!("{line}: neither state: {why}\n{state}\nnew {new}"));
    scene.differences.extend(wrong);
}

/// Returns the first fault of the message, or of the state that is left.
fn problem(
    trace: &Trace,
    said: &str,
    (old, left): (&str, &str),
    is_repaired: bool,
) -> Option<&'static str> {
    match trace.output.status.code() {
        // Nothing was begun, or all was undone.
        Some(3 | 4 | 6) if left != old => Some("it is not undone"),
        code if code != Some(0) && is_of_disk(trace) && !says_what_to_do(said) => {
            Some("no file or no next step")
        }
        _ if !is_repaired => Some("recover failed"),
        _ => None,
    }
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
