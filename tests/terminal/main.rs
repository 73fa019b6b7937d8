//! The real program on a real terminal: a pseudo-terminal, and a screen made of what is written
//! into it.
//!
//! No test needs swap or rights, and none waits for a fixed time. Times that are asserted are far
//! above what is measured, which is printed: they only catch a program that waits for something
//! that it should not wait for.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::string_slice,
    reason = "the tests look at the machine by themselves, and stop where they meet something unknown"
)]

mod changes;
#[path = "../common/mod.rs"]
mod common;
mod captures_and_recordings;
mod lines;
mod fake_machine;
mod output;
mod pty;
mod session;
#[path = "../common/signals.rs"]
mod signals;
#[path = "../common/tty.rs"]
mod tty;

use swapadm::ui::screens::SCREENS;

/// What the line of screens shows when this one is open.
fn open_screen(place: usize) -> String {
    let screen = SCREENS[place];
    format!("[{} {}]", screen.number, screen.name)
}
