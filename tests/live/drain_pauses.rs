//! Swapoffs that pause while the machine is short of memory.

use crate::change::{self, helper, priority, swapadm};
use crate::lock_waiting::lock;
use crate::program;
use crate::progress::CLEAR;
use crate::pty::Start;
use crate::scene::Scene;
use crate::signals;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const PRESSURE: &str = "/proc/pressure/memory";
/// Time limit for the load to cause measurable PSI.
const PATIENCE: Duration = Duration::from_secs(40);
/// PSI in percent that is not accidental.
const WAITS: f64 = 0.4;
/// Factor by which `avg10` falls in about 7 s without pressure: it is a mean over 10 s.
const FALL: f64 = 2.0;

/// All tests of paused swapoffs.
pub(crate) fn rests(scene: &mut Scene<'_>) -> Result<(), String> {
    signals::heard();
    let sum = scene.hog.sum();
    scene.hog.guard();
    // Far below, since PSI varies meanwhile.
    let pace = pace_below_the_waits(10.0)?;
    keeps_others_out(scene, &pace);
    stopped(scene, &pace);
    killed(scene, &pace);
    // PSI is higher now than at first: it only has to fall to this.
    goes_on(scene, &pace_below_the_waits(FALL)?);
    assert_eq!(scene.hog.sum(), sum, "a byte differs");
    Ok(())
}

fn waits() -> Option<f64> {
    let text = fs::read_to_string(PRESSURE).ok()?;
    let full = text.lines().find_map(|line| line.strip_prefix("full avg10="))?;
    full.split(' ').next()?.parse().ok()
}

/// A pace limit at which a swapoff pauses while the load runs: this part of the current PSI.
fn pace_below_the_waits(part: f64) -> Result<String, String> {
    let begun = Instant::now();
    loop {
        let waits = waits().ok_or_else(|| format!("{PRESSURE} cannot be read"))?;
        if waits >= WAITS {
            return Ok((waits / part).to_string());
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("the load causes a PSI of only {waits}%"));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Starts to disable the first of the pair, and waits until it pauses.
fn resting(scene: &Scene<'_>, pace: &str) -> Child {
    let area = scene.pair[0].path.to_str().expect("text");
    let arguments = ["off", area, "--yes", "--json", "--pace", pace, "--timeout", "5m"];
    let mut command = swapadm(scene, &arguments);
    let child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    std::thread::sleep(Duration::from_secs(2));
    let begun = Instant::now();
    // The swapoff may just be active.
    while helper(&child).is_some() && begun.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!((helper(&child), priority(&scene.pair[0].path)), (None, Some(32_000)));
    child
}

/// A terminal that was stopped by Ctrl-S, or is at the end of a broken connection, takes no output. The drain
/// is guarded all the same, and its journal is closed.
pub(crate) fn on_stopped_terminal(scene: &mut Scene<'_>) -> Result<(), String> {
    let sum = scene.hog.sum();
    scene.hog.guard();
    let pace = pace_below_the_waits(10.0)?;
    let area = scene.pair[0].path.to_str().expect("text");
    let mut figures = Vec::new();
    for (limit, signal) in [("5s", None), ("10m", Some(Signal::SIGINT))] {
        let command = ["off", area, "--yes", "--pace", &pace, "--timeout", limit];
        let start = Start::program(scene.lab.scratch.program(), &command);
        let start = start.env("SWAPADM_JOURNAL", scene.lab.scratch.file("journal"));
        let mut terminal = start.size(120, 40).open();
        terminal.wait_for("paused: PSI");
        terminal.keys("\x13");
        if let Some(signal) = signal {
            // By now there is more to show.
            std::thread::sleep(Duration::from_secs(5));
            let _ = kill(terminal.leader(), signal);
        }
        let begun = Instant::now();
        while last_event(scene)["event"] != "end" {
            assert!(begun.elapsed() < PATIENCE, "the guard waits for the terminal: {limit}");
            std::thread::sleep(Duration::from_millis(100));
        }
        let by = signal.map_or("--timeout", Signal::as_str);
        figures.push(format!("{by}: over after {} ms", begun.elapsed().as_millis()));
        assert_eq!(priority(&scene.pair[0].path), Some(32_000));
        assert!(!terminal.session().is_empty(), "the outcome can still be shown");
        // Nobody has to wait for the terminal to change swap.
        drop(lock());
        terminal.keys("\x11");
        assert_eq!(terminal.ended().code(), Some(4), "{}", terminal.text());
        let shown = String::from_utf8_lossy(&terminal.raw).into_owned();
        let why = if signal.is_some() { "interrupted (SIGINT)" } else { "longer than 5s" };
        let last = shown.rsplit(CLEAR).next();
        assert!(last.is_some_and(|last| last.contains(why)), "{shown:?}");
    }
    scene.hog.rest();
    assert_eq!(scene.hog.sum(), sum, "a byte differs");
    println!("measured: {}", figures.join(", "));
    Ok(())
}

/// The last event in the journal.
fn last_event(scene: &Scene<'_>) -> Value {
    let list = program::json(&mut swapadm(scene, &["journal", "--json"]));
    let plans = list.as_array().expect("plans");
    plans.last().and_then(|plan| plan["events"].as_array()?.last().cloned()).expect("an event")
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("a number"))
}

/// Others cannot change swap meanwhile, and are told who does, and what.
fn keeps_others_out(scene: &Scene<'_>, pace: &str) {
    let child = resting(scene, pace);
    let list = program::json(&mut swapadm(scene, &["journal", "--json"]));
    let title = list.as_array().and_then(|plans| plans.last()?["title"].as_str()).expect("a title");
    let holder = format!("pid {}: {title}", child.id());
    let other = &scene.pair[1].path;
    let (wish, was) = (format!("{}=31900", other.display()), priority(other));
    for (wait, seconds) in [(&[][..], 0.0), (&["--wait", "1"], 1.0)] {
        let asked = Instant::now();
        let arguments = [&["priority", &wish, "--yes"], wait].concat();
        let output = swapadm(scene, &arguments).output().expect("the program starts");
        let waited = asked.elapsed().as_secs_f64();
        let said = program::describe_failure(&output);
        assert_eq!(output.status.code(), Some(3), "{wait:?}: {said}");
        // Lines are broken between words.
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&holder) && words.contains("--wait"), "{wait:?}: {holder}: {said}");
        assert!((seconds..seconds + 10.0).contains(&waited), "{wait:?}: {waited} s");
        assert_eq!(priority(other), was, "{wait:?}");
    }
    let _ = kill(pid(&child), Signal::SIGINT);
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(4), "{}", program::describe_failure(&ended));
}

/// An interruption ends a pause at once.
fn stopped(scene: &Scene<'_>, pace: &str) {
    let child = resting(scene, pace);
    let asked = Instant::now();
    let _ = kill(pid(&child), Signal::SIGINT);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(4), "{}", program::describe_failure(&output));
    assert!(
        asked.elapsed() < Duration::from_secs(3),
        "the swapoff stayed paused: {:?}",
        asked.elapsed()
    );
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(told["rests"]["count"].as_u64() > Some(0), "{told}");
    assert_eq!(priority(&scene.pair[0].path), Some(32_000));
}

/// After a kill during a pause the journal has the interruption.
fn killed(scene: &Scene<'_>, pace: &str) {
    let mut child = resting(scene, pace);
    let _ = child.kill();
    let _ = child.wait();
    assert_eq!(priority(&scene.pair[0].path), Some(32_000));
    assert_eq!(last_event(scene)["event"], "try");
    let told = change::json_of(&mut swapadm(scene, &["recover", "--yes", "--json"]), 0);
    assert_eq!(told["steps"].as_array().map(Vec::len), Some(0), "{told}");
    assert_eq!(last_event(scene)["end"], "recovered");
    let again = swapadm(scene, &["recover", "--yes"]).output().expect("the program starts");
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(said.contains("Nothing to repair"), "{said}");
    assert_eq!(priority(&scene.pair[0].path), Some(32_000));
}

/// The swapoff continues when pressure is gone, until the area is disabled.
fn goes_on(scene: &mut Scene<'_>, pace: &str) {
    let child = resting(scene, pace);
    scene.hog.rest();
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", program::describe_failure(&output));
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["outcome"]["end"], "done");
    assert!(told["rests"]["seconds"].as_f64() > Some(1.0), "{told}");
    assert_eq!(priority(&scene.pair[0].path), None);
}
