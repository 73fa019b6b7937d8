//! Loads run by keys, from the interface and at a prompt: they measure, are saved, can be stopped, and
//! leave nothing.

use crate::areas::Title;
use crate::interface::{arm, open, ready};
use crate::lab::Lab;
use crate::loads::{RecoverOnDrop, leftovers, workers};
use crate::pty::{Modes, Start, Terminal};
use crate::{areas, at_length_at_terminal, at_terminal, change, program};
use nix::sys::signal::{Signal, kill};
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::time::Duration;

#[test]
fn a_load_run_by_keys_is_kept_and_leaves_nothing() {
    with_terminal("a_load_run_by_keys_is_kept_and_leaves_nothing", by_keys);
}

#[test]
fn a_load_that_is_ended_by_keys_leaves_nothing() {
    with_terminal("a_load_that_is_ended_by_keys_leaves_nothing", ended);
}

#[test]
fn a_load_ends_in_order_when_the_interface_is_left() {
    at_length_at_terminal("a_load_ends_in_order_when_the_interface_is_left", |lab| {
        left(lab);
        Ok(())
    });
}

#[test]
fn an_experiment_run_by_keys_is_kept_and_leaves_nothing() {
    at_length_at_terminal("an_experiment_run_by_keys_is_kept_and_leaves_nothing", |lab| {
        experiment_by_keys(lab);
        Ok(())
    });
}

#[test]
fn an_experiment_that_is_ended_leaves_nothing() {
    with_terminal("an_experiment_that_is_ended_leaves_nothing", experiment_ended);
}

#[test]
fn without_rights_a_load_is_shown_and_not_run() {
    with_terminal("without_rights_a_load_is_shown_and_not_run", nobody_may);
}

#[test]
fn a_load_is_not_run_where_something_has_changed_since_it_was_shown() {
    at_terminal("a_load_is_not_run_where_something_has_changed_since_it_was_shown", overtaken);
}

/// Tests that need only a terminal.
fn with_terminal(name: &str, test: fn(&Lab)) {
    at_terminal(name, |lab| {
        test(lab);
        Ok(())
    });
}

/// Time limit of a small load on a slow machine.
pub(crate) const LONG: Duration = Duration::from_mins(2);

fn start(lab: &Lab) -> Start {
    let start = Start::program(lab.scratch.program(), &[]);
    let start = start.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    start.env("SWAPADM_RESULTS", lab.scratch.file("results"))
}

/// The lab with a small load set: a cgroup, two devices, and these settings of the load.
fn with_load(mut terminal: Terminal, keys: &str, load: &str, with: &str) -> Terminal {
    terminal.press("7", "[7 Lab]");
    terminal.wait_for("> usemem");
    terminal.press(keys, &format!("> {load}"));
    terminal.press("\t\r", "memory limit of all its processes");
    terminal.press("48M\r", "> limit      48M");
    terminal.press("j\r", "temporary zram swap");
    terminal.press("2x64M\r", "> zram       2x64M");
    terminal.press("G\r", "KEY=VALUE, such as");
    terminal.press(&format!("{with}\r"), &format!("> with       {with}"));
    terminal.press(".", &format!("Run the workload {load}"));
    terminal.wait_for("[ Cancel ]");
    terminal
}

pub(crate) fn run(lab: &Lab, keys: &str, load: &str, with: &str) -> Terminal {
    let mut terminal = open(start(lab));
    arm(&mut terminal);
    let mut terminal = with_load(terminal, keys, load, with);
    ready(&mut terminal);
    terminal.keys("\r");
    terminal
}

fn is_over(terminal: &Terminal) -> bool {
    terminal.text().contains("shows all of it")
}

fn by_keys(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let mut terminal = run(lab, "", "usemem", "size=24M");
    terminal.wait_within(LONG, "it is over", is_over);
    assert_eq!(leftovers(), before);
    terminal.wait_for("1 usemem");
    terminal.press("\r", "1 usemem, ");
    terminal.press("\x1b", "shows all of it");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    assert_eq!((terminal.modes(), workers(lab)), (Modes::REST, 0));
    let mut list = program::command(&lab.scratch.program(), &["results", "--csv"]);
    let list = program::output(list.env("SWAPADM_RESULTS", lab.scratch.file("results")));
    assert!(list.contains(",usemem,") && list.contains(",done"), "{list}");
}

fn ended(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let mut terminal = run(lab, "j", "random-write", "seconds=100");
    terminal.wait_within(LONG, "it runs", |terminal| terminal.text().contains("touching"));
    assert_ne!(leftovers(), before, "temporary swap existed");
    terminal.press("2", "RUN    random-write: ");
    terminal.press("\x1b[20~", "c stop and undo");
    terminal.keys("c");
    terminal
        .wait_within(LONG, "it was ended", |terminal| terminal.text().contains("you stopped it"));
    assert_eq!(leftovers(), before);
    terminal.keys("q");
    terminal.press("7", "shows all of it");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    assert_eq!(workers(lab), 0);
}

/// Leaving by the key, after the question, and by a signal.
fn left(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    for by_key in [true, false] {
        let mut terminal = run(lab, "j", "random-write", "seconds=100");
        terminal.wait_within(LONG, "it runs", |terminal| terminal.text().contains("touching"));
        if by_key {
            terminal.press("\x03", "A workload is running");
            terminal.press("\t\t", "[ Stop it, then exit ]");
            terminal.keys("\r");
            assert!(terminal.ended().success());
        } else {
            kill(terminal.leader(), Signal::SIGTERM).expect("the program runs");
            assert_eq!(terminal.ended().signal(), Some(15));
        }
        assert_eq!(terminal.modes(), Modes::REST);
        assert_eq!((leftovers(), workers(lab)), (before.clone(), 0), "by a key: {by_key}");
    }
}

/// A small experiment: two cases, each run once, on a device of its own.
fn few(with: &str) -> String {
    format!(
        "about = 'Few.'\nquestion = 'What?'\nrepetitions = 1\ncolumns = ['system']\n\
         [base]\nload = 'random-write'\nlimit = '48M'\ndevices = '1x64M'\n{with}\n\
         [[factor]]\nname = 'cluster'\nkey = 'set.page-cluster'\nvalues = [0, 1]\n"
    )
}

/// The lab with that experiment, confirmed.
fn run_few(lab: &Lab, with: &str) -> Terminal {
    let folder = lab.scratch.file("config").join("swapadm/experiments");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("few.toml"), few(with)).expect("a file");
    let mut terminal = open(start(lab).env("XDG_CONFIG_HOME", lab.scratch.file("config")));
    arm(&mut terminal);
    terminal.press("7", "[7 Lab]");
    terminal.wait_for("> usemem");
    terminal.press("k", "> few");
    terminal.wait_for("each once, in random order");
    terminal.press(".", "Run the experiment few");
    terminal.wait_for("for each run: ");
    ready(&mut terminal);
    terminal.keys("\r");
    terminal
}

/// The setting changed by the experiment, which must be restored.
fn page_cluster() -> String {
    fs::read_to_string("/proc/sys/vm/page-cluster").expect("a knob")
}

fn experiment_by_keys(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = (leftovers(), page_cluster());
    let mut terminal = run_few(lab, "with.seconds = 2\nwith.size = '20M'");
    terminal.wait_within(LONG, "the first run", |terminal| terminal.text().contains("few 1/2 "));
    terminal.wait_within(LONG, "the second", |terminal| terminal.text().contains("few 2/2 "));
    terminal.wait_within(LONG, "it is over", is_over);
    assert_eq!((leftovers(), page_cluster()), before);
    terminal.wait_for(" of 2 runs finished");
    assert!(terminal.text().contains("2 of 2 runs"), "{}", last_result(lab, &[]));
    terminal.wait_for("3 few");
    terminal.press("\r", "Results of the runs of its cases: 1, 2.");
    terminal.press("\x1b", "> few");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    assert_eq!((terminal.modes(), workers(lab)), (Modes::REST, 0));
    let document: Value = serde_json::from_str(&last_result(lab, &["--json"])).expect("JSON");
    assert_eq!(document["kind"], "experiment", "{document}");
}

/// The newest result, as shown by the command.
fn last_result(lab: &Lab, more: &[&str]) -> String {
    let arguments = [&["results", "show", "last"], more].concat();
    let mut show = program::command(&lab.scratch.program(), &arguments);
    program::output(show.env("SWAPADM_RESULTS", lab.scratch.file("results")))
}

/// How an experiment is stopped.
#[derive(Debug)]
enum End {
    Key,
    Leaving,
    Signal,
}

/// However it is stopped, no other run begins, and nothing is left.
fn experiment_ended(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = (leftovers(), page_cluster());
    for end in [End::Key, End::Leaving, End::Signal] {
        let mut terminal = run_few(lab, "with.seconds = 100\nwith.size = '20M'");
        terminal.wait_within(LONG, "it runs", |terminal| terminal.text().contains("touching"));
        assert_ne!(leftovers(), before.0, "temporary swap existed");
        match end {
            End::Key => {
                terminal.press("\x1b[20~", "c stop and undo");
                terminal.keys("c");
                let told = |terminal: &Terminal| terminal.text().contains("0 of 2 runs finished");
                terminal.wait_within(LONG, "it was ended", told);
                terminal.wait_for("you stopped it");
                assert_eq!((leftovers(), page_cluster()), before, "before quitting");
                terminal.keys("q");
                terminal.press("7", "> few");
                terminal.keys("\x03");
                assert!(terminal.ended().success());
            }
            End::Leaving => {
                terminal.press("\x03", "A workload is running");
                terminal.press("\t\t", "[ Stop it, then exit ]");
                terminal.keys("\r");
                assert!(terminal.ended().success());
            }
            End::Signal => {
                kill(terminal.leader(), Signal::SIGTERM).expect("the program runs");
                assert_eq!(terminal.ended().signal(), Some(15));
            }
        }
        assert_eq!((leftovers(), page_cluster()), before, "{end:?}");
        assert_eq!((terminal.modes(), workers(lab)), (Modes::REST, 0), "{end:?}");
    }
}

fn nobody_may(lab: &Lab) {
    let before = leftovers();
    let terminal = open(start(lab).user(program::NOBODY));
    let mut terminal = with_load(terminal, "", "usemem", "size=24M");
    terminal.press("\t", "[ Run: not possible, y copies it ]");
    terminal.press("\r", "changing swap needs root");
    terminal.press("y", "copied \"swapadm stress run usemem --limit=48M");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    assert_eq!(leftovers(), before);
}

static BESIDE: Title =
    Title { label: "swapadm-live-beside", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000001ab0d" };
/// The message when something else was confirmed.
const CHANGED: &str = "has changed since the plan was made";

/// A confirmed plan is made again under the lock, and must be the same: with another priority of an area
/// beside it, and with other keys in its file.
fn overtaken(lab: &Lab) -> Result<(), String> {
    let _tidy = RecoverOnDrop::new(lab);
    let beside = areas::zram(lab, 32 << 20, &BESIDE, 31_400)?;
    let before = leftovers();
    let give = |priority: u16| set_priority(lab, &beside.path, priority);
    let mut terminal = open(start(lab));
    arm(&mut terminal);
    let mut terminal = with_load(terminal, "", "usemem", "size=24M");
    give(31_350);
    ready(&mut terminal);
    terminal.press("\r", CHANGED);
    terminal.keys("\x03");
    assert!(terminal.ended().success());

    let load = lab.scratch.file("mine.toml");
    let size = |size: &str| fs::write(&load, format!("[[work]]\nsize = \"{size}\"\n"));
    size("24M").expect("a file");
    at_prompt(lab, &load, || give(31_300), Some(CHANGED));
    at_prompt(lab, &load, || size("32M").expect("a file"), Some(CHANGED));
    assert_eq!(leftovers(), before, "nothing was made for any of them");
    at_prompt(lab, &load, || (), None);
    assert_eq!((leftovers(), workers(lab)), (before, 0));
    Ok(())
}

fn set_priority(lab: &Lab, area: &Path, priority: u16) {
    let wish = format!("{}={priority}", area.display());
    program::output(&mut program::journalled(lab, &["priority", &wish, "--yes"]));
    assert_eq!(change::priority(area), Some(i32::from(priority)));
}

/// Runs a load and confirms it after something changed: it is refused with these words, or runs.
fn at_prompt(lab: &Lab, load: &Path, meanwhile: impl Fn(), refusal: Option<&str>) {
    let words =
        ["stress", "run", load.to_str().expect("text"), "--zram", "2x64M", "--limit", "48M"];
    let run = Start::program(lab.scratch.program(), &[&words[..], &["--no-keep"]].concat());
    let run = run.env("SWAPADM_JOURNAL", lab.scratch.file("journal")).size(120, 40);
    let mut terminal = run.open();
    terminal.wait_for("Do it? [y/N]");
    meanwhile();
    terminal.keys("y\r");
    if let Some(words) = refusal {
        terminal.wait_for(words);
    }
    let code = terminal.ended_within(LONG).code();
    assert_eq!(code == Some(0), refusal.is_none(), "{code:?}: {}", terminal.text());
}
