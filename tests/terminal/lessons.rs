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

#[test]
fn a_demonstration_says_what_to_look_at() {
    let mut terminal = Start::swapadm(&["demo", "waterfall"]).open();
    terminal.wait_for(&open_screen(1));
    terminal.wait_for("q leaves.");
    terminal.keys("q");
    assert!(terminal.ended().success());
}
