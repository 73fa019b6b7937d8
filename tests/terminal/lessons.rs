//! Lessons and demonstrations on a terminal.

use crate::terminal::open_screen;
use crate::terminal::pty::Start;

#[test]
fn a_lesson_is_played_on_a_terminal_and_quits() {
    let mut terminal = Start::swapadm(&["learn", "nodes"]).open();
    terminal.wait_for("step 1 of 4");
    terminal.press("b", "Right: b) nvme1n1p2");
    terminal.press(" ", "step 2 of 4");
    terminal.press("9", &open_screen(8));
    terminal.keys("q");
    assert!(terminal.ended().success());
}

/// Changes are planned and made on the machine of the lesson, and on no other.
#[test]
fn a_machine_is_repaired_on_a_terminal() {
    let mut terminal = Start::swapadm(&["learn", "repair"]).open();
    terminal.wait_for("step 1 of 2");
    terminal.press("b", "Right: b)");
    terminal.press(" ", "advise finds 3 problems");
    terminal.press("W", "Enable write mode?");
    terminal.press("\t\r", "write mode");
    terminal.press(":on nvme0n1p3\r", "SIMULATED repair: enable /dev/nvme0n1p3");
    terminal.press("\t\r", "Done (journal 1)");
    terminal.press("\r", "3 problems are left");
    terminal.press(":priority zram0 100\r", "SIMULATED repair: priority of");
    terminal.press("\t\r", "Done (journal 2)");
    terminal.wait_for("2 problems are left");
    terminal.keys("\rq");
    assert!(terminal.ended().success());
}

#[test]
fn a_demonstration_says_what_to_look_at() {
    let mut terminal = Start::swapadm(&["demo", "waterfall"]).open();
    terminal.wait_for(&open_screen(1));
    terminal.wait_for("q leaves.");
    terminal.keys("q");
    assert!(terminal.ended().success());
}
