//! The real program on a pseudo-terminal, with an emulated screen.
//!
//! No test needs swap or rights, and none waits for a fixed time. Asserted times are far above the measured
//! ones, which are printed: they only catch a program that waits for the wrong thing.

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

mod captures_and_recordings;
mod changes;
mod fake_machine;
mod lessons;
mod lines;
mod output;
mod pty;
mod session;

use swapadm::ui::screens::SCREENS;

/// The text of the screen bar when this screen is open.
fn open_screen(place: usize) -> String {
    let screen = SCREENS[place];
    format!("[{} {}]", screen.number, screen.name)
}
