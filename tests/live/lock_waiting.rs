//! Waiting for somebody else's change.

use crate::areas::{self, Area, Title};
use crate::at_terminal;
use crate::change::{pair, priority, swapadm, json_of, priority_arguments};
use crate::lab::Lab;
use crate::program;
use crate::pty::{Start, Terminal};
use crate::scene::Scene;
use crate::syscalls;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn a_confirmed_plan_is_refused_if_the_machine_changed() {
    at_terminal("what_a_person_confirmed_is_refused_if_it_changed_meanwhile", confirmed);
}

/// The lock on changes, held until this is dropped.
pub(crate) fn lock() -> File {
    let path = Path::new("/run/swapadm.lock");
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let file = file.expect("the lock can be opened");
    file.lock().expect("nobody has it");
    file.set_len(0).expect("it can be written");
    (&file).write_all(b"pid 42: a test").expect("it can be written");
    file
}

/// While somebody else is at it nothing is changed, unless that one is waited for.
pub(crate) fn one_at_a_time(scene: &Scene<'_>) {
    let before = pair(scene);
    let [wish, _] = priority_arguments(scene, [32_001, 32_001]);
    let file = lock();
    let arguments = ["priority", wish.as_str(), "--yes"];
    let output = swapadm(scene, &arguments).output().expect("it starts");
    let said = program::describe_failure(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("pid 42: a test") && said.contains("--wait"), "{said}");
    assert_eq!(pair(scene), before);
    let waiting =
        swapadm(scene, &[&arguments[..], &["--wait", "10"]].concat()).stdout(Stdio::null()).spawn();
    std::thread::sleep(Duration::from_millis(300));
    drop(file);
    assert!(waiting.expect("it starts").wait().expect("it ends").success());
    assert_eq!(pair(scene)[0], Some(32_001));
    let [wish, _] = priority_arguments(scene, [32_000, 32_000]);
    json_of(&mut swapadm(scene, &["priority", &wish, "--yes", "--json"]), 0);
}

/// Whoever waited for another change gets what they want on the machine as it is after it, where
/// they said yes to that.
pub(crate) fn planned_anew(scene: &Scene<'_>) {
    let before = pair(scene);
    let [a, b] = priority_arguments(scene, [32_100, 32_200]);
    for area in &scene.pair {
        let held = lock();
        let mut command = swapadm(scene, &["priority", &a, &b, "--wait", "30", "--yes"]);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        // Once it is shown, the first plan stands.
        let mut first = [0];
        child.stdout.as_mut().expect("a pipe").read_exact(&mut first).expect("a plan");
        renew(area, 32_050);
        assert!(child.try_wait().expect("it is ours").is_none(), "it waits for the lock");
        drop(held);
        let output = child.wait_with_output().expect("it ends");
        let said = program::describe_failure(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("this is the plan now"), "{said}");
        assert_eq!(pair(scene), [Some(32_100), Some(32_200)], "{said}");
        for area in &scene.pair {
            renew(area, 32_000);
        }
        assert_eq!(pair(scene), before);
    }
}

/// Many that wait for each other all come to their end.
pub(crate) fn waiters(scene: &Scene<'_>) {
    let wishes: Vec<_> = (0..12).map(|number| priority_arguments(scene, [32_100 + number; 2])).collect();
    let held = lock();
    let begin = |[a, b]: &[String; 2]| {
        let mut command = swapadm(scene, &["priority", a, b, "--wait", "60", "--yes"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let children: Vec<_> = wishes.iter().map(begin).collect();
    std::thread::sleep(Duration::from_millis(500));
    drop(held);
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{}", program::describe_failure(&output));
    }
    let now = pair(scene);
    assert_eq!(now[0], now[1], "each of them changed both");
    for area in &scene.pair {
        renew(area, 32_000);
    }
}

/// Give an area another priority by plain system calls.
fn renew(area: &Area, priority: u16) {
    syscalls::swapoff(&area.path).expect("it can be switched off");
    syscalls::swapon(&area.path, priority).expect("it can be switched on");
}

static LOOP: Title =
    Title { label: "swapadm-live-wt", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000000aaa1" };

/// Who confirmed a plan at a terminal and then waited gets that plan, or none.
fn confirmed(lab: &Lab) -> Result<(), String> {
    let area = areas::on_loop(lab, 16 << 20, &LOOP, 31_000)?;
    let said = after_waiting(lab, &area, 31_100, || {});
    assert_eq!((said.0, priority(&area.path)), (Some(0), Some(31_100)), "{}", said.1);
    let said = after_waiting(lab, &area, 31_200, || renew(&area, 31_050));
    assert_eq!((said.0, priority(&area.path)), (Some(3), Some(31_050)), "{}", said.1);
    assert!(said.1.contains("swap was changed since the plan was made"), "{}", said.1);
    Ok(())
}

/// Asks for a priority at a terminal, says yes while somebody else holds the lock, and lets that one
/// do something before it gives the lock back. Returns how the command ended, and what it said.
fn after_waiting(
    lab: &Lab,
    area: &Area,
    priority: u16,
    meanwhile: impl FnOnce(),
) -> (Option<i32>, String) {
    let held = lock();
    let wish = format!("{}={priority}", area.path.display());
    let start = Start::program(lab.scratch.program(), &["priority", &wish, "--wait", "60"]);
    let start = start.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    let mut terminal: Terminal = start.size(120, 40).open();
    terminal.wait_for("Do it? [y/N]");
    terminal.keys("y\n");
    std::thread::sleep(Duration::from_millis(500));
    assert!(!terminal.session().is_empty(), "it waits for the lock: {}", terminal.text());
    meanwhile();
    drop(held);
    let ended = terminal.ended();
    (ended.code(), terminal.text().split_whitespace().collect::<Vec<_>>().join(" "))
}
