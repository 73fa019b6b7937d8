//! Measures how soon the interface appears and answers keys on this machine.
//!
//! `cargo bench --bench interface` prints the best, the median and the worst time of each.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints its result, and stops where it meets something unknown"
)]
#![allow(dead_code, reason = "the terminal of the tests can do more")]

#[path = "../tests/terminal/pty.rs"]
mod pty;
#[path = "../tests/common/signals.rs"]
mod signals;
#[path = "../tests/common/tty.rs"]
mod tty;

use pty::{Start, Terminal};
use std::time::{Duration, Instant};
use swapadm::ui::screens::SCREENS;

const STARTS: usize = 21;
/// Number of rounds through all screens.
const ROUNDS: usize = 5;

fn main() {
    let frames = (0..STARTS).map(|_| first_frame()).collect();
    report("first frame", frames, "goal: under 50 ms");
    report("answer to a key", answers(), "goal: under 50 ms; 16 ms lie between two frames");
}

fn first_frame() -> Duration {
    let began = Instant::now();
    let mut terminal = Start::swapadm(&[]).open();
    terminal.wait_for(&open_screen(0));
    let time = began.elapsed();
    leave(&mut terminal);
    time
}

fn answers() -> Vec<Duration> {
    let mut terminal = Start::swapadm(&[]).size(100, 30).open();
    terminal.wait_for(&open_screen(0));
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        for place in (0..SCREENS.len()).rev() {
            let pressed = Instant::now();
            terminal.press(&SCREENS[place].number.to_string(), &open_screen(place));
            times.push(pressed.elapsed());
        }
    }
    leave(&mut terminal);
    times
}

fn leave(terminal: &mut Terminal) {
    terminal.keys("q");
    assert!(terminal.ended().success());
}

/// The text of the screen bar when this screen is open.
fn open_screen(place: usize) -> String {
    let screen = SCREENS[place];
    format!("[{} {}]", screen.number, screen.name)
}

fn report(what: &str, mut times: Vec<Duration>, goal: &str) {
    times.sort();
    let at = |share: usize| times[share * (times.len() - 1) / 2];
    println!("{what:<16} best {:?}, median {:?}, worst {:?}    {goal}", at(0), at(1), at(2));
}
