//! Waiting for another change to end.

use crate::areas::{self, Area, Title};
use crate::at_terminal;
use crate::change::{json_of, pair, priority, priority_arguments, swapadm};
use crate::lab::{self, Lab};
use crate::program;
use crate::pty::{Start, Terminal};
use crate::scene::Scene;
use crate::syscalls;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn a_confirmed_plan_is_refused_if_the_machine_changed() {
    at_terminal("a_confirmed_plan_is_refused_if_the_machine_changed", confirmed);
}

/// The lock on changes, held until dropped. A helper that was killed holds it until it is gone.
pub(crate) fn lock() -> File {
    let path = Path::new("/run/swapadm.lock");
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let file = file.expect("the lock can be opened");
    let whole = libc::flock {
        l_type: i16::try_from(libc::F_WRLCK).expect("it is small"),
        l_whence: i16::try_from(libc::SEEK_SET).expect("it is small"),
        l_start: 0,
        l_len: 0,
        l_pid: 0,
    };
    lab::retry(|| fcntl(&file, FcntlArg::F_OFD_SETLK(&whole))).expect("the lock is free");
    file.set_len(0).expect("the file is writable");
    (&file).write_all(b"pid 42: a test").expect("the file is writable");
    file
}

/// During another change nothing is changed, unless the command waits.
pub(crate) fn one_at_a_time(scene: &Scene<'_>) {
    let before = pair(scene);
    let [wish, _] = priority_arguments(scene, [32_001, 32_001]);
    let file = lock();
    let arguments = ["priority", wish.as_str(), "--yes"];
    let output = swapadm(scene, &arguments).output().expect("the program starts");
    let said = program::describe_failure(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("pid 42: a test") && said.contains("--wait"), "{said}");
    assert_eq!(pair(scene), before);
    // What is so now may not be so when the other change has ended.
    let [as_now, _] = priority_arguments(scene, before.map(|it| it.expect("both are active")));
    let output = swapadm(scene, &["priority", &as_now, "--yes"]).output();
    assert_eq!(output.expect("the program starts").status.code(), Some(3));
    let waiting =
        swapadm(scene, &[&arguments[..], &["--wait", "10"]].concat()).stdout(Stdio::null()).spawn();
    std::thread::sleep(Duration::from_millis(300));
    drop(file);
    assert!(waiting.expect("the program starts").wait().expect("it ends").success());
    assert_eq!(pair(scene)[0], Some(32_001));
    let [wish, _] = priority_arguments(scene, [32_000, 32_000]);
    json_of(&mut swapadm(scene, &["priority", &wish, "--yes", "--json"]), 0);
}

/// A command that waited plans again for the changed machine, if it was confirmed for that.
pub(crate) fn planned_anew(scene: &Scene<'_>) {
    let before = pair(scene);
    let [a, b] = priority_arguments(scene, [32_100, 32_200]);
    for area in &scene.pair {
        let held = lock();
        let mut command = swapadm(scene, &["priority", &a, &b, "--wait", "30", "--yes"]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // Once shown, the first plan is kept.
        let mut first = [0];
        child.stdout.as_mut().expect("a pipe").read_exact(&mut first).expect("a plan");
        renew(area, 32_050);
        assert!(
            child.try_wait().expect("it belongs to the test").is_none(),
            "the command waits for the lock"
        );
        drop(held);
        let output = child.wait_with_output().expect("it ends");
        let said = program::describe_failure(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("Swap changed since the plan was made. The new plan:"), "{said}");
        assert_eq!(pair(scene), [Some(32_100), Some(32_200)], "{said}");
        for area in &scene.pair {
            renew(area, 32_000);
        }
        assert_eq!(pair(scene), before);
    }
}

/// Many waiting commands all finish.
pub(crate) fn waiters(scene: &Scene<'_>) {
    let wishes: Vec<_> =
        (0..12).map(|number| priority_arguments(scene, [32_100 + number; 2])).collect();
    let held = lock();
    let begin = |[a, b]: &[String; 2]| {
        let mut command = swapadm(scene, &["priority", a, b, "--wait", "60", "--yes"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts")
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

/// Changes the priority of an area by system calls.
fn renew(area: &Area, priority: u16) {
    syscalls::swapoff(&area.path).expect("zswap can be disabled");
    syscalls::swapon(&area.path, priority).expect("zswap can be enabled");
}

static LOOP: Title =
    Title { label: "swapadm-live-wt", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000000aaa1" };

/// A plan confirmed at a terminal before waiting is carried out unchanged or not at all.
fn confirmed(lab: &Lab) -> Result<(), String> {
    let area = areas::on_loop(lab, 16 << 20, &LOOP, 31_000)?;
    let said = after_waiting(lab, &area, 31_100, || {});
    assert_eq!((said.0, priority(&area.path)), (Some(0), Some(31_100)), "{}", said.1);
    let said = after_waiting(lab, &area, 31_200, || renew(&area, 31_050));
    assert_eq!((said.0, priority(&area.path)), (Some(3), Some(31_050)), "{}", said.1);
    assert!(said.1.contains("swap has changed since the plan was made"), "{}", said.1);
    Ok(())
}

/// Requests a priority at a terminal, confirms while somebody else holds the lock, and changes something
/// before the lock is released. Returns the exit status and the messages.
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
    assert!(!terminal.session().is_empty(), "the command waits for the lock: {}", terminal.text());
    meanwhile();
    drop(held);
    let ended = terminal.ended();
    (ended.code(), terminal.text().split_whitespace().collect::<Vec<_>>().join(" "))
}
