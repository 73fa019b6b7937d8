//! Changes of active areas, and their interruption.

use crate::areas::{self, Area, Title};
use crate::lab::{self, Lab, rounds};
use crate::program;
use crate::scene::Scene;
use crate::{signals, syscalls};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program with a journal of its own.
pub(crate) fn swapadm(scene: &Scene<'_>, arguments: &[&str]) -> Command {
    program::journalled(scene.lab, arguments)
}

/// The priority of an area as shown by the kernel; none if it is not active.
pub(crate) fn priority(path: &Path) -> Option<i32> {
    let swaps = fs::read_to_string("/proc/swaps").expect("the file is readable");
    let row = swaps.lines().find(|row| row.split_whitespace().next() == path.to_str())?;
    row.split_whitespace().nth(4)?.parse().ok()
}

pub(crate) fn pair(scene: &Scene<'_>) -> [Option<i32>; 2] {
    [0, 1].map(|place: usize| priority(&scene.pair[place].path))
}

/// `AREA=N` for both areas of the pair.
pub(crate) fn priority_arguments(scene: &Scene<'_>, numbers: [i32; 2]) -> [String; 2] {
    [0, 1].map(|place: usize| format!("{}={}", scene.pair[place].path.display(), numbers[place]))
}

/// Spare swap below all others, to drain into: without it the load's cgroup, which is at its limit, could
/// lose a process, and a check refuses.
pub(crate) fn spare(lab: &Lab) -> Result<Area, String> {
    areas::zram(lab, 256 << 20, &SPARE, 31_000)
}

static SPARE: Title =
    Title { label: "swapadm-live-sp", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000ec0de" };

/// The JSON output of a command.
pub(crate) fn json_of(command: &mut Command, code: i32) -> Value {
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(code), "{}", program::describe_failure(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

pub(crate) fn priorities(scene: &mut Scene<'_>) {
    let before = (pair(scene), scene.hog.sum());
    let [a, b] = priority_arguments(scene, [32_100, 32_200]);
    let shown = json_of(&mut swapadm(scene, &["priority", &a, &b, "--dry-run", "--json"]), 0);
    assert_eq!(
        (shown["steps"].as_array().map(Vec::len), &shown["outcome"]),
        (Some(2), &Value::Null)
    );
    assert_eq!(pair(scene), before.0, "a dry run changes nothing");
    scene.hog.guard();
    let done = json_of(&mut swapadm(scene, &["priority", &a, &b, "--yes", "--json"]), 0);
    scene.hog.rest_unchanged(&before.1);
    assert_eq!(done["outcome"]["end"], "done");
    assert_eq!(pair(scene), [Some(32_100), Some(32_200)]);
    let again = json_of(&mut swapadm(scene, &["priority", &a, &b, "--yes", "--json"]), 0);
    assert_eq!(again["steps"].as_array().map(Vec::len), Some(0), "an existing state is left alone");
}

pub(crate) fn undo(scene: &mut Scene<'_>) {
    let sum = scene.hog.sum();
    json_of(&mut swapadm(scene, &["undo", "1", "--yes", "--json"]), 0);
    assert_eq!(pair(scene), [Some(32_000), Some(32_000)]);
    assert_eq!(scene.hog.sum(), sum, "no byte differs");
    let twice = swapadm(scene, &["undo", "1", "--yes"]).output().expect("the program starts");
    assert_eq!(twice.status.code(), Some(2), "{}", program::describe_failure(&twice));
}

/// Root without administration rights, as in a service or container.
pub(crate) fn without_capabilities(scene: &Scene<'_>) {
    let [wish, _] = priority_arguments(scene, [5, 5]);
    let before = pair(scene);
    let mut command = swapadm(scene, &["priority", &wish, "--yes"]);
    syscalls::forbid_administration(&mut command);
    let output = command.output().expect("the program starts");
    let said = program::describe_failure(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("root lacks CAP_SYS_ADMIN here") && !said.contains("sudo"), "{said}");
    assert_eq!(pair(scene), before);
}

/// Root with the system calls forbidden by a filter, which shows only when they are tried.
pub(crate) fn filtered(scene: &Scene<'_>) -> Result<(), String> {
    let idle = areas::new_zram(scene.lab)?;
    areas::give_size(&idle, 8 << 20, &TWIN)?;
    let before = pair(scene);
    let [wish, _] = priority_arguments(scene, [5, 5]);
    let path = scene.pair[0].path.to_str().expect("text");
    let off = idle.path.to_str().expect("text");
    for arguments in [["priority", &wish, "--yes"], ["off", path, "--yes"], ["on", off, "--yes"]] {
        let mut command = swapadm(scene, &arguments);
        syscalls::forbid_swap(&mut command);
        let output = command.output().expect("the program starts");
        let said = program::describe_failure(&output);
        assert_eq!(output.status.code(), Some(4), "{said}");
        // Lines are broken between words.
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let next = "run swapadm outside, or permit swapon and swapoff there";
        for part in ["seccomp", next, "Everything is as it was"] {
            assert!(words.contains(part), "{arguments:?}: {part:?} is not in {said}");
        }
        assert_eq!((pair(scene), priority(&idle.path)), (before, None));
    }
    Ok(())
}

/// Kills the program or its helper at various times. After recovery all areas are enabled again, with a
/// requested priority.
pub(crate) fn killed(scene: &mut Scene<'_>) {
    let sum = scene.hog.sum();
    let whole = Instant::now();
    let goals = [[32_100, 32_200], [32_000, 32_000]];
    let take = |scene: &Scene<'_>, goal| {
        let [a, b] = priority_arguments(scene, goal);
        swapadm(scene, &["priority", &a, &b, "--yes", "--json"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts")
    };
    assert!(take(scene, goals[0]).wait().expect("it ends").success());
    let whole = whole.elapsed();
    let mut cut = 0;
    let kills = rounds(6, 30);
    for number in 0..kills {
        let before = pair(scene);
        let goal = goals[usize::from(before == goals[0].map(Some))];
        let plans = program::json(&mut swapadm(scene, &["journal", "--json"]));
        let last = plans.as_array().and_then(|plans| plans.last()?["plan"].as_u64()).unwrap_or(0);
        let mut child = take(scene, goal);
        // Times spread over the whole change, in no order.
        std::thread::sleep(whole.mul_f64((number * 7 % kills) as f64 / kills as f64));
        // The program, its helper, or both.
        let helper = if number % 3 == 1 { None } else { helper(&child) };
        let program = (number % 3 > 0).then(|| child.id());
        for pid in program.into_iter().chain(helper) {
            let pid = Pid::from_raw(i32::try_from(pid).expect("a number"));
            let _ = kill(pid, Signal::SIGKILL);
        }
        let status = child.wait().expect("it ends");
        cut += u64::from(!status.success());
        let direct = status.signal() == Some(9);
        recover(scene, direct);
        // Undoes what was done in every second round, so that both goals occur.
        if number % 2 == 0 && pair(scene) != before {
            let plan = (last + 1).to_string();
            let undone = json_of(&mut swapadm(scene, &["undo", &plan, "--yes", "--json"]), 0);
            assert_eq!(pair(scene), before, "{undone}");
        }
    }
    lab::require_iterations(cut, kills / 4);
    scene.hog.rest();
    assert_eq!(scene.hog.sum(), sum, "no byte differs");
}

fn recover(scene: &Scene<'_>, cut_off: bool) {
    let told = json_of(&mut swapadm(scene, &["recover", "--wait", "60", "--json"]), 0);
    let now = pair(scene);
    for (place, known) in [[32_000, 32_100], [32_000, 32_200]].iter().enumerate() {
        let is = now[place].is_some_and(|priority| known.contains(&priority));
        assert!(is, "{now:?} after {told} (interrupted: {cut_off})");
    }
    let journal = program::json(&mut swapadm(scene, &["journal", "--json"]));
    let open = journal.as_array().expect("plans").iter().filter(|plan| {
        let last = plan["events"].as_array().and_then(|events| events.last().cloned());
        last.is_none_or(|last| last["event"] != "end" || last["end"] == "partial")
    });
    assert_eq!(open.count(), 0, "{journal}");
}

/// The helper process of the program, if there is one.
pub(crate) fn helper(child: &Child) -> Option<u32> {
    let path = format!("/proc/{0}/task/{0}/children", child.id());
    let works = |pid: &u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == b"__swap")
    };
    let until = Instant::now() + Duration::from_millis(20);
    loop {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut children = text.split_whitespace().filter_map(|pid| pid.parse().ok());
        let found = children.find(works);
        if found.is_some() || Instant::now() > until {
            return found;
        }
    }
}

/// Kills during swapoff: the area is enabled again.
pub(crate) fn killed_at_off(scene: &mut Scene<'_>) {
    let (before, sum) = (pair(scene), scene.hog.sum());
    let name = scene.pair[0].path.display().to_string();
    let mut cut = 0;
    let off = || swapadm(scene, &["off", &name, "--yes", "--json"]);
    let undo = |plan: &Value| {
        json_of(&mut swapadm(scene, &["undo", &plan.to_string(), "--yes", "--json"]), 0);
    };
    let timed = || {
        let begun = Instant::now();
        let done = json_of(&mut off(), 0);
        let whole = begun.elapsed();
        undo(&done["outcome"]["journal"]);
        whole
    };
    // The first area has the most to move.
    let whole = timed().min(timed());
    for number in (0..8).cycle().take(24) {
        if cut >= 4 {
            break;
        }
        let mut child = off().stdout(Stdio::null()).spawn().expect("the program starts");
        std::thread::sleep(whole.mul_f64(f64::from(number + 1) / 9.0));
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
        let _ = kill(pid, Signal::SIGKILL);
        let _ = child.wait();
        // The change may be complete although the process was killed.
        let plans = program::json(&mut swapadm(scene, &["journal", "--json"]));
        let last = plans.as_array().and_then(|plans| plans.last()).expect("a plan");
        let events = last["events"].as_array().expect("what happened");
        let end = events.iter().find(|event| event["event"] == "end");
        cut += u64::from(end.is_none());
        if end.is_some_and(|end| end["end"] == "done") && last["steps"][0]["kind"] == "off" {
            undo(&last["plan"]);
        }
        let recovered = json_of(&mut swapadm(scene, &["recover", "--wait", "60", "--json"]), 0);
        assert_eq!(pair(scene), before, "{recovered}");
    }
    lab::require_iterations(cut, 2);
    assert_eq!(scene.hog.sum(), sum, "no byte differs");
}

/// A loop device detached by `losetup -d` while in use disappears when its area is disabled: changes that
/// would enable the area again are refused, and a change that only disables it says so.
pub(crate) fn of_a_vanishing_device(lab: &Lab) -> Result<(), String> {
    let area = areas::on_loop(lab, 16 << 20, &LOOP, 3)?;
    let path = area.path.to_str().expect("text");
    syscalls::detach_loop(&area.path).map_err(|error| format!("no autoclear: {error}"))?;
    let autoclear = fs::read_to_string(areas::sysfs(&area.path).join("loop/autoclear"));
    assert_eq!(autoclear.expect("a loop device").trim(), "1");
    let refused = json_of(
        &mut program::journalled(lab, &["priority", &format!("{path}=7"), "--yes", "--json"]),
        3,
    );
    assert!(refused["checks"].to_string().contains("losetup"), "{refused}");
    assert_eq!(priority(&area.path), Some(3), "the area is enabled as before");
    let off = json_of(&mut program::journalled(lab, &["off", path, "--yes", "--json"]), 0);
    let checks = off["checks"].as_array().expect("checks");
    let warns = |check: &Value| check["id"] == "autoclear" && check["verdict"] == "warn";
    assert!(checks.iter().any(warns), "{off}");
    assert!(!areas::sysfs(&area.path).join("loop/backing_file").exists(), "the device is detached");
    let undo =
        program::journalled(lab, &["undo", "1", "--yes"]).output().expect("the program starts");
    assert_eq!(undo.status.code(), Some(3), "{}", program::describe_failure(&undo));
    Ok(())
}

/// An interrupted plan that cannot be repaired, since its area is gone, is tried by each recovery until it
/// is dismissed.
pub(crate) fn dismissed(lab: &Lab) -> Result<(), String> {
    let area = areas::on_loop(lab, 16 << 20, &LOOP, 3)?;
    let path = area.path.to_str().expect("text");
    let wish = format!("{path}=7");
    let run = |arguments: &[&str], code| json_of(&mut program::journalled(lab, arguments), code);
    run(&["priority", &wish, "--yes", "--json"], 0);
    // Simulates a kill between the two calls, and the removal of the device.
    let journal = lab.scratch.file("journal");
    let text = fs::read_to_string(&journal).expect("a journal");
    let tried = text.lines().position(|line| line.contains("\"try\"")).expect("a step");
    let cut: Vec<&str> = text.lines().take(tried + 1).collect();
    fs::write(&journal, cut.join("\n") + "\n").expect("the journal is ours");
    areas::swapoff(&area.path).expect("the area is enabled");
    let name = path.to_owned();
    drop(area);
    for _ in 0..2 {
        let failed = run(&["recover", "--json"], 4);
        let remark = failed["outcome"]["remark"].as_str().unwrap_or_default();
        assert!(remark.ends_with("swapadm recover --dismiss 1"), "{failed}");
    }
    let shown = run(&["recover", "--dismiss", "1", "--dry-run", "--json"], 0);
    assert_eq!(shown["outcome"], Value::Null);
    let dismissed = run(&["recover", "--dismiss", "1", "--json"], 0);
    assert_eq!(dismissed["outcome"]["end"], "dismissed");
    let record = program::json(&mut program::journalled(lab, &["journal", "1", "--json"]));
    let end = record["events"].as_array().and_then(|events| events.last()).expect("events");
    let why = end["why"].as_str().unwrap_or_default();
    assert!(end["end"] == "dismissed" && why.contains(&name), "{record}");
    run(&["recover", "--json"], 0);
    for arguments in [&["recover", "--dismiss", "1"][..], &["undo", "1", "--yes"]] {
        let output = program::journalled(lab, arguments).output().expect("the program starts");
        let said = program::describe_failure(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("dismiss"), "{said}");
    }
    Ok(())
}

static LOOP: Title =
    Title { label: "swapadm-live-lo", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000010c0de" };

/// Without rights nothing is tried, and the commands are shown.
pub(crate) fn nobody_may(scene: &Scene<'_>) {
    let [wish, _] = priority_arguments(scene, [5, 5]);
    let mut command = swapadm(scene, &["priority", &wish, "--yes"]);
    command.uid(program::NOBODY).gid(program::NOBODY).current_dir("/");
    let output = command.output().expect("the program starts");
    let said = program::describe_failure(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("changing swap needs root") && said.contains("swapon --priority 5"),
        "{said}"
    );
}

/// Ctrl-C, a signal or a closed terminal restores the machine.
pub(crate) fn stopped(scene: &mut Scene<'_>) {
    let before = pair(scene);
    let sum = scene.hog.sum();
    let [a, b] = priority_arguments(scene, [32_100, 32_200]);
    let mut stopped = 0;
    signals::heard();
    let whole = Instant::now();
    json_of(&mut swapadm(scene, &["priority", &a, &b, "--yes", "--json"]), 0);
    let whole = whole.elapsed();
    let back = priority_arguments(scene, [32_000, 32_000]);
    let back = ["priority", &back[0], &back[1], "--yes", "--json"];
    json_of(&mut swapadm(scene, &back), 0);
    for (number, signal) in
        [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().cycle().take(12).enumerate()
    {
        let child = swapadm(scene, &["priority", &a, &b, "--yes", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // Times spread over the whole change, however slow the machine is.
        std::thread::sleep(whole.mul_f64((number + 1) as f64 / 13.0));
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
        let _ = kill(pid, signal);
        let output = child.wait_with_output().expect("it ends");
        match output.status.code() {
            // Before the first step or after the last: the signal ends it at once.
            None | Some(0) => {}
            Some(4) => stopped += 1,
            code => panic!("{code:?}: {}", program::describe_failure(&output)),
        }
        if output.status.code() == Some(0) {
            json_of(&mut swapadm(scene, &back), 0);
        }
        assert_eq!(pair(scene), before, "after {signal}");
    }
    lab::require_iterations(stopped, 3);
    // One signal is enough, as from systemd or a terminal; a second one does no harm.
    let child = swapadm(scene, &["priority", &a, &b, "--yes", "--json"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    // Wait until the change has started: a slow machine may not even listen before.
    let begun = Instant::now();
    while helper(&child).is_none() && begun.elapsed() < Duration::from_secs(10) {}
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
    let _ = (kill(pid, Signal::SIGTERM), kill(pid, Signal::SIGHUP));
    let code = child.wait_with_output().expect("it ends").status.code();
    assert_eq!((code, pair(scene)), (Some(4), before), "two signals at once");
    let late = swapadm(scene, &["priority", &a, &b, "--yes", "--timeout", "1ms"]).output();
    assert_eq!(late.expect("the program starts").status.code(), Some(4));
    assert_eq!(pair(scene), before);
    assert_eq!(scene.hog.sum(), sum, "no byte differs");
}

const UUID: &str = "5a9c0f3e-7b1d-4e62-8f40-0000000dc0de";
static TWIN: Title = Title { label: "swapadm-live-tw", uuid: UUID };

/// Runs `on`; returns the exit status and the messages.
fn on(lab: &Lab, arguments: &[&str]) -> (Option<i32>, String) {
    let all = [&["on"], arguments].concat();
    let mut command = program::command(&lab.scratch.program(), &all);
    command.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    let output = command.output().expect("the program starts");
    (output.status.code(), program::describe_failure(&output))
}

pub(crate) fn refused(lab: &Lab) -> Result<(), String> {
    let sparse = lab.scratch.file("sparse");
    fs::File::create(&sparse).and_then(|file| file.set_len(8 << 20)).expect("a sparse file");
    let first = areas::new_loop(lab, 8 << 20)?;
    let second = areas::new_zram(lab)?;
    areas::give_size(&second, 8 << 20, &TWIN)?;
    areas::write_header(&first.path, &TWIN, 8 << 20);
    let before = areas::listed();
    let text = |path: &Path| path.to_str().expect("text").to_owned();
    let (first, folder) = (text(&first.path), text(&lab.scratch.file("")));
    let cases: [(i32, &[&str], &[&str]); 10] = [
        (2, &["/dev/sd a"], &["/dev/sd a does not exist", "lsblk -f"]),
        (2, &[&first, "--priority", "40000"], &["40000", "0 to 32767"]),
        (2, &[&first, "--priority", "-5"], &["-5", "0 to 32767", "default"]),
        (2, &["/no/such/file"], &["/no/such/file", "does not exist", "lsblk -f"]),
        (2, &["UUID=00000000-1111-2222-3333-444444444444"], &["no device", "lsblk -f"]),
        (2, &[&format!("UUID={UUID}")], &["several devices", &first, "a new UUID"]),
        (3, &[&folder], &["is a directory", "name a file or a device"]),
        (3, &["/dev/null"], &["must be a regular file or a block device"]),
        (3, &[&text(&sparse)], &["has holes", "dd"]),
        (3, &[&text(&lab.scratch.program())], &["no swap header", "swapadm format"]),
    ];
    for (code, arguments, words) in cases {
        let (ended, said) = on(lab, &[arguments, &["--yes"]].concat());
        assert_eq!(ended, Some(code), "{arguments:?}: {said}");
        // Lines are broken between words.
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(said.contains(word), "{arguments:?}: {word:?} is not in {said}");
        }
    }
    assert_eq!(areas::listed(), before, "nothing was switched on");
    Ok(())
}

pub(crate) fn on_and_off(lab: &Lab) -> Result<(), String> {
    let area = areas::new_loop(lab, 8 << 20)?;
    areas::write_header(&area.path, &TWIN, 8 << 20);
    let path = area.path.to_str().expect("text");
    let swapadm = |arguments: &[&str]| {
        let mut command = program::command(&lab.scratch.program(), arguments);
        command.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
        json_of(&mut command, 0)
    };
    swapadm(&["on", &format!("UUID={UUID}"), "-p", "7", "--discard=pages", "--yes", "--json"]);
    assert_eq!(priority(&area.path), Some(7));
    let ways = [("--priority=9", format!("priority {path}=9")), ("-d", format!("off {path}"))];
    for (other, next) in ways {
        let (ended, said) = on(lab, &[path, other, "--yes"]);
        assert!(ended == Some(2) && said.contains(&format!("swapadm {next}")), "{said}");
    }
    assert_eq!(on(lab, &[path, "-p7", "--discard=pages", "--yes"]).0, Some(0), "it is so already");
    let renewed = swapadm(&["priority", "LABEL=swapadm-live-tw=9", "--yes", "--json"]);
    assert_eq!(priority(&area.path), Some(9));
    let to = &renewed["steps"][0]["to"];
    assert_eq!(to["discard"], "pages", "how it discards is kept: {renewed}");
    let base = area.path.file_name().and_then(|name| name.to_str()).expect("a name");
    swapadm(&["off", base, "--yes", "--json"]);
    assert_eq!(priority(&area.path), None);
    swapadm(&["undo", "3", "--yes", "--json"]);
    assert_eq!(priority(&area.path), Some(9));
    let default = swapadm(&["priority", &format!("{path}=default"), "--yes", "--json"]);
    assert_eq!(default["outcome"]["end"], "done");
    assert!(priority(&area.path).is_some_and(|priority| priority < 0));
    swapadm(&["off", path, "--yes", "--json"]);
    Ok(())
}
