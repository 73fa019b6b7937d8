//! Loads run from the interface, by keys: they measure, are kept, can be ended, and leave nothing.

use crate::interface::{arm, open, ready};
use crate::lab::Lab;
use crate::loads::{Tidy, traces, workers};
use crate::pty::{Modes, Start, Terminal};
use crate::{at_terminal, program};
use nix::sys::signal::{Signal, kill};
use std::os::unix::process::ExitStatusExt as _;
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
    with_terminal("a_load_ends_in_order_when_the_interface_is_left", left);
}

#[test]
fn an_experiment_run_by_keys_is_kept_and_leaves_nothing() {
    with_terminal("an_experiment_run_by_keys_is_kept_and_leaves_nothing", experiment_by_keys);
}

#[test]
fn an_experiment_that_is_ended_leaves_nothing() {
    with_terminal("an_experiment_that_is_ended_leaves_nothing", experiment_ended);
}

#[test]
fn without_rights_a_load_is_shown_and_not_run() {
    with_terminal("without_rights_a_load_is_shown_and_not_run", nobody_may);
}

/// Nothing here keeps these from running but the want of a terminal.
fn with_terminal(name: &str, test: fn(&Lab)) {
    at_terminal(name, |lab| {
        test(lab);
        Ok(())
    });
}

/// How long a small load may take on a slow machine.
pub(crate) const LONG: Duration = Duration::from_mins(2);

fn start(lab: &Lab) -> Start {
    let start = Start::program(lab.scratch.program(), &[]);
    let start = start.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    start.env("SWAPADM_RESULTS", lab.scratch.file("results"))
}

/// The lab, with a small load set: a cage, two devices, and what this says of the load.
fn with_load(mut terminal: Terminal, keys: &str, load: &str, with: &str) -> Terminal {
    terminal.press("7", "[7 Lab]");
    terminal.wait_for("> usemem");
    terminal.press(keys, &format!("> {load}"));
    terminal.press("\t\r", "the memory of all its processes");
    terminal.press("48M\r", "> cage       48M");
    terminal.press("j\r", "devices that are made for it");
    terminal.press("2x64M\r", "> zram       2x64M");
    terminal.press("G\r", "KEY=VALUE, such as");
    terminal.press(&format!("{with}\r"), &format!("> with       {with}"));
    terminal.press(".", &format!("Run the load {load}"));
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
    let _tidy = Tidy::of(lab);
    let before = traces();
    let mut terminal = run(lab, "", "usemem", "size=24M");
    terminal.wait_within(LONG, "it is over", is_over);
    assert_eq!(traces(), before);
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
    let _tidy = Tidy::of(lab);
    let before = traces();
    let mut terminal = run(lab, "j", "random-write", "seconds=100");
    terminal.wait_within(LONG, "it runs", |terminal| terminal.text().contains("touching"));
    assert_ne!(traces(), before, "it was lent something");
    terminal.press("2", "LOAD   random-write: ");
    terminal.press("\x1b[20~", "c stop and take back");
    terminal.keys("c");
    terminal
        .wait_within(LONG, "it was ended", |terminal| terminal.text().contains("you stopped it"));
    assert_eq!(traces(), before);
    terminal.keys("q");
    terminal.press("7", "shows all of it");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    assert_eq!(workers(lab), 0);
}

/// By the key, after the question, and by a signal.
fn left(lab: &Lab) {
    let _tidy = Tidy::of(lab);
    let before = traces();
    for by_key in [true, false] {
        let mut terminal = run(lab, "j", "random-write", "seconds=100");
        terminal.wait_within(LONG, "it runs", |terminal| terminal.text().contains("touching"));
        if by_key {
            terminal.press("\x03", "A load is running");
            terminal.press("\t\t", "[ Stop it, then leave ]");
            terminal.keys("\r");
            assert!(terminal.ended().success());
        } else {
            kill(terminal.leader(), Signal::SIGTERM).expect("it runs");
            assert_eq!(terminal.ended().signal(), Some(15));
        }
        assert_eq!(terminal.modes(), Modes::REST);
        assert_eq!((traces(), workers(lab)), (before.clone(), 0), "by a key: {by_key}");
    }
}

/// An experiment of one's own: two cases, each run once, on a device of its own.
fn few(with: &str) -> String {
    format!(
        "about = 'Few.'\nquestion = 'What?'\nrepetitions = 1\ncolumns = ['system']\n\
         [base]\nload = 'random-write'\nlimit = '48M'\ndevices = '1x64M'\n{with}\n\
         [[factor]]\nname = 'cluster'\nkey = 'set.page-cluster'\nvalues = [0, 1]\n"
    )
}

/// The lab with that experiment, which was confirmed.
fn run_few(lab: &Lab, with: &str) -> Terminal {
    let folder = lab.scratch.file("config").join("swapadm/experiments");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("few.toml"), few(with)).expect("a file");
    let mut terminal = open(start(lab).env("XDG_CONFIG_HOME", lab.scratch.file("config")));
    arm(&mut terminal);
    terminal.press("7", "[7 Lab]");
    terminal.wait_for("> usemem");
    terminal.press("k", "> few");
    terminal.wait_for("each once, in an order");
    terminal.press(".", "Run the experiment few");
    terminal.wait_for("to each run by itself");
    ready(&mut terminal);
    terminal.keys("\r");
    terminal
}

/// What a run of an experiment sets, which has to be as it was.
fn page_cluster() -> String {
    std::fs::read_to_string("/proc/sys/vm/page-cluster").expect("a knob")
}

fn experiment_by_keys(lab: &Lab) {
    let _tidy = Tidy::of(lab);
    let before = (traces(), page_cluster());
    let mut terminal = run_few(lab, "with.seconds = 2\nwith.size = '20M'");
    terminal.wait_within(LONG, "the first run", |terminal| terminal.text().contains("few 1/2 "));
    terminal.wait_within(LONG, "the second", |terminal| terminal.text().contains("few 2/2 "));
    terminal.wait_within(LONG, "it is over", is_over);
    assert_eq!((traces(), page_cluster()), before);
    terminal.wait_for("2 of 2 runs came to their end");
    terminal.wait_for("3 few");
    terminal.press("\r", "The runs of its cases as results: 1, 2.");
    terminal.press("\x1b", "> few");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    assert_eq!((terminal.modes(), workers(lab)), (Modes::REST, 0));
    let mut show = program::command(&lab.scratch.program(), &["results", "show", "last", "--json"]);
    let document = program::json(show.env("SWAPADM_RESULTS", lab.scratch.file("results")));
    assert_eq!(document["kind"], "experiment", "{document}");
}

/// How an experiment is ended.
#[derive(Debug)]
enum End {
    Key,
    Leaving,
    Signal,
}

/// However that is asked for: no other run begins, and nothing is left.
fn experiment_ended(lab: &Lab) {
    let _tidy = Tidy::of(lab);
    let before = (traces(), page_cluster());
    for end in [End::Key, End::Leaving, End::Signal] {
        let mut terminal = run_few(lab, "with.seconds = 100\nwith.size = '20M'");
        terminal.wait_within(LONG, "it runs", |terminal| terminal.text().contains("touching"));
        assert_ne!(traces(), before.0, "it was lent something");
        match end {
            End::Key => {
                terminal.press("\x1b[20~", "c stop and take back");
                terminal.keys("c");
                let told =
                    |terminal: &Terminal| terminal.text().contains("0 of 2 runs came to their end");
                terminal.wait_within(LONG, "it was ended", told);
                terminal.wait_for("you stopped it");
                assert_eq!((traces(), page_cluster()), before, "before it is left");
                terminal.keys("q");
                terminal.press("7", "> few");
                terminal.keys("\x03");
                assert!(terminal.ended().success());
            }
            End::Leaving => {
                terminal.press("\x03", "A load is running");
                terminal.press("\t\t", "[ Stop it, then leave ]");
                terminal.keys("\r");
                assert!(terminal.ended().success());
            }
            End::Signal => {
                kill(terminal.leader(), Signal::SIGTERM).expect("it runs");
                assert_eq!(terminal.ended().signal(), Some(15));
            }
        }
        assert_eq!((traces(), page_cluster()), before, "{end:?}");
        assert_eq!((terminal.modes(), workers(lab)), (Modes::REST, 0), "{end:?}");
    }
}

fn nobody_may(lab: &Lab) {
    let before = traces();
    let terminal = open(start(lab).user(program::NOBODY));
    let mut terminal = with_load(terminal, "", "usemem", "size=24M");
    terminal.press("\t", "[ Run: not from here, y copies it ]");
    terminal.press("\r", "changing swap needs root");
    terminal.press("y", "copied \"swapadm stress run usemem --limit=48M");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
    assert_eq!(traces(), before);
}
