//! Output on a terminal is wrapped to its width.

use crate::common::Machine;
use crate::terminal::pty::Start;
use swapadm::columns::text;

/// The lines that a command prints on a terminal of this width.
fn lines(arguments: &[&str], cells: u16) -> Vec<String> {
    let mut terminal = Start::swapadm(arguments).size(cells, 40).open();
    terminal.ended();
    let printed = String::from_utf8(std::mem::take(&mut terminal.raw)).unwrap();
    printed.lines().map(|line| line.trim_end_matches('\r').to_owned()).collect()
}

fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| text::width(line)).max().unwrap_or(0)
}

#[test]
fn errors_are_broken_between_words() {
    let whole = lines(&["stress", "show", "usemen"], 2000);
    assert_eq!(whole.len(), 1, "{whole:?}");
    let narrow = lines(&["stress", "show", "usemen"], 60);
    assert!((40..=60).contains(&widest(&narrow)), "{narrow:?}");
    assert_eq!(narrow.join(" "), whole[0], "no word is broken");
}

#[test]
fn findings_of_rebalance_are_broken_between_words() {
    let machine = Machine::shared("7.2-mixed-loaded");
    let tree = machine.path().to_str().unwrap();
    let arguments = ["--sysroot", tree, "rebalance", "--check"];
    let narrow = lines(&arguments, 40);
    assert!(widest(&narrow) <= 40, "{narrow:?}");
    let words = |lines: &[String]| lines.join(" ").split_whitespace().collect::<String>();
    assert_eq!(words(&narrow), words(&lines(&arguments, 80)));
}

#[test]
fn lists_and_keys_are_as_wide_as_the_terminal() {
    for what in ["stress", "experiment"] {
        for command in ["list", "keys"] {
            for cells in [60, 80, 100, 120] {
                let lines = lines(&[what, command], cells);
                let widest = widest(&lines);
                let room = usize::from(cells);
                let all = (room - 15..=room).contains(&widest);
                assert!(all, "{what} {command}: {widest} cells of {room}: {lines:#?}");
            }
            let lines = lines(&[what, command], 200);
            assert!(widest(&lines) <= 120, "{what} {command}: {lines:#?}");
        }
    }
}
