//! Plans on a terminal, for machines that are not this one.

use crate::common::Machine;
use crate::terminal::pty::{PATIENCE, Start};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn a_captured_machine_shows_plans_copies_commands_and_changes_nothing() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let folder = machine.path().to_str().unwrap();
    let mut terminal = Start::swapadm(&["--sysroot", folder]).open();
    terminal.wait_for("captured  read-only");
    terminal.press("W", "write mode needs a live machine");
    terminal.press("2", "> /dev/zram0");
    terminal.press("a", "Actions: /dev/zram0");
    terminal.press("\r", "Disable /dev/zram0");
    terminal.wait_for("by hand  swapoff /dev/zram0");
    terminal.press("\t", "[ Run: ");
    terminal.press("\r", "a captured tree cannot be changed");
    terminal.press("y", "copied \"swapoff /dev/zram0\"");
    let copied = terminal.raw.windows(5).any(|bytes| bytes == b"\x1b]52;");
    assert!(copied, "nothing went to the clipboard");
    terminal.resize((60, 16));
    terminal.wait_for("[ Run: ");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
}

/// A terminal that was stopped by Ctrl-S takes no output.
#[test]
fn a_stopped_terminal_stops_neither_a_change_nor_signals() {
    let mut terminal = Start::swapadm(&["--machine", "laptop", "priority", "zram0=5"]).open();
    terminal.wait_for("Do it? [y/N]");
    terminal.keys("\x13y\n");
    let begun = Instant::now();
    while !shows_progress(terminal.leader()) {
        assert!(begun.elapsed() < PATIENCE, "the change does not begin");
    }
    // The first signal may stop the change, and the next one the wait for the terminal.
    while !terminal.session().is_empty() {
        assert!(begun.elapsed() < PATIENCE, "it waits for the terminal");
        let _ = kill(terminal.leader(), Signal::SIGTERM);
        std::thread::sleep(Duration::from_millis(50));
    }
    let ended = terminal.ended();
    assert!(ended.code().is_some(), "{ended}");
    assert!(!terminal.text().contains("zram0  priority 5"), "{}", terminal.text());
}

/// Whether the program has opened its terminal again to show progress.
fn shows_progress(pid: Pid) -> bool {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs").flatten();
    files
        .filter_map(|file| fs::read_link(file.path()).ok())
        .any(|file| file == Path::new("/dev/tty"))
}
