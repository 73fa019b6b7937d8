//! Plans on a terminal, for a machine that cannot be changed.

use crate::common::Machine;
use crate::pty::Start;

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
