//! Four areas get other priorities under load, and the program is killed or told to end meanwhile.
//!
//! `SWAPADM_KILLS` is the number of kills at random times, and also combines each step boundary with each
//! victim and each way to end; `SWAPADM_SEED` selects the times. `.ci/run` makes 40.

use crate::change;
use crate::lab::{self, Lab, kills};
use crate::program;
use crate::rebalance_scene::RebalanceScene;
use crate::{signals, syscalls, tty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// The two states between which priorities change.
const GOALS: [[i32; 4]; 2] = [[32_000, 31_900, 31_800, 31_700], [32_040, 31_930, 31_820, 31_710]];
/// Random kills without `SWAPADM_KILLS`.
const KILLS: u64 = 4;
const VICTIMS: [Victim; 3] = [Victim::Program, Victim::Helper, Victim::Both];

/// The process that is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Victim {
    Program,
    Helper,
    Both,
}

/// Pseudo-random numbers from a printed seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new() -> Self {
        let set = std::env::var("SWAPADM_SEED").ok().and_then(|seed| seed.parse().ok());
        let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let seed = set.or_else(|| clock().ok().map(|time| u64::from(time.subsec_nanos()) + 1));
        let seed = seed.unwrap_or(1).max(1);
        println!("SWAPADM_SEED={seed}");
        Self(seed)
    }

    pub(crate) fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[usize::try_from(self.below(all.len() as u64)).expect("small")]
    }
}

/// The scene, with everything that each round needs.
struct KillScene<'l> {
    four: RebalanceScene<'l>,
    files: [PathBuf; 2],
    journal: PathBuf,
    sum: String,
}

impl<'l> KillScene<'l> {
    fn build(lab: &'l Lab) -> Result<Self, String> {
        let start = GOALS[0].map(|number| u16::try_from(number).expect("a priority"));
        let mut four = RebalanceScene::build(lab, start)?;
        four.hog.fill(128);
        let file = |which: usize| {
            let path = lab.scratch.file(&format!("goal{which}"));
            let lines =
                (0..4).map(|place| format!("{} {}\n", four.path(place), GOALS[which][place]));
            fs::write(&path, lines.collect::<String>()).expect("a file");
            path
        };
        let files = [file(0), file(1)];
        let sum = four.hog.sum();
        Ok(Self { four, files, journal: lab.scratch.file("journal"), sum })
    }

    fn arguments(&self, goal: usize) -> [&str; 5] {
        let file = self.files[goal].to_str().expect("text");
        ["rebalance", "custom", file, "--yes", "--json"]
    }

    /// Starts the change.
    fn begin(&self, goal: usize) -> Child {
        let mut command = self.four.swapadm(&self.arguments(goal));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    }

    /// Makes the change without interruption; returns its duration.
    fn go(&self, goal: usize) -> Duration {
        let begun = Instant::now();
        let output = self.begin(goal).wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", program::describe_failure(&output));
        assert_eq!(self.four.priorities(), GOALS[goal].map(Some));
        begun.elapsed()
    }

    /// Interrupts a change at a step, with its area disabled: as when the helper is killed between its two
    /// system calls.
    fn stop_before_step(&self, step: u64) {
        self.go(0);
        let since = fs::read(&self.journal).map_or(0, |journal| journal.len());
        let mut child = self.begin(1);
        assert!(until(self, &mut child, since, step, "try"), "step {step} never came");
        kill_victim(&child, Victim::Both);
        let _ = child.wait_with_output();
        // The helper keeps the lock until it is gone.
        drop(crate::lock_waiting::lock());
        if self.four.priorities().iter().all(Option::is_some) {
            let plans = program::json(&mut self.four.swapadm(&["journal", "--json"]));
            let last = plans.as_array().and_then(|plans| plans.last()).expect("a plan");
            let place = usize::try_from(step).expect("small");
            let path = last["steps"][place]["from"]["path"].as_str().expect("a path");
            syscalls::swapoff(path.as_ref()).expect("zswap can be disabled");
        }
    }

    /// Recovers; then every area is active with its old or its new priority, and the journal agrees with
    /// the kernel. Returns whether an area had been left disabled.
    fn recover(&mut self, what: &str) -> bool {
        let recovered = self.four.json_of_command(&["recover", "--wait", "60", "--json"], 0);
        let left_off = recovered["steps"].as_array().is_some_and(|steps| !steps.is_empty());
        self.is_whole(&format!("{what}: {recovered}"));
        left_off
    }

    /// Undoes what is still in effect of a plan that was killed: then everything is as when it began.
    fn undo(&mut self, begun: [Option<i32>; 4], what: &str) {
        if self.four.priorities() != begun {
            let undone = self.four.json_of_command(&["undo", "--yes", "--json"], 0);
            assert_eq!(self.four.priorities(), begun, "{what}: {undone}");
            self.is_whole(&format!("{what}, undone"));
        }
    }

    fn is_whole(&mut self, what: &str) {
        let now = self.four.priorities();
        for (place, is) in now.iter().enumerate() {
            let known = is.is_some_and(|is| GOALS.iter().any(|goal| goal[place] == is));
            assert!(known, "{what}: {now:?}");
        }
        let plans = program::json(&mut self.four.swapadm(&["journal", "--json"]));
        let plans = plans.as_array().expect("plans");
        for (place, is) in now.iter().enumerate() {
            let allowed = by_journal(plans, self.four.path(place));
            let agrees = allowed.is_empty() || is.is_some_and(|is| allowed.contains(&is));
            assert!(agrees, "{what}: area {place} is {is:?}, the journal says {allowed:?}");
        }
        for plan in plans {
            let last = plan["events"].as_array().and_then(|events| events.last().cloned());
            let closed =
                last.is_some_and(|last| last["event"] == "end" && last["end"] != "partial");
            assert!(closed, "{what}: {plan}");
        }
    }

    /// The load has lost no byte so far; it continues.
    fn load_is_whole(&mut self) {
        self.four.hog.rest_unchanged(&self.sum);
        self.four.hog.guard();
    }
}

/// Possible priorities of an area according to its last journal entry: the new one if done, the old one if
/// failed, either if interrupted; empty without entry.
fn by_journal(plans: &[Value], path: &str) -> Vec<i32> {
    let priority = |area: &Value| {
        let set = area["priority"]["set"].as_i64().and_then(|number| i32::try_from(number).ok());
        (area["path"] == path).then_some(set.expect("a number"))
    };
    let (mut last, mut back) = (Vec::new(), false);
    for plan in plans {
        for event in plan["events"].as_array().expect("events") {
            let step = event["step"].as_u64().and_then(|step| usize::try_from(step).ok());
            let Some(step) = step.map(|step| &plan["steps"][step]) else { continue };
            let (from, to) = match step["kind"].as_str() {
                Some("renew") => (priority(&step["from"]), priority(&step["to"])),
                _ => (priority(&step["area"]), priority(&step["area"])),
            };
            let (Some(from), Some(to)) = (from, to) else { continue };
            let is = event["event"].as_str();
            // A failure does not say in which direction it was changed.
            back = if is == Some("failed") { back } else { event["back"] == true };
            last = match (is, back) {
                (Some("made"), false) | (Some("failed"), true) => vec![to],
                (Some("made"), true) | (Some("failed"), false) => vec![from],
                _ => vec![from, to],
            };
        }
    }
    last
}

pub(crate) fn kill_victim(child: &Child, victim: Victim) {
    let helper = if victim == Victim::Program { None } else { change::helper(child) };
    let program = (victim != Victim::Helper).then(|| child.id());
    for pid in program.into_iter().chain(helper) {
        let _ = kill(pid_of(pid), Signal::SIGKILL);
    }
}

fn pid_of(pid: u32) -> Pid {
    Pid::from_raw(i32::try_from(pid).expect("a number"))
}

/// Whether the process was killed; otherwise it must have ended in an expected way.
fn ended(output: &Output, what: &str) -> bool {
    let killed = output.status.signal() == Some(9);
    let code = output.status.code();
    assert!(
        killed || matches!(code, Some(0 | 4 | 5)),
        "{what}: {}",
        program::describe_failure(output)
    );
    code != Some(0)
}

/// Waits until a plan writes this event of this step to the journal; false if it ended before.
fn until(ring: &KillScene<'_>, child: &mut Child, since: usize, step: u64, event: &str) -> bool {
    loop {
        // The last entry is read even if the program ends at once.
        let has_ended = child.try_wait().expect("it belongs to the test").is_some();
        let text = fs::read_to_string(&ring.journal).unwrap_or_default();
        let is = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            line["event"] == event && line["step"] == step
        };
        if text.get(since..).unwrap_or_default().lines().any(is) {
            return true;
        }
        if has_ended {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Kills at each step boundary, as soon as the journal has it.
pub(crate) fn at_each_boundary(lab: &Lab) -> Result<(), String> {
    let mut ring = KillScene::build(lab)?;
    let (mut rounds, mut cut, mut left_off) = (0, 0, 0);
    let begun = Instant::now();
    ring.four.hog.guard();
    for (boundary, (event, step)) in BOUNDARIES.into_iter().enumerate() {
        // A quick run tries each boundary with one victim.
        let meets = |victim: &usize| kills().is_some() || boundary % 3 == *victim;
        for victim in (0..3).filter(meets).map(|victim: usize| VICTIMS[victim]) {
            ring.go(0);
            let before = ring.four.priorities();
            let what = format!("{victim:?} at {event} {step}");
            let since = fs::read(&ring.journal).map_or(0, |journal| journal.len());
            let mut child = ring.begin(1);
            assert!(until(&ring, &mut child, since, step, event), "{what} never came");
            kill_victim(&child, victim);
            let output = child.wait_with_output().expect("it ends");
            rounds += 1;
            cut += u32::from(ended(&output, &what));
            left_off += u32::from(ring.recover(&what));
            ring.undo(before, &what);
        }
        if boundary % 4 == 3 {
            ring.load_is_whole();
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{rounds} kills at boundaries in {seconds:.1} s: {cut} cut off, {left_off} with an area left off"
    );
    assert!(cut >= rounds / 2, "too few were cut off to say anything: {cut} of {rounds}");
    ring.four.hog.rest_unchanged(&ring.sum);
    Ok(())
}

/// Kills at random times.
pub(crate) fn at_random(lab: &Lab) -> Result<(), String> {
    let kills = kills().unwrap_or(KILLS);
    let mut dice = Dice::new();
    let mut ring = KillScene::build(lab)?;
    ring.four.hog.guard();
    let whole = ring.go(1).max(ring.go(0));
    let (mut cut, mut left_off) = (0, 0);
    let begun = Instant::now();
    for round in 0..kills {
        // From the state of the last round to a state in which at least one area differs.
        let before = ring.four.priorities();
        let goal = usize::from(before == GOALS[0].map(Some));
        let victim = match dice.below(5) {
            0 | 1 => Victim::Program,
            2 | 3 => Victim::Helper,
            _ => Victim::Both,
        };
        let moment = whole.mul_f64(dice.below(1000) as f64 / 1000.0);
        let what = format!("round {round}, {victim:?} after {moment:?}");
        let child = ring.begin(goal);
        std::thread::sleep(moment);
        kill_victim(&child, victim);
        let output = child.wait_with_output().expect("it ends");
        cut += u64::from(ended(&output, &what));
        left_off += u64::from(ring.recover(&what));
        // Where nothing is undone, the next round begins between the two states.
        if round % 2 == 0 {
            ring.undo(before, &what);
        }
        if round % 10 == 9 {
            ring.load_is_whole();
        }
    }
    let (whole, seconds) = (whole.as_secs_f64(), begun.elapsed().as_secs_f64());
    println!(
        "measured: {kills} kills in {seconds:.1} s, {cut} in the middle, {left_off} with an area left disabled; no byte lost, and every second one undone (a whole run takes {whole:.2} s)"
    );
    lab::require_iterations(cut, kills / 4);
    ring.four.hog.rest_unchanged(&ring.sum);
    Ok(())
}

/// Recovery itself is interrupted with an area disabled; the next one repairs it.
pub(crate) fn at_recovery(lab: &Lab) -> Result<(), String> {
    let mut ring = KillScene::build(lab)?;
    before_the_first_try(&mut ring);
    ring.stop_before_step(0);
    let begun = Instant::now();
    let recovered = ring.four.json_of_command(&["recover", "--wait", "60", "--json"], 0);
    let whole = begun.elapsed();
    assert_eq!(recovered["steps"].as_array().map(Vec::len), Some(1), "{recovered}");
    ring.is_whole("undisturbed");
    let rounds = lab::rounds(9, 48);
    let (mut cut, mut left_off) = (0, 0);
    for round in 0..rounds {
        ring.stop_before_step(round % 4);
        let since = fs::read(&ring.journal).map_or(0, |journal| journal.len());
        let mut command = ring.four.swapadm(&["recover", "--wait", "60", "--json"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        let victim = VICTIMS[usize::try_from(round / 3 % 3).expect("small")];
        // Once the step is done there is no helper any more.
        let (victim, moment) = match round % 3 {
            0 => (victim, Err("try")),
            1 => (Victim::Program, Err("made")),
            _ => (victim, Ok(whole.mul_f64(round as f64 / rounds as f64))),
        };
        let what = format!("recovery {round}, {victim:?} at {moment:?}");
        match moment {
            Ok(moment) => std::thread::sleep(moment),
            Err(event) => drop(until(&ring, &mut child, since, 0, event)),
        }
        kill_victim(&child, victim);
        let output = child.wait_with_output().expect("it ends");
        cut += u64::from(ended(&output, &what));
        left_off += u64::from(ring.recover(&what));
        assert!(!ring.recover(&what), "{what}: nothing is left to recover");
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{rounds} recoveries killed in {seconds:.1} s, a whole one takes {whole:?}: {cut} cut off, {left_off} with an area left off"
    );
    lab::require_iterations(cut, rounds / 4);
    ring.four.hog.rest_unchanged(&ring.sum);
    Ok(())
}

/// The journal accepts only the start of a plan and no further byte, as if the program had been killed
/// there.
fn before_the_first_try(ring: &mut KillScene<'_>) {
    ring.go(1);
    let text = fs::read_to_string(&ring.journal).expect("a journal");
    let begin = text.lines().next().expect("a line").len() + 1;
    ring.go(0);
    let since = fs::read(&ring.journal).expect("a journal").len();
    let mut command = ring.four.swapadm(&ring.arguments(1));
    // The text has the same length as for the first plan: their numbers have one digit.
    syscalls::limit_files(&mut command, u64::try_from(since + begin).expect("small"));
    let output = command.output().expect("the program starts");
    let what = program::describe_failure(&output);
    assert_eq!(output.status.code(), Some(4), "{what}");
    assert!(what.contains("limit on the size of files"), "{what}");
    let plans = program::json(&mut ring.four.swapadm(&["journal", "--json"]));
    let last = plans.as_array().and_then(|plans| plans.last()).expect("a plan");
    assert_eq!((last["plan"].as_u64(), &last["events"]), (Some(3), &Value::Array(Vec::new())));
    assert!(!ring.recover("before the first try"), "nothing was touched");
    assert_eq!(ring.four.priorities(), GOALS[0].map(Some));
}

/// A program that is told to end does so cleanly: nothing is left to recover.
pub(crate) fn told_to_end(lab: &Lab) -> Result<(), String> {
    signals::heard();
    let mut ring = KillScene::build(lab)?;
    ring.four.hog.guard();
    let whole = ring.go(1).min(ring.go(0));
    let (mut stopped, mut hung_up) = (0, 0);
    let begun = Instant::now();
    // As many of each of the four ways.
    let rounds: usize = if kills().is_some() { 40 } else { 8 };
    for round in 0..rounds {
        let goal = usize::from(ring.four.priorities() == GOALS[0].map(Some));
        let (turns, turn) = (round / 20, round / 4 % 5);
        let moment = match kills() {
            // In a long run, each way is tried at each boundary.
            Some(_) if turn < 4 => Err(BOUNDARIES[turns % 2 * 4 + turn]),
            _ => Ok(whole.mul_f64(round as f64 / rounds as f64)),
        };
        let what = format!("round {round}, at {moment:?}");
        let code = match round % 4 {
            3 => closed(&ring, goal, moment),
            way => signalled(&ring, goal, moment, way),
        };
        // The signal came before the program listened.
        let none = code.is_none();
        assert!(none || matches!(code, Some(0 | 4)), "{what}: {code:?}");
        stopped += usize::from(code == Some(4));
        hung_up += usize::from(code == Some(4) && round % 4 == 3);
        let state = if code == Some(0) { goal } else { 1 - goal };
        let recovered = ring.four.json_of_command(&["recover", "--wait", "60", "--json"], 0);
        assert_eq!(recovered["steps"], Value::Array(Vec::new()), "{what}: {recovered}");
        assert_eq!(ring.four.priorities(), GOALS[state].map(Some), "{what} {code:?}");
        ring.is_whole(&what);
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("{rounds} told to end in {seconds:.1} s: {stopped} were stopped");
    assert!(stopped > rounds / 4, "too few were stopped to say anything: {stopped}");
    assert!(hung_up > 0, "a closed terminal stopped at least one");
    ring.four.hog.rest_unchanged(&ring.sum);
    Ok(())
}

/// After a while, or when the journal has this event of a step.
type StopPoint = Result<Duration, (&'static str, u64)>;

/// The begin and the end of each step.
const BOUNDARIES: [(&str, u64); 8] = [
    ("try", 0),
    ("made", 0),
    ("try", 1),
    ("made", 1),
    ("try", 2),
    ("made", 2),
    ("try", 3),
    ("made", 3),
];

/// Starts it, and waits for that time.
fn stop_at(ring: &KillScene<'_>, moment: StopPoint, start: impl FnOnce() -> Child) -> Child {
    let since = fs::read(&ring.journal).map_or(0, |journal| journal.len());
    let mut child = start();
    match moment {
        Ok(moment) => std::thread::sleep(moment),
        Err((event, step)) => {
            assert!(until(ring, &mut child, since, step, event), "{event} {step} never came");
        }
    }
    child
}

fn signalled(ring: &KillScene<'_>, goal: usize, moment: StopPoint, way: usize) -> Option<i32> {
    let signal = match way {
        0 => Signal::SIGINT,
        1 => Signal::SIGTERM,
        _ => Signal::SIGHUP,
    };
    let child = stop_at(ring, moment, || ring.begin(goal));
    let _ = kill(pid_of(child.id()), signal);
    child.wait_with_output().expect("it ends").status.code()
}

/// On a terminal that is closed after a while.
fn closed(ring: &KillScene<'_>, goal: usize, moment: StopPoint) -> Option<i32> {
    let (master, slave) = tty::pair().expect("a pseudo-terminal");
    let end = || slave.try_clone().expect("a descriptor");
    let mut command = ring.four.swapadm(&ring.arguments(goal)[..4]);
    tty::lead_session(&mut command);
    command.stdin(end()).stdout(end()).stderr(end());
    let mut child = stop_at(ring, moment, || command.spawn().expect("the program starts"));
    // The remaining descriptors of the terminal must be closed too.
    drop((command, slave));
    drop(master);
    child.wait().expect("it ends").code()
}
