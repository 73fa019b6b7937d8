//! The interface on real swap: changes by keys, on a terminal of its own.

use crate::areas::{self, Area, Title};
use crate::change;
use crate::lab::Lab;
use crate::program;
use crate::pty::{Modes, Start, Terminal};
use crate::scene::Scene;
use crate::tty;
use nix::sys::signal::{Signal, kill};
use serde_json::Value;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

static OWN: Title =
    Title { label: "swapadm-live-ui", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000110de" };

/// Why no terminal can be created here, if so.
pub(crate) fn lacks_terminal() -> Option<String> {
    tty::pair().err().map(|error| format!("no pseudo-terminal: {error}"))
}

/// The interface with a journal of its own.
fn start(lab: &Lab) -> Terminal {
    open(interface(lab))
}

fn interface(lab: &Lab) -> Start {
    let start = Start::program(lab.scratch.program(), &[]);
    start.env("SWAPADM_JOURNAL", lab.scratch.file("journal"))
}

pub(crate) fn open(start: Start) -> Terminal {
    let mut terminal = start.open();
    terminal.wait_for("[1 Overview]");
    terminal.wait_for("live 1s  read-only");
    terminal
}

pub(crate) fn arm(terminal: &mut Terminal) {
    terminal.press("W", "[ Stay read-only ]");
    terminal.press("\t", "[ Enable write mode ]");
    terminal.press("\r", "live 1s  write mode");
}

/// Opens the actions of this area.
fn actions(terminal: &mut Terminal, area: &Path) {
    let name = area.to_str().expect("text");
    terminal.press("2", "[2 Devices]");
    terminal.press(&format!("/{name}\r"), &format!("> {name} "));
    terminal.press("a", &format!("Actions: {name}"));
}

/// Opens the plan to disable it.
fn plan_off(terminal: &mut Terminal, area: &Path) {
    actions(terminal, area);
    terminal.press("\r", " Cancel ");
}

/// Moves to the confirm button, past any word that must be typed: recent memory pressure is enough for
/// that.
pub(crate) fn ready(terminal: &mut Terminal) {
    let text = terminal.text();
    let asked = text.split_once("Type ").and_then(|(_, rest)| rest.split_once(" to confirm"));
    match asked {
        Some((word, _)) => terminal.press(&format!("{word}\r"), "[ Run ]"),
        None => terminal.press("\t", "[ Run ]"),
    }
}

/// Confirms.
fn confirm(terminal: &mut Terminal) {
    ready(terminal);
    terminal.keys("\r");
}

/// A change in write mode, undone from the journal.
pub(crate) fn by_keys(lab: &Lab) -> Result<(), String> {
    let area = areas::zram(lab, 32 << 20, &OWN, 31_500)?;
    let mut terminal = start(lab);
    arm(&mut terminal);
    actions(&mut terminal, &area.path);
    terminal.press("j", "> priority...");
    terminal.press("\r", "0 to 32767");
    terminal.press("31400\r", "to 31400");
    ready(&mut terminal);
    assert_eq!(change::priority(&area.path), Some(31_500), "a plan changes nothing");
    terminal.press("\r", "Done (journal 1;");
    assert_eq!(change::priority(&area.path), Some(31_400));
    terminal.keys("\r");
    terminal.press("J", "1  done       priority of");
    terminal.press("u", "Undo plan 1");
    ready(&mut terminal);
    terminal.press("\r", "Done (journal 2;");
    assert_eq!(change::priority(&area.path), Some(31_500));
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    assert_eq!(terminal.modes(), Modes::REST);
    drop(area);
    zram_by_keys(lab)
}

/// A zram device gets another size, without the time limit, and then its first size again.
fn zram_by_keys(lab: &Lab) -> Result<(), String> {
    let area = areas::zram(lab, 32 << 20, &OWN, 31_500)?;
    let size = || {
        let text = std::fs::read_to_string(areas::sysfs(&area.path).join("disksize"));
        text.expect("a size").trim().parse::<u64>().expect("a number")
    };
    let mut terminal = start(lab);
    arm(&mut terminal);
    let plan = |terminal: &mut Terminal| {
        terminal.press("jj", "> size...");
        terminal.press("\r", "50% of memory");
        terminal.press("much\r", "size \"much\" is not valid");
        terminal.press("\x1548M\r", "t time: none");
    };
    actions(&mut terminal, &area.path);
    plan(&mut terminal);
    terminal.press("t", "time limit");
    terminal.press("0\r", "t time: 0s");
    ready(&mut terminal);
    terminal.press("\r", "NOT DONE: it took longer than 0s. Everything is as it was.");
    assert_eq!((size(), change::priority(&area.path)), (32 << 20, Some(31_500)));
    terminal.keys("\r");
    // Filtering keeps the rows in place.
    terminal.press("a", "Actions: /dev/zram");
    plan(&mut terminal);
    ready(&mut terminal);
    assert_eq!(size(), 32 << 20, "a plan changes nothing");
    terminal.press("\r", "Done (journal 4;");
    assert_eq!((size(), change::priority(&area.path)), (48 << 20, Some(31_500)));
    terminal.keys("\r");
    terminal.press("u", "Undo plan 4");
    ready(&mut terminal);
    terminal.press("\r", "Done (journal 5;");
    assert_eq!((size(), change::priority(&area.path)), (32 << 20, Some(31_500)));
    terminal.keys("\r");
    let new = next_zram(lab)?;
    terminal.press("a", "Actions: /dev/zram");
    terminal.press("Gkkkkkkkkkk", "> new zram swap...");
    terminal.press("\r", "50% of memory");
    terminal.press("16M\r", " of 16M   until reboot");
    ready(&mut terminal);
    terminal.press("\r", "Done (journal 6;");
    assert_eq!(change::priority(&new.path), Some(100));
    terminal.keys("\r");
    terminal.press("u", "Undo plan 6");
    ready(&mut terminal);
    terminal.press("\r", "Done (journal 7;");
    assert!(!areas::sysfs(&new.path).exists(), "it is gone again");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    Ok(())
}

/// The next zram device, removed with the test.
fn next_zram(lab: &Lab) -> Result<Area, String> {
    let next = areas::new_zram(lab)?;
    let number = next.path.to_string_lossy().trim_start_matches("/dev/zram").to_owned();
    drop(next);
    Ok(areas::adopt_zram(lab, number.parse().expect("a number")))
}

/// A change made by others since the plan is respected.
pub(crate) fn overtaken(lab: &Lab) -> Result<(), String> {
    let area = areas::zram(lab, 32 << 20, &OWN, 31_500)?;
    let mut terminal = start(lab);
    arm(&mut terminal);
    plan_off(&mut terminal, &area.path);
    let wish = format!("{}=31450", area.path.display());
    let mut other = program::command(&lab.scratch.program(), &["priority", &wish, "--yes"]);
    program::output(other.env("SWAPADM_JOURNAL", lab.scratch.file("journal")));
    ready(&mut terminal);
    terminal.press("\r", "swap has changed since the plan was made");
    assert_eq!(change::priority(&area.path), Some(31_450));
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    Ok(())
}

/// Without rights the plan is shown and its commands can be copied; nothing else.
pub(crate) fn nobody_may(lab: &Lab) -> Result<(), String> {
    let area = areas::zram(lab, 32 << 20, &OWN, 31_500)?;
    let mut terminal = open(interface(lab).user(program::NOBODY));
    terminal.press("W", "changing swap needs root");
    plan_off(&mut terminal, &area.path);
    terminal.wait_for("changing swap needs root");
    terminal.press("\t", "[ Run: not possible, y copies it ]");
    terminal.press("\r", "changing swap needs root");
    terminal.press("y", "copied \"swapoff ");
    let copied = terminal.raw.windows(5).any(|bytes| bytes == b"\x1b]52;");
    assert!(copied, "nothing went to the clipboard");
    assert_eq!(change::priority(&area.path), Some(31_500));
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    Ok(())
}

/// Number of interrupted changes required.
const ENDED: u32 = 3;

/// Ending the interface during a change restores the machine and the terminal.
pub(crate) fn ended_in_the_middle(scene: &mut Scene<'_>) {
    let sum = scene.hog.sum();
    let area = scene.pair[0].path.clone();
    let before = change::priority(&area);
    let mut stopped = 0;
    let signals = [Signal::SIGTERM, Signal::SIGHUP].into_iter().cycle().take(12);
    for (number, signal) in (0..).zip(signals) {
        if stopped == ENDED {
            break;
        }
        let mut terminal = start(scene.lab);
        arm(&mut terminal);
        begin_off(&mut terminal, &area);
        std::thread::sleep(Duration::from_millis(5 * (number % 4)));
        kill(terminal.leader(), signal).expect("the program runs");
        let status = terminal.ended();
        assert_eq!(status.signal(), Some(signal as i32), "{status}\n{}", terminal.text());
        assert_eq!(terminal.modes(), Modes::REST, "{signal}");
        if change::priority(&area).is_none() {
            take_back(scene);
            // The area is empty now: new pages are written there again.
            scene.hog.renew();
        } else {
            stopped += 1;
            let text = terminal.text();
            assert!(text.contains("NOT DONE: it was interrupted"), "{text}");
        }
        assert_eq!(change::priority(&area), before, "after {signal}");
    }
    assert_eq!(stopped, ENDED, "it was complete before the stop");
    assert_eq!(scene.hog.sum(), sum, "no byte differs");
}

/// Starts to disable it, and waits until that has begun.
fn begin_off(terminal: &mut Terminal, area: &Path) {
    plan_off(terminal, area);
    confirm(terminal);
    terminal.wait("the change begins", |terminal| {
        let text = terminal.text();
        text.contains("CHANGE 1/1 ") || text.contains("Done (journal")
    });
}

/// The last plan in the journal.
fn last(scene: &Scene<'_>) -> Value {
    let plans = program::json(&mut change::swapadm(scene, &["journal", "--json"]));
    plans.as_array().and_then(|plans| plans.last().cloned()).expect("a plan")
}

fn take_back(scene: &Scene<'_>) {
    let plan = last(scene)["plan"].to_string();
    let undo = program::output(&mut change::swapadm(scene, &["undo", &plan, "--yes"]));
    assert!(undo.contains("Done"), "{undo}");
}

/// After a kill during a change, the next start reports the interruption and repairs it.
pub(crate) fn killed_in_the_middle(scene: &mut Scene<'_>) {
    let sum = scene.hog.sum();
    let area = scene.pair[0].path.clone();
    let before = change::priority(&area);
    let mut cut = 0;
    for number in 0..12 {
        let mut terminal = start(scene.lab);
        arm(&mut terminal);
        begin_off(&mut terminal, &area);
        std::thread::sleep(Duration::from_millis(3 * (number % 4)));
        kill(terminal.leader(), Signal::SIGKILL).expect("the program runs");
        assert_eq!(terminal.ended().signal(), Some(9));
        // The helper continues alone, as it would without a terminal.
        let until = Instant::now() + Duration::from_secs(2);
        while change::priority(&area).is_some() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        drop(terminal);
        if has_ended(&last(scene)) {
            take_back(scene);
            continue;
        }
        cut += 1;
        put_right(scene.lab);
        assert_eq!(change::priority(&area), before);
        if cut > 2 {
            break;
        }
    }
    assert!(cut > 0, "no change was interrupted");
    let mut terminal = start(scene.lab);
    terminal.press("a", "repair interrupted changes");
    terminal.press("G", "> repair interrupted changes");
    terminal.press("\r", "Nothing to repair");
    terminal.keys("q");
    assert!(terminal.ended().success());
    assert_eq!(scene.hog.sum(), sum, "no byte differs");
}

pub(crate) fn has_ended(plan: &Value) -> bool {
    let last = plan["events"].as_array().and_then(|events| events.last());
    last.is_some_and(|event| event["event"] == "end")
}

/// From the message at the start to the end of recovery.
pub(crate) fn put_right(lab: &Lab) {
    let mut terminal = start(lab);
    terminal.wait_for("interrupted or only partly done (1)");
    arm(&mut terminal);
    terminal.press("J", "> repair interrupted changes");
    // The focus is on the word to type, if one is asked for.
    terminal.press("\r", " Cancel ");
    ready(&mut terminal);
    terminal.press("\r", "Done");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
}

/// A change that cannot fit is refused at once. When forced from within the cgroup that is short of memory,
/// it fails; the load, the area and the interface are unharmed.
pub(crate) fn what_cannot_fit(scene: &mut Scene<'_>) {
    let sum = scene.hog.sum();
    let area = scene.pair[0].path.clone();
    let before = change::priority(&area);
    let mut terminal = start(scene.lab);
    arm(&mut terminal);
    plan_off(&mut terminal, &area);
    is_locked(&mut terminal, "cgroup");
    assert_eq!(change::priority(&area), before, "it is refused");
    // Everything started from here shares the memory of the load.
    let program = u32::try_from(terminal.leader().as_raw()).expect("a process");
    scene.cage.hold(program);
    force(&mut terminal, "cgroup");
    terminal.wait_for("NOT DONE: ");
    assert_eq!(change::priority(&area), before, "{}", terminal.text());
    goes_on(terminal);
    assert_eq!(scene.hog.sum(), sum, "no byte differs");
}

/// Nothing can be confirmed without accepting the risk.
fn is_locked(terminal: &mut Terminal, risk: &str) {
    terminal.wait_for(&format!("Type {risk} to accept the risk"));
    terminal.press("\t", "[ Run: locked ]");
    terminal.press("\r", "locked: press Tab");
}

/// Accepts the risk there.
fn force(terminal: &mut Terminal, risk: &str) {
    terminal.press(&format!("\x1b[Z{risk}\r"), "[ Accept the risk and check again ]");
    terminal.press("\r", " Cancel ");
    terminal.wait_for("to confirm");
    confirm(terminal);
}

/// The interface still works after the failed change.
fn goes_on(mut terminal: Terminal) {
    terminal.keys("\r");
    terminal.press("1", "[1 Overview]");
    terminal.press("J", "undone");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
}

/// The same with the whole machine short of memory: the change stops before memory runs out.
pub(crate) fn without_memory(lab: &Lab, area: &Path) {
    let before = change::priority(area);
    let mut terminal = start(lab);
    arm(&mut terminal);
    plan_off(&mut terminal, area);
    is_locked(&mut terminal, "memory");
    assert_eq!(change::priority(area), before, "it is refused");
    force(&mut terminal, "memory");
    // An emulated machine is slow.
    let failed = |terminal: &Terminal| terminal.text().contains("NOT DONE: ");
    terminal.wait_within(Duration::from_mins(4), "NOT DONE", failed);
    // The message is wrapped over several lines, and its end is cut.
    terminal.wait_for("run out");
    assert_eq!(change::priority(area), before, "{}", terminal.text());
    goes_on(terminal);
}
