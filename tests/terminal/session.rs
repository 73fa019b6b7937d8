//! The terminal before, during and after the interface.

use crate::terminal::open_screen;
use crate::terminal::pty::{Modes, PATIENCE, Start, Terminal};
use nix::sys::signal::{Signal, kill};
use std::os::unix::process::ExitStatusExt as _;
use std::time::{Duration, Instant};
use swapadm::ui::screens::SCREENS;
use unicode_width::UnicodeWidthStr as _;
use vt100::{MouseProtocolEncoding, MouseProtocolMode};

/// The modes while the interface runs.
const TAKEN: Modes = Modes {
    alternate: true,
    hidden_cursor: true,
    mouse: MouseProtocolMode::PressRelease,
    mouse_form: MouseProtocolEncoding::Sgr,
    paste: true,
    plain: true,
};

/// After the program the terminal has its old modes, and shows only the text from before and these lines.
#[track_caller]
fn assert_restored(terminal: &mut Terminal, settings: &nix::sys::termios::Termios, lines: &[&str]) {
    terminal.wait_for("left with ");
    assert_eq!(terminal.modes(), Modes::REST);
    assert!(terminal.line_settings() == *settings, "keys are treated in another way than before");
    assert_eq!(terminal.text().lines().collect::<Vec<_>>(), lines);
}

#[test]
fn it_opens_shows_its_screens_and_restores_the_terminal() {
    let mut terminal = Start::swapadm(&[]).in_shell().open();
    let settings = terminal.line_settings();
    terminal.wait_for(&open_screen(0));
    assert_eq!(terminal.modes(), TAKEN);
    assert!(terminal.line_settings() != settings, "keys are not read one by one");
    for place in (0..SCREENS.len()).rev() {
        terminal.press(&SCREENS[place].number.to_string(), &open_screen(place));
    }
    terminal.keys("q");
    assert_restored(&mut terminal, &settings, &["before", "left with 0"]);
    terminal.keys("\n");
    assert!(terminal.ended().success());
}

/// Sizes of all classes, and one that is too small.
const SIZES: [(u16, u16); 5] = [(120, 40), (60, 16), (40, 10), (20, 3), (80, 24)];

#[test]
fn the_frame_follows_the_size_of_the_terminal() {
    let mut terminal = Start::swapadm(&[]).open();
    terminal.wait_for(&open_screen(0));
    for (width, height) in SIZES {
        terminal.resize((width, height));
        // The screen of the test is cleared here: only new output counts. Text outside of it would come
        // back at its edges.
        terminal.wait(&format!("a whole frame of {width}x{height}"), |terminal| {
            is_whole(&terminal.text(), width, height)
        });
    }
    terminal.keys("q");
    assert!(terminal.ended().success());
}

/// A window that is too small for anything, and one that loses its size.
#[test]
fn a_terminal_of_one_cell_or_none_stops_nothing() {
    let mut terminal = Start::swapadm(&[]).open();
    terminal.wait_for(&open_screen(0));
    terminal.resize((1, 1));
    terminal.wait("the one cell", |terminal| terminal.text().trim_end().chars().count() == 1);
    terminal.resize((80, 24));
    terminal.wait("a whole frame", |terminal| is_whole(&terminal.text(), 80, 24));
    terminal.keys("q");
    assert!(terminal.ended().success());
}

#[test]
fn the_environment_gives_the_size_of_an_unsized_terminal() {
    let start = || Start::swapadm(&[]).unsized_terminal();
    let of = |start: Start, width, height| {
        let mut terminal = start.size(width, height).open();
        terminal.wait("a whole frame", |terminal| is_whole(&terminal.text(), width, height));
        terminal.keys("q");
        assert!(terminal.ended().success());
    };
    of(start(), 80, 24);
    of(start().env("COLUMNS", "100").env("LINES", "30"), 100, 30);
    of(start().env("COLUMNS", "0").env("LINES", "many"), 80, 24);
    // A terminal that knows its size ignores the environment: it can be resized at any time.
    of(Start::swapadm(&[]).env("COLUMNS", "40").env("LINES", "10"), 100, 30);
}

/// Whether the frame fills a terminal of this size.
fn is_whole(text: &str, width: u16, height: u16) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    if width < 30 || height < 6 {
        return lines.len() == 2 && lines[1].trim_end() == "needs 30x6, q quits";
    }
    let full = |line: &&str| line.width() == usize::from(width);
    let framed = |line: &&&str| line.starts_with(['╭', '│', '╰']);
    let ends = |line: &&str| full(line) && line.ends_with(['╮', '│', '╯']);
    let titles = lines.iter().filter(|line| line.contains("──"));
    let foot = lines.last().is_some_and(|line| line.contains("? help"));
    foot && lines.len() == usize::from(height)
        && titles.clone().count() > 0
        && titles.clone().all(full)
        && lines.iter().filter(framed).all(ends)
}

/// Signals that end a program by default.
const LAST: [(Signal, i32); 4] =
    [(Signal::SIGTERM, 15), (Signal::SIGINT, 2), (Signal::SIGHUP, 1), (Signal::SIGQUIT, 3)];

#[test]
fn a_signal_ends_it_in_order() {
    for (signal, number) in LAST {
        let mut terminal = Start::swapadm(&[]).in_shell().open();
        let settings = terminal.line_settings();
        terminal.wait_for(&open_screen(0));
        kill(terminal.foreground(), signal).unwrap();
        terminal.wait_for(&format!("left with {}", 128 + number));
        assert_eq!(terminal.modes(), Modes::REST, "{signal}");
        assert!(terminal.line_settings() == settings, "{signal}");
        let text = terminal.text();
        assert!(text.starts_with("before\n") && text.lines().count() <= 3, "{signal}: {text}");
    }
}

/// At any early time: before the terminal is set up, meanwhile, and before the first frame.
#[test]
fn a_signal_ends_it_in_order_from_the_first_moment_on() {
    for (signal, number) in LAST {
        for early in 0..15 {
            let mut terminal = Start::swapadm(&[]).open();
            std::thread::sleep(Duration::from_millis(early));
            kill(terminal.leader(), signal).unwrap();
            let status = terminal.ended();
            assert_eq!(status.signal(), Some(number), "{signal} after {early} ms: {status}");
            assert_eq!(terminal.modes(), Modes::REST, "{signal} after {early} ms");
        }
    }
}

/// An interactive shell that does not touch the modes checked here.
fn shell() -> Terminal {
    let arguments = ["--norc", "--noprofile", "--noediting", "-i"];
    let program = env!("CARGO_BIN_EXE_swapadm");
    let mut terminal = Start::program("bash", &arguments)
        .env("PS1", "ready$ ")
        .env("SWAPADM", program)
        .size(100, 30)
        .open();
    terminal.wait_for("ready$");
    terminal
}

/// The shell has the terminal, in its old state.
#[track_caller]
fn assert_usable(terminal: &mut Terminal, settings: &nix::sys::termios::Termios) {
    terminal.wait("the shell's prompt", |terminal| {
        let text = terminal.text();
        text.contains("Stopped")
            && text.lines().last().is_some_and(|line| line.trim_end() == "ready$")
    });
    assert_eq!(terminal.modes(), Modes::REST);
    assert!(terminal.line_settings() == *settings);
}

/// Whether the interface took the terminal again after this many bytes, and drew a frame.
fn is_redrawn(terminal: &Terminal, before: usize) -> bool {
    let new = String::from_utf8_lossy(&terminal.raw[before..]);
    let taken = new.rfind("\x1b[?1049h");
    taken.is_some_and(|place| new[place..].contains("help"))
}

#[test]
fn it_can_be_stopped_and_goes_on() {
    let mut terminal = shell();
    let settings = terminal.line_settings();
    terminal.press("\"$SWAPADM\"\n", &open_screen(0));
    terminal.press("2", &open_screen(1));
    terminal.keys("\x1a");
    assert_usable(&mut terminal, &settings);
    terminal.press("echo $((40 + 2))\n", "\n42\n");
    terminal.keys("clear\n");
    terminal.press("fg\n", &open_screen(1));
    assert_eq!(terminal.modes(), TAKEN);
    // From outside.
    kill(terminal.foreground(), Signal::SIGTSTP).unwrap();
    assert_usable(&mut terminal, &settings);
    terminal.keys("clear\n");
    terminal.press("fg\n", &open_screen(1));
    // By SIGSTOP: the terminal stays as it is until the program continues.
    let program = terminal.foreground();
    kill(program, Signal::SIGSTOP).unwrap();
    terminal.wait("the shell goes on", |terminal| terminal.foreground() != program);
    let before = terminal.raw.len();
    terminal.keys("fg\n");
    terminal.wait("a frame from its beginning", |terminal| is_redrawn(terminal, before));
    terminal.press("3", &open_screen(2));
    assert_eq!(terminal.modes(), TAKEN);
    terminal.keys("q");
    terminal.wait("the shell goes on", |terminal| terminal.foreground() == terminal.leader());
    terminal.press("echo \"left with $?\"\n", "left with 0");
    assert_eq!(terminal.modes(), Modes::REST);
}

#[test]
fn a_signal_received_while_stopped_is_not_lost() {
    let mut terminal = shell();
    terminal.press("\"$SWAPADM\"\n", &open_screen(0));
    let program = terminal.foreground();
    terminal.press("\x1a", "Stopped");
    kill(program, Signal::SIGTERM).unwrap();
    terminal.press("fg; echo \"left with $?\"\n", "left with 143");
    assert_eq!(terminal.modes(), Modes::REST);
}

/// A program continued in the background stops again, and can be ended there.
#[test]
fn in_the_background_it_touches_no_terminal_and_can_be_ended() {
    let mut terminal = shell();
    let settings = terminal.line_settings();
    terminal.press("\"$SWAPADM\"\n", &open_screen(0));
    let program = terminal.foreground();
    terminal.keys("\x1a");
    assert_usable(&mut terminal, &settings);
    terminal.press("bg; echo $((40 + 2))\n", "\n42\n");
    // By SIGSTOP, too.
    kill(program, Signal::SIGSTOP).unwrap();
    kill(program, Signal::SIGCONT).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(terminal.modes(), Modes::REST);
    terminal.keys("kill %1\n");
    terminal.wait("the program has ended", |terminal| !terminal.session().contains(&program));
    // The prompt may precede the message, which comes once the shell has noticed the end.
    terminal.press("echo $((50 + 5))\n", "55\n");
    assert_eq!(terminal.modes(), Modes::REST);
    assert!(terminal.line_settings() == settings);
}

#[test]
fn it_redraws_after_stop_and_continue() {
    let mut terminal = Start::swapadm(&[]).open();
    terminal.wait_for(&open_screen(0));
    let before = terminal.raw.len();
    kill(terminal.leader(), Signal::SIGSTOP).unwrap();
    kill(terminal.leader(), Signal::SIGCONT).unwrap();
    terminal.wait("a frame from its beginning", |terminal| is_redrawn(terminal, before));
    assert_eq!(terminal.modes(), TAKEN);
    terminal.keys("q");
    assert!(terminal.ended().success());
}

/// A key that arrives in pieces, over a slow line.
#[test]
fn half_a_key_stops_nothing() {
    let mut terminal = Start::swapadm(&[]).open();
    terminal.wait_for(&open_screen(0));
    terminal.keys("\x1b[");
    terminal.resize((100, 30));
    terminal.wait("a whole frame", |terminal| is_whole(&terminal.text(), 100, 30));
    // The other half: the key for help.
    terminal.press("11~", "Screens and panes");
    terminal.keys("\x1b[");
    kill(terminal.leader(), Signal::SIGTERM).unwrap();
    assert_eq!(terminal.ended().signal(), Some(15));
}

/// A hangup ends the program in any case: nobody could see or end it.
#[test]
fn a_lost_terminal_ends_it() {
    for deaf in [false, true] {
        let hangup = if deaf { "trap '' HUP; exec \"$@\"" } else { "exec \"$@\"" };
        let start =
            Start::swapadm(&["--interval", "0.1"]).with_wrapper(&["sh", "-c", hangup, "sh"]);
        let mut terminal = start.open();
        terminal.wait_for(&open_screen(0));
        terminal.hang_up();
        let status = terminal.ended();
        // The signal or the closed terminal may be noticed first.
        let by_signal = !deaf && status.signal() == Some(1);
        assert!(by_signal || status.code() == Some(6), "deaf: {deaf}, {status}");
    }
}

/// As under nohup.
#[test]
fn an_ignored_signal_ends_no_command_that_repeats() {
    let start = Start::swapadm(&["paging", "--interval", "0.1"]);
    let mut terminal = start.with_wrapper(&["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"]).open();
    for sample in 0..4 {
        let before = terminal.raw.len();
        terminal.wait("another sample", |terminal| terminal.raw.len() > before);
        if sample == 0 {
            kill(terminal.leader(), Signal::SIGHUP).unwrap();
        }
    }
    kill(terminal.leader(), Signal::SIGTERM).unwrap();
    assert!(terminal.ended().success());
}

/// More than the buffers on the way can take.
#[test]
fn many_keys_at_once_are_all_read() {
    let mut terminal = Start::swapadm(&[]).open();
    terminal.wait_for(&open_screen(0));
    terminal.press(&format!("{}2", "1".repeat(3000)), &open_screen(1));
    let paste = format!("\x1b[200~{}\x1b[201~", "x".repeat(3000));
    terminal.press(&format!("/{paste}"), "xxxxx");
    terminal.keys("\x03");
    assert!(terminal.ended().success());
}

/// A hung connection: the terminal exists, but accepts no output.
#[test]
fn signals_work_while_the_terminal_blocks_output() {
    let mut terminal = Start::swapadm(&[]).in_shell().size(200, 60).open();
    let settings = terminal.line_settings();
    terminal.wait_for(&open_screen(0));
    let program = terminal.foreground();
    // Complete frames that nobody reads, more than fits between both ends.
    for _ in 0..40 {
        terminal.keys("\x0c");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill(program, Signal::SIGTERM).unwrap();
    let deadline = Instant::now() + PATIENCE;
    while terminal.session().contains(&program) {
        assert!(Instant::now() < deadline, "it still waits for the terminal");
        std::thread::sleep(Duration::from_millis(5));
    }
    terminal.wait_for("left with 143");
    assert!(terminal.line_settings() == settings);
}
